//! `match`, `if let`, `let … else` on what has no derivative, and what has none at all.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Scaled(f64),
    Shifted { by: f64, twice: bool },
}

const LIMIT: usize = 7;

#[differentiable(order = 2)]
fn numbers(x: &[f64; 3], n: usize, k: i32, #[no_diff] level: f64) -> f64 {
    let a = match n {
        0 => x[0] * x[1],
        1 | 2 => x[1].sin(),
        m @ 3..=5 => x[2] * m as f64,
        LIMIT => 3.0 * x[0],
        m if m % 2 == 0 => x[0].exp(),
        _ => x[0] + x[1] * x[2],
    };
    let b = match (k, n > 2) {
        (-1, _) => x[0],
        (0, true) => x[1] * a,
        (0, false) => x[2] * a,
        (i, deep) => {
            let mut s = x[0];
            if deep {
                s *= i as f64;
            }
            s
        }
    };
    let mut c = 1.0;
    match level {
        ..0.0 => c = x[0] * b,
        0.0..1.0 => c += x[1] * b,
        1.0 => {
            c = b;
            c *= c;
        }
        _ => {}
    }
    a * b + c * x[1]
}

#[differentiable(order = 2)]
fn inactive(x: &[f64; 3], #[no_diff] kind: Kind, #[no_diff] at: Option<usize>, #[no_diff] pair: &(usize, Kind)) -> f64 {
    let y = match kind {
        Kind::Plain => x[0] * x[0],
        Kind::Scaled(s) if s > 10.0 => x[0],
        Kind::Scaled(s) => x[1] * x[1] * s,
        Kind::Shifted { by, twice: true } => (x[2] + 2.0 * by) * x[2],
        Kind::Shifted { by, .. } => (x[2] + by) * x[2],
    };
    let z = if let Some(k) = at { x[k] * y } else { y * y };
    let Some(k) = at else {
        return z * x[0];
    };
    let w = match pair {
        (n, Kind::Plain | Kind::Shifted { .. }) => x[*n],
        (_, Kind::Scaled(s)) => x[0] * *s,
    };
    let far = matches!(kind, Kind::Scaled(s) if s > 1.0) || k > 1;
    z * w + if far { x[1] * k as f64 } else { x[2] }
}

#[differentiable(order = 2)]
fn orders(x: &[f64; 3], n: usize) -> f64 {
    use std::cmp::Ordering;
    let mut s = 0.0;
    for i in 0..3 {
        s += match i.cmp(&n) {
            Ordering::Less => x[i],
            Ordering::Equal => x[i] * x[i],
            Ordering::Greater => x[i].sin(),
        };
    }
    match x[0].partial_cmp(&x[1]) {
        Some(Ordering::Less) => s * x[2],
        Some(Ordering::Equal | Ordering::Greater) => s * s,
        None => 0.0,
    }
}

#[test]
fn patterns() {
    let x = [1.0, -2.0, 0.5];
    for n in 0..10 {
        for k in -1..3 {
            for level in [-0.5, 0.5, 1.0, 2.0] {
                check!(numbers(&x, n, k, level) by x);
            }
        }
    }
    for kind in [
        Kind::Plain,
        Kind::Scaled(0.5),
        Kind::Scaled(11.0),
        Kind::Shifted { by: 0.3, twice: true },
        Kind::Shifted { by: 0.3, twice: false },
    ] {
        for at in [None, Some(0), Some(2)] {
            check!(inactive(&x, kind, at, &(1, kind)) by x);
        }
    }
    for n in 0..4 {
        check!(orders(&x, n) by x);
        check!(orders(&x, n) by x = [-1.0, 2.0, 0.5]);
    }
}

/// What a pattern binds may come out of branches that jump.
#[differentiable(order = 2)]
fn taken_out(x: &[f64; 3], #[no_diff] at: Option<usize>, #[no_diff] scale: Result<f64, u8>) -> f64 {
    let mut s = 0.0;
    for v in x {
        let k = match at {
            Some(k) => k,
            None => continue,
        };
        let Ok(scale) = scale else { break };
        s += v * x[k] * scale;
    }
    s + x[0] * x[1]
}

#[test]
fn taken_out_of_branches() {
    for at in [None, Some(1), Some(2)] {
        for scale in [Ok(1.5), Err(3)] {
            check!(taken_out(&x, at, scale) by x = [1.0, -2.0, 0.5]);
        }
    }
}

#[differentiable(order = 2)]
fn spoken(x: &[f64; 3], n: usize) -> f64 {
    use std::f64::consts::PI as HALF_TURN;
    const THREE: usize = 3;
    assert!(x[0] > -5.0, "{} is too small", x[0]);
    debug_assert_eq!(x.len(), THREE);
    let scale = match n % THREE {
        0 => HALF_TURN,
        1 => 0.5,
        2 => x[0],
        _ => unreachable!("remainders are less than {THREE}"),
    };
    let mut y = [0.0; THREE];
    for (v, w) in y.iter_mut().zip(x) {
        *v = w * scale;
    }
    let product = dbg!(y[0] * y[1]);
    if product > -100.0 { product * y[2] } else { unreachable!() }
}

#[test]
fn without_derivative() {
    for n in 0..3 {
        check!(spoken(&x, n) by x = [1.0, -2.0, 0.5]);
    }
    assert!(std::panic::catch_unwind(|| spoken(&[-6.0, 0.0, 0.0], 0)).is_err());
}

#[differentiable(order = 2)]
fn both_ends(x: &[f64; 5]) -> f64 {
    match x {
        [first, .., last] if first < last => first * last,
        [first, second, ..] => first * second,
    }
}

#[test]
fn ends() {
    check!(both_ends(&x) by x = [0.6, 1.5, -0.4, 2.0, 3.0]);
    assert_eq!(both_ends::grad(&[0.6, 1.5, -0.4, 2.0, 3.0]), [3.0, 0.0, 0.0, 0.0, 0.6]);
    check!(both_ends(&x) by x = [0.6, 1.5, -0.4, 2.0, 0.3]);
}
