//! An audio compressor with envelope follower and soft knee.
use autodiff::prelude::*;

struct Settings {
    sample_rate: f64,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Knobs {
    threshold: f64,
    ratio: f64,
    knee: f64,
    attack: f64,
    release: f64,
}

#[differentiable]
fn gain_db(x: f64, k: &Knobs) -> f64 {
    let over = x - k.threshold;
    match over {
        o if 2.0 * o < -k.knee => 0.0,
        o if 2.0 * o.abs() <= k.knee => (1.0 / k.ratio - 1.0) * (o + k.knee / 2.0).powi(2) / (2.0 * k.knee),
        o => (1.0 / k.ratio - 1.0) * o,
    }
}

#[differentiable]
fn processed(input: &[f64], k: &Knobs, #[no_diff] settings: &Settings) -> Vec<f64> {
    let coefficient = |time: f64| (-1.0 / (time * settings.sample_rate)).exp();
    let (ca, cr) = (coefficient(k.attack), coefficient(k.release));
    let mut env = 0.0;
    let mut out = Vec::with_capacity(input.len());
    for &x in input {
        let level = 20.0 * (x.abs() + 1e-6).log10();
        let g = gain_db(level, k);
        env = if g < env { ca * env + (1.0 - ca) * g } else { cr * env + (1.0 - cr) * g };
        out.push(x * 10f64.powf(env / 20.0));
    }
    out
}

#[differentiable]
fn loudness(input: &[f64], k: &Knobs, #[no_diff] settings: &Settings) -> f64 {
    let y = processed(input, k, settings);
    let mean_square = y.iter().map(|v| v * v).sum::<f64>() / y.len() as f64;
    10.0 * mean_square.log10()
}

#[test]
fn the_derivatives_agree_with_differences() {
    let input: Vec<f64> = (0..64).map(|k| (k as f64 * 0.37).sin() * (0.2 + 0.01 * k as f64) + 0.05).collect();
    let k = Knobs { threshold: -14.0, ratio: 4.0, knee: 6.0, attack: 0.01, release: 0.05 };
    autodiff::check_grads!(loudness, &input, &k, &Settings { sample_rate: 1000.0 });
}
