//! Parts of slices of structs: handed on, chosen between, changed.

use crate::common::{close, numeric};
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Pair {
    a: f64,
    b: [f64; 2],
}

const COUNT: usize = 4;

fn pairs(x: &[f64]) -> [Pair; COUNT] {
    std::array::from_fn(|k| Pair { a: x[3 * k], b: [x[3 * k + 1], x[3 * k + 2]] })
}

fn point() -> Vec<f64> {
    (0..3 * COUNT).map(|k| 0.4 + 0.3 * k as f64 - 0.05 * (k * k % 7) as f64).collect()
}

fn flat(tangent: &[PairTangent]) -> Vec<f64> {
    tangent.iter().flat_map(|pair| [pair.a, pair.b[0], pair.b[1]]).collect()
}

#[differentiable(order = 2)]
fn weighed(ps: &[Pair]) -> f64 {
    let mut sum = 0.0;
    for (k, p) in ps.iter().enumerate() {
        sum += p.a * p.b[0] * p.b[1] * (k + 1) as f64;
    }
    sum
}

#[differentiable(order = 2)]
fn stretch(ps: &mut [Pair], by: f64) {
    for p in ps.iter_mut() {
        p.a *= by * p.b[0];
        p.b[1] += p.a;
    }
}

#[differentiable(order = 2)]
fn from_the_front(ps: &[Pair]) -> f64 {
    weighed(&ps[..2]) * weighed(&ps[1..]) + weighed(&ps[1..3])
}

#[differentiable(order = 2)]
fn split(ps: &[Pair]) -> f64 {
    let (head, tail) = ps.split_at(1);
    let mut product = weighed(head);
    for p in tail {
        product *= p.b[1];
    }
    product + weighed(tail)
}

#[differentiable(order = 2)]
fn chosen(ps: &[Pair]) -> f64 {
    let part = if ps[0].a > 0.6 { &ps[..2] } else { &ps[1..4] };
    let mut sum = part.len() as f64;
    for p in part {
        sum += p.a * p.b[0];
    }
    sum * sum
}

#[differentiable(order = 2)]
fn changed(ps: &[Pair]) -> f64 {
    let mut own = ps.to_vec();
    stretch(&mut own[1..3], ps[0].a);
    own.swap(0, 2);
    own[..3].reverse();
    own[2..].fill(ps[1]);
    own[1].b[0] *= own[0].a;
    stretch(&mut own[..2], 0.5);
    weighed(&own) + weighed(&own[2..])
}

#[differentiable(order = 2)]
fn copied(ps: &[Pair]) -> f64 {
    let mut own = ps.to_vec();
    own[1..3].copy_from_slice(&ps[..2]);
    let (low, high) = own.split_at_mut(2);
    low[0].a *= high[1].b[0];
    high[0].b[1] += low[1].a;
    stretch(high, 1.5);
    weighed(&own)
}

macro_rules! agrees {
    ($f:ident, $($at:expr),+) => {$({
        let x: Vec<f64> = $at;
        let value = |x: &[f64]| $f(&pairs(x));
        let expected = numeric(value, &x);
        let (y, g) = $f::value_and_grad(&pairs(&x));
        close(&[y], &[value(&x)]);
        close(&flat(&g), &expected);
        let (y, y_dot) = $f::jvp(&pairs(&x), &g);
        close(&[y, y_dot], &[value(&x), expected.iter().map(|g| g * g).sum()]);
        let (y, pullback) = $f::vjp(&pairs(&x));
        close(&[y], &[value(&x)]);
        close(&flat(&pullback(-2.0)), &expected.iter().map(|g| -2.0 * g).collect::<Vec<_>>());
        let h = $f::hvp(&pairs(&x), &g);
        let along = |s: f64| {
            let moved: Vec<f64> = x.iter().zip(flat(&g)).map(|(x, d)| x + s * d).collect();
            flat(&$f::grad(&pairs(&moved)))
        };
        close(&flat(&h), &along(1e-6).iter().zip(along(-1e-6)).map(|(a, b)| (a - b) / 2e-6).collect::<Vec<_>>());
    })+};
}

#[test]
fn parts_are_handed_on() {
    agrees!(from_the_front, point());
    agrees!(split, point());
}

#[test]
fn parts_are_chosen() {
    let mut other = point();
    other[0] = 0.9;
    agrees!(chosen, point(), other);
}

#[test]
fn parts_are_changed() {
    agrees!(changed, point());
    agrees!(copied, point());
}
