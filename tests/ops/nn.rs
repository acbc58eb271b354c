//! Written by `cargo run -p generate-tests`: change that.

use crate::Case;
use autodiff::prelude::*;

mod conv2d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 2, 5, 6>, w: &Tensor4<f64, 3, 2, 3, 3>) -> Tensor4<f64, 2, 3, 3, 4> {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [0, 0], dilation: [1, 1], groups: 1 })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 2, 5, 6>, w: &Tensor4<f32, 3, 2, 3, 3>) -> Tensor4<f32, 2, 3, 3, 4> {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [0, 0], dilation: [1, 1], groups: 1 })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("conv2d");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = double::vjp(&x, &w);
        let (same_value, tangent) = double::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("conv2d");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = single::vjp(&x, &w);
        let (same_value, tangent) = single::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w)], &tangent, &gradients);
    }
}

mod conv2d_stride_pad {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 2, 6, 7>, w: &Tensor4<f64, 2, 2, 3, 2>) -> Tensor4<f64, 1, 2, 3, 8> {
        x.conv2d(w, Conv2d { stride: [2, 1], padding: [1, 1], dilation: [1, 1], groups: 1 })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 2, 6, 7>, w: &Tensor4<f32, 2, 2, 3, 2>) -> Tensor4<f32, 1, 2, 3, 8> {
        x.conv2d(w, Conv2d { stride: [2, 1], padding: [1, 1], dilation: [1, 1], groups: 1 })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("conv2d_stride_pad");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = double::vjp(&x, &w);
        let (same_value, tangent) = double::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("conv2d_stride_pad");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = single::vjp(&x, &w);
        let (same_value, tangent) = single::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w)], &tangent, &gradients);
    }
}

mod conv2d_dilated {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 1, 8, 9>, w: &Tensor4<f64, 2, 1, 3, 3>) -> Tensor4<f64, 1, 2, 8, 3> {
        x.conv2d(w, Conv2d { stride: [1, 2], padding: [2, 1], dilation: [2, 3], groups: 1 })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 1, 8, 9>, w: &Tensor4<f32, 2, 1, 3, 3>) -> Tensor4<f32, 1, 2, 8, 3> {
        x.conv2d(w, Conv2d { stride: [1, 2], padding: [2, 1], dilation: [2, 3], groups: 1 })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("conv2d_dilated");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = double::vjp(&x, &w);
        let (same_value, tangent) = double::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("conv2d_dilated");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = single::vjp(&x, &w);
        let (same_value, tangent) = single::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w)], &tangent, &gradients);
    }
}

mod conv2d_groups {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 4, 5, 5>, w: &Tensor4<f64, 6, 2, 3, 3>) -> Tensor4<f64, 2, 6, 5, 5> {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [1, 1], dilation: [1, 1], groups: 2 })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 4, 5, 5>, w: &Tensor4<f32, 6, 2, 3, 3>) -> Tensor4<f32, 2, 6, 5, 5> {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [1, 1], dilation: [1, 1], groups: 2 })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("conv2d_groups");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = double::vjp(&x, &w);
        let (same_value, tangent) = double::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("conv2d_groups");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = single::vjp(&x, &w);
        let (same_value, tangent) = single::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w)], &tangent, &gradients);
    }
}

mod conv2d_depthwise {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 3, 6, 6>, w: &Tensor4<f64, 3, 1, 3, 3>) -> Tensor4<f64, 1, 3, 3, 3> {
        x.conv2d(w, Conv2d { stride: [2, 2], padding: [1, 1], dilation: [1, 1], groups: 3 })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 3, 6, 6>, w: &Tensor4<f32, 3, 1, 3, 3>) -> Tensor4<f32, 1, 3, 3, 3> {
        x.conv2d(w, Conv2d { stride: [2, 2], padding: [1, 1], dilation: [1, 1], groups: 3 })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("conv2d_depthwise");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = double::vjp(&x, &w);
        let (same_value, tangent) = double::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("conv2d_depthwise");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = single::vjp(&x, &w);
        let (same_value, tangent) = single::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w)], &tangent, &gradients);
    }
}

mod conv2d_untouched_edge {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 1, 6, 6>, w: &Tensor4<f64, 1, 1, 2, 2>) -> Tensor4<f64, 1, 1, 2, 2> {
        x.conv2d(w, Conv2d { stride: [3, 3], padding: [0, 0], dilation: [1, 1], groups: 1 })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 1, 6, 6>, w: &Tensor4<f32, 1, 1, 2, 2>) -> Tensor4<f32, 1, 1, 2, 2> {
        x.conv2d(w, Conv2d { stride: [3, 3], padding: [0, 0], dilation: [1, 1], groups: 1 })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("conv2d_untouched_edge");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = double::vjp(&x, &w);
        let (same_value, tangent) = double::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("conv2d_untouched_edge");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = single::vjp(&x, &w);
        let (same_value, tangent) = single::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w)], &tangent, &gradients);
    }
}

mod conv1d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 7>, w: &Tensor3<f64, 2, 3, 3>) -> Tensor3<f64, 2, 2, 4> {
        x.conv1d(w, Conv1d { stride: 2, padding: 1, dilation: 1, groups: 1 })
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 7>, w: &Tensor3<f32, 2, 3, 3>) -> Tensor3<f32, 2, 2, 4> {
        x.conv1d(w, Conv1d { stride: 2, padding: 1, dilation: 1, groups: 1 })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("conv1d");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = double::vjp(&x, &w);
        let (same_value, tangent) = double::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("conv1d");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = single::vjp(&x, &w);
        let (same_value, tangent) = single::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w)], &tangent, &gradients);
    }
}

mod conv_transpose2d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 2, 3, 4>, w: &Tensor4<f64, 2, 3, 3, 3>) -> Tensor4<f64, 1, 3, 6, 9> {
        x.conv_transpose2d(w, ConvTranspose2d { stride: [2, 2], padding: [1, 0], output_padding: [1, 0], dilation: [1, 1], groups: 1 })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 2, 3, 4>, w: &Tensor4<f32, 2, 3, 3, 3>) -> Tensor4<f32, 1, 3, 6, 9> {
        x.conv_transpose2d(w, ConvTranspose2d { stride: [2, 2], padding: [1, 0], output_padding: [1, 0], dilation: [1, 1], groups: 1 })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("conv_transpose2d");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = double::vjp(&x, &w);
        let (same_value, tangent) = double::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("conv_transpose2d");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = single::vjp(&x, &w);
        let (same_value, tangent) = single::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w)], &tangent, &gradients);
    }
}

mod im2col {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 2, 4, 5>) -> Tensor3<f64, 1, 12, 9> {
        x.im2col([2, 3], Window2d { stride: [1, 2], padding: [0, 1], dilation: [1, 1] })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 2, 4, 5>) -> Tensor3<f32, 1, 12, 9> {
        x.im2col([2, 3], Window2d { stride: [1, 2], padding: [0, 1], dilation: [1, 1] })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("im2col");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("im2col");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod max_pool2d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 2, 4, 6>) -> Tensor4<f64, 2, 2, 2, 3> {
        x.max_pool2d([2, 2], Window2d { stride: [2, 2], padding: [0, 0], dilation: [1, 1] })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 2, 4, 6>) -> Tensor4<f32, 2, 2, 2, 3> {
        x.max_pool2d([2, 2], Window2d { stride: [2, 2], padding: [0, 0], dilation: [1, 1] })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("max_pool2d");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("max_pool2d");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod max_pool2d_overlap {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 2, 5, 6>) -> Tensor4<f64, 1, 2, 5, 4> {
        x.max_pool2d([3, 2], Window2d { stride: [1, 2], padding: [1, 1], dilation: [1, 1] })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 2, 5, 6>) -> Tensor4<f32, 1, 2, 5, 4> {
        x.max_pool2d([3, 2], Window2d { stride: [1, 2], padding: [1, 1], dilation: [1, 1] })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("max_pool2d_overlap");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("max_pool2d_overlap");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod avg_pool2d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 2, 4, 6>) -> Tensor4<f64, 2, 2, 2, 3> {
        x.avg_pool2d([2, 2], Window2d { stride: [2, 2], padding: [0, 0], dilation: [1, 1] })
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 2, 4, 6>) -> Tensor4<f32, 2, 2, 2, 3> {
        x.avg_pool2d([2, 2], Window2d { stride: [2, 2], padding: [0, 0], dilation: [1, 1] })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("avg_pool2d");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("avg_pool2d");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod global_avg_pool2d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 3, 4, 4>) -> Tensor2<f64, 2, 3> {
        x.global_avg_pool2d()
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 3, 4, 4>) -> Tensor2<f32, 2, 3> {
        x.global_avg_pool2d()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("global_avg_pool2d");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("global_avg_pool2d");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod upsample_nearest2d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 1, 2, 3, 2>) -> Tensor4<f64, 1, 2, 6, 6> {
        x.upsample_nearest2d([2, 3])
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 1, 2, 3, 2>) -> Tensor4<f32, 1, 2, 6, 6> {
        x.upsample_nearest2d([2, 3])
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("upsample_nearest2d");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("upsample_nearest2d");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod layer_norm {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 5>, gamma: &Tensor1<f64, 5>, beta: &Tensor1<f64, 5>) -> Tensor2<f64, 3, 5> {
        x.layer_norm(gamma, beta, 1e-5)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 5>, gamma: &Tensor1<f32, 5>, beta: &Tensor1<f32, 5>) -> Tensor2<f32, 3, 5> {
        x.layer_norm(gamma, beta, 1e-5)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("layer_norm");
        let x = case.input(0);
        let gamma = case.input(1);
        let beta = case.input(2);
        let (value, pullback) = double::vjp(&x, &gamma, &beta);
        let (same_value, tangent) = double::jvp(&x, &gamma, &beta, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &gamma, &beta)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("layer_norm");
        let x = case.input(0);
        let gamma = case.input(1);
        let beta = case.input(2);
        let (value, pullback) = single::vjp(&x, &gamma, &beta);
        let (same_value, tangent) = single::jvp(&x, &gamma, &beta, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &gamma, &beta)], &tangent, &gradients);
    }
}

mod rms_norm {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 5>, gamma: &Tensor1<f64, 5>) -> Tensor2<f64, 3, 5> {
        x.rms_norm(gamma, 1e-6)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 5>, gamma: &Tensor1<f32, 5>) -> Tensor2<f32, 3, 5> {
        x.rms_norm(gamma, 1e-6)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("rms_norm");
        let x = case.input(0);
        let gamma = case.input(1);
        let (value, pullback) = double::vjp(&x, &gamma);
        let (same_value, tangent) = double::jvp(&x, &gamma, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &gamma)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("rms_norm");
        let x = case.input(0);
        let gamma = case.input(1);
        let (value, pullback) = single::vjp(&x, &gamma);
        let (same_value, tangent) = single::jvp(&x, &gamma, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &gamma)], &tangent, &gradients);
    }
}

mod batch_norm2d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 3, 2, 2, 3>, gamma: &Tensor1<f64, 2>, beta: &Tensor1<f64, 2>) -> Tensor4<f64, 3, 2, 2, 3> {
        x.batch_norm2d(gamma, beta, 1e-5)
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 3, 2, 2, 3>, gamma: &Tensor1<f32, 2>, beta: &Tensor1<f32, 2>) -> Tensor4<f32, 3, 2, 2, 3> {
        x.batch_norm2d(gamma, beta, 1e-5)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("batch_norm2d");
        let x = case.input(0);
        let gamma = case.input(1);
        let beta = case.input(2);
        let (value, pullback) = double::vjp(&x, &gamma, &beta);
        let (same_value, tangent) = double::jvp(&x, &gamma, &beta, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &gamma, &beta)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("batch_norm2d");
        let x = case.input(0);
        let gamma = case.input(1);
        let beta = case.input(2);
        let (value, pullback) = single::vjp(&x, &gamma, &beta);
        let (same_value, tangent) = single::jvp(&x, &gamma, &beta, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &gamma, &beta)], &tangent, &gradients);
    }
}

mod group_norm {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 4, 2, 3>, gamma: &Tensor1<f64, 4>, beta: &Tensor1<f64, 4>) -> Tensor4<f64, 2, 4, 2, 3> {
        x.group_norm(2, gamma, beta, 1e-5)
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 4, 2, 3>, gamma: &Tensor1<f32, 4>, beta: &Tensor1<f32, 4>) -> Tensor4<f32, 2, 4, 2, 3> {
        x.group_norm(2, gamma, beta, 1e-5)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("group_norm");
        let x = case.input(0);
        let gamma = case.input(1);
        let beta = case.input(2);
        let (value, pullback) = double::vjp(&x, &gamma, &beta);
        let (same_value, tangent) = double::jvp(&x, &gamma, &beta, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &gamma, &beta)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("group_norm");
        let x = case.input(0);
        let gamma = case.input(1);
        let beta = case.input(2);
        let (value, pullback) = single::vjp(&x, &gamma, &beta);
        let (same_value, tangent) = single::jvp(&x, &gamma, &beta, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &gamma, &beta)], &tangent, &gradients);
    }
}

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

mod cross_entropy_soft {
    use super::*;

    #[differentiable]
    fn double(logits: &Tensor2<f64, 3, 5>, target: &Tensor2<f64, 3, 5>) -> f64 {
        logits.cross_entropy_soft(target)
    }

    #[differentiable]
    fn single(logits: &Tensor2<f32, 3, 5>, target: &Tensor2<f32, 3, 5>) -> f32 {
        logits.cross_entropy_soft(target)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("cross_entropy_soft");
        let logits = case.input(0);
        let target = case.input(1);
        let (value, pullback) = double::vjp(&logits, &target);
        let (same_value, tangent) = double::jvp(&logits, &target, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&logits, &target)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("cross_entropy_soft");
        let logits = case.input(0);
        let target = case.input(1);
        let (value, pullback) = single::vjp(&logits, &target);
        let (same_value, tangent) = single::jvp(&logits, &target, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&logits, &target)], &tangent, &gradients);
    }
}

mod nll {
    use super::*;

    #[differentiable]
    fn double(logp: &Tensor2<f64, 3, 5>, labels: &[usize; 3]) -> f64 {
        logp.nll(labels)
    }

    #[differentiable]
    fn single(logp: &Tensor2<f32, 3, 5>, labels: &[usize; 3]) -> f32 {
        logp.nll(labels)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("nll");
        let logp = case.input(0);
        let (value, pullback) = double::vjp(&logp, &[1, 4, 2]);
        let (same_value, tangent) = double::jvp(&logp, &[1, 4, 2], &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&logp, &[1, 4, 2])], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("nll");
        let logp = case.input(0);
        let (value, pullback) = single::vjp(&logp, &[1, 4, 2]);
        let (same_value, tangent) = single::jvp(&logp, &[1, 4, 2], &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&logp, &[1, 4, 2])], &tangent, &gradients);
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

mod l1_loss {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> f64 {
        x.l1_loss(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> f32 {
        x.l1_loss(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("l1_loss");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("l1_loss");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod huber {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> f64 {
        x.huber(y, 0.8)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> f32 {
        x.huber(y, 0.8)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("huber");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("huber");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod smooth_l1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> f64 {
        x.smooth_l1(y, 0.8)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> f32 {
        x.smooth_l1(y, 0.8)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("smooth_l1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("smooth_l1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod bce {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> f64 {
        x.bce(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> f32 {
        x.bce(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("bce");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("bce");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod bce_with_logits {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> f64 {
        x.bce_with_logits(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> f32 {
        x.bce_with_logits(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("bce_with_logits");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("bce_with_logits");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod kl_div {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> f64 {
        x.kl_div(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> f32 {
        x.kl_div(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("kl_div");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("kl_div");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod cosine_similarity {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor1<f64, 4> {
        x.cosine_similarity(y, 1)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor1<f32, 4> {
        x.cosine_similarity(y, 1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("cosine_similarity");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("cosine_similarity");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod attention {
    use super::*;

    #[differentiable]
    fn double(q: &Tensor4<f64, 2, 2, 4, 3>, k: &Tensor4<f64, 2, 2, 4, 3>, v: &Tensor4<f64, 2, 2, 4, 3>) -> Tensor4<f64, 2, 2, 4, 3> {
        attention(q, k, v)
    }

    #[differentiable]
    fn single(q: &Tensor4<f32, 2, 2, 4, 3>, k: &Tensor4<f32, 2, 2, 4, 3>, v: &Tensor4<f32, 2, 2, 4, 3>) -> Tensor4<f32, 2, 2, 4, 3> {
        attention(q, k, v)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("attention");
        let q = case.input(0);
        let k = case.input(1);
        let v = case.input(2);
        let (value, pullback) = double::vjp(&q, &k, &v);
        let (same_value, tangent) = double::jvp(&q, &k, &v, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&q, &k, &v)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("attention");
        let q = case.input(0);
        let k = case.input(1);
        let v = case.input(2);
        let (value, pullback) = single::vjp(&q, &k, &v);
        let (same_value, tangent) = single::jvp(&q, &k, &v, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&q, &k, &v)], &tangent, &gradients);
    }
}

mod attention_causal {
    use super::*;

    #[differentiable]
    fn double(q: &Tensor4<f64, 1, 2, 4, 3>, k: &Tensor4<f64, 1, 2, 4, 3>, v: &Tensor4<f64, 1, 2, 4, 3>) -> Tensor4<f64, 1, 2, 4, 3> {
        attention_causal(q, k, v)
    }

    #[differentiable]
    fn single(q: &Tensor4<f32, 1, 2, 4, 3>, k: &Tensor4<f32, 1, 2, 4, 3>, v: &Tensor4<f32, 1, 2, 4, 3>) -> Tensor4<f32, 1, 2, 4, 3> {
        attention_causal(q, k, v)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("attention_causal");
        let q = case.input(0);
        let k = case.input(1);
        let v = case.input(2);
        let (value, pullback) = double::vjp(&q, &k, &v);
        let (same_value, tangent) = double::jvp(&q, &k, &v, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&q, &k, &v)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("attention_causal");
        let q = case.input(0);
        let k = case.input(1);
        let v = case.input(2);
        let (value, pullback) = single::vjp(&q, &k, &v);
        let (same_value, tangent) = single::jvp(&q, &k, &v, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&q, &k, &v)], &tangent, &gradients);
    }
}

mod conv3d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor5<f64, 1, 2, 3, 4, 5>, w: &Tensor5<f64, 2, 2, 2, 3, 2>) -> Tensor5<f64, 1, 2, 2, 2, 3> {
        x.conv3d(w, Conv3d { stride: [1, 2, 1], padding: [0, 1, 0], dilation: [1, 1, 2], groups: 1 })
    }

    #[differentiable]
    fn single(x: &Tensor5<f32, 1, 2, 3, 4, 5>, w: &Tensor5<f32, 2, 2, 2, 3, 2>) -> Tensor5<f32, 1, 2, 2, 2, 3> {
        x.conv3d(w, Conv3d { stride: [1, 2, 1], padding: [0, 1, 0], dilation: [1, 1, 2], groups: 1 })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("conv3d");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = double::vjp(&x, &w);
        let (same_value, tangent) = double::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("conv3d");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = single::vjp(&x, &w);
        let (same_value, tangent) = single::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w)], &tangent, &gradients);
    }
}

mod max_pool1d {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 2, 8>) -> Tensor3<f64, 2, 2, 4> {
        x.max_pool1d(2, Window1d { stride: 2, padding: 0, dilation: 1 })
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 2, 8>) -> Tensor3<f32, 2, 2, 4> {
        x.max_pool1d(2, Window1d { stride: 2, padding: 0, dilation: 1 })
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("max_pool1d");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("max_pool1d");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod instance_norm {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 2, 3, 3>, gamma: &Tensor1<f64, 2>, beta: &Tensor1<f64, 2>) -> Tensor4<f64, 2, 2, 3, 3> {
        x.instance_norm(gamma, beta, 1e-5)
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 2, 3, 3>, gamma: &Tensor1<f32, 2>, beta: &Tensor1<f32, 2>) -> Tensor4<f32, 2, 2, 3, 3> {
        x.instance_norm(gamma, beta, 1e-5)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("instance_norm");
        let x = case.input(0);
        let gamma = case.input(1);
        let beta = case.input(2);
        let (value, pullback) = double::vjp(&x, &gamma, &beta);
        let (same_value, tangent) = double::jvp(&x, &gamma, &beta, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &gamma, &beta)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("instance_norm");
        let x = case.input(0);
        let gamma = case.input(1);
        let beta = case.input(2);
        let (value, pullback) = single::vjp(&x, &gamma, &beta);
        let (same_value, tangent) = single::jvp(&x, &gamma, &beta, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &gamma, &beta)], &tangent, &gradients);
    }
}

mod swiglu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 4>, y: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 4> {
        swiglu(x, y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 4>, y: &Tensor2<f32, 3, 4>) -> Tensor2<f32, 3, 4> {
        swiglu(x, y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("swiglu");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("swiglu");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod geglu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 4>, y: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 4> {
        geglu(x, y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 4>, y: &Tensor2<f32, 3, 4>) -> Tensor2<f32, 3, 4> {
        geglu(x, y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("geglu");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("geglu");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

/// adjacent pairs; rows are positions 0, 1, …
mod rope {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.rope(10000.0)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.rope(10000.0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("rope");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("rope");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod distillation {
    use super::*;

    #[differentiable]
    fn double(student: &Tensor2<f64, 3, 4>, teacher: &Tensor2<f64, 3, 4>) -> f64 {
        student.distillation(teacher, 2.0)
    }

    #[differentiable]
    fn single(student: &Tensor2<f32, 3, 4>, teacher: &Tensor2<f32, 3, 4>) -> f32 {
        student.distillation(teacher, 2.0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("distillation");
        let student = case.input(0);
        let teacher = case.input(1);
        let (value, pullback) = double::vjp(&student, &teacher);
        let (same_value, tangent) = double::jvp(&student, &teacher, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&student, &teacher)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("distillation");
        let student = case.input(0);
        let teacher = case.input(1);
        let (value, pullback) = single::vjp(&student, &teacher);
        let (same_value, tangent) = single::jvp(&student, &teacher, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&student, &teacher)], &tangent, &gradients);
    }
}
