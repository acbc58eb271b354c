//! Methods of a type of another file, for the programs of a third.

use crate::elsewhere::Plate;
use autodiff::prelude::*;
use std::ops::Add;

#[differentiable(order = 2)]
impl Plate {
    pub fn around(&self) -> f64 {
        2.0 * (self.width + self.height)
    }
}

#[differentiable(order = 2)]
impl Add for Plate {
    type Output = Plate;
    fn add(self, other: Plate) -> Plate {
        Plate { width: self.width + other.width, height: self.height + other.height }
    }
}
