//! The Jacobian of an arm with six joints, and that of the logarithm of a rotation.

use crate::compare::{Suite, assert_close, way};
use crate::numbers::{Further, Model, Number, by_multicalc, by_num_dual};
use autodiff::prelude::*;
use nalgebra::{Isometry3, Matrix3, Matrix6, Quaternion, Translation3, UnitQuaternion, Vector3, Vector6};
use std::f64::consts::FRAC_PI_2;
use std::hint::black_box;

/// A joint turns about its z axis; `d` along it, `a` across, and a twist lead to the next.
#[derive(Differentiable)]
struct Link {
    d: f64,
    a: f64,
    alpha: f64,
}

const ARM: [Link; 6] = [
    Link { d: 0.089, a: 0.0, alpha: FRAC_PI_2 },
    Link { d: 0.0, a: -0.425, alpha: 0.0 },
    Link { d: 0.0, a: -0.392, alpha: 0.0 },
    Link { d: 0.109, a: 0.0, alpha: FRAC_PI_2 },
    Link { d: 0.095, a: 0.0, alpha: -FRAC_PI_2 },
    Link { d: 0.082, a: 0.0, alpha: 0.0 },
];

#[differentiable]
fn forward(q: &Vector6<f64>) -> Isometry3<f64> {
    let mut pose = Isometry3::identity();
    for (link, angle) in ARM.iter().zip(q.iter()) {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), *angle);
        let twist = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), link.alpha);
        pose = pose * turn * Isometry3::from_parts(Translation3::new(link.a, 0.0, link.d), twist);
    }
    pose
}

/// What is missing to a goal: a translation, and an axis times an angle.
#[differentiable]
fn error(q: &Vector6<f64>, #[no_diff] goal: &Isometry3<f64>) -> Vector6<f64> {
    let pose = goal.inv_mul(&forward(q));
    let (t, r) = (pose.translation.vector, pose.rotation.scaled_axis());
    Vector6::new(t.x, t.y, t.z, r.x, r.y, r.z)
}

/// The axes and places of all joints on the way give the Jacobian of the pose; that of the logarithm is known.
fn error_by_hand(q: &Vector6<f64>, goal: &Isometry3<f64>) -> (Vector6<f64>, Matrix6<f64>) {
    let mut pose = Isometry3::<f64>::identity();
    let (mut axes, mut places) = ([Vector3::zeros(); 6], [Vector3::zeros(); 6]);
    for k in 0..6 {
        let [x, y, z, w] = pose.rotation.coords.data.0[0];
        axes[k] = Vector3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y));
        places[k] = pose.translation.vector;
        let (sin, cos) = (0.5 * q[k]).sin_cos();
        let (twist_sin, twist_cos) = (0.5 * ARM[k].alpha).sin_cos();
        let step = Quaternion::new(cos * twist_cos, cos * twist_sin, sin * twist_sin, sin * twist_cos);
        let turn = (1.0 - 2.0 * sin * sin, 2.0 * sin * cos);
        let t = Vector3::new(ARM[k].a * turn.0, ARM[k].a * turn.1, ARM[k].d);
        let translation = pose.rotation * t + pose.translation.vector;
        pose = Isometry3::from_parts(translation.into(), UnitQuaternion::new_unchecked(*pose.rotation * step));
    }
    let difference = goal.inv_mul(&pose);
    let log = difference.rotation.scaled_axis();
    let (back, of_log) = (goal.rotation.inverse(), inverse_left_jacobian(&log));
    let mut jacobian = Matrix6::zeros();
    for k in 0..6 {
        let along = back * axes[k].cross(&(pose.translation.vector - places[k]));
        jacobian.fixed_view_mut::<3, 1>(0, k).copy_from(&along);
        jacobian.fixed_view_mut::<3, 1>(3, k).copy_from(&(of_log * (back * axes[k])));
    }
    let t = difference.translation.vector;
    (Vector6::new(t.x, t.y, t.z, log.x, log.y, log.z), jacobian)
}

/// Of SO(3), for angles that are not small.
#[inline]
fn inverse_left_jacobian(log: &Vector3<f64>) -> Matrix3<f64> {
    let angle = log.norm();
    let (sin, cos) = angle.sin_cos();
    let factor = (1.0 - angle * sin / (2.0 * (1.0 - cos))) / (angle * angle);
    let cross = log.cross_matrix();
    Matrix3::identity() - cross * 0.5 + cross * cross * factor
}

#[inline]
fn left_jacobian(log: &Vector3<f64>) -> Matrix3<f64> {
    let angle = log.norm();
    let (sin, cos) = angle.sin_cos();
    let cross = log.cross_matrix();
    Matrix3::identity()
        + cross * ((1.0 - cos) / (angle * angle))
        + cross * cross * ((angle - sin) / (angle * angle * angle))
}

/// For other crates: Hamilton's product of quaternions `[x, y, z, w]`.
#[inline]
fn product<T: Number>([a, b, c, d]: [T; 4], [x, y, z, w]: [T; 4]) -> [T; 4] {
    [
        d * x + a * w + b * z - c * y,
        d * y - a * z + b * w + c * x,
        d * z + a * y - b * x + c * w,
        d * w - a * x - b * y - c * z,
    ]
}

#[inline]
fn rotated<T: Number>([a, b, c, d]: [T; 4], [x, y, z]: [T; 3]) -> [T; 3] {
    let cross = |[x, y, z]: [T; 3]| [b * z - c * y, c * x - a * z, a * y - b * x];
    let once = cross([x, y, z]).map(|x| x + x);
    let twice = cross(once);
    [x + once[0] * d + twice[0], y + once[1] * d + twice[1], z + once[2] * d + twice[2]]
}

/// An axis times an angle, of a quaternion that is no small rotation.
#[inline]
fn logarithm<T: Number>([x, y, z, w]: [T; 4]) -> [T; 3] {
    let sin = (x * x + y * y + z * z).sqrt();
    let ratio = T::angle(sin, w).scaled(2.0) / sin;
    [x * ratio, y * ratio, z * ratio]
}

struct Error(Isometry3<f64>);
impl Model<6, 6> for Error {
    #[inline]
    fn eval<T: Number>(&self, q: &[T; 6]) -> [T; 6] {
        let number = T::constant;
        let back = self.0.inverse();
        let mut rotation = back.rotation.coords.data.0[0].map(number);
        let mut place = back.translation.vector.data.0[0].map(number);
        for k in 0..6 {
            let (sin, cos) = q[k].scaled(0.5).sin_cos();
            rotation = product(rotation, [number(0.0), number(0.0), sin, cos]);
            let step = rotated(rotation, [number(ARM[k].a), number(0.0), number(ARM[k].d)]);
            place = [place[0] + step[0], place[1] + step[1], place[2] + step[2]];
            let (sin, cos) = (0.5 * ARM[k].alpha).sin_cos();
            rotation = product(rotation, [number(sin), number(0.0), number(0.0), number(cos)]);
        }
        let [x, y, z] = logarithm(rotation);
        [place[0], place[1], place[2], x, y, z]
    }
}

/// The logarithm of a rotation behind another one.
#[differentiable]
fn turned(v: &Vector3<f64>, #[no_diff] r: &UnitQuaternion<f64>) -> Vector3<f64> {
    (UnitQuaternion::new(*v) * r).scaled_axis()
}

fn turned_by_hand(v: &Vector3<f64>, r: &UnitQuaternion<f64>) -> (Vector3<f64>, Matrix3<f64>) {
    let log = (UnitQuaternion::new(*v) * r).scaled_axis();
    (log, inverse_left_jacobian(&log) * left_jacobian(v))
}

struct Turned(UnitQuaternion<f64>);
impl Model<3, 3> for Turned {
    #[inline]
    fn eval<T: Number>(&self, &[x, y, z]: &[T; 3]) -> [T; 3] {
        let angle = (x * x + y * y + z * z).sqrt();
        let (sin, cos) = angle.scaled(0.5).sin_cos();
        let ratio = sin / angle;
        logarithm(product([x * ratio, y * ratio, z * ratio, cos], self.0.coords.data.0[0].map(T::constant)))
    }
}

pub fn bench<P: Further>(suite: &mut Suite) {
    let q = Vector6::new(0.1, -0.8, 0.9, 0.2, 0.5, -0.3);
    let goal = forward(&Vector6::new(0.3, -0.6, 1.1, 0.1, 0.4, -0.6));
    let generated = |q: &Vector6<f64>| error::value_and_jacobian(q, &goal);
    let expected = error_by_hand(&q, &goal);
    let model = Error(goal);
    for other in [generated(&q), by_num_dual(&model, &q), by_multicalc(&model, &q), P::jacobian(&model, &q)] {
        assert_close(other.0.as_slice(), expected.0.as_slice());
        assert_close(other.1.as_slice(), expected.1.as_slice());
    }
    let mut ways = vec![
        way("Jacobian", || generated(black_box(&q))),
        way("value alone", || error(black_box(&q), &goal)),
        way("by hand", || error_by_hand(black_box(&q), &goal)),
        way("num-dual", || by_num_dual(&model, black_box(&q))),
        way("multicalc", || by_multicalc(&model, black_box(&q))),
    ];
    ways.extend(P::NAME.map(|name| way(name, || P::jacobian(&model, black_box(&q)))));
    suite.compare("Jacobian of an arm, 6 by 6", &mut ways);

    let (v, r) = (Vector3::new(0.3, -0.4, 0.5), UnitQuaternion::new(Vector3::new(0.2, 0.9, -0.1)));
    let generated = |v: &Vector3<f64>| turned::value_and_jacobian(v, &r);
    let expected = turned_by_hand(&v, &r);
    let model = Turned(r);
    for other in [generated(&v), by_num_dual(&model, &v), by_multicalc(&model, &v), P::jacobian(&model, &v)] {
        assert_close(other.0.as_slice(), expected.0.as_slice());
        assert_close(other.1.as_slice(), expected.1.as_slice());
    }
    let mut ways = vec![
        way("Jacobian", || generated(black_box(&v))),
        way("value alone", || turned(black_box(&v), &r)),
        way("by hand", || turned_by_hand(black_box(&v), &r)),
        way("num-dual", || by_num_dual(&model, black_box(&v))),
        way("multicalc", || by_multicalc(&model, black_box(&v))),
    ];
    ways.extend(P::NAME.map(|name| way(name, || P::jacobian(&model, black_box(&v)))));
    suite.compare("logarithm of a rotation", &mut ways);
}
