use autodiff::prelude::*;

#[differentiable]
fn to_vecs<const N: usize>(x: &[f64; N]) -> f64 {
    let lists = x.map(|x| vec![x, x * x]);
    lists[0][1]
}

#[differentiable]
fn to_tensors<const N: usize>(x: &[[f64; 3]; N]) -> f64 {
    let tensors = x.map(|row| Tensor1::from(row));
    (&tensors[0] * &tensors[1]).sum()
}

#[differentiable]
fn of_tensors<const N: usize>(x: &Tensor1<f64, 3>) -> f64 {
    let mut tensors = [Tensor1::<f64, 3>::zeros(); N];
    tensors[0] = x * x;
    (&tensors[0] * x).sum()
}

fn main() {}
