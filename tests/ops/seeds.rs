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

mod seed_conv_a {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 1, 5, 5>, w: &Tensor4<f64, 1, 1, 2, 2>, b: f64) -> Tensor4<f64, 1, 1, 4, 4> {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [0, 0], dilation: [1, 1], groups: 1 }) + b
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 1, 5, 5>, w: &Tensor4<f32, 1, 1, 2, 2>, b: f32) -> Tensor4<f32, 1, 1, 4, 4> {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [0, 0], dilation: [1, 1], groups: 1 }) + b
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("seed_conv_a");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = double::vjp(&x, &w, b);
        let (same_value, tangent) = double::jvp(&x, &w, b, &case.tangent(0), &case.tangent(1), case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w, b)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("seed_conv_a");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = single::vjp(&x, &w, b);
        let (same_value, tangent) = single::jvp(&x, &w, b, &case.tangent(0), &case.tangent(1), case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w, b)], &tangent, &gradients);
    }
}

mod seed_conv_b {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 1, 5, 5>, w: &Tensor4<f64, 1, 1, 2, 2>, b: f64) -> Tensor4<f64, 1, 1, 2, 2> {
        x.conv2d(w, Conv2d { stride: [2, 2], padding: [0, 0], dilation: [1, 1], groups: 1 }) + b
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 1, 5, 5>, w: &Tensor4<f32, 1, 1, 2, 2>, b: f32) -> Tensor4<f32, 1, 1, 2, 2> {
        x.conv2d(w, Conv2d { stride: [2, 2], padding: [0, 0], dilation: [1, 1], groups: 1 }) + b
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("seed_conv_b");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = double::vjp(&x, &w, b);
        let (same_value, tangent) = double::jvp(&x, &w, b, &case.tangent(0), &case.tangent(1), case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w, b)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("seed_conv_b");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = single::vjp(&x, &w, b);
        let (same_value, tangent) = single::jvp(&x, &w, b, &case.tangent(0), &case.tangent(1), case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w, b)], &tangent, &gradients);
    }
}

mod seed_conv_c {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 1, 5, 5>, w: &Tensor4<f64, 1, 1, 2, 2>, b: f64) -> Tensor4<f64, 1, 1, 3, 3> {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [0, 0], dilation: [2, 2], groups: 1 }) + b
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 1, 5, 5>, w: &Tensor4<f32, 1, 1, 2, 2>, b: f32) -> Tensor4<f32, 1, 1, 3, 3> {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [0, 0], dilation: [2, 2], groups: 1 }) + b
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("seed_conv_c");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = double::vjp(&x, &w, b);
        let (same_value, tangent) = double::jvp(&x, &w, b, &case.tangent(0), &case.tangent(1), case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w, b)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("seed_conv_c");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = single::vjp(&x, &w, b);
        let (same_value, tangent) = single::jvp(&x, &w, b, &case.tangent(0), &case.tangent(1), case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w, b)], &tangent, &gradients);
    }
}

mod seed_conv_d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 1, 5, 5>, w: &Tensor4<f64, 1, 1, 2, 2>, b: f64) -> Tensor4<f64, 1, 1, 3, 3> {
        x.conv2d(w, Conv2d { stride: [2, 2], padding: [1, 1], dilation: [1, 1], groups: 1 }) + b
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 1, 5, 5>, w: &Tensor4<f32, 1, 1, 2, 2>, b: f32) -> Tensor4<f32, 1, 1, 3, 3> {
        x.conv2d(w, Conv2d { stride: [2, 2], padding: [1, 1], dilation: [1, 1], groups: 1 }) + b
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("seed_conv_d");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = double::vjp(&x, &w, b);
        let (same_value, tangent) = double::jvp(&x, &w, b, &case.tangent(0), &case.tangent(1), case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w, b)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("seed_conv_d");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = single::vjp(&x, &w, b);
        let (same_value, tangent) = single::jvp(&x, &w, b, &case.tangent(0), &case.tangent(1), case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w, b)], &tangent, &gradients);
    }
}

mod seed_conv_e {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 1, 5, 5>, w: &Tensor4<f64, 1, 1, 2, 2>, b: f64) -> Tensor4<f64, 1, 1, 2, 3> {
        x.conv2d(w, Conv2d { stride: [2, 1], padding: [0, 0], dilation: [1, 2], groups: 1 }) + b
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 1, 5, 5>, w: &Tensor4<f32, 1, 1, 2, 2>, b: f32) -> Tensor4<f32, 1, 1, 2, 3> {
        x.conv2d(w, Conv2d { stride: [2, 1], padding: [0, 0], dilation: [1, 2], groups: 1 }) + b
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("seed_conv_e");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = double::vjp(&x, &w, b);
        let (same_value, tangent) = double::jvp(&x, &w, b, &case.tangent(0), &case.tangent(1), case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w, b)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("seed_conv_e");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = single::vjp(&x, &w, b);
        let (same_value, tangent) = single::jvp(&x, &w, b, &case.tangent(0), &case.tangent(1), case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w, b)], &tangent, &gradients);
    }
}
