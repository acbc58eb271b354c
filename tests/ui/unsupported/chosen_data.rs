use autodiff::prelude::*;

struct Item {
    weight: f64,
}

/// Of which type the elements are, only rustc knows.
#[differentiable]
fn untold(x: f64, #[no_diff] items: &[Item]) -> f64 {
    let heavy: Vec<_> = items.iter().filter(|item| item.weight > 1.0).collect();
    heavy.len() as f64 * x
}

#[differentiable]
fn without_a_type(x: f64, #[no_diff] items: &[Item]) -> f64 {
    let mut heavy = Vec::new();
    for item in items {
        heavy.push(item);
    }
    x * heavy[0].weight
}

#[differentiable]
fn weighed(x: f64, #[no_diff] item: &Item) -> f64 {
    x * item.weight
}

/// The list is not at hand in the reverse sweep.
#[differentiable]
fn lent(x: f64, #[no_diff] items: &[Item]) -> f64 {
    let heavy: Vec<&Item> = items.iter().filter(|item| item.weight > 1.0).collect();
    weighed(x, heavy[0])
}

fn main() {}
