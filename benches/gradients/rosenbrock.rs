//! The Rosenbrock function in `N` dimensions: a loop, where arithmetic is all there is.

use crate::compare::{Suite, assert_close, way};
use autodiff::prelude::*;
use nalgebra::{Const, SVector};
use num_dual::DualSVec64;
use std::hint::black_box;

#[differentiable]
fn rosenbrock<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        s += a * a + 100.0 * b * b;
    }
    s
}

fn by_hand<const N: usize>(x: &[f64; N]) -> (f64, [f64; N]) {
    let mut value = 0.0;
    let mut gradient = [0.0; N];
    for i in 0..N - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        value += a * a + 100.0 * b * b;
        gradient[i] -= 2.0 * a + 400.0 * b * x[i];
        gradient[i + 1] = 200.0 * b;
    }
    (value, gradient)
}

fn dual<const N: usize>(x: &SVector<f64, N>) -> (f64, SVector<f64, N>) {
    let f = |x: SVector<DualSVec64<N>, N>| {
        let mut s = DualSVec64::<N>::from_re(0.0);
        for i in 0..N - 1 {
            let a = -(x[i].clone() - 1.0);
            let b = x[i + 1].clone() - &x[i] * &x[i];
            s += &a * &a + &b * &b * 100.0;
        }
        s
    };
    num_dual::gradient::<_, _, Const<N>, _>(f, x)
}

pub fn bench<const N: usize>(suite: &mut Suite) {
    let x: [f64; N] = std::array::from_fn(|i| (i as f64).sin());
    let vector = SVector::from(x);
    let (value, gradient) = rosenbrock::value_and_grad(&x);
    for (other, other_gradient) in [by_hand(&x), (dual(&vector).0, dual(&vector).1.into())] {
        assert_close(&[value], &[other]);
        assert_close(&gradient, &other_gradient);
    }
    suite.compare(
        &format!("rosenbrock {N}"),
        &mut [
            way("gradient", || rosenbrock::value_and_grad(black_box(&x))),
            way("value alone", || rosenbrock(black_box(&x))),
            way("by hand", || by_hand(black_box(&x))),
            way("num-dual", || dual(black_box(&vector))),
        ],
    );
}
