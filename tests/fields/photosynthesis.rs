//! Photosynthesis after Farquhar with stomatal conductance after Ball and Berry, and the daily carbon of a canopy.

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Leaf {
    vcmax25: f64,
    jmax25: f64,
    rd25: f64,
    g0: f64,
    g1: f64,
}

/// The biochemical constants at 25 °C and their activation energies.
#[derive(Clone, Debug)]
struct Constants {
    kc: (f64, f64),
    ko: (f64, f64),
    gamma_star: (f64, f64),
    oxygen: f64,
    max_iterations: usize,
    tolerance: f64,
}

impl Default for Constants {
    fn default() -> Self {
        Self {
            kc: (404.9, 79_430.0),
            ko: (278.4, 36_380.0),
            gamma_star: (42.75, 37_830.0),
            oxygen: 210.0,
            max_iterations: 30,
            tolerance: 1e-6,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Weather {
    hour: u8,
    par: f64,
    temperature: f64,
    humidity: f64,
}

fn arrhenius((at25, energy): (f64, f64), celsius: f64) -> f64 {
    at25 * ((celsius - 25.0) * energy / (298.15 * 8.314 * (celsius + 273.15))).exp()
}

/// The smaller root of θ J² - (αI + Jmax) J + αI Jmax = 0.
#[differentiable]
fn electron_transport(jmax: f64, #[no_diff] par: f64) -> f64 {
    const THETA: f64 = 0.7;
    let light = 0.385 * par;
    let b = light + jmax;
    (b - (b * b - 4.0 * THETA * light * jmax).sqrt()) / (2.0 * THETA)
}

#[differentiable]
fn assimilation(leaf: &Leaf, ci: f64, #[no_diff] w: &Weather, #[no_diff] k: &Constants) -> f64 {
    let gamma = arrhenius(k.gamma_star, w.temperature);
    let km = arrhenius(k.kc, w.temperature) * (1.0 + k.oxygen / arrhenius(k.ko, w.temperature));
    let vcmax = leaf.vcmax25 * arrhenius((1.0, 65_330.0), w.temperature);
    let jmax = leaf.jmax25 * arrhenius((1.0, 43_540.0), w.temperature);
    let j = electron_transport(jmax, w.par);
    let rubisco = vcmax * (ci - gamma) / (ci + km);
    let light = j * (ci - gamma) / (4.0 * ci + 8.0 * gamma);
    let limiting = [rubisco, light].into_iter().fold(f64::INFINITY, f64::min);
    limiting - leaf.rd25 * 2f64.powf((w.temperature - 25.0) / 10.0)
}

/// Solves for ci by damped fixed-point iteration.
#[differentiable]
fn leaf_assimilation(leaf: &Leaf, #[no_diff] ca: f64, #[no_diff] w: &Weather, #[no_diff] k: &Constants) -> Option<f64> {
    let mut ci = 0.7 * ca;
    for _ in 0..k.max_iterations {
        let a = assimilation(leaf, ci, w, k);
        let gs = leaf.g0 + leaf.g1 * a.max(0.0) * w.humidity / ca;
        let new_ci = ca - 1.6 * a / gs;
        if !new_ci.is_finite() {
            return None;
        }
        let change = new_ci - ci;
        ci += 0.5 * change;
        if change.abs() < k.tolerance {
            break;
        }
    }
    Some(assimilation(leaf, ci, w, k))
}

#[differentiable]
fn daily_carbon(leaf: &Leaf, #[no_diff] day: &[Weather], #[no_diff] k: &Constants) -> f64 {
    day.iter()
        .filter(|w| w.par > 50.0)
        .filter_map(|w| leaf_assimilation(leaf, 400.0, w, k))
        .map(|a| a * 3600.0 * 12e-6)
        .sum()
}

#[test]
fn gradient() {
    let constants = Constants { max_iterations: 40, tolerance: 0.0, ..Default::default() };
    let day: Vec<Weather> = (0..24)
        .step_by(3)
        .map(|hour| Weather {
            hour,
            par: (1500.0 * (std::f64::consts::PI * (hour as f64 - 6.0) / 12.0).sin()).max(0.0),
            temperature: 20.0 + 8.0 * (hour as f64 / 4.0).sin(),
            humidity: 0.6,
        })
        .collect();
    let leaf = |p: &[f64]| Leaf { vcmax25: p[0], jmax25: p[1], rd25: p[2], g0: p[3], g1: p[4] };
    let at = [60.0, 110.0, 1.0, 0.02, 9.0];
    let g = daily_carbon::grad(&leaf(&at), &day, &constants);
    check(|p| daily_carbon(&leaf(p), &day, &constants), &at, &[g.vcmax25, g.jmax25, g.rd25, g.g0, g.g1]);
    assert_eq!(day[1].hour, 3);
}
