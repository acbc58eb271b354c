//! Types with methods, for the programs of another file.

use autodiff::prelude::*;
use std::ops::Mul;

#[derive(Differentiable, Clone, Copy)]
pub struct Plate {
    pub width: f64,
    pub height: f64,
}

#[differentiable(order = 2)]
impl Plate {
    pub fn new(width: f64, height: f64) -> Plate {
        Plate { width, height }
    }
    pub fn area(&self) -> f64 {
        self.width * self.height
    }
    pub fn widen(&mut self, by: f64) {
        self.width *= by;
    }
}

#[differentiable(order = 2)]
impl Mul<f64> for Plate {
    type Output = Plate;
    fn mul(self, by: f64) -> Plate {
        Plate { width: self.width * by, height: self.height * by }
    }
}

#[derive(Differentiable, Clone, Copy)]
pub struct Frame {
    pub plate: Plate,
    pub depth: f64,
}

#[differentiable(order = 2)]
pub fn framed(width: f64, depth: f64) -> Frame {
    Frame { plate: Plate::new(width, 1.5), depth }
}

pub mod inner {
    pub mod deep {
        use autodiff::prelude::*;

        #[derive(Differentiable, Clone, Copy)]
        pub struct Cube {
            pub side: f64,
        }

        #[differentiable(order = 2)]
        impl Cube {
            pub fn volume(&self) -> f64 {
                self.side.powi(3)
            }
        }
    }
    pub use deep::Cube;
}

/// Without a derivative.
pub struct Gains {
    pub first: f64,
}

#[differentiable(order = 2)]
impl Gains {
    pub fn applied(#[no_diff] &self, x: f64) -> f64 {
        self.first * x * x
    }
}
