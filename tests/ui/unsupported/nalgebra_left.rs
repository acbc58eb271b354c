//! Changes on the left: what has them on the right only.

use autodiff::prelude::*;
use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

#[differentiable(left)]
fn sight(camera: &Isometry3<f64>, p: &Point3<f64>) -> Point3<f64> {
    camera * p
}

#[differentiable]
fn error(camera: &Isometry3<f64>, p: &Point3<f64>) -> f64 {
    sight(camera, p).coords.norm_squared()
}

#[differentiable(left)]
fn turn(r: &mut UnitQuaternion<f64>, w: &Vector3<f64>) {
    *r = *r * UnitQuaternion::new(*w);
}

#[differentiable(left)]
fn chain(links: &[UnitQuaternion<f64>], w: &Vector3<f64>) -> f64 {
    links.iter().map(|r| (r * w).x).sum()
}

fn check() {
    autodiff::check_grads!(sight, &Isometry3::identity(), &Point3::origin());
}

fn main() {}
