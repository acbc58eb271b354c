//! A transformer block: 32 tokens of width 64, 4 heads, 256 units inside, `f32`; the loss is the sum of the squares.

use crate::compare::{Suite, assert_similar, numbers, way};
use autodiff::kernel;
use autodiff::prelude::*;
use std::hint::black_box;

const S: usize = 32;
const D: usize = 64;
const H: usize = 4;
const W: usize = D / H;
const F: usize = 256;

#[derive(Differentiable, Clone, Debug)]
struct Block {
    scale1: Tensor1<f32, D>,
    shift1: Tensor1<f32, D>,
    q: Tensor2<f32, D, D>,
    k: Tensor2<f32, D, D>,
    v: Tensor2<f32, D, D>,
    o: Tensor2<f32, D, D>,
    scale2: Tensor1<f32, D>,
    shift2: Tensor1<f32, D>,
    w1: Tensor2<f32, D, F>,
    b1: Tensor1<f32, F>,
    w2: Tensor2<f32, F, D>,
    b2: Tensor1<f32, D>,
}
type Gradient = <Block as Differentiable>::Tangent;

#[differentiable]
fn attend(p: &Block, #[no_diff] x: &Tensor2<f32, S, D>) -> Tensor2<f32, S, D> {
    let h = x.layer_norm(p.scale1, p.shift1, 1e-5);
    let q = h.matmul(p.q).reshape([S, H, W]).permute([1, 0, 2]);
    let k = h.matmul(p.k).reshape([S, H, W]).permute([1, 0, 2]);
    let v = h.matmul(p.v).reshape([S, H, W]).permute([1, 0, 2]);
    let seen = attention_causal(q, k, v).permute([1, 0, 2]).reshape([S, D]);
    x + seen.matmul(p.o)
}

#[differentiable]
fn loss(p: &Block, #[no_diff] x: &Tensor2<f32, S, D>) -> f32 {
    let x = attend(p, x);
    let h = x.layer_norm(p.scale2, p.shift2, 1e-5);
    let y = x + (h.matmul(p.w1) + p.b1).gelu_tanh().matmul(p.w2) + p.b2;
    (y * y).sum()
}

type Tokens = [[f32; D]; S];

/// `normal · scale + shift`, the normalised rows, and what each was multiplied by.
fn norm(x: &Tokens, scale: &[f32; D], shift: &[f32; D]) -> (Tokens, Tokens, [f32; S]) {
    let (mut y, mut normal, mut inverses) = ([[0.0; D]; S], [[0.0; D]; S], [0.0; S]);
    for i in 0..S {
        let mean = x[i].iter().sum::<f32>() / D as f32;
        let variance = x[i].iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / D as f32;
        inverses[i] = 1.0 / (variance + 1e-5).sqrt();
        for j in 0..D {
            normal[i][j] = (x[i][j] - mean) * inverses[i];
            y[i][j] = normal[i][j] * scale[j] + shift[j];
        }
    }
    (y, normal, inverses)
}

/// Adds to the cotangents of scale and shift.
fn norm_reverse(normal: &Tokens, y_bar: &Tokens, scale_bar: &mut [f32; D], shift_bar: &mut [f32; D]) {
    for (normal, y_bar) in normal.iter().zip(y_bar) {
        for j in 0..D {
            scale_bar[j] += normal[j] * y_bar[j];
            shift_bar[j] += y_bar[j];
        }
    }
}

fn head(x: &Tokens, h: usize) -> [[f32; W]; S] {
    std::array::from_fn(|i| std::array::from_fn(|j| x[i][h * W + j]))
}

fn put(part: &[[f32; W]; S], h: usize, x: &mut Tokens) {
    for (x, part) in x.iter_mut().zip(part) {
        x[h * W..(h + 1) * W].copy_from_slice(part);
    }
}

/// What is seen of later tokens is not computed, the weights of a row are divided once, and `tanh` and the derivative of
/// GELU share what they have in common.
fn by_hand(p: &Block, x: &Tokens, g: &mut Gradient) -> f32 {
    let root = 1.0 / (W as f32).sqrt();
    let (h1, normal1, _) = norm(x, &p.scale1.0, &p.shift1.0);
    let (mut q, mut k, mut v) = ([[0.0; D]; S], [[0.0; D]; S], [[0.0; D]; S]);
    kernel::matmul(&h1, &p.q.0, &mut q);
    kernel::matmul(&h1, &p.k.0, &mut k);
    kernel::matmul(&h1, &p.v.0, &mut v);
    let (mut weights, mut seen) = ([[[0.0; S]; S]; H], [[0.0; D]; S]);
    for (h, weights) in weights.iter_mut().enumerate() {
        kernel::matmul_nt(&head(&q, h), &head(&k, h), weights);
        for (i, row) in weights.iter_mut().enumerate() {
            let (now, later) = row.split_at_mut(i + 1);
            let max = now.iter().fold(f32::MIN, |max, x| max.max(*x));
            let mut sum = 0.0;
            for x in now.iter_mut() {
                *x = ((*x - max) * root).exp();
                sum += *x;
            }
            now.iter_mut().for_each(|x| *x /= sum);
            later.fill(0.0);
        }
        let mut part = [[0.0; W]; S];
        kernel::matmul(weights, &head(&v, h), &mut part);
        put(&part, h, &mut seen);
    }
    let mut x1 = *x;
    kernel::matmul(&seen, &p.o.0, &mut x1);

    let (h2, normal2, inverses2) = norm(&x1, &p.scale2.0, &p.shift2.0);
    let mut inner = [p.b1.0; S];
    kernel::matmul(&h2, &p.w1.0, &mut inner);
    let mut slopes = [[0.0; F]; S];
    for (x, slope) in inner.as_flattened_mut().iter_mut().zip(slopes.as_flattened_mut()) {
        let c = (2.0 / std::f32::consts::PI).sqrt();
        let t = (c * (*x + 0.044_715 * *x * *x * *x)).tanh();
        *slope = 0.5 * (1.0 + t) + 0.5 * *x * (1.0 - t * t) * c * (1.0 + 3.0 * 0.044_715 * *x * *x);
        *x *= 0.5 * (1.0 + t);
    }
    let mut y = x1;
    for y in &mut y {
        y.iter_mut().zip(&p.b2.0).for_each(|(y, b)| *y += b);
    }
    kernel::matmul(&inner, &p.w2.0, &mut y);

    *g = GRADIENT;
    let mut value = 0.0;
    for y in &mut y {
        for (y, b2_bar) in y.iter_mut().zip(&mut g.b2.0) {
            value += *y * *y;
            *y *= 2.0;
            *b2_bar += *y;
        }
    }
    let y_bar = y;
    kernel::matmul_tn(&inner, &y_bar, &mut g.w2.0);
    let mut inner_bar = [[0.0; F]; S];
    kernel::matmul_nt(&y_bar, &p.w2.0, &mut inner_bar);
    for (bar, slope) in inner_bar.iter_mut().zip(&slopes) {
        for ((bar, slope), b1_bar) in bar.iter_mut().zip(slope).zip(&mut g.b1.0) {
            *bar *= slope;
            *b1_bar += *bar;
        }
    }
    kernel::matmul_tn(&h2, &inner_bar, &mut g.w1.0);
    let mut h2_bar = [[0.0; D]; S];
    kernel::matmul_nt(&inner_bar, &p.w1.0, &mut h2_bar);
    norm_reverse(&normal2, &h2_bar, &mut g.scale2.0, &mut g.shift2.0);
    let mut x1_bar = y_bar;
    for i in 0..S {
        let bar: [f32; D] = std::array::from_fn(|j| h2_bar[i][j] * p.scale2.0[j]);
        let mean = bar.iter().sum::<f32>() / D as f32;
        let along = bar.iter().zip(&normal2[i]).map(|(a, b)| a * b).sum::<f32>() / D as f32;
        for j in 0..D {
            x1_bar[i][j] += inverses2[i] * (bar[j] - mean - normal2[i][j] * along);
        }
    }

    kernel::matmul_tn(&seen, &x1_bar, &mut g.o.0);
    let mut seen_bar = [[0.0; D]; S];
    kernel::matmul_nt(&x1_bar, &p.o.0, &mut seen_bar);
    let (mut q_bar, mut k_bar, mut v_bar) = ([[0.0; D]; S], [[0.0; D]; S], [[0.0; D]; S]);
    for (h, weights) in weights.iter().enumerate() {
        let part_bar = head(&seen_bar, h);
        let mut part = [[0.0; W]; S];
        kernel::matmul_tn(weights, &part_bar, &mut part);
        put(&part, h, &mut v_bar);
        let mut bars = [[0.0; S]; S];
        kernel::matmul_nt(&part_bar, &head(&v, h), &mut bars);
        for (bars, weights) in bars.iter_mut().zip(weights) {
            let along: f32 = bars.iter().zip(weights).map(|(a, b)| a * b).sum();
            bars.iter_mut().zip(weights).for_each(|(bar, weight)| *bar = root * weight * (*bar - along));
        }
        let mut part = [[0.0; W]; S];
        kernel::matmul(&bars, &head(&k, h), &mut part);
        put(&part, h, &mut q_bar);
        let mut part = [[0.0; W]; S];
        kernel::matmul_tn(&bars, &head(&q, h), &mut part);
        put(&part, h, &mut k_bar);
    }
    let mut h1_bar = [[0.0; D]; S];
    for (bar, weights, weights_bar) in
        [(&q_bar, &p.q.0, &mut g.q.0), (&k_bar, &p.k.0, &mut g.k.0), (&v_bar, &p.v.0, &mut g.v.0)]
    {
        kernel::matmul_tn(&h1, bar, weights_bar);
        kernel::matmul_nt(bar, weights, &mut h1_bar);
    }
    norm_reverse(&normal1, &h1_bar, &mut g.scale1.0, &mut g.shift1.0);
    value
}

const GRADIENT: Gradient = Gradient {
    scale1: Tensor::zeros(),
    shift1: Tensor::zeros(),
    q: Tensor::zeros(),
    k: Tensor::zeros(),
    v: Tensor::zeros(),
    o: Tensor::zeros(),
    scale2: Tensor::zeros(),
    shift2: Tensor::zeros(),
    w1: Tensor::zeros(),
    b1: Tensor::zeros(),
    w2: Tensor::zeros(),
    b2: Tensor::zeros(),
};

pub fn bench(suite: &mut Suite) {
    let mut next = numbers();
    let mut matrix = || Tensor2::from_fn(|_: [usize; 2]| 0.2 * next());
    let [q, k, v, o] = std::array::from_fn(|_| matrix());
    let p = Block {
        scale1: Tensor::from_fn(|_: [usize; 1]| 1.0 + 0.1 * next()),
        shift1: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
        q,
        k,
        v,
        o,
        scale2: Tensor::from_fn(|_: [usize; 1]| 1.0 + 0.1 * next()),
        shift2: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
        w1: Tensor::from_fn(|_: [usize; 2]| 0.2 * next()),
        b1: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
        w2: Tensor::from_fn(|_: [usize; 2]| 0.1 * next()),
        b2: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
    };
    let x = Tensor2::<f32, S, D>::from_fn(|_| next());

    let (mut g, mut h) = (p.zero_tangent(), p.zero_tangent());
    let value = loss::value_and_grad_into(&p, &x, &mut g);
    let other = by_hand(&p, &x.0, &mut h);
    assert!((value - other).abs() < 1e-4 * value);
    assert_similar(&g, &h);

    suite.compare(
        "attention",
        &mut [
            way("gradient", || {
                let value = loss::value_and_grad_into(black_box(&p), &x, &mut g);
                black_box(&mut g);
                value
            }),
            way("value alone", || loss(black_box(&p), &x)),
            way("by hand", || {
                let value = by_hand(black_box(&p), &x.0, &mut h);
                black_box(&mut h);
                value
            }),
        ],
    );
}
