use autodiff::prelude::*;

#[differentiable]
fn alternatives(x: f64, n: usize, m: usize) -> f64 {
    match (n, m) {
        (0, k) | (k, 0) => x * k as f64,
        _ => x,
    }
}

#[differentiable]
fn of_an_array(x: &[f64; 3]) -> f64 {
    match x {
        [a, b, 1.0] => a * b,
        _ => x[0],
    }
}

#[differentiable]
fn perhaps(x: f64, y: f64) -> f64 {
    let best = if x > y { Some(x) } else { None };
    match best {
        Some(best) => best * best,
        None => y,
    }
}

#[differentiable]
fn arms(x: f64, n: usize) -> f64 {
    match n {
        0 => x,
        _ => (x, x),
    }
}

#[differentiable]
fn one_of_two(x: f64) -> f64 {
    let f: fn(f64) -> f64 = if x > 0.0 { |v| v * v } else { |v| -v };
    f(x)
}

#[differentiable]
fn too_many(x: f64) -> f64 {
    let f = |v: f64| v * x;
    f(x, x)
}

fn main() {}
