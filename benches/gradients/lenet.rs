//! The gradient step of `examples/lenet.rs`: two convolutions with pooling, two layers, a batch of 32.

use crate::compare::{Suite, numbers, way};
use autodiff::kernel;
use autodiff::prelude::*;
use std::hint::black_box;

#[derive(Differentiable, Clone, Debug)]
struct LeNet {
    k1: Tensor4<f32, 12, 1, 3, 3>,
    c1: Tensor1<f32, 12>,
    k2: Tensor4<f32, 24, 12, 3, 3>,
    c2: Tensor1<f32, 24>,
    w1: Tensor2<f32, 96, 48>,
    b1: Tensor1<f32, 48>,
    w2: Tensor2<f32, 48, 10>,
    b2: Tensor1<f32, 10>,
}
type Gradient = <LeNet as Differentiable>::Tangent;

#[differentiable]
fn features<const B: usize>(p: &LeNet, #[no_diff] x: &Tensor2<f32, B, 64>) -> Tensor2<f32, B, 96> {
    let image = x.reshape([B, 1, 8, 8]);
    let h = image.conv2d(p.k1, Conv2d { padding: [1, 1], ..Default::default() }) + p.c1.reshape([12, 1, 1]);
    let h = h.relu().max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() });
    let h = h.conv2d(p.k2, Conv2d { padding: [1, 1], ..Default::default() }) + p.c2.reshape([24, 1, 1]);
    let h = h.relu().max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() });
    h.reshape([B, 96])
}

#[differentiable]
fn loss<const B: usize>(p: &LeNet, #[no_diff] x: &Tensor2<f32, B, 64>, labels: &[usize; B]) -> f32 {
    let h = (features(p, x).matmul(p.w1) + p.b1).relu();
    (h.matmul(p.w2) + p.b2).cross_entropy(labels)
}

/// The 3 × 3 windows of an image of `S` × `S` in a border of zeros as columns, or the reverse of that.
fn each_window<const S: usize>(channels: usize, mut f: impl FnMut(usize, usize, usize, usize)) {
    for c in 0..channels {
        for u in 0..3 {
            for v in 0..3 {
                let (first, last) = (1_usize.saturating_sub(v), S.min(S + 1 - v));
                for i in 1_usize.saturating_sub(u)..S.min(S + 1 - u) {
                    // A row of the image, without what the window does not reach.
                    f(c * 9 + u * 3 + v, i * S + first, (c * S + i + u - 1) * S + first + v - 1, last - first);
                }
            }
        }
    }
}

fn windows<const S: usize, const N: usize, const K: usize>(image: &[f32], columns: &mut [[f32; N]; K]) {
    *columns = [[0.0; N]; K];
    each_window::<S>(K / 9, |row, to, from, count| {
        columns[row][to..to + count].copy_from_slice(&image[from..from + count]);
    });
}

/// ReLU and the largest of each 2 × 2 elements of `S` × `S`; also where it stands.
fn pool<const S: usize>(y: &[f32], h: &mut [f32], best: &mut [u8]) {
    for (at, (h, best)) in h.iter_mut().zip(best).enumerate() {
        let (i, j) = (at / (S / 2), at % (S / 2));
        let corner = 2 * i * S + 2 * j;
        (*h, *best) = (y[corner], corner as u8);
        for from in [corner + 1, corner + S, corner + S + 1] {
            if y[from] > *h {
                (*h, *best) = (y[from], from as u8);
            }
        }
        *h = h.max(0.0);
    }
}

/// What is largest and not cut off gets the cotangent; their sum is that of the bias.
fn pool_reverse(h: &[f32], best: &[u8], h_bar: &[f32], y_bar: &mut [f32]) -> f32 {
    y_bar.fill(0.0);
    let mut sum = 0.0;
    for ((h, best), h_bar) in h.iter().zip(best).zip(h_bar) {
        if *h > 0.0 {
            y_bar[usize::from(*best)] = *h_bar;
            sum += h_bar;
        }
    }
    sum
}

/// The windows of an image are the columns of a matrix, in both sweeps; ReLU and pooling are one, and keep what is
/// largest and where it stands.
fn by_hand<const B: usize>(p: &LeNet, x: &Tensor2<f32, B, 64>, labels: &[usize; B], g: &mut Gradient) -> f32 {
    let (mut k1, mut k2) = ([[0.0; 9]; 12], [[0.0; 108]; 24]);
    k1.as_flattened_mut().copy_from_slice(p.k1.as_slice());
    k2.as_flattened_mut().copy_from_slice(p.k2.as_slice());
    let (mut columns1, mut columns2) = ([[0.0; 64]; 9], [[0.0; 16]; 108]);
    let (mut h1, mut best1) = ([[[0.0; 16]; 12]; B], [[[0; 16]; 12]; B]);
    let (mut h2, mut best2) = ([[0.0; 96]; B], [[[0; 4]; 24]; B]);
    for n in 0..B {
        windows::<8, _, _>(&x.0[n], &mut columns1);
        let mut y1 = p.c1.0.map(|bias| [bias; 64]);
        kernel::matmul(&k1, &columns1, &mut y1);
        for c in 0..12 {
            pool::<8>(&y1[c], &mut h1[n][c], &mut best1[n][c]);
        }
        windows::<4, _, _>(h1[n].as_flattened(), &mut columns2);
        let mut y2 = p.c2.0.map(|bias| [bias; 16]);
        kernel::matmul(&k2, &columns2, &mut y2);
        for (c, h2) in h2[n].as_chunks_mut::<4>().0.iter_mut().enumerate() {
            pool::<4>(&y2[c], h2, &mut best2[n][c]);
        }
    }
    let mut h3 = [p.b1.0; B];
    kernel::matmul(&h2, &p.w1.0, &mut h3);
    h3.as_flattened_mut().iter_mut().for_each(|x| *x = x.max(0.0));
    let mut y = [p.b2.0; B];
    kernel::matmul(&h3, &p.w2.0, &mut y);

    let value = crate::digits::cross_entropy(&mut y, labels, &mut g.b2.0);
    g.w2.0 = [[0.0; 10]; 48];
    kernel::matmul_tn(&h3, &y, &mut g.w2.0);
    let mut h3_bar = [[0.0; 48]; B];
    kernel::matmul_nt(&y, &p.w2.0, &mut h3_bar);
    crate::digits::relu_reverse(&h3, &mut h3_bar, &mut g.b1.0);
    g.w1.0 = [[0.0; 48]; 96];
    kernel::matmul_tn(&h2, &h3_bar, &mut g.w1.0);
    let mut h2_bar = [[0.0; 96]; B];
    kernel::matmul_nt(&h3_bar, &p.w1.0, &mut h2_bar);

    (g.c1.0, g.c2.0) = ([0.0; 12], [0.0; 24]);
    let (mut k1_bar, mut k2_bar) = ([[0.0; 9]; 12], [[0.0; 108]; 24]);
    for n in 0..B {
        let (mut y1_bar, mut y2_bar) = ([[0.0; 64]; 12], [[0.0; 16]; 24]);
        let (h2, h2_bar) = (h2[n].as_chunks::<4>().0, h2_bar[n].as_chunks::<4>().0);
        for c in 0..24 {
            g.c2.0[c] += pool_reverse(&h2[c], &best2[n][c], &h2_bar[c], &mut y2_bar[c]);
        }
        windows::<4, _, _>(h1[n].as_flattened(), &mut columns2);
        kernel::matmul_nt(&y2_bar, &columns2, &mut k2_bar);
        let (mut columns_bar, mut h1_bar) = ([[0.0; 16]; 108], [[0.0; 16]; 12]);
        kernel::matmul_tn(&k2, &y2_bar, &mut columns_bar);
        let image_bar = h1_bar.as_flattened_mut();
        each_window::<4>(12, |row, from, to, count| {
            let bars = columns_bar[row][from..from + count].iter();
            image_bar[to..to + count].iter_mut().zip(bars).for_each(|(to, from)| *to += from);
        });
        for c in 0..12 {
            g.c1.0[c] += pool_reverse(&h1[n][c], &best1[n][c], &h1_bar[c], &mut y1_bar[c]);
        }
        windows::<8, _, _>(&x.0[n], &mut columns1);
        kernel::matmul_nt(&y1_bar, &columns1, &mut k1_bar);
    }
    g.k1.as_mut_slice().copy_from_slice(k1_bar.as_flattened());
    g.k2.as_mut_slice().copy_from_slice(k2_bar.as_flattened());
    value
}

pub fn bench(suite: &mut Suite) {
    const B: usize = 32;
    let mut next = numbers();
    let p = LeNet {
        k1: Tensor::from_fn(|_: [usize; 4]| next()),
        c1: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
        k2: Tensor::from_fn(|_: [usize; 4]| 0.3 * next()),
        c2: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
        w1: Tensor::from_fn(|_: [usize; 2]| 0.3 * next()),
        b1: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
        w2: Tensor::from_fn(|_: [usize; 2]| 0.3 * next()),
        b2: Tensor::from_fn(|_: [usize; 1]| 0.1 * next()),
    };
    let x = Tensor2::<f32, B, 64>::from_fn(|_| next());
    let labels: [usize; B] = std::array::from_fn(|i| 7 * i % 10);

    let (mut g, mut h) = (p.zero_tangent(), p.zero_tangent());
    let value = loss::value_and_grad_into(&p, &x, &labels, &mut g);
    let other = by_hand(&p, &x, &labels, &mut h);
    assert!((value - other).abs() < 1e-5 * value);
    crate::compare::assert_similar(&g, &h);

    suite.compare(
        "lenet",
        &mut [
            way("gradient", || {
                let value = loss::value_and_grad_into(black_box(&p), &x, &labels, &mut g);
                black_box(&mut g);
                value
            }),
            way("value alone", || loss(black_box(&p), &x, &labels)),
            way("by hand", || {
                let value = by_hand(black_box(&p), &x, &labels, &mut h);
                black_box(&mut h);
                value
            }),
        ],
    );
}
