//! A spectral loss of audio synthesis: harmonic oscillators against a recording, by a radix-2 FFT.
use crate::differences::check;
use autodiff::prelude::*;
use std::f64::consts::TAU;
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

#[differentiable]
impl Complex {
    fn new(re: f64, im: f64) -> Self {
        Complex { re, im }
    }

    fn norm_sqr(&self) -> f64 {
        self.re * self.re + self.im * self.im
    }
}

#[differentiable]
impl Add for Complex {
    type Output = Complex;

    fn add(self, other: Complex) -> Complex {
        Complex::new(self.re + other.re, self.im + other.im)
    }
}

#[differentiable]
impl Sub for Complex {
    type Output = Complex;

    fn sub(self, other: Complex) -> Complex {
        Complex::new(self.re - other.re, self.im - other.im)
    }
}

#[differentiable]
impl Mul for Complex {
    type Output = Complex;

    fn mul(self, other: Complex) -> Complex {
        Complex::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

/// The decimation in time of Cooley and Tukey.
#[differentiable]
fn fft(x: &[Complex]) -> Vec<Complex> {
    let n = x.len();
    if n == 1 {
        return vec![x[0]];
    }
    let even: Vec<Complex> = x.iter().step_by(2).copied().collect();
    let odd: Vec<Complex> = x.iter().skip(1).step_by(2).copied().collect();
    let (even, odd) = (fft(&even), fft(&odd));
    let mut out = vec![Complex::default(); n];
    for k in 0..n / 2 {
        let angle = -TAU * k as f64 / n as f64;
        let t = Complex::new(angle.cos(), angle.sin()) * odd[k];
        out[k] = even[k] + t;
        out[k + n / 2] = even[k] - t;
    }
    out
}

#[derive(Clone, Debug, Differentiable)]
struct Synth {
    frequency: f64,
    harmonics: Vec<f64>,
    decay: f64,
}

#[differentiable]
fn render(synth: &Synth, #[no_diff] length: usize, #[no_diff] sample_rate: f64) -> Vec<f64> {
    (0..length)
        .map(|i| {
            let t = i as f64 / sample_rate;
            let tone: f64 = synth
                .harmonics
                .iter()
                .enumerate()
                .map(|(h, a)| a * (TAU * (h + 1) as f64 * synth.frequency * t).sin())
                .sum();
            tone * (-synth.decay * t).exp()
        })
        .collect()
}

#[differentiable]
fn magnitudes(frame: &[f64]) -> Vec<f64> {
    let n = frame.len();
    let windowed: Vec<Complex> = frame
        .iter()
        .enumerate()
        .map(|(i, x)| Complex::new(x * (0.5 - 0.5 * (TAU * i as f64 / n as f64).cos()), 0.0))
        .collect();
    fft(&windowed)[..n / 2 + 1].iter().map(|c| (c.norm_sqr() + 1e-9).sqrt()).collect()
}

/// Linear and logarithmic differences of the spectrograms, at several resolutions.
#[differentiable]
fn spectral_loss(synth: &Synth, #[no_diff] target: &[f64], #[no_diff] sizes: &[usize]) -> f64 {
    let audio = render(synth, target.len(), 64.0);
    let mut loss = 0.0;
    for &size in sizes {
        for (a, b) in audio.chunks_exact(size).zip(target.chunks_exact(size)) {
            let (ma, mb) = (magnitudes(a), magnitudes(b));
            loss += ma.iter().zip(&mb).map(|(a, b)| (a - b).powi(2) + (a.ln() - b.ln()).powi(2)).sum::<f64>();
        }
    }
    loss / target.len() as f64
}

#[test]
fn the_gradient_agrees_with_differences() {
    let synth = |p: &[f64]| Synth { frequency: p[0], harmonics: p[1..4].to_vec(), decay: p[4] };
    let target = render(&synth(&[4.3, 0.7, 0.4, 0.1, 0.9]), 32, 64.0);
    let at = [4.1, 0.8, 0.3, 0.2, 0.7];
    let g = spectral_loss::grad(&synth(&at), &target, &[8, 16]);
    let gradient = [&[g.frequency], &g.harmonics[..], &[g.decay]].concat();
    check(|p| spectral_loss(&synth(p), &target, &[8, 16]), &at, &gradient);
}
