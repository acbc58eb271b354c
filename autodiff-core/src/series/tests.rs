//! The recurrences against closed forms, to order 8.

use super::*;
use crate::Real;

/// How many coefficients: orders 0 to 8.
const K: usize = 9;

type Tail<T> = Lanes<T, K>;

/// Agreement up to rounding, relative to the largest coefficient.
#[track_caller]
fn close<T: Real>(given: Tail<T>, expected: impl Fn(usize) -> f64) {
    let expected: [f64; K] = core::array::from_fn(|k| if k == 0 { 0.0 } else { expected(k) });
    let largest = expected.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
    for k in 0..K {
        let error = (given.0[k].to_f64() - expected[k]).abs();
        let tolerance = 64.0 * T::EPSILON.to_f64() * largest;
        assert!(error <= tolerance, "coefficient {k}: {} instead of {}", given.0[k], expected[k]);
    }
}

/// The tail of x₀ + t.
fn line<T: Real>() -> Tail<T> {
    Lanes(core::array::from_fn(|k| if k == 1 { T::ONE } else { T::ZERO }))
}

/// The tail of a curve, for identities.
fn curve<T: Real>() -> Tail<T> {
    let coefficients = [0.0, 1.0, -0.5, 0.25, 0.4, -0.3, 0.2, 0.1, -0.15];
    Lanes(coefficients.map(T::from_f64))
}

fn factorial(k: usize) -> f64 {
    (1..=k).map(|k| k as f64).product()
}

/// (p over k)
fn binomial(p: f64, k: usize) -> f64 {
    (0..k).map(|j| (p - j as f64) / (j + 1) as f64).product()
}

macro_rules! in_both_precisions {
    ($($name:ident => $check:ident;)*) => {$(
        #[test]
        fn $name() {
            $check::<f32>();
            $check::<f64>();
        }
    )*};
}

in_both_precisions! {
    products_and_quotients => product_and_quotient;
    exponentials_and_logarithms => exponential_and_logarithm;
    sines_and_cosines => sine_and_cosine;
    tangents_and_sigmoids => tangent_and_sigmoid;
    powers_of_numbers => power_of_number;
    powers_where_there_is_no_reciprocal => power_at_zero;
    lengths => length;
}

fn product_and_quotient<T: Real>() {
    let number = T::from_f64;
    // 1/x at 2: (−1)ᵏ / 2ᵏ⁺¹
    let reciprocal = quotient(number(0.5), number(2.0), Tail::<T>::ZERO, line());
    close(reciprocal, |k| (-0.5_f64).powi(k as i32) * 0.5);
    // x · (1/x) = 1, and (a·b) / b = a.
    close(product(number(2.0), number(0.5), line(), reciprocal), |_| 0.0);
    let (a, b) = (curve::<T>(), curve::<T>() * number(0.5));
    let whole = product(number(3.0), number(2.0), a, b);
    close(quotient(number(3.0), number(2.0), whole, b), |k| a.0[k].to_f64());
}

fn exponential_and_logarithm<T: Real>() {
    let number = T::from_f64;
    let value = number(0.5).exp();
    close(exponential(value, line::<T>()), |k| 0.5_f64.exp() / factorial(k));
    // ln at 2, by its derivative 1/x: −(−½)ᵏ / k
    let reciprocal = quotient(number(0.5), number(2.0), Tail::<T>::ZERO, line());
    let logarithm = integral(number(0.5), reciprocal, line());
    close(logarithm, |k| -(-0.5_f64).powi(k as i32) / k as f64);
    close(exponential(number(2.0), logarithm), |k| line::<f64>().0[k]);
}

fn sine_and_cosine<T: Real>() {
    let x = T::from_f64(0.7);
    let quarters = |k: usize| 0.7 + k as f64 * core::f64::consts::FRAC_PI_2;
    close(wave(x.sin(), x.cos(), -T::ONE, line::<T>()), |k| quarters(k).sin() / factorial(k));
    close(wave(x.cos(), -x.sin(), -T::ONE, line::<T>()), |k| quarters(k).cos() / factorial(k));
    let (sinh, cosh) = (0.7_f64.sinh(), 0.7_f64.cosh());
    close(
        wave(x.sinh(), x.cosh(), T::ONE, line::<T>()),
        |k| if k.is_multiple_of(2) { sinh } else { cosh } / factorial(k),
    );
    close(
        wave(x.cosh(), x.sinh(), T::ONE, line::<T>()),
        |k| if k.is_multiple_of(2) { cosh } else { sinh } / factorial(k),
    );
}

/// Against quotients, along a curve.
fn tangent_and_sigmoid<T: Real>() {
    let (x, tail, one, zero) = (T::from_f64(0.4), curve::<T>(), T::ONE, T::ZERO);
    let (sin, cos) = (wave(x.sin(), x.cos(), -one, tail), wave(x.cos(), -x.sin(), -one, tail));
    let (sinh, cosh) = (wave(x.sinh(), x.cosh(), one, tail), wave(x.cosh(), x.sinh(), one, tail));
    let expected = quotient(x.tan(), x.cos(), sin, cos);
    close(riccati(x.tan(), one, zero, one, tail), |k| expected.0[k].to_f64());
    let expected = quotient(x.tanh(), x.cosh(), sinh, cosh);
    close(riccati(x.tanh(), one, zero, -one, tail), |k| expected.0[k].to_f64());
    // 1 / (1 + exp(−x))
    let below = exponential((-x).exp(), -tail);
    let expected = quotient(x.sigmoid(), one + (-x).exp(), Tail::<T>::ZERO, below);
    close(riccati(x.sigmoid(), zero, one, -one, tail), |k| expected.0[k].to_f64());
}

fn power_of_number<T: Real>() {
    for p in [0.5, -0.5, 1.0 / 3.0, 2.5, -2.0, 3.0, 12.0] {
        let (x, exponent) = (T::from_f64(1.5), T::from_f64(p));
        let tail = power(x, exponent, x.powf(exponent), line::<T>());
        close(tail, |k| binomial(exponent.to_f64(), k) * 1.5_f64.powf(exponent.to_f64() - k as f64));
    }
    // √x · √x = x, also below zero: ∛x · ∛x · ∛x = x.
    let (x, tail) = (T::from_f64(2.0), curve::<T>());
    let root = power(x, T::from_f64(0.5), x.sqrt(), tail);
    close(product(x.sqrt(), x.sqrt(), root, root), |k| tail.0[k].to_f64());
    let (x, y) = (T::from_f64(-2.0), T::from_f64(-2.0).cbrt());
    let root = power(x, T::ONE / T::from_f64(3.0), y, tail);
    let square = product(y, y, root, root);
    close(product(y * y, y, square, root), |k| tail.0[k].to_f64());
}

/// A polynomial has its derivatives at 0 too, and where its value underflows; those of a root are infinite there.
fn power_at_zero<T: Real>() {
    for x in [T::ZERO, T::from_f64(1e-30)] {
        let cube = power(x, T::from_f64(3.0), x.powf(T::from_f64(3.0)), line::<T>());
        close(cube, |k| if k == 3 { 1.0 } else { 0.0 });
    }
    let root = power(T::ZERO, T::from_f64(0.5), T::ZERO, line::<T>());
    assert_eq!(root[1], T::INFINITY);
    // x^2.5 has two derivatives at 0.
    let power = power(T::ZERO, T::from_f64(2.5), T::ZERO, line::<T>());
    assert_eq!([power[1], power[2], power[3]], [T::ZERO, T::ZERO, T::INFINITY]);
}

fn length<T: Real>() {
    let (a, b) = (T::from_f64(3.0), T::from_f64(4.0));
    let (a_tail, b_tail) = (curve::<T>(), line::<T>());
    let squares = product(a, a, a_tail, a_tail) + product(b, b, b_tail, b_tail);
    let expected = power(T::from_f64(25.0), T::from_f64(0.5), T::from_f64(5.0), squares);
    close(hypot(a, b, T::from_f64(5.0), a_tail, b_tail), |k| expected.0[k].to_f64());
    assert_eq!(hypot(T::ZERO, T::ZERO, T::ZERO, line::<T>(), line()), Tail::<T>::ZERO);
}

#[test]
fn derivatives_are_factorials_of_coefficients() {
    let mut leaf = [Lanes([0.0, 1.0, 1.0, 1.0, 1.0]); 2];
    derivatives(&mut leaf);
    assert_eq!(leaf, [Lanes([0.0, 1.0, 2.0, 6.0, 24.0]); 2]);
}
