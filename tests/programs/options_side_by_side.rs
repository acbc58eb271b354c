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
}
