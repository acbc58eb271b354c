//! Functions that return a `Vec` of structs.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct State {
    x: f64,
    v: [f64; 2],
    kind: usize,
}

#[differentiable(order = 2)]
fn path(k: f64, n: usize) -> Vec<State> {
    let mut q = State { x: 1.0, v: [k, 0.5], kind: 0 };
    let mut out = Vec::new();
    for i in 0..n {
        q.v[0] -= k * q.x * 0.1;
        q.x += q.v[0] * q.v[1];
        q.kind = i;
        out.push(q);
    }
    out
}

#[differentiable(order = 2)]
fn read(k: f64, n: usize) -> f64 {
    let p = path(k, n);
    let mut sum = 0.0;
    for q in &p {
        sum += q.x * q.x * (q.kind as f64 + 1.0);
    }
    for q in p.iter() {
        sum += q.v[0];
    }
    sum += p.len() as f64 * k;
    if n > 2 {
        sum += p[1].x * p[2].v[1];
    }
    sum + p.iter().map(|q| q.x.sin()).sum::<f64>()
}

#[differentiable(order = 2)]
fn several(k: f64, n: usize) -> (f64, Vec<State>, Vec<f64>) {
    let p = path(k, n);
    let scaled: Vec<f64> = p.iter().map(|q| q.x * k).collect();
    (k * k, p, scaled)
}

#[differentiable(order = 2)]
fn one_of_several(k: f64, n: usize) -> f64 {
    let (a, p, _) = several(k, n);
    a * p[0].x
}

#[differentiable(order = 2)]
fn changed(k: f64, n: usize) -> f64 {
    let (a, mut p, scaled) = several(k, n);
    p.push(State { x: a, v: [1.0, k], kind: 1 });
    p[0].x *= 2.0;
    p.swap(0, 1);
    let mut sum = 0.0;
    for (q, scaled) in p.iter().zip(&scaled) {
        sum += q.x * scaled;
    }
    sum + total(&p) + total(&p[1..])
}

#[differentiable(order = 2)]
fn total(p: &[State]) -> f64 {
    let mut sum = 0.0;
    for q in p {
        sum += q.x * q.v[1];
    }
    sum
}

#[differentiable(order = 2)]
fn halves(p: &[State]) -> Vec<State> {
    if p.len() < 2 {
        return p.to_vec();
    }
    let middle = p.len() / 2;
    let (a, b) = (halves(&p[..middle]), halves(&p[middle..]));
    let mut out = Vec::new();
    for q in &b {
        out.push(State { x: q.x * 1.5, ..*q });
    }
    for q in &a {
        out.push(State { x: q.x * q.v[0], v: [q.x, 1.0], kind: q.kind });
    }
    out
}

#[differentiable(order = 2)]
fn divided(k: f64, n: usize) -> f64 {
    let halves = halves(&path(k, n));
    let mut sum = 0.0;
    for q in &halves {
        sum = sum * 0.9 + q.x * q.v[0];
    }
    sum
}

#[differentiable(order = 2)]
fn in_loops_and_branches(k: f64, n: usize) -> f64 {
    let mut sum = k;
    for i in 0..n {
        let p = path(k * sum.cos(), i);
        if i % 2 == 1 {
            let q = halves(&p);
            sum += q[0].x;
        } else if let Some(last) = p.last() {
            sum *= last.v[0] + 1.0;
        }
        let mut again = if i > 1 { path(k, 2) } else { p };
        while again.len() > 1 {
            sum += again[again.len() - 1].x * 0.1;
            again.truncate(again.len() - 1);
        }
    }
    sum
}

#[derive(Differentiable, Clone, Debug)]
struct Model {
    rate: f64,
    start: Vec<State>,
}

#[differentiable(order = 2)]
impl Model {
    fn run(&self, n: usize) -> Vec<State> {
        let mut states = self.start.clone();
        for _ in 0..n {
            let last = states[states.len() - 1];
            states.push(State { x: last.x * self.rate, v: [last.x, last.v[0]], kind: last.kind + 1 });
        }
        states
    }

    fn loss(&self, n: usize) -> f64 {
        self.run(n).iter().map(|s| s.x * s.v[0] + s.v[1]).sum()
    }
}

#[differentiable(order = 2)]
fn model(rate: f64, x: f64, n: usize) -> f64 {
    let model = Model { rate, start: vec![State { x, v: [rate, 1.0], kind: 0 }] };
    model.loss(n) + model.run(2)[1].x
}

#[derive(Differentiable, Clone, Debug)]
enum Shape {
    Disc(f64),
    Box { a: f64, b: f64 },
}

#[differentiable(order = 2)]
fn shapes(r: f64, n: usize) -> Vec<Shape> {
    let mut out = Vec::new();
    for i in 0..n {
        out.push(if i % 2 == 0 { Shape::Disc(r * i as f64) } else { Shape::Box { a: r, b: r * r } });
    }
    out
}

#[differentiable(order = 2)]
fn area(r: f64, n: usize) -> f64 {
    let mut sum = 0.0;
    for shape in &shapes(r, n) {
        sum += match shape {
            Shape::Disc(r) => 3.0 * r * r,
            Shape::Box { a, b } => a * b,
        };
    }
    sum
}

#[derive(Differentiable, Clone, Debug)]
struct Layer {
    w: Tensor1<f64, 3>,
    b: f64,
}

#[differentiable(order = 2)]
fn layers(w: &Tensor1<f64, 3>, n: usize) -> Vec<Layer> {
    (0..n).map(|i| Layer { w: w * (i as f64 + 1.0), b: w.sum() }).collect()
}

#[differentiable(order = 2)]
fn deep(w: &Tensor1<f64, 3>, n: usize) -> f64 {
    let layers = layers(w, n);
    let mut x = *w;
    for layer in &layers {
        x = (&x * &layer.w + layer.b).tanh();
    }
    x.sum()
}

#[test]
fn vecs_of_structs_are_results() {
    for n in [0, 1, 3, 5] {
        check!(read(k, n) by k = 0.3);
        check!(divided(k, n) by k = 0.3);
        check!(in_loops_and_branches(k, n) by k = 0.3);
        check!(model(rate, x, n) by rate = 0.7, x = 1.3);
        check!(area(r, n) by r = 0.8);
        check!(deep(&w, n) by w = Tensor1::from([0.3, -0.2, 0.5]));
    }
    for n in [2, 4] {
        check!(one_of_several(k, n) by k = 0.3);
        check!(changed(k, n) by k = 0.3);
    }
    // The areas of discs are 3 r² i², those of boxes r³.
    let r = 0.8;
    assert!((area::grad(r, 4) - (2.0 * 3.0 * r * 4.0 + 2.0 * 3.0 * r * r)).abs() < 1e-12);
}

#[test]
fn they_have_tangents_and_cotangents() {
    let (k, n) = (0.3, 4);
    let (value, dot) = path::jvp(k, n, 1.0);
    assert_eq!(value, path(k, n));
    let (value, pullback) = path::vjp(k, n);
    assert_eq!(value, path(k, n));
    let square: f64 = dot.iter().map(|d| d.x * d.x + d.v[0] * d.v[0] + d.v[1] * d.v[1]).sum();
    assert!((pullback(&dot) - square).abs() < 1e-12);
    // x₁ = 1 + 0.5 (k - 0.1 k)
    let unit = |at: usize| {
        let mut seed = dot.iter().map(|_| StateTangent { x: 0.0, v: [0.0; 2], ..dot[0] }).collect::<Vec<_>>();
        seed[at].x = 1.0;
        seed
    };
    assert!((pullback(&unit(0)) - 0.45).abs() < 1e-15);
    let states = path(k, n);
    let directions = path::jvp(k, n, 1.0).1;
    let (_, dots) = halves::jvp(&states, &directions);
    let (_, pullback) = halves::vjp(&states);
    let product = |a: &[StateTangent], b: &[StateTangent]| -> f64 {
        a.iter().zip(b).map(|(a, b)| a.x * b.x + a.v[0] * b.v[0] + a.v[1] * b.v[1]).sum()
    };
    assert!((product(&pullback(&dots), &directions) - product(&dots, &dots)).abs() < 1e-12);
    let ((a, p, scaled), pullback) = several::vjp(k, n);
    assert_eq!((a, p.len(), scaled.len()), (k * k, n, n));
    let (_, dots) = several::jvp(k, n, 1.0);
    let square = dots.0 * dots.0 + product(&dots.1, &dots.1) + dots.2.iter().map(|d| d * d).sum::<f64>();
    assert!((pullback(&dots) - square).abs() < 1e-12);
}
