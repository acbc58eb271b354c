use autodiff::prelude::*;

#[differentiable]
fn closure(x: f64) -> f64 {
    let square = |v: f64| v * v;
    square(x)
}

#[differentiable]
fn prints(x: f64) -> f64 {
    println!("{x}");
    x * x
}

#[differentiable]
fn asserts(x: f64) -> f64 {
    assert!(x > 0.0);
    x.ln()
}

#[differentiable]
fn raw(x: f64) -> f64 {
    unsafe { x * x }
}

#[differentiable]
fn item(x: f64) -> f64 {
    const TWO: f64 = 2.0;
    x * TWO
}

#[differentiable]
fn slice(x: &[f64; 4]) -> f64 {
    let first = &x[..2];
    first[0]
}

#[differentiable]
fn borrows(x: f64) -> f64 {
    let mut y = x;
    let z = &mut y;
    *z = 2.0 * x;
    y
}

#[differentiable]
fn late(x: f64) -> f64 {
    let y;
    y = x * x;
    y
}

#[differentiable]
fn refutable(x: f64) -> f64 {
    let Some(y) = Some(x) else { return x };
    y
}

fn main() {}
