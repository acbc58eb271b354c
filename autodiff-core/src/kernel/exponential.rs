//! The exponential of a matrix, and its derivatives along matrices.
//!
//! The derivative of `exp a` along `h` is the upper right block of the exponential of `[a, h; 0, a]`. A matrix of that form is a
//! matrix `a + ε·h` with `ε² = 0`; with several directions there are as many `ε`. Such a matrix is stored as its coefficients:
//! that of a product of `ε` is at the index with the bits of its factors. One algorithm for the exponential thus gives all
//! derivatives, and no step of it is differentiated.
//!
//! The algorithm is the diagonal Padé approximant of degree 13 with scaling and squaring (Higham, The scaling and squaring method
//! for the matrix exponential revisited, 2005). The power of two depends on the norm of `a` alone, with the bound that holds for
//! the derivative, too (Al-Mohy and Higham, Computing the Fréchet derivative of the matrix exponential, 2009).

use super::factor::factor;
use super::triangular::{add_rows, backward, forward};
use super::workspace;
use crate::Real;

/// The largest norm for which the approximant and its derivative are exact to `f64`.
const BOUND: f64 = 4.74;

/// The coefficients of the approximant, divided by the first one.
const PADE: [f64; 14] = [
    1.0,
    1.0 / 2.0,
    3.0 / 25.0,
    11.0 / 600.0,
    11.0 / 5_520.0,
    3.0 / 18_400.0,
    1.0 / 96_600.0,
    1.0 / 1_932_000.0,
    1.0 / 48_944_000.0,
    1.0 / 1_585_785_600.0,
    1.0 / 67_395_888_000.0,
    1.0 / 3_953_892_096_000.0,
    1.0 / 355_850_288_640_000.0,
    1.0 / 64_764_752_532_480_000.0,
];

/// How many arrays of coefficients there are at a time.
#[cfg(feature = "alloc")]
const ARRAYS: usize = 7;

/// Declares the coefficients of a matrix with nilpotents, one matrix below the other, all of them 0: on the heap if all such
/// arrays together are large and there is one.
macro_rules! coefficients {
    ($name:ident: $t:ty, $n:ident, $b:ident) => {
        #[cfg(feature = "alloc")]
        let mut large;
        let mut small;
        let $name: &mut [[$t; $n]] = match () {
            #[cfg(feature = "alloc")]
            () if const { crate::memory::is_large::<[[[[$t; $n]; $n]; $b]; ARRAYS]>() } => {
                large = alloc::vec![[<$t>::ZERO; $n]; $n * $b];
                &mut large
            }
            () => {
                small = [[[<$t>::ZERO; $n]; $n]; $b];
                small.as_flattened_mut()
            }
        };
    };
}

/// The sum of the magnitudes in the column that has most of them; NaN and infinity stay.
fn norm<T: Real, const N: usize>(a: &[[T; N]]) -> T {
    let column = |j: usize| a.iter().fold(T::ZERO, |sum, row| sum + row[j].abs());
    (0..N).map(column).fold(T::ZERO, Real::maximum)
}

/// The rows of a coefficient.
fn rows<const N: usize>(of: usize) -> core::ops::Range<usize> {
    of * N..(of + 1) * N
}

fn clear<T: Real, const N: usize>(a: &mut [[T; N]]) {
    a.as_flattened_mut().fill(T::ZERO);
}

/// `c = a·b`: of each product of nilpotents, whatever of it is in `a` and the rest in `b`.
fn multiply<T: Real, const N: usize, const B: usize>(a: &[[T; N]], b: &[[T; N]], c: &mut [[T; N]]) {
    clear(c);
    for all in 0..B {
        for some in (0..B).filter(|some| some & !all == 0) {
            product(&a[rows::<N>(some)], &b[rows::<N>(all & !some)], &mut c[rows::<N>(all)]);
        }
    }
}

/// `c += a·b` of square matrices.
fn product<T: Real, const N: usize>(a: &[[T; N]], b: &[[T; N]], c: &mut [[T; N]]) {
    if let (Some(a), Some(b), Some(c)) = (a.first_chunk::<N>(), b.first_chunk::<N>(), c.first_chunk_mut::<N>()) {
        super::matmul(a, b, c);
    }
}

/// `to += factor·a`.
fn add<T: Real, const N: usize>(factor: f64, a: &[[T; N]], to: &mut [[T; N]]) {
    let factor = T::from_f64(factor);
    for (to, a) in to.as_flattened_mut().iter_mut().zip(a.as_flattened()) {
        *to += factor * *a;
    }
}

/// `to += factor·1`.
fn add_one<T: Real, const N: usize>(factor: f64, to: &mut [[T; N]]) {
    for (i, row) in to.iter_mut().enumerate().take(N) {
        row[i] += T::from_f64(factor);
    }
}

/// Replaces `x` by `a⁻¹·x`, and the first coefficient of `a` by its factors.
fn solve<T: Real, const N: usize, const B: usize>(a: &mut [[T; N]], x: &mut [[T; N]]) {
    let mut order = core::array::from_fn(|k| k);
    if let Some(first) = a.first_chunk_mut() {
        factor(first, &mut order);
    }
    workspace!(side: [[T; N]; N] = [T::ZERO; N]);
    workspace!(known: [[T; N]; N] = [T::ZERO; N]);
    for all in 0..B {
        // What is known of the solution so far, for the other coefficients of `a`.
        clear(known);
        for some in (1..B).filter(|some| some & !all == 0) {
            product(&a[rows::<N>(some)], &x[rows::<N>(all & !some)], known);
        }
        let x = &mut x[rows::<N>(all)];
        for (row, from) in side.iter_mut().zip(order) {
            for (y, (x, known)) in row.iter_mut().zip(x[from].iter().zip(known[from])) {
                *y = *x - known;
            }
        }
        forward(side, true, |i, k| a[i][k]);
        backward(side, false, |i, k| a[i][k]);
        x.copy_from_slice(side);
    }
}

/// Replaces a matrix by its exponential.
fn exponential<T: Real, const N: usize, const B: usize>(a: &mut [[T; N]]) {
    let mut size = norm(&a[rows::<N>(0)]);
    if !size.is_finite() {
        a.as_flattened_mut().fill(T::from_f64(f64::NAN));
        return;
    }
    let mut squarings = 0;
    while size > T::from_f64(BOUND) {
        size *= T::from_f64(0.5);
        squarings += 1;
    }
    let scale = Real::powi(T::from_f64(0.5), squarings);
    for x in a.as_flattened_mut() {
        *x *= scale;
    }
    coefficients!(a2: T, N, B);
    coefficients!(a4: T, N, B);
    coefficients!(a6: T, N, B);
    multiply::<T, N, B>(a, a, a2);
    multiply::<T, N, B>(a2, a2, a4);
    multiply::<T, N, B>(a2, a4, a6);
    coefficients!(high: T, N, B);
    coefficients!(odd: T, N, B);
    coefficients!(even: T, N, B);
    // The odd powers, and the even ones.
    let polynomial = |first: usize, high: &mut [[T; N]], sum: &mut [[T; N]]| {
        clear(high);
        add(PADE[first + 12], a6, high);
        add(PADE[first + 10], a4, high);
        add(PADE[first + 8], a2, high);
        multiply::<T, N, B>(a6, high, sum);
        add(PADE[first + 6], a6, sum);
        add(PADE[first + 4], a4, sum);
        add(PADE[first + 2], a2, sum);
        add_one(PADE[first], sum);
    };
    polynomial(1, high, even);
    multiply::<T, N, B>(a, even, odd);
    polynomial(0, high, even);
    // a = (even − odd)⁻¹·(even + odd)
    a.copy_from_slice(even);
    add(1.0, odd, a);
    add(-1.0, odd, even);
    solve::<T, N, B>(even, a);
    for _ in 0..squarings {
        multiply::<T, N, B>(a, a, high);
        a.copy_from_slice(high);
    }
}

/// `y +=` the derivative of `exp a` along all of the directions, of which there are `log₂ B`.
fn along<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize, const B: usize>(
    a: &[[T; N2]; N],
    directions: &[&[[T; N2]; N]],
    y: &mut [[T; K2]; M2],
) {
    coefficients!(all: T, N, B);
    for (of, from) in core::iter::once((0, a)).chain(directions.iter().enumerate().map(|(k, from)| (1 << k, *from))) {
        for (to, from) in all[rows::<N>(of)].iter_mut().zip(from) {
            for (to, from) in to.iter_mut().zip(from) {
                *to = *from;
            }
        }
    }
    exponential::<T, N, B>(all);
    add_rows(&all[rows::<N>(B - 1)], y);
}

/// `y += exp a`.
///
/// ```
/// let mut y = [[0.0; 2]; 2];
/// autodiff_core::kernel::expm(&[[0.0, 3.0], [0.0, 0.0]], &mut y);
/// assert_eq!(y, [[1.0, 3.0], [0.0, 1.0]]);
/// ```
#[inline]
pub fn expm<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "expm: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "expm: the result is not [n, n]") };
    along::<T, N, N2, M2, K2, 1>(a, &[], y);
}

/// `y +=` the derivative of `exp a` in the direction `h`: the upper right block of `exp [a, h; 0, a]`.
///
/// ```
/// let mut y = [[0.0]];
/// autodiff_core::kernel::expm_along(&[[0.0]], &[[3.0]], &mut y);
/// assert_eq!(y, [[3.0]]);
/// ```
#[inline]
pub fn expm_along<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    h: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "expm_along: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "expm_along: the result is not [n, n]") };
    along::<T, N, N2, M2, K2, 2>(a, &[h], y);
}

/// `y +=` the second derivative of `exp a` in the directions `h` and `k`.
#[inline]
pub fn expm_along2<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    h: &[[T; N2]; N],
    k: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "expm_along2: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "expm_along2: the result is not [n, n]") };
    along::<T, N, N2, M2, K2, 4>(a, &[h, k], y);
}

/// `y +=` the third derivative of `exp a` in three directions.
#[inline]
pub fn expm_along3<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    h: &[[T; N2]; N],
    k: &[[T; N2]; N],
    l: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "expm_along3: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "expm_along3: the result is not [n, n]") };
    along::<T, N, N2, M2, K2, 8>(a, &[h, k, l], y);
}
