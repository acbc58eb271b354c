//! Integers of all widths: the types are those that Rust gives them, whether written or not.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

const M: i32 = 3;

#[differentiable(order = 2)]
fn converted(x: f64) -> f64 {
    let mut s = x;
    for m in 1..4 {
        s += f64::from(m) * x * x;
    }
    s
}

#[differentiable(order = 2)]
fn exponents(x: f64) -> f64 {
    let mut s = 0.0;
    for k in 0..4 {
        s += x.powi(k);
    }
    s
}

#[differentiable(order = 2)]
fn from_below_zero(x: f64) -> f64 {
    let mut s = 0.0;
    for k in -3..4 {
        s += x * k as f64 * x.powi(k);
    }
    s
}

#[differentiable(order = 2)]
fn cast_end(x: f64, #[no_diff] n: usize) -> f64 {
    let mut s = 0.0;
    for k in 0..n as i32 {
        s += x.powi(k) * f64::from(k - 2);
    }
    s
}

#[differentiable(order = 2)]
fn mixed_widths(x: f64, #[no_diff] a: u8, #[no_diff] b: i64) -> f64 {
    let c = i64::from(a) * b;
    let mut s = x;
    for k in 0..c {
        s *= x + (k - 2) as f64;
    }
    s
}

#[differentiable(order = 2)]
fn reversed(x: f64, #[no_diff] n: i32) -> f64 {
    let mut s = 0.0;
    for k in (0..n).rev() {
        s = s * x + f64::from(k);
    }
    s
}

#[differentiable(order = 2)]
fn mapped_range(x: f64, #[no_diff] n: i32) -> f64 {
    (0..n as i32).map(|k| x.powi(k) / f64::from(k + 1)).sum()
}

#[differentiable(order = 2)]
fn harmonic(x: f64, #[no_diff] n: u32) -> f64 {
    let mut s = 0.0;
    for k in 1..=n {
        s += x / f64::from(k);
    }
    s
}

#[differentiable(order = 2)]
fn bytes(x: f64, #[no_diff] n: u8) -> f64 {
    let mut s = x;
    for k in 0..n {
        s *= x * f64::from(k + 1);
    }
    s
}

#[differentiable(order = 2)]
fn symmetric(x: f64, #[no_diff] n: i64) -> f64 {
    let mut s = x;
    for k in -n..n {
        if k < 0 {
            s += x * k as f64;
        } else {
            s *= x;
        }
    }
    s
}

#[differentiable(order = 2)]
fn listed(x: f64) -> f64 {
    let mut s = x;
    for m in [1, 2, 3] {
        s += x.powi(m) * f64::from(m);
    }
    s
}

#[differentiable(order = 2)]
fn alternating(x: f64) -> f64 {
    let mut s = 0.0;
    let mut sign = 1;
    for k in 0..4 {
        s += f64::from(sign) * x.powi(2 * k + 1);
        sign = -sign;
    }
    s
}

#[differentiable(order = 2)]
fn casts(x: f64, #[no_diff] n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..=i {
            s += x.powi((i - j) as i32) * if (i + j) % 2 == 0 { 1.0 } else { -1.0 };
        }
    }
    s
}

#[differentiable(order = 2)]
fn difference_of_index(x: f64) -> f64 {
    let mut s = 0.0;
    for k in 0..3 {
        let d = k - 1;
        s += x.powi(2) * d as f64 * x;
    }
    s
}

#[differentiable(order = 2)]
fn named_end(x: f64) -> f64 {
    let mut s = 0.0;
    for k in 0..M {
        s += x.powi(k);
    }
    for k in 0..3usize {
        s += k as f64 * x;
    }
    s
}

#[differentiable(order = 2)]
fn one_name_three_types(x: &[f64; 3]) -> f64 {
    let mut s = 0.0;
    for k in 0..3 {
        s += x[k];
    }
    for k in 0..3 {
        s *= x[0].powi(k);
    }
    for k in 0..3 {
        s += (k - 2) as f64 * x[1];
    }
    s
}

#[differentiable(order = 2)]
fn narrow_range(x: f64, #[no_diff] lo: i8, #[no_diff] hi: i8) -> f64 {
    let mut s = x;
    for k in lo..hi {
        s = (s + x * k as f64 * 1e-3).sin();
    }
    s
}

#[differentiable(order = 2)]
fn computed_ends(x: f64, #[no_diff] n: i32) -> f64 {
    let mut s = x;
    for k in 0..n - 1 {
        s += x.powi(k);
    }
    for k in 1..2 * n {
        s += x / f64::from(k);
    }
    for k in (0..=n).rev() {
        s = s * x * 0.5 + k as f64;
    }
    s
}

#[differentiable(order = 2)]
fn all_bytes(x: f64, #[no_diff] n: u8) -> f64 {
    let mut s = x;
    for k in 0..=n {
        s = (s + x / (1.0 + k as f64)).sin();
    }
    s
}

#[differentiable(order = 2)]
fn array_of_integers(x: f64) -> f64 {
    let c = [1, -2, 3];
    let mut s = 0.0;
    for (i, k) in c.iter().enumerate() {
        s += x.powi(i as i32) * f64::from(*k);
    }
    s + c[1] as f64 * x
}

#[differentiable(order = 2)]
fn array_of_indices(x: f64) -> f64 {
    let idx = [2, 0, 1];
    let v = [x, x * x, x.sin()];
    let mut s = 0.0;
    for i in idx {
        s = s * 2.0 + v[i];
    }
    s
}

#[differentiable(order = 2)]
fn euclid(x: f64) -> f64 {
    let mut a = 7;
    let mut b = 3;
    let mut s = x;
    while b != 0 {
        let t = a % b;
        a = b;
        b = t - 1;
        if b < -3 {
            break;
        }
        s += x * b as f64;
        if b == 0 {
            break;
        }
    }
    s * a as f64
}

#[differentiable(order = 2)]
fn operators(x: f64, #[no_diff] a: u8, #[no_diff] b: i64, #[no_diff] c: u16) -> f64 {
    let d = i64::from(a) - b;
    let e = (c as i32 - 500) / 7;
    let f = -e % 5;
    let g = (a >> 1) | 3;
    let h = a as i8;
    x * d as f64 + x * e as f64 + f as f64 * x * x + g as f64 * x + h as f64 * x
}

#[differentiable(order = 2)]
fn methods(x: f64, #[no_diff] k: i32) -> f64 {
    x * (k.rem_euclid(4)) as f64
        + x * k.div_euclid(3) as f64
        + x * k.abs() as f64
        + x * k.pow(2) as f64
        + x * k.signum() as f64
        + x * k.wrapping_mul(7) as f64
        + x * k.min(2) as f64
        + x * (k.clamp(-1, 1)) as f64
}

#[differentiable(order = 2)]
fn literals_only(x: f64) -> f64 {
    let n = 5;
    let m = n - 7;
    x * m as f64 + x * (n / 2) as f64 + x * (-7 / 2) as f64 + x * (-7 % 3) as f64 + x.powi(m)
}

#[differentiable(order = 2)]
fn through_closures(x: f64) -> f64 {
    let c = |k: i32| x.powi(k) * k as f64;
    let mut s = 0.0;
    for k in -2..3 {
        s += c(k);
    }
    s + (1..4).map(|k| c(k) + x.powi(k - 1)).sum::<f64>() + (0..3).fold(1.0, |a, k| a * x + f64::from(k))
}

#[differentiable(order = 2)]
fn large_literal(x: f64) -> f64 {
    let big = 9007199254740993_i64;
    let d = big - 9007199254740992;
    x * d as f64
}

#[differentiable(order = 2)]
fn long_range(x: f64, #[no_diff] n: i64) -> f64 {
    let mut s = x;
    for k in n..n + 3 {
        s *= x + k as f64;
    }
    let mut j = n;
    while j < 3 {
        s += x * j as f64;
        j += 2;
    }
    s
}

#[differentiable(order = 2)]
fn factorial(x: f64) -> f64 {
    let mut k = 1;
    let mut s = 0.0;
    for i in 0..4 {
        s += x.powi(i) / k as f64;
        k *= i + 1;
    }
    s
}

#[differentiable(order = 2)]
fn sine_series(x: f64) -> f64 {
    let mut sign = 1;
    let mut s = 0.0;
    let mut t = x;
    for n in 0..5 {
        s += sign as f64 * t;
        sign = -sign;
        t *= x * x / ((2 * n + 2) * (2 * n + 3)) as f64;
    }
    s
}

#[differentiable(order = 2)]
fn products(x: f64, #[no_diff] n: u32) -> f64 {
    let mut s = 0.0;
    for k in 0..n {
        s += x.powi(k as i32) / (1..=k).product::<u32>() as f64;
    }
    s
}

#[differentiable(order = 2)]
fn swapped(x: f64) -> f64 {
    let (mut a, mut b) = (0, 1);
    let mut s = x;
    for _ in 0..6 {
        (a, b) = (b, a - b);
        s += x * a as f64;
    }
    s
}

#[differentiable(order = 2)]
fn counting_down(x: f64) -> f64 {
    let mut n = 0;
    let mut t = x;
    while t < 10.0 {
        t *= 1.5;
        n -= 1;
    }
    x * n as f64 + t
}

#[differentiable(order = 2)]
fn widths(x: f64, #[no_diff] k: i128, #[no_diff] u: u64, #[no_diff] i: isize) -> f64 {
    x * (k * 2) as f64 + x * (u - 1) as f64 + x * (i - 10) as f64 + (u as i32 - 5) as f64 * x
}

#[differentiable(order = 2)]
fn two_indices(x: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        for j in 0..4 {
            s += x.powi(i - j) * f64::from(i * j);
        }
    }
    s
}

#[differentiable(order = 2)]
fn signed_distance(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        for j in 0..4 {
            let d = i as i32 - j as i32;
            s += x[i] * x[j] * d as f64 * x[0].powi(d.abs());
        }
    }
    s
}

#[test]
fn ranges() {
    check!(converted(x) by x = 0.7);
    check!(exponents(x) by x = 0.7);
    check!(from_below_zero(x) by x = 0.7);
    // x Σ k xᵏ for k from -3 to 3
    let x = 0.75_f64;
    let by_hand: f64 = (-3..4).map(|k| f64::from(k) * f64::from(k + 1) * x.powi(k)).sum();
    assert!((from_below_zero::grad(x) - by_hand).abs() < 1e-12);
    check!(cast_end(x, 4) by x = 0.7);
    check!(cast_end(x, 0) by x = 0.7);
    check!(reversed(x, 4) by x = 0.7);
    check!(reversed(x, -4) by x = 0.7);
    check!(mapped_range(x, 4) by x = 0.7);
    check!(harmonic(x, 4) by x = 0.7);
    check!(harmonic(x, 0) by x = 0.7);
    check!(bytes(x, 4) by x = 0.7);
    check!(symmetric(x, 4) by x = 0.7);
    check!(named_end(x) by x = 0.7);
    check!(narrow_range(x, -100, 100) by x = 0.7);
    check!(narrow_range(x, i8::MIN, i8::MAX) by x = 0.7);
    check!(narrow_range(x, 100, -100) by x = 0.7);
    check!(computed_ends(x, 4) by x = 0.7);
    check!(computed_ends(x, -4) by x = 0.7);
    check!(all_bytes(x, 255) by x = 0.7);
    check!(long_range(x, -3) by x = 0.7);
    check!(two_indices(x) by x = 0.7);
    check!(casts(x, 4) by x = 0.7);
}

#[test]
fn arithmetic() {
    check!(mixed_widths(x, 2, 2) by x = 0.7);
    check!(listed(x) by x = 0.7);
    check!(alternating(x) by x = 0.7);
    check!(difference_of_index(x) by x = 0.7);
    check!(one_name_three_types(&x) by x = [0.7, 0.8, 0.9]);
    check!(array_of_integers(x) by x = 0.7);
    check!(array_of_indices(x) by x = 0.7);
    check!(euclid(x) by x = 0.7);
    check!(operators(x, 200, 300, 100) by x = 0.7);
    check!(methods(x, -7) by x = 0.7);
    check!(methods(x, 7) by x = 0.7);
    check!(literals_only(x) by x = 0.7);
    check!(through_closures(x) by x = 0.7);
    assert_eq!(large_literal::value_and_grad(3.0), (3.0, 1.0));
    check!(factorial(x) by x = 0.7);
    check!(sine_series(x) by x = 0.7);
    check!(products(x, 5) by x = 0.7);
    check!(swapped(x) by x = 0.7);
    check!(counting_down(x) by x = 0.7);
    check!(widths(x, 5, 3, 2) by x = 0.7);
    check!(signed_distance(&x) by x = [0.7, 0.8, 0.9, 1.1]);
}
