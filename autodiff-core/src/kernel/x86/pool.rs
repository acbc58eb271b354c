//! Pooling with AVX-512.
//!
//! Sixteen windows of `f32`, or eight of `f64`, have their corners in four vectors, a vector for each corner. Where so many
//! windows have rows that are a vector or less, four vectors in memory have them all; their rows are told apart first.
//! Otherwise each pair of rows is taken by itself, and the last vectors of a row have less.
//!
//! ```text
//! memory    a₀ a₁ a₂ a₃ b₀ b₁ b₂ b₃ …     rows a and b are a pair
//! rows      a₀ a₁ a₂ a₃ …   b₀ b₁ b₂ b₃ …
//! corners   a₀ a₂ …   a₁ a₃ …   b₀ b₂ …   b₁ b₃ …
//! ```

use super::super::pool::Pooled;
use super::Avx512;
use core::arch::x86_64::*;

/// How the numbers of two vectors are arranged in one.
#[derive(Clone, Copy)]
enum Order {
    /// Those with even and odd indices, and back.
    Even,
    Odd,
    EvenOddLow,
    EvenOddHigh,
    /// The first and the second rows of all pairs, and back.
    Above,
    Below,
    RowsLow,
    RowsHigh,
}

/// Where number `i` of `lanes` comes from, if rows have `w` numbers.
const fn source(order: Order, i: usize, lanes: usize, w: usize) -> usize {
    match order {
        Order::Even => 2 * i,
        Order::Odd => 2 * i + 1,
        Order::EvenOddLow => i / 2 + i % 2 * lanes,
        Order::EvenOddHigh => lanes / 2 + i / 2 + i % 2 * lanes,
        Order::Above => i / w * 2 * w + i % w,
        Order::Below => (i / w * 2 + 1) * w + i % w,
        Order::RowsLow => i / w / 2 * w + i % w + i / w % 2 * lanes,
        Order::RowsHigh => source(Order::RowsLow, i + lanes, lanes, w),
    }
}

/// Some windows that lie next to each other, no more than a vector has numbers.
struct Step {
    /// The first window, and how many there are.
    first: usize,
    count: usize,
    /// Their numbers in four vectors: the first, and how many there are.
    numbers: [(usize, usize); 4],
}

/// Whether a step has whole pairs of rows of `w` numbers.
const fn has_pairs(w: usize, lanes: usize) -> bool {
    lanes.is_multiple_of(w)
}

/// How many steps there are.
const fn steps(pairs: usize, w: usize, lanes: usize) -> usize {
    if has_pairs(w, lanes) { (pairs * w / 2).div_ceil(lanes) } else { pairs * (w / 2).div_ceil(lanes) }
}

/// A step by its number.
#[inline]
fn step(s: usize, pairs: usize, w: usize, lanes: usize) -> Step {
    let part = |first: usize, count: usize, k: usize| (first + k * lanes, count.saturating_sub(k * lanes).min(lanes));
    if has_pairs(w, lanes) {
        let first = s * lanes;
        let count = lanes.min(pairs * w / 2 - first);
        return Step { first, count, numbers: core::array::from_fn(|k| part(4 * first, 4 * count, k)) };
    }
    let in_row = (w / 2).div_ceil(lanes);
    let (pair, j) = (s / in_row, s % in_row * lanes);
    let count = lanes.min(w / 2 - j);
    let numbers = core::array::from_fn(|k| part((2 * pair + k / 2) * w + 2 * j, 2 * count, k % 2));
    Step { first: pair * (w / 2) + j, count, numbers }
}

macro_rules! pooled {
    (
        $t:ident, $index:ty, $lanes:literal, $vector:ident, $mask:ident:
        $load:ident, $store:ident, $permute:ident, $compare:ident, $select:ident, $add:ident, $zero:ident
    ) => {
        mod $t {
            use super::*;

            const LANES: usize = $lanes;

            const fn indices(order: Order, w: usize) -> [$index; LANES] {
                let mut indices = [0; LANES];
                let mut i = 0;
                while i < LANES {
                    indices[i] = source(order, i, LANES, w) as $index;
                    i += 1;
                }
                indices
            }

            #[target_feature(enable = "avx512f")]
            #[inline]
            fn permute(a: $vector, b: $vector, indices: &[$index; LANES]) -> $vector {
                // SAFETY: a vector has so many indices.
                $permute(a, unsafe { _mm512_loadu_si512(indices.as_ptr().cast()) }, b)
            }

            fn mask(count: usize) -> $mask {
                ((1_u32 << count) - 1) as $mask
            }

            /// # Safety
            ///
            /// There are `count` numbers from `first` on.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn load(from: *const $t, (first, count): (usize, usize)) -> $vector {
                // SAFETY: the mask has a bit for each number that there is, as the caller says.
                unsafe { $load(mask(count), from.wrapping_add(first)) }
            }

            /// Writes, or adds to what is there.
            ///
            /// # Safety
            ///
            /// There are places for `count` numbers from `first` on.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn store<const ADDS: bool>(x: $vector, to: *mut $t, (first, count): (usize, usize)) {
                // SAFETY: the mask has a bit for each place that there is, as the caller says.
                unsafe {
                    let x = if ADDS { $add(load(to, (first, count)), x) } else { x };
                    $store(to.wrapping_add(first), mask(count), x);
                }
            }

            /// The corners of the windows of a step.
            ///
            /// # Safety
            ///
            /// `x` has the rows of the step.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn corners<const W: usize>(x: *const $t, step: &Step) -> [$vector; 4] {
                // SAFETY: as the caller says.
                let [mut a0, mut a1, mut b0, mut b1] = step.numbers.map(|part| unsafe { load(x, part) });
                if const { has_pairs(W, LANES) } {
                    let (above, below) = const { (&indices(Order::Above, W), &indices(Order::Below, W)) };
                    (a0, a1, b0, b1) = (
                        permute(a0, a1, above),
                        permute(b0, b1, above),
                        permute(a0, a1, below),
                        permute(b0, b1, below),
                    );
                }
                let (even, odd) = const { (&indices(Order::Even, W), &indices(Order::Odd, W)) };
                [permute(a0, a1, even), permute(a0, a1, odd), permute(b0, b1, even), permute(b0, b1, odd)]
            }

            /// Writes the corners of the windows of a step, or adds them.
            ///
            /// # Safety
            ///
            /// `x` has the rows of the step.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn store_corners<const ADDS: bool, const W: usize>(
                [c0, c1, c2, c3]: [$vector; 4],
                x: *mut $t,
                step: &Step,
            ) {
                let (low, high) = const { (&indices(Order::EvenOddLow, W), &indices(Order::EvenOddHigh, W)) };
                let [mut a0, mut a1, mut b0, mut b1] =
                    [permute(c0, c1, low), permute(c0, c1, high), permute(c2, c3, low), permute(c2, c3, high)];
                if const { has_pairs(W, LANES) } {
                    let (low, high) = const { (&indices(Order::RowsLow, W), &indices(Order::RowsHigh, W)) };
                    (a0, a1, b0, b1) =
                        (permute(a0, b0, low), permute(a0, b0, high), permute(a1, b1, low), permute(a1, b1, high));
                }
                for (x_bar, part) in [a0, a1, b0, b1].into_iter().zip(step.numbers) {
                    // SAFETY: as the caller says.
                    unsafe { store::<ADDS>(x_bar, x, part) }
                }
            }

            /// The largest of each window, and which corners take the place of the largest before them.
            #[target_feature(enable = "avx512f")]
            #[inline]
            fn largest([mut best, c1, c2, c3]: [$vector; 4]) -> ($vector, [$mask; 3]) {
                let mut replaced = [0; 3];
                for (x, replaced) in [c1, c2, c3].into_iter().zip(&mut replaced) {
                    *replaced = $compare::<_CMP_GT_OQ>(x, best) | $compare::<_CMP_UNORD_Q>(x, x);
                    best = $select(*replaced, best, x);
                }
                (best, replaced)
            }

            #[target_feature(enable = "avx512f")]
            #[inline]
            pub(super) fn pool<const ADDS: bool, const W: usize, const V: usize>(x: &[[$t; W]], y: &mut [[$t; V]]) {
                assert!(W == 2 * V && x.len() == 2 * y.len());
                for s in 0..steps(y.len(), W, LANES) {
                    let step = step(s, y.len(), W, LANES);
                    // SAFETY: the windows of a step are among those of `y.len()` pairs of rows.
                    unsafe {
                        let (best, _) = largest(corners::<W>(x.as_ptr().cast(), &step));
                        store::<ADDS>(best, y.as_mut_ptr().cast(), (step.first, step.count));
                    }
                }
            }

            #[target_feature(enable = "avx512f")]
            #[inline]
            pub(super) fn along<const ADDS: bool, const W: usize, const V: usize>(
                x: &[[$t; W]],
                x_dot: &[[$t; W]],
                y_dot: &mut [[$t; V]],
            ) {
                assert!(W == 2 * V && x.len() == 2 * y_dot.len() && x_dot.len() == x.len());
                for s in 0..steps(y_dot.len(), W, LANES) {
                    let step = step(s, y_dot.len(), W, LANES);
                    // SAFETY: the windows of a step are among those of `y_dot.len()` pairs of rows.
                    unsafe {
                        let (_, [r1, r2, r3]) = largest(corners::<W>(x.as_ptr().cast(), &step));
                        let [d0, d1, d2, d3] = corners::<W>(x_dot.as_ptr().cast(), &step);
                        let dot = $select(r3, $select(r2, $select(r1, d0, d1), d2), d3);
                        store::<ADDS>(dot, y_dot.as_mut_ptr().cast(), (step.first, step.count));
                    }
                }
            }

            #[target_feature(enable = "avx512f")]
            #[inline]
            pub(super) fn back<const ADDS: bool, const W: usize, const V: usize>(
                x: &[[$t; W]],
                y_bar: &[[$t; V]],
                x_bar: &mut [[$t; W]],
            ) {
                assert!(W == 2 * V && x.len() == 2 * y_bar.len() && x_bar.len() == x.len());
                for s in 0..steps(y_bar.len(), W, LANES) {
                    let step = step(s, y_bar.len(), W, LANES);
                    // SAFETY: the windows of a step are among those of `y_bar.len()` pairs of rows.
                    unsafe {
                        let (_, [r1, r2, r3]) = largest(corners::<W>(x.as_ptr().cast(), &step));
                        let y_bar = load(y_bar.as_ptr().cast(), (step.first, step.count));
                        // What took the place last has the cotangent.
                        let places = [!(r1 | r2 | r3), r1 & !(r2 | r3), r2 & !r3, r3];
                        let bars = places.map(|place| $select(place, $zero(), y_bar));
                        store_corners::<ADDS, W>(bars, x_bar.as_mut_ptr().cast(), &step);
                    }
                }
            }
        }

        impl Pooled for $t {
            #[inline]
            fn pool<const ADDS: bool, const W: usize, const V: usize>(x: &[[$t; W]], y: &mut [[$t; V]]) -> bool {
                // SAFETY: the CPU has the instructions, as its proof says.
                Avx512::detect().map(|_| unsafe { $t::pool::<ADDS, W, V>(x, y) }).is_some()
            }
            #[inline]
            fn along<const ADDS: bool, const W: usize, const V: usize>(
                x: &[[$t; W]],
                x_dot: &[[$t; W]],
                y_dot: &mut [[$t; V]],
            ) -> bool {
                // SAFETY: the CPU has the instructions, as its proof says.
                Avx512::detect().map(|_| unsafe { $t::along::<ADDS, W, V>(x, x_dot, y_dot) }).is_some()
            }
            #[inline]
            fn back<const ADDS: bool, const W: usize, const V: usize>(
                x: &[[$t; W]],
                y_bar: &[[$t; V]],
                x_bar: &mut [[$t; W]],
            ) -> bool {
                // SAFETY: the CPU has the instructions, as its proof says.
                Avx512::detect().map(|_| unsafe { $t::back::<ADDS, W, V>(x, y_bar, x_bar) }).is_some()
            }
        }
    };
}
pooled!(
    f32, i32, 16, __m512, __mmask16: _mm512_maskz_loadu_ps, _mm512_mask_storeu_ps, _mm512_permutex2var_ps,
    _mm512_cmp_ps_mask, _mm512_mask_blend_ps, _mm512_add_ps, _mm512_setzero_ps
);
pooled!(
    f64, i64, 8, __m512d, __mmask8: _mm512_maskz_loadu_pd, _mm512_mask_storeu_pd, _mm512_permutex2var_pd,
    _mm512_cmp_pd_mask, _mm512_mask_blend_pd, _mm512_add_pd, _mm512_setzero_pd
);
