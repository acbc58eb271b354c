//! Geodesy: the length of a geodesic by Vincenty's formula, or why there is none.
//!
//! Compared structs by `==`, which was learned for it.

use crate::differences::check;
use autodiff::prelude::*;
use std::f64::consts::PI;
#[derive(Debug, Clone, Copy, PartialEq, Differentiable)]
struct Place {
    lat: f64,
    lon: f64,
}
struct Ellipsoid {
    a: f64,
    f: f64,
}
impl Ellipsoid {
    const WGS84: Ellipsoid = Ellipsoid { a: 6378.137, f: 1.0 / 298.257223563 };
    fn b(&self) -> f64 {
        self.a * (1.0 - self.f)
    }
}
#[derive(Debug, PartialEq)]
enum Failure {
    Antipodal,
    Same(f64),
}
#[differentiable]
fn vincenty(p: Place, q: Place) -> Result<f64, Failure> {
    let e = Ellipsoid::WGS84;
    if p == q {
        return Err(Failure::Same(0.0));
    }
    let l = q.lon - p.lon;
    let (u1, u2) = (((1.0 - e.f) * p.lat.tan()).atan(), ((1.0 - e.f) * q.lat.tan()).atan());
    let mut lambda = l;
    for _ in 0..100 {
        let sin_sigma = ((u2.cos() * lambda.sin()).powi(2)
            + (u1.cos() * u2.sin() - u1.sin() * u2.cos() * lambda.cos()).powi(2))
        .sqrt();
        let cos_sigma = u1.sin() * u2.sin() + u1.cos() * u2.cos() * lambda.cos();
        let sigma = sin_sigma.atan2(cos_sigma);
        let sin_alpha = u1.cos() * u2.cos() * lambda.sin() / sin_sigma;
        let cos2 = 1.0 - sin_alpha * sin_alpha;
        let cos_2m = cos_sigma - 2.0 * u1.sin() * u2.sin() / cos2;
        let c = e.f / 16.0 * cos2 * (4.0 + e.f * (4.0 - 3.0 * cos2));
        let before = lambda;
        lambda = l
            + (1.0 - c)
                * e.f
                * sin_alpha
                * (sigma + c * sin_sigma * (cos_2m + c * cos_sigma * (2.0 * cos_2m * cos_2m - 1.0)));
        if lambda.abs() > PI {
            return Err(Failure::Antipodal);
        }
        if (lambda - before).abs() < 1e-15 {
            let u = cos2 * (e.a * e.a - e.b() * e.b()) / (e.b() * e.b());
            let big_a = 1.0 + u / 16384.0 * (4096.0 + u * (-768.0 + u * (320.0 - 175.0 * u)));
            let big_b = u / 1024.0 * (256.0 + u * (-128.0 + u * (74.0 - 47.0 * u)));
            let delta = big_b * sin_sigma * (cos_2m + big_b / 4.0 * cos_sigma * (2.0 * cos_2m.powi(2) - 1.0));
            return Ok(e.b() * big_a * (sigma - delta));
        }
    }
    Err(Failure::Antipodal)
}
#[test]
fn gradient() {
    let at = [0.7, 0.1, 0.9, 0.6];
    let f = |p: &[f64]| vincenty(Place { lat: p[0], lon: p[1] }, Place { lat: p[2], lon: p[3] }).unwrap();
    let (p, q) = vincenty::grad(Place { lat: at[0], lon: at[1] }, Place { lat: at[2], lon: at[3] });
    check(f, &at, &[p.lat, p.lon, q.lat, q.lon]);
}
