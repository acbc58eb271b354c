//! Magnetic resonance: the Bloch equations of a slice-selective pulse, by rotations and relaxation.
use autodiff::prelude::*;
use nalgebra::{Rotation3, Vector3};

#[derive(Debug, Clone, Copy)]
pub struct Tissue {
    pub t1: f64,
    pub t2: f64,
}

impl Tissue {
    pub const WHITE_MATTER: Tissue = Tissue { t1: 0.8, t2: 0.08 };
    pub const CSF: Tissue = Tissue { t1: 4.0, t2: 2.0 };
}

const GAMMA: f64 = 2.0 * std::f64::consts::PI * 42.58;

#[differentiable]
fn relax(m: Vector3<f64>, #[no_diff] tissue: &Tissue, #[no_diff] dt: f64) -> Vector3<f64> {
    let e1 = (-dt / tissue.t1).exp();
    let e2 = (-dt / tissue.t2).exp();
    Vector3::new(m.x * e2, m.y * e2, 1.0 + (m.z - 1.0) * e1)
}

#[differentiable]
pub fn profile(
    pulse: &[f64],
    gradient: f64,
    #[no_diff] positions: &[f64],
    #[no_diff] tissue: &Tissue,
    #[no_diff] dt: f64,
) -> f64 {
    let mut loss = 0.0;
    for &z in positions {
        let mut m = Vector3::z();
        for &b1 in pulse {
            let field = Vector3::new(b1, 0.0, gradient * z) * (GAMMA * dt);
            m = Rotation3::new(field) * m;
            m = relax(m, tissue, dt);
        }
        let wanted = if z.abs() < 0.5 { 1.0 } else { 0.0 };
        let transverse = m.x.hypot(m.y);
        loss += (transverse - wanted).powi(2);
    }
    loss / positions.len() as f64
}

#[test]
fn gradient() {
    let pulse: Vec<f64> = (0..5).map(|k| 0.3 + 0.1 * (k as f64).cos()).collect();
    autodiff::check_grads!(profile, &pulse, 0.8, &[-0.9, -0.2, 0.1, 0.7], &Tissue::WHITE_MATTER, 0.002);
}
