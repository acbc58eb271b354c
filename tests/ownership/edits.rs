//! Methods that edit `Vec`s and slices.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Part {
    t: f64,
    d: f64,
    kind: usize,
}
#[differentiable(order = 2)]
fn edits(x: f64, n: usize) -> f64 {
    let mut v = vec![x; 3];
    v[1] = x * 2.0;
    v.resize(5 + n, x * x);
    let w = v.clone();
    let r = v.remove(1);
    let p = v.pop().unwrap();
    v.insert(0, x.sin());
    v.insert(v.len(), x.cos());
    let q = v.swap_remove(1) * v[0] + v.remove(0);
    v.extend([x, 2.0 * x]);
    v.extend(w.iter());
    v.extend(w.iter().map(|y| y * x));
    v.extend(&w[1..]);
    v.extend((0..n).map(|k| k as f64 * x));
    let mut other = v.split_off(3);
    other.rotate_left(1);
    other.retain(|y| *y > 0.3);
    v.append(&mut other);
    v.rotate_right(2);
    v.dedup();
    let last = v.pop();
    let mut s = match last {
        Some(y) => y * y,
        None => 0.0,
    };
    if let Some(y) = v.pop() {
        s += y;
    }
    let mut d = 0.0;
    for y in v.drain(1..3) {
        d += y;
    }
    for (k, y) in v.iter().enumerate() {
        s += y * (k + 1) as f64;
    }
    for y in v.drain(..) {
        s += y * y;
    }
    s + r * p + q * d + v.len() as f64 + other.len() as f64
}
#[differentiable(order = 2)]
fn structs(x: f64, n: usize) -> f64 {
    let mut v = Vec::new();
    for i in 0..n + 4 {
        v.push(Part { t: (x * i as f64 * 2.0).sin(), d: x * i as f64, kind: i % 3 });
    }
    v.insert(2, Part { t: x, d: x * x, kind: 7 });
    let r = v.remove(0);
    v.sort_by(|a, b| a.t.partial_cmp(&b.t).unwrap());
    let mut s = 0.0;
    for (k, p) in v.iter().enumerate() {
        s += p.d * (k + 1) as f64 + p.kind as f64 * p.t * p.t;
    }
    v.sort_by(|Part { d: a, .. }, Part { d: b, .. }| b.total_cmp(a));
    v.sort_unstable_by(|a, b| b.d.total_cmp(&a.d));
    for (k, p) in v.iter().enumerate() {
        s += p.d * (k + 1) as f64;
    }
    v.sort_by_key(|p| p.kind);
    for (k, p) in v.iter().enumerate() {
        s += p.d * p.d * (k + 1) as f64;
    }
    v.resize(n + 6, r);
    v.rotate_left(2);
    s * r.d.cos() + v[3].t + v[n + 1].d + if let Some(p) = v.pop() { p.t } else { x }
}
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Pair {
    t: f64,
    d: f64,
}
#[derive(Differentiable, Clone, Debug)]
struct Ring {
    buf: [f64; 4],
    at: usize,
}
#[differentiable(order = 2)]
impl Ring {
    fn push(&mut self, x: f64) {
        self.buf[self.at % 4] = x;
        self.at += 1;
    }
    fn insert(&mut self, i: usize, x: f64) {
        self.buf[i] += x;
    }
    fn remove(&self, i: usize) -> f64 {
        self.buf[i] * 2.0
    }
    fn sort(&self) -> f64 {
        self.buf[0] - self.buf[3]
    }
}
#[differentiable(order = 2)]
fn of_objects(x: f64, n: usize) -> f64 {
    let mut r = Ring { buf: [x; 4], at: 0 };
    for i in 0..n + 2 {
        r.push(x * i as f64);
    }
    r.insert(1, x * x);
    r.remove(1) * r.sort() + r.remove(2)
}
#[differentiable(order = 2)]
fn sorted_in_place(v: &mut [f64], x: f64) -> f64 {
    v.sort_by(|a, b| b.partial_cmp(a).unwrap());
    v[0] *= x;
    v.rotate_left(1);
    v[0]
}
#[differentiable(order = 2)]
fn in_order(x: f64, n: usize) -> f64 {
    let mut v: Vec<f64> = (0..n + 8).map(|i| (x + i as f64 * 1.7).sin()).collect();
    let a = v.remove(0) * 10.0 + v.remove(1) * v[0];
    let b = v[0] - v.remove(0) * v[0];
    let c = [v.pop().unwrap(), v.remove(0), v[0]];
    let g = sorted_in_place(&mut v, x);
    let mut arr = [x, x * x, 0.3, x.cos()];
    arr.sort_by(f64::total_cmp);
    arr.rotate_right(1);
    let mut ps = [Pair { t: x, d: 1.0 }, Pair { t: 0.2, d: x }, Pair { t: x * x, d: 3.0 }];
    ps.rotate_left(1);
    ps.sort_by(|p, q| p.t.total_cmp(&q.t));
    let mut s = a * b + c[0] * c[1] * c[2] + g * v[1];
    for i in 0..n {
        if i % 2 == 0 {
            v.insert(0, s);
        } else if v.len() > 3 {
            s += v.remove(1);
        }
        v.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        s = s * 0.5 + v[0];
        v.resize(3, x);
    }
    let mut h = 12u32;
    h = h.rotate_left(3) ^ h.rotate_right(1);
    s + arr[0] * arr[1] * arr[2].sin()
        + ps[0].d * ps[1].d
        + ps[2].t * ps[2].d
        + h as f64 * x
        + v.iter().enumerate().map(|(i, y)| y * i as f64).sum::<f64>()
}
#[derive(Differentiable, Clone, Debug)]
struct Book {
    bids: Vec<f64>,
    ps: Vec<Pair>,
}
#[differentiable(order = 2)]
fn of_fields(x: f64, n: usize) -> f64 {
    let mut b = Book { bids: vec![], ps: vec![] };
    for i in 0..n + 3 {
        b.bids.insert(0, x * (i as f64).cos());
        b.ps.push(Pair { t: (i as f64 * x).cos(), d: x });
        if i > 2 {
            b.ps.remove(0);
        }
    }
    b.bids.sort_by(|a, b| a.total_cmp(b));
    b.ps.sort_by(|a, b| b.t.total_cmp(&a.t));
    let mut keys: Vec<usize> = (0..n + 3).rev().collect();
    keys.sort();
    keys.retain(|k| *k != 1);
    b.bids.retain(|y| *y > -x * 0.5);
    let mut other = vec![x; 2];
    b.bids.append(&mut other);
    let mut s = 0.0;
    for (k, y) in b.bids.iter().enumerate() {
        s += y * y * k as f64;
    }
    for (k, p) in b.ps.iter().enumerate() {
        s += p.t * p.d * (k + keys[k % keys.len()]) as f64;
    }
    s + other.len() as f64
}
#[differentiable(order = 2)]
fn generic<T: Real>(x: T, n: usize) -> T {
    let mut v = vec![x; n + 2];
    for i in 0..n {
        v[i] = (x * T::from_usize(i)).sin();
    }
    v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    v.dedup();
    let r = v.remove(0);
    let mut s = r;
    for k in 0..v.len() {
        s += v[k] * T::from_usize(k);
    }
    s
}
#[differentiable(order = 2)]
fn of_generic(x: f64, n: usize) -> f64 {
    generic(x, n)
}
#[differentiable(order = 2)]
fn of_rows(x: f64, n: usize) -> f64 {
    let mut q = vec![vec![x * x; 2]; 3];
    q.push(vec![x; 2]);
    let last = q.pop().unwrap();
    let mut s = last[0] + n as f64;
    for r in &q {
        s = s * 0.7 + r[0] * r[1];
    }
    s
}

#[differentiable(order = 2)]
fn drained(x: f64, n: usize) -> f64 {
    let mut v: Vec<f64> = (0..n + 5).map(|k| x * k as f64).collect();
    let a: f64 = v.drain(1..3).sum();
    let w: Vec<f64> = v.drain(..=1).map(|y| y * y).collect();
    let mut ps: Vec<Pair> = v.iter().map(|y| Pair { t: *y, d: x }).collect();
    let first: Vec<Pair> = ps.drain(..1).collect();
    for p in ps.drain(..) {
        v.push(p.t * p.d);
    }
    let b = v.drain(1..).fold(x, |a, y| a * 0.9 + y);
    a * b + w[1] + first[0].t * first[0].d + v[0] + ps.len() as f64 + v.len() as f64 + w.iter().sum::<f64>()
}

#[differentiable]
fn weighted(a: &[f64]) -> f64 {
    let mut v = a.to_vec();
    v.sort_by(|x, y| x.partial_cmp(y).unwrap());
    v[0] * 3.0 + v[1] * 2.0 + v[2]
}

#[differentiable]
fn beyond(x: f64, which: usize) -> f64 {
    let mut v = vec![x; 3];
    match which {
        0 => v.insert(4, x),
        1 => v[0] = v.remove(3),
        2 => v.rotate_left(4),
        3 => {
            v[1] = (0.0 * x).ln() * 0.0;
            v.sort_by(|a, b| a.partial_cmp(b).unwrap());
        }
        _ => v.truncate(2),
    }
    v.iter().sum()
}

#[test]
fn vecs_are_edited() {
    for n in [0, 1, 3] {
        check!(edits(x, n) by x = 0.37);
        check!(drained(x, n) by x = 0.37);
        check!(structs(x, n) by x = 0.37);
        check!(in_order(x, n) by x = 0.37);
        check!(of_fields(x, n) by x = 0.37);
        check!(of_generic(x, n) by x = 0.37);
        check!(of_rows(x, n) by x = 0.37);
        check!(of_objects(x, n) by x = 0.37);
    }
}

#[test]
fn cotangents_go_back_by_the_permutation() {
    assert_eq!(weighted::grad(&[3.0, 1.0, 2.0]), [1.0, 3.0, 2.0]);
    assert_eq!(weighted::jvp(&[3.0, 1.0, 2.0], &[1.0, 10.0, 100.0]), (10.0, 231.0));
}

#[test]
fn what_is_not_there_is_a_panic() {
    for which in 0..4 {
        assert!(std::panic::catch_unwind(|| beyond(0.5, which)).is_err());
        assert!(std::panic::catch_unwind(|| beyond::grad(0.5, which)).is_err(), "{which}");
        assert!(std::panic::catch_unwind(|| beyond::jvp(0.5, which, 1.0)).is_err(), "{which}");
        assert!(std::panic::catch_unwind(|| beyond::vjp(0.5, which).0).is_err(), "{which}");
    }
    assert_eq!(beyond::grad(0.5, 4), 2.0);
}
