//! What the evaluator computes where `std` has no function for it.

/// NaN where one is.
pub fn maximum(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// As [`f64::clamp`], for ends in any order.
pub fn clamp(x: f64, low: f64, high: f64) -> f64 {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

pub fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// 2/√π · exp(−x²) · Σ 2ⁿ x²ⁿ⁺¹ / (2n+1)!!: all terms have one sign.
pub fn erf(x: f64) -> f64 {
    if x.abs() > 6.0 {
        return x.signum();
    }
    let (mut sum, mut term) = (0.0, x);
    for n in 1..200 {
        sum += term;
        term *= 2.0 * x * x / f64::from(2 * n + 1);
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}
