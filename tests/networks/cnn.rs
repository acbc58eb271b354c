//! W4: convolutional networks after LeNet.

use crate::check::{Full, assert_agrees, close, numbers, on_a_main_stack, read, tensor};
use autodiff::prelude::*;
use serde_json::Value as Json;

/// Two convolutions with pooling, three layers.
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
    let (_, logits) = w4_relu(&p, &x, &labels);
    close("output", logits.as_slice(), &numbers(&file["output"]));
    assert_agrees!(w4_relu_loss::<{ B }>, CNN, file, &p, &x, &labels);
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
    assert_agrees!(w4_tanh_loss, CNN, file, &p, &x, &labels(&file));
}

/// The sizes of LeNet-5.
mod lenet {
    use super::*;
    use std::sync::Mutex;

    #[derive(Differentiable)]
    struct LeNet {
        k1: Tensor4<f64, 6, 1, 5, 5>,
        c1: Tensor1<f64, 6>,
        k2: Tensor4<f64, 16, 6, 5, 5>,
        c2: Tensor1<f64, 16>,
        w1: Tensor2<f64, 120, 400>,
        b1: Tensor1<f64, 120>,
        w2: Tensor2<f64, 84, 120>,
        b2: Tensor1<f64, 84>,
        w3: Tensor2<f64, 10, 84>,
        b3: Tensor1<f64, 10>,
    }

    #[differentiable]
    fn features<const B: usize>(p: &LeNet, #[no_diff] x: &Tensor4<f64, B, 1, 28, 28>) -> Tensor2<f64, B, 400> {
        let h = x.conv2d(p.k1, Conv2d { padding: [2, 2], ..Default::default() }) + p.c1.reshape([6, 1, 1]);
        let h = h.relu().max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() });
        let h = h.conv2d(p.k2, Conv2d::default()) + p.c2.reshape([16, 1, 1]);
        h.relu().max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() }).reshape([B, 400])
    }

    #[differentiable]
    fn loss<const B: usize>(p: &LeNet, #[no_diff] x: &Tensor4<f64, B, 1, 28, 28>, labels: &[usize; B]) -> f64 {
        let h = features(p, x);
        let h = (h.matmul(p.w1.t()) + p.b1).relu();
        let h = (h.matmul(p.w2.t()) + p.b2).relu();
        (h.matmul(p.w3.t()) + p.b3).cross_entropy(labels)
    }

    const ZEROS: LeNet = LeNet {
        k1: Tensor::zeros(),
        c1: Tensor::zeros(),
        k2: Tensor::zeros(),
        c2: Tensor::zeros(),
        w1: Tensor::zeros(),
        b1: Tensor::zeros(),
        w2: Tensor::zeros(),
        b2: Tensor::zeros(),
        w3: Tensor::zeros(),
        b3: Tensor::zeros(),
    };
    static PARAMS: Mutex<LeNet> = Mutex::new(ZEROS);

    fn check<const B: usize>(case: &str) {
        let full = Full::read(case);
        let mut p = PARAMS.lock().expect("no failure elsewhere");
        full.fill_all(&mut *p);
        let mut x = Tensor4::boxed_zeros();
        full.fill("x", x.as_mut_slice());
        let labels = std::array::from_fn(|j| (7 * j + 3) % 10);
        let mut gradient = p.zero_tangent();
        let value = loss::<{ B }>::value_and_grad_into(&p, &x, &labels, &mut gradient);
        close("loss", &[value], &[full.loss()]);
        full.same_gradient(&gradient);
    }

    #[test]
    fn w4_lenet_of_one() {
        check::<1>("W4_b1");
    }

    #[test]
    fn w4_lenet_of_32() {
        on_a_main_stack(|| check::<32>("W4_b32"));
    }
}
