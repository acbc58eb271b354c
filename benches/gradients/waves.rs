//! Σ sin(xᵢ)·exp(xᵢ·xᵢ₊₁): a loop whose time goes into two transcendental functions.

use crate::compare::{Suite, assert_close, way};
use autodiff::prelude::*;
use nalgebra::{Const, SVector};
use num_dual::{DualNum, DualSVec64};
use std::hint::black_box;

#[differentiable]
fn waves<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N - 1 {
        s += x[i].sin() * (x[i] * x[i + 1]).exp();
    }
    s
}

fn by_hand<const N: usize>(x: &[f64; N]) -> (f64, [f64; N]) {
    let mut value = 0.0;
    let mut gradient = [0.0; N];
    for i in 0..N - 1 {
        let (sin, cos) = x[i].sin_cos();
        let exp = (x[i] * x[i + 1]).exp();
        let term = sin * exp;
        value += term;
        gradient[i] += cos * exp + term * x[i + 1];
        gradient[i + 1] = term * x[i];
    }
    (value, gradient)
}

fn dual<const N: usize>(x: &SVector<f64, N>) -> (f64, SVector<f64, N>) {
    let f = |x: SVector<DualSVec64<N>, N>| {
        let mut s = DualSVec64::<N>::from_re(0.0);
        for i in 0..N - 1 {
            s += x[i].sin() * (&x[i] * &x[i + 1]).exp();
        }
        s
    };
    num_dual::gradient::<_, _, Const<N>, _>(f, x)
}

pub fn bench<const N: usize>(suite: &mut Suite) {
    let x: [f64; N] = std::array::from_fn(|i| (i as f64).sin());
    let vector = SVector::from(x);
    let (value, gradient) = waves::value_and_grad(&x);
    for (other, other_gradient) in [by_hand(&x), (dual(&vector).0, dual(&vector).1.into())] {
        assert_close(&[value], &[other]);
        assert_close(&gradient, &other_gradient);
    }
    suite.compare(
        &format!("Σ sin(xᵢ)·exp(xᵢ·xᵢ₊₁) {N}"),
        &mut [
            way("gradient", || waves::value_and_grad(black_box(&x))),
            way("value alone", || waves(black_box(&x))),
            way("by hand", || by_hand(black_box(&x))),
            way("num-dual", || dual(black_box(&vector))),
        ],
    );
}
