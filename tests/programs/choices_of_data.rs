//! Choices between what carries no derivative: in tuples, and beside numbers and arrays.

use crate::harness::check;
use autodiff::prelude::*;

const STATES: usize = 3;

type States = [f64; STATES];

#[derive(Clone, Copy)]
struct Branch {
    from: usize,
    to: usize,
    weight: f64,
}

#[derive(Clone, Copy)]
enum Base {
    Known(usize),
    Unknown,
}

impl Base {
    fn states(self) -> States {
        match self {
            Base::Known(at) => core::array::from_fn(|k| f64::from(u8::from(k == at))),
            Base::Unknown => [1.0; STATES],
        }
    }
}

enum Node {
    Leaf { base: usize },
    Inner { left: usize, right: usize },
}

fn numbers(k: usize) -> (f64, States) {
    (2.0, [k as f64, 1.0, 0.5])
}

#[differentiable(order = 2)]
fn flow<const N: usize>(x: &[f64; N], #[no_diff] branch: &Branch, #[no_diff] reversed: bool) -> f64 {
    let (i, j) = if reversed { (branch.to, branch.from) } else { (branch.from, branch.to) };
    x[i] * x[i] * branch.weight - x[j].sin()
}

#[differentiable(order = 2)]
fn nested(x: &[f64], #[no_diff] a: &Branch, #[no_diff] b: &Branch) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        let (p, (i, w), z) = if x[k] > 0.5 { (a, (b.from, x[k]), 1.0) } else { (b, (a.to, x[k] * x[0]), a.weight) };
        let (n, m) = if z > 0.6 { (a.from, k) } else { (k, b.to) };
        let (q, _) = match k {
            0 => (a.from, 1.0),
            1 => (b.to, z),
            _ => (b.from, x[0]),
        };
        sum += x[p.to] * w * x[i] * z * x[n] + x[m] * x[m] * x[m] * x[q];
    }
    sum
}

#[differentiable(order = 2)]
fn graph(x: f64, y: f64) -> f64 {
    let a = Branch { from: 1, to: 2, weight: 0.7 };
    let b = Branch { from: 0, to: 1, weight: 0.4 };
    let all = [x, y, x * y];
    flow(&all, &a, true) + flow(&all, &b, false) + nested(&all, &a, &b)
}

#[differentiable(order = 2)]
fn tree(x: &States, #[no_diff] nodes: &[Node], #[no_diff] bases: &[Base]) -> f64 {
    let mut all: Vec<States> = Vec::with_capacity(nodes.len());
    let mut scale = 0.0;
    for (k, node) in nodes.iter().enumerate() {
        let states = match node {
            Node::Leaf { base } => bases[*base].states(),
            Node::Inner { left, right } => {
                let mut product = [0.0; STATES];
                for s in 0..STATES {
                    product[s] = (all[*left][s] + x[s]) * (all[*right][s] + x[0] * x[s]);
                }
                scale += product.iter().sum::<f64>().ln();
                product.map(|p| p * p)
            }
        };
        let other = if k % 2 == 0 { *x } else { numbers(k).1 };
        all.push(states);
        scale += other[k % STATES];
    }
    let root = all.last().expect("there is a node");
    root.iter().zip(x).map(|(a, b)| a * b).sum::<f64>() + scale
}

#[test]
fn of_data() {
    for (x, y) in [(0.3, 0.8), (0.8, 0.3), (0.9, 0.7), (0.2, 0.1)] {
        check!(graph(x, y) by x, y);
    }
    let nodes = [
        Node::Leaf { base: 0 },
        Node::Leaf { base: 2 },
        Node::Inner { left: 0, right: 1 },
        Node::Leaf { base: 1 },
        Node::Inner { left: 2, right: 3 },
    ];
    let bases = [Base::Known(1), Base::Unknown, Base::Known(0)];
    let x = [0.3, 0.5, 0.9];
    check!(tree(&x, &nodes, &bases) by x);
}
