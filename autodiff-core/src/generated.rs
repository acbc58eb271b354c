//! What only generated code uses.

use crate::{Differentiable, Real, Shape, Tensor};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A tangent that can be made without a value to take its shape from.
pub trait Zero: Sized {
    /// No change. That of a matrix on the heap is no constant.
    const ZERO: Self = panic!("a matrix on the heap is made at run time");

    /// The same, also of what is no constant.
    #[inline]
    #[must_use]
    fn zero() -> Self {
        Self::ZERO
    }

    /// Sets every number to 0, in place.
    fn set_zero(&mut self);
}

impl<T: Real> Zero for T {
    const ZERO: Self = <T as Real>::ZERO;
    #[inline]
    fn set_zero(&mut self) {
        *self = <T as Real>::ZERO;
    }
}

/// What integers have in a tuple.
impl Zero for () {
    const ZERO: Self = ();
    #[inline]
    fn set_zero(&mut self) {}
}

impl<A: Zero, const N: usize> Zero for [A; N] {
    const ZERO: Self = [const { A::ZERO }; N];
    #[inline]
    fn zero() -> Self {
        core::array::from_fn(|_| A::zero())
    }
    #[inline]
    fn set_zero(&mut self) {
        self.iter_mut().for_each(A::set_zero);
    }
}

impl<A: Shape> Zero for Tensor<A> {
    const ZERO: Self = Tensor::zeros();
    #[inline]
    fn set_zero(&mut self) {
        self.as_mut_slice().fill(<A::Elem as Real>::ZERO);
    }
}

/// Without a value to tell how long it is, it is empty.
#[cfg(feature = "alloc")]
impl<A: Zero> Zero for Vec<A> {
    const ZERO: Self = Vec::new();
    #[inline]
    fn set_zero(&mut self) {
        self.iter_mut().for_each(A::set_zero);
    }
}

macro_rules! zero_tuples {
    ($(($($part:ident $index:tt),+))*) => {$(
        impl<$($part: Zero),+> Zero for ($($part,)+) {
            const ZERO: Self = ($($part::ZERO,)+);
            #[inline]
            fn zero() -> Self {
                ($($part::zero(),)+)
            }
            #[inline]
            fn set_zero(&mut self) {
                $(self.$index.set_zero();)+
            }
        }
    )*};
}
zero_tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15)
}

/// A change of each element of a slice that is none.
#[cfg(feature = "alloc")]
pub fn zeros<A: Differentiable>(values: &[A]) -> Vec<A::Tangent> {
    values.iter().map(A::zero_tangent).collect()
}

/// Slices have a `zero_tangent` like other values, so that what is passed on as it is written has one, too.
pub trait ZeroTangents {
    /// A change of each element.
    type Tangents;
    /// No change.
    fn zero_tangent(&self) -> Self::Tangents;
}

#[cfg(feature = "alloc")]
impl<A: Differentiable> ZeroTangents for [A] {
    type Tangents = Vec<A::Tangent>;
    fn zero_tangent(&self) -> Self::Tangents {
        zeros(self)
    }
}

/// Sets all numbers of a slice to 0, in place.
pub fn set_zeros<A: Differentiable>(values: &mut [A]) {
    values.iter_mut().for_each(A::set_zero);
}

/// `N` elements of a slice: the chunk of this number.
///
/// # Panics
///
/// If there is no such chunk.
#[inline(always)]
#[must_use]
pub fn chunk<T, const N: usize>(slice: &[T], number: usize) -> &[T; N] {
    slice[number * N..].first_chunk().expect("a whole chunk")
}

/// The same, to write to them.
///
/// # Panics
///
/// If there is no such chunk.
#[inline(always)]
pub fn chunk_mut<T, const N: usize>(slice: &mut [T], number: usize) -> &mut [T; N] {
    slice[number * N..].first_chunk_mut().expect("a whole chunk")
}

/// The sum of a number for each lane: halves are added to each other.
#[inline(always)]
pub fn sum_of_lanes<T: Copy + core::ops::Add<Output = T>>(lanes: [T; 8]) -> T {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// How many of so many iterations run in chunks of `width`.
///
/// Processors of 64 bits have vectors. On others, a second form of a loop takes memory and saves no time.
#[inline]
#[must_use]
pub const fn in_chunks(count: usize, width: usize) -> usize {
    if cfg!(target_pointer_width = "64") { count / width * width } else { 0 }
}

/// Parts of a slice of one length that do not overlap, by where they begin.
///
/// # Panics
/// If one of them ends behind the slice.
#[inline]
#[track_caller]
pub fn parts<A, const N: usize>(of: &mut [A], starts: [usize; N], length: usize) -> [&mut [A]; N] {
    of.get_disjoint_mut(starts.map(|start| start..start + length)).expect("parts in the slice that do not overlap")
}

/// Makes `value` the element at `at`, which is there already or the next one.
#[cfg(feature = "alloc")]
#[inline]
pub fn put<A>(values: &mut Vec<A>, at: usize, value: A) {
    match values.get_mut(at) {
        Some(old) => *old = value,
        None => values.push(value),
    }
}

/// The forward and the reverse sweep of a function, for its callers.
pub trait Sweeps {
    /// What the forward sweep hands to the reverse sweep, besides the arguments.
    type Saved: Clone;
    /// All zeros: what the forward sweep finds in the place that it writes to.
    const EMPTY: Self::Saved;
    /// Makes a place such that the forward sweep can write to it once more. It may keep its memory.
    #[inline]
    fn renew(saved: &mut Self::Saved) -> &mut Self::Saved {
        *saved = Self::EMPTY;
        saved
    }
    /// Whether it calls functions without a derivative, which may have effects.
    const EFFECTS: bool;
    /// See [`DifferentiableFn::WORKSPACE_BYTES`](crate::DifferentiableFn::WORKSPACE_BYTES).
    const WORKSPACE_BYTES: usize;
}

/// Called where a callee is run again, as second derivatives and derivatives of recursions do. That must not repeat an
/// effect. A generic function is checked only where it is used.
#[inline(always)]
pub const fn runs_again<F: Sweeps>() {
    const {
        assert!(
            !F::EFFECTS,
            "this derivative runs a function again that calls a function without a derivative, which may have an \
             effect: write `#[differentiable(pure(name))]` there, if it has none and depends on its arguments only"
        );
    }
}

/// Whether two modules are the same, by their paths.
#[must_use]
pub const fn is_same_module(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}

/// Does nothing: that it can be named says that a type is differentiable.
pub const fn is_differentiable<T: crate::Differentiable>() {}

/// What stands for a function that the compiler knows by its name, and that is no item of any crate.
pub struct KnownByName;

/// The type of a function that the compiler knows: it has no other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has a name by which `autodiff` knows another function",
    label = "which of the two is called here cannot be seen before names are resolved",
    note = "import this one by its name, `use path::to::name;`, or call it by a path that begins with `self`, `super` or `crate`; \
            if the other one is meant, do not import this one here"
)]
pub trait IsKnown<F> {}

impl<F> IsKnown<F> for F {}

/// Compiles if a name means the function that the compiler takes it for.
pub const fn is_known<F, G: IsKnown<F>>(_: &F, _: &G) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tensor2;

    #[test]
    fn zero_and_back() {
        let mut value = (1.0_f64, [2.0_f64; 3], Tensor2::<f64, 2, 2>::ones());
        Zero::set_zero(&mut value);
        assert_eq!(value, <(f64, [f64; 3], Tensor2<f64, 2, 2>)>::ZERO);
    }
}
