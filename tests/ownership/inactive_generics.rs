//! Functions with const parameters whose arguments carry no derivative: of which size the result is, rustc knows.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Row<const A: usize> {
    v: [f64; A],
}

#[differentiable(order = 2)]
impl<const A: usize> Row<A> {
    fn twice(&self) -> [f64; A] {
        self.v.map(|x| x * 2.0)
    }
}

#[differentiable(order = 2)]
fn twice<const A: usize>(x: &[f64; A]) -> [f64; A] {
    x.map(|v| 2.0 * v)
}

#[differentiable(order = 2)]
fn pair<const A: usize>(x: &[f64; A]) -> ([f64; A], f64) {
    (x.map(|v| 2.0 * v), x[0])
}

#[differentiable(order = 2)]
fn transpose<const A: usize, const B: usize>(x: &[[f64; B]; A]) -> [[f64; A]; B] {
    std::array::from_fn(|i| std::array::from_fn(|j| x[j][i]))
}

#[differentiable(order = 2)]
fn of_an_array(a: f64) -> f64 {
    let x0 = [1.0, -0.5];
    let t = twice(&x0);
    let u = twice(&[a, a * a, 1.0]);
    let (p, k) = pair(&[1.0, 2.0]);
    let sum: f64 = t.iter().map(|v| v * a).sum();
    a * t[1] * u[1] + sum * p[1] * k + Row { v: [1.0, 3.0] }.twice()[1] * a
}

#[differentiable(order = 2)]
fn of_rows(a: f64, i: usize) -> f64 {
    let t = transpose(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let mut sum = 0.0;
    for j in 0..3 {
        if t[j][i] > 1.5 {
            sum += a * t[j][i] * a;
        }
    }
    for row in &t {
        sum += row[0] * a * sum;
    }
    for v in t.iter().flatten() {
        sum += v * a;
    }
    sum
}

fn same<const A: usize>(x: &[f64; A]) -> [f64; A] {
    *x
}

#[differentiable(order = 2)]
fn weighted<const A: usize>(w: &[f64; A], x: &[f64; A]) -> f64 {
    let mut sum = 0.0;
    for i in 0..A {
        sum += w[i] * x[i] * x[i];
    }
    sum
}

#[differentiable(order = 2)]
fn product<const A: usize, const B: usize, const C: usize>(x: &[[f64; B]; A], y: &[[f64; C]; B]) -> [[f64; C]; A] {
    let mut out = [[0.0; C]; A];
    for i in 0..A {
        for j in 0..C {
            for k in 0..B {
                out[i][j] += x[i][k] * y[k][j];
            }
        }
    }
    out
}

/// The size of what a call without a derivative gives tells those of another call.
#[differentiable(order = 2)]
fn of_products(a: f64, n: usize) -> f64 {
    let m = [[a, 1.0], [0.5, a * a]];
    let mut sum = weighted(&same(&[1.0, 2.0]), &[a, a * a]);
    for i in 0..n {
        let x = [[1.0], [i as f64]];
        let t = transpose(&x);
        sum += product(&t, &product(&m, &x))[0][0];
        sum += product(&product(&t, &transpose(&t)), &[[a]])[0][0];
    }
    sum * a
}

#[test]
fn of_constants() {
    check!(of_an_array(a) by a = 0.7);
    for i in 0..2 {
        check!(of_rows(a, i) by a = 0.7);
    }
    for n in 0..3 {
        check!(of_products(a, n) by a = 0.8);
    }
}
