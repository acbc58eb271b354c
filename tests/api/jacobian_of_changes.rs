//! Jacobians of functions whose callees change what they are lent: the tangents of that go in and come out leaf by leaf, in
//! several directions (Note [Wide by others] in the compiler).

use super::sparse::assert_same;
use autodiff::Differentiable;
use autodiff::prelude::*;

#[differentiable]
fn fill(x: &[f64], out: &mut [f64]) {
    for i in 0..out.len() {
        out[i] = x[i].sin() * x[(i + 1) % x.len()];
    }
}

#[differentiable]
fn slices(x: &[f64; 5]) -> [f64; 4] {
    let mut out = [0.0; 4];
    fill(x, &mut out);
    out[0] *= out[1];
    out
}

#[differentiable]
fn add_to(total: &mut f64, x: f64, w: f64) -> f64 {
    *total += x * x * w;
    *total * x
}

#[differentiable]
fn numbers(x: &[f64; 4]) -> Vec<f64> {
    let mut total = x[0];
    let mut all = vec![0.0; 4];
    for i in 0..4 {
        all[i] = add_to(&mut total, x[i], x[(i + 1) % 4]) + total;
    }
    all
}

#[differentiable]
fn rotate(p: &mut [f64; 3], angle: f64) {
    let (s, c) = angle.sin_cos();
    let (a, b) = (p[0], p[1]);
    p[0] = c * a - s * b;
    p[1] = s * a + c * b;
}

#[differentiable]
fn rows(x: &[[f64; 3]; 3], angle: f64) -> Vec<[f64; 3]> {
    let mut all = x.to_vec();
    for i in 0..3 {
        rotate(&mut all[i], angle * x[i][2]);
    }
    turn_all(&mut all, x[0][0]);
    all
}

#[differentiable]
fn turn_all(all: &mut [[f64; 3]], by: f64) {
    for row in all.iter_mut() {
        for k in 0..3 {
            row[k] += by * row[(k + 1) % 3];
        }
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct State {
    at: [f64; 2],
    v: f64,
    steps: usize,
    inner: Inner,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Inner {
    gain: f64,
    bias: [f64; 2],
}

#[differentiable]
fn advance(s: &mut State, dt: f64) -> f64 {
    s.at[0] += s.v * dt;
    s.at[1] -= s.v * s.at[0] * dt + s.inner.bias[1];
    s.v *= 1.0 - s.inner.gain * dt;
    s.steps += 1;
    s.inner.bias[0] += s.v;
    s.at[1]
}

#[differentiable]
fn states(x: &[f64; 6], dt: f64) -> [f64; 5] {
    let mut s = State { at: [x[0], x[1]], v: x[2], steps: 0, inner: Inner { gain: x[3], bias: [x[4], x[5]] } };
    let mut y = 0.0;
    while s.steps < 4 {
        y += advance(&mut s, dt);
    }
    [s.at[0], s.at[1], s.v, s.inner.bias[0], y]
}

#[differentiable]
fn parts(x: &[f64; 6]) -> Vec<f64> {
    let mut out = vec![0.0; 6];
    fill(&x[..3], &mut out[..2]);
    fill(&x[2..], &mut out[3..5]);
    fill(x, &mut out[2..4]);
    out
}
/// A number decides whether the callee runs.
#[differentiable]
fn parts_by_number(x: &[f64; 6]) -> Vec<f64> {
    let mut out = vec![x[2]; 6];
    if x[0] > 0.5 {
        fill(x, &mut out[2..4]);
    }
    out
}

#[differentiable]
fn split(x: &[f64; 6]) -> [f64; 6] {
    let mut out = *x;
    let (a, b) = out.split_at_mut(2);
    fill(x, a);
    scale(b, x[1]);
    out
}

#[differentiable]
fn scale(out: &mut [f64], by: f64) {
    for v in out.iter_mut() {
        *v *= by;
    }
}

// A callee with a kernel in it: no body in several directions.
#[differentiable]
fn solve_into(a: &[f64; 4], b: &mut [f64; 2], count: &mut usize) -> f64 {
    let m = nalgebra::Matrix2::new(a[0], a[1], a[2], a[3]);
    let x = m.lu().solve(&nalgebra::Vector2::new(b[0], b[1])).unwrap();
    b[0] = x[0];
    b[1] += x[1];
    *count += 1;
    m.determinant() * x[0]
}

#[differentiable]
fn kernels(x: &[f64; 6]) -> [f64; 4] {
    let mut b = [x[4], x[5]];
    let mut count = 0;
    let y = solve_into(&[x[0], x[1], x[2], x[3]], &mut b, &mut count);
    let z = solve_into(&[x[0], x[1], x[2], x[5]], &mut b, &mut count);
    [b[0], b[1], y + count as f64, z]
}

#[derive(Differentiable, Clone, Debug)]
struct System {
    b: [f64; 2],
    calls: usize,
    last: f64,
}

#[differentiable]
fn solve_struct(s: &mut System, a: &[f64], total: &mut f64, log: &mut [f64]) -> f64 {
    let m = nalgebra::Matrix2::new(a[0], a[1], a[2], a[3]);
    let x = m.lu().solve(&nalgebra::Vector2::new(s.b[0], s.b[1])).unwrap();
    s.b[0] += x[0];
    s.b[1] *= x[1];
    s.last = s.b[0];
    log[s.calls] += x[0] * *total;
    s.calls += 1;
    *total += m.determinant();
    *total * x[0]
}

#[differentiable]
fn kernel_of_structs(x: &[f64]) -> Vec<f64> {
    let mut s = System { b: [x[4], x[5]], calls: 0, last: x[0] };
    let mut total = x[1];
    let mut log = vec![x[2]; 3];
    let mut out = vec![0.0; x.len()];
    for i in 0..3 {
        out[i] = solve_struct(&mut s, &x[..4], &mut total, &mut log) + s.calls as f64 * x[5];
    }
    out[3] = s.b[0] + s.last;
    out[4] = s.b[1] * total;
    out[5] = log[1] + log[2] * log[0];
    out
}

#[differentiable]
fn solve_slice(a: &[f64], b: &mut [f64]) {
    let m = nalgebra::DMatrix::from_row_slice(2, 2, a);
    let x = m.lu().solve(&nalgebra::DVector::from_row_slice(b)).unwrap();
    for i in 0..2 {
        b[i] = x[i] + b[i] * a[i];
    }
}

#[differentiable]
fn kernel_of_slices(x: &[f64; 6]) -> Vec<f64> {
    let mut b = vec![x[4], x[5], x[0]];
    solve_slice(&x[..4], &mut b[..2]);
    solve_slice(&x[1..5], &mut b[1..]);
    b
}

#[differentiable]
fn outer(out: &mut [f64], x: &[f64], scale_by: &mut f64) {
    fill(x, out);
    scale(out, *scale_by);
    *scale_by *= out[0];
}

#[differentiable]
fn nested(x: &[f64; 4]) -> [f64; 4] {
    let mut out = [0.0; 3];
    let mut by = x[3];
    outer(&mut out, x, &mut by);
    outer(&mut out, x, &mut by);
    [out[0], out[1], out[2], by]
}

#[differentiable]
fn halves(x: &mut [f64], by: f64) {
    if x.len() > 1 {
        let mid = x.len() / 2;
        let (a, b) = x.split_at_mut(mid);
        halves(a, by * 0.5);
        halves(b, by * b[0]);
    } else {
        x[0] *= by;
    }
}

#[differentiable]
fn recursive(x: &[f64; 5]) -> [f64; 5] {
    let mut y = *x;
    halves(&mut y, x[0]);
    y
}

#[differentiable]
fn apply<F: Fn(&[f64; 3], &mut [f64; 2])>(f: F, x: &[f64; 3]) -> [f64; 3] {
    let mut out = [x[0], x[1]];
    f(x, &mut out);
    [out[0], out[1], x[2] * out[0]]
}

#[differentiable]
fn two(x: &[f64; 3], out: &mut [f64; 2]) {
    out[0] += x[0] * x[1];
    out[1] *= x[2];
}

#[differentiable]
fn handed(x: &[f64; 3]) -> [f64; 3] {
    apply(two, x)
}

#[differentiable]
fn single(x: &[f32; 3]) -> [f32; 3] {
    let mut y = *x;
    square(&mut y, x[1]);
    y
}

#[differentiable]
fn square<T: Real, const N: usize>(y: &mut [T; N], by: T) {
    for i in 0..N {
        y[i] = y[i] * y[i] * by;
    }
}

#[differentiable]
fn generic(x: &[f64; 3]) -> [f64; 3] {
    let mut y = *x;
    square(&mut y, x[1]);
    y
}

#[derive(Differentiable, Clone, Debug)]
struct Body {
    x: f64,
    v: [f64; 2],
}

#[differentiable]
impl Body {
    fn push(&mut self, f: f64) {
        self.v[0] += f * self.x;
        self.x += self.v[0] * self.v[1];
    }
}

#[differentiable]
fn methods(f: &[f64; 4]) -> [f64; 3] {
    let mut b = Body { x: f[0], v: [f[1], 1.0] };
    for i in 0..4 {
        b.push(f[i]);
    }
    [b.x, b.v[0], b.v[1]]
}

#[differentiable]
fn state_of_bodies(f: &[f64; 4]) -> [f64; 3] {
    let mut all = [Body { x: f[0], v: [f[1], 1.0] }, Body { x: f[2], v: [0.5, f[3]] }];
    for i in 0..4 {
        all[i % 2].push(f[i]);
    }
    [all[0].x, all[1].v[0], all[1].x]
}

#[differentiable]
fn of_vectors(x: &[f64; 6]) -> [f64; 6] {
    let mut p = nalgebra::Vector3::new(x[0], x[1], x[2]);
    let mut m = nalgebra::Matrix2::new(x[0], x[3], x[4], x[5]);
    kick(&mut p, x[5]);
    kick2(&mut m, x[1]);
    [p[0], p[1], p[2], m[(0, 0)], m[(0, 1)], m[(1, 0)]]
}

#[differentiable]
fn kick(p: &mut nalgebra::Vector3<f64>, by: f64) {
    p[1] += by * p[0];
    *p *= by;
}

#[differentiable]
fn kick2(p: &mut nalgebra::Matrix2<f64>, by: f64) {
    p[(0, 1)] += by * p[(0, 0)];
    *p *= by;
}

#[differentiable]
fn windows_of(x: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; x.len() - 1];
    windows(x, &mut out);
    out
}

#[differentiable]
fn windows(x: &[f64], out: &mut [f64]) {
    for i in 0..out.len() {
        out[i] = x[i] * x[i + 1].sin();
    }
}

#[differentiable]
fn points(x: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; x.len() / 2 * 3];
    for i in 0..x.len() / 2 {
        point(&x[2 * i..2 * i + 2], &mut out[3 * i..3 * i + 3]);
    }
    out
}

#[differentiable]
fn point(x: &[f64], out: &mut [f64]) {
    out[0] = x[0] * x[1];
    out[1] = x[0].exp();
    out[2] += x[1] * x[1];
}

/// The Jacobian against one direction after the other, and several directions against the Jacobian.
macro_rules! check {
    ($f:ident, $x:expr) => {{
        let x = $x;
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for column in 0..x.len() {
            let mut direction = x.map(|_| 0.0);
            direction[column] = 1.0;
            columns.push($f::jvp(&x, &direction).1.iter().map(|number| f64::from(*number)).collect());
        }
        let (y, rows) = $f::value_and_jacobian(&x);
        // A determinant of nalgebra's may round otherwise.
        assert!(y.iter().zip($f(&x).iter()).all(|(a, b)| (a - b).abs() < 1e-14), "{}", stringify!($f));
        assert_eq!(rows.len(), columns[0].len());
        for (k, row) in rows.iter().enumerate() {
            for (derivative, column) in row.iter().zip(&columns) {
                let (derivative, expected) = (f64::from(*derivative), column[k]);
                let error = (derivative - expected).abs() / expected.abs().max(1.0);
                assert!(error < 1e-12, "{} {k}: {derivative} {expected}", stringify!($f));
            }
        }
        let directions = [x.map(|number| 0.5 - number), x.map(|number| number * number)];
        let (y, tangents) = $f::jvp_many(&x, &directions);
        assert_eq!(y.len(), tangents[0].len());
        for (direction, tangent) in directions.iter().zip(&tangents) {
            for (row, t) in rows.iter().zip(tangent.iter()) {
                let expected: f64 = row.iter().zip(direction).map(|(d, t)| f64::from(d * t)).sum();
                assert!((f64::from(*t) - expected).abs() < 1e-10, "{}", stringify!($f));
            }
        }
        rows
    }};
}

/// The same with a pattern, which only a function has whose tangents have a body in several directions.
macro_rules! check_with_pattern {
    ($f:ident, $x:expr) => {{
        let (x, rows) = ($x, check!($f, $x));
        let pattern = $f::sparsity(&x);
        let mut values = vec![f64::NAN; pattern.len()];
        $f::jacobian_sparse(&x, &pattern, &mut values);
        assert_same(&pattern, &values, &rows.concat());
        pattern
    }};
}

const X: [f64; 6] = [0.7, 0.3, -0.4, 0.9, 1.2, 0.5];

fn first<const N: usize>() -> [f64; N] {
    std::array::from_fn(|k| X[k])
}

#[test]
fn slices_and_numbers() {
    check_with_pattern!(slices, first::<5>());
    check_with_pattern!(numbers, first::<4>());
    check_with_pattern!(nested, first::<4>());
}

/// Parts of arrays, one of which is lent twice.
#[test]
fn parts_of_arrays() {
    let pattern = check_with_pattern!(parts, X);
    assert!(pattern.len() < 36);
    check!(parts_by_number, X);
    check_with_pattern!(split, X);
    check_with_pattern!(recursive, first::<5>());
}

#[test]
fn functions_and_methods() {
    check!(handed, first::<3>());
    check_with_pattern!(generic, first::<3>());
    check_with_pattern!(methods, first::<4>());
    check_with_pattern!(state_of_bodies, first::<4>());
    check_with_pattern!(of_vectors, X);
    let f32s = single::jacobian(&[0.5, 0.25, 2.0]);
    assert_eq!(f32s, [[0.25, 0.25, 0.0], [0.0, 0.1875, 0.0], [0.0, 4.0, 1.0]]);
}

/// An integer in what changes decides how often the loop runs.
#[test]
fn structs() {
    let (rows, by_dt) = states::jacobian(&X, 0.1);
    for column in 0..7 {
        let mut direction = [0.0; 6];
        let dt = if column < 6 { 0.0 } else { 1.0 };
        if column < 6 {
            direction[column] = 1.0;
        }
        let (_, tangent) = states::jvp(&X, 0.1, &direction, dt);
        for row in 0..5 {
            let derivative = if column < 6 { rows[row][column] } else { by_dt[row] };
            assert!((derivative - tangent[row]).abs() < 1e-12);
        }
    }
}

#[test]
fn rows_of_arrays() {
    let x = [[0.1, 0.2, 0.3], [1.0, -0.5, 0.4], [0.3, 0.8, -0.9]];
    let (by_x, by_angle) = rows::jacobian(&x, 0.7);
    for column in 0..10 {
        let mut direction = x.zero_tangent();
        let angle = if column < 9 { 0.0 } else { 1.0 };
        if column < 9 {
            direction[column / 3][column % 3] = 1.0;
        }
        let (_, tangent) = rows::jvp(&x, 0.7, &direction, angle);
        for (row, expected) in tangent.as_flattened().iter().enumerate() {
            let derivative = if column < 9 { by_x[row][column] } else { by_angle[row] };
            assert!((derivative - expected).abs() < 1e-12);
        }
    }
}

/// The callee has no body in several directions: it runs once for each, and what it has changed is put back in between.
#[test]
fn callees_with_kernels() {
    check!(kernels, X);
    let pattern = check_with_pattern!(kernel_of_structs, X);
    assert_eq!(pattern.len(), 36);
    check_with_pattern!(kernel_of_slices, X);
}

/// What a callee writes has columns of its own, call by call.
#[test]
fn patterns() {
    let x: Vec<f64> = (0..8).map(|k| 0.1 + 0.2 * f64::from(k)).collect();
    let pattern = windows_of::sparsity(&x);
    assert_eq!(pattern.len(), 14);
    let mut values = vec![f64::NAN; pattern.len()];
    windows_of::jacobian_sparse(&x, &pattern, &mut values);
    assert_same(&pattern, &values, &windows_of::jacobian(&x).concat());
    let pattern = points::sparsity(&x);
    assert_eq!(pattern.len(), 16);
    let mut values = vec![f64::NAN; pattern.len()];
    points::jacobian_sparse(&x, &pattern, &mut values);
    assert_same(&pattern, &values, &points::jacobian(&x).concat());
}
