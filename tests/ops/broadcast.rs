//! Written by `cargo run -p generate-tests`: change that.

use crate::Case;
use autodiff::prelude::*;

mod add_b0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x + y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod sub_b0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x - y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod mul_b0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mul_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod div_b0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x / y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod pow_b0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.pow(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.pow(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("pow_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("pow_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod maximum_b0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.maximum(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.maximum(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("maximum_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("maximum_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod minimum_b0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.minimum(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.minimum(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("minimum_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("minimum_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod atan2_b0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.atan2(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.atan2(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("atan2_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("atan2_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod hypot_b0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.hypot(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.hypot(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("hypot_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("hypot_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod where_b0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        select(x.gt(y), x * 2.0, y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        select(x.gt(y), x * 2.0, y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("where_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("where_b0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod add_b1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x + y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod sub_b1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x - y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod mul_b1 {
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
        let case = Case::double("mul_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod div_b1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x / y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod pow_b1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.pow(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.pow(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("pow_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("pow_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod maximum_b1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.maximum(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.maximum(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("maximum_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("maximum_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod minimum_b1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.minimum(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.minimum(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("minimum_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("minimum_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod atan2_b1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.atan2(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.atan2(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("atan2_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("atan2_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod hypot_b1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.hypot(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.hypot(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("hypot_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("hypot_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod where_b1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        select(x.gt(y), x * 2.0, y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        select(x.gt(y), x * 2.0, y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("where_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("where_b1");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod add_b2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x + y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b2");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b2");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod sub_b2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x - y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b2");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b2");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod mul_b2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mul_b2");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b2");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod div_b2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x / y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b2");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b2");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod add_b3 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 1>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x + y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 1>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod sub_b3 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 1>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x - y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 1>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod mul_b3 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 1>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 1>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mul_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod div_b3 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 1>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x / y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 1>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod pow_b3 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 1>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x.pow(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 1>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x.pow(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("pow_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("pow_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod maximum_b3 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 1>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x.maximum(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 1>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x.maximum(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("maximum_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("maximum_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod minimum_b3 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 1>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x.minimum(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 1>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x.minimum(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("minimum_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("minimum_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod atan2_b3 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 1>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x.atan2(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 1>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x.atan2(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("atan2_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("atan2_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod hypot_b3 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 1>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        x.hypot(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 1>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        x.hypot(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("hypot_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("hypot_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod where_b3 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 1>, y: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 4, 3> {
        select(x.gt(y), x * 2.0, y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 1>, y: &Tensor2<f32, 1, 3>) -> Tensor2<f32, 4, 3> {
        select(x.gt(y), x * 2.0, y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("where_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("where_b3");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod add_b4 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x + y
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b4");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b4");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod sub_b4 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x - y
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b4");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b4");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod mul_b4 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mul_b4");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b4");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod div_b4 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x / y
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b4");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b4");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod add_b5 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor1<f64, 3>) -> Tensor2<f64, 4, 3> {
        x + y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor1<f32, 3>) -> Tensor2<f32, 4, 3> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b5");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b5");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod sub_b5 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor1<f64, 3>) -> Tensor2<f64, 4, 3> {
        x - y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor1<f32, 3>) -> Tensor2<f32, 4, 3> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b5");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b5");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod mul_b5 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor1<f64, 3>) -> Tensor2<f64, 4, 3> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor1<f32, 3>) -> Tensor2<f32, 4, 3> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mul_b5");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b5");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod div_b5 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor1<f64, 3>) -> Tensor2<f64, 4, 3> {
        x / y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor1<f32, 3>) -> Tensor2<f32, 4, 3> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b5");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b5");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod add_b6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 4>, y: &Tensor2<f64, 3, 1>) -> Tensor3<f64, 2, 3, 4> {
        x + y
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 4>, y: &Tensor2<f32, 3, 1>) -> Tensor3<f32, 2, 3, 4> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod sub_b6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 4>, y: &Tensor2<f64, 3, 1>) -> Tensor3<f64, 2, 3, 4> {
        x - y
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 4>, y: &Tensor2<f32, 3, 1>) -> Tensor3<f32, 2, 3, 4> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod mul_b6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 4>, y: &Tensor2<f64, 3, 1>) -> Tensor3<f64, 2, 3, 4> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 4>, y: &Tensor2<f32, 3, 1>) -> Tensor3<f32, 2, 3, 4> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mul_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod div_b6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 4>, y: &Tensor2<f64, 3, 1>) -> Tensor3<f64, 2, 3, 4> {
        x / y
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 4>, y: &Tensor2<f32, 3, 1>) -> Tensor3<f32, 2, 3, 4> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod pow_b6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 4>, y: &Tensor2<f64, 3, 1>) -> Tensor3<f64, 2, 3, 4> {
        x.pow(y)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 4>, y: &Tensor2<f32, 3, 1>) -> Tensor3<f32, 2, 3, 4> {
        x.pow(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("pow_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("pow_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod maximum_b6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 4>, y: &Tensor2<f64, 3, 1>) -> Tensor3<f64, 2, 3, 4> {
        x.maximum(y)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 4>, y: &Tensor2<f32, 3, 1>) -> Tensor3<f32, 2, 3, 4> {
        x.maximum(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("maximum_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("maximum_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod minimum_b6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 4>, y: &Tensor2<f64, 3, 1>) -> Tensor3<f64, 2, 3, 4> {
        x.minimum(y)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 4>, y: &Tensor2<f32, 3, 1>) -> Tensor3<f32, 2, 3, 4> {
        x.minimum(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("minimum_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("minimum_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod atan2_b6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 4>, y: &Tensor2<f64, 3, 1>) -> Tensor3<f64, 2, 3, 4> {
        x.atan2(y)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 4>, y: &Tensor2<f32, 3, 1>) -> Tensor3<f32, 2, 3, 4> {
        x.atan2(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("atan2_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("atan2_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod hypot_b6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 4>, y: &Tensor2<f64, 3, 1>) -> Tensor3<f64, 2, 3, 4> {
        x.hypot(y)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 4>, y: &Tensor2<f32, 3, 1>) -> Tensor3<f32, 2, 3, 4> {
        x.hypot(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("hypot_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("hypot_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod where_b6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 4>, y: &Tensor2<f64, 3, 1>) -> Tensor3<f64, 2, 3, 4> {
        select(x.gt(y), x * 2.0, y)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 4>, y: &Tensor2<f32, 3, 1>) -> Tensor3<f32, 2, 3, 4> {
        select(x.gt(y), x * 2.0, y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("where_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("where_b6");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod add_b7 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 3, 4, 5>, y: &Tensor3<f64, 3, 1, 5>) -> Tensor4<f64, 2, 3, 4, 5> {
        x + y
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 3, 4, 5>, y: &Tensor3<f32, 3, 1, 5>) -> Tensor4<f32, 2, 3, 4, 5> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b7");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b7");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod sub_b7 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 3, 4, 5>, y: &Tensor3<f64, 3, 1, 5>) -> Tensor4<f64, 2, 3, 4, 5> {
        x - y
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 3, 4, 5>, y: &Tensor3<f32, 3, 1, 5>) -> Tensor4<f32, 2, 3, 4, 5> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b7");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b7");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod mul_b7 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 3, 4, 5>, y: &Tensor3<f64, 3, 1, 5>) -> Tensor4<f64, 2, 3, 4, 5> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 3, 4, 5>, y: &Tensor3<f32, 3, 1, 5>) -> Tensor4<f32, 2, 3, 4, 5> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mul_b7");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b7");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod div_b7 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 3, 4, 5>, y: &Tensor3<f64, 3, 1, 5>) -> Tensor4<f64, 2, 3, 4, 5> {
        x / y
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 3, 4, 5>, y: &Tensor3<f32, 3, 1, 5>) -> Tensor4<f32, 2, 3, 4, 5> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b7");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b7");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod add_b8 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 1, 1, 5>, y: &Tensor4<f64, 1, 3, 4, 1>) -> Tensor4<f64, 2, 3, 4, 5> {
        x + y
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 1, 1, 5>, y: &Tensor4<f32, 1, 3, 4, 1>) -> Tensor4<f32, 2, 3, 4, 5> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b8");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b8");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod sub_b8 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 1, 1, 5>, y: &Tensor4<f64, 1, 3, 4, 1>) -> Tensor4<f64, 2, 3, 4, 5> {
        x - y
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 1, 1, 5>, y: &Tensor4<f32, 1, 3, 4, 1>) -> Tensor4<f32, 2, 3, 4, 5> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b8");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b8");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod mul_b8 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 1, 1, 5>, y: &Tensor4<f64, 1, 3, 4, 1>) -> Tensor4<f64, 2, 3, 4, 5> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 1, 1, 5>, y: &Tensor4<f32, 1, 3, 4, 1>) -> Tensor4<f32, 2, 3, 4, 5> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mul_b8");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b8");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod div_b8 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 1, 1, 5>, y: &Tensor4<f64, 1, 3, 4, 1>) -> Tensor4<f64, 2, 3, 4, 5> {
        x / y
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 1, 1, 5>, y: &Tensor4<f32, 1, 3, 4, 1>) -> Tensor4<f32, 2, 3, 4, 5> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b8");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b8");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod add_b9 {
    use super::*;

    #[differentiable]
    fn double(x: f64, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x + y
    }

    #[differentiable]
    fn single(x: f32, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b9");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(x, &y);
        let (same_value, tangent) = double::jvp(x, &y, case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b9");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(x, &y);
        let (same_value, tangent) = single::jvp(x, &y, case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(x, &y)], &tangent, &gradients);
    }
}

mod sub_b9 {
    use super::*;

    #[differentiable]
    fn double(x: f64, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x - y
    }

    #[differentiable]
    fn single(x: f32, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b9");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(x, &y);
        let (same_value, tangent) = double::jvp(x, &y, case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b9");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(x, &y);
        let (same_value, tangent) = single::jvp(x, &y, case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(x, &y)], &tangent, &gradients);
    }
}

mod mul_b9 {
    use super::*;

    #[differentiable]
    fn double(x: f64, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x * y
    }

    #[differentiable]
    fn single(x: f32, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mul_b9");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(x, &y);
        let (same_value, tangent) = double::jvp(x, &y, case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b9");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(x, &y);
        let (same_value, tangent) = single::jvp(x, &y, case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(x, &y)], &tangent, &gradients);
    }
}

mod div_b9 {
    use super::*;

    #[differentiable]
    fn double(x: f64, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x / y
    }

    #[differentiable]
    fn single(x: f32, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b9");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(x, &y);
        let (same_value, tangent) = double::jvp(x, &y, case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b9");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(x, &y);
        let (same_value, tangent) = single::jvp(x, &y, case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(x, &y)], &tangent, &gradients);
    }
}

mod add_b10 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 5>, y: f64) -> Tensor1<f64, 5> {
        x + y
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 5>, y: f32) -> Tensor1<f32, 5> {
        x + y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_b10");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, y);
        let (same_value, tangent) = double::jvp(&x, y, &case.tangent(0), case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_b10");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, y);
        let (same_value, tangent) = single::jvp(&x, y, &case.tangent(0), case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, y)], &tangent, &gradients);
    }
}

mod sub_b10 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 5>, y: f64) -> Tensor1<f64, 5> {
        x - y
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 5>, y: f32) -> Tensor1<f32, 5> {
        x - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sub_b10");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, y);
        let (same_value, tangent) = double::jvp(&x, y, &case.tangent(0), case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sub_b10");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, y);
        let (same_value, tangent) = single::jvp(&x, y, &case.tangent(0), case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, y)], &tangent, &gradients);
    }
}

mod mul_b10 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 5>, y: f64) -> Tensor1<f64, 5> {
        x * y
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 5>, y: f32) -> Tensor1<f32, 5> {
        x * y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mul_b10");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, y);
        let (same_value, tangent) = double::jvp(&x, y, &case.tangent(0), case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mul_b10");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, y);
        let (same_value, tangent) = single::jvp(&x, y, &case.tangent(0), case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, y)], &tangent, &gradients);
    }
}

mod div_b10 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 5>, y: f64) -> Tensor1<f64, 5> {
        x / y
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 5>, y: f32) -> Tensor1<f32, 5> {
        x / y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("div_b10");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, y);
        let (same_value, tangent) = double::jvp(&x, y, &case.tangent(0), case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("div_b10");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, y);
        let (same_value, tangent) = single::jvp(&x, y, &case.tangent(0), case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, y)], &tangent, &gradients);
    }
}

/// each input used several times: cotangents accumulate
mod reuse {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 1, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x * y + x / y - y
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 1, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x * y + x / y - y
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("reuse");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("reuse");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod prelu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, w: &Tensor1<f64, 3>) -> Tensor2<f64, 4, 3> {
        x.prelu(w)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, w: &Tensor1<f32, 3>) -> Tensor2<f32, 4, 3> {
        x.prelu(w)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("prelu");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = double::vjp(&x, &w);
        let (same_value, tangent) = double::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("prelu");
        let x = case.input(0);
        let w = case.input(1);
        let (value, pullback) = single::vjp(&x, &w);
        let (same_value, tangent) = single::jvp(&x, &w, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w)], &tangent, &gradients);
    }
}
