//! Colour difference in CIE Lab of a mixture of paints (Kubelka–Munk).
use autodiff::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Differentiable)]
pub struct Lab {
    pub l: f64,
    pub a: f64,
    pub b: f64,
}

const WHITE: [f64; 3] = [0.95047, 1.0, 1.08883];
const M: [[f64; 3]; 3] =
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]];

#[differentiable]
fn f(t: f64) -> f64 {
    const D: f64 = 6.0 / 29.0;
    if t > D.powi(3) { t.cbrt() } else { t / (3.0 * D * D) + 4.0 / 29.0 }
}

#[differentiable]
fn linear(c: f64) -> f64 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

#[differentiable]
impl Lab {
    pub fn from_srgb(rgb: &[f64; 3]) -> Self {
        let lin = rgb.map(|c| linear(c));
        let [x, y, z] = M.map(|row| row.iter().zip(&lin).map(|(m, c)| m * c).sum::<f64>());
        let (fx, fy, fz) = (f(x / WHITE[0]), f(y / WHITE[1]), f(z / WHITE[2]));
        Self { l: 116.0 * fy - 16.0, a: 500.0 * (fx - fy), b: 200.0 * (fy - fz) }
    }
    pub fn delta_e(&self, other: &Lab) -> f64 {
        ((self.l - other.l).powi(2) + (self.a - other.a).powi(2) + (self.b - other.b).powi(2)).sqrt()
    }
}

#[differentiable]
fn mismatch(weights: &[f64; 4], paints: &[[f64; 3]; 4], target: Lab) -> f64 {
    let total: f64 = weights.iter().sum();
    let mut rgb = [0.0; 3];
    for (w, p) in weights.iter().zip(paints.iter()) {
        for (c, v) in rgb.iter_mut().zip(p) {
            let ks = (1.0 - v).powi(2) / (2.0 * v);
            *c += w / total * ks;
        }
    }
    for c in &mut rgb {
        *c = 1.0 + *c - (*c * *c + 2.0 * *c).sqrt();
    }
    Lab::from_srgb(&rgb).delta_e(&target)
}

#[test]
fn the_derivatives_agree_with_differences() {
    let paints = [[0.9, 0.1, 0.2], [0.2, 0.8, 0.3], [0.15, 0.2, 0.9], [0.95, 0.93, 0.9]];
    let target = Lab { l: 55.0, a: 12.0, b: -8.0 };
    autodiff::check_grads!(mismatch, &[0.4, 0.3, 0.2, 0.5], &paints, target);
}
