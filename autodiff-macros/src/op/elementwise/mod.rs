//! The element-wise table: a row states calculus only.
//!
//! ```text
//! name(arguments) spelling in domain => result = value; partial derivatives, one for each argument
//! ```
//!
//! A row whose partial derivatives read the result says how its Taylor series is computed, `series Product`: see Note [Taylor
//! rules] in `ir/operator.rs`.
//!
//! A table begins with what its rows cost, a variant of [`Cost`]; a row that costs something else says so, `costs Division`.
//! A partial derivative is a formula, a number, or [`FLAT`](super::expr::FLAT) where it is 0 everywhere.
//! The formulas may use the arguments and the result. A row gives the shape rule (broadcast), the emitted
//! Rust, the evaluator, both derivative modes, and a gradient check on its domain. In the reference its documentation
//! stands beside the formulas as they are applied: the first sentence says what it is, and what follows, what holds
//! where there is no derivative, or at an extreme.

#[cfg(test)]
use super::page::Page;
use super::{Algebra, Cost, Row, RowKind, Spelling, Taylor};

macro_rules! elementwise {
    ($cost:ident; $(
        $(#[doc = $doc:literal])+
        $name:ident($($arg:ident),+) $(as $spelling:expr)? $(, is $algebra:ident)? $(, series $taylor:expr)?$(, const $const:tt)?$(, costs $own_cost:ident)?, in $lo:literal .. $hi:literal
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
                taylor: elementwise!(@taylor $($taylor)?),
                domain: ($lo, $hi),
                is_const: elementwise!(@const $($const)?),
                cost: elementwise!(@cost $cost $($own_cost)?),
            };
        )*

        /// The rows of this file.
        pub static ROWS: &[&Row] = &[$(&$name),*];
    };
    (@cost $cost:ident) => { $crate::op::Cost::$cost };
    (@cost $cost:ident $own_cost:ident) => { $crate::op::Cost::$own_cost };
    (@spelling) => { Spelling::Method };
    (@spelling $spelling:expr) => { $spelling };
    (@const) => { false };
    (@const fn) => { true };
    (@taylor) => { $crate::op::Taylor::Integral };
    (@taylor $taylor:expr) => {{
        use $crate::op::Taylor::*;
        $taylor
    }};
    (@algebra) => { $crate::op::Algebra::Other };
    (@algebra $algebra:ident) => { $crate::op::Algebra::$algebra };
}

mod activation;
mod arithmetic;
mod comparison;
mod exponential;
mod gated;
mod numbers;
pub mod series;
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
    taylor: Taylor::Integral,
    domain: (-2.0, 2.0),
    is_const: true,
    cost: Cost::Arithmetic,
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
    taylor: Taylor::Hypot,
    domain: (0.3, 2.0),
    is_const: false,
    cost: Cost::Function,
};

/// A number by the square of a length, for partial derivatives: a quotient without a root where numbers are neither large nor small.
#[allow(non_upper_case_globals)]
pub static over_square: Row = Row {
    name: "over_square",
    doc: "a / (a² + b²) in derivatives, 0 at the origin.",
    args: &["a", "b"],
    spelling: Spelling::Method,
    kind: RowKind::Float,
    algebra: Algebra::Other,
    eval: |args| {
        let size = args[0].hypot(args[1]);
        if size == 0.0 { 0.0 } else { args[0] / size / size }
    },
    partials: |args, y| {
        let other = args[1].over_square(args[0]);
        vec![Some(other * other - y * y), Some(-2.0 * (y * other))]
    },
    taylor: Taylor::As(|args| {
        let size = args[0].length(args[1]);
        args[0] / size / size
    }),
    domain: (0.3, 2.0),
    is_const: false,
    cost: Cost::Function,
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
    taylor: Taylor::Integral,
    domain: (-2.0, 2.0),
    is_const: false,
    cost: Cost::Arithmetic,
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
    taylor: Taylor::Integral,
    domain: (-2.0, 2.0),
    is_const: false,
    cost: Cost::Arithmetic,
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
    taylor: Taylor::Missing,
    domain: (-2.0, 2.0),
    is_const: false,
    cost: Cost::Arithmetic,
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
    let own = [&add_in_lanes, &length, &over_square, &vanishing].into_iter();
    own.chain(gated::ROWS.iter().copied()).chain(gated::products::ROWS.iter().copied())
}

pub fn find(name: &str) -> Option<&'static Row> {
    all().chain(internal()).chain(series::ROWS.iter().copied()).find(|row| row.name == name)
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
