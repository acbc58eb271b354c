//! Lambdas are closures.

use autodiff::prelude::*;

#[differentiable]
fn one_argument(i: f64, j: f64) -> f64 {
    let f = |t: f64| t * t + 1.0;
    i + f(j)
}

#[differentiable]
fn with_a_body(i: f64, j: f64) -> f64 {
    let f = |t: f64, k: f64| {
        let a = t * k;
        a
    };
    let x = f(i + j, i);
    x
}

#[differentiable]
fn captures(i: f64, j: f64) -> f64 {
    let c = 3.0 * i;
    let f = move |t: f64| t * c;
    i + f(j)
}

#[differentiable]
fn captures_a_place(i: f64, j: f64) -> f64 {
    let mut total = 0.0;
    let mut add = |t: f64| total += t * j;
    add(i);
    add(2.0);
    total
}

#[differentiable]
fn nested(i: f64) -> f64 {
    let outer = |x: f64| {
        let inner = |y: f64| y * y;
        inner(x) + 2.0 * x
    };
    outer(i)
}

#[differentiable]
fn unnamed_parameter(i: f64, j: f64) -> f64 {
    let f = |t: f64, _: f64| t * t;
    f(i, j)
}

#[differentiable]
fn returns_inside(i: f64, j: f64) -> f64 {
    let f = |t: f64| {
        if t > 0.0 {
            return t * i;
        }
        -t
    };
    f(j) + f(-j)
}

#[test]
fn gradients() {
    gradient!(one_argument(i, j) by i = 3.0, j = 5.0 => [1.0, 10.0]);
    gradient!(with_a_body(i, j) by i = 3.0, j = 5.0 => [11.0, 3.0]);
    gradient!(captures(i, j) by i = 3.0, j = 5.0 => [16.0, 9.0]);
    gradient!(captures_a_place(i, j) by i = 3.0, j = 5.0 => [5.0, 5.0]);
    gradient!(nested(i) by i = 3.0 => [8.0]);
    gradient!(unnamed_parameter(i, j) by i = 3.0, j = 5.0 => [6.0, 0.0]);
    gradient!(returns_inside(i, j) by i = 3.0, j = 5.0 => [5.0, 4.0]);
}
