use autodiff::prelude::*;

struct Counter {
    count: usize,
}

#[differentiable]
impl Counter {
    fn next(&self) -> usize {
        self.count + 1
    }
}

#[differentiable]
trait Potential {
    fn potential(&self, x: f64) -> f64 {
        x
    }
}

#[differentiable]
impl Potential for (f64, f64) {
    fn potential(&self, x: f64) -> f64 {
        self.0 * x
    }
}

#[derive(Differentiable)]
struct Spring {
    k: f64,
}

#[differentiable(wrt(self, y))]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        self.k * x
    }
}

fn main() {}
