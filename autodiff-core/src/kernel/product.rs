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
    if const { is_large(M, K, N, false) } {
        let (a, b) = (Matrix::rows(a.as_flattened(), K), Matrix::rows(b.as_flattened(), N));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut(), adds: ADDS });
    } else {
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
    if const { is_large(M, K, N, false) } {
        let (a, b) = (Matrix::columns(a.as_flattened(), M), Matrix::rows(b.as_flattened(), N));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut(), adds: ADDS });
    } else {
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
    if const { is_large(M, K, N, true) } {
        let (a, b) = (Matrix::rows(a.as_flattened(), K), Matrix::columns(b.as_flattened(), K));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut(), adds: ADDS });
    } else {
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
    if const { is_large(M, K, N, true) } {
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
    loops::matvec::<ADDS, T, _, _, _>(a, x, y);
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
    } else {
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
    loops::outer::<ADDS, T, _, _>(x, y, c);
}
