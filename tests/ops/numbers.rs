//! Functions of numbers under the names that `std` gives them, of `f64`, `f32` and any `T: Real`; and operators that
//! have no row in the files beside this one, against values worked out by hand.

use autodiff::prelude::*;

/// Value against `std`, derivative against differences, in all three types.
macro_rules! named_as_in_std {
    ($($name:ident($x:literal $(, $arg:ident = $value:literal)*);)*) => {$(
        mod $name {
            use super::*;

            #[differentiable]
            fn double(x: f64 $(, $arg: f64)*) -> f64 {
                x.$name($($arg),*)
            }

            #[differentiable]
            fn single(x: f32 $(, $arg: f32)*) -> f32 {
                x.$name($($arg),*)
            }

            #[differentiable(wrt(x))]
            fn generic<T: Real>(x: T $(, $arg: T)*) -> T {
                x.$name($($arg),*)
            }

            #[test]
            fn value_and_slope() {
                let of = |x: f64| f64::$name(x $(, $value)*);
                let slope = (of($x + 1e-5) - of($x - 1e-5)) / 2e-5;
                let close = |a: f64, b: f64, tolerance: f64| assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} {b}");
                close(double($x $(, $value)*), of($x), 1e-15);
                let (value, x_bar) = generic::value_and_grad($x $(, $value)*);
                close(value, of($x), 1e-15);
                close(x_bar, slope, 1e-8);
                let (value, x_bar) = generic::value_and_grad($x as f32 $(, $value as f32)*);
                close(f64::from(value), of($x), 1e-6);
                close(f64::from(x_bar), slope, 1e-5);
                close(f64::from(single($x as f32 $(, $value as f32)*)), of($x), 1e-6);
            }
        }
    )*};
}

named_as_in_std! {
    abs(-0.75);
    signum(-0.75);
    sqrt(0.75);
    cbrt(0.75);
    recip(0.75);
    exp(0.75);
    exp2(0.75);
    exp_m1(0.75);
    ln(0.75);
    log2(0.75);
    log10(0.75);
    ln_1p(0.75);
    sin(0.75);
    cos(0.75);
    tan(0.75);
    asin(0.75);
    acos(0.75);
    atan(0.75);
    sinh(0.75);
    cosh(0.75);
    tanh(0.75);
    asinh(0.75);
    acosh(1.75);
    atanh(0.75);
    floor(0.75);
    ceil(0.75);
    round(0.75);
    trunc(0.75);
    fract(0.75);
    to_degrees(0.75);
    to_radians(0.75);
    log(0.75, base = 3.0);
    powf(0.75, p = 2.5);
    hypot(0.75, y = 2.0);
    atan2(0.75, x2 = -2.0);
    mul_add(0.75, a = 2.0, b = 0.5);
    copysign(0.75, sign = -2.0);
    rem_euclid(-0.75, by = 0.5);
    div_euclid(-0.75, by = 0.5);
    max(0.75, other = 0.5);
    min(0.75, other = 0.5);
    clamp(0.75, low = 0.0, high = 2.0);
    midpoint(0.75, other = 0.5);
}

#[differentiable]
fn turned<T: Real>(x: T, n: i32) -> T {
    let (sin, cos) = x.sin_cos();
    sin * cos + x.powi(n)
}

#[test]
fn sine_and_cosine_and_integer_powers() {
    let (value, x_bar) = turned::value_and_grad(0.5_f64, 3);
    assert!((value - (0.5_f64.sin() * 0.5_f64.cos() + 0.125)).abs() < 1e-15);
    assert!((x_bar - (1.0_f64.cos() + 0.75)).abs() < 1e-15);
}

#[differentiable]
fn of_every_rank(
    x0: f64,
    x1: &Tensor1<f64, 2>,
    x2: &Tensor2<f64, 1, 2>,
    x3: &Tensor3<f64, 1, 1, 2>,
    x4: &Tensor4<f64, 1, 1, 1, 2>,
    x5: &Tensor5<f64, 1, 1, 1, 1, 2>,
    x6: &Tensor6<f64, 2, 1, 1, 1, 1, 2>,
) -> Tensor6<f64, 2, 1, 1, 1, 1, 2> {
    (x0 * x1.tanh() + x2.exp() * x3.sin()) * x4.sigmoid() + x5.square() * x6
}

#[test]
fn ranks() {
    let (x1, x2, x3) = (Tensor1::from([0.5, -0.5]), Tensor2::zeros(), Tensor3::zeros());
    let (x4, x5, x6) = (Tensor4::zeros(), Tensor5::full(3.0), Tensor6::ones());
    let (y, pullback) = of_every_rank::vjp(2.0, &x1, &x2, &x3, &x4, &x5, &x6);
    let tanh = 0.5_f64.tanh();
    assert_eq!(y.as_slice(), [tanh + 9.0, 9.0 - tanh, tanh + 9.0, 9.0 - tanh]);
    let (b0, b1, b2, b3, b4, b5, b6) = pullback(&Tensor6::ones());
    let slope = 2.0 * (1.0 - tanh * tanh);
    assert_eq!((b0, b1, b2), (0.0, Tensor1::full(slope), Tensor2::zeros()));
    assert_eq!((b3, b5, b6), (Tensor3::full(1.0), Tensor5::full(12.0), Tensor6::full(9.0)));
    // ¼ of what the sigmoid is multiplied with, 2·tanh, for each of the two rows.
    assert_eq!(b4.as_slice(), [tanh, -tanh]);
}

#[differentiable]
fn strided(x: &Tensor2<f64, 5, 3>) -> Tensor2<f64, 3, 2> {
    x.strided(0, 2).strided(1, 2)
}

#[differentiable]
fn hidden(x: &Tensor2<f64, 2, 2>) -> Tensor2<f64, 2, 2> {
    x.causal_mask(f64::NEG_INFINITY).softmax(1)
}

#[differentiable]
fn columns(x: &Tensor3<f64, 1, 1, 4>) -> Tensor3<f64, 1, 2, 3> {
    x.im2col1d(2, Window1d { padding: 1, stride: 2, ..Default::default() })
}

#[differentiable]
fn halves(x: &Tensor2<f64, 2, 4>) -> Tensor2<f64, 2, 4> {
    x.rope_halves(10000.0)
}

#[test]
fn strides() {
    let x = Tensor2::from_fn(|[i, j]| (3 * i + j) as f64);
    let (y, pullback) = strided::vjp(&x);
    assert_eq!(y, Tensor2::from([[0.0, 2.0], [6.0, 8.0], [12.0, 14.0]]));
    let x_bar = pullback(&Tensor2::from([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]));
    let rows = [[1.0, 0.0, 2.0], [0.0; 3], [3.0, 0.0, 4.0], [0.0; 3], [5.0, 0.0, 6.0]];
    assert_eq!(x_bar, Tensor2::from(rows));
}

#[test]
fn masks() {
    // What is hidden may be anything.
    let (y, pullback) = hidden::vjp(&Tensor2::from([[3.0, f64::NAN], [1.0, 1.0]]));
    assert_eq!(y, Tensor2::from([[1.0, 0.0], [0.5, 0.5]]));
    assert_eq!(pullback(&Tensor2::from([[1.0, 2.0], [3.0, 4.0]])), Tensor2::from([[0.0, 0.0], [-0.25, 0.25]]));
}

#[test]
fn sequences_as_columns() {
    let (y, pullback) = columns::vjp(&Tensor3::from([[[1.0, 2.0, 3.0, 4.0]]]));
    assert_eq!(y, Tensor3::from([[[0.0, 2.0, 4.0], [1.0, 3.0, 0.0]]]));
    let x_bar = pullback(&Tensor3::from([[[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]]]));
    assert_eq!(x_bar, Tensor3::from([[[40.0, 20.0, 50.0, 30.0]]]));
}

/// The pairs of `rope`, at other places.
#[test]
fn rotations_of_halves() {
    let (y, pullback) = halves::vjp(&Tensor2::from([[9.0, 8.0, 7.0, 6.0], [1.0, 3.0, 2.0, 4.0]]));
    let close = |a: &[f64], b: [f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-8);
    assert!(close(&y.as_slice()[..4], [9.0, 8.0, 7.0, 6.0]));
    // The reference value of (1, 2, 3, 4) in neighbouring pairs.
    assert!(close(&y.as_slice()[4..], [-1.142639664, 2.959850668, 1.922075597, 4.029799502]));
    let x_bar = pullback(&Tensor2::ones());
    assert!(close(&x_bar.as_slice()[4..], [1.381773291, 1.009949834, -0.301168679, 0.989950167]));
}
