// Three-compartment drug model with the matrix exponential.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, Vector3};

#[derive(Differentiable, Clone)]
struct Rates {
    ka: f64,
    ke: f64,
    k12: f64,
    k21: f64,
}

#[differentiable]
fn generator(r: &Rates) -> Matrix3<f64> {
    Matrix3::new(-r.ka, 0.0, 0.0, r.ka, -(r.ke + r.k12), r.k21, 0.0, r.k12, -r.k21)
}

#[differentiable]
fn amounts(r: &Rates, dose: f64, t: f64) -> Vector3<f64> {
    (generator(r) * t).exp() * Vector3::new(dose, 0.0, 0.0)
}

#[differentiable]
fn misfit(r: &Rates, dose: f64, times: &[f64], conc: &[f64], volume: f64) -> f64 {
    let mut e = 0.0;
    for (t, c) in times.iter().zip(conc) {
        let model = amounts(r, dose, *t)[1] / volume;
        e += (model.ln() - c.ln()).powi(2);
    }
    e
}

#[test]
fn gradients() {
    let r = Rates { ka: 1.2, ke: 0.3, k12: 0.4, k21: 0.25 };
    check_grads!(amounts, &r, 10.0, 1.5);
    check_grads!(misfit, &r, 10.0, &[0.5, 1.0, 2.5], &[0.8, 1.1, 0.9], 4.0);
    // nothing leaves when there is no elimination
    let closed = Rates { ke: 0.0, ..r.clone() };
    assert!((amounts(&closed, 10.0, 1.5).sum() - 10.0).abs() < 1e-12);
}
