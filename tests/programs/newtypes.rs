//! Comparisons of structs and tuples by their own order; functions that are in data.

use crate::harness::check;
use autodiff::prelude::*;
use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Metres(f64);

impl Metres {
    const MOST: Metres = Metres(10.0);
}

#[derive(Differentiable, Clone, Debug, PartialEq, PartialOrd)]
struct Part {
    weights: Box<[f64; 2]>,
    count: usize,
    length: Metres,
    #[no_diff]
    name: String,
}

/// Greater is less.
#[derive(Differentiable, Clone, Copy, Debug)]
struct Reversed {
    x: f64,
    y: f64,
}

impl PartialEq for Reversed {
    fn eq(&self, other: &Reversed) -> bool {
        self.y == other.y
    }
}

impl PartialOrd for Reversed {
    fn partial_cmp(&self, other: &Reversed) -> Option<Ordering> {
        other.y.partial_cmp(&self.y)
    }
}

#[differentiable(order = 2)]
fn compared(x: f64) -> f64 {
    let (m, n) = (Metres(x * x), Metres(x + 1.0));
    let k = if m > n {
        m.0
    } else if m <= Metres(0.5) {
        n.0 * 2.0
    } else {
        m.0 * n.0
    };
    if m < Metres::MOST { k } else { -k }
}

#[differentiable(order = 2)]
fn parts(p: &Part, q: &Part) -> f64 {
    if p < q {
        p.weights[0] * q.length.0
    } else if p == q {
        p.weights[1] * p.length.0
    } else {
        q.weights[0] * 3.0
    }
}

#[differentiable(order = 2)]
fn extremes(x: f64) -> f64 {
    let list = vec![Metres(x), Metres(x * x), Metres(0.5)];
    let most = list.iter().copied().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let least = list.iter().fold(Metres::MOST, |a, b| if *b < a { *b } else { a });
    most.0 * most.0 + least.0 * x
}

#[differentiable(order = 2)]
fn reversed(x: f64) -> f64 {
    let (a, b) = (Reversed { x, y: x }, Reversed { x: 2.0 * x, y: 1.0 });
    let k = match a.partial_cmp(&b) {
        Some(Ordering::Less) => a.x * a.x,
        Some(_) => b.x,
        None => 0.0,
    };
    let k = if a >= b { k } else { k * x };
    if (a.x, 1.0) < (b.y, 0.0) { k } else { k * 3.0 }
}

#[test]
fn orders() {
    for at in [0.3, 0.9, 1.9, 4.0] {
        check!(compared(x) by x = at);
        check!(extremes(x) by x = at);
        check!(reversed(x) by x = at);
    }
    let p = Part { weights: Box::new([1.0, 2.0]), count: 0, length: Metres(3.0), name: "a".into() };
    let (q, r) = (Part { weights: Box::new([2.0, 2.0]), ..p.clone() }, Part { name: "b".into(), ..p.clone() });
    check!(parts(&p, &q) by p, q);
    check!(parts(&q, &p) by q, p);
    let same = p.clone();
    assert_eq!(parts::grad(&p, &same).0.weights, [0.0, 3.0]);
    assert_eq!(parts::grad(&p, &r).0.weights, [3.0, 0.0]);
    assert_eq!(parts::vjp(&p, &same).1(2.0).0.length.0, 4.0);
}

#[derive(Differentiable)]
struct Model {
    gain: f64,
    #[no_diff]
    shape: fn(f64) -> f64,
    #[no_diff]
    weight: Box<dyn Fn(f64, usize) -> f64>,
    #[no_diff]
    shared: Rc<dyn Fn(f64) -> f64>,
    #[no_diff]
    list: Vec<fn(f64) -> f64>,
}

#[differentiable(order = 2)]
fn run(m: &Model, x: f64, #[no_diff] t: f64, n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += (m.weight)(t, i) * x * m.gain;
        if (m.shape)(t) > 1.0 {
            sum += x * x;
        }
    }
    sum + (m.shared)(0.5) * x + (m.list[1])(t) * x * x * x + m.list[0](2.0) * x
}

struct Source {
    next: fn(&Cell<f64>) -> f64,
}

#[differentiable]
fn drawn(x: f64, #[no_diff] state: &Cell<f64>, #[no_diff] source: &Source) -> f64 {
    let a = (source.next)(state) * x;
    let b = (source.next)(state) * x * x + (source.next)(state);
    a + b * (source.next)(state)
}

fn next(state: &Cell<f64>) -> f64 {
    state.set(state.get() + 1.0);
    state.get()
}

#[test]
fn functions_in_data() {
    let m = Model {
        gain: 2.0,
        shape: |x| x * 2.0,
        weight: Box::new(|x, i| x + i as f64),
        shared: Rc::new(|x| x * 4.0),
        list: vec![|x| x, |x| x * 3.0],
    };
    let (by_m, by_x) = run::grad(&m, 1.5, 0.75, 3);
    assert_eq!((by_m.gain, by_x), (5.25 * 1.5, 5.25 * 2.0 + 3.0 * 3.0 + 2.0 + 2.25 * 6.75 + 2.0));
    assert_eq!(run::vjp(&m, 1.5, 0.75, 3).1(1.0).1, by_x);
    assert_eq!(run::jvp(&m, 1.5, 0.75, 3, &m.zero_tangent(), 1.0).1, by_x);

    let (state, source) = (Cell::new(0.0), Source { next });
    let (_, pullback) = drawn::vjp(1.5, &state, &source);
    assert_eq!((pullback(1.0), state.get()), (1.0 + 2.0 * 2.0 * 1.5 * 4.0, 4.0));
}
