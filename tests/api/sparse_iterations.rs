//! Sparse Jacobians whose rows are computed where the numbers of the result are: see Note [Rows by iterations] in the compiler.
#![allow(unused_parens, reason = "one block or several")]

use super::sparse::{assert_same, numbers};
use autodiff::Sparsity;
use autodiff::prelude::*;

/// Dense blocks side by side, in row-major order.
trait Flat {
    fn rows(&self) -> Vec<Vec<f64>>;
}

impl Flat for Vec<Vec<f64>> {
    fn rows(&self) -> Vec<Vec<f64>> {
        self.clone()
    }
}

impl<const N: usize> Flat for Vec<[f64; N]> {
    fn rows(&self) -> Vec<Vec<f64>> {
        self.iter().map(|row| row.to_vec()).collect()
    }
}

impl Flat for Vec<f64> {
    fn rows(&self) -> Vec<Vec<f64>> {
        self.iter().map(|number| vec![*number]).collect()
    }
}

fn side_by_side(blocks: &[Vec<Vec<f64>>]) -> Vec<f64> {
    let rows = (0..blocks[0].len()).map(|row| blocks.iter().flat_map(move |block| block[row].clone()));
    rows.flatten().collect()
}

/// The values against the dense blocks, and the function against itself. It has rows by iterations, or it would not compile.
macro_rules! check {
    ($f:ident($($arg:expr),*), [$($block:pat),*] => $blocks:expr) => {{
        let _ = $f::__iterations;
        let pattern = $f::sparsity($($arg),*);
        let mut values = vec![f64::NAN; pattern.len()];
        let y = $f::value_and_jacobian_sparse($($arg,)* &pattern, &mut values);
        assert_eq!(y, $f($($arg),*));
        let dense = {
            let ($($block),*) = $f::jacobian($($arg),*);
            side_by_side(&$blocks)
        };
        assert_same(&pattern, &values, &dense);
        // A pattern of all numbers has room for all of them.
        let all = Sparsity::of_blocks(pattern.columns(), 1, vec![Some(0..pattern.columns()); pattern.rows()]);
        let mut values = vec![f64::NAN; all.len()];
        $f::jacobian_sparse($($arg,)* &all, &mut values);
        assert_same(&all, &values, &dense);
        pattern
    }};
}

// --- elements -------------------------------------------------------------------------------------------------------

/// Boundaries are branches, each with columns of its own.
#[differentiable]
fn heat(u: &[f64], k: f64) -> Vec<f64> {
    let n = u.len();
    let mut r = vec![0.0; n];
    for i in 0..n {
        r[i] = if i == 0 {
            u[0] - 1.0
        } else if i + 1 == n {
            u[n - 1] * u[n - 2]
        } else {
            k * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        };
    }
    r
}

/// Values of branches that are computed with.
#[differentiable]
fn band(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        let before = if i > 0 { x[i - 1] } else { 0.0 };
        let after = if i + 1 < n { x[i + 1] * x[i] } else { x[i] };
        y[i] = (x[i] * before).sin() + after * after;
    }
    y
}

/// The same element twice, or in any order.
#[differentiable]
fn products(x: &[f64], at: &[[usize; 2]]) -> Vec<f64> {
    at.iter().map(|[i, j]| x[*i] * x[*j] + x[*i]).collect()
}

/// Numbers without structure, as they come from other programs.
#[differentiable]
fn springs(x: &[f64], edges: &[[usize; 2]], #[no_diff] length: &[f64]) -> Vec<f64> {
    let mut r = Vec::with_capacity(2 * edges.len());
    for (e, length) in edges.iter().zip(length) {
        let [i, j] = *e;
        let mut square = 0.0;
        for k in 0..3 {
            let d = x[3 * i + k] - x[3 * j + k];
            square += d * d;
        }
        r.push(square.sqrt() - length);
        r.push(0.1 * square);
    }
    r
}

/// Branches in loops, which decide by numbers and by integers.
#[differentiable]
fn windows(x: &[f64], #[no_diff] skip: usize) -> Vec<f64> {
    let mut r = vec![0.0; x.len() - 2];
    for i in 0..x.len() - 2 {
        let mut sum = 0.0;
        for k in 0..3 {
            let v = x[i + k];
            if k != skip && v > 0.0 {
                sum += v * x[i];
            }
        }
        r[i] = if sum > 1.0 { sum.ln() } else { sum };
    }
    r
}

/// By iterators: neighbours, groups, from the end, and some of them.
#[differentiable]
fn differences(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| (w[1] - w[0]).exp() * w[0]).collect()
}

#[differentiable]
fn triples(x: &[f64]) -> Vec<f64> {
    x.chunks_exact(3).map(|c| c[0] * c[1] - c[2].sin()).collect()
}

#[differentiable]
fn backwards(x: &[f64]) -> Vec<f64> {
    let mut r = vec![0.0; x.len()];
    for (i, v) in x.iter().enumerate().rev() {
        r[x.len() - 1 - i] = v * v + x[0];
    }
    r
}

#[differentiable]
fn some(x: &[f64], #[no_diff] keep: &[bool]) -> Vec<f64> {
    let mut r = vec![];
    for (v, keep) in x.iter().zip(keep) {
        if !keep {
            continue;
        }
        r.push(v.powi(3));
    }
    r
}

#[test]
fn iterators() {
    let x = numbers(7, 13);
    check!(differences(&x), [x] => [x.rows()]);
    check!(triples(&x), [x] => [x.rows()]);
    check!(backwards(&x), [x] => [x.rows()]);
    assert_eq!(check!(some(&x, &[true, false, true, true, false, true, true]), [x] => [x.rows()]).rows(), 5);
}

#[test]
fn elements() {
    check!(windows(&numbers(9, 3), 1), [x] => [x.rows()]);
    let x = numbers(9, 1);
    assert_eq!(check!(heat(&x, 0.3), [u, k] => [u.rows(), k.rows()]).len(), 1 + 2 + 7 * 4);
    check!(band(&x), [x] => [x.rows()]);
    check!(band(&x[..1]), [x] => [x.rows()]);
    check!(products(&x, &[[0, 5], [8, 1], [3, 3], [2, 4]]), [x] => [x.rows()]);
    check!(springs(&x, &[[0, 2], [2, 1], [1, 0]], &[0.1, 0.2, 0.3]), [x] => [x.rows()]);
}

// --- parameters -----------------------------------------------------------------------------------------------------

#[derive(Clone, Copy, Differentiable)]
struct Camera {
    axis: [f64; 3],
    focal: f64,
    centre: [f64; 2],
}

#[differentiable]
fn seen(camera: &Camera, point: &[f64; 3]) -> [f64; 2] {
    let depth = point[2] + camera.axis[0] * point[0] + 4.0;
    let scale = camera.focal / depth;
    [scale * point[0] + camera.centre[0], scale * point[1] * camera.axis[1] + camera.centre[1]]
}

#[differentiable]
fn adjustment(
    cameras: &[Camera],
    points: &[[f64; 3]],
    weights: &[f64],
    seen_by: &[(usize, usize)],
    #[no_diff] at: &[[f64; 2]],
) -> Vec<[f64; 2]> {
    let seen = |i: usize| seen(&cameras[seen_by[i].0], &points[seen_by[i].1]);
    (0..seen_by.len())
        .map(|i| {
            let s = seen(i);
            [weights[i] * (s[0] - at[i][0]), weights[i] * (s[1] - at[i][1])]
        })
        .collect()
}

/// What all rows read, by index and as a whole.
#[differentiable]
fn curve(theta: &[f64; 4], shift: f64, #[no_diff] t: &[f64]) -> Vec<f64> {
    let mut r = vec![0.0; t.len()];
    for i in 0..t.len() {
        let mut power = 1.0;
        let mut sum = shift;
        for k in 0..4 {
            sum += theta[k] * power;
            power *= t[i] + shift;
        }
        r[i] = sum * theta[0].exp();
    }
    r
}

#[test]
fn parameters() {
    let n = numbers(100, 5);
    let cameras: Vec<Camera> = (0..3)
        .map(|k| Camera { axis: [n[k], n[k + 3], n[k + 6]], focal: 2.0 + n[k + 9], centre: [n[k + 12], n[k + 15]] })
        .collect();
    let points: Vec<[f64; 3]> = (0..4).map(|k| [n[k + 20], n[k + 24], n[k + 28].abs()]).collect();
    let seen_by = [(0, 1), (2, 3), (1, 1), (0, 0), (1, 2)];
    let at = [[0.1, 0.2]; 5];
    let pattern = check!(
        adjustment(&cameras, &points, &n[40..45], &seen_by, &at),
        [c, p, w] => [c.rows(), p.rows(), w.rows()]
    );
    assert_eq!(pattern.rows(), 10);
    check!(curve(&[0.1, 0.2, -0.3, 0.4], 0.5, &n[..6]), [theta, shift] => [theta.rows(), shift.rows()]);
}

// --- order ----------------------------------------------------------------------------------------------------------

/// The last one holds, and who is never set is zero.
#[differentiable]
fn replaced(x: &[f64], at: &[usize]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for i in 0..at.len() {
        y[at[i]] = x[i] * x[i] * x[at[i]];
    }
    y
}

/// Two loops, one of them over rows and columns.
#[differentiable]
fn grid(x: &[f64], #[no_diff] rows: usize, #[no_diff] columns: usize) -> Vec<f64> {
    let mut y = vec![0.0; rows * columns + rows];
    for i in 0..rows {
        for j in 0..columns {
            if i != j {
                y[i * columns + j] = x[i] * x[rows + j];
            }
        }
    }
    for i in 0..rows {
        y[rows * columns + i] = 1.0 - x[i] * x[i];
    }
    y
}

/// Equations of motion between neighbours, whose numbers are set by a loop, and two more behind.
#[differentiable]
fn motion(x: &[f64; 2], u: f64) -> [f64; 2] {
    [x[1], u - x[0].sin() - 0.1 * x[1].powi(3)]
}

#[differentiable]
fn collocation(states: &[[f64; 2]], controls: &[f64], #[no_diff] step: f64) -> Vec<f64> {
    let n = controls.len();
    let mut r = vec![0.0; 2 * n + 2];
    for k in 0..n {
        let (before, after) = (motion(&states[k], controls[k]), motion(&states[k + 1], controls[k]));
        for d in 0..2 {
            r[2 * k + d] = states[k + 1][d] - states[k][d] - 0.5 * step * (before[d] + after[d]);
        }
    }
    r[2 * n] = states[0][0] - 1.0;
    r[2 * n + 1] = states[n][1] * controls[0];
    r
}

#[test]
fn order() {
    let x = numbers(6, 7);
    let states = [[x[0], x[1]], [x[2], x[3]], [x[4], x[5]], [x[1], x[0]]];
    check!(collocation(&states, &x[..3], 0.1), [s, u] => [s.rows(), u.rows()]);
    check!(replaced(&x, &[3, 1, 3, 0, 5, 1]), [x] => [x.rows()]);
    check!(replaced(&x, &[]), [x] => [x.rows()]);
    check!(grid(&x, 3, 3), [x] => [x.rows()]);
}

// --- calls ----------------------------------------------------------------------------------------------------------

/// Too long to be taken over.
#[differentiable]
pub fn turned(axis: &[f64; 3], point: &[f64; 3], #[no_diff] steps: usize) -> [f64; 3] {
    let mut p = *point;
    for _ in 0..steps {
        let cross = [axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2], axis[0] * p[1] - axis[1] * p[0]];
        for k in 0..3 {
            p[k] += 0.1 * cross[k].sin();
        }
    }
    p
}

#[differentiable]
fn distances(axes: &[[f64; 3]], points: &[[f64; 3]], pairs: &[[usize; 2]], #[no_diff] steps: usize) -> Vec<f64> {
    let mut r = vec![0.0; pairs.len()];
    for (k, [i, j]) in pairs.iter().enumerate() {
        let p = turned(&axes[*i], &points[*j], steps);
        r[k] = (p[0] * p[0] + p[1] * p[2]) * points[*j][0];
    }
    r
}

/// What the callee is given has been computed here.
#[differentiable]
fn shifted(axes: &[[f64; 3]], points: &[[f64; 3]], #[no_diff] steps: usize) -> Vec<[f64; 3]> {
    let mut r = vec![[0.0; 3]; points.len()];
    for i in 0..points.len() {
        let p = points[i];
        r[i] = turned(&axes[i], &[p[0] - 1.0, p[1] * p[0], 2.0], steps);
    }
    r
}

/// The callee is differentiated by an axis, too, which is a constant here.
#[differentiable]
fn turned_alike(#[no_diff] axis: &[f64; 3], points: &[[f64; 3]], #[no_diff] steps: usize) -> Vec<[f64; 3]> {
    let mut r = vec![[0.0; 3]; points.len()];
    for i in 0..points.len() {
        r[i] = turned(axis, &points[points.len() - 1 - i], steps);
    }
    r
}

#[test]
fn calls() {
    let n = numbers(30, 11);
    let axes: Vec<[f64; 3]> = n[..12].as_chunks::<3>().0.to_vec();
    let points: Vec<[f64; 3]> = n[12..24].as_chunks::<3>().0.to_vec();
    check!(distances(&axes, &points, &[[0, 1], [3, 2], [1, 1]], 3), [a, p] => [a.rows(), p.rows()]);
    check!(shifted(&axes, &points, 3), [a, p] => [a.rows(), p.rows()]);
    check!(turned_alike(&axes[0], &points, 2), [p] => [p.rows()]);
}

// --- by groups --------------------------------------------------------------------------------------------------------

/// What is read in a branch of a loop has no place outside of it.
#[differentiable]
fn far(x: &[f64], at: &[usize], #[no_diff] flag: bool) -> Vec<f64> {
    let mut r = vec![0.0; x.len()];
    for i in 0..x.len() {
        let mut sum = 0.0;
        for k in 0..at.len() {
            if flag {
                sum += x[at[k]] * x[i];
            }
        }
        r[i] = sum;
    }
    r
}

/// Not all that has been computed is returned.
#[allow(clippy::manual_memcpy)]
#[differentiable]
fn partly(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let (mut r, mut out) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        r[i] = x[i] * x[i];
    }
    for i in 0..n - 1 {
        out[i] = r[i];
    }
    out
}

/// What is set in a copy is not returned.
#[differentiable]
fn copies(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut r = vec![0.0; n];
    for i in 0..n {
        r[i] = x[i].exp();
        let mut other = r.clone();
        other[i] = x[0] * x[0];
        if other[i] > 1e6 {
            other[0] = x[i];
        }
    }
    let kept = r.clone();
    r[0] = x[1] * x[1];
    kept
}

/// What is read has been set, and what has been set changes its place.
#[differentiable]
fn moved(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    y[0] = 3.0;
    let mut r = vec![0.0; x.len()];
    for i in 0..x.len() {
        r[i] = y[i] * x[i].sin();
    }
    r.swap(0, 2);
    r.reverse();
    r
}

#[test]
fn other_arrays() {
    let x = numbers(4, 3);
    let all = Sparsity::of_blocks(4, 1, vec![Some(0..4); 4]);
    let mut values = vec![f64::NAN; 16];
    assert_eq!(partly::value_and_jacobian_sparse(&x, &all, &mut values), partly(&x));
    assert_same(&all, &values, &partly::jacobian(&x).concat());
    assert_eq!(copies::value_and_jacobian_sparse(&x, &all, &mut values), copies(&x));
    assert_same(&all, &values, &copies::jacobian(&x).concat());
    assert_eq!(moved::value_and_jacobian_sparse(&x, &all, &mut values), moved(&x));
    assert_same(&all, &values, &moved::jacobian(&x).concat());
}

#[test]
fn groups() {
    let x = numbers(4, 3);
    for flag in [false, true] {
        let pattern = far::sparsity(&x, &[1, 3], flag);
        let mut values = vec![f64::NAN; pattern.len()];
        far::jacobian_sparse(&x, &[1, 3], flag, &pattern, &mut values);
        assert_same(&pattern, &values, &far::jacobian(&x, &[1, 3], flag).concat());
    }
}

// --- what goes wrong --------------------------------------------------------------------------------------------------

#[test]
#[should_panic(expected = "the pattern does not have all numbers of row 1")]
fn other_indices() {
    let x = numbers(6, 7);
    let pattern = products::sparsity(&x, &[[0, 1], [2, 3]]);
    products::jacobian_sparse(&x, &[[0, 1], [2, 4]], &pattern, &mut vec![0.0; pattern.len()]);
}

#[test]
#[should_panic(expected = "the pattern is of 2 × 6 numbers and the matrix of 1 × 6")]
fn other_rows() {
    let x = numbers(6, 7);
    let pattern = products::sparsity(&x, &[[0, 1], [2, 3]]);
    products::jacobian_sparse(&x, &[[0, 1]], &pattern, &mut vec![0.0; pattern.len()]);
}

#[test]
#[should_panic(expected = "the pattern is of 1 × 6 numbers and the matrix of 2 × 6")]
fn more_rows() {
    let x = numbers(6, 7);
    let pattern = products::sparsity(&x, &[[0, 1]]);
    products::jacobian_sparse(&x, &[[0, 1], [2, 3]], &pattern, &mut vec![0.0; pattern.len()]);
}

#[differentiable]
fn single(x: &[f32], #[no_diff] y: &[f32]) -> Vec<f32> {
    let mut r = vec![0.0; y.len()];
    for i in 0..y.len() {
        r[i] = x[i] * x[i + 1] - y[i];
    }
    r
}

#[test]
fn single_precision() {
    let _ = single::__iterations;
    let x = [1.0, 2.0, 3.0];
    let pattern = single::sparsity(&x, &[0.5, 0.5]);
    let mut values = [f32::NAN; 4];
    let r = single::value_and_jacobian_sparse(&x, &[0.5, 0.5], &pattern, &mut values);
    assert_eq!((r, values), (vec![1.5, 5.5], [2.0, 1.0, 3.0, 2.0]));
}

/// The equations of Gauss and Newton against the dense ones: observations that two parameters share, one without any, and one twice.
#[test]
fn gauss_newton() {
    #[differentiable]
    fn network(heights: &[f64], scale: f64, from: &[[usize; 2]]) -> Vec<[f64; 2]> {
        let mut r = vec![[0.0; 2]; from.len()];
        for i in 0..from.len() {
            let [a, b] = from[i];
            r[i] = [scale * (heights[a] - heights[b]) - 0.3, heights[b].sin() * heights[a]];
        }
        r
    }
    let heights: Vec<f64> = (0..7).map(|k| (f64::from(k) * 1.3).cos()).collect();
    let from = [[0, 1], [1, 2], [4, 2], [1, 0], [5, 6]];
    let pattern = network::sparsity(&heights, 0.7, &from);
    let products = pattern.of_products();
    assert_eq!((products.rows(), products.columns()), (8, 8));
    let mut h = vec![f64::NAN; products.len()];
    let g = network::gauss_newton_sparse(&heights, 0.7, &from, &pattern, &products, &mut h);
    let (((by_heights, beside), (_, by_scale)), (of_heights, of_scale)) = network::gauss_newton(&heights, 0.7, &from);
    let row = |i: usize| {
        if i < 7 { [&by_heights[i][..], &beside[i..=i]].concat() } else { [&beside[..], &[by_scale]].concat() }
    };
    let dense: Vec<f64> = (0..8).flat_map(row).collect();
    assert_same(&products, &h, &dense);
    let expected = [&of_heights[..], &[of_scale]].concat();
    assert!(g.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{g:?} {expected:?}");
    // Height 3 is nowhere.
    assert!(products.row(3).is_empty() && g[3] == 0.0);
}

#[test]
#[should_panic(expected = "`of_products` makes it")]
fn gauss_newton_with_another_pattern() {
    #[differentiable]
    fn differences(x: &[f64]) -> Vec<f64> {
        let mut r = vec![0.0; x.len() - 1];
        for i in 0..x.len() - 1 {
            r[i] = x[i + 1] - x[i];
        }
        r
    }
    let x = [1.0, 2.0, 4.0];
    let pattern = differences::sparsity(&x);
    differences::gauss_newton_sparse(&x, &pattern, &pattern, &mut vec![0.0; pattern.len()]);
}
