//! `Option` and `Result` of what has derivatives.

use crate::generated::Zero;
use crate::{Differentiable, Path};

/// A change of an `Option` or a `Result`: that of the value that there may be. Of `None` and `Err` it is zero, and no change of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionTangent<T> {
    /// The change of the value.
    pub some: T,
}

macro_rules! optional {
    ($type:ty, $some:ident $(, $error:ident)?) => {
        /// The leaves are those of the value, which read as zero if there is none, and what is written to them is lost then.
        impl<A: Differentiable $(, $error)?> Differentiable for $type
        where
            A::Tangent: Zero,
        {
            type Scalar = A::Scalar;
            type Tangent = OptionTangent<A::Tangent>;

            #[inline]
            fn zero_tangent(&self) -> Self::Tangent {
                OptionTangent { some: match self { $some(value) => value.zero_tangent(), _ => A::Tangent::zero() } }
            }
            #[inline]
            fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[Self::Scalar])) {
                match self {
                    $some(value) => value.visit_leaves(&at.field("some"), f),
                    _ => A::Tangent::zero().visit_leaves(&at.field("some"), f),
                }
            }
            #[inline]
            fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [Self::Scalar])) {
                match self {
                    $some(value) => value.visit_leaves_mut(&at.field("some"), f),
                    _ => {
                        let mut none = A::Tangent::zero();
                        none.visit_leaves_mut(&at.field("some"), f);
                    }
                }
            }
            fn visit_from(&self, origin: &Self, f: &mut impl FnMut(&[Self::Scalar])) {
                match (self, origin) {
                    ($some(value), $some(origin)) => value.visit_from(origin, f),
                    _ => self.visit_leaves(&Path::ROOT, &mut |_, _, data| f(data)),
                }
            }
            #[inline]
            fn zip_leaves(&self, tangent: &Self::Tangent, f: &mut impl FnMut(&[Self::Scalar], &[Self::Scalar])) {
                match self {
                    $some(value) => value.zip_leaves(&tangent.some, f),
                    _ => A::Tangent::zero().zip_leaves(&tangent.some, f),
                }
            }
            #[inline]
            fn update_leaves<const K: usize>(
                &mut self,
                tangent: &Self::Tangent,
                state: [&mut Self::Tangent; K],
                f: &mut impl FnMut(&mut [Self::Scalar], &[Self::Scalar], [&mut [Self::Scalar]; K]),
            ) {
                let state = state.map(|state| &mut state.some);
                match self {
                    $some(value) => value.update_leaves(&tangent.some, state, f),
                    _ => {
                        let mut none = A::Tangent::zero();
                        none.update_leaves(&tangent.some, state, f);
                    }
                }
            }
        }
    };
}
optional!(Option<A>, Some);
optional!(Result<A, E>, Ok, E);

impl<T: Differentiable<Tangent = T>> Differentiable for OptionTangent<T> {
    type Scalar = T::Scalar;
    type Tangent = Self;

    #[inline]
    fn zero_tangent(&self) -> Self {
        OptionTangent { some: self.some.zero_tangent() }
    }
    #[inline]
    fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[Self::Scalar])) {
        self.some.visit_leaves(&at.field("some"), f);
    }
    #[inline]
    fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [Self::Scalar])) {
        self.some.visit_leaves_mut(&at.field("some"), f);
    }
    #[inline]
    fn zip_leaves(&self, tangent: &Self, f: &mut impl FnMut(&[Self::Scalar], &[Self::Scalar])) {
        self.some.zip_leaves(&tangent.some, f);
    }
    #[inline]
    fn update_leaves<const K: usize>(
        &mut self,
        tangent: &Self,
        state: [&mut Self; K],
        f: &mut impl FnMut(&mut [Self::Scalar], &[Self::Scalar], [&mut [Self::Scalar]; K]),
    ) {
        self.some.update_leaves(&tangent.some, state.map(|state| &mut state.some), f);
    }
}

impl<T: Zero> Zero for OptionTangent<T> {
    const ZERO: Self = OptionTangent { some: T::ZERO };
    #[inline]
    fn zero() -> Self {
        OptionTangent { some: T::zero() }
    }
    #[inline]
    fn set_zero(&mut self) {
        Zero::set_zero(&mut self.some);
    }
}
