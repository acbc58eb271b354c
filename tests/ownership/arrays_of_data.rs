//! Arrays in data without a derivative, as the file declares them.

use crate::harness::check;
use autodiff::prelude::*;

type Colour = [f64; 3];

struct Light {
    colour: Colour,
    grid: [[f64; 2]; 2],
    counts: [usize; 2],
}

struct Scene {
    light: Light,
}

#[differentiable(order = 2)]
fn shaded(x: f64, y: &[f64], #[no_diff] scene: &Scene) -> f64 {
    let mut colour = scene.light.colour.map(|c| (c * x).sin());
    for k in 0..3 {
        colour[k] *= scene.light.colour.map(|c| c * x + k as f64)[k];
    }
    let rows = scene.light.grid.map(|row| row[0] * x + row[1]);
    let picked = scene.light.counts.map(|i| y[i] * x);
    colour[0] * colour[1] + colour[2] + rows[0] * rows[1] + picked[0] * picked[1]
}

#[test]
fn a_function_of_each_element_of_data() {
    let light = Light { colour: [0.2, 0.5, 1.1], grid: [[0.3, 1.0], [-0.4, 0.7]], counts: [1, 0] };
    let scene = Scene { light };
    check!(shaded(x, &y, &scene) by [x = 0.8, y = vec![0.4, -0.6]]);
}

/// As many elements as the type says.
#[differentiable(order = 2)]
fn shares<const N: usize>(payoff: &[f64; N], by: f64) -> [f64; N] {
    let powers = payoff.map(|p| (by * p).exp());
    let sum: f64 = powers.iter().sum();
    powers.map(|p| p / sum)
}

#[differentiable(order = 2)]
fn many(x: f64, by: f64) -> f64 {
    let mut count = 0.0;
    let list = [x; 50].map(|v| {
        count += 1.0;
        v * by * count
    });
    let shares = shares(&[x, by, x * by], list[3]);
    list[0] * shares[1] + shares[2] * count
}

#[test]
fn a_function_of_each_of_many_elements() {
    check!(many(x, by) by x = 0.3, by = 0.8);
}
