//! Kernels for small sizes: loops with constant trip counts, which inline and unroll.
//!
//! Everything is an iterator over arrays, so that no index is checked. Four terms are added at a time, in
//! order: that reads and writes a row of the result once for four products instead of for each.

#![expect(
    clippy::inline_always,
    reason = "a small product is part of its caller's code, whatever the compiler thinks of its size"
)]

use crate::Real;

/// Partial sums of a long inner product. Machines with vectors want several vectors of them.
const LANES: usize =
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32")) { 16 } else { 4 };

/// An inner product of so many terms is long.
const LONG: usize = 16;

#[inline(always)]
pub(super) fn matmul<const ADDS: bool, T: Real, const K: usize, const N: usize, const N2: usize>(
    a: &[[T; K]],
    b: &[[T; N]],
    c: &mut [[T; N2]],
) {
    for (a, c) in a.iter().zip(c) {
        combine::<ADDS, _, _, _>(a, b, c);
    }
}

#[inline(always)]
pub(super) fn matmul_tn<const ADDS: bool, T: Real, const M: usize, const N: usize, const N2: usize>(
    a: &[[T; M]],
    b: &[[T; N]],
    c: &mut [[T; N2]],
) {
    if !ADDS {
        c.as_flattened_mut().fill(T::ZERO);
    }
    let ((a4, a1), (b4, b1)) = (a.as_chunks(), b.as_chunks());
    for ([a0, a1, a2, a3], b) in a4.iter().zip(b4) {
        for ((((c, a0), a1), a2), a3) in c.iter_mut().zip(a0).zip(a1).zip(a2).zip(a3) {
            add4([*a0, *a1, *a2, *a3], b, c);
        }
    }
    for (a, b) in a1.iter().zip(b1) {
        outer::<true, _, _, _>(a, b, c);
    }
}

#[inline(always)]
pub(super) fn matmul_nt<const ADDS: bool, T: Real, const K: usize, const K2: usize, const N2: usize>(
    a: &[[T; K]],
    b: &[[T; K2]],
    c: &mut [[T; N2]],
) {
    for (a, c) in a.iter().zip(c) {
        matvec::<ADDS, _, _, _, _>(b, a, c);
    }
}

#[inline(always)]
pub(super) fn matmul_tt<const ADDS: bool, T: Real, const M: usize, const K: usize, const K2: usize, const N2: usize>(
    a: &[[T; M]; K],
    b: &[[T; K2]],
    c: &mut [[T; N2]],
) {
    let mut column = [T::ZERO; K];
    for (i, c) in c.iter_mut().enumerate().take(M) {
        for (x, a) in column.iter_mut().zip(a) {
            *x = a[i];
        }
        matvec::<ADDS, _, _, _, _>(b, &column, c);
    }
}

#[inline(always)]
pub(super) fn matvec<const ADDS: bool, T: Real, const K: usize, const K2: usize, const M2: usize>(
    a: &[[T; K]],
    x: &[T; K2],
    y: &mut [T; M2],
) {
    let write = |y: &mut T, sum: T| *y = if ADDS { *y + sum } else { sum };
    if const { K >= LONG } {
        for (a, y) in a.iter().zip(y) {
            write(y, long_dot(a, x));
        }
        return;
    }
    let ((a4, a1), (y4, y1)) = (a.as_chunks(), y.as_chunks_mut::<4>());
    for ([a0, a1, a2, a3], y) in a4.iter().zip(y4) {
        let mut sums = [T::ZERO; 4];
        for ((((x, a0), a1), a2), a3) in x.iter().zip(a0).zip(a1).zip(a2).zip(a3) {
            for (sum, a) in sums.iter_mut().zip([*a0, *a1, *a2, *a3]) {
                *sum += a * *x;
            }
        }
        for (y, sum) in y.iter_mut().zip(sums) {
            write(y, sum);
        }
    }
    for (a, y) in a1.iter().zip(y1) {
        let mut sum = T::ZERO;
        for (a, x) in a.iter().zip(x) {
            sum += *a * *x;
        }
        write(y, sum);
    }
}

#[inline(always)]
pub(super) fn matvec_t<const ADDS: bool, T: Real, const M: usize, const M2: usize>(
    a: &[[T; M]],
    x: &[T],
    y: &mut [T; M2],
) {
    combine::<ADDS, _, _, _>(x, a, y);
}

#[inline(always)]
pub(super) fn outer<const ADDS: bool, T: Real, const N: usize, const N2: usize>(
    x: &[T],
    y: &[T; N],
    c: &mut [[T; N2]],
) {
    for (x, c) in x.iter().zip(c) {
        add1::<ADDS, _, _, _>(*x, y, c);
    }
}

/// `c += Σ aₖ·bₖ`, a combination of rows.
#[inline(always)]
fn combine<const ADDS: bool, T: Real, const N: usize, const N2: usize>(a: &[T], b: &[[T; N]], c: &mut [T; N2]) {
    if !ADDS {
        c.fill(T::ZERO);
    }
    let ((a4, a1), (b4, b1)) = (a.as_chunks(), b.as_chunks());
    for (a, b) in a4.iter().zip(b4) {
        add4(*a, b, c);
    }
    for (a, b) in a1.iter().zip(b1) {
        add1::<true, _, _, _>(*a, b, c);
    }
}

/// `c += a₀·b₀ + … + a₃·b₃`, in this order.
#[inline(always)]
fn add4<T: Real, const N: usize, const N2: usize>(a: [T; 4], [b0, b1, b2, b3]: &[[T; N]; 4], c: &mut [T; N2]) {
    for ((((c, b0), b1), b2), b3) in c.iter_mut().zip(b0).zip(b1).zip(b2).zip(b3) {
        *c = *c + a[0] * *b0 + a[1] * *b1 + a[2] * *b2 + a[3] * *b3;
    }
}

#[inline(always)]
fn add1<const ADDS: bool, T: Real, const N: usize, const N2: usize>(a: T, b: &[T; N], c: &mut [T; N2]) {
    for (c, b) in c.iter_mut().zip(b) {
        *c = if ADDS { *c + a * *b } else { a * *b };
    }
}

/// An inner product as `LANES` partial sums, which are added by halves at the end.
#[inline(always)]
fn long_dot<T: Real>(a: &[T], b: &[T]) -> T {
    let ((a_lanes, a_rest), (b_lanes, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [T::ZERO; LANES];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += *a * *b;
        }
    }
    for ((sum, a), b) in sums.iter_mut().zip(a_rest).zip(b_rest) {
        *sum += *a * *b;
    }
    // LLVM takes sums by halves for a reason to keep the lanes in pairs. Through memory they are whole vectors.
    total(if cfg!(target_arch = "x86_64") { core::hint::black_box(sums) } else { sums })
}

/// The total of partial sums, of which there is a power of 2, by halves.
#[inline(always)]
pub(super) fn total<T: Real, const N: usize>(mut sums: [T; N]) -> T {
    const { assert!(N.is_power_of_two()) }
    let mut count = N;
    while count > 1 {
        count /= 2;
        for lane in 0..count {
            sums[lane] += sums[lane + count];
        }
    }
    sums[0]
}
