use autodiff::prelude::*;

#[differentiable]
fn weighted(x: f64, table: &[(usize, f64)]) -> f64 {
    let mut sum = 0.0;
    for (k, w) in table {
        sum += *k as f64 * w * x;
    }
    sum
}

fn main() {}
