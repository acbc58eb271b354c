//! What says nothing of derivatives: a function, the type of a field, of a parameter, of a result, of a local; a name that is none.
use autodiff::prelude::*;

#[derive(Clone, Copy)]
struct Plain {
    x: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Around {
    plain: Plain,
    y: f64,
}

fn helper(x: f64) -> f64 {
    x * x
}

mod elsewhere {
    pub fn helper(x: f64) -> f64 {
        x * x
    }
}

#[differentiable]
fn calls(x: f64) -> f64 {
    helper(x) + elsewhere::helper(x)
}

#[differentiable]
fn takes(plain: Plain, x: f64) -> f64 {
    plain.x * x
}

#[differentiable]
fn gives(x: f64) -> Plain {
    Plain { x }
}

#[differentiable]
fn makes(x: f64) -> f64 {
    let plain = Plain { x };
    plain.x
}

#[differentiable]
fn misspelt(x: f64) -> f64 {
    helpr(x)
}

fn main() {}
