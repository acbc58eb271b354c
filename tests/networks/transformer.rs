//! W5, a chain of element-wise operators, and W6, a transformer block.

use crate::check::{Full, assert_agrees, assert_curves, close, numbers, on_a_main_stack, read, tensor};
use autodiff::prelude::*;
use serde_json::Value as Json;
use std::sync::Mutex;

/// W5: a chain of element-wise operators with broadcasts, `a [4, 3], b [1, 3], c [4, 1], d [4, 3]`.
#[derive(Differentiable, Clone)]
struct Chain<const M: usize, const N: usize> {
    a: Tensor2<f64, M, N>,
    b: Tensor2<f64, 1, N>,
    c: Tensor2<f64, M, 1>,
    d: Tensor2<f64, M, N>,
}

#[differentiable]
fn w5<const M: usize, const N: usize>(p: &Chain<M, N>) -> f64 {
    ((p.a * p.b + p.c).gelu() * p.d.sigmoid()).sum()
}

#[differentiable]
fn w5_gelu_tanh(p: &Chain<4, 3>) -> f64 {
    ((p.a * p.b + p.c).gelu_tanh() * p.d.sigmoid()).sum()
}

/// W6: a transformer block with normalisation first, exact GELU and no mask, of `S` tokens of width `D`, `H` heads
/// of width `W` and a layer of `F` inside.
#[derive(Differentiable, Clone)]
struct Block<const D: usize, const F: usize> {
    ln1g: Tensor1<f64, D>,
    ln1b: Tensor1<f64, D>,
    wq: Tensor2<f64, D, D>,
    bq: Tensor1<f64, D>,
    wk: Tensor2<f64, D, D>,
    bk: Tensor1<f64, D>,
    wv: Tensor2<f64, D, D>,
    bv: Tensor1<f64, D>,
    wo: Tensor2<f64, D, D>,
    bo: Tensor1<f64, D>,
    ln2g: Tensor1<f64, D>,
    ln2b: Tensor1<f64, D>,
    w1: Tensor2<f64, F, D>,
    b1: Tensor1<f64, F>,
    w2: Tensor2<f64, D, F>,
    b2: Tensor1<f64, D>,
}

const BLOCK: &[&str] =
    &["ln1g", "ln1b", "wq", "bq", "wk", "bk", "wv", "bv", "wo", "bo", "ln2g", "ln2b", "w1", "b1", "w2", "b2"];

fn block<const D: usize, const F: usize>(json: &Json) -> Block<D, F> {
    Block {
        ln1g: tensor(&json["ln1g"]),
        ln1b: tensor(&json["ln1b"]),
        wq: tensor(&json["wq"]),
        bq: tensor(&json["bq"]),
        wk: tensor(&json["wk"]),
        bk: tensor(&json["bk"]),
        wv: tensor(&json["wv"]),
        bv: tensor(&json["bv"]),
        wo: tensor(&json["wo"]),
        bo: tensor(&json["bo"]),
        ln2g: tensor(&json["ln2g"]),
        ln2b: tensor(&json["ln2b"]),
        w1: tensor(&json["w1"]),
        b1: tensor(&json["b1"]),
        w2: tensor(&json["w2"]),
        b2: tensor(&json["b2"]),
    }
}

/// `[S, D]` as the rows of each head, `[H, S, W]`.
#[differentiable]
fn heads<const S: usize, const D: usize, const H: usize, const W: usize>(
    x: &Tensor2<f64, S, D>,
) -> Tensor3<f64, H, S, W> {
    x.reshape([S, H, W]).permute([1, 0, 2])
}

#[differentiable]
fn attend<const S: usize, const D: usize, const F: usize, const H: usize, const W: usize>(
    p: &Block<D, F>,
    x: &Tensor2<f64, S, D>,
) -> Tensor2<f64, S, D> {
    let h = x.layer_norm(p.ln1g, p.ln1b, 1e-5);
    let q: Tensor3<f64, H, S, W> = heads(&(h.matmul(p.wq.t()) + p.bq));
    let k: Tensor3<f64, H, S, W> = heads(&(h.matmul(p.wk.t()) + p.bk));
    let v: Tensor3<f64, H, S, W> = heads(&(h.matmul(p.wv.t()) + p.bv));
    let a = attention(q, k, v).permute([1, 0, 2]).reshape([S, D]);
    x + a.matmul(p.wo.t()) + p.bo
}

#[differentiable]
fn w6_output<const S: usize, const D: usize, const F: usize, const H: usize, const W: usize>(
    p: &Block<D, F>,
    #[no_diff] x: &Tensor2<f64, S, D>,
) -> Tensor2<f64, S, D> {
    let x = attend::<S, D, F, H, W>(p, x);
    let h = x.layer_norm(p.ln2g, p.ln2b, 1e-5);
    let h = (h.matmul(p.w1.t()) + p.b1).gelu();
    x + h.matmul(p.w2.t()) + p.b2
}

#[differentiable(order = 2)]
fn w6<const S: usize, const D: usize, const F: usize, const H: usize, const W: usize>(
    p: &Block<D, F>,
    #[no_diff] x: &Tensor2<f64, S, D>,
) -> f64 {
    let y = w6_output::<S, D, F, H, W>(p, x);
    (y * y).sum()
}

#[test]
fn w5_chain() {
    let file = read("w5_chain");
    let json = &file["params"];
    let p = Chain { a: tensor(&json["a"]), b: tensor(&json["b"]), c: tensor(&json["c"]), d: tensor(&json["d"]) };
    assert_agrees!(w5::<4, 3>, &["a", "b", "c", "d"], file, &p);
    let file = read("w5_chain_gelu_tanh");
    assert_agrees!(w5_gelu_tanh, &["a", "b", "c", "d"], file, &p);
}

static CHAIN: Mutex<(Chain<256, 512>, ChainTangent<256, 512>)> = Mutex::new((
    Chain { a: Tensor::zeros(), b: Tensor::zeros(), c: Tensor::zeros(), d: Tensor::zeros() },
    ChainTangent { a: Tensor::zeros(), b: Tensor::zeros(), c: Tensor::zeros(), d: Tensor::zeros() },
));

/// A megabyte in each of four arrays.
#[test]
fn w5_chain_of_full_size() {
    let full = Full::read("W5");
    let (p, gradient) = &mut *CHAIN.lock().expect("no other user");
    full.fill_all(p);
    let value = w5::value_and_grad_into(p, gradient);
    close("loss", &[value], &[full.loss()]);
    full.same_gradient(gradient);
}

#[test]
fn w6_block() {
    let file = read("w6_block_s4_d8_h2");
    let (p, x) = (block(&file["params"]), tensor(&file["inputs"]["x"]));
    close("output", w6_output::<4, 8, 16, 2, 4>(&p, &x).as_slice(), &numbers(&file["output"]));
    assert_agrees!(w6::<4, 8, 16, 2, 4>, BLOCK, file, &p, &x);
    assert_curves!(w6::<4, 8, 16, 2, 4>, BLOCK, "w6_block_s4_d8_h2", &p, &x);
}

static BLOCK_OF_64: Mutex<Block<64, 256>> = Mutex::new(Block {
    ln1g: Tensor::zeros(),
    ln1b: Tensor::zeros(),
    wq: Tensor::zeros(),
    bq: Tensor::zeros(),
    wk: Tensor::zeros(),
    bk: Tensor::zeros(),
    wv: Tensor::zeros(),
    bv: Tensor::zeros(),
    wo: Tensor::zeros(),
    bo: Tensor::zeros(),
    ln2g: Tensor::zeros(),
    ln2b: Tensor::zeros(),
    w1: Tensor::zeros(),
    b1: Tensor::zeros(),
    w2: Tensor::zeros(),
    b2: Tensor::zeros(),
});

#[test]
fn w6_block_of_full_size() {
    on_a_main_stack(|| {
        let full = Full::read("W6");
        let p = &mut *BLOCK_OF_64.lock().expect("no other user");
        full.fill_all(p);
        let mut x = Tensor2::zeros();
        full.fill("x", x.as_mut_slice());
        let mut gradient = p.zero_tangent();
        let value = w6::<32, 64, 256, 4, 16>::value_and_grad_into(p, &x, &mut gradient);
        close("loss", &[value], &[full.loss()]);
        full.same_gradient(&gradient);
    });
}
