//! Integers without a type of their own, whose types come from elsewhere: each may become negative, or is an index.

use crate::harness::check;
use autodiff::prelude::*;

fn helper(k: i64) -> f64 {
    k as f64 * 0.5
}

fn identity<T>(t: T) -> T {
    t
}

fn smaller<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

struct Config {
    steps: i64,
    bits: u8,
    table: [(i16, f64); 2],
}

impl Config {
    fn shifted(&self, by: i64) -> i64 {
        self.steps - by
    }
}

#[differentiable(order = 2)]
fn lists_of_lists(x: f64) -> f64 {
    let mut t = [[1, 2], [3, 4]];
    t[0][1] -= t[1][1];
    t[0][0] -= 3;
    x * f64::from(t[0][1]) + x.powi(2) * f64::from(t[0][0])
}

#[differentiable(order = 2)]
fn a_range_beside_an_iterator(x: f64) -> f64 {
    let a = [x, x * x, 3.0 * x];
    let mut s = 0.0;
    for (k, v) in (0..3).zip(&a) {
        s += v * f64::from(k - 2);
    }
    for (i, k) in (-2..3).enumerate() {
        s += x.powi(i as i32) * f64::from(k - 1);
    }
    let n = 4_i64;
    for (k, w) in (1..n).rev().zip([x, 2.0 * x, x * x]) {
        s += (k - 3) as f64 * w;
    }
    let lo = -1_i64;
    s + (lo..3).zip([x, x * x, 2.0, x]).map(|(k, w)| w * k as f64).sum::<f64>()
}

#[differentiable(order = 2)]
fn below_zero(x: f64) -> f64 {
    let mut k = 0;
    let mut s = 0.0;
    while k > -3 {
        k -= 1;
        s += x * f64::from(k);
    }
    let (mut i, mut d) = (0, 1);
    while i < 3 {
        s += x * x * f64::from(d - 4);
        i += 1;
        d *= 2;
    }
    s
}

#[differentiable(order = 2)]
fn indices_and_numbers_in_tuples(x: f64) -> f64 {
    let a = [x, x * x];
    let pairs = vec![(0, 1, 0.5), (1, 0, 2.0)];
    let weights = [(3, 0.5), (1, 2.0)];
    pairs.iter().map(|&(i, j, w)| w * a[i] * a[j]).sum::<f64>()
        + weights.iter().map(|&(k, w)| w * x * f64::from(k - 5)).sum::<f64>()
}

#[differentiable(order = 2)]
fn types_of_callees(x: f64) -> f64 {
    let mut k = 2;
    k -= 5;
    let l = 3;
    let m = smaller(1, 4);
    x * helper(k) + x * f64::from(identity(l) - 5) + x * x * f64::from(m - 3)
}

#[differentiable(order = 2)]
fn types_of_fields(x: f64, #[no_diff] config: &Config) -> f64 {
    let mut m = 1;
    m -= config.steps;
    let (k, w) = config.table[1];
    x * m as f64 * f64::from(config.bits) + w * x * x * f64::from(k - 3) + x * config.shifted(9) as f64
}

#[differentiable(order = 2)]
fn folds_and_options(x: f64) -> f64 {
    let mut o = Some(2);
    if let Some(k) = o.as_mut() {
        *k -= 5;
    }
    let m = (0..5).fold(0, |a, k| a - k);
    let n: i32 = (0..4).map(|k| k - 3).sum();
    let list: Vec<u8> = vec![3, 4];
    let most = list.iter().map(|&k| i32::from(k) - 5).max().unwrap();
    let signs = [3, -1, 4];
    let at = signs.iter().position(|&k| k < 0).unwrap_or(9);
    let a = [x, x * x, 1.0];
    x * f64::from(o.unwrap_or(0)) + x * f64::from(m) + x * x * f64::from(n) + x * f64::from(most) + a[at]
}

#[differentiable(order = 2)]
fn closures_and_shadows(x: f64) -> f64 {
    fn inner(k: i32, y: f64) -> f64 {
        y * f64::from(k - 7)
    }
    let g = |k, y: f64| inner(k, y) + y;
    let k = 2;
    let a = [x; 4];
    let y = a[k];
    let k = -3;
    let w = match k + 1 {
        -2 => 2,
        0 => 1,
        _ => 5,
    };
    g(3, x) + g(1, x * x) + y * f64::from(k) + x * f64::from(w - 4)
}

#[test]
fn types_by_use() {
    check!(lists_of_lists(x) by x = 0.7);
    check!(a_range_beside_an_iterator(x) by x = 0.7);
    check!(below_zero(x) by x = 0.7);
    check!(indices_and_numbers_in_tuples(x) by x = 0.7);
    check!(types_of_callees(x) by x = 0.7);
    let config = Config { steps: 4, bits: 3, table: [(1, 0.5), (2, 1.5)] };
    check!(types_of_fields(x, &config) by x = 0.7);
    check!(folds_and_options(x) by x = 0.7);
    check!(closures_and_shadows(x) by x = 0.7);
}
