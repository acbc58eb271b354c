//! Functions that give integers and truth values: they have no derivative, and may be called by those that have one.

use crate::harness::check;
use autodiff::prelude::*;
use std::collections::HashMap;

#[differentiable(order = 2)]
fn squared_distance(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

#[differentiable(order = 2)]
fn nearest(p: &[f64; 2], #[no_diff] points: &[[f64; 2]], #[no_diff] most: f64) -> Option<usize> {
    let mut best = None;
    let mut least = most * most;
    for (i, point) in points.iter().enumerate() {
        let d = squared_distance(p, point);
        if d < least {
            least = d;
            best = Some(i);
        }
    }
    best
}

#[differentiable(order = 2)]
fn span(knots: &[f64], u: f64) -> usize {
    let mut k = 0;
    while k + 1 < knots.len() && knots[k + 1] <= u {
        k += 1;
    }
    k
}

#[differentiable(order = 2)]
fn is_inside(u: f64) -> bool {
    u > 0.0 && u < 1.0
}

#[differentiable(order = 2)]
fn ends(u: f64) -> [usize; 2] {
    if u > 0.5 { [0, 1] } else { [1, 0] }
}

#[differentiable(order = 2)]
fn sign_and_place(u: f64) -> Result<(bool, usize), String> {
    if u.is_nan() {
        return Err(format!("{u} is no number"));
    }
    Ok((u < 0.0, if u.abs() > 1.0 { 1 } else { 0 }))
}

#[differentiable(order = 2)]
fn in_loops_and_branches(x: &[f64], #[no_diff] points: &[[f64; 2]], knots: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..4 {
        let q = [x[0] * 2.0, x[1] + k as f64];
        let Some(i) = nearest(&q, points, 3.0) else { continue };
        sum += squared_distance(&q, &points[i]) * (i as f64 + 1.0);
        if is_inside(x[1]) {
            sum += knots[span(knots, x[0])] * x[0] * x[0];
        }
        let [a, b] = ends(x[0]);
        sum += x[a] * x[a] * x[b];
        if let Ok((negative, place)) = sign_and_place(sum) {
            sum += if negative { x[place] } else { x[place].sin() };
        }
    }
    sum
}

#[test]
fn calls_in_loops_and_branches() {
    let points = [[1.0, 1.0], [2.0, 4.0], [0.5, 2.0]];
    let x = vec![0.7, 0.4];
    let knots = vec![0.1, 0.6, 0.9];
    check!(in_loops_and_branches(&x, &points, &knots) by [x, knots]);
}

#[differentiable(order = 2)]
fn depth(x: f64, #[no_diff] most: usize) -> usize {
    if most == 0 || x > 2.0 { most } else { depth(x * 2.0, most - 1) }
}

#[differentiable(order = 2)]
fn by_recursion(x: f64, y: f64) -> f64 {
    [x, y, x * y][depth(x, 2)] * x
}

#[test]
fn recursion() {
    check!(by_recursion(x, y) by x = 0.3, y = 0.8);
    check!(by_recursion(x, y) by x = 1.3, y = 0.8);
    check!(by_recursion(x, y) by x = 2.3, y = 0.8);
}

/// Where a number is on a grid: what is cut off carries no derivative anyway.
#[differentiable(order = 2)]
fn cell(x: f64, width: f64) -> usize {
    (x / width).floor().max(0.0) as usize
}

#[differentiable(order = 2)]
fn interpolated(x: f64, y: &[f64]) -> f64 {
    let k = cell(x, 0.5).min(y.len() - 2);
    let t = x / 0.5 - k as f64;
    y[k] * (1.0 - t) + y[k + 1] * t * t
}

#[differentiable(order = 2)]
fn at_several(x: &[f64], y: &[f64]) -> f64 {
    x.iter().map(|x| interpolated(*x, y)).sum()
}

#[test]
fn casts() {
    let (x, y) = (vec![0.1, 0.7, 1.2, 5.0], vec![1.0, 3.0, 2.0, 0.5]);
    check!(at_several(&x, &y) by [x, y]);
}

#[derive(Differentiable, Clone, Debug)]
struct Table {
    x: Vec<f64>,
    y: Vec<f64>,
}

#[differentiable(order = 2)]
impl Table {
    fn index(&self, u: f64) -> usize {
        let mut k = 0;
        for (i, x) in self.x.iter().enumerate() {
            if *x <= u {
                k = i;
            }
        }
        k
    }

    fn has(&self, u: f64) -> bool {
        u > self.x[0]
    }

    fn at(&self, u: f64) -> f64 {
        if self.has(u) { self.y[self.index(u)] * u * self.x[0] } else { u }
    }

    /// What is no function of ours does not stand in the way of the others.
    #[allow(dead_code)]
    fn count(&self, u: f64) -> usize {
        let mut names = HashMap::new();
        for (x, y) in self.x.iter().zip(&self.y) {
            names.insert(format!("{x}"), y * u);
        }
        names.len()
    }
}

#[differentiable(order = 2)]
fn in_a_table(x: &[f64], y: &[f64], u: &[f64]) -> f64 {
    let table = Table { x: x.to_vec(), y: y.to_vec() };
    let mut sum = 0.0;
    for k in 0..3 {
        sum += table.at(u[0] * k as f64);
    }
    sum
}

#[test]
fn methods() {
    let (x, y, u) = (vec![0.1, 1.0, 2.0], vec![1.0, 3.0, 2.0], vec![0.7]);
    check!(in_a_table(&x, &y, &u) by [x, y, u]);
    assert_eq!(Table { x: x.clone(), y }.count(2.0), 3);
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Body {
    p: f64,
    v: f64,
}

#[differentiable(order = 2)]
impl Body {
    fn step(&mut self, u: f64) -> bool {
        self.v += u * 0.1;
        self.p += self.v * 0.1 * self.p;
        self.p > 2.0
    }

    fn twice(&mut self, u: f64) -> usize {
        let mut n = 0;
        for _ in 0..2 {
            if !self.step(u) {
                n += 1;
            }
        }
        n
    }

    fn checked(&mut self, u: f64) -> Result<(), &'static str> {
        if self.step(u) {
            return Err("too far");
        }
        Ok(())
    }
}

#[differentiable(order = 2)]
fn doubled_below(x: &mut [f64; 2], limit: f64) -> usize {
    let mut n = 0;
    for v in x.iter_mut() {
        if *v < limit {
            *v *= *v + 1.0;
            n += 1;
        }
    }
    n
}

#[differentiable(order = 2)]
fn beside_borrows(u: f64, p: f64) -> f64 {
    let mut body = Body { p, v: 1.0 };
    let mut v = [u, 3.0];
    let mut n = 0;
    for _ in 0..20 {
        if body.step(u) || body.twice(u * u) == 1 {
            break;
        }
        n += doubled_below(&mut v, u * 3.0);
    }
    if body.checked(u).is_err() {
        n += 1;
    }
    body.p * v[0] * n as f64 + body.v * v[1]
}

#[test]
fn mutable_borrows() {
    check!(beside_borrows(u, p) by u = 0.5, p = 0.8);
    check!(beside_borrows(u, p) by u = 0.9, p = 1.8);
    check!(beside_borrows(u, p) by u = 0.2, p = 0.1);
}

#[test]
fn derivatives_of_what_has_none() {
    assert_eq!(span::jvp(&[0.0, 1.0, 2.0], 1.5, &[1.0; 3], 1.0), (1, ()));
    let (value, pullback) = nearest::vjp(&[0.0, 1.0], &[[3.0, 3.0], [0.0, 0.5]], 2.0);
    assert_eq!((value, pullback(())), (Some(1), [0.0, 0.0]));
}
