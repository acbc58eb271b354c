use autodiff::prelude::*;

#[differentiable]
fn layer<const N: usize, const M: usize>(x: &Tensor2<f32, 3, N>, gamma: &Tensor1<f32, M>) -> f32 {
    x.rms_norm(gamma, 1e-5).sum()
}

#[differentiable]
fn group<const C: usize>(x: &Tensor2<f32, 3, C>, gamma: &Tensor1<f32, C>) -> f32 {
    x.group_norm(4, gamma, gamma, 1e-5).sum()
}

fn main() {
    layer::<5, 4>(&Tensor2::full(1.0), &Tensor1::full(1.0));
    group::<6>(&Tensor2::full(1.0), &Tensor1::full(1.0));
}
