//! Sparse Jacobians: a band, against the dense one and by hand, and bundle adjustment, by groups of columns and by blocks.

use crate::compare::{Suite, assert_close, assert_close_in_size, way};
use autodiff::Sparsity;
use autodiff::prelude::*;
use std::hint::black_box;

#[differentiable]
fn band(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        let before = if i > 0 { x[i - 1] } else { 0.0 };
        let after = if i + 1 < n { x[i + 1] } else { 0.0 };
        y[i] = (x[i] * before).sin() + after * after;
    }
    y
}

fn band_by_hand(x: &[f64], values: &mut [f64]) {
    let (n, mut at) = (x.len(), 0);
    for i in 0..n {
        let before = if i > 0 { x[i - 1] } else { 0.0 };
        let slope = (x[i] * before).cos();
        if i > 0 {
            values[at] = slope * x[i];
            at += 1;
        }
        values[at] = slope * before;
        at += 1;
        if i + 1 < n {
            values[at] = 2.0 * x[i + 1];
            at += 1;
        }
    }
}

/// A point in the frame of a camera: turned about an axis by the length of it.
#[differentiable]
fn turned(r: &[f64; 3], p: &[f64; 3]) -> [f64; 3] {
    let square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    let cross = [r[1] * p[2] - r[2] * p[1], r[2] * p[0] - r[0] * p[2], r[0] * p[1] - r[1] * p[0]];
    if square > 0.0 {
        let angle = square.sqrt();
        let (s, c) = (angle.sin() / angle, angle.cos());
        let along = (r[0] * p[0] + r[1] * p[1] + r[2] * p[2]) * (1.0 - c) / square;
        std::array::from_fn(|k| p[k] * c + cross[k] * s + r[k] * along)
    } else {
        std::array::from_fn(|k| p[k] + cross[k])
    }
}

/// How far a point is from where a camera sees it: its axis and centre, focal length, principal point and radial distortion.
#[differentiable]
fn seen(camera: &[f64; 11], point: &[f64; 3], weight: f64, #[no_diff] at: &[f64; 2]) -> [f64; 2] {
    let x: [f64; 3] = std::array::from_fn(|k| point[k] - camera[3 + k]);
    let x = turned(&[camera[0], camera[1], camera[2]], &x);
    let (u, v) = (x[0] / x[2], x[1] / x[2]);
    let square = u * u + v * v;
    let scale = camera[6] * (1.0 + square * (camera[9] + square * camera[10]));
    [weight * (scale * u + camera[7] - at[0]), weight * (scale * v + camera[8] - at[1])]
}

#[differentiable]
fn adjustment(
    cameras: &[[f64; 11]],
    points: &[[f64; 3]],
    weights: &[f64],
    seen_by: &[[usize; 2]],
    #[no_diff] at: &[[f64; 2]],
) -> Vec<[f64; 2]> {
    let mut r = vec![[0.0; 2]; seen_by.len()];
    for i in 0..seen_by.len() {
        r[i] = seen(&cameras[seen_by[i][0]], &points[seen_by[i][1]], weights[i], &at[i]);
    }
    r
}

/// The residual and the block of one observation, with rows of 11 + 3 + 1 numbers.
fn seen_by_hand(camera: &[f64; 11], point: &[f64; 3], weight: f64, at: &[f64; 2], block: &mut [f64; 30]) -> [f64; 2] {
    let r = [camera[0], camera[1], camera[2]];
    let p: [f64; 3] = std::array::from_fn(|k| point[k] - camera[3 + k]);
    let square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    let angle = square.sqrt();
    let (sine, c) = angle.sin_cos();
    let (s, t) = (sine / angle, (1.0 - c) / square);
    // The matrix of the rotation, row after row.
    let m = [
        [c + t * r[0] * r[0], t * r[0] * r[1] - s * r[2], t * r[0] * r[2] + s * r[1]],
        [t * r[0] * r[1] + s * r[2], c + t * r[1] * r[1], t * r[1] * r[2] - s * r[0]],
        [t * r[0] * r[2] - s * r[1], t * r[1] * r[2] + s * r[0], c + t * r[2] * r[2]],
    ];
    let x = m.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
    let depth = 1.0 / x[2];
    let (u, v) = (x[0] * depth, x[1] * depth);
    let q = u * u + v * v;
    let radial = 1.0 + q * (camera[9] + q * camera[10]);
    let slope = 2.0 * (camera[9] + 2.0 * q * camera[10]);
    let (gain, scale) = (weight * camera[6], camera[6] * radial);
    let missed = [scale * u + camera[7] - at[0], scale * v + camera[8] - at[1]];
    for (k, row) in block.chunks_exact_mut(15).enumerate() {
        let w = [u, v][k];
        // By u and v, then by the point in the frame of the camera, then by that outside.
        let mut by = [gain * w * slope * u, gain * w * slope * v];
        by[k] += gain * radial;
        let by = [by[0] * depth, by[1] * depth, -(by[0] * u + by[1] * v) * depth];
        for d in 0..3 {
            row[11 + d] = by[0] * m[0][d] + by[1] * m[1][d] + by[2] * m[2][d];
            row[3 + d] = -row[11 + d];
        }
        // By the axis, after Gallego and Yezzi: the row times -[p]× (r rᵀ + (Rᵀ - 1) [r]×) / |r|².
        let g = [row[11], row[12], row[13]];
        let n = [p[1] * g[2] - p[2] * g[1], p[2] * g[0] - p[0] * g[2], p[0] * g[1] - p[1] * g[0]];
        let along = n[0] * r[0] + n[1] * r[1] + n[2] * r[2];
        let back: [f64; 3] = std::array::from_fn(|d| m[d][0] * n[0] + m[d][1] * n[1] + m[d][2] * n[2] - n[d]);
        let cross = [back[1] * r[2] - back[2] * r[1], back[2] * r[0] - back[0] * r[2], back[0] * r[1] - back[1] * r[0]];
        for d in 0..3 {
            row[d] = (along * r[d] + cross[d]) / square;
        }
        row[6] = weight * radial * w;
        row[7..9].copy_from_slice(&[0.0; 2]);
        row[7 + k] = weight;
        row[9] = gain * w * q;
        row[10] = gain * w * q * q;
        row[14] = missed[k];
    }
    [weight * missed[0], weight * missed[1]]
}

pub fn bench(suite: &mut Suite) {
    let x: Vec<f64> = (0..1000).map(|i| (f64::from(i) * 0.37).sin()).collect();
    let pattern = band::sparsity(&x);
    let (mut values, mut by_hand) = (vec![0.0; pattern.len()], vec![0.0; pattern.len()]);
    band::jacobian_sparse(&x, &pattern, &mut values);
    band_by_hand(&x, &mut by_hand);
    assert_close(&values, &by_hand);
    suite.compare(
        "band of 1000 by 1000",
        &mut [
            way("sparse", || band::jacobian_sparse(black_box(&x), &pattern, &mut values)),
            way("by hand", || band_by_hand(black_box(&x), &mut by_hand)),
            way("value alone", || band(black_box(&x))),
            way("dense", || band::jacobian(black_box(&x))),
            way("pattern", || band::sparsity(black_box(&x))),
        ],
    );

    let number = |k: usize| (k as f64 * 1.37).sin();
    let cameras: Vec<[f64; 11]> = (0..20)
        .map(|c| {
            let n = |d: usize| number(13 * c + d);
            [0.1 * n(0), 0.1 * n(1), 0.1 * n(2), n(3), n(4), n(5), 400.0 + n(6), n(7), n(8), 1e-2 * n(9), 1e-3 * n(10)]
        })
        .collect();
    let points: Vec<[f64; 3]> = (0..400).map(|p| [number(7 * p), number(7 * p + 1), 8.0 + number(7 * p + 2)]).collect();
    let seen_by: Vec<[usize; 2]> = (0..1600).map(|i| [i % 20, i % 397]).collect();
    let weights: Vec<f64> = (0..1600).map(|i| 1.0 + 0.1 * number(i)).collect();
    let at: Vec<[f64; 2]> = (0..1600).map(|i| [number(i + 3), number(i + 5)]).collect();
    let found = adjustment::sparsity(&cameras, &points, &weights, &seen_by, &at);
    let blocks = seen_by.iter().enumerate().map(|(i, [c, p])| {
        let (p, w) = (220 + 3 * p, 220 + 1200 + i);
        [11 * c..11 * c + 11, p..p + 3, w..w + 1]
    });
    let pattern = Sparsity::of_blocks(220 + 1200 + 1600, 2, blocks);
    let (mut values, mut by_hand) = (vec![0.0; pattern.len()], vec![0.0; pattern.len()]);
    let (mut by_blocks, mut r) = (by_hand.clone(), vec![[0.0; 2]; 1600]);
    let each_by_hand = |values: &mut [f64], r: &mut [[f64; 2]]| {
        for (i, block) in values.as_chunks_mut::<30>().0.iter_mut().enumerate() {
            r[i] = seen_by_hand(&cameras[seen_by[i][0]], &points[seen_by[i][1]], weights[i], &at[i], block);
        }
    };
    let each_block = |values: &mut [f64], r: &mut [[f64; 2]]| {
        for (i, block) in values.as_chunks_mut::<30>().0.iter_mut().enumerate() {
            let (camera, point) = (&cameras[seen_by[i][0]], &points[seen_by[i][1]]);
            let (y, (by_camera, by_point, by_weight)) = seen::value_and_jacobian(camera, point, weights[i], &at[i]);
            r[i] = y;
            for k in 0..2 {
                block[15 * k..15 * k + 11].copy_from_slice(&by_camera[k]);
                block[15 * k + 11..15 * k + 14].copy_from_slice(&by_point[k]);
                block[15 * k + 14] = by_weight[k];
            }
        }
    };
    let by_groups = |pattern: &Sparsity, values: &mut [f64]| {
        adjustment::value_and_jacobian_sparse(&cameras, &points, &weights, &seen_by, &at, pattern, values)
    };
    let y = by_groups(&pattern, &mut values);
    each_by_hand(&mut by_hand, &mut r);
    assert_close(y.as_flattened(), r.as_flattened());
    assert_close_in_size(&values, &by_hand);
    each_block(&mut by_blocks, &mut r);
    assert_close_in_size(&by_blocks, &by_hand);
    let mut others = vec![0.0; found.len()];
    suite.compare(
        "bundle adjustment, 1600 blocks",
        &mut [
            way("sparse", || by_groups(&found, &mut others)),
            way("by hand", || each_by_hand(&mut by_hand, &mut r.clone())),
            way("block by block", || each_block(&mut by_blocks, &mut r.clone())),
            way("value alone", || adjustment(&cameras, &points, &weights, &seen_by, &at)),
        ],
    );
}
