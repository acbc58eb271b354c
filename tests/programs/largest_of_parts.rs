//! The largest and the smallest of elements that come in several loops, or of which only some count.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn of_products(x: &[f64], y: &[f64]) -> f64 {
    let most = x.iter().flat_map(|a| y.iter().map(move |b| a * b)).max_by(|a, b| a.total_cmp(b)).unwrap();
    let least = x.iter().chain(y).map(|v| v.sin()).filter(|v| *v > 0.0).min_by(|a, b| a.total_cmp(b)).unwrap();
    most * least
}

#[differentiable(order = 2)]
fn of_rows(x: &[f64; 3]) -> f64 {
    let rows = vec![vec![x[0], x[1]], vec![x[2]]];
    let least = *rows.iter().flatten().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let most = rows.iter().flat_map(|row| row.iter().copied()).filter(|v| *v < 1.0).max_by(|a, b| a.total_cmp(b));
    let folded = rows.iter().flat_map(|row| row.iter().map(|v| v * v)).reduce(|a, b| a * 0.5 + b).unwrap();
    let (square, _) =
        rows.iter().flat_map(|row| row.iter().map(|v| (v * v, *v))).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    least * most.unwrap_or(0.3) + folded * square
}

#[derive(Differentiable, Clone, Copy)]
struct Peak {
    at: f64,
    height: f64,
}

#[differentiable(order = 2)]
fn of_structs(shift: f64, height: f64) -> f64 {
    let low = vec![Peak { at: 0.4, height: shift }];
    let high = vec![Peak { at: 1.2, height: 0.9 }, Peak { at: 0.3, height: 1.9 * height }];
    let moved = low.iter().chain(&high).map(|p| Peak { at: p.at + shift, height: p.height * shift });
    let highest = moved.max_by(|a, b| a.height.total_cmp(&b.height)).unwrap();
    let groups = [low.clone(), high.clone()];
    let leftmost = groups
        .iter()
        .flat_map(|g| g.iter().map(|p| Peak { at: p.at * shift, ..*p }))
        .min_by(|a, b| a.at.total_cmp(&b.at));
    highest.at * highest.height + leftmost.unwrap().height
}

#[test]
fn the_largest_of_several_loops() {
    let (x, y) = (vec![0.3, -0.4, 0.8], vec![0.6, 0.9]);
    check!(of_products(&x, &y) by [x, y]);
    check!(of_rows(&x) by x = [0.3, -0.4, 0.8]);
    check!(of_structs(shift, height) by shift = 1.3, height = 0.8);
}
