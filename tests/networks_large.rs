//! Larger networks against PyTorch in double precision: a convolutional network, a chain of element-wise operators,
//! a transformer block. Loss, output and every gradient. Weights of layers are `[out, in]`.

#[path = "common/network.rs"]
mod network;

use autodiff::prelude::*;
use network::{close, flat, numbers, read, same_gradient, tensor};
use serde_json::Value as Json;

/// W4: two convolutions with pooling, three layers.
#[derive(Differentiable, Clone)]
struct Cnn {
    k1: Tensor4<f64, 3, 1, 5, 5>,
    c1: Tensor1<f64, 3>,
    k2: Tensor4<f64, 4, 3, 5, 5>,
    c2: Tensor1<f64, 4>,
    w1: Tensor2<f64, 10, 4>,
    b1: Tensor1<f64, 10>,
    w2: Tensor2<f64, 8, 10>,
    b2: Tensor1<f64, 8>,
    w3: Tensor2<f64, 5, 8>,
    b3: Tensor1<f64, 5>,
}

const CNN: &[&str] = &["k1", "c1", "k2", "c2", "w1", "b1", "w2", "b2", "w3", "b3"];

fn cnn(json: &Json) -> Cnn {
    Cnn {
        k1: tensor(&json["k1"]),
        c1: tensor(&json["c1"]),
        k2: tensor(&json["k2"]),
        c2: tensor(&json["c2"]),
        w1: tensor(&json["w1"]),
        b1: tensor(&json["b1"]),
        w2: tensor(&json["w2"]),
        b2: tensor(&json["b2"]),
        w3: tensor(&json["w3"]),
        b3: tensor(&json["b3"]),
    }
}

#[differentiable]
fn first<const B: usize>(p: &Cnn, #[no_diff] x: &Tensor4<f64, B, 1, 12, 12>) -> Tensor4<f64, B, 3, 12, 12> {
    x.conv2d(p.k1, Conv2d { padding: [2, 2], ..Default::default() }) + p.c1.reshape([3, 1, 1])
}

#[differentiable]
fn second<const B: usize>(p: &Cnn, h: &Tensor4<f64, B, 3, 12, 12>) -> Tensor4<f64, B, 4, 2, 2> {
    let h = h.max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() });
    h.conv2d(p.k2, Conv2d::default()) + p.c2.reshape([4, 1, 1])
}

#[differentiable]
fn pooled<const B: usize>(h: &Tensor4<f64, B, 4, 2, 2>) -> Tensor2<f64, B, 4> {
    h.max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() }).reshape([B, 4])
}

#[differentiable]
fn w4_relu<const B: usize>(
    p: &Cnn,
    #[no_diff] x: &Tensor4<f64, B, 1, 12, 12>,
    labels: &[usize; B],
) -> (f64, Tensor2<f64, B, 5>) {
    let h = pooled(&second(p, &first(p, x).relu()).relu());
    let h = (h.matmul(p.w1.t()) + p.b1).relu();
    let h = (h.matmul(p.w2.t()) + p.b2).relu();
    let logits = h.matmul(p.w3.t()) + p.b3;
    (logits.cross_entropy(labels), logits)
}

#[differentiable]
fn w4_relu_loss<const B: usize>(p: &Cnn, #[no_diff] x: &Tensor4<f64, B, 1, 12, 12>, labels: &[usize; B]) -> f64 {
    let (loss, _) = w4_relu(p, x, labels);
    loss
}

#[differentiable]
fn w4_tanh_loss(p: &Cnn, #[no_diff] x: &Tensor4<f64, 1, 1, 12, 12>, labels: &[usize; 1]) -> f64 {
    let h = pooled(&second(p, &first(p, x).tanh()).tanh());
    let h = (h.matmul(p.w1.t()) + p.b1).tanh();
    let h = (h.matmul(p.w2.t()) + p.b2).tanh();
    (h.matmul(p.w3.t()) + p.b3).cross_entropy(labels)
}

fn labels<const B: usize>(file: &Json) -> [usize; B] {
    std::array::from_fn(|k| numbers(&file["inputs"]["t"])[k] as usize)
}

fn check_w4_relu<const B: usize>(name: &str) {
    let file = read(name);
    let (p, x, labels) = (cnn(&file["params"]), tensor(&file["inputs"]["x"]), labels::<B>(&file));
    let expected = file["loss"].as_f64().expect("a loss");
    let (loss, logits) = w4_relu(&p, &x, &labels);
    close("output", logits.as_slice(), &numbers(&file["output"]));
    close("loss", &[loss], &[expected]);
    let (loss, gradient) = w4_relu_loss::value_and_grad(&p, &x, &labels);
    close("loss", &[loss], &[expected]);
    same_gradient(&flat(&gradient), CNN, &file["grads"]);
}

#[test]
fn w4_cnn_relu_of_one() {
    check_w4_relu::<1>("w4_cnn_relu_b1");
}

#[test]
fn w4_cnn_relu_of_two() {
    check_w4_relu::<2>("w4_cnn_relu_b2");
}

#[test]
fn w4_cnn_tanh() {
    let file = read("w4_cnn_tanh_b1");
    let (p, x) = (cnn(&file["params"]), tensor(&file["inputs"]["x"]));
    let (loss, gradient) = w4_tanh_loss::value_and_grad(&p, &x, &labels(&file));
    close("loss", &[loss], &[file["loss"].as_f64().expect("a loss")]);
    same_gradient(&flat(&gradient), CNN, &file["grads"]);
}
