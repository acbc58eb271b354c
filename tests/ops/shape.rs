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

mod flatten {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 2>) -> Tensor1<f64, 12> {
        x.flatten()
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 2>) -> Tensor1<f32, 12> {
        x.flatten()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("flatten");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("flatten");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod permute {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 4, 2, 3> {
        x.permute([2, 0, 1])
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 3, 4>) -> Tensor3<f32, 4, 2, 3> {
        x.permute([2, 0, 1])
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("permute");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("permute");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod concat0 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 6, 3> {
        concat([x, y], 0)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 3>, y: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 6, 3> {
        concat([x, y], 0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("concat0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("concat0");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod concat1 {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 3>, y: &Tensor2<f64, 2, 2>, z: &Tensor2<f64, 2, 1>) -> Tensor2<f64, 2, 6> {
        concat([x, y, z], 1)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 3>, y: &Tensor2<f32, 2, 2>, z: &Tensor2<f32, 2, 1>) -> Tensor2<f32, 2, 6> {
        concat([x, y, z], 1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("concat1");
        let x = case.input(0);
        let y = case.input(1);
        let z = case.input(2);
        let (value, pullback) = double::vjp(&x, &y, &z);
        let (same_value, tangent) = double::jvp(&x, &y, &z, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y, &z)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("concat1");
        let x = case.input(0);
        let y = case.input(1);
        let z = case.input(2);
        let (value, pullback) = single::vjp(&x, &y, &z);
        let (same_value, tangent) = single::jvp(&x, &y, &z, &case.tangent(0), &case.tangent(1), &case.tangent(2));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y, &z)], &tangent, &gradients);
    }
}

mod stack {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 3>, y: &Tensor2<f64, 2, 3>) -> Tensor3<f64, 2, 2, 3> {
        stack([x, y], 0)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 3>, y: &Tensor2<f32, 2, 3>) -> Tensor3<f32, 2, 2, 3> {
        stack([x, y], 0)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("stack");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("stack");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod slice {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 2, 2> {
        x.slice([1..3, 0..2])
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 2, 2> {
        x.slice([1..3, 0..2])
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("slice");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("slice");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod narrow {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 2> {
        x.narrow(1, 1, 2)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>) -> Tensor2<f32, 4, 2> {
        x.narrow(1, 1, 2)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("narrow");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("narrow");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod pad {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 5, 4> {
        x.pad([(1, 2), (0, 1)], 0.5)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 3>) -> Tensor2<f32, 5, 4> {
        x.pad([(1, 2), (0, 1)], 0.5)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("pad");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("pad");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod flip {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 2, 3> {
        x.flip(1)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 3>) -> Tensor2<f32, 2, 3> {
        x.flip(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("flip");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("flip");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod broadcast_to {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 1>) -> Tensor3<f64, 5, 2, 3> {
        x.broadcast_to([5, 2, 3])
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 1>) -> Tensor3<f32, 5, 2, 3> {
        x.broadcast_to([5, 2, 3])
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("broadcast_to");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("broadcast_to");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod unsqueeze {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 3>) -> Tensor3<f64, 2, 1, 3> {
        x.unsqueeze(1)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 3>) -> Tensor3<f32, 2, 1, 3> {
        x.unsqueeze(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("unsqueeze");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("unsqueeze");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod squeeze {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor3<f64, 2, 1, 3>) -> Tensor2<f64, 2, 3> {
        x.squeeze(1)
    }

    #[differentiable]
    fn single(x: &Tensor3<f32, 2, 1, 3>) -> Tensor2<f32, 2, 3> {
        x.squeeze(1)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("squeeze");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("squeeze");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

/// a row taken twice accumulates
mod index_select {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, idx: &[usize; 4]) -> Tensor2<f64, 4, 3> {
        x.index_select(0, idx)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, idx: &[usize; 4]) -> Tensor2<f32, 4, 3> {
        x.index_select(0, idx)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("index_select");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x, &[2, 0, 2, 1]);
        let (same_value, tangent) = double::jvp(&x, &[2, 0, 2, 1], &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &[2, 0, 2, 1])], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("index_select");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x, &[2, 0, 2, 1]);
        let (same_value, tangent) = single::jvp(&x, &[2, 0, 2, 1], &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &[2, 0, 2, 1])], &tangent, &gradients);
    }
}

mod embedding {
    use super::*;

    #[differentiable]
    fn double(w: &Tensor2<f64, 5, 2>, ids: &[usize; 3]) -> Tensor2<f64, 3, 2> {
        w.embedding(ids)
    }

    #[differentiable]
    fn single(w: &Tensor2<f32, 5, 2>, ids: &[usize; 3]) -> Tensor2<f32, 3, 2> {
        w.embedding(ids)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("embedding");
        let w = case.input(0);
        let (value, pullback) = double::vjp(&w, &[3, 1, 3]);
        let (same_value, tangent) = double::jvp(&w, &[3, 1, 3], &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&w, &[3, 1, 3])], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("embedding");
        let w = case.input(0);
        let (value, pullback) = single::vjp(&w, &[3, 1, 3]);
        let (same_value, tangent) = single::jvp(&w, &[3, 1, 3], &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&w, &[3, 1, 3])], &tangent, &gradients);
    }
}

mod gather {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 3>, idx: &[[usize; 2]; 3]) -> Tensor2<f64, 3, 2> {
        x.gather(1, idx)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 3>, idx: &[[usize; 2]; 3]) -> Tensor2<f32, 3, 2> {
        x.gather(1, idx)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("gather");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x, &[[0, 2], [1, 1], [2, 0]]);
        let (same_value, tangent) = double::jvp(&x, &[[0, 2], [1, 1], [2, 0]], &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &[[0, 2], [1, 1], [2, 0]])], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("gather");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x, &[[0, 2], [1, 1], [2, 0]]);
        let (same_value, tangent) = single::jvp(&x, &[[0, 2], [1, 1], [2, 0]], &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &[[0, 2], [1, 1], [2, 0]])], &tangent, &gradients);
    }
}

mod tril {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 4>) -> Tensor2<f64, 4, 4> {
        x.tril()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 4>) -> Tensor2<f32, 4, 4> {
        x.tril()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("tril");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("tril");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod triu {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 4>) -> Tensor2<f64, 4, 4> {
        x.triu()
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 4>) -> Tensor2<f32, 4, 4> {
        x.triu()
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("triu");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("triu");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod pad_edge {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 6, 5> {
        x.pad_edge([(1, 2), (0, 1)])
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 4>) -> Tensor2<f32, 6, 5> {
        x.pad_edge([(1, 2), (0, 1)])
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("pad_edge");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("pad_edge");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod pad_reflect {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 6, 5> {
        x.pad_reflect([(1, 2), (0, 1)])
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 4>) -> Tensor2<f32, 6, 5> {
        x.pad_reflect([(1, 2), (0, 1)])
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("pad_reflect");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("pad_reflect");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod pad_wrap {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 6, 5> {
        x.pad_wrap([(1, 2), (0, 1)])
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 4>) -> Tensor2<f32, 6, 5> {
        x.pad_wrap([(1, 2), (0, 1)])
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("pad_wrap");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("pad_wrap");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod repeat {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 4, 9> {
        x.repeat([2, 3])
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 2, 3>) -> Tensor2<f32, 4, 9> {
        x.repeat([2, 3])
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("repeat");
        let x = case.input(0);
        let (value, pullback) = double::vjp(&x);
        let (same_value, tangent) = double::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("repeat");
        let x = case.input(0);
        let (value, pullback) = single::vjp(&x);
        let (same_value, tangent) = single::jvp(&x, &case.tangent(0));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x)], &tangent, &gradients);
    }
}

mod set_slice {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 2, 2>) -> Tensor2<f64, 4, 3> {
        x.set_slice([1..3, 0..2], y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 2, 2>) -> Tensor2<f32, 4, 3> {
        x.set_slice([1..3, 0..2], y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("set_slice");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("set_slice");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod add_slice {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 2, 2>) -> Tensor2<f64, 4, 3> {
        x.add_slice([1..3, 0..2], y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 2, 2>) -> Tensor2<f32, 4, 3> {
        x.add_slice([1..3, 0..2], y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("add_slice");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("add_slice");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}

mod scatter_add {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 3, 3>, idx: &[usize; 3]) -> Tensor2<f64, 4, 3> {
        x.scatter_add(0, idx, y)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 4, 3>, y: &Tensor2<f32, 3, 3>, idx: &[usize; 3]) -> Tensor2<f32, 4, 3> {
        x.scatter_add(0, idx, y)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("scatter_add");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y, &[2, 0, 2]);
        let (same_value, tangent) = double::jvp(&x, &y, &[2, 0, 2], &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y, &[2, 0, 2])], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("scatter_add");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y, &[2, 0, 2]);
        let (same_value, tangent) = single::jvp(&x, &y, &[2, 0, 2], &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y, &[2, 0, 2])], &tangent, &gradients);
    }
}

mod masked_fill {
    use super::*;

    #[differentiable]
    fn double(x: &Tensor2<f64, 3, 4>, y: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 4> {
        x.masked_fill(y.lt(0.0), -7.5)
    }

    #[differentiable]
    fn single(x: &Tensor2<f32, 3, 4>, y: &Tensor2<f32, 3, 4>) -> Tensor2<f32, 3, 4> {
        x.masked_fill(y.lt(0.0), -7.5)
    }

    #[test]
    fn in_double_precision() {
        let case = Case::double("masked_fill");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = double::vjp(&x, &y);
        let (same_value, tangent) = double::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &double(&x, &y)], &tangent, &gradients);
    }

    #[test]
    fn in_single_precision() {
        let case = Case::single("masked_fill");
        let x = case.input(0);
        let y = case.input(1);
        let (value, pullback) = single::vjp(&x, &y);
        let (same_value, tangent) = single::jvp(&x, &y, &case.tangent(0), &case.tangent(1));
        let gradients = pullback(&case.cotangent());
        case.check([&value, &same_value, &single(&x, &y)], &tangent, &gradients);
    }
}
