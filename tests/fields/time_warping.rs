//! Speech: dynamic time warping with a soft minimum (Cuturi and Blondel 2017).

use crate::differences::check;
use autodiff::prelude::*;
#[derive(Clone, Copy)]
struct Window {
    radius: usize,
}
impl Window {
    fn contains(&self, i: usize, j: usize) -> bool {
        i.abs_diff(j) <= self.radius
    }
}
#[differentiable]
fn soft_min(values: &[f64; 3], gamma: f64) -> f64 {
    let lo = values.iter().copied().fold(f64::INFINITY, f64::min);
    let z: f64 = values.iter().map(|v| (-(v - lo) / gamma).exp()).sum();
    lo - gamma * z.ln()
}
#[differentiable]
fn dtw(a: &[Vec<f64>], b: &[Vec<f64>], gamma: f64, #[no_diff] window: Window) -> f64 {
    let (n, m) = (a.len(), b.len());
    let mut table = vec![vec![1e6; m + 1]; n + 1];
    table[0][0] = 0.0;
    for i in 1..=n {
        for j in 1..=m {
            if !window.contains(i, j) {
                continue;
            }
            let cost: f64 = a[i - 1].iter().zip(&b[j - 1]).map(|(x, y)| (x - y).powi(2)).sum();
            table[i][j] = cost + soft_min(&[table[i - 1][j], table[i][j - 1], table[i - 1][j - 1]], gamma);
        }
    }
    table[n][m]
}
#[test]
fn gradient() {
    let seq = |p: &[f64]| p.chunks(2).map(|c| c.to_vec()).collect::<Vec<_>>();
    let at: Vec<f64> = (0..15).map(|k| if k == 14 { 0.7 } else { (k as f64 * 0.7).sin() }).collect();
    let (a, b, g) = dtw::grad(&seq(&at[..8]), &seq(&at[8..14]), at[14], Window { radius: 2 });
    check(
        |p| dtw(&seq(&p[..8]), &seq(&p[8..14]), p[14], Window { radius: 2 }),
        &at,
        &[a.concat(), b.concat(), vec![g]].concat(),
    );
}
