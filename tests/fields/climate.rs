//! An energy-balance model of the climate after Budyko and Sellers, with ice and albedo and a forcing from emissions.

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Physics {
    olr_intercept: f64,
    olr_slope: f64,
    diffusivity: f64,
    ice_albedo: f64,
    land_albedo: f64,
    sensitivity: f64,
}

#[derive(Clone, Debug)]
struct Grid {
    cells: usize,
    solar_constant: f64,
    heat_capacity: f64,
}

impl Grid {
    fn sin_latitude(&self, i: usize) -> f64 {
        (i as f64 + 0.5) / self.cells as f64
    }
}

#[derive(Clone, Copy, Debug)]
enum Forcing {
    Constant(f64),
    Ramp { start: f64, per_year: f64 },
    Co2 { initial_ppm: f64, growth: f64 },
}

#[differentiable]
fn forcing(physics: &Physics, #[no_diff] scenario: &Forcing, #[no_diff] year: f64) -> f64 {
    match *scenario {
        Forcing::Constant(f) => f,
        Forcing::Ramp { start, per_year } if year > start => per_year * (year - start),
        Forcing::Ramp { .. } => 0.0,
        Forcing::Co2 { initial_ppm, growth } => {
            let ppm = initial_ppm * (1.0 + growth).powf(year);
            physics.sensitivity * (ppm / 280.0).ln()
        }
    }
}

/// Smooth from ice to land around -10 degrees.
#[differentiable]
fn albedo(physics: &Physics, temperature: f64) -> f64 {
    let ice = 1.0 / (1.0 + ((temperature + 10.0) / 3.0).exp());
    ice * physics.ice_albedo + (1.0 - ice) * physics.land_albedo
}

#[differentiable]
fn step(physics: &Physics, #[no_diff] grid: &Grid, t: &[f64], f: f64, #[no_diff] dt: f64) -> Vec<f64> {
    let dx = 1.0 / grid.cells as f64;
    // The fluxes between the cells; none at the equator and the pole.
    let mut flux = vec![0.0];
    for (i, w) in t.windows(2).enumerate() {
        let x = (i + 1) as f64 * dx;
        flux.push(physics.diffusivity * (1.0 - x * x) * (w[1] - w[0]) / dx);
    }
    flux.push(0.0);
    t.iter()
        .enumerate()
        .map(|(i, &temperature)| {
            let x = grid.sin_latitude(i);
            let insolation = grid.solar_constant / 4.0 * (1.0 - 0.48 * 0.5 * (3.0 * x * x - 1.0));
            let absorbed = insolation * (1.0 - albedo(physics, temperature));
            let emitted = physics.olr_intercept + physics.olr_slope * temperature;
            let transport = (flux[i + 1] - flux[i]) / dx;
            temperature + dt / grid.heat_capacity * (absorbed - emitted + transport + f)
        })
        .collect()
}

/// The global mean temperature at the end of every year.
#[differentiable]
fn run(physics: &Physics, #[no_diff] grid: &Grid, #[no_diff] scenario: &Forcing, #[no_diff] years: usize) -> Vec<f64> {
    let mut t: Vec<f64> = (0..grid.cells).map(|i| 30.0 - 45.0 * grid.sin_latitude(i).powi(2)).collect();
    let mut means = Vec::new();
    for year in 0..years {
        let f = forcing(physics, scenario, year as f64);
        for _ in 0..4 {
            t = step(physics, grid, &t, f, 0.25);
        }
        means.push(t.iter().sum::<f64>() / t.len() as f64);
    }
    means
}

#[differentiable]
fn misfit(
    physics: &Physics,
    #[no_diff] grid: &Grid,
    #[no_diff] scenario: &Forcing,
    #[no_diff] record: &[(usize, f64)],
) -> f64 {
    let Some(&(last, _)) = record.last() else { return 0.0 };
    let simulated = run(physics, grid, scenario, last + 1);
    let mut sum = 0.0;
    for (year, anomaly) in record {
        sum += (simulated[*year] - simulated[0] - anomaly).powi(2);
    }
    (sum / record.len() as f64).sqrt()
}

#[test]
fn gradient() {
    let grid = Grid { cells: 6, solar_constant: 1361.0, heat_capacity: 9.8 };
    let record = [(2, 0.1), (5, 0.5), (8, 0.4)];
    let physics = |p: &[f64]| Physics {
        olr_intercept: p[0],
        olr_slope: p[1],
        diffusivity: p[2],
        ice_albedo: p[3],
        land_albedo: 0.01 * p[4],
        sensitivity: p[5],
    };
    let at = [203.0, 2.1, 0.6, 0.62, 30.0, 5.35];
    let scenarios = [
        Forcing::Constant(1.0),
        Forcing::Ramp { start: 3.0, per_year: 0.4 },
        Forcing::Co2 { initial_ppm: 290.0, growth: 0.02 },
    ];
    for scenario in &scenarios {
        let g = misfit::grad(&physics(&at), &grid, scenario, &record);
        let gradient = [g.olr_intercept, g.olr_slope, g.diffusivity, g.ice_albedo, 0.01 * g.land_albedo, g.sensitivity];
        check(|p| misfit(&physics(p), &grid, scenario, &record), &at, &gradient);
    }
    assert_eq!(misfit(&physics(&at), &grid, &scenarios[0], &[]), 0.0);
}
