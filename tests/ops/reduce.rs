//! Written by `cargo run -p generate-tests`: change that.

use crate::Case;
use autodiff::prelude::*;

mod sum {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> f64 {
        x.sum()
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
        x.sum()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sum");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sum");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod mean {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> f64 {
        x.mean()
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
        x.mean()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mean");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mean");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod sum_axis_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.sum_axis(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.sum_axis(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sum_axis_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sum_axis_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod sum_keepdim_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 1, 3, 4> {
        x.sum_keepdim(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 1, 3, 4> {
        x.sum_keepdim(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sum_keepdim_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sum_keepdim_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod mean_axis_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.mean_axis(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.mean_axis(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mean_axis_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mean_axis_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod mean_keepdim_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 1, 3, 4> {
        x.mean_keepdim(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 1, 3, 4> {
        x.mean_keepdim(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mean_keepdim_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mean_keepdim_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod softmax_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 4> {
        x.softmax(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 4> {
        x.softmax(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("softmax_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("softmax_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod log_softmax_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 4> {
        x.log_softmax(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 4> {
        x.log_softmax(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("log_softmax_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("log_softmax_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod sum_axis_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 4> {
        x.sum_axis(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 4> {
        x.sum_axis(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sum_axis_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sum_axis_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod sum_keepdim_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 1, 4> {
        x.sum_keepdim(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 1, 4> {
        x.sum_keepdim(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sum_keepdim_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sum_keepdim_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod mean_axis_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 4> {
        x.mean_axis(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 4> {
        x.mean_axis(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mean_axis_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mean_axis_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod mean_keepdim_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 1, 4> {
        x.mean_keepdim(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 1, 4> {
        x.mean_keepdim(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mean_keepdim_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mean_keepdim_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod softmax_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 4> {
        x.softmax(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 4> {
        x.softmax(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("softmax_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("softmax_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod log_softmax_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 4> {
        x.log_softmax(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 4> {
        x.log_softmax(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("log_softmax_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("log_softmax_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod sum_axis_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 3> {
        x.sum_axis(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 3> {
        x.sum_axis(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sum_axis_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sum_axis_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod sum_keepdim_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 1> {
        x.sum_keepdim(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 1> {
        x.sum_keepdim(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sum_keepdim_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sum_keepdim_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod mean_axis_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 3> {
        x.mean_axis(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 3> {
        x.mean_axis(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mean_axis_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mean_axis_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod mean_keepdim_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 1> {
        x.mean_keepdim(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 1> {
        x.mean_keepdim(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mean_keepdim_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mean_keepdim_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod softmax_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 4> {
        x.softmax(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 4> {
        x.softmax(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("softmax_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("softmax_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod log_softmax_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 4> {
        x.log_softmax(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 4> {
        x.log_softmax(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("log_softmax_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("log_softmax_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod softmax_last {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 4> {
        x.softmax(-1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 4> {
        x.softmax(-1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("softmax_last");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("softmax_last");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// no overflow
mod softmax_large {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 5>) -> Tensor2<f64, 2, 5> {
        x.softmax(-1)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 5>) -> Tensor2<f32, 2, 5> {
        x.softmax(-1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("softmax_large");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("softmax_large");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}
