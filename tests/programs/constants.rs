//! Constants, plain enums, and what else carries no derivative.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

const K: [f64; 2] = [2.0, 3.0];
static S: [f64; 2] = [2.0, 3.0];
const T: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];
const N: usize = 2;
const ONE: i32 = 1;

struct Planet;

impl Planet {
    const K: [f64; 2] = [4.0, 5.0];
    const G: f64 = 9.81;
}

#[differentiable(order = 2)]
fn dot(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

#[differentiable(order = 2)]
fn borrowed(x: &[f64; 2]) -> f64 {
    let k = &K;
    let mut s = dot(&K, x) * dot(x, &S) + dot(&Planet::K, x) * dot(&K, &K) + dot(k, x);
    for i in 0..2 {
        s += dot(&T[i], x);
    }
    s
}

#[differentiable(order = 2)]
fn indexed(x: &[f64; 2]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        s += K[i] * x[i] * S[i] * Planet::K[i];
    }
    let k = K;
    let l = &K;
    s + k[0] * x[0] * x[0] + l[1] * x[1] * Planet::G
}

#[differentiable(order = 2)]
fn iterated(x: &[f64; 2]) -> f64 {
    let mut s = 0.0;
    for (a, b) in K.iter().zip(x) {
        s += a * b;
    }
    for (a, b) in x.iter().zip(K) {
        s += a * b * b;
    }
    let [a, b] = K;
    s * (a * x[0] + b * x[1]) * K.iter().sum::<f64>() * K.len() as f64
}

#[differentiable(order = 2)]
fn in_patterns(x: f64, #[no_diff] n: i32) -> f64 {
    match n {
        ONE => x,
        2 => x * x,
        _ => x.sin(),
    }
}

#[differentiable(order = 2)]
fn compared(x: f64) -> f64 {
    let b: bool = in_patterns(0.9, 2) > -1.2;
    let c: bool = -1.0 < K[0];
    if b && c { x * x } else { x }
}

#[test]
fn constants() {
    let x = [0.7, 0.9];
    assert_eq!(dot::grad(&K, &x).1, K);
    check!(borrowed(&x) by x);
    check!(indexed(&x) by x);
    check!(iterated(&x) by x);
    check!(in_patterns(x, 1) by x = 0.7);
    check!(compared(x) by x = 0.7);
    assert_eq!(compared::grad(0.75), 1.5);
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Times,
    Plus,
    Sine,
}

#[derive(Clone, Copy)]
enum Step {
    Add(f64),
    Times(f64),
    Sine,
}

#[derive(Clone, Copy)]
struct Layer {
    weight: f64,
    power: usize,
    skip: bool,
}

const DEFAULT: Kind = Kind::Plus;

#[differentiable(order = 2)]
fn applied(x: f64, #[no_diff] kind: Kind) -> f64 {
    match kind {
        Kind::Times => x * x,
        Kind::Plus => x + 1.0,
        Kind::Sine => x.sin(),
    }
}

#[differentiable(order = 2)]
fn variants_as_arguments(x: f64) -> f64 {
    let mut s = applied(x, Kind::Times) * applied(x, DEFAULT);
    for _ in 0..3 {
        s = applied(s, Kind::Sine) + applied(x, Kind::Times);
    }
    s
}

#[differentiable(order = 2)]
fn slice_of_kinds(x: f64, #[no_diff] kinds: &[Kind]) -> f64 {
    let mut s = x;
    for kind in kinds {
        s = match kind {
            Kind::Times => s * x,
            Kind::Plus => s + x,
            Kind::Sine => s.sin(),
        };
    }
    for i in 0..kinds.len() {
        match kinds[i] {
            Kind::Times => s *= x,
            Kind::Plus => s += x,
            Kind::Sine => s = s.sin(),
        }
    }
    for kind in kinds.iter().rev() {
        if matches!(kind, Kind::Times | Kind::Sine) {
            s = s.sin();
        }
        if *kind == Kind::Plus {
            s *= x;
        }
    }
    kinds.iter().fold(s, |s, kind| match *kind {
        Kind::Times => s * x,
        Kind::Plus => s + x,
        Kind::Sine => s.sin(),
    })
}

#[differentiable(order = 2)]
fn array_of_kinds(x: f64, #[no_diff] kinds: &[Kind; 3]) -> f64 {
    let mut s = x;
    for kind in kinds.iter() {
        match kind {
            Kind::Times => s *= x,
            Kind::Plus => s += x,
            Kind::Sine => s = s.sin(),
        }
    }
    s
}

#[differentiable(order = 2)]
fn steps(x: f64, #[no_diff] steps: &[Step]) -> f64 {
    let mut s = x;
    for step in steps {
        s = match step {
            Step::Add(a) => s + a * x,
            Step::Times(a) => s * *a,
            Step::Sine => s.sin(),
        };
    }
    s
}

#[differentiable(order = 2)]
fn layers(x: f64, #[no_diff] layers: &[Layer]) -> f64 {
    let mut s = x;
    for i in 0..layers.len() {
        s = s.sin() * layers[i].weight + x;
    }
    for layer in layers {
        if layer.skip {
            s += x;
        }
        if layer.power > 2 {
            s = s.sin() * layer.weight + x.powi(layer.power as i32);
        }
    }
    s
}

#[test]
fn kinds() {
    let kinds = [Kind::Times, Kind::Sine, Kind::Plus];
    check!(variants_as_arguments(x) by x = 0.7);
    check!(slice_of_kinds(x, &kinds) by x = 0.7);
    check!(slice_of_kinds(x, &[]) by x = 0.7);
    check!(array_of_kinds(x, &kinds) by x = 0.7);
    check!(steps(x, &[Step::Add(2.0), Step::Sine, Step::Times(1.5)]) by x = 0.7);
    let all = [Layer { weight: 2.0, power: 2, skip: true }, Layer { weight: 1.5, power: 3, skip: false }];
    check!(layers(x, &all) by x = 0.7);
}
