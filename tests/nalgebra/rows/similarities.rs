//! What is between two rotations or isometries, a part of one, and similarities.

use crate::oracle::{m, rows};
use autodiff::prelude::*;
use nalgebra::{
    Isometry2, Isometry3, Matrix3, Matrix4, Point2, Point3, Rotation2, Rotation3, Similarity2, Similarity3,
    Translation2, Translation3, Unit, UnitComplex, UnitQuaternion, Vector2, Vector3,
};
#[allow(unused_imports)]
use num_dual::DualNum as _;

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

fn in_plane() -> Isometry2<f64> {
    Isometry2::new(Vector2::new(0.3, -0.8), 0.6)
}

rows! {
    dual between_quaternions_1(q: UnitQuaternion = q(), p: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        UnitQuaternion.lerp => q.lerp(p, x[0]).norm() * q.lerp(p, x[1]).w;
        UnitQuaternion.nlerp => (q.nlerp(p, x[0]) * x).dot(&x.yzx());
        UnitQuaternion.powf => (q.powf(x[0]) * (p * x)).dot(&x.yzx());
        UnitQuaternion.axis => q.axis().unwrap().into_inner().dot(x) * p.axis().unwrap().into_inner().dot(&x.yzx());
        UnitQuaternion.rotation_between => (UnitQuaternion::rotation_between(&(q * x), &(p * x.yzx())).unwrap() * x).dot(&x.yzx());
    }
    dual between_rotations_1(r: Rotation3 = q().to_rotation_matrix(), q: UnitQuaternion = p(), x: Vector3 = m(0.4)) {
        Rotation3.powf => (r.powf(x[0]) * x).dot(&x.yzx());
        Rotation3.slerp => (r.slerp(&q.to_rotation_matrix(), x[0]) * x).dot(&x.yzx());
    }
    dual between_rotations_2(r: Rotation2 = Rotation2::new(0.4), c: UnitComplex = UnitComplex::new(-0.7), x: Vector2 = m(0.4)) {
        Rotation2.powf => (r.powf(x[0]) * x).dot(&x.yx());
        Rotation2.slerp => (r.slerp(&c.to_rotation_matrix(), x[0]) * x).dot(&x.yx());
    }
    dual between_complex(c: UnitComplex = UnitComplex::new(-0.7), d: UnitComplex = UnitComplex::new(1.4), x: Vector2 = m(0.4)) {
        UnitComplex.slerp => (c.slerp(d, x[0]) * x).dot(&x.yx());
    }
    dual between_isometries(a: Isometry3 = t(), b: Isometry3 = s(), x: Point3 = Point3::new(0.5, -0.6, 2.0)) {
        Isometry3.lerp_slerp => (a.lerp_slerp(b, x.x) * x).coords.dot(&x.coords.yzx());
    }
    dual between_isometries_of_the_plane(a: Isometry2 = in_plane(), b: Isometry2 = Isometry2::new(Vector2::new(1.1, 0.2), -0.9), x: Point2 = Point2::new(0.5, -0.6)) {
        Isometry2.lerp_slerp => (a.lerp_slerp(b, x.x) * x).coords.dot(&x.coords.yx());
    }
    dual similarities_1(a: Isometry3 = t(), b: Isometry3 = s(), x: Point3 = Point3::new(0.5, -0.6, 2.0)) {
        Similarity.mul_similarity => (Similarity3::from_isometry(*a, x.z) * Similarity3::from_isometry(*b, x.x) * x).coords.dot(&x.coords.yzx());
        Similarity.mul_isometry => (Similarity3::from_isometry(*a, x.z) * b * x).coords.dot(&x.coords.yzx());
        Similarity.mul_point => (Similarity3::from_isometry(*a, x.z) * x).coords.dot(&(b * x).coords.yzx());
        Similarity.mul_vector => (Similarity3::from_isometry(*a, x.z) * x.coords).dot(&(b * x).coords.yzx());
    }
    dual similarities_of_isometries(a: Isometry3 = t(), b: Isometry3 = s(), x: Point3 = Point3::new(0.5, -0.6, 2.0)) {
        Isometry.mul_similarity => (a * Similarity3::from_isometry(*b, x.x) * x).coords.dot(&x.coords.yzx());
    }
    dual similarities_2(a: Isometry3 = t(), x: Point3 = Point3::new(0.5, -0.6, 2.0)) {
        Similarity3.new => (Similarity3::new(x.coords, x.coords.yzx(), x.z) * (a * x)).coords.dot(&x.coords.yzx());
        Similarity3.from_parts => (Similarity3::from_parts(Translation3::from(x.coords), a.rotation, x.z) * x).coords.dot(&x.coords.yzx());
        Similarity3.from_isometry => (Similarity3::from_isometry(a.inverse(), x.z) * x).coords.dot(&x.coords.yzx());
        Similarity3.scaling => Similarity3::from_isometry(*a, x.z).scaling() * (a * x).x;
        Similarity3.inverse => (Similarity3::from_isometry(*a, x.z).inverse() * x).coords.dot(&x.coords.yzx());
    }
    dual similarities_3(a: Isometry3 = t(), x: Point3 = Point3::new(0.5, -0.6, 2.0)) {
        Similarity3.transform_point => Similarity3::from_isometry(*a, x.z).transform_point(x).coords.dot(&x.coords.yzx());
        Similarity3.transform_vector => Similarity3::from_isometry(*a, x.z).transform_vector(&x.coords).dot(&x.coords.yzx());
        Similarity3.inverse_transform_point => Similarity3::from_isometry(*a, x.z).inverse_transform_point(x).coords.dot(&x.coords.yzx());
        Similarity3.inverse_transform_vector => Similarity3::from_isometry(*a, x.z).inverse_transform_vector(&x.coords).dot(&x.coords.yzx());
        Similarity3.to_homogeneous => (Similarity3::from_isometry(*a, x.z).to_homogeneous() * x.to_homogeneous()).xyz().dot(&x.coords.yzx());
    }
    dual similarities_of_the_plane_1(a: Isometry2 = in_plane(), x: Point2 = Point2::new(0.5, -0.6)) {
        Similarity2.new => (Similarity2::new(x.coords, x.x, x.y) * (a * x)).coords.dot(&x.coords.yx());
        Similarity2.from_parts => (Similarity2::from_parts(Translation2::from(x.coords), a.rotation, x.y) * x).coords.dot(&x.coords.yx());
        Similarity2.from_isometry => (Similarity2::from_isometry(a.inverse(), x.y) * x).coords.dot(&x.coords.yx());
        Similarity2.scaling => Similarity2::from_isometry(*a, x.y).scaling() * (a * x).x;
        Similarity2.inverse => (Similarity2::from_isometry(*a, x.y).inverse() * x).coords.dot(&x.coords.yx());
    }
    dual similarities_of_the_plane_2(a: Isometry2 = in_plane(), x: Point2 = Point2::new(0.5, -0.6)) {
        Similarity2.transform_point => Similarity2::from_isometry(*a, x.y).transform_point(x).coords.dot(&x.coords.yx());
        Similarity2.transform_vector => Similarity2::from_isometry(*a, x.y).transform_vector(&x.coords).dot(&x.coords.yx());
        Similarity2.inverse_transform_point => Similarity2::from_isometry(*a, x.y).inverse_transform_point(x).coords.dot(&x.coords.yx());
        Similarity2.inverse_transform_vector => Similarity2::from_isometry(*a, x.y).inverse_transform_vector(&x.coords).dot(&x.coords.yx());
        Similarity2.to_homogeneous => (Similarity2::from_isometry(*a, x.y).to_homogeneous() * x.to_homogeneous()).xy().dot(&x.coords.yx());
    }
    dual homogeneous_1(x: Vector3 = m(0.4), y: Vector3 = m(0.9)) {
        Matrix.new_translation => (Matrix4::new_translation(x) * y.push(x[0])).xyz().dot(&x.yzx());
        Matrix.new_scaling => (Matrix4::new_scaling(x[0]) * y.push(x[0])).xyz().dot(&x.yzx()) + (Matrix3::new_scaling(x[1]) * y).dot(x);
        Matrix.new_nonuniform_scaling => (Matrix4::new_nonuniform_scaling(x) * y.push(x[0])).xyz().dot(&x.yzx());
        Matrix.new_rotation => (Matrix4::new_rotation(*x) * y.push(x[0])).xyz().dot(&x.yzx()) + (Matrix3::new_rotation(x[1]) * y).dot(x);
        Matrix.from_scaled_axis => (Matrix4::from_scaled_axis(*x) * y.push(x[0])).xyz().dot(&x.yzx());
    }
    dual homogeneous_2(x: Vector3 = m(0.4), y: Vector3 = m(0.9)) {
        Matrix.from_axis_angle => (Matrix4::from_axis_angle(&Unit::new_normalize(*x), x[1]) * y.push(x[0])).xyz().dot(&x.yzx());
        Matrix.from_euler_angles => (Matrix4::from_euler_angles(x[0], x[1], x[2]) * y.push(x[0])).xyz().dot(&x.yzx());
        Matrix.transform_point => (Matrix4::new_rotation(*x) + Matrix4::repeat(x[2])).transform_point(&Point3::from(*y)).coords.dot(&x.yzx());
        Matrix.transform_vector => (Matrix4::new_rotation(*x) + Matrix4::repeat(x[2])).transform_vector(y).dot(&x.yzx());
    }
    differences eigenvalues(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7)) {
        Matrix.symmetric_eigenvalues => (a * a.transpose() + b).symmetric_eigenvalues().map(|x| x * x * x).sum();
        Matrix.symmetric_eigen => { let e = (a * a.transpose() + b).symmetric_eigen(); (e.eigenvectors * b).dot(a) * e.eigenvalues[0] };
        SymmetricEigen.new => nalgebra::SymmetricEigen::new(a + b.transpose()).eigenvalues[1];
        SymmetricEigen.recompose => (a * a.transpose() + b).symmetric_eigen().recompose().dot(b);
    }
}
