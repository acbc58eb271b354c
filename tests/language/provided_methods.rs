//! Methods that a trait provides, and structs without numbers that have some.

use crate::differences::check;
use autodiff::prelude::*;

/// Data without our derive.
struct Scale {
    by: f64,
}

trait Curve {
    const STEP: f64 = 0.5;

    fn at(&self, x: f64) -> f64;

    fn mean(&self, a: f64, b: f64) -> f64 {
        0.5 * (self.at(a) + self.at(b))
    }

    /// Calls another one that is provided, and a constant of the trait.
    fn bend(&self, x: f64) -> f64 {
        self.mean(x - Self::STEP, x + Self::STEP) - self.at(x)
    }

    fn scaled(&self, x: f64, scale: &Scale) -> f64 {
        let mut sum = 0.0;
        for k in 0..3 {
            sum += scale.by * self.at(x + k as f64);
        }
        sum
    }

    /// Nobody calls it in a derivative, so that it may be anything.
    fn describe(&self) -> String {
        format!("{:.3}", self.at(1.0))
    }
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Wave {
    height: f64,
    width: f64,
}

#[differentiable]
impl Curve for Wave {
    fn at(&self, x: f64) -> f64 {
        self.height * (x / self.width).sin()
    }
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Cubic;

#[differentiable]
impl Curve for Cubic {
    const STEP: f64 = 0.25;

    fn at(&self, x: f64) -> f64 {
        x * x * x
    }

    fn mean(&self, a: f64, b: f64) -> f64 {
        self.at((a * b).sqrt())
    }
}

trait Dynamics<const N: usize, T: Real> {
    fn slope(&self, y: &[T; N]) -> [T; N];

    fn euler(&self, y: &[T; N], h: T) -> [T; N] {
        let k = self.slope(y);
        let mut next = *y;
        for i in 0..N {
            next[i] += h * k[i];
        }
        next
    }

    fn advance(&mut self, y: &mut [T; N], h: T) {
        *y = self.euler(y, h);
    }
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Oscillator {
    stiffness: f64,
}

#[differentiable]
impl Dynamics<2, f64> for Oscillator {
    fn slope(&self, y: &[f64; 2]) -> [f64; 2] {
        [y[1], -self.stiffness * y[0]]
    }
}

#[differentiable]
fn of_wave(wave: &Wave, x: f64, #[no_diff] scale: &Scale) -> f64 {
    let mut sum = wave.scaled(x, scale);
    for k in 0..4 {
        sum += if k % 2 == 0 { wave.bend(x + k as f64) } else { wave.mean(x, 2.0 * x) };
    }
    sum
}

#[differentiable]
fn bent<C: Curve>(curve: &C, x: f64) -> f64 {
    curve.bend(x) + curve.at(x)
}

#[differentiable]
fn of_both(wave: &Wave, x: f64) -> f64 {
    bent(wave, x) * bent(&Cubic, x)
}

#[differentiable]
fn of_cubic(x: f64) -> f64 {
    Cubic.bend(x) + Cubic.mean(x, 2.0)
}

#[differentiable]
fn oscillation(system: Oscillator, y: [f64; 2]) -> f64 {
    let (mut system, mut y) = (system, y);
    for _ in 0..5 {
        system.advance(&mut y, 0.1);
    }
    let z = system.euler(&y, 0.2);
    z[0] * z[1]
}

#[test]
fn methods_of_traits() {
    let wave = |p: &[f64]| Wave { height: p[0], width: p[1] };
    let at = [1.3, 0.7, 0.4];
    let scale = Scale { by: 0.3 };
    let (g, x) = of_wave::grad(&wave(&at), at[2], &scale);
    check(|p| of_wave(&wave(p), p[2], &scale), &at, &[g.height, g.width, x]);
    let (g, x) = of_both::grad(&wave(&at), at[2]);
    check(|p| of_both(&wave(p), p[2]), &at, &[g.height, g.width, x]);
    check(|p| of_cubic(p[0]), &at[..1], &[of_cubic::grad(at[0])]);
    let (s, y) = oscillation::grad(Oscillator { stiffness: 1.3 }, [0.7, 0.4]);
    check(|p| oscillation(Oscillator { stiffness: p[0] }, [p[1], p[2]]), &at, &[s.stiffness, y[0], y[1]]);
    let g = wave(&at).bend_grad(0.4);
    check(|p| wave(p).bend(p[2]), &at, &[g.0.height, g.0.width, g.1]);
    assert!(!wave(&at).describe().is_empty());
    let h = of_wave::hvp(&wave(&at), 0.4, &scale, &WaveTangent { height: 0.0, width: 0.0 }, 1.0);
    check(|p| of_wave::grad(&wave(&at), p[0], &scale).1, &[0.4], &[h.1]);
}
