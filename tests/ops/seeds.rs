//! Written by `cargo run -p generate-tests`: change that.

use crate::Case;
use autodiff::prelude::*;

/// [1,3] * [4,3]
mod seed_mul_broadcast {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("seed_mul_broadcast");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("seed_mul_broadcast");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

/// [3] * [1]: with a cotangent of ones the gradient of y is [6]
mod seed_undo_broadcast {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>, y: &Tensor1<f64, 1>) -> Tensor1<f64, 3> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>, y: &Tensor1<f32, 1>) -> Tensor1<f32, 3> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("seed_undo_broadcast");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("seed_undo_broadcast");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}
