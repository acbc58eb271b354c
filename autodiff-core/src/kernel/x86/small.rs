//! Small products with AVX-512: their sizes are constants of the caller, into which they are inlined.
//!
//! The same is added in the same order as by the loops that other CPUs have, see `loops.rs`, so that the bits are those of all
//! machines. The compiler unrolls loops of sixteen numbers before it makes vectors, and then reads columns of a matrix, number by
//! number.

use super::super::small::Small;
use super::simd::{Simd, transposed};
use super::{Avx512, Operands, tile};
use core::arch::x86_64::*;

/// Some rows of `NV` vectors, four at a time.
///
/// # Safety
///
/// As of `tile`, with `m` rows.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn rows<T: crate::Real, const NV: usize>(simd: Avx512, m: usize, of: &Operands<T>)
where
    Avx512: Simd<T>,
{
    let mut done = 0;
    // SAFETY: no more than `m` rows are used.
    unsafe {
        while m - done >= 4 {
            tile::<T, _, 4, NV, false>(simd, &of.down(done));
            done += 4;
        }
        if m - done >= 2 {
            tile::<T, _, 2, NV, false>(simd, &of.down(done));
            done += 2;
        }
        if m - done == 1 {
            tile::<T, _, 1, NV, false>(simd, &of.down(done));
        }
    }
}

/// What the two types have in common.
macro_rules! small {
    ($t:ident, $lanes:literal, $vector:ident: $mul:ident, $add:ident, $splat:ident, $totals:ident, $short_dots:ident from $least:literal) => {
        mod $t {
            use super::*;

            const LANES: usize = $lanes;

            #[target_feature(enable = "avx512f")]
            #[inline]
            pub(super) fn combine<const ADDS: bool, const M: usize, const K: usize, const N: usize>(
                simd: Avx512,
                (a, down, right): (&[$t], usize, usize),
                b: &[$t],
                c: &mut [$t],
            ) {
                assert!(a.len() > (M - 1) * down + (K - 1) * right && b.len() >= K * N && c.len() >= M * N);
                for j in (0..N).step_by(4 * LANES) {
                    let width = (N - j).min(4 * LANES);
                    // SAFETY: the assertion says that there are so many numbers, and `j + width <= N`.
                    unsafe {
                        let of = Operands {
                            k: K,
                            a: (a.as_ptr(), down, right),
                            b: (b.as_ptr().add(j), N),
                            c: (c.as_mut_ptr().add(j), N),
                            last: (width - 1) % LANES + 1,
                            adds: ADDS,
                        };
                        match width.div_ceil(LANES) {
                            1 => rows::<_, 1>(simd, M, &of),
                            2 => rows::<_, 2>(simd, M, &of),
                            3 => rows::<_, 3>(simd, M, &of),
                            _ => rows::<_, 4>(simd, M, &of),
                        }
                    }
                }
            }

            #[target_feature(enable = "avx512f")]
            #[inline]
            pub(super) fn outer<const ADDS: bool, const N: usize>(simd: Avx512, x: &[$t], y: &[$t], c: &mut [$t]) {
                assert!(y.len() >= N && c.len() >= x.len() * N);
                for (i, x) in x.iter().enumerate() {
                    for j in (0..N).step_by(LANES) {
                        let count = (N - j).min(LANES);
                        // SAFETY: the assertion says that there are so many numbers.
                        unsafe {
                            let c = c.as_mut_ptr().add(i * N + j);
                            let product = $mul($splat(*x), simd.load(y.as_ptr().add(j), count));
                            let sum = if ADDS { $add(simd.load(c, count), product) } else { product };
                            simd.store(sum, c, count);
                        }
                    }
                }
            }

            /// Partial sums of an inner product: those of the first `LANES` numbers of each sixteen, those of the next, …
            ///
            /// # Safety
            ///
            /// There are `K` numbers at `a` and `b`.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn partial<const K: usize>(simd: Avx512, a: *const $t, b: *const $t) -> [$vector; 16 / LANES] {
                let mut sums = [$splat(0.0); 16 / LANES];
                for k in (0..K).step_by(16) {
                    for (v, sum) in sums.iter_mut().enumerate() {
                        let (first, count) = (k + v * LANES, K.saturating_sub(k + v * LANES).min(LANES));
                        if count > 0 {
                            // SAFETY: the caller has so many numbers.
                            let (a, b) = unsafe { (simd.load(a.add(first), count), simd.load(b.add(first), count)) };
                            *sum = $add(*sum, $mul(a, b));
                        }
                    }
                }
                sums
            }

            /// Writes numbers, or adds them.
            ///
            /// # Safety
            ///
            /// There are places for `count` numbers at `to`, and no more than in a vector.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn write<const ADDS: bool>(simd: Avx512, x: $vector, to: *mut $t, count: usize) {
                // SAFETY: as the caller says.
                unsafe {
                    let x = if ADDS { $add(simd.load(to, count), x) } else { x };
                    simd.store(x, to, count);
                }
            }

            /// Inner products of sixteen and more numbers.
            #[target_feature(enable = "avx512f")]
            #[inline]
            pub(super) fn long_dots<const ADDS: bool, const M: usize, const K: usize, const N: usize>(
                simd: Avx512,
                a: &[$t],
                b: &[$t],
                c: &mut [$t],
            ) {
                assert!(a.len() >= M * K && b.len() >= N * K && c.len() >= M * N);
                for i in 0..M {
                    for j in (0..N).step_by(LANES) {
                        let count = (N - j).min(LANES);
                        // SAFETY: the assertion says that there are so many numbers.
                        unsafe {
                            let row = a.as_ptr().add(i * K);
                            // Where there are fewer rows than numbers in a vector, the last one is repeated.
                            let b = |r: usize| b.as_ptr().add((j + r.min(count - 1)) * K);
                            let sums: [_; LANES] = core::array::from_fn(|r| partial::<K>(simd, row, b(r)));
                            write::<ADDS>(simd, $totals(sums), c.as_mut_ptr().add(i * N + j), count);
                        }
                    }
                }
            }

            impl Small for $t {
                #[inline]
                fn combine<const ADDS: bool, const M: usize, const K: usize, const N: usize>(
                    a: (&[$t], usize, usize),
                    b: &[$t],
                    c: &mut [$t],
                ) -> bool {
                    // SAFETY: the CPU has the instructions, as its proof says.
                    Avx512::detect().map(|simd| unsafe { $t::combine::<ADDS, M, K, N>(simd, a, b, c) }).is_some()
                }
                #[inline]
                fn outer<const ADDS: bool, const N: usize>(x: &[$t], y: &[$t], c: &mut [$t]) -> bool {
                    // SAFETY: the CPU has the instructions, as its proof says.
                    Avx512::detect().map(|simd| unsafe { $t::outer::<ADDS, N>(simd, x, y, c) }).is_some()
                }
                #[inline]
                fn dots<const ADDS: bool, const M: usize, const K: usize, const N: usize>(
                    a: &[$t],
                    b: &[$t],
                    c: &mut [$t],
                ) -> bool {
                    if const { K < $least } {
                        return false;
                    }
                    // SAFETY: the CPU has the instructions, as its proof says.
                    let run = |simd| unsafe {
                        if const { K >= 16 } {
                            $t::long_dots::<ADDS, M, K, N>(simd, a, b, c);
                        } else {
                            $short_dots::<ADDS, M, K, N>(simd, a, b, c);
                        }
                    };
                    Avx512::detect().map(run).is_some()
                }
            }
        }
    };
}
small!(f32, 16, __m512: _mm512_mul_ps, _mm512_add_ps, _mm512_set1_ps, totals_f32, short_dots_f32 from 1);
small!(f64, 8, __m512d: _mm512_mul_pd, _mm512_add_pd, _mm512_set1_pd, totals_f64, no_short_dots from 16);

/// The totals of sixteen partial sums each, by halves: as `loops::total` does it, for all rows at once.
#[target_feature(enable = "avx512f")]
#[inline]
fn totals_f32(rows: [[__m512; 1]; 16]) -> __m512 {
    // Each step halves the partial sums of two vectors, which are one from there on. Numbers of a row are together in the end
    // in its place.
    let eights: [__m512; 8] = core::array::from_fn(|i| {
        let [a, b] = [rows[i / 2 + i % 2 * 8][0], rows[i / 2 + i % 2 * 8 + 4][0]];
        _mm512_add_ps(_mm512_shuffle_f32x4::<0x44>(a, b), _mm512_shuffle_f32x4::<0xee>(a, b))
    });
    let fours: [__m512; 4] = core::array::from_fn(|i| {
        let [a, b] = [eights[2 * i], eights[2 * i + 1]];
        _mm512_add_ps(_mm512_shuffle_f32x4::<0x88>(a, b), _mm512_shuffle_f32x4::<0xdd>(a, b))
    });
    let pairs: [__m512; 2] = core::array::from_fn(|i| {
        let [a, b] = [fours[2 * i], fours[2 * i + 1]].map(|row| _mm512_castps_pd(row));
        let [low, high] = [_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b)].map(|row| _mm512_castpd_ps(row));
        _mm512_add_ps(low, high)
    });
    let [a, b] = pairs;
    _mm512_add_ps(_mm512_shuffle_ps::<0x88>(a, b), _mm512_shuffle_ps::<0xdd>(a, b))
}

/// The same of `f64`.
#[target_feature(enable = "avx512f")]
#[inline]
fn totals_f64(rows: [[__m512d; 2]; 8]) -> __m512d {
    let eights = rows.map(|[a, b]| _mm512_add_pd(a, b));
    let fours: [__m512d; 4] = core::array::from_fn(|i| {
        let [a, b] = [eights[i / 2 + i % 2 * 4], eights[i / 2 + i % 2 * 4 + 2]];
        _mm512_add_pd(_mm512_shuffle_f64x2::<0x44>(a, b), _mm512_shuffle_f64x2::<0xee>(a, b))
    });
    let pairs: [__m512d; 2] = core::array::from_fn(|i| {
        let [a, b] = [fours[2 * i], fours[2 * i + 1]];
        _mm512_add_pd(_mm512_shuffle_f64x2::<0x88>(a, b), _mm512_shuffle_f64x2::<0xdd>(a, b))
    });
    let [a, b] = pairs;
    _mm512_add_pd(_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b))
}

/// Inner products of fewer than sixteen numbers: the terms of sixteen of them are added one after the other.
#[target_feature(enable = "avx512f")]
#[inline]
fn short_dots_f32<const ADDS: bool, const M: usize, const K: usize, const N: usize>(
    simd: Avx512,
    a: &[f32],
    b: &[f32],
    c: &mut [f32],
) {
    assert!(a.len() >= M * K && b.len() >= N * K && c.len() >= M * N);
    for j in (0..N).step_by(16) {
        let count = (N - j).min(16);
        // SAFETY: the assertion says that there are so many numbers. Where there are fewer rows than sixteen, the last one is
        // repeated.
        unsafe {
            let row = |r: usize| simd.load(b.as_ptr().add((j + r.min(count - 1)) * K), K);
            let columns = transposed(core::array::from_fn(row));
            for i in 0..M {
                let mut sum = _mm512_setzero_ps();
                for (x, column) in a[i * K..][..K].iter().zip(columns) {
                    sum = _mm512_add_ps(sum, _mm512_mul_ps(_mm512_set1_ps(*x), column));
                }
                let c = c.as_mut_ptr().add(i * N + j);
                let sum = if ADDS { _mm512_add_ps(simd.load(c, count), sum) } else { sum };
                simd.store(sum, c, count);
            }
        }
    }
}

/// There is no exchange of rows and columns of `f64`.
fn no_short_dots<const ADDS: bool, const M: usize, const K: usize, const N: usize>(
    _: Avx512,
    _: &[f64],
    _: &[f64],
    _: &mut [f64],
) {
}
