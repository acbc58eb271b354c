//! What stands around a function: its lifetimes and attributes, other items of the same names, lints.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn lifetimes<'a, 'b>(x: &'a [f64; 2], y: &'b f64) -> f64
where
    'a: 'a,
    'b: 'a + 'static,
{
    x[0] * x[1] * y
}

#[differentiable(order = 2)]
#[allow(clippy::multiple_bound_locations, reason = "both places are tried")]
fn outlived<'a, T: Real + 'a>(x: &'a [T; 2]) -> T
where
    T: 'a,
{
    x[0] * x[1]
}

#[test]
fn lifetimes_with_bounds() {
    assert_eq!(lifetimes::grad(&[2.0, 3.0], &5.0), ([15.0, 10.0], 6.0));
    let x = [0.7, 1.2];
    check!(outlived(&x) by x);
}

trait Model {
    fn factor(&self) -> f64;
}

struct Doubling;

impl Model for Doubling {
    fn factor(&self) -> f64 {
        2.0
    }
}

#[differentiable(order = 2)]
fn modelled(x: f64, #[no_diff] model: &impl Model) -> f64 {
    let factor: f64 = model.factor();
    factor * x * x
}

#[test]
fn parameters_without_a_named_type() {
    check!(modelled(x, &Doubling) by x = 0.7);
    assert_eq!(modelled::grad(3.0, &Doubling), 12.0);
    let (y, pullback) = modelled::vjp(3.0, &Doubling);
    assert_eq!((y, pullback(1.0)), (18.0, 12.0));
}

#[inline(never)]
#[track_caller]
#[must_use]
#[differentiable(order = 2)]
#[cold]
fn attributed(x: f64) -> f64 {
    x * x
}

#[test]
fn attributes() {
    check!(attributed(x) by x = 0.7);
}

#[differentiable(order = 2)]
fn square(x: f64) -> f64 {
    x * x
}

mod inner {
    #[allow(unused_imports)]
    use super::*;

    /// There is one of this name around.
    #[differentiable(order = 2)]
    pub fn square(x: f64) -> f64 {
        x * x * x
    }
}

#[test]
fn the_same_name_in_a_module_around() {
    assert_eq!((square::grad(2.0), inner::square::grad(2.0)), (4.0, 12.0));
}

/// Names of the standard library that mean something else here.
#[allow(dead_code, reason = "the names are there to be mistaken")]
mod other_names {
    use autodiff::{Differentiable, Tensor1, differentiable};

    pub trait Fn {}
    pub trait FnMut {}
    pub trait FnOnce {}
    pub trait Clone {}
    pub trait Copy {}
    pub trait Default {}
    pub trait Iterator {
        fn rev(&self) {}
        fn map(&self) {}
        fn collect(&self) {}
        fn zip(&self) {}
    }
    impl<T> Iterator for T {}
    pub trait From {}
    pub trait Into {}
    pub trait Drop {}
    pub struct Option;
    pub struct Some;
    pub struct None;
    pub struct Vec;
    pub struct Box;
    pub struct String;

    #[derive(Differentiable)]
    pub struct Pair {
        pub a: f64,
        pub b: f64,
    }

    #[differentiable(order = 2)]
    pub fn rows(x: &[f64], pairs: &[Pair], y: f64) -> f64 {
        let mut s = y;
        let mut i = 0;
        while i < x.len() {
            s *= x[i] + pairs[i].a * pairs[i].b;
            i += 1;
        }
        s
    }

    #[differentiable(order = 2)]
    pub fn powers(x: &[f64], y: f64) -> f64 {
        let mut s = y;
        for i in 0..x.len() {
            s *= x[i];
        }
        s
    }

    #[differentiable]
    pub fn whole(x: &[f64; 2], y: f64) -> f64 {
        let gradient = powers::grad(x, y);
        let pairs = [Pair { a: y, b: y }, Pair { a: y, b: 1.0 }];
        gradient.0[0] * gradient.1 + rows(x, &pairs, y)
    }

    #[differentiable(order = 2)]
    pub fn tensors(x: &Tensor1<f64, 3>) -> f64 {
        (x * x).tanh().softmax(0).max()
    }
}

#[test]
fn names_of_the_standard_library() {
    let x = [0.7, 1.2];
    let (by_x, by_y) = whole::grad(&x, 0.5);
    // y x₁ · x₀ x₁ + y (x₀ + y²) (x₁ + y)
    assert!((by_x[0] - (0.5 * 1.44 + 0.5 * 1.7)).abs() < 1e-12);
    assert!((by_y - (0.7 * 1.44 + 0.95 * 1.7 + 0.5 * 1.7 + 0.5 * 0.95)).abs() < 1e-12);
    let x = Tensor([0.7, 1.2, -0.3]);
    check!(tensors(&x) by x);
}
use other_names::{tensors, whole};

/// Whoever denies lints is not told of code that is ours.
#[deny(warnings, unused, clippy::pedantic, clippy::nursery, clippy::indexing_slicing, missing_docs)]
mod lints {
    use autodiff::prelude::*;

    /// A parameter that is a struct is known at a second stage only.
    #[derive(Differentiable, Clone, Copy, Debug)]
    pub struct Pair {
        /// One number.
        pub a: f64,
        /// And another.
        pub b: f64,
    }

    /// Reads one of them.
    #[differentiable(order = 2)]
    pub fn first(pair: &Pair, x: f64) -> f64 {
        pair.a * x
    }

    /// Operators on tensors are loops over elements.
    #[differentiable(order = 2)]
    pub fn product(a: &Tensor2<f64, 2, 2>, x: &Tensor1<f64, 2>) -> f64 {
        a.matmul(x).sum()
    }

    /// Calls the first.
    #[differentiable(order = 2)]
    pub fn outer(pair: Pair) -> f64 {
        first(&pair, 2.0) * pair.b
    }
}

#[test]
fn denied_lints() {
    use lints::{Pair, PairTangent};
    assert_eq!(lints::first::grad(&Pair { a: 2.0, b: 3.0 }, 5.0), (PairTangent { a: 5.0, b: 0.0 }, 2.0));
    assert_eq!(lints::outer::grad(Pair { a: 2.0, b: 3.0 }), PairTangent { a: 6.0, b: 4.0 });
    assert_eq!(lints::product(&Tensor([[1.0, 2.0], [3.0, 4.0]]), &Tensor([1.0, 1.0])), 10.0);
}

/// Functions that are called like attributes of the language, of stable compilers and of nightly ones.
mod names_of_attributes {
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    pub fn fundamental(x: f64) -> f64 {
        x.sin()
    }

    #[differentiable(order = 2)]
    pub fn path(x: f64) -> f64 {
        x.exp()
    }

    #[differentiable(order = 2)]
    pub fn optimize(x: f64) -> f64 {
        fundamental(x) * path(x)
    }

    #[differentiable(order = 2)]
    pub fn sum(x: f64) -> f64 {
        optimize(x) + fundamental(x)
    }
}

#[test]
fn functions_that_are_called_like_attributes() {
    use names_of_attributes::sum;
    check!(sum(x) by x = 0.7);
}
