//! Products of matrices and vectors, and solutions of linear equations, on nested arrays.
//!
//! Every kernel **adds** into its last argument, which is what a derivative wants: contributions of several
//! uses of a value meet in one buffer. Where a product alone is wanted, `c` starts as zeros, or it is set by the kernel of
//! the same name in [`set`].
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
//! | [`solve`], [`solve_t`] | `a⁻¹·b`, `a⁻ᵀ·b` | `[n, n]` | `[n]` or `[n, k]` |
//! | [`solve_lower`], [`solve_lower_t`] | the same of the lower triangle of `a` | `[n, n]` | `[n]` or `[n, k]` |
//! | [`solve_upper`], [`solve_upper_t`] | the same of the upper triangle of `a` | `[n, n]` | `[n]` or `[n, k]` |
//! | [`inverse`] | `a⁻¹` | `[n, n]` | |
//! | [`det`], [`ln_det`] | the determinant, the logarithm of its magnitude | `[n, n]` | |
//! | [`cofactors`] | the gradient of the determinant | `[n, n]` | |
//! | [`cofactors_along`] | the derivative of the cofactors in a direction | `[n, n]` | `[n, n]` |
//! | [`cholesky`] | the lower triangle `l` with `l·lᵀ = (a + aᵀ)/2` | `[n, n]` | |
//! | [`tril`], [`triu`], [`tril_half`] | a triangle of `a` | `[n, n]` | |
//! | [`expm`] | the exponential | `[n, n]` | |
//! | [`expm_along`], [`expm_along2`], [`expm_along3`] | its derivative in one, two, three directions | `[n, n]` | `[n, n]` |
//! | [`eigvalsh`], [`eigvecsh`] | eigenvalues of `(a + aᵀ)/2`, eigenvectors | `[n, n]` | |
//! | `symmetric_eigenvalues`, `symmetric_eigenvectors` | the same as nalgebra orders them, with its feature | `[n, n]` | |
//! | [`gap_quotients`] | `aᵢⱼ/(bⱼ − bᵢ)` off the diagonal | `[n, n]` | `[n]` |
//! | [`singular_values`], [`singular_left`], [`singular_right`] | singular values, left and right vectors | `[m, n]` | |
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
//!
//! Convolutions also have the windows of an image as columns (`windows.rs`), and pooling the largest of 2 × 2 elements (`pool.rs`). Small
//! products are inlined, too, where AVX-512 is used for them (`small.rs`).
//!
//! What factorises a matrix does so in a copy, which is on the stack up to 256 KiB. A singular matrix gives infinities and NaN
//! where the result has no value, as a division by 0 does; nothing panics.

pub(crate) mod borrow;
mod cofactor;
#[cfg(any(feature = "nalgebra", feature = "nalgebra-0-34"))]
mod eigen;
mod exponential;
mod factor;
mod gemm;
mod images;
mod loops;
mod pool;
mod product;
#[cfg(feature = "alloc")]
pub(crate) mod scratch;
pub mod set;
mod small;
mod spectral;
mod triangular;
mod windows;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod x86;

use crate::Real;
#[cfg(any(feature = "nalgebra", feature = "nalgebra-0-34"))]
pub use eigen::{symmetric_eigenvalues, symmetric_eigenvectors};
pub use exponential::{expm, expm_along, expm_along2, expm_along3};
#[doc(hidden)]
pub use gemm::Gemm;
#[doc(hidden)]
pub use images::{max_pool, max_pool_along, max_pool_t, windows, windows_t};
#[doc(hidden)]
pub use pool::Pooled;
#[doc(hidden)]
pub use small::Small;
pub use spectral::{eigvalsh, eigvecsh, gap_quotients, singular_left, singular_right, singular_values};
use triangular::Triangle;
#[doc(hidden)]
pub use windows::Windows;

/// Declares an array of equal elements as a reference: on the heap if it is large and there is one.
macro_rules! workspace {
    ($name:ident: [$element:ty; $len:expr] = $value:expr) => {
        #[cfg(feature = "alloc")]
        let (mut large, mut small);
        #[cfg(feature = "alloc")]
        let $name: &mut [$element; $len] = if const { crate::memory::is_large::<[$element; $len]>() } {
            large = crate::memory::boxed(alloc::vec![$value; $len]);
            &mut large
        } else {
            small = [$value; $len];
            &mut small
        };
        #[cfg(not(feature = "alloc"))]
        let $name: &mut [$element; $len] = &mut [$value; $len];
    };
}
use workspace;

/// `c += a·b`.
///
/// ```
/// let mut c = [[100.0; 2]; 1];
/// autodiff_core::kernel::matmul(&[[1.0, 2.0, 3.0]], &[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], &mut c);
/// assert_eq!(c, [[104.0, 105.0]]);
/// ```
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
    product::matmul::<true, T, M, K, K2, N, M2, N2>(a, b, c);
}

/// `c += aᵀ·b`: the gradient of weights, from a batch of inputs and one of cotangents.
///
/// ```
/// let mut c = [[0.0; 2]; 1];
/// autodiff_core::kernel::matmul_tn(&[[1.0], [2.0], [3.0]], &[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], &mut c);
/// assert_eq!(c, [[4.0, 5.0]]);
/// ```
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
    product::matmul_tn::<true, T, M, K, K2, N, M2, N2>(a, b, c);
}

/// `c += a·bᵀ`: the gradient of inputs, from cotangents and weights.
///
/// ```
/// let mut c = [[0.0; 2]; 1];
/// autodiff_core::kernel::matmul_nt(&[[1.0, 2.0, 3.0]], &[[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], &mut c);
/// assert_eq!(c, [[4.0, 5.0]]);
/// ```
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
    product::matmul_nt::<true, T, M, K, K2, N, M2, N2>(a, b, c);
}

/// `c += aᵀ·bᵀ`.
///
/// ```
/// let mut c = [[0.0; 2]; 1];
/// autodiff_core::kernel::matmul_tt(&[[1.0], [2.0], [3.0]], &[[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], &mut c);
/// assert_eq!(c, [[4.0, 5.0]]);
/// ```
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
    product::matmul_tt::<true, T, M, K, K2, N, M2, N2>(a, b, c);
}

/// `y += a·x`.
///
/// ```
/// let mut y = [10.0, 20.0];
/// autodiff_core::kernel::matvec(&[[1.0, 2.0], [3.0, 4.0]], &[1.0, 1.0], &mut y);
/// assert_eq!(y, [13.0, 27.0]);
/// ```
#[cfg_attr(feature = "std", inline(always))]
#[cfg_attr(not(feature = "std"), inline)]
pub fn matvec<T: Real, const M: usize, const K: usize, const K2: usize, const M2: usize>(
    a: &[[T; K]; M],
    x: &[T; K2],
    y: &mut [T; M2],
) {
    product::matvec::<true, T, M, K, K2, M2>(a, x, y);
}

/// `y += aᵀ·x`.
///
/// ```
/// let mut y = [10.0, 20.0];
/// autodiff_core::kernel::matvec_t(&[[1.0, 2.0], [3.0, 4.0]], &[1.0, 1.0], &mut y);
/// assert_eq!(y, [14.0, 26.0]);
/// ```
#[cfg_attr(feature = "std", inline(always))]
#[cfg_attr(not(feature = "std"), inline)]
pub fn matvec_t<T: Real, const M: usize, const K: usize, const K2: usize, const M2: usize>(
    a: &[[T; M]; K],
    x: &[T; K2],
    y: &mut [T; M2],
) {
    product::matvec_t::<true, T, M, K, K2, M2>(a, x, y);
}

/// `c += x·yᵀ`.
///
/// ```
/// let mut c = [[0.0; 2]; 2];
/// autodiff_core::kernel::outer(&[1.0, 2.0], &[3.0, 4.0], &mut c);
/// assert_eq!(c, [[3.0, 4.0], [6.0, 8.0]]);
/// ```
#[cfg_attr(feature = "std", inline(always))]
#[cfg_attr(not(feature = "std"), inline)]
pub fn outer<T: Real, const M: usize, const N: usize, const M2: usize, const N2: usize>(
    x: &[T; M],
    y: &[T; N],
    c: &mut [[T; N2]; M2],
) {
    product::outer::<true, T, M, N, M2, N2>(x, y, c);
}

/// Right-hand sides of linear equations: a vector, or the columns of a matrix.
#[doc(hidden)]
pub trait RightSide<T> {
    type Row: AsRef<[T]> + AsMut<[T]> + Copy;
    const ROWS: usize;
    const COLUMNS: usize;
    const ZERO_ROW: Self::Row;
    fn rows(&self) -> &[Self::Row];
    fn rows_mut(&mut self) -> &mut [Self::Row];
}

impl<T: Real, const N: usize> RightSide<T> for [T; N] {
    type Row = [T; 1];
    const ROWS: usize = N;
    const COLUMNS: usize = 1;
    const ZERO_ROW: [T; 1] = [T::ZERO];
    #[inline]
    fn rows(&self) -> &[[T; 1]] {
        self.as_chunks().0
    }
    #[inline]
    fn rows_mut(&mut self) -> &mut [[T; 1]] {
        self.as_chunks_mut().0
    }
}

impl<T: Real, const N: usize, const K: usize> RightSide<T> for [[T; K]; N] {
    type Row = [T; K];
    const ROWS: usize = N;
    const COLUMNS: usize = K;
    const ZERO_ROW: [T; K] = [T::ZERO; K];
    #[inline]
    fn rows(&self) -> &[[T; K]] {
        self
    }
    #[inline]
    fn rows_mut(&mut self) -> &mut [[T; K]] {
        self
    }
}

/// `x += a⁻¹·b`, for a vector or a matrix `b`.
///
/// ```
/// let mut x = [0.0; 2];
/// autodiff_core::kernel::solve(&[[0.0, 2.0], [4.0, 0.0]], &[2.0, 12.0], &mut x);
/// assert_eq!(x, [3.0, 1.0]);
/// ```
#[inline]
pub fn solve<T: Real, const N: usize, const N2: usize, B: RightSide<T>, X: RightSide<T>>(
    a: &[[T; N2]; N],
    b: &B,
    x: &mut X,
) {
    const { assert!(N == N2, "solve: the matrix is not square") };
    const { assert!(B::ROWS == N, "solve: matrix and right-hand side differ in rows") };
    const { assert!(X::ROWS == N && X::COLUMNS == B::COLUMNS, "solve: the result is not like the right-hand side") };
    factor::solve(a, false, b, x);
}

/// `x += a⁻ᵀ·b`.
#[inline]
pub fn solve_t<T: Real, const N: usize, const N2: usize, B: RightSide<T>, X: RightSide<T>>(
    a: &[[T; N2]; N],
    b: &B,
    x: &mut X,
) {
    const { assert!(N == N2, "solve_t: the matrix is not square") };
    const { assert!(B::ROWS == N, "solve_t: matrix and right-hand side differ in rows") };
    const { assert!(X::ROWS == N && X::COLUMNS == B::COLUMNS, "solve_t: the result is not like the right-hand side") };
    factor::solve(a, true, b, x);
}

/// `x += l⁻¹·b`, where `l` is the lower triangle of `a`; what is above it is not read.
#[inline]
pub fn solve_lower<T: Real, const N: usize, const N2: usize, B: RightSide<T>, X: RightSide<T>>(
    a: &[[T; N2]; N],
    b: &B,
    x: &mut X,
) {
    const { assert!(N == N2, "solve_lower: the matrix is not square") };
    const { assert!(B::ROWS == N, "solve_lower: matrix and right-hand side differ in rows") };
    const { assert!(X::ROWS == N && X::COLUMNS == B::COLUMNS, "solve_lower: the result is not like the right-hand side") };
    triangular::solve(a, Triangle::Lower, b, x);
}

/// `x += l⁻ᵀ·b`, where `l` is the lower triangle of `a`.
#[inline]
pub fn solve_lower_t<T: Real, const N: usize, const N2: usize, B: RightSide<T>, X: RightSide<T>>(
    a: &[[T; N2]; N],
    b: &B,
    x: &mut X,
) {
    const { assert!(N == N2, "solve_lower_t: the matrix is not square") };
    const { assert!(B::ROWS == N, "solve_lower_t: matrix and right-hand side differ in rows") };
    const { assert!(X::ROWS == N && X::COLUMNS == B::COLUMNS, "solve_lower_t: the result is not like the right-hand side") };
    triangular::solve(a, Triangle::LowerTransposed, b, x);
}

/// `x += u⁻¹·b`, where `u` is the upper triangle of `a`; what is below it is not read.
#[inline]
pub fn solve_upper<T: Real, const N: usize, const N2: usize, B: RightSide<T>, X: RightSide<T>>(
    a: &[[T; N2]; N],
    b: &B,
    x: &mut X,
) {
    const { assert!(N == N2, "solve_upper: the matrix is not square") };
    const { assert!(B::ROWS == N, "solve_upper: matrix and right-hand side differ in rows") };
    const { assert!(X::ROWS == N && X::COLUMNS == B::COLUMNS, "solve_upper: the result is not like the right-hand side") };
    triangular::solve(a, Triangle::Upper, b, x);
}

/// `x += u⁻ᵀ·b`, where `u` is the upper triangle of `a`.
#[inline]
pub fn solve_upper_t<T: Real, const N: usize, const N2: usize, B: RightSide<T>, X: RightSide<T>>(
    a: &[[T; N2]; N],
    b: &B,
    x: &mut X,
) {
    const { assert!(N == N2, "solve_upper_t: the matrix is not square") };
    const { assert!(B::ROWS == N, "solve_upper_t: matrix and right-hand side differ in rows") };
    const { assert!(X::ROWS == N && X::COLUMNS == B::COLUMNS, "solve_upper_t: the result is not like the right-hand side") };
    triangular::solve(a, Triangle::UpperTransposed, b, x);
}

/// `y += a⁻¹`.
///
/// ```
/// let mut y = [[0.0; 2]; 2];
/// autodiff_core::kernel::inverse(&[[0.0, 2.0], [4.0, 0.0]], &mut y);
/// assert_eq!(y, [[0.0, 0.25], [0.5, 0.0]]);
/// ```
#[inline]
pub fn inverse<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "inverse: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "inverse: the result is not [n, n]") };
    factor::inverse(a, y);
}

/// `y += det a`.
///
/// ```
/// let mut y = [0.0];
/// autodiff_core::kernel::det(&[[0.0, 2.0], [4.0, 0.0]], &mut y);
/// assert_eq!(y, [-8.0]);
/// ```
#[inline]
pub fn det<T: Real, const N: usize, const N2: usize>(a: &[[T; N2]; N], y: &mut [T; 1]) {
    const { assert!(N == N2, "det: the matrix is not square") };
    y[0] += factor::det(a);
}

/// `y += ln |det a|`, which neither overflows nor underflows as the determinant does.
#[inline]
pub fn ln_det<T: Real, const N: usize, const N2: usize>(a: &[[T; N2]; N], y: &mut [T; 1]) {
    const { assert!(N == N2, "ln_det: the matrix is not square") };
    y[0] += factor::ln_det(a);
}

/// `y +=` the cofactors of `a`: the gradient of its determinant, also where that is 0.
///
/// ```
/// let mut y = [[0.0; 2]; 2];
/// autodiff_core::kernel::cofactors(&[[1.0, 2.0], [2.0, 4.0]], &mut y);
/// assert_eq!(y, [[4.0, -2.0], [-2.0, 1.0]]);
/// ```
#[inline]
pub fn cofactors<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "cofactors: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "cofactors: the result is not [n, n]") };
    cofactor::cofactors(a, y);
}

/// `y +=` the derivative of the cofactors of `a` in the direction `h`, also where `a` is singular.
#[inline]
pub fn cofactors_along<
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
    const { assert!(N == N2, "cofactors_along: the matrix is not square") };
    const { assert!(M == N && K == N, "cofactors_along: the direction is not [n, n]") };
    const { assert!(M2 == N && K2 == N, "cofactors_along: the result is not [n, n]") };
    cofactor::cofactors_along(a, h, y);
}

/// `y += l` with `l·lᵀ = (a + aᵀ)/2`, lower triangular: NaN where that is not positive definite.
///
/// ```
/// let mut y = [[0.0; 2]; 2];
/// autodiff_core::kernel::cholesky(&[[4.0, 2.0], [2.0, 10.0]], &mut y);
/// assert_eq!(y, [[2.0, 0.0], [1.0, 3.0]]);
/// ```
#[inline]
pub fn cholesky<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "cholesky: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "cholesky: the result is not [n, n]") };
    triangular::cholesky(a, y);
}

/// `y +=` the lower triangle of `a`, with its diagonal.
#[inline]
pub fn tril<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "tril: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "tril: the result is not [n, n]") };
    triangular::masked(a, y, |i, j| (i >= j).then_some(T::ONE));
}

/// `y +=` the upper triangle of `a`, with its diagonal.
#[inline]
pub fn triu<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "triu: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "triu: the result is not [n, n]") };
    triangular::masked(a, y, |i, j| (i <= j).then_some(T::ONE));
}

/// `y +=` the lower triangle of `a`, with half of its diagonal.
#[inline]
pub fn tril_half<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "tril_half: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "tril_half: the result is not [n, n]") };
    triangular::masked(a, y, |i, j| (i >= j).then_some(if i == j { T::from_f64(0.5) } else { T::ONE }));
}

#[cfg(test)]
mod factor_tests;
#[cfg(test)]
mod spectral_tests;
#[cfg(test)]
mod tests;
