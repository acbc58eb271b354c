use autodiff::check_grads;
use autodiff::prelude::*;

fn plain(x: f64) -> f64 {
    x
}

#[differentiable]
fn two(x: f64, y: f64) -> f64 {
    x * y
}

#[differentiable]
fn changing(x: &mut f64, y: f64) -> f64 {
    *x += y;
    *x
}

fn main() {
    let mut x = 1.0;
    check_grads!(plain, x);
    check_grads!(two, x);
    check_grads!(changing, &mut x, 2.0);
    check_grads!(two, x, x; precision = 1e-3);
}
