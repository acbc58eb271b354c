//! Types of the standard library that hold what has a derivative, and arrays of other elements.
use autodiff::prelude::*;
use std::cell::Cell;
use std::collections::VecDeque;

#[differentiable]
fn in_a_cell(x: f64) -> f64 {
    let cell = Cell::new(x);
    cell.set(cell.get() * x);
    cell.get()
}

#[differentiable]
fn a_queue(queue: &VecDeque<f64>, x: f64) -> f64 {
    queue[0] * x
}

#[differentiable]
fn gives_a_queue(x: f64) -> VecDeque<f64> {
    let mut queue = VecDeque::new();
    queue.push_back(x);
    queue
}

#[differentiable]
fn of_other_elements(x: f64) -> f64 {
    let counts = [[1_usize, 2], [3, 4]];
    let numbers: [[f64; 2]; 2] = counts;
    numbers[0][0] * x
}

fn main() {}
