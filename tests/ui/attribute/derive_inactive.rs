use autodiff::prelude::*;

#[derive(Differentiable)]
struct Sizes {
    rows: usize,
    #[no_diff]
    scale: f64,
}

fn main() {}
