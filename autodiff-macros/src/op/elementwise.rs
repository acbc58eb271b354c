//! The element-wise table: a row states calculus only.
//!
//! ```text
//! name(arguments) spelling in domain => result = value; partial derivatives, one for each argument
//! ```
//!
//! The formulas may use the arguments and the result. A row gives the shape rule (broadcast), the emitted
//! Rust, the evaluator, both derivative modes, and a gradient check on its domain.

use super::expr::E;
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
                    vec![$(Some($partial.into_expr($y))),+]
                },
                domain: ($lo, $hi),
            };
        )*

        /// Every differentiable row, for the registry-wide checks.
        pub static ROWS: &[&Row] = &[$(&$name),*];
    };
    (@spelling) => { Spelling::Method };
    (@spelling $spelling:expr) => { $spelling };
}

/// Partial derivatives may be plain numbers.
trait IntoExpr<'s> {
    fn into_expr(self, like: E<'s>) -> E<'s>;
}
impl<'s> IntoExpr<'s> for E<'s> {
    fn into_expr(self, _: E<'s>) -> E<'s> {
        self
    }
}
impl<'s> IntoExpr<'s> for f64 {
    fn into_expr(self, like: E<'s>) -> E<'s> {
        like.number(self)
    }
}

elementwise! {
    /// Sum.
    add(a, b) as Spelling::Infix("+"), in -2.0..2.0 => y = a + b; da: 1.0, db: 1.0;
    /// Difference.
    sub(a, b) as Spelling::Infix("-"), in -2.0..2.0 => y = a - b; da: 1.0, db: -1.0;
    /// Product.
    mul(a, b) as Spelling::Infix("*"), in -2.0..2.0 => y = a * b; da: b, db: a;
    /// Quotient. No derivative where `b` is 0.
    div(a, b) as Spelling::Infix("/"), in 0.5..2.0 => y = a / b; da: 1.0 / b, db: -y / b;
    /// Negative.
    neg(x) as Spelling::Prefix("-"), in -2.0..2.0 => y = -x; dx: -1.0;
    /// Square.
    square(x), in -2.0..2.0 => y = x * x; dx: 2.0 * x;
    /// Reciprocal. No derivative at 0.
    recip(x), in 0.5..2.0 => y = 1.0 / x; dx: -y * y;
    /// Exponential.
    exp(x), in -2.0..2.0 => y = x.exp(); dx: y;
    /// Natural logarithm. No derivative at 0 and below.
    ln(x), in 0.3..3.0 => y = x.ln(); dx: 1.0 / x;
    /// Square root. The derivative at 0 is infinite.
    sqrt(x), in 0.3..3.0 => y = x.sqrt(); dx: 0.5 / y;
    /// Sine.
    sin(x), in -3.0..3.0 => y = x.sin(); dx: x.cos();
    /// Cosine.
    cos(x), in -3.0..3.0 => y = x.cos(); dx: -x.sin();
    /// Hyperbolic tangent. In `f32` the derivative is exactly 0 beyond |x| ≈ 9.
    tanh(x), in -3.0..3.0 => y = x.tanh(); dx: 1.0 - y * y;
    /// Logistic sigmoid, 1 / (1 + exp(−x)).
    sigmoid(x), in -3.0..3.0 => y = 1.0 / (1.0 + (-x).exp()); dx: y * (1.0 - y);
    /// Absolute value. The derivative at 0 is 0.
    abs(x), in 0.3..2.0 => y = x.abs(); dx: x.gt(0.0).apply(&select, &[y.number(1.0), (-x).gt(0.0).choose(y, -1.0, 0.0)]);
    /// ln(1 + exp(x)), without overflow.
    softplus(x), in -3.0..3.0 => y = x.max(0.0) + (-x.abs()).exp().ln_1p(); dx: x.apply(&sigmoid, &[]);
    /// Rectified linear unit, max(x, 0). The derivative at 0 is 0.
    relu(x), in -2.0..2.0 => y = if x > 0.0 { x } else { 0.0 }; dx: y.gt(0.0).choose(y, 1.0, 0.0);
}

/// Whether `a > b`; no derivative.
#[allow(non_upper_case_globals)]
pub static gt: Row = Row {
    name: "gt",
    doc: "Whether `a > b`; no derivative.",
    arity: 2,
    spelling: Spelling::Infix(">"),
    kind: RowKind::Predicate,
    eval: |args| f64::from(u8::from(args[0] > args[1])),
    partials: |_, _| vec![None, None],
    domain: (-2.0, 2.0),
};

/// Negation of a truth value.
#[allow(non_upper_case_globals)]
pub static not: Row = Row {
    name: "not",
    doc: "Negation of a truth value.",
    arity: 1,
    spelling: Spelling::Prefix("!"),
    kind: RowKind::Predicate,
    eval: |args| f64::from(u8::from(args[0] == 0.0)),
    partials: |_, _| vec![None],
    domain: (0.0, 1.0),
};

/// `a` where `c` holds, `b` elsewhere.
#[allow(non_upper_case_globals)]
pub static select: Row = Row {
    name: "select",
    doc: "`a` where `c` holds, `b` elsewhere.",
    arity: 3,
    spelling: Spelling::Select,
    kind: RowKind::Select,
    eval: |args| if args[0] == 0.0 { args[2] } else { args[1] },
    partials: |args, y| vec![None, Some(args[0].choose(y, 1.0, 0.0)), Some(args[0].choose(y, 0.0, 1.0))],
    domain: (-2.0, 2.0),
};

/// Maximum of two numbers, for stable forms under `stop_gradient`; no derivative.
#[allow(non_upper_case_globals)]
pub static larger: Row = Row {
    name: "larger",
    doc: "The larger of two numbers; no derivative.",
    arity: 2,
    spelling: Spelling::Method,
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

/// Integer power.
#[allow(non_upper_case_globals)]
pub static powi: Row = Row {
    name: "powi",
    doc: "Integer power. `x⁰` is 1 with derivative 0, also at 0.",
    arity: 2,
    spelling: Spelling::Method,
    kind: RowKind::IntExponent,
    eval: |args| args[0].powi(args[1] as i32),
    partials: |args, y| vec![powi_partial(args[0], args[1], y), None],
    domain: (0.5, 2.0),
};

/// n · xⁿ⁻¹, without the negative power of 0 that n = 0 would give.
fn powi_partial<'s>(x: E<'s>, n: E<'s>, y: E<'s>) -> Option<E<'s>> {
    match n.as_const() {
        Some(0.0) => None,
        Some(1.0) => Some(y.number(1.0)),
        Some(2.0) => Some(2.0 * x),
        Some(exponent) => Some(exponent * x.powi(n.offset(-1))),
        None => {
            let is_zero = n.apply(&EQ_ZERO, &[]);
            let slope = n.cast_like(x) * x.powi(n.offset(-1));
            let zero = y.number(0.0);
            Some(is_zero.apply(&select, &[zero, slope]))
        }
    }
}

static EQ_ZERO: Row = Row {
    name: "is_zero",
    doc: "Whether an integer is 0; no derivative.",
    arity: 1,
    spelling: Spelling::Prefix("0 == "),
    kind: RowKind::Predicate,
    eval: |args| f64::from(u8::from(args[0] == 0.0)),
    partials: |_, _| vec![None],
    domain: (0.0, 3.0),
};

/// Rows without a derivative, or with a typing of their own.
pub static SPECIAL: &[&Row] = &[&gt, &not, &select, &larger, &stop_gradient, &powi, &EQ_ZERO];

pub fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().chain(SPECIAL).find(|row| row.name == name).copied()
}
