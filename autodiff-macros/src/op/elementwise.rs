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
                #[cfg(test)]
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
    abs(x), in 0.3..2.0 => y = x.abs(); dx: sign_of(x, y);
    /// −1, 0 or 1, as the sign of `x`. The derivative is 0.
    sign(x), in 0.3..2.0 => y = f64::from(u8::from(x > 0.0)) - f64::from(u8::from(x < 0.0)); dx: 0.0;
    /// −1 or 1, as the sign of `x`, also of a zero. The derivative is 0.
    signum(x), in 0.3..2.0 => y = x.signum(); dx: 0.0;
    /// The next integer below. The derivative is 0.
    floor(x), in 0.1..0.9 => y = x.floor(); dx: 0.0;
    /// The next integer above. The derivative is 0.
    ceil(x), in 0.1..0.9 => y = x.ceil(); dx: 0.0;
    /// The integer part. The derivative is 0.
    trunc(x), in 0.1..0.9 => y = x.trunc(); dx: 0.0;
    /// The nearest integer. The derivative is 0.
    round(x), in 0.6..0.9 => y = x.round(); dx: 0.0;
    /// 1 for positive `x`, otherwise 0. The derivative is 0.
    step(x), in 0.1..0.9 => y = f64::from(u8::from(x > 0.0)); dx: 0.0;
    /// The fractional part.
    fract(x), in 0.1..0.9 => y = x.fract(); dx: 1.0;
    /// 1 / √x. No derivative at 0 and below.
    rsqrt(x), in 0.5..2.0 => y = 1.0 / x.sqrt(); dx: -0.5 * y / x;
    /// Cube root. The derivative at 0 is infinite.
    cbrt(x), in 0.5..2.0 => y = x.cbrt(); dx: 1.0 / (3.0 * y * y);
    /// 2ˣ.
    exp2(x), in -2.0..2.0 => y = x.exp2(); dx: y * std::f64::consts::LN_2;
    /// exp(x) − 1, exact near 0.
    exp_m1(x), in -2.0..2.0 => y = x.exp_m1(); dx: y + 1.0;
    /// Logarithm to base 2.
    log2(x), in 0.3..3.0 => y = x.log2(); dx: std::f64::consts::LOG2_E / x;
    /// Logarithm to base 10.
    log10(x), in 0.3..3.0 => y = x.log10(); dx: std::f64::consts::LOG10_E / x;
    /// ln(1 + x), exact near 0.
    ln_1p(x), in -0.5..2.0 => y = x.ln_1p(); dx: 1.0 / (1.0 + x);
    /// Tangent.
    tan(x), in -1.2..1.2 => y = x.tan(); dx: 1.0 + y * y;
    /// Inverse sine.
    asin(x), in -0.8..0.8 => y = x.asin(); dx: (1.0 - x * x).of(&rsqrt);
    /// Inverse cosine.
    acos(x), in -0.8..0.8 => y = x.acos(); dx: -(1.0 - x * x).of(&rsqrt);
    /// Inverse tangent.
    atan(x), in -3.0..3.0 => y = x.atan(); dx: 1.0 / (1.0 + x * x);
    /// Hyperbolic sine.
    sinh(x), in -2.0..2.0 => y = x.sinh(); dx: x.of(&cosh);
    /// Hyperbolic cosine.
    cosh(x), in -2.0..2.0 => y = x.cosh(); dx: x.of(&sinh);
    /// Inverse hyperbolic sine.
    asinh(x), in -3.0..3.0 => y = x.asinh(); dx: (x * x + 1.0).of(&rsqrt);
    /// Inverse hyperbolic cosine.
    acosh(x), in 1.5..3.0 => y = x.acosh(); dx: (x * x - 1.0).of(&rsqrt);
    /// Inverse hyperbolic tangent.
    atanh(x), in -0.8..0.8 => y = x.atanh(); dx: 1.0 / (1.0 - x * x);
    /// Radians to degrees.
    to_degrees(x), in -3.0..3.0 => y = x.to_degrees(); dx: 180.0 / std::f64::consts::PI;
    /// Degrees to radians.
    to_radians(x), in -3.0..3.0 => y = x.to_radians(); dx: std::f64::consts::PI / 180.0;
    /// The error function.
    erf(x), in -2.0..2.0 => y = libm::erf(x); dx: std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp();
    /// xᵖ. The derivative by `p` is taken as 0 where `x` is not positive, that by `x` as 0 where `p` is 0.
    powf(x, p), in 0.5..2.0 => y = x.powf(p); dx: power_slope(x, p, y), dp: power_growth(x, y);
    /// xʸ of two tensors; see `powf`.
    pow(x, p), in 0.5..2.0 => y = x.powf(p); dx: power_slope(x, p, y), dp: power_growth(x, y);
    /// The larger of two; a tie gives half to each.
    maximum(a, b), in 0.5..2.0 => y = a.max(b); da: share(a, b, y), db: share(b, a, y);
    /// The smaller of two; a tie gives half to each.
    minimum(a, b), in 0.5..2.0 => y = a.min(b); da: share(b, a, y), db: share(a, b, y);
    /// The angle of the point (x, y).
    atan2(y, x), in 0.5..2.0 => r = y.atan2(x); dy: x / (x * x + y * y), dx: -y / (x * x + y * y);
    /// √(a² + b²). The derivative at (0, 0) is 0.
    hypot(a, b), in 0.5..2.0 => y = a.hypot(b); da: over_length(a, y), db: over_length(b, y);
    /// x·a + b, rounded once.
    mul_add(x, a, b), in 0.5..2.0 => y = x * a + b; dx: a, da: x, db: 1.0;
    /// `x` within `low` and `high`. The derivative is 0 at both edges.
    clamp(x, low, high), in 0.5..2.0 => y = x.max(low).min(high);
        dx: x.above(low, x.below(high, y.number(1.0))), dlow: x.not_above(low), dhigh: x.not_below(high, low);
    /// ln(1 + exp(x)), without overflow.
    softplus(x), in -3.0..3.0 => y = x.max(0.0) + (-x.abs()).exp().ln_1p(); dx: x.of(&sigmoid);
    /// ln sigmoid(x), without overflow.
    log_sigmoid(x), in -3.0..3.0 => y = x.min(0.0) - (-x.abs()).exp().ln_1p(); dx: (-x).of(&sigmoid);
    /// min(max(x, 0), 6). The derivative at both edges is 0.
    relu6(x), in 0.5..5.0 => y = x.clamp(0.0, 6.0); dx: x.within(0.0, 6.0, 1.0);
    /// `x` where positive, `slope·x` elsewhere. The derivative at 0 is the slope.
    leaky_relu(x, slope), in 0.2..2.0 => y = if x > 0.0 { x } else { slope * x };
        dx: x.gt(0.0).pick(y.number(1.0), slope), dslope: x.gt(0.0).pick(y.number(0.0), x);
    /// `x` where positive, α·(exp(x) − 1) elsewhere. The derivative at 0 is α.
    elu(x, alpha), in 0.2..2.0 => y = if x > 0.0 { x } else { alpha * x.exp_m1() };
        dx: x.gt(0.0).pick(y.number(1.0), y + alpha), dalpha: x.gt(0.0).pick(y.number(0.0), x.of(&exp_m1));
    /// The self-normalising unit: ELU with α ≈ 1.673, scaled by 1.051.
    selu(x), in -2.0..2.0 => y = SELU_SCALE * if x > 0.0 { x } else { SELU_ALPHA * x.exp_m1() };
        dx: x.gt(0.0).pick(y.number(SELU_SCALE), y + SELU_SCALE * SELU_ALPHA);
    /// `x` where positive, α·(exp(x/α) − 1) elsewhere.
    celu(x, alpha), in 0.2..2.0 => y = if x > 0.0 { x } else { alpha * (x / alpha).exp_m1() };
        dx: x.gt(0.0).pick(y.number(1.0), (x / alpha).exp()),
        dalpha: x.gt(0.0).pick(y.number(0.0), y / alpha - x / alpha * (x / alpha).exp());
    /// x·Φ(x), with the normal distribution function Φ.
    gelu(x), in -3.0..3.0 => y = 0.5 * x * (1.0 + libm::erf(x * std::f64::consts::FRAC_1_SQRT_2));
        dx: 0.5 * (1.0 + (x * std::f64::consts::FRAC_1_SQRT_2).of(&erf)) + x * (-0.5 * x * x).exp() * INV_SQRT_TAU;
    /// The approximation of GELU by a hyperbolic tangent.
    gelu_tanh(x), in -3.0..3.0 => y = 0.5 * x * (1.0 + (GELU_SLOPE * (x + GELU_CUBE * x * x * x)).tanh());
        dx: gelu_tanh_slope(x);
    /// x·sigmoid(1.702·x).
    gelu_quick(x), in -3.0..3.0 => y = x / (1.0 + (-1.702 * x).exp()); dx: gated_slope(x, 1.702);
    /// x·sigmoid(x).
    silu(x), in -3.0..3.0 => y = x / (1.0 + (-x).exp()); dx: gated_slope(x, 1.0);
    /// x·tanh(softplus(x)).
    mish(x), in -3.0..3.0 => y = x * (x.max(0.0) + (-x.abs()).exp().ln_1p()).tanh(); dx: mish_slope(x);
    /// x / (1 + |x|).
    softsign(x), in 0.3..3.0 => y = x / (1.0 + x.abs()); dx: (1.0 + x.of(&abs)).of(&square).of(&recip);
    /// x/6 + ½ within 0 and 1. The derivative at both edges is 0.
    hard_sigmoid(x), in -2.5..2.5 => y = (x / 6.0 + 0.5).clamp(0.0, 1.0); dx: x.within(-3.0, 3.0, 1.0 / 6.0);
    /// x·hard_sigmoid(x). The derivative is 0 at −3 and 1 at 3.
    hard_swish(x), in -2.5..2.5 => y = x * (x / 6.0 + 0.5).clamp(0.0, 1.0);
        dx: x.gt(-3.0).pick((3.0 - x).gt(0.0).pick(x / 3.0 + 0.5, y.number(1.0)), y.number(0.0));
    /// `x` within −1 and 1. The derivative at both edges is 0.
    hard_tanh(x), in -0.9..0.9 => y = x.clamp(-1.0, 1.0); dx: x.within(-1.0, 1.0, 1.0);
    /// Rectified linear unit, max(x, 0). The derivative at 0 is 0.
    relu(x), in -2.0..2.0 => y = if x > 0.0 { x } else { 0.0 }; dx: y.gt(0.0).choose(y, 1.0, 0.0);
}

const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;
/// 1 / √(2π)
const INV_SQRT_TAU: f64 = 0.398_942_280_401_432_7;
/// √(2/π)
const GELU_SLOPE: f64 = 0.797_884_560_802_865_4;
const GELU_CUBE: f64 = 0.044_715;

/// −1, 0 or 1.
fn sign_of<'s>(x: E<'s>, y: E<'s>) -> E<'s> {
    x.gt(0.0).pick(y.number(1.0), (-x).gt(0.0).choose(y, -1.0, 0.0))
}

/// p·xᵖ⁻¹, and 0 where p is 0.
fn power_slope<'s>(x: E<'s>, p: E<'s>, y: E<'s>) -> E<'s> {
    match p.as_const() {
        Some(0.0) => y.number(0.0),
        Some(1.0) => y.number(1.0),
        Some(exponent) => exponent * x.apply(&powf, &[p.number(exponent - 1.0)]),
        None => {
            let flat = p.apply(&eq, &[p.number(0.0)]);
            let slope = p * x.apply(&powf, &[p - 1.0]);
            flat.pick(y.number(0.0), slope)
        }
    }
}

/// xᵖ·ln x, and 0 where x is not positive.
fn power_growth<'s>(x: E<'s>, y: E<'s>) -> E<'s> {
    let positive = x.gt(0.0);
    let inside = positive.pick(x, y.number(1.0));
    positive.pick(y * inside.of(&ln), y.number(0.0))
}

/// 1 where a > b, ½ where they are equal, 0 elsewhere.
fn share<'s>(a: E<'s>, b: E<'s>, y: E<'s>) -> E<'s> {
    let (more, less) = (a.apply(&gt, &[b]), b.apply(&gt, &[a]));
    more.pick(y.number(1.0), less.choose(y, 0.0, 0.5))
}

/// a / y, and 0 where y is 0.
fn over_length<'s>(a: E<'s>, y: E<'s>) -> E<'s> {
    let positive = y.gt(0.0);
    positive.pick(a / positive.pick(y, y.number(1.0)), y.number(0.0))
}

/// s + k·x·s·(1 − s) with s = sigmoid(k·x): the slope of x·s.
fn gated_slope(x: E<'_>, k: f64) -> E<'_> {
    let s = (k * x).of(&sigmoid);
    s + k * (x * s) * (1.0 - s)
}

fn mish_slope(x: E<'_>) -> E<'_> {
    let t = x.of(&softplus).of(&tanh);
    t + x * (1.0 - t * t) * x.of(&sigmoid)
}

fn gelu_tanh_slope(x: E<'_>) -> E<'_> {
    let t = (GELU_SLOPE * (x + GELU_CUBE * (x * x * x))).of(&tanh);
    0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * (GELU_SLOPE * (1.0 + 3.0 * GELU_CUBE * (x * x)))
}

macro_rules! comparisons {
    ($($(#[doc = $doc:literal])+ $name:ident $sign:literal |$a:ident, $b:ident| $holds:expr;)*) => {
        $(
            $(#[doc = $doc])+
            #[allow(non_upper_case_globals)]
            pub static $name: Row = Row {
                name: stringify!($name),
                doc: concat!($($doc),+),
                arity: 2,
                spelling: Spelling::Infix($sign),
                kind: RowKind::Predicate,
                #[cfg(test)]
                eval: |args| {
                    let ($a, $b) = (args[0], args[1]);
                    f64::from(u8::from($holds))
                },
                partials: |_, _| vec![None, None],
                domain: (-2.0, 2.0),
            };
        )*

    };
}

comparisons! {
    /// Whether `a > b`.
    gt ">" |a, b| a > b;
    /// Whether `a >= b`.
    ge ">=" |a, b| a >= b;
    /// Whether `a < b`.
    lt "<" |a, b| a < b;
    /// Whether `a <= b`.
    le "<=" |a, b| a <= b;
    /// Whether `a == b`.
    eq "==" |a, b| a == b;
    /// Whether `a != b`.
    ne "!=" |a, b| a != b;
}

/// Negation of a truth value.
#[allow(non_upper_case_globals)]
pub static not: Row = Row {
    name: "not",
    doc: "Negation of a truth value.",
    arity: 1,
    spelling: Spelling::Prefix("!"),
    kind: RowKind::Predicate,
    #[cfg(test)]
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
    #[cfg(test)]
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
    #[cfg(test)]
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
    #[cfg(test)]
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
    #[cfg(test)]
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
    #[cfg(test)]
    eval: |args| f64::from(u8::from(args[0] == 0.0)),
    partials: |_, _| vec![None],
    domain: (0.0, 3.0),
};

/// Rows without a derivative, or with a typing of their own.
pub static SPECIAL: &[&Row] = &[&gt, &ge, &lt, &le, &eq, &ne, &not, &select, &larger, &stop_gradient, &powi, &EQ_ZERO];

pub fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().chain(SPECIAL).find(|row| row.name == name).copied()
}

/// The row that a method of the user's stands for. Tensors follow the array libraries, numbers follow std.
pub fn find_method(name: &str, of_number: bool) -> Option<&'static Row> {
    let name = match (name, of_number) {
        ("signum", false) => "sign",
        ("max", true) => "maximum",
        ("min", true) => "minimum",
        _ => name,
    };
    find(name).filter(|row| row.is_method())
}
