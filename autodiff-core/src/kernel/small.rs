//! Small products with the vectors of the CPU. What is written in `loops.rs` is good for short vectors.

/// A number with kernels for small products. Each says whether the CPU has the instructions, and so whether it did anything. No
/// size is 0.
#[doc(hidden)]
pub trait Small: Sized {
    /// Sets `c`, `M` rows of `N`, to `Σ aᵢₖ·bₖ`, or adds that. `a` comes with its steps from one row to the next, and from one
    /// column to the next; `b` has `K` rows.
    fn combine<const ADDS: bool, const M: usize, const K: usize, const N: usize>(
        _a: (&[Self], usize, usize),
        _b: &[Self],
        _c: &mut [Self],
    ) -> bool {
        false
    }
    /// Sets `c`, rows of `N`, to `x·yᵀ`, or adds that.
    fn outer<const ADDS: bool, const N: usize>(_x: &[Self], _y: &[Self], _c: &mut [Self]) -> bool {
        false
    }
    /// Sets `c`, `M` rows of `N`, to the inner products of rows of `a` and rows of `b`, `K` numbers each, or adds them.
    fn dots<const ADDS: bool, const M: usize, const K: usize, const N: usize>(
        _a: &[Self],
        _b: &[Self],
        _c: &mut [Self],
    ) -> bool {
        false
    }
}

#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
mod portable {
    impl super::Small for f32 {}
    impl super::Small for f64 {}
}
