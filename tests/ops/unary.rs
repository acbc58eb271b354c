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

mod abs {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.abs()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.abs()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("abs");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("abs");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod signum {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.signum()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.signum()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("signum");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("signum");
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

mod rsqrt {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.rsqrt()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.rsqrt()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("rsqrt");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("rsqrt");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod cbrt {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.cbrt()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.cbrt()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("cbrt");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("cbrt");
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

mod exp2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.exp2()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.exp2()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("exp2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("exp2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod exp_m1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.exp_m1()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.exp_m1()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("exp_m1");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("exp_m1");
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

mod log2 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.log2()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.log2()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("log2");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("log2");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod log10 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.log10()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.log10()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("log10");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("log10");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod ln_1p {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.ln_1p()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.ln_1p()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("ln_1p");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("ln_1p");
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

mod tan {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.tan()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.tan()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("tan");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("tan");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod asin {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.asin()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.asin()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("asin");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("asin");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod acos {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.acos()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.acos()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("acos");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("acos");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod atan {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.atan()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.atan()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("atan");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("atan");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod sinh {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.sinh()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.sinh()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("sinh");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("sinh");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod cosh {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.cosh()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.cosh()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("cosh");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("cosh");
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

mod asinh {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.asinh()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.asinh()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("asinh");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("asinh");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod acosh {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.acosh()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.acosh()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("acosh");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("acosh");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod atanh {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.atanh()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.atanh()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("atanh");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("atanh");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod erf {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.erf()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.erf()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("erf");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("erf");
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

mod log_sigmoid {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.log_sigmoid()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.log_sigmoid()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("log_sigmoid");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("log_sigmoid");
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

mod relu6 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.relu6()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.relu6()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("relu6");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("relu6");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod leaky_relu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.leaky_relu(0.1)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.leaky_relu(0.1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("leaky_relu");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("leaky_relu");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod elu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.elu(1.3)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.elu(1.3)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("elu");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("elu");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod selu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.selu()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.selu()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("selu");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("selu");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod celu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.celu(0.7)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.celu(0.7)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("celu");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("celu");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod gelu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.gelu()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.gelu()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("gelu");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("gelu");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod gelu_tanh {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.gelu_tanh()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.gelu_tanh()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("gelu_tanh");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("gelu_tanh");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod gelu_quick {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.gelu_quick()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.gelu_quick()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("gelu_quick");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("gelu_quick");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod silu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.silu()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.silu()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("silu");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("silu");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod mish {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.mish()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.mish()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("mish");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("mish");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod softplus {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.softplus()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.softplus()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("softplus");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("softplus");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod softsign {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.softsign()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.softsign()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("softsign");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("softsign");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod hard_sigmoid {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.hard_sigmoid()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.hard_sigmoid()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("hard_sigmoid");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("hard_sigmoid");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod hard_swish {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.hard_swish()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.hard_swish()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("hard_swish");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("hard_swish");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod hard_tanh {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.hard_tanh()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.hard_tanh()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("hard_tanh");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("hard_tanh");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod step {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.step()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.step()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("step");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("step");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod clamp {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.clamp(-0.5, 1.25)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.clamp(-0.5, 1.25)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("clamp");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("clamp");
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

mod powf {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.powf(1.7)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.powf(1.7)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("powf");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("powf");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod floor {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.floor()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.floor()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("floor");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("floor");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod ceil {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.ceil()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.ceil()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("ceil");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("ceil");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod trunc {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
        x.trunc()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 3> {
        x.trunc()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("trunc");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("trunc");
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
