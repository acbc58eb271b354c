//! Small networks against PyTorch in double precision: loss, output and every gradient.
//! Weights are `[out, in]`; a layer is x·Wᵀ + b.

use autodiff::prelude::*;
use autodiff::{Differentiable, Shape};
use serde_json::Value as Json;

/// Relative to the largest number of the array.
const TOLERANCE: f64 = 1e-10;

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

#[differentiable]
fn w2(p: &Mlp<8, 12, 6, 4>, #[no_diff] x: &Tensor2<f64, 4, 8>, labels: &[usize; 4]) -> f64 {
    w2_output(p, x).cross_entropy(labels)
}

fn read(name: &str) -> Json {
    let path = format!("{}/tests/data/nn/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(&path).expect(&path)).expect("JSON")
}

fn numbers(json: &Json) -> Vec<f64> {
    json["data"].as_array().expect("data").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn tensor<A: Shape<Elem = f64>>(json: &Json) -> Tensor<A> {
    Tensor::from_slice(&numbers(json))
}

fn mlp<const A: usize, const B: usize, const C: usize, const D: usize>(json: &Json) -> Mlp<A, B, C, D> {
    Mlp {
        first: Linear { w: tensor(&json["w1"]), b: tensor(&json["b1"]) },
        second: Linear { w: tensor(&json["w2"]), b: tensor(&json["b2"]) },
        third: Linear { w: tensor(&json["w3"]), b: tensor(&json["b3"]) },
    }
}

#[track_caller]
fn close(what: &str, given: &[f64], expected: &[f64]) {
    assert_eq!(given.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
    for (given, expected) in given.iter().zip(expected) {
        // NaN is never close.
        assert!((given - expected).abs() <= TOLERANCE * scale, "{what}: {given:e} instead of {expected:e}");
    }
}

/// All leaves of the tree, in order.
fn flat<P: Differentiable<Scalar = f64>>(tree: &P) -> Vec<f64> {
    let mut flat = vec![0.0; tree.flat_len()];
    tree.copy_to_flat(&mut flat);
    flat
}

/// The gradient as the file lists it: layer by layer, weights and biases.
#[track_caller]
fn same_gradient(given: &[f64], expected: &Json) {
    let mut start = 0;
    for name in ["w1", "b1", "w2", "b2", "w3", "b3"] {
        let expected = numbers(&expected[name]);
        close(name, &given[start..start + expected.len()], &expected);
        start += expected.len();
    }
    assert_eq!(start, given.len());
}

#[test]
fn w1_mlp_tanh() {
    let file = read("w1_mlp_tanh_b3");
    let (p, x, y) = (mlp(&file["params"]), tensor(&file["inputs"]["x"]), tensor(&file["inputs"]["y"]));
    close("output", w1_output(&p, &x).as_slice(), &numbers(&file["output"]));
    let (loss, gradient) = w1::value_and_grad(&p, &x, &y);
    let expected = file["loss"].as_f64().expect("a loss");
    close("loss", &[loss, w1(&p, &x, &y)], &[expected, expected]);
    same_gradient(&flat(&gradient), &file["grads"]);
    let (loss, pullback) = w1::vjp(&p, &x, &y);
    close("loss", &[loss], &[expected]);
    same_gradient(&flat(&pullback(1.0)), &file["grads"]);
}

#[test]
fn w2_mlp_relu() {
    let file = read("w2_mlp_relu_b4");
    let (p, x) = (mlp(&file["params"]), tensor(&file["inputs"]["x"]));
    let labels: [usize; 4] = std::array::from_fn(|k| numbers(&file["inputs"]["t"])[k] as usize);
    close("output", w2_output(&p, &x).as_slice(), &numbers(&file["output"]));
    let (loss, gradient) = w2::value_and_grad(&p, &x, &labels);
    let expected = file["loss"].as_f64().expect("a loss");
    close("loss", &[loss, w2(&p, &x, &labels)], &[expected, expected]);
    same_gradient(&flat(&gradient), &file["grads"]);
    let (loss, pullback) = w2::vjp(&p, &x, &labels);
    close("loss", &[loss], &[expected]);
    same_gradient(&flat(&pullback(1.0)), &file["grads"]);
}
