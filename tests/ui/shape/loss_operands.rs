use autodiff::prelude::*;

#[differentiable]
fn sizes(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 1>) -> f32 {
    x.huber(y, 1.0)
}

#[differentiable]
fn axes(x: &Tensor2<f32, 4, 3>, y: &Tensor1<f32, 12>) -> f32 {
    x.bce_with_logits(y)
}

#[differentiable]
fn similarity(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 3, 4>) -> f32 {
    x.cosine_similarity(y, 1).sum()
}

#[differentiable]
fn labels(x: &Tensor2<f32, 4, 3>, labels: &[usize; 3]) -> f32 {
    x.nll(labels)
}

#[differentiable]
fn axes_of_labels(x: &Tensor2<f32, 4, 3>, labels: &[[usize; 1]; 4]) -> f32 {
    x.cross_entropy_smooth(labels, 0.1)
}

fn main() {}
