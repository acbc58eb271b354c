//! `gemm` with AVX-512 or AVX2 and FMA, whichever the CPU has.
//!
//! ```text
//!             ┌─ NR ─┐                        for j₀ in steps of NR:
//!             │      │ k rows of b,               for i₀ in steps of 6:
//!             │      │ in place or packed             tile = a[i₀.., ..]·b[.., j₀..]   in registers
//! ┌─── k ───┐ └──────┘                                c[i₀.., j₀..] = tile, or += tile
//! │a        │ ┌──────┐
//! │  6 rows │ │ tile │
//! └─────────┘ └──────┘
//! ```
//!
//! `NR` are four vectors, or two of AVX2. Rows of `b` are read where they are. They are packed into a panel where they have to be
//! transposed, and where they are so far from each other that they would displace each other in the cache; then there are
//! blocks of `k`, too. What is less than a tile is done by tiles of fewer rows and vectors, and a mask.
//!
//! The only `unsafe` code of the products: intrinsics, pointers, and calls of functions compiled for more than the
//! baseline. The first and the last are sound because [`Avx512`] and [`Avx2`] are made by nothing but `detect`.

#![expect(clippy::inline_always, reason = "instructions beyond the baseline are used after inlining only")]

mod pool;
mod simd;
mod small;

use super::gemm::Product;
use crate::Real;
use core::mem::MaybeUninit;
use simd::Simd;
use std::is_x86_feature_detected;

/// Proof that the CPU has AVX-512F.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

/// Proof that the CPU has AVX2 and FMA.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx512 {
    #[inline]
    fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Avx512(()))
    }
}

impl Avx2 {
    #[inline]
    fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Avx2(()))
    }
}

/// A number with kernels below. Each says whether the CPU has the instructions, and so whether it did anything.
pub(super) trait Vectors: Sized {
    fn avx512(product: &mut Product<'_, Self>) -> bool;
    fn avx2(product: &mut Product<'_, Self>) -> bool;
}

/// What a tile reads and writes. `a` is read number by number, rows of `b` are read as vectors.
struct Operands<T> {
    k: usize,
    /// From one row of `a` to the next, and from one column to the next.
    a: (*const T, usize, usize),
    /// From one row of `b` to the next.
    b: (*const T, usize),
    c: (*mut T, usize),
    /// How many numbers of the last vector of a row there are.
    last: usize,
    adds: bool,
}

impl<T> Operands<T> {
    /// The same, some rows further down.
    ///
    /// # Safety
    ///
    /// `a` and `c` have so many rows.
    #[inline(always)]
    unsafe fn down(&self, rows: usize) -> Operands<T> {
        // SAFETY: as the caller says.
        let (a, c) = unsafe { (self.a.0.add(rows * self.a.1), self.c.0.add(rows * self.c.1)) };
        Operands { a: (a, self.a.1, self.a.2), c: (c, self.c.1), ..*self }
    }
}

/// Sets `MR` rows of `NV` vectors of `c` to those of `a·b`, or adds these. The sum over `k` starts from zero or from what is
/// there, and goes on in order, also from block to block.
///
/// # Safety
///
/// `a` has `MR` rows of `k` numbers, `b` has `k` rows of `NV` vectors, the last of them with `last` numbers, and `c` has `MR`
/// rows of as many. `c` does not overlap with them. `last` is at least 1 and at most the length of a vector.
#[inline(always)]
unsafe fn tile<T: Real, S: Simd<T>, const MR: usize, const NV: usize, const FUSED: bool>(simd: S, of: &Operands<T>) {
    let Operands { k, a: (a, down, right), b: (b, b_stride), c: (c, c_stride), last, adds } = *of;
    let count = |v: usize| if v + 1 == NV { last } else { S::LANES };
    let mut sums = [[simd.splat(T::ZERO); NV]; MR];
    if adds {
        for (i, sums) in sums.iter_mut().enumerate() {
            for (v, sum) in sums.iter_mut().enumerate() {
                // SAFETY: the row of `c` has these numbers, as the caller says.
                *sum = unsafe { simd.load(c.add(i * c_stride + v * S::LANES), count(v)) };
            }
        }
    }
    for p in 0..k {
        let mut vectors = [simd.splat(T::ZERO); NV];
        for (v, vector) in vectors.iter_mut().enumerate() {
            // SAFETY: the row has these numbers, as the caller says.
            *vector = unsafe { simd.load(b.add(p * b_stride + v * S::LANES), count(v)) };
        }
        for (i, sums) in sums.iter_mut().enumerate() {
            // SAFETY: `a` has this number, as the caller says.
            let x = simd.splat(unsafe { *a.add(i * down + p * right) });
            for (sum, y) in sums.iter_mut().zip(vectors) {
                *sum = if FUSED { simd.mul_add(x, y, *sum) } else { simd.mul_and_add(x, y, *sum) };
            }
        }
    }
    for (i, sums) in sums.into_iter().enumerate() {
        for (v, sum) in sums.into_iter().enumerate() {
            // SAFETY: the row of `c` has these numbers, as the caller says.
            unsafe { simd.store(sum, c.add(i * c_stride + v * S::LANES), count(v)) }
        }
    }
}

/// Rows of a panel, which is 32 KiB large.
const PANEL: usize = 128;

/// A stride in bytes from which on rows of a panel fall on the same lines of the cache.
const FAR: usize = 2048;

macro_rules! kernels {
    ($proof:ident, $features:literal, $t:ty, $lanes:literal, $nv:literal, $two:expr, $name:ident, $tile:ident, $rows:ident, $multiply:ident) => {
        /// A tile as a function of its own, so that its sums stay in registers whatever it stands in.
        ///
        /// # Safety
        ///
        /// See `tile`.
        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn $tile<const MR: usize, const NV: usize>(simd: $proof, of: &Operands<$t>) {
            // SAFETY: as the caller says.
            unsafe { tile::<$t, _, MR, NV, true>(simd, of) }
        }

        /// `m` rows of `NV` vectors, `TALL` or `LESS` of them at a time.
        ///
        /// # Safety
        ///
        /// See `tile`, with `m` rows.
        #[target_feature(enable = $features)]
        #[inline]
        unsafe fn $rows<const NV: usize, const TALL: usize, const LESS: usize>(
            simd: $proof,
            m: usize,
            of: &Operands<$t>,
        ) {
            let mut done = 0;
            // SAFETY: no more than `m` rows are used.
            unsafe {
                // Two of the same size rather than a few rows at the end, whose sums wait for each other.
                while m - done >= TALL && m - done != 2 * LESS {
                    $tile::<TALL, NV>(simd, &of.down(done));
                    done += TALL;
                }
                while m - done >= LESS {
                    $tile::<LESS, NV>(simd, &of.down(done));
                    done += LESS;
                }
                if m - done >= 6 {
                    $tile::<6, NV>(simd, &of.down(done));
                    done += 6;
                }
                if m - done >= 4 {
                    $tile::<4, NV>(simd, &of.down(done));
                    done += 4;
                }
                if m - done >= 2 {
                    $tile::<2, NV>(simd, &of.down(done));
                    done += 2;
                }
                if m - done == 1 {
                    $tile::<1, NV>(simd, &of.down(done));
                }
            }
        }

        #[target_feature(enable = $features)]
        #[inline(never)]
        #[allow(clippy::large_stack_arrays, reason = "32 KiB have to be somewhere, and there is no heap")]
        fn $multiply(simd: $proof, product: &mut Product<'_, $t>) {
            const NR: usize = $nv * $lanes;
            let Product { m, k, n, a, b, adds, .. } = *product;
            let (down, right) = a.steps();
            let (b_down, b_right) = b.steps();
            // All that the tiles read and write.
            assert!(a.data.len() > (m - 1) * down + (k - 1) * right && product.c.len() >= m * n);
            assert!(b.data.len() > (k - 1) * b_down + (n - 1) * b_right);
            let c = product.c.as_mut_ptr();
            let packs = b_right != 1 || (m > 24 && b_down * size_of::<$t>() >= FAR);
            let mut panel = [const { MaybeUninit::<[$t; NR]>::uninit() }; PANEL];
            let depth = if packs { PANEL } else { k };
            for k0 in (0..k).step_by(depth) {
                let kc = depth.min(k - k0);
                let mut j0 = 0;
                while j0 < n {
                    let width = NR.min(n - j0);
                    // A single row has accumulators for more vectors.
                    let wide = m == 1 && !packs && n - j0 >= 2 * NR;
                    // SAFETY: `k0 + kc <= k` and `j0 + width <= n`, and `2 * NR <= n - j0` where it is wide. The assertions above
                    // say that there are so many numbers. A packed panel has `kc` rows of `NR` numbers, which are written.
                    unsafe {
                        let b = if packs {
                            pack(
                                simd,
                                (b.data.as_ptr().add(k0 * b_down + j0 * b_right), b_down, b_right),
                                (kc, width),
                                &mut panel,
                            );
                            (panel.as_ptr().cast::<$t>(), NR)
                        } else {
                            (b.data.as_ptr().add(k0 * b_down + j0), b_down)
                        };
                        let of = Operands {
                            k: kc,
                            a: (a.data.as_ptr().add(k0 * right), down, right),
                            b,
                            c: (c.add(j0), n),
                            last: (width - 1) % $lanes + 1,
                            adds: adds || k0 > 0,
                        };
                        if wide {
                            $tile::<1, { 2 * $nv }>(simd, &of);
                            j0 += 2 * NR;
                            continue;
                        }
                        match width.div_ceil($lanes) {
                            1 => $rows::<1, 12, 8>(simd, m, &of),
                            2 => $rows::<2, { $two[0] }, { $two[1] }>(simd, m, &of),
                            3 if $nv > 2 => $rows::<3, 8, 6>(simd, m, &of),
                            _ => $rows::<$nv, 6, 6>(simd, m, &of),
                        }
                    }
                    j0 += NR;
                }
            }
        }

        fn $name(simd: $proof, product: &mut Product<'_, $t>) {
            // SAFETY: the called function asks for no more than the features that `simd` proves.
            unsafe { $multiply(simd, product) }
        }
    };
}

/// Copies columns of `b` that lie next to each other, row by row, with whatever behind them. Rows of the panel are whole vectors.
///
/// # Safety
///
/// `b` has `kc` rows of `width` numbers. There are no more than rows and columns of the panel.
#[inline(always)]
unsafe fn pack<T: Real, S: Simd<T>, const NR: usize>(
    simd: S,
    (b, down, right): (*const T, usize, usize),
    (kc, width): (usize, usize),
    panel: &mut [MaybeUninit<[T; NR]>],
) {
    let to = panel.as_mut_ptr().cast::<T>();
    let lanes = S::LANES;
    // SAFETY: rows and columns are below `kc` and `width`, which are no more than those of the panel.
    unsafe {
        if right == 1 {
            for p in 0..kc {
                for j in (0..width).step_by(lanes) {
                    let count = lanes.min(width - j);
                    simd.store(simd.load(b.add(p * down + j), count), to.add(p * NR + j), count);
                }
            }
            return;
        }
        for j in (0..width).step_by(lanes) {
            for p in (0..kc).step_by(lanes) {
                let square = (lanes.min(width - j), lanes.min(kc - p));
                simd.transpose(square, b.add(p * down + j * right), right, to.add(p * NR + j), NR);
            }
        }
    }
}
// Six rows of four vectors leave room in 32 registers, and six of two in 16, for the vectors of a row and a number. Of fewer
// vectors there are more rows. The numbers in brackets say how many of two.
kernels!(Avx512, "avx512f", f32, 16, 4, [12, 8], avx512_f32, avx512_f32_tile, avx512_f32_rows, avx512_f32_multiply);
kernels!(Avx512, "avx512f", f64, 8, 4, [12, 8], avx512_f64, avx512_f64_tile, avx512_f64_rows, avx512_f64_multiply);
kernels!(Avx2, "avx2,fma", f32, 8, 2, [6, 6], avx2_f32, avx2_f32_tile, avx2_f32_rows, avx2_f32_multiply);
kernels!(Avx2, "avx2,fma", f64, 4, 2, [6, 6], avx2_f64, avx2_f64_tile, avx2_f64_rows, avx2_f64_multiply);

macro_rules! vectors {
    ($t:ty, $avx512:ident, $avx2:ident) => {
        impl Vectors for $t {
            fn avx512(product: &mut Product<'_, $t>) -> bool {
                Avx512::detect().map(|simd| $avx512(simd, product)).is_some()
            }
            fn avx2(product: &mut Product<'_, $t>) -> bool {
                Avx2::detect().map(|simd| $avx2(simd, product)).is_some()
            }
        }
    };
}
vectors!(f32, avx512_f32, avx2_f32);
vectors!(f64, avx512_f64, avx2_f64);
