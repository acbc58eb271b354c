//! Values that are taken out of their places, and queues.

use crate::harness::check;
use autodiff::prelude::*;
use std::collections::VecDeque;
use std::mem;

#[derive(Differentiable, Clone, Copy, Debug, Default, PartialEq)]
struct Part {
    t: f64,
    d: f64,
}
#[derive(Differentiable, Clone, Debug, Default)]
struct Store {
    xs: Vec<f64>,
    ps: Vec<Part>,
    k: f64,
    n: usize,
}
#[differentiable(order = 2)]
fn vecs(x: f64, n: usize) -> f64 {
    let mut v = vec![x, x * x];
    let w = mem::take(&mut v);
    v.push(x);
    let mut y = x;
    let z = mem::replace(&mut y, 2.0);
    mem::swap(&mut y, &mut v[0]);
    let mut old = mem::replace(&mut v, vec![x.sin(); n]);
    mem::swap(&mut old, &mut v);
    let mut t = (x, 3usize, [x, 1.0]);
    let u = mem::take(&mut t);
    let mut s = w[0] * w[1] + z * y + v[0] + old.iter().sum::<f64>() + t.0 + u.0 * u.2[0] + t.2[1];
    let mut next = Vec::new();
    for i in 0..n {
        next.push(s * i as f64);
        v = mem::take(&mut next);
        s += v[0] * 0.1;
        if i % 2 == 0 {
            next.push(s);
        }
    }
    let mut o = if n > 1 { Some(x * x) } else { None };
    let p = mem::take(&mut o);
    s + p.unwrap_or(x) + o.unwrap_or(x * 2.0)
}
#[differentiable(order = 2)]
fn structs(x: f64, n: usize) -> f64 {
    let mut s = Store { xs: vec![x; n], ps: vec![Part { t: x, d: 2.0 }], k: x, n };
    let a = mem::take(&mut s.xs);
    for y in &a {
        s.xs.push(y * y);
        s.xs.push(x);
    }
    let mut b = vec![Part { t: x * x, d: 1.0 }; 3];
    mem::swap(&mut s.ps, &mut b);
    let c = mem::replace(&mut s.ps[1], Part { t: 1.0, d: x.sin() });
    let k = mem::take(&mut s.k);
    let mut sum = k * c.t + b[0].t * b[0].d + s.k + s.ps[1].d + s.ps[2].t;
    for y in &s.xs {
        sum = sum * 0.9 + y;
    }
    sum + mem::take(&mut s.n) as f64 * x + s.n as f64
}

#[derive(Differentiable, Clone, Debug)]
struct Start {
    a: f64,
    b: f64,
}
impl Default for Start {
    fn default() -> Start {
        Start { a: 1.5, b: 2.0 }
    }
}
#[differentiable(order = 2)]
fn objects(x: f64, n: usize) -> f64 {
    let mut p = Part { t: x, d: x * x };
    let old = mem::take(&mut p);
    p.t += x * n as f64;
    let mut q = Start { a: x, b: x * 3.0 };
    let r = mem::take(&mut q);
    q.a *= x;
    old.t * old.d + p.t * 2.0 + p.d + q.a * q.b + r.a * r.b
}

#[differentiable(order = 2)]
fn queues(x: f64, n: usize) -> f64 {
    let mut q = VecDeque::new();
    q.push_back(x);
    q.push_back(x * x);
    q.push_front(x.sin());
    let mut s = q.pop_front().unwrap() * q.pop_front().unwrap();
    for i in 0..n {
        q.push_back(s * i as f64);
        if q.len() > 3 {
            s += q.pop_front().unwrap() * 0.3;
        }
    }
    while let Some(y) = q.pop_front() {
        s = s * 0.5 + y;
    }
    let mut w: VecDeque<f64> = VecDeque::from(vec![x]);
    for i in 1..4 {
        w.push_back(x * i as f64);
    }
    let last = w.pop_back().unwrap_or(0.0);
    w[1] *= x;
    s + last * w.iter().sum::<f64>() + w.front().unwrap() * w.back().unwrap() + w.len() as f64 * x
}

/// A generation from the one before, which grows as well.
#[differentiable(order = 2)]
fn generations(x: f64, n: usize) -> f64 {
    let mut current = vec![x, x * x];
    for k in 0..n {
        let mut old = mem::take(&mut current);
        old.push(x.sin());
        for i in 1..old.len() {
            current.push(0.5 * old[i] * old[i - 1]);
        }
        if k == 1 {
            current.push(old[0]);
        }
    }
    current.iter().sum()
}

#[differentiable(order = 2)]
fn generations_of_parts(x: f64, n: usize) -> f64 {
    let mut current = vec![Part { t: x, d: 1.0 }];
    for _ in 0..n {
        let mut old = mem::take(&mut current);
        old.push(Part { t: x * x, d: 0.5 });
        for part in &old {
            current.push(Part { t: part.t * part.d, d: part.d + x });
        }
    }
    current.iter().map(|part| part.t * part.d).sum()
}

#[test]
fn values_are_taken_out() {
    for n in [0, 1, 3] {
        check!(vecs(x, n) by x = 0.37);
        check!(structs(x, n) by x = 0.37);
        check!(objects(x, n) by x = 0.4);
        check!(generations(x, n) by x = 0.37);
        check!(generations_of_parts(x, n) by x = 0.37);
    }
    // x³ + 2 n x + 3 + 3 x² + …, of which the default of `Start` gives 3 x.
    let x = 0.4;
    assert!((objects::grad(x, 2) - (3.0 * x * x + 4.0 + 3.0 + 6.0 * x)).abs() < 1e-12);
}

#[test]
fn queues_are_vecs() {
    for n in [0, 2, 5] {
        check!(queues(x, n) by x = 0.4);
    }
}
