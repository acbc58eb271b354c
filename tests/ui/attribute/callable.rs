use autodiff::DifferentiableFn;
use autodiff::prelude::*;

#[differentiable]
fn closure<F: Fn(f64) -> f64>(x: f64, f: F) -> f64 {
    f(x)
}

#[differentiable]
fn closure_in_where<F>(x: f64, f: F) -> f64
where
    F: Fn(f64, usize) -> f64,
{
    f(x, 1)
}

#[differentiable]
fn opaque(x: f64, f: impl Fn(f64) -> f64) -> f64 {
    f(x)
}

#[differentiable]
fn pointer(x: f64, f: fn(&[f64; 2]) -> f64) -> f64 {
    f(&[x, x])
}

#[differentiable]
fn no_signature<F: DifferentiableFn>(x: f64) -> f64 {
    F::call(x)
}

#[differentiable]
fn parentheses<F: Callable(f64, usize) -> f64>(x: f64) -> f64 {
    F::call(x, 1)
}

#[differentiable]
fn no_tuple<F: Callable<f64, Output = f64>>(x: f64) -> f64 {
    F::call(x)
}

#[differentiable]
fn no_output<F: Callable<(f64,)>>(x: f64) -> f64 {
    F::call(x)
}

#[differentiable]
fn value<F: Callable<(f64,), Output = f64>>(f: F, x: f64) -> f64 {
    F::call(x)
}

#[differentiable]
fn in_place<F: Callable<(&mut [f64; 2],), Output = f64>>(x: f64) -> f64 {
    F::call(&mut [x, x])
}

#[differentiable]
fn reference_to_vec<F: Callable<(&Vec<f64>,), Output = f64>>(x: f64) -> f64 {
    F::call(&vec![x])
}

#[differentiable]
fn vec_returned<F: Callable<(f64,), Output = Vec<f64>>>(x: f64) -> f64 {
    F::call(x)[0]
}

#[differentiable]
fn other_members<F: Callable<(f64,), Output = f64>>(x: f64) -> f64 {
    F::vjp(x).0
}

#[differentiable]
fn integrate<F: Callable<(f64,), Output = f64>>(x: f64) -> f64 {
    F::call(x) * x
}

#[differentiable]
fn too_many<F: Callable<(f64,), Output = f64>>(x: f64) -> f64 {
    F::call(x, x)
}

#[differentiable]
fn which_one(x: f64) -> f64 {
    integrate(x)
}

#[differentiable]
fn no_gradient<F: Callable<(f64,), Output = [f64; 2]>>(x: f64) -> f64 {
    F::grad(x)
}

fn main() {}
