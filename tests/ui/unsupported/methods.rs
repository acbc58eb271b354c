use autodiff::prelude::*;

struct Robot {
    mass: f64,
}

impl Robot {
    #[differentiable]
    fn energy(&self, v: f64) -> f64 {
        0.5 * self.mass * v * v
    }
}

fn main() {}
