//! Compile-time automatic differentiation for Rust.
#![no_std]
extern crate self as autodiff;

pub use autodiff_core::*;
pub use autodiff_macros::{Differentiable, differentiable};
#[doc(hidden)]
pub use autodiff_macros::__expand;

/// What generated code uses.
#[doc(hidden)]
pub mod __private {
    pub use autodiff_core::__private::*;

    /// The type of a field, for those who cannot name it by its path.
    pub type Field<S, const I: usize> = <S as autodiff_core::FieldType<I>>::Type;
}

/// `x`, without a derivative: nothing flows back through it.
///
/// Inside a differentiable function it cuts the derivative; outside it is the identity.
///
/// ```
/// use autodiff::prelude::*;
///
/// #[differentiable]
/// fn half_constant(x: f64) -> f64 {
///     x * stop_gradient(x)
/// }
///
/// assert_eq!(half_constant::grad(3.0), 3.0);
/// ```
#[inline]
pub fn stop_gradient<T>(x: T) -> T {
    x
}

/// What a file that differentiates wants in scope.
pub mod prelude {
    pub use crate::{Differentiable, Real, Tensor, Tensor1, Tensor2, Tensor3, Tensor4, Tensor5, Tensor6, differentiable, stop_gradient};
}
