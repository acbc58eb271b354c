//! Written by `cargo run -p generate-tests`: change that.

use crate::Case;
use autodiff::prelude::*;

mod matmul {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 3, 5>) -> Tensor2<f64, 4, 5> {
        x.matmul(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 3, 5>) -> Tensor2<f32, 4, 5> {
        x.matmul(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("matmul");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("matmul");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod matvec {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor1<f64, 3>) -> Tensor1<f64, 4> {
        x.matmul(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor1<f32, 3>) -> Tensor1<f32, 4> {
        x.matmul(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("matvec");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("matvec");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod vecmat {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 3>, y: &Tensor2<f64, 3, 4>) -> Tensor1<f64, 4> {
        x.matmul(y)
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 3>, y: &Tensor2<f32, 3, 4>) -> Tensor1<f32, 4> {
        x.matmul(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("vecmat");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("vecmat");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod dot {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 6>, y: &Tensor1<f64, 6>) -> f64 {
        x.dot(y)
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 6>, y: &Tensor1<f32, 6>) -> f32 {
        x.dot(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("dot");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("dot");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod outer {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 4>, y: &Tensor1<f64, 3>) -> Tensor2<f64, 4, 3> {
        x.outer(y)
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 4>, y: &Tensor1<f32, 3>) -> Tensor2<f32, 4, 3> {
        x.outer(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("outer");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("outer");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod bmm {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 4, 3>, y: &Tensor3<f64, 2, 3, 5>) -> Tensor3<f64, 2, 4, 5> {
        x.matmul(y)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 4, 3>, y: &Tensor3<f32, 2, 3, 5>) -> Tensor3<f32, 2, 4, 5> {
        x.matmul(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("bmm");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("bmm");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod bmm_broadcast {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 1, 4, 3>, y: &Tensor3<f64, 5, 3, 2>) -> Tensor4<f64, 2, 5, 4, 2> {
        x.matmul(y)
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 1, 4, 3>, y: &Tensor3<f32, 5, 3, 2>) -> Tensor4<f32, 2, 5, 4, 2> {
        x.matmul(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("bmm_broadcast");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("bmm_broadcast");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod bmm_shared {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 4, 3>, y: &Tensor2<f64, 3, 5>) -> Tensor3<f64, 2, 4, 5> {
        x.matmul(y)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 4, 3>, y: &Tensor2<f32, 3, 5>) -> Tensor3<f32, 2, 4, 5> {
        x.matmul(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("bmm_shared");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("bmm_shared");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod transpose {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 3, 4> {
        x.t()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 3, 4> {
        x.t()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("transpose");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("transpose");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod matmul_tn {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 4>, y: &Tensor2<f64, 3, 5>) -> Tensor2<f64, 4, 5> {
        x.t().matmul(y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 4>, y: &Tensor2<f32, 3, 5>) -> Tensor2<f32, 4, 5> {
        x.t().matmul(y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("matmul_tn");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("matmul_tn");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod matmul_nt {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 5, 3>) -> Tensor2<f64, 4, 5> {
        x.matmul(y.t())
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 5, 3>) -> Tensor2<f32, 4, 5> {
        x.matmul(y.t())
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("matmul_nt");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("matmul_nt");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

/// one input on both sides
mod gram {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 3, 3> {
        x.t().matmul(x)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 3, 3> {
        x.t().matmul(x)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("gram");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("gram");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod trace {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 4>) -> f64 {
        x.trace()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 4>) -> f32 {
        x.trace()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("trace");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("trace");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod quadratic_form {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor1<f64, 4>, a: &Tensor2<f64, 4, 4>) -> f64 {
        x.dot(a.matmul(x))
    }

    #[differentiable]
    fn single(x: &Tensor1<f32, 4>, a: &Tensor2<f32, 4, 4>) -> f32 {
        x.dot(a.matmul(x))
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("quadratic_form");
        let x = case.input(0);
        let a = case.input(1);
        let (value, pullback) = double::vjp(&x, &a);
        let (same_value, tangent) = double::jvp(&x, &a, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x, &a)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("quadratic_form");
        let x = case.input(0);
        let a = case.input(1);
        let (value, pullback) = single::vjp(&x, &a);
        let (same_value, tangent) = single::jvp(&x, &a, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x, &a)], &tangent, &gradients);
    }
}

mod linear {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, w: &Tensor2<f64, 3, 5>, b: &Tensor1<f64, 5>) -> Tensor2<f64, 4, 5> {
        x.matmul(w) + b
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, w: &Tensor2<f32, 3, 5>, b: &Tensor1<f32, 5>) -> Tensor2<f32, 4, 5> {
        x.matmul(w) + b
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("linear");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = double::vjp(&x, &w, &b);
        let (same_value, tangent) = double::jvp(&x, &w, &b, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w, &b)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("linear");
        let x = case.input(0);
        let w = case.input(1);
        let b = case.input(2);
        let (value, pullback) = single::vjp(&x, &w, &b);
        let (same_value, tangent) = single::jvp(&x, &w, &b, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w, &b)], &tangent, &gradients);
    }
}

mod einsum_ij_jk {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 3, 5>) -> Tensor2<f64, 4, 5> {
        einsum!("ij,jk->ik", x, y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 3, 5>) -> Tensor2<f32, 4, 5> {
        einsum!("ij,jk->ik", x, y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("einsum_ij_jk");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("einsum_ij_jk");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod einsum_bhqd {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor4<f64, 2, 4, 2, 3>, y: &Tensor4<f64, 2, 5, 2, 3>) -> Tensor4<f64, 2, 2, 4, 5> {
        einsum!("bqhd,bkhd->bhqk", x, y)
    }

    #[differentiable]
    fn single(x: &Tensor4<f32, 2, 4, 2, 3>, y: &Tensor4<f32, 2, 5, 2, 3>) -> Tensor4<f32, 2, 2, 4, 5> {
        einsum!("bqhd,bkhd->bhqk", x, y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("einsum_bhqd");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("einsum_bhqd");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod einsum_bilinear {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 3>, w: &Tensor3<f64, 3, 4, 2>, y: &Tensor2<f64, 2, 4>) -> Tensor2<f64, 2, 2> {
        einsum!("bi,ijk,bj->bk", x, w, y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 3>, w: &Tensor3<f32, 3, 4, 2>, y: &Tensor2<f32, 2, 4>) -> Tensor2<f32, 2, 2> {
        einsum!("bi,ijk,bj->bk", x, w, y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("einsum_bilinear");
        let x = case.input(0);
        let w = case.input(1);
        let y = case.input(2);
        let (value, pullback) = double::vjp(&x, &w, &y);
        let (same_value, tangent) = double::jvp(&x, &w, &y, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &w, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("einsum_bilinear");
        let x = case.input(0);
        let w = case.input(1);
        let y = case.input(2);
        let (value, pullback) = single::vjp(&x, &w, &y);
        let (same_value, tangent) = single::jvp(&x, &w, &y, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &w, &y)], &tangent, &gradients);
    }
}

mod einsum_trace {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 4>) -> f64 {
        einsum!("ii->", x)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 4>) -> f32 {
        einsum!("ii->", x)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("einsum_trace");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("einsum_trace");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}
