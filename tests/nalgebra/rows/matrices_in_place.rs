//! What changes a matrix.

use crate::oracle::{m, rows};
use autodiff::prelude::*;
use nalgebra::{Matrix3, Vector3};

rows! {
    dual of_matrices_1(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), x: Vector3 = m(0.4), y: Vector3 = m(0.9)) {
        Matrix.assigned => { let mut c = *a; c += b; c *= x[0]; c -= *a; c /= y[0]; c *= b; c[(0, 1)] *= x[1]; c.m22 += x[2]; c.dot(b) };
        Matrix.set_row => { let mut c = *a; c.set_row(1, &x.transpose()); (c * b).dot(a) };
        Matrix.set_column => { let mut c = *a; c.set_column(1, x); (c * b).dot(a) };
        Matrix.swap_rows => { let mut c = *a; c.swap_rows(1, 2); (c * b).dot(a) };
        Matrix.swap_columns => { let mut c = *a; c.swap_columns(0, 2); (c * b).dot(a) };
        Matrix.fixed_view_mut => { let mut c = *a; c.fixed_view_mut::<2, 2>(1, 0).copy_from(&b.fixed_view::<2, 2>(0, 1)); (c * b).dot(a) };
    }
    dual of_matrices_2(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), x: Vector3 = m(0.4), y: Vector3 = m(0.9)) {
        Matrix.column_mut => { let mut c = *a; c.column_mut(1).copy_from(x); c.row_mut(2).copy_from(&y.transpose()); (c * b).dot(a) };
        Matrix.fill => { let mut c = *a; c.column_mut(1).fill(x[0]); (c * b).dot(a) };
        Matrix.copy_from => { let mut c = *a; c.copy_from(b); (c * b).dot(a) };
        Matrix.component_mul_assign => { let mut c = *a; c.component_mul_assign(b); (c * b).dot(a) };
        Matrix.component_div_assign => { let mut c = *a; c.component_div_assign(b); (c * b).dot(a) };
        Matrix.transpose_mut => { let mut c = *a; c.transpose_mut(); (c * b).dot(a) };
    }
    dual of_vectors_1(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), x: Vector3 = m(0.4), y: Vector3 = m(0.9)) {
        Matrix.axpy => { let mut v = *x; v.axpy(y[0], y, x[1]); v.dot(y) };
        Matrix.gemv => { let mut v = *x; v.gemv(y[0], a, y, x[1]); v.dot(y) };
        Matrix.ger => { let mut c = *a; c.ger(y[0], x, y, x[1]); c.dot(b) };
        Matrix.gemm => { let mut c = *a; c.gemm(y[0], a, b, x[1]); c.dot(b) };
        Matrix.normalize_mut => { let mut v = *x; v.normalize_mut(); v.dot(y) };
    }
    dual of_vectors_2(x: Vector3 = m(0.4), y: Vector3 = m(0.9)) {
        Matrix.scale_mut => { let mut v = *x; v.scale_mut(y[0]); v.dot(x) };
        Matrix.unscale_mut => { let mut v = *x; v.unscale_mut(y[0]); v.dot(x) };
        Matrix.neg_mut => { let mut v = *x; v.neg_mut(); v.dot(y) };
        Matrix.push => x.push(y[0]).norm() * y[1];
        Matrix.iter_mut => { let mut v = *x; for k in v.iter_mut() { *k *= y[0]; } v.dot(y) };
    }
}
