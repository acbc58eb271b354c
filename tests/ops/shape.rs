//! Written by `cargo run -p generate-tests`: change that.

use crate::Case;
use autodiff::prelude::*;

mod reshape {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 6>) -> Tensor2<f64, 3, 8> {
        x.reshape([3, 8])
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 6>) -> Tensor2<f32, 3, 8> {
        x.reshape([3, 8])
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("reshape");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("reshape");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}
