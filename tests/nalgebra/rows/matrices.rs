//! Operators and methods of matrices of fixed sizes.

use crate::oracle::{m, rows};
use autodiff::prelude::*;
use nalgebra::{Matrix2, Matrix2x3, Matrix3, Matrix4, RowVector3, Vector2, Vector3};
#[allow(unused_imports)]
use num_dual::DualNum as _;

rows! {
    dual operators_1(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), x: Vector3 = m(0.4)) {
        Matrix.add => (a + b).dot(a);
        Matrix.sub => (a - b).dot(a);
        Matrix.mul => (a * b).dot(b);
        Matrix.mul_vector => (a * x).dot(x);
        Matrix.mul_number => (a * x[0]).dot(b);
        Matrix.div_number => (a / x[0]).dot(b);
    }
    dual operators_2(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), x: Vector3 = m(0.4)) {
        Matrix.neg => (-a).dot(&(*a * b));
        Matrix.row_mul => (x.transpose() * a).dot(&x.transpose());
        Matrix.owned => ((*a + *b) * *x - *x / x[1]).dot(&(-*x));
        Matrix.elements => a.m12 * a[(2, 1)] * a[4] + x.x * x[2];
        Matrix.xy => x.xy().dot(&x.yz()) + x.zyx().dot(x);
    }
    differences numbers_on_the_left(a: Matrix3 = m(0.3), x: Vector3 = m(0.4)) {
        Matrix.number_mul => (x[0] * a).dot(a) + (2.0 * x).norm();
    }
    dual norms_1(x: Vector3 = m(0.4), y: Vector3 = m(0.9), r: RowVector3 = m(0.2)) {
        Matrix.dot => x.dot(y).sin();
        Matrix.tr_dot => x.tr_dot(r).sin();
        Matrix.cross => x.cross(y).dot(y) + r.cross(&x.transpose()).dot(r) + x.cross(y).norm();
        Matrix.norm => x.norm();
        Matrix.magnitude => x.magnitude();
        Matrix.norm_squared => x.norm_squared() * y[0];
        Matrix.magnitude_squared => x.magnitude_squared() * y[0];
        Matrix.normalize => x.normalize().dot(y);
    }
    dual norms_2(x: Vector3 = m(0.4), y: Vector3 = m(0.9)) {
        Matrix.try_normalize => x.try_normalize(y[1] * y[1] * y[1] * y[1]).unwrap().dot(y);
        Matrix.cap_magnitude => x.cap_magnitude(y[1]).dot(y) + y.cap_magnitude(x.norm() + y.norm()).norm_squared();
        Matrix.metric_distance => x.metric_distance(y);
        Matrix.angle => x.angle(y);
        Matrix.lerp => x.lerp(y, x[0]).dot(y);
        Matrix.perp => x.xy().perp(&y.yz()).sin();
        Matrix.scale => x.scale(y[0]).dot(x);
        Matrix.unscale => x.unscale(y[0]).dot(x);
    }
    dual products_1(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), c: Matrix2x3 = m(0.5), x: Vector3 = m(0.4)) {
        Matrix.transpose => (c.transpose() * c).dot(b);
        Matrix.adjoint => (c.adjoint() * c).dot(b);
        Matrix.tr_mul => c.tr_mul(c).dot(a);
        Matrix.ad_mul => c.ad_mul(c).dot(a);
        Matrix.trace => (a * b).trace() * a.trace();
        Matrix.determinant => { let v = x.push(x[1]); a.determinant() + (Matrix4::from_diagonal(&v) + v * v.transpose()).determinant() };
        Matrix.try_inverse => a.try_inverse().unwrap().dot(b);
        Matrix.symmetric_part => (a * b).symmetric_part().dot(a);
    }
    dual products_2(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), c: Matrix2x3 = m(0.5), x: Vector3 = m(0.4)) {
        Matrix.cross_matrix => (x.cross_matrix() * a).dot(b);
        Matrix.kronecker => c.kronecker(&x.xy()).norm();
        Matrix.component_mul => a.component_mul(b).dot(a);
        Matrix.component_div => a.component_div(b).dot(a);
        Matrix.diagonal => a.diagonal().dot(&b.diagonal()) * x[0];
        Matrix.lower_triangle => (a.lower_triangle() * b).dot(a);
        Matrix.upper_triangle => (a.upper_triangle() * b).dot(a);
    }
    dual parts_1(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), c: Matrix2x3 = m(0.5), x: Vector3 = m(0.4)) {
        Matrix.row => (a.row(1) * b).dot(&x.transpose());
        Matrix.column => (b * a.column(2)).dot(x);
        Matrix.fixed_view => (a.fixed_view::<2, 3>(1, 0) * b).dot(c);
        Matrix.fixed_rows => (a.fixed_rows::<2>(1) * b).dot(c);
        Matrix.fixed_columns => (b * a.fixed_columns::<2>(1)).dot(&c.transpose());
        Matrix.row_iter => a.row_iter().map(|row| row.norm()).fold(x[0], |sum, v| sum * v);
        Matrix.column_iter => a.column_iter().map(|column| column.norm()).fold(x[0], |sum, v| sum * v);
    }
    dual parts_2(a: Matrix3 = m(0.3), c: Matrix2x3 = m(0.5), x: Vector3 = m(0.4)) {
        Matrix.iter => a.iter().fold(x[0], |sum, v| sum * x[1] + *v * *v);
        Matrix.as_slice => c.as_slice()[1] * c.as_slice()[4] * x[0];
        Matrix.clone_owned => (a.column(1).clone_owned() + x).norm();
        Matrix.into_owned => (a.column(1).into_owned() + x).norm();
        Matrix.into_scalar => (x.transpose() * a * x).into_scalar().sin();
        Matrix.to_scalar => (x.transpose() * a * x).to_scalar().sin();
        Matrix.to_homogeneous => (x.to_homogeneous() * x[0]).norm();
    }
    dual reductions_1(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), c: Matrix2x3 = m(0.5)) {
        Matrix.sum => (a * b).sum();
        Matrix.product => c.product();
        Matrix.mean => (a * b).mean();
        Matrix.variance => c.variance();
        Matrix.column_sum => c.column_sum().norm();
        Matrix.row_sum => (c.row_sum() * a).norm();
    }
    dual reductions_2(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), c: Matrix2x3 = m(0.5), x: Vector3 = m(0.4)) {
        Matrix.column_mean => c.column_mean().norm();
        Matrix.row_mean => (c.row_mean() * a).norm();
        Matrix.map => a.map(|v| v.sin()).dot(b);
        Matrix.zip_map => a.zip_map(b, |p, q| (p * q).sin()).dot(a);
        Matrix.zip_zip_map => a.zip_zip_map(b, a, |p, q, r| (p * q + r).sin()).dot(b);
        Matrix.fold => c.fold(x[0], |sum, v| sum * x[1] + v * v);
    }
    dual reductions_3(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), c: Matrix2x3 = m(0.5), x: Vector3 = m(0.4)) {
        Matrix.add_scalar => a.add_scalar(x[0]).dot(b) * x[1];
        Matrix.shape => x[a.shape().0 - 1] * x[c.nrows() - 1] * x[c.ncols() - 1] * x[c.len() - 5];
        Matrix.nrows => x[c.nrows()] * x[0];
        Matrix.ncols => x[c.ncols() - 2] * x[0];
        Matrix.len => x[c.len() - 5] * x[0];
    }
    dual extremes(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7)) {
        Matrix.max => a.max() * b[1];
        Matrix.min => a.min() * b[1];
        Matrix.amax => (a - b).amax() * b[1];
        Matrix.amin => a.amin() * b[1];
        Matrix.abs => (a - b).abs().dot(b);
        Matrix.inf => a.inf(b).dot(a);
        Matrix.sup => a.sup(b).dot(a);
    }
    dual factorised(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), x: Vector3 = m(0.4)) {
        Matrix.lu => a.lu().solve(x).unwrap().dot(x);
        Lu.solve => a.lu().solve(b).unwrap().dot(b);
        Lu.try_inverse => a.lu().try_inverse().unwrap().dot(b);
        Lu.determinant => a.lu().determinant();
        Lu.new => nalgebra::LU::new(*a).solve(b).unwrap().dot(a);
        Matrix.solve_lower_triangular => a.solve_lower_triangular(b).unwrap().dot(b);
        Matrix.solve_upper_triangular => a.solve_upper_triangular(x).unwrap().dot(x);
    }
    dual by_reflections(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), x: Vector3 = m(0.4)) {
        Matrix.qr => a.qr().solve(x).unwrap().dot(x);
        Qr.solve => a.qr().solve(b).unwrap().dot(b);
        Qr.try_inverse => a.qr().try_inverse().unwrap().dot(b);
        Qr.new => nalgebra::QR::new(*a).solve(b).unwrap().dot(a);
        Qr.q => (a.qr().q() * b).dot(a);
        Qr.r => (a.qr().r() * b).dot(a);
        Qr.unpack_r => a.qr().unpack_r().dot(b);
        Qr.unpack => { let (q, r) = a.qr().unpack(); (r * q).dot(b) };
    }
    dual cholesky(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7)) {
        Matrix.cholesky => (a * a.transpose()).cholesky().unwrap().l().dot(b);
        Cholesky.new => nalgebra::Cholesky::new(a * a.transpose()).unwrap().ln_determinant() * b[1];
        Cholesky.l => (a * a.transpose()).cholesky().unwrap().l().norm() * b[2];
        Cholesky.unpack => (a * a.transpose()).cholesky().unwrap().unpack().dot(b);
        Cholesky.l_dirty => (a * a.transpose()).cholesky().unwrap().l_dirty()[(2, 1)];
        Cholesky.solve => (a * a.transpose()).cholesky().unwrap().solve(b).dot(b);
        Cholesky.inverse => (a * a.transpose()).cholesky().unwrap().inverse().dot(b);
        Cholesky.determinant => (a * a.transpose()).cholesky().unwrap().determinant();
        Cholesky.ln_determinant => (a * a.transpose()).cholesky().unwrap().ln_determinant();
    }
    differences of_iterations(a: Matrix3 = m(0.3), b: Matrix3 = m(0.7), c: Matrix2x3 = m(0.5)) {
        Matrix.exp => a.exp().dot(b);
        Matrix.singular_values => a.singular_values().dot(&b.column(0)) + c.singular_values()[1];
    }
    dual made_1(x: Vector3 = m(0.4), y: Vector2 = m(0.8)) {
        Matrix.new => (Matrix2::new(x[0], y[0], x[1], y[1]) * y).dot(y);
        Matrix.from_columns => (Matrix2x3::from_columns(&[*y, x.xy(), x.yz()]) * x).dot(y);
        Matrix.from_rows => (Matrix2x3::from_rows(&[x.transpose(), RowVector3::new(y[0], x[2], y[1])]) * x).dot(y);
        Matrix.from_fn => (Matrix2::from_fn(|i, j| x[i] * y[j] + x[2 * i]) * y).dot(y);
        Matrix.from_row_slice => (Matrix2::from_row_slice(&[x[0], y[0], x[1], y[1]]) * y).dot(y);
        Matrix.from_column_slice => (Matrix2::from_column_slice(&[x[0], y[0], x[1], y[1]]) * y).dot(y);
    }
    dual made_2(x: Vector3 = m(0.4), y: Vector2 = m(0.8)) {
        Matrix.from_diagonal => (Matrix3::from_diagonal(x) * x).norm();
        Matrix.from_diagonal_element => (Matrix3::from_diagonal_element(y[0]) * x).norm();
        Matrix.repeat => (Matrix3::repeat(y[0]) * x).norm();
        Matrix.from_element => (Matrix3::from_element(y[0]) * x).norm();
        Matrix.from => (Matrix2::from([[x[0], y[0]], [x[1], y[1]]]) * y).dot(y) + Vector2::from([y[1], x[0]]).dot(y);
    }
    differences constants(x: Vector3 = m(0.4), y: Vector2 = m(0.8)) {
        Matrix.zeros => ((Matrix3::zeros() + x * x.transpose()) * x).norm();
        Matrix.default => ((Vector3::default() + x) * x.x).norm();
        Matrix.identity => ((Matrix3::identity() + x * x.transpose()) * x).norm();
        Matrix.x_axis => (*x + Vector3::x_axis().into_inner() * x.y + Vector3::y() * x.z).dot(&Vector3::z()) * y[0];
        Matrix.vector => (nalgebra::vector![x[0], y[1]] + nalgebra::matrix![x[0], x[1]; y[0], 2.0] * y).dot(y);
    }
}
