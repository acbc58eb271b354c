// Forward kinematics of a six-joint arm from Denavit-Hartenberg rows.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, Matrix4, Vector3, Vector4, Vector6};

#[derive(Differentiable, Clone)]
struct Dh {
    a: f64,
    alpha: f64,
    d: f64,
}

#[differentiable]
fn dh_matrix(row: &Dh, theta: f64) -> Matrix4<f64> {
    let (st, ct) = theta.sin_cos();
    let (sa, ca) = row.alpha.sin_cos();
    Matrix4::new(
        ct,
        -st * ca,
        st * sa,
        row.a * ct,
        st,
        ct * ca,
        -ct * sa,
        row.a * st,
        0.0,
        sa,
        ca,
        row.d,
        0.0,
        0.0,
        0.0,
        1.0,
    )
}

#[differentiable]
fn forward(q: &Vector6<f64>, arm: &[Dh; 6]) -> Matrix4<f64> {
    arm.iter().enumerate().fold(Matrix4::identity(), |t, (i, row)| t * dh_matrix(row, q[i]))
}

#[differentiable]
fn pose_error(q: &Vector6<f64>, arm: &[Dh; 6], goal: &Matrix4<f64>) -> Vector6<f64> {
    let t = forward(q, arm);
    let r: Matrix3<f64> = t.fixed_view::<3, 3>(0, 0).into_owned();
    let rd = goal.fixed_view::<3, 3>(0, 0);
    let p: Vector3<f64> = t.column(3).xyz() - goal.column(3).xyz();
    let e = rd.transpose() * r;
    let skew = (e - e.transpose()) * 0.5;
    Vector6::new(p.x, p.y, p.z, skew[(2, 1)], skew[(0, 2)], skew[(1, 0)])
}

#[test]
fn gradients() {
    let half = std::f64::consts::FRAC_PI_2;
    let arm = [
        Dh { a: 0.0, alpha: half, d: 0.09 },
        Dh { a: -0.42, alpha: 0.0, d: 0.0 },
        Dh { a: -0.39, alpha: 0.0, d: 0.0 },
        Dh { a: 0.0, alpha: half, d: 0.11 },
        Dh { a: 0.0, alpha: -half, d: 0.095 },
        Dh { a: 0.0, alpha: 0.0, d: 0.08 },
    ];
    let q = Vector6::new(0.1, -0.8, 0.9, 0.2, 0.5, -0.3);
    let goal = forward(&Vector6::new(0.2, -0.7, 1.0, 0.1, 0.4, -0.2), &arm);
    check_grads!(dh_matrix, &arm[1], 0.7);
    check_grads!(forward, &q, &arm);
    check_grads!(pose_error, &q, &arm, &goal);
    let end = forward(&q, &arm) * Vector4::new(0.0, 0.0, 0.0, 1.0);
    assert!((end.w - 1.0).abs() < 1e-12);
}
