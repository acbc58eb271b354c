//! The products and the kernels for images once more: they set their result, whatever is there.
//!
//! Zeros to which [`matmul`](super::matmul) adds give the same numbers. The sign of a zero may differ.

#[doc(hidden)]
pub use super::images::set::*;
use super::product;
use crate::Real;

/// The total of partial sums, which are added by halves: the first eight to the last eight, the first four of these to the
/// others, and so on.
#[doc(hidden)]
#[inline(always)]
pub fn lane_total<T: Real, const N: usize>(lanes: &[T; N], y: &mut [T; 1]) {
    *y = [super::loops::total(*lanes)];
}

/// `c = a·b`.
#[cfg_attr(feature = "std", inline(always))]
#[cfg_attr(not(feature = "std"), inline)]
pub fn matmul<
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
    product::matmul::<false, T, M, K, K2, N, M2, N2>(a, b, c);
}

/// `c = aᵀ·b`.
#[cfg_attr(feature = "std", inline(always))]
#[cfg_attr(not(feature = "std"), inline)]
pub fn matmul_tn<
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
    product::matmul_tn::<false, T, M, K, K2, N, M2, N2>(a, b, c);
}

/// `c = a·bᵀ`.
#[cfg_attr(feature = "std", inline(always))]
#[cfg_attr(not(feature = "std"), inline)]
pub fn matmul_nt<
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
    product::matmul_nt::<false, T, M, K, K2, N, M2, N2>(a, b, c);
}

/// `c = aᵀ·bᵀ`.
#[cfg_attr(feature = "std", inline(always))]
#[cfg_attr(not(feature = "std"), inline)]
pub fn matmul_tt<
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
    product::matmul_tt::<false, T, M, K, K2, N, M2, N2>(a, b, c);
}

/// `y = a·x`.
#[cfg_attr(feature = "std", inline(always))]
#[cfg_attr(not(feature = "std"), inline)]
pub fn matvec<T: Real, const M: usize, const K: usize, const K2: usize, const M2: usize>(
    a: &[[T; K]; M],
    x: &[T; K2],
    y: &mut [T; M2],
) {
    product::matvec::<false, T, M, K, K2, M2>(a, x, y);
}

/// `y = aᵀ·x`.
#[cfg_attr(feature = "std", inline(always))]
#[cfg_attr(not(feature = "std"), inline)]
pub fn matvec_t<T: Real, const M: usize, const K: usize, const K2: usize, const M2: usize>(
    a: &[[T; M]; K],
    x: &[T; K2],
    y: &mut [T; M2],
) {
    product::matvec_t::<false, T, M, K, K2, M2>(a, x, y);
}

/// `c = x·yᵀ`.
#[cfg_attr(feature = "std", inline(always))]
#[cfg_attr(not(feature = "std"), inline)]
pub fn outer<T: Real, const M: usize, const N: usize, const M2: usize, const N2: usize>(
    x: &[T; M],
    y: &[T; N],
    c: &mut [[T; N2]; M2],
) {
    product::outer::<false, T, M, N, M2, N2>(x, y, c);
}
