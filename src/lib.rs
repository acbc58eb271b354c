//! Compile-time automatic differentiation: annotate a function, and it also becomes its own derivative, as
//! plain Rust code that is fused, typed and free of heap calls. Stable Rust, with or without `std`.
//!
//! ```
//! use autodiff::{optim::Adam, prelude::*};
//!
//! #[derive(Differentiable)]
//! struct Layer {
//!     w: Tensor2<f64, 3, 2>,
//!     b: Tensor1<f64, 2>,
//! }
//!
//! #[differentiable]
//! fn loss(p: &Layer, #[no_diff] x: &Tensor2<f64, 8, 3>, #[no_diff] y: &Tensor2<f64, 8, 2>) -> f64 {
//!     (x.matmul(p.w) + p.b).tanh().mse(y)
//! }
//!
//! let mut p = Layer { w: Tensor2::full(0.1), b: Tensor1::zeros() };
//! let x = Tensor2::from_fn(|[i, j]| ((3 * i + j) as f64).sin());
//! let y = Tensor2::from_fn(|[i, j]| 0.5 * x[[i, j]]);
//!
//! let before = loss(&p, &x, &y);
//! let mut adam = Adam::new(&p, 0.05);
//! for _ in 0..200 {
//!     let (_, gradient) = loss::value_and_grad(&p, &x, &y);
//!     adam.step(&mut p, &gradient);
//! }
//! assert!(loss(&p, &x, &y) < 0.01 * before);
//! ```
//!
//! A shape that does not fit is a compile error that names both operands:
//!
//! ```compile_fail
//! # use autodiff::prelude::*;
//! #[differentiable]
//! fn product(w: &Tensor2<f64, 2, 3>, x: &Tensor2<f64, 8, 3>) -> f64 {
//!     x.matmul(w).sum() // cannot multiply [8, 3] by [2, 3]: inner dimensions 3 and 2 differ
//! }
//! ```
//!
//! # What to read
//!
//! - [`differentiable`](macro@differentiable): what a function may contain, and what is generated for it.
//! - [`Differentiable`](derive@Differentiable): structs and enums of parameters, and their gradients.
//! - [`Tensor`]: arrays with their shape as their type; [`Tensor1`] to [`Tensor6`].
//! - [`optim`]: SGD, with and without momentum, Adam and `AdamW`.
//! - [`DifferentiableFn`]: how many bytes a derivative stores.
//! - [`gradient_check`]: a gradient against central differences.
//!
//! # Arrays and loops
//!
//! Tensors are for operations on whole arrays. Loops over arrays work as well; a loop that only accumulates stores
//! nothing in its iterations:
//!
//! ```
//! # use autodiff::prelude::*;
//! #[differentiable(order = 2)]
//! fn rosenbrock<const N: usize>(x: &[f64; N]) -> f64 {
//!     let mut s = 0.0;
//!     for i in 0..N - 1 {
//!         let a = 1.0 - x[i];
//!         let b = x[i + 1] - x[i] * x[i];
//!         s += a * a + 100.0 * b * b;
//!     }
//!     s
//! }
//!
//! assert_eq!(rosenbrock::grad(&[1.0; 16]), [0.0; 16]);
//! // The Hessian times a vector, without the Hessian.
//! assert_eq!(rosenbrock::hvp(&[1.0, 1.0], &[1.0, 0.0]), [802.0, -400.0]);
//! ```
//!
//! # Nothing is lost silently
//!
//! A value that depends on a differentiable input and reaches a place without a derivative (an unknown
//! function, an integer cast, a `#[no_diff]` parameter) is a compile error there, never a gradient that is
//! quietly zero. [`stop_gradient`] says that it is meant:
//!
//! ```compile_fail
//! # use autodiff::prelude::*;
//! #[differentiable]
//! fn rounded(x: f64) -> f64 {
//!     x * f64::from(x as i32) // the derivative ends here: `i32` has none
//! }
//! ```
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `std` (default) | elementary functions inline or from `std`; matrix kernels chosen for the CPU at run time; `alloc` |
//! | `alloc` | `Vec` and `Box` of parameters, [`Tensor::boxed_zeros`] |
//! | `nalgebra` | functions of its vectors, matrices and points, with `alloc` of `DVector` and `DMatrix` too; conversions between tensors and `SMatrix` |
//! | `nalgebra-0-34` | the same for version 0.34, in the place of `nalgebra` |
//! | `rayon` | the gradient of a sum over examples on several cores, with the same bits on any number of them: the module `parallel`, docs/parallel.md |
//! | `nalgebra-sparse`, `faer` | sparse Jacobians as matrices of these crates: see [`sparse`](mod@crate::sparse) |
//! | `serde` | tensors as nested sequences |
//! | `complex` | complex numbers: the module `complex`, docs/complex.md |
//! | `emit` | `AUTODIFF_EMIT=dir cargo build` writes the generated code |
//!
//! # Without `std`
//!
//! Generated code needs neither `std` nor a heap. Most elementary functions then come from `libm`:
//!
//! ```toml
//! [dependencies]
//! autodiff = { version = "0.1", default-features = false }
//! ```
//!
//! Values live on the stack or where the caller puts them. `f::accumulate_grad(…, &mut g)` and
//! `f::value_and_grad_into(…, &mut g)` write the gradient in place, for example into a `static`. `f::grad` returns it by value:
//! more than 2 MiB would not fit on many stacks and are a compile error, so use `f::grad_into` with a `Box`. With feature
//! `alloc`, arrays of more than 256 KiB are on the heap: locals of the function, their cotangents, and the values that loops
//! store, which `#[checkpoint(K)]` reduces. `vjp` and calls of differentiable functions pass residuals by value: they may have
//! 4 MiB, not counting what is in `Vec`s.

#![no_std]

extern crate self as autodiff;

#[cfg(any(feature = "nalgebra", feature = "nalgebra-0-34"))]
pub use autodiff_core::RetractLeft;
#[cfg(feature = "alloc")]
pub use autodiff_core::Sparsity;
#[doc(hidden)]
pub use autodiff_core::kernel;
pub use autodiff_core::{
    Callable, Differentiable, DifferentiableFn, LengthMismatch, NoDiff, OptionTangent, Path, Real, Residuals, Shape,
    Tensor, Tensor1, Tensor2, Tensor3, Tensor4, Tensor5, Tensor6, gradient_check, optim, options,
};
#[doc(hidden)]
pub use autodiff_macros::{__check_grads, __expand};

/// Checks all derivatives of a differentiable function against differences of its values: `vjp` and `jvp`, and `hvp`, where there
/// is one. A rule of one's own is checked like everything else.
///
/// `check_grads!(f, x, &y, n)` takes the function and its arguments, and panics with a report, if one of the derivatives is not
/// what it should be. Those of a result of several numbers are of a weighted sum of them. Of a method `Robot::energy`
/// the robot is the first argument.
///
/// Differences of `f64` agree to 1e-6, those of `f32` to 1e-2, which `; tolerance = 1e-4` at the end changes. They say
/// nothing near a kink.
///
/// ```
/// use autodiff::prelude::*;
///
/// #[differentiable(order = 2)]
/// fn energy(x: &[f64; 2], k: f64, n: usize) -> f64 {
///     let mut sum = 0.0;
///     for _ in 0..n {
///         sum += k * (x[0] - x[1]).powi(2);
///     }
///     sum
/// }
///
/// autodiff::check_grads!(energy, &[0.3, 1.2], 2.0, 3);
/// ```
///
/// ```should_panic
/// use autodiff::derivative;
///
/// fn g(x: f64) -> f64 {
///     x.exp()
/// }
///
/// #[derivative(of = g)]
/// fn wrong(x: f64, y_bar: f64) -> f64 {
///     -x.exp() * y_bar
/// }
///
/// // the derivatives of `g` are not those of its values
/// //   by `vjp`, 1 of 1:
/// //     x: -1.3498588075760032e0, expected 1.3498588075760032e0 (relative error 2.0e0): the wrong sign
/// let x = 0.3;
/// autodiff::check_grads!(g, x);
/// ```
#[macro_export]
#[cfg(feature = "alloc")]
macro_rules! check_grads {
    ($($arguments:tt)*) => {
        $crate::__check_grads! { [$crate] $($arguments)* }
    };
}

/// Answers for an item that has no relay.
#[doc(hidden)]
#[macro_export]
macro_rules! __no_relay {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { unknown } } }
    };
}

/// The reference's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../docs/operators.md")]
pub struct Operators;

#[cfg(feature = "nalgebra")]
#[doc = include_str!("../docs/nalgebra.md")]
pub mod nalgebra {}

#[cfg(feature = "alloc")]
#[doc = include_str!("../docs/sparse.md")]
pub mod sparse {}

#[cfg(feature = "complex")]
pub mod complex;

#[cfg(feature = "rayon")]
#[doc = include_str!("../docs/parallel.md")]
pub mod parallel {
    pub use autodiff_core::parallel::{value_and_grad, value_and_grad_into};
}

#[doc = include_str!("../docs/differentiable.md")]
#[doc(inline)]
pub use autodiff_macros::differentiable;

#[doc = include_str!("../docs/derivative.md")]
#[doc(inline)]
pub use autodiff_macros::derivative;

#[doc = include_str!("../docs/implicit.md")]
#[doc(inline)]
pub use autodiff_macros::implicit;

#[doc = include_str!("../docs/inactive.md")]
#[doc(inline)]
pub use autodiff_macros::inactive;

/// Makes a struct or an enum a parameter of differentiable functions.
///
/// It implements the trait [`Differentiable`](trait@crate::Differentiable), and defines the type of a change of
/// the struct: for `Model` it is `ModelTangent`, with the same fields. Gradients are of that type, and so are the
/// states of optimisers.
///
/// ```
/// use autodiff::prelude::*;
///
/// #[derive(Differentiable)]
/// struct Layer<const I: usize, const O: usize> {
///     w: Tensor2<f32, I, O>,
///     b: Tensor1<f32, O>,
/// }
///
/// #[derive(Differentiable)]
/// struct Model {
///     hidden: Layer<4, 8>,
///     out: Layer<8, 2>,
///     scale: f32,
///     #[no_diff]
///     name: String,
///     steps: u32,
/// }
///
/// #[differentiable]
/// fn decay(m: &Model) -> f32 {
///     (m.hidden.w * m.hidden.w).sum() + (m.out.w * m.out.w).sum() * m.scale
/// }
///
/// let m = Model {
///     hidden: Layer { w: Tensor2::full(0.5), b: Tensor1::zeros() },
///     out: Layer { w: Tensor2::full(0.25), b: Tensor1::zeros() },
///     scale: 2.0,
///     name: "small".into(),
///     steps: 0,
/// };
/// let g: ModelTangent = decay::grad(&m);
/// assert_eq!(g.hidden.w, Tensor2::ones());
/// assert_eq!(g.scale, 1.0);
/// assert_eq!(m.flat_len(), 4 * 8 + 8 + 8 * 2 + 2 + 1);
/// ```
///
/// # Fields
///
/// A field is a number, an array, a tensor, a tuple of these, another struct that derives `Differentiable`, or
/// an array of such structs. Integers and `bool` carry no derivative, and
/// `#[no_diff]` makes that of any field; the field of the tangent is then `()`. Structs may be generic and have
/// unnamed fields. What borrows cannot derive yet.
///
/// A type parameter that no number is of, such as the unit in `PhantomData<U>`, is not one of the tangent. Types that stand for it
/// in calls of generic functions are `pub`, since residuals name them.
///
/// A field that is a `Box<T>` is its contents (feature `alloc`), in a struct and in an enum. The field of the tangent is the
/// tangent of the `T`, without a box, since its zero is a constant. A large gradient is written to the heap by
/// `f::grad_into(…, &mut g)` with a `Box` of the tangent. A type that holds values of its own type, such as a tree of
/// boxes, has no derivative: the numbers of a value are at fixed places. Keep its nodes in a `Vec`.
///
/// # `f32` and `f64`
///
/// Fields of `f32` may stand beside fields of `f64`, if each is a number, an array, a tensor or a `Vec` of these.
/// Gradients have each field in its own type. Derivatives pass through `f64::from(w)`, `w as f64` and `x as f32`. A derivative
/// by an `f32` is an `f32`: it is rounded to nearest where it leaves the `f64`s, at the conversion, and what several uses
/// contribute is added in `f32`. All leaves of such a struct are shown as `f64`, to optimisers, too: those of `f32` are
/// converted, which is exact, and rounded to nearest when they are stored.
///
/// ```
/// use autodiff::prelude::*;
///
/// #[derive(Differentiable)]
/// struct Model {
///     gain: f64,
///     weights: Box<[f32; 3]>,
/// }
///
/// #[differentiable]
/// fn response(m: &Model, x: f64) -> f64 {
///     let mut sum = 0.0;
///     for w in m.weights.iter() {
///         sum += f64::from(*w) * x;
///     }
///     m.gain * sum
/// }
///
/// let mut m = Model { gain: 0.5, weights: Box::new([1.0, 2.0, 3.0]) };
/// let (g, by_x) = response::grad(&m, 4.0);
/// assert_eq!((g.gain, g.weights, by_x), (24.0_f64, [2.0_f32; 3], 3.0));
/// m.add_scaled(-0.25, &g);
/// assert_eq!(*m.weights, [0.5, 1.5, 2.5]);
/// ```
///
/// # Enums
///
/// The tangent of an enum is a struct, with a field for each variant that has a derivative. It has a place for every
/// number that a value could have, not only for those of the variant that a given value is: these are zero in its gradient.
/// So gradients by values of different variants add up, one state of an optimiser does for all of them, zero is zero
/// without a value at hand, and no derivative can be of the wrong variant. What a tangent says of other variants
/// changes nothing.
///
/// ```
/// use autodiff::prelude::*;
///
/// #[derive(Differentiable, Clone)]
/// enum Shape {
///     Circle { r: f64 },
///     Rectangle(f64, f64),
///     HalfPlane,
/// }
///
/// #[differentiable]
/// fn area(shape: &Shape) -> f64 {
///     match shape {
///         Shape::Circle { r } => 3.0 * r * r,
///         Shape::Rectangle(a, b) => a * b,
///         Shape::HalfPlane => f64::INFINITY,
///     }
/// }
///
/// #[differentiable]
/// fn larger(r: f64) -> f64 {
///     area(&Shape::Circle { r: 2.0 * r })
/// }
///
/// let mut g: ShapeTangent = area::grad(&Shape::Rectangle(2.0, 3.0));
/// area::accumulate_grad(&Shape::Circle { r: 1.0 }, &mut g);
/// assert_eq!((g.rectangle.0, g.rectangle.1, g.circle.r), (3.0, 2.0, 6.0));
/// assert_eq!(larger::grad(0.5), 12.0);
/// ```
///
/// The numbers as one flat slice are those of all variants in order, too. The ones of other variants read as zero, and
/// what is written to them is lost. In the body, variants are named by the path of the enum, `Shape::Circle`; in patterns
/// any path will do.
///
/// # Leaves
///
/// The trait gives what optimisers, files and checks need: the numbers of the struct and of its tangent, leaf
/// by leaf or as one flat slice.
#[doc(inline)]
pub use autodiff_macros::Differentiable;

/// What generated code uses.
#[doc(hidden)]
pub mod __private {
    pub use autodiff_core::__private::*;

    /// The type of a field, for those who cannot name it by its path.
    pub type Field<S, const I: usize> = <S as autodiff_core::__private::FieldType<I>>::Type;
}

/// Generated code that needs the heap, or an error where there is none.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "alloc")]
macro_rules! __with_alloc {
    ($message:literal $($items:tt)*) => { $($items)* };
}

/// Generated code that needs the heap, or an error where there is none.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "alloc"))]
macro_rules! __with_alloc {
    ($message:literal $($items:tt)*) => {
        ::core::compile_error!($message);
    };
}

/// Generated code that needs the heap. Without feature `alloc` it is omitted.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "alloc")]
macro_rules! __if_alloc {
    ($($items:tt)*) => { $($items)* };
}

/// Generated code that needs the heap. Without feature `alloc` it is omitted.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "alloc"))]
macro_rules! __if_alloc {
    ($($items:tt)*) => {};
}

/// An array of the generated code as a reference: on the heap if it is large. The size decides, at compile time.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "alloc")]
macro_rules! __array {
    ($name:ident: $array:ty = [$element:expr; $len:expr]) => {
        let (mut large, mut small);
        let $name: &mut $array = if const { $crate::__private::is_large::<$array>() } {
            large = $crate::__private::boxed($crate::__private::vec![$element; $len]);
            &mut large
        } else {
            small = [$element; $len];
            &mut small
        };
    };
    ($name:ident: $array:ty = [$element:expr; $len:expr], a copy of $value:expr) => {
        let (mut large, mut small);
        let $name: &mut $array = if const { $crate::__private::is_large::<$array>() } {
            large = $crate::__private::boxed($crate::__private::vec![$element; $len]);
            large.copy_from_slice(&$value[..]);
            &mut large
        } else {
            small = $value;
            &mut small
        };
    };
}

/// An array of the generated code as a reference.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "alloc"))]
macro_rules! __array {
    ($name:ident: $array:ty = [$element:expr; $len:expr]) => {
        let $name: &mut $array = &mut [$element; $len];
    };
    ($name:ident: $array:ty = [$element:expr; $len:expr], a copy of $value:expr) => {
        let $name: &mut $array = &mut { $value };
    };
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

/// What a file that differentiates wants in scope. [`derivative`](macro@derivative) is left out: it would stand in the way of
/// functions that are called so.
pub mod prelude {
    pub use crate::options::{Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, Window1d, Window2d};
    pub use crate::{
        Callable, Differentiable, NoDiff, Real, Tensor, Tensor1, Tensor2, Tensor3, Tensor4, Tensor5, Tensor6,
        differentiable, implicit, inactive, stop_gradient,
    };
}
