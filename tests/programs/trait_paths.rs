//! Methods that are called by the names of their traits.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

trait Shape {
    fn area(&self) -> f64;
    fn grow(&mut self, by: f64);
    fn unit(x: f64) -> f64;
}

#[derive(Differentiable, Clone)]
struct Square {
    side: f64,
}

impl Square {
    fn area(&self) -> f64 {
        -1.0
    }
}

#[differentiable(order = 2)]
impl Shape for Square {
    fn area(&self) -> f64 {
        self.side * self.side
    }
    fn grow(&mut self, by: f64) {
        self.side *= by;
    }
    fn unit(x: f64) -> f64 {
        x.powi(3)
    }
}

#[differentiable(order = 2)]
fn grown(side: f64, x: f64) -> f64 {
    let mut square = Square { side };
    let before = <Square as Shape>::area(&square);
    for _ in 0..2 {
        Shape::grow(&mut square, x);
        <Square as Shape>::grow(&mut square, before);
    }
    Shape::area(&square) * <Square as Shape>::unit(x) + before
}

#[test]
fn the_trait_says_which_method_is_meant() {
    check!(grown(side, x) by side = 0.9, x = 1.1);
    assert!(Square { side: 0.9 }.area() < 0.0);
}
