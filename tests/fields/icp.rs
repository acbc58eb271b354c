//! Registration: the point-to-plane error of the iterative closest point method (Chen and Medioni), with rejected outliers.

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Oriented {
    point: [f64; 3],
    normal: [f64; 3],
}

#[derive(Debug, Clone, Differentiable)]
struct RigidTransform {
    /// Roll, pitch, yaw.
    euler: [f64; 3],
    translation: [f64; 3],
}

#[differentiable]
impl RigidTransform {
    fn matrix(&self) -> [[f64; 3]; 3] {
        let [(sr, cr), (sp, cp), (sy, cy)] = self.euler.map(|a| a.sin_cos());
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    }

    fn apply(&self, p: &[f64; 3]) -> [f64; 3] {
        let r = self.matrix();
        let mut out = self.translation;
        for (o, row) in out.iter_mut().zip(&r) {
            for (a, b) in row.iter().zip(p) {
                *o += a * b;
            }
        }
        out
    }
}

#[differentiable]
fn distance_squared(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// The nearest point of the target within a distance.
#[differentiable]
fn nearest(p: &[f64; 3], #[no_diff] target: &[Oriented], #[no_diff] max_distance: f64) -> Option<usize> {
    let mut best = None;
    let mut best_d2 = max_distance * max_distance;
    for (i, t) in target.iter().enumerate() {
        let d2 = distance_squared(p, &t.point);
        if d2 < best_d2 {
            best_d2 = d2;
            best = Some(i);
        }
    }
    best
}

struct IcpOptions {
    max_distance: f64,
    huber: f64,
    min_matches: usize,
}

/// Mean error, if enough points have a partner.
#[differentiable]
fn point_to_plane(
    transform: &RigidTransform,
    source: &[[f64; 3]],
    #[no_diff] target: &[Oriented],
    #[no_diff] options: &IcpOptions,
) -> Option<f64> {
    let mut matches = 0;
    let mut sum = 0.0;
    for p in source {
        let q = transform.apply(p);
        let Some(i) = nearest(&q, target, options.max_distance) else { continue };
        let Oriented { point, normal } = target[i];
        let e = (0..3).map(|k| (q[k] - point[k]) * normal[k]).sum::<f64>();
        sum += if e.abs() <= options.huber { 0.5 * e * e } else { options.huber * (e.abs() - 0.5 * options.huber) };
        matches += 1;
    }
    if matches < options.min_matches {
        return None;
    }
    Some(sum / matches as f64)
}

#[differentiable]
fn registration_loss(
    transform: &RigidTransform,
    source: &[[f64; 3]],
    #[no_diff] target: &[Oriented],
    #[no_diff] options: &IcpOptions,
) -> f64 {
    point_to_plane(transform, source, target, options).unwrap_or(f64::MAX)
}

#[test]
fn the_gradient_agrees_with_differences() {
    let target: Vec<Oriented> = (0..25)
        .map(|k| {
            let (x, y) = ((k % 5) as f64 * 0.5, (k / 5) as f64 * 0.5);
            let n = (1.0 + 0.04 * x * x + 0.01_f64).sqrt();
            Oriented { point: [x, y, 0.1 * x * x + 0.1 * y], normal: [-0.2 * x / n, -0.1 / n, 1.0 / n] }
        })
        .collect();
    let mut source: Vec<[f64; 3]> =
        target.iter().step_by(2).map(|t| [t.point[0] + 0.05, t.point[1] - 0.08, t.point[2] + 0.06]).collect();
    source.push([10.0, 10.0, 0.0]);
    let options = IcpOptions { max_distance: 0.4, huber: 0.05, min_matches: 6 };
    let transform = |p: &[f64]| RigidTransform { euler: [p[0], p[1], p[2]], translation: [p[3], p[4], p[5]] };

    let at = [0.02, -0.01, 0.03, 0.01, 0.02, -0.03];
    let (g, by_source) = registration_loss::grad(&transform(&at), &source, &target, &options);
    check(|p| registration_loss(&transform(p), &source, &target, &options), &at, &[g.euler, g.translation].concat());
    assert_eq!(by_source.last(), Some(&[0.0; 3]));
}
