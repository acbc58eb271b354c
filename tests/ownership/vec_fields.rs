//! A `Vec` in a struct, a tuple or an argument that is made of an array or a part of a constant size.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Debug)]
struct Layer {
    v: Vec<f64>,
    scale: f64,
}

#[derive(Differentiable, Clone, Debug)]
enum Row {
    All(Vec<f64>),
    Rest { v: Vec<f64>, k: f64 },
}

#[differentiable(order = 2)]
fn norm(layer: &Layer, k: f64) -> f64 {
    layer.v.iter().map(|v| v * v).sum::<f64>() * k * layer.scale
}

#[differentiable(order = 2)]
fn scaled(layer: &mut Layer, k: f64) {
    for v in layer.v.iter_mut() {
        *v *= k;
    }
    layer.scale += layer.v[1];
}

#[differentiable(order = 2)]
fn made(x: &[f64], k: f64) -> Layer {
    Layer { v: x[..3].to_vec(), scale: k * x[0] }
}

#[differentiable(order = 2)]
fn pair(x: &[f64; 3], k: f64) -> (Vec<f64>, f64) {
    (x.to_vec(), k * x[2])
}

#[differentiable(order = 2)]
fn maybe(x: &[f64; 3], k: f64) -> Option<Vec<f64>> {
    if k > 0.0 { Some(x.to_vec()) } else { None }
}

#[differentiable(order = 2)]
fn row(x: &[f64; 3], k: f64) -> Row {
    if k > 0.5 { Row::All(x.to_vec()) } else { Row::Rest { v: x[1..].to_vec(), k } }
}

#[differentiable(order = 2)]
fn taken(v: Vec<f64>, k: f64) -> f64 {
    v.iter().rev().fold(k, |sum, v| sum * 0.5 + v * v)
}

#[differentiable(order = 2)]
fn all(x: &[f64; 3], k: f64) -> f64 {
    let mut layer = Layer { v: x[..2].to_vec(), scale: k };
    for _ in 0..2 {
        scaled(&mut layer, k);
    }
    let other = made(x, k);
    let (v, last) = pair(x, k);
    let some = maybe(x, k).map_or(k, |v| v[0] * v[2]);
    let rest = match row(x, k) {
        Row::All(v) => v[0] * v[1],
        Row::Rest { v, k } => v[1] * k,
    };
    norm(&layer, k) + norm(&other, 2.0) * last + v[1] * some + rest + taken(x.to_vec(), k) * taken(x[1..].to_vec(), 1.0)
}

#[test]
fn a_vec_made_of_an_array_is_one_everywhere() {
    for k in [0.3, 0.8, -0.4] {
        let x = [0.5, -1.2, 0.9];
        check!(all(&x, k) by x, k);
    }
}
