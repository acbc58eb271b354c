//! `Vec`s of what has `Vec`s in it, written out with several lengths, in structs, tuples, branches and loops.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Part {
    a: Vec<f64>,
    r: f64,
}

#[differentiable(order = 2)]
fn structs(x: f64, i: usize) -> f64 {
    let mut parts = vec![Part { a: vec![x, x * x], r: x }, Part { a: vec![x], r: 2.0 }];
    parts[i].a[0] *= x;
    parts[i].r += parts[1].a[0];
    parts.push(Part { a: vec![x * 3.0, 1.0, x], r: 1.0 });
    let mut sum = 0.0;
    for part in &parts {
        for v in &part.a {
            sum += v * v * part.r;
        }
        sum *= part.a.len() as f64;
    }
    sum + parts[i].a[parts[i].a.len() - 1]
}

#[differentiable(order = 2)]
fn tuples(x: f64, i: usize) -> f64 {
    let pairs = vec![(vec![x, x * x], x), (vec![x], 2.0)];
    let mut sum = 0.0;
    for (a, r) in &pairs {
        for v in a {
            sum += v * v * r;
        }
    }
    sum + pairs[i].0[0]
}

#[test]
fn in_structs_and_tuples() {
    for i in 0..2 {
        check!(structs(x, i) by x = 0.7);
        check!(tuples(x, i) by x = 0.7);
    }
}

#[differentiable(order = 2)]
fn in_branches(x: f64, n: usize) -> f64 {
    let mut rows = if x > 0.5 { vec![vec![x], vec![x, 2.0]] } else { vec![vec![x, 1.0], vec![x, 3.0]] };
    for i in 0..n {
        if i % 2 == 0 {
            rows = vec![vec![x * rows[0][0], rows[1][1]], vec![rows[1][0] * x, x]];
        } else {
            rows[1][0] += x;
        }
    }
    rows.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>() * row.len() as f64).sum()
}

#[differentiable(order = 2)]
fn of_run_time(x: &[f64], n: usize) -> f64 {
    let rows = vec![x.to_vec(), vec![x[0]; n], x[1..].to_vec(), vec![x[0], 2.0]];
    let mut others = rows.clone();
    others[1][0] *= 2.0;
    others.push(vec![x[2]]);
    rows.iter().zip(&others).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>()).sum()
}

#[test]
fn where_they_become_others() {
    for x in [0.7, 0.3] {
        check!(in_branches(x, 0) by x);
        check!(in_branches(x, 3) by x);
    }
    let x = [0.5, 1.2, -0.4];
    check!(of_run_time(&x, 2) by x);
}
