//! Functions over products of small matrices, which are loops of the compiler: in loops with early returns and `break`, by `&mut`
//! through calls, and with second derivatives.

use autodiff::prelude::*;
use nalgebra::{Matrix3, Matrix4, Matrix6, Rotation3, Vector3, Vector4, Vector6};
#[derive(Clone, Copy, Debug, Differentiable)]
struct Link {
    axis: Vector3<f64>,
    offset: Vector3<f64>,
}
#[differentiable(order = 2)]
fn turn(w: &Vector3<f64>, p: &Vector3<f64>) -> Vector3<f64> {
    let t = w.norm_squared();
    if t < 1e-8 {
        return p + w.cross(p);
    }
    let a = t.sqrt();
    p * a.cos() + w.cross(p) * (a.sin() / a) + w * (w.dot(p) * (1.0 - a.cos()) / t)
}
#[differentiable(order = 2)]
fn moved(link: &Link, q: f64, p: &Vector3<f64>) -> Vector3<f64> {
    turn(&(link.axis * q), p) + link.offset
}
#[differentiable(order = 2)]
fn reach(links: &[Link], q: &[f64], target: &Vector3<f64>) -> f64 {
    let mut p = Vector3::new(0.1, 0.2, 0.3);
    for (k, link) in links.iter().enumerate() {
        p = moved(link, q[k], &p);
        if p.norm() > 50.0 {
            break;
        }
    }
    (p - target).norm_squared()
}
#[differentiable(order = 2)]
fn power(m: &Matrix4<f64>, v: &Vector4<f64>, #[no_diff] n: usize) -> f64 {
    let mut a = *m;
    let mut y = *v;
    for _ in 0..n {
        a = a * m;
        y = a.transpose() * y;
        y /= y.norm();
    }
    y.dot(v) + (a * m.transpose()).trace()
}
#[differentiable(order = 2)]
fn update(x: &mut Vector6<f64>, w: &Matrix6<f64>, #[no_diff] n: usize) -> f64 {
    for _ in 0..n {
        let g = w * *x;
        *x -= g * 0.1;
        *x = w.tr_mul(x);
    }
    x.norm_squared()
}
#[differentiable(order = 2)]
fn updated(x: &Vector6<f64>, w: &Matrix6<f64>) -> f64 {
    let mut y = *x;
    let n = update(&mut y, w, 2);
    n + y[3]
}
#[differentiable(order = 2)]
fn rots(w: &Vector3<f64>, m: &Matrix3<f64>, #[no_diff] n: usize) -> f64 {
    let mut r = Rotation3::new(*w);
    let mut s = 0.0;
    for _ in 0..n {
        r = r * Rotation3::new(w * 0.3);
        s += (m * (r * Vector3::new(1.0, 0.5, 0.2))).sum();
    }
    s
}
#[test]
fn links_that_turn() {
    let l = |k: f64| Link { axis: Vector3::new(k.sin(), 0.3, k.cos()), offset: Vector3::new(0.5, k, 0.1) };
    autodiff::check_grads!(reach, &[l(0.1), l(0.7), l(1.3)], &[0.3, 0.5, -0.4], &Vector3::new(1.0, 1.0, 0.2));
}
#[test]
fn powers_of_a_matrix() {
    autodiff::check_grads!(
        power,
        &Matrix4::from_fn(|i, j| 0.3 * ((i * 4 + j) as f64).sin()),
        &Vector4::new(0.3, 0.1, -0.5, 0.9),
        3
    );
}
#[test]
fn a_vector_that_a_call_changes() {
    autodiff::check_grads!(
        updated,
        &Vector6::new(0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
        &Matrix6::from_fn(|i, j| 0.5 * ((i * 6 + j) as f64).cos())
    );
}
#[test]
fn rotations_in_a_row() {
    autodiff::check_grads!(
        rots,
        &Vector3::new(0.2, 0.4, -0.1),
        &Matrix3::from_fn(|i, j| ((i * 3 + j) as f64).sin()),
        3
    );
}
