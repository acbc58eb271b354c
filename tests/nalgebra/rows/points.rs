//! Points, translations and quaternions.

use crate::oracle::{m, rows};
use autodiff::prelude::*;
use nalgebra::{Matrix3, Point2, Point3, Quaternion, Translation3, UnitQuaternion, Vector3, Vector4};
#[allow(unused_imports)]
use num_dual::DualNum as _;

const P: Point3<f64> = Point3::new(0.5, -0.6, 2.0);
const Q: Point3<f64> = Point3::new(1.5, 0.3, -0.4);

fn quaternion() -> Quaternion<f64> {
    Quaternion::new(0.8, 0.1, -0.3, 0.4)
}

fn other() -> Quaternion<f64> {
    Quaternion::new(-0.2, 0.7, 0.5, 0.6)
}

rows! {
    dual points_1(p: Point3 = P, q: Point3 = Q, x: Vector3 = m(0.4), a: Matrix3 = m(0.3)) {
        Point.sub_point => (p - q).norm();
        Point.sub_vector => (p - x).coords.norm();
        Point.add_vector => (p + x).coords.norm();
        Point.mul_number => (p * x[0]).coords.dot(x);
        Point.div_number => (p / x[0]).coords.dot(x);
        Matrix.mul_point => (a * p).coords.dot(x);
    }
    dual points_2(p: Point3 = P, q: Point3 = Q, x: Vector3 = m(0.4)) {
        Point.neg => (-p).coords.dot(&q.coords);
        Point.lerp => p.lerp(q, x[0]).coords.dot(x);
        Point.to_homogeneous => p.to_homogeneous().norm();
        Point.from_homogeneous => Point3::from_homogeneous(p.to_homogeneous() * x[0]).unwrap().coords.dot(x)
            + Point3::from_homogeneous(x.push(p.x)).unwrap().coords.norm();
        Point.xy => p.xy().coords.dot(&q.xyz().xy().coords);
        Point.xyz => p.xyz().coords.dot(&q.coords);
    }
    dual points_3(p: Point3 = P, q: Point3 = Q, x: Vector3 = m(0.4)) {
        Point.new => (Point3::new(p.x * q[1], p.y, q.z) - p).norm() + Point2::new(p.x, p[1]).coords.norm();
        Point.from => (Point3::from(*x) - p).norm() + Point3::from([p.x, p.y, q.z]).coords.norm();
        Point.distance => nalgebra::distance(p, q);
        Point.distance_squared => nalgebra::distance_squared(p, q) * x[0];
        Point.center => nalgebra::center(p, q).coords.dot(x);
        Point.iter => p.iter().fold(x[0], |sum, v| sum * x[1] + *v * *v) * p.coords[p.len() - 1];
    }
    differences numbers_and_points(p: Point3 = P, x: Vector3 = m(0.4)) {
        Number.mul_point => (x[0] * *p).coords.dot(x) + (p - Point3::origin()).norm();
    }
    dual translations(t: Translation3 = Translation3::new(1.2, 0.4, -0.7), s: Translation3 = Translation3::new(0.2, 0.9, 0.3), p: Point3 = P) {
        Translation.mul_point => (t * p).coords.norm();
        Translation.mul_translation => (t * s).vector.norm();
        Translation.inverse => (t.inverse() * p).coords.norm();
        Translation.transform_point => t.transform_point(p).coords.norm();
        Translation.inverse_transform_point => t.inverse_transform_point(p).coords.norm();
        Translation.from => (Translation3::from(p.coords) * s).vector.norm() * t.x;
        Translation.new => (Translation3::new(p.x, p.z * t.y, s.z) * p).coords.norm();
    }
    dual quaternions_1(a: Quaternion = quaternion(), b: Quaternion = other(), x: Vector3 = m(0.4)) {
        Quaternion.add_quaternion => (a + b).dot(a);
        Quaternion.sub_quaternion => (a - b).dot(a);
        Quaternion.mul_number => (a * x[0]).dot(b);
        Quaternion.div_number => (a / x[0]).dot(b);
        Quaternion.mul_quaternion => (a * b).dot(b);
        Quaternion.norm => a.norm();
        Quaternion.norm_squared => a.norm_squared() * x[0];
    }
    dual quaternions_2(a: Quaternion = quaternion(), b: Quaternion = other(), x: Vector3 = m(0.4)) {
        Quaternion.normalize => a.normalize().dot(b);
        Quaternion.dot => a.dot(b).sin();
        Quaternion.scalar => a.scalar() * b.scalar() + a.w * b.i * a.j * b.k;
        Quaternion.imag => a.imag().dot(x) * x[0];
        Quaternion.vector => a.vector().dot(x) * x[0];
        Quaternion.conjugate => (a.conjugate() * b).dot(b);
        Quaternion.new => (Quaternion::new(x[0], x[1], x[2], a.k) * b).dot(a);
    }
    dual quaternions_3(a: Quaternion = quaternion(), b: Quaternion = other(), x: Vector3 = m(0.4)) {
        Quaternion.from_parts => (Quaternion::from_parts(a.w, *x) * b).dot(a);
        Quaternion.from_imag => (Quaternion::from_imag(*x) * b).dot(a);
        Quaternion.from => (Quaternion::from(Vector4::new(x[0], x[1], a.i, x[2])) * b).dot(a);
        UnitQuaternion.from_quaternion => (UnitQuaternion::from_quaternion(*a) * x).dot(&b.imag());
        UnitQuaternion.new_normalize => (UnitQuaternion::new_normalize(*a) * x).dot(&b.imag());
    }
    differences numbers_and_quaternions(a: Quaternion = quaternion(), b: Quaternion = other(), x: Vector3 = m(0.4)) {
        Number.mul_quaternion => (x[0] * *a).dot(b) + (Quaternion::identity() + a).norm();
    }
}
