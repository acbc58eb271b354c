//! A part without a derivative stays in its element.

use autodiff::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Named {
    x: f64,
    #[no_diff]
    name: &'static str,
}

#[differentiable]
fn swapped(x: f64, k: usize) -> f64 {
    let mut both = [Named { x, name: "a" }, Named { x: 2.0 * x, name: "b" }];
    both.swap(0, k);
    if both[0].name == "a" { both[0].x } else { both[1].x * x }
}

#[differentiable]
fn sorted(x: f64) -> f64 {
    let mut both = [Named { x, name: "a" }, Named { x: 2.0 * x, name: "b" }];
    both.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.name.cmp(b.name)));
    both[0].x
}

fn main() {
    println!("{} {}", swapped::grad(1.0, 1), sorted::grad(1.0));
}
