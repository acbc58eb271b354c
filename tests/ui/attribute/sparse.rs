use autodiff::prelude::*;

/// It changes its argument.
#[differentiable]
fn shifted(x: &mut [f64; 2]) -> [f64; 2] {
    x[0] += 1.0;
    *x
}

/// A product of matrices that are not small is computed as a whole.
#[differentiable]
fn product(a: &Tensor2<f64, 5, 5>, b: &Tensor2<f64, 5, 5>) -> Tensor2<f64, 5, 5> {
    a.matmul(b)
}

#[differentiable]
fn square(x: f64) -> [f64; 2] {
    [x, x * x]
}

/// How many numbers there are depends on one.
#[differentiable]
fn as_many(x: &[f64; 2]) -> Vec<f64> {
    let mut y = Vec::new();
    if x[0] > 0.0 {
        y.push(x[1]);
    }
    y
}

fn main() {
    let x = [1.0, 2.0];
    shifted::sparsity(&mut [1.0, 2.0]);
    let pattern = product::sparsity(&Tensor2::ones(), &Tensor2::ones());
    product::jacobian_sparse(&Tensor2::ones(), &Tensor2::ones(), &pattern, &mut []);
    square::sparsity(1.0);
    as_many::sparsity(&x);
}
