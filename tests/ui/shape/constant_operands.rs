//! Sizes by name, which rustc compares where the function stands.
use autodiff::prelude::*;

const WIDTH: usize = 3;
const HEIGHT: usize = 4;

#[differentiable]
fn broadcast(x: &Tensor2<f64, HEIGHT, WIDTH>, y: &Tensor1<f64, HEIGHT>) -> Tensor2<f64, HEIGHT, WIDTH> {
    x * y
}

#[differentiable]
fn product(x: &Tensor2<f64, HEIGHT, WIDTH>, y: &Tensor2<f64, HEIGHT, 2>) -> Tensor2<f64, HEIGHT, 2> {
    x.matmul(y)
}

#[differentiable]
fn diagonal(x: &Tensor2<f64, HEIGHT, WIDTH>) -> f64 {
    x.trace()
}

#[differentiable]
fn reshaped(x: &Tensor1<f64, HEIGHT>) -> Tensor1<f64, WIDTH> {
    x.reshape([WIDTH])
}

#[differentiable]
fn sliced(x: &Tensor1<f64, WIDTH>) -> Tensor1<f64, HEIGHT> {
    x.slice([0..HEIGHT])
}

#[differentiable]
fn channels(x: &Tensor3<f64, 1, WIDTH, 8>, w: &Tensor3<f64, 2, HEIGHT, 3>) -> Tensor3<f64, 1, 2, 6> {
    x.conv1d(w, Conv1d { ..Default::default() })
}

#[differentiable]
fn labelled(x: &Tensor2<f64, HEIGHT, WIDTH>, labels: &[usize; WIDTH]) -> f64 {
    x.cross_entropy(labels)
}

#[differentiable]
fn normal(x: &Tensor2<f64, HEIGHT, WIDTH>, gamma: &Tensor1<f64, HEIGHT>) -> Tensor2<f64, HEIGHT, WIDTH> {
    x.rms_norm(gamma, 1e-6)
}

fn main() {}
