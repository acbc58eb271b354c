//! Operators of structs beside what has no visible type: constants, elements of arrays of them, what a plain function returns.
//! And operators of references.

use crate::harness::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul, Neg, Sub};

/// A complex number.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Phasor {
    re: f64,
    im: f64,
}

const NOTHING: Phasor = Phasor { re: 0.0, im: 0.0 };
const UNITY: Phasor = Phasor { re: 1.0, im: 0.0 };
const THIRD_ROOTS: [Phasor; 3] =
    [Phasor { re: 1.0, im: 0.0 }, Phasor { re: -0.5, im: 0.75 }, Phasor { re: -0.5, im: -0.75 }];
static TWO_PHASORS: &[Phasor] = &[Phasor { re: 0.25, im: 1.0 }, Phasor { re: 2.0, im: -1.0 }];
const ONE_HALF: f64 = 0.5;

impl Phasor {
    const I: Phasor = Phasor { re: 0.0, im: 1.0 };
    const SCALE: f64 = 3.0;
}

#[differentiable(order = 2)]
impl Add for Phasor {
    type Output = Phasor;
    fn add(self, o: Phasor) -> Phasor {
        Phasor { re: self.re + o.re, im: self.im + o.im }
    }
}

#[differentiable(order = 2)]
impl Mul for Phasor {
    type Output = Phasor;
    fn mul(self, o: Phasor) -> Phasor {
        Phasor { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}

#[differentiable(order = 2)]
impl Mul<Phasor> for f64 {
    type Output = Phasor;
    fn mul(self, o: Phasor) -> Phasor {
        Phasor { re: self * o.re, im: self * o.im }
    }
}

#[differentiable(order = 2)]
impl Phasor {
    fn norm2(self) -> f64 {
        self.re * self.re + self.im * self.im
    }
}

#[differentiable(order = 2)]
fn turned(z: Phasor) -> f64 {
    let w = Phasor::I * z + ONE_HALF * z + z * THIRD_ROOTS[1];
    let u = -1.0 * (THIRD_ROOTS[2] * w) + Phasor::SCALE * w;
    u.norm2() * u.re + (UNITY * z).im
}

#[test]
fn a_constant_on_either_side() {
    let at = [0.7, -0.4];
    let z = |p: &[f64]| Phasor { re: p[0], im: p[1] };
    check!(turned(z) by z = z(&at));
    let g = turned::grad(z(&at));
    let f = |re, im| turned(Phasor { re, im });
    let h = 1e-6;
    assert!((g.re - (f(0.7 + h, -0.4) - f(0.7 - h, -0.4)) / (2.0 * h)).abs() < 1e-7);
}

/// Elements of constant arrays, chosen in a loop, and in a branch.
#[differentiable(order = 2)]
fn series(z: Phasor, #[no_diff] n: usize) -> f64 {
    let mut sum = NOTHING;
    let mut power = UNITY;
    for k in 0..n {
        power = power * z;
        sum = sum + THIRD_ROOTS[k % 3] * power;
        if k % 2 == 0 {
            sum = TWO_PHASORS[k / 2 % 2] * sum;
        }
    }
    sum.norm2() + sum.im
}

#[test]
fn constants_in_loops() {
    let n = 5;
    check!(series(z, n) by z = Phasor { re: 0.7, im: -0.4 });
}

/// An array of constants changes its elements.
#[differentiable(order = 2)]
fn product(a: [[Phasor; 2]; 2], b: [[Phasor; 2]; 2]) -> [[Phasor; 2]; 2] {
    let mut c = [[NOTHING; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            for k in 0..2 {
                c[i][j] = c[i][j] + a[i][k] * b[k][j];
            }
        }
    }
    c
}

#[differentiable(order = 2)]
fn power(z: Phasor, #[no_diff] n: usize) -> f64 {
    let mut m = [[UNITY, NOTHING], [NOTHING, UNITY]];
    for _ in 0..n {
        m = product(m, [[z, UNITY], [Phasor::I, z]]);
    }
    m[0][0].norm2() + m[0][1].re - m[1][0].im * m[1][1].re
}

#[test]
fn arrays_of_constants() {
    let n = 3;
    check!(power(z, n) by z = Phasor { re: 0.7, im: -0.4 });
    let z = Phasor { re: 0.7, im: -0.4 };
    // Of the first power the upper left element is z itself.
    let first = power::grad(z, 1);
    assert!((first.re - 2.0 * z.re + 0.0 + 1.0).abs() < 1e-12, "{first:?}");
    assert!((first.im - 2.0 * z.im).abs() < 1e-12, "{first:?}");
}

/// A list of constants that is made at run time.
#[differentiable(order = 2)]
fn listed(z: Phasor, #[no_diff] n: usize) -> f64 {
    let mut all = vec![UNITY; n];
    for k in 1..n {
        all[k] = all[k - 1] * z + THIRD_ROOTS[k % 3];
    }
    all.iter().map(|c| c.norm2()).sum::<f64>()
}

#[test]
fn lists_of_constants() {
    let n = 4;
    check!(listed(z, n) by z = Phasor { re: 0.7, im: -0.4 });
}

/// A pose in the plane, of which the only product is with another one.
#[derive(Differentiable, Clone, Copy, Debug)]
struct PlanarPose {
    x: f64,
    angle: f64,
}

#[differentiable(order = 2)]
impl Mul for PlanarPose {
    type Output = PlanarPose;
    fn mul(self, o: PlanarPose) -> PlanarPose {
        PlanarPose { x: self.x + self.angle.cos() * o.x, angle: self.angle + o.angle }
    }
}

struct Edge {
    measured: PlanarPose,
    poses: Vec<PlanarPose>,
}

fn inverse(p: &PlanarPose) -> PlanarPose {
    PlanarPose { x: -p.x * p.angle.cos(), angle: -p.angle }
}

#[differentiable(order = 2)]
fn residual(p: PlanarPose, q: PlanarPose, #[no_diff] edges: &[Edge]) -> f64 {
    let mut total = 0.0;
    for edge in edges {
        let r = inverse(&edge.measured) * (p * q);
        let s = r * edge.measured;
        let t = edge.poses[1] * s * edge.poses[0];
        total += s.x * s.x + r.angle * t.x;
    }
    total
}

#[test]
fn the_only_operator_there_is() {
    let pose = |x, angle| PlanarPose { x, angle };
    let edge = |x, angle| Edge { measured: pose(x, angle), poses: vec![pose(0.5, x), pose(angle, -0.3)] };
    let edges = [edge(0.3, 0.2), edge(-1.0, 0.7)];
    let edges = &edges[..];
    check!(residual(p, q, edges) by p = pose(0.4, 0.9), q = pose(1.1, -0.2));
}

#[derive(Differentiable, Clone, Debug)]
struct W {
    x: f64,
    y: f64,
}

#[differentiable(order = 2)]
impl Add for &W {
    type Output = W;
    fn add(self, o: &W) -> W {
        W { x: self.x + o.x, y: self.y + o.y }
    }
}

#[differentiable(order = 2)]
impl Sub<&W> for W {
    type Output = W;
    fn sub(self, o: &W) -> W {
        W { x: self.x - o.x, y: self.y - o.y }
    }
}

#[differentiable(order = 2)]
impl Mul<f64> for &W {
    type Output = W;
    fn mul(self, k: f64) -> W {
        W { x: self.x * k, y: self.y * k }
    }
}

#[differentiable(order = 2)]
impl Mul<&W> for f64 {
    type Output = W;
    fn mul(self, w: &W) -> W {
        W { x: w.x * self, y: w.y * self }
    }
}

#[differentiable(order = 2)]
impl Mul<&W> for &W {
    type Output = f64;
    fn mul(self, o: &W) -> f64 {
        self.x * o.x + self.y * o.y
    }
}

#[differentiable(order = 2)]
impl Neg for &W {
    type Output = W;
    fn neg(self) -> W {
        W { x: -self.x, y: -self.y }
    }
}

#[differentiable(order = 2)]
fn referenced(a: &W, b: &W, all: &[W], t: f64) -> f64 {
    let mut sum = a + b;
    for w in all {
        sum = &(&sum * t) + w;
        if sum.x > 0.0 {
            sum = sum - &(2.0 * w);
        }
    }
    let c = &(&-b * 2.0) + &(a * 3.0);
    &c * &sum + a * b
}

#[test]
fn operators_of_references() {
    let all = vec![W { x: 0.3, y: 0.4 }, W { x: -1.0, y: 0.1 }, W { x: 0.2, y: 0.9 }];
    check!(referenced(&a, &b, &all, t) by [a = W { x: 0.5, y: 1.0 }, b = W { x: -0.2, y: 0.6 }, all, t = 0.8]);
}
