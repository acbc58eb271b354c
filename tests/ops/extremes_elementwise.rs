//! Element-wise functions, selections, indices and pooling where numbers are extreme or no derivative exists, in both
//! precisions: values and gradients are those of the mathematics, and never NaN.

use autodiff::prelude::*;

/// Far out on both sides, and 0 of either sign.
const POINTS: [f64; 6] = [-1e4, -100.0, -0.0, 0.0, 100.0, 1e4];

/// As exact as single precision is, but for numbers below its normal ones.
fn same(a: f64, b: f64, what: &str) {
    let least = if what.contains("single") { f64::from(f32::MIN_POSITIVE) } else { 0.0 };
    assert!(a == b || (a - b).abs() <= 1e-6 * b.abs() + least, "{what}: {a:e} instead of {b:e}");
}

/// Each function in both precisions, against value and derivative at the points.
macro_rules! extremes {
    ($($name:ident($x:ident) $body:block $(of $real:ident $of_numbers:block)? => $values:expr, $slopes:expr;)*) => {$(
        mod $name {
            use super::*;

            #[differentiable]
            fn double($x: &Tensor1<f64, 6>) -> Tensor1<f64, 6> $body

            #[differentiable]
            fn single($x: &Tensor1<f32, 6>) -> Tensor1<f32, 6> $body

            extremes!(@number $x $body $($real $of_numbers)?);

            #[test]
            fn values_and_slopes() {
                let (values, slopes): ([f64; 6], [f64; 6]) = ($values, $slopes);
                let (y, pullback) = double::vjp(&Tensor1::from(POINTS));
                let x_bar = pullback(&Tensor1::ones());
                let (_, y_dot) = double::jvp(&Tensor1::from(POINTS), &Tensor1::ones());
                let (y_single, pullback) = single::vjp(&Tensor1::from(POINTS.map(|x| x as f32)));
                let x_bar_single = pullback(&Tensor1::ones());
                for k in 0..6 {
                    let at = |what: &str| format!("{what} of {} at {}", stringify!($name), POINTS[k]);
                    same(y[[k]], values[k], &at("value"));
                    same(x_bar[[k]], slopes[k], &at("cotangent"));
                    same(y_dot[[k]], slopes[k], &at("tangent"));
                    same(f64::from(y_single[[k]]), values[k], &at("value in single precision"));
                    same(f64::from(x_bar_single[[k]]), slopes[k], &at("cotangent in single precision"));
                    let (value, slope) = number::value_and_grad(POINTS[k]);
                    same(value, values[k], &at("value as a number"));
                    same(slope, slopes[k], &at("slope as a number"));
                    let (value, slope) = number::value_and_grad(POINTS[k] as f32);
                    same(f64::from(value), values[k], &at("value as a single number"));
                    same(f64::from(slope), slopes[k], &at("slope as a single number"));
                }
            }
        }
    )*};
    (@number $x:ident $body:block) => {
        #[differentiable(order = 2)]
        fn number<T: Real>($x: T) -> T $body
    };
    // A constant has to be made a number of the type.
    (@number $x:ident $body:block $real:ident $of_numbers:block) => {
        #[differentiable(order = 2)]
        fn number<$real: Real>($x: $real) -> $real $of_numbers
    };
}

const LN_2: f64 = std::f64::consts::LN_2;
const SELU: f64 = 1.050_700_987_355_480_5;
const SELU_LOW: f64 = -1.758_099_340_847_376_6;
/// e⁻¹⁰⁰. (The derivative of the sigmoid at 100 is as small, but comes out as 0.)
const TINY: f64 = 3.720_075_976_020_836e-44;

extremes! {
    softplus(x) { x.softplus() } => [0.0, TINY, LN_2, LN_2, 100.0, 1e4], [0.0, TINY, 0.5, 0.5, 1.0, 1.0];
    sigmoid(x) { x.sigmoid() } => [0.0, TINY, 0.5, 0.5, 1.0, 1.0], [0.0, TINY, 0.25, 0.25, 0.0, 0.0];
    log_sigmoid(x) { x.log_sigmoid() } => [-1e4, -100.0, -LN_2, -LN_2, -TINY, 0.0], [1.0, 1.0, 0.5, 0.5, TINY, 0.0];
    tanh(x) { x.tanh() } => [-1.0, -1.0, 0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    softsign(x) { x.softsign() }
        => [-1e4 / 10001.0, -100.0 / 101.0, 0.0, 0.0, 100.0 / 101.0, 1e4 / 10001.0],
           [1.0 / 10001.0_f64.powi(2), 1.0 / 10201.0, 1.0, 1.0, 1.0 / 10201.0, 1.0 / 10001.0_f64.powi(2)];
    relu(x) { x.relu() } => [0.0, 0.0, 0.0, 0.0, 100.0, 1e4], [0.0, 0.0, 0.0, 0.0, 1.0, 1.0];
    relu6(x) { x.relu6() } => [0.0, 0.0, 0.0, 0.0, 6.0, 6.0], [0.0; 6];
    leaky_relu(x) { x.leaky_relu(0.25) } of T { x.leaky_relu(T::from_f64(0.25)) }
        => [-2500.0, -25.0, 0.0, 0.0, 100.0, 1e4], [0.25, 0.25, 0.25, 0.25, 1.0, 1.0];
    elu(x) { x.elu(2.0) } of T { x.elu(T::from_f64(2.0)) }
        => [-2.0, -2.0, 0.0, 0.0, 100.0, 1e4], [0.0, 0.0, 2.0, 2.0, 1.0, 1.0];
    selu(x) { x.selu() } => [SELU_LOW, SELU_LOW, 0.0, 0.0, SELU * 100.0, SELU * 1e4], [0.0, 0.0, -SELU_LOW, -SELU_LOW, SELU, SELU];
    celu(x) { x.celu(2.0) } of T { x.celu(T::from_f64(2.0)) }
        => [-2.0, -2.0, 0.0, 0.0, 100.0, 1e4], [0.0, 1.928_749_847_963_918e-22, 1.0, 1.0, 1.0, 1.0];
    gelu(x) { x.gelu() } => [0.0, 0.0, 0.0, 0.0, 100.0, 1e4], [0.0, 0.0, 0.5, 0.5, 1.0, 1.0];
    gelu_tanh(x) { x.gelu_tanh() } => [0.0, 0.0, 0.0, 0.0, 100.0, 1e4], [0.0, 0.0, 0.5, 0.5, 1.0, 1.0];
    gelu_quick(x) { x.gelu_quick() }
        => [0.0, -1.210_818_868_520_430_6e-72, 0.0, 0.0, 100.0, 1e4], [0.0, -169.2 * 1.210_818_868_520_430_6e-74, 0.5, 0.5, 1.0, 1.0];
    silu(x) { x.silu() } => [0.0, -100.0 * TINY, 0.0, 0.0, 100.0, 1e4], [0.0, -99.0 * TINY, 0.5, 0.5, 1.0, 1.0];
    mish(x) { x.mish() } => [0.0, -100.0 * TINY, 0.0, 0.0, 100.0, 1e4], [0.0, -99.0 * TINY, 0.6, 0.6, 1.0, 1.0];
    hard_sigmoid(x) { x.hard_sigmoid() } => [0.0, 0.0, 0.5, 0.5, 1.0, 1.0], [0.0, 0.0, 1.0 / 6.0, 1.0 / 6.0, 0.0, 0.0];
    hard_swish(x) { x.hard_swish() } => [0.0, 0.0, 0.0, 0.0, 100.0, 1e4], [0.0, 0.0, 0.5, 0.5, 1.0, 1.0];
    hard_tanh(x) { x.hard_tanh() } => [-1.0, -1.0, 0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    step(x) { x.step() } => [0.0, 0.0, 0.0, 0.0, 1.0, 1.0], [0.0; 6];
    erf(x) { x.erf() } => [-1.0, -1.0, 0.0, 0.0, 1.0, 1.0],
        [0.0, 0.0, std::f64::consts::FRAC_2_SQRT_PI, std::f64::consts::FRAC_2_SQRT_PI, 0.0, 0.0];
    abs(x) { x.abs() } => [1e4, 100.0, 0.0, 0.0, 100.0, 1e4], [-1.0, -1.0, 0.0, 0.0, 1.0, 1.0];
    atan(x) { x.atan() }
        => [-1.5706963267952299, -1.5607966601082315, 0.0, 0.0, 1.5607966601082315, 1.5706963267952299],
           [1.0 / 100_000_001.0, 1.0 / 10001.0, 1.0, 1.0, 1.0 / 10001.0, 1.0 / 100_000_001.0];
}

/// Functions of two, and of what surrounds them.
mod pairs {
    use super::*;

    #[differentiable(order = 2)]
    pub fn pow(x: &Tensor1<f64, 4>, p: &Tensor1<f64, 4>) -> Tensor1<f64, 4> {
        x.pow(p)
    }

    #[differentiable(order = 2)]
    pub fn pow_single(x: &Tensor1<f32, 4>, p: &Tensor1<f32, 4>) -> Tensor1<f32, 4> {
        x.pow(p)
    }

    #[differentiable(order = 2)]
    pub fn cube(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.powi(3) + x.powi(0) + x.powf(2.0)
    }

    #[differentiable(order = 2)]
    pub fn quotient(x: f64, y: f64) -> f64 {
        x / y
    }

    #[differentiable(order = 2)]
    pub fn direction(x: f64, y: f64) -> f64 {
        x.hypot(y) + y.atan2(x)
    }

    #[differentiable(order = 2)]
    pub fn direction_single(x: f32, y: f32) -> f32 {
        x.hypot(y) + y.atan2(x)
    }

    #[differentiable(order = 2)]
    pub fn unit(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.l2_normalize(0, 1e-12)
    }

    #[differentiable(order = 2)]
    pub fn unit_single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.l2_normalize(0, 1e-12)
    }
}

/// At base 0 and at negative bases: xᵖ by x is p·xᵖ⁻¹, by p it is 0 where the logarithm has no value.
#[test]
fn powers() {
    let (x, p) = ([0.0, 0.0, 0.0, -2.0], [2.0, 1.0, 0.0, 3.0]);
    let (y, pullback) = pairs::pow::vjp(&Tensor1::from(x), &Tensor1::from(p));
    assert_eq!(y, Tensor1::from([0.0, 0.0, 1.0, -8.0]));
    let expected = ([0.0, 1.0, 0.0, 12.0], [0.0; 4]);
    assert_eq!(pullback(&Tensor1::ones()), (Tensor1::from(expected.0), Tensor1::from(expected.1)));
    let (_, pullback) =
        pairs::pow_single::vjp(&Tensor1::from(x.map(|x| x as f32)), &Tensor1::from(p.map(|p| p as f32)));
    let expected = (expected.0.map(|x| x as f32), expected.1.map(|x| x as f32));
    assert_eq!(pullback(&Tensor1::ones()), (Tensor1::from(expected.0), Tensor1::from(expected.1)));
    // A square root at 0 has an infinite slope, and says so.
    let (_, pullback) = pairs::pow::vjp(&Tensor1::full(0.0), &Tensor1::full(0.5));
    assert_eq!(pullback(&Tensor1::ones()), (Tensor1::full(f64::INFINITY), Tensor1::zeros()));

    let (y, pullback) = pairs::cube::vjp(&Tensor1::from([0.0, -2.0, -0.0]));
    assert_eq!((y, pullback(&Tensor1::ones())), (Tensor1::from([1.0, -3.0, 1.0]), Tensor1::from([0.0, 8.0, 0.0])));
}

#[test]
fn divisions_and_norms() {
    let (y, (x_bar, y_bar)) = pairs::quotient::value_and_grad(1.0, 0.0);
    assert_eq!((y, x_bar, y_bar), (f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY));
    assert_eq!(pairs::quotient::value_and_grad(0.0, -4.0), (0.0, (-0.25, 0.0)));
    assert_eq!(pairs::direction::value_and_grad(0.0, 0.0), (0.0, (0.0, 0.0)));
    assert_eq!(pairs::direction_single::value_and_grad(0.0, 0.0), (0.0, (0.0, 0.0)));
    // No overflow on the way, in either precision.
    let (_, (x_bar, y_bar)) = pairs::direction::value_and_grad(1e300, 0.0);
    assert_eq!((x_bar, y_bar), (1.0, 1e-300));
    let (_, (x_bar, y_bar)) = pairs::direction_single::value_and_grad(1e30, 0.0);
    assert_eq!((x_bar, y_bar), (1.0, 1e-30));
    let (y, pullback) = pairs::unit::vjp(&Tensor1::zeros());
    assert_eq!((y, pullback(&Tensor1::ones())), (Tensor1::zeros(), Tensor1::full(1e12)));
    let (y, pullback) = pairs::unit_single::vjp(&Tensor1::zeros());
    assert_eq!((y, pullback(&Tensor1::ones())), (Tensor1::zeros(), Tensor1::full(1e12)));
}

/// What is not taken carries nothing, however infinite it is.
mod untaken {
    use super::*;

    #[differentiable(order = 2)]
    pub fn logarithm(x: &Tensor1<f64, 3>) -> f64 {
        select(x.gt(0.0), x.ln(), x * 3.0).sum()
    }

    #[differentiable(order = 2)]
    pub fn root(x: &Tensor1<f32, 3>) -> f32 {
        select(x.le(0.0), 0.0, x.sqrt()).sum()
    }

    #[differentiable(order = 2)]
    pub fn filled(x: &Tensor1<f64, 3>) -> f64 {
        x.recip().masked_fill(x.eq(0.0), 7.0).sum()
    }

    #[differentiable(order = 2)]
    pub fn branch(x: f64) -> f64 {
        if x > 0.0 { x.ln() } else { x.exp() }
    }

    #[differentiable(order = 2)]
    pub fn hidden(q: &Tensor2<f64, 2, 1>, k: &Tensor2<f64, 2, 1>, v: &Tensor2<f64, 2, 1>) -> f64 {
        attention_causal(q, k, v).slice([0..1, 0..1]).sum()
    }
}

#[test]
fn sides_that_are_not_taken() {
    let (y, x_bar) = untaken::logarithm::value_and_grad(&Tensor1::from([0.0, -1.0, 1.0]));
    assert_eq!((y, x_bar), (-3.0, Tensor1::from([3.0, 3.0, 1.0])));
    let (_, hvp) = untaken::logarithm::jvp(&Tensor1::from([0.0, -1.0, 1.0]), &Tensor1::ones());
    assert_eq!(hvp, 7.0);
    let (y, x_bar) = untaken::root::value_and_grad(&Tensor1::from([0.0, -1.0, 4.0]));
    assert_eq!((y, x_bar), (2.0, Tensor1::from([0.0, 0.0, 0.25])));
    let (y, x_bar) = untaken::filled::value_and_grad(&Tensor1::from([0.0, -0.0, 2.0]));
    assert_eq!((y, x_bar), (14.5, Tensor1::from([0.0, 0.0, -0.25])));
    assert_eq!(untaken::branch::value_and_grad(0.0), (1.0, 1.0));
    // The first query does not see the second key.
    let far = Tensor2::from([[1.0], [f64::MAX]]);
    let (y, (_, k_bar, v_bar)) = untaken::hidden::value_and_grad(&Tensor2::ones(), &far, &Tensor2::ones());
    assert_eq!((y, k_bar, v_bar), (1.0, Tensor2::zeros(), Tensor2::from([[1.0], [0.0]])));
}

/// Indices, slices and windows.
mod places {
    use super::*;

    #[differentiable(order = 2)]
    pub fn selected(x: &Tensor2<f64, 4, 2>, i: &[usize; 3]) -> f64 {
        (x.index_select(0, i) * x.embedding(i)).sum()
    }

    #[differentiable(order = 2)]
    pub fn gathered(x: &Tensor2<f32, 4, 2>, i: &[[usize; 2]; 3]) -> f32 {
        x.gather(0, i).sum()
    }

    #[differentiable(order = 2)]
    pub fn scattered(x: &Tensor1<f64, 4>, y: &Tensor1<f64, 3>, i: &[usize; 3]) -> Tensor1<f64, 4> {
        x.scatter_add(0, i, y)
    }

    #[differentiable(order = 2)]
    pub fn sliced(x: &Tensor2<f64, 3, 3>) -> f64 {
        x.slice([1..3, 0..2]).square().sum() + x.narrow(0, 1, 1).slice([0..1, 0..2]).exp().sum()
    }

    #[differentiable(order = 2)]
    pub fn triangle(x: &Tensor2<f64, 2, 2>) -> f64 {
        x.tril().square().sum()
    }

    #[differentiable(order = 2)]
    pub fn replaced(x: &Tensor1<f64, 3>, y: &Tensor1<f64, 1>) -> f64 {
        x.set_slice([1..2], y).square().sum()
    }

    #[differentiable(order = 2)]
    pub fn pooled(x: &Tensor4<f64, 1, 1, 2, 4>) -> Tensor4<f64, 1, 1, 1, 2> {
        x.max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() })
    }

    #[differentiable(order = 2)]
    pub fn pooled_single(x: &Tensor3<f32, 1, 1, 4>) -> Tensor3<f32, 1, 1, 4> {
        x.max_pool1d(3, Window1d { padding: 1, ..Default::default() })
    }

    #[differentiable(order = 2)]
    pub fn largest(x: &Tensor1<f64, 4>) -> f64 {
        x.max() + x.min()
    }

    #[differentiable(order = 2)]
    pub fn larger(x: f64, y: f64) -> f64 {
        Real::maximum(x, y) * 2.0 + x.min(y)
    }
}

#[test]
fn repeated_and_unused_indices() {
    let x = Tensor2::from([[1.0, 2.0], [3.0, 4.0], [f64::NAN, f64::INFINITY], [5.0, 6.0]]);
    let (y, x_bar) = places::selected::value_and_grad(&x, &[3, 0, 3]);
    assert_eq!((y, x_bar), (127.0, Tensor2::from([[2.0, 4.0], [0.0, 0.0], [0.0, 0.0], [20.0, 24.0]])));
    let (_, x_bar) = places::gathered::value_and_grad(&Tensor2::ones(), &[[3, 0], [3, 1], [0, 0]]);
    assert_eq!(x_bar, Tensor2::from([[1.0, 2.0], [0.0, 1.0], [0.0, 0.0], [2.0, 0.0]]));
    let x = Tensor1::from([1.0, 2.0, f64::NAN, 4.0]);
    let (y, pullback) = places::scattered::vjp(&x, &Tensor1::from([10.0, 20.0, 30.0]), &[1, 1, 3]);
    assert_eq!((y[[0]], y[[1]], y[[3]]), (1.0, 32.0, 34.0));
    let bars = pullback(&Tensor1::from([1.0, 2.0, 3.0, 4.0]));
    assert_eq!(bars, (Tensor1::from([1.0, 2.0, 3.0, 4.0]), Tensor1::from([2.0, 2.0, 4.0])));
}

#[test]
fn what_is_beside_a_slice_stays_there() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let (y, x_bar) =
        places::sliced::value_and_grad(&Tensor2::from([[nan, inf, nan], [0.0, 0.0, inf], [1.0, 2.0, nan]]));
    assert_eq!((y, x_bar), (7.0, Tensor2::from([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 4.0, 0.0]])));
    let (y, x_bar) = places::triangle::value_and_grad(&Tensor2::from([[1.0, inf], [2.0, 3.0]]));
    assert_eq!((y, x_bar), (14.0, Tensor2::from([[2.0, 0.0], [4.0, 6.0]])));
    let (y, bars) = places::replaced::value_and_grad(&Tensor1::from([1.0, nan, 2.0]), &Tensor1::from([3.0]));
    assert_eq!((y, bars), (14.0, (Tensor1::from([2.0, 0.0, 4.0]), Tensor1::from([6.0]))));
}

#[test]
fn ties() {
    let (y, pullback) = places::pooled::vjp(&Tensor4::from([[[[1.0, 2.0, 5.0, 5.0], [2.0, 2.0, 5.0, 0.0]]]]));
    assert_eq!(y, Tensor4::from([[[[2.0, 5.0]]]]));
    let first = Tensor4::from([[[[0.0, 3.0, 4.0, 0.0], [0.0, 0.0, 0.0, 0.0]]]]);
    assert_eq!(pullback(&Tensor4::from([[[[3.0, 4.0]]]])), first);
    let (y, pullback) = places::pooled_single::vjp(&Tensor3::from([[[-1.0, -1.0, -3.0, -1.0]]]));
    assert_eq!(y, Tensor3::from([[[-1.0, -1.0, -1.0, -1.0]]]));
    assert_eq!(pullback(&Tensor3::ones()), Tensor3::from([[[2.0, 1.0, 0.0, 1.0]]]));
    let (y, x_bar) = places::largest::value_and_grad(&Tensor1::from([2.0, 1.0, 2.0, 1.0]));
    assert_eq!((y, x_bar), (3.0, Tensor1::full(0.5)));
    assert_eq!(places::larger::value_and_grad(3.0, 3.0), (9.0, (1.5, 1.5)));
}
