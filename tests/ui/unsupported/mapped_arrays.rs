use autodiff::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Pair {
    x: f64,
    y: f64,
}

#[differentiable]
fn to_structs<const N: usize>(x: &[f64; N]) -> f64 {
    let pairs = x.map(|x| Pair { x, y: x * x });
    pairs[0].x * pairs[1].y
}

#[differentiable]
fn to_tensors<const N: usize>(x: &[[f64; 3]; N]) -> f64 {
    let tensors = x.map(|row| Tensor1::from(row));
    tensors[0].sum()
}

fn main() {}
