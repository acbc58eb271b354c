//! Methods without a derivative of types that are elsewhere, and fields and results of types that have none.
use autodiff::prelude::*;

mod shapes {
    use autodiff::prelude::*;

    #[derive(Clone, Copy, Differentiable)]
    pub struct Plate {
        pub side: f64,
    }

    impl Plate {
        pub fn area(&self) -> f64 {
            self.side * self.side
        }
        pub fn new(side: f64) -> Plate {
            Plate { side }
        }
    }

    pub struct Config {
        pub gain: f64,
    }
}

use shapes::{Config, Plate};
use std::collections::HashMap;

#[differentiable]
fn calls(x: f64) -> f64 {
    let plate = Plate { side: x };
    plate.area()
}

#[differentiable]
fn makes(x: f64) -> f64 {
    Plate::new(x).side
}

#[derive(Differentiable)]
struct Robot {
    config: Config,
    names: HashMap<String, f64>,
    mass: f64,
}

#[differentiable]
fn gives(x: f64) -> Config {
    Config { gain: x }
}

fn main() {}
