use autodiff::prelude::*;

#[derive(Differentiable)]
struct Robot {
    mass: f64,
    w: Tensor2<f64, 2, 3>,
}

struct Config {
    gain: f64,
}

impl Robot {
    fn speed(&self, x: f64) -> f64 {
        self.mass * x
    }
}

#[differentiable]
impl Robot {
    #[differentiable]
    fn product(&self, x: &Tensor2<f64, 2, 3>) -> f64 {
        self.w.matmul(x).sum()
    }

    #[differentiable]
    fn boxed(self: Box<Self>, x: f64) -> f64 {
        x
    }

    #[differentiable]
    fn count(&self, x: f64) -> f64 {
        f64::from(self.mass as i32) * x
    }
}

#[differentiable]
impl Config {
    #[differentiable]
    fn damped(&self, x: f64) -> f64 {
        x * self.gain
    }
}

#[differentiable]
fn calls(robot: &Robot, x: f64) -> f64 {
    robot.speed(x)
}

fn main() {}
