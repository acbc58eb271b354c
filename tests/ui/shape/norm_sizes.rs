use autodiff::prelude::*;

#[differentiable]
fn layer(x: &Tensor2<f32, 3, 5>, gamma: &Tensor1<f32, 4>, beta: &Tensor1<f32, 5>) -> f32 {
    x.layer_norm(gamma, beta, 1e-5).sum()
}

#[differentiable]
fn layer_axes(x: &Tensor1<f32, 5>, gamma: &Tensor2<f32, 1, 5>) -> f32 {
    x.rms_norm(gamma, 1e-5).sum()
}

#[differentiable]
fn batch(x: &Tensor4<f32, 3, 2, 4, 4>, gamma: &Tensor1<f32, 2>, beta: &Tensor1<f32, 3>) -> f32 {
    x.batch_norm2d(gamma, beta, 1e-5).sum()
}

#[differentiable]
fn batch_axes(x: &Tensor3<f32, 3, 2, 4>, gamma: &Tensor1<f32, 2>, beta: &Tensor1<f32, 2>) -> f32 {
    x.batch_norm2d(gamma, beta, 1e-5).sum()
}

#[differentiable]
fn instance(x: &Tensor4<f32, 3, 2, 4, 4>, gamma: &Tensor2<f32, 2, 1>, beta: &Tensor1<f32, 2>) -> f32 {
    x.instance_norm(gamma, beta, 1e-5).sum()
}

#[differentiable]
fn group(x: &Tensor4<f32, 3, 6, 4, 4>, gamma: &Tensor1<f32, 6>, beta: &Tensor1<f32, 6>) -> f32 {
    x.group_norm(4, gamma, beta, 1e-5).sum()
}

fn main() {}
