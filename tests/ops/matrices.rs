//! The matrices of [`crate::factors`] and [`crate::spectral`], and how results are compared with numbers of many digits.

use autodiff::prelude::*;

pub const A: Tensor2<f64, 4, 4> =
    Tensor([[4.0, 1.0, -2.0, 0.5], [1.0, 5.0, 0.25, -1.0], [-1.0, 2.0, 6.0, 1.5], [0.75, -1.0, 1.0, 3.0]]);
/// The cotangents of the results.
pub const V: Tensor1<f64, 4> = Tensor([0.5, -1.0, 2.0, 1.5]);
pub const W: Tensor2<f64, 4, 4> =
    Tensor([[0.5, -1.0, 0.25, 2.0], [1.0, 0.75, -0.5, 1.5], [-2.0, 0.125, 1.0, -1.0], [0.5, 1.0, -1.5, 0.25]]);
/// The direction of the second derivative.
pub const H: Tensor2<f64, 4, 4> =
    Tensor([[0.1, -0.3, 0.2, 0.7], [-0.5, 0.4, 0.6, 0.1], [0.3, -0.2, -0.1, 0.9], [0.8, 0.5, -0.4, 0.2]]);

#[track_caller]
pub fn close<T: Real>(given: &[T], expected: &[f64]) {
    let exact = T::EPSILON.to_f64() < 1e-10;
    let tolerance = if exact { 1e-14 } else { 1e-5 };
    let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    assert_eq!(given.len(), expected.len());
    for (given, expected) in given.iter().zip(expected) {
        let error = (given.to_f64() - expected).abs();
        assert!(error <= tolerance * scale, "{given} instead of {expected}");
    }
}

pub fn single<const M: usize, const N: usize>(x: &Tensor2<f64, M, N>) -> Tensor2<f32, M, N> {
    Tensor2::from_fn(|at| x[at] as f32)
}

pub fn single1<const N: usize>(x: &Tensor1<f64, N>) -> Tensor1<f32, N> {
    Tensor1::from_fn(|at| x[at] as f32)
}
