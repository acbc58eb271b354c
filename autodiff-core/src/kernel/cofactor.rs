//! The cofactors of a matrix, and their derivative: the gradient of the determinant and its Hessian times a matrix, which are
//! polynomials in the elements and have values where the matrix is singular, too.
//!
//! With complete pivoting `P·A·Q = L·D·V`, where `L` and `V` have ones on their diagonals and `D` is diagonal. Cofactors of a
//! product are the product of cofactors, and those of a matrix of determinant ±1 are ±its inverse transposed:
//! `cof A = ± Pᵀ·L⁻ᵀ·(cof D)·V⁻ᵀ·Qᵀ`. Nothing is divided by an element of `D` that may be 0.

use super::factor::{copy, diagonal, eliminate, exchange, is_better, product};
use super::triangular::{backward, forward};
use super::workspace;
use crate::Real;

/// `L`, `D` and `V` are in the place of the matrix.
struct Factors<'a, T, const N: usize> {
    ldv: &'a [[T; N]; N],
    rows: [usize; N],
    columns: [usize; N],
    odd: bool,
}

impl<'a, T: Real, const N: usize> Factors<'a, T, N> {
    fn of(a: &'a mut [[T; N]; N]) -> Self {
        let [mut rows, mut columns] = [core::array::from_fn(|k| k); 2];
        let mut odd = false;
        for k in 0..N {
            let (mut pivot, mut largest) = ((k, k), a[k][k].abs());
            for (i, row) in a.iter().enumerate().skip(k) {
                for (j, x) in row.iter().enumerate().skip(k) {
                    if is_better(x.abs(), largest) {
                        (pivot, largest) = ((i, j), x.abs());
                    }
                }
            }
            if pivot.0 != k {
                exchange(a, k, pivot.0);
                exchange(&mut rows, k, pivot.0);
                odd = !odd;
            }
            if pivot.1 != k {
                for row in a.iter_mut() {
                    exchange(row, k, pivot.1);
                }
                exchange(&mut columns, k, pivot.1);
                odd = !odd;
            }
            eliminate(a, k);
        }
        for (k, row) in a.iter_mut().enumerate() {
            let d = row[k];
            // Without a pivot all that is left is 0.
            if d != T::ZERO {
                for x in &mut row[k + 1..] {
                    *x /= d;
                }
            }
        }
        Factors { ldv: a, rows, columns, odd }
    }

    /// `Π dₖ` without `dᵢ` and `dⱼ`, which may be one.
    fn product_without(&self, i: usize, j: usize) -> T {
        let others = diagonal(self.ldv).enumerate().filter(|(k, _)| *k != i && *k != j);
        product(others.map(|(_, d)| d))
    }

    /// `to += ± Pᵀ·L⁻ᵀ·m·V⁻ᵀ·Qᵀ`
    fn add<const M2: usize, const K2: usize>(&self, m: &mut [[T; N]; N], to: &mut [[T; K2]; M2]) {
        backward(m, true, |i, k| self.ldv[k][i]);
        for row in m.iter_mut() {
            backward(column(row), true, |i, k| self.ldv[i][k]);
        }
        for (row, i) in m.iter().zip(self.rows) {
            let Some(to) = to.get_mut(i) else { continue };
            for (x, j) in row.iter().zip(self.columns) {
                if let Some(to) = to.get_mut(j) {
                    *to += if self.odd { -*x } else { *x };
                }
            }
        }
    }

    /// `L⁻¹·P·h·Q·V⁻¹`
    fn reduced<const M: usize, const K: usize>(&self, h: &[[T; K]; M], to: &mut [[T; N]; N]) {
        for (row, i) in to.iter_mut().zip(self.rows) {
            let Some(from) = h.get(i) else { continue };
            for (x, j) in row.iter_mut().zip(self.columns) {
                if let Some(from) = from.get(j) {
                    *x = *from;
                }
            }
        }
        forward(to, true, |i, k| self.ldv[i][k]);
        for row in to.iter_mut() {
            forward(column(row), true, |i, k| self.ldv[k][i]);
        }
    }
}

/// A row as a column.
fn column<T>(row: &mut [T]) -> &mut [[T; 1]] {
    row.as_chunks_mut().0
}

/// `y += cof a`.
pub(super) fn cofactors<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    workspace!(ldv: [[T; N]; N] = [T::ZERO; N]);
    copy(a, false, ldv);
    let factors = Factors::of(ldv);
    workspace!(middle: [[T; N]; N] = [T::ZERO; N]);
    for (k, row) in middle.iter_mut().enumerate() {
        row[k] = factors.product_without(k, k);
    }
    factors.add(middle, y);
}

/// `y +=` the derivative of `cof a` in the direction `h`.
pub(super) fn cofactors_along<
    T: Real,
    const N: usize,
    const N2: usize,
    const M: usize,
    const K: usize,
    const M2: usize,
    const K2: usize,
>(
    a: &[[T; N2]; N],
    h: &[[T; K]; M],
    y: &mut [[T; K2]; M2],
) {
    workspace!(ldv: [[T; N]; N] = [T::ZERO; N]);
    copy(a, false, ldv);
    let factors = Factors::of(ldv);
    workspace!(g: [[T; N]; N] = [T::ZERO; N]);
    factors.reduced(h, g);
    // The derivative of the cofactors of a diagonal matrix.
    workspace!(middle: [[T; N]; N] = [T::ZERO; N]);
    for i in 0..N {
        for j in i + 1..N {
            let others = factors.product_without(i, j);
            middle[i][j] = -(g[j][i] * others);
            middle[j][i] = -(g[i][j] * others);
            middle[i][i] += g[j][j] * others;
            middle[j][j] += g[i][i] * others;
        }
    }
    factors.add(middle, y);
}
