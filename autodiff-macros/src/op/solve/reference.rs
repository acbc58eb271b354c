//! What the operators give, for the evaluator: by definition, or by the shortest algorithm.

use crate::ir::eval::Array;

/// Gauss–Jordan, with partial pivoting.
pub(super) fn solve(a: &Array, b: &Array) -> Array {
    let (n, mut a, mut x) = (a.dims[0], a.clone(), b.clone());
    let columns = b.data.len() / n.max(1);
    for k in 0..n {
        let size = |i: &usize| a.at(&[*i, k]).abs();
        let pivot = (k..n).max_by(|i, j| size(i).total_cmp(&size(j))).expect("a row");
        for j in 0..n {
            a.data.swap(k * n + j, pivot * n + j);
        }
        for j in 0..columns {
            x.data.swap(k * columns + j, pivot * columns + j);
        }
        for i in (0..n).filter(|i| *i != k) {
            let factor = a.at(&[i, k]) / a.at(&[k, k]);
            for j in 0..n {
                a.data[i * n + j] -= factor * a.data[k * n + j];
            }
            for j in 0..columns {
                x.data[i * columns + j] -= factor * x.data[k * columns + j];
            }
        }
    }
    for k in 0..n {
        for j in 0..columns {
            x.data[k * columns + j] /= a.at(&[k, k]);
        }
    }
    x
}

/// A number with its derivative.
type Dual = (f64, f64);

/// By expansion along the first row.
fn expand(m: &[Vec<Dual>]) -> Dual {
    let Some((first, _)) = m.split_first() else { return (1.0, 0.0) };
    let mut total = (0.0, 0.0);
    for (j, (x, dx)) in first.iter().enumerate() {
        let (minor, d_minor) = expand(&without(m, 0, j));
        let sign = if j % 2 == 0 { 1.0 } else { -1.0 };
        total.0 += sign * x * minor;
        total.1 += sign * (dx * minor + x * d_minor);
    }
    total
}

fn without(m: &[Vec<Dual>], i: usize, j: usize) -> Vec<Vec<Dual>> {
    let rows = m.iter().enumerate().filter(|(k, _)| *k != i);
    rows.map(|(_, row)| row.iter().enumerate().filter(|(k, _)| *k != j).map(|(_, x)| *x).collect()).collect()
}

fn duals(a: &Array, h: Option<&Array>) -> Vec<Vec<Dual>> {
    let n = a.dims[0];
    let dual = |i: usize, j: usize| (a.at(&[i, j]), h.map_or(0.0, |h| h.at(&[i, j])));
    (0..n).map(|i| (0..n).map(|j| dual(i, j)).collect()).collect()
}

pub(super) fn det(a: &Array) -> f64 {
    expand(&duals(a, None)).0
}

/// The cofactors, or their derivative along `h`.
pub(super) fn cofactors(a: &Array, h: Option<&Array>) -> Array {
    let m = duals(a, h);
    Array::from_fn(&a.dims, |at| {
        let (minor, d_minor) = expand(&without(&m, at[0], at[1]));
        let sign = if (at[0] + at[1]) % 2 == 0 { 1.0 } else { -1.0 };
        sign * if h.is_some() { d_minor } else { minor }
    })
}

pub(super) fn cholesky(a: &Array) -> Array {
    let mut l = Array::filled(&a.dims, 0.0);
    for i in 0..a.dims[0] {
        for j in 0..=i {
            let products: f64 = (0..j).map(|k| l.at(&[i, k]) * l.at(&[j, k])).sum();
            let rest = 0.5 * (a.at(&[i, j]) + a.at(&[j, i])) - products;
            *l.at_mut(&[i, j]) = if i == j { rest.sqrt() } else { rest / l.at(&[j, j]) };
        }
    }
    l
}
