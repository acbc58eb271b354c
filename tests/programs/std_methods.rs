//! Every method that `std` has for numbers, with the names and the meaning that it has there.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

/// A method of one number: called as one, by its path, and in the middle of other things.
macro_rules! unary {
    ($($name:ident at $($x:literal),+;)*) => {
        $(mod $name {
            use autodiff::prelude::*;

            #[differentiable(order = 2)]
            pub fn method(x: f64) -> f64 {
                x.$name()
            }

            #[differentiable(order = 2)]
            pub fn by_path(x: f64, w: f64) -> f64 {
                let y = f64::$name(x);
                y * w + (x * w).$name() * y
            }
        })*

        #[test]
        fn of_one_number() {
            $({
                use $name::{by_path, method};
                $(
                    check!(method(x) by x = $x);
                    check!(by_path(x, w) by x = $x, w = 0.75);
                )+
            })*
        }
    };
}

unary! {
    abs at 1.3, -0.4;
    acos at 0.3, -0.7;
    acosh at 1.9, 4.2;
    asin at 0.3, -0.7;
    asinh at 1.3, -0.4;
    atan at 1.3, -0.4;
    atanh at 0.3, -0.7;
    cbrt at 1.3, -0.4;
    ceil at 1.3, -0.4;
    cos at 1.3, -0.4;
    cosh at 1.3, -0.4;
    exp at 1.3, -0.4;
    exp2 at 1.3, -0.4;
    exp_m1 at 1.3, -0.4;
    floor at 1.3, -0.4;
    fract at 1.3, -0.4;
    ln at 1.3, 0.4;
    ln_1p at 1.3, -0.4;
    log10 at 1.3, 0.4;
    log2 at 1.3, 0.4;
    recip at 1.3, -0.4;
    round at 1.3, -0.4;
    round_ties_even at 1.3, -0.4;
    signum at 1.3, -0.4;
    sin at 1.3, -0.4;
    sinh at 1.3, -0.4;
    sqrt at 1.3, 0.4;
    tan at 1.3, -0.4;
    tanh at 1.3, -0.4;
    to_degrees at 1.3, -0.4;
    to_radians at 1.3, -0.4;
    trunc at 1.3, -0.4;
}

/// A method of two numbers: both active, and one of them.
macro_rules! binary {
    ($($name:ident at $(($x:literal, $y:literal)),+;)*) => {
        $(mod $name {
            use autodiff::prelude::*;

            #[differentiable(order = 2)]
            pub fn method(x: f64, y: f64) -> f64 {
                x.$name(y) * f64::$name(x * 1.5, y + 0.1)
            }

            #[differentiable(order = 2)]
            pub fn by_the_first(x: f64, #[no_diff] y: f64) -> f64 {
                x.$name(y) * x
            }

            #[differentiable(order = 2)]
            pub fn by_the_second(#[no_diff] x: f64, y: f64) -> f64 {
                x.$name(y) * y
            }

            #[differentiable(order = 2)]
            pub fn with_itself(x: f64) -> f64 {
                x.$name(0.8) + x
            }
        })*

        #[test]
        fn of_two_numbers() {
            $({
                use $name::{by_the_first, by_the_second, method, with_itself};
                $(
                    check!(method(x, y) by x = $x, y = $y);
                    check!(by_the_first(x, $y) by x = $x);
                    check!(by_the_second($x, y) by y = $y);
                    check!(with_itself(x) by x = $x);
                )+
            })*
        }
    };
}

binary! {
    atan2 at (1.3, 0.6), (-0.4, -1.2), (0.4, -1.2);
    copysign at (1.3, 0.6), (-0.4, -1.2), (0.4, -1.2);
    div_euclid at (1.3, 0.6), (-0.4, -1.2), (7.5, 2.0);
    hypot at (1.3, 0.6), (-0.4, -1.2);
    log at (1.3, 0.6), (0.4, 2.5);
    max at (1.3, 0.6), (-0.4, 1.2);
    midpoint at (1.3, 0.6), (-0.4, -1.2);
    min at (1.3, 0.6), (-0.4, 1.2);
    powf at (1.3, 0.6), (0.4, -1.2), (2.2, 3.0);
    rem_euclid at (1.3, 0.6), (-0.4, -1.2), (7.5, 2.0);
}

#[differentiable(order = 2)]
fn of_three(x: f64, y: f64, z: f64) -> f64 {
    let bounded = x.clamp(-1.0, y.abs() + 0.5) * f64::clamp(z, -0.5, 0.5);
    x.mul_add(y, z) * bounded + y.mul_add(2.0, x) + f64::mul_add(x, x, x) + z.clamp(x.min(y), x.max(y))
}

#[differentiable(order = 2)]
fn both(x: f64, y: f64) -> f64 {
    let (s, c) = x.sin_cos();
    let (t, _) = f64::sin_cos(y * s);
    let turn = (x + y).sin_cos();
    s * c + t * turn.0 - turn.1
}

/// The exponent is known when the program runs, or where it is written.
#[differentiable(order = 2)]
fn powers(x: f64, n: i32, m: usize) -> f64 {
    let mut k = 1;
    let mut s = x.powi(n) + x.powi(-2) * x.powi(3) + f64::powi(x, n - 1);
    for _ in 0..3 {
        s += x.powi(k);
        k += 1;
    }
    for i in 0..m {
        s += x.powi(i as i32) * 0.1;
    }
    s + x.powi(m as i32) + x.powi(0) + (x * 0.5).powi(1)
}

#[differentiable(order = 2)]
fn remainders(x: f64, y: f64) -> f64 {
    let mut r = x % y;
    r %= 0.7;
    r * x + (x * y) % 1.0 - (-x) % y
}

#[test]
fn of_several() {
    for (x, y, z) in [(0.4, -0.3, 0.2), (-1.6, 0.9, 0.7), (2.4, 0.3, -0.9)] {
        check!(of_three(x, y, z) by x, y, z);
        check!(both(x, y) by x, y);
    }
    for n in -2..4 {
        check!(powers(x, n, 3) by x = 1.3);
        check!(powers(x, n, 0) by x = -0.8);
    }
    check!(remainders(x, y) by x = 5.3, y = 1.9);
    check!(remainders(x, y) by x = -5.3, y = 1.9);
}

/// What asks about a number is true or false, or an integer, and has no derivative.
#[differentiable(order = 2)]
fn questions(x: f64, y: f64) -> f64 {
    use std::cmp::Ordering;
    let mut s = x * y;
    if x.is_nan() || y.is_infinite() || !x.is_finite() {
        return s;
    }
    if x.is_sign_negative() {
        s *= 2.0;
    }
    if y.is_sign_positive() && x.is_normal() && !y.is_subnormal() {
        s += x;
    }
    s = match x.total_cmp(&y) {
        Ordering::Less => s * x,
        Ordering::Equal => s,
        Ordering::Greater => s * y,
    };
    if let Some(Ordering::Less) = x.partial_cmp(&y) {
        s = s.sin();
    }
    if stop_gradient(x).to_bits() == 7 {
        s = 0.0;
    }
    if x.max(y) == y && x.total_cmp(&y).is_lt() && x.partial_cmp(&y) != Some(Ordering::Greater) {
        s += y * y;
    }
    s
}

#[differentiable(order = 2)]
fn constants(x: f64) -> f64 {
    use std::f64::consts::{E, FRAC_PI_2, LN_2, SQRT_2};
    let least = f64::MIN_POSITIVE.max(f64::EPSILON);
    let huge = f64::MAX.min(1e3);
    (x * std::f64::consts::PI + FRAC_PI_2).sin() * E.powf(x) + LN_2 / (x + SQRT_2) + least * x + huge.ln() * x
        - core::f64::consts::TAU.sqrt()
        + 2.0_f64.sqrt() * x
        + 2f64.powi(3)
        + (1.0_f64 / 3.0).exp() * x.max(f64::NEG_INFINITY).min(f64::INFINITY)
}

/// Numbers of other types on their way in.
#[differentiable(order = 2)]
fn conversions(x: f64, n: u32, k: i64, flag: bool, byte: u8) -> f64 {
    let a = f64::from(n) * x + f64::from(byte);
    let b = k as f64 * x + (n as usize + 2) as f64;
    let c = f64::from(flag) * x;
    let d = if flag { f64::from(3_u8) } else { f64::from(n as i32) };
    let e: f64 = n.into();
    let f = stop_gradient(x).floor() as i64;
    let g = stop_gradient(x * 10.0) as usize;
    a * b + c * d + e * x + f as f64 * x + g as f64 + (k as f64 / 3.0).sin() * x + i32::try_from(n).unwrap() as f64
}

#[differentiable(order = 2)]
fn as_functions(x: &[f64]) -> f64 {
    let roots: f64 = x.iter().copied().map(f64::abs).map(f64::sqrt).sum();
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = x.iter().cloned().fold(f64::MAX, f64::min);
    let far = x.iter().copied().fold(0.0, f64::hypot);
    roots * largest + smallest * far
}

#[differentiable(order = 2)]
fn neighbours(x: f64) -> f64 {
    x.next_up() * x - x.next_down() * 0.5
}

#[test]
fn of_other_kinds() {
    for (x, y) in [(0.4, 1.3), (-0.4, 1.3), (1.4, -1.3), (2.0, 1.0)] {
        check!(questions(x, y) by x, y);
    }
    check!(constants(x) by x = 0.6);
    check!(conversions(x, 3, -4, true, 7) by x = 0.63);
    check!(conversions(x, 0, 5, false, 0) by x = 1.27);
    check!(as_functions(&x) by x = vec![0.4, -1.3, 2.2, -0.1]);
    check!(neighbours(x) by x = 0.6);
}

#[differentiable(order = 2)]
fn root(a: f64, b: f64) -> Option<f64> {
    let discriminant = a * a - b;
    (discriminant >= 0.0).then(|| a + discriminant.sqrt())
}

#[differentiable(order = 2)]
fn chosen_by_truth(a: f64, b: f64) -> f64 {
    let near = (a > b).then_some(a * b);
    let pair = (a * b > 0.25).then_some((a, b * b));
    let (x, y) = pair.unwrap_or((b, a));
    root(a, b).unwrap_or(0.5 * a * b) + near.map_or(b, |n| n * a) + x * y
}

#[test]
fn a_truth_value_chooses_an_option() {
    check!(chosen_by_truth(a, b) by a = 0.7, b = 0.3);
    check!(chosen_by_truth(a, b) by a = 0.7, b = 1.3);
    check!(chosen_by_truth(a, b) by a = 0.2, b = 0.1);
}
