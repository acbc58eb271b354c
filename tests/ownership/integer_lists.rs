//! Lists of integers whose type follows from their uses.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn below_zero(x: f64) -> f64 {
    let mut list = vec![1, 2, 3];
    list[0] -= 4;
    let mut s = x;
    for i in 0..3 {
        s = s * x + f64::from(list[i]);
    }
    s
}

#[differentiable(order = 2)]
fn an_order_and_exponents(x: f64, a: &[f64; 4]) -> f64 {
    let order = vec![2, 0, 1];
    let mut s = x;
    for i in 0..3 {
        s += a[order[i]] * x;
    }
    let exponents = vec![2; 3];
    for k in exponents.iter() {
        s *= x.powi(*k);
    }
    s
}

#[test]
fn lists() {
    assert_eq!(below_zero(0.5), ((0.5 * 0.5 - 3.0) * 0.5 + 2.0) * 0.5 + 3.0);
    check!(below_zero(x) by x = 0.5);
    check!(an_order_and_exponents(x, &a) by x = 0.7, a = [1.0, 2.0, 3.0, 4.0]);
}
