//! Vectors of AVX-512 and AVX2 in memory.

#![allow(clippy::wildcard_imports, reason = "forty names of one module, all of them intrinsics")]
#![expect(clippy::inline_always, reason = "instructions beyond the baseline are used after inlining only")]

use super::{Avx2, Avx512};
use core::arch::x86_64::*;

/// A set of instructions for vectors of numbers. A value of the implementing type is the proof that the CPU has it.
pub(super) trait Simd<T: Copy>: Copy {
    type Vector: Copy;
    const LANES: usize;
    fn splat(self, x: T) -> Self::Vector;
    /// `x·y + z`.
    fn mul_add(self, x: Self::Vector, y: Self::Vector, z: Self::Vector) -> Self::Vector;
    /// `x·y + z`, with the product rounded.
    fn mul_and_add(self, x: Self::Vector, y: Self::Vector, z: Self::Vector) -> Self::Vector;
    /// The first numbers of a vector, and zeros.
    ///
    /// # Safety
    ///
    /// There are `count` numbers at `from`, and no more than in a vector.
    unsafe fn load(self, from: *const T, count: usize) -> Self::Vector;
    /// Writes the first numbers of a vector.
    ///
    /// # Safety
    ///
    /// There are places for `count` numbers at `to`, and no more than in a vector.
    unsafe fn store(self, x: Self::Vector, to: *mut T, count: usize);
    /// The transpose of a square with no more rows and columns than a vector has numbers. Behind its last row there is room for
    /// a vector in each row of `to`, which gets whatever.
    ///
    /// # Safety
    ///
    /// There are so many rows and columns at `from`, and rows of whole vectors at `to`, one for each column, with these distances
    /// between their rows.
    #[inline(always)]
    unsafe fn transpose(
        self,
        (rows, columns): (usize, usize),
        from: *const T,
        from_stride: usize,
        to: *mut T,
        to_stride: usize,
    ) {
        // Squares of a few numbers, whose rows and columns the compiler exchanges in registers.
        let is_whole = rows == Self::LANES && columns == Self::LANES;
        let whole = if is_whole { Self::LANES } else { 0 };
        for i in (0..whole).step_by(4) {
            for j in (0..whole).step_by(4) {
                // SAFETY: the rows and columns are those of the squares.
                unsafe {
                    let rows: [[T; 4]; 4] =
                        core::array::from_fn(|r| from.add((i + r) * from_stride + j).cast::<[T; 4]>().read_unaligned());
                    for c in 0..4 {
                        to.add((j + c) * to_stride + i).cast::<[T; 4]>().write_unaligned(rows.map(|row| row[c]));
                    }
                }
            }
        }
        for j in 0..if is_whole { 0 } else { columns } {
            for i in 0..rows {
                // SAFETY: the rows and columns are those of the square.
                unsafe { *to.add(j * to_stride + i) = *from.add(i * from_stride + j) }
            }
        }
    }
}

macro_rules! simd {
    (
        $proof:ident, $t:ty, $vector:ident, $lanes:literal: $splat:ident, $mul_add:ident, $mul:ident, $add:ident,
        $count:ident => $mask:expr, $load:ident, $store:ident $(, $transpose:item)?
    ) => {
        impl Simd<$t> for $proof {
            type Vector = $vector;
            const LANES: usize = $lanes;

            #[inline(always)]
            fn splat(self, x: $t) -> $vector {
                // SAFETY: the CPU has the instruction, as `self` proves.
                unsafe { $splat(x) }
            }
            #[inline(always)]
            fn mul_add(self, x: $vector, y: $vector, z: $vector) -> $vector {
                // SAFETY: the CPU has the instruction, as `self` proves.
                unsafe { $mul_add(x, y, z) }
            }
            #[inline(always)]
            fn mul_and_add(self, x: $vector, y: $vector, z: $vector) -> $vector {
                // SAFETY: the CPU has the instructions, as `self` proves.
                unsafe { $add($mul(x, y), z) }
            }
            #[inline(always)]
            unsafe fn load(self, from: *const $t, $count: usize) -> $vector {
                // SAFETY: the CPU has the instructions, as `self` proves. The mask has a bit for each number that there is, and
                // what has none is not read.
                unsafe { $load($mask, from) }
            }
            #[inline(always)]
            unsafe fn store(self, x: $vector, to: *mut $t, $count: usize) {
                // SAFETY: the CPU has the instructions, as `self` proves. The mask has a bit for each place that there is, and
                // what has none is not written.
                unsafe { $store(to, $mask, x) }
            }
            $($transpose)?
        }
    };
}
simd!(
    Avx512, f32, __m512, 16: _mm512_set1_ps, _mm512_fmadd_ps, _mm512_mul_ps, _mm512_add_ps,
    count => (u32::MAX >> (32 - count)) as __mmask16, _mm512_maskz_loadu_ps, _mm512_mask_storeu_ps,
    #[inline(always)]
    unsafe fn transpose(
        self,
        (rows, columns): (usize, usize),
        from: *const f32,
        from_stride: usize,
        to: *mut f32,
        to_stride: usize,
    ) {
        // SAFETY: the CPU has the instructions, as `self` proves; the rows and columns are those of the square.
        unsafe {
            if rows == 16 && columns == 16 {
                let rows = core::array::from_fn(|i| _mm512_loadu_ps(from.add(i * from_stride)));
                for (j, row) in transposed(rows).into_iter().enumerate() {
                    _mm512_storeu_ps(to.add(j * to_stride), row);
                }
                return;
            }
            // The last row stands for those that there are not.
            let rows = core::array::from_fn(|i| self.load(from.add(i.min(rows - 1) * from_stride), columns));
            for (j, row) in transposed(rows).into_iter().enumerate().take(columns) {
                _mm512_storeu_ps(to.add(j * to_stride), row);
            }
        }
    }
);
simd!(
    Avx512, f64, __m512d, 8: _mm512_set1_pd, _mm512_fmadd_pd, _mm512_mul_pd, _mm512_add_pd,
    count => (u32::MAX >> (32 - count)) as __mmask8, _mm512_maskz_loadu_pd, _mm512_mask_storeu_pd
);
simd!(
    Avx2, f32, __m256, 8: _mm256_set1_ps, _mm256_fmadd_ps, _mm256_mul_ps, _mm256_add_ps,
    count => _mm256_loadu_si256(MASKS_32.as_ptr().add(8 - count).cast()), load_f32, _mm256_maskstore_ps
);
simd!(
    Avx2, f64, __m256d, 4: _mm256_set1_pd, _mm256_fmadd_pd, _mm256_mul_pd, _mm256_add_pd,
    count => _mm256_loadu_si256(MASKS_64.as_ptr().add(4 - count).cast()), load_f64, _mm256_maskstore_pd
);

/// A mask of `n` numbers starts `n` places before the middle.
static MASKS_32: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
static MASKS_64: [i64; 8] = [-1, -1, -1, -1, 0, 0, 0, 0];

/// The load with the mask in front, as AVX-512 has it.
///
/// # Safety
///
/// As of `_mm256_maskload_ps`.
#[target_feature(enable = "avx")]
#[inline]
unsafe fn load_f32(mask: __m256i, from: *const f32) -> __m256 {
    // SAFETY: as the caller says.
    unsafe { _mm256_maskload_ps(from, mask) }
}

/// The load with the mask in front, as AVX-512 has it.
///
/// # Safety
///
/// As of `_mm256_maskload_pd`.
#[target_feature(enable = "avx")]
#[inline]
unsafe fn load_f64(mask: __m256i, from: *const f64) -> __m256d {
    // SAFETY: as the caller says.
    unsafe { _mm256_maskload_pd(from, mask) }
}

/// The transpose of sixteen rows: pairs of numbers change places, then pairs of pairs, and so on.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn transposed(rows: [__m512; 16]) -> [__m512; 16] {
    // In every quarter of the vectors, squares of 4.
    let mut squares = rows;
    for i in (0..16).step_by(4) {
        let [a, b, c, d] = [rows[i], rows[i + 1], rows[i + 2], rows[i + 3]].map(|row| _mm512_castps_pd(row));
        let pairs = |a, b| {
            let (a, b) = (_mm512_castpd_ps(a), _mm512_castpd_ps(b));
            [_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b)].map(|row| _mm512_castps_pd(row))
        };
        let ([ab_low, ab_high], [cd_low, cd_high]) = (pairs(a, b), pairs(c, d));
        let columns = [
            _mm512_unpacklo_pd(ab_low, cd_low),
            _mm512_unpackhi_pd(ab_low, cd_low),
            _mm512_unpacklo_pd(ab_high, cd_high),
            _mm512_unpackhi_pd(ab_high, cd_high),
        ];
        squares[i..i + 4].copy_from_slice(&columns.map(|row| _mm512_castpd_ps(row)));
    }
    // The squares themselves, which are quarters of vectors.
    let mut columns = squares;
    for j in 0..4 {
        let [a, b, c, d] = [squares[j], squares[j + 4], squares[j + 8], squares[j + 12]];
        let even = [_mm512_shuffle_f32x4::<0x88>(a, b), _mm512_shuffle_f32x4::<0x88>(c, d)];
        let odd = [_mm512_shuffle_f32x4::<0xdd>(a, b), _mm512_shuffle_f32x4::<0xdd>(c, d)];
        columns[j] = _mm512_shuffle_f32x4::<0x88>(even[0], even[1]);
        columns[j + 4] = _mm512_shuffle_f32x4::<0x88>(odd[0], odd[1]);
        columns[j + 8] = _mm512_shuffle_f32x4::<0xdd>(even[0], even[1]);
        columns[j + 12] = _mm512_shuffle_f32x4::<0xdd>(odd[0], odd[1]);
    }
    columns
}
