//! Loops that choose a value: the largest, the smallest, the nearest, the last that fits.

use crate::common::assert_gradient;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn largest(x: &[f64]) -> f64 {
    let mut largest = f64::NEG_INFINITY;
    for i in 0..x.len() {
        largest = largest.max(x[i]);
    }
    largest * largest
}

#[differentiable(order = 2)]
fn smallest_from_the_first(x: &[f64]) -> f64 {
    let mut smallest = x[0];
    for i in 0..x.len() {
        smallest = x[i].min(smallest);
    }
    smallest
}

/// The values that are compared are computed, by a loop and a call.
#[differentiable(order = 2)]
fn farthest(points: &[[f64; 2]], from: &[f64; 2]) -> f64 {
    let mut farthest = 0.0;
    for point in points {
        farthest = f64::max(farthest, squared_distance(point, from));
    }
    farthest.sqrt()
}

#[differentiable(order = 2)]
fn squared_distance(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    let mut sum = 0.0;
    for k in 0..2 {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    sum
}

/// What is chosen comes with an index and with another value.
#[differentiable(order = 2)]
fn nearest(points: &[[f64; 2]], weights: &[f64], to: &[f64; 2]) -> f64 {
    let mut smallest = f64::INFINITY;
    let mut weight = 1.0;
    let mut at = 0;
    for (i, point) in points.iter().enumerate() {
        let distance = squared_distance(point, to);
        if distance < smallest {
            smallest = distance;
            weight = weights[i] * weights[i];
            at = i;
        }
    }
    smallest * weight + points[at][0]
}

/// What is chosen is computed from integers that the loop carries.
#[differentiable(order = 2)]
fn last_positive(x: &[f64], scale: f64) -> f64 {
    let mut last = scale;
    let mut seen = 0;
    for i in (0..x.len()).rev() {
        if x[i] <= 0.0 {
            seen += 1;
        } else {
            last = x[i] * scale * seen as f64;
        }
    }
    last
}

/// Not a choice: the value decays where it stays.
#[differentiable(order = 2)]
fn decaying(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for i in 0..x.len() {
        if x[i] > largest {
            largest = x[i];
        } else {
            largest *= 0.9;
        }
    }
    largest
}

/// Not a choice: what is put in its place depends on it.
#[differentiable(order = 2)]
fn climbing(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for i in 0..x.len() {
        if x[i] > largest {
            largest = 0.5 * (largest + x[i]);
        }
    }
    largest
}

/// Not a choice: every largest number so far counts.
#[differentiable(order = 2)]
fn sum_of_records(x: &[f64]) -> f64 {
    let (mut largest, mut sum) = (0.0, 0.0);
    for i in 0..x.len() {
        largest = f64::max(largest, x[i]);
        sum += largest;
    }
    sum
}

#[differentiable(order = 2)]
fn largest_of_rows(x: &[[f64; 3]]) -> f64 {
    let mut sum = 0.0;
    for row in x {
        let mut largest = row[0];
        for j in 1..3 {
            if row[j] > largest {
                largest = row[j];
            }
        }
        sum += largest * largest;
    }
    sum
}

#[differentiable(order = 2)]
fn folded(x: &[f64]) -> f64 {
    x.iter().fold(f64::INFINITY, |smallest, x| smallest.min(x * x))
}

const X: [f64; 6] = [0.5, -1.5, 2.25, -0.25, 1.75, 2.0];

#[track_caller]
fn gradient_is(x: &[f64], gradient: Vec<f64>, f: fn(&[f64]) -> f64) {
    assert_gradient(&x.to_vec(), &gradient, |x| f(x));
}

#[test]
fn first_order() {
    for x in [X.to_vec(), X.iter().rev().copied().collect(), X[..3].to_vec(), vec![-1.0]] {
        gradient_is(&x, largest::grad(&x), largest);
        gradient_is(&x, smallest_from_the_first::grad(&x), smallest_from_the_first);
        gradient_is(&x, decaying::grad(&x), decaying);
        gradient_is(&x, climbing::grad(&x), climbing);
        gradient_is(&x, sum_of_records::grad(&x), sum_of_records);
        gradient_is(&x, folded::grad(&x), folded);
        assert_gradient(&(x.clone(), 0.75), &last_positive::grad(&x, 0.75), |(x, scale)| last_positive(x, *scale));
    }
    let points = vec![[0.5, 1.0], [-2.0, 0.25], [0.25, -0.5], [1.5, 1.0]];
    let at = (points.clone(), [0.125, 0.25]);
    assert_gradient(&at, &farthest::grad(&at.0, &at.1), |(points, from)| farthest(points, from));
    let at = (points, vec![0.5, 2.0, -1.5, 0.25], [0.125, 0.25]);
    assert_gradient(&at, &nearest::grad(&at.0, &at.1, &at.2), |(points, weights, to)| nearest(points, weights, to));
    let rows = vec![[0.5, 1.0, -2.0], [3.0, -1.0, 0.5], [0.25, 0.5, 0.75]];
    assert_gradient(&rows, &largest_of_rows::grad(&rows), |rows| largest_of_rows(rows));
}

#[test]
fn second_order() {
    let v = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    assert_eq!(largest::hvp(&X, &v), [0.0, 0.0, 6.0, 0.0, 0.0, 0.0]);
    assert_eq!(folded::hvp(&X, &v), [0.0, 0.0, 0.0, 8.0, 0.0, 0.0]);
    let rows = [[0.5, 1.0, -2.0], [3.0, -1.0, 0.5]];
    let hvp = largest_of_rows::hvp(&rows, &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(hvp, [[0.0, 4.0, 0.0], [8.0, 0.0, 0.0]]);
}

/// Equal numbers share the cotangent as they come: each halves what those before it get.
#[test]
fn ties() {
    assert_eq!(largest::grad(&[1.0, 3.0, 2.0, 3.0, 3.0, 0.0]), [0.0, 1.5, 0.0, 1.5, 3.0, 0.0]);
    assert_eq!(smallest_from_the_first::grad(&[1.0, 1.0, 2.0]), [0.5, 0.5, 0.0]);
    // Whoever writes a comparison gets what it says.
    assert_eq!(largest_of_rows::grad(&[[2.0, 2.0, 2.0]]), [[4.0, 0.0, 0.0]]);
}

#[test]
fn nothing_to_choose_from() {
    assert_eq!(largest::grad(&[]), [0.0; 0]);
    assert_eq!(last_positive::grad(&[], 2.0).1, 1.0);
    assert_eq!(last_positive::grad(&[-1.0, -2.0], 2.0), (vec![0.0, 0.0], 1.0));
}

/// Where a number is none, `max` takes the other.
#[test]
fn numbers_that_are_none() {
    assert_eq!(largest::grad(&[1.0, f64::NAN, 2.0, f64::NAN]), [0.0, 0.0, 4.0, 0.0]);
}
