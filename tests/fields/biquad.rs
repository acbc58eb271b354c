//! An equaliser of second-order sections, designed by the formulas of the Audio EQ Cookbook.

use crate::differences::check;
use autodiff::prelude::*;
use std::f64::consts::PI;

#[derive(Clone, Copy, Debug)]
enum Shape {
    LowPass,
    HighPass,
    Peaking,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Band {
    log_frequency: f64,
    q: f64,
    gain_db: f64,
}

#[derive(Clone, Copy, Debug, Default, Differentiable)]
struct Biquad {
    b0: f64,
    b1: f64,
    b2: f64,
    a1: f64,
    a2: f64,
    z1: f64,
    z2: f64,
}

#[differentiable]
impl Biquad {
    fn design(#[no_diff] shape: Shape, band: &Band, #[no_diff] sample_rate: f64) -> Self {
        let w0 = 2.0 * PI * band.log_frequency.exp() / sample_rate;
        let (sin, cos) = w0.sin_cos();
        let alpha = sin / (2.0 * band.q);
        let (b, a) = match shape {
            Shape::LowPass => {
                let b1 = 1.0 - cos;
                ([b1 / 2.0, b1, b1 / 2.0], [1.0 + alpha, -2.0 * cos, 1.0 - alpha])
            }
            Shape::HighPass => {
                let b1 = -(1.0 + cos);
                ([-b1 / 2.0, b1, -b1 / 2.0], [1.0 + alpha, -2.0 * cos, 1.0 - alpha])
            }
            Shape::Peaking => {
                let amplitude = 10f64.powf(band.gain_db / 40.0);
                (
                    [1.0 + alpha * amplitude, -2.0 * cos, 1.0 - alpha * amplitude],
                    [1.0 + alpha / amplitude, -2.0 * cos, 1.0 - alpha / amplitude],
                )
            }
        };
        let [b0, b1, b2] = b.map(|c| c / a[0]);
        Self { b0, b1, b2, a1: a[1] / a[0], a2: a[2] / a[0], ..Default::default() }
    }

    /// One sample, in the transposed direct form II.
    fn process(&mut self, x: f64) -> f64 {
        let y = self.b0 * x + self.z1;
        self.z1 = self.b1 * x - self.a1 * y + self.z2;
        self.z2 = self.b2 * x - self.a2 * y;
        y
    }
}

#[differentiable]
fn equalise(
    bands: &[Band],
    #[no_diff] shapes: &[Shape],
    #[no_diff] input: &[f64],
    #[no_diff] sample_rate: f64,
) -> Vec<f64> {
    let mut sections: Vec<Biquad> =
        bands.iter().zip(shapes).map(|(band, shape)| Biquad::design(*shape, band, sample_rate)).collect();
    let mut output = Vec::with_capacity(input.len());
    for &x in input {
        let mut y = x;
        for section in sections.iter_mut() {
            y = section.process(y);
        }
        output.push(y);
    }
    output
}

/// The mean squared error against a recording, through a smoothing FIR.
#[differentiable]
fn loss(bands: &[Band], #[no_diff] shapes: &[Shape], #[no_diff] input: &[f64], #[no_diff] target: &[f64]) -> f64 {
    const FIR: [f64; 3] = [0.25, 0.5, 0.25];
    let output = equalise(bands, shapes, input, 48_000.0);
    let smooth: Vec<f64> =
        output.windows(FIR.len()).map(|w| w.iter().zip(FIR.iter()).map(|(x, c)| x * c).sum()).collect();
    smooth.iter().zip(target).map(|(y, t)| (y - t).powi(2)).sum::<f64>() / smooth.len() as f64
}

#[test]
fn gradient() {
    let shapes = [Shape::HighPass, Shape::Peaking, Shape::LowPass];
    let input: Vec<f64> = (0..60).map(|i| (i as f64 * 0.3).sin() + 0.5 * (i as f64 * 1.1).cos()).collect();
    let target: Vec<f64> = (0..58).map(|i| (i as f64 * 0.3).sin()).collect();
    let bands = |p: &[f64]| -> Vec<Band> {
        p.chunks_exact(3).map(|c| Band { log_frequency: c[0], q: c[1], gain_db: c[2] }).collect()
    };
    let at = [6.0, 0.7, 0.0, 7.5, 1.2, 4.0, 9.0, 0.8, 0.0];
    let g = loss::grad(&bands(&at), &shapes, &input, &target);
    let gradient: Vec<f64> = g.iter().flat_map(|b| [b.log_frequency, b.q, b.gain_db]).collect();
    check(|p| loss(&bands(p), &shapes, &input, &target), &at, &gradient);
}
