//! `chain` of what is lent to be changed, alone and beside other elements.

use crate::harness::{check, twins};
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn step<const M: usize, const N: usize>(p: &mut [f64; M], q: &mut [f64; N], k: f64) -> f64 {
    let (better_p, better_q) = (p.map(|v| (k * v).sin()), q.map(|v| v * v));
    let mut change = 0.0_f64;
    for (old, new) in p.iter_mut().zip(better_p).chain(q.iter_mut().zip(better_q)) {
        change += (new - *old).powi(2);
        *old += 0.5 * (new - *old);
    }
    change
}

#[differentiable(order = 2)]
fn steps(p: &[f64; 2], q: &[f64; 3], k: f64) -> f64 {
    let (mut p, mut q) = (*p, *q);
    let mut total = 0.0;
    for turn in 0..3 {
        let change = step(&mut p, &mut q, k);
        if change < 1e-3 && turn > 1 {
            break;
        }
        total += change;
    }
    total + p[0] * q[1]
}

#[differentiable(order = 2)]
fn by_hand(p: &[f64; 2], q: &[f64; 3], k: f64) -> f64 {
    let (mut p, mut q) = (*p, *q);
    let mut total = 0.0;
    for turn in 0..3 {
        let mut change = 0.0;
        for i in 0..2 {
            let new = (k * p[i]).sin();
            change += (new - p[i]).powi(2);
            p[i] += 0.5 * (new - p[i]);
        }
        for i in 0..3 {
            let new = q[i] * q[i];
            change += (new - q[i]).powi(2);
            q[i] += 0.5 * (new - q[i]);
        }
        if change < 1e-3 && turn > 1 {
            break;
        }
        total += change;
    }
    total + p[0] * q[1]
}

/// Slices, a third part, numbers in front, and a loop that is left.
#[differentiable(order = 2)]
fn in_parts(x: &[f64], y: &[f64], limit: f64) -> f64 {
    let (mut a, mut b) = (x.to_vec(), y.to_vec());
    let mut c = [limit, 2.0 * limit];
    let mut left = limit;
    let all = a.iter_mut().zip(y).chain(b.iter_mut().zip(x).rev()).chain(c.iter_mut().zip(&[0.5, 0.25]));
    for (k, (v, w)) in all.enumerate() {
        if k == 5 {
            continue;
        }
        *v *= w + k as f64 * 0.1;
        left -= *v * *v;
        if left < -50.0 {
            break;
        }
    }
    a.iter().chain(&b).zip(1..).map(|(v, k)| v * k as f64).sum::<f64>() * left + c[0] * c[1]
}

/// Numbers alone, and what is done by a closure.
#[differentiable(order = 2)]
fn by_closures(x: &[f64; 3], k: f64) -> f64 {
    let (mut a, mut b) = (*x, [k; 2]);
    a.iter_mut().chain(b.iter_mut()).for_each(|v| *v = v.exp() * k);
    a.iter_mut().zip(*x).chain(b.iter_mut().zip([k, x[0]])).for_each(|(v, w)| *v += w * *v);
    a.iter().product::<f64>() + b[0] * b[1]
}

#[test]
fn chains_change_both() {
    let (p, q, k) = ([0.4, 1.1], [0.3, 0.8, -0.5], 1.3);
    twins(&check!(steps(&p, &q, k) by p, q, k), &check!(by_hand(&p, &q, k) by p, q, k));
    let (x, y, limit) = (vec![0.5, -0.7, 1.2], vec![0.9, 0.3, -0.4], 1.5);
    check!(in_parts(&x, &y, limit) by [x, y, limit]);
    let x = [0.2, -0.4, 0.6];
    check!(by_closures(&x, k) by x, k);
}
