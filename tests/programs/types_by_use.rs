//! Variables of which neither the `let` nor the value says of what type they are.

use crate::harness::check;
use autodiff::prelude::*;
use std::ops::{Add, AddAssign, Mul};

#[derive(Differentiable, Clone, Copy, Debug, Default, PartialEq)]
struct P {
    x: f64,
    v: [f64; 2],
}

impl P {
    fn at(x: f64) -> P {
        P { x, v: [1.0, -1.0] }
    }
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct W(f64, f64);

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Row([f64; 2]);

#[differentiable(order = 2)]
impl Add for P {
    type Output = P;
    fn add(self, other: P) -> P {
        P { x: self.x + other.x, v: [self.v[0] + other.v[0], self.v[1] * other.v[1]] }
    }
}

#[differentiable(order = 2)]
impl AddAssign for P {
    fn add_assign(&mut self, other: P) {
        *self = *self + other;
    }
}

#[differentiable(order = 2)]
impl Mul<f64> for P {
    type Output = P;
    fn mul(self, k: f64) -> P {
        P { x: self.x * k, v: [self.v[0] * k, self.v[1] - k] }
    }
}

#[differentiable(order = 2)]
fn pushed(x: f64, w: f64, n: usize) -> f64 {
    let mut ps = Vec::new();
    let mut pairs = vec![];
    let mut rows = Vec::with_capacity(n);
    for k in 0..n {
        let f = k as f64 + 1.0;
        ps.push(P { x: x * f, v: [w / f, x] });
        pairs.push((w * f, k));
        rows.push([x, w * f]);
    }
    let mut sum = 0.0;
    for (p, (a, k)) in ps.iter().zip(&pairs) {
        sum += p.x * p.v[0] * a - p.v[1] * rows[*k][1];
    }
    sum
}

#[test]
fn what_is_pushed_tells_what_a_vec_is_of() {
    for n in [0, 1, 4] {
        check!(pushed(x, w, n) by x = 0.7, w = 1.3);
    }
}

#[differentiable(order = 2)]
fn collected(x: f64, n: usize) -> f64 {
    let mut ps: Vec<P> = (0..n).map(|k| P { x: x * k as f64, v: [x, 1.0] }).collect();
    while ps.len() > 1 {
        ps = ps.windows(2).map(|w| w[0] * 0.5 + w[1]).collect();
    }
    ps[0].x * ps[0].v[1] + ps[0].v[0]
}

#[test]
fn what_is_collected_tells_what_a_vec_is_of() {
    for n in [1, 4] {
        check!(collected(x, n) by x = 0.7);
    }
}

#[differentiable(order = 2)]
fn summed(x: f64, w: f64, n: usize) -> f64 {
    let mut sum = P::default();
    let mut other = P::at(0.25);
    for k in 0..n {
        sum += P { x: x * w, v: [w, x] } * (k as f64);
        other = other + P { x: w, v: [x, 1.0] };
    }
    sum.x * sum.v[0] + other.x * other.v[1] + sum.v[1]
}

#[test]
fn what_is_added_tells_what_a_variable_is() {
    for n in [0, 1, 3] {
        check!(summed(x, w, n) by x = 0.7, w = 1.3);
    }
}

#[differentiable(order = 2)]
fn assigned(x: f64) -> f64 {
    let mut p = P::default();
    if x > 0.5 {
        p = P { x, v: [x * x, 1.0] };
    }
    p.x * p.x + p.v[0]
}

#[test]
fn what_is_assigned_tells_what_a_variable_is() {
    check!(assigned(x) by x = 0.7);
    check!(assigned(x) by x = 0.3);
}

#[differentiable(order = 2)]
fn made_of_constants(x: f64) -> f64 {
    let row = Row([0.5, 2.0]);
    let p: P = P::at(2.0);
    let w = (W(0.5, 0.25), x);
    row.0[0] * x * x + row.0[1] * p.x * x + w.0.1 * p.v[1] * x
}

#[test]
fn structs_of_constants() {
    check!(made_of_constants(x) by x = 0.7);
    assert_eq!(made_of_constants::grad(2.0), 2.0 + 4.0 - 0.25);
}

/// By how much a number is shifted says nothing about its type.
#[differentiable(order = 2)]
fn shifted(x: f64, #[no_diff] p: u8, #[no_diff] q: i8) -> f64 {
    let m = 1 << p;
    let mut flags = 0u64;
    for i in 0..3u8 {
        flags |= 1 << (p + i);
        flags = (1 << i) ^ flags;
    }
    let bit = 1 << (p % 4);
    let low = flags & bit != 0;
    let mut n = -2 << q;
    n += if low { 1 << q } else { 7 };
    x * x * (m + 1000) as f64 + (1 << q) as f64 * x + n as f64 * flags as f64
}

#[test]
fn shifted_literals_have_types_of_their_own() {
    for (p, q) in [(9, 7), (3, 0), (20, 15)] {
        check!(shifted(x, p, q) by x = 0.7);
    }
    // The eight bits of `p` and of `q` are not enough.
    assert_eq!(shifted::grad(1.0, 9, 7), 2.0 * 1512.0 + 128.0);
}

/// An integer in an `Option` may become negative.
#[differentiable(order = 2)]
fn counted_down(x: f64, #[no_diff] v: &[f64; 3]) -> f64 {
    let mut below = Some(0);
    let mut above = None;
    let mut index = Some(0);
    let mut y = x;
    for i in 0..4 {
        if let Some(k) = below {
            y += k as f64 * x * x;
            below = if k < -1 { None } else { Some(k - 1) };
        }
        match above {
            Some(k) => {
                y *= 1.0 + 0.1 * k as f64;
                above = Some(k - 3);
            }
            None => above = Some(1),
        }
        if let Some(k) = index {
            y += v[k] * x;
            index = if k > 1 { None } else { Some(k + 1) };
        }
        y *= 1.0 + i as f64;
    }
    y
}

#[test]
fn integers_in_options() {
    check!(counted_down(x, &[0.5, -1.0, 2.0]) by x = 0.7);
}

/// Below zero, and of no type that a use tells.
#[differentiable(order = 2)]
fn integers_in_lists(x: f64) -> f64 {
    let mut open = vec![(3, x)];
    let mut rounds = [(3, x); 2];
    let (mut y, mut n) = (x, 0);
    while let Some((k, v)) = open.pop() {
        n += 1;
        y += v * k as f64;
        if n < 4 {
            open.push((k - 2, v * x));
        }
    }
    for i in 0..4 {
        let (k, v) = rounds[i % 2];
        rounds[i % 2] = (k - 2, v * x);
    }
    let mut last = (1, x);
    for _ in 0..3 {
        last = (last.0 - 1, last.1 * x);
    }
    y + rounds[0].1 * rounds[0].0 as f64 + last.1 * last.0 as f64
}

/// The largest element, with its number.
#[differentiable(order = 2)]
fn integers_in_tuples(a: [f64; 3], n: usize) -> f64 {
    let mut best = (0, a[0]);
    for (k, v) in a.iter().enumerate() {
        if *v > best.1 {
            best = (k, *v);
        }
    }
    let (k, y) = a.iter().enumerate().fold((0, a[0]), |best, (k, v)| if *v < best.1 { (k, *v) } else { best });
    let mut at = (0, best.1);
    while at.1 < 20.0 {
        at.1 *= a[at.0] + 1.0;
        at.0 = (at.0 + 1) % n;
    }
    at.1 * a[best.0] + y * a[k] * k as f64
}

/// A literal is of the type that stands in the same place of the tuple beside it.
#[differentiable(order = 2)]
fn integers_beside_others(x: f64) -> f64 {
    let weights = [2.0, x, 5.0];
    let listed = vec![(1_usize, x), (2, x * x), (0, 3.0)];
    let mut state = (3, x, 1);
    for _ in 0..6 {
        state.0 = state.0 - state.2;
        state.1 = state.1 * x + state.0 as f64;
    }
    listed.iter().map(|&(k, y)| weights[k] * y).sum::<f64>() + state.1 * (state.0 + state.2) as f64
}

#[test]
fn integers_of_tuples() {
    check!(integers_beside_others(x) by x = 1.3);
    check!(integers_in_lists(x) by x = 1.3);
    check!(integers_in_tuples(a, 3) by a = [0.5, 2.0, 0.25]);
    assert_eq!(integers_in_lists::value_and_grad(1.0).0, 1.0 + 3.0 + 1.0 - 1.0 - 3.0 - 1.0 - 2.0);
}
