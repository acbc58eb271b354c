//! Attention, gates, masks, cells, and axes of reductions and of softmax.
use autodiff::prelude::*;

#[differentiable]
fn widths(q: &Tensor2<f64, 4, 3>, k: &Tensor2<f64, 5, 2>, v: &Tensor2<f64, 5, 2>) -> Tensor2<f64, 4, 2> {
    attention(q, k, v)
}

#[differentiable]
fn values(q: &Tensor2<f64, 4, 3>, k: &Tensor2<f64, 4, 3>, v: &Tensor2<f64, 5, 2>) -> Tensor2<f64, 4, 2> {
    attention_causal(q, k, v)
}

#[differentiable]
fn heads(q: &Tensor3<f64, 2, 4, 3>, k: &Tensor3<f64, 3, 4, 3>, v: &Tensor3<f64, 2, 4, 3>) -> Tensor3<f64, 2, 4, 3> {
    attention(q, k, v)
}

#[differentiable]
fn ranks(q: &Tensor3<f64, 2, 4, 3>, k: &Tensor2<f64, 4, 3>, v: &Tensor2<f64, 4, 3>) -> Tensor3<f64, 2, 4, 3> {
    attention(q, k, v)
}

#[differentiable]
fn odd(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
    x.rope(10000.0)
}

#[differentiable]
fn rope_of_a_vector(x: &Tensor1<f64, 4>) -> Tensor1<f64, 4> {
    x.rope(10000.0)
}

#[differentiable]
fn gated(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 2>) -> Tensor2<f64, 4, 3> {
    swiglu(x, y)
}

#[differentiable]
fn gated_by_columns(x: &Tensor2<f64, 4, 3>, y: &Tensor1<f64, 4>) -> Tensor2<f64, 4, 3> {
    geglu(x, y)
}

#[differentiable]
fn gated_by_nothing(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
    reglu(x)
}

#[differentiable]
fn selected(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 4, 3> {
    select(x.gt(0.0), x, y)
}

#[differentiable]
fn compared(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 4, 3> {
    select(x.gt(y), x, 0.0)
}

#[differentiable]
fn filled(x: &Tensor2<f64, 4, 3>, y: &Tensor1<f64, 4>) -> Tensor2<f64, 4, 3> {
    x.masked_fill(y.gt(0.0), 0.0)
}

#[differentiable]
fn filled_by_more(x: &Tensor1<f64, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor1<f64, 3> {
    x.masked_fill(y.gt(0.0), 0.0)
}

#[differentiable]
fn dropped(x: &Tensor1<f64, 3>, y: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
    x.dropout(y.gt(0.0), 0.5)
}

#[differentiable]
fn lstm(x: &Tensor1<f64, 3>, h: &Tensor1<f64, 2>, w: &Tensor2<f64, 6, 3>, u: &Tensor2<f64, 8, 2>, b: &Tensor1<f64, 8>) -> f64 {
    let (h, c) = lstm_cell(x, h, h, w, u, b);
    (h + c).sum()
}

#[differentiable]
fn lstm_states(x: &Tensor1<f64, 3>, h: &Tensor1<f64, 2>, c: &Tensor1<f64, 3>, w: &Tensor2<f64, 8, 3>, u: &Tensor2<f64, 8, 2>, b: &Tensor1<f64, 8>) -> f64 {
    let (h, c) = lstm_cell(x, h, c, w, u, b);
    (h + c).sum()
}

#[differentiable]
fn gru(x: &Tensor2<f64, 5, 3>, h: &Tensor2<f64, 4, 2>, w: &Tensor2<f64, 6, 3>, u: &Tensor2<f64, 6, 2>, b: &Tensor1<f64, 6>) -> f64 {
    gru_cell(x, h, w, u, b, b).sum()
}

#[differentiable]
fn gru_bias(x: &Tensor2<f64, 4, 3>, h: &Tensor2<f64, 4, 2>, w: &Tensor2<f64, 6, 3>, u: &Tensor2<f64, 6, 2>, b: &Tensor1<f64, 8>) -> f64 {
    gru_cell(x, h, w, u, b, b).sum()
}

#[differentiable]
fn soft_labels(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 4, 2>) -> f64 {
    x.cross_entropy_soft(y)
}

#[differentiable]
fn hard_labels(x: &Tensor2<f64, 4, 3>, labels: &[usize; 3]) -> f64 {
    x.cross_entropy(labels)
}

#[differentiable]
fn teacher(x: &Tensor2<f64, 4, 3>, y: &Tensor2<f64, 3, 4>) -> f64 {
    x.distillation(y, 2.0)
}

#[differentiable]
fn squares(x: &Tensor2<f64, 4, 3>, y: &Tensor1<f64, 3>) -> f64 {
    x.mse(y)
}

#[differentiable]
fn dots(x: &Tensor1<f64, 3>, y: &Tensor1<f64, 4>) -> f64 {
    x.dot(y)
}

#[differentiable]
fn softmax(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
    x.softmax(2)
}

#[differentiable]
fn log_softmax(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
    x.log_softmax(-3)
}

#[differentiable]
fn sum(x: &Tensor2<f64, 4, 3>) -> Tensor1<f64, 4> {
    x.sum_axis(2)
}

#[differentiable]
fn sums(x: &Tensor2<f64, 4, 3>) -> f64 {
    x.mean_axes([0, 2])
}

#[differentiable]
fn running(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
    x.cumsum(2)
}

#[differentiable]
fn normal(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 3> {
    x.l2_normalize(2, 1e-12)
}

#[differentiable]
fn convolution_without_options(x: &Tensor4<f64, 1, 1, 6, 6>, w: &Tensor4<f64, 1, 1, 3, 3>) -> f64 {
    x.conv2d(w).sum()
}

fn main() {}
