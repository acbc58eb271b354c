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

/// So many numbers at a time.
const LANES: usize = 16;

/// One sweep, with sums in sixteen lanes.
fn by_hand(p: &Chain, g: &mut ChainTangent) -> f32 {
    vectorized(|| {
        let mut value = [0.0; LANES];
        g.b.0 = [0.0; N];
        for i in 0..M {
            let mut c_bar = [0.0; LANES];
            let (a, b, d) = (p.a.0[i].as_chunks::<LANES>().0, p.b.0.as_chunks().0, p.d.0[i].as_chunks().0);
            let (a_bar, b_bar) = (g.a.0[i].as_chunks_mut::<LANES>().0, g.b.0.as_chunks_mut().0);
            let bars = a_bar.iter_mut().zip(b_bar).zip(g.d.0[i].as_chunks_mut().0);
            for (((a, b), d), ((a_bar, b_bar), d_bar)) in a.iter().zip(b).zip(d).zip(bars) {
                lanes(*a, *b, p.c.0[i][0], *d, (a_bar, b_bar, &mut c_bar, d_bar), &mut value);
            }
            g.c.0[i][0] = c_bar.iter().sum();
        }
        value.iter().sum()
    })
}

type Lanes = [f32; LANES];

#[inline(always)]
fn lanes(
    a: Lanes,
    b: Lanes,
    c: f32,
    d: Lanes,
    (a_bar, b_bar, c_bar, d_bar): (&mut Lanes, &mut Lanes, &mut Lanes, &mut Lanes),
    value: &mut Lanes,
) {
    let (mut y, mut slope, mut s) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
    for k in 0..LANES {
        (y[k], slope[k]) = gelu(a[k] * b[k] + c);
    }
    for k in 0..LANES {
        s[k] = sigmoid(d[k]);
    }
    for k in 0..LANES {
        let bar = slope[k] * s[k];
        value[k] += y[k] * s[k];
        c_bar[k] += bar;
        a_bar[k] = b[k] * bar;
        b_bar[k] += a[k] * bar;
        d_bar[k] = y[k] * s[k] * (1.0 - s[k]);
    }
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
