use super::Real;

/// Every function of one argument against a value computed with 30 digits.
fn values<T: Real>(tolerance: f64) {
    let x = T::from_f64(0.5);
    for (name, found, expected) in [
        ("sqrt", x.sqrt(), 0.707_106_781_186_547_5),
        ("cbrt", x.cbrt(), 0.793_700_525_984_099_7),
        ("recip", x.recip(), 2.0),
        ("rsqrt", x.rsqrt(), core::f64::consts::SQRT_2),
        ("exp", x.exp(), 1.648_721_270_700_128_2),
        ("exp2", x.exp2(), core::f64::consts::SQRT_2),
        ("exp_m1", x.exp_m1(), 0.648_721_270_700_128_2),
        ("ln", x.ln(), -core::f64::consts::LN_2),
        ("log2", x.log2(), -1.0),
        ("log10", x.log10(), -core::f64::consts::LOG10_2),
        ("ln_1p", x.ln_1p(), 0.405_465_108_108_164_4),
        ("sin", x.sin(), 0.479_425_538_604_203),
        ("cos", x.cos(), 0.877_582_561_890_372_8),
        ("tan", x.tan(), 0.546_302_489_843_790_5),
        ("asin", x.asin(), core::f64::consts::FRAC_PI_6),
        ("acos", x.acos(), core::f64::consts::FRAC_PI_3),
        ("atan", x.atan(), 0.463_647_609_000_806_1),
        ("sinh", x.sinh(), 0.521_095_305_493_747_4),
        ("cosh", x.cosh(), 1.127_625_965_206_380_7),
        ("tanh", x.tanh(), 0.462_117_157_260_009_8),
        ("asinh", x.asinh(), 0.481_211_825_059_603_4),
        ("acosh", (x + T::ONE).acosh(), 0.962_423_650_119_206_9),
        ("atanh", x.atanh(), 0.549_306_144_334_054_8),
        ("erf", x.erf(), 0.520_499_877_813_046_5),
        ("sigmoid", x.sigmoid(), 0.622_459_331_201_854_6),
        ("softplus", x.softplus(), 0.974_076_984_180_106_7),
        ("log_sigmoid", x.log_sigmoid(), -0.474_076_984_180_106_7),
        ("silu", x.silu(), 0.311_229_665_600_927_3),
        ("powf", x.powf(T::from_f64(1.5)), 0.353_553_390_593_273_8),
        ("atan2", x.atan2(T::ONE), 0.463_647_609_000_806_1),
        ("hypot", x.hypot(T::ONE), 1.118_033_988_749_895),
        ("length", x.length(T::ONE), 1.118_033_988_749_895),
        ("over_square", x.over_square(T::ONE), 0.4),
        ("over_square", T::ZERO.over_square(T::ZERO), 0.0),
        ("over_square", (x * T::from_f64(1e-18)).over_square(T::ZERO) * T::from_f64(1e-18), 2.0),
        ("to_degrees", x.to_degrees(), 28.647_889_756_541_16),
        ("to_radians", x.to_radians(), 0.008_726_646_259_971_648),
        ("fract", (-x - T::ONE).fract(), -0.5),
        ("round", x.round(), 1.0),
        ("floor", (-x).floor(), -1.0),
        ("ceil", x.ceil(), 1.0),
        ("trunc", (-x).trunc(), 0.0),
        ("mul_add", x.mul_add(x, x), 0.75),
        ("rem_euclid", (-x).rem_euclid(T::from_f64(2.0)), 1.5),
        ("clamp", x.clamp(T::ONE, T::PI), 1.0),
        ("step", x.step(), 1.0),
        ("log", x.log(T::from_f64(3.0)), -0.630_929_753_571_457_4),
        ("sign", (-x).sign(), -1.0),
        ("copysign", x.copysign(-x), -0.5),
        ("midpoint", x.midpoint(T::ONE), 0.75),
        ("div_euclid", (-x).div_euclid(T::from_f64(2.0)), -1.0),
        ("round_ties_even", x.round_ties_even(), 0.0),
        ("maximum", x.maximum(T::ONE), 1.0),
        ("minimum", x.minimum(T::ONE), 0.5),
        ("gelu", x.gelu(), 0.345_731_230_637_006_56),
        ("gelu_tanh", x.gelu_tanh(), 0.345_714_009_825_143_94),
        ("gelu_quick", x.gelu_quick(), 0.350_388_436_606_380_14),
        ("mish", x.mish(), 0.375_245_211_304_895_13),
        ("softsign", x.softsign(), 1.0 / 3.0),
        ("relu6", (x + T::from_f64(6.0)).relu6(), 6.0),
        ("leaky_relu", (-x).leaky_relu(x), -0.25),
        ("prelu", (-x).prelu(x), -0.25),
        ("elu", (-x).elu(x), -0.196_734_670_143_683_3),
        ("selu", (-x).selu(), -0.691_758_187_802_871_3),
        ("celu", (-x).celu(x), -0.316_060_279_414_278_83),
        ("hard_sigmoid", x.hard_sigmoid(), 0.583_333_333_333_333_4),
        ("hard_swish", x.hard_swish(), 0.291_666_666_666_666_7),
        ("hard_tanh", (x + T::ONE).hard_tanh(), 1.0),
    ] {
        let error = (found.to_f64() - expected).abs();
        assert!(error <= tolerance * expected.abs().max(1.0), "{name}: {found} is not {expected}");
    }
    assert_eq!(x.sin_cos(), (x.sin(), x.cos()));
}

#[test]
fn values_of_f32() {
    values::<f32>(4e-7);
}

#[test]
fn values_of_f64() {
    values::<f64>(6e-16);
}

#[test]
fn powi_by_multiplication() {
    for x in [-1.7_f64, 0.3, 1.1] {
        let mut expected = 1.0;
        for n in 0..20 {
            let found = Real::powi(x, n);
            assert!((found / expected - 1.0).abs() < 1e-14, "{x}^{n}: {found} is not {expected}");
            assert_eq!(Real::powi(x, -n), 1.0 / found);
            expected *= x;
        }
    }
    assert_eq!(Real::powi(f64::NAN, 0), 1.0);
    assert_eq!(Real::powi(1.0_f32, i32::MIN), 1.0);
}

#[test]
fn tails_and_nan() {
    assert_eq!([-1e30_f32, 1e30].map(Real::sigmoid), [0.0, 1.0]);
    assert_eq!([-1e30_f32, 1e30].map(Real::softplus), [0.0, 1e30]);
    assert_eq!([-1e30_f32, 1e30].map(Real::log_sigmoid), [-1e30, 0.0]);
    assert_eq!([-1.0, -0.0, 0.0, 2.0_f64].map(Real::relu), [0.0, 0.0, 0.0, 2.0]);
    assert_eq!([-1.0, 0.0, 2.0_f64].map(Real::step), [0.0, 0.0, 1.0]);
    let functions = [Real::sigmoid, Real::softplus, Real::log_sigmoid, Real::silu, Real::relu, Real::erf];
    assert!(functions.iter().all(|f: &fn(f64) -> f64| f(f64::NAN).is_nan()));
    assert!(Real::clamp(f64::NAN, 0.0, 1.0).is_nan());
}
