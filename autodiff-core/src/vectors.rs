//! Generated code for the CPU that it runs on.
//!
//! Rust compiles a crate for the oldest CPU of its target, unless it is told otherwise. On x86-64 such code has vectors of four
//! `f32`. A generated function with loops over tensors is therefore compiled three times, for vectors of 16, 8 and 4, and one of
//! tangents in several directions, in which a number is a vector, twice. The first call asks the CPU which of them it has.
//! Additions and multiplications are the same in the same order, and none of them are contracted, so that the bits of the result
//! do not depend on the CPU.

/// A generated function that is compiled for several CPUs. `K` tells the functions of one type apart. What it returns is a parameter
/// and not an associated type, which may not be private to a module.
pub trait Vectorized<const K: usize, Args, Y> {
    /// Its body, which has to be inlined.
    fn run(args: Args) -> Y;
}

/// Calls the function, with the vectors that the CPU has.
#[inline]
pub fn vectorized<F: Vectorized<K, Args, Y>, const K: usize, Args, Y>(args: Args) -> Y {
    // Without optimisation there are no vectors.
    #[cfg(all(feature = "std", target_arch = "x86_64", not(debug_assertions)))]
    {
        if x86::has_avx512() {
            // SAFETY: the CPU has the features, as was just asked.
            return unsafe { x86::with_avx512::<F, K, Args, Y>(args) };
        }
        if x86::has_avx2() {
            // SAFETY: the CPU has the features, as was just asked.
            return unsafe { x86::with_avx2::<F, K, Args, Y>(args) };
        }
        x86::with_oldest::<F, K, Args, Y>(args)
    }
    #[cfg(not(all(feature = "std", target_arch = "x86_64", not(debug_assertions))))]
    {
        F::run(args)
    }
}

/// The same for a function of tangents in several directions. Eight lanes of `f64` are as long as a line of the cache, and lie
/// across two of them as a rule, so that vectors of eight are slower there than vectors of four.
#[inline]
pub fn vectorized_lanes<F: Vectorized<K, Args, Y>, const K: usize, Args, Y>(args: Args) -> Y {
    #[cfg(all(feature = "std", target_arch = "x86_64", not(debug_assertions)))]
    {
        if x86::has_avx2() {
            // SAFETY: the CPU has the features, as was just asked.
            return unsafe { x86::with_avx2::<F, K, Args, Y>(args) };
        }
        x86::with_oldest::<F, K, Args, Y>(args)
    }
    #[cfg(not(all(feature = "std", target_arch = "x86_64", not(debug_assertions))))]
    {
        F::run(args)
    }
}

/// Stands at the start of an iteration, and keeps it apart from the others.
///
/// Note [Loops of few iterations]. LLVM unrolls a loop of few iterations before it makes vectors. Then it takes the loop around
/// for the innermost one, and has a vector for the same element of several rows, although the elements of a row lie next to
/// each other. With AVX-512 it reads and writes such a vector number by number. Where the iterations of the outer loop are kept
/// apart, there are vectors along the rows. The same holds of lanes, which lie next to each other in each iteration.
#[inline]
pub fn apart() {
    #[cfg(all(feature = "std", target_arch = "x86_64", not(debug_assertions)))]
    core::hint::black_box(());
}

#[cfg(all(feature = "std", target_arch = "x86_64", not(debug_assertions)))]
mod x86 {
    use super::Vectorized;
    use std::is_x86_feature_detected;

    #[inline]
    pub(super) fn has_avx512() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
    }

    #[inline]
    pub(super) fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
    }

    /// A function of its own, as the others are: else the caller had its arrays on the stack beside those of the others.
    #[inline(never)]
    pub(super) fn with_oldest<F: Vectorized<K, Args, Y>, const K: usize, Args, Y>(args: Args) -> Y {
        F::run(args)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn with_avx512<F: Vectorized<K, Args, Y>, const K: usize, Args, Y>(args: Args) -> Y {
        F::run(args)
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn with_avx2<F: Vectorized<K, Args, Y>, const K: usize, Args, Y>(args: Args) -> Y {
        F::run(args)
    }
}
