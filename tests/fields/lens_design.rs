//! Optics: the spot of a lens traced at three wavelengths, with glasses of a catalogue (Sellmeier).
//!
//! Changed: a glass is a number with 0 for air, which was an `Option` without a derivative in a slice of structs.

use crate::differences::check;
use autodiff::prelude::*;
#[derive(Clone, Debug)]
struct Glass {
    name: &'static str,
    b: [f64; 3],
    c: [f64; 3],
}
#[derive(Clone, Debug, Differentiable)]
struct Surface {
    curvature: f64,
    thickness: f64,
    glass: usize,
}
#[derive(Clone, Debug, Differentiable)]
struct Lens {
    surfaces: Vec<Surface>,
    stop: f64,
}
fn index(catalogue: &[Glass], glass: usize, wavelength: f64) -> f64 {
    if glass == 0 {
        return 1.0;
    }
    let w2 = wavelength * wavelength;
    let g = &catalogue[glass - 1];
    (1.0 + g.b.iter().zip(&g.c).map(|(b, c)| b * w2 / (w2 - c)).sum::<f64>()).sqrt()
}
#[differentiable]
fn trace(lens: &Lens, #[no_diff] catalogue: &[Glass], #[no_diff] wavelength: f64, height: f64) -> (f64, f64) {
    let (mut y, mut u) = (height, 0.0);
    let mut n = 1.0;
    for surface in &lens.surfaces {
        let n2: f64 = index(catalogue, surface.glass, wavelength);
        let sag = surface.curvature * y;
        let (theta, alpha) = (sag.asin(), u);
        let incidence = theta + alpha;
        let refraction = (n / n2 * incidence.sin()).asin();
        u = refraction - theta;
        y += surface.thickness * u.tan();
        n = n2;
    }
    (y, u)
}
#[differentiable]
fn spot(lens: &Lens, #[no_diff] catalogue: &[Glass], #[no_diff] wavelengths: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut count = 0;
    for &w in wavelengths {
        for k in 1..=3 {
            let (y, u) = trace(lens, catalogue, w, lens.stop * k as f64 / 3.0);
            sum += y * y + 1e-3 * u * u;
            count += 1;
        }
    }
    (sum / count as f64).sqrt()
}
#[test]
fn gradient() {
    let glass =
        Glass { name: "BK7", b: [1.03961212, 0.231792344, 1.01046945], c: [0.00600069867, 0.0200179144, 103.560653] };
    let flint =
        Glass { name: "F2", b: [1.34533359, 0.209073176, 0.937357162], c: [0.00997743871, 0.0470450767, 111.886764] };
    assert_ne!(glass.name, flint.name);
    let catalogue = [glass, flint];
    let kinds = [1, 2, 0];
    let lens = |p: &[f64]| Lens {
        stop: p[6],
        surfaces: (0..3)
            .map(|k| Surface { curvature: 0.01 * p[2 * k], thickness: p[2 * k + 1], glass: kinds[k] })
            .collect(),
    };
    let at = [1.6, 6.0, -2.2, 2.5, -0.8, 95.0, 10.0];
    let waves = [0.4861, 0.5876, 0.6563];
    let g = spot::grad(&lens(&at), &catalogue, &waves);
    let mut flat: Vec<f64> = g.surfaces.iter().flat_map(|s| [0.01 * s.curvature, s.thickness]).collect();
    flat.push(g.stop);
    check(|p| spot(&lens(p), &catalogue, &waves), &at, &flat);
}
