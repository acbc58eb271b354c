//! Stochastic gradient descent.

use crate::{Differentiable, Real};

/// Gradient descent: `x ← x - lr·(g + decay·x)`. It remembers nothing; [`Momentum`] does.
///
/// ```
/// use autodiff_core::{Tensor1, optim::Sgd};
///
/// let mut x = Tensor1::from([1.0, 2.0]);
/// Sgd::new(0.5).step(&mut x, &Tensor1::from([1.0, -2.0]));
/// assert_eq!(x, Tensor1::from([0.5, 3.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sgd<T> {
    /// How far a step goes.
    pub learning_rate: T,
    /// How strongly parameters are drawn to 0; it is added to the gradient.
    pub weight_decay: T,
}

impl<T: Real> Sgd<T> {
    /// Without weight decay.
    pub fn new(learning_rate: T) -> Self {
        Sgd { learning_rate, weight_decay: T::ZERO }
    }

    /// With weight decay.
    pub fn weight_decay(self, weight_decay: T) -> Self {
        Sgd { weight_decay, ..self }
    }

    /// With momentum; typically 0.9.
    pub fn momentum<P: Differentiable<Scalar = T>>(self, params: &P, momentum: T) -> Momentum<P> {
        Momentum { sgd: self, momentum, velocity: params.zero_tangent() }
    }

    /// Moves `params` against their gradient.
    #[inline]
    pub fn step<P: Differentiable<Scalar = T>>(&self, params: &mut P, gradient: &P::Tangent) {
        let Sgd { learning_rate, weight_decay } = *self;
        params.zip_leaves_mut(gradient, &mut |x, g| {
            for (x, g) in x.iter_mut().zip(g) {
                *x -= learning_rate * (*g + weight_decay * *x);
            }
        });
    }
}

/// Gradient descent with momentum: `v ← momentum·v + g + decay·x`, `x ← x - lr·v`.
///
/// ```
/// use autodiff_core::optim::Sgd;
///
/// let mut x = 1.0;
/// let mut sgd = Sgd::new(0.1).momentum(&x, 0.9);
/// sgd.step(&mut x, &1.0); // x = 1 - 0.1·1
/// sgd.step(&mut x, &1.0); // x = 0.9 - 0.1·(0.9·1 + 1)
/// assert!((x - 0.71_f64).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Momentum<P: Differentiable> {
    /// The learning rate and the weight decay.
    pub sgd: Sgd<P::Scalar>,
    /// What remains of the velocity after a step.
    pub momentum: P::Scalar,
    velocity: P::Tangent,
}

impl<P: Differentiable> Momentum<P> {
    /// Moves `params` along the velocity, after accelerating that against the gradient.
    #[inline]
    pub fn step(&mut self, params: &mut P, gradient: &P::Tangent) {
        let Momentum { sgd: Sgd { learning_rate, weight_decay }, momentum, velocity } = self;
        params.update_leaves(gradient, [velocity], &mut |x, g, [v]| {
            for ((x, g), v) in x.iter_mut().zip(g).zip(v) {
                *v = *momentum * *v + (*g + *weight_decay * *x);
                *x -= *learning_rate * *v;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand, on (x - 1)² from 0 with rate 0.1, momentum 0.5 and decay 0.1.
    #[test]
    fn momentum_and_decay() {
        let (mut x, mut y) = (0.0_f64, [0.0_f64; 1]);
        let mut sgd = Sgd::new(0.1).weight_decay(0.1).momentum(&y, 0.5);
        let mut v = 0.0;
        for _ in 0..5 {
            v = 0.5 * v + (2.0 * (x - 1.0) + 0.1 * x);
            x -= 0.1 * v;
            let gradient = [2.0 * (y[0] - 1.0)];
            sgd.step(&mut y, &gradient);
            assert_eq!(y, [x]);
        }
        Sgd::new(0.5).weight_decay(1.0).step(&mut x, &0.0);
        assert_eq!(x, y[0] / 2.0);
    }
}
