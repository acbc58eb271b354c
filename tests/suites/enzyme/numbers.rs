//! Numbers: what is called, approximated, iterated.

use autodiff::prelude::*;

#[differentiable]
fn integrate_exp(t: f64) -> f64 {
    let h = t / 1000.0;
    let mut y = 1.0;
    let mut s = 0.0;
    for _ in 0..1000 {
        let k1 = y;
        let k2 = y + 0.5 * h * k1;
        let k3 = y + 0.5 * h * k2;
        let k4 = y + h * k3;
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        s += h;
    }
    y * s / t
}

#[differentiable]
fn taylor_of_the_exponential(x: f64, terms: usize) -> f64 {
    let mut result = 0.0;
    for i in 0..terms {
        let mut factorial = 1.0;
        for j in 1..=i {
            factorial *= j as f64;
        }
        result += x.powi(i as i32) / factorial;
    }
    result
}

#[differentiable]
fn my_cos(x: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = term;
    let mut n = 0;
    while n < 20 {
        n += 1;
        term *= -x * x / ((2 * n - 1) * (2 * n)) as f64;
        sum += term;
    }
    sum
}

#[differentiable]
fn square_root_by_newton(x: f64) -> f64 {
    let mut y = x;
    while (y * y - x).abs() > 1e-14 * x {
        y = 0.5 * (y + x / y);
    }
    y
}

#[differentiable]
fn energy(t: f64, y: &[f64; 2]) -> f64 {
    let a = [718.0, 650.0];
    let b = [0.05, 0.11];
    let mut e = 0.0;
    for s in 0..2 {
        e += y[s] * (a[s] * t + b[s] * t * t);
    }
    e
}

#[differentiable]
fn heat_capacity(t: f64, y: &[f64; 2]) -> f64 {
    y[0] * (718.0 + 0.1 * t) + y[1] * (650.0 + 0.22 * t)
}

#[differentiable]
fn temperature(x: &[f64; 4]) -> f64 {
    const MAX_STEPS: usize = 50;
    let y = [x[1], x[2]];
    let mut t = x[3];
    for _ in 0..MAX_STEPS {
        let cv = heat_capacity(t, &y);
        if cv <= 0.0 {
            break;
        }
        let step = (energy(t, &y) - x[0]) / cv;
        t = (t - step).clamp(50.0, 30_000.0);
        if step.abs() < 1e-10 * t {
            break;
        }
    }
    t
}

#[differentiable]
fn manhattan(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |acc, v| acc + v.abs())
}

#[differentiable]
fn largest(x: &[f64]) -> f64 {
    let mut m = x[0];
    for &v in &x[1..] {
        m = if v > m { v } else { m };
    }
    m
}

#[differentiable]
fn many_quotients(x: f64, n: usize) -> f64 {
    let mut y = 1.0;
    for i in 0..n {
        y = y / (x + i as f64);
    }
    y
}

#[differentiable]
fn log1p_like(x: f64) -> f64 {
    f64::ln_1p(x) * f64::exp_m1(x)
}

#[differentiable]
fn guarded_norm(v: &[f64; 3]) -> f64 {
    let n = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let inv = if n > 1e-12 { 1.0 / n } else { 0.0 };
    let u = [v[0] * inv, v[1] * inv, v[2] * inv];
    u[0] + 2.0 * u[1] - u[2]
}

#[differentiable]
fn flux(left: f64, right: f64) -> f64 {
    let speed = left.abs().max(right.abs());
    0.5 * (left * left / 2.0 + right * right / 2.0) - 0.5 * speed * (right - left)
}

#[differentiable(order = 2)]
fn entropy(u: &[f64; 3]) -> f64 {
    let (rho, m, e) = (u[0], u[1], u[2]);
    let p = 0.4 * (e - 0.5 * m * m / rho);
    -rho * (p / rho.powf(1.4)).ln() / 0.4
}

#[differentiable]
fn logarithm_of_a_sum(x: &[f64]) -> f64 {
    let mut m = f64::MIN;
    for &v in x {
        m = m.max(v);
    }
    let mut s = 0.0;
    for &v in x {
        s += (v - m).exp();
    }
    s.ln() + m
}

#[test]
fn gradients() {
    assert!((integrate_exp::grad(1.0) - 1.0_f64.exp()).abs() < 1e-8);
    gradient!(taylor_of_the_exponential(x, 10) by x = 0.5);
    gradient!(my_cos(x) by x = 0.7 => [-0.7_f64.sin()]);
    gradient!(square_root_by_newton(x) by x = 2.0 => [0.5 / 2.0_f64.sqrt()]);
    let y = [0.767, 0.233];
    gradient!(temperature(&x) by x = [energy(1000.0, &y), 0.767, 0.233, 500.0]);
    gradient!(manhattan(&x) by x = vec![1.0, -2.0, 3.0] => [1.0, -1.0, 1.0]);
    gradient!(largest(&x) by x = vec![1.0, 4.0, 3.0] => [0.0, 1.0, 0.0]);
    gradient!(many_quotients(x, 5) by x = 1.5);
    gradient!(log1p_like(x) by x = 0.5);
    gradient!(guarded_norm(&v) by v = [1.0, 2.0, 3.0]);
    assert_eq!(guarded_norm::grad(&[0.0; 3]), [0.0; 3]);
    gradient!(flux(l, r) by l = 2.0, r = 1.0 => [2.5, -0.5]);
    gradient!(entropy(&u) by u = [1.0, 0.3, 2.5]);
    gradient!(logarithm_of_a_sum(&x) by x = vec![1.0, 2.0, 3.0]);
}
