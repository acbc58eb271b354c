//! Comparisons and selection. No derivative flows into a truth value.

use crate::op::{Algebra, Cost, Row, RowKind, Spelling, Taylor};

macro_rules! predicates {
    ($($(#[doc = $doc:literal])+ $name:ident($($arg:ident),+) as $spelling:expr $(, is $algebra:ident)? => $holds:expr;)*) => {
        $(
            $(#[doc = $doc])+
            #[allow(non_upper_case_globals)]
            pub static $name: Row = Row {
                name: stringify!($name),
                doc: concat!($($doc),+),
                args: &[$(stringify!($arg)),+],
                spelling: $spelling,
                kind: RowKind::Predicate,
                algebra: predicates!(@algebra $($algebra)?),
                eval: |args| {
                    let &[$($arg),+] = args else { return f64::NAN };
                    f64::from(u8::from($holds))
                },
                partials: |args, _| vec![None; args.len()],
                taylor: Taylor::Integral,
                domain: (-2.0, 2.0),
                is_const: false,
                cost: Cost::Arithmetic,
            };
        )*

        /// The rows of this file without a derivative.
        pub static ROWS: &[&Row] = &[$(&$name),*];
    };
    (@algebra) => { Algebra::Other };
    (@algebra $algebra:ident) => { Algebra::$algebra };
}

predicates! {
    /// Whether `a > b`; no derivative.
    gt(a, b) as Spelling::Infix(">"), is Comparison => a > b;
    /// Whether `a >= b`; no derivative.
    ge(a, b) as Spelling::Infix(">="), is Comparison => a >= b;
    /// Whether `a < b`; no derivative.
    lt(a, b) as Spelling::Infix("<"), is Comparison => a < b;
    /// Whether `a <= b`; no derivative.
    le(a, b) as Spelling::Infix("<="), is AtMost => a <= b;
    /// Whether `a == b`; no derivative.
    eq(a, b) as Spelling::Infix("=="), is Comparison => a == b;
    /// Whether `a != b`; no derivative.
    ne(a, b) as Spelling::Infix("!="), is Comparison => a != b;
    /// Whether `a` comes after `b` in the total order of floats; no derivative.
    follows(a, b) as Spelling::Named("follows") => a.total_cmp(&b).is_gt();
    /// Whether `x` is not a number; no derivative.
    is_nan(x) as Spelling::Method => x.is_nan();
    /// Whether `x` is neither infinite nor NaN; no derivative.
    is_finite(x) as Spelling::Method => x.is_finite();
    /// Whether `x` is infinite; no derivative.
    is_infinite(x) as Spelling::Method => x.is_infinite();
    /// Whether `x` is neither 0, subnormal, infinite nor NaN; no derivative.
    is_normal(x) as Spelling::Method => x.is_normal();
    /// Whether `x` is too small to have all its digits; no derivative.
    is_subnormal(x) as Spelling::Method => x.is_subnormal();
    /// Whether `x` has no minus sign, also of a zero or NaN; no derivative.
    is_sign_positive(x) as Spelling::Method => x.is_sign_positive();
    /// Whether `x` has a minus sign, also of a zero or NaN; no derivative.
    is_sign_negative(x) as Spelling::Method => x.is_sign_negative();
    /// Negation of a truth value.
    not(c) as Spelling::Prefix("!") => c == 0.0;
}

/// `a` where `c` holds, `b` elsewhere.
#[allow(non_upper_case_globals)]
pub static select: Row = Row {
    name: "select",
    doc: "`a` where `c` holds, `b` elsewhere.",
    args: &["c", "a", "b"],
    spelling: Spelling::Select,
    kind: RowKind::Select,
    algebra: Algebra::Choice,
    eval: |args| if args[0] == 0.0 { args[2] } else { args[1] },
    partials: |args, y| vec![None, Some(args[0].choose(y, 1.0, 0.0)), Some(args[0].choose(y, 0.0, 1.0))],
    taylor: Taylor::Choice,
    domain: (-2.0, 2.0),
    is_const: false,
    cost: Cost::Arithmetic,
};
