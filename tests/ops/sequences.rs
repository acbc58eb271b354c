//! Rotary embeddings, buffers of time steps, and complex numbers as pairs, as programs of loops.

use autodiff::prelude::*;

/// How a rotary embedding pairs the numbers of a head: neighbours, or the two halves (`NeoX`).
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Neighbours,
    Halves,
}

/// The angle of pair `k` at one of the positions of a token: those of text, or of several sections, as for images and video.
fn angle(positions: &[f64; 3], sections: &[usize; 3], k: usize) -> f64 {
    let (mut at, mut section) = (k, 0);
    while at >= sections[section] {
        at -= sections[section];
        section += 1;
    }
    // In sections of their own the frequencies begin again.
    positions[section] * 10_000_f64.powf(-(at as f64) / 4.0)
}

fn cosines(positions: &[f64; 3], sections: &[usize; 3]) -> ([f64; 4], [f64; 4]) {
    let angles: [f64; 4] = std::array::from_fn(|k| angle(positions, sections, k));
    (angles.map(f64::cos), angles.map(f64::sin))
}

#[differentiable]
fn rotate(x: &[f64; 8], #[no_diff] cos: &[f64; 4], #[no_diff] sin: &[f64; 4], halves: bool) -> [f64; 8] {
    let mut y = [0.0; 8];
    for k in 0..4 {
        let (i, j) = if halves { (k, k + 4) } else { (2 * k, 2 * k + 1) };
        y[i] = x[i] * cos[k] - x[j] * sin[k];
        y[j] = x[i] * sin[k] + x[j] * cos[k];
    }
    y
}

/// The adjoint of a rotation is that by the opposite angle.
#[test]
fn rotary_layouts() {
    let x: [f64; 8] = std::array::from_fn(|i| (i as f64 + 0.5).sin());
    let y_bar: [f64; 8] = std::array::from_fn(|i| (2.0 * i as f64).cos());
    for layout in [Layout::Neighbours, Layout::Halves] {
        // Text, and the sections of time, height and width.
        for sections in [[4, 0, 0], [2, 1, 1]] {
            let (cos, sin) = cosines(&[3.0, 5.0, 7.0], &sections);
            let halves = layout == Layout::Halves;
            let (y, pullback) = rotate::vjp(&x, &cos, &sin, halves);
            let back = rotate(&y, &cos, &sin.map(|s| -s), halves);
            let expected = rotate(&y_bar, &cos, &sin.map(|s| -s), halves);
            let x_bar = pullback(&y_bar);
            for i in 0..8 {
                assert!((back[i] - x[i]).abs() < 1e-14, "{back:?} {x:?}");
                assert!((x_bar[i] - expected[i]).abs() < 1e-14, "{x_bar:?} {expected:?}");
            }
        }
    }
}

/// `stack`: a buffer of the states of all steps. `memorize`: each step reads the last state. `pop`: they are read from the end.
#[differentiable]
fn buffers(a: f64, inputs: &[f64; 5]) -> f64 {
    let mut stack = Vec::new();
    let mut memory = 0.0;
    for x in inputs {
        memory = a * memory + x;
        stack.push(memory);
    }
    let mut sum = 0.0;
    let mut weight = 1.0;
    while let Some(state) = stack.pop() {
        sum += weight * state;
        weight *= 0.5;
    }
    sum
}

/// State `t` is `Σ aᵗ⁻ˢ·xₛ` over `s ≤ t`, with weight `2ᵗ⁻⁴`.
#[test]
fn buffers_of_time_steps() {
    let (a, inputs) = (0.75, [1.0, -2.0, 0.5, 3.0, 0.25]);
    let (by_a, by_inputs) = buffers::grad(a, &inputs);
    let terms = || (0..5).flat_map(|t| (0..=t).map(move |s| (t, s, 0.5_f64.powi(4 - t))));
    let expected: f64 = terms()
        .filter(|(t, s, _)| t > s)
        .map(|(t, s, weight)| weight * f64::from(t - s) * a.powi(t - s - 1) * inputs[s as usize])
        .sum();
    assert!((by_a - expected).abs() < 1e-14, "{by_a} {expected}");
    for (i, by_input) in (0..).zip(by_inputs) {
        let expected: f64 = terms().filter(|(_, s, _)| *s == i).map(|(t, s, weight)| weight * a.powi(t - s)).sum();
        assert!((by_input - expected).abs() < 1e-14, "{by_input} {expected}");
    }
}

/// Complex numbers as pairs of reals, and back: `Im z³` of each.
#[differentiable]
fn pairs(z: &[[f64; 2]; 3]) -> f64 {
    let mut sum = 0.0;
    for [x, y] in z {
        let (a, b) = (x * x - y * y, 2.0 * x * y);
        sum += a * y + b * x;
    }
    sum
}

/// By Cauchy and Riemann the gradient of `Im f` by the pair `(x, y)` is `(Im f′, Re f′)`. The convention of JAX for the complex gradient
/// of a real number is `∂/∂x − i·∂/∂y`, the conjugate of the pair read as a complex number.
#[test]
fn gradients_of_pairs() {
    let z = [[1.0, 2.0], [-0.5, 0.25], [0.0, -3.0]];
    for ([x, y], [by_x, by_y]) in z.into_iter().zip(pairs::grad(&z)) {
        // f′ = 3z²
        assert!((by_x - 6.0 * x * y).abs() < 1e-14 && (by_y - 3.0 * (x * x - y * y)).abs() < 1e-14);
    }
}
