use autodiff::prelude::*;

#[differentiable]
fn twice(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
    x.sum_axes([0, -3]).sum()
}

#[differentiable]
fn none(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
    x.max_axes_keepdim([]).sum()
}

#[differentiable]
fn too_far(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
    x.norm_axes([1, 3]).sum()
}

#[differentiable]
fn not_a_list(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
    x.prod_axes(1).sum()
}

fn main() {}
