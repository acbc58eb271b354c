//! Astrodynamics: orbit determination with the Earth's oblateness and drag, from ranges of ground stations (Vallado; Montenbruck,
//! Gill).
use crate::differences::check;
use autodiff::prelude::*;

/// Units: Earth radii and the time in which a circular orbit at the surface goes one radian.
#[derive(Debug, Clone)]
struct Earth {
    mu: f64,
    radius: f64,
    j2: f64,
    rotation: f64,
    density: f64,
    scale_height: f64,
}

impl Earth {
    const WGS84: Earth =
        Earth { mu: 1.0, radius: 1.0, j2: 1.08262668e-3, rotation: 0.0588, density: 1e-3, scale_height: 0.02 };
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Orbit {
    r: [f64; 3],
    v: [f64; 3],
}

#[differentiable]
fn norm(a: &[f64; 3]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[differentiable]
fn axpy(k: f64, x: &[f64; 3], y: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| k * x[i] + y[i])
}

#[differentiable]
fn gravity(r: &[f64; 3], #[no_diff] earth: &Earth) -> [f64; 3] {
    let d = norm(r);
    let Earth { mu, radius, j2, .. } = *earth;
    let k = 1.5 * j2 * mu * radius.powi(2) / d.powi(5);
    let z2 = (r[2] / d).powi(2);
    let central = -mu / d.powi(3);
    [
        (central + k * (5.0 * z2 - 1.0)) * r[0],
        (central + k * (5.0 * z2 - 1.0)) * r[1],
        (central + k * (5.0 * z2 - 3.0)) * r[2],
    ]
}

#[differentiable]
fn acceleration(o: &Orbit, ballistic: f64, #[no_diff] earth: &Earth) -> [f64; 3] {
    let mut a = gravity(&o.r, earth);
    let altitude = norm(&o.r) - earth.radius;
    if altitude < 0.2 {
        let rho = earth.density * (-altitude / earth.scale_height).exp();
        // The atmosphere turns with the Earth.
        let relative = [o.v[0] + earth.rotation * o.r[1], o.v[1] - earth.rotation * o.r[0], o.v[2]];
        let speed = norm(&relative);
        for i in 0..3 {
            a[i] -= 0.5 * ballistic * rho * speed * relative[i];
        }
    }
    a
}

#[differentiable]
fn rk4_step(o: &Orbit, ballistic: f64, h: f64, #[no_diff] earth: &Earth) -> Orbit {
    let rate = |o: &Orbit| Orbit { r: o.v, v: acceleration(o, ballistic, earth) };
    let shifted = |k: &Orbit, h: f64| Orbit { r: axpy(h, &k.r, &o.r), v: axpy(h, &k.v, &o.v) };
    let k1 = rate(o);
    let k2 = rate(&shifted(&k1, 0.5 * h));
    let k3 = rate(&shifted(&k2, 0.5 * h));
    let k4 = rate(&shifted(&k3, h));
    let mut next = *o;
    for i in 0..3 {
        next.r[i] += h / 6.0 * (k1.r[i] + 2.0 * k2.r[i] + 2.0 * k3.r[i] + k4.r[i]);
        next.v[i] += h / 6.0 * (k1.v[i] + 2.0 * k2.v[i] + 2.0 * k3.v[i] + k4.v[i]);
    }
    next
}

struct Range {
    time: f64,
    station: [f64; 3],
    range: f64,
    sigma: f64,
}

/// Propagates to each measurement in turn.
#[differentiable]
fn weighted_residual(initial: &Orbit, ballistic: f64, #[no_diff] earth: &Earth, #[no_diff] ranges: &[Range]) -> f64 {
    const MAX_STEP: f64 = 0.05;
    let mut orbit = *initial;
    let mut time = 0.0;
    let mut chi2 = 0.0;
    for m in ranges {
        while time < m.time {
            let h = MAX_STEP.min(m.time - time);
            orbit = rk4_step(&orbit, ballistic, h, earth);
            time += h;
        }
        let (s, c) = (earth.rotation * m.time).sin_cos();
        let [x, y, z] = m.station;
        let station = [c * x - s * y, s * x + c * y, z];
        let line = [orbit.r[0] - station[0], orbit.r[1] - station[1], orbit.r[2] - station[2]];
        let residual = (norm(&line) - m.range) / m.sigma;
        chi2 += residual * residual;
    }
    chi2
}

#[test]
fn the_gradient_agrees_with_differences() {
    let earth = Earth::WGS84;
    let ranges: Vec<Range> = (1..6)
        .map(|k| Range { time: 0.33 * k as f64, station: [0.6, 0.5, 0.62], range: 0.5 + 0.1 * k as f64, sigma: 0.1 })
        .collect();
    let orbit = |p: &[f64]| Orbit { r: [p[0], p[1], p[2]], v: [p[3], p[4], p[5]] };
    let at = [1.1, 0.05, 0.0, 0.02, 0.7, 0.6, 2.0];
    let (value, (o, b)) = weighted_residual::value_and_grad(&orbit(&at), at[6], &earth, &ranges);
    assert_eq!(value, weighted_residual(&orbit(&at), at[6], &earth, &ranges));
    let g = [&o.r[..], &o.v[..], &[b]].concat();
    check(|p| weighted_residual(&orbit(p), p[6], &earth, &ranges), &at, &g);
}
