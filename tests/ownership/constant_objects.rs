//! Objects that are made of constants, and take part in what has a derivative.

use crate::harness::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul};

#[derive(Differentiable, Clone, Copy, Default)]
struct Pair {
    x: f64,
    y: f64,
}

#[differentiable(order = 2)]
impl Pair {
    fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Of nothing that has a derivative.
    fn unit() -> Pair {
        Pair { x: 1.0, y: 0.0 }
    }

    fn dot(&self, other: &Pair) -> f64 {
        self.x * other.x + self.y * other.y
    }

    fn at(&self, i: f64, j: f64) -> f64 {
        (self.x + self.y) * i + i * j * j
    }
}

#[differentiable(order = 2)]
impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair {
        Pair { x: self.x + other.x, y: self.y + other.y }
    }
}

#[differentiable(order = 2)]
impl Mul for Pair {
    type Output = Pair;
    fn mul(self, other: Pair) -> Pair {
        Pair { x: self.x * other.x, y: self.y * other.y }
    }
}

#[differentiable(order = 2)]
fn sums(i: f64, j: f64) -> f64 {
    let a = Pair::new(2.0, 3.0);
    let b = Pair::new(3.0, 5.0);
    (a + b).at(i, j) * a.at(j, i)
}

#[differentiable(order = 2)]
fn without_names(i: f64, j: f64) -> f64 {
    Pair::new(2.0, 3.0).at(i, j) + Pair::unit().dot(&Pair::new(i, j))
}

#[differentiable(order = 2)]
fn filled(i: f64, j: f64) -> f64 {
    let mut s = Pair::default();
    s.x = i * j;
    s.y += i;
    let r = &s;
    r.x * r.y
}

#[differentiable(order = 2)]
fn products(i: f64, j: f64) -> f64 {
    let g = Pair::new(2.0, 3.0);
    let v = Pair::new(i, j);
    let (w, u) = (v * g, g * v);
    w.dot(&u) + (Pair::new(1.0, 2.0) * v).x
}

#[differentiable(order = 2)]
fn replaced(i: f64, j: f64) -> f64 {
    let mut total = Pair::new(0.0, 1.0);
    for k in 0..3 {
        total = total + Pair::new(i * k as f64, j);
    }
    total.x = i * total.y;
    let target = Pair::unit();
    let d = Pair::new(total.x - target.x, total.y - target.y);
    d.dot(&d)
}

#[test]
fn gradients() {
    check!(sums(i, j) by i = 3.0, j = 5.0);
    check!(without_names(i, j) by i = 3.0, j = 5.0);
    assert_eq!(without_names::grad(3.0, 5.0), (31.0, 30.0));
    check!(filled(i, j) by i = 3.0, j = 5.0);
    assert_eq!(filled::grad(3.0, 5.0), (30.0, 9.0));
    check!(products(i, j) by i = 3.0, j = 5.0);
    assert_eq!(products::grad(3.0, 5.0), (25.0, 90.0));
    check!(replaced(i, j) by i = 3.0, j = 5.0);
}
