//! Structs, lists and borrows of nalgebra's types, and what changes them.

use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::*;

#[derive(Differentiable, Clone)]
struct Rig {
    #[no_diff]
    pose: Isometry3<f64>,
    scale: f64,
    offsets: Vec<Vector3<f64>>,
    corners: [Point3<f64>; 2],
}
#[differentiable]
fn rig(r: &Rig, p: &Point3<f64>) -> f64 {
    let mut total = 0.0;
    for (k, o) in r.offsets.iter().enumerate() {
        let q = r.pose * (p + o * r.scale);
        total += (q - r.corners[k % 2]).norm() * if k > 0 { 2.0 } else { q.x };
    }
    total
}
#[differentiable]
fn lists(n: &[Vector3<f64>], s: f64) -> Vec<Vector3<f64>> {
    let mut out = Vec::new();
    for v in n {
        out.push(v.normalize() * s);
    }
    out.push(Vector3::new(s, 0.0, 1.0));
    out
}
#[differentiable]
fn both(n: &[Vector3<f64>], s: f64) -> f64 {
    let l = lists(n, s);
    let total: Vector3<f64> = l.iter().sum();
    let best = l.iter().map(|v| v.norm()).fold(0.0, |a: f64, b| a.max(b));
    total.norm() + best
}
const G: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);
#[differentiable]
fn constant(v: &Vector3<f64>, dt: f64) -> Vector3<f64> {
    v + G * dt
}

#[differentiable]
fn bump(v: &mut Vector3<f64>) {
    v.x *= 3.0;
    *v += Vector3::new(v.y, 0.0, 0.0);
}

#[differentiable]
fn triple(x: &mut f64) {
    *x *= 3.0;
}

#[differentiable]
fn changed(v: &Vector3<f64>) -> f64 {
    let mut w = *v;
    for x in w.iter_mut() {
        *x *= 2.0;
    }
    for (x, y) in w.iter_mut().zip(v.iter()) {
        *x += y * y;
    }
    bump(&mut w);
    triple(&mut w.y);
    {
        let last = &mut w[2];
        *last += v.x;
    }
    let numbers = w.as_mut_slice();
    numbers[0] *= v.y;
    let mut filled = Vector3::zeros();
    filled.fill(v.x * v.z);
    let mut copied = Vector3::repeat(1.0);
    copied.copy_from_slice(&[v.y, v.z, 2.0]);
    w.dot(&(filled + copied))
}

#[differentiable]
fn in_out(v: &Vector3<f64>, m: &mut Matrix3<f64>) -> f64 {
    m[(0, 1)] += v.x;
    *m *= 2.0;
    m.set_row(1, &v.transpose());
    m.determinant()
}

#[differentiable]
fn through(v: &Vector3<f64>, m: &Matrix3<f64>) -> f64 {
    let mut own = *m;
    let first = in_out(v, &mut own);
    first * own.trace()
}

#[test]
fn gradients() {
    let v = Vector3::new(0.3, 0.4, 0.5);
    let corners = [Point3::from(v), Point3::new(1.0, 2.0, 3.0)];
    let rig_at = Rig { pose: Isometry3::new(v, v), scale: 0.7, offsets: vec![v, v * 2.0], corners };
    check_grads!(rig, &rig_at, &Point3::new(0.1, 0.2, 0.3));
    check_grads!(lists, &[v, v * 2.0], 0.5);
    check_grads!(both, &[v, v * 2.0], 0.5);
    check_grads!(constant, &v, 0.5);
    check_grads!(changed, &v);
    assert_eq!(changed::value_and_grad(&v).0, changed(&v));
    check_grads!(through, &v, &Matrix3::new(1.0, 0.2, 0.3, -0.4, 1.5, 0.6, 0.7, -0.8, 2.0));
}

/// x·cos t − y·sin t, by a product of rotations and their logarithm.
#[differentiable]
fn turned(t: f64) -> f64 {
    let half = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.5 * t);
    let turn = half * UnitQuaternion::from_scaled_axis(Vector3::new(0.0, 0.0, 0.5) * t);
    (turn * Vector3::new(3.0, 2.0, 1.0)).x + turn.scaled_axis().z * t
}

#[differentiable]
fn turned_once(t: f64) -> f64 {
    turned::grad(t)
}

#[differentiable]
fn turned_twice(t: f64) -> f64 {
    turned_once::grad(t)
}

#[differentiable]
fn turned_thrice(t: f64) -> f64 {
    turned_twice::grad(t)
}

#[test]
fn rotations_to_the_fourth_order() {
    let t = 0.7_f64;
    let (s, c) = t.sin_cos();
    let expected = [
        3.0 * c - 2.0 * s + t * t,
        -3.0 * s - 2.0 * c + 2.0 * t,
        -3.0 * c + 2.0 * s + 2.0,
        3.0 * s + 2.0 * c,
        3.0 * c - 2.0 * s,
    ];
    let found = [turned(t), turned_once(t), turned_twice(t), turned_thrice(t), turned_thrice::grad(t)];
    for (order, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 1e-12, "order {order}: {found}, {expected}");
    }
}
