//! Iterators whose elements are taken from both ends.
#![allow(clippy::all)]
use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn ends(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut sum = 0.0;
    while let (Some(a), Some(b)) = (it.next(), it.next_back()) {
        sum += (a - b) * (a - b) * a;
    }
    sum
}

#[differentiable(order = 2)]
fn middle(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut sum = 0.0;
    while let Some(a) = it.next() {
        let Some(b) = it.next_back() else {
            sum += a * a * a;
            break;
        };
        sum += (a - 2.0 * b) * a * b;
    }
    sum
}

#[differentiable(order = 2)]
fn parts(x: &[f64]) -> f64 {
    let mut it = x.iter().enumerate();
    let (_, first) = it.next().unwrap();
    let mut s = 0.0;
    for (k, a) in it.by_ref().rev().take(2) {
        s += a * first * (k + 1) as f64;
    }
    if let Some((k, a)) = it.nth(0) {
        s += a * a * k as f64;
    }
    if let Some((k, a)) = it.next_back() {
        s += a * k as f64;
    }
    s + it.map(|(k, a)| a * a * a * k as f64).sum::<f64>()
}

#[differentiable(order = 2)]
fn horner(x: &[f64], z: f64) -> f64 {
    let mut it = x.iter();
    let mut y = *it.next_back().unwrap();
    while let Some(c) = it.next_back() {
        y = y * z + c;
    }
    y
}

#[differentiable(order = 2)]
fn polynomial(x: &[f64], z: f64) -> f64 {
    let mut it = x.iter();
    let last = it.next_back().unwrap();
    it.rev().fold(*last, |y, c| y * z + c)
}

#[differentiable(order = 2)]
fn windows(x: &[f64], z: f64) -> f64 {
    let mut it = x.windows(2);
    let w = it.next_back().unwrap();
    let mut y = w[0] * w[1] * z;
    for w in it {
        y = y * w[0] + w[1] * z;
    }
    y
}

#[differentiable(order = 2)]
fn range(x: &[f64]) -> f64 {
    let mut it = 0..x.len();
    let mut y = 1.0;
    while let Some(i) = it.next_back() {
        if let Some(j) = it.next() {
            y += x[i] * x[j] * y;
        } else {
            y *= x[i];
        }
    }
    y
}

#[differentiable(order = 2)]
fn chosen(x: &[f64]) -> f64 {
    let mut it = x.iter().copied();
    let mut y = 1.0;
    loop {
        match it.next_back() {
            Some(a) if a > 0.6 => y *= a,
            Some(a) => y += a * a,
            None => break,
        }
    }
    y
}

#[differentiable(order = 2)]
fn changed(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut it = v.iter_mut();
    if let Some(a) = it.next_back() {
        *a *= 3.0;
    }
    if let Some(a) = it.next() {
        *a *= *a;
    }
    for a in it {
        *a += 1.0;
    }
    v.iter().map(|a| a * a).sum()
}

#[differentiable(order = 2)]
fn counted(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let a = it.nth_back(1).unwrap();
    let n = it.len();
    a * it.clone().count() as f64 + it.next_back().unwrap_or(&2.0) * a * n as f64
}

#[test]
fn taken_from_both_ends() {
    let z = 0.6;
    for x in [vec![0.5, 0.9, 1.3, 0.7], vec![0.5, 0.9, 1.3, 0.7, 0.3], vec![0.4, 0.3], vec![0.7, 0.8, 0.2]] {
        check!(ends(&x) by [x]);
        check!(middle(&x) by [x]);
        check!(parts(&x) by [x]);
        check!(horner(&x, z) by [x, z]);
        check!(polynomial(&x, z) by [x, z]);
        check!(windows(&x, z) by [x, z]);
        check!(range(&x) by [x]);
        check!(chosen(&x) by [x]);
        check!(changed(&x) by [x]);
        check!(counted(&x) by [x]);
    }
}
