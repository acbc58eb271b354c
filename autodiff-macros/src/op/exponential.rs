//! The exponential of a matrix, and its derivatives along matrices. Kernels: `autodiff_core::kernel::{expm, expm_along, …}`.
//!
//! The derivative L(A, H) of exp A along H is the upper right block of exp [A, H; 0, A]. It is linear in H, its adjoint is L(Aᵀ, ·),
//! and the derivative of that by A is again a block of an exponential: L(A, H, K) of [A, H; 0, A] along [K, 0; 0, K]. In all
//! directions it is symmetric.

use super::solve::{square, transpose};
use super::{Class, Mismatch, Operator, Typed};
#[cfg(test)]
use super::{Sample, sample};
use crate::ir::builder::Builder;
#[cfg(test)]
use crate::ir::eval::Array;
use crate::ir::{Ty, Var};
#[cfg(test)]
use std::rc::Rc;

/// `expm`: exp A. `expm_along`, `expm_along2`, `expm_along3`: its derivative along the matrices that follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expm {
    pub directions: usize,
}

/// By the number of directions. The table of derivatives ends at the second order, which is reached from those of one direction:
/// a nested derivative takes the first one of its own.
const NAMES: [&str; 4] = ["expm", "expm_along", "expm_along2", "expm_along3"];

impl Expm {
    fn name(self) -> &'static str {
        NAMES[self.directions]
    }

    /// Along one more direction.
    fn further(b: &mut Builder, args: &[Var], direction: Var) -> Var {
        b.apply(Expm { directions: args.len() }, &[args, &[direction]].concat())
    }
}

impl Operator for Expm {
    fn text(&self) -> String {
        self.name().into()
    }

    fn noun(&self) -> &'static str {
        "exponential"
    }

    fn class(&self) -> Class {
        Class::Kernel(self.name())
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        square(&args[0], "expm", "take the exponential of")
    }

    fn tangent(&self, b: &mut Builder, args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        let terms = dots.iter().enumerate().filter_map(|(k, dot)| Some((k, (*dot)?)));
        let terms: Vec<Var> = terms
            .map(|(k, dot)| {
                if k == 0 {
                    return Expm::further(b, args, dot);
                }
                // It is linear in the directions.
                let mut args = args.to_vec();
                args[k] = dot;
                b.apply(*self, &args)
            })
            .collect();
        terms.into_iter().reduce(|sum, term| b.add(sum, term))
    }

    /// Ā = L(Aᵀ, Hᵀ, Ȳ), H̄ = L(Aᵀ, Ȳ)
    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>> {
        let turned: Vec<Var> = args.iter().map(|arg| transpose(b, *arg)).collect();
        let bars = wants.iter().enumerate().map(|(k, wanted)| {
            wanted.then(|| {
                if k == 0 {
                    return Expm::further(b, &turned, y_bar);
                }
                let mut args = turned.clone();
                args[k] = y_bar;
                b.apply(*self, &args)
            })
        });
        bars.collect()
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    /// The whole block matrix, scaled and squared, by its Taylor series.
    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        let (n, blocks) = (dims[0], 1 << self.directions);
        let mut whole = Array::filled(&[n * blocks, n * blocks], 0.0);
        for block in 0..blocks {
            for (k, arg) in args.iter().enumerate() {
                let to = if k == 0 { block } else { block | 1 << (k - 1) };
                if k == 0 || to != block {
                    for i in 0..n {
                        for j in 0..n {
                            *whole.at_mut(&[block * n + i, to * n + j]) = arg.at(&[i, j]);
                        }
                    }
                }
            }
        }
        let multiply = |x: &Array, y: &Array| {
            Array::from_fn(&x.dims, |at| (0..x.dims[0]).map(|k| x.at(&[at[0], k]) * y.at(&[k, at[1]])).sum())
        };
        let small = whole.map(|x| x / 64.0);
        let one = Array::from_fn(&whole.dims, |at| if at[0] == at[1] { 1.0 } else { 0.0 });
        // Horner's scheme.
        let mut y = one.clone();
        for k in (1..=20).rev() {
            y = multiply(&small, &y).map(|x| x / f64::from(k)).zip(&one, |x, y| x + y);
        }
        for _ in 0..6 {
            y = multiply(&y, &y);
        }
        Some(Array::from_fn(dims, |at| y.at(&[at[0], (blocks - 1) * n + at[1]])))
    }
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    let directions = NAMES.iter().position(|name| *name == text)?;
    Some(Rc::new(Expm { directions }))
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    vec![
        sample("expm", &["f64[3, 3]"]),
        sample("expm", &["f64[M, M]"]),
        sample("expm", &["f64[1, 1]"]),
        sample("expm_along", &["f64[2, 2]", "f64[2, 2]"]),
    ]
}
