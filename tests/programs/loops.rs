//! Every form of loop beside its unrolled twin, and what is easily got wrong about loops.
#![allow(clippy::all)]

use crate::harness::{check, twins};
use autodiff::prelude::*;

const X: [f64; 4] = [1.1, -0.7, 0.4, 1.6];

// --- forms of loops --------------------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn over_a_range(x: &[f64; 4]) -> f64 {
    let mut s = x[0];
    for i in 1..4 {
        s = s * x[i] + x[i - 1].sin();
    }
    s
}

#[differentiable(order = 2)]
fn over_a_range_unrolled(x: &[f64; 4]) -> f64 {
    let a = x[0] * x[1] + x[0].sin();
    let b = a * x[2] + x[1].sin();
    b * x[3] + x[2].sin()
}

#[differentiable(order = 2)]
fn up_to_and_with(x: &[f64; 4], n: usize) -> f64 {
    let mut s = 1.0;
    for i in 1..=n {
        s *= x[i] + s * i as f64;
    }
    s
}

#[differentiable(order = 2)]
fn up_to_and_with_unrolled(x: &[f64; 4], #[no_diff] _n: usize) -> f64 {
    let a = x[1] + 1.0;
    let b = a * (x[2] + a * 2.0);
    b * (x[3] + b * 3.0)
}

#[differentiable(order = 2)]
fn backwards(x: &[f64; 4]) -> f64 {
    let mut s = 0.5;
    for i in (0..4).rev() {
        s = (s + x[i]).tanh() * x[i];
    }
    s
}

#[differentiable(order = 2)]
fn backwards_unrolled(x: &[f64; 4]) -> f64 {
    let a = (0.5 + x[3]).tanh() * x[3];
    let b = (a + x[2]).tanh() * x[2];
    let c = (b + x[1]).tanh() * x[1];
    (c + x[0]).tanh() * x[0]
}

#[differentiable(order = 2)]
fn in_steps(x: &[f64; 4], first: usize, step: usize) -> f64 {
    let mut s = 1.0;
    for i in (first..x.len()).step_by(step) {
        s = s * s * x[i] + 0.3;
    }
    for i in (first..=3).rev().step_by(step) {
        s = s * x[i] + s;
    }
    for i in (1..4).step_by(2) {
        s += x[i] * s;
    }
    s
}

#[differentiable(order = 2)]
fn in_steps_unrolled(x: &[f64; 4], #[no_diff] _first: usize, #[no_diff] _step: usize) -> f64 {
    let a = x[0] + 0.3;
    let b = a * a * x[2] + 0.3;
    let c = b * x[3] + b;
    let d = c * x[1] + c;
    let e = d + x[1] * d;
    e + x[3] * e
}

#[differentiable(order = 2)]
fn with_an_untyped_end(x: &[f64; 4]) -> f64 {
    let mut s = 1.0;
    for i in 0..2 {
        for j in (i..3).step_by(2) {
            s = s * x[j] + x[i];
        }
        for j in (i..=3).rev().step_by(2) {
            s = s * 0.5 + x[j] * x[i];
        }
    }
    s
}

#[differentiable(order = 2)]
fn with_an_untyped_end_unrolled(x: &[f64; 4]) -> f64 {
    let a = x[0] + x[0];
    let b = a * x[2] + x[0];
    let c = b * 0.5 + x[3] * x[0];
    let d = c * 0.5 + x[1] * x[0];
    let e = d * x[1] + x[1];
    let f = e * 0.5 + x[3] * x[1];
    f * 0.5 + x[1] * x[1]
}

#[differentiable(order = 2)]
fn while_it_grows(x: &[f64; 4]) -> f64 {
    let (mut s, mut i) = (x[0], 0);
    while i < 3 && s.abs() < 100.0 {
        s = s * s + x[i];
        i += 1;
    }
    s
}

#[differentiable(order = 2)]
fn forever(x: &[f64; 4]) -> f64 {
    let mut s = x[0];
    let mut i = 0;
    loop {
        s = s * s + x[i];
        i += 1;
        if i == 3 {
            break s;
        }
    }
}

#[differentiable(order = 2)]
fn while_and_forever_unrolled(x: &[f64; 4]) -> f64 {
    let a = x[0] * x[0] + x[0];
    let b = a * a + x[1];
    b * b + x[2]
}

#[differentiable(order = 2)]
fn over_elements(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s = s * v + v.exp();
    }
    for (i, &v) in x.iter().enumerate() {
        s += v * s * i as f64;
    }
    s
}

#[differentiable(order = 2)]
fn over_elements_unrolled(x: &[f64; 4]) -> f64 {
    let a = x[0].exp();
    let b = a * x[1] + x[1].exp();
    let c = b * x[2] + x[2].exp();
    let d = c * x[3] + x[3].exp();
    let e = d + x[1] * d;
    let f = e + x[2] * e * 2.0;
    f + x[3] * f * 3.0
}

#[test]
fn forms() {
    twins(&check!(over_a_range(&x) by x = X), &check!(over_a_range_unrolled(&x) by x = X));
    twins(&check!(up_to_and_with(&x, 3) by x = X), &check!(up_to_and_with_unrolled(&x, 3) by x = X));
    twins(&check!(backwards(&x) by x = X), &check!(backwards_unrolled(&x) by x = X));
    twins(&check!(in_steps(&x, 0, 2) by x = X), &check!(in_steps_unrolled(&x, 0, 2) by x = X));
    twins(&check!(with_an_untyped_end(&x) by x = X), &check!(with_an_untyped_end_unrolled(&x) by x = X));
    let unrolled = check!(while_and_forever_unrolled(&x) by x = X);
    twins(&check!(while_it_grows(&x) by x = X), &unrolled);
    twins(&check!(forever(&x) by x = X), &unrolled);
    twins(&check!(over_elements(&x) by x = X), &check!(over_elements_unrolled(&x) by x = X));
}

// --- what is easily got wrong ----------------------------------------------------------------------------------

/// `a` is one borrow, `b` another of the same array: both cotangents arrive.
#[differentiable(order = 2)]
fn aliases(x: &[f64; 4]) -> f64 {
    let a = x;
    let b = &x[1..];
    let mut y = *x;
    let before = y;
    y[0] = a[1] * b[0];
    let (i, j) = (2, 2);
    y.swap(i, j);
    y[i] = y[j] * y[j];
    let z = y;
    y[1] = 100.0;
    y[0] * before[0] + z[1] * z[2] + y[1] * b[2]
}

#[differentiable(order = 2)]
fn aliases_unrolled(x: &[f64; 4]) -> f64 {
    x[1] * x[1] * x[0] + x[1] * (x[2] * x[2]) + 100.0 * x[3]
}

#[differentiable(order = 2)]
fn shadows(x: &[f64; 4]) -> f64 {
    let s = x[0];
    let i = 2;
    let mut t = 0.0;
    for i in 0..3 {
        let s = s * x[i];
        for i in i..4 {
            let s = s + x[i];
            t += s * i as f64;
        }
        let t = s * 2.0;
        let _ = t;
    }
    let x = s * t;
    x + s * i as f64
}

#[differentiable(order = 2)]
fn shadows_unrolled(x: &[f64; 4]) -> f64 {
    let s = x[0];
    let a = s * x[0];
    let b = s * x[1];
    let c = s * x[2];
    let first = (a + x[1]) + 2.0 * (a + x[2]) + 3.0 * (a + x[3]);
    let second = (b + x[1]) + 2.0 * (b + x[2]) + 3.0 * (b + x[3]);
    let third = 2.0 * (c + x[2]) + 3.0 * (c + x[3]);
    s * (first + second + third) + s * 2.0
}

#[differentiable(order = 2)]
fn left_before_the_loop(x: &[f64], n: usize) -> f64 {
    if x.is_empty() {
        return 0.0;
    }
    if n > x.len() {
        return x[0] * x[0];
    }
    let mut s = x[0];
    for i in 0..n {
        if x[i] > 2.0 {
            return s * x[i];
        }
        s += s * x[i];
    }
    s
}

/// A loop that runs zero times leaves what it would have changed.
#[differentiable(order = 2)]
fn zero_times(x: &[f64; 4], n: usize) -> f64 {
    let mut s = x[0] * x[1];
    let mut y = *x;
    for i in 0..n {
        s = s.sin();
        y[i] *= s;
    }
    for i in 3..n {
        s *= x[i];
    }
    for i in (n..0).rev() {
        y[i] = 0.0;
    }
    let mut k = n;
    while k > 0 {
        s *= 1.5;
        k -= 1;
    }
    for w in x[..n].windows(2) {
        s += w[0] * w[1];
    }
    s * y[2] + x[..n].iter().map(|v| v * v).sum::<f64>() + x[..n].iter().product::<f64>()
}

#[differentiable(order = 2)]
fn zero_times_unrolled(x: &[f64; 4], #[no_diff] _n: usize) -> f64 {
    x[0] * x[1] * x[2] + 1.0
}

/// Three values, each of which needs the others of the iteration before.
#[differentiable(order = 2)]
fn three_carried(x: &[f64; 4], n: usize, m: usize) -> f64 {
    let (mut a, mut b, mut c) = (x[0], x[1], x[2]);
    for i in 0..n {
        let start = a;
        for j in 0..m {
            let next = a * b + x[3];
            a = b.sin() + c * j as f64;
            b = c * 0.7;
            c = next;
            for _ in 0..i {
                (a, b, c) = (b, c, a * 0.9);
            }
        }
        c += start * i as f64;
    }
    a * b + c
}

#[differentiable(order = 2)]
fn three_carried_unrolled(x: &[f64; 4]) -> f64 {
    let (a0, b0, c0) = (x[0], x[1], x[2]);
    let (a1, b1, c1) = (b0.sin(), c0 * 0.7, a0 * b0 + x[3]);
    let (a2, b2, c2) = (b1.sin() + c1, c1 * 0.7, a1 * b1 + x[3]);
    let (a3, b3, c3) = (b2.sin(), c2 * 0.7, a2 * b2 + x[3]);
    let (a4, b4, c4) = (b3, c3, a3 * 0.9);
    let (a5, b5, c5) = (b4.sin() + c4, c4 * 0.7, a4 * b4 + x[3]);
    let (a6, b6, c6) = (b5, c5, a5 * 0.9);
    a6 * b6 + (c6 + a2)
}

#[differentiable(order = 2)]
fn overwritten_in_one_branch(x: &[f64; 4], n: usize) -> f64 {
    let mut last = x[0];
    let mut y = [1.0; 4];
    let mut kept = x[1];
    for i in 0..n {
        if x[i] > 0.0 {
            last = x[i] * kept;
            y[i] = last;
        }
        if i == 2 {
            kept = y[0] * last;
        } else if i == 1 {
            y[3] = kept;
        }
    }
    last * y[0] * kept + y[3] * y[1]
}

#[differentiable(order = 2)]
fn overwritten_unrolled(x: &[f64; 4], #[no_diff] _n: usize) -> f64 {
    let a = x[0] * x[1];
    let b = x[2] * x[1];
    let kept = a * b;
    let d = x[3] * kept;
    d * a * kept + d
}

/// What the last loop left is needed by all iterations of the next, also in reverse.
#[differentiable(order = 2)]
fn one_after_the_other(x: &[f64], n: usize) -> f64 {
    let mut s = 0.5;
    for i in 0..x.len() / n {
        let mut product = 1.0;
        for j in 0..n {
            product *= x[i * n + j];
        }
        s += product;
    }
    for k in x.len() - x.len() % n..x.len() {
        s *= 1.0 + x[k];
    }
    let mut t = s;
    for _ in 0..2 {
        let mut u = s;
        let mut k = 0;
        while k < n {
            u = u * x[k] + 0.1;
            k += 1;
        }
        t += u;
    }
    t
}

#[differentiable(order = 2)]
fn one_after_the_other_unrolled(x: &[f64], #[no_diff] _n: usize) -> f64 {
    let s = (0.5 + x[0] * x[1] + x[2] * x[3]) * (1.0 + x[4]);
    s + 2.0 * ((s * x[0] + 0.1) * x[1] + 0.1)
}

#[test]
fn easily_wrong() {
    let x = vec![1.1, -0.7, 0.4, 1.6, -0.3];
    twins(&check!(one_after_the_other(&x, 2) by x), &check!(one_after_the_other_unrolled(&x, 2) by x));

    twins(&check!(aliases(&x) by x = X), &check!(aliases_unrolled(&x) by x = X));
    twins(&check!(shadows(&x) by x = X), &check!(shadows_unrolled(&x) by x = X));
    check!(left_before_the_loop(&x, 3) by x = Vec::new());
    check!(left_before_the_loop(&x, 5) by x = X.to_vec());
    check!(left_before_the_loop(&x, 4) by x = X.to_vec());
    check!(left_before_the_loop(&x, 2) by x = vec![0.5, 2.5]);
    twins(&check!(zero_times(&x, 0) by x = X), &check!(zero_times_unrolled(&x, 0) by x = X));
    check!(zero_times(&x, 4) by x = X);
    twins(&check!(three_carried(&x, 2, 2) by x = X), &check!(three_carried_unrolled(&x) by x = X));
    check!(three_carried(&x, 0, 2) by x = X);
    check!(three_carried(&x, 3, 0) by x = X);
    check!(three_carried(&x, 3, 3) by x = X);
    twins(&check!(overwritten_in_one_branch(&x, 4) by x = X), &check!(overwritten_unrolled(&x, 4) by x = X));
    check!(overwritten_in_one_branch(&x, 2) by x = X);
    check!(overwritten_in_one_branch(&x, 0) by x = X);
}
