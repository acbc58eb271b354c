//! A learnable wavelet: lifting over several levels, sparsity of the coefficients.
use autodiff::prelude::*;

#[differentiable]
fn transform(signal: &mut [f64], predict: &[f64; 2], update: &[f64; 2]) {
    let mut n = signal.len();
    while n > 2 {
        let half = n / 2;
        let even: Vec<f64> = (0..half).map(|k| signal[2 * k]).collect();
        let odd: Vec<f64> = (0..half).map(|k| signal[2 * k + 1]).collect();
        for k in 0..half {
            let next = even[(k + 1) % half];
            signal[half + k] = odd[k] - predict[0] * even[k] - predict[1] * next;
        }
        for k in 0..half {
            let before = signal[half + (k + half - 1) % half];
            signal[k] = even[k] + update[0] * signal[half + k] + update[1] * before;
        }
        n = half;
    }
}

#[differentiable]
fn sparsity(signal: &[f64], predict: &[f64; 2], update: &[f64; 2]) -> f64 {
    let mut c = signal.to_vec();
    transform(&mut c, predict, update);
    c[2..].iter().map(|v| (v * v + 1e-3).sqrt()).sum()
}

#[test]
fn the_derivatives_agree_with_differences() {
    let s: Vec<f64> = (0..16).map(|k| (k as f64 * 0.4).sin() + 0.1 * k as f64).collect();
    autodiff::check_grads!(sparsity, &s, &[0.45, 0.52], &[0.22, 0.27]);
}
