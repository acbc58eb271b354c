//! Graphics: fitting the light of an environment in nine spherical harmonics (Ramamoorthi and Hanrahan 2001).
use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, AddAssign, Mul};

const BANDS: usize = 9;
const C1: f64 = 0.429043;
const C2: f64 = 0.511664;
const C3: f64 = 0.743125;
const C4: f64 = 0.886227;
const C5: f64 = 0.247708;

#[derive(Debug, Clone, Copy, Default, PartialEq, Differentiable)]
pub struct Rgb {
    pub r: f64,
    pub g: f64,
    pub b: f64,
}

#[differentiable]
impl Add for Rgb {
    type Output = Rgb;
    fn add(self, o: Rgb) -> Rgb {
        Rgb { r: self.r + o.r, g: self.g + o.g, b: self.b + o.b }
    }
}

#[differentiable]
impl AddAssign for Rgb {
    fn add_assign(&mut self, o: Rgb) {
        *self = *self + o;
    }
}

#[differentiable]
impl Mul<f64> for Rgb {
    type Output = Rgb;
    fn mul(self, k: f64) -> Rgb {
        Rgb { r: self.r * k, g: self.g * k, b: self.b * k }
    }
}

/// Channel by channel.
#[differentiable]
impl Mul for Rgb {
    type Output = Rgb;
    fn mul(self, o: Rgb) -> Rgb {
        Rgb { r: self.r * o.r, g: self.g * o.g, b: self.b * o.b }
    }
}

#[derive(Debug, Clone, Differentiable)]
pub struct Environment {
    pub coefficients: [Rgb; BANDS],
    pub exposure: f64,
}

/// The basis with the cosine lobe already convolved.
#[differentiable]
fn irradiance_basis(n: &[f64; 3]) -> [f64; BANDS] {
    let [x, y, z] = *n;
    [
        C4,
        2.0 * C2 * y,
        2.0 * C2 * z,
        2.0 * C2 * x,
        2.0 * C1 * x * y,
        2.0 * C1 * y * z,
        C3 * z * z - C5,
        2.0 * C1 * x * z,
        C1 * (x * x - y * y),
    ]
}

#[differentiable]
impl Environment {
    fn irradiance(&self, normal: &[f64; 3]) -> Rgb {
        let basis = irradiance_basis(normal);
        let mut e = Rgb { r: 0.0, g: 0.0, b: 0.0 };
        for (c, b) in self.coefficients.iter().zip(basis.iter()) {
            e += *c * *b;
        }
        e
    }

    fn shade(&self, normal: &[f64; 3], albedo: Rgb) -> Rgb {
        let lit = self.irradiance(normal) * albedo * (self.exposure / std::f64::consts::PI);
        tone_map(lit)
    }
}

/// Reinhard, then the transfer function of sRGB.
#[differentiable]
fn tone_map(c: Rgb) -> Rgb {
    fn encode(v: f64) -> f64 {
        let v = (v / (1.0 + v)).max(0.0);
        if v <= 0.0031308 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 }
    }
    Rgb { r: encode(c.r), g: encode(c.g), b: encode(c.b) }
}

#[derive(Debug, Clone)]
pub struct Pixel {
    normal: [f64; 3],
    albedo: Rgb,
    colour: Rgb,
}

#[differentiable]
fn fit_error(environment: &Environment, #[no_diff] pixels: &[Pixel], #[no_diff] smoothness: f64) -> f64 {
    let data: f64 = pixels
        .iter()
        .map(|p| {
            let c = environment.shade(&p.normal, p.albedo);
            (c.r - p.colour.r).powi(2) + (c.g - p.colour.g).powi(2) + (c.b - p.colour.b).powi(2)
        })
        .sum();
    let mut penalty = 0.0;
    for (k, c) in environment.coefficients.iter().enumerate() {
        let band = match k {
            0 => 0.0,
            1..=3 => 1.0,
            _ => 4.0,
        };
        penalty += band * (c.r * c.r + c.g * c.g + c.b * c.b);
    }
    data / pixels.len() as f64 + smoothness * penalty
}

fn environment(p: &[f64]) -> Environment {
    Environment {
        coefficients: std::array::from_fn(|k| Rgb { r: p[3 * k], g: p[3 * k + 1], b: p[3 * k + 2] }),
        exposure: p[27],
    }
}

#[test]
fn the_gradient_agrees_with_differences() {
    let pixels: Vec<Pixel> = (0..20)
        .map(|k| {
            let (t, f) = (0.1 + 0.14 * k as f64, 2.4 * k as f64);
            Pixel {
                normal: [t.sin() * f.cos(), t.sin() * f.sin(), t.cos()],
                albedo: Rgb { r: 0.8, g: 0.7, b: 0.5 },
                colour: Rgb { r: 0.5 + 0.02 * k as f64, g: 0.4, b: 0.3 },
            }
        })
        .collect();
    let mut at: Vec<f64> = (0..27).map(|k| if k < 3 { 2.0 } else { 0.2 * (k as f64).sin() }).collect();
    at.push(1.3);
    let g = fit_error::grad(&environment(&at), &pixels, 0.01);
    let mut flat: Vec<f64> = g.coefficients.iter().flat_map(|c| [c.r, c.g, c.b]).collect();
    flat.push(g.exposure);
    check(|p| fit_error(&environment(p), &pixels, 0.01), &at, &flat);
}
