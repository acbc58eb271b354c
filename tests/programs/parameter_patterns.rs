//! Parameters that are patterns.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug)]
struct P {
    x: f64,
    y: f64,
}
#[differentiable(order = 2)]
fn f((a, mut b): (f64, f64), P { x, y: z }: P, _: f64, [u, v]: [f64; 2], #[no_diff] (n, _): (usize, f64)) -> f64 {
    b *= a;
    for _ in 0..n {
        b += x * z * u;
    }
    b * v
}
#[differentiable(order = 2)]
fn g(&(a, b): &(f64, f64), P { x, .. }: &P, parameter_0: f64) -> f64 {
    a * b * x * parameter_0
}
#[differentiable(order = 2)]
impl P {
    fn m(&self, (a, b): (f64, f64)) -> f64 {
        self.x * a + self.y * b * b
    }
}
#[differentiable(order = 2)]
fn caller(x: f64) -> f64 {
    let p = P { x, y: x * x };
    f((x, 2.0), p, 1.0, [x, 3.0], (2, 0.0)) + g(&(x, x), &p, 2.0) + p.m((x, x))
}

#[test]
fn parameters_are_taken_apart() {
    check!(caller(x) by x = 1.3);
    let p = P { x: 1.5, y: 0.5 };
    let (value, (pair, of_p, unread, list)) = f::value_and_grad((2.0, 3.0), p, 1.0, [1.0, 2.0], (3, 0.0));
    assert_eq!((value, pair, of_p.x, of_p.y, unread, list), (16.5, (6.0, 4.0), 3.0, 9.0, 0.0, [4.5, 8.25]));
    assert_eq!(g::value_and_grad(&(2.0, 3.0), &p, 1.0).0, 9.0);
}
