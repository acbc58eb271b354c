//! Variational inference with a normalising flow of planar and radial layers.

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Clone, Debug, Differentiable)]
enum Layer {
    Planar { u: Vec<f64>, w: Vec<f64>, b: f64 },
    Radial { centre: Vec<f64>, log_alpha: f64, beta: f64 },
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The image of z, and ln |det| of the Jacobian.
#[differentiable]
fn apply(layer: &Layer, z: &[f64]) -> (Vec<f64>, f64) {
    match layer {
        Layer::Planar { u, w, b } => {
            let wu = dot(w, u);
            let m = -1.0 + wu.exp().ln_1p();
            let norm2 = dot(w, w);
            let u_hat: Vec<f64> = u.iter().zip(w).map(|(u, w)| u + (m - wu) * w / norm2).collect();
            let h = (dot(w, z) + b).tanh();
            let image = z.iter().zip(&u_hat).map(|(z, u)| z + u * h).collect();
            let det = 1.0 + (1.0 - h * h) * dot(w, &u_hat);
            (image, det.abs().ln())
        }
        Layer::Radial { centre, log_alpha, beta } => {
            let alpha = log_alpha.exp();
            let beta = -alpha + beta.exp().ln_1p();
            let r = z.iter().zip(centre).map(|(z, c)| (z - c).powi(2)).sum::<f64>().sqrt();
            let h = 1.0 / (alpha + r);
            let image = z.iter().zip(centre).map(|(z, c)| z + beta * h * (z - c)).collect();
            let bh = beta * h;
            let d = z.len() as f64;
            let det = (d - 1.0) * (1.0 + bh).ln() + (1.0 + bh - beta * h * h * r).ln();
            (image, det)
        }
    }
}

/// Neal's banana.
#[differentiable]
fn log_target(z: &[f64]) -> f64 {
    let (x, y) = (z[0], z[1]);
    -0.5 * (x * x / 4.0 + (y - 0.25 * x * x).powi(2))
}

/// The evidence lower bound on fixed draws of the base density.
#[differentiable]
fn elbo(layers: &[Layer], #[no_diff] draws: &[Vec<f64>]) -> f64 {
    let mut total = 0.0;
    for draw in draws {
        let mut z = draw.clone();
        let mut log_q = -0.5 * draw.iter().map(|z| z * z).sum::<f64>();
        for layer in layers {
            let (image, log_det) = apply(layer, &z);
            z = image;
            log_q -= log_det;
        }
        total += log_target(&z) - log_q;
    }
    total / draws.len() as f64
}

fn layers(p: &[f64]) -> Vec<Layer> {
    p.chunks(5)
        .enumerate()
        .map(|(i, c)| match i % 2 {
            0 => Layer::Planar { u: c[..2].to_vec(), w: c[2..4].to_vec(), b: c[4] },
            _ => Layer::Radial { centre: c[..2].to_vec(), log_alpha: c[2], beta: c[3] },
        })
        .collect()
}

#[test]
fn gradient() {
    let draws: Vec<Vec<f64>> = (0..8).map(|i| vec![(i as f64 * 2.1).sin() * 1.5, (i as f64 * 0.7).cos()]).collect();
    let at: Vec<f64> = (0..15).map(|i| (i as f64 * 1.3).cos()).collect();
    let g = elbo::grad(&layers(&at), &draws);
    let mut gradient = Vec::new();
    for (i, layer) in g.iter().enumerate() {
        let (planar, radial) = (&layer.planar, &layer.radial);
        match i % 2 {
            0 => gradient.extend([planar.u[0], planar.u[1], planar.w[0], planar.w[1], planar.b]),
            _ => gradient.extend([radial.centre[0], radial.centre[1], radial.log_alpha, radial.beta, 0.0]),
        }
    }
    check(|p| elbo(&layers(p), &draws), &at, &gradient);
}
