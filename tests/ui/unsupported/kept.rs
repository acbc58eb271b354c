//! Residuals of a function whose pullback reads what carries no derivative.
use autodiff::prelude::*;

enum Tree {
    Leaf,
    Node(Box<Tree>, Box<Tree>),
}

#[differentiable]
fn grown(#[no_diff] tree: &Tree, x: f64) -> f64 {
    match tree {
        Tree::Leaf => x,
        Tree::Node(left, right) => grown(left, x) * grown(right, x.sin()),
    }
}

#[differentiable]
fn twice(#[no_diff] tree: &Tree, x: f64) -> f64 {
    2.0 * grown(tree, x)
}

#[differentiable]
fn more(#[no_diff] tree: &Tree, x: f64) -> f64 {
    twice(tree, x) + x
}

fn main() {
    let (_, _residuals) = grown::forward(&Tree::Leaf, 1.0);
    let (_, _residuals) = twice::forward(&Tree::Leaf, 1.0);
    let (_, _residuals) = more::forward(&Tree::Leaf, 1.0);
}
