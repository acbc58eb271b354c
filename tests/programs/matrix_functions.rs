//! Exponentials, eigenvalues and singular values inside of loops, branches, calls and closures, and of matrices that change.

use crate::harness::check;
use autodiff::prelude::*;

type Matrix = Tensor2<f64, 3, 3>;

#[differentiable(order = 2)]
fn matrix(p: &[f64; 9]) -> Matrix {
    Tensor2::from([[p[0] + 1.0, p[1], p[2]], [p[3], p[4] + 3.0, p[5]], [p[6], p[7], p[8] - 2.0]])
}

/// A linear system of differential equations, step by step, whose matrix depends on the state.
#[differentiable(order = 2)]
fn flow(p: &[f64; 9], steps: usize) -> f64 {
    let m = matrix(p);
    let mut x: Tensor1<f64, 3> = Tensor1::from([1.0, -0.5, 2.0]);
    for _ in 0..steps {
        let mut generator = m * 0.2;
        for i in 0..3 {
            generator[[i, i]] -= 0.1 * x[[i]] * x[[i]];
        }
        x = generator.expm().matmul(x);
    }
    x.dot(x)
}

/// Until the largest eigenvalue is small.
#[differentiable(order = 2)]
fn damped(p: &[f64; 9]) -> f64 {
    let mut m = matrix(p);
    let mut total = 0.0;
    #[max_iters(20)]
    while m.eigvalsh()[[2]] > 1.0 {
        let (values, vectors) = m.eigh();
        for i in 0..3 {
            m[[i, i]] -= 0.5 * values[[2]] * vectors[[i, 2]].abs();
        }
        total += values[[0]] * values[[1]];
    }
    total + m.sum()
}

/// One branch has eigenvalues, the other singular values.
#[differentiable(order = 2)]
fn either(p: &[f64; 9]) -> f64 {
    let m = matrix(p);
    let values = if p[0] > 0.0 { m.eigvalsh() } else { m.singular_values() };
    let weights: Tensor1<f64, 3> = Tensor1::from([1.0, p[1], -0.5]);
    values.dot(weights)
}

#[differentiable(order = 2)]
fn spread(m: &Matrix) -> f64 {
    let s = m.singular_values();
    s[[0]] / s[[2]]
}

/// A callee, and a closure with several results.
#[differentiable(order = 2)]
fn called(p: &[f64; 9]) -> f64 {
    let m = matrix(p);
    let parts = |k: f64| {
        let (values, vectors) = (m * k).eigh();
        (values.max(), vectors.matmul(values))
    };
    let (largest, combined) = parts(0.5);
    let thin: Tensor2<f64, 3, 2> = m.slice([0..3, 1..3]);
    spread(&m) * largest + combined.sum() + thin.singular_values().sum()
}

/// A matrix that is changed through a mutable borrow, before and after.
#[differentiable(order = 2)]
fn changed(p: &[f64; 9]) -> f64 {
    let mut m = matrix(p);
    let before = m.eigvalsh();
    exponentiate(&mut m, p[4]);
    let after = m.eigvalsh();
    before.dot(after)
}

#[differentiable(order = 2)]
fn exponentiate(m: &mut Matrix, by: f64) {
    *m = (*m * (0.1 * by)).expm();
    m[[0, 2]] *= by;
}

/// A function of a symmetric matrix by its eigenvalues is that of its series.
#[differentiable(order = 2)]
fn twice(p: &[f64; 9]) -> f64 {
    let m = matrix(p);
    let symmetric = (m + m.t()) * 0.25;
    let (values, vectors) = symmetric.eigh();
    let by_values = (vectors * values.exp()).matmul(vectors.t());
    let weights = symmetric * m;
    (by_values * weights).sum() - (symmetric.expm() * weights).sum()
}

#[test]
fn matrix_functions_in_loops_and_branches() {
    let p = [0.3, -0.5, 0.7, 0.2, -0.4, 0.6, -0.1, 0.9, 0.8];
    let q = [-0.3, 0.5, 0.1, -0.7, 0.4, 0.2, 0.6, -0.9, 0.5];
    for p in [p, q] {
        check!(flow(&p, 0) by p);
        check!(flow(&p, 3) by p);
        check!(damped(&p) by p);
        check!(either(&p) by p);
        check!(called(&p) by p);
        check!(changed(&p) by p);
        assert!(twice(&p).abs() < 1e-13);
        assert!(twice::grad(&p).iter().all(|x| x.abs() < 1e-13));
    }
}
