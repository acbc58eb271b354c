use autodiff::prelude::*;

#[differentiable]
fn same<const A: usize, const B: usize>(x: &Tensor1<f64, A>, y: &Tensor1<f64, B>) -> f64 {
    (x * y).sum()
}

fn main() {
    let x = Tensor1::from([1.0, 2.0]);
    assert_eq!(same::grad(&x, &x), (x, x));
}
