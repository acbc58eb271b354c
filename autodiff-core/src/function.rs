//! What a differentiated function is to the type system.

/// A function that `#[differentiable]` has transformed: the type that stands beside `fn f`.
///
/// The macro implements it; the constants let a program on a small machine state what it can afford.
///
/// ```
/// use autodiff_core::{DifferentiableFn, Residuals};
///
/// // As generated for `fn square(x: f32) -> f32`, whose derivative reads `x`:
/// #[allow(non_camel_case_types)]
/// struct square;
/// impl DifferentiableFn for square {
///     type Residuals = f32;
///     const RESIDUAL_BYTES: usize = 4;
///     const WORKSPACE_BYTES: usize = 0;
/// }
///
/// const { assert!(square::RESIDUAL_BYTES <= 1024) }
/// let _saved: Residuals<square> = 3.0;
/// ```
pub trait DifferentiableFn {
    /// The primal values that the reverse sweep reads.
    type Residuals;
    /// The size of [`Residuals`](Self::Residuals).
    const RESIDUAL_BYTES: usize;
    /// The size of everything else the two sweeps keep in memory.
    const WORKSPACE_BYTES: usize;
}

/// Says that a function has second derivatives, which it has if its attribute asks for them. No type implements it: it is
/// the bound of what stands in the place of `hvp` where they are missing, and its message tells what to write.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has first derivatives only",
    label = "a second derivative",
    note = "write `#[differentiable(order = 2)]` on the function"
)]
pub trait SecondOrder<'of> {}

/// What `f::forward` saves for `f::pullback`: see [`DifferentiableFn`].
pub type Residuals<F> = <F as DifferentiableFn>::Residuals;

/// Names the type of the `I`-th field of a derived struct for other crates' expansions.
#[doc(hidden)]
pub trait FieldType<const I: usize> {
    type Type;
}
