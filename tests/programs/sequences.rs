//! Iterators as scientists chain them: over windows and chunks, into each other, in variables, and to their ends.
#![allow(clippy::all)]

use crate::harness::{check, twins};
use autodiff::prelude::*;

const X: [f64; 7] = [1.1, -0.7, 0.4, 1.6, -0.3, 0.9, 2.1];

#[differentiable(order = 2)]
fn with_remainders(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for block in x.chunks_exact(n) {
        s += block.iter().product::<f64>();
    }
    let rest = &x[x.len() - x.len() % n..];
    for v in rest {
        s *= 1.0 + v;
    }
    for (k, block) in x.chunks(n).enumerate() {
        let mean = block.iter().sum::<f64>() / block.len() as f64;
        s += block.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() * (k + 1) as f64;
    }
    s
}

#[differentiable(order = 2)]
fn three_at_once(x: &[f64], y: &[f64], z: &[f64]) -> f64 {
    let mut s = 0.0;
    for ((a, b), c) in x.iter().zip(y).zip(z.iter()) {
        s += a * b * c;
    }
    for (a, (b, c)) in x.iter().zip(y.iter().zip(z).skip(1)) {
        s += a * b - c;
    }
    s + x.iter().zip(y).zip(z).map(|((a, b), c)| a * b.sin() * c).fold(0.0, |acc, v| 0.5 * acc + v)
}

#[differentiable(order = 2)]
fn windows_in_folds(x: &[f64]) -> f64 {
    x.windows(3).fold(1.0, |acc, w| {
        let bend = w.iter().zip(w.iter().skip(1)).fold(0.0, |s, (a, b)| s + (b - a) * (b - a));
        acc * 0.5 + bend * acc
    })
}

#[differentiable(order = 2)]
fn turned_around(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for (i, v) in x.iter().rev().enumerate() {
        s = s * 0.5 + v * i as f64;
    }
    for (i, v) in x.iter().enumerate().rev().skip(1).step_by(2) {
        s += v * v * i as f64;
    }
    for w in x.windows(2).rev() {
        s = s * 0.9 + w[0] * w[1];
    }
    for (a, b) in x.iter().zip(x.iter().rev()) {
        s += a * b * s * 0.1;
    }
    s
}

#[differentiable(order = 2)]
fn in_variables(x: &[f64], y: &[f64]) -> f64 {
    let pairs = x.iter().zip(y);
    let mut s = 0.0;
    for (a, b) in pairs {
        s += a * b * b;
    }
    let squares = x.iter().map(|v| v * v);
    let total: f64 = squares.sum();
    let range = 1..x.len();
    for i in range {
        s += x[i] * x[i - 1];
    }
    let odd = y.iter().skip(1).step_by(2);
    s * total + odd.fold(0.0, |a, v| a + v.cos())
}

#[differentiable(order = 2)]
fn some_of_them(x: &[f64], limit: usize) -> f64 {
    let roots: f64 = x.iter().filter_map(|v| if *v > 0.0 { Some(v.sqrt()) } else { None }).sum();
    let first = x.iter().find(|v| **v < 0.0).unwrap();
    let found = x.iter().enumerate().find_map(|(i, v)| if *v < 0.0 { Some(v * i as f64) } else { None }).unwrap_or(1.0);
    let head: f64 = x.iter().take_while(|v| **v < 1.5).map(|v| v * v).sum();
    let tail: f64 = x.iter().skip_while(|v| **v < 1.5).map(|v| v.sin()).sum();
    let until: f64 = x.iter().map_while(|v| if *v < 1.5 { Some(v * 2.0) } else { None }).sum();
    let nested: f64 = x.iter().flat_map(|v| x.iter().take(limit).map(move |w| v * w)).sum();
    let last = x.iter().last().unwrap() * x.iter().nth(limit).unwrap();
    let (any, all) = (x.iter().any(|v| *v > 2.0), x.iter().all(|v| v.is_finite()));
    let place = x.iter().position(|v| *v > 1.2).unwrap_or(0);
    let count = x.iter().filter(|v| v.abs() > 0.5).count();
    let weight = if any && all { count as f64 } else { 0.5 };
    roots * first + found * head + tail * until + nested * last * weight + x[place] * x[place]
}

#[differentiable(order = 2)]
fn running(x: &[f64]) -> f64 {
    let sums: Vec<f64> = x
        .iter()
        .scan(0.0, |total, v| {
            *total += v * v;
            Some(*total)
        })
        .collect();
    let most = x
        .iter()
        .scan(1.0, |p, v| {
            *p *= v;
            Some(*p)
        })
        .fold(0.0, |s, p| s + p.sin());
    sums.iter().zip(x).map(|(s, v)| s * v).sum::<f64>() + most
}

#[differentiable(order = 2)]
fn extremes(x: &[f64], y: &[f64]) -> f64 {
    let largest = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let (i, least) = x.iter().enumerate().min_by(|a, b| a.1.partial_cmp(b.1).unwrap()).unwrap();
    let nearest = x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).min_by(|a, b| a.total_cmp(b)).unwrap();
    let at = (0..x.len()).max_by(|&i, &j| x[i].partial_cmp(&x[j]).unwrap()).unwrap();
    let longest = x.iter().copied().reduce(f64::max).unwrap();
    let (low, high) = x.iter().fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
    largest * least * i as f64 + nearest * y[at] + longest * longest + (high - low) * y[0]
}

#[differentiable(order = 2)]
fn chained(x: &[f64], y: &[f64]) -> f64 {
    let all: f64 = x.iter().chain(y).map(|v| v * v).sum();
    let ends: f64 = std::iter::once(&x[0]).chain(y.iter().rev()).product();
    let round: f64 = x.iter().cycle().skip(2).take(9).enumerate().map(|(i, v)| v * (i as f64 + 1.0).sqrt()).sum();
    all * ends + round
}

#[differentiable(order = 2)]
fn in_a_vec(x: &[f64], n: usize) -> f64 {
    let a = vec![x.iter().sum::<f64>(); n];
    let b = vec![x.iter().map(|v| v * v).sum::<f64>(), x.iter().product(), x[0]];
    let c = [x.iter().map(|v| v.sin()).sum::<f64>(), x[1]];
    let d = (x.iter().skip(1).sum::<f64>(), x[0]);
    a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() + c[0] * c[1] + d.0 * d.1
}

#[differentiable(order = 2)]
fn rows_of_a_matrix(a: &[f64], n: usize, v: &[f64]) -> f64 {
    let product: Vec<f64> = a.chunks(n).map(|row| row.iter().zip(v).map(|(a, v)| a * v).sum()).collect();
    let columns: Vec<f64> = (0..n).map(|j| a.iter().skip(j).step_by(n).map(|a| a * a).sum::<f64>()).collect();
    let norm = product.iter().map(|p| p * p).sum::<f64>().sqrt();
    norm * columns.iter().product::<f64>() + (0..n).map(|i| a[i * n + i]).sum::<f64>()
}

#[differentiable(order = 2)]
fn in_place(x: &[f64], y: &[f64]) -> f64 {
    let mut z = x.to_vec();
    z.iter_mut().zip(y).for_each(|(z, y)| *z = *z * y + 1.0);
    for (i, v) in z.iter_mut().enumerate().filter(|(i, _)| i % 2 == 1) {
        *v *= i as f64;
    }
    for pair in z.chunks_exact_mut(2) {
        pair.swap(0, 1);
        pair[0] *= pair[1];
    }
    for block in z.chunks_mut(3) {
        let sum: f64 = block.iter().sum();
        for v in block.iter_mut() {
            *v /= 1.0 + sum * sum;
        }
    }
    let (left, right) = z.split_at_mut(3);
    for (a, b) in left.iter_mut().zip(right.iter()) {
        *a += b * b;
    }
    z.iter().rev().fold(0.0, |s, v| s * 0.3 + v)
}

/// The same as the next, in one chain.
#[differentiable(order = 2)]
fn in_one_chain(x: &[f64]) -> f64 {
    x.iter().enumerate().skip(1).filter(|(i, _)| i % 2 == 0).map(|(i, v)| v * v * i as f64).sum()
}

#[differentiable(order = 2)]
fn by_hand(x: &[f64]) -> f64 {
    2.0 * x[2] * x[2] + 4.0 * x[4] * x[4] + 6.0 * x[6] * x[6]
}

/// Both lengths of a `Vec` of `Vec`s are the same literal.
#[differentiable(order = 2)]
fn square(x: &[f64; 4]) -> f64 {
    let mut m = vec![vec![0.0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            m[i][j] = x[i * 2 + j] * x[j];
        }
    }
    let mut product = [[0.0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            for k in 0..2 {
                product[i][j] += m[i][k] * m[k][j];
            }
        }
    }
    product[0][0] + product[0][1] * product[1][0]
}

/// Lengths of which one has become a name of another: `2 * x.len() + y.len()`, also inside a loop.
#[differentiable(order = 2)]
fn one_behind_the_other(x: &[f64], y: &[f64]) -> f64 {
    let (n, mut sum) = (x.len(), 0.0);
    for k in 0..n {
        let mut v = vec![0.0; y.len() + 2 * x.len()];
        for i in 0..y.len() {
            v[i] = y[i] * x[k];
        }
        for i in 0..2 * x.len() {
            v[y.len() + i] = x[i / 2] * y[0];
        }
        sum += v.iter().map(|e| e * e).sum::<f64>();
    }
    sum
}

#[test]
fn lengths_that_are_the_same() {
    check!(square(&x) by x = [0.6, 1.5, 0.3, 0.8]);
    check!(one_behind_the_other(&x, &y) by [x = X[..2].to_vec(), y = X[3..6].to_vec()]);
}

#[test]
fn chains() {
    let y = [0.3, 1.2, -0.8, 0.5, 0.7, 1.4, -0.6];
    check!(with_remainders(&x, 3) by x = X.to_vec());
    check!(with_remainders(&x, 7) by x = X.to_vec());
    check!(with_remainders(&x, 8) by x = X.to_vec());
    check!(three_at_once(&x, &y, &z) by [x = X.to_vec(), y = y.to_vec(), z = vec![0.2, 0.4, -1.0]]);
    check!(windows_in_folds(&x) by x = X.to_vec());
    check!(windows_in_folds(&x) by x = X[..2].to_vec());
    check!(turned_around(&x) by x = X.to_vec());
    check!(in_variables(&x, &y) by [x = X.to_vec(), y = y.to_vec()]);
    check!(some_of_them(&x, 2) by x = X.to_vec());
    check!(running(&x) by x = X.to_vec());
    check!(extremes(&x, &y) by [x = X.to_vec(), y = y.to_vec()]);
    check!(chained(&x, &y) by [x = X.to_vec(), y = y.to_vec()]);
    check!(in_a_vec(&x, 2) by x = X.to_vec());
    check!(rows_of_a_matrix(&a, 2, &v) by [a = vec![0.4, 1.2, -0.7, 0.9], v = vec![0.3, -1.1]]);
    check!(in_place(&x, &y) by [x = X.to_vec(), y = y.to_vec()]);
    twins(&check!(in_one_chain(&x) by x = X.to_vec()), &check!(by_hand(&x) by x = X.to_vec()));
}
