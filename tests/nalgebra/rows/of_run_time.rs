//! Operators and methods of vectors and matrices whose sizes run time tells.

use crate::oracle::{m, rows};
use autodiff::prelude::*;
use nalgebra::{DMatrix, DVector};
#[allow(unused_imports)]
use num_dual::DualNum as _;

/// A matrix of so many rows and columns.
fn d(rows: usize, columns: usize, seed: f64) -> DMatrix<f64> {
    m::<4, 4>(seed).view((0, 0), (rows, columns)).clone_owned()
}

fn v(rows: usize, seed: f64) -> DVector<f64> {
    d(rows, 1, seed).column(0).clone_owned()
}

rows! {
    dual operators_of_vectors_1(x: DVector = v(3, 0.4), y: DVector = v(3, 0.9)) {
        RunVector.add_run_vector => (x + y).dot(x);
        RunVector.sub_run_vector => (x - y).dot(x);
        RunVector.mul_number => (x * y[0]).dot(y);
        RunVector.div_number => (x / y[0]).dot(y);
    }
    dual operators_of_vectors_2(a: DMatrix = d(3, 2, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4), y: DVector = v(3, 0.9)) {
        RunVector.mul_run_matrix => (x * y.transpose() * a).dot(b);
        RunVector.tr_mul_run_matrix => (x.tr_mul(a) * a.tr_mul(y)).norm() * x[1];
        RunVector.neg => (-x).dot(y);
    }
    dual operators_1(a: DMatrix = d(3, 2, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4), y: DVector = v(3, 0.9)) {
        RunMatrix.add_run_matrix => (a + b).dot(a);
        RunMatrix.sub_run_matrix => (a - b).dot(a);
        RunMatrix.mul_number => (a * y[0]).dot(b);
        RunMatrix.div_number => (a / y[0]).dot(b);
        RunMatrix.mul_run_vector => (a.transpose() * x).norm();
    }
    dual operators_2(a: DMatrix = d(3, 2, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.mul_run_matrix => (a.transpose() * b).dot(&(b.transpose() * b));
        RunMatrix.tr_mul_run_vector => a.tr_mul(x).norm();
        RunMatrix.tr_mul => a.tr_mul(b).trace();
        RunMatrix.ad_mul => a.ad_mul(b).norm();
        RunMatrix.tr_mul_run_matrix => a.tr_mul(b).dot(&b.tr_mul(b));
    }
    dual operators_3(a: DMatrix = d(3, 2, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4), y: DVector = v(3, 0.9)) {
        RunMatrix.neg => (-a).dot(b) * y[1];
        RunMatrix.elements => a[(2, 1)] * a[4] * x[2] * x[(1, 0)];
        RunMatrix.owned => ((a.clone() + b) * x[0] - a.clone()).dot(b);
    }
    differences numbers_on_the_left(a: DMatrix = d(3, 2, 0.3), x: DVector = v(3, 0.4)) {
        Number.mul_run_vector => (x[0] * x).dot(x);
        Number.mul_run_matrix => (x[0] * a).dot(a);
    }
    dual of_both_1(a: DMatrix = d(3, 2, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.dot => a.dot(b).sin();
        RunMatrix.sum => a.component_mul(b).sum();
        RunMatrix.product => a.product();
        RunMatrix.max => a.max() * x[0];
        RunMatrix.min => a.min() * x[0];
        RunMatrix.norm => a.norm();
    }
    dual of_both_2(a: DMatrix = d(3, 2, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.norm_squared => a.norm_squared() * x[0];
        RunMatrix.magnitude => a.magnitude();
        RunMatrix.magnitude_squared => a.magnitude_squared() * x[0];
        RunMatrix.normalize => a.normalize().dot(b);
        RunMatrix.metric_distance => a.metric_distance(b);
        RunMatrix.scale => a.scale(x[0]).dot(b);
    }
    dual of_both_3(a: DMatrix = d(3, 2, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.unscale => a.unscale(x[0]).dot(b);
        RunMatrix.abs => (a - b).abs().dot(b);
        RunMatrix.add_scalar => a.add_scalar(x[0]).dot(b);
        RunMatrix.mean => a.component_mul(b).mean();
        RunMatrix.variance => a.variance();
        RunMatrix.component_mul => a.component_mul(b).dot(a);
    }
    dual of_both_4(a: DMatrix = d(3, 2, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.component_div => a.component_div(b).dot(a);
        RunMatrix.inf => a.inf(b).dot(a);
        RunMatrix.sup => a.sup(b).dot(a);
        RunMatrix.amax => (a - b).amax() * x[0];
        RunMatrix.amin => a.amin() * x[0];
        RunMatrix.transpose => (a.transpose() * b).norm();
    }
    dual of_both_5(a: DMatrix = d(3, 2, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.map => a.map(|v| v.sin()).dot(b);
        RunMatrix.zip_map => a.zip_map(b, |p, q| (p * q).sin()).dot(a);
        RunMatrix.zip_zip_map => a.zip_zip_map(b, a, |p, q, r| (p * q + r).sin()).dot(b);
        RunMatrix.fold => a.fold(x[0], |sum, v| sum * x[1] + v * v);
    }
    dual of_vectors_1(x: DVector = v(3, 0.4), y: DVector = v(3, 0.9)) {
        RunVector.lerp => x.lerp(y, x[0]).dot(y);
        RunVector.norm => x.norm() * y.dot(x) + x.map(|v| v.sin()).sum();
        RunVector.transpose => (x.transpose() * y)[(0, 0)].sin();
        RunVector.rows => x.rows(1, 2).dot(&y.rows(0, 2));
    }
    dual of_vectors_2(x: DVector = v(3, 0.4), y: DVector = v(3, 0.9)) {
        RunVector.iter => x.iter().fold(y[0], |sum, v| sum * y[1] + *v * *v);
        RunVector.as_slice => x.as_slice()[1] * y.as_slice()[2];
        RunVector.len => x[x.len() - 2] * y[x.nrows() - 1] * y[x.ncols() - 1] * x[x.shape().0 - 1];
    }
    dual parts_1(a: DMatrix = d(3, 3, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.rows => (a.rows(1, 2) * b).norm();
        RunMatrix.columns => (a.columns(1, 2) * b.transpose()).norm();
        RunMatrix.column => (a * a.column(1)).dot(x);
        RunMatrix.row => (a.row(1) * b).norm();
        RunMatrix.diagonal => a.diagonal().dot(x).sin();
        RunMatrix.trace => a.trace() * x[0];
        RunMatrix.determinant => a.determinant() * x[0];
    }
    dual parts_2(a: DMatrix = d(3, 3, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.column_sum => b.column_sum().dot(x).sin();
        RunMatrix.column_mean => b.column_mean().dot(x).sin();
        RunMatrix.nrows => x[a.nrows() - 1] * x[0];
        RunMatrix.ncols => x[b.ncols()] * x[0];
        RunMatrix.len => x[b.len() - 4] * x[0];
        RunMatrix.shape => x[b.shape().1] * x[0];
    }
    dual parts_3(a: DMatrix = d(3, 3, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.iter => b.iter().fold(x[0], |sum, v| sum * x[1] + *v * *v);
        RunMatrix.as_slice => b.as_slice()[1] * b.as_slice()[4] * x[0];
        RunMatrix.clone_owned => (a.clone_owned() * x).norm();
        RunMatrix.into_owned => (a.clone().into_owned() * x).norm();
    }
    dual factorised_1(a: DMatrix = d(3, 3, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.lu => a.clone().lu().solve(x).unwrap().dot(x) + a.clone().lu().solve(b).unwrap().dot(b);
        RunMatrix.qr => a.clone().qr().solve(x).unwrap().dot(x) + a.clone().qr().solve(b).unwrap().dot(b);
        RunMatrix.try_inverse => (a.clone().try_inverse().unwrap() * x).norm();
        RunMatrix.solve_lower_triangular => a.solve_lower_triangular(&b.column(0)).unwrap()[1];
        RunMatrix.solve_upper_triangular => a.solve_upper_triangular(&b.column(0)).unwrap()[1];
    }
    dual factorised_2(a: DMatrix = d(3, 3, 0.3), b: DMatrix = d(3, 2, 0.7), x: DVector = v(3, 0.4)) {
        RunMatrix.solve_lower_run_vector => a.solve_lower_triangular(x).unwrap().dot(x);
        RunMatrix.solve_upper_run_vector => a.solve_upper_triangular(x).unwrap().dot(x);
        RunMatrix.solve_lower_run_matrix => a.solve_lower_triangular(b).unwrap().dot(b);
        RunMatrix.solve_upper_run_matrix => a.solve_upper_triangular(b).unwrap().dot(b);
        RunMatrix.cholesky => (a * a.transpose()).cholesky().unwrap().l().norm() * x[0];
    }
    dual factorised_3(a: DMatrix = d(3, 3, 0.3), b: DMatrix = d(3, 2, 0.7)) {
        RunMatrix.cholesky_solve => (a * a.transpose()).cholesky().unwrap().solve(b).dot(b);
        RunMatrix.cholesky_inverse => (a * a.transpose()).cholesky().unwrap().inverse().norm();
        RunMatrix.cholesky_determinant => (a * a.transpose()).cholesky().unwrap().determinant();
        RunMatrix.ln_determinant => (a * a.transpose()).cholesky().unwrap().ln_determinant();
    }
    dual in_place_1(a: DMatrix = d(3, 3, 0.3), b: DMatrix = d(3, 3, 0.7), x: DVector = v(3, 0.4), y: DVector = v(3, 0.9)) {
        RunVector.axpy => { let mut v = x.clone(); v.axpy(y[0], y, x[1]); v.dot(y) };
        RunVector.gemv => { let mut v = x.clone(); v.gemv(y[0], a, y, x[1]); v.dot(y) };
        RunMatrix.gemm => { let mut c = a.clone(); c.gemm(y[0], a, b, x[1]); c.dot(b) };
        RunMatrix.ger => { let mut c = a.clone(); c.ger(y[0], x, y, x[1]); c.dot(b) };
        RunMatrix.component_mul_assign => { let mut c = a.clone(); c.component_mul_assign(b); c.dot(a) };
        RunMatrix.component_div_assign => { let mut c = a.clone(); c.component_div_assign(b); c.dot(a) };
    }
    dual in_place_2(a: DMatrix = d(3, 3, 0.3), b: DMatrix = d(3, 3, 0.7), x: DVector = v(3, 0.4), y: DVector = v(3, 0.9)) {
        RunVector.normalize_mut => { let mut v = x.clone(); v.normalize_mut(); v.dot(y) };
        RunVector.scale_mut => { let mut v = x.clone(); v.scale_mut(y[0]); v.dot(x) };
        RunVector.unscale_mut => { let mut v = x.clone(); v.unscale_mut(y[0]); v.dot(x) };
        RunVector.neg_mut => { let mut v = x.clone(); v.neg_mut(); v.dot(y) };
        RunMatrix.fill => { let mut c = a.clone(); c.column_mut(1).fill(x[0]); (c * b).dot(a) };
        RunMatrix.copy_from => { let mut c = a.clone(); c.copy_from(b); (c * b).dot(a) };
        RunMatrix.set_row => { let mut c = a.clone(); c.set_row(1, &x.transpose()); (c * b).dot(a) };
    }
    dual in_place_3(a: DMatrix = d(3, 3, 0.3), b: DMatrix = d(3, 3, 0.7), x: DVector = v(3, 0.4), y: DVector = v(3, 0.9)) {
        RunMatrix.set_column => { let mut c = a.clone(); c.set_column(1, x); (c * b).dot(a) };
        RunMatrix.column_mut => { let mut c = a.clone(); c.column_mut(2).copy_from(x); (c * b).dot(a) };
        RunMatrix.fill_diagonal => { let mut c = a.clone(); c.fill_diagonal(x[0]); (c * b).dot(a) };
        RunVector.changed => { let mut v = x.clone(); v += y; v *= y[0]; v -= x; v /= x[1]; v[1] *= y[2]; v.dot(y) };
        RunVector.iter_mut => { let mut v = x.clone(); for k in v.iter_mut() { *k *= y[0]; } v.dot(y) };
        RunMatrix.assigned => { let mut c = a.clone(); c += b; c *= y[0]; c -= a; c /= x[1]; c[(0, 1)] *= y[2]; c.dot(b) };
    }
    dual made_1(x: DVector = v(3, 0.4), y: DVector = v(2, 0.9)) {
        RunMatrix.from_fn => (DMatrix::from_fn(3, 2, |i, j| x[i] * y[j] + x[j]) * y).dot(x);
        RunMatrix.from_element => (DMatrix::from_element(3, 2, y[1]) * y).dot(x);
        RunMatrix.repeat => (DMatrix::repeat(3, 2, y[1]) * y).dot(x);
        RunMatrix.from_vec => (DMatrix::from_vec(2, 2, vec![x[0], x[1], y[0], x[2]]) * y).norm();
        RunMatrix.from_row_slice => (DMatrix::from_row_slice(2, 2, &[x[0], x[1], y[0], x[2]]) * y).norm();
    }
    dual made_2(x: DVector = v(3, 0.4), y: DVector = v(2, 0.9)) {
        RunMatrix.from_column_slice => (DMatrix::from_column_slice(2, 2, &[x[0], x[1], y[0], x[2]]) * y).norm();
        RunMatrix.from_iterator => (DMatrix::from_iterator(3, 1, x.iter().map(|v| *v * y[1])) * x[0]).norm();
        RunMatrix.from_diagonal => (DMatrix::from_diagonal(x) * x).norm() * y[0];
        RunMatrix.from_diagonal_element => (DMatrix::from_diagonal_element(3, 2, x[1]) * y).norm();
    }
    dual made_of_vectors_1(x: DVector = v(3, 0.4), y: DVector = v(2, 0.9)) {
        RunVector.from_fn => DVector::from_fn(2, |i, _| x[i] * y[1]).dot(y);
        RunVector.from_element => DVector::from_element(2, x[1]).dot(y);
        RunVector.repeat => DVector::repeat(2, x[1]).dot(y);
        RunVector.from_vec => DVector::from_vec(vec![x[0], x[1] * y[1]]).dot(y);
    }
    dual made_of_vectors_2(x: DVector = v(3, 0.4), y: DVector = v(2, 0.9)) {
        RunVector.from_row_slice => DVector::from_row_slice(&[x[0], x[1] * y[1]]).dot(y);
        RunVector.from_column_slice => DVector::from_column_slice(&[x[0], x[1] * y[1]]).dot(y);
        RunVector.from_iterator => DVector::from_iterator(3, x.iter().map(|v| *v * y[1])).dot(x);
        RunVector.dvector => (nalgebra::dmatrix![x[0], y[0]; x[1], y[1]] * nalgebra::dvector![x[0], y[1]]).dot(y);
    }
    differences eigenvalues(a: DMatrix = d(3, 3, 0.3), x: DVector = v(3, 0.4)) {
        RunMatrix.symmetric_eigenvalues => (a * a.transpose() + a).symmetric_eigenvalues().dot(x);
        RunMatrix.symmetric_eigen => { let e = (a * a.transpose() + a).symmetric_eigen(); (e.eigenvectors * x).dot(x) * e.eigenvalues[0] };
    }
    differences constants(x: DVector = v(3, 0.4)) {
        RunMatrix.zeros => ((DMatrix::zeros(3, 3) + x * x.transpose()) * (DVector::zeros(3) + x)).norm();
        RunMatrix.identity => ((DMatrix::identity(3, 3) + x * x.transpose()) * x).norm();
    }
}
