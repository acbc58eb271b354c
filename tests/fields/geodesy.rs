//! Position from ranges to satellites, on an ellipsoid.
use autodiff::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Geodetic {
    lat: f64,
    lon: f64,
    height: f64,
}

const A: f64 = 6.378137;
const E2: f64 = 6.69437999014e-3;

#[differentiable]
fn to_ecef(g: &Geodetic) -> (f64, f64, f64) {
    let (slat, clat) = g.lat.sin_cos();
    let (slon, clon) = g.lon.sin_cos();
    let n = A / (1.0 - E2 * slat * slat).sqrt();
    ((n + g.height) * clat * clon, (n + g.height) * clat * slon, (n * (1.0 - E2) + g.height) * slat)
}

#[differentiable]
fn residuals(g: Geodetic, clock: f64, #[no_diff] sats: &[[f64; 4]]) -> Vec<f64> {
    let (x, y, z) = to_ecef(&g);
    sats.iter()
        .map(|[sx, sy, sz, range]| {
            let (dx, dy, dz) = (sx - x, sy - y, sz - z);
            (dx * dx + dy * dy + dz * dz).sqrt() + clock - range
        })
        .collect()
}

#[differentiable]
fn cost(g: Geodetic, clock: f64, #[no_diff] sats: &[[f64; 4]]) -> f64 {
    residuals(g, clock, sats).into_iter().map(|r| if r.abs() < 1.0 { 0.5 * r * r } else { r.abs() - 0.5 }).sum()
}

#[test]
fn the_derivatives_agree_with_differences() {
    let sats = [
        [20.0, 10.0, 15.0, 22.0],
        [-5.0, 22.0, 14.0, 21.0],
        [8.0, -18.0, 18.0, 23.0],
        [3.0, 4.0, 26.0, 20.5],
        [15.0, 15.0, 15.0, 22.0],
    ];
    let g = Geodetic { lat: 0.8, lon: 0.3, height: 0.001 };
    autodiff::check_grads!(cost, g, 0.05, &sats);
    let (_, by_clock) = residuals::jacobian(g, 0.05, &sats);
    assert_eq!(by_clock.len(), 5);
}
