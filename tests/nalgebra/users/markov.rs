// Markov chain: softmax rows, steps, stationary distribution.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, RowVector3, SMatrix, Vector3};

#[differentiable]
fn softmax_rows<const N: usize>(logits: &SMatrix<f64, N, N>) -> SMatrix<f64, N, N> {
    let mut p = logits.map(|v| v.exp());
    for i in 0..N {
        let s: f64 = p.row(i).sum();
        for j in 0..N {
            p[(i, j)] /= s;
        }
    }
    p
}

#[differentiable]
fn walk(logits: &Matrix3<f64>, start: RowVector3<f64>, #[no_diff] steps: usize) -> RowVector3<f64> {
    let p = softmax_rows(logits);
    let mut d = start / start.sum();
    for _ in 0..steps {
        d *= p;
    }
    d
}

#[differentiable]
fn stationary(logits: &Matrix3<f64>) -> Vector3<f64> {
    let p = softmax_rows(logits);
    let mut a = p.transpose() - Matrix3::identity();
    a.set_row(2, &RowVector3::repeat(1.0));
    a.lu().solve(&Vector3::z()).unwrap()
}

#[test]
fn gradients() {
    let logits = Matrix3::new(1.0, 0.2, -0.3, 0.1, 0.8, 0.4, -0.5, 0.3, 1.2);
    check_grads!(walk, &logits, RowVector3::new(0.5, 0.2, 0.3), 4);
    check_grads!(stationary, &logits);
    let pi = stationary(&logits);
    assert!((pi.transpose() * softmax_rows(&logits) - pi.transpose()).norm() < 1e-12);
}
