//! `into()` where a parameter or a pattern tells what it gives.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Rad(f64);

#[derive(Clone, Copy, Differentiable)]
struct Deg(f64);

#[derive(Clone, Copy, Differentiable)]
struct Polar {
    r: f64,
    angle: f64,
}

#[differentiable(order = 2)]
impl From<Deg> for Rad {
    fn from(d: Deg) -> Self {
        Rad(d.0 / 57.3 + d.0 * d.0 * 0.01)
    }
}

#[differentiable(order = 2)]
impl From<(f64, f64)> for Polar {
    fn from((x, y): (f64, f64)) -> Self {
        Polar { r: x * x + y * y, angle: y.atan2(x) }
    }
}

#[differentiable(order = 2)]
impl From<Rad> for f64 {
    fn from(r: Rad) -> f64 {
        r.0 * 2.0
    }
}

#[differentiable(order = 2)]
impl Rad {
    fn turned(self, by: Rad) -> Rad {
        Rad(self.0 * by.0.cos())
    }
}

#[differentiable(order = 2)]
fn height(r: Rad) -> f64 {
    r.0.sin()
}

#[differentiable(order = 2)]
fn lent(r: &Rad, k: usize, x: f64) -> f64 {
    r.0.sin() * k as f64 + x * x
}

#[differentiable(order = 2)]
fn arguments(x: f64, n: usize) -> f64 {
    let mut s = height(Deg(x).into());
    for k in 0..n {
        let d = Deg(s * x);
        s += lent(&d.into(), k, Rad(s).into());
        if s > 0.0 {
            s -= Rad(x).turned(d.into()).0;
        }
    }
    s
}

#[differentiable(order = 2)]
fn patterns(x: f64) -> f64 {
    let Rad(r) = Deg(x).into();
    let Polar { r: length, angle } = (x, r).into();
    length * angle + r
}

#[test]
fn into_is_told_by_its_use() {
    for x in [0.4, 1.3] {
        check!(arguments(x, 3) by x);
        check!(patterns(x) by x);
    }
}
