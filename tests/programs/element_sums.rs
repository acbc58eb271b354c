//! Loops that read or add to one element of an array in every iteration, with counters and parts of arrays beside it.
#![allow(clippy::all, clippy::pedantic)]

use autodiff::prelude::*;

/// A product with a lower triangle that is stored row after row.
#[differentiable]
fn triangle(d: usize, diagonal: &[f64], below: &[f64], x: &[f64], out: &mut [f64]) {
    for i in 0..d {
        out[i] = diagonal[i] * x[i];
    }
    let mut at = 0;
    for i in 0..d {
        for j in i + 1..d {
            out[j] += below[at] * x[i];
            at += 1;
        }
    }
}

/// The same over parts of arrays.
#[differentiable]
fn triangle_of_parts(diagonal: &[f64], below: &[f64], x: &[f64], out: &mut [f64]) {
    for ((o, q), v) in out.iter_mut().zip(diagonal).zip(x) {
        *o = q * v;
    }
    let mut start = 0;
    for i in 0..x.len() {
        let row = &below[start..start + x.len() - i - 1];
        let xi = x[i];
        for (o, l) in out[i + 1..].iter_mut().zip(row) {
            *o += l * xi;
        }
        start += x.len() - i - 1;
    }
}

#[differentiable(order = 2)]
fn distance(diagonal: &[f64], below: &[f64], x: &[f64]) -> f64 {
    let mut out = vec![0.0; x.len()];
    triangle(x.len(), diagonal, below, x, &mut out);
    let mut again = vec![0.0; x.len()];
    triangle_of_parts(diagonal, below, &out, &mut again);
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += out[i] * out[i] + again[i].sin();
    }
    sum
}

/// An element that there is not, in loops that do not run.
#[differentiable(order = 2)]
fn none_of(x: &[f64], rows: usize) -> f64 {
    let mut out = vec![0.0; x.len()];
    let mut at = 0;
    for i in 0..rows {
        for j in i + 2..x.len() {
            out[j] += x[at] * x[i + 1] * x[j];
            at = (at + 1) % x.len();
        }
        let mut next = 0;
        for j in i + 2..x.len() {
            out[i + 1] += x[next] * x[j];
            next += 1;
        }
    }
    let mut sum = 0.0;
    for value in &out {
        sum += value * value;
    }
    sum
}

/// Sums whose order is the user's: one by one, to an element that begins with something large.
#[differentiable]
fn in_order(x: &[f64], y: &[f64], out: &mut [f64]) {
    for i in 0..out.len() {
        for j in 0..x.len() {
            out[i] += x[j] * y[i];
        }
    }
}

fn numbers(len: usize, from: usize) -> Vec<f64> {
    (from..from + len).map(|k| (1.3 * k as f64).sin() + 0.2).collect()
}

#[test]
fn triangles() {
    for d in [1_usize, 2, 9, 20] {
        let below = d * d.saturating_sub(1) / 2;
        let (diagonal, below, x) = (numbers(d, 1), numbers(below, 5), numbers(d, 11));
        autodiff::check_grads!(distance, &diagonal, &below, &x);
    }
}

#[test]
fn elements_that_there_are_not() {
    for len in [1, 2, 3, 12] {
        // With as many rows as there are elements the last ones ask for elements behind the end, in loops that do not run.
        autodiff::check_grads!(none_of, &numbers(len, 2), len + 1);
    }
}

#[test]
fn values_are_added_up_in_order() {
    let (x, y) = (numbers(37, 3), numbers(2, 7));
    let mut out = vec![1e16, -1e16];
    let mut expected = out.clone();
    let (value, _) = in_order::vjp(&x, &y, &mut out);
    let () = value;
    in_order(&x, &y, &mut expected);
    assert_eq!(out, expected);
}

#[test]
#[should_panic(expected = "out of range")]
fn parts_that_are_too_short() {
    let _ = triangle_of_parts::vjp(&numbers(4, 1), &numbers(5, 2), &numbers(4, 3), &mut [0.0; 4]);
}

/// Two lists that a loop fills, of which one is read behind its end, if the other has so many numbers more.
#[differentiable]
fn two_lists(x: &[f64], ahead: usize) -> f64 {
    let n = x.len();
    let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        a[i] = x[i].exp();
        b[i] = a[i] * x[i];
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += a[i + ahead] * b[i];
    }
    sum
}

#[differentiable]
fn of_two_lists(x: &[f64], ahead: usize) -> f64 {
    two_lists(x, ahead).sin()
}

#[test]
fn lists_that_a_loop_fills() {
    autodiff::check_grads!(of_two_lists, &numbers(7, 3), 0);
}

#[test]
#[should_panic(expected = "out of range")]
fn behind_the_end_of_a_list() {
    let _ = of_two_lists::grad(&numbers(7, 3), 1);
}
