//! Sizes that rustc compares where a function is used: a rule of each family.
use autodiff::prelude::*;

#[differentiable]
fn broadcast<const N: usize, const M: usize>(x: &Tensor2<f64, 2, N>, y: &Tensor1<f64, M>) -> f64 {
    (x * y).sum()
}

#[differentiable]
fn products<const B: usize, const C: usize>(x: &Tensor3<f64, B, 2, 3>, y: &Tensor3<f64, C, 3, 2>) -> f64 {
    x.matmul(y).sum()
}

#[differentiable]
fn dots<const N: usize, const M: usize>(x: &Tensor1<f64, N>, y: &Tensor1<f64, M>) -> f64 {
    x.dot(y)
}

#[differentiable]
fn diagonal<const N: usize, const M: usize>(x: &Tensor2<f64, N, M>) -> f64 {
    x.trace()
}

#[differentiable]
fn reshaped<const N: usize, const M: usize>(x: &Tensor1<f64, N>) -> Tensor2<f64, M, 2> {
    x.reshape([M, 2])
}

#[differentiable]
fn squeezed<const N: usize>(x: &Tensor2<f64, N, 3>) -> Tensor1<f64, 3> {
    x.squeeze(0)
}

#[differentiable]
fn stretched<const N: usize>(x: &Tensor1<f64, N>) -> Tensor2<f64, 2, 3> {
    x.broadcast_to([2, 3])
}

#[differentiable]
fn stacked<const N: usize, const M: usize>(x: &Tensor1<f64, N>, y: &Tensor1<f64, M>) -> f64 {
    stack([x, y], 0).sum()
}

#[differentiable]
fn replaced<const N: usize>(x: &Tensor1<f64, 4>, y: &Tensor1<f64, N>) -> Tensor1<f64, 4> {
    x.set_slice([1..3], y)
}

#[differentiable]
fn narrowed<const N: usize>(x: &Tensor1<f64, N>) -> Tensor1<f64, 2> {
    x.narrow(0, 3, 2)
}

#[differentiable]
fn scattered<const N: usize, const M: usize>(x: &Tensor1<f64, 4>, i: &[usize; N], y: &Tensor1<f64, M>) -> Tensor1<f64, 4> {
    x.scatter_add(0, i, y)
}

#[differentiable]
fn convolved<const C: usize, const D: usize>(x: &Tensor3<f64, 1, C, 8>, w: &Tensor3<f64, 2, D, 3>) -> f64 {
    x.conv1d(w, Conv1d { ..Default::default() }).sum()
}

#[differentiable]
fn attended<const N: usize, const M: usize>(q: &Tensor2<f64, 4, N>, k: &Tensor2<f64, 4, M>) -> f64 {
    attention(q, k, k).sum()
}

#[differentiable]
fn turned<const N: usize>(x: &Tensor2<f64, 4, N>) -> Tensor2<f64, 4, N> {
    x.rope(10000.0)
}

#[differentiable]
fn gated<const N: usize, const M: usize>(x: &Tensor1<f64, N>, y: &Tensor1<f64, M>) -> f64 {
    swiglu(x, y).sum()
}

#[differentiable]
fn labelled<const N: usize, const M: usize>(x: &Tensor2<f64, N, 3>, labels: &[usize; M]) -> f64 {
    x.cross_entropy(labels)
}

#[differentiable]
fn compared<const N: usize, const M: usize>(x: &Tensor1<f64, N>, y: &Tensor1<f64, M>) -> f64 {
    x.huber(y, 1.0)
}

#[differentiable]
fn stepped<const S: usize, const H: usize>(
    x: &Tensor1<f64, S>,
    h: &Tensor1<f64, H>,
    w: &Tensor2<f64, 6, S>,
    u: &Tensor2<f64, 6, H>,
    b: &Tensor1<f64, 6>,
) -> f64 {
    gru_cell(x, h, w, u, b, b).sum()
}

fn main() {
    broadcast::<3, 2>(&Tensor2::full(1.0), &Tensor1::full(1.0));
    products::<2, 3>(&Tensor3::full(1.0), &Tensor3::full(1.0));
    dots::<3, 2>(&Tensor1::full(1.0), &Tensor1::full(1.0));
    diagonal::<3, 2>(&Tensor2::full(1.0));
    reshaped::<6, 2>(&Tensor1::full(1.0));
    squeezed::<2>(&Tensor2::full(1.0));
    stretched::<2>(&Tensor1::full(1.0));
    stacked::<3, 2>(&Tensor1::full(1.0), &Tensor1::full(1.0));
    replaced::<3>(&Tensor1::full(1.0), &Tensor1::full(1.0));
    narrowed::<4>(&Tensor1::full(1.0));
    scattered::<3, 2>(&Tensor1::full(1.0), &[0; 3], &Tensor1::full(1.0));
    convolved::<3, 2>(&Tensor3::full(1.0), &Tensor3::full(1.0));
    attended::<3, 2>(&Tensor2::full(1.0), &Tensor2::full(1.0));
    turned::<3>(&Tensor2::full(1.0));
    gated::<3, 2>(&Tensor1::full(1.0), &Tensor1::full(1.0));
    labelled::<3, 2>(&Tensor2::full(1.0), &[0; 2]);
    compared::<3, 2>(&Tensor1::full(1.0), &Tensor1::full(1.0));
    stepped::<3, 4>(&Tensor1::full(1.0), &Tensor1::full(1.0), &Tensor2::full(1.0), &Tensor2::full(1.0), &Tensor1::full(1.0));
}
