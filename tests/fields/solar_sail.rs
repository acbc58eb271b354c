//! A solar sail: an adaptive method of Runge, Kutta and Fehlberg, with errors.
use autodiff::prelude::*;

#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    TooManySteps(usize),
    InsideTheSun { radius: f64 },
}

#[derive(Debug, Clone, Copy, Differentiable)]
pub struct Sail {
    pub lightness: f64,
    pub cone: f64,
    pub cone_rate: f64,
}

type State = [f64; 4];

#[differentiable]
fn acceleration(sail: &Sail, s: &State, t: f64) -> Result<State, Failure> {
    let r = (s[0] * s[0] + s[1] * s[1]).sqrt();
    if r < 0.05 {
        return Err(Failure::InsideTheSun { radius: stop_gradient(r) });
    }
    let angle = sail.cone + sail.cone_rate * t;
    let (sin, cos) = angle.sin_cos();
    let push = sail.lightness * cos.powi(2) / (r * r);
    let (ux, uy) = (s[0] / r, s[1] / r);
    let ax = -ux / (r * r) + push * (cos * ux - sin * uy);
    let ay = -uy / (r * r) + push * (sin * ux + cos * uy);
    Ok([s[2], s[3], ax, ay])
}

#[differentiable]
fn along(s: &State, parts: &[(f64, State)], h: f64) -> State {
    let mut out = *s;
    for (weight, slope) in parts {
        for d in 0..4 {
            out[d] += h * weight * slope[d];
        }
    }
    out
}

#[differentiable]
pub fn final_radius(
    sail: &Sail,
    start: &State,
    #[no_diff] end: f64,
    #[no_diff] tolerance: f64,
) -> Result<f64, Failure> {
    let (mut s, mut t, mut h) = (*start, 0.0, 0.1);
    let mut steps = 0;
    while t < end {
        if steps >= 500 {
            return Err(Failure::TooManySteps(steps));
        }
        steps += 1;
        if t + h > end {
            h = end - t;
        }
        let k1 = acceleration(sail, &s, t)?;
        let k2 = acceleration(sail, &along(&s, &[(0.5, k1)], h), t + 0.5 * h)?;
        let k3 = acceleration(sail, &along(&s, &[(0.75, k2)], h), t + 0.75 * h)?;
        let high = along(&s, &[(2.0 / 9.0, k1), (1.0 / 3.0, k2), (4.0 / 9.0, k3)], h);
        let k4 = acceleration(sail, &high, t + h)?;
        let low = along(&s, &[(7.0 / 24.0, k1), (0.25, k2), (1.0 / 3.0, k3), (0.125, k4)], h);
        let error = high.iter().zip(&low).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // The steps are not differentiated.
        let error = stop_gradient(error);
        if error <= tolerance {
            t += h;
            s = high;
        }
        h *= (0.9 * (tolerance / error.max(1e-300)).cbrt()).clamp(0.2, 5.0);
    }
    Ok(s[0].hypot(s[1]))
}

#[test]
fn gradient() {
    let (sail, start) = (Sail { lightness: 0.1, cone: 0.6, cone_rate: -0.05 }, [1.0, 0.0, 0.0, 1.0]);
    let (radius, pullback) = final_radius::vjp(&sail, &start, 2.0, 1e-3);
    let radius = radius.unwrap();
    let (by_sail, by_start) = pullback(&autodiff::OptionTangent { some: 1.0 });
    // The steps are not differentiated, so that differences see what the method's error depends on, too.
    let at = |k: usize, h: f64| {
        let mut numbers = [0.1, 0.6, -0.05, 1.0, 0.0, 0.0, 1.0];
        numbers[k] += h;
        let [lightness, cone, cone_rate, start @ ..] = numbers;
        final_radius(&Sail { lightness, cone, cone_rate }, &start, 2.0, 1e-6).unwrap()
    };
    let computed =
        [by_sail.lightness, by_sail.cone, by_sail.cone_rate, by_start[0], by_start[1], by_start[2], by_start[3]];
    for (k, computed) in computed.into_iter().enumerate() {
        let expected = (at(k, 1e-3) - at(k, -1e-3)) / 2e-3;
        assert!((computed - expected).abs() < 0.03 * (1.0 + expected.abs()), "{k}: {computed} is not {expected}");
    }
    assert!((radius - at(0, 0.0)).abs() < 1e-2);
    assert_eq!(final_radius(&sail, &[0.01, 0.0, 0.0, 1.0], 2.0, 1e-3), Err(Failure::InsideTheSun { radius: 0.01 }));
}
