//! A molecular force field: bonds, angles and torsions, and Lennard-Jones and Coulomb with a cutoff.

use crate::differences::check;
use autodiff::prelude::*;
use std::collections::HashSet;
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Vec3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

#[differentiable]
impl Add for Vec3 {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

#[differentiable]
impl Sub for Vec3 {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

#[differentiable]
impl Mul<Vec3> for f64 {
    type Output = Vec3;
    fn mul(self, v: Vec3) -> Vec3 {
        Vec3 { x: self * v.x, y: self * v.y, z: self * v.z }
    }
}

#[differentiable]
impl Vec3 {
    pub fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    pub fn cross(self, o: Self) -> Self {
        Self { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x }
    }

    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
}

#[derive(Clone, Debug)]
pub enum Term {
    Bond { atoms: [usize; 2], k: f64, r0: f64 },
    Angle { atoms: [usize; 3], k: f64, theta0: f64 },
    Torsion { atoms: [usize; 4], barrier: f64, periodicity: u32, phase: f64 },
}

#[derive(Clone, Debug)]
pub struct AtomType {
    name: &'static str,
    charge: f64,
    sigma: f64,
    epsilon: f64,
}

pub struct Topology {
    atoms: Vec<AtomType>,
    terms: Vec<Term>,
    excluded: HashSet<(usize, usize)>,
    cutoff: f64,
}

const COULOMB: f64 = 332.0637;

#[differentiable]
fn term_energy(#[no_diff] term: &Term, x: &[Vec3]) -> f64 {
    match term {
        Term::Bond { atoms: [i, j], k, r0 } => {
            let r = (x[*i] - x[*j]).norm();
            0.5 * k * (r - r0).powi(2)
        }
        Term::Angle { atoms: [i, j, k], k: stiffness, theta0 } => {
            let (a, b) = (x[*i] - x[*j], x[*k] - x[*j]);
            let theta = (a.dot(b) / (a.norm() * b.norm())).acos();
            0.5 * stiffness * (theta - theta0).powi(2)
        }
        &Term::Torsion { atoms: [i, j, k, l], barrier, periodicity, phase } => {
            let (b1, b2, b3) = (x[j] - x[i], x[k] - x[j], x[l] - x[k]);
            let (n1, n2) = (b1.cross(b2), b2.cross(b3));
            let m = (1.0 / b2.norm() * n1).cross(b2);
            let phi = m.dot(n2).atan2(n1.dot(n2));
            0.5 * barrier * (1.0 + (periodicity as f64 * phi - phase).cos())
        }
    }
}

#[differentiable]
fn pair_energy(#[no_diff] a: &AtomType, #[no_diff] b: &AtomType, r: f64) -> f64 {
    let sigma = 0.5 * (a.sigma + b.sigma);
    let epsilon = (a.epsilon * b.epsilon).sqrt();
    let s6 = (sigma / r).powi(6);
    4.0 * epsilon * (s6 * s6 - s6) + COULOMB * a.charge * b.charge / r
}

#[differentiable]
pub fn energy(#[no_diff] topology: &Topology, x: &[Vec3]) -> f64 {
    let mut total: f64 = topology.terms.iter().map(|t| term_energy(t, x)).sum();
    for i in 0..x.len() {
        for j in i + 1..x.len() {
            if topology.excluded.contains(&(i, j)) {
                continue;
            }
            let r = (x[i] - x[j]).norm();
            if r > topology.cutoff {
                continue;
            }
            total += pair_energy(&topology.atoms[i], &topology.atoms[j], r);
        }
    }
    total
}

#[test]
fn gradient() {
    let atom = |name, charge, sigma, epsilon| AtomType { name, charge, sigma, epsilon };
    let topology = Topology {
        atoms: vec![
            atom("C", 0.1, 3.4, 0.1),
            atom("C", -0.1, 3.4, 0.1),
            atom("O", -0.4, 3.0, 0.2),
            atom("H", 0.4, 2.0, 0.02),
            atom("H", 0.0, 2.0, 0.02),
        ],
        terms: vec![
            Term::Bond { atoms: [0, 1], k: 300.0, r0: 1.5 },
            Term::Bond { atoms: [1, 2], k: 320.0, r0: 1.4 },
            Term::Angle { atoms: [0, 1, 2], k: 60.0, theta0: 1.9 },
            Term::Torsion { atoms: [0, 1, 2, 3], barrier: 1.4, periodicity: 3, phase: 0.5 },
        ],
        excluded: HashSet::from([(0, 1), (1, 2), (0, 2), (1, 3)]),
        cutoff: 6.0,
    };
    let at = [0.0, 0.1, 0.0, 1.5, 0.0, 0.1, 2.0, 1.3, 0.0, 2.9, 1.4, 0.5, 2.0, -3.0, 2.0];
    let positions = |p: &[f64]| p.chunks(3).map(|c| Vec3 { x: c[0], y: c[1], z: c[2] }).collect::<Vec<_>>();
    let g = energy::grad(&topology, &positions(&at));
    let gradient: Vec<f64> = g.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
    check(|p| energy(&topology, &positions(p)), &at, &gradient);
    assert_eq!(topology.atoms[2].name, "O");
}
