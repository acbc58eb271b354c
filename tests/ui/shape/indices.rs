//! Indices and what they select.

use autodiff::prelude::*;

#[differentiable]
fn select_by_a_matrix(x: &Tensor2<f64, 4, 3>, #[no_diff] i: &[[usize; 2]; 2]) -> Tensor2<f64, 2, 3> {
    x.index_select(0, i)
}

#[differentiable]
fn gather_rank(x: &Tensor2<f64, 4, 3>, #[no_diff] i: &[usize; 2]) -> Tensor1<f64, 2> {
    x.gather(0, i)
}

#[differentiable]
fn gather_too_many(x: &Tensor2<f64, 4, 3>, #[no_diff] i: &[[usize; 4]; 2]) -> Tensor2<f64, 2, 4> {
    x.gather(0, i)
}

#[differentiable]
fn scatter_size(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 3, 3>, #[no_diff] i: &[usize; 2]) -> Tensor2<f64, 4, 3> {
    x.scatter_add(0, i, y)
}

#[differentiable]
fn embedding_rank(x: &Tensor3<f64, 4, 3, 2>, #[no_diff] i: &[usize; 2]) -> Tensor3<f64, 2, 3, 2> {
    x.embedding(i)
}

#[differentiable]
fn float_indices(x: &Tensor2<f64, 4, 3>, i: &Tensor1<f64, 2>) -> Tensor2<f64, 2, 3> {
    x.index_select(0, i)
}

fn main() {}
