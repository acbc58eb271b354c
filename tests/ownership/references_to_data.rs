//! References in data without a derivative: the pattern `&i`, and `*` of what a call gives.

use crate::harness::check;
use autodiff::prelude::*;
use std::collections::HashMap;

struct Node {
    children: Vec<usize>,
    weights: Vec<(usize, f64)>,
}

impl Node {
    fn first(&self) -> &f64 {
        &self.weights[0].1
    }

    fn nth(&self, k: usize) -> Option<&f64> {
        self.weights.get(k).map(|pair| &pair.1)
    }
}

#[differentiable(order = 2)]
fn scaled(w: f64, i: usize) -> f64 {
    (w * i as f64).sin()
}

#[differentiable(order = 2)]
fn mapped(w: f64, #[no_diff] n: &Node) -> f64 {
    n.children.iter().map(|&i| scaled(w, i)).sum()
}

#[differentiable(order = 2)]
fn looped(w: f64, #[no_diff] n: &Node) -> f64 {
    let mut s = 0.0;
    for &i in &n.children {
        s += scaled(w, i) * w * i as f64;
        if i > 1 {
            s += w;
        }
    }
    for (k, &i) in n.children.iter().enumerate().skip(1) {
        s += scaled(w, i + k) * w;
    }
    s
}

#[differentiable(order = 2)]
fn taken_apart(w: f64, #[no_diff] n: &Node) -> f64 {
    let mut s = 0.0;
    for &(i, x) in n.weights.iter().rev() {
        if i == 1 {
            s += scaled(w, i) * w * x;
        } else {
            s -= x * w;
        }
    }
    s
}

#[differentiable(order = 2)]
fn of_a_name(w: f64, #[no_diff] n: &Node) -> f64 {
    let v = &n.children;
    let mut s = 0.0;
    for &i in v {
        s += scaled(w, i) * w;
    }
    for i in v {
        s += scaled(w, *i) * w;
    }
    let &q = &n.children[1];
    s * scaled(w, q)
}

#[differentiable(order = 2)]
fn walk(#[no_diff] tree: &[Node], node: usize, x: f64) -> f64 {
    let mut s = x;
    for &child in &tree[node].children {
        s += x * walk(tree, child, x);
    }
    s
}

#[test]
fn a_pattern_takes_the_reference_off() {
    let node = Node { children: vec![2, 1, 3], weights: vec![(1, 0.5), (4, 1.5)] };
    for w in [0.7, 1.9] {
        check!(mapped(w, &node) by w);
        check!(looped(w, &node) by w);
        check!(taken_apart(w, &node) by w);
        check!(of_a_name(w, &node) by w);
    }
    let leaf = || Node { children: vec![], weights: vec![] };
    let tree =
        [Node { children: vec![1, 2], weights: vec![] }, Node { children: vec![3], weights: vec![] }, leaf(), leaf()];
    check!(walk(&tree, 0, x) by x = 0.8);
}

const OPS: &[&str] = &["add", "mul"];

#[differentiable(order = 2)]
fn operations(x: f64, #[no_diff] ops: &[&str]) -> f64 {
    let mut s = x;
    for &op in ops {
        s = if op == "add" { s + x } else { s * x };
    }
    for (k, &op) in ops.iter().enumerate() {
        s = match op {
            "add" => s + x,
            _ => s * x + k as f64,
        };
    }
    for &op in OPS {
        s = if op == "add" { s * s } else { s - x };
    }
    s
}

#[test]
fn texts_are_compared() {
    for ops in [&["add", "mul", "add"][..], &["mul"], &[]] {
        check!(operations(x, ops) by x = 0.8);
    }
}

#[differentiable(order = 2)]
fn configured(x: f64, #[no_diff] config: &HashMap<String, f64>) -> f64 {
    let dt = *config.get("dt").unwrap_or(&0.1);
    let steps = *config.get("steps").unwrap_or(&2.0) as usize;
    let mut s = x;
    for _ in 0..steps {
        s = s * x * dt;
        if s > *config.get("most").unwrap_or(&0.5) {
            s -= dt * x.sin();
        }
    }
    s
}

#[differentiable(order = 2)]
fn of_methods(x: f64, #[no_diff] n: &Node) -> f64 {
    let first = *n.first();
    let &same = n.first();
    let mut s = x;
    for k in 0..2 {
        let one = n.nth(k).unwrap();
        s = s * x + first * *n.nth(k).unwrap() * x * x + *one * same;
    }
    s
}

#[differentiable(order = 2)]
fn chosen(x: f64, #[no_diff] config: &HashMap<String, f64>) -> f64 {
    let dt = match config.get("dt") {
        Some(dt) => *dt,
        None => 0.5,
    };
    let steps = if let Some(&steps) = config.get("steps") { steps } else { 0.3 };
    x * x * dt * steps * *config.get("steps").unwrap_or(&1.5)
}

#[test]
fn what_a_call_borrows_is_read() {
    let node = Node { children: vec![], weights: vec![(1, 0.5), (4, 1.5)] };
    let config = |pairs: &[(&str, f64)]| pairs.iter().map(|(k, v)| (k.to_string(), *v)).collect::<HashMap<_, _>>();
    for config in [config(&[]), config(&[("dt", 0.7), ("steps", 3.0)]), config(&[("most", 0.01)])] {
        check!(configured(x, &config) by x = 1.3);
        check!(chosen(x, &config) by x = 1.3);
    }
    check!(of_methods(x, &node) by x = 1.3);
}
