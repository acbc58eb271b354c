//! Matrices of a size that is known at run time only, with elements at places that are computed.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;
use std::panic::catch_unwind;

#[differentiable(order = 2)]
fn one_element(a: f64, i: usize) -> f64 {
    let mut k = vec![vec![0.0; 4]; 4];
    k[i][i] += a * a;
    k[i][i]
}

#[differentiable(order = 2)]
fn two_elements(a: f64, i: usize, j: usize) -> f64 {
    let mut k = vec![vec![a; 4]; 3];
    k[0][0] = a * a;
    if a > 0.0 {
        k[i][j] *= a.sin();
    }
    k[i][0] * k[0][j] + k[j][i]
}

/// A truss: elements are added to rows and columns that a list chooses, and part of it is taken out.
#[differentiable(order = 2)]
fn assembly(areas: &[f64], #[no_diff] ends: &[(usize, usize)], #[no_diff] free: &[usize]) -> f64 {
    let n = areas.len() + 1;
    let mut k = vec![vec![0.0; n]; n];
    for (e, &(i, j)) in ends.iter().enumerate() {
        let stiffness = areas[e] * areas[e] + 1.0;
        k[i][i] += stiffness;
        k[j][j] += stiffness;
        k[i][j] -= stiffness;
        k[j][i] -= stiffness;
    }
    let reduced: Vec<Vec<f64>> = free.iter().map(|&p| free.iter().map(|&q| k[p][q]).collect()).collect();
    reduced[0][0] * reduced[1][1] - reduced[0][1] * reduced[1][0]
}

/// Products of what is there already.
#[differentiable(order = 2)]
fn recurrence(x: &[f64], n: usize) -> f64 {
    let mut t = vec![vec![0.0; n]; n];
    for i in 0..n {
        t[i][0] = x[i];
        for j in 1..=i {
            t[i][j] = t[i][j - 1] * t[i - 1][j - 1] + x[j];
        }
    }
    t[n - 1][n - 1]
}

#[test]
fn at_places_of_run_time() {
    check!(one_element(a, 2) by a = 0.7);
    for a in [0.7, -0.4] {
        check!(two_elements(a, 1, 2) by a);
        check!(two_elements(a, 0, 0) by a);
        check!(two_elements(a, 2, 1) by a);
    }
    let areas = [0.5, 1.2, 0.7];
    check!(assembly(&areas, &[(0, 1), (1, 2), (2, 3)], &[1, 2]) by areas);
    check!(assembly(&areas, &[(0, 3), (3, 1), (1, 2)], &[3, 0]) by areas);
    check!(recurrence(&areas, 3) by areas);
}

#[differentiable]
fn stored_nowhere(a: f64, i: usize, j: usize) -> f64 {
    let mut k = vec![vec![0.0; 4]; 4];
    k[i][j] += a;
    a * 2.0
}

#[differentiable]
fn stored_there(a: f64, i: usize, j: usize) -> f64 {
    let mut k = vec![vec![0.0; 4]; 4];
    let mut sum = 0.0;
    for _ in 0..2 {
        k[i][j] += a;
        sum += k[i][j];
    }
    sum
}

#[differentiable]
fn beside_the_diagonal(x: &[f64], m: usize, by: usize) -> f64 {
    let mut k = vec![vec![0.0; m]; m];
    for i in 0..m - 1 {
        k[i][i + by] += x[i];
    }
    let mut sum = 0.0;
    for i in 0..m {
        for j in 0..m {
            sum += k[i][j] * k[i][j];
        }
    }
    sum
}

/// The end of a row is not the beginning of the next one.
#[test]
fn behind_the_end_of_a_row() {
    let x = [0.5, 1.2, 0.7];
    assert_eq!(stored_nowhere::grad(1.0, 0, 3), 2.0);
    assert!(catch_unwind(|| stored_nowhere::grad(1.0, 0, 4)).is_err());
    assert_eq!(stored_there::grad(1.0, 0, 3), 3.0);
    assert!(catch_unwind(|| stored_there::grad(1.0, 0, 4)).is_err());
    assert!(catch_unwind(|| stored_there::jvp(1.0, 0, 4, 1.0)).is_err());
    assert_eq!(beside_the_diagonal::grad(&x, 3, 1), [1.0, 2.4, 0.0]);
    assert!(catch_unwind(|| beside_the_diagonal::grad(&x, 3, 2)).is_err());
    assert!(catch_unwind(|| beside_the_diagonal::vjp(&x, 3, 2)).is_err());
}

#[differentiable(order = 2)]
fn determinant(a: &[Vec<f64>]) -> f64 {
    let mut a = a.to_vec();
    let n = a.len();
    let mut product = 1.0;
    for k in 0..n {
        let pivot = (k..n).max_by(|&p, &q| a[p][k].abs().total_cmp(&a[q][k].abs())).unwrap();
        if pivot != k {
            a.swap(pivot, k);
            product = -product;
        }
        product *= a[k][k];
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    product
}

#[differentiable(order = 2)]
fn of_numbers(x: &[f64; 9]) -> f64 {
    let rows: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|j| x[3 * i + j]).collect()).collect();
    determinant(&rows)
}

#[differentiable(order = 2)]
fn rows_swapped(mut a: Vec<Vec<f64>>, i: usize, j: usize) -> f64 {
    a.swap(i, j);
    a[0][0] * a[1][0] + a[0][1] * a[0][1]
}

#[test]
fn rows_change_places() {
    let x = [0.5, 2.0, 1.0, 3.0, 0.1, 4.0, 1.0, 7.0, -2.0];
    check!(of_numbers(&x) by x);
    let a = || vec![vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0]];
    assert_eq!(rows_swapped::grad(a(), 0, 1), [vec![3.0, 0.0], vec![1.0, 8.0], vec![0.0]]);
    assert_eq!(rows_swapped::grad(a(), 1, 1), [vec![3.0, 4.0], vec![1.0, 0.0], vec![0.0]]);
    assert!(catch_unwind(|| rows_swapped::grad(a(), 1, 2)).is_err(), "the cotangent of a row is as long as it was");
}
