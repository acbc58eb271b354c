use autodiff::prelude::*;

#[differentiable]
fn replaced(x: f64, y: f64) -> f64 {
    let mut rows = vec![vec![x; 3]; 2];
    rows[0] = vec![x, y];
    rows[0][0] * rows[1][2]
}

fn main() {}
