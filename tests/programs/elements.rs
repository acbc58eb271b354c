//! One of the elements of an iterator, if there is one, taken apart by a pattern, a method or later.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

/// Carries no derivative, and has no `Default`.
#[derive(Clone, Debug)]
struct Waypoint {
    step: usize,
    at: [f64; 2],
}

#[derive(Clone, Debug, Differentiable)]
struct Spring {
    node: usize,
    stiffness: f64,
}

#[differentiable(order = 2)]
fn waypoints(x: f64, #[no_diff] all: &[Waypoint]) -> f64 {
    let mut cost = 0.5 * x;
    for k in 0..5 {
        cost += x.sin();
        if let Some(w) = all.iter().find(|w| w.step == k) {
            cost += (x - w.at[0]).powi(2) * w.at[1];
        }
        match all.iter().find(|w| w.step > k) {
            None => cost -= x,
            Some(w) => cost *= 1.0 + 0.1 * w.at[1] * x,
        }
    }
    cost
}

#[test]
fn data_of_any_kind_is_found() {
    let all = [Waypoint { step: 1, at: [0.5, 2.0] }, Waypoint { step: 3, at: [-1.0, 0.25] }];
    check!(waypoints(x, &all) by x = 0.7);
}

#[differentiable(order = 2)]
fn springs(x: f64, all: &[Spring]) -> f64 {
    let mut energy = x;
    for k in 0..4 {
        if let Some(s) = all.iter().find(|s| s.node == k) {
            energy += s.stiffness * x * x;
        }
        let Some(s) = all.iter().rev().find(|s| s.node <= k) else { continue };
        energy += s.stiffness.sin() * energy;
    }
    let stiffest = all.iter().max_by(|a, b| a.stiffness.total_cmp(&b.stiffness));
    if let Some(s) = stiffest {
        energy *= s.stiffness;
    }
    if all.iter().position(|s| s.stiffness > 2.0).is_some() { energy * x } else { energy }
}

fn of_springs(x: &[f64; 3]) -> (f64, [Spring; 2]) {
    (x[0], [Spring { node: 1, stiffness: x[1] }, Spring { node: 2, stiffness: x[2] }])
}

#[test]
fn structs_are_found() {
    let f = |x: &[f64; 3]| springs(of_springs(x).0, &of_springs(x).1);
    for at in [[0.7, 1.5, 2.5], [0.3, 1.9, 0.2]] {
        let (x, all) = of_springs(&at);
        let (dx, d_all) = springs::grad(x, &all);
        let gradient = [dx, d_all[0].stiffness, d_all[1].stiffness];
        for k in 0..3 {
            let step = |h: f64| f(&std::array::from_fn(|j| at[j] + if j == k { h } else { 0.0 }));
            let difference = (step(1e-5) - step(-1e-5)) / 2e-5;
            assert!(
                (gradient[k] - difference).abs() < 1e-7 * (1.0 + difference.abs()),
                "{gradient:?} {k} {difference}"
            );
        }
    }
}

#[differentiable(order = 2)]
fn kept(a: &[f64]) -> f64 {
    let biggest = a.iter().enumerate().max_by(|a, b| a.1.partial_cmp(b.1).unwrap());
    let first = a.iter().filter(|v| **v > 1.5).next();
    let mut s = first.map_or(0.0, |v| v * v);
    if let Some((i, v)) = biggest {
        s += v * v * v * i as f64;
    }
    if let Some(product) = a.iter().copied().reduce(|p, q| p * q) {
        s += product;
    }
    let at = a.iter().position(|v| *v > 1.5);
    if let Some(i) = at {
        s += a[i] * 10.0;
    }
    s += a.iter().find(|v| **v > 2.5).map(|v| v * 3.0).unwrap_or(1.0);
    let most: Option<f64> = a.iter().copied().reduce(f64::max);
    s + most.unwrap_or(0.5)
        * a.iter().copied().fold(None, |m: Option<f64>, v| Some(m.map_or(v, |m| m.min(v)))).unwrap_or(0.0)
}

#[test]
fn an_element_is_kept_as_an_option() {
    for a in [vec![1.0, 2.0, 3.0], vec![0.5], vec![]] {
        check!(kept(&a) by a = a.clone());
    }
    // v³·2 + v₁² + v₀·v₁·v₂ + 10·v₁ + 3·v₂ + v₂·v₀
    assert_eq!(kept::grad(&[1.0, 2.0, 3.0]), [9.0, 17.0, 60.0]);
}

#[differentiable(order = 2)]
fn counted(a: &[f64], #[no_diff] k: usize) -> f64 {
    // The closure counts what it is asked.
    let mut tried = 0.0;
    let mut s = 0.0;
    if let Some(v) = a.iter().find(|v| {
        tried += 1.0;
        **v > 1.5
    }) {
        s += v * v * tried;
    }
    while let Some(v) = a.iter().filter(|v| **v > s).min_by(|a, b| a.total_cmp(b)) {
        s += v * 1.5;
    }
    for i in 0..k {
        let Some((j, w)) =
            a.iter().enumerate().filter(|(j, _)| j % 2 == i % 2).min_by(|x, y| x.1.partial_cmp(y.1).unwrap())
        else {
            break;
        };
        s += w * j as f64 * w;
        if let Some(last) = a.iter().last() {
            s += last.sin();
        }
        if let (Some(p), true) = (a.iter().max_by(|a, b| a.partial_cmp(b).unwrap()), i > 0) {
            s += p.cos() * s;
        }
    }
    s
}

#[test]
fn closures_are_called_as_often_as_in_rust() {
    for a in [vec![1.0, 2.0, 3.0], vec![1.7, 0.3], vec![0.4]] {
        check!(counted(&a, 3) by a = a.clone());
    }
}

#[differentiable(order = 2)]
fn through_question(a: &[f64]) -> Option<f64> {
    let x = a.iter().nth(2)?;
    let y = a.iter().find(|v| **v > 0.5)?;
    Some(x * y)
}

#[differentiable(order = 2)]
fn with_callee(a: &[f64]) -> f64 {
    through_question(a).unwrap_or(2.0)
        + a.iter().enumerate().min_by_key(|(i, _)| (*i as i64 - 1).abs()).unwrap().1.exp()
}

#[test]
fn a_missing_element_ends_the_function() {
    for a in [vec![0.2, 2.0, 3.0], vec![0.3, 0.4, 0.45], vec![1.0, 2.0]] {
        check!(with_callee(&a) by a = a.clone());
    }
}

#[differentiable(order = 2)]
fn change(a: &mut Vec<f64>, b: f64) {
    if let Some(v) = a.iter_mut().find(|v| **v > 1.5) {
        *v *= b;
    }
}

#[differentiable(order = 2)]
fn changed(a: &[f64], b: f64) -> f64 {
    let mut a = a.to_vec();
    change(&mut a, b);
    a.iter().map(|v| v * v).sum()
}

#[test]
fn what_is_found_may_be_changed() {
    let (a, b) = (vec![1.0, 2.0, 3.0], 0.7);
    check!(changed(&a, b) by [a, b]);
    assert_eq!(changed::grad(&a, b).0, [2.0, 2.0 * 2.0 * b * b, 6.0]);
}
