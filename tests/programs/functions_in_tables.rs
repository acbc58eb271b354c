//! Functions as values: in tables, and where one of several is chosen.

use crate::harness::check;
use autodiff::prelude::*;

const BASIS: [fn(f64) -> f64; 3] = [f64::sin, f64::cos, rectified];
const OUTER: fn(f64) -> f64 = softplus;

#[differentiable(order = 2)]
fn rectified(x: f64) -> f64 {
    if x > 0.0 { x * x } else { 0.1 * x }
}

#[differentiable(order = 2)]
fn softplus(x: f64) -> f64 {
    x.exp().ln_1p()
}

#[differentiable(order = 2)]
fn network(w: &[f64], x: f64, #[no_diff] kinds: &[usize]) -> f64 {
    let activations: [fn(f64) -> f64; 3] = [f64::tanh, rectified, |x| x];
    let mut h = x;
    for (w, kind) in w.iter().zip(kinds) {
        h = activations[*kind](w * h) + activations[1](h);
    }
    h * activations[kinds[0]](x)
}

#[differentiable(order = 2)]
fn expansion(weights: &[f64; 3], x: f64, i: usize) -> f64 {
    let all: f64 = weights.iter().zip(BASIS.iter()).map(|(w, f)| w * f(x)).sum();
    let one = BASIS[i](x * x) + OUTER(x);
    BASIS.iter().rev().fold(one, |value, f| f(value)) + all * BASIS.len() as f64
}

#[differentiable(order = 2)]
fn by_name(x: f64, #[no_diff] name: &str) -> f64 {
    let f: fn(f64) -> f64 = match name {
        "tanh" => f64::tanh,
        "soft" => softplus,
        _ => |x| x * x,
    };
    let g = if x > 1.0 { f } else { f64::exp };
    let mut h: fn(f64) -> f64 = rectified;
    if name == "soft" {
        h = g;
    }
    f(x) * g(f(x)) + h(x) + (if x > 0.5 { f64::sin } else { h })(x)
}

#[differentiable(order = 2)]
fn each(x: f64) -> f64 {
    let mut sum = 0.0;
    for f in [f64::sin, f64::cos] {
        sum += f(x);
    }
    let layers: [(f64, fn(f64) -> f64); 2] = [(x, f64::tanh), (2.0, softplus)];
    for (k, (scale, f)) in layers.iter().enumerate() {
        sum += f(scale * sum) * k as f64;
    }
    let [first, second] = [softplus, rectified];
    sum * first(x) + second(x)
}

/// Closures that capture, of which one is chosen; what a branch has is kept.
#[differentiable(order = 2)]
fn captured(x: f64, a: f64, c: bool) -> f64 {
    let forces: Vec<Box<dyn Fn(f64) -> f64>> =
        vec![Box::new(move |r| a * r), Box::new(|r| r.sin() * x), Box::new(softplus)];
    let force: Box<dyn Fn(f64) -> f64> = if c {
        let (scale, a) = (2.0, a);
        Box::new(move |r| scale * r * a)
    } else {
        Box::new(|r| r * r * x)
    };
    let mut sum = 0.0;
    for f in &forces {
        sum += f(force(x));
    }
    for k in 0..4 {
        sum += forces[k % 3](sum * 0.1);
    }
    sum
}

#[derive(Clone, Copy, Differentiable)]
struct State {
    q: f64,
    p: f64,
}

#[differentiable(order = 2)]
fn drift(s: &mut State, h: f64) {
    s.q += h * s.p;
}

#[differentiable(order = 2)]
fn kick(s: &mut State, h: f64) {
    s.p -= h * s.q.sin();
}

/// What they are given changes.
#[differentiable(order = 2)]
fn splitting(q: f64, h: f64, n: usize) -> f64 {
    let stages: [(fn(&mut State, f64), f64); 3] = [(drift, 0.5), (kick, 1.0), (drift, 0.5)];
    let mut state = State { q, p: 0.1 };
    for _ in 0..n {
        for (stage, part) in stages {
            stage(&mut state, h * part);
        }
    }
    state.q * state.p + state.p
}

#[differentiable]
fn forward(activations: &[fn(f64) -> f64], weights: &[f64], x: f64) -> f64 {
    weights.iter().zip(activations).fold(x, |h, (w, f)| f(w * h))
}

#[differentiable]
fn simpson(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b))
}

/// They are handed on.
#[differentiable(order = 2)]
fn handed_on(w: &[f64], x: f64, i: usize) -> f64 {
    let table = [f64::tanh, softplus, |x| x * x];
    let chosen = table[i];
    forward(&table, w, x)
        + simpson(chosen, 0.0, x) * simpson(table[(i + 1) % 3], x, 2.0)
        + w.iter().map(|v| chosen(*v)).sum::<f64>()
        + w.iter().copied().map(chosen).product::<f64>()
}

struct Shape;

#[differentiable(order = 2)]
impl Shape {
    fn round(x: &[f64; 2]) -> f64 {
        x[0].hypot(x[1])
    }

    fn square(x: &[f64; 2]) -> f64 {
        x[0].abs().max(x[1].abs())
    }
}

#[differentiable(order = 2)]
fn distances(x: &[f64; 2], k: usize) -> f64 {
    let table: [[fn(&[f64; 2]) -> f64; 2]; 2] = [[Shape::round, Shape::square], [|x| x[0] * x[1], Shape::round]];
    table[k][0](x) * table[1 - k][k](x) + table[0][k](&[x[1], 2.0])
}

#[test]
fn functions_in_tables() {
    for i in 0..3 {
        let kinds = [i, (i + 1) % 3, 2, 1];
        check!(network(&w, x, &kinds) by [w = vec![0.3, 0.8, -0.2, 0.7], x = 0.6]);
        let (w, x) = ([0.3, 0.8, -0.2], 0.6);
        check!(expansion(&w, x, i) by w, x);
        check!(by_name(x, ["tanh", "soft", "other"][i]) by x = 0.4);
        check!(by_name(x, ["tanh", "soft", "other"][i]) by x = 1.4);
        check!(handed_on(&w, x, i) by [w = vec![0.3, 0.8], x = 0.6]);
    }
    check!(each(x) by x = 0.7);
    for c in [true, false] {
        let (x, a) = (0.7, 1.2);
        check!(captured(x, a, c) by x, a);
    }
    for n in [0, 3] {
        let (q, h) = (0.7, 0.2);
        check!(splitting(q, h, n) by q, h);
    }
    for k in 0..2 {
        check!(distances(&x, k) by x = [0.3, -0.8]);
    }
    assert!(std::panic::catch_unwind(|| expansion::grad(&[0.3, 0.8, -0.2], 0.6, 3)).is_err());
}
