//! Travel times through layers: the ray parameter by bisection, then the gradient by velocities.
use autodiff::prelude::*;

#[differentiable]
fn offset(p: f64, v: &[f64], h: &[f64]) -> f64 {
    v.iter().zip(h).map(|(v, h)| 2.0 * h * p * v / (1.0 - (p * v).powi(2)).sqrt()).sum()
}

#[differentiable]
fn travel_time(v: &[f64], h: &[f64], #[no_diff] x: f64) -> f64 {
    let vmax = v.iter().copied().fold(0.0_f64, f64::max);
    let mut p = 0.5 * x / (x * vmax + 1.0);
    // Newton for offset(p) = x
    for _ in 0..8 {
        let g: f64 = v.iter().zip(h).map(|(v, h)| 2.0 * h * v / (1.0 - (p * v).powi(2)).powf(1.5)).sum();
        p -= (offset(p, v, h) - x) / g;
        p = p.clamp(0.0, 0.999 / vmax);
    }
    v.iter().zip(h).map(|(v, h)| 2.0 * h / (v * (1.0 - (p * v).powi(2)).sqrt())).sum()
}

#[differentiable]
fn misfit(v: &[f64], h: &[f64], #[no_diff] picks: &[(f64, f64)]) -> f64 {
    let mut sum = 0.0;
    for &(x, t) in picks {
        let r = travel_time(v, h, x) - t;
        sum += r.abs().ln_1p();
    }
    sum / picks.len() as f64
}

#[test]
fn the_derivatives_agree_with_differences() {
    let picks = vec![(0.5, 1.1), (1.0, 1.4), (1.5, 1.6)];
    autodiff::check_grads!(misfit, &[1.5, 2.0, 2.6], &[0.4, 0.5, 0.7], &picks);
}
