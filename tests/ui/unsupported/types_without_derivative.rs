use autodiff::prelude::*;

#[differentiable]
fn of_names(names: &[String], x: f64) -> f64 {
    x * names.len() as f64
}

#[differentiable]
fn of_lists_of_names(names: &[Vec<String>], x: f64) -> f64 {
    x * names.len() as f64
}

#[differentiable]
fn of_text(name: &str, x: f64) -> f64 {
    x * name.len() as f64
}

fn main() {}
