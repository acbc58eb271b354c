//! Arrays and tensors that a function of the index makes, whose size the declared result tells.

use crate::harness::check;
use autodiff::prelude::*;
use std::array::from_fn;

type Point = [f64; 3];

#[derive(Differentiable, Clone, Copy, Debug)]
struct Wrapped(Point);

#[derive(Differentiable, Clone, Copy, Debug)]
struct Named {
    at: Point,
    weight: f64,
}

#[differentiable(order = 2)]
fn refracted(d: Point, n: Point, ratio: f64) -> Option<Point> {
    let cos = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
    let square = 1.0 - ratio * ratio * (1.0 - cos * cos);
    if square <= 0.0 {
        return None;
    }
    let k = square.sqrt() - ratio * cos;
    Some(std::array::from_fn(|i| ratio * d[i] + k * n[i]))
}

#[differentiable(order = 2)]
fn returned(x: f64) -> Option<Point> {
    if x < 0.0 {
        return Some(std::array::from_fn(|i| x * i as f64));
    }
    let k = x * x;
    (x < 2.0).then(|| core::array::from_fn(|i| k * i as f64))
}

#[differentiable(order = 2)]
fn fallible(x: f64, k: Option<f64>) -> Result<Point, String> {
    let k = k.ok_or("nothing")?;
    if x > 3.0 {
        return Err("much".into());
    }
    Ok(from_fn(|i| k * x + x * i as f64))
}

#[differentiable(order = 2)]
fn in_tuples(x: f64, n: usize) -> (Point, f64) {
    match n {
        0 => (std::array::from_fn(|i| x * i as f64), x),
        1 => (from_fn(|i| x * x * i as f64), 2.0 * x),
        _ => ([x; 3], 1.0),
    }
}

#[differentiable(order = 2)]
fn in_structs(x: f64) -> Option<Named> {
    if x < 0.0 {
        return None;
    }
    Some(Named { at: from_fn(|i| x * i as f64), weight: x * x })
}

#[differentiable(order = 2)]
fn in_tuple_structs(x: f64) -> Option<Wrapped> {
    if x < 0.0 {
        return None;
    }
    Some(Wrapped(from_fn(|i| x * x * i as f64)))
}

#[differentiable(order = 2)]
fn in_rows(x: f64) -> [[f64; 2]; 3] {
    if x < 0.0 {
        return [[x; 2]; 3];
    }
    from_fn(|i| from_fn(|j| x * (i + j) as f64))
}

#[differentiable(order = 2)]
fn generic<T: Real, const N: usize>(x: &[T; N], k: T) -> Option<[T; N]> {
    if k < T::from_f64(0.0) {
        return None;
    }
    Some(from_fn(|i| k * x[i]))
}

#[differentiable(order = 2)]
fn tensors(x: f64) -> (Tensor1<f64, 3>, Tensor2<f64, 2, 3>) {
    if x < 0.0 {
        return (Tensor1::from_fn(|[i]| x * i as f64), Tensor2::ones());
    }
    (Tensor1::from_fn(|i| x * i[0] as f64), Tensor2::from_fn(|[i, j]| x * (i + 2 * j) as f64))
}

#[differentiable(order = 2)]
fn used(x: f64) -> f64 {
    let half = |k: f64| -> Option<Point> {
        if k < 0.2 {
            return None;
        }
        Some(from_fn(|i| k * i as f64))
    };
    let chosen: Option<Point> = if x < 0.5 { half(x) } else { Some(from_fn(|i| x * x * i as f64)) };
    let refracted = refracted([x, 0.6, 0.0], [0.0, x, 1.0], 0.8).map_or(0.0, |d| d[0] * d[2]);
    let returned = returned(x).map_or(1.0, |y| y[2]) * fallible(x, Some(x)).map_or(0.0, |y| y[1] * y[2]);
    let (a, b) = in_tuples(x, 0);
    let (c, d) = in_tuples(x, 1);
    let named = in_structs(x).map_or(0.0, |named| named.at[1] * named.weight);
    let wrapped = in_tuple_structs(x).map_or(0.0, |wrapped| wrapped.0[2]);
    let rows = in_rows(x);
    let generic = generic(&[x, x * x], x).map_or(0.0, |y| y[0] * y[1]);
    let (t, u) = tensors(x);
    let tensors = t.sum() * u.sum();
    let parts = a[1] * b + c[2] * d + rows[2][1] * rows[0][0] + generic + tensors;
    chosen.map_or(x, |y| y[1] * y[2]) + refracted + returned + named * wrapped + parts
}

#[test]
fn have_its_size() {
    for x in [0.1, 0.3, 0.7, -0.4] {
        check!(used(x) by x = x);
    }
}
