//! `max_pool2`: the largest of each 2 × 2 elements of an image, `[c, h, w] -> [c, h/2, w/2]`, and what is linear of it:
//! `max_pool2_along` takes the elements of another image from the same places, and `max_pool2_t` brings them back. Kernels:
//! `autodiff_core::kernel::{max_pool, max_pool_along, max_pool_t}`. Other windows are those of [`super::pool`].

use super::method::window::Window;
use super::pool::MaxPool;
use super::{Class, Mismatch, NoTaylorRule, Operator, Typed};
#[cfg(test)]
use super::{Sample, sample};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
#[cfg(test)]
use crate::ir::eval::{Array, indices};
use crate::ir::{Ty, Var};
#[cfg(test)]
use std::rc::Rc;

/// Images of fewer elements are pooled by loops, which inline and unroll.
const LARGE: i64 = 256;

/// Each has the image as its first operand. `Along` and `Back` are linear in the second, and each is the derivative of the other
/// in reverse.
#[derive(Clone, Copy, Debug)]
pub enum Halving {
    Largest,
    Along,
    Back,
}

impl Halving {
    /// The operator, if the windows are its, and they tile a large image without a rest.
    pub fn of(windows: &[Window], image: &[Dim]) -> Option<Halving> {
        let is_even = |dim: &Dim| dim.as_literal().is_some_and(|size| size % 2 == 0);
        let are_its = *windows == [Window::of_two(), Window::of_two()];
        let is_large = Dim::product(image).as_literal().is_some_and(|size| size >= LARGE);
        (are_its && is_large && image[1..].iter().all(is_even)).then_some(Halving::Largest)
    }

    fn name(self) -> &'static str {
        match self {
            Halving::Largest => "max_pool2",
            Halving::Along => "max_pool2_along",
            Halving::Back => "max_pool2_t",
        }
    }
}

impl Operator for Halving {
    fn text(&self) -> String {
        self.name().into()
    }

    fn class(&self) -> Class {
        Class::Kernel(match self {
            Halving::Largest => "max_pool",
            Halving::Along => "max_pool_along",
            Halving::Back => "max_pool_t",
        })
    }

    fn noun(&self) -> &'static str {
        if let Halving::Back = self { "image" } else { "pooled" }
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let mut ty = args[0].clone();
        if !matches!(self, Halving::Back) {
            for dim in &mut ty.dims[1..] {
                *dim = dim.over(&Dim::literal(2));
            }
        }
        Ok(ty.into())
    }

    fn tangent(&self, b: &mut Builder, args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        Some(match self {
            Halving::Largest => b.apply(Halving::Along, &[args[0], dots[0]?]),
            linear => b.apply(*linear, &[args[0], dots[1]?]),
        })
    }

    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>> {
        let (transpose, at) = match self {
            Halving::Largest => (Halving::Back, 0),
            Halving::Along => (Halving::Back, 1),
            Halving::Back => (Halving::Along, 1),
        };
        let mut bars = vec![None; args.len()];
        if wants[at] {
            bars[at] = Some(b.apply(transpose, &[args[0], y_bar]));
        }
        bars
    }

    /// The kernels are written for plain numbers, and tails are chosen by the loops of other windows.
    fn taylor(
        &self,
        b: &mut Builder,
        args: &[Var],
        y: Var,
        tails: &[Option<Var>],
    ) -> Result<Option<Var>, NoTaylorRule> {
        let pool = matches!(self, Halving::Largest).then(|| MaxPool::of(&[Window::of_two(), Window::of_two()]));
        pool.flatten().ok_or(NoTaylorRule)?.taylor(b, args, y, tails)
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    fn sets(&self) -> bool {
        true
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        let place = |i: &[usize]| {
            let corner = |u: usize, v: usize| vec![i[0], 2 * i[1] + u, 2 * i[2] + v];
            let corners = [corner(0, 0), corner(0, 1), corner(1, 0), corner(1, 1)];
            let takes = |best: &[usize], v: &[usize]| args[0].at(v) > args[0].at(best) || args[0].at(v).is_nan();
            corners.into_iter().reduce(|best, v| if takes(&best, &v) { v } else { best })
        };
        match self {
            Halving::Largest => Some(Array::from_fn(dims, |i| place(i).map_or(f64::NAN, |at| args[0].at(&at)))),
            Halving::Along => Some(Array::from_fn(dims, |i| place(i).map_or(f64::NAN, |at| args[1].at(&at)))),
            Halving::Back => {
                let mut result = Array::from_fn(dims, |_| 0.0);
                for i in indices(&args[1].dims) {
                    *result.at_mut(&place(&i)?) += args[1].at(&i);
                }
                Some(result)
            }
        }
    }
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    let forms = [Halving::Largest, Halving::Along, Halving::Back];
    forms.into_iter().find(|form| form.name() == text).map(|form| Rc::new(form) as Rc<dyn Operator>)
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    vec![
        sample("max_pool2", &["f64[2, 4, 6]"]),
        sample("max_pool2_along", &["f64[1, 2, 4]", "f64[1, 2, 4]"]),
        sample("max_pool2_t", &["f64[2, 4, 2]", "f64[2, 2, 1]"]),
    ]
}
