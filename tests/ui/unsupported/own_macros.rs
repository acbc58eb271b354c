//! Macros of the user's.
use autodiff::prelude::*;

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[differentiable]
fn of_the_file(x: f64) -> f64 {
    square!(x) + 1.0
}

#[differentiable]
fn of_the_body(x: f64) -> f64 {
    macro_rules! cube {
        ($x:expr) => {
            $x * $x * $x
        };
    }
    cube!(x) + cube!(2.0)
}

fn main() {}
