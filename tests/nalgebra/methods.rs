//! Every method of a matrix: the value, and first and second derivatives against differences, forward and reverse, for `f64`; first
//! ones for `f32`, against those for `f64`.

use crate::harness::check;
use autodiff::Differentiable;
use autodiff::prelude::*;
use nalgebra::{
    Matrix2, Matrix2x3, Matrix3, Matrix3x2, Matrix4, RowVector3, SMatrix, SVector, Vector2, Vector3, Vector4, vector,
};

/// All numbers of a value or of a tangent.
fn flat32(x: &impl Differentiable<Scalar = f32>) -> Vec<f32> {
    let mut all = Vec::new();
    x.visit_leaves(&autodiff::Path::ROOT, &mut |_, _, data| all.extend_from_slice(data));
    all
}

/// Both types of numbers: `f(a: Matrix3 = […column after column…]) => …`.
macro_rules! rows {
    ($($name:ident($($p:ident: $ty:ident = $at:expr),+) => $body:expr;)+) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[differentiable(order = 2)]
            fn double($($p: &$ty<f64>),+) -> f64 {
                $body
            }

            #[differentiable]
            fn single($($p: &$ty<f32>),+) -> f32 {
                $body
            }

            #[test]
            fn derivatives() {
                $(let $p = <$ty<f64>>::from_column_slice(&$at);)+
                check!(double($(&$p),+) by $($p),+);
                let (value, gradient) = double::value_and_grad($(&$p),+);
                let wide = crate::harness::flat(&gradient);
                $(let $p = $p.map(|number| number as f32);)+
                let (value_32, gradient) = single::value_and_grad($(&$p),+);
                assert!((f64::from(value_32) - value).abs() < 1e-4 * (1.0 + value.abs()));
                assert!((value_32 - single($(&$p),+)).abs() < 1e-5 * (1.0 + value_32.abs()));
                let narrow = flat32(&gradient);
                let scale = wide.iter().fold(1.0_f64, |most, number| most.max(number.abs()));
                assert_eq!(wide.len(), narrow.len());
                for (wide, narrow) in wide.iter().zip(narrow) {
                    assert!((wide - f64::from(narrow)).abs() < 1e-4 * scale, "{wide} {narrow}");
                }
            }
        }
    )+};
}

const A: [f64; 9] = [1.1, -0.4, 0.7, 0.2, 1.5, -0.8, 0.3, 0.6, 2.0];
const B: [f64; 9] = [0.9, 0.35, -0.2, -0.5, 1.2, 0.4, 0.15, -0.7, 1.3];
/// Symmetric and positive definite.
const S: [f64; 9] = [2.0, 0.3, -0.4, 0.3, 1.5, 0.2, -0.4, 0.2, 1.8];
const X: [f64; 3] = [0.3, -0.7, 1.1];
const Y: [f64; 3] = [-0.9, 0.5, 0.8];
const M: [f64; 6] = [1.0, -0.3, 0.4, 2.0, -0.6, 0.7];

rows! {
    add(a: Matrix3 = A, b: Matrix3 = B) => (a + b).map(|v| v.sin()).sum();
    subtract(a: Matrix3 = A, b: Matrix3 = B) => (a - b).norm_squared() + (-a).map(|v| v.exp()).sum();
    product(a: Matrix2x3 = M, b: Matrix3 = B) => (a * b).map(|v| v.sin()).sum();
    product_with_vector(a: Matrix3 = A, x: Vector3 = X) => (a * x).map(|v| v.cos()).sum();
    row_times_matrix(x: RowVector3 = X, a: Matrix3 = A) => (x * a).map(|v| v.cos()).sum();
    outer(x: Vector3 = X, y: Vector3 = Y) => (x * y.transpose()).map(|v| v.sin()).sum();
    inner(x: Vector3 = X, y: Vector3 = Y) => (x.transpose() * y)[(0, 0)].exp();
    scaled(a: Matrix3 = A, x: Vector3 = X) => ((a * x[0]) / (x[1] * x[1] + 1.0) + a * 0.5).map(|v| v.sin()).sum();
    dot(x: Vector3 = X, y: Vector3 = Y) => x.dot(y).sin();
    cross(x: Vector3 = X, y: Vector3 = Y) => x.cross(y).map(|v| v.exp()).sum();
    cross_of_rows(x: RowVector3 = X, y: RowVector3 = Y) => x.cross(y).map(|v| v.exp()).sum();
    norm(a: Matrix2x3 = M) => a.norm() * a[(1, 2)];
    norm_squared(a: Matrix2x3 = M) => a.norm_squared().sin();
    magnitude(x: Vector3 = X) => x.magnitude() + x.magnitude_squared();
    normalize(x: Vector3 = X, y: Vector3 = Y) => x.normalize().dot(y);
    try_normalize(x: Vector3 = X) => x.try_normalize(1e-9).unwrap().map(|v| v.sin()).sum();
    cap_magnitude(x: Vector3 = X, y: Vector3 = Y) => (x.cap_magnitude(0.5) + y.cap_magnitude(100.0)).map(|v| v.sin()).sum();
    metric_distance(x: Vector3 = X, y: Vector3 = Y) => x.metric_distance(y);
    angle(x: Vector3 = X, y: Vector3 = Y) => x.angle(y);
    lerp(x: Vector3 = X, y: Vector3 = Y) => x.lerp(y, x[0]).map(|v| v.sin()).sum();
    perp(x: Vector2 = [0.3, -0.7], y: Vector2 = [0.9, 0.4]) => x.perp(y).exp();
    component_mul(a: Matrix3 = A, b: Matrix3 = B) => a.component_mul(b).map(|v| v.sin()).sum();
    component_div(a: Matrix3 = A, b: Matrix3 = B) => a.component_div(b).map(|v| v.sin()).sum();
    transpose(a: Matrix2x3 = M, b: Matrix3x2 = [0.3, 0.2, -0.4, 0.5, 0.8, -0.1]) => (a.transpose() + b).map(|v| v.exp()).sum();
    adjoint(a: Matrix2x3 = M) => (a * a.adjoint()).map(|v| v.sin()).sum();
    tr_mul(a: Matrix2x3 = M) => a.tr_mul(a).map(|v| v.sin()).sum();
    tr_dot(x: Vector3 = X, y: RowVector3 = Y) => x.tr_dot(y).sin();
    trace(a: Matrix3 = A) => a.trace().sin();
    determinant(a: Matrix3 = A) => a.determinant().sin();
    determinant_of_four(x: Vector4 = [0.4, -0.3, 0.8, 0.2]) => {
        (Matrix4::from_diagonal(x) + x * x.transpose() + Matrix4::identity()).determinant()
    };
    try_inverse(a: Matrix3 = A) => a.try_inverse().unwrap().map(|v| v.sin()).sum();
    lu_solve(a: Matrix3 = A, x: Vector3 = X) => a.lu().solve(x).unwrap().map(|v| v.sin()).sum();
    lu_solve_columns(a: Matrix3 = A, b: Matrix3x2 = M) => a.lu().solve(b).unwrap().map(|v| v.sin()).sum();
    qr_solve(a: Matrix3 = A, x: Vector3 = X) => a.qr().solve(x).unwrap().map(|v| v.sin()).sum();
    cholesky_l(s: Matrix3 = S) => s.cholesky().unwrap().l().map(|v| v.sin()).sum();
    cholesky_solve(s: Matrix3 = S, x: Vector3 = X) => s.cholesky().unwrap().solve(x).map(|v| v.sin()).sum();
    cholesky_inverse(s: Matrix3 = S) => s.cholesky().unwrap().inverse().map(|v| v.sin()).sum();
    cholesky_determinants(s: Matrix3 = S) => match s.cholesky() {
        Some(factor) => factor.determinant() + factor.ln_determinant(),
        None => 0.0,
    };
    triangular(a: Matrix3 = A, x: Vector3 = X) => {
        let lower = a.lower_triangle().solve_lower_triangular(x).unwrap();
        (lower + a.upper_triangle().solve_upper_triangular(x).unwrap()).map(|v| v.sin()).sum()
    };
    exponential(a: Matrix3 = A) => a.exp().map(|v| v.sin()).sum();
    singular_values(a: Matrix3 = A) => a.singular_values().map(|v| v.sin()).sum();
    kronecker(a: Matrix2x3 = M, b: Matrix2 = [0.3, 0.2, -0.4, 0.5]) => a.kronecker(b).map(|v| v.sin()).sum();
    map(a: Matrix2x3 = M) => a.map(|v| v * v.sin()).sum();
    zip_map(a: Matrix3 = A, b: Matrix3 = B) => a.zip_map(b, |p, q| (p * q).sin()).sum();
    zip_zip_map(a: Matrix3 = A, b: Matrix3 = B, s: Matrix3 = S) => a.zip_zip_map(b, s, |p, q, r| (p * q + r).sin()).sum();
    fold(a: Matrix2x3 = M) => a.fold(1.0, |product, v| product * (v + 3.0));
    sum_product_mean(a: Matrix2x3 = M) => a.sum() * a.product() + a.mean().sin() + a.variance();
    extremes(a: Matrix3 = A) => a.max() * a.min() + a.amax().sin() + a.amin();
    abs(a: Matrix3 = A, b: Matrix3 = B) => a.abs().component_mul(b).sum();
    inf_and_sup(a: Matrix3 = A, b: Matrix3 = B) => a.inf(b).map(|v| v.sin()).sum() + a.sup(b).map(|v| v.exp()).sum();
    add_scalar(a: Matrix3 = A) => a.add_scalar(0.7).map(|v| v.sin()).sum();
    scale_unscale(a: Matrix3 = A, x: Vector3 = X) => (a.scale(x[0]) + a.unscale(x[2])).map(|v| v.sin()).sum();
    diagonal(a: Matrix3 = A, x: Vector3 = X) => (Matrix3::from_diagonal(x) * a).diagonal().map(|v| v.sin()).sum();
    rows_and_columns(a: Matrix3 = A) => (a.row(1).transpose() + a.column(2)).map(|v| v.sin()).sum();
    views(a: Matrix3 = A) => {
        let (top, left) = (a.fixed_rows::<2>(1), a.fixed_columns::<2>(0));
        (a.fixed_view::<2, 2>(0, 1) + top * left).map(|v| v.sin()).sum()
    };
    elements(a: Matrix3 = A, x: Vector3 = X) => a.m12 * a.m31 + a[(2, 1)] * a[4] + x.x * x.y + x[2].sin() * x.z;
    swizzles(x: Vector3 = X) => x.xy().dot(&x.yz()) + x.zyx().dot(x).sin();
    push(x: Vector3 = X) => x.push(x[0] * 2.0).map(|v| v.sin()).sum() + x.to_homogeneous().norm();
    cross_matrix(x: Vector3 = X, y: Vector3 = Y) => (x.cross_matrix() * y).map(|v| v.sin()).sum();
    symmetric_part(a: Matrix3 = A) => a.symmetric_part().map(|v| v.sin()).sum();
    sums_along(a: Matrix2x3 = M) => {
        a.row_sum().map(|v| v.sin()).sum() + a.column_sum().map(|v| v.exp()).sum() + a.column_mean().norm_squared()
    };
    into_scalar(x: Vector3 = X, a: Matrix3 = A) => (x.transpose() * a * x).into_scalar().sin();
    iterators(a: Matrix2x3 = M) => {
        let squares = a.iter().map(|v| v * v).fold(0.0, |sum, v| sum + v);
        let rows = a.row_iter().map(|row| row.norm()).fold(0.0, |sum, v| sum + v);
        a.column_iter().fold(squares + rows, |sum, column| sum * column.norm())
    };
    in_place(a: Matrix3 = A, x: Vector3 = X) => {
        let mut m = *a;
        m.set_row(0, &x.transpose());
        m.set_column(2, &(x * 2.0));
        m.fixed_view_mut::<2, 2>(1, 0).copy_from(&(a.fixed_view::<2, 2>(0, 1) * 3.0));
        m.swap_rows(0, 2);
        m[(1, 1)] *= x[0];
        m.m22 += x[1];
        m.component_mul_assign(a);
        m *= 0.5;
        m.column_mut(1).copy_from(x);
        m.scale_mut(2.0);
        let mut v = m * x;
        v.normalize_mut();
        v.axpy(x[1], x, 2.0);
        v += m.column(0);
        v.x = v.y * v[2];
        m.ger(0.5, x, &v, 1.0);
        m.map(|number| number.sin()).sum() + v.map(|number| number.exp()).sum()
    };
}

#[differentiable(order = 2)]
fn constructed(x: f64, y: f64) -> f64 {
    let a = Matrix2::new(x, y, x * y, 1.0);
    let b = Matrix2::from_columns(&[Vector2::new(x, 2.0), Vector2::new(y, x)]);
    let c = Matrix2::from_rows(&[nalgebra::RowVector2::new(x, 2.0), nalgebra::RowVector2::new(y, x)]);
    let d = SMatrix::<f64, 2, 2>::from_fn(|i, j| x * (i as f64) + y * (j as f64));
    let e = Matrix2::from_row_slice(&[x, y, y, x]) + Matrix2::from_column_slice(&[y, x, 1.0, x]);
    let f = Matrix2::from_diagonal_element(x) + Matrix2::repeat(y) + Matrix2::from_element(x * y);
    let g = Matrix2::from([[x, 1.0], [2.0, y]]) + Matrix2::identity() * x + nalgebra::matrix![x, 1.0; y, 2.0];
    let v = vector![x, y] + Vector2::from([y, x]) + Vector2::x() * y + Vector2::zeros() + SVector::<f64, 2>::repeat(x);
    (a * b * c * d + e * f * g).map(|number| number.sin()).sum() + v.norm()
}

#[test]
fn constructors() {
    check!(constructed(x, y) by x = 0.7, y = -0.4);
}

#[differentiable]
fn inverse_or_zero(a: &Matrix2<f64>) -> f64 {
    a.try_inverse().map_or(0.0, |inverse| inverse.sum())
}

#[differentiable]
fn solution_or_zero(a: &Matrix2<f64>, b: &Vector2<f64>) -> f64 {
    match a.lu().solve(b) {
        Some(x) => x.norm(),
        None => 0.0,
    }
}

#[differentiable]
fn factor_or_zero(a: &Matrix2<f64>) -> f64 {
    if let Some(factor) = a.cholesky() { factor.l().sum() } else { 0.0 }
}

/// Where nalgebra gives `None`, so do the derivatives' values.
#[test]
fn singular_matrices_have_no_inverse() {
    let singular = Matrix2::new(1.0, 2.0, 2.0, 4.0);
    let b = Vector2::new(1.0, 1.0);
    assert_eq!(inverse_or_zero(&singular), 0.0);
    assert_eq!(inverse_or_zero::value_and_grad(&singular), (0.0, Matrix2::zeros()));
    assert_eq!(solution_or_zero(&singular, &b), 0.0);
    let (value, (by_a, by_b)) = solution_or_zero::value_and_grad(&singular, &b);
    assert_eq!((value, by_a, by_b), (0.0, Matrix2::zeros(), Vector2::zeros()));
    let indefinite = Matrix2::new(1.0, 2.0, 2.0, 1.0);
    assert_eq!(factor_or_zero(&indefinite), 0.0);
    assert_eq!(factor_or_zero::value_and_grad(&indefinite), (0.0, Matrix2::zeros()));
    assert_ne!(inverse_or_zero::value_and_grad(&Matrix2::new(1.0, 2.0, 2.0, 5.0)).1, Matrix2::zeros());
}
