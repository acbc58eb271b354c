//! Data that functions pass on to functions which pass it on: a model, and numbers of its fields.
#![allow(clippy::all, clippy::pedantic)]

use autodiff::prelude::*;

struct Model {
    len: usize,
    gain: f64,
    weights: Vec<f64>,
    parents: Vec<Option<Box<Model>>>,
}

/// Its reverse sweep reads the model in a loop.
#[differentiable]
fn bent(x: &[f64], #[no_diff] model: &Model, out: &mut [f64]) {
    for i in 0..model.len {
        out[i] = (x[i] * model.weights[i]).sin() * x[i];
        for j in 0..model.len {
            out[i] += model.weights[j] * x[i] * x[j];
        }
    }
}

/// It is given a number of a field, and nothing else without a derivative.
#[differentiable]
fn padded(x: &[f64], len: usize, out: &mut [f64]) {
    for value in out[..2 * len].iter_mut() {
        *value = 0.5;
    }
    for i in 0..len {
        out[i] = x[i] * x[i];
    }
}

#[differentiable]
fn scaled(x: f64, gain: f64) -> f64 {
    gain * x.exp()
}

#[differentiable]
fn positions(x: &[f64], #[no_diff] model: &Model, out: &mut [f64]) {
    let mut pose = vec![0.0; 2 * model.len];
    padded(x, model.len, &mut pose);
    bent(&pose, model, out);
    for i in 0..model.len {
        out[i] = scaled(out[i], model.gain);
    }
}

#[differentiable(wrt(x))]
fn errors(x: &[f64; 3], #[no_diff] model: &Model) -> Vec<f64> {
    let mut out = vec![0.0; model.len];
    positions(x, model, &mut out);
    out
}

/// The fourth function that the model is passed to, in a branch and a loop.
#[differentiable(wrt(x), order = 2)]
fn loss(x: &[f64; 3], #[no_diff] model: &Model, repetitions: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..repetitions {
        if k % 2 == 0 {
            for error in errors(x, model) {
                sum += error * error;
            }
        } else {
            sum += depth(x, model);
        }
    }
    sum
}

/// A recursion over the data.
#[differentiable]
fn depth(x: &[f64; 3], #[no_diff] model: &Model) -> f64 {
    let mut sum = model.gain * x[0] * x[1];
    for parent in &model.parents {
        if let Some(parent) = parent {
            sum += x[2] * depth(x, parent);
        }
    }
    sum
}

fn model() -> Model {
    let plain = |gain| Model { len: 3, gain, weights: vec![0.3, 1.2, -0.7], parents: Vec::new() };
    let middle = Model { parents: vec![None, Some(Box::new(plain(0.9)))], ..plain(-0.4) };
    Model { parents: vec![Some(Box::new(middle)), Some(Box::new(plain(1.7)))], ..plain(0.2) }
}

#[test]
fn through_four_functions() {
    let (x, model) = ([0.4, -0.3, 0.8], model());
    autodiff::check_grads!(errors, &x, &model);
    autodiff::check_grads!(loss, &x, &model, 3);
}

#[test]
fn rows_and_columns_agree() {
    let (x, model) = ([0.4, -0.3, 0.8], model());
    let (value, pullback) = errors::vjp(&x, &model);
    let jacobian = errors::jacobian(&x, &model);
    assert_eq!(value, errors(&x, &model));
    for (k, row) in jacobian.iter().enumerate() {
        let mut seed = vec![0.0; 3];
        seed[k] = 1.0;
        for (a, b) in pullback(&seed).iter().zip(row) {
            assert!((a - b).abs() <= 1e-14 * (1.0 + b.abs()), "{a} {b}");
        }
    }
}

/// Data of which residuals can own what they need.
#[differentiable]
fn weighed(x: &[f64; 3], #[no_diff] model: &Model) -> f64 {
    scaled(x[0] * x[1], model.gain) * x[2]
}

#[differentiable]
fn twice(x: &[f64; 3], #[no_diff] model: &Model) -> f64 {
    weighed(x, model) * weighed(x, model)
}

#[differentiable(wrt(x))]
fn again(x: &[f64; 3], #[no_diff] model: &Model) -> f64 {
    twice(x, model) + x[0]
}

#[test]
fn residuals_of_functions_that_pass_on() {
    let (x, model) = ([0.4, -0.3, 0.8], model());
    let (value, residuals) = again::forward(&x, &model);
    assert_eq!(value, again(&x, &model));
    assert_eq!(again::pullback(&residuals, 1.0), again::grad(&x, &model));
}

// --- a graph of springs ---------------------------------------------------------------------------------------------

struct Graph {
    n: usize,
    edges: Vec<(usize, usize)>,
    lens: Vec<f64>,
    fixed: Vec<bool>,
}

#[differentiable]
fn edge_energy(p: &[f64], i: usize, j: usize, rest: f64) -> f64 {
    let mut s = 0.0;
    for k in 0..2 {
        let d = p[2 * i + k] - p[2 * j + k];
        s += d * d;
    }
    (s.sqrt() - rest).powi(2)
}
/// A call in a branch of a loop that stores nothing: both sweeps of an iteration run together.
#[differentiable(order = 2)]
fn energy(p: &[f64], #[no_diff] g: &Graph) -> f64 {
    let mut e = 0.0;
    for (k, (i, j)) in g.edges.iter().enumerate() {
        if g.fixed[*i] && g.fixed[*j] {
            continue;
        }
        e += edge_energy(p, *i, *j, g.lens[k]);
    }
    e
}
#[differentiable]
fn relax(p: &mut [f64], step: f64, #[no_diff] g: &Graph) {
    let mut force = vec![0.0; p.len()];
    for (k, (i, j)) in g.edges.iter().enumerate() {
        let (dx, dy) = (p[2 * i] - p[2 * j], p[2 * i + 1] - p[2 * j + 1]);
        let len = dx.hypot(dy);
        let f = (len - g.lens[k]) / len;
        force[2 * i] -= f * dx;
        force[2 * i + 1] -= f * dy;
        force[2 * j] += f * dx;
        force[2 * j + 1] += f * dy;
    }
    for i in 0..g.n {
        if !g.fixed[i] {
            for k in 0..2 {
                p[2 * i + k] += step * force[2 * i + k];
            }
        }
    }
}
#[differentiable(wrt(start, step))]
fn settled(start: &[f64], step: f64, #[no_diff] g: &Graph, iterations: usize) -> f64 {
    let mut p = start.to_vec();
    for _ in 0..iterations {
        relax(&mut p, step, g);
    }
    energy(&p, g)
}

#[test]
fn springs() {
    let numbers = |len: usize, from: usize| (from..from + len).map(|k| (0.9 * k as f64).sin() + 0.1);
    let graph = Graph {
        n: 5,
        edges: vec![(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 3)],
        lens: numbers(6, 40).map(|x| x.abs() + 0.5).collect(),
        fixed: vec![true, false, false, false, true],
    };
    let start: Vec<f64> = numbers(10, 1).collect();
    autodiff::check_grads!(energy, &start, &graph);
    autodiff::check_grads!(settled, &start, 0.05, &graph, 4);
}
