//! Sorting by several numbers of each element, and by others where those are equal.

use crate::harness::check;
use autodiff::prelude::*;
use std::panic::catch_unwind;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Point {
    x: f64,
    y: f64,
    rank: i32,
}

#[differentiable(order = 2)]
fn points(v: &[f64; 6]) -> Vec<Point> {
    let point = |k: usize, rank: i32| Point { x: v[2 * k], y: v[2 * k + 1], rank };
    vec![point(0, 2), point(1, 1), point(2, 2)]
}

#[differentiable(order = 2)]
fn weighted(points: &[Point]) -> f64 {
    points[0].y * points[0].x + 2.0 * points[1].y * points[1].x.sin() + 3.0 * points[2].y
}

#[differentiable(order = 2)]
fn by_two_numbers(v: &[f64; 6]) -> f64 {
    let mut p = points(v);
    p.sort_by(|a, b| a.x.partial_cmp(&b.x).unwrap().then(a.y.partial_cmp(&b.y).unwrap()));
    weighted(&p)
}

#[differentiable(order = 2)]
fn by_three(v: &[f64; 6]) -> f64 {
    let mut p = points(v);
    p.sort_by(|a, b| b.rank.cmp(&a.rank).then_with(|| a.x.total_cmp(&b.x)).then_with(|| b.y.total_cmp(&a.y)));
    weighted(&p)
}

#[differentiable(order = 2)]
fn by_a_tuple(v: &[f64; 6]) -> f64 {
    let mut p = points(v);
    p.sort_by_key(|p| (p.rank % 2, -p.rank));
    weighted(&p)
}

#[differentiable(order = 2)]
fn places(v: &[f64; 6]) -> f64 {
    let mut order: Vec<usize> = (0..6).collect();
    order.sort_by(|&i, &j| v[i].partial_cmp(&v[j]).unwrap().then(j.cmp(&i)));
    let lowest = order[0];
    order.sort_unstable_by(|i, j| v[*j].total_cmp(&v[*i]).then_with(|| i.cmp(j)));
    v[order[0]] * v[order[1]] + v[lowest] * v[order[5]]
}

/// Where the ranks differ, the second numbers are compared all the same.
#[differentiable]
fn compared_always(v: &[f64; 6]) -> f64 {
    let mut p = points(v);
    p.sort_by(|a, b| a.rank.cmp(&b.rank).then(a.x.partial_cmp(&b.x).unwrap()));
    p[0].y
}

#[differentiable]
fn compared_if_equal(v: &[f64; 6]) -> f64 {
    let mut p = points(v);
    p.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| a.x.partial_cmp(&b.x).unwrap()));
    p[0].y
}

#[test]
fn the_first_that_differs_counts() {
    for v in [[1.0, 2.0, 1.1, 0.5, 0.3, 4.0], [0.3, 2.0, 0.2, 0.5, 0.6, 1.0], [3.0, 2.0, 1.0, 0.5, 2.5, 4.0]] {
        check!(by_two_numbers(&v) by v);
        check!(by_three(&v) by v);
        check!(by_a_tuple(&v) by v);
        check!(places(&v) by v);
    }
    // The first and the second point have the same `x`.
    let equal = [1.0, 2.0, 1.0, 0.5, 0.3, 4.0];
    assert_eq!(by_two_numbers::grad(&equal), [0.0, 3.0, equal[3] * 2.0 * 1.0_f64.cos(), 2.0 * 1.0_f64.sin(), 4.0, 0.3]);
    // Whether NaN meets a number says whether it is compared.
    let v = [0.5, 1.0, f64::NAN, 2.0, 0.7, 3.0];
    assert!(catch_unwind(|| compared_always(&v)).is_err());
    assert!(catch_unwind(|| compared_always::grad(&v)).is_err());
    assert_eq!(compared_if_equal(&v), 2.0);
    assert_eq!(compared_if_equal::grad(&v), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
}
