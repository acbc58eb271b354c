//! Triangular systems by substitution, and triangles of matrices.

use super::{RightSide, workspace};
use crate::Real;

/// Solves `l·x = x` in place, from the first row to the last. `at` gives the elements of `l`, whose diagonal is 1 if `unit`.
#[inline]
pub(super) fn forward<T: Real, R: AsRef<[T]> + AsMut<[T]>>(x: &mut [R], unit: bool, at: impl Fn(usize, usize) -> T) {
    for i in 0..x.len() {
        let (above, below) = x.split_at_mut(i);
        let Some(row) = below.first_mut() else { return };
        for (k, other) in above.iter().enumerate() {
            subtract(row, at(i, k), other);
        }
        if !unit {
            divide(row, at(i, i));
        }
    }
}

/// Solves `u·x = x` in place, from the last row to the first.
#[inline]
pub(super) fn backward<T: Real, R: AsRef<[T]> + AsMut<[T]>>(x: &mut [R], unit: bool, at: impl Fn(usize, usize) -> T) {
    for i in (0..x.len()).rev() {
        let (above, below) = x.split_at_mut(i + 1);
        let Some(row) = above.last_mut() else { return };
        for (k, other) in (i + 1..).zip(below.iter()) {
            subtract(row, at(i, k), other);
        }
        if !unit {
            divide(row, at(i, i));
        }
    }
}

#[inline]
fn subtract<T: Real, R: AsRef<[T]> + AsMut<[T]>>(row: &mut R, factor: T, other: &R) {
    for (x, y) in row.as_mut().iter_mut().zip(other.as_ref()) {
        *x -= factor * *y;
    }
}

#[inline]
fn divide<T: Real, R: AsMut<[T]>>(row: &mut R, divisor: T) {
    for x in row.as_mut() {
        *x /= divisor;
    }
}

/// `to += from`, row by row.
#[inline]
pub(super) fn add_rows<T: Real, R: AsRef<[T]>, S: AsMut<[T]>>(from: &[R], to: &mut [S]) {
    for (to, from) in to.iter_mut().zip(from) {
        for (to, from) in to.as_mut().iter_mut().zip(from.as_ref()) {
            *to += *from;
        }
    }
}

/// Which triangle of a matrix is read, and how.
#[derive(Clone, Copy)]
pub(super) enum Triangle {
    Lower,
    LowerTransposed,
    Upper,
    UpperTransposed,
}

/// `x += t⁻¹·b`, where `t` is a triangle of `a`.
#[inline]
pub(super) fn solve<T: Real, const N: usize, const N2: usize, B: RightSide<T>, X: RightSide<T>>(
    a: &[[T; N2]; N],
    triangle: Triangle,
    b: &B,
    x: &mut X,
) {
    workspace!(solution: [B::Row; N] = B::ZERO_ROW);
    solution.copy_from_slice(b.rows());
    match triangle {
        Triangle::Lower => forward(solution, false, |i, k| a[i][k]),
        Triangle::LowerTransposed => backward(solution, false, |i, k| a[k][i]),
        Triangle::Upper => backward(solution, false, |i, k| a[i][k]),
        Triangle::UpperTransposed => forward(solution, false, |i, k| a[k][i]),
    }
    add_rows(solution, x.rows_mut());
}

/// `c += a` for the elements that `factor(i, j)` does not make 0.
#[inline]
pub(super) fn masked<T: Real, const N: usize, const N2: usize>(
    a: &[[T; N]],
    c: &mut [[T; N2]],
    factor: impl Fn(usize, usize) -> Option<T>,
) {
    for (i, (a, c)) in a.iter().zip(c).enumerate() {
        for (j, (a, c)) in a.iter().zip(c).enumerate() {
            if let Some(factor) = factor(i, j) {
                *c += factor * *a;
            }
        }
    }
}

/// `l += cholesky((a + aᵀ)/2)`.
pub(super) fn cholesky<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    to: &mut [[T; K2]; M2],
) {
    let half = T::from_f64(0.5);
    workspace!(l: [[T; N]; N] = [T::ZERO; N]);
    for i in 0..N {
        let (above, below) = l.split_at_mut(i);
        let Some(row) = below.first_mut() else { return };
        for (j, other) in above.iter().enumerate() {
            let products: T = row[..j].iter().zip(other).map(|(x, y)| *x * *y).sum();
            row[j] = (half * (a[i][j] + a[j][i]) - products) / other[j];
        }
        let squares: T = row[..i].iter().map(|x| *x * *x).sum();
        row[i] = (a[i][i] - squares).sqrt();
    }
    add_rows(l, to);
}
