//! A circuit of components that are listed: Newton's method on its nodes in time.
use autodiff::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
pub enum Part {
    Resistor(f64),
    Capacitor(f64),
    Diode { saturation: f64, ideality: f64 },
}

#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Branch {
    #[no_diff]
    pub from: usize,
    #[no_diff]
    pub to: usize,
    pub part: Part,
}

const THERMAL: f64 = 0.02585;

#[differentiable]
impl Part {
    /// The current, and how it grows with the voltage.
    fn current(&self, v: f64, before: f64, #[no_diff] dt: f64) -> (f64, f64) {
        match self {
            Part::Resistor(r) => (v / r, 1.0 / r),
            Part::Capacitor(c) => (c * (v - before) / dt, c / dt),
            Part::Diode { saturation, ideality } => {
                let n = ideality * THERMAL;
                let e = (v / n).min(40.0).exp();
                (saturation * (e - 1.0), saturation / n * e)
            }
        }
    }
}

#[differentiable]
pub fn output(branches: &[Branch], #[no_diff] source: &[f64], #[no_diff] dt: f64) -> f64 {
    // Node 0 is ground, node 1 the source, node 2 the output.
    let mut v = [0.0; 3];
    let mut energy = 0.0;
    for &s in source {
        let before = v;
        v[1] = s;
        for _newton in 0..8 {
            let (mut residual, mut slope) = (0.0, 0.0);
            for b in branches {
                let (i, g) = b.part.current(v[b.from] - v[b.to], before[b.from] - before[b.to], dt);
                if b.to == 2 {
                    residual -= i;
                    slope += g;
                } else if b.from == 2 {
                    residual += i;
                    slope += g;
                }
            }
            v[2] -= (residual / slope).clamp(-0.1, 0.1);
        }
        energy += v[2] * v[2] * dt;
    }
    energy
}

#[test]
fn gradient() {
    let branches = [
        Branch { from: 1, to: 2, part: Part::Diode { saturation: 1e-6, ideality: 1.5 } },
        Branch { from: 2, to: 0, part: Part::Resistor(100.0) },
        Branch { from: 2, to: 0, part: Part::Capacitor(1e-4) },
    ];
    let source: Vec<f64> = (0..6).map(|k| 0.5 + 0.3 * (k as f64 * 0.7).sin()).collect();
    autodiff::check_grads!(output, &branches, &source, 1e-2);
}
