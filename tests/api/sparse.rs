//! Sparse Jacobians and Hessians against dense ones.

use autodiff::Sparsity;
use autodiff::prelude::*;

#[differentiable]
fn band(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        let mut s = x[i] * x[i];
        if i > 0 {
            s += x[i - 1].sin() * x[i];
        }
        if i + 1 < n {
            s -= 2.0 * x[i + 1];
        }
        y[i] = s;
    }
    y
}

#[track_caller]
fn assert_same(pattern: &Sparsity, values: &[f64], dense: &[f64]) {
    assert_eq!(dense.len(), pattern.rows() * pattern.columns());
    for (k, expected) in dense.iter().enumerate() {
        let place = pattern.place(k / pattern.columns(), k % pattern.columns());
        let value = place.map_or(0.0, |place| values[place]);
        assert_eq!(value, *expected, "number {k}");
    }
}

#[test]
fn bands() {
    let x: Vec<f64> = (0..50).map(|i| (f64::from(i) * 0.7).cos()).collect();
    let pattern = band::sparsity(&x);
    assert_eq!((pattern.groups(), pattern.len()), (3, 148));
    let mut values = vec![f64::NAN; pattern.len()];
    let y = band::value_and_jacobian_sparse(&x, &pattern, &mut values);
    assert_eq!(y, band(&x));
    assert_same(&pattern, &values, &band::jacobian(&x).concat());
}
