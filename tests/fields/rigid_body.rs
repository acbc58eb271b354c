//! Mechanics: a tumbling rigid body with a rotation matrix (Goldstein; Baraff's notes), by its inertia and its spin.

use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, Index, IndexMut, Mul, Neg, Sub};

#[derive(Debug, Clone, Copy, PartialEq, Differentiable)]
struct Vec3([f64; 3]);

#[derive(Debug, Clone, Copy, PartialEq, Differentiable)]
struct Mat3([[f64; 3]; 3]);

#[differentiable]
impl Index<(usize, usize)> for Mat3 {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.0[i][j]
    }
}

#[differentiable]
impl IndexMut<(usize, usize)> for Mat3 {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.0[i][j]
    }
}

#[differentiable]
impl Index<usize> for Vec3 {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.0[i]
    }
}

#[differentiable]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, rhs: Vec3) -> Vec3 {
        Vec3([self[0] + rhs[0], self[1] + rhs[1], self[2] + rhs[2]])
    }
}

#[differentiable]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, rhs: Vec3) -> Vec3 {
        self + -rhs
    }
}

#[differentiable]
impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        Vec3(self.0.map(|c| -c))
    }
}

#[differentiable]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Vec3 {
        Vec3(self.0.map(|c| c * k))
    }
}

#[differentiable]
impl Add for Mat3 {
    type Output = Mat3;
    fn add(self, rhs: Mat3) -> Mat3 {
        let mut out = self;
        for i in 0..3 {
            for j in 0..3 {
                out[(i, j)] += rhs[(i, j)];
            }
        }
        out
    }
}

#[differentiable]
impl Mul<f64> for Mat3 {
    type Output = Mat3;
    fn mul(self, k: f64) -> Mat3 {
        Mat3(self.0.map(|row| row.map(|c| c * k)))
    }
}

#[differentiable]
impl Mul<Vec3> for Mat3 {
    type Output = Vec3;
    fn mul(self, v: Vec3) -> Vec3 {
        let mut out = [0.0; 3];
        for (o, row) in out.iter_mut().zip(self.0) {
            *o = row.iter().zip(v.0).map(|(a, b)| a * b).sum();
        }
        Vec3(out)
    }
}

#[differentiable]
impl Mul for Mat3 {
    type Output = Mat3;
    fn mul(self, rhs: Mat3) -> Mat3 {
        let mut out = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                for k in 0..3 {
                    out[i][j] += self[(i, k)] * rhs[(k, j)];
                }
            }
        }
        Mat3(out)
    }
}

#[differentiable]
impl Vec3 {
    fn dot(self, rhs: Vec3) -> f64 {
        self.0.iter().zip(rhs.0.iter()).map(|(a, b)| a * b).sum()
    }

    fn cross(self, rhs: Vec3) -> Vec3 {
        let ([a, b, c], [x, y, z]) = (self.0, rhs.0);
        Vec3([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    fn skew(self) -> Mat3 {
        let [x, y, z] = self.0;
        Mat3([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    }
}

#[differentiable]
impl Mat3 {
    const IDENTITY: Mat3 = Mat3([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    fn diagonal(d: Vec3) -> Mat3 {
        let [a, b, c] = d.0;
        Mat3([[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]])
    }

    fn transpose(&self) -> Mat3 {
        let m = self;
        Mat3([[m[(0, 0)], m[(1, 0)], m[(2, 0)]], [m[(0, 1)], m[(1, 1)], m[(2, 1)]], [m[(0, 2)], m[(1, 2)], m[(2, 2)]]])
    }

    /// A step towards the nearest rotation.
    fn orthonormalized(self) -> Mat3 {
        let error = self.transpose() * self;
        self * (Mat3::IDENTITY * 1.5 + error * -0.5)
    }
}

#[derive(Debug, Clone, Differentiable)]
struct Body {
    principal: Vec3,
    rotation: Mat3,
    /// In the world's frame.
    angular_momentum: Vec3,
}

#[differentiable]
impl Body {
    fn angular_velocity(&self) -> Vec3 {
        let [a, b, c] = self.principal.0;
        let inverse = Mat3::diagonal(Vec3([1.0 / a, 1.0 / b, 1.0 / c]));
        self.rotation * inverse * self.rotation.transpose() * self.angular_momentum
    }

    fn energy(&self) -> f64 {
        0.5 * self.angular_velocity().dot(self.angular_momentum)
    }

    fn step(&mut self, torque: Vec3, dt: f64) {
        self.angular_momentum = self.angular_momentum + torque * dt;
        let omega = self.angular_velocity();
        let turned = self.rotation + omega.skew() * self.rotation * dt;
        self.rotation = turned.orthonormalized();
    }
}

/// Where an axis of the body points in the end, against where it should.
#[differentiable]
fn pointing_error(principal: Vec3, spin: Vec3, lever: &Vec3, #[no_diff] steps: usize) -> f64 {
    let mut body = Body { principal, rotation: Mat3::IDENTITY, angular_momentum: Mat3::diagonal(principal) * spin };
    let gravity = Vec3([0.0, 0.0, -9.81]);
    for _ in 0..steps {
        let arm = body.rotation * *lever;
        body.step(arm.cross(gravity), 0.01);
    }
    let wanted = Vec3([0.0, 1.0, 0.0]);
    let axis = body.rotation * Vec3([0.0, 0.0, 1.0]);
    let miss = axis - wanted;
    miss.dot(miss) + 1e-3 * body.energy()
}

#[test]
fn the_gradient_agrees_with_differences() {
    let at = [1.0, 2.0, 2.5, 0.3, 4.0, 0.5, 0.05, 0.0, 0.1];
    let vec3 = |p: &[f64]| Vec3([p[0], p[1], p[2]]);
    let (a, b, c) = pointing_error::grad(vec3(&at), vec3(&at[3..]), &vec3(&at[6..]), 50);
    check(|p| pointing_error(vec3(p), vec3(&p[3..]), &vec3(&p[6..]), 50), &at, &[a.0, b.0, c.0].concat());
}
