//! A transformer block with causal multi-head attention, layer normalisation and a feed-forward layer, on nested vectors.

use crate::differences::check;
use autodiff::prelude::*;

type Matrix = Vec<Vec<f64>>;

#[derive(Debug, Clone)]
struct Config {
    d_model: usize,
    n_heads: usize,
    eps: f64,
    causal: bool,
}

#[derive(Debug, Clone, Differentiable)]
struct LayerNorm {
    gamma: Vec<f64>,
    beta: Vec<f64>,
}

#[derive(Debug, Clone, Differentiable)]
struct Block {
    wq: Matrix,
    wk: Matrix,
    wv: Matrix,
    wo: Matrix,
    ln1: LayerNorm,
    up: Matrix,
    down: Matrix,
}

#[differentiable]
fn matmul(a: &Matrix, b: &Matrix) -> Matrix {
    let (n, k, m) = (a.len(), b.len(), b[0].len());
    let mut c = vec![vec![0.0; m]; n];
    for i in 0..n {
        for j in 0..m {
            for l in 0..k {
                c[i][j] += a[i][l] * b[l][j];
            }
        }
    }
    c
}

#[differentiable]
fn softmax(row: &[f64]) -> Vec<f64> {
    let max = row.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let exps: Vec<f64> = row.iter().map(|x| (x - max).exp()).collect();
    let sum: f64 = exps.iter().sum();
    exps.into_iter().map(|e| e / sum).collect()
}

#[differentiable]
fn layer_norm(ln: &LayerNorm, x: &[f64], #[no_diff] eps: f64) -> Vec<f64> {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let var = x.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
    let inv = 1.0 / (var + eps).sqrt();
    x.iter().zip(ln.gamma.iter().zip(ln.beta.iter())).map(|(v, (g, b))| (v - mean) * inv * g + b).collect()
}

#[differentiable]
fn attention(block: &Block, x: &Matrix, #[no_diff] config: &Config) -> Matrix {
    let (q, k, v) = (matmul(x, &block.wq), matmul(x, &block.wk), matmul(x, &block.wv));
    let n = x.len();
    let d = config.d_model / config.n_heads;
    let scale = 1.0 / (d as f64).sqrt();
    let mut out = vec![vec![0.0; config.d_model]; n];
    for head in 0..config.n_heads {
        let range = head * d..(head + 1) * d;
        for i in 0..n {
            let last = if config.causal { i + 1 } else { n };
            let scores: Vec<f64> = (0..last)
                .map(|j| {
                    let dot: f64 = q[i][range.clone()].iter().zip(&k[j][range.clone()]).map(|(a, b)| a * b).sum();
                    dot * scale
                })
                .collect();
            let weights = softmax(&scores);
            for (j, w) in weights.iter().enumerate() {
                for c in range.clone() {
                    out[i][c] += w * v[j][c];
                }
            }
        }
    }
    matmul(&out, &block.wo)
}

#[differentiable]
fn gelu(x: f64) -> f64 {
    0.5 * x * (1.0 + (0.7978845608028654 * (x + 0.044715 * x.powi(3))).tanh())
}

#[differentiable]
fn forward(block: &Block, x: &Matrix, #[no_diff] config: &Config) -> Matrix {
    let normed: Matrix = x.iter().map(|row| layer_norm(&block.ln1, row, config.eps)).collect();
    let attended = attention(block, &normed, config);
    let residual: Matrix =
        x.iter().zip(&attended).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect();
    let mut hidden = matmul(&residual, &block.up);
    for row in hidden.iter_mut() {
        for h in row.iter_mut() {
            *h = gelu(*h);
        }
    }
    let projected = matmul(&hidden, &block.down);
    residual.iter().zip(projected.iter()).map(|(r, p)| r.iter().zip(p).map(|(r, p)| r + p).collect()).collect()
}

#[differentiable]
fn loss(block: &Block, x: &Matrix, #[no_diff] target: &Matrix, #[no_diff] config: &Config) -> f64 {
    let y = forward(block, x, config);
    let sum: f64 = y.iter().flatten().zip(target.iter().flatten()).map(|(a, b)| (a - b).powi(2)).sum();
    sum / x.len() as f64
}

#[test]
fn gradient() {
    let config = Config { d_model: 4, n_heads: 2, eps: 1e-5, causal: true };
    let rows = |p: &[f64], columns: usize| p.chunks(columns).map(|c| c.to_vec()).collect::<Matrix>();
    let unpack = |p: &[f64]| {
        let block = Block {
            wq: rows(&p[..16], 4),
            wk: rows(&p[16..32], 4),
            wv: rows(&p[32..48], 4),
            wo: rows(&p[48..64], 4),
            ln1: LayerNorm { gamma: p[64..68].to_vec(), beta: p[68..72].to_vec() },
            up: rows(&p[72..92], 5),
            down: rows(&p[92..112], 4),
        };
        (block, rows(&p[112..124], 4))
    };
    let at: Vec<f64> = (0..124).map(|i| 0.6 * (i as f64 * 1.7).sin()).collect();
    let target: Matrix = (0..3).map(|i| vec![i as f64 * 0.3, -0.2, 0.5, 0.1]).collect();
    for causal in [true, false] {
        let config = Config { causal, ..config.clone() };
        let (block, x) = unpack(&at);
        let (b, gx) = loss::grad(&block, &x, &target, &config);
        let gradient = [
            b.wq.concat(),
            b.wk.concat(),
            b.wv.concat(),
            b.wo.concat(),
            b.ln1.gamma,
            b.ln1.beta,
            b.up.concat(),
            b.down.concat(),
            gx.concat(),
        ]
        .concat();
        let value = |p: &[f64]| {
            let (block, x) = unpack(p);
            loss(&block, &x, &target, &config)
        };
        check(value, &at, &gradient);
    }
}
