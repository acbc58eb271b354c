//! Neuroscience: a network of leaky neurons with surrogate spikes and synapses that learn.

use crate::differences::check;
use autodiff::prelude::*;
#[derive(Differentiable, Clone, Debug)]
struct Neuron {
    voltage: f64,
    trace: f64,
    #[no_diff]
    refractory: u32,
}
#[derive(Differentiable, Clone, Debug)]
struct Params {
    tau: f64,
    threshold: f64,
    rate: f64,
}
struct Lcg {
    state: u64,
}
impl Lcg {
    fn new(seed: u64) -> Self {
        Lcg { state: seed }
    }
    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.state >> 33) as f64 / (1u64 << 31) as f64
    }
}
#[differentiable]
fn surrogate(v: f64) -> f64 {
    1.0 / (1.0 + (-10.0 * v).exp())
}
#[differentiable]
impl Neuron {
    fn step(&mut self, input: f64, p: &Params) -> f64 {
        if self.refractory > 0 {
            self.refractory -= 1;
            self.trace *= 0.9;
            return 0.0;
        }
        self.voltage += (input - self.voltage) / p.tau;
        let spike = surrogate(self.voltage - p.threshold);
        self.voltage -= spike * p.threshold;
        self.trace = 0.9 * self.trace + spike;
        if spike > 0.5 {
            self.refractory = 2;
        }
        spike
    }
}
#[differentiable]
fn activity(params: &Params, weights: &[Vec<f64>], #[no_diff] seed: u64, #[no_diff] steps: usize) -> f64 {
    let mut rng = Lcg::new(seed);
    let n = weights.len();
    let mut w = weights.to_vec();
    let mut neurons = vec![Neuron { voltage: 0.0, trace: 0.0, refractory: 0 }; n];
    let mut spikes = vec![0.0; n];
    let mut total = 0.0;
    for _ in 0..steps {
        let mut next = Vec::with_capacity(n);
        for (i, neuron) in neurons.iter_mut().enumerate() {
            let recurrent: f64 = w[i].iter().zip(spikes.iter()).map(|(w, s)| w * s).sum();
            next.push(neuron.step(recurrent + 1.2 * rng.uniform(), params));
        }
        for i in 0..n {
            for j in 0..n {
                if i != j {
                    w[i][j] += params.rate * next[i] * neurons[j].trace;
                }
            }
        }
        spikes = next;
        total += spikes.iter().sum::<f64>();
    }
    total / steps as f64
}
#[test]
fn gradient() {
    let rows = |p: &[f64]| p.chunks(3).map(|c| c.to_vec()).collect::<Vec<_>>();
    let at = [4.0, 0.6, 0.01, 0.0, 0.3, -0.2, 0.4, 0.0, 0.1, -0.1, 0.5, 0.0];
    let params = |p: &[f64]| Params { tau: p[0], threshold: p[1], rate: p[2] };
    let (g, w) = activity::grad(&params(&at), &rows(&at[3..]), 7, 12);
    check(
        |p| activity(&params(p), &rows(&p[3..]), 7, 12),
        &at,
        &[vec![g.tau, g.threshold, g.rate], w.concat()].concat(),
    );
}
