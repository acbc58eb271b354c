//! Complex numbers: values by identities, derivatives by those of holomorphic functions.

use autodiff::complex::Complex;
use autodiff::prelude::*;

type Complex64 = Complex<f64>;
type Complex32 = Complex<f32>;

const POINTS: [Complex64; 6] = [
    Complex { re: 1.2, im: 0.7 },
    Complex { re: -0.8, im: 0.5 },
    Complex { re: -1.1, im: -0.6 },
    Complex { re: 0.3, im: -1.4 },
    Complex { re: 0.9, im: 0.0 },
    Complex { re: 0.0, im: 2.0 },
];

fn close(a: Complex64, b: Complex64) -> bool {
    (a - b).norm() <= 1e-12 * (1.0 + b.norm())
}

/// Functions with their complex derivatives, from which both modes and the second order follow: `jvp` along `d` is `f′·d`, the
/// cotangent of `ȳ` is `conj f′·ȳ`, and the gradient of `Re f` along `d` changes by the conjugate of `f″·d`.
macro_rules! holomorphic {
    ($($name:ident |$z:ident| $value:expr, $first:expr, $second:expr;)*) => {
        $(
            mod $name {
                use super::*;

                #[differentiable(order = 2)]
                fn f($z: Complex<f64>) -> Complex<f64> {
                    $value
                }

                #[differentiable(order = 2)]
                fn re($z: Complex<f64>) -> f64 {
                    let value = $value;
                    value.re
                }

                #[test]
                fn derivatives() {
                    let (d, seed) = (Complex::new(0.3, -0.9), Complex::new(-0.4, 0.7));
                    for $z in POINTS {
                        let (first, second): (Complex64, Complex64) = ($first, $second);
                        let (value, along) = f::jvp($z, &d.into());
                        assert_eq!(value, f($z));
                        assert!(close(along.to_complex(), first * d), "jvp at {:?}: {along:?}", $z);
                        let (_, back) = f::vjp($z);
                        let found = back(&seed.into()).to_complex();
                        assert!(close(found, first.conj() * seed), "vjp at {:?}: {found:?}", $z);
                        assert!(close(re::grad($z).conj(), first), "gradient at {:?}", $z);
                        let found = re::hvp($z, &d.into()).conj();
                        assert!(close(found, second * d), "hvp at {:?}: {found:?}, {:?}", $z, second * d);
                    }
                }
            }
        )*
    };
}

const ONE: Complex64 = Complex { re: 1.0, im: 0.0 };
const TWO_I: Complex64 = Complex { re: 0.0, im: 2.0 };

holomorphic!(
    square |z| z * z, 2.0 * z, ONE * 2.0;
    sums |z| (z + z * 3.0 - 1.5) + (2.0 - z), ONE * 3.0, ONE * 0.0;
    quotient |z| z / (z * z + 5.0), (5.0 - z * z) / (z * z + 5.0) / (z * z + 5.0),
        2.0 * z * (z * z - 15.0) / (z * z + 5.0) / (z * z + 5.0) / (z * z + 5.0);
    inverse |z| z.inv(), -(z * z).inv(), 2.0 / (z * z * z);
    real_over |z| 1.0 / (z / 2.0), -2.0 / (z * z), 4.0 / (z * z * z);
    exponential |z| z.exp(), z.exp(), z.exp();
    logarithm |z| z.ln(), z.inv(), -(z * z).inv();
    root |z| z.sqrt(), 0.5 / z.sqrt(), -0.25 / (z * z.sqrt());
    power |z| z.powf(2.5), 2.5 * z.powf(1.5), 3.75 * z.sqrt();
    complex_power |z| { let w: Complex<f64> = Complex::new(0.5, 2.0); z.powc(w) },
        z.powc(Complex::new(0.5, 2.0)) / z * Complex::new(0.5, 2.0),
        z.powc(Complex::new(0.5, 2.0)) / (z * z) * Complex::new(0.5, 2.0) * Complex::new(-0.5, 2.0);
    sine |z| z.sin(), z.cos(), -z.sin();
    cosine |z| z.cos(), -z.sin(), -z.cos();
    tangent |z| z.tan(), 1.0 + z.tan() * z.tan(), 2.0 * z.tan() * (1.0 + z.tan() * z.tan());
    hyperbolic_sine |z| z.sinh(), z.cosh(), z.sinh();
    hyperbolic_cosine |z| z.cosh(), z.sinh(), z.cosh();
    hyperbolic_tangent |z| z.tanh(), 1.0 - z.tanh() * z.tanh(), -2.0 * z.tanh() * (1.0 - z.tanh() * z.tanh());
    polar |z| Complex::from_polar(z.norm(), z.arg()), ONE, ONE * 0.0;
    assigned |z| { let mut w = z; w += z; w *= z; w -= ONE; w *= 0.5; w /= z; w }, 1.0 + 0.5 / (z * z), -1.0 / (z * z * z);
);

#[test]
fn values() {
    for z in POINTS {
        assert!(close(z.sqrt() * z.sqrt(), z) && z.sqrt().re >= 0.0);
        assert!(close(z.ln().exp(), z) && close(z.powf(3.0), z * z * z) && close(z.powc(ONE * 2.0), z * z));
        assert!(close(z.sin() * z.sin() + z.cos() * z.cos(), ONE) && close(z.tan(), z.sin() / z.cos()));
        assert!(close(z.cosh() * z.cosh() - z.sinh() * z.sinh(), ONE) && close(z.tanh(), z.sinh() / z.cosh()));
        assert!(close((TWO_I * 0.5 * z).exp(), (TWO_I * 0.5 * z).cosh() + (TWO_I * 0.5 * z).sinh()));
        assert!(close(z.conj() * z, ONE * z.norm_sqr()) && close(z / z, ONE));
    }
    // Nothing overflows on the way.
    let large = Complex::new(1e200, 1e200);
    assert!(close(large / large, ONE) && large.norm().is_finite());
    assert_eq!(Complex::new(0.5, 400.0).tan(), Complex::new(0.0, 1.0));
    assert_eq!(Complex::new(0.0_f64, 0.0).sqrt(), Complex::new(0.0, 0.0));
    // The jump along the negative axis has the sign of the imaginary part.
    assert_eq!(Complex::new(-4.0, 0.0).sqrt(), Complex::new(0.0, 2.0));
    assert_eq!(Complex::new(-4.0, -0.0).sqrt(), Complex::new(0.0, -2.0));
}

/// There is no derivative at 0, and no number that looks like one.
#[test]
fn the_root_of_zero() {
    #[differentiable]
    fn root(z: Complex<f64>) -> Complex<f64> {
        z.sqrt()
    }
    for direction in [ONE, TWO_I] {
        let (value, along) = root::jvp(ONE * 0.0, &direction.into());
        assert!(value == ONE * 0.0 && !(along.re.is_finite() && along.im.is_finite()), "{along:?}");
    }
}

/// Energy of a signal after a filter: arrays, slices, loops and a state.
#[differentiable]
fn energy(signal: &[Complex64], pole: Complex64, gain: f64) -> f64 {
    let mut state = Complex::new(0.0, 0.0);
    let mut sum = 0.0;
    for z in signal {
        state = state * pole + *z * gain;
        sum += state.norm_sqr();
    }
    sum
}

#[test]
fn a_filter() {
    let pole = Complex::new(0.6, 0.5);
    let (by_signal, by_pole, by_gain) = energy::grad(&POINTS, pole, 0.8);
    let h = 1e-6;
    let along = |d: Complex64| (energy(&POINTS, pole + d * h, 0.8) - energy(&POINTS, pole - d * h, 0.8)) / (2.0 * h);
    assert!((along(ONE) - by_pole.re).abs() < 1e-7 && (along(TWO_I) - 2.0 * by_pole.im).abs() < 1e-7);
    assert!((by_gain - 2.0 * energy(&POINTS, pole, 0.8) / 0.8).abs() < 1e-11);
    for (at, found) in by_signal.iter().enumerate() {
        let moved = |d: Complex64| {
            let mut signal = POINTS;
            signal[at] += d;
            energy(&signal, pole, 0.8)
        };
        for (d, found) in [(ONE, found.re), (TWO_I * 0.5, found.im)] {
            assert!(((moved(d * h) - moved(d * -h)) / (2.0 * h) - found).abs() < 1e-7);
        }
    }
}

/// Not holomorphic, in single precision.
#[differentiable]
fn mixed(z: Complex32, w: Complex32) -> f32 {
    (z.conj() * w - z / 2.0).norm() * z.arg()
}

#[test]
fn single_precision() {
    let (z, w) = (Complex::new(0.8_f32, 0.6), Complex::new(-0.3, 1.1));
    let (by_z, by_w) = mixed::grad(z, w);
    let h = 1e-2;
    let along = |d: Complex32, e: Complex32| (mixed(z + d * h, w + e * h) - mixed(z - d * h, w - e * h)) / (2.0 * h);
    let (one, i, none) = (Complex::new(1.0, 0.0), Complex::new(0.0, 1.0), Complex::new(0.0, 0.0));
    let found = [by_z.re, by_z.im, by_w.re, by_w.im];
    let expected = [along(one, none), along(i, none), along(none, one), along(none, i)];
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-3, "{found}, {expected}");
    }
}

/// JAX's conventions, from its documentation: the gradient of a real function is conjugate to the direction of steepest ascent; of `|z|²` it
/// is `2·conj z`.
#[test]
fn conventions() {
    #[differentiable]
    fn squared(z: Complex<f64>) -> f64 {
        z.norm_sqr()
    }
    let z = Complex::new(0.25, -3.0);
    assert_eq!(squared::grad(z).conj(), 2.0 * z.conj());
    assert_eq!(squared::grad(z).to_complex(), 2.0 * z);
}
