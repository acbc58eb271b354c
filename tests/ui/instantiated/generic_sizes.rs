use autodiff::prelude::*;

#[differentiable]
fn f<const A: usize, const B: usize>(x: &Tensor1<f64, A>, y: &Tensor1<f64, B>) -> f64 {
    let z = x * y;
    z.sum()
}

fn main() {
    let (x, y) = (Tensor1::from([1.0, 2.0]), Tensor1::from([1.0, 2.0, 3.0]));
    f::grad(&x, &y);
}
