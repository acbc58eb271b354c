//! Perceptrons: layers of `I`, `A`, `B` and `O` numbers.

use crate::compare::{Suite, assert_similar, numbers, way};
use crate::vectors::{Matrix, cross_entropy, gelu, product, tanh, vectorized};
use autodiff::prelude::*;
use std::hint::black_box;

#[derive(Differentiable, Clone, Debug)]
pub struct Net<const I: usize, const A: usize, const B: usize, const O: usize> {
    w1: Tensor2<f32, I, A>,
    b1: Tensor1<f32, A>,
    w2: Tensor2<f32, A, B>,
    b2: Tensor1<f32, B>,
    w3: Tensor2<f32, B, O>,
    b3: Tensor1<f32, O>,
}

#[differentiable]
fn with_tanh<const N: usize>(
    p: &Net<4, 16, 16, 1>,
    #[no_diff] x: &Tensor2<f32, N, 4>,
    #[no_diff] y: &Tensor2<f32, N, 1>,
) -> f32 {
    let h = (x.matmul(p.w1) + p.b1).tanh();
    let h = (h.matmul(p.w2) + p.b2).tanh();
    (h.matmul(p.w3) + p.b3).mse(y)
}

#[differentiable]
fn with_relu<const N: usize>(p: &Net<64, 128, 64, 10>, #[no_diff] x: &Tensor2<f32, N, 64>, labels: &[usize; N]) -> f32 {
    let h = (x.matmul(p.w1) + p.b1).relu();
    let h = (h.matmul(p.w2) + p.b2).relu();
    (h.matmul(p.w3) + p.b3).cross_entropy(labels)
}

#[differentiable]
fn with_gelu<const N: usize>(p: &Net<64, 128, 64, 10>, #[no_diff] x: &Tensor2<f32, N, 64>, labels: &[usize; N]) -> f32 {
    let h = (x.matmul(p.w1) + p.b1).gelu();
    let h = (h.matmul(p.w2) + p.b2).gelu();
    (h.matmul(p.w3) + p.b3).cross_entropy(labels)
}

#[differentiable]
fn wide<const N: usize>(p: &Net<784, 128, 64, 10>, #[no_diff] x: &Tensor2<f32, N, 784>, labels: &[usize; N]) -> f32 {
    let h = (x.matmul(p.w1) + p.b1).relu();
    let h = (h.matmul(p.w2) + p.b2).relu();
    (h.matmul(p.w3) + p.b3).cross_entropy(labels)
}

/// What is between the layers.
#[derive(Clone, Copy, PartialEq)]
enum Activation {
    Tanh,
    Relu,
    Gelu,
}

/// What a step by hand needs: made once.
struct Workspace<const N: usize, const A: usize, const B: usize, const O: usize> {
    h1: [[f32; A]; N],
    slope1: [[f32; A]; N],
    h2: [[f32; B]; N],
    slope2: [[f32; B]; N],
    y: [[f32; O]; N],
    h1_bar: [[f32; A]; N],
    h2_bar: [[f32; B]; N],
}

/// Adds the bias and applies the activation, with its derivative.
#[inline(always)]
fn activate<const N: usize, const W: usize>(
    h: &mut [[f32; W]; N],
    bias: &[f32; W],
    slopes: &mut [[f32; W]; N],
    activation: Activation,
) {
    for (h, slopes) in h.iter_mut().zip(slopes) {
        for ((h, slope), bias) in h.iter_mut().zip(slopes).zip(bias) {
            let x = *h + bias;
            (*h, *slope) = match activation {
                Activation::Tanh => {
                    let y = tanh(x);
                    (y, 1.0 - y * y)
                }
                Activation::Relu => (x.max(0.0), f32::from(u8::from(x > 0.0))),
                Activation::Gelu => gelu(x),
            };
        }
    }
}

/// Multiplies by the slopes, and sums over the batch.
#[inline(always)]
fn activate_reverse<const N: usize, const W: usize>(
    bar: &mut [[f32; W]; N],
    slopes: &[[f32; W]; N],
    bias_bar: &mut [f32; W],
) {
    *bias_bar = [0.0; W];
    for (bar, slopes) in bar.iter_mut().zip(slopes) {
        for ((bar, slope), bias_bar) in bar.iter_mut().zip(slopes).zip(&mut *bias_bar) {
            *bar *= slope;
            *bias_bar += *bar;
        }
    }
}

/// Whether a product is worth the call of a library.
const fn is_large(batch: usize, inputs: usize, outputs: usize) -> bool {
    batch > 1 && inputs * outputs > 512
}

/// `y = x·w`. A small product is a sum of rows.
#[inline(always)]
fn forward<const N: usize, const I: usize, const O: usize>(
    x: &[[f32; I]; N],
    w: &[[f32; O]; I],
    y: &mut [[f32; O]; N],
) {
    if is_large(N, I, O) {
        return product(Matrix::new(x), Matrix::new(w), y, false);
    }
    {
        for (x, y) in x.iter().zip(y) {
            let mut sums = [0.0; O];
            for (x, w) in x.iter().zip(w) {
                sums.iter_mut().zip(w).for_each(|(y, w)| *y += x * w);
            }
            *y = sums;
        }
    }
}

/// `w̄ = xᵀ·ȳ`.
#[inline(always)]
fn weights<const N: usize, const I: usize, const O: usize>(
    x: &[[f32; I]; N],
    y_bar: &[[f32; O]; N],
    w_bar: &mut [[f32; O]; I],
) {
    if is_large(N, I, O) {
        return product(Matrix::new(x).t(), Matrix::new(y_bar), w_bar, false);
    }
    {
        for (i, w_bar) in w_bar.iter_mut().enumerate() {
            let mut sums = [0.0; O];
            for (x, y_bar) in x.iter().zip(y_bar) {
                sums.iter_mut().zip(y_bar).for_each(|(sum, y_bar)| *sum += x[i] * y_bar);
            }
            *w_bar = sums;
        }
    }
}

/// `x̄ = ȳ·wᵀ`.
#[inline(always)]
fn inputs<const N: usize, const I: usize, const O: usize>(
    y_bar: &[[f32; O]; N],
    w: &[[f32; O]; I],
    x_bar: &mut [[f32; I]; N],
) {
    if is_large(N, I, O) {
        return product(Matrix::new(y_bar), Matrix::new(w).t(), x_bar, false);
    }
    {
        for (y_bar, x_bar) in y_bar.iter().zip(x_bar) {
            for (w, x_bar) in w.iter().zip(x_bar) {
                let mut sums = [0.0; 16];
                let ((w, w_rest), (y_bar, y_rest)) = (w.as_chunks::<16>(), y_bar.as_chunks::<16>());
                for (w, y_bar) in w.iter().zip(y_bar) {
                    sums.iter_mut().zip(w).zip(y_bar).for_each(|((sum, w), y_bar)| *sum += w * y_bar);
                }
                *x_bar = sums.iter().sum::<f32>() + w_rest.iter().zip(y_rest).map(|(w, y)| w * y).sum::<f32>();
            }
        }
    }
}

impl<const N: usize, const A: usize, const B: usize, const O: usize> Workspace<N, A, B, O> {
    fn new() -> Box<Self> {
        Box::new(Workspace {
            h1: [[0.0; A]; N],
            slope1: [[0.0; A]; N],
            h2: [[0.0; B]; N],
            slope2: [[0.0; B]; N],
            y: [[0.0; O]; N],
            h1_bar: [[0.0; A]; N],
            h2_bar: [[0.0; B]; N],
        })
    }

    /// Value and gradient. `loss` replaces outputs by their cotangents.
    #[inline(always)]
    fn step<const I: usize>(
        &mut self,
        p: &Net<I, A, B, O>,
        x: &[[f32; I]; N],
        activation: Activation,
        g: &mut NetTangent<I, A, B, O>,
        loss: impl FnOnce(&mut [[f32; O]; N]) -> f32,
    ) -> f32 {
        let Workspace { h1, slope1, h2, slope2, y, h1_bar, h2_bar } = self;
        forward(x, &p.w1.0, h1);
        activate(h1, &p.b1.0, slope1, activation);
        forward(h1, &p.w2.0, h2);
        activate(h2, &p.b2.0, slope2, activation);
        forward(h2, &p.w3.0, y);
        let value = {
            for y in &mut *y {
                y.iter_mut().zip(&p.b3.0).for_each(|(y, bias)| *y += bias);
            }
            let value = loss(y);
            activate_reverse(y, &[[1.0; O]; N], &mut g.b3.0);
            value
        };
        weights(h2, y, &mut g.w3.0);
        inputs(y, &p.w3.0, h2_bar);
        activate_reverse(h2_bar, slope2, &mut g.b2.0);
        weights(h1, h2_bar, &mut g.w2.0);
        inputs(h2_bar, &p.w2.0, h1_bar);
        activate_reverse(h1_bar, slope1, &mut g.b1.0);
        weights(x, h1_bar, &mut g.w1.0);
        value
    }
}

#[inline(always)]
fn mse<const N: usize>(y: &mut [[f32; 1]; N], targets: &[[f32; 1]; N]) -> f32 {
    let mut value = 0.0;
    for (y, target) in y.iter_mut().zip(targets) {
        let error = y[0] - target[0];
        value += error * error;
        y[0] = 2.0 * error / N as f32;
    }
    value / N as f32
}

fn net<const I: usize, const A: usize, const B: usize, const O: usize>(
    next: &mut impl FnMut() -> f32,
) -> Net<I, A, B, O> {
    let scale = |inputs: usize| 1.0 / (inputs as f32).sqrt();
    Net {
        w1: Tensor::from_fn(|_: [usize; 2]| scale(I) * next()),
        b1: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
        w2: Tensor::from_fn(|_: [usize; 2]| scale(A) * next()),
        b2: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
        w3: Tensor::from_fn(|_: [usize; 2]| scale(B) * next()),
        b3: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
    }
}

vectorized! {
    fn tanh_by_hand[const N: usize](
        workspace: &mut Workspace<N, 16, 16, 1>,
        p: &Net<4, 16, 16, 1>,
        x: &[[f32; 4]; N],
        y: &[[f32; 1]; N],
        g: &mut NetTangent<4, 16, 16, 1>,
    ) -> f32 = |workspace: &mut Workspace<N, 16, 16, 1>, p, x, y, g| workspace.step(p, x, Activation::Tanh, g, |out| mse(out, y));
}

vectorized! {
    fn classifier_by_hand[const N: usize, const I: usize](
        workspace: &mut Workspace<N, 128, 64, 10>,
        p: &Net<I, 128, 64, 10>,
        x: &[[f32; I]; N],
        labels: &[usize; N],
        activation: Activation,
        g: &mut NetTangent<I, 128, 64, 10>,
    ) -> f32 = |workspace: &mut Workspace<N, 128, 64, 10>, p, x, labels, activation, g| {
        workspace.step(p, x, activation, g, |out| cross_entropy(out, labels))
    };
}

pub fn bench_tanh<const N: usize>(suite: &mut Suite) {
    let mut next = numbers();
    let p = net::<4, 16, 16, 1>(&mut next);
    let (x, y) = (Tensor2::<f32, N, 4>::from_fn(|_| next()), Tensor2::<f32, N, 1>::from_fn(|_| next()));
    let (mut g, mut h, mut workspace) = (p.zero_tangent(), p.zero_tangent(), Workspace::<N, 16, 16, 1>::new());
    let mut by_hand = |h: &mut _| tanh_by_hand(&mut workspace, black_box(&p), &x.0, &y.0, h);
    let (value, other) = (with_tanh::value_and_grad_into(&p, &x, &y, &mut g), by_hand(&mut h));
    assert!((value - other).abs() < 1e-5 * value);
    assert_similar(&g, &h);
    suite.compare(
        &format!("4-16-16-1 tanh, batch {N}"),
        &mut [
            way("gradient", || with_tanh::value_and_grad_into(black_box(&p), &x, &y, black_box(&mut g))),
            way("by hand", || by_hand(black_box(&mut h))),
        ],
    );
}

/// A network for ten classes, as it is written and by hand.
macro_rules! classifier {
    ($name:ident, $f:ident, $title:literal, $i:literal, $activation:ident) => {
        pub fn $name<const N: usize>(suite: &mut Suite) {
            let mut next = numbers();
            let p = Box::new(net::<$i, 128, 64, 10>(&mut next));
            let mut x = Tensor2::<f32, N, $i>::boxed_zeros();
            x.as_mut_slice().fill_with(&mut next);
            let labels: [usize; N] = std::array::from_fn(|i| 7 * i % 10);
            let (mut g, mut h) = (Box::new(p.zero_tangent()), Box::new(p.zero_tangent()));
            let mut workspace = Workspace::<N, 128, 64, 10>::new();
            let mut by_hand = |h: &mut _| {
                classifier_by_hand(&mut workspace, black_box(&p), &x.0, &labels, Activation::$activation, h)
            };
            let (value, other) = ($f::value_and_grad_into(&p, &x, &labels, &mut g), by_hand(&mut *h));
            assert!((value - other).abs() < 1e-5 * value);
            assert_similar(&*g, &*h);
            suite.compare(
                &format!($title, N),
                &mut [
                    way("gradient", || $f::value_and_grad_into(black_box(&p), &x, &labels, black_box(&mut g))),
                    way("by hand", || by_hand(black_box(&mut *h))),
                ],
            );
        }
    };
}
classifier!(bench_relu, with_relu, "64-128-64-10 relu, batch {}", 64, Relu);
classifier!(bench_gelu, with_gelu, "64-128-64-10 gelu, batch {}", 64, Gelu);
classifier!(bench_wide, wide, "784-128-64-10 relu, batch {}", 784, Relu);
