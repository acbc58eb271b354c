//! Functions that call each other.

use crate::common::{assert_gradient, inner};
use autodiff::prelude::*;

/// First and second order of a function of an array, in both modes.
macro_rules! check {
    ($f:ident, $at:expr $(, $more:expr)*) => {{
        let x = $at;
        let (value, g) = $f::value_and_grad(&x $(, $more)*);
        assert_eq!(value, $f(&x $(, $more)*));
        assert_gradient(&x, &g, |x| $f(x $(, $more)*));
        let mut v = x;
        v.iter_mut().enumerate().for_each(|(k, v)| *v = (1.0 + k as f64).cos());
        let dot = inner(&v, &g);
        assert!(($f::jvp(&x $(, $more)*, &v).1 - dot).abs() < 1e-12);
        assert!((inner(&v, &$f::vjp(&x $(, $more)*).1(1.0)) - dot).abs() < 1e-12);
        assert_gradient(&x, &$f::hvp(&x $(, $more)*, &v), |x| inner(&v, &$f::grad(x $(, $more)*)));
    }};
}

// --- two functions --------------------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn even(x: &[f64; 2], n: usize) -> f64 {
    if n == 0 { x[0] * x[1] } else { x[0].sin() * odd(&[0.9 * x[1], x[0]], n - 1) }
}

#[differentiable(order = 2)]
fn odd(x: &[f64; 2], n: usize) -> f64 {
    if n == 0 { x[0] + x[1] * x[1] } else { even(x, n - 1) * x[1] + even(&[x[1], 0.5], n - 1) }
}

#[differentiable(order = 2)]
fn outside(x: &[f64; 2]) -> f64 {
    even(x, 3) * odd(x, 2)
}

#[test]
fn two_that_call_each_other() {
    for n in 0..5 {
        check!(even, [0.7, -0.4], n);
        check!(odd, [0.7, -0.4], n);
    }
    check!(outside, [0.7, -0.4]);
}

mod apart {
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    pub fn sum(x: &[f64]) -> f64 {
        if x.is_empty() { 0.0 } else { x[0] * x[0] + 0.5 * super::other::product(&x[1..]) }
    }
}

mod other {
    use super::apart::sum as total;
    use autodiff::prelude::*;

    /// By another name than it has where it is.
    #[differentiable(order = 2)]
    pub fn product(x: &[f64]) -> f64 {
        if x.is_empty() { 1.0 } else { x[0].cos() * total(&x[1..]) + x[0] }
    }
}

#[differentiable(order = 2)]
fn over_modules(x: &[f64; 4]) -> f64 {
    apart::sum(x) * other::product(x)
}

#[test]
fn of_different_modules_on_slices() {
    check!(over_modules, [0.7, -0.4, 0.3, 1.1]);
}

/// What is changed on the way.
#[differentiable(order = 2)]
fn fill_first(x: &mut [f64; 3], by: f64, n: usize) -> f64 {
    if n == 0 {
        return by;
    }
    x[0] = x[0] * by + x[1];
    fill_last(x, by * 0.9, n - 1) * x[0]
}

#[differentiable(order = 2)]
fn fill_last(x: &mut [f64; 3], by: f64, n: usize) -> f64 {
    x[2] = x[2] * x[0] + by;
    let rest = fill_first(x, by + 0.1, n - 1);
    rest + x[1]
}

#[differentiable(order = 2)]
fn filled(x: &[f64; 4]) -> f64 {
    let mut y = [x[0], x[1], x[2]];
    let z = fill_first(&mut y, x[3], 4);
    z * y[0] + y[2]
}

#[test]
fn arguments_that_change() {
    let x = [0.7, -0.4, 0.3, 1.1];
    let (_, g) = filled::value_and_grad(&x);
    assert_gradient(&x, &g, filled);
    let v = [0.3, 0.1, -0.7, 0.4];
    assert!((filled::jvp(&x, &v).1 - inner(&v, &g)).abs() < 1e-12);
}

#[derive(Differentiable, Clone, Copy)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable(order = 2)]
impl Pair {
    fn first(&self, n: usize) -> f64 {
        if n == 0 { self.a } else { self.a * self.second(n - 1) }
    }

    fn second(&self, n: usize) -> f64 {
        if n == 0 { self.b } else { self.b.sin() + Pair { a: self.b, b: self.a }.first(n - 1) }
    }
}

#[differentiable(order = 2)]
fn methods(x: &[f64; 2]) -> f64 {
    Pair { a: x[0], b: x[1] }.first(4)
}

#[test]
fn methods_that_call_each_other() {
    check!(methods, [0.7, -0.4]);
}

// --- more of them ---------------------------------------------------------------------------------------------

/// One of them says so.
#[differentiable(recursive, order = 2)]
fn rock(x: &[f64; 2], n: usize) -> f64 {
    if n == 0 { x[0] } else { x[0] * paper(&[x[1], x[0]], n - 1) }
}

#[differentiable(order = 2)]
fn paper(x: &[f64; 2], n: usize) -> f64 {
    if n == 0 { x[1] * x[1] } else { scissors(x, n - 1) + x[1].sin() }
}

#[differentiable(order = 2)]
fn scissors(x: &[f64; 2], n: usize) -> f64 {
    if n == 0 { x[0] - x[1] } else { rock(&[x[0], x[0] * x[1]], n - 1) * x[1] }
}

#[test]
fn three_in_a_circle() {
    for n in 0..5 {
        check!(rock, [0.7, -0.4], n);
        check!(scissors, [0.7, -0.4], n);
    }
}

/// A descent through an expression, as one would write it: the module is seen as a whole.
#[differentiable(order = 2)]
mod grammar {
    pub fn expression(x: &[f64; 3], code: &[usize]) -> f64 {
        if code.len() < 2 { term(x, code) } else { term(x, &code[..1]) + expression(x, &code[1..]) }
    }

    fn term(x: &[f64; 3], code: &[usize]) -> f64 {
        factor(x, code) * x[code.len()]
    }

    fn factor(x: &[f64; 3], code: &[usize]) -> f64 {
        if code.is_empty() { x[0].exp() } else { x[code[0]] * expression(x, &code[1..]) }
    }
}

use grammar::expression;

#[test]
fn a_module_with_a_circle() {
    let code = [2, 0, 1];
    check!(expression, [0.7, -0.4, 0.3], &code);
}

// --- by way of a parameter ------------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn halves<F: Callable<(&[f64; 2], usize), Output = f64>>(x: &[f64; 2], n: usize) -> f64 {
    F::call(&[0.5 * x[0], x[1]], n) + F::call(&[x[1], x[0]], n)
}

#[differentiable(order = 2)]
fn tree(x: &[f64; 2], n: usize) -> f64 {
    if n == 0 { x[0] * x[1] } else { halves::<tree>(x, n - 1).sin() }
}

#[test]
fn a_function_that_hands_itself_on() {
    for n in 0..4 {
        check!(tree, [0.7, -0.4], n);
    }
}
