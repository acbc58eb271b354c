//! Thin films by the transfer-matrix method: an antireflection coating designed for several wavelengths and angles.
use crate::differences::check;
use autodiff::prelude::*;
use std::f64::consts::PI;
use std::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct C64 {
    re: f64,
    im: f64,
}

const ZERO: C64 = C64 { re: 0.0, im: 0.0 };
const ONE: C64 = C64 { re: 1.0, im: 0.0 };
const I: C64 = C64 { re: 0.0, im: 1.0 };

#[differentiable]
impl C64 {
    fn real(re: f64) -> C64 {
        C64 { re, im: 0.0 }
    }

    fn norm_sqr(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    fn sqrt(self) -> C64 {
        let r = self.norm_sqr().sqrt();
        let re = (0.5 * (r + self.re)).sqrt();
        C64 { re, im: 0.5 * self.im / re }
    }

    fn cos(self) -> C64 {
        C64 { re: self.re.cos() * self.im.cosh(), im: -self.re.sin() * self.im.sinh() }
    }

    fn sin(self) -> C64 {
        C64 { re: self.re.sin() * self.im.cosh(), im: self.re.cos() * self.im.sinh() }
    }
}

#[differentiable]
impl Add for C64 {
    type Output = C64;
    fn add(self, o: C64) -> C64 {
        C64 { re: self.re + o.re, im: self.im + o.im }
    }
}

#[differentiable]
impl Sub for C64 {
    type Output = C64;
    fn sub(self, o: C64) -> C64 {
        C64 { re: self.re - o.re, im: self.im - o.im }
    }
}

#[differentiable]
impl Mul for C64 {
    type Output = C64;
    fn mul(self, o: C64) -> C64 {
        C64 { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}

#[differentiable]
impl Div for C64 {
    type Output = C64;
    fn div(self, o: C64) -> C64 {
        let d = o.norm_sqr();
        C64 { re: (self.re * o.re + self.im * o.im) / d, im: (self.im * o.re - self.re * o.im) / d }
    }
}

#[differentiable]
impl Neg for C64 {
    type Output = C64;
    fn neg(self) -> C64 {
        C64 { re: -self.re, im: -self.im }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Polarisation {
    S,
    P,
}

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    thickness: f64,
    index: f64,
    absorption: f64,
}

struct Target {
    wavelength: f64,
    angle: f64,
    polarisation: Polarisation,
    reflectance: f64,
}

struct Stack {
    substrate: f64,
    targets: Vec<Target>,
}

type Matrix = [[C64; 2]; 2];

#[differentiable]
fn matmul(a: Matrix, b: Matrix) -> Matrix {
    let mut c = [[ZERO; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            for k in 0..2 {
                c[i][j] = c[i][j] + a[i][k] * b[k][j];
            }
        }
    }
    c
}

#[differentiable]
fn admittance(n: C64, cos: C64, #[no_diff] polarisation: Polarisation) -> C64 {
    match polarisation {
        Polarisation::S => n * cos,
        Polarisation::P => n / cos,
    }
}

#[differentiable]
fn reflectance(layers: &[Layer], #[no_diff] substrate: f64, #[no_diff] target: &Target) -> f64 {
    let sin0 = C64::real(target.angle.sin());
    let cos_in = |n: C64| (ONE - sin0 * sin0 / (n * n)).sqrt();
    let m = layers.iter().fold([[ONE, ZERO], [ZERO, ONE]], |m, layer| {
        let n = C64 { re: layer.index, im: -layer.absorption };
        let cos = cos_in(n);
        let delta = C64::real(2.0 * PI * layer.thickness / target.wavelength) * n * cos;
        let eta = admittance(n, cos, target.polarisation);
        matmul(m, [[delta.cos(), I * delta.sin() / eta], [I * eta * delta.sin(), delta.cos()]])
    });
    let ns = C64::real(substrate);
    let eta_s = admittance(ns, cos_in(ns), target.polarisation);
    let eta_0 = admittance(ONE, C64::real(target.angle.cos()), target.polarisation);
    let b = m[0][0] + m[0][1] * eta_s;
    let c = m[1][0] + m[1][1] * eta_s;
    let r = (eta_0 * b - c) / (eta_0 * b + c);
    r.norm_sqr()
}

#[differentiable]
fn merit(layers: &[Layer], #[no_diff] stack: &Stack) -> f64 {
    stack
        .targets
        .iter()
        .map(|t| {
            let r = reflectance(layers, stack.substrate, t);
            (r - t.reflectance).powi(2)
        })
        .sum::<f64>()
        .sqrt()
}

#[test]
fn the_gradient_agrees_with_differences() {
    let target = |wavelength, angle, polarisation| Target { wavelength, angle, polarisation, reflectance: 0.0 };
    let stack = Stack {
        substrate: 1.52,
        targets: vec![
            target(0.45, 0.0, Polarisation::S),
            target(0.55, 0.3, Polarisation::P),
            target(0.65, 0.6, Polarisation::S),
        ],
    };
    let layers = |p: &[f64]| -> Vec<Layer> {
        p.chunks(3).map(|c| Layer { thickness: c[0], index: c[1], absorption: c[2] }).collect()
    };
    let at = [0.09, 1.38, 0.01, 0.13, 2.1, 0.02, 0.06, 1.7, 0.03];
    let g = merit::grad(&layers(&at), &stack);
    let gradient: Vec<f64> = g.iter().flat_map(|l| [l.thickness, l.index, l.absorption]).collect();
    check(|p| merit(&layers(p), &stack), &at, &gradient);
    assert_eq!(-ONE + ONE, ZERO);
}
