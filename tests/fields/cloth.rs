//! Computer animation: a cloth of masses and springs, by its stiffness and by the wind (Provot 1995; Baraff and Witkin 1998).

use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

#[derive(Clone, Copy, Debug, Default, Differentiable)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

impl Vec3 {
    const ZERO: Vec3 = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
}

#[differentiable]
impl Vec3 {
    fn dot(&self, o: &Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    fn length(&self) -> f64 {
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
impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Vec3) {
        *self = *self + o;
    }
}

#[differentiable]
impl SubAssign for Vec3 {
    fn sub_assign(&mut self, o: Vec3) {
        *self = *self - o;
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Particle {
    position: Vec3,
    velocity: Vec3,
    force: Vec3,
    mass: f64,
    pinned: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Structural,
    Shear,
    Bend,
}

#[derive(Clone, Debug)]
struct Spring {
    a: usize,
    b: usize,
    rest: f64,
    kind: Kind,
}

#[derive(Clone, Debug, Differentiable)]
struct Material {
    structural: f64,
    shear: f64,
    bend: f64,
    damping: f64,
    mass: f64,
}

#[differentiable]
impl Material {
    fn stiffness(&self, kind: Kind) -> f64 {
        match kind {
            Kind::Structural => self.structural,
            Kind::Shear => self.shear,
            Kind::Bend => self.bend,
        }
    }
}

fn springs(rows: usize, cols: usize, spacing: f64) -> Vec<Spring> {
    let mut springs = Vec::new();
    let offsets = [
        (0, 1, Kind::Structural),
        (1, 0, Kind::Structural),
        (1, 1, Kind::Shear),
        (0, 2, Kind::Bend),
        (2, 0, Kind::Bend),
    ];
    for r in 0..rows {
        for c in 0..cols {
            for (dr, dc, kind) in offsets {
                if r + dr < rows && c + dc < cols {
                    let rest = spacing * ((dr * dr + dc * dc) as f64).sqrt();
                    springs.push(Spring { a: r * cols + c, b: (r + dr) * cols + c + dc, rest, kind });
                }
            }
        }
    }
    springs
}

#[differentiable]
fn apply_forces(particles: &mut [Particle], material: &Material, wind: Vec3, #[no_diff] springs: &[Spring]) {
    for p in particles.iter_mut() {
        p.force = Vec3 { x: 0.0, y: 0.0, z: -9.81 } * p.mass;
        p.force += (wind - p.velocity) * material.damping;
    }
    for spring in springs {
        let delta = particles[spring.b].position - particles[spring.a].position;
        let length = delta.length();
        let direction = delta * (1.0 / length);
        let closing = (particles[spring.b].velocity - particles[spring.a].velocity).dot(&direction);
        let magnitude = material.stiffness(spring.kind) * (length - spring.rest) + material.damping * closing;
        let f = direction * magnitude;
        particles[spring.a].force += f;
        particles[spring.b].force -= f;
    }
}

/// A step of the semi-implicit Euler method.
#[differentiable]
fn integrate(particles: &mut [Particle], #[no_diff] dt: f64) {
    for p in particles {
        if p.pinned {
            continue;
        }
        p.velocity += p.force * (dt / p.mass);
        p.position += p.velocity * dt;
        if p.position.z < -2.0 {
            p.position.z = -2.0;
            p.velocity.z *= -0.3;
        }
    }
}

#[differentiable]
fn simulate(
    material: &Material,
    wind: Vec3,
    #[no_diff] size: (usize, usize),
    #[no_diff] springs: &[Spring],
    #[no_diff] steps: usize,
) -> f64 {
    let (rows, cols) = size;
    let mut particles = Vec::new();
    for r in 0..rows {
        for c in 0..cols {
            particles.push(Particle {
                position: Vec3 { x: 0.5 * c as f64, y: 0.5 * r as f64, z: 0.0 },
                velocity: Vec3::ZERO,
                force: Vec3::ZERO,
                mass: material.mass,
                pinned: r == 0 && (c == 0 || c == cols - 1),
            });
        }
    }
    for _ in 0..steps {
        apply_forces(&mut particles, material, wind, springs);
        integrate(&mut particles, 0.01);
    }
    let lowest = &particles[particles.len() - 1];
    let kinetic: f64 = particles.iter().map(|p| 0.5 * p.mass * p.velocity.dot(&p.velocity)).sum();
    lowest.position.z.powi(2) + 0.1 * kinetic
}

#[test]
fn the_gradient_agrees_with_differences() {
    let springs = springs(3, 3, 0.5);
    let material = |p: &[f64]| Material { structural: p[0], shear: p[1], bend: p[2], damping: p[3], mass: p[4] };
    let wind = |p: &[f64]| Vec3 { x: p[5], y: p[6], z: p[7] };
    let at = [80.0, 30.0, 10.0, 0.2, 0.3, 1.0, 2.0, 0.5];
    let (m, w) = simulate::grad(&material(&at), wind(&at), (3, 3), &springs, 40);
    check(
        |p| simulate(&material(p), wind(p), (3, 3), &springs, 40),
        &at,
        &[m.structural, m.shear, m.bend, m.damping, m.mass, w.x, w.y, w.z],
    );
}
