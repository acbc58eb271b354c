//! Functions of rotations and poses, as users of nalgebra write them: navigation, pose graphs, cameras, rigid bodies.

use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Isometry2, Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector2, Vector3};

/// Registration of two clouds.
#[differentiable(order = 2)]
fn icp(pose: &Isometry3<f64>, #[no_diff] source: &[Point3<f64>], #[no_diff] target: &[Point3<f64>]) -> f64 {
    source.iter().zip(target).map(|(s, t)| (pose * s - t).norm_squared()).sum::<f64>() / source.len() as f64
}

// Inertial navigation: the state after some measurements, with biases.
#[derive(Differentiable, Clone, Debug)]
struct NavState {
    attitude: UnitQuaternion<f64>,
    velocity: Vector3<f64>,
    position: Vector3<f64>,
}

#[derive(Differentiable, Clone, Debug)]
struct Bias {
    gyro: Vector3<f64>,
    accel: Vector3<f64>,
}

const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

#[differentiable]
fn propagate(state: &NavState, bias: &Bias, #[no_diff] imu: &[(Vector3<f64>, Vector3<f64>)], dt: f64) -> NavState {
    let mut s = state.clone();
    for (gyro, accel) in imu {
        let omega = gyro - bias.gyro;
        let a = s.attitude * (accel - bias.accel) + GRAVITY;
        s.position += s.velocity * dt + a * (0.5 * dt * dt);
        s.velocity += a * dt;
        s.attitude = s.attitude * UnitQuaternion::from_scaled_axis(omega * dt);
    }
    s
}

#[differentiable]
fn nav_loss(
    state: &NavState,
    bias: &Bias,
    #[no_diff] imu: &[(Vector3<f64>, Vector3<f64>)],
    dt: f64,
    goal: &Isometry3<f64>,
) -> f64 {
    let end = propagate(state, bias, imu, dt);
    let err = goal.rotation.inverse() * end.attitude;
    (end.position - goal.translation.vector).norm_squared()
        + err.scaled_axis().norm_squared()
        + 0.1 * end.velocity.norm_squared()
}

// A pose graph in the plane, whose edges are data.
#[derive(Clone, Debug)]
struct Edge2 {
    from: usize,
    to: usize,
    z: Isometry2<f64>,
    info: Matrix3<f64>,
}

#[differentiable]
fn slam(poses: &[Isometry2<f64>], #[no_diff] edges: &[Edge2]) -> f64 {
    let mut sum = 0.0;
    for e in edges {
        let d = e.z.inverse() * (poses[e.from].inverse() * poses[e.to]);
        let r = Vector3::new(d.translation.x, d.translation.y, d.rotation.angle());
        sum += (r.transpose() * e.info * r)[0];
    }
    sum
}

// A rigid body whose state is a pose.
#[derive(Differentiable, Clone, Copy, Debug)]
struct RigidBody {
    pose: Isometry3<f64>,
    omega: Vector3<f64>,
    v: Vector3<f64>,
}

#[differentiable]
impl RigidBody {
    fn step(&mut self, inertia: &Matrix3<f64>, torque: &Vector3<f64>, force: &Vector3<f64>, dt: f64) {
        let inv = inertia.try_inverse().unwrap();
        let alpha = inv * (torque - self.omega.cross(&(inertia * self.omega)));
        self.omega += alpha * dt;
        self.v += self.pose.rotation * force * dt;
        self.pose = Isometry3::from_parts(
            Translation3::from(self.pose.translation.vector + self.v * dt),
            self.pose.rotation * UnitQuaternion::from_scaled_axis(self.omega * dt),
        );
    }
    fn energy(&self, inertia: &Matrix3<f64>) -> f64 {
        0.5 * self.omega.dot(&(inertia * self.omega)) + 0.5 * self.v.norm_squared()
    }
}

#[differentiable]
fn rollout(start: &RigidBody, inertia: &Matrix3<f64>, torques: &[Vector3<f64>; 4], dt: f64) -> f64 {
    let mut body = *start;
    let force = Vector3::new(0.0, 0.1, 1.0);
    for t in torques {
        body.step(inertia, t, &force, dt);
    }
    body.energy(inertia) + body.pose.rotation.angle() + (body.pose * Point3::new(1.0, 0.0, 0.0)).coords.norm()
}

/// A camera with radial distortion.
#[differentiable]
fn project(extrinsic: &Isometry3<f64>, k: &[f64; 4], dist: &Vector2<f64>, p: &Point3<f64>) -> Vector2<f64> {
    let c = extrinsic.transform_point(p);
    let n = Vector2::new(c.x / c.z, c.y / c.z);
    let r2 = n.norm_squared();
    let d = 1.0 + dist[0] * r2 + dist[1] * r2 * r2;
    Vector2::new(k[0] * d * n.x + k[2], k[1] * d * n.y + k[3])
}

/// The spread of rotations around their mean.
#[differentiable]
fn spread(mean: &Rotation3<f64>, samples: &[Rotation3<f64>]) -> f64 {
    let mut s = 0.0;
    for r in samples.iter() {
        s += (mean.inverse() * r).scaled_axis().norm_squared();
    }
    s
}

/// The nearest of some frames.
#[differentiable]
fn best(poses: &[Isometry3<f64>; 3], target: &Point3<f64>) -> f64 {
    let mut best = f64::INFINITY;
    for p in poses {
        let d = nalgebra::distance(&(p * Point3::origin()), target);
        if d < best {
            best = d;
        }
    }
    best
}

/// Between two rotations.
#[differentiable]
fn between(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>, t: f64) -> UnitQuaternion<f64> {
    let delta = a.inverse() * b;
    a * UnitQuaternion::from_scaled_axis(delta.scaled_axis() * t)
}

const V: Vector3<f64> = Vector3::new(-0.2, 0.6, 0.9);

#[test]
fn gradients() {
    let t = Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, -0.5, 0.4));
    let q = t.rotation;
    let cloud = [Point3::new(0.1, 0.2, 0.3), Point3::new(1.1, -0.2, 0.7)];
    check_grads!(icp, &t, &cloud, &[Point3::new(1.0, 2.0, 3.0), Point3::new(0.3, 0.1, 0.2)]);
    let nav = NavState { attitude: q, velocity: Vector3::new(0.1, 0.2, 0.3), position: Vector3::zeros() };
    let bias = Bias { gyro: Vector3::new(0.01, 0.02, 0.0), accel: Vector3::new(0.1, 0.0, -0.1) };
    let imu = [
        (Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.0, 0.1, 9.8)),
        (Vector3::new(0.2, -0.2, 0.3), Vector3::new(0.3, 0.1, 9.7)),
    ];
    check_grads!(propagate, &nav, &bias, &imu, 0.1);
    check_grads!(nav_loss, &nav, &bias, &imu, 0.1, &t);
    let a = Isometry2::new(Vector2::new(1.0, 2.0), 0.3);
    let poses = [a, a * Isometry2::new(Vector2::new(0.4, 0.2), -0.4), Isometry2::identity()];
    let edges = [
        Edge2 { from: 0, to: 1, z: Isometry2::new(Vector2::new(0.5, 0.1), -0.3), info: Matrix3::identity() },
        Edge2 { from: 2, to: 1, z: a, info: Matrix3::identity() * 2.0 },
    ];
    check_grads!(slam, &poses, &edges);
    let body = RigidBody { pose: t, omega: Vector3::new(0.1, 0.2, -0.3), v: Vector3::new(0.3, 0.0, 0.1) };
    let inertia = Matrix3::new(1.0, 0.1, 0.0, 0.1, 2.0, 0.2, 0.0, 0.2, 1.5);
    check_grads!(rollout, &body, &inertia, &[V; 4], 0.1);
    check_grads!(project, &t, &[500.0, 510.0, 320.0, 240.0], &Vector2::new(0.01, -0.02), &Point3::new(0.5, 0.6, 4.0));
    let r = q.to_rotation_matrix();
    check_grads!(spread, &r, &[r * Rotation3::new(V), Rotation3::new(V * 0.3)]);
    check_grads!(best, &[t, t.inverse(), Isometry3::translation(1.0, 2.0, 3.0)], &Point3::new(1.0, 1.0, 1.0));
    check_grads!(between, &q, &UnitQuaternion::new(V), 0.3);
}
