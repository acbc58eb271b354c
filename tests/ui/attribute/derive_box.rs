use autodiff::prelude::*;

#[derive(Differentiable)]
enum Tree {
    Leaf(f64),
    Sum(Box<Tree>, #[no_diff] Box<Tree>),
}

fn main() {}
