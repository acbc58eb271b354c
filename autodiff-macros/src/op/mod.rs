//! The operator table. An operator is one row ([`elementwise`]) or one file; both give the shape rule, the
//! derivative and the element-wise definition, and everything else (broadcasting, accumulation, fusion, the
//! registry-wide gradient check, the reference page) follows from it.

mod arithmetic;
pub mod batched;
pub mod composite;
pub mod concat;
pub mod convolve;
pub mod einsum;
pub mod elementwise;
pub mod exponential;
pub mod expr;
pub mod halving;
pub mod linalg;
pub mod method;
pub mod nest;
pub mod page;
pub mod pool;
pub mod reduce;
pub mod solve;
pub mod spectral;
pub mod view;
pub mod windows;

#[cfg(test)]
mod reference_test;
#[cfg(test)]
mod registry_test;

#[cfg(test)]
use crate::ir::Ty;
pub use crate::ir::operator::{
    Accumulation, Algebra, Class, Cost, Mismatch, NoTaylorRule, Operator, Row, RowKind, Spelling, Taylor, Typed,
    broadcast,
};
use std::fmt;
#[cfg(test)]
use std::rc::Rc;

/// Looks an operator's text form up, for the IR parser.
#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    reduce::parse(text)
        .or_else(|| view::parse(text))
        .or_else(|| linalg::parse(text))
        .or_else(|| concat::parse(text))
        .or_else(|| windows::parse(text))
        .or_else(|| pool::parse(text))
        .or_else(|| halving::parse(text))
        .or_else(|| batched::parse(text))
        .or_else(|| solve::parse(text))
        .or_else(|| exponential::parse(text))
        .or_else(|| spectral::parse(text))
}

/// An operator and types of operands to try it on.
#[cfg(test)]
pub type Sample = (Rc<dyn Operator>, Vec<Ty>);

/// Where the registry-wide checks try the operators. Every file of operators has a line here.
#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    [
        reduce::samples(),
        view::samples(),
        linalg::samples(),
        concat::samples(),
        windows::samples(),
        pool::samples(),
        halving::samples(),
        batched::samples(),
        solve::samples(),
        exponential::samples(),
        spectral::samples(),
    ]
    .concat()
}

/// A sample from texts: an operator and operands like `f64[2, 3]`.
#[cfg(test)]
fn sample(op: &str, operands: &[&str]) -> Sample {
    let ty = |text: &&str| crate::ir::text::parse_ty(text).expect(text);
    (parse(op).expect(op), operands.iter().map(ty).collect())
}

/// The parts of `name[1, 2]`, or `None` if the text has another name.
#[cfg(test)]
pub(crate) fn attributes<'t>(text: &'t str, name: &str) -> Option<Vec<&'t str>> {
    let rest = text.strip_prefix(name)?;
    if rest.is_empty() {
        return Some(Vec::new());
    }
    let inner = rest.strip_prefix('[')?.strip_suffix(']')?;
    Some(inner.split(',').map(str::trim).filter(|part| !part.is_empty()).collect())
}

pub(crate) fn list<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}
