//! Array patterns for arrays whose size is a constant's name.

use crate::harness::check;
use autodiff::prelude::*;

const STATES: usize = 4;

type State = [f64; STATES];

#[derive(Differentiable, Clone, Copy, Debug)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable(order = 2)]
fn state(x: f64) -> State {
    [x, x * x, 2.0 * x, x + 1.0]
}

#[differentiable(order = 2)]
fn of_calls(x: f64) -> f64 {
    let [a, _, c, d] = state(x * x);
    let ([p, .., q], r) = (state(a), c);
    a * c + d * p * q * r
}

#[differentiable(order = 2)]
fn of_parameters([a, b, c, _]: State, [d, .., e]: &State) -> f64 {
    a * b + c * d * e
}

#[differentiable(order = 2)]
fn of_rows(m: &[State; STATES], pair: &(State, f64)) -> f64 {
    let [[a, ..], _, [.., z], _] = *m;
    let [first, .., last] = m;
    let ([u, _, v, _], s) = *pair;
    a * z + first[1] * last[2] * u * v * s
}

#[differentiable(order = 2)]
fn of_elements(all: &[State]) -> f64 {
    let mut sum = 0.0;
    for [a, b, _, d] in all {
        sum += a * b * d;
    }
    for &[a, _, c, _] in all {
        sum += a * c;
    }
    sum + all.iter().map(|[a, b, c, d]| a * b * c * d).sum::<f64>()
}

#[differentiable(order = 2)]
fn of_matches(x: &State) -> f64 {
    let once = match x {
        [a, b, c, d] => a * b + c * d,
    };
    let twice = match *x {
        [a, b, _, d] if a > 0.5 => a * b * d,
        [a, ref rest @ ..] => a * rest[0] * rest[2],
    };
    let [first, rest @ ..] = x;
    once * twice + first * rest[1]
}

#[differentiable(order = 2)]
fn of_changes(x: &mut State) -> f64 {
    let [a, b, .., d] = x;
    *a *= *b;
    *d += *a * *b;
    let [mut p, ref q, r, s] = *x;
    p += q;
    let mut y = *x;
    let [first, ..] = &mut y;
    *first *= p;
    let [u, v, _, _] = y;
    p * r * s + u * v
}

#[differentiable(order = 2)]
fn of_structs(points: &[Point; STATES]) -> f64 {
    let [a, b, Point { x, .. }, d] = points;
    let [first, .., last] = *points;
    a.x * b.y * x * d.x + first.x * last.y
}

#[differentiable(order = 2)]
fn of_data(x: f64, #[no_diff] weights: &State) -> f64 {
    let [a, _, c, _] = *weights;
    x * a + x * x * c
}

#[differentiable(order = 2)]
fn of_generics<T: Real>(x: &[T; STATES]) -> T {
    let [a, b, c, d] = *x;
    a * b - c * d
}

#[differentiable(order = 2)]
fn changed(x: f64) -> f64 {
    let mut state = state(x);
    let y = of_changes(&mut state);
    y * state[0] + state[3]
}

#[test]
fn have_as_many_parts() {
    let x = [0.7, 0.3, 0.9, -0.4];
    check!(of_calls(y) by y = 0.7);
    check!(of_parameters(x, &y) by x = x, y = [0.2, 0.8, 0.1, 0.6]);
    check!(of_rows(&m, &pair) by m = [x, [0.1; 4], x, [0.4; 4]], pair = (x, 0.3));
    check!(of_elements(&all) by all = vec![x, [0.1, 0.5, 0.4, 0.8]]);
    check!(of_matches(&x) by x = x);
    check!(of_matches(&x) by x = [0.3, 0.3, 0.9, -0.4]);
    check!(changed(y) by y = 0.7);
    let point = |x: f64| Point { x, y: x * x };
    let points = [point(0.2), point(0.5), point(0.3), point(0.9)];
    check!(of_structs(&points) by points);
    check!(of_data(y, &x) by y = 0.7);
    check!(of_generics(&x) by x = x);
}
