//! Written by `cargo run -p generate-tests`: change that.

use crate::Case;
use autodiff::prelude::*;

mod cross_entropy {
    use super::*;

    #[differentiable]
    fn double(logits: &Tensor2<f64, 3, 5>, labels: &[usize; 3]) -> f64 {
        logits.cross_entropy(labels)
    }

    #[differentiable]
    fn single(logits: &Tensor2<f32, 3, 5>, labels: &[usize; 3]) -> f32 {
        logits.cross_entropy(labels)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("cross_entropy");
        let logits = case.input(0);
        let (value, pullback) = double::vjp(&logits, &[1, 4, 2]);
        let (same_value, tangent) = double::jvp(&logits, &[1, 4, 2], &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&logits, &[1, 4, 2])], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("cross_entropy");
        let logits = case.input(0);
        let (value, pullback) = single::vjp(&logits, &[1, 4, 2]);
        let (same_value, tangent) = single::jvp(&logits, &[1, 4, 2], &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&logits, &[1, 4, 2])], &tangent, &gradients);
    }
}

mod mse {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> f64 {
        x.mse(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> f32 {
        x.mse(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mse");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mse");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}
