use autodiff::prelude::*;

#[differentiable]
fn f(a: &Tensor2<f64, 4, 3>, b: &Tensor2<f64, 2, 2>, c: f64) -> f64 {
    let p = a.matmul(b);
    let q = a + b;
    let r = p * q + p;
    let s = r.sum() + c.nothing();
    s * c
}

#[differentiable]
fn calls_it(a: &Tensor2<f64, 4, 3>, b: &Tensor2<f64, 2, 2>, c: f64) -> f64 {
    f(a, b, c) * 2.0
}

fn main() {
    let (a, b) = (Tensor2::ones(), Tensor2::ones());
    let (value, (a_bar, _, c_bar)) = f::value_and_grad(&a, &b, 1.0);
    let (_, pullback) = calls_it::vjp(&a, &b, value);
    let (x, y, z) = pullback(c_bar);
    let _ = f::jvp(&a_bar, &b, 1.0, &x, &y, z);
    let (_, residuals) = f::forward(&a, &b, 1.0);
    let _ = f::pullback(&residuals, 1.0);
}
