//! Jacobians, Hessians and Gauss–Newton products of functions over nalgebra's types are matrices of nalgebra.

use autodiff::prelude::*;
use nalgebra::{
    Isometry3, Matrix1x3, Matrix2, Matrix2x3, Matrix2x6, Matrix3, Matrix6, Point2, Point3, RowVector3, SMatrix,
    SVector, UnitQuaternion, Vector2, Vector3, Vector6,
};

/// The image of a point in a pinhole camera.
#[differentiable]
fn project(pose: &Isometry3<f64>, point: &Point3<f64>) -> Point2<f64> {
    let p = pose * point;
    Point2::new(p.x / p.z, p.y / p.z)
}

#[differentiable(order = 2)]
fn energy(q: &UnitQuaternion<f64>, v: &Vector3<f64>, gain: f64) -> f64 {
    gain * (q * v).map(|x| x.sin()).sum() + gain * gain * v.norm_squared()
}

#[differentiable]
fn arm(angles: &[f64; 3]) -> Vector2<f64> {
    let mut at = Vector2::zeros();
    let mut angle = 0.0;
    for a in angles {
        angle += a;
        at += Vector2::new(angle.cos(), angle.sin());
    }
    at
}

#[differentiable]
fn linear<const N: usize>(a: &SMatrix<f64, 2, N>, x: &SVector<f64, N>) -> Vector2<f64> {
    a * x
}

fn pose() -> Isometry3<f64> {
    Isometry3::new(Vector3::new(0.3, -0.2, 2.0), Vector3::new(0.1, 0.4, -0.3))
}

#[test]
fn of_a_camera() {
    let point = Point3::new(0.5, -0.6, 2.0);
    let (value, (by_pose, by_point)): (Point2<f64>, (Matrix2x6<f64>, Matrix2x3<f64>)) =
        project::value_and_jacobian(&pose(), &point);
    assert!((value - project(&pose(), &point)).norm() < 1e-15);
    for k in 0..6 {
        let mut c = Vector6::zeros();
        c[k] = 1.0;
        let (_, column) = project::jvp(&pose(), &point, &c, &Vector3::zeros());
        assert!((column - by_pose.column(k)).norm() < 1e-14);
    }
    // A change of the translation moves the point as one of the point in the camera's frame does.
    let moved = by_pose.fixed_columns::<3>(0) - by_point;
    assert!(moved.norm() < 1e-14, "{moved}");
    let (mut pose_block, mut point_block) = (Matrix2x6::repeat(f64::NAN), Matrix2x3::repeat(f64::NAN));
    let mut blocks = (pose_block, point_block);
    project::jacobian_into(&pose(), &point, &mut blocks);
    (pose_block, point_block) = blocks;
    assert_eq!((pose_block, point_block), (by_pose, by_point));
    let ((products, _), _): ((_, _), _) = project::gauss_newton(&pose(), &point);
    let expected: Matrix6<f64> = by_pose.transpose() * by_pose;
    assert!((products.0 - expected).norm() < 1e-13);
}

#[test]
fn hessians() {
    let (q, v) = (UnitQuaternion::new(Vector3::new(0.3, -0.5, 0.4)), Vector3::new(-0.2, 0.6, 0.9));
    let (value, gradient, hessian) = energy::value_grad_hessian(&q, &v, 0.7);
    let ((qq, qv, qg), (vq, vv, vg), (gq, gv, gg)) = hessian;
    let (_, _): (Matrix3<f64>, RowVector3<f64>) = (vv, gv);
    assert_eq!((value, gradient.1), (energy(&q, &v, 0.7), energy::grad(&q, &v, 0.7).1));
    assert!((qq - qq.transpose()).norm() < 1e-14 && (qv - vq.transpose()).norm() < 1e-14);
    assert!((qg.transpose() - gq).norm() < 1e-14 && (vg.transpose() - gv).norm() < 1e-14);
    assert!((gg - 2.0 * v.norm_squared()).abs() < 1e-14);
    let mut into = hessian;
    into.0.0.fill(f64::NAN);
    energy::hessian_into(&q, &v, 0.7, &mut into);
    assert_eq!(into, hessian);
    let row: Matrix1x3<f64> = energy::jacobian(&q, &v, 0.7).1;
    assert_eq!(row, gradient.1.transpose());
}

#[test]
fn beside_arrays_and_const_parameters() {
    let j: Matrix2x3<f64> = arm::jacobian(&[0.1, 0.2, 0.3]);
    assert!((j.column(2) - Vector2::new(-0.6_f64.sin(), 0.6_f64.cos())).norm() < 1e-15);
    let (a, x) = (Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), Vector3::new(0.1, 0.2, 0.3));
    let (_, by_x): (_, Matrix2x3<f64>) = {
        let j = linear::<3>::jacobian(&a, &x);
        (j.0, j.1)
    };
    assert_eq!(by_x, a);
    let step = -(j * j.transpose() + Matrix2::identity() * 1e-3).try_inverse().unwrap();
    assert!((step.determinant()).is_finite());
}
