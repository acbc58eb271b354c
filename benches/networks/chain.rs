//! A chain of element-wise operators with two broadcasts: Σ gelu(a·b + c)·sigmoid(d).

use crate::compare::{Suite, assert_similar, numbers, way};
use crate::vectors::{gelu, sigmoid, vectorized};
use autodiff::prelude::*;
use std::hint::black_box;

const M: usize = 256;
const N: usize = 512;

#[derive(Differentiable, Clone, Debug)]
struct Chain {
    a: Tensor2<f32, M, N>,
    b: Tensor1<f32, N>,
    c: Tensor2<f32, M, 1>,
    d: Tensor2<f32, M, N>,
}

#[differentiable]
fn chain(p: &Chain) -> f32 {
    ((p.a * p.b + p.c).gelu() * p.d.sigmoid()).sum()
}

/// One sweep, with sums in sixteen lanes.
fn by_hand(p: &Chain, g: &mut ChainTangent) -> f32 {
    vectorized(|| {
        let mut value = [0.0; 16];
        g.b.0 = [0.0; N];
        for i in 0..M {
            let mut c_bar = [0.0; 16];
            for j in 0..N / 16 {
                for lane in 0..16 {
                    let k = 16 * j + lane;
                    let (a, b) = (p.a.0[i][k], p.b.0[k]);
                    let (y, slope) = gelu(a * b + p.c.0[i][0]);
                    let s = sigmoid(p.d.0[i][k]);
                    let bar = slope * s;
                    value[lane] += y * s;
                    c_bar[lane] += bar;
                    g.a.0[i][k] = b * bar;
                    g.b.0[k] += a * bar;
                    g.d.0[i][k] = y * s * (1.0 - s);
                }
            }
            g.c.0[i][0] = c_bar.iter().sum();
        }
        value.iter().sum()
    })
}

fn zeros() -> Box<Chain> {
    Box::new(Chain { a: Tensor::zeros(), b: Tensor::zeros(), c: Tensor::zeros(), d: Tensor::zeros() })
}

pub fn bench(suite: &mut Suite) {
    let (mut next, mut p) = (numbers(), zeros());
    p.map_leaves(&mut |data| data.fill_with(&mut next));
    let (mut g, mut h) = (Box::new(p.zero_tangent()), Box::new(p.zero_tangent()));
    let (value, other) = (chain::value_and_grad_into(&p, &mut g), by_hand(&p, &mut h));
    assert!((value - other).abs() < 1e-4 * value.abs());
    assert_similar(&*g, &*h);
    suite.compare(
        "gelu(a·b + c)·sigmoid(d), 256 × 512",
        &mut [
            way("gradient", || chain::value_and_grad_into(black_box(&p), black_box(&mut g))),
            way("value alone", || chain(black_box(&p))),
            way("by hand", || by_hand(black_box(&p), black_box(&mut h))),
        ],
    );
}
