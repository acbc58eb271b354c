//! Physics-informed networks: a damped oscillator, and the heat equation.

use crate::differences::check;
use autodiff::prelude::*;

const WIDTH: usize = 5;

#[derive(Clone, Debug, Differentiable)]
struct Net {
    w1: [f64; WIDTH],
    b1: [f64; WIDTH],
    w2: [[f64; WIDTH]; WIDTH],
    b2: [f64; WIDTH],
    w3: [f64; WIDTH],
    b3: f64,
}

#[differentiable(order = 2)]
impl Net {
    fn forward(&self, t: f64) -> f64 {
        let mut h1 = [0.0; WIDTH];
        for (h, (w, b)) in h1.iter_mut().zip(self.w1.iter().zip(self.b1.iter())) {
            *h = (w * t + b).tanh();
        }
        let h2: [f64; WIDTH] = std::array::from_fn(|i| {
            let z: f64 = self.w2[i].iter().zip(h1.iter()).map(|(w, h)| w * h).sum();
            (z + self.b2[i]).tanh()
        });
        self.b3 + self.w3.iter().zip(&h2).map(|(w, h)| w * h).sum::<f64>()
    }
}

#[differentiable(order = 2)]
fn displacement(net: &Net, t: f64) -> f64 {
    net.forward(t)
}

struct Oscillator {
    mass: f64,
    damping: f64,
    stiffness: f64,
    x0: f64,
    v0: f64,
}

/// m x'' + c x' + k x, where the second derivative is a difference of the network's velocity.
#[differentiable]
fn residual(net: &Net, #[no_diff] t: f64, #[no_diff] system: &Oscillator) -> f64 {
    const H: f64 = 1e-3;
    let (x, (_, v)) = displacement::value_and_grad(net, t);
    let (_, ahead) = displacement::grad(net, t + H);
    let (_, behind) = displacement::grad(net, t - H);
    let a = (ahead - behind) / (2.0 * H);
    system.mass * a + system.damping * v + system.stiffness * x
}

#[differentiable]
fn loss(net: &Net, #[no_diff] times: &[f64], #[no_diff] system: &Oscillator) -> f64 {
    let physics = times.iter().map(|&t| residual(net, t, system).powi(2)).sum::<f64>() / times.len() as f64;
    let (x, (_, v)) = displacement::value_and_grad(net, 0.0);
    let initial = (x - system.x0).powi(2) + (v - system.v0).powi(2);
    physics + 10.0 * initial
}

fn net(p: &[f64]) -> Net {
    let mut it = p.iter().copied();
    let mut row = || std::array::from_fn(|_| it.next().unwrap());
    let (w1, b1) = (row(), row());
    let w2 = std::array::from_fn(|_| row());
    Net { w1, b1, w2, b2: row(), w3: row(), b3: p[p.len() - 1] }
}

#[test]
fn gradient() {
    let system = Oscillator { mass: 1.0, damping: 0.4, stiffness: 4.0, x0: 1.0, v0: 0.0 };
    let times: Vec<f64> = (0..5).map(|i| i as f64 * 0.5).collect();
    let at: Vec<f64> = (0..46).map(|i| 0.7 * (i as f64 * 2.3).sin()).collect();
    let g = loss::grad(&net(&at), &times, &system);
    let mut gradient = [g.w1, g.b1].concat();
    gradient.extend(g.w2.concat());
    gradient.extend([g.b2, g.w3].concat());
    gradient.push(g.b3);
    check(|p| loss(&net(p), &times, &system), &at, &gradient);
}
