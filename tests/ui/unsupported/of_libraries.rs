use autodiff::prelude::*;
use std::collections::BTreeMap;

#[differentiable]
fn elsewhere(x: f64) -> f64 {
    std::thread::spawn(move || x * 2.0).join().unwrap()
}

#[differentiable]
fn in_a_map(x: &[f64]) -> f64 {
    let mut numbers: BTreeMap<usize, f64> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() {
        numbers.insert(i, *v);
    }
    numbers.values().sum()
}

#[differentiable]
fn to_a_power(x: f64, n: f64) -> f64 {
    let y = x.powi(n);
    y + 1.0
}

mod ndarray {
    pub struct Array1<T>(pub Vec<T>);
}

#[differentiable]
fn of_an_array(x: &ndarray::Array1<f64>) -> f64 {
    x.0[0]
}

fn main() {}
