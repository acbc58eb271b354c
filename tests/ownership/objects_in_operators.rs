//! What associated functions and constants make without a derivative, in operators and methods that have one.

use crate::harness::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct M {
    a: f64,
    b: f64,
}

#[differentiable(order = 2)]
impl M {
    const ONE: M = M { a: 1.0, b: 0.5 };

    fn identity() -> M {
        M { a: 1.0, b: 0.0 }
    }

    fn scale(a: f64) -> M {
        M { a, b: 0.25 * a }
    }

    fn scaled(&self, by: f64) -> Self {
        M { a: self.a * by, b: self.b + by }
    }
}

#[differentiable(order = 2)]
impl Mul<V> for M {
    type Output = V;
    fn mul(self, v: V) -> V {
        V { x: self.a * v.x - self.b * v.y, y: self.a * v.y + self.b * v.x }
    }
}

#[differentiable(order = 2)]
impl Mul for M {
    type Output = M;
    fn mul(self, other: M) -> M {
        M { a: self.a * other.a - self.b * other.b, b: self.b * other.a + self.a * other.b }
    }
}

#[differentiable(order = 2)]
impl Mul<f64> for M {
    type Output = M;
    fn mul(self, by: f64) -> M {
        M { a: self.a * by, b: self.b * by }
    }
}

#[differentiable(order = 2)]
impl Add for M {
    type Output = M;
    fn add(self, other: M) -> M {
        M { a: self.a + other.a, b: self.b + other.b }
    }
}

#[differentiable(order = 2)]
impl Sub for M {
    type Output = M;
    fn sub(self, other: M) -> M {
        M { a: self.a - other.a, b: self.b - other.b }
    }
}

#[differentiable(order = 2)]
impl Neg for M {
    type Output = M;
    fn neg(self) -> M {
        M { a: -self.a, b: -self.b }
    }
}

const HALF: M = M { a: 0.5, b: 0.1 };

#[differentiable(order = 2)]
fn end_effector(angles: &[f64]) -> f64 {
    let mut r = M::identity();
    for a in angles {
        r = r * M::scale(*a);
    }
    let p = r * V { x: angles[0], y: 2.0 };
    p.x * p.y
}

#[differentiable(order = 2)]
fn one_factor(a: f64) -> f64 {
    let r = M::identity();
    let q = M::ONE;
    let p = r * V { x: a, y: 2.0 };
    let s = M::scale(a) * q;
    let t = M::identity() * M::scale(a);
    p.x + s.a * s.b + t.b + (M::ONE * V { x: a, y: a }).y
}

#[differentiable(order = 2)]
fn constants(a: f64, n: usize) -> f64 {
    let mut r = M::ONE;
    let mut h = HALF;
    for k in 0..n {
        if k % 2 == 0 {
            r = M::scale(a) * r;
        } else {
            r = r - M::ONE * a;
            h = h * r;
        }
    }
    (r + M::identity()).a * h.b + M::ONE.scaled(a).b + M::identity().scaled(a).a
}

#[differentiable(order = 2)]
fn chosen(a: f64) -> f64 {
    let mut r = if a > 0.5 { M::identity() } else { M::ONE };
    if a < 2.0 {
        r = r * M::scale(a);
    }
    (r * V { x: 1.0, y: a }).x
}

#[test]
fn they_take_part() {
    check!(end_effector(&angles) by angles = vec![0.3, 1.2, -0.7]);
    for a in [0.2, 0.7, 2.5] {
        check!(one_factor(a) by a);
        check!(constants(a, 4) by a);
        check!(constants(a, 0) by a);
        check!(chosen(a) by a);
    }
}
