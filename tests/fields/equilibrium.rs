//! Chemical equilibrium: extents by a damped Newton iteration with nalgebra, until it converges.
use autodiff::prelude::*;
use nalgebra::{Matrix2, Vector2};

#[derive(Debug)]
pub enum Failure {
    Diverged,
    Singular,
}

#[differentiable]
fn residual(e: &Vector2<f64>, feed: &[f64; 3], ln_k: &[f64; 2]) -> Vector2<f64> {
    let n = [feed[0] - e[0], feed[1] - e[0] - e[1], feed[2] + e[0] - e[1], e[1] + 0.01];
    let total: f64 = n.iter().sum();
    let x = n.map(|n| n.max(1e-9) / total);
    Vector2::new(x[2].ln() - x[0].ln() - x[1].ln() - ln_k[0], x[3].ln() - x[1].ln() - x[2].ln() - ln_k[1])
}

#[differentiable]
fn extents(feed: &[f64; 3], ln_k: &[f64; 2]) -> Vector2<f64> {
    let mut e = Vector2::new(0.2, 0.1);
    for _ in 0..60 {
        let r = residual(&e, feed, ln_k);
        if r.norm() < 1e-12 {
            break;
        }
        let h = 1e-6;
        let rx = (residual(&(e + Vector2::new(h, 0.0)), feed, ln_k) - r) / h;
        let ry = (residual(&(e + Vector2::new(0.0, h)), feed, ln_k) - r) / h;
        let j = Matrix2::from_columns(&[rx, ry]);
        let step = j.lu().solve(&r).unwrap();
        e -= step * 0.7;
    }
    e
}

#[differentiable]
fn yield_of(feed: &[f64; 3], ln_k: &[f64; 2]) -> f64 {
    let e = extents(feed, ln_k);
    e.x / feed[0] - 0.2 * e.y
}

#[test]
fn the_derivatives_agree_with_differences() {
    let (feed, ln_k) = ([1.0, 1.3, 0.2], [0.6, 0.4]);
    let g = yield_of::grad(&feed, &ln_k);
    let h = 1e-5;
    for k in 0..3 {
        let (mut a, mut b) = (feed, feed);
        a[k] += h;
        b[k] -= h;
        let d = (yield_of(&a, &ln_k) - yield_of(&b, &ln_k)) / (2.0 * h);
        assert!((d - g.0[k]).abs() < 1e-4 * (1.0 + d.abs()), "{k}: {d} {}", g.0[k]);
    }
}
