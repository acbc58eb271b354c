//! Photogrammetry: reprojection errors with radial and tangential distortion, as in Ceres' `SnavelyReprojectionError` and OpenCV.
use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul, Neg, Sub};

#[derive(Differentiable, Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

#[differentiable]
impl Vec3 {
    pub fn dot(self, o: Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    pub fn cross(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x }
    }
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
}

#[differentiable]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

#[differentiable]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

#[differentiable]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Vec3 {
        Vec3 { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}

#[differentiable]
impl Mul<Vec3> for f64 {
    type Output = Vec3;
    fn mul(self, v: Vec3) -> Vec3 {
        v * self
    }
}

#[differentiable]
impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        Vec3 { x: -self.x, y: -self.y, z: -self.z }
    }
}

#[derive(Differentiable, Clone, Debug)]
pub struct Camera {
    /// Axis times angle.
    pub rotation: Vec3,
    pub centre: Vec3,
    pub focal: f64,
    /// k1, k2 and the tangential p1, p2.
    pub radial: [f64; 2],
    pub tangential: [f64; 2],
}

#[derive(Debug, Clone, Copy)]
pub struct Observation {
    pub camera: usize,
    pub point: usize,
    pub pixel: (f64, f64),
}

/// Rodrigues' formula.
#[differentiable]
fn rotate(axis_angle: Vec3, p: Vec3) -> Vec3 {
    let theta2 = axis_angle.dot(axis_angle);
    if theta2 < f64::EPSILON {
        return p + axis_angle.cross(p);
    }
    let theta = theta2.sqrt();
    let k = axis_angle * (1.0 / theta);
    let (s, c) = theta.sin_cos();
    p * c + k.cross(p) * s + k * (k.dot(p) * (1.0 - c))
}

#[differentiable]
impl Camera {
    fn distort(&self, u: f64, v: f64) -> (f64, f64) {
        let r2 = u * u + v * v;
        let [k1, k2] = self.radial;
        let [p1, p2] = self.tangential;
        let radial = 1.0 + r2 * (k1 + k2 * r2);
        (
            u * radial + 2.0 * p1 * u * v + p2 * (r2 + 2.0 * u * u),
            v * radial + p1 * (r2 + 2.0 * v * v) + 2.0 * p2 * u * v,
        )
    }

    /// Where the camera sees a point, if it is in front of it.
    fn project(&self, point: &Vec3) -> Option<(f64, f64)> {
        let p = rotate(self.rotation, *point - self.centre);
        if p.z <= 0.1 {
            return None;
        }
        let (u, v) = self.distort(p.x / p.z, p.y / p.z);
        Some((self.focal * u, self.focal * v))
    }
}

#[differentiable]
fn soft_l1(s: f64) -> f64 {
    2.0 * ((1.0 + s).sqrt() - 1.0)
}

#[differentiable]
pub fn reprojection_cost(cameras: &[Camera], points: &[Vec3], #[no_diff] observations: &[Observation]) -> f64 {
    let mut cost = 0.0;
    let mut seen = 0;
    for obs in observations {
        let Some((u, v)) = cameras[obs.camera].project(&points[obs.point]) else {
            continue;
        };
        let (du, dv) = (u - obs.pixel.0, v - obs.pixel.1);
        cost += soft_l1((du * du + dv * dv) / 4.0);
        seen += 1;
    }
    if seen == 0 { 0.0 } else { 0.5 * cost / seen as f64 }
}

fn vec3(c: &[f64]) -> Vec3 {
    Vec3 { x: c[0], y: c[1], z: c[2] }
}

fn unpack(p: &[f64]) -> (Vec<Camera>, Vec<Vec3>) {
    let (cameras, points) = p.split_at(22);
    let cameras = cameras
        .chunks(11)
        .map(|c| Camera {
            rotation: vec3(&c[..3]),
            centre: vec3(&c[3..6]),
            focal: c[6],
            radial: [c[7], c[8]],
            tangential: [c[9], c[10]],
        })
        .collect();
    (cameras, points.chunks(3).map(vec3).collect())
}

#[test]
fn the_gradient_agrees_with_differences() {
    let mut at = vec![0.1, -0.05, 0.02, 0.1, 0.2, -0.3, 50.0, -0.1, 0.02, 0.001, -0.002];
    at.extend([-0.1, 0.2, 0.0, 1.0, 0.0, 0.1, 55.0, -0.05, 0.01, 0.0, 0.001]);
    at.extend([0.5, 0.4, 4.0, -0.7, 0.3, 5.0, 1.0, -1.0, 6.0, 0.0, 0.0, -3.0]);
    let observations: Vec<Observation> =
        (0..8).map(|k| Observation { camera: k / 4, point: k % 4, pixel: (k as f64, 3.0 - k as f64) }).collect();
    let (cameras, points) = unpack(&at);
    let (cg, pg) = reprojection_cost::grad(&cameras, &points, &observations);
    let flat = |v: &Vec3Tangent| [v.x, v.y, v.z];
    let mut g = Vec::new();
    for c in &cg {
        g.extend(flat(&c.rotation));
        g.extend(flat(&c.centre));
        g.push(c.focal);
        g.extend(c.radial);
        g.extend(c.tangential);
    }
    g.extend(pg.iter().flat_map(flat));
    check(
        |p| {
            let (cameras, points) = unpack(p);
            reprojection_cost(&cameras, &points, &observations)
        },
        &at,
        &g,
    );
}
