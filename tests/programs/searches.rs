//! Searches in sorted lists, and arithmetic of integers that may overflow.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn interpolated(x: f64, knots: &[f64], values: &[f64; 4]) -> f64 {
    let k = knots.partition_point(|&k| k <= x).clamp(1, knots.len() - 1);
    let t = (x - knots[k - 1]) / (knots[k] - knots[k - 1]);
    values[k - 1] * (1.0 - t) * (1.0 - t) + values[k] * t * t
}

struct Table {
    ids: Vec<usize>,
}

#[differentiable(order = 2)]
fn looked_up(x: f64, knots: &[f64; 4], #[no_diff] table: &Table, #[no_diff] ids: &[usize]) -> f64 {
    let i = match knots.binary_search_by(|k| k.partial_cmp(&x).unwrap()) {
        Ok(i) => i,
        Err(i) => i.saturating_sub(1),
    };
    let j = knots.binary_search_by(|k| k.total_cmp(&(2.0 * x))).unwrap_or_else(|i| i.min(3));
    let mut y = x * knots[i] + knots[j] * x * x + knots[knots[..3].partition_point(|k| *k < x)];
    if let Ok(place) = ids.binary_search(&7) {
        y *= place as f64 + 0.5;
    }
    if ids.binary_search_by_key(&14, |i| 2 * i).is_err() {
        y += x;
    }
    for k in 0..3 {
        let place = match table.ids.binary_search(&k) {
            Ok(place) | Err(place) => place,
        };
        y *= 1.0 + x * place as f64;
    }
    if let Some(before) = i.checked_sub(1) {
        y *= knots[before] + x;
    }
    match ids.len().checked_sub(2).and_then(|n| n.checked_mul(2)) {
        Some(n) => y * n as f64,
        None => y.sin(),
    }
}

/// The search is in the list as it is at that time.
#[differentiable(order = 2)]
fn in_a_list_that_changes(x: f64, y: f64) -> f64 {
    let mut list = vec![0.0, x, 2.0 * x];
    let mut sum = 0.0;
    for k in 0..4 {
        let place = list.partition_point(|v| *v < y);
        sum += list[place.min(list.len() - 1)] * y;
        list.push(list[list.len() - 1] + x * k as f64);
        list[0] -= 0.1;
    }
    sum
}

#[test]
fn what_a_search_finds_is_an_integer() {
    let knots = vec![0.0, 0.4, 0.8, 1.0];
    check!(interpolated(x, &knots, &values) by [x = 0.5, knots, values = [1.0, 2.0, 4.0, 8.0]]);
    let table = Table { ids: vec![0, 2] };
    for ids in [&[3, 7, 9][..], &[3, 9], &[7]] {
        let knots = [0.1, 0.4, 0.8, 1.1];
        check!(looked_up(x, &knots, &table, ids) by x = 0.5, knots);
        check!(looked_up(x, &knots, &table, ids) by x = 1.3, knots);
    }
    check!(in_a_list_that_changes(x, y) by x = 0.3, y = 0.75);
}

#[test]
fn the_place_of_one_of_several_equal_elements_is_that_of_the_standard_library() {
    let (knots, table) = ([0.5; 4], Table { ids: Vec::new() });
    assert_eq!(looked_up::value_and_grad(0.5, &knots, &table, &[7]).0, looked_up(0.5, &knots, &table, &[7]));
}
