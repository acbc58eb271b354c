//! Sparse Hessians against dense ones. A pattern is found once, and has to hold for other numbers.

use crate::sparse::{assert_same, numbers};
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        sum += 100.0 * (x[i + 1] - x[i] * x[i]).powi(2) + (1.0 - x[i]).powi(2);
    }
    sum
}

#[differentiable(order = 2)]
fn robust(x: &[f64; 8], y: &[f64; 3]) -> f64 {
    let mut sum = 0.0;
    for i in 0..7 {
        let r = x[i] * x[i] - x[i + 1] * y[i % 3];
        if r.abs() < 1.0 {
            sum += 0.5 * r * r;
        } else {
            sum += r.abs() - 0.5;
        }
    }
    sum
}

#[test]
fn hessians() {
    let pattern = rosenbrock::hessian_sparsity(&numbers(30, 0));
    assert_eq!((pattern.len(), pattern.groups()), (88, 3));
    for seed in 1..10 {
        let x = numbers(30, seed);
        let mut values = vec![f64::NAN; pattern.len()];
        rosenbrock::hessian_sparse(&x, &pattern, &mut values);
        assert_same(&pattern, &values, &rosenbrock::hessian(&x).concat());
    }
    let of = |seed| (<[f64; 8]>::try_from(numbers(8, seed)).unwrap(), [0.5, 1.5, -0.7]);
    let pattern = robust::hessian_sparsity(&of(0).0, &of(0).1);
    for seed in 1..40 {
        let (x, y) = of(seed);
        assert_eq!(robust::hessian_sparsity(&x, &y), pattern);
        let mut values = vec![f64::NAN; pattern.len()];
        robust::hessian_sparse(&x, &y, &pattern, &mut values);
        let ((xx, xy), (yx, yy)) = robust::hessian(&x, &y);
        let upper = xx.iter().zip(&xy).flat_map(|(a, b)| [&a[..], b].concat());
        let lower = yx.iter().zip(&yy).flat_map(|(a, b)| [&a[..], b].concat());
        assert_same(&pattern, &values, &upper.chain(lower).collect::<Vec<f64>>());
    }
    assert!(pattern.len() < 121, "{} entries", pattern.len());
}
