//! What goes into training besides layers: batch norm with running statistics, dropout with a given mask, smoothed labels,
//! distillation.

use super::common::assert_gradient;
use autodiff::optim::Adam;
use autodiff::prelude::*;

const BATCH: usize = 8;

#[derive(Differentiable, Clone)]
struct Net {
    w1: Tensor2<f64, 5, 6>,
    scale: Tensor1<f64, 6>,
    shift: Tensor1<f64, 6>,
    w2: Tensor2<f64, 6, 3>,
    b2: Tensor1<f64, 3>,
    /// Statistics move along; they are not learnt by gradients.
    #[no_diff]
    mean: Tensor1<f64, 6>,
    #[no_diff]
    variance: Tensor1<f64, 6>,
}

fn wave<const M: usize, const N: usize>(rate: f64) -> Tensor2<f64, M, N> {
    Tensor2::from_fn(|[i, j]| (rate * ((N * i + j + 1) * (i + 2)) as f64).sin())
}

fn net() -> Net {
    Net {
        w1: wave(0.7),
        scale: Tensor1::from_fn(|[j]| 1.0 + 0.1 * j as f64),
        shift: Tensor1::from_fn(|[j]| 0.2 - 0.1 * j as f64),
        w2: wave(1.9),
        b2: Tensor1::from([0.1, -0.1, 0.0]),
        mean: Tensor1::zeros(),
        variance: Tensor1::ones(),
    }
}

/// In training: normalised by the batch, which is also given back; units that the mask leaves out are 0.
#[differentiable]
fn hidden(
    p: &Net,
    #[no_diff] x: &Tensor2<f64, BATCH, 5>,
    mask: &[[bool; 6]; BATCH],
) -> (Tensor2<f64, BATCH, 6>, Tensor1<f64, 6>, Tensor1<f64, 6>) {
    let h = x.matmul(p.w1);
    let mean = h.mean_axis(0);
    let variance = (h - mean).square().mean_axis(0);
    let normal = h.batch_norm(p.scale, p.shift, 1e-5).relu();
    (normal.dropout(mask, 0.5), stop_gradient(mean), stop_gradient(variance))
}

/// The loss, with smoothed labels and a teacher, and the statistics of the batch.
#[differentiable]
fn training(
    p: &Net,
    #[no_diff] x: &Tensor2<f64, BATCH, 5>,
    mask: &[[bool; 6]; BATCH],
    labels: &[usize; BATCH],
    #[no_diff] teacher: &Tensor2<f64, BATCH, 3>,
) -> f64 {
    let (h, _, _) = hidden(p, x, mask);
    let logits = h.matmul(p.w2) + p.b2;
    logits.cross_entropy_smooth(labels, 0.1) + 0.5 * logits.distillation(teacher, 2.0)
}

/// In use: by the statistics of training.
#[differentiable]
fn scores(
    p: &Net,
    #[no_diff] x: &Tensor2<f64, BATCH, 5>,
    mean: &Tensor1<f64, 6>,
    variance: &Tensor1<f64, 6>,
) -> Tensor2<f64, BATCH, 3> {
    let h = x.matmul(p.w1);
    let normal = (h - mean) / (variance + 1e-5).sqrt() * p.scale + p.shift;
    normal.relu().matmul(p.w2) + p.b2
}

fn mask() -> [[bool; 6]; BATCH] {
    std::array::from_fn(|i| std::array::from_fn(|j| (3 * i + 5 * j) % 4 != 0))
}

const LABELS: [usize; BATCH] = [0, 1, 2, 1, 0, 2, 2, 1];

#[test]
fn gradient_of_all_of_it() {
    let (p, x, teacher) = (net(), wave(1.3), wave(0.4));
    let g = training::grad(&p, &x, &mask(), &LABELS, &teacher);
    assert_gradient(&p, &g, |p| training(p, &x, &mask(), &LABELS, &teacher));
}

/// Trained with statistics that follow the batches, the network reads the batch right by them.
#[test]
fn running_statistics() {
    let (mut p, x) = (net(), wave(1.3));
    let teacher = Tensor2::from_fn(|[i, j]| if LABELS[i] == j { 4.0 } else { 0.0 });
    let keep = [[true; 6]; BATCH];
    let mut adam = Adam::new(&p, 0.02);
    let before = training(&p, &x, &keep, &LABELS, &teacher);
    for step in 0..300 {
        // A fourth of the units is left out, others each time.
        let mask = std::array::from_fn(|i| std::array::from_fn(|j| (3 * i + 5 * j + step) % 4 != 0));
        let g = training::grad(&p, &x, &mask, &LABELS, &teacher);
        adam.step(&mut p, &g);
        let (_, mean, variance) = hidden(&p, &x, &mask);
        for (running, new) in [(&mut p.mean, mean), (&mut p.variance, variance)] {
            for (running, new) in running.as_mut_slice().iter_mut().zip(new.as_slice()) {
                *running += 0.1 * (new - *running);
            }
        }
    }
    assert!(training(&p, &x, &keep, &LABELS, &teacher) < 0.7 * before);
    let y = scores(&p, &x, &p.mean, &p.variance).into_inner();
    for (y, label) in y.iter().zip(LABELS) {
        assert!((0..3).all(|j| j == label || y[j] < y[label]), "{y:?} for {label}");
    }
}
