//! Every element-wise function at numbers from the smallest to the largest, in both precisions: where it has a value or a limit,
//! value, first and second derivative are not NaN. `autodiff-macros` has a test that no function is missing here.
//!
//! Exceptions: see [`VALUELESS`]. Of functions of two numbers the second derivatives are asked for where value and gradient
//! are finite and neither number is so small that the square of its reciprocal overflows.

use autodiff::prelude::*;

const INF: f64 = f64::INFINITY;
const MAX: f64 = f64::MAX;

/// Where a value is NaN, as in PyTorch, although there is a limit: x times what has become 0, and a quotient of infinities.
/// The derivatives are the limits.
const VALUELESS: &[(&str, f64)] = &[
    ("gelu", -INF),
    ("gelu_tanh", -INF),
    ("gelu_quick", -INF),
    ("silu", -INF),
    ("mish", -INF),
    ("hard_swish", -INF),
    ("softsign", -INF),
    ("softsign", INF),
];

fn points(largest: f64, smallest: f64) -> Vec<f64> {
    let half = [0.0, smallest, 1e-30, 0.5, 1.0, 2.0, 3.0, 10.0, 100.0, 1e4, 1e30, largest, INF];
    half.iter().flat_map(|x| [*x, -*x]).collect()
}

fn check(name: &str, x: f64, value: f64, derivatives: [f64; 3]) {
    let valueless = VALUELESS.contains(&(name, x));
    assert_eq!(value.is_nan(), valueless, "{name} at {x:e}: {value:e}");
    assert!(!derivatives.iter().any(|x| x.is_nan()), "{name} at {x:e}: {value:e}, {derivatives:?}");
}

macro_rules! unary {
    ($($name:ident in $lo:expr, $hi:expr;)*) => {$(
        mod $name {
            use super::*;

            #[differentiable(order = 2)]
            fn of<T: Real>(x: T) -> T {
                x.$name()
            }

            #[test]
            fn is_no_nan() {
                let within = |x: &f64| (*x >= $lo && *x <= $hi);
                for x in points(f64::MAX, 5e-324).into_iter().filter(within) {
                    check(stringify!($name), x, of(x), [of::grad(x), of::hvp(x, 1.0), of::jvp(x, 1.0).1]);
                }
                for x in points(f64::from(f32::MAX), 1e-45).into_iter().filter(within) {
                    let single = x as f32;
                    let derivatives = [of::grad(single), of::hvp(single, 1.0), of::jvp(single, 1.0).1];
                    check(stringify!($name), x, f64::from(of(single)), derivatives.map(f64::from));
                }
            }
        }
    )*};
}

// The numbers at which a function has a value or a limit; periodic ones have none at infinity.
unary! {
    sigmoid in -INF, INF;
    log_sigmoid in -INF, INF;
    softplus in -INF, INF;
    softsign in -INF, INF;
    relu in -INF, INF;
    relu6 in -INF, INF;
    selu in -INF, INF;
    gelu in -INF, INF;
    gelu_tanh in -INF, INF;
    gelu_quick in -INF, INF;
    silu in -INF, INF;
    mish in -INF, INF;
    hard_sigmoid in -INF, INF;
    hard_swish in -INF, INF;
    hard_tanh in -INF, INF;
    step in -INF, INF;
    square in -INF, INF;
    recip in -INF, INF;
    sqrt in 0.0, INF;
    rsqrt in 0.0, INF;
    abs in -INF, INF;
    signum in -INF, INF;
    floor in -INF, INF;
    ceil in -INF, INF;
    trunc in -INF, INF;
    round in -INF, INF;
    round_ties_even in -INF, INF;
    fract in -MAX, MAX;
    next_up in -INF, INF;
    next_down in -INF, INF;
    to_degrees in -INF, INF;
    to_radians in -INF, INF;
    cbrt in -INF, INF;
    exp in -INF, INF;
    exp2 in -INF, INF;
    exp_m1 in -INF, INF;
    ln in 0.0, INF;
    log2 in 0.0, INF;
    log10 in 0.0, INF;
    ln_1p in -1.0, INF;
    sin in -MAX, MAX;
    cos in -MAX, MAX;
    tan in -MAX, MAX;
    asin in -1.0, 1.0;
    acos in -1.0, 1.0;
    atan in -INF, INF;
    sinh in -INF, INF;
    cosh in -INF, INF;
    tanh in -INF, INF;
    asinh in -INF, INF;
    acosh in 1.0, INF;
    atanh in -1.0, 1.0;
    erf in -INF, INF;
}

macro_rules! binary {
    ($($name:ident by |$x:ident, $w:ident| $value:expr, of $lo:expr, and $low:expr;)*) => {$(
        mod $name {
            use super::*;

            #[differentiable(order = 2)]
            fn of<T: Real>($x: T, $w: T) -> T {
                $value
            }

            #[test]
            fn is_no_nan() {
                pairs(stringify!($name), f64::MAX, 5e-324, [$lo, $low], &|x, w| {
                    let (g, h, k) = (of::grad(x, w), of::hvp(x, w, 1.0, 0.0), of::hvp(x, w, 0.0, 1.0));
                    (of(x, w), [g.0, g.1], [h.0, h.1, k.0, k.1])
                });
                pairs(stringify!($name), f64::from(f32::MAX), 1e-45, [$lo, $low], &|x, w| {
                    let (x, w) = (x as f32, w as f32);
                    let (g, h, k) = (of::grad(x, w), of::hvp(x, w, 1.0, 0.0), of::hvp(x, w, 0.0, 1.0));
                    let [g, h] = [vec![g.0, g.1], vec![h.0, h.1, k.0, k.1]].map(|g| g.into_iter().map(f64::from).collect::<Vec<_>>());
                    (f64::from(of(x, w)), [g[0], g[1]], [h[0], h[1], h[2], h[3]])
                });
            }
        }
    )*};
}

type Numbers = (f64, [f64; 2], [f64; 4]);

fn pairs(name: &str, largest: f64, smallest: f64, [lo, low]: [f64; 2], of: &dyn Fn(f64, f64) -> Numbers) {
    let finite = |x: &f64| x.is_finite();
    for x in points(largest, smallest).into_iter().filter(finite).filter(|x| *x >= lo) {
        for w in points(largest, smallest).into_iter().filter(finite).filter(|w| *w >= low) {
            let (value, gradient, hessian) = of(x, w);
            let at = || format!("{name} at {x:e} and {w:e}: {value:e}, {gradient:?}, {hessian:?}");
            if !value.is_finite() {
                continue;
            }
            assert!(!gradient.iter().any(|g| g.is_nan()), "{}", at());
            let tiny = |x: f64| x.abs() < 1e-15;
            if gradient.iter().all(|g| g.is_finite()) && !tiny(x) && !tiny(w) {
                assert!(!hessian.iter().any(|h| h.is_nan()), "{}", at());
            }
        }
    }
}

// From which numbers on they are asked.
binary! {
    add by |x, w| x + w, of -INF, and -INF;
    sub by |x, w| x - w, of -INF, and -INF;
    mul by |x, w| x * w, of -INF, and -INF;
    div by |x, w| x / w, of -INF, and -INF;
    rem by |x, w| x % w, of -INF, and -INF;
    midpoint by |x, w| x.midpoint(w), of -INF, and -INF;
    copysign by |x, w| x.copysign(w), of -INF, and -INF;
    maximum by |x, w| x.maximum(w), of -INF, and -INF;
    minimum by |x, w| x.minimum(w), of -INF, and -INF;
    larger_of by |x, w| x.max(w), of -INF, and -INF;
    smaller_of by |x, w| x.min(w), of -INF, and -INF;
    mul_add by |x, w| x.mul_add(w, x), of -INF, and -INF;
    clamp by |x, w| x.clamp(w, w), of -INF, and -INF;
    div_euclid by |x, w| x.div_euclid(w), of -INF, and -INF;
    rem_euclid by |x, w| x.rem_euclid(w), of -INF, and -INF;
    hypot by |x, w| x.hypot(w), of -INF, and -INF;
    atan2 by |x, w| x.atan2(w), of -INF, and -INF;
    powf by |x, w| x.powf(w), of -INF, and -INF;
    // At base 0 there is a value, and no derivative.
    log by |x, w| x.log(w), of 1e-30, and 1e-30;
    leaky_relu by |x, w| x.leaky_relu(w), of -INF, and -INF;
    prelu by |x, w| x.prelu(w), of -INF, and -INF;
    elu by |x, w| x.elu(w), of -INF, and -INF;
    celu by |x, w| x.celu(w), of -INF, and 1e-30;
}

/// The exponent is an integer.
mod powi {
    use super::*;

    #[differentiable(order = 2)]
    fn of<T: Real>(x: T, #[no_diff] n: i32) -> T {
        x.powi(n)
    }

    #[differentiable(order = 2)]
    fn least(x: f64) -> f64 {
        x.powi(i32::MIN)
    }

    #[differentiable(order = 2)]
    fn largest(x: f64) -> f64 {
        x.powi(i32::MAX)
    }

    #[test]
    fn at_the_ends() {
        for n in [i32::MIN, i32::MIN + 1, -3, -2, -1, 0, 1, 2, 3, i32::MAX - 1, i32::MAX] {
            for x in points(f64::MAX, 5e-324) {
                check("powi", x, of(x, n), [of::grad(x, n), 0.0, of::jvp(x, n, 1.0).1]);
                let single = x as f32;
                let slopes = [of::grad(single, n), 0.0, of::jvp(single, n, 1.0).1].map(f64::from);
                check("powi", x, f64::from(of(single, n)), slopes);
            }
            let (slope, curvature) = (f64::from(n), f64::from(n) * (f64::from(n) - 1.0));
            for sign in [1.0, -1.0] {
                let (odd, even) = if n % 2 == 0 { (sign, 1.0) } else { (1.0, sign) };
                assert_eq!(
                    (of(sign, n), of::grad(sign, n), of::hvp(sign, n, 1.0)),
                    (even, slope * odd, curvature * even)
                );
            }
        }
        for (n, slope) in [(0, 0.0), (1, 1.0), (2, 0.0), (3, 0.0), (i32::MAX, 0.0), (-1, -INF), (-2, -INF)] {
            assert_eq!(of::grad(0.0, n), slope, "{n}");
        }
        assert_eq!(
            [of::hvp(0.0, 0, 1.0), of::hvp(0.0, 1, 1.0), of::hvp(0.0, 2, 1.0), of::hvp(0.0, 3, 1.0)],
            [0.0, 0.0, 2.0, 0.0]
        );
        assert_eq!((least::grad(1.0), least::grad(-1.0)), (-2_147_483_648.0, 2_147_483_648.0));
        assert_eq!((least::grad(2.0), least::grad(0.0)), (0.0, -INF));
        assert_eq!(
            (largest::grad(1.0), largest::grad(-1.0), largest::grad(0.0)),
            (2_147_483_647.0, 2_147_483_647.0, 0.0)
        );
    }
}
