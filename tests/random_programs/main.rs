//! Random programs through rustc: their values and derivatives against an interpreter's, and the same bits in debug and in
//! release, which `.ci/run` compares.

#![forbid(unsafe_code)]
#![cfg(not(clippy))] // Not linted: a generator wrote them.
#![allow(warnings)]

#[rustfmt::skip]
mod programs;

/// Numbers of a program at one point.
struct Point {
    n: usize,
    /// `x`, `y`, the three of `a`, and those of `s`.
    x: &'static [f64],
    v: &'static [f64],
    y_bar: &'static [f64],
    values: &'static [f64],
    y_dot: &'static [f64],
    x_bar: &'static [f64],
    x_bar_dot: &'static [f64],
    /// The calls of functions that are not pure, in order.
    trace: &'static [(&'static str, usize)],
}

/// Runs something that has to make these calls.
fn traced<T>(name: &str, trace: &[(&'static str, usize)], run: impl FnOnce() -> T) -> T {
    programs::impure::EVENTS.take();
    let result = run();
    assert_eq!(programs::impure::EVENTS.take(), trace, "{name}: calls");
    result
}

/// `f64` or `f32`.
trait Number: Copy + Into<f64> {
    /// Relative to the largest number.
    const ROUNDING: f64;

    fn of(x: f64) -> Self;
}

impl Number for f64 {
    const ROUNDING: f64 = 1e-9;

    fn of(x: f64) -> f64 {
        x
    }
}

impl Number for f32 {
    const ROUNDING: f64 = 1e-3;

    fn of(x: f64) -> f32 {
        x as f32
    }
}

/// The arguments, hidden from the optimiser: what it computes itself it may round in another way.
fn parts<T: Number>(numbers: &[f64]) -> (T, T, [T; 3], Vec<T>) {
    let numbers: Vec<T> = numbers.iter().map(|x| T::of(std::hint::black_box(*x))).collect();
    (numbers[0], numbers[1], [numbers[2], numbers[3], numbers[4]], numbers[5..].to_vec())
}

fn flat<T: Number>((x, y, a, s): (T, T, [T; 3], Vec<T>)) -> Vec<T> {
    [&[x, y], &a[..], &s[..]].concat()
}

/// Everything that a program gave, bit by bit.
struct Digest(u64);

impl Digest {
    fn new() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    /// Compares with what is expected, up to rounding.
    fn check<T: Number>(&mut self, name: &str, what: &str, given: &[T], expected: &[f64]) {
        assert_eq!(given.len(), expected.len(), "{name}: {what}");
        let scale = expected.iter().fold(1.0_f64, |max, x| max.max(x.abs()));
        for (k, (x, y)) in given.iter().map(|x| (*x).into()).zip(expected).enumerate() {
            let x: f64 = x;
            assert!((x - y).abs() <= T::ROUNDING * scale, "{name}: number {k} of the {what} is {x:e} instead of {y:e}");
            self.0 = (self.0 ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn print(&self, name: &str) {
        println!("\nbits {name} {:016x}", self.0);
    }
}

/// Value and tangent of any program.
macro_rules! values {
    ($name:literal, $digest:ident, $program:ident, $point:ident, $flat:expr) => {{
        let ((x, y, a, s), (x_dot, y_dot, a_dot, s_dot)) = ($crate::parts($point.x), $crate::parts($point.v));
        let flat = $flat;
        let value = $crate::traced($name, $point.trace, || $program(x, y, &a, &s, $point.n));
        $digest.check($name, "value", &flat(value), $point.values);
        let (value, tangent) =
            $crate::traced($name, $point.trace, || $program::jvp(x, y, &a, &s, $point.n, x_dot, y_dot, &a_dot, &s_dot));
        $digest.check($name, "value by `jvp`", &flat(value), $point.values);
        $digest.check($name, "tangent", &flat(tangent), $point.y_dot);
    }};
}

/// The cotangents of the arguments.
macro_rules! pullback {
    ($name:literal, $digest:ident, $program:ident, $point:ident, $seed:expr, $flat:expr) => {{
        let (x, y, a, s) = $crate::parts($point.x);
        let flat = $flat;
        let (value, pullback) = $crate::traced($name, $point.trace, || $program::vjp(x, y, &a, &s, $point.n));
        $digest.check($name, "value by `vjp`", &flat(value), $point.values);
        let gradient = $crate::traced($name, &[], || pullback($seed));
        $digest.check($name, "cotangent", &$crate::flat(gradient), $point.x_bar);
    }};
}

/// A program that gives a number, without second derivatives.
macro_rules! first {
    ($name:literal, $program:ident, $points:expr) => {{
        let mut digest = $crate::Digest::new();
        for point in $points {
            $crate::gradient!($name, digest, $program, point);
        }
        digest.print($name);
    }};
}

macro_rules! gradient {
    ($name:literal, $digest:ident, $program:ident, $point:ident) => {{
        $crate::values!($name, $digest, $program, $point, |value| [value]);
        let (x, y, a, s) = $crate::parts($point.x);
        let (value, gradient) =
            $crate::traced($name, $point.trace, || $program::value_and_grad(x, y, &a, &s, $point.n));
        $digest.check($name, "value with the gradient", &[value], $point.values);
        $digest.check($name, "gradient", &$crate::flat(gradient), $point.x_bar);
        $crate::pullback!($name, $digest, $program, $point, $crate::Number::of($point.y_bar[0]), |value| [value]);
    }};
}

/// A program that gives a number.
macro_rules! number {
    ($name:literal, $program:ident, $points:expr) => {{
        let mut digest = $crate::Digest::new();
        for point in $points {
            $crate::gradient!($name, digest, $program, point);
            let ((x, y, a, s), (x_dot, y_dot, a_dot, s_dot)) = ($crate::parts(point.x), $crate::parts(point.v));
            let second = $crate::traced($name, point.trace, || {
                $program::hvp(x, y, &a, &s, point.n, x_dot, y_dot, &a_dot, &s_dot)
            });
            digest.check($name, "product with the Hessian", &$crate::flat(second), point.x_bar_dot);
        }
        digest.print($name);
    }};
}

/// A program that gives two numbers.
macro_rules! pair {
    ($name:literal, $program:ident, $points:expr) => {{
        let mut digest = $crate::Digest::new();
        for point in $points {
            $crate::values!($name, digest, $program, point, |(a, b)| [a, b]);
            let seed = ($crate::Number::of(point.y_bar[0]), $crate::Number::of(point.y_bar[1]));
            $crate::pullback!($name, digest, $program, point, &seed, |(a, b)| [a, b]);
        }
        digest.print($name);
    }};
}

/// A program that gives an array.
macro_rules! array {
    ($name:literal, $program:ident, $points:expr) => {{
        let mut digest = $crate::Digest::new();
        for point in $points {
            $crate::values!($name, digest, $program, point, |value| value);
            let seed = [$crate::Number::of(point.y_bar[0]), $crate::Number::of(point.y_bar[1])];
            $crate::pullback!($name, digest, $program, point, &seed, |value| value);
        }
        digest.print($name);
    }};
}

use {array, first, gradient, number, pair, pullback, values};
