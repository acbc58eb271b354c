//! Fields without a derivative of the elements of a slice of structs: names, modes, and what they hold.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Sphere,
    Conic(f64),
    Plane { tilt: f64 },
}

impl Shape {
    fn factor(&self) -> f64 {
        match self {
            Shape::Sphere => 1.5,
            Shape::Conic(k) => *k,
            Shape::Plane { tilt } => *tilt,
        }
    }
}

#[derive(Clone, Debug)]
struct Glass {
    label: String,
    b: [f64; 2],
}

#[derive(Clone, Debug, Differentiable)]
struct Surface {
    curvature: f64,
    thickness: f64,
    #[no_diff]
    name: String,
    #[no_diff]
    shape: Shape,
    #[no_diff]
    glass: Option<Glass>,
    #[no_diff]
    aperture: Option<f64>,
    #[no_diff]
    tags: Vec<String>,
    next: usize,
}

fn weight(name: &str) -> f64 {
    name.len() as f64
}

fn index(glass: Option<&Glass>) -> f64 {
    glass.map_or(1.0, |glass| glass.b[0] + glass.b[1] * glass.label.len() as f64)
}

#[differentiable(order = 2)]
fn traced(surfaces: &[Surface], height: f64) -> f64 {
    let mut y = height;
    let mut n = 1.0;
    for surface in surfaces {
        let behind: f64 = index(surface.glass.as_ref());
        if let Some(aperture) = surface.aperture {
            if y > aperture {
                y = aperture + 0.1 * y * y;
            }
        }
        y = y * n / behind + surface.thickness * surface.curvature * y;
        y += surface.thickness * surface.aperture.unwrap_or(0.5);
        n = behind;
    }
    y
}

#[differentiable(order = 2)]
fn by_modes(surfaces: &[Surface], x: f64) -> f64 {
    let mut y = x;
    for surface in surfaces.iter() {
        y += match surface.shape {
            Shape::Sphere => surface.curvature * y,
            Shape::Conic(k) => k * surface.curvature * surface.curvature,
            Shape::Plane { tilt } => tilt * x,
        };
        if surface.shape == Shape::Sphere && !surface.tags.is_empty() {
            y *= surface.thickness;
        }
        match &surface.glass {
            Some(glass) if glass.label.len() > 1 => y *= 1.0 + surface.curvature * glass.b[1],
            Some(_) => y += surface.thickness * y * y,
            None => y *= surface.shape.factor(),
        }
    }
    y
}

#[differentiable(order = 2)]
fn by_names(surfaces: &[Surface], x: f64) -> f64 {
    let mut y = x;
    for Surface { curvature, name, .. } in surfaces {
        y += match name.as_str() {
            "stop" => y * y,
            "lens" => curvature * y,
            other => weight(other) * curvature * weight(name),
        };
    }
    for (i, surface) in surfaces.iter().enumerate().rev() {
        if surface.name == "stop" || surface.name.starts_with('a') {
            y = y * surface.curvature * weight(&surface.name) + i as f64 * surface.thickness;
        }
    }
    y
}

/// Other ways to an element.
#[differentiable(order = 2)]
fn elements(surfaces: &[Surface], x: f64) -> f64 {
    let mut y = x;
    let mut i = 0;
    while i < surfaces.len() && surfaces[i].name != "lens" {
        y = y * surfaces[i].curvature + y;
        i += 1;
    }
    for k in 0..surfaces.len() {
        let surface = &surfaces[surfaces[k].next];
        y += surface.curvature * weight(&surface.name) * x;
    }
    let rest = &surfaces[1..];
    for surface in rest {
        y += surface.thickness * weight(&surface.name) * y;
    }
    for pair in surfaces.windows(2) {
        y += weight(&pair[1].name) * pair[0].curvature * x * x;
    }
    y += rest.iter().zip(surfaces).map(|(a, b)| a.curvature * b.curvature * weight(&b.name)).sum::<f64>();
    let (first, last) = (surfaces.first().unwrap(), surfaces.last().unwrap());
    y += first.curvature * weight(&last.name) * x;
    if let Some(found) = surfaces.iter().find(|surface| surface.name == "lens") {
        y += found.curvature * found.curvature * weight(&found.name);
    }
    let (left, right) = surfaces.split_at(1);
    y * left[0].curvature + weight(&right[0].name) * x
}

#[differentiable(order = 2)]
fn strongest(surfaces: &[Surface], x: f64) -> f64 {
    let mut best = 0;
    for i in 0..surfaces.len() {
        if surfaces[i].curvature > surfaces[best].curvature {
            best = i;
        }
    }
    let mut copy = surfaces[best].clone();
    copy.curvature *= x;
    copy.curvature * copy.curvature * weight(&copy.name)
}

#[derive(Clone, Debug, Differentiable)]
struct Lens {
    surfaces: Vec<Surface>,
    stop: f64,
}

#[differentiable(order = 2)]
fn of_field(lens: &Lens, depth: usize) -> f64 {
    if depth >= lens.surfaces.len() {
        return lens.stop;
    }
    let surface = &lens.surfaces[depth];
    of_field(lens, depth + 1) * surface.curvature * weight(&surface.name) + lens.stop * surface.thickness
}

#[differentiable(order = 2)]
fn of_array<const N: usize>(surfaces: &[Surface; N], x: f64) -> f64 {
    let named = surfaces;
    let surfaces = [x, x * x];
    let mut y = 1.0;
    for surface in named {
        y *= surface.curvature * weight(&surface.name) * surfaces[1];
    }
    y
}

/// A list of a parameter that is a value, and that is called otherwise.
#[differentiable(order = 2)]
fn moved(surfaces: Vec<Surface>, x: f64) -> f64 {
    let own = surfaces;
    own[0].curvature * weight(&own[1].name) * x * x
}

fn surfaces() -> Vec<Surface> {
    let surface = |k: usize, name: &str, shape, label: Option<&str>, aperture, tags: &[&str]| Surface {
        curvature: [0.3, 0.2, 0.6, 0.1][k],
        thickness: [0.5, 0.4, 0.8, 0.9][k],
        name: name.to_owned(),
        shape,
        glass: label.map(|label| Glass { label: label.to_owned(), b: [0.4, 0.2 * k as f64] }),
        aperture,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        next: [2, 0, 1, 3][k],
    };
    vec![
        surface(0, "a", Shape::Sphere, None, Some(0.9), &["front"]),
        surface(1, "stop", Shape::Conic(0.8), Some("x"), None, &[]),
        surface(2, "lens", Shape::Plane { tilt: 0.3 }, Some("yy"), Some(0.4), &[]),
        surface(3, "ab", Shape::Sphere, None, None, &[]),
    ]
}

#[test]
fn data_in_slices_of_structs() {
    let x = 0.7;
    let surfaces = surfaces();
    check!(traced(&surfaces, x) by [surfaces, x]);
    check!(by_modes(&surfaces, x) by [surfaces, x]);
    check!(by_names(&surfaces, x) by [surfaces, x]);
    check!(elements(&surfaces, x) by [surfaces, x]);
    check!(strongest(&surfaces, x) by [surfaces, x]);
    check!(moved(surfaces.clone(), x) by [surfaces, x]);
}

#[test]
fn data_in_fields_and_arrays() {
    let lens = Lens { surfaces: surfaces(), stop: 0.7 };
    check!(of_field(&lens, 0) by lens);
    let [a, b, ..] = &surfaces()[..] else {
        return;
    };
    let (pair, x) = ([a.clone(), b.clone()], 0.7);
    check!(of_array(&pair, x) by pair, x);
}
