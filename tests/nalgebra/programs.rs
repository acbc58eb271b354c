//! What programs do with matrices: structs, lists, `&mut`, loops, calls, sizes that are parameters.

use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{self as na, Matrix2, Matrix3, SMatrix, SVector, Vector2, Vector3, matrix, vector};

#[derive(Differentiable, Clone, Debug)]
struct Body {
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    inertia: Matrix3<f64>,
    mass: f64,
    #[no_diff]
    id: usize,
}

#[differentiable]
fn kinetic(b: &Body) -> f64 {
    let p = b.velocity * b.mass;
    0.5 * p.dot(&b.velocity) + (b.inertia * b.position).norm()
}

#[differentiable]
fn advance(b: &Body, dt: f64) -> Body {
    let gravity = vector![0.0, 0.0, -9.81];
    let mut next = b.clone();
    next.velocity += gravity * dt;
    next.position += next.velocity * dt;
    next.position.z += 0.1;
    next
}

#[differentiable]
fn total(bodies: &[Body], dt: f64) -> f64 {
    let mut sum = 0.0;
    for b in bodies {
        sum += kinetic(&advance(b, dt));
    }
    sum
}

#[differentiable]
fn cloud(points: &[Vector3<f64>], center: &Vector3<f64>) -> f64 {
    points.iter().map(|p| (p - center).norm_squared()).sum::<f64>() / points.len() as f64
}

#[differentiable]
fn generic<const N: usize, const M: usize>(a: &SMatrix<f64, M, N>, x: &SVector<f64, N>) -> f64 {
    let y: SVector<f64, M> = a * x;
    (a.transpose() * y).dot(x)
}

#[differentiable]
fn rotation(angle: f64, v: &Vector2<f64>) -> Vector2<f64> {
    let (s, c) = angle.sin_cos();
    let r = matrix![c, -s; s, c];
    r * v
}

#[differentiable]
fn ekf(x: &mut SVector<f64, 4>, p: &mut SMatrix<f64, 4, 4>, z: &Vector2<f64>, dt: f64) {
    let mut f = SMatrix::<f64, 4, 4>::identity();
    f[(0, 2)] = dt;
    f[(1, 3)] = dt;
    let h = matrix![1.0, 0.0, 0.0, 0.0; 0.0, 1.0, 0.0, 0.0];
    *x = f * *x;
    *p = f * *p * f.transpose() + SMatrix::<f64, 4, 4>::identity() * 0.01;
    let y = z - h * *x;
    let s = h * *p * h.transpose() + Matrix2::identity() * 0.1;
    let k = *p * h.transpose() * s.try_inverse().unwrap();
    *x += k * y;
    *p = (SMatrix::<f64, 4, 4>::identity() - k * h) * *p;
}

#[differentiable]
fn trajectory(x0: &na::Vector4<f64>, zs: &[na::Vector2<f64>], dt: f64) -> f64 {
    let mut x = *x0;
    let mut p = na::Matrix4::<f64>::identity();
    let mut cost = 0.0;
    for z in zs {
        ekf(&mut x, &mut p, z, dt);
        cost += (z - x.fixed_rows::<2>(0)).norm_squared() + p.trace();
    }
    cost
}

#[differentiable]
fn sum_all(vs: &Vec<Vector3<f64>>, ms: &[Matrix2<f64>; 3]) -> f64 {
    let mut total = Vector3::zeros();
    for v in vs {
        total += v;
    }
    let mut m = Matrix2::<f64>::identity();
    for k in ms.iter() {
        m *= k;
    }
    total.norm() + m.determinant() + vs[1].x * ms[2][(0, 1)]
}

#[differentiable(order = 2)]
fn rosen(x: &Vector3<f64>) -> f64 {
    let mut s = 0.0;
    for i in 0..2 {
        s += 100.0 * (x[i + 1] - x[i] * x[i]).powi(2) + (1.0 - x[i]).powi(2);
    }
    s
}

#[test]
fn gradients() {
    let b = |k: f64| Body {
        position: vector![0.1 * k, 0.2, 0.3 + k],
        velocity: vector![0.1, -0.2 * k, 0.5],
        inertia: Matrix3::new(1.0, 0.2, 0.3, -0.4, 1.5, 0.6, 0.7, -0.8, 2.0) * k,
        mass: 1.0 + k,
        id: 3,
    };
    check_grads!(kinetic, &b(1.0));
    check_grads!(advance, &b(1.0), 0.3);
    check_grads!(total, &[b(1.0), b(2.0)], 0.3);
    let v = Vector3::new(0.3, -0.4, 0.7);
    check_grads!(cloud, &[v, v * 2.0, v * 3.0], &v);
    check_grads!(generic, &SMatrix::<f64, 2, 3>::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), &v);
    check_grads!(rotation, 0.3, &Vector2::new(1.0, 2.0));
    check_grads!(
        trajectory,
        &na::Vector4::new(0.1, 0.2, 0.3, 0.4),
        &[Vector2::new(1.0, 2.0), Vector2::new(1.1, 2.1)],
        0.1
    );
    check_grads!(
        sum_all,
        &vec![v, v * 2.0],
        &[Matrix2::new(1.0, 2.0, 3.0, 4.0), Matrix2::new(1.0, 2.0, -3.0, 4.0), Matrix2::new(1.5, 2.0, 3.0, 4.0)]
    );
    check_grads!(rosen, &v);
}
