//! Arrays that are made of slices by `try_into` and `try_from`.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Net {
    w: [f64; 2],
    m: [[f64; 2]; 2],
    b: f64,
}

#[differentiable(order = 2)]
fn product(a: [f64; 3]) -> f64 {
    a[0] * a[1] * a[2]
}

#[differentiable(order = 2)]
fn mixed(a: &[f64; 3]) -> f64 {
    a[0] * a[1] + a[2]
}

#[differentiable(order = 2)]
fn middle(x: &[f64]) -> [f64; 2] {
    x[1..3].try_into().unwrap()
}

/// Arguments and results tell how long the array is, too.
#[differentiable(order = 2)]
fn places(x: &[f64]) -> f64 {
    let first: [f64; 3] = x[..3].try_into().unwrap();
    let last = <[f64; 2]>::try_from(&x[2..]).unwrap();
    let mut own: [f64; 4] = x.iter().map(|x| x * x).collect::<Vec<f64>>().try_into().unwrap();
    own[1] *= first[0];
    let called = product(x[..3].try_into().unwrap()) + mixed(&x[1..].try_into().unwrap());
    called * middle(x)[1] + own[1] * own[3] * last[0] + first[2] * last[1]
}

#[differentiable(order = 2)]
fn fields(x: &[f64], rows: &[[f64; 2]]) -> f64 {
    let net = Net { w: x[..2].try_into().unwrap(), m: rows[..2].try_into().expect("two rows"), b: x[3] };
    let mut sum = net.b;
    for i in 0..2 {
        for j in 0..2 {
            sum += net.w[i] * net.m[i][j] * net.w[j];
        }
    }
    sum
}

#[differentiable(order = 2)]
fn of_any_size<const N: usize>(x: &[f64], y: [f64; N]) -> f64 {
    let a: [f64; N] = x[..N].try_into().unwrap();
    let mut sum = 0.0;
    for i in 0..N {
        sum += a[i] * y[i];
    }
    sum
}

#[differentiable(order = 2)]
fn of_structs(points: &[Point], k: &[usize]) -> f64 {
    let pair: [Point; 2] = points[1..].try_into().unwrap();
    let order: [usize; 2] = k[..2].try_into().unwrap();
    pair[order[0]].x * pair[1].y + pair[order[1]].y
}

#[differentiable(order = 2)]
fn in_loops(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for pair in x.chunks_exact(2) {
        let [a, b]: [f64; 2] = pair.try_into().unwrap();
        sum += a * b * b;
    }
    for k in 0..x.len() - 2 {
        let a: [f64; 3] = x[k..k + 3].try_into().unwrap();
        sum += a[0] * a[1] * a[2];
    }
    sum
}

#[test]
fn arrays_of_slices() {
    let x = vec![0.5, 0.9, 1.3, 0.7];
    let rows = vec![[0.1, 0.2], [0.4, 0.5], [0.3, 0.2]];
    let points = vec![Point { x: 0.3, y: 0.4 }, Point { x: 0.5, y: 0.6 }, Point { x: 0.7, y: 0.8 }];
    check!(places(&x) by [x]);
    check!(fields(&x, &rows) by [x, rows]);
    for k in [[0, 1], [1, 0]] {
        check!(of_structs(&points, &k) by [points]);
    }
    check!(in_loops(&x) by [x]);
    let y = [1.0, 0.5];
    check!(of_any_size(&x, y) by [x, y]);
}

#[differentiable]
fn three(x: &[f64]) -> f64 {
    product(x[1..].try_into().unwrap())
}

#[test]
#[should_panic(expected = "called `Result::unwrap()` on an `Err` value: TryFromSliceError(())")]
fn too_few() {
    three::grad(&[1.0, 2.0, 3.0]);
}

#[test]
#[should_panic(expected = "called `Result::unwrap()` on an `Err` value: TryFromSliceError(())")]
fn too_many() {
    three::grad(&[1.0, 2.0, 3.0, 4.0, 5.0]);
}
