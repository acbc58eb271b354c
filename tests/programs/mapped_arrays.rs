//! `map` of arrays of any size: of numbers, of rows, and to either.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Table<const M: usize, const N: usize> {
    rows: [[f64; N]; M],
    scale: f64,
}

#[differentiable(order = 2)]
fn normalized<const N: usize>(x: &[f64; N]) -> [f64; N] {
    let total: f64 = x.iter().map(|v| v.exp()).sum();
    x.map(|v| v.exp() / total)
}

#[differentiable(order = 2)]
impl<const M: usize, const N: usize> Table<M, N> {
    fn times(&self, x: &[f64; N]) -> [f64; M] {
        self.rows.map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum())
    }

    fn normalized(&self) -> [[f64; N]; M] {
        self.rows.map(|row| normalized(&row))
    }

    fn squared(&self) -> [[f64; N]; M] {
        self.rows.map(|row| row.map(|v| v * v * self.scale))
    }
}

#[differentiable(order = 2)]
fn of_a_field(table: &Table<2, 3>, x: &[f64; 3]) -> f64 {
    let y = table.times(x);
    let p = table.normalized();
    let s = table.squared();
    y[0] * y[1] + p[0][1] * p[1][2] + s[1][0] * p[0][0]
}

/// A name for the size, a block as the body, a choice, and what is captured.
#[differentiable(order = 2)]
fn with_blocks<const M: usize, const N: usize>(x: &[[f64; N]; M], k: f64) -> f64 {
    let sums = x.map(|row| {
        let mut s = k;
        for v in row {
            if v > 0.5 {
                s += v * v;
            } else {
                s -= k * v;
            }
        }
        s
    });
    let pairs = sums.map(|s| [s, s * k]);
    let flat = pairs.map(|[a, b]| a * b);
    flat.iter().product()
}

#[differentiable(order = 2)]
fn blocks_of_two(x: &[[f64; 2]; 2], k: f64) -> f64 {
    with_blocks(x, k)
}

/// More than are written out.
#[differentiable(order = 2)]
fn long(x: &[f64; 2]) -> f64 {
    let mut rows = [[0.0; 2]; 40];
    for i in 0..40 {
        rows[i] = [x[0] * i as f64, x[1]];
    }
    let sums = rows.map(|[a, b]| (a * b).sin());
    let signs = sums.map(|s| s > 0.0);
    let places = rows.map(|row| if row[0] > 3.0 { 1_usize } else { 0 });
    let mut total = 0.0;
    for i in 0..40 {
        if signs[i] {
            total += sums[i] * x[places[i]];
        }
    }
    total
}

/// The function is called for one element after the other.
#[differentiable(order = 2)]
fn running<const N: usize>(x: &[f64; N]) -> f64 {
    let mut total = 0.0;
    let sums = x.map(|v| {
        total += v;
        total * v
    });
    total * sums.iter().sum::<f64>()
}

#[differentiable(order = 2)]
fn running_of_three(x: &[f64; 3]) -> f64 {
    let mut count = 0;
    let mut weight = x[0];
    let weighted = x.map(|v| {
        count += 1;
        weight *= 1.5;
        weight * v * count as f64
    });
    running(x) + running(&weighted) * weight
}

#[differentiable(order = 2)]
fn replaced<const M: usize, const N: usize>(x: &mut [[f64; N]; M], k: f64) {
    for turn in 0..2 {
        if turn == 1 || x[0][0] > 0.0 {
            *x = x.map(|row| row.map(|v| k * v.tanh()));
        }
        x[turn] = x[turn].map(|v| v + k);
    }
}

#[differentiable(order = 2)]
fn after_replacing(x: &[[f64; 3]; 2], k: f64) -> f64 {
    let mut y = *x;
    replaced(&mut y, k);
    y[0][1] * y[1][2] + y[1][0]
}

/// Integers, and a row of a larger array.
#[differentiable(order = 2)]
fn in_between<const N: usize>(x: &[[[f64; 2]; N]; 2], #[no_diff] at: &[usize; N]) -> f64 {
    let norms = x[1].map(|[a, b]| a.hypot(b));
    let next = at.map(|k| (k + 1) % N);
    let picked = next.map(|k| x[0][k][0] * norms[k]);
    picked.iter().sum::<f64>() + norms[at[0]]
}

#[differentiable(order = 2)]
fn in_between_of_three(x: &[[[f64; 2]; 3]; 2], #[no_diff] at: &[usize; 3]) -> f64 {
    in_between(x, at)
}

#[test]
fn arrays_of_any_size_are_mapped() {
    let (table, x) = (Table { rows: [[0.5, -0.25, 1.5], [0.75, 0.1, -0.6]], scale: 1.2 }, [0.3, 0.9, -0.4]);
    check!(of_a_field(&table, &x) by table, x);
    let (x, k) = ([[0.7, 0.2], [-0.3, 0.9]], 0.8);
    check!(blocks_of_two(&x, k) by x, k);
    let x = [0.31, 0.83];
    check!(long(&x) by x);
    let x = [0.5, -0.7, 1.1];
    check!(running_of_three(&x) by x);
    let (x, k) = ([[0.5, -0.7, 1.1], [0.2, 0.4, -0.9]], 0.6);
    check!(after_replacing(&x, k) by x, k);
    let x = [[[0.5, -0.7], [1.1, 0.2], [0.4, -0.9]], [[0.3, 0.8], [-0.2, 0.6], [1.4, 0.1]]];
    check!(in_between_of_three(&x, &[2, 0, 1]) by x);
}
