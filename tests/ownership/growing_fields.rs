//! `Vec`s in fields of structs that get longer and shorter, and fields of results that carry no derivative.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug)]
struct Pillar {
    t: f64,
    d: f64,
}

#[derive(Differentiable, Clone, Debug)]
struct Curve {
    k: f64,
    pillars: Vec<Pillar>,
    xs: Vec<f64>,
}

#[differentiable(order = 2)]
impl Curve {
    fn at(&self, t: f64) -> f64 {
        let mut sum = 0.0;
        for p in &self.pillars {
            if p.t < t {
                sum += p.d * self.k * p.t;
            }
        }
        for x in &self.xs {
            sum += x * t;
        }
        sum
    }
}

#[differentiable(order = 2)]
fn built(x: f64, n: usize) -> Curve {
    let mut c = Curve { k: x, pillars: Vec::with_capacity(n), xs: vec![] };
    for i in 0..n {
        let v = c.at(i as f64);
        c.pillars.push(Pillar { t: i as f64 * 0.5, d: x * (1.0 + v).sin() });
        if i % 2 == 0 {
            c.xs.push(v * x);
            c.pillars[0].d *= x;
        }
        if i == 3 {
            c.xs.truncate(1);
        }
    }
    c
}

#[differentiable(order = 2)]
fn read(x: f64, n: usize) -> f64 {
    let c = built(x, n);
    c.at(1.2) + c.xs.len() as f64 * x
}

#[differentiable(order = 2)]
fn replaced(x: f64, n: usize) -> f64 {
    let mut c = built(x, n);
    c.xs.push(x);
    c.pillars.push(Pillar { t: x, d: x * x });
    if n > 2 {
        c = built(x * 0.5, 2);
        c.pillars.clear();
    }
    c.pillars.push(Pillar { t: 0.3, d: x });
    c.at(1.2) + c.xs.iter().sum::<f64>()
}

#[differentiable(order = 2)]
fn of_parameters(mut c: Curve, mut v: Vec<f64>, x: f64) -> f64 {
    v.push(x);
    c.xs.push(x * v[0]);
    c.pillars.truncate(1);
    for k in &v {
        c.xs.push(k * k);
    }
    c.at(1.1) + v.len() as f64 * x
}

#[differentiable(order = 2)]
fn given(x: f64, n: usize) -> f64 {
    of_parameters(built(x, n), vec![x; n], x * x)
}

#[derive(Differentiable, Clone, Debug)]
struct Outer {
    c: Curve,
    w: (f64, Vec<f64>),
}

#[differentiable(order = 2)]
fn nested(x: f64, n: usize) -> f64 {
    let mut o = Outer { c: built(x, n), w: (x, vec![]) };
    o.c.xs.push(x);
    o.w.1.push(x * x);
    for i in 0..n {
        o.c.pillars.push(Pillar { t: x, d: x });
        o.w.1.push(x * i as f64);
    }
    while o.w.1.len() > 2 {
        o.w.0 += o.w.1[1];
        o.w.1.truncate(o.w.1.len() - 1);
    }
    o.c.at(1.1) * o.w.0 + o.w.1[0]
}

#[derive(Differentiable, Clone, Debug)]
struct Sample {
    #[no_diff]
    t: f64,
    #[no_diff]
    grid: Vec<f64>,
    y: f64,
    all: Vec<Reading>,
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Reading {
    #[no_diff]
    at: f64,
    value: f64,
}

#[differentiable(order = 2)]
fn sampled(x: f64, #[no_diff] t: f64, n: usize) -> Sample {
    let mut sample = Sample { t: t * 2.0, grid: vec![t; n], y: x * x * t, all: Vec::new() };
    for i in 0..n {
        sample.all.push(Reading { at: t * i as f64, value: sample.y * x });
    }
    sample
}

#[differentiable(order = 2)]
fn of_samples(x: f64, n: usize) -> f64 {
    let s = sampled(x, 3.0, n);
    let mut sum = s.y * s.t;
    for (reading, g) in s.all.iter().zip(&s.grid) {
        sum += reading.value * reading.at * g;
    }
    sum
}

#[test]
fn fields_get_longer_and_shorter() {
    for n in [0, 1, 2, 5] {
        check!(read(x, n) by x = 0.3);
        check!(given(x, n) by x = 0.3);
        check!(nested(x, n) by x = 0.3);
        check!(replaced(x, n) by x = 0.2);
    }
}

#[test]
fn fields_of_results_carry_no_derivative() {
    for n in [0, 3] {
        check!(of_samples(x, n) by x = 1.3);
    }
    // 18 x²
    assert_eq!(of_samples::grad(2.0, 0), 72.0);
    let (value, dot) = sampled::jvp(2.0, 3.0, 2, 1.0);
    assert_eq!((value.t, value.grid.len(), value.all[1].at), (6.0, 2, 3.0));
    assert_eq!((dot.y, dot.all[0].value), (12.0, 36.0));
    let (_, pullback) = sampled::vjp(2.0, 3.0, 2);
    assert_eq!(pullback(&dot), 12.0 * 12.0 + 2.0 * 36.0 * 36.0);
}
