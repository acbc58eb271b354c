//! Arrays of what carries no derivative and is no number, texts among them, by an index that only run time knows.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn operated(x: &[f64]) -> f64 {
    let ops = ["add", "mul", "add"];
    let mut s = 1.0;
    for (op, v) in ops.iter().zip(x) {
        s = if *op == "add" { s + v } else { s * v };
    }
    for (op, v) in ops.into_iter().zip(x) {
        s = if op == "add" { s + v * v } else { s * v };
    }
    for op in ops.iter().skip(1) {
        s = if *op == "add" { s + x[0] } else { s * x[1] };
    }
    for op in ops.iter().step_by(2) {
        s = if *op == "mul" { s + x[0] } else { s * x[1] };
    }
    s
}

#[test]
fn texts_beside_numbers() {
    check!(operated(&x) by x = [0.7, 1.3, 0.4]);
}

#[differentiable(order = 2)]
fn spelled(x: &[f64]) -> f64 {
    let ops = [('a', 1), ('b', 2), ('a', 3)];
    let mut s = 1.0;
    for (op, v) in ops.iter().zip(x) {
        s = if op.0 == 'a' { s + v * op.1 as f64 } else { s * v };
    }
    for ((op, n), v) in ops.into_iter().zip(x) {
        s = match op {
            'a' => s + v,
            _ => s * v * n as f64,
        };
    }
    let bytes = [b'a', b'b', b'a'];
    for (op, v) in bytes.iter().zip(x) {
        s = if *op == b'a' { s + v } else { s * v };
    }
    s
}

#[test]
fn letters_in_tuples() {
    check!(spelled(&x) by x = [0.7, 1.3, 0.4]);
}

#[derive(Differentiable, Clone)]
struct Part {
    size: f64,
    #[no_diff]
    name: &'static str,
}

#[differentiable(order = 2)]
fn named(x: &[f64]) -> f64 {
    let parts = [Part { size: x[0], name: "a" }, Part { size: x[1], name: "b" }, Part { size: x[1] * x[2], name: "a" }];
    let mut s = 1.0;
    for (p, v) in parts.iter().zip(x) {
        s = if p.name == "a" { s + v * p.size } else { s * v * p.size };
    }
    for p in parts.iter().skip(1) {
        s = match p.name {
            "b" => s * p.size,
            _ => s + p.size.sin(),
        };
    }
    s
}

#[test]
fn names_in_structs() {
    check!(named(&x) by x = [0.7, 1.3, 0.4]);
}

#[differentiable(order = 2)]
fn in_rows(x: &[f64]) -> f64 {
    let names = [["a", "b"], ["b", "b"]];
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        for j in 0..2 {
            s += if names[i % 2][j] == "a" { v * v } else { v.sin() };
        }
    }
    s
}

#[test]
fn texts_in_rows() {
    check!(in_rows(&x) by x = [0.7, 1.3, 0.4]);
}
