//! Adam, and Adam with decoupled weight decay.

use crate::{Differentiable, Real};
use core::fmt::{self, Debug};

/// Adam (Kingma and Ba, 2015), as `PyTorch` has it.
///
/// With gradient `g` in step `t`:
///
/// ```text
/// m ← β₁·m + (1 - β₁)·g           m̂ = m / (1 - β₁ᵗ)
/// v ← β₂·v + (1 - β₂)·g²          v̂ = v / (1 - β₂ᵗ)
/// x ← x - lr·m̂ / (√v̂ + ε)
/// ```
///
/// ```
/// use autodiff_core::optim::Adam;
///
/// let mut w = 1.0_f64;
/// let mut adam = Adam::new(&w, 0.1);
/// adam.step(&mut w, &0.5);
/// assert!((w - 0.900_000_002).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct Adam<P: Differentiable> {
    /// How far a step goes.
    pub learning_rate: P::Scalar,
    /// How long the mean of gradients remembers: β₁, 0.9 unless changed before the first step.
    pub beta1: P::Scalar,
    /// How long the mean of their squares remembers: β₂, 0.999 unless changed before the first step.
    pub beta2: P::Scalar,
    /// Added to the root of the corrected second moment: ε, 1e-8 unless changed.
    pub epsilon: P::Scalar,
    first_moment: P::Tangent,
    second_moment: P::Tangent,
    /// `1 - β₁ᵗ` and `1 - β₂ᵗ`, by recurrence. Powers would cancel: in `f32`, 1 - 0.999 has four good digits, while
    /// here what is lost in `1 - β` is lost in the moments too, and drops out of their quotient.
    weights: [P::Scalar; 2],
}

impl<P: Differentiable> Adam<P> {
    /// With the usual β₁ = 0.9, β₂ = 0.999, ε = 1e-8.
    pub fn new(params: &P, learning_rate: P::Scalar) -> Self {
        Adam {
            learning_rate,
            beta1: P::Scalar::from_f64(0.9),
            beta2: P::Scalar::from_f64(0.999),
            epsilon: P::Scalar::from_f64(1e-8),
            first_moment: params.zero_tangent(),
            second_moment: params.zero_tangent(),
            weights: [P::Scalar::ZERO; 2],
        }
    }

    /// Moves `params` by one step.
    #[inline]
    pub fn step(&mut self, params: &mut P, gradient: &P::Tangent) {
        self.decay_and_step(P::Scalar::ONE, params, gradient);
    }

    /// Scales `params` by `keep`, then moves them.
    #[inline]
    fn decay_and_step(&mut self, keep: P::Scalar, params: &mut P, gradient: &P::Tangent) {
        let Adam { learning_rate, beta1, beta2, epsilon, .. } = *self;
        let (new1, new2) = (P::Scalar::ONE - beta1, P::Scalar::ONE - beta2);
        let [weight1, weight2] = &mut self.weights;
        *weight1 = beta1 * *weight1 + new1;
        *weight2 = beta2 * *weight2 + new2;
        let (rate, scale) = (learning_rate / *weight1, weight2.rsqrt());
        params.update_leaves(gradient, [&mut self.first_moment, &mut self.second_moment], &mut |x, g, [m, v]| {
            for (((x, g), m), v) in x.iter_mut().zip(g).zip(m).zip(v) {
                *m = beta1 * *m + new1 * *g;
                *v = beta2 * *v + new2 * g.square();
                *x = keep * *x - rate * *m / (v.sqrt() * scale + epsilon);
            }
        });
    }
}

/// Adam with decoupled weight decay (Loshchilov and Hutter, 2019): `x ← (1 - lr·decay)·x` before each step of [`Adam`].
///
/// ```
/// use autodiff_core::optim::AdamW;
///
/// let mut w = 1.0_f64;
/// let mut adam = AdamW::new(&w, 0.1, 0.01);
/// adam.step(&mut w, &0.5);
/// assert!((w - 0.899_000_002).abs() < 1e-12);
/// ```
pub struct AdamW<P: Differentiable> {
    /// The learning rate, β₁, β₂ and ε.
    pub adam: Adam<P>,
    /// How strongly parameters are drawn to 0, apart from the gradient.
    pub weight_decay: P::Scalar,
}

impl<P: Differentiable> AdamW<P> {
    /// With the usual β₁ = 0.9, β₂ = 0.999, ε = 1e-8. A usual weight decay is 0.01.
    pub fn new(params: &P, learning_rate: P::Scalar, weight_decay: P::Scalar) -> Self {
        AdamW { adam: Adam::new(params, learning_rate), weight_decay }
    }

    /// Moves `params` by one step.
    #[inline]
    pub fn step(&mut self, params: &mut P, gradient: &P::Tangent) {
        let keep = P::Scalar::ONE - self.adam.learning_rate * self.weight_decay;
        self.adam.decay_and_step(keep, params, gradient);
    }
}

// Not derived, because a derive would ask for `P: Clone` but not for what is inside: the tangent.
impl<P: Differentiable> Clone for AdamW<P>
where
    Adam<P>: Clone,
{
    fn clone(&self) -> Self {
        AdamW { adam: self.adam.clone(), weight_decay: self.weight_decay }
    }
}

impl<P: Differentiable> Debug for AdamW<P>
where
    Adam<P>: Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdamW").field("adam", &self.adam).field("weight_decay", &self.weight_decay).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tensor2;

    const GRADIENTS: [f64; 3] = [0.5, 1.0, 1.5];
    const ADAM: [f64; 3] = [0.900_000_002, 0.803_481_801, 0.707_681_679];
    const ADAM_W: [f64; 3] = [0.899_000_002, 0.801_582_801, 0.704_981_096];

    #[test]
    fn three_steps() {
        let (mut x, mut y) = (1.0, Tensor2::from([[1.0], [-1.0]]));
        let (mut adam, mut adam_w) = (Adam::new(&x, 0.1), AdamW::new(&y, 0.1, 0.01));
        for ((g, expected), expected_w) in GRADIENTS.into_iter().zip(ADAM).zip(ADAM_W) {
            adam.step(&mut x, &g);
            adam_w.step(&mut y, &Tensor2::from([[g], [-g]]));
            assert!((x - expected).abs() < 6e-10, "{x} is not {expected}");
            assert!((y[[0, 0]] - expected_w).abs() < 6e-10, "{y:?} is not {expected_w}");
            assert_eq!(y[[1, 0]], -y[[0, 0]]);
        }
    }

    #[test]
    fn three_steps_in_f32() {
        let mut x = 1.0_f32;
        let mut adam = Adam::new(&x, 0.1);
        for (g, expected) in GRADIENTS.into_iter().zip(ADAM) {
            adam.step(&mut x, &(g as f32));
            assert!((f64::from(x) - expected).abs() < 1e-6, "{x} is not {expected}");
        }
    }

    /// A gradient that is always 0 leaves its parameter alone, rather than making it 0/0.
    #[test]
    fn no_gradient_no_step() {
        let mut x = [1.0_f32, 2.0];
        let mut adam = Adam::new(&x, 0.1);
        adam.step(&mut x, &[0.0, 1.0]);
        assert_eq!(x[0], 1.0);
    }
}
