//! Linear equations inside of loops, branches, calls and closures, and of matrices that change.

use crate::harness::check;
use autodiff::prelude::*;

type Matrix = Tensor2<f64, 3, 3>;
type Vector = Tensor1<f64, 3>;

#[differentiable(order = 2)]
fn matrix(p: &[f64; 9]) -> Matrix {
    Tensor2::from([[p[0] + 4.0, p[1], p[2]], [p[3], p[4] + 5.0, p[5]], [p[6], p[7], p[8] + 6.0]])
}

/// Steps of Newton's method: each of them solves with another matrix.
#[differentiable(order = 2)]
fn newton(p: &[f64; 9], steps: usize) -> f64 {
    let m = matrix(p);
    let goal: Vector = Tensor1::from([1.0, -0.5, 2.0]);
    let mut x: Vector = Tensor1::zeros();
    for _ in 0..steps {
        let residual = m.matmul(x) + x * x * x - goal;
        let mut jacobian = m;
        for i in 0..3 {
            jacobian[[i, i]] += 3.0 * x[[i]] * x[[i]];
        }
        x = x - jacobian.solve(residual);
    }
    x.dot(x)
}

/// Until the residual is small.
#[differentiable(order = 2)]
fn refined(p: &[f64; 9]) -> f64 {
    let m = matrix(p);
    let b: Vector = Tensor1::from([1.0, 2.0, -1.0]);
    let mut x: Vector = Tensor1::zeros();
    let mut size = 1.0;
    #[max_iters(50)]
    while size > 1e-20 {
        let r = b - m.matmul(x);
        x = x + r / 8.0 + m.t().solve(r) * 0.01;
        size = r.dot(r);
    }
    x.sum()
}

/// One branch factorises, the other does not.
#[differentiable(order = 2)]
fn either(p: &[f64; 9]) -> f64 {
    let m = matrix(p);
    let s = if p[0] > 0.0 { m.inverse() } else { m.t() };
    let d = if p[1] > 0.0 { m.det() } else { m.ln_det() };
    s.trace() * d + m.ln_det()
}

#[differentiable(order = 2)]
fn energy(l: &Matrix, b: &Vector) -> f64 {
    let y = l.solve_triangular(b);
    let z = l.t().solve_triangular_upper(y);
    z.dot(b) + 2.0 * l.ln_det()
}

/// A callee takes the Cholesky factor.
#[differentiable(order = 2)]
fn called(p: &[f64; 9]) -> f64 {
    let m = matrix(p);
    let l = m.matmul(m.t()).cholesky();
    let b: Vector = Tensor1::from([1.0, -1.0, 0.5]);
    let scaled = |k: f64| energy(&l, &(b * k));
    scaled(1.0) - 0.5 * scaled(2.0)
}

/// A matrix that is changed in place, and solved with before and after.
#[differentiable(order = 2)]
fn changed(p: &[f64; 9]) -> f64 {
    let mut m = matrix(p);
    let b: Tensor2<f64, 3, 2> = Tensor2::from([[1.0, 0.5], [0.25, -1.0], [2.0, 1.0]]);
    let before = m.solve(b);
    damp(&mut m, p[4]);
    m = m + Tensor2::<f64, 3, 3>::eye();
    let after = m.solve(before);
    (after * before).sum() + m.det() * 0.01
}

#[differentiable(order = 2)]
fn damp(m: &mut Matrix, by: f64) {
    m[[1, 1]] += by * by;
    m[[0, 2]] *= by;
}

#[test]
fn solved_in_loops_and_branches() {
    let p = [0.3, -0.5, 0.7, 0.2, -0.4, 0.6, -0.1, 0.9, 0.8];
    let q = [-0.3, 0.5, 0.1, -0.7, 0.4, 0.2, 0.6, -0.9, 0.5];
    for p in [p, q] {
        check!(newton(&p, 0) by p);
        check!(newton(&p, 4) by p);
        check!(refined(&p) by p);
        check!(either(&p) by p);
        check!(called(&p) by p);
        check!(changed(&p) by p);
    }
}
