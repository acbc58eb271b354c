//! Operators by value and by reference, and what else a type may have beside its derivative.
#![allow(clippy::all)]

use crate::harness::{check, twins};
use autodiff::prelude::*;
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, SubAssign};

#[derive(Clone, Copy, Debug, PartialEq, Default, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

#[differentiable]
impl Add for V {
    type Output = V;

    fn add(self, other: V) -> V {
        V { x: self.x + other.x * other.y, y: self.y + other.y }
    }
}

/// Handed on.
#[differentiable]
impl<'a> Add<&'a V> for &'a V {
    type Output = V;

    fn add(self, rhs: &V) -> V {
        *self + *rhs
    }
}

/// Written again.
#[differentiable]
impl Add<&V> for V {
    type Output = V;

    fn add(self, other: &V) -> V {
        V { x: self.x + other.x * other.y, y: self.y + other.y }
    }
}

#[differentiable]
impl Mul<f64> for V {
    type Output = V;

    fn mul(self, k: f64) -> V {
        V { x: self.x * k, y: self.y * k * k }
    }
}

#[differentiable]
impl Mul<f64> for &V {
    type Output = V;

    fn mul(self, by: f64) -> V {
        self.clone() * by
    }
}

#[differentiable]
impl Neg for V {
    type Output = V;

    fn neg(self) -> V {
        V { x: -self.y, y: self.x }
    }
}

#[differentiable]
impl Neg for &V {
    type Output = V;

    fn neg(self) -> V {
        -*self
    }
}

#[differentiable]
impl SubAssign for V {
    fn sub_assign(&mut self, other: V) {
        self.x -= other.x;
        self.y -= other.x * other.y;
    }
}

#[differentiable]
impl SubAssign<&V> for V {
    fn sub_assign(&mut self, rhs: &V) {
        *self -= *rhs;
    }
}

impl Sum for V {
    fn sum<I: Iterator<Item = V>>(iter: I) -> V {
        iter.fold(V::default(), |a, b| V { x: a.x + b.x, y: a.y + b.y })
    }
}

impl<'a> Sum<&'a V> for V {
    fn sum<I: Iterator<Item = &'a V>>(iter: I) -> V {
        iter.copied().sum()
    }
}

#[differentiable]
impl V {
    fn new(x: f64, y: f64) -> V {
        V { x, y }
    }

    fn along(&self, other: &V) -> f64 {
        self.x * other.x - self.y * other.y
    }
}

#[differentiable(order = 2)]
fn by_reference(x: f64, y: f64) -> f64 {
    let (p, q) = (V::new(x, y), V::new(x * y, 0.5));
    let mut r = &(&p + &q) * y;
    r -= &p;
    r = r + &q;
    let all = [p, q, -&r];
    let sum: V = all.iter().sum();
    // Of numbers only.
    sum.along(&V::new(1.0, 2.0)) + r.along(&p)
}

#[differentiable(order = 2)]
fn by_value(x: f64, y: f64) -> f64 {
    let (p, q) = (V::new(x, y), V::new(x * y, 0.5));
    let mut r = (p + q) * y;
    r -= p;
    r = r + q;
    let n = -r;
    let sum = V { x: p.x + q.x + n.x, y: p.y + q.y + n.y };
    sum.x - 2.0 * sum.y + r.along(&p)
}

/// A marked function inside a body, beside an unmarked one.
#[differentiable(order = 2)]
fn with_inner(x: f64, y: f64) -> f64 {
    const SCALE: f64 = 3.0;
    #[differentiable]
    fn inner(x: f64) -> f64 {
        x * x * SCALE
    }
    fn other(x: f64) -> f64 {
        x.cos()
    }
    inner(x) * other(y)
}

/// Three functions in a circle, of which nothing is said.
#[differentiable(order = 2)]
fn first(x: f64, y: f64, n: u32) -> f64 {
    if n == 0 { x * y } else { second(x * 1.1, y, n - 1) }
}

#[differentiable(order = 2)]
fn second(x: f64, y: f64, n: u32) -> f64 {
    if n == 0 { x.sin() * y } else { third(x * y, y + 0.1, n - 1) }
}

#[differentiable(order = 2)]
fn third(x: f64, y: f64, n: u32) -> f64 {
    if n == 0 { x.exp() + y } else { first(x + 0.1, y * x, n - 1) * second(x, y, 0) }
}

#[test]
fn operators_circles_and_functions_inside() {
    let a = check!(by_reference(x, y) by x = 0.4, y = 0.7);
    twins(&a, &check!(by_value(x, y) by x = 0.4, y = 0.7));
    check!(with_inner(x, y) by x = 0.4, y = 0.7);
    for n in 0..5 {
        check!(first(x, y, n) by x = 0.4, y = 0.7);
    }
}
