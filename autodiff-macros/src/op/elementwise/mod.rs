//! The element-wise table: a row states calculus only.
//!
//! ```text
//! name(arguments) spelling in domain => result = value; partial derivatives, one for each argument
//! ```
//!
//! A partial derivative is a formula, a number, or [`FLAT`](super::expr::FLAT) where it is 0 everywhere.
//! The formulas may use the arguments and the result. A row gives the shape rule (broadcast), the emitted
//! Rust, the evaluator, both derivative modes, and a gradient check on its domain.

use super::{Row, RowKind, Spelling};

macro_rules! elementwise {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident($($arg:ident),+) $(as $spelling:expr)?, in $lo:literal .. $hi:literal
            => $y:ident = $value:expr; $($d:ident: $partial:expr),+;
    )*) => {
        $(
            $(#[doc = $doc])+
            #[allow(non_upper_case_globals)]
            pub static $name: Row = Row {
                name: stringify!($name),
                doc: concat!($($doc),+),
                arity: [$(stringify!($arg)),+].len(),
                spelling: elementwise!(@spelling $($spelling)?),
                kind: RowKind::Float,
                eval: |args| {
                    let &[$($arg),+] = args else { return f64::NAN };
                    $value
                },
                partials: |args, $y| {
                    let &[$($arg),+] = args else { return Vec::new() };
                    let _ = ($($arg,)+ $y);
                    vec![$($partial.into_partial($y)),+]
                },
                domain: ($lo, $hi),
            };
        )*

        /// The rows of this file.
        pub static ROWS: &[&Row] = &[$(&$name),*];
    };
    (@spelling) => { Spelling::Method };
    (@spelling $spelling:expr) => { $spelling };
}

mod activation;
mod arithmetic;
mod comparison;
mod exponential;
mod numbers;
mod trigonometric;

pub use activation::*;
pub use arithmetic::*;
pub use comparison::*;
pub use exponential::*;
pub use trigonometric::*;

/// Maximum of two numbers, for stable forms under `stop_gradient`; no derivative.
#[allow(non_upper_case_globals)]
pub static larger: Row = Row {
    name: "larger",
    doc: "The larger of two numbers; no derivative.",
    arity: 2,
    spelling: Spelling::Named("max"),
    kind: RowKind::Float,
    eval: |args| args[0].max(args[1]),
    partials: |_, _| vec![None, None],
    domain: (-2.0, 2.0),
};

/// The value, without a derivative.
#[allow(non_upper_case_globals)]
pub static stop_gradient: Row = Row {
    name: "stop_gradient",
    doc: "The value, without a derivative.",
    arity: 1,
    spelling: Spelling::Prefix(""),
    kind: RowKind::Float,
    eval: |args| args[0],
    partials: |_, _| vec![None],
    domain: (-2.0, 2.0),
};

/// Rows without a derivative, or with a typing of their own.
static SPECIAL: &[&Row] = &[&select, &larger, &stop_gradient, &powi];

/// Every row.
pub fn all() -> impl Iterator<Item = &'static Row> {
    let files = [arithmetic::ROWS, exponential::ROWS, trigonometric::ROWS, activation::ROWS, comparison::ROWS, SPECIAL];
    files.into_iter().flatten().copied()
}

pub fn find(name: &str) -> Option<&'static Row> {
    all().find(|row| row.name == name)
}

/// The row of a method. Numbers have the methods of `std`, which does not always do what tensors do.
pub fn find_method(name: &str, of_number: bool) -> Option<&'static Row> {
    match (name, of_number) {
        ("max", true) => Some(&larger_of),
        ("min", true) => Some(&smaller_of),
        ("signum", false) => Some(&sign),
        ("pow", false) => Some(&powf),
        _ => find(name).filter(|row| row.is_method()),
    }
}
