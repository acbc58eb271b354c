//! An element-wise chain with two broadcasts and a sum: y = Σ (a·b + c).

use crate::compare::{Suite, assert_close, way};
use autodiff::prelude::*;
use std::hint::black_box;

#[differentiable]
fn chain<const M: usize, const N: usize>(
    a: &Tensor2<f64, M, N>,
    b: &Tensor2<f64, 1, N>,
    c: &Tensor2<f64, M, 1>,
) -> f64 {
    (a * b + c).sum()
}

type Gradients<const M: usize, const N: usize> = (Tensor2<f64, M, N>, Tensor2<f64, 1, N>, Tensor2<f64, M, 1>);

/// Of every element of c, the derivative is `N`.
fn by_hand<const M: usize, const N: usize>(
    a: &Tensor2<f64, M, N>,
    b: &Tensor2<f64, 1, N>,
    c: &Tensor2<f64, M, 1>,
    (a_bar, b_bar, c_bar): &mut Gradients<M, N>,
) -> f64 {
    let mut value = 0.0;
    b_bar.0[0] = [0.0; N];
    for i in 0..M {
        a_bar.0[i] = b.0[0];
        for j in 0..N {
            value += a.0[i][j] * b.0[0][j] + c.0[i][0];
            b_bar.0[0][j] += a.0[i][j];
        }
        c_bar.0[i][0] = N as f64;
    }
    value
}

pub fn bench<const M: usize, const N: usize>(suite: &mut Suite) {
    let a = Tensor2::<f64, M, N>::from_fn(|[i, j]| ((i * N + j) as f64).sin());
    let b = Tensor2::<f64, 1, N>::from_fn(|[_, j]| (j as f64).cos());
    let c = Tensor2::<f64, M, 1>::from_fn(|[i, _]| (i as f64).exp().recip());
    let zeros = (Tensor::zeros(), Tensor::zeros(), Tensor::zeros());
    let (mut g, mut h): (Gradients<M, N>, Gradients<M, N>) = (zeros, zeros);
    let value = chain::value_and_grad_into(&a, &b, &c, &mut g);
    assert_close(&[value], &[by_hand(&a, &b, &c, &mut h)]);
    assert_close(g.0.as_slice(), h.0.as_slice());
    assert_close(g.1.as_slice(), h.1.as_slice());
    assert_close(g.2.as_slice(), h.2.as_slice());
    suite.compare(
        &format!("Σ (a·b + c), {M} × {N}"),
        &mut [
            way("gradient", || {
                let value = chain::value_and_grad_into(black_box(&a), &b, &c, &mut g);
                black_box(&mut g);
                value
            }),
            way("value alone", || chain(black_box(&a), &b, &c)),
            way("by hand", || {
                let value = by_hand(black_box(&a), &b, &c, &mut h);
                black_box(&mut h);
                value
            }),
        ],
    );
}
