// LQ tracking in one batch: stacked prediction matrices filled through fixed views.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2, SMatrix, SVector, Vector2, Vector4};

#[derive(Differentiable, Clone)]
struct Model {
    a: Matrix2<f64>,
    b: Vector2<f64>,
}

#[differentiable]
fn free_response(m: &Model) -> SMatrix<f64, 8, 2> {
    let mut phi = SMatrix::<f64, 8, 2>::zeros();
    let mut power = m.a;
    for k in 0..4 {
        phi.fixed_view_mut::<2, 2>(2 * k, 0).copy_from(&power);
        power = m.a * power;
    }
    phi
}

#[differentiable]
fn forced_response(m: &Model) -> SMatrix<f64, 8, 4> {
    let mut gamma = SMatrix::<f64, 8, 4>::zeros();
    for col in 0..4 {
        let mut x = m.b;
        for row in col..4 {
            gamma.fixed_view_mut::<2, 1>(2 * row, col).copy_from(&x);
            x = m.a * x;
        }
    }
    gamma
}

#[differentiable]
fn best_inputs(m: &Model, x0: &Vector2<f64>, reference: &SVector<f64, 8>, effort: f64) -> Vector4<f64> {
    let gamma = forced_response(m);
    let e = reference - free_response(m) * x0;
    let h = gamma.transpose() * gamma + SMatrix::<f64, 4, 4>::identity() * effort;
    h.cholesky().unwrap().solve(&(gamma.transpose() * e))
}

#[test]
fn gradients() {
    let m = Model { a: Matrix2::new(1.0, 0.2, -0.1, 0.9), b: Vector2::new(0.02, 0.2) };
    let x0 = Vector2::new(0.5, -0.1);
    let reference = SVector::<f64, 8>::from_row_slice(&[0.6, 0.0, 0.7, 0.1, 0.8, 0.1, 1.0, 0.0]);
    check_grads!(free_response, &m);
    check_grads!(forced_response, &m);
    check_grads!(best_inputs, &m, &x0, &reference, 0.1);
    // following the free response takes no input
    let lazy = free_response(&m) * x0;
    assert!(best_inputs(&m, &x0, &lazy, 0.1).norm() < 1e-12);
}
