//! Vectors and matrices whose sizes run time tells, as programs have them: regression, a Gaussian process, control, layers.

use autodiff::check_grads;
use autodiff::optim::Adam;
use autodiff::prelude::*;
use nalgebra::{DMatrix, DVector};

pub(crate) fn vector(n: usize, seed: f64) -> DVector<f64> {
    DVector::from_fn(n, |i, _| ((i as f64 + 1.3) * seed).sin())
}

pub(crate) fn matrix(r: usize, c: usize, seed: f64) -> DMatrix<f64> {
    DMatrix::from_fn(r, c, |i, j| ((i as f64 + 1.7) * (j as f64 + 0.4) * seed).cos())
}

/// Half the squared error and a penalty.
#[differentiable(order = 2)]
fn ridge(w: &DVector<f64>, #[no_diff] x: &DMatrix<f64>, #[no_diff] y: &DVector<f64>, lambda: f64) -> f64 {
    let r = x * w - y;
    0.5 * r.norm_squared() + 0.5 * lambda * w.dot(w)
}

#[test]
fn ridge_regression() {
    let (w, x, y, lambda) = (vector(3, 0.7), matrix(5, 3, 0.3), vector(5, 1.1), 0.2);
    let r = &x * &w - &y;
    let (value, (w_bar, lambda_bar)) = ridge::value_and_grad(&w, &x, &y, lambda);
    assert_eq!(value, ridge(&w, &x, &y, lambda));
    assert!((w_bar - (x.tr_mul(&r) + lambda * &w)).norm() < 1e-14);
    assert!((lambda_bar - 0.5 * w.norm_squared()).abs() < 1e-15);
    let v = vector(3, 0.5);
    let (hv, _) = ridge::hvp(&w, &x, &y, lambda, &v, 0.0);
    assert!((hv - (x.tr_mul(&(&x * &v)) + lambda * &v)).norm() < 1e-14);
    let (_, dot) = ridge::jvp(&w, &x, &y, lambda, &v, 0.0);
    assert!((dot - v.dot(&(x.tr_mul(&r) + lambda * &w))).abs() < 1e-14);
    let h = ridge::hessian(&w, &x, &y, lambda);
    let expected = x.tr_mul(&x) + DMatrix::identity(3, 3) * lambda;
    let block = DMatrix::from_fn(3, 3, |i, j| h.0.0[i][j]);
    assert!((block - expected).norm() < 1e-14);
    check_grads!(ridge, &w, &x, &y, lambda);
}

/// In place, with one buffer for all steps.
#[test]
fn trained_in_place() {
    let (x, y) = (matrix(5, 3, 0.3), vector(5, 1.1));
    let (mut w, mut g) = (DVector::zeros(3), (DVector::zeros(3), 0.0));
    let mut adam = Adam::new(&w, 0.05);
    for _ in 0..2000 {
        ridge::value_and_grad_into(&w, &x, &y, 0.1, (&mut g.0, &mut g.1));
        adam.step(&mut w, &g.0);
    }
    let normal = x.tr_mul(&x) + DMatrix::identity(3, 3) * 0.1;
    let best = normal.cholesky().unwrap().solve(&x.tr_mul(&y));
    assert!((w - best).norm() < 1e-6);
}

#[differentiable(order = 2)]
fn logistic(w: &DVector<f64>, bias: f64, #[no_diff] x: &DMatrix<f64>, #[no_diff] labels: &DVector<f64>) -> f64 {
    let scores = (x * w).add_scalar(bias);
    let losses = scores.zip_map(labels, |score, label| (1.0 + (-score * label).exp()).ln());
    losses.mean()
}

#[test]
fn logistic_regression() {
    let labels = DVector::from_iterator(4, [1.0, -1.0, -1.0, 1.0]);
    check_grads!(logistic, &vector(3, 0.7), 0.1, &matrix(4, 3, 0.3), &labels);
}

/// The logarithm of the likelihood of a Gaussian process with a squared exponential kernel.
#[differentiable(order = 2)]
fn gaussian_process(x: &DVector<f64>, y: &DVector<f64>, length: f64, noise: f64) -> f64 {
    let n = x.len();
    let mut k = DMatrix::from_fn(n, n, |i, j| (-0.5 * ((x[i] - x[j]) / length).powi(2)).exp());
    for i in 0..n {
        k[(i, i)] += noise;
    }
    let Some(factor) = k.cholesky() else { return f64::NEG_INFINITY };
    let alpha = factor.solve(y);
    -0.5 * y.dot(&alpha) - factor.l().diagonal().map(|d| d.ln()).sum() - 0.5 * n as f64 * std::f64::consts::TAU.ln()
}

#[test]
fn gaussian_processes() {
    for n in [1, 2, 5] {
        check_grads!(gaussian_process, &vector(n, 0.9), &vector(n, 0.4), 0.8, 0.3);
    }
    let none = gaussian_process::value_and_grad(&DVector::zeros(2), &vector(2, 0.4), 0.8, 0.0);
    assert_eq!(none.0, f64::NEG_INFINITY);
    assert_eq!(none.1.0, DVector::zeros(2));
    let empty = gaussian_process::value_and_grad(&DVector::zeros(0), &DVector::zeros(0), 0.8, 0.1);
    assert_eq!((empty.0, empty.1.0.len(), empty.1.2), (0.0, 0, 0.0));
}

/// The cost of a roll-out of linear dynamics with feedback.
#[differentiable(order = 2)]
fn roll_out(gain: &DMatrix<f64>, a: &DMatrix<f64>, b: &DMatrix<f64>, start: &DVector<f64>, steps: usize) -> f64 {
    let (mut x, mut cost) = (start.clone(), 0.0);
    for _ in 0..steps {
        let u = -(gain * &x);
        cost += x.norm_squared() + 0.1 * u.norm_squared();
        x = a * &x + b * &u;
    }
    cost + 10.0 * x.norm_squared()
}

#[test]
fn control() {
    let (gain, a, b) = (matrix(2, 4, 0.2), matrix(4, 4, 0.1) * 0.3, matrix(4, 2, 0.5));
    for steps in [0, 1, 6] {
        check_grads!(roll_out, &gain, &a, &b, &vector(4, 0.3), steps);
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Layer {
    weights: DMatrix<f64>,
    bias: DVector<f64>,
    scale: f64,
}

#[differentiable]
fn apply(layer: &Layer, x: &DVector<f64>) -> DVector<f64> {
    (&layer.weights * x + &layer.bias).map(|a| (a * layer.scale).tanh())
}

#[differentiable(order = 2)]
fn network(first: &Layer, second: &Layer, x: &DVector<f64>) -> f64 {
    let hidden = apply(first, x);
    let y = apply(second, &(&hidden * 0.5));
    y.iter().map(|y| y * y).sum::<f64>() + hidden.iter().zip(x.iter()).map(|(h, x)| h * x).sum::<f64>()
}

#[differentiable]
fn scaled(l: Layer, by: f64) -> Layer {
    Layer { weights: &l.weights * by, bias: l.bias / by, scale: l.scale }
}

#[test]
fn layers() {
    let layer = |r, c| Layer { weights: matrix(r, c, 0.4), bias: vector(r, 0.9), scale: 0.8 };
    check_grads!(apply, &layer(4, 3), &vector(3, 0.2));
    check_grads!(network, &layer(4, 3), &layer(2, 4), &vector(3, 0.2));
    check_grads!(scaled, layer(2, 3), 1.7);
    let g = network::grad(&layer(4, 3), &layer(2, 4), &vector(3, 0.2));
    assert_eq!((g.0.weights.shape(), g.1.bias.len()), ((4, 3), 2));
    let mut moved = layer(4, 3);
    moved.add_scaled(-0.1, &g.0);
    assert_eq!(moved.bias, layer(4, 3).bias - 0.1 * g.0.bias);
}

/// Results of all forms, and the shapes of their tangents.
#[differentiable]
fn gram(x: &DMatrix<f64>) -> DMatrix<f64> {
    x.transpose() * x
}

#[differentiable]
fn several(x: DVector<f64>, m: [DMatrix<f64>; 2]) -> (DVector<f64>, f64, DMatrix<f64>) {
    (&m[0] * &x, x.norm(), &m[1] / 2.0)
}

#[differentiable]
fn positive(x: &DVector<f64>) -> Option<DVector<f64>> {
    if x.min() > 0.0 { Some(x.map(|x| x.ln())) } else { None }
}

#[differentiable]
fn branches(x: &DVector<f64>, n: usize) -> DVector<f64> {
    let mut y = x.clone();
    for k in 0..n {
        y = if y[0] > 0.0 { &y * 0.5 + x } else { y.map(|a| a.sin()) };
        y[k] *= y[k];
    }
    while y[0] > 1.0 {
        y /= 2.0;
    }
    y
}

#[test]
fn results() {
    let x = matrix(4, 3, 0.3);
    let (y, y_dot) = gram::jvp(&x, &x);
    assert_eq!((y.shape(), y_dot.shape()), ((3, 3), (3, 3)));
    assert!((y_dot - y * 2.0).norm() < 1e-14);
    let (_, pullback) = gram::vjp(&x);
    assert!((pullback(&DMatrix::identity(3, 3)) - &x * 2.0).norm() < 1e-14);
    check_grads!(gram, &x);
    check_grads!(several, vector(3, 0.2), [matrix(4, 3, 0.3), matrix(1, 2, 0.1)]);
    check_grads!(positive, &vector(3, 0.2));
    assert!(positive::vjp(&-vector(3, 0.2)).0.is_none());
    check_grads!(branches, &vector(4, 0.3), 3);
    // Nothing is differentiated by nothing.
    assert_eq!(gram::jvp(&DMatrix::zeros(0, 2), &DMatrix::zeros(0, 2)).1, DMatrix::zeros(2, 2));
    assert_eq!(branches::jvp(&vector(1, 0.3), 0, &vector(1, 0.5)).1, vector(1, 0.5));
}

#[differentiable(order = 2)]
fn single(x: &DVector<f32>, a: DMatrix<f32>) -> f32 {
    (&a * x).dot(x).exp() + x.mean() + a.trace()
}

#[test]
fn of_single_precision() {
    let (x, a) = (vector(3, 0.2).map(|a| a as f32), matrix(3, 3, 0.2).map(|a| a as f32));
    check_grads!(single, &x, a.clone());
    let g = single::grad(&x, a.clone());
    let expected = (&a + a.transpose()) * &x * (&a * &x).dot(&x).exp() + DVector::from_element(3, 1.0 / 3.0);
    assert!((g.0 - expected).norm() < 1e-5);
}

/// Lists that carry no derivative.
#[differentiable]
fn least_squares(w: &DVector<f64>, #[no_diff] points: &[DVector<f64>], #[no_diff] y: &DVector<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..points.len() {
        sum += (points[i].dot(w) - y[i]).powi(2);
    }
    sum
}

#[test]
fn lists_of_data() {
    check_grads!(least_squares, &vector(3, 0.3), &[vector(3, 0.1), vector(3, 0.2)], &vector(2, 0.2));
}

#[test]
#[should_panic(expected = "cannot multiply a matrix of 3 columns by a vector of 4 rows")]
fn sizes_of_a_product() {
    ridge::grad(&vector(4, 0.7), &matrix(5, 3, 0.3), &vector(5, 1.1), 0.2);
}

#[test]
#[should_panic(expected = "the matrices have 5 and 4 rows")]
fn sizes_of_a_difference() {
    ridge::grad(&vector(3, 0.7), &matrix(5, 3, 0.3), &vector(4, 1.1), 0.2);
}

#[test]
#[should_panic(expected = "`w` is 3×1, the derivative by it is 2×1")]
fn sizes_of_a_tangent() {
    ridge::jvp(&vector(3, 0.7), &matrix(5, 3, 0.3), &vector(5, 1.1), 0.2, &vector(2, 0.1), 0.0);
}

/// 1 / (2 + t) twice, of matrices whose other elements say nothing of it.
#[differentiable]
fn solved(t: f64) -> f64 {
    let a = DMatrix::from_row_slice(2, 2, &[2.0 + t, 0.0, 0.5, 1.0]);
    let b = DVector::from_vec(vec![1.0, 0.5 / (2.0 + t)]);
    let by_lu = a.clone().lu().solve(&b).unwrap();
    by_lu[0] + a.try_inverse().unwrap()[(0, 0)]
}

#[differentiable]
fn first(t: f64) -> f64 {
    solved::grad(t)
}

#[differentiable]
fn second(t: f64) -> f64 {
    first::grad(t)
}

#[differentiable]
fn third(t: f64) -> f64 {
    second::grad(t)
}

/// There are as many steps as derivatives.
#[test]
fn solutions_to_the_fourth_order() {
    let (t, mut expected) = (0.3, 2.0 / 2.3);
    for (order, found) in [solved(t), first(t), second(t), third(t), third::grad(t)].into_iter().enumerate() {
        assert!((found - expected).abs() < 1e-12, "order {order}: {found}, {expected}");
        expected *= -(order as f64 + 1.0) / 2.3;
    }
}
