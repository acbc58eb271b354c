use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct Named {
    a: f64,
    #[no_diff]
    name: String,
}

#[differentiable]
fn rebound<'a>(mut a: &'a mut f64, b: &'a mut f64) {
    *a *= 3.0;
    a = b;
    *a *= 2.0;
}

#[differentiable]
fn shorter(mut v: &mut [f64], k: f64) {
    v[0] *= k;
    v = &mut v[1..];
    v[0] *= 2.0;
}

#[differentiable]
fn longer(v: &mut Vec<f64>, k: f64) {
    *v = vec![k, v[0], v[1]];
}

#[differentiable]
fn by_pattern(x: f64, k: f64) -> f64 {
    let mut a = x;
    let ref mut r = a;
    *r *= k;
    a
}

#[differentiable]
fn scaled(s: &mut Named, k: f64) {
    s.a *= k;
}

#[differentiable]
fn scaled_twice(s: &mut Named, k: f64) {
    scaled(s, k);
    scaled(s, k);
}

#[differentiable]
fn read(s: &Named) -> f64 {
    s.a
}

#[differentiable]
fn scaled_and_read(s: &mut Named, k: f64) -> f64 {
    s.a *= k;
    read(s)
}

#[differentiable]
fn many(
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
    g: f64,
    h: f64,
    i: f64,
    j: f64,
    k: f64,
    l: f64,
    m: f64,
    n: f64,
    o: f64,
    p: f64,
    q: f64,
) -> f64 {
    a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q
}

#[differentiable]
fn squares(x: &mut f64, k: f64) -> f64 {
    *x = *x * *x;
    *x * k
}

#[differentiable]
fn derivative_of_a_change(x: f64) -> f64 {
    let mut y = x;
    let (value, _) = squares::value_and_grad(&mut y, 2.0);
    value + y
}

fn main() {}
