//! Functions of rotations and poses: chains of joints, filters, factors of several kinds, lists of attitudes.

use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Isometry3, Matrix4, Point3, SMatrix, SVector, Translation3, UnitQuaternion, Vector3, Vector4};

/// Three joints, one after the other.
#[differentiable]
fn poe(q: &SVector<f64, 3>, home: &Isometry3<f64>) -> Isometry3<f64> {
    let mut t = Isometry3::identity();
    let axes = [Vector3::z_axis(), Vector3::y_axis(), Vector3::x_axis()];
    for i in 0..3 {
        let r = UnitQuaternion::from_axis_angle(&axes[i], q[i]);
        t = t * Isometry3::from_parts(Translation3::new(0.0, 0.0, 0.3 * i as f64), r);
    }
    t * home
}

#[differentiable]
fn ik_cost(q: &SVector<f64, 3>, #[no_diff] goal: &Isometry3<f64>) -> f64 {
    let e = poe(q, &Isometry3::translation(0.1, 0.0, 0.2)).inverse() * goal;
    e.translation.vector.norm_squared() + 0.1 * e.rotation.angle().powi(2)
}

/// A complementary filter, where some measurements are missing.
#[differentiable]
fn filter(
    q0: UnitQuaternion<f64>,
    #[no_diff] gyro: &[Vector3<f64>],
    #[no_diff] accel: &[Option<Vector3<f64>>],
    gain: f64,
    dt: f64,
) -> f64 {
    let mut q = q0;
    let mut cost = 0.0;
    for (w, a) in gyro.iter().zip(accel) {
        q = q * UnitQuaternion::from_scaled_axis(w * dt);
        if let Some(a) = a {
            let up = q.inverse() * Vector3::z();
            let err = a.normalize().cross(&up);
            q = q * UnitQuaternion::from_scaled_axis(err * gain);
            cost += err.norm_squared();
        }
    }
    cost
}

// Factors of several kinds, which are data.
#[derive(Clone)]
enum Factor {
    Prior { pose: Isometry3<f64>, weight: f64 },
    Range { anchor: Point3<f64>, distance: f64 },
}

#[differentiable]
fn factor_cost(x: &Isometry3<f64>, #[no_diff] factors: &[Factor]) -> f64 {
    let mut c = 0.0;
    for f in factors {
        match f {
            Factor::Prior { pose, weight } => {
                let d = pose.inverse() * x;
                c += weight * (d.translation.vector.norm_squared() + d.rotation.scaled_axis().norm_squared());
            }
            Factor::Range { anchor, distance } => {
                let r = (x.translation.vector - anchor.coords).norm() - distance;
                c += r * r;
            }
        }
    }
    c
}

/// The attitudes after some rates.
#[differentiable]
fn chain(start: &UnitQuaternion<f64>, rates: &[Vector3<f64>]) -> Vec<UnitQuaternion<f64>> {
    let mut path = vec![*start];
    for r in rates {
        let last = path[path.len() - 1];
        path.push(last * UnitQuaternion::new(*r));
    }
    path
}

#[differentiable]
fn smooth(start: &UnitQuaternion<f64>, rates: &[Vector3<f64>]) -> f64 {
    let path = chain(start, rates);
    path.windows(2).map(|w| w[0].angle_to(&w[1])).sum::<f64>() + path.last().unwrap().angle()
}

/// The adjoint of SE(3).
#[differentiable]
fn adjoint(t: &Isometry3<f64>) -> SMatrix<f64, 6, 6> {
    let r = t.rotation.to_rotation_matrix();
    let p = t.translation.vector.cross_matrix();
    let mut ad = SMatrix::<f64, 6, 6>::zeros();
    ad.fixed_view_mut::<3, 3>(0, 0).copy_from(r.matrix());
    ad.fixed_view_mut::<3, 3>(3, 3).copy_from(r.matrix());
    ad.fixed_view_mut::<3, 3>(0, 3).copy_from(&(p * r.matrix()));
    ad
}

#[differentiable]
fn quat_kinematics(q: &Vector4<f64>, w: &Vector3<f64>) -> Vector4<f64> {
    let omega = Matrix4::new(0.0, -w.x, -w.y, -w.z, w.x, 0.0, w.z, -w.y, w.y, -w.z, 0.0, w.x, w.z, w.y, -w.x, 0.0);
    0.5 * omega * q
}

const V: Vector3<f64> = Vector3::new(-0.2, 0.6, 0.9);

#[test]
fn gradients() {
    let t = Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, -0.5, 0.4));
    let q = t.rotation;
    check_grads!(poe, &Vector3::new(0.1, 0.2, 0.3), &t);
    check_grads!(ik_cost, &Vector3::new(0.1, 0.2, 0.3), &t);
    check_grads!(filter, q, &[V, V * 0.5], &[Some(V), None], 0.3, 0.1);
    check_grads!(
        factor_cost,
        &t,
        &[
            Factor::Prior { pose: t.inverse(), weight: 2.0 },
            Factor::Range { anchor: Point3::new(1.0, 0.0, 2.0), distance: 1.5 }
        ]
    );
    check_grads!(smooth, &q, &[V, V * 0.5]);
    check_grads!(chain, &q, &[V, V * 0.5]);
    check_grads!(adjoint, &t);
    check_grads!(quat_kinematics, &Vector4::new(0.1, 0.2, 0.3, 0.9), &V);
}
