//! `get`, `first` and `last` of slices, as `Option`s that are taken apart in all ways.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn numbers(x: &[f64], #[no_diff] i: usize) -> f64 {
    let mut s = 0.0;
    if let Some(v) = x.get(i) {
        s += v * v;
    }
    if let Some(v) = x.get(i + 7) {
        s += v * v;
    } else {
        s += 0.3;
    }
    match x.first() {
        Some(v) => s += v.sin(),
        None => s += 1.0,
    }
    match x.get(1) {
        Some(&v) if v > 0.5 => s *= v,
        Some(v) => s += v,
        None => {}
    }
    let Some(&l) = x.last() else { return s };
    s *= l;
    s += x.get(i).copied().unwrap_or(0.5) + x.get(100).copied().unwrap_or(0.5) * x[0];
    s += x.get(2).map_or(0.0, |v| v * 3.0);
    s + x[1..].first().unwrap_or(&2.0) * x.iter().sum::<f64>()
}

#[derive(Clone, Debug, Differentiable)]
struct Part {
    b: f64,
    w: Vec<f64>,
}

#[derive(Clone, Debug, Differentiable)]
enum Kind {
    A(f64),
    B { x: f64 },
}

#[differentiable]
fn structs(parts: &[Part], kinds: &[Kind]) -> Option<f64> {
    let first = parts.first()?;
    let other = parts.get(1)?;
    let mut s = first.b * other.w[0] + other.b;
    if let Some(Kind::A(v)) = kinds.last() {
        s *= v;
    }
    match kinds.first() {
        Some(Kind::B { x }) => s += x * x,
        Some(_) => s += 1.0,
        None => return None,
    }
    let Some(Kind::A(y)) = kinds.get(1) else { return Some(s) };
    Some(s * y)
}

#[differentiable]
fn of_structs(parts: &[Part], kinds: &[Kind]) -> f64 {
    match structs(parts, kinds) {
        Some(y) => y * y,
        None => 0.0,
    }
}

#[differentiable(order = 2)]
fn of_pairs(#[no_diff] pairs: &[(usize, f64)], x: f64) -> f64 {
    let Some(&(last, w)) = pairs.last() else { return 0.0 };
    x * x * w * last as f64
}

#[test]
fn ends() {
    for i in [0, 1, 5] {
        check!(numbers(&x, i) by x = vec![0.3, 0.7, 1.2]);
        check!(numbers(&x, i) by x = vec![0.3, 0.2]);
    }
    assert_eq!(numbers(&[], 0), 1.3);
    assert_eq!(numbers::grad(&[], 0), [0.0; 0]);
    check!(of_pairs(&[(2, 0.5)], x) by x = 0.3);
    assert_eq!(of_pairs::grad(&[], 0.3), 0.0);
}

#[test]
fn ends_of_structs() {
    let parts = |x: &[f64; 7]| vec![Part { b: x[0], w: vec![x[1]] }, Part { b: x[2], w: vec![x[3], x[4]] }];
    let x = [0.3, 0.7, 1.2, -0.4, 0.9, 0.6, 0.8];
    for first in [true, false] {
        let kinds = |x: &[f64; 7]| {
            let (a, b) = (Kind::A(x[5]), Kind::B { x: x[6] });
            if first { vec![a, b] } else { vec![b, a] }
        };
        let (g, by_kinds) = of_structs::grad(&parts(&x), &kinds(&x));
        let of_kind = |k: usize| by_kinds[if first { k } else { 1 - k }].clone();
        let gradient = [g[0].b, g[0].w[0], g[1].b, g[1].w[0], g[1].w[1], of_kind(0).a.0, of_kind(1).b.x];
        for k in 0..7 {
            let slope = |h: f64| {
                let [mut up, mut down] = [x; 2];
                (up[k], down[k]) = (x[k] + h, x[k] - h);
                (of_structs(&parts(&up), &kinds(&up)) - of_structs(&parts(&down), &kinds(&down))) / (2.0 * h)
            };
            assert!((gradient[k] - slope(1e-5)).abs() < 1e-9, "{k}: {gradient:?}, {}", slope(1e-5));
        }
    }
    assert_eq!(structs(&[], &[]), None);
}
