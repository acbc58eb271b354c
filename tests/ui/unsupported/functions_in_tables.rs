//! Functions as values: which one is called must be visible, and the choice must not change anything.
use autodiff::prelude::*;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

fn pick(i: usize) -> fn(f64) -> f64 {
    [f64::sin, square][i]
}

#[differentiable]
fn picked(x: f64, i: usize) -> f64 {
    let f = pick(i);
    f(x)
}

#[derive(Clone, Differentiable)]
struct Layer {
    w: f64,
    #[no_diff]
    act: fn(f64) -> f64,
}

#[differentiable]
fn in_a_field(layer: &Layer, x: f64) -> f64 {
    (layer.act)(layer.w * x)
}

#[differentiable]
fn counted(x: f64, c: bool) -> f64 {
    let (mut a, mut b) = (x, 1.0);
    let mut f: Box<dyn FnMut(f64) -> f64> = if c {
        Box::new(|v| {
            a += v;
            a
        })
    } else {
        Box::new(|v| {
            b *= v;
            b
        })
    };
    f(x) + f(2.0)
}

#[differentiable]
fn another_each_time(x: f64, n: usize) -> f64 {
    let mut f: fn(f64) -> f64 = f64::sin;
    let mut sum = 0.0;
    for _ in 0..n {
        sum += f(x);
        f = square;
    }
    sum
}

#[differentiable]
fn computed_in_a_branch(x: f64, c: bool) -> f64 {
    let f: Box<dyn Fn(f64) -> f64> = if c {
        let scale = x.exp();
        Box::new(move |v| v * scale)
    } else {
        Box::new(square)
    };
    f(2.0)
}

fn plain(x: f64) -> f64 {
    x
}

#[differentiable]
fn without_a_derivative(x: f64, i: usize) -> f64 {
    let table: [fn(f64) -> f64; 2] = [square, plain];
    table[i](x)
}

#[differentiable]
fn grown(x: f64) -> f64 {
    let mut stages: Vec<fn(f64) -> f64> = Vec::new();
    stages.push(square);
    stages.push(f64::sin);
    stages.iter().map(|f| f(x)).sum()
}

mod elsewhere {
    pub const TABLE: [fn(f64) -> f64; 2] = [super::square, f64::cos];
}

#[differentiable]
fn of_another_module(x: f64, i: usize) -> f64 {
    elsewhere::TABLE[i](x)
}

fn main() {}
