//! Gradients against differences of the function itself.

/// Whether `gradient` is that of `value` at `at`, by central differences with three steps.
#[track_caller]
pub fn check(value: impl Fn(&[f64]) -> f64, at: &[f64], gradient: &[f64]) {
    assert_eq!(at.len(), gradient.len(), "as many derivatives as variables");
    let scale = gradient.iter().fold(value(at).abs(), |most, g| most.max(g.abs()));
    assert!(scale.is_finite(), "{gradient:?} at {at:?}");
    for (k, &g) in gradient.iter().enumerate() {
        let slope = |step: f64| {
            let [mut up, mut down] = [at.to_vec(), at.to_vec()];
            up[k] += step;
            down[k] -= step;
            (value(&up) - value(&down)) / (2.0 * step)
        };
        let step = 1e-3 * (1.0 + at[k].abs());
        // Richardson: what is left is of the sixth order in the step.
        let expected = (64.0 * slope(step / 4.0) - 20.0 * slope(step / 2.0) + slope(step)) / 45.0;
        let error = (g - expected).abs();
        assert!(error <= 1e-6 * (1.0 + scale), "derivative {k}: {g}, {expected} by differences");
    }
}

#[test]
fn a_wrong_derivative_is_found() {
    check(|p| p[0] * p[1], &[2.0, 3.0], &[3.0, 2.0]);
    assert!(std::panic::catch_unwind(|| check(|p| p[0] * p[1], &[2.0, 3.0], &[3.0, 2.1])).is_err());
    assert!(std::panic::catch_unwind(|| check(|p| p[0] * p[1], &[2.0, 3.0], &[3.0, f64::NAN])).is_err());
}
