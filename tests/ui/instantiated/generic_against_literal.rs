use autodiff::prelude::*;

#[differentiable]
fn kernel<const N: usize>(w: &Tensor2<f64, 2, 3>, x: &Tensor1<f64, N>) -> f64 {
    w.matmul(x).sum()
}

#[differentiable]
fn result<const A: usize, const B: usize>(x: &Tensor1<f64, A>, y: &Tensor1<f64, B>) -> Tensor1<f64, B> {
    x * y
}

#[differentiable]
fn element_wise<const N: usize>(x: &Tensor1<f64, 3>, y: &Tensor1<f64, N>) -> f64 {
    (x - y).sum()
}

fn main() {
    let _ = kernel(&Tensor2::ones(), &Tensor1::from([1.0, 2.0]));
    let _ = result(&Tensor1::from([1.0, 2.0]), &Tensor1::from([1.0, 2.0, 3.0]));
    let _ = element_wise::grad(&Tensor1::ones(), &Tensor1::from([1.0, 2.0]));
}
