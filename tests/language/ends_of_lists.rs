//! What is taken from the ends of lists, and what is added there: the parts of `split_first` given to a closure, several structs at
//! once behind a `Vec`, and rows of a tensor from a place that run time tells.

use autodiff::prelude::*;

/// `map` and `map_or` of the parts.
#[differentiable]
fn parts(x: &[f64]) -> Option<f64> {
    let a = x.split_last().map(|(last, rest)| last * rest.iter().sum::<f64>())?;
    Some(a + x.split_first().map_or(2.0, |(first, rest)| first * rest.len() as f64))
}

#[test]
fn parts_of_a_list() {
    autodiff::check_grads!(parts, &[0.3, 0.4, 0.9]);
    autodiff::check_grads!(parts, &[0.2]);
    assert_eq!(parts(&[]), None);
    assert_eq!(parts(&[3.0, 2.0]), Some(9.0));
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn joined(x: &[f64], point: Point) -> Vec<Point> {
    let mut out = vec![point];
    out.extend([Point { x: x[0], y: 1.0 }, point]);
    out.extend_from_slice(&[point, Point { x: x[1] * point.y, y: x[0] }]);
    out.extend(vec![Point { x: x[1], y: point.y }; 2]);
    out
}

#[test]
fn structs_behind_a_vec() {
    let (x, point) = ([0.3, 0.4], Point { x: 0.5, y: 0.9 });
    autodiff::check_grads!(joined, &x, point);
    let points = joined(&x, point);
    assert_eq!(points.len(), 7);
    assert_eq!((points[1], points[4]), (Point { x: 0.3, y: 1.0 }, Point { x: 0.4 * 0.9, y: 0.3 }));
}

/// The start of `narrow` is a loop variable, and computed.
#[differentiable]
fn in_time(x: &Tensor2<f64, 6, 2>, w: &Tensor2<f64, 3, 2>, #[no_diff] from: usize) -> f64 {
    let mut sum = 0.0;
    for t in from..4 {
        sum += (x.narrow(0, t, 3) * w).sum() * (t as f64 + 1.0);
    }
    sum + x.narrow(0, from + 1, 2).sum()
}

#[differentiable]
fn rows(x: &Tensor2<f64, 4, 2>, #[no_diff] from: usize) -> Tensor2<f64, 2, 2> {
    x.narrow(0, from, 2)
}

#[test]
fn rows_from_a_place() {
    let x = Tensor2::from_fn(|[i, j]| (i + j) as f64 * 0.3);
    let w = Tensor2::from_fn(|[i, j]| (i * j) as f64 * 0.7 + 0.1);
    autodiff::check_grads!(in_time, &x, &w, 1);
    autodiff::check_grads!(rows, &Tensor2::from_fn(|[i, j]| (2 * i + j) as f64), 2);
    assert_eq!(rows(&Tensor2::from_fn(|[i, j]| (2 * i + j) as f64), 2), Tensor([[4.0, 5.0], [6.0, 7.0]]));
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn rows_beyond_the_end() {
    rows(&Tensor2::zeros(), 3);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn gradients_of_rows_beyond_the_end() {
    let _ = rows::vjp(&Tensor2::zeros(), 3);
}
