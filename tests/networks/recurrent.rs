//! Recurrent networks over a sequence: a loop over time that carries the hidden state.

use super::common::{assert_gradient, inner};
use autodiff::prelude::*;

const TIME: usize = 6;
const BATCH: usize = 2;
const INPUT: usize = 3;
const HIDDEN: usize = 4;

/// Steps in time, each with a row for every element of the batch.
fn sequence() -> [[[f64; INPUT]; BATCH]; TIME] {
    std::array::from_fn(|t| std::array::from_fn(|n| std::array::from_fn(|i| (1.1 * (7 * t + 3 * n + i) as f64).sin())))
}

fn fill<P: Differentiable<Scalar = f64>>(tree: &mut P) {
    let mut k = 0.0;
    tree.map_leaves(&mut |data| {
        for x in data {
            k += 1.0;
            *x = (0.9_f64 * k * k).sin() / 2.0;
        }
    });
}

#[derive(Differentiable, Clone)]
struct Gru {
    w_ih: Tensor2<f64, 12, INPUT>,
    w_hh: Tensor2<f64, 12, HIDDEN>,
    b_ih: Tensor1<f64, 12>,
    b_hh: Tensor1<f64, 12>,
    start: Tensor2<f64, BATCH, HIDDEN>,
    out: Tensor2<f64, HIDDEN, 2>,
}

/// The mean error of what is read off every state.
#[differentiable]
fn gru(p: &Gru, x: &[[[f64; INPUT]; BATCH]; TIME], #[no_diff] y: &Tensor2<f64, BATCH, 2>) -> f64 {
    let mut h = p.start;
    let mut error = 0.0;
    for t in 0..TIME {
        h = gru_cell(Tensor2::from(x[t]), h, p.w_ih, p.w_hh, p.b_ih, p.b_hh);
        error += h.matmul(p.out).mse(y);
    }
    error / 6.0
}

#[test]
fn gru_over_a_sequence() {
    let mut p = Gru {
        w_ih: Tensor::zeros(),
        w_hh: Tensor::zeros(),
        b_ih: Tensor::zeros(),
        b_hh: Tensor::zeros(),
        start: Tensor::zeros(),
        out: Tensor::zeros(),
    };
    fill(&mut p);
    let (x, y) = (sequence(), Tensor2::from([[0.3, -0.2], [0.1, 0.4]]));
    let (value, (p_bar, x_bar)) = gru::value_and_grad(&p, &x, &y);
    assert_eq!(value, gru(&p, &x, &y));
    assert_gradient(&p, &p_bar, |p| gru(p, &x, &y));
    assert_gradient(&x, &x_bar, |x| gru(&p, x, &y));

    let (mut p_dot, mut x_dot) = (p.zero_tangent(), x);
    fill(&mut p_dot);
    fill(&mut x_dot);
    let (_, slope) = gru::jvp(&p, &x, &y, &p_dot, &x_dot);
    let expected = inner(&p_bar, &p_dot) + inner(&x_bar, &x_dot);
    assert!((slope - expected).abs() < 1e-12 * expected.abs().max(1.0), "{slope} is not {expected}");
}

#[derive(Differentiable, Clone)]
struct Lstm {
    w_ih: Tensor2<f64, 16, INPUT>,
    w_hh: Tensor2<f64, 16, HIDDEN>,
    b: Tensor1<f64, 16>,
    out: Tensor1<f64, HIDDEN>,
}

/// Two states are carried, from zeros; the last one is read.
#[differentiable]
fn lstm(p: &Lstm, #[no_diff] x: &[[[f64; INPUT]; BATCH]; TIME]) -> f64 {
    let mut h: Tensor2<f64, BATCH, HIDDEN> = Tensor2::zeros();
    let mut c: Tensor2<f64, BATCH, HIDDEN> = Tensor2::zeros();
    for t in 0..TIME {
        (h, c) = lstm_cell(Tensor2::from(x[t]), h, c, p.w_ih, p.w_hh, p.b);
    }
    h.matmul(p.out).square().sum()
}

/// One step as users write it themselves.
#[differentiable]
fn step(
    p: &Lstm,
    #[no_diff] x: &Tensor2<f64, BATCH, INPUT>,
    h: &Tensor2<f64, BATCH, HIDDEN>,
    c: &Tensor2<f64, BATCH, HIDDEN>,
) -> (Tensor2<f64, BATCH, HIDDEN>, Tensor2<f64, BATCH, HIDDEN>) {
    let gates = x.matmul(p.w_ih.t()) + h.matmul(p.w_hh.t()) + p.b;
    let i = gates.narrow(1, 0, 4).sigmoid();
    let f = gates.narrow(1, 4, 4).sigmoid();
    let g = gates.narrow(1, 8, 4).tanh();
    let o = gates.narrow(1, 12, 4).sigmoid();
    let c = f * c + i * g;
    (o * c.tanh(), c)
}

#[differentiable]
fn lstm_by_steps(p: &Lstm, #[no_diff] x: &[[[f64; INPUT]; BATCH]; TIME]) -> f64 {
    let mut h: Tensor2<f64, BATCH, HIDDEN> = Tensor2::zeros();
    let mut c: Tensor2<f64, BATCH, HIDDEN> = Tensor2::zeros();
    for t in 0..TIME {
        let x_t = Tensor2::from(x[t]);
        (h, c) = step(p, &x_t, &h, &c);
    }
    h.matmul(p.out).square().sum()
}

#[test]
fn lstm_over_a_sequence() {
    let mut p = Lstm { w_ih: Tensor::zeros(), w_hh: Tensor::zeros(), b: Tensor::zeros(), out: Tensor::zeros() };
    fill(&mut p);
    let x = sequence();
    let (value, p_bar) = lstm::value_and_grad(&p, &x);
    assert_eq!(value, lstm(&p, &x));
    assert_gradient(&p, &p_bar, |p| lstm(p, &x));
    let (other, other_bar) = lstm_by_steps::value_and_grad(&p, &x);
    assert!((value - other).abs() < 1e-14);
    p_bar.zip_leaves(&other_bar, &mut |a, b| {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-13, "{a} is not {b}");
        }
    });
}
