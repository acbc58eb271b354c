//! The same network, with the gradient left to the macro.

use autodiff::optim::Sgd;
use autodiff::prelude::*;

use crate::{Model, RATE, X, Y, initial_weights};

#[derive(Differentiable, Clone)]
pub struct Generated {
    pub w1: Tensor2<f32, 2, 8>,
    pub b1: Tensor1<f32, 8>,
    pub w2: Tensor2<f32, 8, 1>,
    pub b2: Tensor1<f32, 1>,
}

#[differentiable]
pub fn loss(p: &Generated, #[no_diff] x: &Tensor2<f32, 4, 2>, #[no_diff] y: &Tensor2<f32, 4, 1>) -> f32 {
    let h = (x.matmul(p.w1) + p.b1).tanh();
    (h.matmul(p.w2) + p.b2).sigmoid().mse(y)
}

impl Model for Generated {
    fn initial() -> Self {
        let (w1, w2) = initial_weights();
        Generated { w1: Tensor2::from(w1), b1: Tensor1::zeros(), w2: Tensor2::from(w2), b2: Tensor1::zeros() }
    }

    #[inline(never)]
    fn epoch(&mut self) -> f32 {
        let (x, y) = (Tensor2::from(X), Tensor2::from(Y));
        let (value, gradient) = loss::value_and_grad(self, &x, &y);
        Sgd::new(RATE).step(self, &gradient);
        value
    }
}
