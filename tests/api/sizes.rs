//! Sizes that only rustc can compare: where they are equal, everything works.

use autodiff::prelude::*;
#[differentiable(order = 2)]
fn product<const A: usize, const B: usize>(x: &Tensor2<f64, 2, A>, w: &Tensor2<f64, B, 3>) -> f64 {
    x.matmul(w).sum()
}
const K: usize = 4;
#[differentiable(order = 2)]
fn constant(x: &Tensor2<f64, 2, 4>, w: &Tensor2<f64, K, 3>) -> Tensor2<f64, 2, 3> {
    x.matmul(w)
}
#[test]
fn products_of_sizes_under_two_names() {
    let (x, w) = (Tensor2::<f64, 2, 4>::ones(), Tensor2::<f64, 4, 3>::ones());
    assert_eq!(product(&x, &w), 24.0);
    let (gx, _) = product::grad(&x, &w);
    assert_eq!(gx, Tensor2::full(3.0));
    let (y, _) = constant::vjp(&x, &w);
    assert_eq!(y, Tensor2::full(4.0));
}
#[differentiable(order = 2)]
fn result<const A: usize, const B: usize>(x: &Tensor1<f64, A>, y: &Tensor1<f64, B>) -> Tensor1<f64, B> {
    x * y
}
#[differentiable(order = 2)]
fn vector<const N: usize>(w: &Tensor2<f64, 2, 3>, x: &Tensor1<f64, N>) -> f64 {
    w.matmul(x).sum()
}
#[test]
fn results_and_literals() {
    let (x, w) = (Tensor1::<f64, 4>::ones(), Tensor1::<f64, 4>::full(2.0));
    let (y, pull) = result::vjp(&x, &w);
    assert_eq!(y, w);
    assert_eq!(pull(&x), (w, x));
    assert_eq!(result::jvp(&x, &w, &x, &w).1, Tensor1::full(4.0));
    assert_eq!(vector::grad(&Tensor2::ones(), &Tensor1::from([1.0, 2.0, 3.0])).1, Tensor1::full(2.0));
    assert_eq!(
        vector::hvp(&Tensor2::ones(), &Tensor1::from([1.0, 2.0, 3.0]), &Tensor2::ones(), &Tensor1::ones()).1,
        Tensor1::full(2.0)
    );
}
