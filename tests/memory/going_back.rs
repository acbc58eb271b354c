//! Arrays that loops change element by element, which the reverse takes back: decompositions, tables, trajectories.

#![forbid(unsafe_code)]
#![allow(missing_docs, clippy::needless_range_loop)]

use crate::common::assert_gradient;
use autodiff::DifferentiableFn;
use autodiff::prelude::*;

/// ln det A of a symmetric matrix, by Cholesky's decomposition row by row.
#[differentiable(order = 2)]
fn by_rows<const N: usize>(a: &[[f64; N]; N]) -> f64 {
    let mut l = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..=i {
            let mut s = a[i][j];
            for k in 0..j {
                s -= l[i][k] * l[j][k];
            }
            l[i][j] = if i == j { s.sqrt() } else { s / l[j][j] };
        }
    }
    let mut sum = 0.0;
    for i in 0..N {
        sum += 2.0 * l[i][i].ln();
    }
    sum
}

/// The same column by column, in place, on a slice.
#[differentiable(order = 2)]
fn by_columns(a: &[f64], #[no_diff] n: usize) -> f64 {
    let mut l = a.to_vec();
    for j in 0..n {
        for k in 0..j {
            l[j * n + j] -= l[j * n + k] * l[j * n + k];
        }
        l[j * n + j] = l[j * n + j].sqrt();
        for i in j + 1..n {
            for k in 0..j {
                l[i * n + j] -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] /= l[j * n + j];
        }
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += 2.0 * l[i * n + i].ln();
    }
    sum
}

/// L y = b, then Lᵀ x = y.
#[differentiable(order = 2)]
fn substitution(l: &[f64], b: &[f64]) -> f64 {
    let n = b.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        let mut s = b[i];
        for k in 0..i {
            s -= l[i * n + k] * y[k];
        }
        y[i] = s / l[i * n + i];
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let mut s = y[i];
        for k in i + 1..n {
            s -= l[k * n + i] * x[k];
        }
        x[i] = s / l[i * n + i];
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += (i + 1) as f64 * x[i] * x[i];
    }
    sum
}

/// Gauss' elimination with the choice of a pivot; the determinant.
#[differentiable(order = 2)]
fn elimination(a: &[[f64; 5]; 5]) -> f64 {
    let mut m = *a;
    let mut det = 1.0;
    for k in 0..5 {
        let mut pivot = k;
        for i in k + 1..5 {
            if m[i][k].abs() > m[pivot][k].abs() {
                pivot = i;
            }
        }
        if pivot != k {
            det = -det;
            for j in 0..5 {
                let t = m[k][j];
                m[k][j] = m[pivot][j];
                m[pivot][j] = t;
            }
        }
        for i in k + 1..5 {
            let factor = m[i][k] / m[k][k];
            for j in k..5 {
                m[i][j] -= factor * m[k][j];
            }
        }
        det *= m[k][k];
    }
    det
}

/// A trajectory: every row from the row before.
#[differentiable(order = 2)]
fn trajectory(start: &[f64; 3], rate: f64, #[no_diff] steps: usize) -> f64 {
    let mut path = vec![[0.0; 3]; steps + 1];
    path[0] = *start;
    for t in 0..steps {
        for k in 0..3 {
            path[t + 1][k] = path[t][k] + rate * (path[t][(k + 1) % 3] * path[t][k]).sin();
        }
    }
    let mut sum = 0.0;
    for t in 0..steps + 1 {
        sum += path[t][0] * path[t][2] + path[t][1];
    }
    sum
}

/// Soft dynamic time warping: a table of costs.
#[differentiable(order = 2)]
fn warping(x: &[f64], y: &[f64]) -> f64 {
    let (n, m) = (x.len(), y.len());
    let mut cost = vec![0.0; (n + 1) * (m + 1)];
    for i in 1..=n {
        cost[i * (m + 1)] = 1e3;
    }
    for j in 1..=m {
        cost[j] = 1e3;
    }
    for i in 1..=n {
        for j in 1..=m {
            let a = cost[(i - 1) * (m + 1) + j];
            let b = cost[i * (m + 1) + j - 1];
            let c = cost[(i - 1) * (m + 1) + j - 1];
            let least = a.min(b).min(c);
            let soft = least - ((least - a).exp() + (least - b).exp() + (least - c).exp()).ln();
            cost[i * (m + 1) + j] = (x[i - 1] - y[j - 1]).powi(2) + soft;
        }
    }
    cost[n * (m + 1) + m]
}

/// An element that is overwritten again and again, through other elements, until a condition holds.
#[differentiable(order = 2)]
fn relaxation(x: &[f64; 20]) -> f64 {
    let mut u = *x;
    let mut k = 0;
    let mut change = 1.0;
    while change > 1e-3 && k < 50 {
        let i = (7 * k) % 20;
        let next = 0.5 * (u[(i + 1) % 20] * u[(i + 19) % 20]).sin() + 0.1 * u[i];
        change = (next - u[i]) * (next - u[i]);
        u[i] = next;
        k += 1;
    }
    let mut sum = 0.0;
    for i in 0..20 {
        sum += u[i] * u[i];
    }
    sum
}

fn positive<const N: usize>() -> [[f64; N]; N] {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let (low, high) = (i.min(j), i.max(j));
            0.3 / (1.0 + (high - low) as f64) + if i == j { 2.0 + 0.1 * i as f64 } else { 0.0 }
        })
    })
}

/// Gradient against differences, the halves against the whole, forward mode and the second derivative against it.
macro_rules! check {
    ($f:expr, $at:ident, $whole:expr, $halves:expr, $jvp:expr, $hvp:expr) => {{
        let gradient = $whole(&$at);
        assert_gradient(&$at, &gradient, $f);
        let direction: Vec<f64> = (0..$at.len()).map(|k| ((3 * k + 1) as f64).sin()).collect();
        let halves: Vec<f64> = $halves(&$at);
        for (a, b) in halves.iter().zip(&gradient) {
            assert!((a - b).abs() <= 1e-11 * b.abs().max(1.0), "{a} against {b}");
        }
        let along: f64 = gradient.iter().zip(&direction).map(|(g, v)| g * v).sum();
        let slope: f64 = $jvp(&$at, &direction);
        assert!((slope - along).abs() <= 1e-10 * along.abs().max(1.0), "{slope} against {along}");
        let product: Vec<f64> = $hvp(&$at, &direction);
        let moved = |h: f64| $at.iter().zip(&direction).map(|(x, v)| x + h * v).collect::<Vec<f64>>();
        let (up, down) = ($whole(&moved(1e-6)), $whole(&moved(-1e-6)));
        for ((p, a), b) in product.iter().zip(&up).zip(&down) {
            let difference = (a - b) / 2e-6;
            assert!((p - difference).abs() <= 1e-5 * difference.abs().max(1.0), "{p} against {difference}");
        }
    }};
}

fn square<const N: usize>(flat: &[f64]) -> [[f64; N]; N] {
    std::array::from_fn(|i| std::array::from_fn(|j| flat[i * N + j]))
}

#[test]
fn decompositions() {
    const N: usize = 5;
    let at: Vec<f64> = positive::<N>().concat();
    check!(
        |a: &Vec<f64>| by_rows(&square::<N>(a)),
        at,
        |a: &Vec<f64>| by_rows::<N>::grad(&square(a)).concat(),
        |a: &Vec<f64>| by_rows::<N>::vjp(&square(a)).1(1.0).concat(),
        |a: &Vec<f64>, v: &Vec<f64>| by_rows::<N>::jvp(&square(a), &square(v)).1,
        |a: &Vec<f64>, v: &Vec<f64>| by_rows::<N>::hvp(&square(a), &square(v)).concat()
    );
    check!(
        |a: &Vec<f64>| by_columns(a, N),
        at,
        |a: &Vec<f64>| by_columns::grad(a, N),
        |a: &Vec<f64>| by_columns::vjp(a, N).1(1.0),
        |a: &Vec<f64>, v: &Vec<f64>| by_columns::jvp(a, N, v).1,
        |a: &Vec<f64>, v: &Vec<f64>| by_columns::hvp(a, N, v)
    );
    let at: Vec<f64> = (0..25).map(|k| ((k * k + 3) as f64).sin()).collect();
    check!(
        |a: &Vec<f64>| elimination(&square(a)),
        at,
        |a: &Vec<f64>| elimination::grad(&square(a)).concat(),
        |a: &Vec<f64>| elimination::vjp(&square(a)).1(1.0).concat(),
        |a: &Vec<f64>, v: &Vec<f64>| elimination::jvp(&square(a), &square(v)).1,
        |a: &Vec<f64>, v: &Vec<f64>| elimination::hvp(&square(a), &square(v)).concat()
    );
}

#[test]
fn triangular_systems() {
    let at: Vec<f64> = positive::<5>().concat().into_iter().chain([0.3, -0.8, 0.5, 1.1, -0.2]).collect();
    let both = |(l, b): (Vec<f64>, Vec<f64>)| [l, b].concat();
    check!(
        |a: &Vec<f64>| substitution(&a[..25], &a[25..]),
        at,
        |a: &Vec<f64>| both(substitution::grad(&a[..25], &a[25..])),
        |a: &Vec<f64>| both(substitution::vjp(&a[..25], &a[25..]).1(1.0)),
        |a: &Vec<f64>, v: &Vec<f64>| substitution::jvp(&a[..25], &a[25..], &v[..25], &v[25..]).1,
        |a: &Vec<f64>, v: &Vec<f64>| both(substitution::hvp(&a[..25], &a[25..], &v[..25], &v[25..]))
    );
}

#[test]
fn tables() {
    let at = vec![0.3, -0.8, 0.5, 1.1, -0.2, 0.4, 0.9];
    let both = |(x, y): (Vec<f64>, Vec<f64>)| [x, y].concat();
    check!(
        |a: &Vec<f64>| warping(&a[..4], &a[4..]),
        at,
        |a: &Vec<f64>| both(warping::grad(&a[..4], &a[4..])),
        |a: &Vec<f64>| both(warping::vjp(&a[..4], &a[4..]).1(1.0)),
        |a: &Vec<f64>, v: &Vec<f64>| warping::jvp(&a[..4], &a[4..], &v[..4], &v[4..]).1,
        |a: &Vec<f64>, v: &Vec<f64>| both(warping::hvp(&a[..4], &a[4..], &v[..4], &v[4..]))
    );
    let at = vec![0.3, -0.8, 0.5, 0.2];
    let parts = |a: &[f64]| ([a[0], a[1], a[2]], a[3]);
    let whole = |((s, r), n): (([f64; 3], f64), usize)| [s.to_vec(), vec![r; n]].concat();
    check!(
        |a: &Vec<f64>| trajectory(&parts(a).0, a[3], 6),
        at,
        |a: &Vec<f64>| whole((trajectory::grad(&parts(a).0, a[3], 6), 1)),
        |a: &Vec<f64>| whole((trajectory::vjp(&parts(a).0, a[3], 6).1(1.0), 1)),
        |a: &Vec<f64>, v: &Vec<f64>| trajectory::jvp(&parts(a).0, a[3], 6, &parts(v).0, v[3]).1,
        |a: &Vec<f64>, v: &Vec<f64>| whole((trajectory::hvp(&parts(a).0, a[3], 6, &parts(v).0, v[3]), 1))
    );
}

#[test]
fn loops_of_unknown_length() {
    let at: Vec<f64> = (0..20).map(|k| ((k * k + 1) as f64).cos()).collect();
    let array = |a: &[f64]| -> [f64; 20] { std::array::from_fn(|k| a[k]) };
    check!(
        |a: &Vec<f64>| relaxation(&array(a)),
        at,
        |a: &Vec<f64>| relaxation::grad(&array(a)).to_vec(),
        |a: &Vec<f64>| relaxation::vjp(&array(a)).1(1.0).to_vec(),
        |a: &Vec<f64>, v: &Vec<f64>| relaxation::jvp(&array(a), &array(v)).1,
        |a: &Vec<f64>, v: &Vec<f64>| relaxation::hvp(&array(a), &array(v)).to_vec()
    );
}

/// A matrix or two for the whole of it, not one for each row or element.
#[test]
fn memory_for_what_changes() {
    const MATRIX: usize = 16 * 16 * 8;
    const { assert!(<by_rows<16> as DifferentiableFn>::RESIDUAL_BYTES <= 6 * MATRIX) }
}
