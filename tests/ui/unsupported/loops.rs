use autodiff::prelude::*;

#[differentiable]
fn newton(x: f64) -> f64 {
    let mut y = x;
    while y * y > x {
        y = 0.5 * (y + x / y);
    }
    y
}

#[differentiable]
fn forever(x: f64) -> f64 {
    loop {
        break x;
    }
}

#[differentiable]
fn jumps(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        if i == 1 {
            continue;
        }
        s += x[i];
    }
    s
}

#[differentiable]
fn iterates(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for v in x.iter() {
        s += v;
    }
    for i in (0..4).rev() {
        s += x[i];
    }
    s
}

#[differentiable]
fn to_a_variable(x: &[f64; 4], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i];
    }
    s
}

#[differentiable]
fn labelled(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    'outer: for i in 0..4 {
        s += x[i];
    }
    s
}

fn main() {}
