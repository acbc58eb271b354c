//! Written by `cargo run -p generate-tests`: change that.

use crate::Case;
use autodiff::prelude::*;

mod neg {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        -x
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        -x
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("neg");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("neg");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod square {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.square()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.square()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("square");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("square");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod sqrt {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.sqrt()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.sqrt()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sqrt");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sqrt");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod recip {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.recip()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.recip()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("recip");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("recip");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod exp {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.exp()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.exp()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("exp");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("exp");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod ln {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.ln()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.ln()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("ln");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("ln");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod sin {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.sin()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.sin()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sin");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sin");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod cos {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.cos()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.cos()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("cos");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("cos");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod tanh {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.tanh()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.tanh()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("tanh");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("tanh");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod sigmoid {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.sigmoid()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.sigmoid()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sigmoid");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sigmoid");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod relu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.relu()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.relu()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("relu");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("relu");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod powi {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.powi(3)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.powi(3)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("powi");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("powi");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod scale_shift {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        2.5 * x - 0.75
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        2.5 * x - 0.75
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("scale_shift");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("scale_shift");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod scalar_div {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        1.5 / x
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        1.5 / x
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("scalar_div");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("scalar_div");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod rsub {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        1.0 - x
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        1.0 - x
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("rsub");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("rsub");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}
