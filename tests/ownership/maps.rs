//! Loops over maps and sets without a derivative.

use crate::harness::check;
use autodiff::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, DefaultHasher};

/// The order of the entries is the same in every run, so that the bits of the results are.
type Fixed = BuildHasherDefault<DefaultHasher>;

struct Graph {
    edges: BTreeMap<usize, Vec<f64>>,
    names: HashMap<String, usize, Fixed>,
    seen: BTreeSet<usize>,
}

#[differentiable(order = 2)]
fn walked(x: &[f64; 2], #[no_diff] graph: &Graph, #[no_diff] weights: &HashMap<String, f64, Fixed>) -> f64 {
    let mut y = 0.0;
    for (node, edges) in &graph.edges {
        for weight in edges {
            y += x[*node] * weight * y.cos();
        }
    }
    for (name, &node) in graph.names.iter() {
        if let Some(weight) = weights.get(name) {
            y += weight * x[node];
        }
        y += weights[name] * x[node] * x[0];
    }
    for node in &graph.seen {
        if *node == 7 {
            continue;
        }
        y *= x[*node];
    }
    let sum: f64 = weights.values().map(|weight| weight * x[0]).sum();
    let longest = graph.names.keys().map(|name| name.len()).max().unwrap_or(0);
    for (k, node) in graph.edges.keys().enumerate() {
        y += x[*node] * k as f64;
    }
    y + sum * longest as f64
}

#[test]
fn the_entries_of_a_map_are_taken_in_its_order() {
    let names = [("a", 0), ("bcd", 1)].map(|(name, node)| (name.to_owned(), node));
    let edges = [(0, vec![1.0, 2.0]), (1, vec![])];
    let weights = [("a", 1.5), ("bcd", -2.5), ("e", 3.0)].map(|(name, weight)| (name.to_owned(), weight));
    let graph = Graph { edges: edges.into(), names: names.into_iter().collect(), seen: [1, 0, 7].into() };
    let weights: HashMap<String, f64, Fixed> = weights.into_iter().collect();
    check!(walked(&x, &graph, &weights) by x = [0.4, 0.7]);
}
