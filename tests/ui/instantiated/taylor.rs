//! What is called may not need a Taylor series: it is missed where it is used.
use autodiff::prelude::*;

#[differentiable]
fn determinant(scale: f64) -> f64 {
    (Tensor2::<f64, 2, 2>::eye() * scale).det()
}

/// The argument is a constant here.
#[differentiable(wrt(x))]
fn scaled(scale: f64, x: f64) -> f64 {
    determinant(scale) * x.exp()
}

#[differentiable]
fn stretched(scale: f64, x: f64) -> f64 {
    determinant(scale * x)
}

fn main() {
    let _ = scaled::taylor::<3>(2.0, 1.0, 1.0);
    let _ = stretched::taylor::<3>(2.0, 1.0, 1.0, 1.0);
}
