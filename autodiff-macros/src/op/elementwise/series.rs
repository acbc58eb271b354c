//! The recurrences of `autodiff_core::series` as rows that the compiler makes: the tail of a Taylor series from numbers, and from
//! the tails that stand behind them. See Note [Taylor rules] in `ir/operator.rs`.
//!
//! To the evaluator a tail is its first coefficient, which is the tangent.

use super::mul;
use crate::ir::Var;
use crate::ir::builder::Builder;
use crate::op::{Algebra, Cost, Row, RowKind, Spelling, Taylor};

macro_rules! recurrences {
    ($($(#[doc = $doc:literal])+ $name:ident($($number:ident),+; $($tail:ident),+) as $spelling:literal => $first:expr;)*) => {
        $(
            $(#[doc = $doc])+
            #[allow(non_upper_case_globals)]
            pub static $name: Row = Row {
                name: stringify!($name),
                doc: concat!($($doc),+),
                args: &[$(stringify!($number),)+ $(stringify!($tail)),+],
                spelling: Spelling::Series($spelling),
                kind: RowKind::Float,
                algebra: Algebra::Series([$(stringify!($number)),+].len()),
                eval: |args| {
                    let &[$($number,)+ $($tail),+] = args else { return f64::NAN };
                    $first
                },
                partials: |args, _| vec![None; args.len()],
                taylor: Taylor::Integral,
                domain: (0.5, 2.0),
                is_const: false,
                cost: Cost::Function,
            };
        )*

        /// The rows of this file.
        pub static ROWS: &[&Row] = &[$(&$name),*];
    };
}

recurrences! {
    /// That of a · b.
    series_product(a, b; a_tail, b_tail) as "product" => a * b_tail + a_tail * b;
    /// That of y = a / b.
    series_quotient(y, b; a_tail, b_tail) as "quotient" => (a_tail - y * b_tail) / b;
    /// That of ∫ p·x′.
    series_integral(p; p_tail, x_tail) as "integral" => { let _ = p_tail; p * x_tail };
    /// That of y with y′ = y·x′.
    series_exponential(y; x_tail) as "exponential" => y * x_tail;
    /// That of y with y′ = (a + b·y + c·y²)·x′.
    series_riccati(y, a, b, c; x_tail) as "riccati" => (a + (b + c * y) * y) * x_tail;
    /// That of y with y′ = p·x′ and p′ = sign·y·x′.
    series_wave(y, p, sign; x_tail) as "wave" => { let _ = (y, sign); p * x_tail };
    /// That of y = xᵖ.
    series_power(x, p, y; x_tail) as "power" => { let _ = y; if p == 0.0 { 0.0 } else { p * x.powf(p - 1.0) * x_tail } };
    /// That of y = √(a² + b²).
    series_hypot(a, b, y; a_tail, b_tail) as "hypot" => if y == 0.0 { 0.0 } else { (a * a_tail + b * b_tail) / y };
}

/// The tail of a·b; none, if no factor has one.
pub fn product(b: &mut Builder, [x, y]: [Var; 2], tails: [Option<Var>; 2]) -> Option<Var> {
    match tails {
        [Some(x_tail), Some(y_tail)] => Some(b.map(&series_product, &[x, y, x_tail, y_tail])),
        [Some(x_tail), None] => Some(b.map(&mul, &[y, x_tail])),
        [None, y_tail] => y_tail.map(|y_tail| b.map(&mul, &[x, y_tail])),
    }
}
