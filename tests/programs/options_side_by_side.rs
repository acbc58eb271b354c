//! `None` beside `Some` in an array, and as one of the values of a loop; a `Box` of what is evaluated once.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;
use std::cell::Cell;

#[differentiable(order = 2)]
fn in_an_array(x: f64) -> f64 {
    let all = [None, Some(x), Some(x * x)];
    let mut sum = 0.0;
    for one in all {
        if let Some(y) = one {
            sum += y * x;
        }
    }
    for one in &all {
        sum += one.unwrap_or(x);
    }
    sum
}

#[differentiable(order = 2)]
fn in_a_list(x: f64) -> f64 {
    let all = vec![None, Some(x), None, Some(x * x)];
    let mut sum = 0.0;
    for one in &all {
        if let Some(y) = one {
            sum += y * x;
        }
    }
    sum
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    On,
    Off,
}

#[differentiable(order = 2)]
fn of_modes(x: f64) -> f64 {
    let modes = [None, Some(Mode::On), Some(Mode::Off)];
    let mut sum = x;
    for mode in &modes {
        if let Some(Mode::On) = mode {
            sum *= x;
        } else if mode.is_none() {
            sum += x;
        }
    }
    sum
}

#[differentiable(order = 2)]
fn of_a_loop(x: f64, n: usize) -> f64 {
    let mut i = 0;
    let found = loop {
        if i > n {
            break None;
        }
        if i == 3 {
            break Some(x * x * i as f64);
        }
        i += 1;
    };
    found.unwrap_or(x)
}

fn draw(log: &Cell<usize>) -> usize {
    log.set(log.get() + 1);
    3
}

#[differentiable]
fn boxed(x: f64, #[no_diff] log: &Cell<usize>) -> f64 {
    let count = Box::new(draw(log));
    let mut product = x;
    for _ in 0..*count {
        product *= x;
    }
    product * *count as f64
}

/// In tuples, which are chosen, returned early and assigned.
#[differentiable(order = 2)]
fn roots(a: f64, b: f64) -> (f64, Option<f64>) {
    let d = a * a - b;
    if d < 0.0 {
        return (a, None);
    }
    (a + d.sqrt(), Some(a - d.sqrt()))
}

#[differentiable(order = 2)]
fn chosen(a: f64, b: f64) -> f64 {
    let (x, y) = if a < b {
        if b > 5.0 {
            return a * b;
        }
        (a, None)
    } else {
        (a + b, Some(a - b))
    };
    let (scale, weighted) = if x < 2.0 { (y, None) } else { (None, Some((x, 2.0))) };
    let (first, ((second, third), count)) = match weighted {
        Some((d, c)) if d > 3.0 => (x, ((Some(d), None), c)),
        Some(_) => (b, ((None, Some(x)), 1.0)),
        None => (a, ((None, None), 3.0)),
    };
    first * second.unwrap_or(x) + count * third.unwrap_or(0.5) * a + scale.unwrap_or(b)
}

#[differentiable(order = 2)]
fn assigned(a: f64, b: f64, n: usize) -> f64 {
    let pair;
    if a < b {
        pair = (a, None);
    } else {
        pair = (b, Some(a - b));
    }
    let mut last = (a, None);
    for k in 0..n {
        if k % 2 == 1 {
            last = (last.0 * b, Some(last.0));
        }
    }
    let (x, y) = roots(a, b);
    pair.0 * pair.1.unwrap_or(a) + x * y.unwrap_or(b) + last.0 * last.1.unwrap_or(2.0)
}

#[test]
fn options_beside_each_other() {
    check!(in_an_array(x) by x = 0.3);
    check!(in_a_list(x) by x = 0.3);
    check!(of_modes(x) by x = 0.3);
    for n in 0..5 {
        check!(of_a_loop(x, n) by x = 0.3);
    }
}

#[test]
fn a_box_of_what_is_evaluated_once() {
    let log = Cell::new(0);
    // 3 x⁴
    assert_eq!(boxed::value_and_grad(0.5, &log), (0.1875, 1.5));
    assert_eq!(log.get(), 1);
    for (a, b) in [(1.4, 0.3), (0.4, 0.9), (0.4, 6.0), (2.5, 0.7)] {
        check!(chosen(a, b) by a, b);
        check!(assigned(a, b, 4) by a, b);
    }
}
