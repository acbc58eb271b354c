//! Iterators that are left at the first error, parts of arrays of structs, and other programs as they are written.
use crate::differences::check;
use autodiff::prelude::*;

#[derive(Debug, Clone, Copy, Differentiable)]
struct P {
    x: f64,
    y: f64,
}

#[derive(Debug)]
struct Bad;

#[differentiable]
fn safe_ln(x: f64) -> Result<f64, Bad> {
    if x > 0.0 { Ok(x.ln()) } else { Err(Bad) }
}

#[differentiable]
fn all_ln(x: &[f64]) -> Result<f64, Bad> {
    let logs = x.iter().map(|&v| safe_ln(v)).collect::<Result<Vec<_>, _>>()?;
    Ok(logs.iter().sum())
}
#[differentiable]
fn each(x: &[f64]) -> Result<Vec<f64>, Bad> {
    x.iter().map(|v| safe_ln(*v)).collect()
}
#[differentiable]
fn opt(x: &[f64]) -> Option<f64> {
    let s = x.iter().map(|&v| safe_ln(v).ok()).sum::<Option<f64>>()?;
    Some(s * s)
}
#[differentiable]
fn both(x: &[f64]) -> f64 {
    let Ok(v) = each(x) else { return 0.0 };
    let w = opt(x).unwrap_or(1.0);
    v.iter().zip(x).map(|(a, b)| a * b).sum::<f64>() * w
}
#[differentiable]
fn value_all(x: &[f64]) -> f64 {
    all_ln(x).unwrap_or(0.0)
}

#[differentiable]
fn parts(points: &[P; 4]) -> f64 {
    let middle = &points[1..3];
    let mut s = 0.0;
    for p in middle {
        s += p.x * p.y;
    }
    s + middle.iter().map(|p| p.x.sin()).sum::<f64>() + middle[0].y
}
fn parts_at(p: &[f64]) -> [P; 4] {
    std::array::from_fn(|i| P { x: p[2 * i], y: p[2 * i + 1] })
}

#[differentiable]
fn table(x: f64) -> f64 {
    let fs = [f64::sin, f64::cos, f64::exp];
    fs.iter().map(|f| f(x)).product()
}

#[differentiable]
fn unary(x: &[f64]) -> f64 {
    let (min, max) = x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &v| (lo.min(v), hi.max(v)));
    let range = max - min;
    let total: f64 = x
        .iter()
        .scan(0.0, |acc, &v| {
            *acc += v;
            Some(*acc)
        })
        .filter(|a| *a > 0.1)
        .sum();
    let first = x.first().copied().unwrap_or_default();
    let arr: [f64; 3] = x[..3].try_into().unwrap();
    let joined = [&x[..2], &x[3..]].concat();
    total / range + first * arr[2] + joined.iter().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn grouped(x: &[f64], #[no_diff] labels: &[usize]) -> f64 {
    let k = labels.iter().copied().max().map_or(0, |m| m + 1);
    let mut sums = vec![0.0; k];
    let mut counts = vec![0usize; k];
    for (&v, &l) in x.iter().zip(labels) {
        sums[l] += v;
        counts[l] += 1;
    }
    let means: Vec<f64> = sums.iter().zip(&counts).map(|(s, &c)| s / c.max(1) as f64).collect();
    x.iter().zip(labels).map(|(v, &l)| (v - means[l]).powi(2)).sum::<f64>().sqrt()
}

#[differentiable]
fn slices(x: &[f64]) -> f64 {
    fn go(x: f64) -> f64 {
        x * x
    }
    match x {
        [] => 0.0,
        [a] => *a,
        [a, .., b] if *a > *b => a * b,
        [a, rest @ ..] => go(*a) + rest.iter().rev().step_by(2).sum::<f64>(),
    }
}
#[test]
fn iterators_and_parts() {
    let at = [0.3, 0.8, 1.3, 0.4, 0.9, 2.0, 0.5, 0.7];
    check(value_all, &at, &value_all::grad(&at));
    check(both, &at, &both::grad(&at));
    let g = parts::grad(&parts_at(&at));
    check(|p| parts(&parts_at(p)), &at, &g.iter().flat_map(|t| [t.x, t.y]).collect::<Vec<_>>());
    check(|p| table(p[0]), &at[..1], &[table::grad(0.3)]);
    check(unary, &at, &unary::grad(&at));
    let labels = [0, 1, 0, 2, 1, 1, 0, 2];
    check(|p| grouped(p, &labels), &at, &grouped::grad(&at, &labels));
    check(slices, &at, &slices::grad(&at));
    check(slices, &at[1..4], &slices::grad(&at[1..4]));
}
