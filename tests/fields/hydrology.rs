//! A bucket model of rainfall and runoff with a unit hydrograph, and the Nash–Sutcliffe efficiency.
use autodiff::prelude::*;

#[derive(Debug, Clone, Differentiable)]
pub struct Params {
    capacity: f64,
    exponent: f64,
    recession: f64,
    split: f64,
}

#[derive(Debug, Clone, Copy, Default, Differentiable)]
struct Stores {
    soil: f64,
    slow: f64,
}

#[differentiable]
impl Stores {
    fn step(&mut self, p: &Params, #[no_diff] rain: f64, #[no_diff] pet: f64) -> f64 {
        let wetness = (self.soil / p.capacity).clamp(0.0, 1.0);
        let effective = rain * wetness.powf(p.exponent);
        let actual = pet * wetness;
        self.soil = (self.soil + rain - effective - actual).max(0.0);
        let fast = p.split * effective;
        self.slow += effective - fast;
        let base = p.recession * self.slow;
        self.slow -= base;
        fast + base
    }
}

#[differentiable]
pub fn nse(p: &Params, #[no_diff] rain: &[f64], #[no_diff] pet: &[f64], #[no_diff] observed: &[f64]) -> f64 {
    let mut stores = Stores { soil: 0.5 * p.capacity, ..Default::default() };
    let flows: Vec<f64> = rain.iter().zip(pet).map(|(r, e)| stores.step(p, *r, *e)).collect();
    // A triangular unit hydrograph of three days.
    const UH: [f64; 3] = [0.25, 0.5, 0.25];
    let mean = observed.iter().sum::<f64>() / observed.len() as f64;
    let (mut num, mut den) = (0.0, 0.0);
    for t in 2..observed.len() {
        let q: f64 = UH.iter().enumerate().map(|(k, u)| u * flows[t - k]).sum();
        num += (q - observed[t]).powi(2);
        den += (observed[t] - mean).powi(2);
    }
    1.0 - num / den
}

#[test]
fn the_derivatives_agree_with_differences() {
    let rain: Vec<f64> = (0..30).map(|k| if k % 4 == 0 { 12.0 + k as f64 } else { 0.3 }).collect();
    let pet: Vec<f64> = (0..30).map(|k| 2.0 + (k as f64 * 0.3).sin()).collect();
    let obs: Vec<f64> = (0..30).map(|k| 3.0 + (k as f64 * 0.7).cos()).collect();
    let p = Params { capacity: 80.0, exponent: 1.7, recession: 0.2, split: 0.35 };
    autodiff::check_grads!(nse, &p, &rain, &pet, &obs);
}
