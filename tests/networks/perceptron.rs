//! Perceptrons: W1 of three layers with tanh, W2 with ReLU and GELU.

use crate::check::{assert_agrees, assert_curves, close, numbers, read, tensor};
use autodiff::prelude::*;
use serde_json::Value as Json;

/// The leaves, in order.
const NAMES: &[&str] = &["w1", "b1", "w2", "b2", "w3", "b3"];

/// A layer of `I` inputs and `O` outputs.
#[derive(Differentiable, Clone)]
struct Linear<const O: usize, const I: usize> {
    w: Tensor2<f64, O, I>,
    b: Tensor1<f64, O>,
}

#[derive(Differentiable, Clone)]
struct Mlp<const A: usize, const B: usize, const C: usize, const D: usize> {
    first: Linear<B, A>,
    second: Linear<C, B>,
    third: Linear<D, C>,
}

/// W1: 4-16-16-1 with tanh, mean square error.
#[differentiable]
fn w1_output(p: &Mlp<4, 16, 16, 1>, #[no_diff] x: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 1> {
    let h = (x.matmul(p.first.w.t()) + p.first.b).tanh();
    let h = (h.matmul(p.second.w.t()) + p.second.b).tanh();
    h.matmul(p.third.w.t()) + p.third.b
}

#[differentiable]
fn w1(p: &Mlp<4, 16, 16, 1>, #[no_diff] x: &Tensor2<f64, 3, 4>, #[no_diff] y: &Tensor2<f64, 3, 1>) -> f64 {
    w1_output(p, x).mse(y)
}

/// W2: 8-12-6-4 with ReLU, cross entropy.
#[differentiable]
fn w2_output(p: &Mlp<8, 12, 6, 4>, #[no_diff] x: &Tensor2<f64, 4, 8>) -> Tensor2<f64, 4, 4> {
    let h = (x.matmul(p.first.w.t()) + p.first.b).relu();
    let h = (h.matmul(p.second.w.t()) + p.second.b).relu();
    h.matmul(p.third.w.t()) + p.third.b
}

#[differentiable(order = 2)]
fn w2(p: &Mlp<8, 12, 6, 4>, #[no_diff] x: &Tensor2<f64, 4, 8>, labels: &[usize; 4]) -> f64 {
    w2_output(p, x).cross_entropy(labels)
}

/// W2 with exact GELU.
#[differentiable(order = 2)]
fn w2_gelu(p: &Mlp<8, 12, 6, 4>, #[no_diff] x: &Tensor2<f64, 4, 8>, labels: &[usize; 4]) -> f64 {
    let h = (x.matmul(p.first.w.t()) + p.first.b).gelu();
    let h = (h.matmul(p.second.w.t()) + p.second.b).gelu();
    (h.matmul(p.third.w.t()) + p.third.b).cross_entropy(labels)
}

/// W2 with the approximation of GELU by tanh.
#[differentiable(order = 2)]
fn w2_gelu_tanh(p: &Mlp<8, 12, 6, 4>, #[no_diff] x: &Tensor2<f64, 4, 8>, labels: &[usize; 4]) -> f64 {
    let h = (x.matmul(p.first.w.t()) + p.first.b).gelu_tanh();
    let h = (h.matmul(p.second.w.t()) + p.second.b).gelu_tanh();
    (h.matmul(p.third.w.t()) + p.third.b).cross_entropy(labels)
}

fn mlp<const A: usize, const B: usize, const C: usize, const D: usize>(json: &Json) -> Mlp<A, B, C, D> {
    Mlp {
        first: Linear { w: tensor(&json["w1"]), b: tensor(&json["b1"]) },
        second: Linear { w: tensor(&json["w2"]), b: tensor(&json["b2"]) },
        third: Linear { w: tensor(&json["w3"]), b: tensor(&json["b3"]) },
    }
}

#[test]
fn w1_mlp_tanh() {
    let file = read("w1_mlp_tanh_b3");
    let (p, x, y) = (mlp(&file["params"]), tensor(&file["inputs"]["x"]), tensor(&file["inputs"]["y"]));
    close("output", w1_output(&p, &x).as_slice(), &numbers(&file["output"]));
    assert_agrees!(w1, NAMES, file, &p, &x, &y);
}

fn w2_inputs(file: &Json) -> (Mlp<8, 12, 6, 4>, Tensor2<f64, 4, 8>, [usize; 4]) {
    let labels = std::array::from_fn(|k| numbers(&file["inputs"]["t"])[k] as usize);
    (mlp(&file["params"]), tensor(&file["inputs"]["x"]), labels)
}

#[test]
fn w2_mlp_relu() {
    let file = read("w2_mlp_relu_b4");
    let (p, x, labels) = w2_inputs(&file);
    close("output", w2_output(&p, &x).as_slice(), &numbers(&file["output"]));
    assert_agrees!(w2, NAMES, file, &p, &x, &labels);
}

#[test]
fn w2_mlp_gelu() {
    let file = read("w2_mlp_gelu_b4");
    let (p, x, labels) = w2_inputs(&file);
    assert_agrees!(w2_gelu, NAMES, file, &p, &x, &labels);
}

#[test]
fn w2_mlp_gelu_tanh() {
    let file = read("w2_mlp_gelu_tanh_b4");
    let (p, x, labels) = w2_inputs(&file);
    assert_agrees!(w2_gelu_tanh, NAMES, file, &p, &x, &labels);
}

/// The pieces of ReLU are linear: what curves the loss is the cross entropy.
#[test]
fn hessians_of_w2() {
    let (p, x, labels) = w2_inputs(&read("w2_mlp_relu_b4"));
    assert_curves!(w2, NAMES, "w2_mlp_relu_b4", &p, &x, &labels);
    let (p, x, labels) = w2_inputs(&read("w2_mlp_gelu_b4"));
    assert_curves!(w2_gelu, NAMES, "w2_mlp_gelu_b4", &p, &x, &labels);
    let (p, x, labels) = w2_inputs(&read("w2_mlp_gelu_tanh_b4"));
    assert_curves!(w2_gelu_tanh, NAMES, "w2_mlp_gelu_tanh_b4", &p, &x, &labels);
}
