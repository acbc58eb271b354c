use autodiff::prelude::*;

#[differentiable]
fn of_one(x: &Tensor2<f32, 1, 3>) -> f32 {
    x.var_axis(0, 1).sum()
}

#[differentiable]
fn of_all(x: &Tensor2<f32, 1, 3>) -> f32 {
    x.std(4)
}

fn main() {}
