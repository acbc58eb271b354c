//! `get_mut`: an element that may not be there, which is changed.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Debug)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable(order = 2)]
fn of_a_slice(v: &mut [f64], x: f64, i: usize) -> f64 {
    if let Some(p) = v.get_mut(i) {
        *p *= x;
    } else {
        v[0] += x;
    }
    v[0] * x
}

#[differentiable(order = 2)]
fn changed(x: f64, n: usize) -> f64 {
    let mut v = vec![x, x * x, 1.0];
    let mut pairs = vec![Pair { a: x, b: 1.0 }, Pair { a: 2.0, b: x }];
    for i in 0..n {
        if let Some(p) = v.get_mut(2 * i) {
            *p *= x;
            if *p > 100.0 {
                break;
            }
        }
        match v.get_mut(i) {
            Some(q) => *q += x,
            None => {}
        }
        *v.get_mut(0).unwrap() += x;
        if let Some(pair) = pairs.get_mut(i) {
            pair.a *= pair.b;
            pair.b += x;
        }
        let Some(q) = v.get_mut(i) else {
            continue;
        };
        *q *= 1.5;
    }
    let mut sum = of_a_slice(&mut v, x, n);
    sum *= v[2];
    sum + v.iter().sum::<f64>() + pairs[0].a * pairs[1].b + pairs[1].a
}

/// The index is evaluated once, and before the element is looked for.
#[differentiable(order = 2)]
fn counted(x: f64) -> f64 {
    let mut v = [x, x * x, 2.0];
    let mut k = 0;
    let mut next = || {
        k += 1;
        k
    };
    if let Some(p) = v.get_mut(next()) {
        *p *= 3.0 * x;
    }
    if let Some(p) = v.get_mut(next() + 1) {
        *p += 100.0 * x;
    }
    v[0] + v[1] * v[2] + k as f64 * x
}

#[test]
fn elements_that_may_be_there() {
    for n in 0..4 {
        check!(changed(x, n) by x = 0.3);
    }
    check!(counted(x) by x = 0.3);
}
