//! Iterators: where elements come from, what is done to them on their way, and what ends it.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn squares(x: &[f64; 4]) -> f64 {
    x.iter().map(|v| v * v * v).sum()
}

#[differentiable(order = 2)]
fn dot<const N: usize>(x: &[f64; N], #[no_diff] y: &[f64; N]) -> f64 {
    x.iter().zip(y.iter()).map(|(a, b)| a.sin() * b).sum::<f64>() / N as f64
}

#[differentiable(order = 2)]
fn references(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v;
    }
    for v in x.iter() {
        s *= 1.0 + *v * 0.1;
    }
    for &v in x.iter() {
        s += v.exp();
    }
    for v in *x {
        s -= v.cos();
    }
    s
}

#[differentiable(order = 2)]
fn numbered(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        s += v.powi(2) * i as f64;
    }
    for (i, (a, b)) in x.iter().zip(x.iter().skip(1)).enumerate() {
        s += a * b * b * (i + 1) as f64;
    }
    for (i, v) in x.iter().rev().enumerate() {
        s = s * 0.5 + v * (i as f64 + 1.0);
    }
    for (i, v) in x.iter().enumerate().rev() {
        s = s * 0.7 + v * v * i as f64;
    }
    s
}

#[differentiable(order = 2)]
fn steps(x: &[f64; 7]) -> f64 {
    let mut s = 1.0;
    for i in (0..7).step_by(3) {
        s *= x[i];
    }
    for i in (1..6).rev().step_by(2) {
        s += x[i] * x[i - 1];
    }
    for i in 2..=4 {
        s *= 1.0 + x[i] * 0.1;
    }
    for v in x.iter().skip(1).step_by(2).take(2) {
        s += v.sin();
    }
    s + x.iter().step_by(4).map(|v| v * v).sum::<f64>()
}

#[differentiable(order = 2)]
fn folds(x: &[f64; 4]) -> f64 {
    let product: f64 = x.iter().product();
    let horner = x.iter().fold(0.0, |acc, v| acc * 0.3 + v * v);
    let (sum, squares) = x.iter().fold((0.0, 0.0), |(a, b), v| (a + v, b + v * v));
    let largest = x.iter().fold(f64::NEG_INFINITY, |m, &v| m.max(v));
    let smallest = x.iter().copied().fold(f64::INFINITY, f64::min);
    product * horner + sum * squares + largest * smallest
}

#[differentiable(order = 2)]
fn chosen(x: &[f64; 5]) -> f64 {
    let largest = x.iter().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let smallest = x.iter().copied().min_by(|a, b| a.total_cmp(b)).unwrap();
    let steepest = x.iter().map(|v| v * v).max_by(|a, b| b.partial_cmp(a).unwrap().reverse()).unwrap();
    let last = x.iter().last().unwrap();
    largest * largest * smallest + steepest * last
}

#[differentiable(order = 2)]
fn filtered(x: &[f64; 6]) -> f64 {
    let positive: f64 = x.iter().filter(|v| **v > 0.0).map(|v| v.ln()).sum();
    let even = x.iter().enumerate().filter(|(i, _)| i % 2 == 0).map(|(_, v)| v * v).sum::<f64>();
    let head: f64 = x.iter().take_while(|v| **v > 0.0).map(|v| v * v * v).sum();
    let tail: f64 = x.iter().skip_while(|v| **v > 0.0).map(|v| v.sin()).sum();
    positive + even * head + tail
}

#[differentiable(order = 2)]
fn pushed(x: &[f64; 6]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().filter(|v| **v > 0.0).enumerate() {
        s += v * v * (i + 1) as f64;
    }
    for (v, w) in x.iter().filter(|v| **v > 0.0).zip(x) {
        s += v * w;
    }
    for v in x.iter().filter(|v| **v > 0.0).skip(1).take(2) {
        s *= v;
    }
    for v in x.iter().filter(|v| **v > 0.0).step_by(2) {
        s += v.cos();
    }
    s
}

#[differentiable(order = 2)]
fn chained(x: &[f64; 3]) -> f64 {
    let y = [x[0] * x[1], x[2]];
    let both: f64 = x.iter().chain(y.iter()).map(|v| v * v).sum();
    let round: f64 = x.iter().cycle().take(5).enumerate().map(|(i, v)| v * i as f64).sum();
    let weights = x.iter().zip(std::iter::repeat(2.0)).map(|(v, w)| v.exp() * w).sum::<f64>();
    both * round + weights + std::iter::once(x[0]).map(|v| v * v).sum::<f64>()
}

#[differentiable(order = 2)]
fn nested(x: &[[f64; 3]; 2], #[no_diff] scale: f64) -> f64 {
    let mut s = 0.0;
    for row in x.iter() {
        let norm: f64 = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        for v in row {
            s += v.sin() * norm;
        }
    }
    let flat: f64 = x.iter().flatten().map(|v| v * v * v).sum();
    let flat_map: f64 = x.iter().flat_map(|row| row.iter().map(|v| v * row[0])).sum();
    s * scale + flat * flat_map
}

#[differentiable(order = 2)]
fn conditions(x: &[f64; 4]) -> f64 {
    let any = x.iter().any(|v| *v < 0.0);
    let all = x.iter().all(|v| *v < 10.0);
    let at = x.iter().position(|v| *v > 1.0).unwrap_or(0);
    let count = x.iter().filter(|v| **v > 0.0).count();
    let scale = if any && all { 2.0 } else { 3.0 };
    scale * x[at] * x[at] * count as f64 + x.iter().map(|v| v * v).sum::<f64>()
}

/// Names of the adapters' closures hide those around; what is generated hides none of the user's.
#[differentiable(order = 2)]
fn shadowed(x: &[f64; 3]) -> f64 {
    let sum = 2.0;
    let i = 1;
    let acc = x.iter().map(|x| x * sum).sum::<f64>();
    let s = x.iter().zip(x.iter().map(|x| x * x)).map(|(x, v)| x * v * x * i as f64).sum::<f64>();
    let (mut a, mut b) = (0.0, 0.0);
    for (x, y) in x.iter().zip(x.iter().rev()) {
        a += x * y;
        b += x;
    }
    acc * s + a * b * x[i] * sum
}

/// Closures with statements, captured changes and their own `return`.
#[differentiable(order = 2)]
fn closures(x: &[f64; 4]) -> f64 {
    let mut seen = 0.0;
    let clipped: f64 = x
        .iter()
        .map(|v| {
            if *v < 0.0 {
                return 0.1 * v;
            }
            let square = v * v;
            square + 1.0
        })
        .sum();
    x.iter().for_each(|v| seen += v * clipped);
    seen
}

/// An array is copied when it is iterated by value.
#[differentiable(order = 2)]
fn by_value(x: &[f64; 3]) -> f64 {
    let mut y = *x;
    let mut s = 0.0;
    for v in y {
        y[0] += v * v;
        s += v * y[0];
    }
    s + y[0]
}

#[test]
fn iterators() {
    check!(squares(&x) by x = [1.0, -2.0, 0.5, 3.0]);
    check!(references(&x) by x = [1.0, -2.0, 0.5, 3.0]);
    check!(numbered(&x) by x = [1.0, -2.0, 0.5, 3.0]);
    check!(steps(&x) by x = [1.0, -2.0, 0.5, 3.0, 0.7, -0.4, 1.2]);
    check!(folds(&x) by x = [1.0, -2.0, 0.5, 3.0]);
    check!(chosen(&x) by x = [1.0, -2.0, 0.5, 3.0, 1.5]);
    check!(filtered(&x) by x = [1.0, 2.0, -0.5, 3.0, 1.5, -1.0]);
    check!(pushed(&x) by x = [1.0, 2.0, -0.5, 3.0, 1.5, -1.0]);
    check!(chained(&x) by x = [1.0, -2.0, 0.5]);
    check!(conditions(&x) by x = [0.5, -2.0, 1.5, 3.0]);
    check!(conditions(&x) by x = [0.5, 0.2, 0.5, 0.3]);
    check!(shadowed(&x) by x = [1.0, -2.0, 0.5]);
    check!(closures(&x) by x = [1.0, -2.0, 0.5, 3.0]);
    check!(by_value(&x) by x = [1.0, -2.0, 0.5]);
    let (x, y) = ([0.3, -0.7, 1.1], [2.0, 0.5, -1.0]);
    let g = dot::grad(&x, &y);
    assert_eq!(dot(&x, &y), dot::value_and_grad(&x, &y).0);
    for i in 0..3 {
        assert!((g[i] - x[i].cos() * y[i] / 3.0).abs() < 1e-15);
    }
}

#[test]
fn nested_iterators() {
    let x = [[1.0, -2.0, 0.5], [0.7, 1.2, -0.4]];
    let g = nested::grad(&x, 1.5);
    assert_eq!(nested(&x, 1.5), nested::value_and_grad(&x, 1.5).0);
    for (i, j) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
        let at = |step: f64| {
            let mut moved = x;
            moved[i][j] += step;
            nested(&moved, 1.5)
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((g[i][j] - difference).abs() < 1e-7 * (1.0 + difference.abs()), "[{i}, {j}]");
    }
}
