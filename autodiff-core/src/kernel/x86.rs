//! `gemm` with AVX-512 or AVX2 and FMA, whichever the CPU has.
//!
//! The only `unsafe` code of the kernels: intrinsics, and calls of functions compiled for more than the
//! baseline. Both are sound because [`Avx512`] and [`Avx2`] are made by nothing but `detect`.

#![allow(clippy::wildcard_imports, reason = "thirty names of one module, all of them intrinsics")]

use super::gemm::{Product, Simd, multiply};
use core::arch::x86_64::*;
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

/// `$mask: $n => …` reads and writes the first `n` numbers of a vector alone; AVX2 goes through an array instead.
macro_rules! simd {
    (
        $proof:ident, $t:ty, $vector:ident, $lanes:literal: $splat:ident, $load:ident, $store:ident, $add:ident, $mul_add:ident
        $(, $mask:ty, $load_some:ident, $store_some:ident)?
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
            fn load(self, from: &[$t]) -> $vector {
                if let Some(from) = from.first_chunk::<$lanes>() {
                    // SAFETY: `self` proves the instruction; the pointer is to an array of exactly the vector's
                    // size, borrowed for the call, and need not be aligned.
                    return unsafe { $load(core::ptr::from_ref(from).cast()) };
                }
                $(
                    let mask = ((1_u32 << from.len()) - 1) as $mask;
                    // SAFETY: `self` proves the instruction; the slice has fewer than `LANES` numbers, and the mask
                    // has a bit for each of them. What has none is not read.
                    #[allow(unreachable_code)]
                    return unsafe { $load_some(mask, from.as_ptr()) };
                )?
                #[allow(unreachable_code)]
                {
                    let mut numbers = [0.0; $lanes];
                    for (x, from) in numbers.iter_mut().zip(from) {
                        *x = *from;
                    }
                    self.load(&numbers)
                }
            }
            #[inline(always)]
            fn store(self, x: $vector, to: &mut [$t]) {
                if let Some(to) = to.first_chunk_mut::<$lanes>() {
                    // SAFETY: `self` proves the instruction; the pointer is to an array of exactly the vector's
                    // size, exclusively borrowed for the call, and need not be aligned.
                    return unsafe { $store(core::ptr::from_mut(to).cast(), x) };
                }
                $(
                    let mask = ((1_u32 << to.len()) - 1) as $mask;
                    // SAFETY: `self` proves the instruction; the slice has fewer than `LANES` numbers, and the mask
                    // has a bit for each of them. What has none is not written.
                    #[allow(unreachable_code)]
                    return unsafe { $store_some(to.as_mut_ptr(), mask, x) };
                )?
                #[allow(unreachable_code)]
                {
                    let mut numbers = [0.0; $lanes];
                    self.store(x, &mut numbers);
                    for (to, x) in to.iter_mut().zip(numbers) {
                        *to = x;
                    }
                }
            }
            #[inline(always)]
            fn mul_add(self, x: $vector, y: $vector, z: $vector) -> $vector {
                // SAFETY: the CPU has the instruction, as `self` proves.
                unsafe { $mul_add(x, y, z) }
            }
            #[inline(always)]
            fn add(self, x: $vector, y: $vector) -> $vector {
                // SAFETY: the CPU has the instruction, as `self` proves.
                unsafe { $add(x, y) }
            }
        }
    };
}
simd!(
    Avx512, f32, __m512, 16: _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_add_ps, _mm512_fmadd_ps,
    __mmask16, _mm512_maskz_loadu_ps, _mm512_mask_storeu_ps
);
simd!(
    Avx512, f64, __m512d, 8: _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_add_pd, _mm512_fmadd_pd,
    __mmask8, _mm512_maskz_loadu_pd, _mm512_mask_storeu_pd
);
simd!(Avx2, f32, __m256, 8: _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_add_ps, _mm256_fmadd_ps);
simd!(Avx2, f64, __m256d, 4: _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_add_pd, _mm256_fmadd_pd);

/// Rows of a panel: 256 of 128 bytes are 32 KiB, which L1 holds. Clearing that costs more than it should
/// where few are needed.
const LONG: usize = 256;
const SHORT: usize = 64;
const TINY: usize = 16;

macro_rules! kernels {
    ($proof:ident, $features:literal, $t:ty, $name:ident, $wide:ident: $mr:literal x $nr:literal, $narrow:ident: $mr1:literal x $nr1:literal) => {
        #[target_feature(enable = $features)]
        fn $wide(simd: $proof, product: &mut Product<'_, $t>, panel: &mut [[$t; $nr]]) {
            multiply::<$t, _, $mr, 2, $nr>(simd, product, panel);
        }

        #[target_feature(enable = $features)]
        fn $narrow(simd: $proof, product: &mut Product<'_, $t>, panel: &mut [[$t; $nr1]]) {
            multiply::<$t, _, $mr1, 1, $nr1>(simd, product, panel);
        }

        #[allow(clippy::large_stack_arrays, reason = "32 KiB have to be somewhere, and there is no heap")]
        fn $name(simd: $proof, product: &mut Product<'_, $t>) {
            // SAFETY: the called functions ask for no more than the features that `simd` proves.
            unsafe {
                match (product.n <= $nr1, product.k) {
                    (true, ..=SHORT) => $narrow(simd, product, &mut [[0.0; $nr1]; SHORT]),
                    (true, _) => $narrow(simd, product, &mut [[0.0; $nr1]; LONG]),
                    (false, ..=TINY) => $wide(simd, product, &mut [[0.0; $nr]; TINY]),
                    (false, ..=SHORT) => $wide(simd, product, &mut [[0.0; $nr]; SHORT]),
                    (false, _) => $wide(simd, product, &mut [[0.0; $nr]; LONG]),
                }
            }
        }
    };
}
// Tiles leave room in the 32 or 16 registers for the vectors of a row and a broadcast number.
kernels!(Avx512, "avx512f", f32, avx512_f32, avx512_f32_wide: 8 x 32, avx512_f32_narrow: 8 x 16);
kernels!(Avx512, "avx512f", f64, avx512_f64, avx512_f64_wide: 8 x 16, avx512_f64_narrow: 8 x 8);
kernels!(Avx2, "avx2,fma", f32, avx2_f32, avx2_f32_wide: 6 x 16, avx2_f32_narrow: 8 x 8);
kernels!(Avx2, "avx2,fma", f64, avx2_f64, avx2_f64_wide: 6 x 8, avx2_f64_narrow: 8 x 4);

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
