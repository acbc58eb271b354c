// Two dense layers with const-generic sizes, softmax cross entropy, weight decay.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{SMatrix, SVector};

#[derive(Differentiable, Clone)]
struct Dense<const I: usize, const O: usize> {
    w: SMatrix<f64, O, I>,
    b: SVector<f64, O>,
}

#[differentiable]
impl<const I: usize, const O: usize> Dense<I, O> {
    fn forward(&self, x: &SVector<f64, I>) -> SVector<f64, O> {
        self.w * x + self.b
    }
}

#[derive(Differentiable, Clone)]
struct Net {
    l1: Dense<3, 5>,
    l2: Dense<5, 2>,
}

#[differentiable]
fn cross_entropy<const N: usize>(logits: &SVector<f64, N>, #[no_diff] label: usize) -> f64 {
    let m = logits.max();
    let z: f64 = logits.iter().map(|l| (l - m).exp()).sum();
    z.ln() + m - logits[label]
}

#[differentiable]
fn loss(net: &Net, xs: &[SVector<f64, 3>], #[no_diff] labels: &[usize], decay: f64) -> f64 {
    let data: f64 = xs
        .iter()
        .zip(labels.iter())
        .map(|(x, &l)| {
            let h = net.l1.forward(x).map(f64::tanh);
            cross_entropy(&net.l2.forward(&h), l)
        })
        .sum();
    data / xs.len() as f64 + decay * (net.l1.w.norm_squared() + net.l2.w.norm_squared())
}

#[test]
fn gradients() {
    let net = Net {
        l1: Dense {
            w: SMatrix::from_fn(|i, j| 0.3 * (i as f64) - 0.2 * (j as f64) + 0.05),
            b: SVector::from_fn(|i, _| 0.1 * i as f64 - 0.2),
        },
        l2: Dense { w: SMatrix::from_fn(|i, j| if (i + j) % 2 == 0 { 0.4 } else { -0.3 }), b: SVector::zeros() },
    };
    let xs = vec![SVector::<f64, 3>::new(0.5, -0.2, 0.9), SVector::<f64, 3>::new(-0.7, 0.4, 0.1)];
    check_grads!(loss, &net, &xs, &[0, 1], 0.01);
    let flat = SVector::<f64, 4>::repeat(0.7);
    assert!((cross_entropy(&flat, 2) - 4f64.ln()).abs() < 1e-12);
}
