//! Points, rotations and isometries: every operator and method, against differences, with nalgebra's own values.

use crate::harness::check;
use autodiff::prelude::*;
use nalgebra::{
    Isometry3, Matrix3, Point2, Point3, Quaternion, Rotation2, Rotation3, Translation3, Unit, UnitQuaternion, Vector2,
    Vector3, Vector4,
};

const W: Vector3<f64> = Vector3::new(0.3, -0.5, 0.4);
const V: Vector3<f64> = Vector3::new(-0.2, 0.6, 0.9);
const T: Vector3<f64> = Vector3::new(1.2, 0.4, -0.7);

/// `f(w: Vector3 = W) => …`: of one kind of rotation at a time.
macro_rules! rows {
    ($($name:ident($($p:ident: $ty:ty = $at:expr),+) => $body:expr;)+) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[differentiable(order = 2)]
            fn f($($p: &$ty),+) -> f64 {
                $body
            }

            #[test]
            fn derivatives() {
                check!(f($(&$p),+) by $($p = $at),+);
            }
        }
    )+};
}

rows! {
    rotation_new(w: Vector3<f64> = W, v: Vector3<f64> = V) => (Rotation3::new(*w) * v).map(|x| x.sin()).sum();
    rotation_of_axis_angle(w: Vector3<f64> = W, v: Vector3<f64> = V) => {
        (Rotation3::from_axis_angle(&Unit::new_normalize(*w), v.x) * v).map(|x| x.sin()).sum()
    };
    rotation_of_euler_angles(w: Vector3<f64> = W, v: Vector3<f64> = V) => {
        Rotation3::from_euler_angles(w.x, w.y, w.z).transform_vector(v).map(|x| x.sin()).sum()
    };
    rotation_products(w: Vector3<f64> = W, v: Vector3<f64> = V) => {
        let (a, b) = (Rotation3::new(*w), Rotation3::from_scaled_axis(*v));
        let c = a * b / a.inverse();
        c.matrix().map(|x| x.sin()).sum() + (a.transpose() * Matrix3::from_diagonal(v)).trace() + a.angle_to(&b)
    };
    rotation_logarithm(w: Vector3<f64> = W) => {
        let r = Rotation3::new(*w);
        r.scaled_axis().map(|x| x.sin()).sum() + r.angle().exp()
    };
    rotation_euler_angles(w: Vector3<f64> = W) => {
        let (roll, pitch, yaw) = Rotation3::new(*w).euler_angles();
        roll.sin() + pitch.exp() + yaw * roll
    };
    rotation_looks(w: Vector3<f64> = W, v: Vector3<f64> = V) => {
        let r = Rotation3::look_at_rh(w, v) * Rotation3::face_towards(v, w);
        r.matrix().map(|x| x.sin()).sum()
    };
    rotation_to_homogeneous(w: Vector3<f64> = W) => Rotation3::new(*w).to_homogeneous().map(|x| x.sin()).sum();
    rotation_in_the_plane(w: Vector2<f64> = Vector2::new(0.4, -0.9)) => {
        let r = Rotation2::new(w.x);
        let p = r * Point2::new(w.y, 1.0);
        p.x * p.y + r.angle().exp() + r.inverse_transform_vector(w).norm_squared()
    };
    quaternion_new(w: Vector3<f64> = W, v: Vector3<f64> = V) => (UnitQuaternion::new(*w) * v).map(|x| x.sin()).sum();
    quaternion_of_axis_angle(w: Vector3<f64> = W, v: Vector3<f64> = V) => {
        (UnitQuaternion::from_axis_angle(&Vector3::y_axis(), w.x) * v).map(|x| x.sin()).sum()
    };
    quaternion_of_euler_angles(w: Vector3<f64> = W, v: Vector3<f64> = V) => {
        let q = UnitQuaternion::from_euler_angles(w.x, w.y, w.z);
        q.inverse_transform_vector(v).map(|x| x.sin()).sum() + q.i * q.j + q.w
    };
    quaternion_products(w: Vector3<f64> = W, v: Vector3<f64> = V) => {
        let (a, b) = (UnitQuaternion::new(*w), UnitQuaternion::from_scaled_axis(*v));
        let c = a * b / a.inverse();
        c.scaled_axis().map(|x| x.sin()).sum() + a.angle_to(&b) + a.rotation_to(&b).angle()
    };
    quaternion_logarithm(w: Vector3<f64> = W) => {
        let q = UnitQuaternion::from_scaled_axis(*w);
        q.scaled_axis().map(|x| x.sin()).sum() + q.angle().exp()
    };
    quaternion_slerp(w: Vector3<f64> = W, v: Vector3<f64> = V) => {
        let (a, b) = (UnitQuaternion::new(*w), UnitQuaternion::new(*v));
        a.slerp(&b, 0.3).scaled_axis().map(|x| x.sin()).sum()
    };
    quaternion_as_matrix(w: Vector3<f64> = W) => {
        let q = UnitQuaternion::new(*w);
        let r = q.to_rotation_matrix();
        let back = UnitQuaternion::from_rotation_matrix(&r);
        r.matrix().map(|x| x.sin()).sum() + back.coords.map(|x| x.exp()).sum() + q.to_homogeneous()[(0, 1)]
    };
    quaternion_of_numbers(c: Vector4<f64> = Vector4::new(0.8, 0.1, -0.3, 0.4), v: Vector3<f64> = V) => {
        let q = Quaternion::new(c[0], c[1], c[2], c[3]);
        let p = q * q * 0.5 + q.conjugate();
        let u = UnitQuaternion::from_quaternion(q);
        p.norm() + (u * v).map(|x| x.sin()).sum() + q.imag().norm_squared() + q.scalar() * p.dot(&q)
    };
    isometry(w: Vector3<f64> = W, t: Vector3<f64> = T, p: Point3<f64> = Point3::new(0.5, -0.6, 2.0)) => {
        let a = Isometry3::new(*t, *w);
        let b = Isometry3::from_parts(Translation3::new(w.x, t.y, 1.0), UnitQuaternion::from_euler_angles(t.x, 0.2, w.z));
        let c = a * b.inverse();
        let q = c * p;
        let back = a.inv_mul(&b).inverse_transform_point(&q);
        (q - back).norm() + c.transform_vector(t).map(|x| x.sin()).sum() + c.to_homogeneous()[(0, 3)]
    };
    isometry_parts(w: Vector3<f64> = W, t: Vector3<f64> = T) => {
        let a = Translation3::from(*t) * UnitQuaternion::new(*w);
        let b = UnitQuaternion::new(*w) * Translation3::new(t.y, t.x, t.z);
        (a.translation.vector + b.translation.vector).map(|x| x.sin()).sum() + (a.rotation * b.rotation).angle()
    };
    isometry_looks(w: Vector3<f64> = W, t: Vector3<f64> = T) => {
        let (eye, target) = (Point3::from(*w), Point3::from(*t));
        let view = Isometry3::look_at_rh(&eye, &target, &Vector3::y());
        (view * Point3::new(1.0, 2.0, 3.0)).coords.map(|x| x.sin()).sum()
    };
    points(p: Point3<f64> = Point3::new(0.5, -0.6, 2.0), q: Point3<f64> = Point3::new(1.5, 0.3, -0.4)) => {
        let middle = nalgebra::center(p, q);
        let moved = middle + (p - q) * 0.3 - q.coords;
        let lerped = p.lerp(q, 0.25);
        let mut scaled = Matrix3::from_diagonal(&p.coords) * moved * 2.0 / 3.0;
        scaled.x += p[1];
        scaled[2] *= q.z;
        let plane = Point3::from_homogeneous(lerped.to_homogeneous() * 2.0).unwrap();
        nalgebra::distance(p, q) + nalgebra::distance_squared(&scaled, &plane) + moved.xy().coords.norm() + (-p).coords.dot(&Point3::origin().coords)
    };
}

/// Near 0, where an axis has no direction, the derivative is that of the exponential.
#[test]
fn small_rotations() {
    let zero = Vector3::zeros();
    let (_, pullback) = turned::vjp(&zero, &V);
    let columns = [Vector3::x(), Vector3::y(), Vector3::z()].map(|seed| pullback(&seed).0);
    for (i, seed) in [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().enumerate() {
        // d(w × v) by w, seeded.
        assert!((columns[i] - V.cross(&seed)).norm() < 1e-15, "{i}");
    }
    let (value, gradient) = length::value_and_grad(&zero);
    assert_eq!((value, gradient), (0.0, zero));
}

#[differentiable]
fn turned(w: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    (Rotation3::new(*w) * v + UnitQuaternion::new(*w) * v) * 0.5
}

#[differentiable]
fn length(w: &Vector3<f64>) -> f64 {
    Rotation3::new(*w).scaled_axis().norm_squared() + UnitQuaternion::new(*w).scaled_axis().norm_squared()
}
