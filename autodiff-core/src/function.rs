//! What a differentiated function is to the type system.

use core::fmt;
use core::marker::PhantomData;

/// A function that `#[differentiable]` has transformed: the type that stands beside `fn f`.
///
/// Only the macro implements it. The constants let a program on a small machine state what it can afford:
///
/// ```ignore
/// const { assert!(loss::RESIDUAL_BYTES + loss::WORKSPACE_BYTES <= 32 * 1024) }
/// ```
pub trait DifferentiableFn {
    /// What `f::forward` saves for `f::pullback`: the primal values that the reverse sweep reads.
    ///
    /// It may be stored, and used many times. What is in it is the compiler's choice, and changes with its optimisations.
    type Residuals;
    /// The size of [`Residuals`](Self::Residuals).
    const RESIDUAL_BYTES: usize;
    /// How many bytes of arrays a generated function makes on the stack, with what it calls: of the function that makes most
    /// of them, be it the value, a sweep, the gradient, `jvp` or `hvp`.
    ///
    /// Arguments, results and [`Residuals`](Self::Residuals) do not count, and neither does what is on the heap or put
    /// together for a call. Of a recursion one call counts.
    const WORKSPACE_BYTES: usize;
}

/// What `f::forward` saves for `f::pullback`: see [`DifferentiableFn`].
pub type Residuals<F> = <F as DifferentiableFn>::Residuals;

/// The residuals of the function `F`, which nobody but generated code looks into.
pub struct Opaque<F, D>(D, PhantomData<fn() -> F>);

impl<F, D> Opaque<F, D> {
    /// Wraps residuals.
    #[inline]
    pub const fn new(data: D) -> Self {
        Opaque(data, PhantomData)
    }

    /// What is wrapped.
    #[inline]
    pub const fn data(&self) -> &D {
        &self.0
    }
}

impl<F, D: Clone> Clone for Opaque<F, D> {
    fn clone(&self) -> Self {
        Opaque::new(self.0.clone())
    }
}

impl<F, D: Copy> Copy for Opaque<F, D> {}

impl<F, D> fmt::Debug for Opaque<F, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Residuals").finish_non_exhaustive()
    }
}

/// Says that a function has second derivatives, which it has if its attribute asks for them. No type implements it: it is
/// the bound of what stands in the place of `hvp` where they are missing, and its message tells what to write.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has first derivatives only",
    label = "a second derivative",
    note = "write `#[differentiable(order = 2)]` on the function, or `order = 2` in its `#[derivative]`"
)]
pub trait SecondOrder<'of> {}

/// Says that a function has a derivative of an order that is asked for, but cannot be made.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be differentiated as often as this asks for",
    label = "a derivative of higher order",
    note = "if it takes the derivative of another function, write `#[differentiable(order = 3)]` on that one for second derivatives here, `order = 4` for third ones",
    note = "else write `#[differentiable(order = 2)]` on `{Self}`: the error says what is missing"
)]
pub trait HigherOrder<'of> {}

/// Says that a function has `taylor`, which it has if the crate calls it or the attribute asks for it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no Taylor mode",
    label = "`taylor` is not there",
    note = "write `#[differentiable(taylor)]` on the function"
)]
pub trait Taylor<'of> {}

/// Says that the derivatives of a function are of the type of its value, so that one array can have them all.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`taylor` is not there for the result of `{Self}`",
    label = "a result whose derivative is of another type",
    note = "an array has the value and its derivatives, so that they have to be of one type",
    note = "return a number, an array, a tensor, a `Vec` or a tuple of such"
)]
pub trait TaylorOfNumbers<'of> {}

/// Says that a function has residuals that can be kept apart from its arguments: `f::forward` and `f::pullback`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no residuals that can be kept",
    label = "its pullback reads an argument without a derivative",
    note = "call `vjp`, whose pullback borrows the arguments"
)]
pub trait Keeps<'of> {}

/// Says that a function has derivatives of its own. No type implements it: a function that takes functions, iterators or objects of a
/// trait is differentiated where it is called.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivatives of its own",
    label = "differentiated where it is called only",
    note = "it takes functions, or values of any type of a trait: which these are, only its caller says",
    note = "write a function that hands over yours, with `#[differentiable]`, and call the derivatives of that one"
)]
pub trait Alone<'of> {}

/// Names the type of the `I`-th field of a derived struct for other crates' expansions.
#[doc(hidden)]
pub trait FieldType<const I: usize> {
    type Type;
}
