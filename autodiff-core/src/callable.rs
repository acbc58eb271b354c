//! Differentiable functions as generic parameters.

use crate::generated::Sweeps;
use crate::{Differentiable, DifferentiableFn, Shape, Tensor};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::marker::PhantomData;

/// A differentiable function with these parameters and this result: the bound of a generic parameter that stands for a
/// function.
///
/// The type beside a `#[differentiable] fn f` implements it. `Args` are the types of its parameters as `f` has them, and
/// `Output` is the type of its result:
///
/// | function | bound |
/// |---|---|
/// | `fn f(x: f64) -> f64` | `F: Callable<(f64,), Output = f64>` |
/// | `fn f(t: f64, y: &[f64; 3]) -> [f64; 3]` | `F: Callable<(f64, &[f64; 3]), Output = [f64; 3]>` |
/// | `fn f(x: &[f64], n: usize) -> f64` | `F: Callable<(&[f64], usize), Output = f64>` |
/// | `fn f(p: f64, #[no_diff] x: &[f64]) -> f64` | `F: Callable<(f64, NoDiff<&[f64]>), Output = f64>` |
///
/// In a differentiable function, `F::call(x, y)` calls it, and `F::grad(x, y)`, `F::value_and_grad` and `F::jvp` are its
/// derivatives: see the attribute `differentiable`. Elsewhere this is a trait like any other, whose function takes a tuple,
/// and whose references have a lifetime:
///
/// ```
/// use autodiff_core::Callable;
///
/// fn midpoint<F: Callable<(f64,), Output = f64>>(a: f64, b: f64) -> f64 {
///     (b - a) * F::call((0.5 * (a + b),))
/// }
///
/// fn first<F: Callable<(&'static [f64],), Output = f64>>(x: &[f64]) -> f64 {
///     F::call((&x[..1],))
/// }
/// ```
///
/// It is not implemented for functions that change their arguments, that return a slice, a `Vec` or an integer, or that
/// take a `Vec` by reference or a struct by value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no differentiable function with the parameters `{Args}`",
    label = "not such a function",
    note = "a `#[differentiable]` function is one if its parameters are of exactly these types"
)]
pub trait Callable<Args: Arguments>: DifferentiableFn + Sweeps + Sized {
    /// What the function returns.
    type Output: Differentiable;

    /// The value.
    fn call(args: Args::Given<'_>) -> Self::Output;

    /// The value, and its derivative in the direction of the given tangents.
    fn jvp(args: Args::Given<'_>, tangents: Args::Dots<'_>) -> (Self::Output, Tangent<Self::Output>);

    /// The forward sweep.
    #[doc(hidden)]
    fn __forward(args: Args::Given<'_>, saved: &mut Self::Saved) -> Self::Output;

    /// The reverse sweep, which adds to the cotangents of the arguments.
    #[doc(hidden)]
    fn __reverse(args: Args::Given<'_>, saved: &Self::Saved, seed: &Tangent<Self::Output>, bars: Args::Bars<'_>);

    /// The forward sweep, whose residuals own what the reverse sweep reads.
    #[doc(hidden)]
    fn __keep(args: Args::Given<'_>) -> (Self::Output, Self::Residuals);

    /// The reverse sweep from these.
    #[doc(hidden)]
    fn __pullback(residuals: &Self::Residuals, seed: &Tangent<Self::Output>, bars: Args::Bars<'_>);

    /// The value of a function whose result is a number; the gradient is added to `bars`.
    #[doc(hidden)]
    fn __accumulate(args: Args::Given<'_>, bars: Args::Bars<'_>) -> Self::Output {
        let (_, _) = (args, bars);
        const { assert!(size_of::<Self>() == usize::MAX, "only a function whose result is a number has a gradient") }
        unreachable!()
    }

    /// The tangent of both sweeps.
    #[doc(hidden)]
    fn __joint_jvp(
        args: Args::Given<'_>,
        dots: Args::Dots<'_>,
        seed: &Tangent<Self::Output>,
        seed_dot: &Tangent<Self::Output>,
        bars: Args::Bars<'_>,
        bar_dots: Args::Bars<'_>,
    ) -> (Self::Output, Tangent<Self::Output>) {
        let (_, _, _, _, _, _) = (args, dots, seed, seed_dot, bars, bar_dots);
        const {
            assert!(
                size_of::<Self>() == usize::MAX,
                "a second derivative of a function that has first ones only: write `#[differentiable(order = 2)]` on it"
            )
        }
        unreachable!()
    }

    /// The tangent of `jvp`.
    #[doc(hidden)]
    fn __jvp_jvp(
        args: Args::Given<'_>,
        dots: Args::Dots<'_>,
        dots_2: Args::Dots<'_>,
        dot_dots: Args::Dots<'_>,
    ) -> (Self::Output, Tangent<Self::Output>, Tangent<Self::Output>, Tangent<Self::Output>) {
        let (_, _, _, _) = (args, dots, dots_2, dot_dots);
        const {
            assert!(
                size_of::<Self>() == usize::MAX,
                "a second derivative of a function that has first ones only: write `#[differentiable(order = 2)]` on it"
            )
        }
        unreachable!()
    }
}

/// A change of a value of type `Y`.
type Tangent<Y> = <Y as Differentiable>::Tangent;

/// The types of all parameters of a [`Callable`]: a tuple of [`Argument`]s.
pub trait Arguments: 'static {
    /// The arguments.
    type Given<'a>;
    /// Their tangents, `()` for what has none.
    type Dots<'a>;
    /// The places of their cotangents, `()` for what has none.
    type Bars<'a>;
}

/// The type of a parameter of a [`Callable`]. A reference is `&'static T` here, and of any lifetime when it is passed.
pub trait Argument: 'static {
    /// The argument.
    type Given<'a>;
    /// Its tangent: a number by value, all else by reference, `()` if it has none.
    type Dot<'a>;
    /// The place of its cotangent.
    type Bar<'a>;
}

/// The type of a `#[no_diff]` parameter among the [`Arguments`] of a [`Callable`].
pub struct NoDiff<T>(PhantomData<T>);

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Argument for $ty {
            type Given<'a> = $ty;
            type Dot<'a> = $ty;
            type Bar<'a> = &'a mut $ty;
        }

        impl Argument for NoDiff<$ty> {
            type Given<'a> = $ty;
            type Dot<'a> = ();
            type Bar<'a> = ();
        }
    )*};
}
numbers!(f32, f64);

impl<A: Shape + 'static> Argument for Tensor<A> {
    type Given<'a> = Self;
    type Dot<'a> = &'a Self;
    type Bar<'a> = &'a mut Self;
}

impl<A: Differentiable + 'static, const N: usize> Argument for [A; N] {
    type Given<'a> = Self;
    type Dot<'a> = &'a [A::Tangent; N];
    type Bar<'a> = &'a mut [A::Tangent; N];
}

impl<A: Differentiable + 'static> Argument for &'static A {
    type Given<'a> = &'a A;
    type Dot<'a> = &'a A::Tangent;
    type Bar<'a> = &'a mut A::Tangent;
}

impl<A: Differentiable + 'static> Argument for &'static [A] {
    type Given<'a> = &'a [A];
    type Dot<'a> = &'a [A::Tangent];
    type Bar<'a> = &'a mut [A::Tangent];
}

#[cfg(feature = "alloc")]
impl<A: Differentiable + 'static> Argument for Vec<A> {
    type Given<'a> = Self;
    type Dot<'a> = &'a [A::Tangent];
    type Bar<'a> = &'a mut [A::Tangent];
}

/// What has no derivative anyway.
macro_rules! inactive {
    ($($ty:ty),*) => {$(
        inactive!(@ [] $ty);
        inactive!(@ [const N: usize] [$ty; N]);
        inactive!(@ [] &'static $ty, &'a $ty);
        inactive!(@ [] &'static [$ty], &'a [$ty]);
        inactive!(@ [const N: usize] &'static [$ty; N], &'a [$ty; N]);
    )*};
    (@ [$($generics:tt)*] $ty:ty) => {
        inactive!(@ [$($generics)*] $ty, $ty);
    };
    (@ [$($generics:tt)*] $ty:ty, $given:ty) => {
        impl<$($generics)*> Argument for $ty {
            type Given<'a> = $given;
            type Dot<'a> = ();
            type Bar<'a> = ();
        }
    };
}
inactive!(bool, usize, isize, u8, u16, u32, u64, u128, i8, i16, i32, i64, i128);

impl<T: ?Sized> Argument for NoDiff<&'static T> {
    type Given<'a> = &'a T;
    type Dot<'a> = ();
    type Bar<'a> = ();
}

macro_rules! tuples {
    ($(($($name:ident)+))*) => {$(
        impl<$($name: Argument),+> Arguments for ($($name,)+) {
            type Given<'a> = ($($name::Given<'a>,)+);
            type Dots<'a> = ($($name::Dot<'a>,)+);
            type Bars<'a> = ($($name::Bar<'a>,)+);
        }

        impl<$($name: Differentiable + 'static),+> Argument for ($($name,)+) {
            type Given<'a> = Self;
            type Dot<'a> = &'a ($($name::Tangent,)+);
            type Bar<'a> = &'a mut ($($name::Tangent,)+);
        }
    )*};
}
tuples! {
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
}
