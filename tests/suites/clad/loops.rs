use autodiff::prelude::*;

#[differentiable]
fn ninth_power(x: f64) -> f64 {
    let mut t = 1.0;
    for _ in 0..3 {
        for _ in 0..3 {
            t *= x;
        }
    }
    t
}

#[differentiable]
fn returns_inside(x: f64) -> f64 {
    let mut t = 1.0;
    for i in 0..3 {
        t *= x;
        if i == 1 {
            return t;
        }
    }
    t
}

#[differentiable]
fn local_of_an_iteration(x: f64) -> f64 {
    let mut res = 0.0;
    for i in 0..3 {
        let n = x + i as f64;
        res += x * n;
    }
    res
}

#[differentiable]
fn repeated_squares(mut x: f64, n: usize) -> f64 {
    let mut i = 0;
    while i < n {
        x = x * x;
        i = i + 1;
    }
    x
}

#[differentiable]
fn counts_down(i: f64, j: f64) -> f64 {
    let mut a = 0.0;
    let mut counter = 3;
    while counter != 0 {
        counter -= 1;
        a += i * i + j;
    }
    a
}

#[differentiable]
fn runs_once(i: f64, j: f64) -> f64 {
    let mut a = 0.0;
    let mut counter = 3;
    loop {
        let mut again = 3;
        loop {
            a += i * i + j;
            again -= 1;
            loop {
                a += j;
                break;
            }
            if again == 0 {
                break;
            }
        }
        counter -= 1;
        if counter == 0 {
            break;
        }
    }
    a
}

#[differentiable]
fn kinds_of_iterations(i: f64, j: f64) -> f64 {
    let mut choice = 5;
    let mut res = 0.0;
    while choice > 0 {
        choice -= 1;
        if choice > 3 {
            res += i;
            continue;
        }
        if choice > 1 {
            res += j;
            continue;
        }
        if choice > 0 {
            res += i * j;
            continue;
        }
    }
    res
}

#[differentiable]
fn continue_and_break(i: f64, j: f64) -> f64 {
    let counter = 5;
    let mut res = 0.0;
    for ii in 0..counter {
        if ii == 4 {
            res += i * j;
            break;
        }
        if ii > 2 {
            res += 2.0 * i;
            continue;
        }
        res += i + j;
    }
    res
}

#[differentiable]
fn inner_break(i: f64, j: f64) -> f64 {
    let mut res = 0.0;
    for ii in 0..5 {
        let mut jj = ii;
        if ii < 2 {
            continue;
        }
        while jj > 0 {
            jj -= 1;
            if jj < 3 {
                res += i * j;
                break;
            } else {
                continue;
            }
        }
    }
    res
}

#[differentiable]
fn integrates(lower: f64, upper: f64) -> f64 {
    let points = 100;
    let interval = (upper - lower) / points as f64;
    let mut sum = 0.0;
    let mut x = lower;
    while x <= upper - 0.5 * interval {
        sum += x * x * interval;
        x += interval;
    }
    sum
}

#[differentiable]
fn elements_are_scaled(arr: &mut [f64]) -> f64 {
    let mut res = 0.0;
    for i in 0..arr.len() {
        res += {
            arr[i] *= 5.0;
            arr[i]
        };
    }
    res
}

#[differentiable]
fn array_in_an_iteration(x: f64) -> f64 {
    let mut res = 0.0;
    for _ in 0..5 {
        let arr = [1.0, x, 2.0];
        res += arr[0] + arr[1];
    }
    res
}

#[differentiable]
fn over_an_array(x: f64, y: f64) -> f64 {
    let mut res = 0.0;
    let f = [x * x, 2.0 * x * y, y * y, x, y];
    for i in f {
        if i == x {
            break;
        }
        res += i;
    }
    res
}

#[differentiable]
fn pairs_of_elements(x: f64, y: f64) -> f64 {
    let mut r = 0.0;
    let a = [x, x * y, 0.0];
    for i in &a {
        for j in &a {
            if r <= x * x {
                r += i * j;
            } else if r > x * x {
                break;
            }
        }
    }
    r
}

#[differentiable]
fn odd_coefficients(x: f64, y: f64) -> f64 {
    let coefficients = [4, 7, 3];
    let mut res = 0.0;
    for &i in coefficients.iter() {
        if i % 2 == 0 {
            continue;
        }
        res += x * y * i as f64;
    }
    res
}

#[differentiable]
fn references_to_elements(x: f64, y: f64) -> f64 {
    let mut a = [y, x * y, x * x + y];
    let mut r = 0.0;
    for i in &mut a {
        *i *= 2.0;
        r += *i * *i;
    }
    r
}

#[differentiable]
fn log_likelihood(x: &[f64], p: &[f64], sigma: f64) -> f64 {
    let mut power = 0.0;
    for i in 0..x.len() {
        power += square(x[i] - p[i]);
    }
    power = -power / (2.0 * square(sigma));
    let gauss = 1.0 / (std::f64::consts::TAU.powi(x.len() as i32) * sigma).sqrt() * power.exp();
    gauss.ln()
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn checkpointed(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    #[checkpoint(4)]
    for _ in 0..100 {
        let t1 = x;
        let t2 = y / t1;
        sum += t2.powi(2);
    }
    sum
}

#[test]
fn gradients() {
    gradient!(ninth_power(x) by x = 1.5 => [9.0 * 1.5_f64.powi(8)]);
    gradient!(returns_inside(x) by x = 3.0 => [6.0]);
    gradient!(local_of_an_iteration(x) by x = 3.0 => [6.0 * 3.0 + 3.0]);
    gradient!(repeated_squares(x, 3) by x = 1.2 => [8.0 * 1.2_f64.powi(7)]);
    gradient!(counts_down(i, j) by i = 3.0, j = 5.0 => [18.0, 3.0]);
    gradient!(runs_once(i, j) by i = 3.0, j = 5.0 => [54.0, 18.0]);
    gradient!(kinds_of_iterations(i, j) by i = 3.0, j = 5.0 => [6.0, 5.0]);
    gradient!(continue_and_break(i, j) by i = 3.0, j = 5.0 => [10.0, 6.0]);
    gradient!(inner_break(i, j) by i = 3.0, j = 5.0 => [15.0, 9.0]);
    gradient!(integrates(a, b) by a = 1.0, b = 4.0);
    gradient!(elements_are_scaled(&mut a) by a = [1.0, 2.0, 3.0] => [5.0; 3]);
    gradient!(array_in_an_iteration(x) by x = 3.0 => [5.0]);
    gradient!(over_an_array(x, y) by x = 3.0, y = 5.0 => [6.0 + 10.0, 6.0 + 10.0]);
    gradient!(pairs_of_elements(x, y) by x = 3.0, y = 5.0);
    gradient!(odd_coefficients(x, y) by x = 3.0, y = 5.0 => [50.0, 30.0]);
    gradient!(references_to_elements(x, y) by x = 3.0, y = 5.0);
    gradient!(log_likelihood(&x, &p, sigma) by x = vec![1.0, 2.0, 3.0], p = vec![0.5, 1.0, 2.5], sigma = 0.8);
    gradient!(square(x) by x = 3.0 => [6.0]);
    gradient!(checkpointed(x, y) by x = 2.0, y = 3.0 => [-225.0, 150.0]);
}
