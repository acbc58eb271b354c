//! `chain` of iterators whose elements cannot be had by their number.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn squares(a: &[[f64; 3]], b: &[[f64; 3]; 3]) -> f64 {
    a.iter().flatten().chain(b.iter().flatten()).map(|w| w * w).sum()
}

#[differentiable(order = 2)]
fn with_jumps(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in a.iter().chain(b.iter().skip_while(|x| **x > 0.3)) {
        if *x > 0.8 {
            break;
        }
        if *x < 0.15 {
            continue;
        }
        sum += x * x;
    }
    'outer: for k in 0..3 {
        for x in a.iter().filter(|x| **x > 0.1).chain(b) {
            if *x > 0.6 {
                continue 'outer;
            }
            if sum > 2.0 {
                break 'outer;
            }
            sum += x * x * k as f64;
        }
    }
    sum
}

#[differentiable(order = 2)]
fn returns(a: &[f64], b: &[f64]) -> f64 {
    for x in a.iter().chain(b.iter().filter(|x| **x > 0.1)) {
        if *x > 0.6 {
            return x * x;
        }
    }
    a[0] * b[0]
}

#[differentiable(order = 2)]
fn adapted(a: &[f64], b: &[f64]) -> f64 {
    let large = |x: &&f64| **x > 0.2;
    let first: f64 = a.iter().filter(|x| **x > 0.2).chain(b).take_while(|x| **x < 0.5).map(|w| w * w).sum();
    let numbered: f64 = a.iter().chain(b.iter().filter(large)).enumerate().map(|(i, w)| w * w * i as f64).sum();
    let beside: f64 = a.iter().filter(|x| **x > 0.2).chain(b).zip(b).map(|(v, w)| v * w).sum();
    let most = a.iter().filter(|x| **x > 0.2).chain(b).copied().fold(f64::NEG_INFINITY, f64::max);
    let three = a.iter().filter(|x| **x > 0.2).chain(b).chain(a.iter().filter(|x| **x > 0.1));
    let found = three.copied().find(|x| *x < 0.2).unwrap_or(1.0);
    let all = a.iter().flat_map(|x| [x * 1.0, x * x]).chain([2.0]).sum::<f64>();
    first + numbered * beside + most * found * all
}

#[differentiable(order = 2)]
fn collected(a: &[f64], b: &[f64]) -> f64 {
    let all: Vec<f64> = a.iter().filter(|x| **x > 0.2).chain(b).copied().collect();
    let count = a.iter().filter(|x| **x > 0.1).chain(b).count();
    let third = a.iter().filter(|x| **x > 0.1).chain(b).nth(2).unwrap_or(&1.0);
    all[0] * all[all.len() - 1] * all.len() as f64 + third * count as f64
}

#[differentiable(order = 2)]
fn changed(a: &[f64], b: &[f64]) -> f64 {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    for x in a.iter_mut().filter(|x| **x > 0.2).chain(b.iter_mut()) {
        *x *= *x;
    }
    a[0] * b[1] + a[1]
}

#[test]
fn go_one_after_the_other() {
    for b in [vec![0.35, 0.7, 0.18, 0.9], vec![0.25], vec![]] {
        let a = vec![0.3, 0.12, 0.4];
        check!(with_jumps(&a, &b) by [a, b]);
        check!(adapted(&a, &b) by [a, b]);
        if b.len() > 1 {
            check!(returns(&a, &b) by [a, b]);
            check!(collected(&a, &b) by [a, b]);
            check!(changed(&a, &b) by [a, b]);
        }
    }
    let a = vec![[0.3, 0.1, 0.4], [0.2, 0.7, 0.5]];
    check!(squares(&a, &b) by [a, b = [[0.3, 0.8, 0.2], [0.9, 0.4, 0.1], [0.2, 0.6, 0.7]]]);
}
