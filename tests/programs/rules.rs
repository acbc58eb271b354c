//! Functions whose derivatives are written by hand: `#[derivative(of = …)]`, in both directions.

use crate::harness::check;
use autodiff::derivative;
use autodiff::prelude::*;

/// What the compiler does not look into.
mod elsewhere {
    pub fn cube(x: f64) -> f64 {
        x * x * x
    }

    pub fn distance(x: f64, y: f64) -> f64 {
        (x * x + y * y).sqrt()
    }

    pub fn curve(point: &[f64; 2], k: usize, t: f64) -> [f64; 3] {
        [point[0] * t, point[1] * point[0], k as f64 * t * t]
    }

    pub fn squares(values: &[f64]) -> f64 {
        values.iter().map(|x| x * x).sum()
    }

    pub fn running(values: &[f64]) -> Vec<f64> {
        let mut sum = 0.0;
        let sums = values.iter().map(|x| {
            sum += x * x;
            sum
        });
        sums.collect()
    }

    pub fn softplus(x: f64) -> f64 {
        x.exp().ln_1p()
    }

    pub struct Table {
        pub values: Vec<f64>,
    }

    impl Table {
        pub fn at(&self, x: f64) -> f64 {
            let k = x.floor() as usize;
            let t = x - k as f64;
            self.values[k] * (1.0 - t * t) + self.values[k + 1] * t * t
        }
    }
}

/// Rules stand where one likes.
mod written {
    use super::elsewhere::distance;
    use autodiff::derivative;

    #[derivative(of = super::elsewhere::cube, order = 2)]
    pub fn cube_rule(x: f64, y_bar: f64) -> f64 {
        3.0 * x * x * y_bar
    }

    #[derivative(of = distance, forward, order = 2)]
    pub fn distance_tangent(x: f64, y: f64, x_dot: f64, y_dot: f64) -> f64 {
        (x * x_dot + y * y_dot) / (x * x + y * y).sqrt()
    }

    #[derivative(of = crate::rules::elsewhere::softplus, like, order = 2)]
    pub fn softplus_reference(x: f64) -> f64 {
        (1.0 + x.exp()).ln()
    }
}

use elsewhere::{Table, curve, running, squares};

#[derivative(of = curve, order = 2)]
fn curve_rule(point: &[f64; 2], k: usize, t: f64, y_bar: &[f64; 3]) -> ([f64; 2], f64) {
    ([y_bar[0] * t + y_bar[1] * point[1], y_bar[1] * point[0]], y_bar[0] * point[0] + 2.0 * k as f64 * t * y_bar[2])
}

#[derivative(of = squares, order = 2)]
fn squares_rule(values: &[f64], y_bar: f64) -> Vec<f64> {
    values.iter().map(|x| 2.0 * x * y_bar).collect()
}

#[derivative(of = running, order = 2)]
fn running_rule(values: &[f64], y_bar: &[f64]) -> Vec<f64> {
    let mut bars = values.to_vec();
    for (k, bar) in bars.iter_mut().enumerate() {
        let mut sum = 0.0;
        for later in k..y_bar.len() {
            sum += y_bar[later];
        }
        *bar *= 2.0 * sum;
    }
    bars
}

#[derivative(of = Table::at, order = 2)]
fn at_rule(#[no_diff] table: &Table, x: f64, y_bar: f64) -> f64 {
    let k = stop_gradient(x.floor()) as usize;
    2.0 * (x - k as f64) * (table.values[k + 1] - table.values[k]) * y_bar
}

#[differentiable(order = 2)]
fn in_loops(x: f64, n: usize) -> f64 {
    let mut sum = x;
    for k in 0..n {
        sum = elsewhere::cube(sum) * 0.5 + elsewhere::distance(sum, x + k as f64);
        if sum > 3.0 {
            sum = elsewhere::softplus(sum) * 0.3;
        }
    }
    sum + elsewhere::cube(0.5) * x
}

#[differentiable(order = 2)]
fn of_arrays(x: f64, y: f64) -> f64 {
    let points = [[x, y], [y, x * y]];
    let mut sum = 0.0;
    for (k, point) in points.iter().enumerate() {
        let values = curve(point, k + 1, x * y);
        sum += values[0] * values[1] + values[2].sin();
    }
    sum * squares(&[x, y, sum]) + running(&points[1])[1]
}

#[differentiable(order = 2)]
fn of_data(#[no_diff] table: &Table, x: f64) -> f64 {
    table.at(x * 2.0) * x + Table::at(table, x)
}

fn scaled<T: Real, const N: usize>(values: &[T; N], by: T) -> T {
    values.iter().fold(T::ZERO, |sum, x| sum + *x * by)
}

#[derivative(of = scaled, order = 2)]
fn scaled_rule<T: Real, const N: usize>(values: &[T; N], by: T, y_bar: T) -> ([T; N], T) {
    let mut sum = T::ZERO;
    for x in values {
        sum += *x;
    }
    ([by * y_bar; N], sum * y_bar)
}

#[differentiable(order = 2)]
fn of_generics(x: f64, y: f64) -> f64 {
    scaled(&[x, y, x * y], y) + scaled(&[x], x * x)
}

fn mixed(a: &Tensor2<f64, 2, 2>) -> Tensor2<f64, 2, 2> {
    let mut out = *a;
    out[[0, 1]] = a[[1, 0]] * a[[0, 1]];
    out
}

#[derivative(of = mixed, forward, order = 2)]
fn mixed_tangent(a: &Tensor2<f64, 2, 2>, a_dot: &Tensor2<f64, 2, 2>) -> Tensor2<f64, 2, 2> {
    let rows = [[a_dot[[0, 0]], a_dot[[1, 0]] * a[[0, 1]] + a[[1, 0]] * a_dot[[0, 1]]], [a_dot[[1, 0]], a_dot[[1, 1]]]];
    Tensor2::from(rows)
}

#[differentiable(order = 2)]
fn of_tensors(x: f64, y: f64) -> f64 {
    let a = Tensor2::<f64, 2, 2>::from([[x, y], [y * x, 2.0]]);
    let b = mixed(&a);
    b[[0, 1]] * b[[0, 0]] + b[[1, 0]]
}

#[derive(Differentiable, Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

fn area(p: &Point, q: Point) -> f64 {
    p.x * q.y - p.y * q.x
}

/// Both directions.
#[derivative(of = area)]
fn area_rule(
    p: &Point,
    q: Point,
    y_bar: f64,
) -> (<Point as Differentiable>::Tangent, <Point as Differentiable>::Tangent) {
    let (mut p_bar, mut q_bar) = (p.zero_tangent(), q.zero_tangent());
    p_bar.x = q.y * y_bar;
    p_bar.y = -q.x * y_bar;
    q_bar.x = -p.y * y_bar;
    q_bar.y = p.x * y_bar;
    (p_bar, q_bar)
}

#[derivative(of = area, forward)]
fn area_tangent(
    p: &Point,
    q: Point,
    p_dot: &<Point as Differentiable>::Tangent,
    q_dot: &<Point as Differentiable>::Tangent,
) -> f64 {
    p_dot.x * q.y + p.x * q_dot.y - p_dot.y * q.x - p.y * q_dot.x
}

#[differentiable]
fn of_structs(x: f64, y: f64) -> f64 {
    let p = Point { x, y: y * y };
    area(&p, Point { x: y, y: x * x * x }) * area(&p, p) + area(&p, Point { x: 1.0, y: x })
}

#[test]
fn agree_with_differences() {
    for n in 0..4 {
        check!(in_loops(x, n) by x = 0.7);
    }
    check!(of_generics(x, y) by x = 0.7, y = -0.4);
    check!(of_tensors(x, y) by x = 0.7, y = -0.4);
    check!(of_arrays(x, y) by x = 0.7, y = -0.4);
    let table = &Table { values: vec![1.0, 3.0, 2.0, 7.0] };
    check!(of_data(table, x) by x = 0.6);
}

#[test]
fn have_all_derivatives() {
    let (x, y) = (0.7, -0.4);
    let step = 1e-6;
    let (by_x, by_y) = of_structs::grad(x, y);
    assert!((by_x - (of_structs(x + step, y) - of_structs(x - step, y)) / (2.0 * step)).abs() < 1e-8);
    assert!((by_y - (of_structs(x, y + step) - of_structs(x, y - step)) / (2.0 * step)).abs() < 1e-8);
    let (_, slope) = of_structs::jvp(x, y, 1.0, 2.0);
    assert!((slope - by_x - 2.0 * by_y).abs() < 1e-12);

    // Those of the function itself, by the type beside the rule.
    use written::cube;
    assert_eq!(cube::value_and_grad(2.0), (8.0, 12.0));
    assert_eq!(cube::hvp(2.0, 1.0), 12.0);
    let (by_point, by_t) = curve::jacobian(&[2.0, 3.0], 5, 0.5);
    assert_eq!(by_point, [[0.5, 0.0], [3.0, 2.0], [0.0, 0.0]]);
    assert_eq!(by_t, [2.0, 0.0, 5.0]);
    let (values, pullback) = curve::vjp(&[2.0, 3.0], 5, 0.5);
    assert_eq!(values, [1.0, 6.0, 1.25]);
    assert_eq!(pullback(&[1.0, 1.0, 1.0]), ([3.5, 2.0], 7.0));
    assert_eq!(squares::grad(&[1.0, 2.0]), [2.0, 4.0]);
    assert_eq!(scaled::grad(&[1.0_f32, 2.0], 3.0), ([3.0, 3.0], 3.0));
}
