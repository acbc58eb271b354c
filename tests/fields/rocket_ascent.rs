//! Astronautics: the ascent of a rocket with stages (Tsiolkovsky), by its masses and engines.

use crate::differences::check;
use autodiff::prelude::*;
#[derive(Debug, Clone, Differentiable)]
struct Stage {
    dry_mass: f64,
    propellant: f64,
    thrust: f64,
    isp: f64,
}
#[derive(Debug, Clone, Differentiable)]
struct Vehicle {
    stages: Vec<Stage>,
    payload: f64,
}
#[derive(Clone, Copy, Debug, PartialEq)]
enum Engine {
    Burning,
    Empty,
}
const G0: f64 = 9.80665;
const EARTH_RADIUS: f64 = 6.371e6;
fn gravity(altitude: f64) -> f64 {
    G0 * (EARTH_RADIUS / (EARTH_RADIUS + altitude)).powi(2)
}
#[differentiable]
fn density(h: f64) -> f64 {
    1.225 * (-h / 8500.0).exp()
}
#[differentiable]
impl Vehicle {
    fn mass_above(&self, k: usize) -> f64 {
        self.payload + self.stages[k..].iter().map(|s| s.dry_mass + s.propellant).sum::<f64>()
    }
}
#[differentiable]
fn apogee(vehicle: &Vehicle, cd_area: f64) -> f64 {
    let dt = 0.5;
    let (mut h, mut v) = (0.0, 0.0);
    for (k, stage) in vehicle.stages.iter().enumerate() {
        let mut left = stage.propellant;
        let mut engine = Engine::Burning;
        let rest = vehicle.mass_above(k) - stage.propellant;
        let flow = stage.thrust / (stage.isp * G0);
        while engine == Engine::Burning {
            let m = rest + left;
            let drag = 0.5 * density(h) * v * v.abs() * cd_area;
            let a = (stage.thrust - drag) / m - G0 * (EARTH_RADIUS / (EARTH_RADIUS + h)).powi(2);
            v += a * dt;
            h += v * dt;
            left -= flow * dt;
            if left <= 0.0 {
                engine = Engine::Empty;
            }
        }
    }
    h + v * v / (2.0 * G0)
}
#[test]
fn gradient() {
    let vehicle = |p: &[f64]| Vehicle {
        payload: p[0],
        stages: p[1..9]
            .chunks(4)
            .map(|c| Stage { dry_mass: c[0], propellant: c[1], thrust: c[2], isp: c[3] })
            .collect(),
    };
    let at = [1.0, 4.0, 20.3, 900.0, 250.0, 1.0, 5.117, 200.0, 300.0, 0.01];
    let (g, cd) = apogee::grad(&vehicle(&at), 0.01);
    let mut flat = vec![g.payload];
    for s in &g.stages {
        flat.extend([s.dry_mass, s.propellant, s.thrust, s.isp]);
    }
    flat.push(cd);
    check(|p| apogee(&vehicle(p), p[9]), &at, &flat);
}
