//! Rotations and isometries: derivatives by their changes.

use crate::oracle::{m, rows};
use autodiff::prelude::*;
use nalgebra::{
    Isometry2, Isometry3, Matrix2, Matrix3, Point2, Point3, Quaternion, Rotation2, Rotation3, Translation2,
    Translation3, Unit, UnitComplex, UnitQuaternion, Vector2, Vector3,
};
#[allow(unused_imports)]
use num_dual::DualNum as _;

const POINT: Point3<f64> = Point3::new(0.5, -0.6, 2.0);
const IN_PLANE: Point2<f64> = Point2::new(0.5, -0.6);

fn q() -> UnitQuaternion<f64> {
    UnitQuaternion::new(Vector3::new(0.3, -0.5, 0.4))
}

fn p() -> UnitQuaternion<f64> {
    UnitQuaternion::new(Vector3::new(-0.7, 0.2, 0.9))
}

fn s() -> Isometry3<f64> {
    Isometry3::new(Vector3::new(0.2, 0.4, -1.5), Vector3::new(-0.6, 0.1, 0.8))
}

fn t() -> Isometry3<f64> {
    Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, -0.5, 0.4))
}

fn r() -> Rotation3<f64> {
    q().to_rotation_matrix()
}

rows! {
    dual quaternions_1(q: UnitQuaternion = q(), p: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        UnitQuaternion.mul_unit_quaternion => (q * p * x).dot(&x.yzx());
        UnitQuaternion.div_unit_quaternion => (q / p * x).dot(&x.yzx());
        UnitQuaternion.mul_vector => (q * x).dot(&x.yzx());
        UnitQuaternion.mul_point => (q * Point3::from(*x)).coords.dot(&x.yzx());
        UnitQuaternion.mul_translation => (q * Translation3::from(*x)).translation.vector.dot(&x.yzx());
    }
    dual quaternions_2(q: UnitQuaternion = q(), p: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        UnitQuaternion.mul_isometry => (q * Isometry3::from_parts(Translation3::from(*x), *p)).translation.vector.dot(&x.yzx());
        UnitQuaternion.mul_quaternion => (q.quaternion() * Quaternion::from_imag(*x)).dot(p.quaternion());
        UnitQuaternion.quaternion => q.quaternion().dot(&(p.quaternion() * Quaternion::from_imag(*x)));
        UnitQuaternion.into_inner => q.into_inner().dot(&(p.into_inner() * Quaternion::from_imag(*x)));
        UnitQuaternion.scalar => q.scalar() * p.scalar() + q.i * p.w * x[0];
    }
    dual quaternions_3(q: UnitQuaternion = q(), p: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        UnitQuaternion.vector => q.vector().dot(x) * x[1];
        UnitQuaternion.imag => q.imag().dot(x) * x[1];
        UnitQuaternion.dot => q.quaternion().dot(p).sin();
        UnitQuaternion.conjugate => (q.conjugate() * x).dot(&x.yzx());
        UnitQuaternion.inverse => (q.inverse() * x).dot(&x.yzx());
    }
    dual quaternions_4(q: UnitQuaternion = q(), x: Vector3 = m(0.4)) {
        UnitQuaternion.transform_vector => q.transform_vector(x).dot(&x.yzx());
        UnitQuaternion.transform_point => q.transform_point(&Point3::from(*x)).coords.dot(&x.yzx());
        UnitQuaternion.inverse_transform_vector => q.inverse_transform_vector(x).dot(&x.yzx());
        UnitQuaternion.inverse_transform_point => q.inverse_transform_point(&Point3::from(*x)).coords.dot(&x.yzx());
    }
    dual quaternions_apart_1(q: UnitQuaternion = q(), p: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        Quaternion.mul_unit_quaternion => (Quaternion::from_imag(*x) * q.quaternion()).dot(p.quaternion());
        UnitQuaternion.rotation_to => (q.rotation_to(p) * x).dot(&x.yzx());
        UnitQuaternion.angle_to => q.angle_to(p);
        UnitQuaternion.angle => q.angle() * x[0];
        UnitQuaternion.scaled_axis => q.scaled_axis().dot(x) * x[1];
    }
    dual quaternions_apart_2(q: UnitQuaternion = q(), p: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        UnitQuaternion.to_homogeneous => (q.to_homogeneous() * x.push(x[0])).norm() * q.to_homogeneous()[(0, 2)];
        UnitQuaternion.to_rotation_matrix => (q.to_rotation_matrix() * x).dot(&x.yzx());
        UnitQuaternion.slerp => (q.slerp(p, x[0]) * x).dot(&x.yzx());
        UnitQuaternion.from_rotation_matrix => (UnitQuaternion::from_rotation_matrix(&q.to_rotation_matrix()) * x).dot(&x.yzx());
        UnitQuaternion.from_axis_angle => (UnitQuaternion::from_axis_angle(&Unit::new_normalize(*x), x[1]) * x.yzx()).dot(&x.yzx());
    }
    dual quaternions_apart_3(q: UnitQuaternion = q(), p: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        UnitQuaternion.from_scaled_axis => (UnitQuaternion::from_scaled_axis(*x) * x.yzx()).dot(&x.yzx());
        UnitQuaternion.new => (UnitQuaternion::new(*x) * x.yzx()).dot(&x.yzx());
        UnitQuaternion.from_euler_angles => (UnitQuaternion::from_euler_angles(x.x, x.y, x.z) * x.yzx()).dot(&x.yzx());
        UnitQuaternion.face_towards => (UnitQuaternion::face_towards(&(q * x), &(p * x.yzx())) * x).dot(&x.yzx());
        UnitQuaternion.look_at_rh => (UnitQuaternion::look_at_rh(&(q * x), &(p * x.yzx())) * x).dot(&x.yzx());
    }
    dual quaternions_apart_4(q: UnitQuaternion = q(), p: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        UnitQuaternion.look_at_lh => (UnitQuaternion::look_at_lh(&(q * x), &(p * x.yzx())) * x).dot(&x.yzx());
        UnitQuaternion.new_unchecked => (UnitQuaternion::new_unchecked(*q.quaternion()) * x).dot(&x.yzx());
        UnitQuaternion.euler_angles => { let (roll, pitch, yaw) = q.euler_angles(); roll * pitch + yaw * yaw * x[0] };
    }
    dual rotations_1(r: Rotation3 = r(), q: UnitQuaternion = p(), x: Vector3 = m(0.4), a: Matrix3 = m(0.3)) {
        Rotation.mul_rotation => (r * q.to_rotation_matrix() * x).dot(&x.yzx());
        Rotation.div_rotation => (r / q.to_rotation_matrix() * x).dot(&x.yzx());
        Rotation.mul_vector => (r * x).dot(&x.yzx());
        Rotation.mul_matrix => (r * a).dot(a);
        Rotation.mul_point => (r * Point3::from(*x)).coords.dot(&x.yzx());
    }
    dual rotations_2(r: Rotation3 = r(), x: Vector3 = m(0.4), a: Matrix3 = m(0.3)) {
        Rotation3.inverse => (r.inverse() * x).dot(&x.yzx());
        Rotation3.transpose => (r.transpose() * x).dot(&x.yzx());
        Rotation3.matrix => r.matrix().dot(a) * x[0];
        Rotation3.into_inner => r.into_inner().dot(a) * x[0];
        Rotation3.transform_vector => r.transform_vector(x).dot(&x.yzx());
    }
    dual rotations_3(r: Rotation3 = r(), q: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        Rotation3.transform_point => r.transform_point(&Point3::from(*x)).coords.dot(&x.yzx());
        Rotation3.inverse_transform_vector => r.inverse_transform_vector(x).dot(&x.yzx());
        Rotation3.inverse_transform_point => r.inverse_transform_point(&Point3::from(*x)).coords.dot(&x.yzx());
        Rotation3.rotation_to => (r.rotation_to(&q.to_rotation_matrix()) * x).dot(&x.yzx());
        Rotation3.angle_to => r.angle_to(&q.to_rotation_matrix());
    }
    dual rotations_4(r: Rotation3 = r(), x: Vector3 = m(0.4)) {
        Rotation3.to_homogeneous => (r.to_homogeneous() * x.push(x[0])).xyz().dot(&x.yzx());
        Rotation3.angle => r.angle() * x[0];
        Rotation3.scaled_axis => r.scaled_axis().dot(x) * x[0];
        Rotation3.euler_angles => { let (roll, pitch, yaw) = r.euler_angles(); roll * pitch + yaw * yaw * x[0] };
    }
    dual rotations_made_1(r: Rotation3 = r(), x: Vector3 = m(0.4)) {
        Rotation3.new => (Rotation3::new(*x) * x.yzx()).dot(&x.yzx());
        Rotation3.from_scaled_axis => (Rotation3::from_scaled_axis(*x) * x.yzx()).dot(&x.yzx());
        Rotation3.from_axis_angle => (Rotation3::from_axis_angle(&Unit::new_normalize(*x), x[1]) * x.yzx()).dot(&x.yzx());
        Rotation3.from_euler_angles => (Rotation3::from_euler_angles(x.x, x.y, x.z) * x.yzx()).dot(&x.yzx());
        Rotation3.from_matrix_unchecked => (Rotation3::from_matrix_unchecked(*r.matrix()) * x).dot(&x.yzx());
    }
    dual rotations_made_2(r: Rotation3 = r(), q: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        Rotation3.from => (Rotation3::from(*q) * x).dot(&x.yzx());
        Matrix.mul_rotation => (x * x.transpose() * r).dot(r.matrix());
        Rotation3.face_towards => (Rotation3::face_towards(&(r * x), &(q * x.yzx())) * x).dot(&x.yzx());
        Rotation3.look_at_rh => (Rotation3::look_at_rh(&(r * x), &(q * x.yzx())) * x).dot(&x.yzx());
        Rotation3.look_at_lh => (Rotation3::look_at_lh(&(r * x), &(q * x.yzx())) * x).dot(&x.yzx());
    }
    dual isometries_1(a: Isometry3 = t(), b: Isometry3 = s(), x: Point3 = POINT) {
        Isometry.mul_isometry => (a * b * x).coords.dot(&x.coords.yzx());
        Isometry.mul_translation => (a * Translation3::from(x.coords)).translation.vector.dot(&x.coords.yzx());
        Isometry.mul_unit_quaternion => (a * b.rotation * x).coords.dot(&x.coords.yzx());
        Isometry.mul_point => (a * x).coords.dot(&x.coords.yzx());
        Isometry.mul_vector => (a * x.coords).dot(&x.coords.yzx());
    }
    dual isometries_2(a: Isometry3 = t(), b: Isometry3 = s(), x: Point3 = POINT) {
        Isometry3.inverse => (a.inverse() * x).coords.dot(&x.coords.yzx());
        Isometry3.inv_mul => (a.inv_mul(b) * x).coords.dot(&x.coords.yzx());
        Isometry3.transform_point => a.transform_point(x).coords.dot(&x.coords.yzx());
        Isometry3.transform_vector => a.transform_vector(&x.coords).dot(&x.coords.yzx());
        Isometry3.inverse_transform_vector => a.inverse_transform_vector(&x.coords).dot(&x.coords.yzx());
    }
    dual isometries_3(a: Isometry3 = t(), b: Isometry3 = s(), x: Point3 = POINT) {
        Isometry3.inverse_transform_point => a.inverse_transform_point(x).coords.dot(&x.coords.yzx());
        Isometry3.to_homogeneous => (a.to_homogeneous() * x.to_homogeneous()).xyz().dot(&x.coords.yzx());
        Isometry3.new => (Isometry3::new(a.translation.vector, x.coords) * x).coords.dot(&x.coords.yzx());
        Isometry3.from_parts => (Isometry3::from_parts(b.translation, a.rotation) * x).coords.dot(&x.coords.yzx());
        Isometry3.face_towards => (Isometry3::face_towards(&(a * x), &(b * x), &x.coords) * x).coords.dot(&x.coords.yzx());
    }
    dual isometries_4(a: Isometry3 = t(), b: Isometry3 = s(), x: Point3 = POINT) {
        Isometry3.look_at_rh => (Isometry3::look_at_rh(&(a * x), &(b * x), &x.coords) * x).coords.dot(&x.coords.yzx());
        Isometry3.look_at_lh => (Isometry3::look_at_lh(&(a * x), &(b * x), &x.coords) * x).coords.dot(&x.coords.yzx());
        Isometry3.translation => (Isometry3::translation(x.x, x.y, x.z) * a * x).coords.norm();
        Isometry3.rotation => (Isometry3::rotation(x.coords) * a * x).coords.dot(&x.coords.yzx());
    }
    dual of_the_plane_1(r: Rotation2 = Rotation2::new(0.4), x: Vector2 = m(0.4), a: Matrix2 = m(0.3)) {
        Rotation2.inverse => (r.inverse() * x).dot(&x.yx());
        Rotation2.transpose => (r.transpose() * x).dot(&x.yx());
        Rotation2.matrix => r.matrix().dot(a) * x[0];
        Rotation2.into_inner => r.into_inner().dot(a) * x[0];
    }
    dual of_the_plane_2(r: Rotation2 = Rotation2::new(0.4), x: Vector2 = m(0.4)) {
        Rotation2.transform_vector => (r.transform_vector(x) * x[0]).dot(&x.yx());
        Rotation2.transform_point => r.transform_point(&Point2::from(*x)).coords.dot(&x.yx());
        Rotation2.inverse_transform_vector => r.inverse_transform_vector(x).dot(&x.yx());
        Rotation2.inverse_transform_point => r.inverse_transform_point(&Point2::from(*x)).coords.dot(&x.yx());
    }
    dual of_the_plane_3(r: Rotation2 = Rotation2::new(0.4), c: UnitComplex = UnitComplex::new(-0.7), x: Vector2 = m(0.4)) {
        Rotation2.rotation_to => (r.rotation_to(&c.to_rotation_matrix()) * x).dot(&x.yx());
        Rotation2.angle_to => r.angle_to(&c.to_rotation_matrix()) * x[0];
        Rotation2.to_homogeneous => (r.to_homogeneous() * x.push(x[0])).xy().dot(&x.yx());
        Rotation2.angle => r.angle() * c.angle() * x[0];
    }
    dual of_the_plane_4(r: Rotation2 = Rotation2::new(0.4), c: UnitComplex = UnitComplex::new(-0.7), x: Vector2 = m(0.4), a: Matrix2 = m(0.3)) {
        Translation.mul_unit_complex => (Translation2::from(*x) * c * Point2::from(*x)).coords.dot(&x.yx());
        Rotation2.new => (Rotation2::new(x[0]) * x).dot(&(r * c.to_rotation_matrix() / r * x.yx()));
        Rotation2.from => (Rotation2::from(*c) * x).dot(&(r * a * x));
        Rotation2.from_matrix_unchecked => (Rotation2::from_matrix_unchecked(*r.matrix()) * x).dot(&(a * r * x));
    }
    dual complex_1(c: UnitComplex = UnitComplex::new(-0.7), d: UnitComplex = UnitComplex::new(0.4), x: Vector2 = m(0.4)) {
        UnitComplex.mul_unit_complex => (c * d * x).dot(&x.yx());
        UnitComplex.div_unit_complex => (c / d * x).dot(&x.yx());
        UnitComplex.mul_vector => (c * x).dot(&x.yx());
        UnitComplex.mul_point => (c * Point2::from(*x)).coords.dot(&x.yx());
        UnitComplex.mul_translation => (c * Translation2::from(*x)).translation.vector.dot(&x.yx());
    }
    dual complex_2(c: UnitComplex = UnitComplex::new(-0.7), d: UnitComplex = UnitComplex::new(0.4), x: Vector2 = m(0.4)) {
        UnitComplex.mul_isometry => (c * Isometry2::from_parts(Translation2::from(*x), *d) * Point2::from(*x)).coords.dot(&x.yx());
        UnitComplex.angle => c.angle() * d.angle();
        UnitComplex.cos_angle => c.cos_angle() * d.cos_angle();
        UnitComplex.sin_angle => c.sin_angle() * d.sin_angle();
        UnitComplex.inverse => (c.inverse() * x).dot(&x.yx());
    }
    dual complex_3(c: UnitComplex = UnitComplex::new(-0.7), x: Vector2 = m(0.4)) {
        UnitComplex.conjugate => (c.conjugate() * x).dot(&x.yx());
        UnitComplex.transform_vector => c.transform_vector(x).dot(&x.yx());
        UnitComplex.transform_point => c.transform_point(&Point2::from(*x)).coords.dot(&x.yx());
        UnitComplex.inverse_transform_vector => c.inverse_transform_vector(x).dot(&x.yx());
        UnitComplex.inverse_transform_point => c.inverse_transform_point(&Point2::from(*x)).coords.dot(&x.yx());
    }
    dual complex_4(c: UnitComplex = UnitComplex::new(-0.7), d: UnitComplex = UnitComplex::new(0.4), x: Vector2 = m(0.4)) {
        UnitComplex.rotation_to => (c.rotation_to(d) * x).dot(&x.yx());
        UnitComplex.angle_to => c.angle_to(d) * x[0];
        UnitComplex.powf => (c.powf(x[0]) * x).dot(&x.yx());
        UnitComplex.to_rotation_matrix => (c.to_rotation_matrix() * x).dot(&x.yx());
        UnitComplex.to_homogeneous => (c.to_homogeneous() * x.push(x[0])).xy().dot(&x.yx());
    }
    dual complex_5(c: UnitComplex = UnitComplex::new(-0.7), x: Vector2 = m(0.4)) {
        UnitComplex.new => (UnitComplex::new(x[0]) * x).dot(&x.yx());
        UnitComplex.from_angle => (UnitComplex::from_angle(x[0]) * x).dot(&x.yx());
        UnitComplex.from_cos_sin_unchecked => (UnitComplex::from_cos_sin_unchecked(x[0].cos(), x[0].sin()) * x).dot(&x.yx());
        UnitComplex.from_rotation_matrix => (UnitComplex::from_rotation_matrix(&c.to_rotation_matrix()) * x).dot(&x.yx());
        UnitComplex.from => (UnitComplex::from(c.to_rotation_matrix()) * x).dot(&x.yx());
    }
    dual isometries_of_the_plane_1(a: Isometry2 = Isometry2::new(Vector2::new(0.3, -0.8), 0.6), b: Isometry2 = Isometry2::new(Vector2::new(1.1, 0.2), -0.9), x: Point2 = IN_PLANE) {
        Isometry2.mul => (a * b * x).coords.dot(&x.coords.yx()) + (a * Translation2::from(x.coords) * x).coords.norm();
        Isometry.mul_unit_complex => (a * b.rotation * x).coords.dot(&x.coords.yx());
        Isometry2.mul_vector => (a * x.coords).dot(&x.coords.yx());
        Isometry2.inverse => (a.inverse() * x).coords.dot(&x.coords.yx());
        Isometry2.inv_mul => (a.inv_mul(b) * x).coords.dot(&x.coords.yx());
    }
    dual isometries_of_the_plane_2(a: Isometry2 = Isometry2::new(Vector2::new(0.3, -0.8), 0.6), x: Point2 = IN_PLANE) {
        Isometry2.transform_point => a.transform_point(x).coords.dot(&x.coords.yx());
        Isometry2.transform_vector => a.transform_vector(&x.coords).dot(&x.coords.yx());
        Isometry2.inverse_transform_vector => a.inverse_transform_vector(&x.coords).dot(&x.coords.yx());
        Isometry2.inverse_transform_point => a.inverse_transform_point(x).coords.dot(&x.coords.yx());
        Isometry2.to_homogeneous => (a.to_homogeneous() * x.to_homogeneous()).xy().dot(&x.coords.yx());
    }
    dual isometries_of_the_plane_3(a: Isometry2 = Isometry2::new(Vector2::new(0.3, -0.8), 0.6), b: Isometry2 = Isometry2::new(Vector2::new(1.1, 0.2), -0.9), x: Point2 = IN_PLANE) {
        Isometry2.new => (Isometry2::new(x.coords, x.x) * x).coords.dot(&x.coords.yx());
        Isometry2.from_parts => (Isometry2::from_parts(b.translation, a.rotation) * x).coords.dot(&x.coords.yx());
        Isometry2.translation => (Isometry2::translation(x.x, x.y) * a * x).coords.norm();
        Isometry2.rotation => (Isometry2::rotation(x.x) * a * x).coords.norm();
    }
    dual moved(a: Isometry3 = t(), x: Point3 = POINT) {
        Translation.mul_unit_quaternion => (Translation3::from(x.coords) * a.rotation * x).coords.dot(&x.coords.yzx());
        Translation.mul_isometry => (Translation3::from(x.coords) * a * x).coords.dot(&x.coords.yzx());
    }
    dual identities(a: Isometry3 = t(), x: Point3 = POINT) {
        Isometry3.identity => (Isometry3::identity() * a * x).coords.dot(&x.coords.yzx());
        Isometry3.with_identity => (UnitQuaternion::identity() * a.rotation * x).coords.dot(&x.coords.yzx())
            + (Rotation3::identity() * (Translation3::identity() * (a * x))).coords.norm();
    }
}
