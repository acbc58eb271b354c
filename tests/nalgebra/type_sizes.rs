//! Matrices whose sizes are types: `OMatrix<f64, U2, U3>`, `OVector<f64, Const<N>>`.

use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Const, Matrix2, OMatrix, OVector, SMatrix, U1, U2, U3, Vector2, Vector3};

type Gain = OMatrix<f64, U3, U2>;

/// How far a measurement is from a prediction, with respect to its covariance.
#[differentiable(order = 2)]
fn mahalanobis(x: &OVector<f64, U2>, mean: &Vector2<f64>, covariance: &OMatrix<f64, U2, U2>) -> f64 {
    let difference: OVector<f64, U2> = x - mean;
    match covariance.cholesky() {
        Some(factor) => difference.dot(&factor.solve(&difference)),
        None => 0.0,
    }
}

/// What a filter adds to its state.
#[differentiable]
fn correction(gain: &Gain, innovation: OVector<f64, Const<2>>) -> OMatrix<f64, Const<3>, U1> {
    let mut out = OMatrix::<f64, U3, U1>::zeros();
    out += gain * innovation;
    out
}

/// A polynomial with a matrix of coefficients: sizes that are const parameters.
#[differentiable]
fn form<const N: usize>(a: &OMatrix<f64, Const<N>, Const<N>>, x: &OVector<f64, Const<N>>) -> f64 {
    let weights = OMatrix::<f64, Const<N>, Const<N>>::from_fn(|i, j| if i == j { 2.0 } else { 1.0 });
    x.dot(&(a.component_mul(&weights) * x))
}

#[derive(Differentiable, Clone, Debug)]
struct Model {
    transition: OMatrix<f32, U2, U2>,
    offset: OVector<f32, U2>,
}

#[differentiable]
fn after(model: &Model, steps: usize) -> f32 {
    let mut x = OVector::<f32, U2>::new(1.0, -0.5);
    for _ in 0..steps {
        x = model.transition * x + model.offset;
    }
    x.norm_squared()
}

#[differentiable]
fn in_place(x: &mut OVector<f64, U3>, t: f64) {
    x[1] *= t;
    *x *= t;
}

#[test]
fn values_and_gradients() {
    let (x, mean) = (Vector2::new(0.4, -0.3), Vector2::new(0.1, 0.2));
    let covariance = Matrix2::new(2.0, 0.3, 0.3, 1.5);
    check_grads!(mahalanobis, &x, &mean, &covariance);
    let (value, (by_x, by_mean, _)) = mahalanobis::value_and_grad(&x, &mean, &covariance);
    let solved = covariance.try_inverse().unwrap() * (x - mean);
    assert!((value - (x - mean).dot(&solved)).abs() < 1e-14);
    assert!((by_x - solved * 2.0).norm() < 1e-14 && (by_x + by_mean).norm() < 1e-14);

    let (gain, innovation) = (SMatrix::from_fn(|i, j| 0.2 + i as f64 - 0.7 * j as f64), Vector2::new(1.0, 2.0));
    let (by_gain, by_innovation) = correction::jacobian(&gain, innovation);
    assert!((by_innovation - gain).norm() < 1e-15);
    for (row, at) in [(0, [0, 3]), (1, [1, 4]), (2, [2, 5])] {
        assert_eq!([by_gain[(row, at[0])], by_gain[(row, at[1])]], [1.0, 2.0]);
    }
}

#[test]
fn second_order() {
    let (x, mean) = (Vector2::new(0.4, -0.3), Vector2::new(0.1, 0.2));
    let covariance = Matrix2::new(2.0, 0.3, 0.3, 1.5);
    let direction = Vector2::new(1.0, -2.0);
    let (zero, still) = (Vector2::zeros(), Matrix2::zeros());
    let (product, ..) = mahalanobis::hvp(&x, &mean, &covariance, &direction, &zero, &still);
    assert!((product - covariance.try_inverse().unwrap() * direction * 2.0).norm() < 1e-13);
}

#[test]
fn generic_sizes_fields_and_borrows() {
    let a = SMatrix::<f64, 4, 4>::from_fn(|i, j| (i as f64 - 1.3 * j as f64).sin());
    let x = SMatrix::<f64, 4, 1>::from_fn(|i, _| 0.5 - 0.2 * i as f64);
    check_grads!(form, &a, &x);

    let model =
        Model { transition: nalgebra::Matrix2::new(0.9, 0.1, -0.2, 0.8), offset: nalgebra::Vector2::new(0.1, 0.0) };
    let gradient = after::grad(&model, 3);
    for k in 0..2 {
        let h = 1e-2;
        let moved = |h: f32| {
            let mut model = model.clone();
            model.offset[k] += h;
            after(&model, 3)
        };
        assert!(((moved(h) - moved(-h)) / (2.0 * h) - gradient.offset[k]).abs() < 1e-3);
    }

    let mut x = Vector3::new(1.0, 2.0, 3.0);
    let mut dot = Vector3::new(0.0, 0.0, 0.0);
    in_place::jvp(&mut x, 2.0, &mut dot, 1.0);
    assert_eq!((x, dot), (Vector3::new(2.0, 8.0, 6.0), Vector3::new(1.0, 8.0, 3.0)));
}
