//! A `Vec` that is copied, changed in places, and returned: its cotangent goes through as a whole.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Debug)]
struct Log {
    values: Vec<f64>,
    rate: f64,
    rows: Vec<Vec<f64>>,
}

#[differentiable(order = 2)]
fn same(l: &[f64]) -> Vec<f64> {
    l.to_vec()
}

#[differentiable(order = 2)]
fn moved(l: Vec<f64>) -> Vec<f64> {
    l
}

#[differentiable(order = 2)]
fn first_raised(l: &[f64], k: f64) -> Vec<f64> {
    let mut m = l.to_vec();
    m[0] += k;
    m
}

#[differentiable(order = 2)]
fn one_scaled(mut l: Vec<f64>, i: usize, k: f64) -> Vec<f64> {
    if i < l.len() {
        l[i] *= k;
    }
    l
}

#[differentiable(order = 2)]
fn both(l: &[f64], k: f64) -> (Vec<f64>, f64) {
    let mut m = l.to_vec();
    m[0] += k;
    (m, k * l[0])
}

#[differentiable(order = 2)]
fn calls(x: &[f64], k: f64) -> f64 {
    let a = same(x);
    let b = first_raised(&a, k);
    let mut c = moved(b);
    for i in 0..4 {
        c = one_scaled(c, i, k + 0.1 * i as f64);
        if c[0] > 1.0 {
            c = first_raised(&c, -k * k);
        }
    }
    let (d, r) = both(&c, c[1]);
    d.iter().zip(x).map(|(d, x)| d * d * x).sum::<f64>() * r + a[1]
}

#[test]
fn of_numbers() {
    for k in [0.7, 2.1] {
        let x = [0.5, -1.2, 0.9];
        check!(calls(&x, k) by [x, k]);
    }
}

#[differentiable(order = 2)]
fn copied_rows(l: &[Vec<f64>]) -> Vec<Vec<f64>> {
    l.to_vec()
}

#[differentiable(order = 2)]
fn row_changed(l: &[Vec<f64>], k: f64) -> Vec<Vec<f64>> {
    let mut m = l.to_vec();
    m[1][0] *= k;
    m
}

#[differentiable(order = 2)]
fn of_rows(x: &[f64], k: f64) -> f64 {
    let rows: Vec<Vec<f64>> = (0..x.len()).map(|i| (0..=i).map(|j| x[i] * x[j]).collect()).collect();
    let mut rows = copied_rows(&rows);
    for _ in 0..2 {
        rows = row_changed(&rows, k);
    }
    rows.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>()).sum()
}

#[test]
fn of_rows_of_several_lengths() {
    let x = [0.5, -1.2, 0.9];
    check!(of_rows(&x, k) by [x, k = 1.4]);
}

#[differentiable(order = 2)]
fn faster(mut log: Log) -> Log {
    log.rate *= 3.0;
    log
}

#[differentiable(order = 2)]
fn rebuilt(log: Log) -> Log {
    Log { rate: log.rate * 2.0, values: log.values, rows: log.rows }
}

#[differentiable(order = 2)]
fn bumped(log: &Log, k: f64) -> Log {
    let mut other = log.clone();
    other.rate *= k;
    other.values[0] += k;
    other.rows[1][0] -= k;
    other
}

#[differentiable(order = 2)]
fn updated(log: &Log, k: f64) -> Log {
    Log { rate: log.rate * k, ..log.clone() }
}

#[differentiable(order = 2)]
fn total(log: &Log) -> f64 {
    let rows = log.rows.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>()).sum::<f64>();
    log.values.iter().map(|v| v * v).sum::<f64>() * log.rate + rows
}

#[differentiable(order = 2)]
fn of_structs(x: &[f64], k: f64) -> f64 {
    let rows: Vec<Vec<f64>> = (0..2).map(|i| (0..3 - i).map(|j| x[j] * k + i as f64).collect()).collect();
    let mut log = Log { values: x.to_vec(), rate: k, rows };
    for i in 0..3 {
        log = bumped(&log, k * x[i]);
        if i != 1 {
            log = updated(&faster(log), x[0]);
        }
    }
    let log = rebuilt(log);
    total(&log)
}

#[test]
fn in_structs() {
    let x = [0.5, -1.2, 0.9];
    check!(of_structs(&x, k) by [x, k = 1.4]);
}
