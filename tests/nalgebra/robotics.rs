//! Programs of robotics and vision as their authors write them, with second derivatives.

use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{
    DMatrix, DVector, Isometry3, Matrix2, Matrix3, Matrix4, Point2, Point3, SVector, Translation3, Unit,
    UnitQuaternion, Vector2, Vector3, Vector4, vector,
};

fn v(a: f64) -> Vector3<f64> {
    Vector3::new(a.sin(), 0.3 + a, (2.0 * a).cos())
}

fn iso(a: f64) -> Isometry3<f64> {
    Isometry3::new(v(a) * 0.5, v(a + 0.3) * 0.4)
}

fn u(a: f64) -> Unit<Vector3<f64>> {
    Unit::new_normalize(v(a))
}

/// ICP, point to plane.
#[derive(Clone, Copy)]
struct Match {
    p: Point3<f64>,
    q: Point3<f64>,
    n: Unit<Vector3<f64>>,
}
#[differentiable(order = 2)]
fn point_to_plane(pose: &Isometry3<f64>, #[no_diff] matches: &[Match]) -> f64 {
    matches
        .iter()
        .map(|m| {
            let r = (pose * m.p - m.q).dot(&m.n);
            let w = if r.abs() < 0.1 { 1.0 } else { 0.1 / r.abs() };
            w * r * r
        })
        .sum()
}

#[test]
fn point_to_plane_registration() {
    let m: Vec<Match> = (0..5)
        .map(|k| {
            let a = k as f64 * 0.7;
            Match { p: v(a).into(), q: (v(a) * 1.1).into(), n: u(a * 1.3) }
        })
        .collect();
    check_grads!(point_to_plane, &iso(0.2), &m);
}

/// Pre-integration of an IMU.
#[derive(Clone, Copy)]
struct Imu {
    gyro: Vector3<f64>,
    accel: Vector3<f64>,
    dt: f64,
}
#[derive(Clone, Copy, Differentiable)]
struct Nav {
    r: UnitQuaternion<f64>,
    v: Vector3<f64>,
    p: Vector3<f64>,
}
#[differentiable(order = 2)]
fn integrate(start: &Nav, bg: &Vector3<f64>, ba: &Vector3<f64>, #[no_diff] data: &[Imu]) -> Nav {
    let g = Vector3::new(0.0, 0.0, -9.81);
    let mut s = *start;
    for m in data {
        let a = s.r * (m.accel - ba) + g;
        s.p += s.v * m.dt + 0.5 * a * m.dt.powi(2);
        s.v += a * m.dt;
        s.r *= UnitQuaternion::new((m.gyro - bg) * m.dt);
    }
    s
}
#[differentiable(order = 2)]
fn nav_cost(start: &Nav, bg: &Vector3<f64>, ba: &Vector3<f64>, #[no_diff] data: &[Imu], goal: &Vector3<f64>) -> f64 {
    let s = integrate(start, bg, ba, data);
    (s.p - goal).norm_squared() + s.v.norm() + s.r.angle().powi(2)
}

#[test]
fn inertial_integration() {
    let d: Vec<Imu> = (0..6).map(|k| Imu { gyro: v(k as f64), accel: v(k as f64 * 0.5) * 3.0, dt: 0.05 }).collect();
    let s = Nav { r: iso(0.4).rotation, v: v(0.1), p: v(0.7) };
    check_grads!(integrate, &s, &v(0.2), &v(0.9), &d);
    check_grads!(nav_cost, &s, &v(0.2), &v(0.9), &d, &v(2.0));
}

/// An unscented transform.
#[differentiable(order = 2)]
fn unscented(mean: &Vector3<f64>, cov: &Matrix3<f64>, kappa: f64) -> Vector2<f64> {
    let n = 3.0;
    let l = (cov * (n + kappa)).cholesky().expect("positive definite").l();
    let f = |x: Vector3<f64>| Vector2::new(x.x.hypot(x.y), x.y.atan2(x.x) + 0.1 * x.z);
    let mut y = f(*mean) * (kappa / (n + kappa));
    for k in 0..3 {
        let c = l.column(k);
        y += (f(mean + c) + f(mean - c)) * (0.5 / (n + kappa));
    }
    y
}

#[test]
fn an_unscented_transform() {
    check_grads!(unscented, &v(0.5), &Matrix3::new(0.5, 0.1, 0.05, 0.1, 0.4, 0.02, 0.05, 0.02, 0.3), 0.7);
}

/// The principal axis.
#[differentiable(order = 2)]
fn principal(points: &[Vector3<f64>]) -> f64 {
    let n = points.len() as f64;
    let mean = points.iter().sum::<Vector3<f64>>() / n;
    let mut cov = Matrix3::zeros();
    for p in points {
        let d = p - mean;
        cov += d * d.transpose();
    }
    let e = (cov / n).symmetric_eigen();
    let mut k = 0;
    for i in 1..3 {
        if e.eigenvalues[i] > e.eigenvalues[k] {
            k = i;
        }
    }
    let axis = e.eigenvectors.column(k);
    axis[0] * axis[0] + 0.1 * e.eigenvalues[k]
}

#[test]
fn the_principal_axis() {
    let pts: Vec<_> = (0..6).map(|k| v(k as f64 * 0.9)).collect();
    check_grads!(principal, &pts);
}

/// A quadrotor.
#[derive(Clone, Copy, Differentiable)]
struct Quad {
    pos: Point3<f64>,
    vel: Vector3<f64>,
    att: UnitQuaternion<f64>,
    rate: Vector3<f64>,
}
struct Params {
    inertia: Matrix3<f64>,
    mass: f64,
}
#[differentiable(order = 2)]
fn step(s: &Quad, thrust: f64, torque: &Vector3<f64>, #[no_diff] k: &Params, #[no_diff] dt: f64) -> Quad {
    let acc = s.att.transform_vector(&Vector3::z()) * (thrust / k.mass) - Vector3::z() * 9.81;
    let inv = k.inertia.try_inverse().unwrap();
    let alpha = inv * (torque - s.rate.cross(&(k.inertia * s.rate)));
    Quad {
        pos: s.pos + s.vel * dt,
        vel: s.vel + acc * dt,
        att: s.att * UnitQuaternion::from_scaled_axis(s.rate * dt),
        rate: s.rate + alpha * dt,
    }
}
#[differentiable(order = 2)]
fn fly(s: &Quad, u: &[Vector4<f64>], #[no_diff] k: &Params) -> f64 {
    let mut s = *s;
    let mut cost = 0.0;
    for u in u.iter() {
        s = step(&s, u.w, &u.xyz(), k, 0.02);
        cost += (s.pos - Point3::new(0.0, 0.0, 1.0)).norm_squared() + 0.01 * u.norm_squared();
    }
    cost + s.att.angle_to(&UnitQuaternion::identity())
}

#[test]
fn a_quadrotor() {
    let s = Quad { pos: v(0.1).into(), vel: v(0.4), att: iso(0.3).rotation, rate: v(0.9) * 0.2 };
    let k = Params { inertia: Matrix3::from_diagonal(&Vector3::new(0.01, 0.012, 0.02)), mass: 0.5 };
    check_grads!(step, &s, 5.0, &(v(0.5) * 0.01), &k, 0.02);
    check_grads!(fly, &s, &[Vector4::new(0.01, 0.02, -0.01, 5.0), Vector4::new(0.0, -0.02, 0.01, 4.0)], &k);
}

/// Perspective n points, with distortion.
#[derive(Clone, Copy, Differentiable)]
struct Intrinsics {
    f: Vector2<f64>,
    c: Vector2<f64>,
    k: Vector2<f64>,
}
#[differentiable(order = 2)]
impl Intrinsics {
    fn project(&self, p: &Point3<f64>) -> Option<Point2<f64>> {
        if p.z <= 1e-3 {
            return None;
        }
        let m = p.coords.xy() / p.z;
        let r2 = m.norm_squared();
        let d = 1.0 + self.k.x * r2 + self.k.y * r2 * r2;
        Some(Point2::from(self.f.component_mul(&(m * d)) + self.c))
    }
}
#[differentiable(order = 2)]
fn pnp(cam: &Intrinsics, pose: &Isometry3<f64>, #[no_diff] seen: &[(Point3<f64>, Point2<f64>)]) -> f64 {
    let mut sum = 0.0;
    for (p, z) in seen {
        if let Some(q) = cam.project(&pose.transform_point(p)) {
            let e = (q - z).norm();
            sum += if e <= 1.0 { 0.5 * e * e } else { e - 0.5 };
        }
    }
    sum
}

#[test]
fn points_seen_by_a_camera() {
    let c = Intrinsics { f: Vector2::new(1.2, 1.3), c: Vector2::new(0.1, 0.2), k: Vector2::new(0.05, 0.01) };
    check_grads!(
        pnp,
        &c,
        &iso(0.1),
        &[(Point3::new(0.3, 0.2, 3.0), Point2::new(0.2, 0.3)), (Point3::new(-0.5, 0.4, 2.0), Point2::new(1.9, 0.3))]
    );
}

/// Hand-eye calibration.
#[differentiable(order = 2)]
fn hand_eye(x: &Isometry3<f64>, #[no_diff] pairs: &[(Isometry3<f64>, Isometry3<f64>)]) -> f64 {
    let mut sum = 0.0;
    for (a, b) in pairs.iter() {
        let d = (a * x).inv_mul(&(x * b));
        sum += d.translation.vector.norm_squared() + 2.0 * d.rotation.scaled_axis().norm_squared();
    }
    sum
}

#[test]
fn hand_and_eye() {
    check_grads!(hand_eye, &iso(0.3), &[(iso(0.5), iso(0.7)), (iso(-0.2), iso(0.9))]);
}

/// The accelerations of an acrobot, by its mass matrix.
#[differentiable(order = 2)]
fn acrobot(q: &Vector2<f64>, v: &Vector2<f64>, tau: f64, m: &Vector2<f64>, l: &Vector2<f64>) -> Vector2<f64> {
    let (s1, s12) = (q[0].sin(), (q[0] + q[1]).sin());
    let c2 = q[1].cos();
    let mm = Matrix2::new(
        (m[0] + m[1]) * l[0].powi(2) + m[1] * l[1].powi(2) + 2.0 * m[1] * l[0] * l[1] * c2,
        m[1] * l[1].powi(2) + m[1] * l[0] * l[1] * c2,
        m[1] * l[1].powi(2) + m[1] * l[0] * l[1] * c2,
        m[1] * l[1].powi(2),
    );
    let h = m[1] * l[0] * l[1] * q[1].sin();
    let bias = Vector2::new(-h * (2.0 * v[0] * v[1] + v[1] * v[1]), h * v[0] * v[0]);
    let grav = vector![9.81 * ((m[0] + m[1]) * l[0] * s1 + m[1] * l[1] * s12), 9.81 * m[1] * l[1] * s12];
    mm.lu().solve(&(vector![0.0, tau] - bias - grav)).expect("mass matrix")
}

#[test]
fn an_acrobot() {
    check_grads!(
        acrobot,
        &Vector2::new(0.3, 0.8),
        &Vector2::new(0.5, -0.4),
        0.7,
        &Vector2::new(1.0, 0.8),
        &Vector2::new(0.5, 0.6)
    );
}

/// Wahba's problem by Davenport.
#[differentiable(order = 2)]
fn davenport(b: &[Vector3<f64>], #[no_diff] r: &[Vector3<f64>], #[no_diff] w: &[f64]) -> f64 {
    let mut m = Matrix3::zeros();
    for i in 0..b.len() {
        m += b[i] * r[i].transpose() * w[i];
    }
    let z = Vector3::new(m[(1, 2)] - m[(2, 1)], m[(2, 0)] - m[(0, 2)], m[(0, 1)] - m[(1, 0)]);
    let mut k = Matrix4::zeros();
    k.fixed_view_mut::<3, 3>(0, 0).copy_from(&(m + m.transpose() - Matrix3::identity() * m.trace()));
    k.fixed_view_mut::<3, 1>(0, 3).copy_from(&z);
    k.fixed_view_mut::<1, 3>(3, 0).copy_from(&z.transpose());
    k[(3, 3)] = m.trace();
    k.symmetric_eigenvalues().max()
}

#[test]
fn attitude_from_vectors() {
    check_grads!(davenport, &[v(0.1), v(0.8), v(1.9)], &[v(0.2), v(0.7), v(2.0)], &[0.5, 0.2, 0.3]);
}

/// The likelihood of a Kalman filter whose size run time tells.
#[differentiable(order = 2)]
fn likelihood(f: &DMatrix<f64>, qdiag: &DVector<f64>, r: f64, #[no_diff] ys: &[f64]) -> f64 {
    let n = f.nrows();
    let h = DMatrix::from_fn(1, n, |_, j| if j == 0 { 1.0 } else { 0.0 });
    let q = DMatrix::from_diagonal(qdiag);
    let mut x = DVector::zeros(n);
    let mut p = DMatrix::identity(n, n);
    let mut ll = 0.0;
    for y in ys {
        x = f * &x;
        p = f * &p * f.transpose() + &q;
        let s = (&h * &p * h.transpose())[(0, 0)] + r;
        let e = y - (&h * &x)[0];
        let k = &p * h.transpose() / s;
        x += k.column(0) * e;
        p = &p - &k * &h * &p;
        ll -= 0.5 * (e * e / s + s.ln());
    }
    ll
}

#[test]
fn a_kalman_likelihood() {
    check_grads!(
        likelihood,
        &DMatrix::from_row_slice(2, 2, &[1.0, 0.1, -0.1, 0.95]),
        &DVector::from_vec(vec![0.1, 0.2]),
        0.4,
        &[0.3, 0.5, 0.1]
    );
}

/// Screw axes: the product of exponentials.
#[derive(Clone, Copy, Differentiable)]
struct Screw {
    axis: Unit<Vector3<f64>>,
    point: Point3<f64>,
}
#[differentiable(order = 2)]
fn poe(screws: &[Screw; 3], q: &SVector<f64, 3>, tool: &Isometry3<f64>) -> Point3<f64> {
    let mut t = Isometry3::identity();
    for (s, q) in screws.iter().zip(q.iter()) {
        let r = UnitQuaternion::from_axis_angle(&s.axis, *q);
        let e = Isometry3::from_parts(Translation3::from(s.point.coords - r * s.point.coords), r);
        t = t * e;
    }
    (t * tool) * Point3::origin()
}

#[test]
fn screw_axes() {
    check_grads!(
        poe,
        &[0.1, 0.8, 1.5].map(|a| Screw { axis: u(a), point: v(a).into() }),
        &Vector3::new(0.3, 0.5, -0.9),
        &iso(0.6)
    );
}

/// Friction cone and contact forces.
#[differentiable(order = 2)]
fn contact(f: &Vector3<f64>, n: &Unit<Vector3<f64>>, mu: f64) -> Vector3<f64> {
    let normal = f.dot(n);
    let tangential = f - n.into_inner() * normal;
    if normal <= 0.0 {
        return Vector3::zeros();
    }
    match tangential.try_normalize(1e-9) {
        Some(t) if tangential.norm() > mu * normal => n.scale(normal) + t * (mu * normal),
        _ => *f,
    }
}

#[test]
fn a_friction_cone() {
    check_grads!(contact, &v(0.3), &u(0.4), 0.9);
    check_grads!(contact, &Vector3::new(1.0, 0.1, 0.2), &u(0.4), 0.2);
}
