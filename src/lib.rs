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
//! - [`DifferentiableFn`]: how many bytes a derivative keeps.
//! - [`gradient_check`]: a gradient against central differences.
//!
//! # Arrays and loops
//!
//! Tensors are for whole arrays at once. Loops over arrays work as well; a loop that only accumulates keeps
//! nothing of its iterations:
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
//! | `std` (default) | elementary functions from `std`; matrix kernels chosen for the CPU at run time; `alloc` |
//! | `alloc` | `Vec` and `Box` of parameters, [`Tensor::boxed_zeros`] |
//! | `nalgebra` | conversions between tensors and `SMatrix`; `SMatrix` as parameters of an optimiser |
//! | `serde` | tensors as nested sequences |
//! | `emit` | `AUTODIFF_EMIT=dir cargo build` writes the generated code |
//!
//! # Without `std`
//!
//! Generated code needs neither `std` nor a heap. Elementary functions then come from `libm`:
//!
//! ```toml
//! [dependencies]
//! autodiff = { version = "0.1", default-features = false }
//! ```
//!
//! Values live on the stack or where the caller puts them. `f::accumulate_grad(…, &mut g)` and
//! `f::value_and_grad_into(…, &mut g)` write the gradient in place, for example into a `static`. `f::grad` returns it by value:
//! more than 2 MiB would not fit on many stacks and are a compile error, so use `f::grad_into` with a `Box`. With feature
//! `alloc`, an array of a derivative that has more than 256 KiB is on the heap: a local of the function, its cotangents, and
//! what a loop keeps of its iterations, of which `#[checkpoint(K)]` makes less. `vjp`, and a function that calls another, hand
//! on by value what the reverse sweep reads: it may have 4 MiB, but for what is in `Vec`s.

#![no_std]

extern crate self as autodiff;

#[doc(hidden)]
pub use autodiff_core::kernel;
pub use autodiff_core::{
    Callable, Differentiable, DifferentiableFn, LengthMismatch, NoDiff, OptionTangent, Path, Real, Residuals, Shape,
    Tensor, Tensor1, Tensor2, Tensor3, Tensor4, Tensor5, Tensor6, gradient_check, optim, options,
};
#[doc(hidden)]
pub use autodiff_macros::__expand;

/// The reference's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../docs/operators.md")]
pub struct Operators;

/// Makes the derivatives of a function at compile time.
///
/// The function stays what it was: `f(x)` is its value. Beside it stands a type of the same name that has the
/// derivatives, `f::grad(x)`, with the generic parameters of the function. `use m::f` imports both.
///
/// ```
/// use autodiff::prelude::*;
///
/// #[differentiable]
/// fn wave(x: f64, t: f64) -> f64 {
///     (x - 2.0 * t).sin() * (-t).exp()
/// }
///
/// let (value, (by_x, by_t)) = wave::value_and_grad(0.5, 0.25);
/// assert_eq!(value, wave(0.5, 0.25));
/// assert_eq!(by_x, (-0.25_f64).exp());
/// assert_eq!(by_t, -2.0 * (-0.25_f64).exp());
/// ```
///
/// # What is generated
///
/// `args…` are the arguments of the function, as it takes them. The gradient `G` is the tangent of the one
/// differentiable parameter, or a tuple of the tangents of all of them, in order. The tangent of a number, an
/// array or a tensor has the same type; that of a struct or an enum `S` is `STangent`, that of an `Option` is
/// [`OptionTangent`]. `Y` is the result, and `Ẏ` and
/// `Ȳ` are tangents of it, a number by value and all else by reference.
///
/// | call | gives |
/// |---|---|
/// | `f(args…) -> Y` | the value |
/// | `f::jvp(args…, tangents…) -> (Y, Ẏ)` | the value, and its derivative in a direction: forward mode |
/// | `f::vjp(args…) -> (Y, impl Fn(Ȳ) -> G)` | the value and its pullback, which may be called many times: reverse mode |
/// | `f::forward(args…) -> (Y, R)` | the first half of `vjp`: the value, and what the second half reads |
/// | `f::pullback(&R, Ȳ) -> G` | the second half; `R` is [`Residuals<f>`](crate::Residuals), which may be stored |
///
/// If the result is a number, also:
///
/// | call | gives |
/// |---|---|
/// | `f::grad(args…) -> G` | the gradient |
/// | `f::value_and_grad(args…) -> (Y, G)` | both, at little more than the cost of the gradient |
/// | `f::grad_into(args…, &mut G)` | overwrites a gradient |
/// | `f::value_and_grad_into(args…, &mut G) -> Y` | overwrites a gradient, and gives the value |
/// | `f::accumulate_grad(args…, &mut G) -> Y` | adds to a gradient, and gives the value |
/// | `f::hvp(args…, tangents…) -> G` | the Hessian times the tangents, forward over reverse: under `order = 2` |
///
/// The type also implements [`DifferentiableFn`], whose constants are the bytes that
/// the derivative keeps.
///
/// ```
/// use autodiff::{DifferentiableFn, prelude::*};
///
/// #[differentiable]
/// fn scaled(s: f64, v: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
///     s * v
/// }
///
/// let v = Tensor1::from([1.0, 2.0, 3.0]);
/// let (y, pullback) = scaled::vjp(2.0, &v);
/// assert_eq!(y, Tensor1::from([2.0, 4.0, 6.0]));
/// assert_eq!(pullback(&Tensor1::from([1.0, 0.0, 0.0])), (1.0, Tensor1::from([2.0, 0.0, 0.0])));
/// assert_eq!(pullback(&Tensor1::from([0.0, 0.0, 1.0])), (3.0, Tensor1::from([0.0, 0.0, 2.0])));
///
/// let (y, y_dot) = scaled::jvp(2.0, &v, 1.0, &Tensor1::zeros());
/// assert_eq!((y, y_dot), (Tensor1::from([2.0, 4.0, 6.0]), v));
/// const { assert!(scaled::RESIDUAL_BYTES <= 32) }
/// ```
///
/// # What to differentiate by
///
/// By every parameter that can be: numbers (`f32`, `f64`, or a type parameter bound by [`Real`]),
/// arrays of them, tensors, tuples, and structs and enums that derive
/// [`Differentiable`](derive@crate::Differentiable), all of these by value or by `&`. Integers and `bool`
/// carry no derivative. To leave parameters out:
///
/// - `#[no_diff]` before a parameter. Its type need not be differentiable.
/// - `#[differentiable(wrt(a, b))]` names the parameters to differentiate by.
/// - [`stop_gradient(x)`](crate::stop_gradient) in the body cuts the derivative of one value.
///
/// ```
/// # use autodiff::prelude::*;
/// #[differentiable(wrt(slope))]
/// fn error(slope: f64, x: f64, #[no_diff] y: f64) -> f64 {
///     (slope * x - y).powi(2)
/// }
///
/// assert_eq!(error::grad(2.0, 3.0, 5.0), 2.0 * (2.0 * 3.0 - 5.0) * 3.0);
/// ```
///
/// # Arguments
///
/// - `wrt(a, b)`: the parameters to differentiate by.
/// - `order = 2`: the function can be differentiated twice: see [below](#second-derivatives).
/// - `pure(f, g)`: functions and methods without a derivative that the body calls, which have no effect and depend on nothing
///   but their arguments: see [below](#functions-without-a-derivative).
/// - `recursive`: for functions that call each other in a circle of three or more, on one of them. Its callers keep nothing of
///   it for their reverse sweep, which would contain itself, but run it again. A function that calls itself, two that call
///   each other, and circles in a `#[differentiable] mod` are seen without it.
/// - `crate = path`: where the `autodiff` crate is, for code that is generated by another crate's macro. A crate
///   that renames its dependency needs no argument.
///
/// # What a body may contain
///
/// Ordinary Rust: `let` with patterns, assignment to variables, fields, elements and sub-slices; `if`, `match`,
/// `if let`; `for` over ranges, slices and iterators, `while`, `loop`, `break`, `continue`, labels, early `return`;
/// closures that are called where they are defined; calls of other differentiable functions wherever they are, also of
/// the function itself or in a circle, and of their derivatives, `g::grad(x)`. Everything else is a compile error that says what to
/// write instead.
///
/// ```
/// use autodiff::prelude::*;
///
/// /// The distance to the nearest of some points.
/// #[differentiable]
/// fn nearest(x: &[f64; 2], points: &[[f64; 2]]) -> f64 {
///     let mut least = f64::INFINITY;
///     for p in points {
///         let (a, b) = (x[0] - p[0], x[1] - p[1]);
///         least = least.min((a * a + b * b).sqrt());
///     }
///     least
/// }
///
/// let (by_x, by_points) = nearest::grad(&[0.0, 0.0], &[[0.0, 4.0], [6.0, 8.0]]);
/// assert_eq!(by_x, [0.0, -1.0]);
/// assert_eq!(by_points, [[0.0, 1.0], [0.0, 0.0]]);
/// ```
///
/// # Second derivatives
///
/// Code for second derivatives is several times as long as that for first ones, and takes as much longer to compile. So it
/// is made for functions that ask for it, `#[differentiable(order = 2)]`. There are two uses of it: `f::hvp`, for which `f`
/// and all differentiable functions that it calls have to be of order 2; and a derivative that a function takes itself, `g::grad(x)`,
/// and that is differentiated with it, for which `g` has to be. What is missing is an error that names the function. On a module or
/// an `impl` block, the order is that of all in it which say no other.
///
/// ```
/// use autodiff::prelude::*;
///
/// #[differentiable(order = 2)]
/// fn potential(x: f64) -> f64 {
///     0.25 * x.powi(4)
/// }
///
/// /// A step of Newton's method, which has first derivatives.
/// #[differentiable]
/// fn damped(x: f64, rate: f64) -> f64 {
///     x - rate * potential::grad(x)
/// }
///
/// assert_eq!(potential::hvp(2.0, 1.0), 12.0);
/// assert_eq!(damped::grad(2.0, 0.1), (1.0 - 0.1 * 12.0, -8.0));
/// ```
///
/// ```compile_fail
/// # use autodiff::prelude::*;
/// #[differentiable]
/// fn cube(x: f64) -> f64 {
///     x.powi(3)
/// }
///
/// cube::hvp(2.0, 1.0); // `cube` has first derivatives only
/// ```
///
/// # Functions without a derivative
///
/// A function that is not differentiable may be called with what carries no derivative. It may count, draw a random number or
/// read a sensor: every derivative calls it as often as the function itself does, in the same order, and the reverse sweep
/// calls none. What the reverse sweep reads of it is saved. `pure(f)` declares that `f` has no effect and depends on its
/// arguments only, so that it may also be called again.
///
/// ```
/// # use autodiff::prelude::*;
/// # use std::cell::Cell;
/// fn draw(state: &Cell<u32>) -> f64 {
///     state.set(state.get() * 5 % 7);
///     f64::from(state.get())
/// }
///
/// #[differentiable]
/// fn noisy(x: f64, #[no_diff] state: &Cell<u32>) -> f64 {
///     let mut y = x;
///     for _ in 0..3 {
///         y = y * x + draw(state);
///     }
///     y
/// }
///
/// // Three draws: 5, 4 and 6.
/// let state = Cell::new(1);
/// assert_eq!(noisy::value_and_grad(1.0, &state), (1.0 + 5.0 + 4.0 + 6.0, 4.0 + 2.0 * 5.0 + 4.0));
/// assert_eq!(state.get(), 6);
/// ```
///
/// # Slices
///
/// The gradient by a slice or a `Vec` is a `Vec` (feature `alloc`). The functions that write a gradient take `&mut [T]`
/// for it, or a tuple of references if there are several differentiable parameters:
///
/// ```
/// # use autodiff::prelude::*;
/// #[differentiable]
/// fn dot(x: &[f64], y: &[f64]) -> f64 {
///     x.iter().zip(y).map(|(x, y)| x * y).sum()
/// }
///
/// let (mut gx, mut gy) = ([0.0; 2], [0.0; 2]);
/// dot::accumulate_grad(&[1.0, 2.0], &[3.0, 4.0], (&mut gx, &mut gy));
/// assert_eq!((gx, gy), ([3.0, 4.0], [1.0, 2.0]));
/// ```
///
/// # `&mut` parameters
///
/// What a function changes is one of its results. The cotangent is in-out: that of the last value comes in, that of the
/// first value goes out. So the pullback takes a gradient along, and gives it back:
///
/// ```
/// # use autodiff::prelude::*;
/// #[differentiable]
/// fn scale(x: &mut [f64], by: f64) {
///     for i in 0..x.len() {
///         x[i] *= by;
///     }
/// }
///
/// let mut x = [1.0, 2.0];
/// let ((), pullback) = scale::vjp(&mut x, 3.0);
/// assert_eq!(x, [3.0, 6.0]);
/// assert_eq!(pullback((), (vec![1.0, 1.0], 0.0)), (vec![3.0, 3.0], 3.0));
/// ```
///
/// # Functions as parameters
///
/// A type parameter bound by [`Callable`] is a differentiable function, whose signature the bound tells. `F::call(x)` calls
/// it; `F::grad(x)`, `F::value_and_grad` and `F::jvp` are its derivatives, which are differentiated in their turn.
/// The caller names the function by its type, which may have parameters of its own:
///
/// ```
/// # use autodiff::prelude::*;
/// #[differentiable]
/// fn newton<F: Callable<(f64, f64), Output = f64>>(start: f64, p: f64) -> f64 {
///     let mut x = start;
///     for _ in 0..8 {
///         let (value, (slope, _)) = F::value_and_grad(x, p);
///         x -= value / slope;
///     }
///     x
/// }
///
/// #[differentiable(order = 2)] // The derivative of `newton` is one of its slope.
/// fn kepler(x: f64, p: f64) -> f64 {
///     x - 0.3 * x.sin() - p
/// }
///
/// let x = newton::<kepler>(1.0, 1.2);
/// let (_, by_p) = newton::<kepler>::grad(1.0, 1.2);
/// assert!((by_p - 1.0 / (1.0 - 0.3 * x.cos())).abs() < 1e-12);
/// ```
///
/// The parameters of the function and those of the bound are of the same types: `F: Callable<(f64, &[f64; 3]), …>` is a
/// function that takes `(t: f64, y: &[f64; 3])`. A `#[no_diff]` parameter is a [`NoDiff<T>`](crate::NoDiff) there. See
/// [`Callable`] for what it cannot take and return.
///
/// # Loops without a bound
///
/// The derivative of a `while` loop that reads what the loop carries keeps it, one value for each iteration: in a `Vec`
/// (feature `alloc`), or in an array under `#[max_iters(N)]`, and then it panics if there are more iterations than that.
/// Or it computes them again: see [Snapshots](#snapshots).
///
/// ```
/// # use autodiff::prelude::*;
/// #[differentiable]
/// fn square_root(a: f64) -> f64 {
///     let mut x = a;
///     #[max_iters(20)]
///     while (x * x - a).abs() > 1e-14 {
///         x = 0.5 * (x + a / x);
///     }
///     x
/// }
///
/// assert!((square_root::grad(2.0) - 0.5 / 2.0_f64.sqrt()).abs() < 1e-12);
/// ```
///
/// A `for` loop whose number of iterations is known at run time only is kept in the same way.
///
/// # Snapshots
///
/// `#[checkpoint(K)]` on a loop keeps no value of every iteration. It takes at most `K` snapshots of what the loop carries,
/// and computes again what is between them. The memory is then that of `K` states, whatever the number of iterations, in
/// arrays and without a heap, if a state is; and the result has the same bits.
///
/// ```
/// # use autodiff::prelude::*;
/// #[differentiable]
/// fn simulate(x0: f64, #[no_diff] n: usize) -> f64 {
///     let mut x = x0;
///     #[checkpoint(8)]
///     for i in 0..n {
///         x = x + 0.01 * x.sin() * (i as f64).cos();
///     }
///     x
/// }
///
/// let (_, slope) = simulate::jvp(0.7, 10_000, 1.0);
/// assert!((simulate::grad(0.7, 10_000) - slope).abs() < 1e-12);
/// assert!(std::mem::size_of::<autodiff::Residuals<simulate>>() < 20 * 8);
/// ```
///
/// The snapshots are taken where that costs least, by the binomial schedule of Griewank and Walther (Algorithm 799: revolve,
/// 2000). To reverse `n` steps with `K` snapshots, the first state among them, it runs
///
/// ```text
/// t(n, K) = r·n - C(K + r, r - 1)    where r is the smallest number with C(K + r, K) >= n
/// ```
///
/// steps forward, beside the `n` that are reversed: no step more than `r` times. With 8 snapshots, the steps of 45 are run
/// twice at most, those of 1287 five times, those of 10,000 eight times. The forward sweep has `n - 1` of them; the one
/// after, which the value needs and the schedule does not, comes on top. The state that the last step begins with is
/// kept beside the `K`.
///
/// How often a `while` loop runs is known when it is over, so that its forward sweep takes no snapshots but counts: then the
/// reverse sweep has all `t(n, K)` steps to itself. A loop inside keeps its iterations as it would elsewhere, for one
/// iteration of the outer loop at a time; it may have snapshots, too. If the reverse sweep reads nothing that the
/// loop carries, there are no snapshots to take. In forward mode the attribute has no meaning.
///
/// `#[checkpoint]` on a block that is a statement keeps none of the values in it for the reverse sweep, which computes
/// them again from what the block reads:
///
/// ```
/// # use autodiff::prelude::*;
/// #[differentiable]
/// fn energy(x: &[f64; 100], w: f64) -> f64 {
///     let mut s = 0.0;
///     #[checkpoint]
///     {
///         let mut y = [0.0; 100];
///         for i in 0..100 {
///             y[i] = (w * x[i]).tanh();
///         }
///         for i in 1..100 {
///             s += y[i] * y[i - 1];
///         }
///     }
///     s * s
/// }
///
/// // The parameters and two numbers.
/// assert!(std::mem::size_of::<autodiff::Residuals<energy>>() <= 103 * 8);
/// # let x = [0.1; 100];
/// # let (_, slope) = energy::jvp(&x, 0.5, &[0.0; 100], 1.0);
/// # assert!((energy::grad(&x, 0.5).1 - slope).abs() < 1e-12);
/// ```
///
/// # `Option`
///
/// `Option` of what has a derivative has one, as a variable, as a parameter, as a field and as a result: `Some`, `None`,
/// `match`, `if let`, `?`, and the methods from `is_some` over `map` to `unwrap_or`. Its tangent is [`OptionTangent`].
/// A function without a derivative may give an `Option`, too, if the `let` says of what: `let k: usize = find(i)?`,
/// `let k: Option<usize> = find(i)`. A `Result` is no result: make an `Option` of it with `ok()` outside.
///
/// ```
/// # use autodiff::prelude::*;
/// #[differentiable]
/// fn nearest(x: f64, points: &[f64]) -> Option<f64> {
///     let mut best: Option<f64> = None;
///     for p in points {
///         let d = (x - p).abs();
///         if best.is_none_or(|least| d < least) {
///             best = Some(d);
///         }
///     }
///     best
/// }
///
/// let (distance, tangent) = nearest::jvp(1.0, &[3.0, 0.5], 1.0, &[0.0, 0.0]);
/// assert_eq!((distance, tangent.some), (Some(0.5), 1.0));
/// ```
///
/// # Assertions
///
/// `assert!` and its like hold in the derivatives, as do `panic!`, `unreachable!` and `todo!` in a branch: where the
/// function panics, `grad`, `vjp`, `jvp` and the others do, with the same message as far as it shows numbers. The reverse
/// sweep does not repeat them. What a function prints, it prints itself, and its derivatives do not.
///
/// ```should_panic
/// # use autodiff::prelude::*;
/// #[differentiable]
/// fn entropy(p: &[f64]) -> f64 {
///     assert!(p.iter().all(|p| *p > 0.0), "of {} probabilities", p.len());
///     p.iter().map(|p| -p * p.ln()).sum()
/// }
///
/// entropy::grad(&[0.25, 0.75, 0.0]);
/// ```
///
/// Numbers have the methods that `std` has to compute with them, by the same names. Numbers and tensors have the elementary functions
/// of `f64` and the activations of neural networks: `exp`, `ln`,
/// `sqrt`, `sin`, `tanh`, `sigmoid`, `relu`, `powi`, … Tensors also have products (`matmul`, `t`, `dot`, `outer`),
/// reductions (`sum`, `sum_axis`, `sum_keepdim`, `mean`, …), views (`reshape`, `permute`, `slice`, `pad`, …), access by
/// indices (`gather`, `embedding`, …), `softmax`, losses (`cross_entropy`, `mse`, …), convolution, pooling and
/// normalisation.
/// Operators broadcast as in `NumPy`: shapes are aligned at the last axis, and a size of 1 stretches. What is
/// borrowed and what is not may be mixed.
///
/// # Methods
///
/// On an `impl` block the attribute differentiates its methods: those that have the attribute themselves, or, if none
/// has it, all that take and give something differentiable. `self` is a parameter like the others, the first one; of a
/// type without a derivative it is written `#[no_diff] &self`. The derivatives have the method's name as a prefix:
///
/// ```
/// use autodiff::prelude::*;
///
/// #[derive(Differentiable)]
/// struct Pendulum {
///     length: f64,
/// }
///
/// #[differentiable]
/// impl Pendulum {
///     const GRAVITY: f64 = 9.81;
///
///     fn height(&self, angle: f64) -> f64 {
///         self.length * (1.0 - angle.cos())
///     }
///
///     fn energy(&self, angle: f64, velocity: f64) -> f64 {
///         0.5 * (self.length * velocity).powi(2) + Self::GRAVITY * self.height(angle)
///     }
/// }
///
/// let pendulum = Pendulum { length: 2.0 };
/// let (by_pendulum, by_angle, by_velocity) = pendulum.energy_grad(0.0, 3.0);
/// assert_eq!((by_pendulum.length, by_angle, by_velocity), (18.0, 0.0, 12.0));
/// ```
///
/// Behind the method `Pendulum::energy` stands the function `Pendulum_energy`, which has the derivatives as any other:
/// `Pendulum_energy::grad(&pendulum, …)`, `Residuals<Pendulum_energy>`. A differentiable function that calls the method
/// in another module needs both in scope, `use m::{Pendulum, Pendulum_energy}`, or writes the type with its path. The
/// methods of a trait are differentiated where they are implemented: `#[differentiable] impl Potential for Spring`.
///
/// # Sizes that only the compiler knows
///
/// Sizes may be literals, constants, const parameters and expressions of them. Where the macro cannot decide
/// whether two of them are equal, it leaves a constant assertion at the operator, and rustc decides:
///
/// ```compile_fail
/// # use autodiff::prelude::*;
/// const INPUTS: usize = 3;
/// const OUTPUTS: usize = 4;
///
/// #[differentiable]
/// fn energy(a: &Tensor1<f64, INPUTS>, b: &Tensor1<f64, OUTPUTS>) -> f64 {
///     (a * b).sum() // cannot multiply [INPUTS] and [OUTPUTS]: sizes … of axis 0 differ
/// }
/// ```
///
/// # On a module
///
/// `#[differentiable] mod m { … }` differentiates every function in the module that takes and gives something
/// differentiable; or, if some of them have the attribute, those.
///
/// # To see the code
///
/// With the feature `emit`, `AUTODIFF_EMIT=dir cargo build` writes `dir/CRATE/f.rs`, the generated code, and `dir/CRATE/f.ir`, the intermediate
/// representation after every pass, for each function that is compiled; the second function of a name is `f.2`.
#[doc(inline)]
pub use autodiff_macros::differentiable;

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
/// an array of such structs. All numbers of a struct are of one type. Integers and `bool` carry no derivative, and
/// `#[no_diff]` makes that of any field; the field of the tangent is then `()`. Structs may be generic and have
/// unnamed fields. What borrows cannot derive yet.
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

/// Generated code that needs the heap, and is left out where there is none.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "alloc")]
macro_rules! __if_alloc {
    ($($items:tt)*) => { $($items)* };
}

/// Generated code that needs the heap, and is left out where there is none.
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

/// What a file that differentiates wants in scope.
pub mod prelude {
    pub use crate::options::{Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, Window1d, Window2d};
    pub use crate::{
        Callable, Differentiable, NoDiff, Real, Tensor, Tensor1, Tensor2, Tensor3, Tensor4, Tensor5, Tensor6,
        differentiable, stop_gradient,
    };
}
