//! Tuples of numbers, integers and truth values as results of functions.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

/// A square root, and how many steps it takes.
#[differentiable(order = 2)]
fn newton(a: f64) -> (f64, usize) {
    let mut x = a;
    let mut steps = 0;
    while (x * x - a).abs() > 1e-12 && steps < 50 {
        x = 0.5 * (x + a / x);
        steps += 1;
    }
    (x, steps)
}

/// The integer stands first, and beside it what an early `return` gives.
#[differentiable(order = 2)]
fn clamped(a: f64, limit: f64) -> (bool, f64) {
    if a > limit {
        return (true, limit + 0.1 * a * a);
    }
    (false, a * a)
}

#[differentiable(order = 2)]
fn largest(x: &[f64; 4]) -> ([f64; 3], usize) {
    let mut at = 0;
    for i in 0..4 {
        if x[i] > x[at] {
            at = i;
        }
    }
    ([x[at], x[at] * x[0], x[at].sin()], at)
}

#[differentiable(order = 2)]
fn nested(a: f64) -> ((f64, usize), bool, (u8, bool)) {
    ((a * a * a, 3), a > 1.0, (2, a > 2.0))
}

#[differentiable(order = 2)]
fn table(a: f64) -> [(f64, usize); 2] {
    [(a * a, 1), (a.sin(), 0)]
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Liquid,
    Solid,
}

#[differentiable(order = 2)]
fn phase(t: f64) -> (f64, Phase) {
    if t > 1.0 { (t * t, Phase::Liquid) } else { (t.sin(), Phase::Solid) }
}

#[differentiable(order = 2)]
fn all(a: f64, limit: f64) -> f64 {
    let (root, steps) = newton(a);
    let (is_clamped, square) = clamped(a, limit);
    let (of_largest, at) = largest(&[a, root, 0.3 * a, limit]);
    let ((cube, n), is_large, (m, _)) = nested(a);
    let pairs = table(a);
    let mut sum = if is_clamped { square * root } else { square };
    sum += of_largest[at % 3] * steps as f64;
    sum += if is_large { cube * n as f64 } else { f64::from(m) * a };
    sum += pairs[pairs[0].1].0 * pairs[pairs[1].1].0;
    match phase(a) {
        (y, Phase::Liquid) => sum + y,
        (y, Phase::Solid) => sum * y,
    }
}

/// An `Option` of both, and both with an `Option`.
#[differentiable(order = 2)]
fn found(x: &[f64; 4], limit: f64) -> Option<(f64, usize)> {
    for (i, y) in x.iter().enumerate() {
        if *y > limit {
            return Some((y * limit, i));
        }
    }
    None
}

#[differentiable(order = 2)]
fn summed(x: &[f64; 4], limit: f64) -> (f64, Option<usize>) {
    let at = x.iter().position(|y| *y > limit);
    (x.iter().sum::<f64>() * limit, at)
}

#[differentiable(order = 2)]
fn searched(a: f64, limit: f64) -> f64 {
    let x = [a, 0.5 * a * a, 1.4 * a, 0.1];
    let (sum, at) = summed(&x, limit);
    let first = match found(&x, limit) {
        Some((y, 0)) => y,
        Some((y, i)) => y * y * i as f64,
        None => a,
    };
    let Some((y, i)) = found(&x, 0.5 * limit) else {
        return sum;
    };
    let at = if let Some(at) = at { x[at] } else { 3.0 };
    first * sum + y * at * (i + 1) as f64
}

/// In a loop, into variables that are there, and out of a closure.
#[differentiable(order = 2)]
fn repeated(a: f64, n: usize) -> f64 {
    let mut x = a;
    let mut most = 0;
    let step = |x: f64| newton(1.0 + x * x);
    for i in 0..n {
        let (next, steps) = step(x + i as f64);
        most = most.max(steps);
        if clamped(next, 2.0).0 {
            continue;
        }
        x += next / most as f64;
    }
    x * most as f64
}

#[test]
fn integers_beside_numbers() {
    for a in [0.4, 1.3, 2.4] {
        check!(all(a, limit) by a, limit = 1.5);
        check!(searched(a, limit) by a, limit = 1.5);
        for n in 0..4 {
            check!(repeated(a, n) by a);
        }
    }
}

/// The tangent of an integer is `()`.
#[test]
fn derivatives_of_tuples() {
    let (value, dot) = newton::jvp(2.0, 1.0);
    assert_eq!((value.1, dot.1), (5, ()));
    assert!((dot.0 - 0.5 / value.0).abs() < 1e-12);
    let ((_, at), pullback) = largest::vjp(&[0.1, 0.7, 0.3, 0.2]);
    assert_eq!(at, 1);
    assert_eq!(pullback(&([1.0, 10.0, 0.0], ())), [7.0, 2.0, 0.0, 0.0]);
    let (_, pullback) = nested::vjp(2.0);
    assert_eq!(pullback(&((1.0, ()), (), ())), 12.0);
    assert_eq!(table::jvp(2.0, 1.0).1[0], (4.0, ()));
    let ((root, _), residuals) = newton::forward(4.0);
    assert!((newton::pullback(&residuals, &(1.0, ())) - 0.5 / root).abs() < 1e-12);
}

/// Behind `?`, in a recursion, and of a type parameter.
#[differentiable(order = 2)]
fn checked(a: f64) -> Result<(f64, usize), String> {
    if a < 0.5 {
        return Err(format!("{a} is too small"));
    }
    Ok((a.sqrt(), 4))
}

#[differentiable(order = 2)]
fn of_checked(a: f64) -> Result<f64, String> {
    let (x, n) = checked(a)?;
    Ok(x * n as f64)
}

#[differentiable(order = 2)]
fn recursive(a: f64, n: usize) -> (f64, usize) {
    if n == 0 {
        return (a, 1);
    }
    let (x, m) = recursive(a * 0.9, n - 1);
    (x * a, m + 2)
}

type Powers<T> = (T, usize);

#[differentiable(order = 2)]
fn power<T: Real>(a: T, n: usize) -> Powers<T> {
    let mut x = a;
    for _ in 0..n {
        x = x * a;
    }
    (x, n + 1)
}

#[differentiable(order = 2)]
fn of_all(a: f64) -> f64 {
    let (y, n) = recursive(a, 3);
    let (z, m) = power(a, 2);
    match of_checked(a) {
        Ok(x) => x * y * n as f64 + z,
        Err(_) => a * z * m as f64,
    }
}

#[differentiable]
fn of_jvp(a: f64) -> f64 {
    let ((y, n), (dot, ())) = recursive::jvp(a, 2, 1.0);
    let other = power::jvp(a, n, dot);
    y * dot + n as f64 * other.1.0
}

#[test]
fn integers_through_calls() {
    for a in [0.4, 1.3] {
        check!(of_all(a) by a);
    }
    let (step, slope) = (1e-5, of_jvp::grad(1.2));
    let difference = (of_jvp(1.2 + step) - of_jvp(1.2 - step)) / (2.0 * step);
    assert!((slope - difference).abs() < 1e-6 * slope.abs(), "{slope} {difference}");
    assert_eq!(power::<f32>::jvp(2.0, 1, 1.0), ((4.0, 2), (4.0, ())));
}

#[derive(Clone, Copy, Differentiable)]
struct Newton {
    tolerance: f64,
    start: f64,
}

trait Solve {
    fn solve(&self, a: f64) -> (f64, usize);
}

#[differentiable(order = 2)]
impl Solve for Newton {
    fn solve(&self, a: f64) -> (f64, usize) {
        let mut x = self.start;
        let mut n = 0;
        while (x * x - a).abs() > self.tolerance {
            x = 0.5 * (x + a / x);
            n += 1;
        }
        (x, n)
    }
}

#[differentiable(order = 2)]
fn slowest(a: f64, start: f64) -> f64 {
    let solver = Newton { tolerance: 1e-3, start };
    let mut most = (0.0, 0);
    for i in 0..3 {
        let found = solver.solve(a + i as f64);
        if found.1 > most.1 {
            most = found;
        }
    }
    most.0 * most.1 as f64 * solver.solve(a).0
}

/// A number that changes, a number and a truth value.
#[differentiable]
fn step(x: &mut f64, y: f64) -> (f64, bool) {
    *x += y * y;
    (*x * y, *x > 1.0)
}

#[differentiable]
fn steps(a: f64) -> f64 {
    let mut s = a;
    let (u, first) = step(&mut s, 0.3 * a);
    let (v, second) = step(&mut s, a);
    s + u * v + if first == second { a } else { a * a }
}

#[test]
fn methods_and_borrows() {
    for a in [0.4, 0.7, 1.3] {
        check!(slowest(a, start) by a, start = 1.2);
        let (step, slope) = (1e-5, steps::grad(a));
        let difference = (steps(a + step) - steps(a - step)) / (2.0 * step);
        assert!((slope - difference).abs() < 1e-6 * (1.0 + slope.abs()), "{slope} {difference}");
        assert!((slope - steps::jvp(a, 1.0).1).abs() < 1e-12);
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Link {
    rate: f64,
    buffer: Vec<f64>,
}

/// What makes a list longer says whether it did.
#[differentiable(order = 2)]
impl Link {
    fn accept(&mut self, size: f64, capacity: usize) -> bool {
        if self.buffer.len() >= capacity {
            return false;
        }
        self.buffer.push(size * self.rate);
        true
    }

    fn shed(&mut self) -> usize {
        let before = self.buffer.len();
        self.buffer.retain(|size| *size > 0.5);
        before - self.buffer.len()
    }

    fn take(&mut self) -> (f64, bool) {
        match self.buffer.pop() {
            Some(size) => (size, true),
            None => (0.0, false),
        }
    }
}

#[differentiable(order = 2)]
fn queue(rate: f64, sizes: &[f64]) -> f64 {
    let mut link = Link { rate, buffer: Vec::new() };
    let mut refused = 0;
    for &size in sizes {
        if !link.accept(size, 3) {
            refused += 1;
        }
    }
    let shed = link.shed();
    let (last, was_there) = link.take();
    let rest = link.buffer.iter().sum::<f64>();
    rest + if was_there { last * last } else { rate } + rate * (refused + 10 * shed) as f64
}

#[test]
fn methods_that_tell_what_they_did() {
    let rate = 1.5;
    for sizes in [vec![], vec![0.1, 0.9, 1.1], vec![0.4, 0.2, 0.7, 0.6, 0.5]] {
        check!(queue(rate, &sizes) by [rate, sizes]);
    }
}
