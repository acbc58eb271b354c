//! The LU factorisation, and what follows from one: solutions, inverses, determinants.
//!
//! `P·A = L·U` by Gaussian elimination with partial pivoting. A column without a pivot is left as it is: then `U` has a 0 on its
//! diagonal, so that the determinant is 0 and a solution is what the division by 0 gives.

use super::triangular::{add_rows, backward, forward};
use super::{RightSide, workspace};
use crate::Real;

/// Exchanges two elements, which may be one.
pub(super) fn exchange<A>(items: &mut [A], i: usize, j: usize) {
    if let Ok([x, y]) = items.get_disjoint_mut([i, j]) {
        core::mem::swap(x, y);
    }
}

/// Is it a better pivot than one of this size? NaN is the best, lest it is lost.
pub(super) fn is_better<T: Real>(size: T, largest: T) -> bool {
    size > largest || size.is_nan()
}

/// The matrix, or its transpose.
pub(super) fn copy<T: Real, const N: usize, const N2: usize>(a: &[[T; N2]; N], transposed: bool, to: &mut [[T; N]; N]) {
    for (i, (row, from)) in to.iter_mut().zip(a).enumerate() {
        if transposed {
            for (x, from) in row.iter_mut().zip(a) {
                *x = from[i];
            }
        } else {
            for (x, from) in row.iter_mut().zip(from) {
                *x = *from;
            }
        }
    }
}

/// Replaces a matrix by its factors: `U`, and below the diagonal `L`, whose diagonal is 1. Row `k` of them is row `order[k]` of
/// the matrix; tells whether that is an odd permutation.
pub(super) fn factor<T: Real, const N: usize>(a: &mut [[T; N]; N], order: &mut [usize; N]) -> bool {
    let mut odd = false;
    for k in 0..N {
        let (mut pivot, mut largest) = (k, a[k][k].abs());
        for (i, row) in a.iter().enumerate().skip(k + 1) {
            let size = row[k].abs();
            if is_better(size, largest) {
                (pivot, largest) = (i, size);
            }
        }
        if pivot != k {
            exchange(a, k, pivot);
            exchange(order, k, pivot);
            odd = !odd;
        }
        eliminate(a, k);
    }
    odd
}

/// Subtracts multiples of row `k` from the rows below, such that their elements in column `k` vanish; the factors take
/// their place.
pub(super) fn eliminate<T: Real, const N: usize>(a: &mut [[T; N]; N], k: usize) {
    let (above, below) = a.split_at_mut(k + 1);
    let Some(row) = above.last() else { return };
    if row[k] == T::ZERO {
        return;
    }
    for other in below {
        let factor = other[k] / row[k];
        other[k] = factor;
        for (x, y) in other[k + 1..].iter_mut().zip(&row[k + 1..]) {
            *x -= factor * *y;
        }
    }
}

/// `x += a⁻¹·b`, or `x += a⁻ᵀ·b`.
pub(super) fn solve<T: Real, const N: usize, const N2: usize, B: RightSide<T>, X: RightSide<T>>(
    a: &[[T; N2]; N],
    transposed: bool,
    b: &B,
    x: &mut X,
) {
    workspace!(lu: [[T; N]; N] = [T::ZERO; N]);
    copy(a, transposed, lu);
    let mut order = core::array::from_fn(|k| k);
    factor(lu, &mut order);
    workspace!(solution: [B::Row; N] = B::ZERO_ROW);
    for (row, from) in solution.iter_mut().zip(&order) {
        if let Some(from) = b.rows().get(*from) {
            *row = *from;
        }
    }
    forward(solution, true, |i, k| lu[i][k]);
    backward(solution, false, |i, k| lu[i][k]);
    add_rows(solution, x.rows_mut());
}

/// `y += a⁻¹`.
pub(super) fn inverse<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    workspace!(lu: [[T; N]; N] = [T::ZERO; N]);
    copy(a, false, lu);
    let mut order = core::array::from_fn(|k| k);
    factor(lu, &mut order);
    workspace!(inverse: [[T; N]; N] = [T::ZERO; N]);
    for (row, one) in inverse.iter_mut().zip(&order) {
        if let Some(x) = row.get_mut(*one) {
            *x = T::ONE;
        }
    }
    forward(inverse, true, |i, k| lu[i][k]);
    backward(inverse, false, |i, k| lu[i][k]);
    add_rows(inverse, y);
}

/// The elements of a square matrix on its diagonal.
pub(super) fn diagonal<T: Real, const N: usize>(a: &[[T; N]; N]) -> impl Iterator<Item = T> + Clone {
    a.iter().enumerate().filter_map(|(k, row)| row.get(k).copied())
}

/// The product of numbers, in an order in which it leaves the range of the type only if the result does.
pub(super) fn product<T: Real>(numbers: impl Iterator<Item = T> + Clone) -> T {
    let mut large = numbers.clone().filter(|x| x.abs() >= T::ONE);
    let mut others = numbers.filter(|x| x.abs() < T::ONE || x.is_nan());
    let mut product = T::ONE;
    loop {
        let next = if product.abs() > T::ONE {
            others.next().or_else(|| large.next())
        } else {
            large.next().or_else(|| others.next())
        };
        match next {
            Some(x) => product *= x,
            None => return product,
        }
    }
}

/// The determinant.
pub(super) fn det<T: Real, const N: usize, const N2: usize>(a: &[[T; N2]; N]) -> T {
    workspace!(lu: [[T; N]; N] = [T::ZERO; N]);
    copy(a, false, lu);
    let odd = factor(lu, &mut [0; N]);
    let det = product(diagonal(lu));
    if odd { -det } else { det }
}

/// The logarithm of the magnitude of the determinant.
pub(super) fn ln_det<T: Real, const N: usize, const N2: usize>(a: &[[T; N2]; N]) -> T {
    workspace!(lu: [[T; N]; N] = [T::ZERO; N]);
    copy(a, false, lu);
    factor(lu, &mut [0; N]);
    diagonal(lu).fold(T::ZERO, |sum, x| sum + x.abs().ln())
}
