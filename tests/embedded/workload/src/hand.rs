//! The yardstick: the gradient as an expert would write it for this one network.
// The formulas name their units; an iterator chain would name one array's.
#![allow(clippy::needless_range_loop)]

use crate::{HIDDEN, INPUTS, Model, RATE, SAMPLES, X, Y, initial_weights};

/// The parameters, or their gradient.
pub struct Hand {
    w1: [[f32; HIDDEN]; INPUTS],
    b1: [f32; HIDDEN],
    w2: [[f32; 1]; HIDDEN],
    b2: [f32; 1],
}

impl Model for Hand {
    fn initial() -> Self {
        let (w1, w2) = initial_weights();
        Hand { w1, w2, ..Self::ZERO }
    }

    #[inline(never)]
    fn epoch(&mut self) -> f32 {
        let mut gradient = Self::ZERO;
        let mut loss = 0.0;
        for (x, [y]) in X.iter().zip(&Y) {
            loss += self.accumulate_gradient(x, *y, &mut gradient);
        }
        self.descend(&gradient, RATE / SAMPLES as f32);
        loss / SAMPLES as f32
    }
}

impl Hand {
    const ZERO: Self = Hand { w1: [[0.0; HIDDEN]; INPUTS], b1: [0.0; HIDDEN], w2: [[0.0]; HIDDEN], b2: [0.0] };

    /// The squared error of one sample; its gradient is added to `g`.
    #[inline(always)]
    fn accumulate_gradient(&self, x: &[f32; INPUTS], y: f32, g: &mut Self) -> f32 {
        let mut h = [0.0; HIDDEN];
        let mut z = self.b2[0];
        for j in 0..HIDDEN {
            h[j] = libm::tanhf(x[0] * self.w1[0][j] + x[1] * self.w1[1][j] + self.b1[j]);
            z += h[j] * self.w2[j][0];
        }
        let p = 1.0 / (1.0 + libm::expf(-z));

        let error = p - y;
        let z_bar = 2.0 * error * p * (1.0 - p);
        g.b2[0] += z_bar;
        for j in 0..HIDDEN {
            g.w2[j][0] += z_bar * h[j];
            let a_bar = z_bar * self.w2[j][0] * (1.0 - h[j] * h[j]);
            g.b1[j] += a_bar;
            g.w1[0][j] += a_bar * x[0];
            g.w1[1][j] += a_bar * x[1];
        }
        error * error
    }

    fn descend(&mut self, g: &Self, rate: f32) {
        for j in 0..HIDDEN {
            self.w1[0][j] -= rate * g.w1[0][j];
            self.w1[1][j] -= rate * g.w1[1][j];
            self.b1[j] -= rate * g.b1[j];
            self.w2[j][0] -= rate * g.w2[j][0];
        }
        self.b2[0] -= rate * g.b2[0];
    }
}
