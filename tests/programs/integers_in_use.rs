//! Programs that count, index and choose with integers of every width.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

const TABLE: [[i32; 3]; 2] = [[1, -2, 3], [4, 5, -6]];

#[derive(Clone, Copy)]
enum K {
    A,
    B { n: i32 },
    C(f64),
}

#[differentiable(order = 2)]
fn table(x: f64) -> f64 {
    let mut s = x;
    for (r, row) in TABLE.iter().enumerate() {
        for (c, v) in row.iter().enumerate() {
            s += x.powi(*v) * (r as f64 - c as f64);
        }
    }
    s
}

#[differentiable(order = 2)]
fn collatz(x: f64, #[no_diff] n: u64) -> f64 {
    let mut k = n;
    let mut s = x;
    while k > 1 {
        s = if k % 2 == 0 { s * x } else { s + x };
        k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 };
    }
    s
}

#[differentiable(order = 2)]
fn around_zero(x: f64, #[no_diff] n: i16) -> f64 {
    let mut s = 0.0;
    for k in (-n..=n).rev() {
        if k == 0 {
            continue;
        }
        s += x.powi(i32::from(k)) / f64::from(k);
    }
    s
}

#[differentiable(order = 2)]
fn fibonacci(x: f64) -> f64 {
    let mut fib = [0_u32; 8];
    fib[1] = 1;
    for i in 2..8 {
        fib[i] = fib[i - 1] + fib[i - 2];
    }
    let mut s = 0.0;
    for (i, f) in fib.iter().enumerate() {
        s += *f as f64 * x.powi(i as i32);
    }
    s
}

#[differentiable(order = 2)]
fn bits(x: f64, #[no_diff] bits: u32) -> f64 {
    let mut s = x;
    for b in 0..8 {
        if bits >> b & 1 == 1 {
            s *= x + b as f64;
        }
        if (bits & (1 << b)) != 0 {
            s += 1.0;
        }
    }
    s * bits.count_ones() as f64
}

#[differentiable(order = 2)]
fn cyclic(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        let j = (i + 3) % 4;
        let k = (i as i32 - 2).rem_euclid(4) as usize;
        s += x[i] * x[j] * x[k];
    }
    s
}

#[differentiable(order = 2)]
fn permuted(x: &[f64; 4]) -> f64 {
    let mut order = [3, 1, 0, 2];
    order.swap(0, 2);
    let mut s = 1.0;
    for &i in order.iter() {
        s = s * 0.5 + x[i].sin() * s;
    }
    s
}

#[differentiable(order = 2)]
fn pairs(x: f64) -> f64 {
    let n = 3;
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..n {
            if i != j {
                s += x / ((i - j) as f64);
                s += x * x * f64::from(i - j).abs();
            }
        }
    }
    s
}

#[differentiable(order = 2)]
fn downwards(x: f64) -> f64 {
    let mut s = x;
    let mut k = 10;
    loop {
        k -= 3;
        if k < -4 {
            break;
        }
        s = s * 0.5 + x * k as f64;
    }
    s
}

#[differentiable(order = 2)]
fn mapped(x: f64) -> f64 {
    (0..5).map(|i| (i - 2) as f64).map(|d| (d * x).sin() * d).sum::<f64>()
}

#[differentiable(order = 2)]
fn stepped(x: f64) -> f64 {
    let mut s = 0.0;
    for i in (0..10).step_by(3) {
        s += x * (i - 5) as f64 * x;
    }
    for i in (1..=4).rev() {
        s = s * x + (2 - i) as f64;
    }
    s
}

#[differentiable(order = 2)]
fn inclusive(x: f64) -> f64 {
    let (lo, hi) = (-2, 3);
    let mut s = 0.0;
    for k in lo..=hi {
        s += x * (k * k * k) as f64;
    }
    s * x
}

#[differentiable(order = 2)]
fn chosen(x: f64, #[no_diff] k: K) -> f64 {
    let n = match k {
        K::A => 1,
        K::B { n } => n - 3,
        K::C(c) => {
            if c > 0.5 {
                -2
            } else {
                2
            }
        }
    };
    x.powi(n) * n as f64
}

#[differentiable(order = 2)]
fn clamped(x: f64, #[no_diff] k: i32) -> f64 {
    let n = if k > 0 { k - 5 } else { 0 };
    let m = n.max(-3).min(7);
    x.powi(m) * f64::from(n) + f64::from(i8::MAX) * x + (u8::MAX as f64) * x
}

#[differentiable(order = 2)]
fn unsigned(x: f64, #[no_diff] a: usize, #[no_diff] b: usize) -> f64 {
    let d = a as f64 - b as f64;
    let e = a.abs_diff(b);
    let f = (a as i64 - b as i64).pow(2);
    x * d + x * e as f64 + x * x * f as f64 + a.saturating_sub(b) as f64 * x + a.wrapping_sub(b) as f64 * 1e-20 * x
}

#[differentiable(order = 2)]
fn from_both_ends(x: &[f64]) -> f64 {
    let n = x.len() as i32;
    let mut s = 0.0;
    for i in 0..n {
        let j = n - 1 - i;
        s += x[i as usize] * x[j as usize] * (i - j) as f64 * x[0];
    }
    s
}

#[differentiable(order = 2)]
fn labelled(x: f64) -> f64 {
    let mut s = x;
    'o: for i in 0..4 {
        for j in 0..4 {
            if i * j > 5 {
                break 'o;
            }
            if (i - j) < -1 {
                continue 'o;
            }
            s = s * 0.8 + x * (i - j) as f64;
        }
    }
    s
}

#[test]
fn programs() {
    check!(table(x) by x = 0.7);
    check!(collatz(x, 7) by x = 0.7);
    check!(around_zero(x, 3) by x = 0.7);
    check!(fibonacci(x) by x = 0.7);
    check!(bits(x, 0b1011) by x = 0.7);
    check!(cyclic(&x) by x = [0.7, 0.8, 0.9, 1.1]);
    check!(permuted(&x) by x = [0.7, 0.8, 0.9, 1.1]);
    check!(pairs(x) by x = 0.7);
    check!(downwards(x) by x = 0.7);
    check!(mapped(x) by x = 0.7);
    check!(stepped(x) by x = 0.7);
    check!(inclusive(x) by x = 0.7);
    check!(chosen(x, K::A) by x = 0.7);
    check!(chosen(x, K::B { n: 1 }) by x = 0.7);
    check!(chosen(x, K::C(1.0)) by x = 0.7);
    check!(clamped(x, 2) by x = 0.7);
    check!(clamped(x, -2) by x = 0.7);
    check!(unsigned(x, 7, 5) by x = 0.7);
    check!(from_both_ends(&x) by x = vec![0.7, 0.8, 0.9]);
    check!(labelled(x) by x = 0.7);
}

#[differentiable(order = 2)]
fn steps_of_signed_ranges(x: f64, a: &[f64; 3]) -> f64 {
    let mut p = x;
    for i in 0..=2 {
        for j in (i..3).step_by(2) {
            p = p * a[j as usize] + f64::from(i);
        }
        for j in (i..1).step_by(2) {
            p = p * x + f64::from(j);
        }
    }
    p
}

#[test]
fn signed_ranges() {
    let (x, a) = (0.7, [0.3, 0.4, 0.5]);
    check!(steps_of_signed_ranges(x, &a) by x, a);
}
