//! A differentiable function that gives an enum without a derivative.
use autodiff::prelude::*;

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Idle,
    Heating,
}

#[differentiable]
fn next(#[no_diff] mode: Mode, t: f64) -> Mode {
    if t < 20.0 { Mode::Heating } else { mode }
}

#[derive(Clone, Differentiable)]
struct Thermostat {
    low: f64,
    #[no_diff]
    mode: Mode,
}

#[differentiable]
impl Thermostat {
    fn update(&mut self, t: f64) -> Mode {
        if t < self.low {
            self.mode = Mode::Heating;
        }
        self.mode
    }
}

fn main() {}
