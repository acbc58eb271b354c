//! Rows of lists of lists that are stored and read as a whole, and elements beside them.
#![allow(clippy::all, clippy::pedantic)]

use autodiff::prelude::*;
#[differentiable(order = 2)]
fn rows(x: &[f64], n: usize) -> f64 {
    let m = x.len();
    let mut table = vec![vec![0.0; m]; n];
    for i in 0..n {
        let mut row = vec![0.0; m];
        for j in 0..m {
            row[j] = x[j] * (i as f64 + 1.0) + if i > 0 { table[i - 1][j].sin() } else { 0.3 };
        }
        table[i] = row;
    }
    for i in 1..n {
        let before = table[i - 1].clone();
        for j in 0..m {
            table[i][j] += before[(j + 1) % m] * before[j];
        }
    }
    let last = table[n - 1].clone();
    let mut sum = 0.0;
    for j in 0..m {
        sum += last[j] * table[0][j];
    }
    sum
}
#[differentiable]
fn norm(v: &[f64]) -> f64 {
    let mut s = 0.0;
    for x in v {
        s += x * x;
    }
    s.sqrt()
}
#[differentiable]
fn step(v: &mut [f64], k: usize) {
    let n = v.len();
    for i in 0..n {
        v[i] = (v[i] + 0.1 * v[(i + k) % n]).tanh();
    }
}
#[differentiable(order = 2)]
fn trajectory(x: &[f64], steps: usize) -> f64 {
    let mut state = x.to_vec();
    let mut kept = vec![vec![0.0; x.len()]; steps];
    for t in 0..steps {
        if t % 2 == 0 {
            step(&mut state, 1);
        } else {
            step(&mut state, 2);
        }
        kept[t] = state.clone();
    }
    let mut loss = 0.0;
    for t in 0..steps {
        loss += norm(&kept[t]) * norm(&kept[steps - 1 - t]);
    }
    loss
}
#[differentiable]
fn picked(x: &[f64], n: usize, k: usize) -> f64 {
    let mut table = vec![vec![0.0; x.len()]; n];
    for i in 0..n {
        table[i] = x.to_vec();
    }
    let mut sum = 0.0;
    for i in 0..n {
        let row = table[i + k].clone();
        for j in 0..row.len() {
            sum += row[j] * row[j];
        }
    }
    sum
}
fn numbers(len: usize, from: usize) -> Vec<f64> {
    (from..from + len).map(|k| (0.9 * k as f64).sin() + 0.1).collect()
}

#[test]
fn rows_of_earlier_rows() {
    autodiff::check_grads!(rows, &numbers(4, 1), 3);
    autodiff::check_grads!(rows, &numbers(5, 2), 1);
}

#[test]
fn states_that_are_kept() {
    for steps in [0, 1, 2, 5] {
        autodiff::check_grads!(trajectory, &numbers(4, 1), steps);
    }
}

#[test]
fn rows_by_an_index() {
    autodiff::check_grads!(picked, &numbers(4, 1), 3, 0);
}

#[test]
#[should_panic(expected = "out of range")]
fn no_such_row() {
    let _ = picked::grad(&numbers(4, 1), 3, 1);
}
