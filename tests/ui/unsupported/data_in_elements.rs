use autodiff::prelude::*;

#[derive(Clone, Differentiable)]
struct Surface {
    curvature: f64,
    #[no_diff]
    name: String,
}

fn weight(name: &str) -> f64 {
    name.len() as f64
}

/// The names are those of other elements then.
#[differentiable]
fn of_a_copy(surfaces: &[Surface]) -> f64 {
    let mut sorted = surfaces.to_vec();
    sorted.swap(0, 1);
    sorted[0].curvature * weight(&sorted[0].name)
}

#[differentiable]
fn of_a_change(surfaces: &mut [Surface]) -> f64 {
    surfaces[0].curvature *= 2.0;
    if surfaces[0].name.is_empty() { 1.0 } else { surfaces[0].curvature }
}

#[differentiable]
fn chosen(surfaces: &[Surface]) -> f64 {
    let mut best = &surfaces[0];
    for surface in surfaces {
        if surface.curvature > best.curvature {
            best = surface;
        }
    }
    best.curvature * weight(&best.name)
}

#[differentiable]
fn power(surface: &Surface) -> f64 {
    surface.curvature * weight(&surface.name)
}

#[differentiable]
fn handed_on(surfaces: &[Surface]) -> f64 {
    let mut sorted = surfaces.to_vec();
    sorted.swap(0, 1);
    power(&sorted[0])
}

fn main() {}
