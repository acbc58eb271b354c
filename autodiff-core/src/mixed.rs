//! Leaves of `f32` in a type whose numbers are `f64`.
//!
//! Note [Leaves of two precisions]. A type with fields of both has [`Differentiable::Scalar`] `f64`. A leaf of `f32` is shown as
//! a copy in `f64`, which is exact. What is written to the copy is rounded to nearest when it is stored.

use crate::{Differentiable, Path, Shape, Tensor};

/// A leaf of `f32`, and the same in `f64`.
#[doc(hidden)]
pub trait Single: Differentiable<Scalar = f32, Tangent = Self> {
    /// The same in `f64`.
    type Double: Differentiable<Scalar = f64, Tangent = Self::Double>;

    /// All its numbers, exactly.
    fn to_double(&self) -> Self::Double;

    /// Rounds all numbers to nearest.
    fn round_from(&mut self, double: &Self::Double);
}

impl Single for f32 {
    type Double = f64;

    #[inline]
    fn to_double(&self) -> f64 {
        f64::from(*self)
    }
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "this is what rounding is")]
    fn round_from(&mut self, double: &f64) {
        *self = *double as Self;
    }
}

impl<A: Single, const N: usize> Single for [A; N] {
    type Double = [A::Double; N];

    #[inline]
    fn to_double(&self) -> Self::Double {
        core::array::from_fn(|i| self[i].to_double())
    }
    #[inline]
    fn round_from(&mut self, double: &Self::Double) {
        for (single, double) in self.iter_mut().zip(double) {
            single.round_from(double);
        }
    }
}

impl<A: Shape<Elem = f32> + Single<Double: Shape<Elem = f64>>> Single for Tensor<A> {
    type Double = Tensor<A::Double>;

    #[inline]
    fn to_double(&self) -> Self::Double {
        Tensor(self.0.to_double())
    }
    #[inline]
    fn round_from(&mut self, double: &Self::Double) {
        self.0.round_from(&double.0);
    }
}

#[cfg(feature = "alloc")]
impl<A: Single> Single for alloc::vec::Vec<A> {
    type Double = alloc::vec::Vec<A::Double>;

    fn to_double(&self) -> Self::Double {
        self.iter().map(A::to_double).collect()
    }
    fn round_from(&mut self, double: &Self::Double) {
        for (single, double) in self.iter_mut().zip(double) {
            single.round_from(double);
        }
    }
}

/// [`Differentiable::visit_leaves`] of what is shown in `f64`.
#[inline]
pub fn visit_double<A: Single>(x: &A, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[f64])) {
    x.to_double().visit_leaves(at, f);
}

/// [`Differentiable::visit_leaves_mut`]
#[inline]
pub fn visit_double_mut<A: Single>(x: &mut A, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [f64])) {
    let mut double = x.to_double();
    double.visit_leaves_mut(at, f);
    x.round_from(&double);
}

/// [`Differentiable::zip_leaves`]
#[inline]
pub fn zip_double<A: Single>(x: &A, tangent: &A, f: &mut impl FnMut(&[f64], &[f64])) {
    x.to_double().zip_leaves(&tangent.to_double(), f);
}

/// [`Differentiable::update_leaves`]
#[inline]
pub fn update_double<A: Single, const K: usize>(
    x: &mut A,
    tangent: &A,
    mut state: [&mut A; K],
    f: &mut impl FnMut(&mut [f64], &[f64], [&mut [f64]; K]),
) {
    let mut double = x.to_double();
    let mut states = state.each_ref().map(|state| state.to_double());
    double.update_leaves(&tangent.to_double(), states.each_mut(), f);
    x.round_from(&double);
    for (state, double) in state.iter_mut().zip(&states) {
        state.round_from(double);
    }
}

#[cfg(test)]
mod tests {
    use super::{update_double, visit_double, visit_double_mut, zip_double};
    use crate::{Path, Tensor1};
    use std::format;
    use std::vec::Vec;

    #[test]
    fn one_leaf_of_doubles() {
        let mut leaves = Vec::new();
        visit_double(&[[0.5_f32, 0.25]; 2], &Path::ROOT, &mut |at, dims, data| {
            leaves.push(format!("{at}{dims:?}{data:?}"));
        });
        visit_double(&Tensor1::from([3.0_f32]), &Path::ROOT, &mut |_, _, data| leaves.push(format!("{data:?}")));
        assert_eq!(leaves, ["[2, 2][0.5, 0.25, 0.5, 0.25]", "[3.0]"]);
    }

    #[test]
    fn rounds_to_nearest() {
        let mut x = [0.1_f32, 1.0];
        visit_double_mut(&mut x, &Path::ROOT, &mut |_, _, data| data[1] += 1e-9);
        assert_eq!(x, [0.1, 1.0]);
        let mut momentum = [0.0_f32; 2];
        update_double(&mut x, &[1.0, 2.0], [&mut momentum], &mut |x, t, [m]| {
            for ((x, t), m) in x.iter_mut().zip(t).zip(m) {
                *m = t / 3.0;
                *x -= *m;
            }
        });
        assert_eq!(momentum, [1.0 / 3.0, 2.0 / 3.0]);
        assert_eq!(x[1], (1.0_f64 - 2.0 / 3.0) as f32);
        let mut dot = 0.0;
        zip_double(&[0.1_f32], &[0.1_f32], &mut |x, t| dot += x[0] * t[0]);
        assert_eq!(dot, f64::from(0.1_f32) * f64::from(0.1_f32));
    }
}
