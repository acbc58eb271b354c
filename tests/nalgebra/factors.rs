//! Factors, eigenvalues and determinants, and parts of matrices that change, with second derivatives.

use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{
    Cholesky, DMatrix, DVector, Matrix2, Matrix3, Matrix3x2, Matrix4, QR, SymmetricEigen, Vector3, Vector4,
};

fn m3() -> Matrix3<f64> {
    Matrix3::new(1.0, 0.3, -0.2, 0.4, 2.0, 0.1, -0.3, 0.5, 3.0)
}

fn m4() -> Matrix4<f64> {
    Matrix4::from_fn(|i, j| if i == j { 2.0 + i as f64 } else { 0.3 * ((i * 4 + j) as f64).sin() })
}

fn v3() -> Vector3<f64> {
    Vector3::new(0.3, -0.7, 1.1)
}

#[differentiable(order = 2)]
fn qr(m: &Matrix3<f64>, b: &Vector3<f64>) -> f64 {
    m.qr().solve(b).unwrap().norm_squared()
}

#[differentiable(order = 2)]
fn qr_r(m: &Matrix3<f64>) -> f64 {
    let f = m.qr();
    let r = f.r();
    r[(0, 0)] * r[(1, 2)] + f.q().column(0).sum()
}

#[differentiable(order = 2)]
fn chol2(m: &Matrix3<f64>, b: &Vector3<f64>) -> f64 {
    let s = m * m.transpose() + Matrix3::identity();
    let c = Cholesky::new(s).expect("positive");
    c.l().solve_lower_triangular(b).unwrap().norm_squared()
}

#[differentiable(order = 2)]
fn eig(m: &Matrix3<f64>) -> f64 {
    let e = m.symmetric_eigenvalues();
    e[0] * e[1] + e[2] * e[2]
}

#[differentiable(order = 2)]
fn eigv(m: &Matrix3<f64>) -> f64 {
    let s = (m + m.transpose()) * 0.5;
    let e = s.symmetric_eigen();
    let big = e.eigenvalues.max();
    big * big + e.eigenvalues.sum()
}

#[differentiable(order = 2)]
fn dm(m: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
    let x = m.clone().lu().solve(b).expect("regular");
    x.norm_squared() + m.determinant()
}

#[differentiable(order = 2)]
fn views(m: &Matrix4<f64>, v: &Vector3<f64>) -> f64 {
    let r = m.fixed_view::<3, 3>(0, 0) * v;
    let t = m.fixed_view::<3, 1>(0, 3).into_owned();
    let mut n = Matrix4::identity();
    n.fixed_view_mut::<3, 3>(0, 1).copy_from(&(m.fixed_view::<3, 3>(1, 1) * 2.0));
    n.fixed_view_mut::<1, 1>(3, 3)[(0, 0)] = v.x;
    (r + t).norm() + n.determinant()
}

#[differentiable(order = 2)]
fn rowmut(m: &Matrix3<f64>, s: f64) -> f64 {
    let mut n = *m;
    for mut r in n.row_iter_mut() {
        r *= s;
    }
    n.row_mut(0).copy_from(&(m.row(1) * 3.0));
    n.column_mut(1)[2] = s * s;
    n.norm()
}

/// A tall matrix: its factors, and what they make together.
#[differentiable(order = 2)]
fn tall(m: &Matrix3x2<f64>) -> f64 {
    let (q, r) = QR::new(*m).unpack();
    q[(2, 1)] * r[(0, 1)] + (q * r).sum() + r[(0, 0)]
}

/// The first eigenvalue in nalgebra's order, which is not that of their sizes, and its vector.
#[differentiable(order = 2)]
fn first_of_eigen(m: &Matrix4<f64>) -> f64 {
    let eigen = SymmetricEigen::new(m + m.transpose());
    let v = eigen.eigenvectors.column(0);
    eigen.eigenvalues[0] * v[1] + v[2] * eigen.eigenvalues[3] + eigen.recompose()[(0, 1)]
}

#[differentiable(order = 2)]
fn first_of_two(m: &Matrix2<f64>) -> f64 {
    let values = m.symmetric_eigenvalues();
    values[0] - 3.0 * values[1]
}

#[differentiable(order = 2)]
fn smoothed(m: &DMatrix<f64>, w: &DVector<f64>) -> f64 {
    let mut a = m.clone();
    for (k, mut column) in a.column_iter_mut().enumerate() {
        column *= w[k];
        column[0] += 1.0;
    }
    a.column_mut(1).fill(w[0]);
    a.row_mut(0).scale_mut(0.5);
    a.column_mut(0)[1] *= w[1];
    let factors = a.clone().qr();
    a.norm_squared() + factors.r()[(0, 1)] + factors.q()[(1, 0)]
}

#[differentiable(order = 2)]
fn blocks(m: &Matrix4<f64>, v: &Vector4<f64>) -> f64 {
    let mut a = *m;
    a.fixed_view_mut::<2, 2>(1, 1).scale_mut(v[0]);
    a.fixed_rows_mut::<1>(3).fill(v[1] * v[2]);
    a.row_mut(2).component_mul_assign(&v.transpose());
    for mut row in a.row_iter_mut() {
        row[0] *= v[3];
    }
    a.fixed_view_mut::<2, 2>(0, 2)[(1, 0)] += v[3];
    (a * a).trace() + a.determinant()
}

#[test]
fn a_solution_by_qr() {
    check_grads!(qr, &m3(), &v3());
}

#[test]
fn the_factors_of_qr() {
    check_grads!(qr_r, &m3());
}

#[test]
fn cholesky_by_name() {
    check_grads!(chol2, &m3(), &v3());
}

#[test]
fn eigenvalues() {
    check_grads!(eig, &((m3() + m3().transpose()) * 0.5));
}

#[test]
fn the_largest_eigenvalue() {
    check_grads!(eigv, &m3());
}

#[test]
fn a_determinant_of_run_time() {
    check_grads!(dm, &DMatrix::from_fn(3, 3, |i, j| m3()[(i, j)]), &DVector::from_vec(vec![0.2, 0.3, 0.9]));
}

#[test]
fn elements_of_parts() {
    check_grads!(views, &m4(), &v3());
}

#[test]
fn lines_that_change() {
    check_grads!(rowmut, &m3(), 0.7);
}

#[test]
fn a_tall_matrix() {
    check_grads!(tall, &Matrix3x2::new(1.0, 0.3, -0.2, 0.4, 2.0, 0.1));
}

#[test]
fn eigenvalues_in_the_order_of_nalgebra() {
    for k in 0..12 {
        let at = f64::from(k);
        let m = Matrix4::from_fn(|i, j| (1.7 * at + 0.9 * (4 * i + j) as f64).sin());
        check_grads!(first_of_eigen, &m);
        check_grads!(first_of_two, &m.fixed_view::<2, 2>(0, 0).into_owned());
    }
}

#[differentiable(order = 2)]
fn third_moments(m: &DMatrix<f64>) -> f64 {
    let s = m + m.transpose();
    s.symmetric_eigenvalues().iter().map(|e| e * e * e).sum()
}

#[differentiable(order = 2)]
fn eigen_of_run_time(m: &DMatrix<f64>, w: &DVector<f64>) -> f64 {
    let e = (m * m.transpose() + m).symmetric_eigen();
    let v = e.eigenvectors.column(0);
    e.eigenvalues[0] * v.dot(w).powi(2) + e.recompose()[(1, 0)] + e.eigenvalues[1].sin()
}

#[test]
fn eigenvalues_of_run_time() {
    for n in 1..5 {
        let m = DMatrix::from_fn(n + 1, n + 1, |i, j| (1.3 * (i * 5 + j) as f64 + n as f64).sin());
        check_grads!(third_moments, &m);
        check_grads!(eigen_of_run_time, &m, &DVector::from_fn(n + 1, |i, _| 0.4 + i as f64));
    }
    // Where eigenvalues are equal, symmetric functions of them have a derivative all the same.
    let g = third_moments::grad(&DMatrix::identity(3, 3));
    assert!((g - DMatrix::identity(3, 3) * 24.0).norm() < 1e-12);
}

#[test]
fn a_determinant_that_is_zero() {
    #[differentiable(order = 2)]
    fn determinant(m: &DMatrix<f64>) -> f64 {
        m.determinant()
    }
    let (value, gradient) = determinant::value_and_grad(&DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 4.0]));
    // There is no inverse to have the derivative from: it is not a number, which is not taken for one.
    assert!(value == 0.0 && gradient.iter().all(|x| x.is_nan()));
    check_grads!(determinant, &DMatrix::from_fn(5, 5, |i, j| ((i * 5 + j) as f64 * 1.3).sin()));
}

#[differentiable(order = 2)]
fn cols(m: &Matrix3<f64>, v: &Vector3<f64>) -> f64 {
    let mut a = *m;
    a.set_column(1, v);
    for (k, mut c) in a.column_iter_mut().enumerate() {
        if k == 1 {
            c *= 2.0;
        }
        for i in 0..3 {
            if i == k {
                continue;
            }
            c[i] += v[i];
        }
    }
    a.norm_squared() * a[(1, 2)]
}

#[test]
fn columns_with_loops_inside() {
    check_grads!(cols, &m3(), &v3());
}

/// A single index counts column after column: it is a row in the first column only.
#[differentiable(order = 2)]
fn single_indices(m: &Matrix4<f64>, v: &Vector4<f64>) -> f64 {
    let (mut a, mut w) = (*m, *v);
    a.fixed_rows_mut::<3>(1)[2] = v[0] * v[1];
    a.fixed_view_mut::<2, 3>(2, 1)[1] *= v[2];
    w.fixed_rows_mut::<2>(2)[1] += v[3] * v[3];
    (a * w).norm_squared()
}

#[test]
fn single_indices_of_parts() {
    check_grads!(single_indices, &m4(), &Vector4::new(0.3, 0.8, -0.5, 1.2));
}

#[test]
fn lines_of_a_matrix_of_run_time() {
    check_grads!(
        smoothed,
        &DMatrix::from_fn(4, 3, |i, j| ((i * 3 + j) as f64).cos()),
        &DVector::from_vec(vec![0.7, 1.2, -0.4])
    );
}

#[test]
fn parts_that_change() {
    check_grads!(blocks, &m4(), &Vector4::new(0.3, 0.8, -0.5, 1.2));
}
