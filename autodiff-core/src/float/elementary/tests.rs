//! Ours against correctly rounded values. All of them are within 2 units in the last place.
//!
//! In `f32` the reference is the function in `f64`. In `f64` it is `reference.txt`, lines of a name and the bits of `x` and
//! of the function there, computed with 400 bits; between them, `std`'s functions.

use crate::Real;
use alloc::vec::Vec;

/// The distance in units of the last place of an `f32`.
fn units_f32(found: f32, expected: f64) -> f64 {
    let exponent = (((expected.abs().to_bits() >> 52) as i32) - 1023).max(-126);
    (f64::from(found) - expected).abs() / 2.0_f64.powi(exponent - 23)
}

/// How many numbers are between the two.
fn units_f64(found: f64, expected: f64) -> u64 {
    let place = |x: f64| if x < 0.0 { -(x.abs().to_bits() as i64) } else { x.abs().to_bits() as i64 };
    place(found).abs_diff(place(expected))
}

/// Whether `found` is right where `expected` is NaN, 0, infinite or one that rounds to infinity. Else there is no answer.
fn at_an_edge(found: f64, expected: f64, rounded: f64) -> Option<bool> {
    if expected.is_nan() {
        Some(found.is_nan())
    } else if expected == 0.0 || rounded.is_infinite() && found.is_infinite() {
        Some(found.to_bits() == rounded.to_bits())
    } else if found != 0.0 && found.is_sign_negative() != expected.is_sign_negative() {
        Some(false)
    } else {
        None
    }
}

const NAMES: [&str; 7] = ["exp", "exp_m1", "sigmoid", "tanh", "ln", "ln_1p", "erf"];

fn ours<T: Real>(name: &str) -> fn(T) -> T {
    match name {
        "exp" => T::exp,
        "exp_m1" => T::exp_m1,
        "sigmoid" => T::sigmoid,
        "tanh" => T::tanh,
        "ln" => T::ln,
        "ln_1p" => T::ln_1p,
        "erf" => T::erf,
        _ => unreachable!("{name}"),
    }
}

fn theirs(name: &str) -> fn(f64) -> f64 {
    match name {
        "exp" => f64::exp,
        "exp_m1" => f64::exp_m1,
        // Far out, 1 is lost beside the other term.
        "sigmoid" => |x| if x < -40.0 { x.exp() } else { 1.0 / (1.0 + (-x).exp()) },
        "tanh" => f64::tanh,
        "ln" => f64::ln,
        "ln_1p" => f64::ln_1p,
        "erf" => libm::erf,
        _ => unreachable!("{name}"),
    }
}

/// Every function of every `step`-th `f32`, of all signs, sizes and kinds.
fn all_f32(step: usize) {
    for name in NAMES {
        let (f, reference) = (ours::<f32>(name), theirs(name));
        for bits in (0..=u32::MAX).step_by(step) {
            let x = f32::from_bits(bits);
            let (found, expected) = (f(x), reference(f64::from(x)));
            let right = at_an_edge(f64::from(found), expected, f64::from(expected as f32))
                .unwrap_or_else(|| units_f32(found, expected) <= 2.0);
            assert!(right, "{name} of {x:e} is {found:e}, not {expected:e}");
        }
    }
}

#[test]
fn some_f32() {
    all_f32(if cfg!(miri) { 80_000_017 } else { 20_011 });
}

#[test]
#[ignore = "takes half an hour, optimised"]
fn every_f32() {
    all_f32(1);
}

#[test]
fn f64_of_the_table() {
    let mut count = 0;
    for line in include_str!("reference.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |k: usize| f64::from_bits(u64::from_str_radix(words[k], 16).unwrap());
        let (x, expected) = (number(1), number(2));
        let found = ours::<f64>(words[0])(x);
        assert!(units_f64(found, expected) <= 2, "{} of {x:e} is {found:e}, not {expected:e}", words[0]);
        count += 1;
    }
    assert!(count > 400);
}

/// `std` may be wrong by as much as we.
#[test]
fn f64_beside_std() {
    for name in NAMES {
        let (f, reference) = (ours::<f64>(name), theirs(name));
        let mut bits = 0_u64;
        for _ in 0..if cfg!(miri) { 100 } else { 40_000 } {
            // Knuth's multiplier: all exponents turn up, and half of the numbers are between 2⁻³² and 2³².
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let near = (bits & !(0x7ff << 52)) | ((991 + (bits >> 53 & 0x3f)) << 52);
            for x in [f64::from_bits(bits), f64::from_bits(near)] {
                let (found, expected) = (f(x), reference(x));
                let right = at_an_edge(found, expected, expected).unwrap_or_else(|| units_f64(found, expected) <= 4);
                assert!(right, "{name} of {x:e} is {found:e}, not {expected:e}");
            }
        }
    }
}

/// What functions are at the ends, to the bit.
fn edges<T: Real>(smallest: T) {
    let [zero, one, infinity, nan] = [T::ZERO, T::ONE, T::INFINITY, T::ZERO / T::ZERO];
    let half = T::from_f64(0.5);
    for (name, values) in [
        (
            "exp",
            [(zero, one), (-zero, one), (infinity, infinity), (-infinity, zero), (T::MAX, infinity), (-T::MAX, zero)],
        ),
        (
            "exp_m1",
            [
                (zero, zero),
                (-zero, -zero),
                (infinity, infinity),
                (-infinity, -one),
                (T::MAX, infinity),
                (smallest, smallest),
            ],
        ),
        ("sigmoid", [(zero, half), (-zero, half), (infinity, one), (-infinity, zero), (T::MAX, one), (-T::MAX, zero)]),
        (
            "tanh",
            [(zero, zero), (-zero, -zero), (infinity, one), (-infinity, -one), (-T::MAX, -one), (-smallest, -smallest)],
        ),
        (
            "ln",
            [
                (zero, -infinity),
                (-zero, -infinity),
                (infinity, infinity),
                (-infinity, nan),
                (-smallest, nan),
                (one, zero),
            ],
        ),
        (
            "ln_1p",
            [
                (zero, zero),
                (-zero, -zero),
                (infinity, infinity),
                (-one, -infinity),
                (-infinity, nan),
                (-smallest, -smallest),
            ],
        ),
        ("erf", [(zero, zero), (-zero, -zero), (infinity, one), (-infinity, -one), (T::MAX, one), (-T::MAX, -one)]),
    ] {
        let f = ours::<T>(name);
        for (x, expected) in values {
            let found = f(x);
            let same = found == expected && found.is_sign_negative() == expected.is_sign_negative();
            assert!(same || found.is_nan() && expected.is_nan(), "{name} of {x} is {found}, not {expected}");
        }
        assert!(f(nan).is_nan() && f(-nan).is_nan(), "{name} of NaN");
    }
}

#[test]
fn edges_of_both() {
    edges(f32::from_bits(1));
    edges(f64::from_bits(1));
    assert!(Real::sigmoid(-88.0_f32) > 0.0 && Real::sigmoid(-103.0_f32).is_subnormal());
    assert!(Real::sigmoid(-745.0_f64) > 0.0 && Real::exp(-740.0_f64).is_subnormal());
}
