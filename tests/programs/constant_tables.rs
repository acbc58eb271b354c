//! Tables of tuples and of structs without a derivative, for parameters that have one.

use crate::harness::check;
use autodiff::prelude::*;

const TABLE: [(f64, f64); 3] = [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)];
const BORROWED: &[(f64, f64)] = &[(-1.0, 3.0), (1.0, 2.5), (2.0, 7.0)];

#[derive(Clone, Copy, Debug, Differentiable)]
struct Knot {
    at: f64,
    weights: (f64, f64),
    before: usize,
}

const KNOTS: &[Knot] = &[
    Knot { at: 0.5, weights: (1.0, 0.1), before: 2 },
    Knot { at: 1.5, weights: (2.0, 0.2), before: 0 },
    Knot { at: 2.5, weights: (4.0, 0.3), before: 1 },
];

#[differentiable(order = 2)]
fn interpolated(table: &[(f64, f64)], x: f64) -> f64 {
    match table {
        [] => 0.0,
        [(_, y)] => *y,
        [(x0, y0), ..] if x <= *x0 => *y0,
        [.., (xn, yn)] if x >= *xn => *yn,
        _ => {
            let k = table.iter().position(|&(at, _)| at > x).unwrap();
            let ((x0, y0), (x1, y1)) = (table[k - 1], table[k]);
            y0 + (y1 - y0) * (x - x0) / (x1 - x0) * x
        }
    }
}

#[differentiable(order = 2)]
fn of_knots(knots: &[Knot], x: f64) -> f64 {
    knots.iter().map(|knot| knot.at * knot.weights.0 * x * x + knots[knot.before % knots.len()].weights.1.powf(x)).sum()
}

#[differentiable(order = 2)]
fn of_constants(x: f64) -> f64 {
    let mut sum = interpolated(BORROWED, x) * interpolated(&TABLE[1..], x);
    for k in 0..3 {
        sum += interpolated(&TABLE, x + 0.3 * k as f64);
    }
    sum * of_knots(KNOTS, x) + of_knots(&KNOTS[..1], x)
}

#[differentiable(order = 2)]
fn of_data(x: f64, #[no_diff] table: &[(f64, f64)], #[no_diff] knots: &[Knot]) -> f64 {
    interpolated(table, x) * interpolated(&table[..2], x) + of_knots(knots, x)
}

#[test]
fn tables_without_a_derivative() {
    for x in [-0.4, 0.75, 1.2, 2.3] {
        check!(of_constants(x) by x);
        check!(of_data(x, &TABLE, KNOTS) by x);
        check!(of_data(x, BORROWED, &[]) by x);
    }
    assert_eq!(of_data::grad(-0.5, &TABLE, &[]), 0.0);
}
