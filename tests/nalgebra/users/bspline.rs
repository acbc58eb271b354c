// Uniform cubic B-spline in matrix form; fit and smoothness energies.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2x4, Matrix4, Vector2, Vector4};

#[differentiable]
fn segment(geom: &Matrix2x4<f64>, u: f64) -> Vector2<f64> {
    #[rustfmt::skip]
    let basis = Matrix4::new(
        1.0, -3.0,  3.0, -1.0,
        4.0,  0.0, -6.0,  3.0,
        1.0,  3.0,  3.0, -3.0,
        0.0,  0.0,  0.0,  1.0,
    ) / 6.0;
    geom * basis * Vector4::new(1.0, u, u * u, u * u * u)
}

#[differentiable]
fn eval(ctrl: &[Vector2<f64>], t: f64) -> Vector2<f64> {
    let last = ctrl.len() - 4;
    let i = (t.floor() as usize).min(last);
    let geom = Matrix2x4::from_columns(&[ctrl[i], ctrl[i + 1], ctrl[i + 2], ctrl[i + 3]]);
    segment(&geom, t - i as f64)
}

#[differentiable]
fn fit_energy(ctrl: &[Vector2<f64>], samples: &[Vector2<f64>], times: &[f64], smooth: f64) -> f64 {
    let data: f64 = times.iter().zip(samples).map(|(t, s)| (eval(ctrl, *t) - s).norm_squared()).sum();
    let bend: f64 = ctrl.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).norm_squared()).sum();
    data + smooth * bend
}

#[test]
fn gradients() {
    let ctrl = vec![
        Vector2::new(0.0, 0.0),
        Vector2::new(1.0, 0.8),
        Vector2::new(2.0, 0.3),
        Vector2::new(3.0, -0.6),
        Vector2::new(4.0, 0.1),
        Vector2::new(5.0, 0.9),
    ];
    let samples = vec![Vector2::new(1.2, 0.7), Vector2::new(2.6, -0.1), Vector2::new(3.7, -0.2)];
    let times = [0.25, 1.5, 2.7];
    check_grads!(eval, &ctrl, 1.4);
    check_grads!(fit_energy, &ctrl, &samples, &times, 0.1);
    // the basis is a partition of unity
    let same = [Vector2::new(0.7, -0.2); 4];
    assert!((eval(&same, 0.37) - same[0]).norm() < 1e-12);
}
