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

mod prod {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> f64 {
        x.prod()
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
        x.prod()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("prod");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("prod");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod max {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> f64 {
        x.max()
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
        x.max()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("max");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("max");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod min {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> f64 {
        x.min()
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
        x.min()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("min");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("min");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod norm {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> f64 {
        x.norm()
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
        x.norm()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("norm");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("norm");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod var {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> f64 {
        x.var(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
        x.var(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("var");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("var");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod std {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> f64 {
        x.std(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
        x.std(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("std");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("std");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod logsumexp {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> f64 {
        x.logsumexp()
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
        x.logsumexp()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("logsumexp");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("logsumexp");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod norm_l1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> f64 {
        x.norm_l1()
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> f32 {
        x.norm_l1()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("norm_l1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("norm_l1");
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

mod max_axis_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.max_axis(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.max_axis(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("max_axis_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("max_axis_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod min_axis_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.min_axis(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.min_axis(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("min_axis_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("min_axis_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod var_axis_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.var_axis(0, 1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.var_axis(0, 1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("var_axis_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("var_axis_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod logsumexp_axis_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.logsumexp_axis(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.logsumexp_axis(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("logsumexp_axis_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("logsumexp_axis_0");
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

mod cumsum_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 4> {
        x.cumsum(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 4> {
        x.cumsum(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("cumsum_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("cumsum_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod prod_axis_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.prod_axis(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.prod_axis(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("prod_axis_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("prod_axis_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod norm_axis_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.norm_axis(0)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.norm_axis(0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("norm_axis_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("norm_axis_0");
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

mod max_axis_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 4> {
        x.max_axis(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 4> {
        x.max_axis(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("max_axis_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("max_axis_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod min_axis_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 4> {
        x.min_axis(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 4> {
        x.min_axis(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("min_axis_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("min_axis_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod var_axis_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 4> {
        x.var_axis(1, 1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 4> {
        x.var_axis(1, 1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("var_axis_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("var_axis_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod logsumexp_axis_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 4> {
        x.logsumexp_axis(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 4> {
        x.logsumexp_axis(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("logsumexp_axis_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("logsumexp_axis_1");
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

mod cumsum_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 4> {
        x.cumsum(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 4> {
        x.cumsum(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("cumsum_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("cumsum_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod prod_axis_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 4> {
        x.prod_axis(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 4> {
        x.prod_axis(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("prod_axis_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("prod_axis_1");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod norm_axis_1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 4> {
        x.norm_axis(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 4> {
        x.norm_axis(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("norm_axis_1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("norm_axis_1");
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

mod max_axis_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 3> {
        x.max_axis(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 3> {
        x.max_axis(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("max_axis_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("max_axis_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod min_axis_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 3> {
        x.min_axis(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 3> {
        x.min_axis(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("min_axis_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("min_axis_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod var_axis_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 3> {
        x.var_axis(2, 1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 3> {
        x.var_axis(2, 1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("var_axis_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("var_axis_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod logsumexp_axis_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 3> {
        x.logsumexp_axis(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 3> {
        x.logsumexp_axis(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("logsumexp_axis_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("logsumexp_axis_2");
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

mod cumsum_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 3, 4> {
        x.cumsum(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 2, 3, 4> {
        x.cumsum(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("cumsum_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("cumsum_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod prod_axis_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 3> {
        x.prod_axis(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 3> {
        x.prod_axis(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("prod_axis_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("prod_axis_2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod norm_axis_2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor2<f64, 2, 3> {
        x.norm_axis(2)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor2<f32, 2, 3> {
        x.norm_axis(2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("norm_axis_2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("norm_axis_2");
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

mod logsumexp_large {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 5>) -> Tensor1<f64, 2> {
        x.logsumexp_axis(-1)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 5>) -> Tensor1<f32, 2> {
        x.logsumexp_axis(-1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("logsumexp_large");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("logsumexp_large");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod l2_normalize {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.l2_normalize(1, 1e-12)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.l2_normalize(1, 1e-12)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("l2_normalize");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("l2_normalize");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}
