//! What several tests check with.

#![allow(dead_code, reason = "each test uses a part of it")]

use autodiff::Differentiable;

pub const STEP: f64 = 1e-6;
pub const TOLERANCE: f64 = 1e-7;

/// A gradient against central differences, number by number.
pub fn assert_gradient<P>(at: &P, gradient: &P::Tangent, f: impl Fn(&P) -> f64)
where
    P: Differentiable<Scalar = f64> + Clone,
{
    let mut flat = vec![0.0; at.flat_len()];
    at.copy_to_flat(&mut flat);
    let mut given = vec![0.0; flat.len()];
    gradient.copy_to_flat(&mut given);
    for k in 0..flat.len() {
        let moved = |by: f64| {
            let (mut flat, mut moved) = (flat.clone(), at.clone());
            flat[k] += by;
            moved.copy_from_flat(&flat);
            f(&moved)
        };
        let expected = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
        let error = (given[k] - expected).abs();
        assert!(error <= TOLERANCE * (1.0 + expected.abs()), "number {k}: {} instead of {expected}", given[k]);
    }
}

/// The derivatives of a function of several numbers by central differences.
pub fn numeric(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    (0..x.len())
        .map(|i| {
            let (mut a, mut b) = (x.to_vec(), x.to_vec());
            a[i] += STEP;
            b[i] -= STEP;
            (f(&a) - f(&b)) / (2.0 * STEP)
        })
        .collect()
}

/// Numbers against those of differences. NaN is close to nothing.
#[track_caller]
pub fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= 1e-6 * (1.0 + a.abs()), "{a} and {b}");
    }
}

/// `⟨a, b⟩` over all leaves.
pub fn inner<T: Differentiable<Scalar = f64>>(a: &T, b: &T::Tangent) -> f64 {
    let mut sum = 0.0;
    a.zip_leaves(b, &mut |a, b| sum += a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>());
    sum
}
