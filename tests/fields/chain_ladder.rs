//! Insurance: chain-ladder reserves with a tail factor, and the price of layers of Pareto losses.

use crate::differences::check;
use autodiff::prelude::*;
#[derive(Clone, Copy, Debug)]
enum Cover {
    Unlimited,
    Layer { excess: f64, limit: f64 },
    QuotaShare(f64),
}
#[derive(Clone, Debug, Differentiable)]
struct Severity {
    alpha: f64,
    scale: f64,
}
#[differentiable]
impl Severity {
    fn survival(&self, x: f64) -> f64 {
        if x <= self.scale { 1.0 } else { (self.scale / x).powf(self.alpha) }
    }
    fn limited_mean(&self, x: f64) -> f64 {
        let Severity { alpha, scale } = self;
        if x < *scale {
            return x;
        }
        let a = alpha - 1.0;
        scale * (1.0 + (1.0 - (scale / x).powf(a)) / a)
    }
    fn expected(&self, #[no_diff] cover: &Cover) -> f64 {
        match *cover {
            Cover::Unlimited => self.alpha * self.scale / (self.alpha - 1.0),
            Cover::Layer { excess, limit } => self.limited_mean(excess + limit) - self.limited_mean(excess),
            Cover::QuotaShare(q) => q * self.alpha * self.scale / (self.alpha - 1.0),
        }
    }
}
#[differentiable]
fn chain_ladder(triangle: &[Vec<f64>], tail: f64) -> f64 {
    let n = triangle.len();
    let factors: Vec<f64> = (0..n - 1)
        .map(|j| {
            let rows = &triangle[..n - 1 - j];
            let next: f64 = rows.iter().map(|r| r[j + 1]).sum();
            let now: f64 = rows.iter().map(|r| r[j]).sum();
            next / now
        })
        .collect();
    triangle
        .iter()
        .map(|row| {
            let last = row.last().unwrap();
            let ultimate = factors[row.len() - 1..].iter().product::<f64>() * tail * last;
            ultimate - last
        })
        .sum()
}
#[differentiable]
fn premium(severity: &Severity, frequency: f64, #[no_diff] covers: &[Cover], loading: f64) -> f64 {
    let pure: f64 = covers.iter().map(|c| frequency * severity.expected(c)).sum();
    pure * (1.0 + loading) + severity.survival(3.0)
}
#[test]
fn gradient() {
    let tri = |p: &[f64]| vec![p[..4].to_vec(), p[4..7].to_vec(), p[7..9].to_vec(), p[9..10].to_vec()];
    let at = [100.0, 150.0, 170.0, 180.0, 110.0, 168.0, 185.0, 120.0, 170.0, 130.0, 1.05];
    let (t, tail) = chain_ladder::grad(&tri(&at), 1.05);
    check(|p| chain_ladder(&tri(p), p[10]), &at, &[t.concat(), vec![tail]].concat());
    let covers = [Cover::Unlimited, Cover::Layer { excess: 2.0, limit: 5.0 }, Cover::QuotaShare(0.3)];
    let at = [2.2, 1.0, 7.0, 0.2];
    let (s, f, l) = premium::grad(&Severity { alpha: 2.2, scale: 1.0 }, 7.0, &covers, 0.2);
    check(|p| premium(&Severity { alpha: p[0], scale: p[1] }, p[2], &covers, p[3]), &at, &[s.alpha, s.scale, f, l]);
}
