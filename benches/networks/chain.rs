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

type Row = [f32; N];

vectorized! {
    fn by_hand(p: &Chain, g: &mut ChainTangent) -> f32 = sweep;
}

/// What is element by element goes into buffers for each row. Then come the sums, in sixteen lanes.
#[inline(always)]
fn sweep(p: &Chain, g: &mut ChainTangent) -> f32 {
    g.b.0 = [0.0; N];
    let mut value = 0.0;
    let (mut y, mut bar) = ([0.0; N], [0.0; N]);
    for i in 0..M {
        elements((&p.a.0[i], &p.b.0, p.c.0[i][0], &p.d.0[i]), &mut y, &mut bar, &mut g.d.0[i]);
        cotangents((&p.a.0[i], &p.b.0), &bar, &mut g.a.0[i], &mut g.b.0);
        g.c.0[i][0] = sum(&bar);
        value += sum(&y);
    }
    value
}

#[inline(always)]
fn elements((a, b, c, d): (&Row, &Row, f32, &Row), y: &mut Row, bar: &mut Row, d_bar: &mut Row) {
    for k in 0..N {
        let (value, slope) = gelu(a[k] * b[k] + c);
        let s = sigmoid(d[k]);
        y[k] = value * s;
        bar[k] = slope * s;
        d_bar[k] = value * s * (1.0 - s);
    }
}

#[inline(always)]
fn cotangents((a, b): (&Row, &Row), bar: &Row, a_bar: &mut Row, b_bar: &mut Row) {
    for k in 0..N {
        a_bar[k] = b[k] * bar[k];
        b_bar[k] += a[k] * bar[k];
    }
}

#[inline(always)]
fn sum(row: &Row) -> f32 {
    let mut lanes = [0.0; 16];
    for chunk in row.as_chunks::<16>().0 {
        lanes.iter_mut().zip(chunk).for_each(|(lane, x)| *lane += x);
    }
    lanes.iter().sum()
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
