//! Methods by the names of traits.
use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct Square {
    side: f64,
}

#[differentiable]
impl Square {
    fn area(&self) -> f64 {
        self.side
    }
}

trait Shape {
    fn area(&self) -> f64;
}

impl Shape for Square {
    fn area(&self) -> f64 {
        self.side * self.side
    }
}

#[differentiable]
fn of_the_trait(square: &Square) -> f64 {
    <Square as Shape>::area(square) + Shape::area(square)
}

#[differentiable]
fn searched(x: f64, knots: &[f64], square: &Square) -> f64 {
    let place = knots.partition_point(|k| *k < square.side);
    x * knots[place]
}

fn main() {}
