use autodiff::prelude::*;

#[differentiable]
fn f(x: f64, t: &Tensor1<f64, 3>) -> f64 {
    x.gamma() + t.softmaxx(0).sum() + t.len() as f64
}

fn main() {}
