//! The gradient step of `examples/digits.rs`: three layers, a batch of 32.

use crate::compare::{Suite, assert_similar, numbers, way};
use autodiff::kernel;
use autodiff::prelude::*;
use std::hint::black_box;

#[derive(Differentiable, Clone, Debug)]
struct Mlp {
    w1: Tensor2<f32, 64, 128>,
    b1: Tensor1<f32, 128>,
    w2: Tensor2<f32, 128, 64>,
    b2: Tensor1<f32, 64>,
    w3: Tensor2<f32, 64, 10>,
    b3: Tensor1<f32, 10>,
}
type Gradient = <Mlp as Differentiable>::Tangent;

#[differentiable]
fn logits<const B: usize>(p: &Mlp, #[no_diff] x: &Tensor2<f32, B, 64>) -> Tensor2<f32, B, 10> {
    let h = (x.matmul(p.w1) + p.b1).relu();
    let h = (h.matmul(p.w2) + p.b2).relu();
    h.matmul(p.w3) + p.b3
}

#[differentiable]
fn loss<const B: usize>(p: &Mlp, #[no_diff] x: &Tensor2<f32, B, 64>, labels: &[usize; B]) -> f32 {
    logits(p, x).cross_entropy(labels)
}

/// `h_bar` becomes the cotangent before the activation; its sum over the batch that of the bias.
pub fn relu_reverse<const B: usize, const N: usize>(
    h: &[[f32; N]; B],
    h_bar: &mut [[f32; N]; B],
    bias_bar: &mut [f32; N],
) {
    *bias_bar = [0.0; N];
    for (h, h_bar) in h.iter().zip(h_bar) {
        for ((h, h_bar), bias_bar) in h.iter().zip(h_bar).zip(bias_bar.iter_mut()) {
            *h_bar = if *h > 0.0 { *h_bar } else { 0.0 };
            *bias_bar += *h_bar;
        }
    }
}

/// The mean cross entropy of the rows of `y`, which become their cotangents `(softmax(y) - onehot(labels)) / B`; the sum of
/// those over the batch is that of the bias.
pub fn cross_entropy<const B: usize>(y: &mut [[f32; 10]; B], labels: &[usize; B], bias_bar: &mut [f32; 10]) -> f32 {
    let mut value = 0.0;
    *bias_bar = [0.0; 10];
    for (y, label) in y.iter_mut().zip(labels) {
        let max = y.iter().fold(f32::NEG_INFINITY, |max, y| max.max(*y));
        let chosen = y[*label] - max;
        let mut sum = 0.0;
        for y in y.iter_mut() {
            *y = (*y - max).exp();
            sum += *y;
        }
        value += sum.ln() - chosen;
        let scale = 1.0 / (sum * B as f32);
        for y in y.iter_mut() {
            *y *= scale;
        }
        y[*label] -= 1.0 / B as f32;
        for (bias_bar, y_bar) in bias_bar.iter_mut().zip(y) {
            *bias_bar += *y_bar;
        }
    }
    value / B as f32
}

/// With the same kernels, which add to their results: a layer starts with its bias, and activations and
/// cotangents are overwritten in place.
fn by_hand<const B: usize>(p: &Mlp, x: &Tensor2<f32, B, 64>, labels: &[usize; B], g: &mut Gradient) -> f32 {
    fn relu<const B: usize, const N: usize>(h: &mut [[f32; N]; B]) {
        for x in h.as_flattened_mut() {
            *x = x.max(0.0);
        }
    }
    let mut h1 = [p.b1.0; B];
    kernel::matmul(&x.0, &p.w1.0, &mut h1);
    relu(&mut h1);
    let mut h2 = [p.b2.0; B];
    kernel::matmul(&h1, &p.w2.0, &mut h2);
    relu(&mut h2);
    let mut y = [p.b3.0; B];
    kernel::matmul(&h2, &p.w3.0, &mut y);

    let value = cross_entropy(&mut y, labels, &mut g.b3.0);
    let mut h2_bar = [[0.0; 64]; B];
    kernel::matmul_nt(&y, &p.w3.0, &mut h2_bar);
    relu_reverse(&h2, &mut h2_bar, &mut g.b2.0);
    let mut h1_bar = [[0.0; 128]; B];
    kernel::matmul_nt(&h2_bar, &p.w2.0, &mut h1_bar);
    relu_reverse(&h1, &mut h1_bar, &mut g.b1.0);
    g.w3.0 = [[0.0; 10]; 64];
    kernel::matmul_tn(&h2, &y, &mut g.w3.0);
    g.w2.0 = [[0.0; 64]; 128];
    kernel::matmul_tn(&h1, &h2_bar, &mut g.w2.0);
    g.w1.0 = [[0.0; 128]; 64];
    kernel::matmul_tn(&x.0, &h1_bar, &mut g.w1.0);
    value
}

pub fn bench(suite: &mut Suite) {
    const B: usize = 32;
    let mut next = numbers();
    let p = Mlp {
        w1: Tensor::from_fn(|_: [usize; 2]| 0.3 * next()),
        b1: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
        w2: Tensor::from_fn(|_: [usize; 2]| 0.2 * next()),
        b2: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
        w3: Tensor::from_fn(|_: [usize; 2]| 0.3 * next()),
        b3: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
    };
    let x = Tensor2::<f32, B, 64>::from_fn(|_| next());
    let labels: [usize; B] = std::array::from_fn(|i| 7 * i % 10);

    let (mut g, mut h) = (p.zero_tangent(), p.zero_tangent());
    let value = loss::value_and_grad_into(&p, &x, &labels, &mut g);
    let other = by_hand(&p, &x, &labels, &mut h);
    assert!((value - other).abs() < 1e-5);
    assert_similar(&g, &h);

    suite.compare(
        "digits",
        &mut [
            way("gradient", || {
                let value = loss::value_and_grad_into(black_box(&p), &x, &labels, &mut g);
                black_box(&mut g);
                value
            }),
            way("value alone", || loss(black_box(&p), &x, &labels)),
            way("by hand", || {
                let value = by_hand(black_box(&p), &x, &labels, &mut h);
                black_box(&mut h);
                value
            }),
        ],
    );
}
