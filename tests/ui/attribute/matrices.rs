use autodiff::prelude::*;

/// It changes its argument.
#[differentiable]
fn bump(x: &mut [f64; 2], by: f64) -> f64 {
    x[0] += by;
    x[0] * x[1]
}

#[differentiable]
fn shifted(x: &mut [f64; 2], by: f64) -> [f64; 2] {
    x[0] += by;
    [x[0] * x[1], by]
}

#[derive(Differentiable)]
struct Once {
    x: f64,
    y: f64,
}

/// It takes what cannot be given twice.
#[differentiable(order = 2)]
fn taken(once: Once) -> f64 {
    once.x * once.x * once.y
}

#[differentiable(width = 0)]
fn narrow(x: &[f64; 2]) -> [f64; 2] {
    *x
}

fn main() {
    let mut x = [1.0, 2.0];
    bump::jacobian(&mut x, 1.0);
    bump::jvp_many(&mut x, 1.0, &[[1.0, 0.0]], &[1.0]);
    bump::hessian(&mut x, 1.0);
    shifted::gauss_newton(&mut x, 1.0);
    taken::hessian(Once { x: 1.0, y: 2.0 });
    taken::jacobian(Once { x: 1.0, y: 2.0 });
}
