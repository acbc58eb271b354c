//! Products of matrices and vectors, on nested arrays.
//!
//! Every kernel **adds** into its last argument, which is what a derivative wants: contributions of several
//! uses of a value meet in one buffer. `c` starts as zeros where a product is wanted.
//!
//! | kernel | adds to its result | `a` | `b` |
//! |---|---|---|---|
//! | [`matmul`] | `a·b` | `[m, k]` | `[k, n]` |
//! | [`matmul_tn`] | `aᵀ·b` | `[k, m]` | `[k, n]` |
//! | [`matmul_nt`] | `a·bᵀ` | `[m, k]` | `[n, k]` |
//! | [`matmul_tt`] | `aᵀ·bᵀ` | `[k, m]` | `[n, k]` |
//! | [`matvec`] | `a·x` | `[m, k]` | `[k]` |
//! | [`matvec_t`] | `aᵀ·x` | `[k, m]` | `[k]` |
//! | [`outer`] | `x·yᵀ` | `[m]` | `[n]` |
//!
//! Each argument has length parameters of its own, which are compared at compile time: generic code may
//! know two lengths to be equal without being able to say so in a type.
//!
//! ```compile_fail,E0080
//! autodiff_core::kernel::matvec(&[[1.0, 2.0]], &[1.0, 2.0, 3.0], &mut [0.0]);
//! ```
//!
//! Small products are loops that inline into their caller and unroll there, without a branch on size and
//! without a panic. Larger ones are blocked for registers (`gemm.rs`), on x86-64 under feature `std` for
//! the CPU they run on. Which it is, is decided by the lengths alone, at compile time. The order of all
//! additions is fixed in the source: same machine, same bits, in debug and in release.

mod borrow;
mod gemm;
mod loops;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod x86;

use crate::Real;
#[doc(hidden)]
pub use gemm::Gemm;
use gemm::{Matrix, Product};

/// Is the product large enough to be worth packing and dispatching?
///
/// Measured: with plain SSE2 the loops are as fast at any size, except that packing pays where `b` is
/// transposed, since it replaces inner products by sums of rows.
const fn is_large(m: usize, k: usize, n: usize, b_transposed: bool) -> bool {
    let dispatches = cfg!(any(all(feature = "std", target_arch = "x86_64"), target_arch = "aarch64"));
    let packs = b_transposed && cfg!(target_arch = "x86_64");
    (dispatches || packs) && m >= 4 && n >= 8 && m * k * n >= 2048
}

/// `c += a·b`.
///
/// ```
/// let mut c = [[100.0; 2]; 1];
/// autodiff_core::kernel::matmul(&[[1.0, 2.0, 3.0]], &[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], &mut c);
/// assert_eq!(c, [[104.0, 105.0]]);
/// ```
#[inline]
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
    const { assert!(K == K2, "matmul: the inner dimensions differ") };
    const { assert!(M == M2 && N == N2, "matmul: the result is not [m, n]") };
    if const { is_large(M, K, N, false) } {
        let (a, b) = (Matrix::rows(a.as_flattened(), K), Matrix::rows(b.as_flattened(), N));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut() });
    } else {
        loops::matmul(a, b, c);
    }
}

/// `c += aᵀ·b`: the gradient of weights, from a batch of inputs and one of cotangents.
///
/// ```
/// let mut c = [[0.0; 2]; 1];
/// autodiff_core::kernel::matmul_tn(&[[1.0], [2.0], [3.0]], &[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], &mut c);
/// assert_eq!(c, [[4.0, 5.0]]);
/// ```
#[inline]
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
    const { assert!(K == K2, "matmul_tn: the inner dimensions differ") };
    const { assert!(M == M2 && N == N2, "matmul_tn: the result is not [m, n]") };
    if const { is_large(M, K, N, false) } {
        let (a, b) = (Matrix::columns(a.as_flattened(), M), Matrix::rows(b.as_flattened(), N));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut() });
    } else {
        loops::matmul_tn(a, b, c);
    }
}

/// `c += a·bᵀ`: the gradient of inputs, from cotangents and weights.
///
/// ```
/// let mut c = [[0.0; 2]; 1];
/// autodiff_core::kernel::matmul_nt(&[[1.0, 2.0, 3.0]], &[[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], &mut c);
/// assert_eq!(c, [[4.0, 5.0]]);
/// ```
#[inline]
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
    const { assert!(K == K2, "matmul_nt: the inner dimensions differ") };
    const { assert!(M == M2 && N == N2, "matmul_nt: the result is not [m, n]") };
    if const { is_large(M, K, N, true) } {
        let (a, b) = (Matrix::rows(a.as_flattened(), K), Matrix::columns(b.as_flattened(), K));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut() });
    } else {
        loops::matmul_nt(a, b, c);
    }
}

/// `c += aᵀ·bᵀ`.
///
/// ```
/// let mut c = [[0.0; 2]; 1];
/// autodiff_core::kernel::matmul_tt(&[[1.0], [2.0], [3.0]], &[[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], &mut c);
/// assert_eq!(c, [[4.0, 5.0]]);
/// ```
#[inline]
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
    const { assert!(K == K2, "matmul_tt: the inner dimensions differ") };
    const { assert!(M == M2 && N == N2, "matmul_tt: the result is not [m, n]") };
    if const { is_large(M, K, N, true) } {
        let (a, b) = (Matrix::columns(a.as_flattened(), M), Matrix::columns(b.as_flattened(), K));
        T::gemm(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut() });
    } else {
        loops::matmul_tt(a, b, c);
    }
}

/// `y += a·x`.
///
/// ```
/// let mut y = [10.0, 20.0];
/// autodiff_core::kernel::matvec(&[[1.0, 2.0], [3.0, 4.0]], &[1.0, 1.0], &mut y);
/// assert_eq!(y, [13.0, 27.0]);
/// ```
#[inline]
pub fn matvec<T: Real, const M: usize, const K: usize, const K2: usize, const M2: usize>(
    a: &[[T; K]; M],
    x: &[T; K2],
    y: &mut [T; M2],
) {
    const { assert!(K == K2, "matvec: columns and vector differ in length") };
    const { assert!(M == M2, "matvec: rows and result differ in length") };
    loops::matvec(a, x, y);
}

/// `y += aᵀ·x`.
///
/// ```
/// let mut y = [10.0, 20.0];
/// autodiff_core::kernel::matvec_t(&[[1.0, 2.0], [3.0, 4.0]], &[1.0, 1.0], &mut y);
/// assert_eq!(y, [14.0, 26.0]);
/// ```
#[inline]
pub fn matvec_t<T: Real, const M: usize, const K: usize, const K2: usize, const M2: usize>(
    a: &[[T; M]; K],
    x: &[T; K2],
    y: &mut [T; M2],
) {
    const { assert!(K == K2, "matvec_t: rows and vector differ in length") };
    const { assert!(M == M2, "matvec_t: columns and result differ in length") };
    loops::matvec_t(a, x, y);
}

/// `c += x·yᵀ`.
///
/// ```
/// let mut c = [[0.0; 2]; 2];
/// autodiff_core::kernel::outer(&[1.0, 2.0], &[3.0, 4.0], &mut c);
/// assert_eq!(c, [[3.0, 4.0], [6.0, 8.0]]);
/// ```
#[inline]
pub fn outer<T: Real, const M: usize, const N: usize, const M2: usize, const N2: usize>(
    x: &[T; M],
    y: &[T; N],
    c: &mut [[T; N2]; M2],
) {
    const { assert!(M == M2 && N == N2, "outer: the result is not [m, n]") };
    loops::outer(x, y, c);
}

#[cfg(test)]
mod tests;
