//! A network after LeNet-5: two convolutions with pooling, three layers.

use crate::compare::{Suite, assert_similar, numbers, way};
use crate::vectors::{cross_entropy, vectorized};
use autodiff::kernel;
use autodiff::prelude::*;
use std::hint::black_box;

#[derive(Differentiable, Clone, Debug)]
struct LeNet {
    k1: Tensor4<f32, 6, 1, 5, 5>,
    c1: Tensor1<f32, 6>,
    k2: Tensor4<f32, 16, 6, 5, 5>,
    c2: Tensor1<f32, 16>,
    w1: Tensor2<f32, 400, 120>,
    b1: Tensor1<f32, 120>,
    w2: Tensor2<f32, 120, 84>,
    b2: Tensor1<f32, 84>,
    w3: Tensor2<f32, 84, 10>,
    b3: Tensor1<f32, 10>,
}
type Gradient = <LeNet as Differentiable>::Tangent;

#[differentiable]
fn features<const B: usize>(p: &LeNet, #[no_diff] x: &Tensor4<f32, B, 1, 28, 28>) -> Tensor2<f32, B, 400> {
    let h = x.conv2d(p.k1, Conv2d { padding: [2, 2], ..Default::default() }) + p.c1.reshape([6, 1, 1]);
    let h = h.relu().max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() });
    let h = h.conv2d(p.k2, Conv2d::default()) + p.c2.reshape([16, 1, 1]);
    h.relu().max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() }).reshape([B, 400])
}

#[differentiable]
fn loss<const B: usize>(p: &LeNet, #[no_diff] x: &Tensor4<f32, B, 1, 28, 28>, labels: &[usize; B]) -> f32 {
    let h = (features(p, x).matmul(p.w1) + p.b1).relu();
    let h = (h.matmul(p.w2) + p.b2).relu();
    (h.matmul(p.w3) + p.b3).cross_entropy(labels)
}

/// What a step by hand needs: made once. Images of the batch come first.
struct Workspace<const B: usize> {
    /// Inside a border of zeros.
    image: [[[f32; 32]; 32]; B],
    h1: [[[[f32; 32]; 28]; 6]; B],
    pooled1: [[[[f32; 14]; 14]; 6]; B],
    h2: [[[[f32; 10]; 10]; 16]; B],
    pooled2: [[f32; 400]; B],
    h3: [[f32; 120]; B],
    h4: [[f32; 84]; B],
    y: [[f32; 10]; B],
    h4_bar: [[f32; 84]; B],
    h3_bar: [[f32; 120]; B],
    pooled2_bar: [[f32; 400]; B],
    windows: [[f32; 100]; 150],
    windows_bar: [[f32; 100]; 150],
    h2_bar: [[[f32; 10]; 10]; 16],
    pooled1_bar: [[[f32; 14]; 14]; 6],
    h1_bar: [[[f32; 32]; 28]; 6],
}

/// The larger of two neighbours in two rows, or 0.
#[inline(always)]
fn largest(above: &[f32], below: &[f32], j: usize) -> f32 {
    above[2 * j].max(above[2 * j + 1]).max(below[2 * j].max(below[2 * j + 1])).max(0.0)
}

/// Gives a cotangent to the first of the four that is the largest.
#[inline(always)]
fn give(largest: f32, bar: f32, (above, below): (&[f32], &[f32]), j: usize) -> [[f32; 2]; 2] {
    let bar = if largest > 0.0 { bar } else { 0.0 };
    let a = above[2 * j] == largest;
    let b = !a && above[2 * j + 1] == largest;
    let c = !a && !b && below[2 * j] == largest;
    let of = |is: bool| if is { bar } else { 0.0 };
    [[of(a), of(b)], [of(c), of(!(a || b || c))]]
}

impl<const B: usize> Workspace<B> {
    /// The first convolution goes along rows of 32, in the border: a vector of weights for each. Pooling and ReLU are one.
    #[inline(always)]
    fn features(&mut self, p: &LeNet) {
        let k2: &[[f32; 150]; 16] = p.k2.as_slice().as_chunks().0.try_into().expect("16 filters");
        for n in 0..B {
            let (image, h1) = (&self.image[n], &mut self.h1[n]);
            for i in 0..28 {
                let mut sums = p.c1.0.map(|bias| [bias; 28]);
                for (u, v) in (0..5).flat_map(|u| (0..5).map(move |v| (u, v))) {
                    let from: &[f32; 28] = image[i + u][v..].first_chunk().expect("a border");
                    for (sum, k) in sums.iter_mut().zip(&p.k1.0) {
                        sum.iter_mut().zip(from).for_each(|(sum, x)| *sum += k[0][u][v] * x);
                    }
                }
                for (h, sum) in h1.iter_mut().zip(sums) {
                    h[i][..28].copy_from_slice(&sum);
                }
            }
            for (h, pooled) in h1.iter().zip(&mut self.pooled1[n]) {
                for (i, pooled) in pooled.iter_mut().enumerate() {
                    for (j, pooled) in pooled.iter_mut().enumerate() {
                        *pooled = largest(&h[2 * i], &h[2 * i + 1], j);
                    }
                }
            }
            kernel::set::windows([[5, 5], [1, 1], [1, 1]], &self.pooled1[n], &mut self.windows);
            let mut y = p.c2.0.map(|bias| [bias; 100]);
            kernel::matmul(k2, &self.windows, &mut y);
            for (c, (y, h)) in y.iter().zip(&mut self.h2[n]).enumerate() {
                h.as_flattened_mut().copy_from_slice(y);
                for at in 0..25 {
                    self.pooled2[n][25 * c + at] = largest(&h[at / 5 * 2], &h[at / 5 * 2 + 1], at % 5);
                }
            }
        }
    }

    /// From the cotangents of features to those of filters.
    #[inline(always)]
    fn features_reverse(&mut self, p: &LeNet, g: &mut Gradient) {
        let k2: &[[f32; 150]; 16] = p.k2.as_slice().as_chunks().0.try_into().expect("16 filters");
        let mut k2_bar = [[0.0; 150]; 16];
        let mut k1_bar = [[[[0.0; 16]; 5]; 5]; 6];
        (g.c1.0, g.c2.0) = ([0.0; 6], [0.0; 16]);
        for n in 0..B {
            for (c, (h, h_bar)) in self.h2[n].iter().zip(&mut self.h2_bar).enumerate() {
                for at in 0..25 {
                    let (i, j) = (at / 5 * 2, at % 5);
                    let (largest, bar) = (self.pooled2[n][25 * c + at], self.pooled2_bar[n][25 * c + at]);
                    let [above, below] = give(largest, bar, (&h[i], &h[i + 1]), j);
                    h_bar[i][2 * j..2 * j + 2].copy_from_slice(&above);
                    h_bar[i + 1][2 * j..2 * j + 2].copy_from_slice(&below);
                    g.c2.0[c] += if largest > 0.0 { bar } else { 0.0 };
                }
            }
            let h2_bar: &[[f32; 100]; 16] =
                self.h2_bar.as_flattened().as_flattened().as_chunks().0.try_into().expect("16 planes");
            kernel::set::windows([[5, 5], [1, 1], [1, 1]], &self.pooled1[n], &mut self.windows);
            kernel::matmul_nt(h2_bar, &self.windows, &mut k2_bar);
            kernel::set::matmul_tn(k2, h2_bar, &mut self.windows_bar);
            kernel::set::windows_t([[5, 5], [1, 1], [1, 1]], &self.windows_bar, &mut self.pooled1_bar);
            for c in 0..6 {
                let (h, h_bar) = (&self.h1[n][c], &mut self.h1_bar[c]);
                for (i, (pooled, bars)) in self.pooled1[n][c].iter().zip(&self.pooled1_bar[c]).enumerate() {
                    let mut sum = 0.0;
                    for j in 0..14 {
                        let [above, below] = give(pooled[j], bars[j], (&h[2 * i], &h[2 * i + 1]), j);
                        h_bar[2 * i][2 * j..2 * j + 2].copy_from_slice(&above);
                        h_bar[2 * i + 1][2 * j..2 * j + 2].copy_from_slice(&below);
                        sum += if pooled[j] > 0.0 { bars[j] } else { 0.0 };
                    }
                    g.c1.0[c] += sum;
                }
            }
            // Rows of 28 are a vector and most of another one; behind them `h1_bar` is zero.
            for (u, v) in (0..5).flat_map(|u| (0..5).map(move |v| (u, v))) {
                let mut sums = k1_bar.map(|k| k[u][v]);
                for i in 0..28 {
                    let row = &self.image[n][i + u];
                    for (sum, h_bar) in sums.iter_mut().zip(&self.h1_bar) {
                        let (first, second) = (row[v..].first_chunk::<16>(), row[v + 12..].first_chunk::<16>());
                        let (Some(first), Some(second)) = (first, second) else { continue };
                        for lane in 0..16 {
                            let again = if lane < 4 { 0.0 } else { h_bar[i][12 + lane] };
                            sum[lane] += h_bar[i][lane] * first[lane] + again * second[lane];
                        }
                    }
                }
                k1_bar.iter_mut().zip(sums).for_each(|(k, sum)| k[u][v] = sum);
            }
        }
        for (g, lanes) in g.k1.as_mut_slice().iter_mut().zip(k1_bar.as_flattened().as_flattened()) {
            *g = lanes.iter().sum();
        }
        g.k2.as_mut_slice().copy_from_slice(k2_bar.as_flattened());
    }

    #[inline(always)]
    fn step(&mut self, p: &LeNet, x: &Tensor4<f32, B, 1, 28, 28>, labels: &[usize; B], g: &mut Gradient) -> f32 {
        for (image, x) in self.image.iter_mut().zip(&x.0) {
            for (row, x) in image[2..].iter_mut().zip(&x[0]) {
                row[2..30].copy_from_slice(x);
            }
        }
        self.features(p);
        self.h3 = [p.b1.0; B];
        kernel::matmul(&self.pooled2, &p.w1.0, &mut self.h3);
        self.h3.as_flattened_mut().iter_mut().for_each(|x| *x = x.max(0.0));
        self.h4 = [p.b2.0; B];
        kernel::matmul(&self.h3, &p.w2.0, &mut self.h4);
        self.h4.as_flattened_mut().iter_mut().for_each(|x| *x = x.max(0.0));
        self.y = [p.b3.0; B];
        kernel::matmul(&self.h4, &p.w3.0, &mut self.y);
        let value = cross_entropy(&mut self.y, labels);
        sum_rows(&self.y, &mut g.b3.0);
        kernel::set::matmul_tn(&self.h4, &self.y, &mut g.w3.0);
        kernel::set::matmul_nt(&self.y, &p.w3.0, &mut self.h4_bar);
        relu_reverse(&self.h4, &mut self.h4_bar, &mut g.b2.0);
        kernel::set::matmul_tn(&self.h3, &self.h4_bar, &mut g.w2.0);
        kernel::set::matmul_nt(&self.h4_bar, &p.w2.0, &mut self.h3_bar);
        relu_reverse(&self.h3, &mut self.h3_bar, &mut g.b1.0);
        kernel::set::matmul_tn(&self.pooled2, &self.h3_bar, &mut g.w1.0);
        kernel::set::matmul_nt(&self.h3_bar, &p.w1.0, &mut self.pooled2_bar);
        self.features_reverse(p, g);
        value
    }
}

#[inline(always)]
fn sum_rows<const B: usize, const N: usize>(rows: &[[f32; N]; B], sums: &mut [f32; N]) {
    *sums = [0.0; N];
    for row in rows {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
}

#[inline(always)]
fn relu_reverse<const B: usize, const N: usize>(h: &[[f32; N]; B], bar: &mut [[f32; N]; B], bias_bar: &mut [f32; N]) {
    for (h, bar) in h.iter().zip(&mut *bar) {
        h.iter().zip(bar).for_each(|(h, bar)| *bar = if *h > 0.0 { *bar } else { 0.0 });
    }
    sum_rows(bar, bias_bar);
}

vectorized! {
    fn by_hand[const B: usize](
        workspace: &mut Workspace<B>,
        p: &LeNet,
        x: &Tensor4<f32, B, 1, 28, 28>,
        labels: &[usize; B],
        g: &mut Gradient,
    ) -> f32 = |workspace: &mut Workspace<B>, p, x, labels, g| workspace.step(p, x, labels, g);
}

/// Zeros.
fn workspace<const B: usize>() -> Box<Workspace<B>> {
    Box::new(Workspace {
        image: [[[0.0; 32]; 32]; B],
        h1: [[[[0.0; 32]; 28]; 6]; B],
        pooled1: [[[[0.0; 14]; 14]; 6]; B],
        h2: [[[[0.0; 10]; 10]; 16]; B],
        pooled2: [[0.0; 400]; B],
        h3: [[0.0; 120]; B],
        h4: [[0.0; 84]; B],
        y: [[0.0; 10]; B],
        h4_bar: [[0.0; 84]; B],
        h3_bar: [[0.0; 120]; B],
        pooled2_bar: [[0.0; 400]; B],
        windows: [[0.0; 100]; 150],
        windows_bar: [[0.0; 100]; 150],
        h2_bar: [[[0.0; 10]; 10]; 16],
        pooled1_bar: [[[0.0; 14]; 14]; 6],
        h1_bar: [[[0.0; 32]; 28]; 6],
    })
}

pub fn bench<const B: usize>(suite: &mut Suite) {
    let mut next = numbers();
    let mut p = Box::new(LeNet {
        k1: Tensor::zeros(),
        c1: Tensor::zeros(),
        k2: Tensor::zeros(),
        c2: Tensor::zeros(),
        w1: Tensor::zeros(),
        b1: Tensor::zeros(),
        w2: Tensor::zeros(),
        b2: Tensor::zeros(),
        w3: Tensor::zeros(),
        b3: Tensor::zeros(),
    });
    p.map_leaves(&mut |data| data.iter_mut().for_each(|x| *x = 0.2 * next()));
    let mut x = Tensor4::<f32, B, 1, 28, 28>::boxed_zeros();
    x.as_mut_slice().fill_with(&mut next);
    let labels: [usize; B] = std::array::from_fn(|i| 7 * i % 10);
    let (mut g, mut h) = (Box::new(p.zero_tangent()), Box::new(p.zero_tangent()));
    let mut workspace = workspace::<B>();
    let mut by_hand = |h: &mut _| by_hand(&mut workspace, black_box(&p), &x, &labels, h);
    let (value, other) = (loss::value_and_grad_into(&p, &x, &labels, &mut g), by_hand(&mut *h));
    assert!((value - other).abs() < 1e-5 * value);
    assert_similar(&*g, &*h);
    suite.compare(
        &format!("LeNet of 28 × 28, batch {B}"),
        &mut [
            way("gradient", || loss::value_and_grad_into(black_box(&p), &x, &labels, black_box(&mut g))),
            way("value alone", || loss(black_box(&p), &x, &labels)),
            way("by hand", || by_hand(black_box(&mut *h))),
        ],
    );
}
