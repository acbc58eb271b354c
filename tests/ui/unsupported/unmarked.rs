//! Methods and operators without the attribute, which stand in the same file.
use autodiff::prelude::*;
use std::ops::{Add, Mul, Neg};

#[derive(Clone, Copy, Differentiable)]
struct P {
    x: f64,
}

impl P {
    fn new(x: f64) -> P {
        P { x }
    }

    fn square(&self) -> f64 {
        self.x * self.x
    }

    fn step(&mut self, by: f64) {
        self.x += by;
    }
}

trait Potential {
    fn energy(&self, r: f64) -> f64;
}

impl Potential for P {
    fn energy(&self, r: f64) -> f64 {
        self.x * r
    }
}

impl Add for P {
    type Output = P;
    fn add(self, other: P) -> P {
        P { x: self.x + other.x }
    }
}

impl Mul<P> for f64 {
    type Output = P;
    fn mul(self, p: P) -> P {
        P { x: self * p.x }
    }
}

impl Neg for P {
    type Output = P;
    fn neg(self) -> P {
        P { x: -self.x }
    }
}

#[differentiable]
fn method(p: P) -> f64 {
    p.square()
}

#[differentiable]
fn associated(x: f64) -> f64 {
    P::new(x).x
}

#[differentiable]
fn change(p: P, x: f64) -> f64 {
    let mut q = p;
    q.step(x);
    q.x
}

#[differentiable]
fn of_trait(p: P, x: f64) -> f64 {
    p.energy(x)
}

#[differentiable]
fn sum(p: P, q: P) -> f64 {
    (p + q).x
}

#[differentiable]
fn product(p: P) -> f64 {
    (2.0 * p).x
}

#[differentiable]
fn negative(p: P) -> f64 {
    (-p).x
}

fn main() {}
