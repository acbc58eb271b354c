use autodiff::prelude::*;

#[differentiable]
fn f(rows: &Tensor2<f64, 4, 3>, per_row: &Tensor1<f64, 4>) -> f64 {
    (rows + per_row).sum()
}

fn main() {}
