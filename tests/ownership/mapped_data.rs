//! `map` of arrays of integers and numbers that are data: in elements, in fields, of a parameter and of a struct.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Debug)]
struct Bar {
    ends: [usize; 2],
    weights: [[f64; 2]; 2],
    modulus: f64,
}

#[derive(Clone, Debug)]
struct Truss {
    bars: Vec<Bar>,
    first: [usize; 2],
}

#[derive(Clone, Debug, Differentiable)]
struct Link {
    stiffness: f64,
    #[no_diff]
    ends: [usize; 2],
}

#[differentiable(order = 2)]
fn of_elements(nodes: &[[f64; 2]], #[no_diff] truss: &Truss) -> f64 {
    let mut total = 0.0;
    for bar in &truss.bars {
        let [p, q] = bar.ends.map(|e| nodes[e]);
        let weights = bar.weights.map(|w| w[0] * p[0] + w[1] * q[1]);
        total += bar.modulus * (q[0] - p[0]).hypot(q[1] - p[1]) * weights[0];
        if weights[1] > 0.0 {
            total *= 1.0 + weights[1];
        }
    }
    let ends = truss.first.map(|e| nodes[e][0]);
    total * ends[0] + ends[1]
}

#[differentiable(order = 2)]
fn by_index(nodes: &[[f64; 2]], #[no_diff] bars: &[Bar], #[no_diff] from: usize) -> f64 {
    let mut total = 0.0;
    let mut i = from;
    while i < bars.len() {
        let [a, b] = bars[i].ends.map(|e| nodes[e][1]);
        total += a * b * b;
        i += 1;
    }
    total
}

#[differentiable(order = 2)]
fn of_a_struct(link: &Link, nodes: &[[f64; 2]]) -> f64 {
    let [p, q] = link.ends.map(|e| nodes[e]);
    link.stiffness * (p[0] - q[0]).powi(2) + p[1] * q[1]
}

#[differentiable(order = 2)]
fn of_structs(links: &[Link], nodes: &[[f64; 2]]) -> f64 {
    let mut total = 0.0;
    for link in links {
        let [p, q] = link.ends.map(|e| nodes[e]);
        total += link.stiffness * (p[0] - q[0]).powi(2) + p[1] * q[1];
        total += of_a_struct(link, nodes);
    }
    total
}

#[differentiable]
fn changed(nodes: &mut [[f64; 2]], #[no_diff] bar: &Bar, k: f64) {
    let [p, q] = bar.ends.map(|e| nodes[e]);
    nodes[bar.ends[0]] = [q[0] * k, p[1]];
}

#[test]
fn arrays_of_data_are_mapped() {
    let nodes = vec![[0.3, 0.9], [1.2, 0.4], [0.7, -0.5]];
    let bar = |ends, w: f64| Bar { ends, weights: [[w, 0.3], [0.2, w * w]], modulus: 1.5 };
    let truss = Truss { bars: vec![bar([0, 1], 0.4), bar([2, 0], -0.6)], first: [2, 1] };
    check!(of_elements(&nodes, &truss) by [nodes]);
    check!(by_index(&nodes, &truss.bars, 0) by [nodes]);
    let links = vec![Link { stiffness: 0.8, ends: [0, 2] }, Link { stiffness: 1.1, ends: [2, 1] }];
    check!(of_structs(&links, &nodes) by [links, nodes]);
}

#[test]
fn what_is_lent_is_mapped_by() {
    let mut nodes = vec![[0.5, 2.0], [3.0, 4.0]];
    let bar = Bar { ends: [1, 0], weights: [[0.0; 2]; 2], modulus: 1.0 };
    changed(&mut nodes, &bar, 2.0);
    assert_eq!(nodes, [[0.5, 2.0], [1.0, 4.0]]);
}
