//! The element-wise table: a row states calculus only.
//!
//! ```text
//! name(arguments) spelling in domain => result = value; partial derivatives, one for each argument
//! ```
//!
//! A table begins with what its rows cost: `cheap`, or `expensive` if a loop should store a value rather than recompute it.
//! A partial derivative is a formula, a number, or [`FLAT`](super::expr::FLAT) where it is 0 everywhere.
//! The formulas may use the arguments and the result. A row gives the shape rule (broadcast), the emitted
//! Rust, the evaluator, both derivative modes, and a gradient check on its domain. In the reference its documentation
//! stands beside the formulas as they are applied: the first sentence says what it is, and what follows, what holds
//! where there is no derivative, or at an extreme.

#[cfg(test)]
use super::page::Page;
use super::{Algebra, Row, RowKind, Spelling};

macro_rules! elementwise {
    ($cost:ident; $(
        $(#[doc = $doc:literal])+
        $name:ident($($arg:ident),+) $(as $spelling:expr)? $(, is $algebra:ident)?, in $lo:literal .. $hi:literal
            => $y:ident = $value:expr; $($d:ident: $partial:expr),+;
    )*) => {
        $(
            $(#[doc = $doc])+
            #[allow(non_upper_case_globals)]
            pub static $name: Row = Row {
                name: stringify!($name),
                doc: concat!($($doc),+),
                args: &[$(stringify!($arg)),+],
                spelling: elementwise!(@spelling $($spelling)?),
                kind: RowKind::Float,
                algebra: elementwise!(@algebra $($algebra)?),
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
                expensive: elementwise!(@expensive $cost),
            };
        )*

        /// The rows of this file.
        pub static ROWS: &[&Row] = &[$(&$name),*];
    };
    (@expensive expensive) => { true };
    (@expensive cheap) => { false };
    (@spelling) => { Spelling::Method };
    (@spelling $spelling:expr) => { $spelling };
    (@algebra) => { $crate::op::Algebra::Other };
    (@algebra $algebra:ident) => { $crate::op::Algebra::$algebra };
}

mod activation;
mod arithmetic;
mod comparison;
mod exponential;
mod gated;
mod numbers;
mod trigonometric;

pub use activation::*;
pub use arithmetic::*;
pub use comparison::*;
pub use exponential::*;
pub use gated::gate;
pub use trigonometric::*;

/// Maximum of two numbers, for stable forms under `stop_gradient`; no derivative.
#[allow(non_upper_case_globals)]
pub static larger: Row = Row {
    name: "larger",
    doc: "The larger of two numbers; no derivative.",
    args: &["a", "b"],
    spelling: Spelling::Named("max"),
    kind: RowKind::Float,
    algebra: Algebra::Maximum,
    eval: |args| args[0].max(args[1]),
    partials: |_, _| vec![None, None],
    domain: (-2.0, 2.0),
    expensive: false,
};

/// The length of a vector, for partial derivatives: `hypot` is a call, and this is none where numbers are neither large nor small.
#[allow(non_upper_case_globals)]
pub static length: Row = Row {
    name: "length",
    doc: "√(a² + b²) in derivatives.",
    args: &["a", "b"],
    spelling: Spelling::Method,
    kind: RowKind::Float,
    algebra: Algebra::Other,
    eval: |args| args[0].hypot(args[1]),
    partials: hypot.partials,
    domain: (0.3, 2.0),
    expensive: true,
};

/// A sum and one more element of a tensor: see [`strip_mine`](crate::pass::strip_mine).
#[allow(non_upper_case_globals)]
pub static add_in_lanes: Row = Row {
    name: "add_in_lanes",
    doc: "Sum, in partial sums.",
    args: &["a", "b"],
    spelling: Spelling::Infix("+"),
    kind: RowKind::Float,
    algebra: Algebra::Sum,
    eval: |args| args[0] + args[1],
    partials: add.partials,
    domain: (-2.0, 2.0),
    expensive: false,
};

/// The value, without a derivative.
#[allow(non_upper_case_globals)]
pub static stop_gradient: Row = Row {
    name: "stop_gradient",
    doc: "The value, without a derivative.",
    args: &["x"],
    spelling: Spelling::Prefix(""),
    kind: RowKind::Float,
    algebra: Algebra::Other,
    eval: |args| args[0],
    partials: |_, _| vec![None],
    domain: (-2.0, 2.0),
    expensive: false,
};

/// Zero, with the derivative of what is given: see Note [Changes of rotations] in `parse/geometry.rs`.
#[allow(non_upper_case_globals)]
pub static vanishing: Row = Row {
    name: "vanishing",
    doc: "Zero, with the derivative of what is given.",
    args: &["x"],
    spelling: Spelling::Prefix("0.0 *"),
    kind: RowKind::Float,
    algebra: Algebra::Vanishing,
    eval: |_| 0.0,
    partials: |_, y| vec![Some(y.number(1.0))],
    domain: (-2.0, 2.0),
    expensive: false,
};

/// Rows that belong together, for the reference.
pub struct Theme {
    #[cfg_attr(not(test), expect(dead_code, reason = "the reference is written by a test"))]
    pub title: &'static str,
    pub rows: &'static [&'static Row],
}

/// Every theme. Rows without a derivative, or with a typing of their own, are in the last.
pub static THEMES: &[Theme] = &[
    Theme { title: "Arithmetic", rows: arithmetic::ROWS },
    Theme { title: "Powers, exponentials and logarithms", rows: exponential::ROWS },
    Theme { title: "Trigonometric functions", rows: trigonometric::ROWS },
    Theme { title: "Activations", rows: activation::ROWS },
    Theme { title: "Comparisons", rows: comparison::ROWS },
    Theme { title: "Others", rows: &[&powi, &stop_gradient, &select, &larger] },
];

/// Every row.
pub fn all() -> impl Iterator<Item = &'static Row> {
    THEMES.iter().flat_map(|theme| theme.rows).copied()
}

/// What is two rows at once.
#[cfg(test)]
pub static SIN_COS: Page = Page {
    calls: &["x.sin_cos()"],
    doc: "Sine and cosine.",
    shape: "[a…] -> [a…], [a…]",
    derivative: "that of `sin` and `cos`",
    example: "(x: f64) -> f64 {\n    let (sin, cos) = x.sin_cos();\n    sin * cos\n}",
};

/// Rows that the compiler makes, and that have no name in a source.
pub fn internal() -> impl Iterator<Item = &'static Row> {
    let own = [&add_in_lanes, &length, &vanishing].into_iter();
    own.chain(gated::ROWS.iter().copied()).chain(gated::products::ROWS.iter().copied())
}

pub fn find(name: &str) -> Option<&'static Row> {
    all().chain(internal()).find(|row| row.name == name)
}

/// The row of a method. Numbers have the methods of `std`, which does not always do what tensors do.
pub fn find_method(name: &str, of_number: bool) -> Option<&'static Row> {
    match (name, of_number) {
        ("max", true) => Some(&larger_of),
        ("min", true) => Some(&smaller_of),
        ("signum", false) => Some(&sign),
        ("pow", false) => Some(&powf),
        _ => all().find(|row| row.name == name && row.is_method()),
    }
}
