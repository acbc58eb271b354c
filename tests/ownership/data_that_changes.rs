//! Functions of data without a derivative that others change: each call sees the data as they are by then, also where the source,
//! or the attribute, says that the function has no effect of its own.

use crate::harness::check;
use autodiff::prelude::*;
use std::cell::Cell;

struct Ring {
    at: usize,
    weights: Vec<f64>,
}

fn ring() -> Ring {
    Ring { at: 0, weights: vec![1.25, 0.75, 2.5] }
}

fn weight(ring: &Ring, k: usize) -> f64 {
    ring.weights[(ring.at + k) % ring.weights.len()]
}

fn turn(ring: &mut Ring) {
    ring.at += 1;
    ring.weights.push(0.5);
}

impl Ring {
    fn front(&self) -> f64 {
        self.weights[self.at % self.weights.len()]
    }

    fn turn(&mut self) {
        turn(self);
    }
}

#[differentiable(order = 2)]
fn functions_see_changes(x: f64, #[no_diff] ring: &mut Ring) -> f64 {
    let a = weight(ring, 1);
    let y = x * a;
    turn(ring);
    let b = weight(ring, 1);
    y * x * b + x * weight(ring, 0)
}

#[differentiable(order = 2)]
fn methods_see_changes(x: f64, #[no_diff] ring: &mut Ring) -> f64 {
    let a = ring.front();
    ring.turn();
    let b = ring.front();
    x * a + x * x * b
}

#[differentiable(order = 2, pure(weight))]
fn declared_functions_see_changes(x: f64, #[no_diff] ring: &mut Ring) -> f64 {
    let y = x * weight(ring, 0);
    turn(ring);
    y * x * weight(ring, 0)
}

#[differentiable(order = 2)]
fn lengths_see_changes(x: f64, #[no_diff] ring: &mut Ring) -> f64 {
    let mut y = x;
    for _ in 0..2 {
        y = y * x + ring.weights.len() as f64;
        turn(ring);
        y *= 0.1 * ring.weights.len() as f64;
    }
    y
}

#[differentiable(order = 2)]
fn loops_see_changes(x: f64, #[no_diff] ring: &mut Ring, n: usize) -> f64 {
    let mut y = x;
    for k in 0..n {
        if weight(ring, k) > 0.6 {
            y *= x * weight(ring, k);
        }
        ring.turn();
        y += x * ring.front();
    }
    y
}

#[differentiable(order = 2)]
fn conditions_see_changes(x: f64, #[no_diff] ring: &mut Ring, n: usize) -> f64 {
    let (mut y, mut k) = (x, 0);
    while weight(ring, 0) > 0.6 && k < n {
        y = y * x + weight(ring, 1);
        turn(ring);
        k += 1;
    }
    y * weight(ring, 0)
}

#[test]
fn each_call_sees_the_data_as_they_are() {
    check!(functions_see_changes(x, &mut ring()) by x = 0.7);
    check!(methods_see_changes(x, &mut ring()) by x = 0.7);
    check!(declared_functions_see_changes(x, &mut ring()) by x = 0.7);
    check!(lengths_see_changes(x, &mut ring()) by x = 0.7);
    check!(loops_see_changes(x, &mut ring(), 4) by x = 0.7);
    check!(conditions_see_changes(x, &mut ring(), 9) by x = 0.7);
    assert_eq!(functions_see_changes::grad(2.0, &mut ring()), 4.0 * 0.75 * 2.5 + 0.75);
}

/// It changes behind a shared reference.
#[derive(Clone)]
struct Turning {
    at: Cell<usize>,
    weights: [f64; 3],
}

impl Turning {
    fn new() -> Turning {
        Turning { at: Cell::new(0), weights: [1.25, 0.75, 2.5] }
    }

    fn front(&self) -> f64 {
        self.weights[self.at.get() % 3]
    }

    fn turned(&self) -> f64 {
        self.at.set(self.at.get() + 1);
        self.front()
    }
}

#[differentiable(order = 2)]
fn copies_are_others(x: f64, #[no_diff] data: &Turning) -> f64 {
    let copy = data.clone();
    let a = data.turned();
    let at = data.at.clone();
    let b = copy.front() * x + a * copy.turned() * x * x;
    data.turned();
    b + data.front() * x + at.get() as f64 * x * x
}

#[differentiable(order = 2)]
fn copies_in_a_loop(x: f64, #[no_diff] data: &Turning) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        let copy = data.clone();
        y = y * x * data.turned() + copy.front();
        y *= copy.turned();
    }
    y
}

#[test]
fn a_copy_does_not_change_with_what_it_is_of() {
    check!(copies_are_others(x, &Turning::new()) by x = 0.7);
    check!(copies_in_a_loop(x, &Turning::new()) by x = 0.7);
}
