//! Sparse Jacobians against dense ones. A pattern is found once, and has to hold for other numbers.

use autodiff::Sparsity;
use autodiff::prelude::*;

/// Numbers between -2 and 2 without a pattern.
pub(super) fn numbers(count: usize, seed: u32) -> Vec<f64> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12345);
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 22) - 2.0
    };
    (0..count).map(next).collect()
}

/// Values of a pattern are those of a dense matrix, which is 0 elsewhere.
#[track_caller]
pub(super) fn assert_same(pattern: &Sparsity, values: &[f64], dense: &[f64]) {
    assert_eq!(dense.len(), pattern.rows() * pattern.columns());
    for (k, expected) in dense.iter().enumerate() {
        let (row, column) = (k / pattern.columns(), k % pattern.columns());
        let value = pattern.place(row, column).map_or(0.0, |place| values[place]);
        assert!((value - expected).abs() <= 1e-12 * (1.0 + value.abs()), "({row}, {column}): {value}, not {expected}");
    }
}

/// A function of `$count` numbers, with other arguments behind it. `$entries` are those of the pattern.
macro_rules! check {
    ($f:ident, [$count:expr], $entries:expr $(, $other:expr)*) => {
        check!(in Vec<f64>, $f, $count, $entries $(, $other)*)
    };
    ($f:ident, $count:expr, $entries:expr $(, $other:expr)*) => {
        check!(in [f64; $count], $f, $count, $entries $(, $other)*)
    };
    (in $x:ty, $f:ident, $count:expr, $entries:expr $(, $other:expr)*) => {{
        let of = |seed| <$x>::try_from(numbers($count, seed)).unwrap();
        let mut x = of(0);
        let pattern = $f::sparsity(&x $(, $other)*);
        let mut values = vec![f64::NAN; pattern.len()];
        for seed in 1..40 {
            x = of(seed);
            let y = $f::value_and_jacobian_sparse(&x $(, $other)*, &pattern, &mut values);
            assert_eq!(flat(&y), flat(&$f(&x $(, $other)*)));
            let dense: Vec<Vec<f64>> = $f::jacobian(&x $(, $other)*).iter().map(|row| row.to_vec()).collect();
            assert_same(&pattern, &values, &dense.concat());
            assert_eq!($f::sparsity(&x $(, $other)*), pattern, "another pattern of other numbers");
        }
        assert_eq!(pattern.len(), $entries);
        pattern
    }};
}

fn flat<T: Differentiable<Scalar = f64>>(value: &T) -> Vec<f64> {
    let mut flat = vec![0.0; value.flat_len()];
    value.copy_to_flat(&mut flat);
    flat
}

// --- patterns ----------------------------------------------------------------------------------------------------

#[differentiable]
fn band(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        let mut s = x[i] * x[i];
        if i > 0 {
            s += x[i - 1].sin() * x[i];
        }
        if i + 1 < n {
            s -= 2.0 * x[i + 1];
        }
        y[i] = s;
    }
    y
}

#[differentiable]
fn fixed_band(x: &[f64; 12]) -> [f64; 11] {
    std::array::from_fn(|i| x[i + 1] * x[i + 1] - x[i])
}

#[differentiable]
fn gathered(x: &[f64], at: &[[usize; 2]]) -> Vec<f64> {
    let mut y = vec![0.0; at.len()];
    for i in 0..at.len() {
        y[i] = (x[at[i][0]] - x[at[i][1]]).powi(2);
    }
    y
}

#[differentiable]
fn scattered(x: &[f64], at: &[usize]) -> [f64; 4] {
    let mut y = [0.0; 4];
    for i in 0..at.len() {
        y[at[i]] += x[i] * x[i];
    }
    y
}

#[differentiable]
fn with_sum(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n + 1];
    for i in 0..n {
        y[i] = x[i].exp();
        y[n] += x[i] * x[i];
    }
    y
}

#[test]
fn bands_and_indices() {
    assert_eq!(check!(band, [50], 148).groups(), 3);
    assert_eq!(check!(fixed_band, 12, 22).groups(), 2);
    assert_eq!(check!(gathered, [6], 8, &[[0, 5], [1, 2], [5, 3], [2, 0]]).row(2), [3, 5]);
    let scattered = check!(scattered, [7], 7, &[0, 3, 3, 1, 0, 0, 3]);
    assert_eq!((scattered.row(0), scattered.row(2), scattered.groups()), (&[0, 4, 5][..], &[][..], 3));
    // A row of all numbers is computed by itself, in reverse.
    let with_sum = check!(with_sum, [40], 80);
    assert!(with_sum.is_by_rows());
    assert_eq!(with_sum.groups(), 2);
    // No set of few columns would do, and ranges of columns are needed.
    let x = numbers(1100, 3);
    let pattern = with_sum::sparsity(&x);
    assert_eq!((pattern.len(), pattern.row(1100).len()), (2200, 1100));
    let x = numbers(3000, 3);
    let pattern = band::sparsity(&x);
    assert_eq!((pattern.groups(), pattern.len(), pattern.row(2999)), (3, 8998, &[2998, 2999][..]));
}

#[test]
fn no_numbers_and_no_rows() {
    let pattern = band::sparsity(&[]);
    assert_eq!((pattern.rows(), pattern.columns()), (0, 0));
    band::jacobian_sparse(&[], &pattern, &mut []);
    let pattern = gathered::sparsity(&[1.0, 2.0], &[]);
    assert_eq!((pattern.rows(), pattern.columns()), (0, 2));
}

// --- decisions on numbers --------------------------------------------------------------------------------------------

#[differentiable]
fn branches(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        if x[i] > 0.0 {
            y[i] = x[i] * x[(i + 1) % n];
        } else if x[i] < -1.0 {
            y[i] = x[i];
        } else if i > 0 {
            y[i] = x[i - 1].sin();
        }
    }
    y
}

/// An element of another row is written in a branch, if there is one.
#[differentiable]
fn elsewhere(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        if i + 1 < n && x[i] > 0.5 {
            y[i + 1] += x[i] * x[i];
        } else {
            y[i] -= x[i];
        }
    }
    y
}

#[differentiable]
fn choices(x: &[f64; 6]) -> [f64; 6] {
    [
        x[0].max(x[1]),
        x[1].abs() * x[2],
        x[2].clamp(-3.0, x[3]),
        if x[3] > x[4] { x[3] } else { 2.0 * x[5] },
        x[4].min(0.1).max(x[0]),
        if x[5] > 0.3 { 1.0 } else { x[5] * x[5] },
    ]
}

/// Which elements are read depends on a number.
#[differentiable]
fn interpolated(table: &[f64; 5], at: f64) -> [f64; 2] {
    let k = (at.floor() as usize).min(3);
    let t = at - k as f64;
    [table[k] * (1.0 - t) + table[k + 1] * t, at * at]
}

/// How often a loop runs depends on numbers, of each row by itself.
#[differentiable]
fn roots(x: &[f64; 5]) -> [f64; 5] {
    let mut y = [0.0; 5];
    for i in 0..5 {
        let target = x[i] * x[i] + 1.0;
        let mut root = 1.0 + x[i] * x[(i + 1) % 5] * 0.01;
        #[max_iters(60)]
        while (root * root - target).abs() > 1e-9 {
            root = 0.5 * (root + target / root);
        }
        y[i] = root;
    }
    y
}

/// A point that is turned, as long as there is an angle.
#[differentiable]
fn turned(w: &[f64; 3], p: &[f64; 3]) -> [f64; 3] {
    let square = w[0] * w[0] + w[1] * w[1];
    let mut out = [0.0; 3];
    if square > 1.0 {
        let s = square.sqrt().sin();
        for i in 0..3 {
            out[i] = p[i] * s;
        }
        out[0] += w[2];
    } else {
        out[0] = p[0] + w[1];
        out[1] = p[1];
        out[2] = p[2] - w[0];
    }
    out
}

#[differentiable]
fn piecewise(a: f64, b: f64, steep: f64) -> f64 {
    if steep > 0.5 {
        a * steep
    } else if a > b {
        b * b
    } else {
        a
    }
}

#[differentiable]
fn calls(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len() - 2];
    for i in 0..x.len() - 2 {
        y[i] = piecewise(x[i], x[i + 1], x[i + 2]);
    }
    y
}

#[differentiable(wrt(a, b))]
fn by_flag(a: f64, b: f64, flag: bool) -> f64 {
    if flag { a.sin() } else { a * b }
}

/// The flag depends on a number, which the callee does not see.
#[differentiable]
fn calls_by_flag(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len() - 2];
    for i in 0..x.len() - 2 {
        y[i] = by_flag(x[i], x[i + 1], x[i + 2] > 0.0);
    }
    y
}

/// Sums stop where they are large enough.
#[differentiable]
fn stopped(x: &[f64]) -> [f64; 2] {
    let (mut sum, mut last) = (0.0, 0.0);
    for i in 0..x.len() {
        if sum > 1.0 {
            break;
        }
        sum += x[i] * x[i];
        if x[i] < 0.0 {
            continue;
        }
        last = x[i];
    }
    [sum, last]
}

#[differentiable]
fn sorted(x: &[f64; 4], y: &[f64; 2]) -> [f64; 4] {
    let mut x = *x;
    for k in 0..3 {
        for i in 0..3 - k {
            if x[i] > x[i + 1] {
                x.swap(i, i + 1);
            }
        }
    }
    [x[0], x[3] + y[0], y[0] * y[1], if y[1] > 0.0 { y[1] } else { y[0] }]
}

/// What a branch reads and writes is found by integers, which are there before.
#[differentiable]
fn by_table(x: &[f64], at: &[[usize; 2]]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for i in 0..at.len() {
        if x[i] > 0.25 {
            let (a, b) = (at[i][0], at[i][1]);
            y[a] += x[b] * x[i];
        }
    }
    y
}

/// Loops and arrays in branches, of each row by itself.
#[differentiable]
fn by_rows(x: &[[f64; 3]]) -> Vec<[f64; 2]> {
    let mut y = vec![[0.0; 2]; x.len()];
    for i in 0..x.len() {
        let mut large = [0.0; 3];
        let mut sum = 0.0;
        for d in 0..3 {
            if x[i][d] > sum {
                sum = x[i][d];
                large[d] = x[i][d] * x[i][0];
            } else {
                for e in 0..d {
                    large[e] += 0.5 * x[i][e];
                }
            }
        }
        if sum > 0.5 {
            y[i] = [large[0] + large[1] + large[2], sum];
        } else {
            y[i][1] = large[2];
        }
    }
    y
}

#[test]
fn loops_and_arrays_in_branches() {
    check!(stopped, [6], 12);
    let pattern = sorted::sparsity(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0]);
    assert_eq!((pattern.row(0), pattern.row(1)), (&[0, 1, 2, 3][..], &[0, 1, 2, 3, 4][..]));
    assert_eq!((pattern.row(2), pattern.row(3)), (&[4, 5][..], &[4, 5][..]));
    for seed in 0..20 {
        let (x, y): ([f64; 4], [f64; 2]) = (numbers(4, seed).try_into().unwrap(), numbers(2, seed).try_into().unwrap());
        assert_eq!(sorted::sparsity(&x, &y), pattern);
        let mut values = vec![f64::NAN; pattern.len()];
        sorted::jacobian_sparse(&x, &y, &pattern, &mut values);
        let (by_x, by_y) = sorted::jacobian(&x, &y);
        let dense: Vec<f64> = by_x.iter().zip(&by_y).flat_map(|(x, y)| [&x[..], y].concat()).collect();
        assert_same(&pattern, &values, &dense);
    }
    let pattern = check!(by_table, [5], 10, &[[3, 1], [0, 2], [3, 4], [1, 1], [1, 0]]);
    assert_eq!((pattern.row(3), pattern.row(4)), (&[0, 1, 2, 4][..], &[][..]));
    let rows = |seed| -> Vec<[f64; 3]> { numbers(12, seed).as_chunks::<3>().0.to_vec() };
    let pattern = by_rows::sparsity(&rows(0));
    assert_eq!((pattern.len(), pattern.groups()), (24, 3));
    for seed in 1..40 {
        let x = rows(seed);
        assert_eq!(by_rows::sparsity(&x), pattern);
        let mut values = vec![f64::NAN; pattern.len()];
        by_rows::jacobian_sparse(&x, &pattern, &mut values);
        assert_same(&pattern, &values, &by_rows::jacobian(&x).concat());
    }
}

#[test]
fn decisions_on_numbers() {
    check!(branches, [9], 27 - 1);
    check!(elsewhere, [9], 17);
    check!(choices, 6, 2 + 2 + 2 + 3 + 2 + 1 - 1);
    check!(roots, 5, 10);
    check!(calls, [9], 21);
    check!(calls_by_flag, [9], 14);
}

#[test]
fn decisions_in_several_parameters() {
    let pattern = interpolated::sparsity(&[1.0, 4.0, 2.0, 7.0, 5.0], 0.5);
    assert_eq!((pattern.row(0), pattern.row(1)), (&[0, 1, 2, 3, 4, 5][..], &[5][..]));
    let mut values = vec![f64::NAN; pattern.len()];
    for at in [0.25, 1.5, 2.75, 3.1] {
        let table = [1.0, 4.0, 2.0, 7.0, 5.0];
        interpolated::jacobian_sparse(&table, at, &pattern, &mut values);
        let (by_table, by_at) = interpolated::jacobian(&table, at);
        let dense: Vec<Vec<f64>> = by_table.iter().zip(by_at).map(|(row, last)| [&row[..], &[last]].concat()).collect();
        assert_same(&pattern, &values, &dense.concat());
    }
    let pattern = turned::sparsity(&[0.1, 0.2, 0.3], &[1.0, 2.0, 3.0]);
    for scale in [0.3, 1.0, 4.0] {
        let (w, p) = ([0.5 * scale, 0.7, -0.2], [0.3, -0.6, 0.9]);
        let mut values = vec![f64::NAN; pattern.len()];
        turned::jacobian_sparse(&w, &p, &pattern, &mut values);
        let (by_w, by_p) = turned::jacobian(&w, &p);
        let dense: Vec<f64> = by_w.iter().zip(&by_p).flat_map(|(w, p)| [*w, *p].concat()).collect();
        assert_same(&pattern, &values, &dense);
    }
}

// --- what is differentiated by ------------------------------------------------------------------------------------------

#[derive(Differentiable, Clone)]
struct Pose {
    at: [f64; 2],
    angle: f64,
    #[no_diff]
    _name: String,
}

/// Between poses that are given by pairs.
#[differentiable]
fn graph(poses: &[Pose], weight: &[f64], edges: &[(usize, usize)]) -> Vec<[f64; 3]> {
    let mut r = vec![[0.0; 3]; edges.len()];
    for k in 0..edges.len() {
        let (a, b) = (&poses[edges[k].0], &poses[edges[k].1]);
        let (s, c) = (a.angle.sin(), a.angle.cos());
        let (dx, dy) = (b.at[0] - a.at[0], b.at[1] - a.at[1]);
        r[k] = [weight[k] * (c * dx + s * dy), weight[k] * (c * dy - s * dx), b.angle - a.angle];
    }
    r
}

#[test]
fn structs_and_several_slices() {
    let poses: Vec<Pose> = (0..5)
        .map(|k| {
            let x = numbers(3, k);
            Pose { at: [x[0], x[1]], angle: x[2], _name: k.to_string() }
        })
        .collect();
    let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 3)];
    let weight = numbers(6, 9);
    let pattern = graph::sparsity(&poses, &weight, &edges);
    assert_eq!((pattern.rows(), pattern.columns()), (18, 21));
    // The poses come first, then the weights.
    assert_eq!(pattern.row(3 * 5), [3, 4, 5, 9, 10, 15 + 5]);
    let mut values = vec![f64::NAN; pattern.len()];
    let r = graph::value_and_jacobian_sparse(&poses, &weight, &edges, &pattern, &mut values);
    assert_eq!(r, graph(&poses, &weight, &edges));
    let (by_poses, by_weight) = graph::jacobian(&poses, &weight, &edges);
    let dense: Vec<Vec<f64>> = by_poses.iter().zip(&by_weight).map(|(p, w)| [&p[..], &w[..]].concat()).collect();
    assert_same(&pattern, &values, &dense.concat());
}

#[differentiable]
fn of_real<T: Real, const N: usize>(x: &[T; N], scale: T) -> [T; N] {
    let mut y = [T::ZERO; N];
    for i in 0..N {
        y[i] = scale * x[i].sin() * x[(i + 1) % N];
    }
    y
}

#[differentiable]
fn single(x: &[f32]) -> Vec<f32> {
    x.iter().map(|x| x * x).collect()
}

#[test]
fn other_numbers() {
    let x: [f64; 7] = numbers(7, 1).try_into().unwrap();
    let pattern = of_real::<f64, 7>::sparsity(&x, 2.0);
    assert_eq!((pattern.row(6), pattern.columns()), (&[0, 6, 7][..], 8));
    let mut values = vec![0.0; pattern.len()];
    of_real::<f64, 7>::jacobian_sparse(&x, 2.0, &pattern, &mut values);
    let (by_x, by_scale) = of_real::<f64, 7>::jacobian(&x, 2.0);
    let dense: Vec<Vec<f64>> = by_x.iter().zip(by_scale).map(|(row, last)| [&row[..], &[last]].concat()).collect();
    assert_same(&pattern, &values, &dense.concat());
    let x = [1.0_f32, 2.0, 3.0];
    let pattern = single::sparsity(&x);
    let mut values = [0.0_f32; 3];
    single::jacobian_sparse(&x, &pattern, &mut values);
    assert_eq!((pattern.groups(), values), (1, [2.0, 4.0, 6.0]));
}

#[derive(Differentiable)]
struct Chain {
    stiffness: f64,
}

#[differentiable]
impl Chain {
    fn forces(&self, x: &[f64]) -> Vec<f64> {
        (1..x.len()).map(|i| self.stiffness * (x[i] - x[i - 1]).powi(3)).collect()
    }
}

#[test]
fn methods() {
    let (chain, x) = (Chain { stiffness: 2.0 }, [0.0, 1.0, 3.0]);
    let pattern = chain.forces_sparsity(&x);
    let mut values = [0.0; 6];
    chain.forces_jacobian_sparse(&x, &pattern, &mut values);
    assert_eq!(values, [1.0, -6.0, 6.0, 8.0, -24.0, 24.0]);
}

/// How often all are halved depends on one of them.
#[differentiable]
fn halved(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    #[max_iters(20)]
    while y[0] * y[0] > 0.25 {
        for i in 0..y.len() {
            y[i] *= 0.5;
        }
    }
    y
}

#[differentiable]
fn of_halved(x: &[f64; 3]) -> [f64; 2] {
    let y = halved(x);
    [y[1], y[2] * y[2]]
}

/// A product of matrices that are not small has no pattern.
#[differentiable]
fn powers(a: &Tensor2<f64, 5, 5>, n: usize) -> Vec<f64> {
    let p = a.matmul(a);
    let mut y = vec![0.0; n];
    for i in 0..n {
        y[i] = p[[0, i % 2]];
    }
    y
}

#[differentiable]
fn of_powers(a: &Tensor2<f64, 5, 5>, b: &[f64; 2]) -> [f64; 2] {
    let y = powers(a, 3);
    [y[0] + y[2] * b[0], y[1]]
}

#[test]
fn callees_without_a_pattern_depend_on_all() {
    assert_eq!(of_halved::sparsity(&[0.1, 0.2, 0.3]).len(), 6);
    check!(of_halved, 3, 6);
    let (a, b) = (Tensor2::zeros(), [0.0, 1.0]);
    let pattern = of_powers::sparsity(&a, &b);
    let columns: Vec<usize> = (0..26).collect();
    assert_eq!((pattern.row(0), pattern.row(1)), (&columns[..], &columns[..25]));
    let mut values = vec![f64::NAN; pattern.len()];
    let (a, b) = (Tensor2::from_fn(|[i, j]| (1.3 * i as f64 + j as f64).sin()), [0.7, 1.0]);
    of_powers::jacobian_sparse(&a, &b, &pattern, &mut values);
    let (by_a, by_b) = of_powers::jacobian(&a, &b);
    let dense: Vec<f64> = by_a.iter().zip(&by_b).flat_map(|(a, b)| [&a[..], b].concat()).collect();
    assert_same(&pattern, &values, &dense);
}

// --- what goes wrong -----------------------------------------------------------------------------------------------------

/// In debug builds only, since it costs a derivative.
#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "the pattern does not have all numbers of row 0: it was found for other integers")]
fn other_indices() {
    let x = [1.0, 2.0, 3.0];
    let pattern = gathered::sparsity(&x, &[[0, 1]]);
    gathered::jacobian_sparse(&x, &[[0, 2]], &pattern, &mut [0.0; 2]);
}

#[test]
#[should_panic(expected = "the pattern is of 2 × 3 numbers and the matrix of 1 × 3")]
fn other_sizes() {
    let x = [1.0, 2.0, 3.0];
    let pattern = gathered::sparsity(&x, &[[0, 1], [1, 2]]);
    gathered::jacobian_sparse(&x, &[[0, 2]], &pattern, &mut [0.0; 4]);
}

#[test]
#[should_panic(expected = "a pattern of 4 entries has as many values, not 3")]
fn other_lengths() {
    let x = [1.0, 2.0, 3.0];
    let pattern = gathered::sparsity(&x, &[[0, 1], [1, 2]]);
    gathered::jacobian_sparse(&x, &[[0, 1], [1, 2]], &pattern, &mut [0.0; 3]);
}
