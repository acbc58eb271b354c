//! Written by `cargo run -p generate-tests`: change that.

use crate::Case;
use autodiff::prelude::*;

/// value at and around the point where no derivative exists
mod relu_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.relu()
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.relu()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("relu_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("relu_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}
