//! `contains` of lists and arrays of numbers.

use crate::harness::check;
use autodiff::prelude::*;

const EVEN: [usize; 3] = [0, 2, 4];
const ODD: &[i32] = &[1, 3];

#[derive(Clone, Debug)]
struct Support {
    nodes: Vec<usize>,
    kind: [u8; 2],
}

#[derive(Clone, Debug, Differentiable)]
struct Beam {
    loads: Vec<f64>,
    #[no_diff]
    fixed: Vec<usize>,
    #[no_diff]
    ends: [usize; 2],
}

#[differentiable(order = 2)]
fn in_a_loop(x: &[f64], #[no_diff] pinned: &[usize], #[no_diff] support: &Support) -> f64 {
    let mut y = x.to_vec();
    for turn in 0..2 {
        for i in 0..x.len() {
            if pinned.contains(&i) {
                continue;
            }
            y[i] *= x[i] * 0.5;
            if support.nodes.contains(&(i + turn)) || support.kind.contains(&2) && i > 2 {
                y[i] = y[i].sin();
            }
        }
    }
    y.iter().sum()
}

#[differentiable(order = 2)]
fn of_constants(x: &[f64; 5], #[no_diff] at: i32) -> f64 {
    let places = [1, 3];
    let mut total = 0.0;
    let mut taken = Vec::new();
    for (i, v) in x.iter().enumerate() {
        if EVEN.contains(&i) {
            total += v * v;
            taken.push(i);
        } else if places.contains(&i) && !ODD.contains(&at) {
            total -= v * total;
        } else if taken.contains(&2) || [at, 7].contains(&7) {
            total *= v;
        }
    }
    total
}

#[differentiable(order = 2)]
fn of_fields(beam: &Beam, k: f64) -> f64 {
    let mut bent = 0.0;
    for (i, load) in beam.loads.iter().enumerate() {
        let weight = if beam.fixed.contains(&i) { 0.0 } else { k };
        bent += weight * load * load;
        if beam.ends.contains(&i) {
            bent *= k;
        }
    }
    bent
}

/// Numbers with a derivative are found, too, and rows and the parts of a list that changes.
#[differentiable(order = 2)]
fn of_numbers(x: &[f64; 4], #[no_diff] groups: &[Vec<usize>]) -> f64 {
    let most = x.iter().copied().fold(x[0], f64::max);
    let mut order = [0_usize, 1, 2, 3];
    order.swap(0, 3);
    let mut total = 0.0;
    for i in 0..4 {
        if x[..i].contains(&most) {
            total += x[i] * most;
        }
        if groups[i % 2].contains(&order[i]) && !order[..2].contains(&i) {
            total += x[i].exp();
        }
    }
    total
}

fn holds(list: &[usize], i: usize) -> bool {
    list.contains(&i)
}

#[differentiable]
fn changed_list(list: &mut [f64], #[no_diff] skipped: &mut Vec<usize>, k: f64) {
    for i in 0..list.len() {
        if !skipped.contains(&i) {
            list[i] *= k;
        }
    }
}

#[test]
fn lists_are_asked_for_numbers() {
    let support = Support { nodes: vec![2, 4], kind: [1, 2] };
    let x = vec![0.7, 1.3, 0.4, 0.9, 1.1];
    check!(in_a_loop(&x, &[0, 3], &support) by [x]);
    let x = [0.7, 1.3, 0.4, 0.9, 1.1];
    for at in [1, 2] {
        check!(of_constants(&x, at) by x);
    }
    let (beam, k) = (Beam { loads: vec![0.5, 0.8, 1.4], fixed: vec![1], ends: [0, 2] }, 0.6);
    check!(of_fields(&beam, k) by [beam, k]);
    let x = [0.5, 1.4, 0.9, 0.2];
    let groups = [vec![3, 0], vec![1]];
    assert!(holds(&groups[0], 3));
    check!(of_numbers(&x, &groups) by x);
}

#[test]
fn lists_that_are_lent() {
    let (mut list, mut skipped) = (vec![1.0, 2.0, 3.0], vec![1]);
    changed_list(&mut list, &mut skipped, 2.0);
    assert_eq!(list, [2.0, 2.0, 6.0]);
}
