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

/// value at and around the point where no derivative exists
mod abs_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.abs()
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.abs()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("abs_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("abs_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// value at and around the point where no derivative exists
mod clamp_edge {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 5>) -> Tensor1<f64, 5> {
        x.clamp(-1.0, 1.0)
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 5>) -> Tensor1<f32, 5> {
        x.clamp(-1.0, 1.0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("clamp_edge");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("clamp_edge");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// value at and around the point where no derivative exists
mod leaky_relu_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.leaky_relu(0.1)
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.leaky_relu(0.1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("leaky_relu_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("leaky_relu_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// value at and around the point where no derivative exists
mod elu_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.elu(1.0)
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.elu(1.0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("elu_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("elu_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// value at and around the point where no derivative exists
mod relu6_edge {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.relu6()
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.relu6()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("relu6_edge");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("relu6_edge");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// value at and around the point where no derivative exists
mod hard_sigmoid_edge {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.hard_sigmoid()
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.hard_sigmoid()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("hard_sigmoid_edge");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("hard_sigmoid_edge");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// value at and around the point where no derivative exists
mod hard_swish_edge {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.hard_swish()
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.hard_swish()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("hard_swish_edge");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("hard_swish_edge");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// value at and around the point where no derivative exists
mod hard_tanh_edge {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.hard_tanh()
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.hard_tanh()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("hard_tanh_edge");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("hard_tanh_edge");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// value at and around the point where no derivative exists
mod signum_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.signum()
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.signum()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("signum_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("signum_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// value at and around the point where no derivative exists
mod norm_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> f64 {
        x.norm()
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> f32 {
        x.norm()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("norm_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("norm_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// value at and around the point where no derivative exists
mod max_tie {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> f64 {
        x.max()
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> f32 {
        x.max()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("max_tie");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("max_tie");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// a tie gives half to each side
mod maximum_tie {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>, y: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.maximum(y)
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>, y: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.maximum(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("maximum_tie");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("maximum_tie");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod powf_0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> {
        x.powf(2.0)
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>) -> Tensor1<f32, 3> {
        x.powf(2.0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("powf_0");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("powf_0");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}
