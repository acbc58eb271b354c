//! Power systems: the losses of a load flow, by sweeps of Gauss and Seidel over complex voltages.

use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, Div, Mul, Sub};
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}
#[differentiable]
impl Complex {
    fn new(re: f64, im: f64) -> Self {
        Complex { re, im }
    }
    fn conj(self) -> Self {
        Complex { re: self.re, im: -self.im }
    }
    fn norm_sqr(self) -> f64 {
        self.re * self.re + self.im * self.im
    }
}
#[differentiable]
impl Add for Complex {
    type Output = Complex;
    fn add(self, o: Complex) -> Complex {
        Complex::new(self.re + o.re, self.im + o.im)
    }
}
#[differentiable]
impl Sub for Complex {
    type Output = Complex;
    fn sub(self, o: Complex) -> Complex {
        Complex::new(self.re - o.re, self.im - o.im)
    }
}
#[differentiable]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, o: Complex) -> Complex {
        Complex::new(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)
    }
}
#[differentiable]
impl Div for Complex {
    type Output = Complex;
    fn div(self, o: Complex) -> Complex {
        let d = o.norm_sqr();
        let n = self * o.conj();
        Complex::new(n.re / d, n.im / d)
    }
}
#[derive(Clone, Debug)]
struct Line {
    from: usize,
    to: usize,
    tap: Option<f64>,
}
#[derive(Clone, Debug, Differentiable)]
struct Grid {
    impedance: Vec<Complex>,
    load: Vec<Complex>,
}
#[differentiable]
fn losses(grid: &Grid, #[no_diff] lines: &[Line], #[no_diff] sweeps: usize) -> f64 {
    let one = Complex::new(1.0, 0.0);
    let mut v = vec![one; grid.load.len()];
    for _ in 0..sweeps {
        for bus in 1..v.len() {
            let mut sum = (grid.load[bus] / v[bus]).conj() * Complex::new(-1.0, 0.0);
            let mut diagonal = Complex::new(0.0, 0.0);
            for (line, z) in lines.iter().zip(&grid.impedance) {
                let y = one / *z;
                let other = if line.from == bus {
                    line.to
                } else if line.to == bus {
                    line.from
                } else {
                    continue;
                };
                let ratio = line.tap.unwrap_or(1.0);
                sum = sum + y * v[other] * Complex::new(ratio, 0.0);
                diagonal = diagonal + y;
            }
            v[bus] = sum / diagonal;
        }
    }
    let mut total = 0.0;
    for (line, z) in lines.iter().zip(grid.impedance.iter()) {
        let current = (v[line.from] - v[line.to]) / *z;
        total += current.norm_sqr() * z.re;
    }
    total
}
#[test]
fn gradient() {
    let lines = [
        Line { from: 0, to: 1, tap: None },
        Line { from: 1, to: 2, tap: Some(0.98) },
        Line { from: 0, to: 2, tap: None },
    ];
    let c = |p: &[f64]| p.chunks(2).map(|c| Complex::new(c[0], c[1])).collect::<Vec<_>>();
    let grid = |p: &[f64]| Grid { impedance: c(&p[..6]), load: c(&p[6..]) };
    let at = [0.02, 0.1, 0.03, 0.12, 0.02, 0.15, 0.0, 0.0, 0.5, 0.2, 0.4, 0.1];
    let g = losses::grad(&grid(&at), &lines, 10);
    let flat: Vec<f64> = g.impedance.iter().chain(&g.load).flat_map(|c| [c.re, c.im]).collect();
    check(|p| losses(&grid(p), &lines, 10), &at, &flat);
}
