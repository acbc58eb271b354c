//! What is in a `Box` is differentiated as it is without one.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Debug)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable(order = 2)]
fn area(p: &Point, y: f64) -> f64 {
    p.x * p.y * y
}

#[differentiable(order = 2)]
fn boxed(x: f64) -> f64 {
    let b = Box::new(x * x);
    let mut c = Box::new(Point { x, y: *b });
    for _ in 0..2 {
        c.x += *b;
    }
    let mut d = Box::new(x);
    *d += 1.0;
    *b * 2.0 + area(&c, *b) * *d
}

#[test]
fn locals() {
    check!(boxed(x) by x = 1.3);
}
