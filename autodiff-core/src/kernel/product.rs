//! Products of matrices and vectors, which add to their result or set it.

#![expect(clippy::inline_always, reason = "the choice of a kernel is part of the caller's code")]

use super::gemm::{Matrix, Product};
use super::loops;
use crate::Real;

/// Is the product large enough to be worth packing and dispatching?
///
/// Measured: with plain SSE2 the loops are as fast at any size, except that packing pays where `b` is
/// transposed, since it replaces inner products by sums of rows.
const fn is_large(m: usize, k: usize, n: usize, b_transposed: bool) -> bool {
    let dispatches = cfg!(any(all(feature = "std", target_arch = "x86_64"), target_arch = "aarch64"));
    let packs = b_transposed && cfg!(target_arch = "x86_64");
    // A row that is multiplied by what is not transposed is read once, and needs no packing.
    let is_row = cfg!(all(feature = "std", target_arch = "x86_64")) && !b_transposed;
    (dispatches || packs) && (m >= 4 || is_row) && n >= 8 && m * k * n >= 2048
}

/// Whether the CPU may have longer vectors than the target. Elsewhere small products are loops alone.
const HAS_VECTORS: bool = cfg!(all(feature = "std", target_arch = "x86_64"));

/// Is a small product worth asking for them? Rows of the result are to be half a vector at least.
const fn is_worth_vectors(m: usize, k: usize, n: usize) -> bool {
    HAS_VECTORS && n >= 8 && m * k * n >= 64
}

/// An outer product takes time to write, however large it is.
const fn is_outer(m: usize, k: usize, n: usize) -> bool {
    HAS_VECTORS && k == 1 && n > 1 && m > 0
}

/// A result with one column is a vector, of which several numbers are computed at once.
const fn is_vector(k: usize, n: usize) -> bool {
    HAS_VECTORS && n == 1 && k > 1
}

#[inline(always)]
pub(super) fn matmul<
    const ADDS: bool,
    T: Real,
    const M: usize,
    const K: usize,
    const K2: usize,
    const N: usize,
    const M2: usize,
    const N2: usize,
>(
    a: &[[T; K]; M],
    b: &[[T; N]; K2],
    c: &mut [[T; N2]; M2],
) {
    const { assert!(K == K2, "matmul: the inner dimensions differ") };
    const { assert!(M == M2 && N == N2, "matmul: the result is not [m, n]") };
    if const { is_outer(M, K, N) } {
        outer_or_loops::<ADDS, T, N2>(a.as_flattened(), b.as_flattened(), c);
    } else if const { is_vector(K, N) } {
        matvec::<ADDS, T, M, K, K, M>(a, column(b), column_mut(c));
    } else if const { is_large(M, K, N, false) } {
        let (a, b) = (Matrix::rows(a.as_flattened(), K), Matrix::rows(b.as_flattened(), N));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut(), adds: ADDS });
    } else if !combine::<ADDS, T, M, K, N>((a.as_flattened(), K, 1), b.as_flattened(), c.as_flattened_mut()) {
        loops::matmul::<ADDS, T, _, _, _>(a, b, c);
    }
}

#[inline(always)]
pub(super) fn matmul_tn<
    const ADDS: bool,
    T: Real,
    const M: usize,
    const K: usize,
    const K2: usize,
    const N: usize,
    const M2: usize,
    const N2: usize,
>(
    a: &[[T; M]; K],
    b: &[[T; N]; K2],
    c: &mut [[T; N2]; M2],
) {
    const { assert!(K == K2, "matmul_tn: the inner dimensions differ") };
    const { assert!(M == M2 && N == N2, "matmul_tn: the result is not [m, n]") };
    if const { is_outer(M, K, N) } {
        outer_or_loops::<ADDS, T, N2>(a.as_flattened(), b.as_flattened(), c);
    } else if const { is_vector(K, N) } {
        matvec_t::<ADDS, T, M, K, K, M>(a, column(b), column_mut(c));
    } else if const { is_large(M, K, N, false) } {
        let (a, b) = (Matrix::columns(a.as_flattened(), M), Matrix::rows(b.as_flattened(), N));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut(), adds: ADDS });
    } else if !combine::<ADDS, T, M, K, N>((a.as_flattened(), 1, M), b.as_flattened(), c.as_flattened_mut()) {
        loops::matmul_tn::<ADDS, T, _, _, _>(a, b, c);
    }
}

#[inline(always)]
pub(super) fn matmul_nt<
    const ADDS: bool,
    T: Real,
    const M: usize,
    const K: usize,
    const K2: usize,
    const N: usize,
    const M2: usize,
    const N2: usize,
>(
    a: &[[T; K]; M],
    b: &[[T; K2]; N],
    c: &mut [[T; N2]; M2],
) {
    const { assert!(K == K2, "matmul_nt: the inner dimensions differ") };
    const { assert!(M == M2 && N == N2, "matmul_nt: the result is not [m, n]") };
    if const { is_outer(M, K, N) } {
        outer_or_loops::<ADDS, T, N2>(a.as_flattened(), b.as_flattened(), c);
    } else if const { is_vector(K, N) } {
        matvec::<ADDS, T, M, K, K, M>(a, row(b), column_mut(c));
    } else if const { is_large(M, K, N, true) } {
        let (a, b) = (Matrix::rows(a.as_flattened(), K), Matrix::columns(b.as_flattened(), K));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut(), adds: ADDS });
    } else if !dots::<ADDS, T, M, K, N>(a.as_flattened(), b.as_flattened(), c.as_flattened_mut()) {
        loops::matmul_nt::<ADDS, T, _, _, _>(a, b, c);
    }
}

#[inline(always)]
pub(super) fn matmul_tt<
    const ADDS: bool,
    T: Real,
    const M: usize,
    const K: usize,
    const K2: usize,
    const N: usize,
    const M2: usize,
    const N2: usize,
>(
    a: &[[T; M]; K],
    b: &[[T; K2]; N],
    c: &mut [[T; N2]; M2],
) {
    const { assert!(K == K2, "matmul_tt: the inner dimensions differ") };
    const { assert!(M == M2 && N == N2, "matmul_tt: the result is not [m, n]") };
    if const { is_outer(M, K, N) } {
        outer_or_loops::<ADDS, T, N2>(a.as_flattened(), b.as_flattened(), c);
    } else if const { is_vector(K, N) } {
        matvec_t::<ADDS, T, M, K, K, M>(a, row(b), column_mut(c));
    } else if const { is_large(M, K, N, true) } {
        let (a, b) = (Matrix::columns(a.as_flattened(), M), Matrix::columns(b.as_flattened(), K));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut(), adds: ADDS });
    } else {
        loops::matmul_tt::<ADDS, T, _, _, _, _>(a, b, c);
    }
}

#[inline(always)]
pub(super) fn matvec<const ADDS: bool, T: Real, const M: usize, const K: usize, const K2: usize, const M2: usize>(
    a: &[[T; K]; M],
    x: &[T; K2],
    y: &mut [T; M2],
) {
    const { assert!(K == K2, "matvec: columns and vector differ in length") };
    const { assert!(M == M2, "matvec: rows and result differ in length") };
    if !dots::<ADDS, T, 1, K, M>(x, a.as_flattened(), y) {
        loops::matvec::<ADDS, T, _, _, _>(a, x, y);
    }
}

#[inline(always)]
pub(super) fn matvec_t<const ADDS: bool, T: Real, const M: usize, const K: usize, const K2: usize, const M2: usize>(
    a: &[[T; M]; K],
    x: &[T; K2],
    y: &mut [T; M2],
) {
    const { assert!(K == K2, "matvec_t: rows and vector differ in length") };
    const { assert!(M == M2, "matvec_t: columns and result differ in length") };
    if const { is_large(1, K, M, false) } {
        let (a, b) = (Matrix::rows(x, K), Matrix::rows(a.as_flattened(), M));
        T::gemm(Product { m: 1, k: K, n: M, a, b, c: y, adds: ADDS });
    } else if !combine::<ADDS, T, 1, K, M>((x, K, 1), a.as_flattened(), y) {
        loops::matvec_t::<ADDS, T, _, _>(a, x, y);
    }
}

#[inline(always)]
pub(super) fn outer<const ADDS: bool, T: Real, const M: usize, const N: usize, const M2: usize, const N2: usize>(
    x: &[T; M],
    y: &[T; N],
    c: &mut [[T; N2]; M2],
) {
    const { assert!(M == M2 && N == N2, "outer: the result is not [m, n]") };
    outer_or_loops::<ADDS, T, N2>(x, y, c);
}

/// `c = x·yᵀ`, or `c +=` that. `y` has as many numbers as a row of `c`.
#[inline(always)]
fn outer_or_loops<const ADDS: bool, T: Real, const N: usize>(x: &[T], y: &[T], c: &mut [[T; N]]) {
    let is_done = const { HAS_VECTORS && N >= 8 } && T::outer::<ADDS, N>(x, y, c.as_flattened_mut());
    if let (false, Some(y)) = (is_done, y.first_chunk()) {
        loops::outer::<ADDS, T, N, N>(x, y, c);
    }
}

/// See [`Small`](super::Small).
#[inline(always)]
fn combine<const ADDS: bool, T: Real, const M: usize, const K: usize, const N: usize>(
    a: (&[T], usize, usize),
    b: &[T],
    c: &mut [T],
) -> bool {
    if const { is_worth_vectors(M, K, N) } { T::combine::<ADDS, M, K, N>(a, b, c) } else { false }
}

/// See [`Small`](super::Small).
#[inline(always)]
fn dots<const ADDS: bool, T: Real, const M: usize, const K: usize, const N: usize>(
    a: &[T],
    b: &[T],
    c: &mut [T],
) -> bool {
    if const { is_worth_vectors(M, K, N) } { T::dots::<ADDS, M, K, N>(a, b, c) } else { false }
}

/// The column of a matrix with one, whose length has been checked. (In its place, a call with other sizes would be a second error.)
#[inline(always)]
fn column<T, const K: usize, const N: usize, const LEN: usize>(b: &[[T; N]; K]) -> &[T; LEN] {
    match b.as_flattened().first_chunk() {
        Some(column) => column,
        None => unreachable!("a matrix has a column"),
    }
}

/// The column of a matrix with one.
#[inline(always)]
fn column_mut<T, const M: usize, const N: usize, const LEN: usize>(c: &mut [[T; N]; M]) -> &mut [T; LEN] {
    match c.as_flattened_mut().first_chunk_mut() {
        Some(column) => column,
        None => unreachable!("a matrix has a column"),
    }
}

/// The row of a matrix with one.
#[inline(always)]
fn row<T, const K: usize, const N: usize, const LEN: usize>(b: &[[T; K]; N]) -> &[T; LEN] {
    match b.as_flattened().first_chunk() {
        Some(row) => row,
        None => unreachable!("a matrix has a row"),
    }
}
