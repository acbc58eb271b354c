//! nalgebra's types: sizes that do not fit, what has no derivative, and what rotations cannot do.

use autodiff::prelude::*;
use nalgebra::{Isometry3, Matrix2x3, Matrix3, Rotation3, UnitQuaternion, Vector2, Vector3};

#[differentiable]
fn inner_sizes(a: &Matrix2x3<f64>, x: &Vector2<f64>) -> f64 {
    (a * x).norm()
}

#[differentiable]
fn sum_of_two_sizes(x: &Vector3<f64>, y: &Vector2<f64>) -> f64 {
    (x + y).norm()
}

#[differentiable]
fn not_square(a: &Matrix2x3<f64>) -> f64 {
    a.determinant()
}

#[differentiable]
fn unknown_method(a: &Matrix3<f64>) -> f64 {
    a.pseudo_inverse(1e-9).unwrap().norm()
}

#[differentiable]
fn nearly_known(x: &Vector3<f64>) -> f64 {
    x.norm_squard()
}

#[differentiable]
fn row_out_of_range(a: &Matrix2x3<f64>) -> f64 {
    a[(2, 0)]
}

#[differentiable]
fn too_few_numbers(x: f64) -> f64 {
    Vector3::new(x, 1.0).norm()
}

#[differentiable]
fn declared_otherwise(a: &Matrix3<f64>, x: &Vector3<f64>) -> f64 {
    let y: Vector2<f64> = a * x;
    y.norm()
}

#[differentiable]
fn changes_a_list(qs: &mut [UnitQuaternion<f64>], w: &Vector3<f64>) {
    for q in qs.iter_mut() {
        *q *= UnitQuaternion::new(*w);
    }
}

#[differentiable]
fn sum_of_rotations(q: &Rotation3<f64>, r: &Rotation3<f64>) -> f64 {
    (q + r).norm()
}

#[differentiable]
fn unknown_of_an_isometry(w: &Vector3<f64>) -> f64 {
    Isometry3::new(*w, *w).try_lerp_slerp(&Isometry3::identity(), 0.5, 1e-6).unwrap().translation.vector.norm()
}

fn main() {}
