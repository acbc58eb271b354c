//! An enum without numbers that a variable holds, and methods by the names of traits.
use autodiff::prelude::*;

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Burning,
    Done,
}

#[differentiable]
fn ascent(x: f64) -> f64 {
    let mut phase = Phase::Burning;
    let mut y = x;
    while phase != Phase::Done {
        y *= x;
        phase = if y > 10.0 { Phase::Done } else { Phase::Burning };
    }
    y
}

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
