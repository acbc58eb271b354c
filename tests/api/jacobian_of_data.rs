//! Jacobians where short arrays of data are arguments: what is in them is known, so that tangents go in several directions, and there
//! is a pattern.

use super::sparse::assert_same;
use autodiff::prelude::*;

struct Data {
    parents: Vec<usize>,
    rel: Vec<[[f64; 2]; 2]>,
}

#[differentiable]
fn mul(a: &[[f64; 2]; 2], b: &[[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let mut p = [[0.0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            for k in 0..2 {
                p[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    p
}

#[differentiable(wrt(x))]
fn own_matrices(x: &[f64; 4], #[no_diff] d: &Data) -> Vec<f64> {
    let mut y = vec![0.0; 4];
    for i in 0..4 {
        let b = mul(&d.rel[i], &[[x[i], 0.0], [0.0, x[i]]]);
        y[i] = b[0][1];
    }
    y
}

#[differentiable(wrt(x))]
fn tree(x: &[f64; 4], #[no_diff] d: &Data) -> Vec<f64> {
    let mut all = vec![[[0.0; 2]; 2]; 4];
    let mut y = vec![0.0; 4];
    for i in 0..4 {
        let b = [[x[i], 0.0], [0.0, x[i]]];
        let p = d.parents[i];
        all[i] = if p == i { b } else { mul(&all[p], &b) };
        y[i] = all[i][0][1];
    }
    y
}

impl Data {
    fn rel_at(&self, i: usize) -> &[[f64; 2]; 2] {
        &self.rel[i]
    }
}

struct Boxed {
    m: Box<[[f64; 2]; 2]>,
    k: [[f64; 2]; 2],
}

const TABLE: [[f64; 2]; 2] = [[0.5, 1.0], [2.0, 3.0]];
fn given(k: usize) -> [[f64; 2]; 2] {
    [[k as f64; 2]; 2]
}

#[differentiable]
fn own(a: [[f64; 2]; 2], b: &[[f64; 2]; 2]) -> [[f64; 2]; 2] {
    mul(&a, b)
}

#[differentiable(wrt(x))]
fn forms(x: &[f64; 4], #[no_diff] d: &Data, #[no_diff] b: &Boxed) -> Vec<f64> {
    let mut y = vec![0.0; 4];
    let lent = &b.k;
    for i in 0..4 {
        let at = [[x[i], 0.0], [x[0], x[i]]];
        let m = mul(d.rel_at(i), &at);
        let n = mul(&b.m, &at);
        let o = mul(&TABLE, &m);
        let p = own(given(i), &n);
        let q = own(b.k, &o);
        let r = mul(lent, &p);
        let s = mul(&given(3), &q);
        y[i] = m[0][0] + n[0][1] + o[1][1] + p[0][0] * q[1][0] + r[0][0] + s[1][1];
    }
    y
}

fn data() -> Data {
    Data { parents: vec![0, 0, 1, 0], rel: (0..4).map(|k| [[1.0, 0.3], [0.7, f64::from(k)]]).collect() }
}

const X: [f64; 4] = [0.3, 0.5, 0.7, 0.2];

#[test]
fn patterns_of_data() {
    let data = data();
    let pattern = own_matrices::sparsity(&X, &data);
    assert_eq!(pattern.len(), 4);
    let mut values = vec![f64::NAN; pattern.len()];
    own_matrices::jacobian_sparse(&X, &data, &pattern, &mut values);
    assert_same(&pattern, &values, &own_matrices::jacobian(&X, &data).concat());
    // A node depends on those above it, but for the root: its number is 0.
    let pattern = tree::sparsity(&X, &data);
    assert_eq!(pattern.len(), 2 + 3 + 2);
    let mut values = vec![f64::NAN; pattern.len()];
    tree::jacobian_sparse(&X, &data, &pattern, &mut values);
    assert_same(&pattern, &values, &tree::jacobian(&X, &data).concat());
}

/// By reference, by value, behind a box, in a constant, and what a method or a function gives.
#[test]
fn forms_of_data() {
    let (data, boxed) = (data(), Boxed { m: Box::new([[0.1, 0.2], [0.3, 0.4]]), k: [[0.5, 0.2], [0.3, 0.4]] });
    let rows = forms::jacobian(&X, &data, &boxed);
    let (y, pullback) = forms::vjp(&X, &data, &boxed);
    assert_eq!(y, forms(&X, &data, &boxed));
    for column in 0..4 {
        let moved = |by: f64| {
            let mut x = X;
            x[column] += by;
            forms(&x, &data, &boxed)
        };
        let (above, below) = (moved(1e-5), moved(-1e-5));
        for (row, derivatives) in rows.iter().enumerate() {
            assert!(((above[row] - below[row]) / 2e-5 - derivatives[column]).abs() < 1e-8);
        }
    }
    for (row, derivatives) in rows.iter().enumerate() {
        let mut seed = vec![0.0; 4];
        seed[row] = 1.0;
        assert!(pullback(&seed).iter().zip(derivatives).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}
