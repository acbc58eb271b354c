//! Hessians of functions that call others: several columns at once, by tangents of both sweeps in several directions, and the
//! patterns that follow from them. All against the columns that `hvp` gives.

use autodiff::prelude::*;
use autodiff::{Sparsity, derivative};

#[differentiable]
fn square(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += (a[i] - b[i]).powi(2) * (1.0 + a[i]);
    }
    sum
}

/// Parts of a slice, some of them twice.
#[differentiable(order = 2)]
fn parts(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() / 3 - 1 {
        let s = square(&x[3 * i..3 * i + 2], &x[3 * i + 1..3 * i + 3]);
        sum += s * x[3 * i + 4] + s.sqrt();
    }
    sum
}

/// Data stand for one of the arguments.
#[differentiable(wrt(x), order = 2)]
fn with_data(x: &[f64], data: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() / 2 {
        sum += square(&data[0..2], &x[2 * i..2 * i + 2]).ln_1p() + square(&x[0..2], &data[2..4]);
    }
    sum
}

/// Arrays of data, a row and a whole, where the callee takes slices.
#[differentiable(wrt(x), order = 2)]
fn with_rows(x: &[[f64; 4]], data: &[[f64; 4]], last: &[f64; 4]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += square(&data[i], &x[i]).sin() + square(last, &x[i]) * square(&x[i], last);
    }
    sum
}

/// An array and a number in, an array out.
#[differentiable]
fn turned(x: &[f64; 3], angle: f64) -> [f64; 3] {
    let (s, c) = (angle.sin(), angle.cos().powi(1));
    [c * x[0] - s * x[1], s * x[0] + c * x[1], x[2] * angle.powi(2)]
}

#[differentiable(order = 2)]
fn arm(angles: &[f64; 12]) -> f64 {
    let (mut end, mut sum) = ([1.0, 0.5, 0.25], 0.0);
    for angle in angles {
        end = turned(&end, *angle);
        end[0] += 1.0;
        sum += end[0] * end[1] - end[2];
    }
    sum + end[1] * end[1]
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Body {
    at: [f64; 2],
    mass: f64,
    count: usize,
}

#[differentiable]
fn energy(a: &Body, b: &Body) -> (f64, f64) {
    let (x, y) = (a.at[0] - b.at[0], a.at[1] - b.at[1]);
    let r = (x.powi(2) + y.powi(2) + 0.1 * a.count as f64).sqrt();
    (a.mass * b.mass / r, r)
}

/// Structs that are put together here, and a tuple.
#[differentiable(order = 2)]
fn bodies(x: &[f64; 18]) -> f64 {
    let body = |i: usize| Body { at: [x[3 * i], x[3 * i + 1]], mass: x[3 * i + 2].exp(), count: i + 1 };
    let mut sum = 0.0;
    for i in 0..6 {
        for j in 0..i {
            let (e, r) = energy(&body(i), &body(j));
            sum -= e * r.ln_1p();
        }
    }
    sum
}

/// The elements of a slice of structs.
#[differentiable]
fn list(x: &[Body]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let (e, r) = energy(&x[i], &x[i - 1]);
        sum += e + r * r * x[i].mass;
    }
    sum
}

/// A function of a function, which calls itself.
#[differentiable]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) + 0.1 * x.sin().powi(2) }
}

#[differentiable(order = 2)]
fn powers(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += power(x[i], n) * power(x[(i + 1) % x.len()], 1);
    }
    sum
}

/// Several levels, with branches and an early return.
#[differentiable]
fn hinge(x: &[f64], at: usize) -> f64 {
    if x[at] < 0.0 {
        return 0.1 * x[at].powi(3);
    }
    square(&x[at..at + 2], &x[at + 1..at + 3]) * x[at]
}

#[differentiable(order = 2)]
fn levels(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 2 {
        if i % 2 == 0 {
            sum += hinge(x, i).tanh();
        } else {
            sum *= 1.0 + hinge(x, i) * 0.1;
        }
    }
    sum
}

/// A kernel, which has no lanes.
#[differentiable]
fn layer(w: &Tensor2<f64, 4, 4>, x: &Tensor2<f64, 1, 4>) -> Tensor2<f64, 1, 4> {
    x.matmul(w).tanh()
}

#[differentiable]
fn network(w: &Tensor2<f64, 4, 4>) -> f64 {
    let x = layer(w, &Tensor2::from([[0.5, -1.0, 0.3, 2.0]]));
    let y = layer(w, &x);
    (y * y).sum() + x.sum()
}

/// A list out.
#[differentiable]
fn differences(x: &[f64]) -> Vec<f64> {
    let mut all = Vec::new();
    for i in 1..x.len() {
        all.push((x[i] - x[i - 1]).powi(2) * x[i]);
    }
    all
}

#[differentiable(order = 2)]
fn rough(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for d in differences(x) {
        sum += d.sin() * d;
    }
    sum
}

/// A parameter that is a function.
#[differentiable(order = 2)]
fn both<F: Callable<(f64, f64), Output = f64>>(x: &[f64; 20]) -> f64 {
    let mut sum = 0.0;
    for i in 1..20 {
        sum += F::call(x[i], x[i - 1]) * x[i];
    }
    sum
}

#[differentiable(order = 2)]
fn wave(x: f64, y: f64) -> f64 {
    (x * y).sin().powi(2) + x
}

/// A rule of its own.
fn softened(x: f64) -> f64 {
    (x * x + 1.0).sqrt()
}

#[derivative(of = softened, order = 2)]
fn softened_rule(x: f64, y_bar: f64) -> f64 {
    y_bar * x / (x * x + 1.0).sqrt()
}

#[differentiable(order = 2)]
fn soft(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += softened(x[i] - x[i - 1]) * x[i];
    }
    sum
}

/// A method, generic in the size and in the number.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Line<T: Real, const N: usize> {
    slope: [T; N],
}

#[differentiable]
impl<T: Real, const N: usize> Line<T, N> {
    fn at(&self, x: T) -> T {
        let mut y = T::ZERO;
        for i in 0..N {
            y = y * x + self.slope[i].powi(2);
        }
        y
    }
}

#[differentiable]
fn fit(slope: &[f32; 18]) -> f32 {
    let line = Line { slope: *slope };
    let mut sum = 0.0;
    for i in 0..5 {
        let r = line.at(0.2 * i as f32) - 0.5;
        sum += r * r;
    }
    sum
}

/// What is changed in a call keeps the columns apart.
#[differentiable]
fn fill(x: &[f64; 20], out: &mut [f64; 20]) {
    for i in 0..20 {
        out[i] *= x[i].powi(2);
    }
}

#[differentiable(order = 2)]
fn filled(x: &[f64; 20]) -> f64 {
    let mut out = *x;
    fill(x, &mut out);
    let mut sum = 0.0;
    for i in 1..20 {
        sum += out[i] * out[i - 1];
    }
    sum
}

/// Each number has a term of its own.
#[differentiable(wrt(x), order = 2)]
fn apart(x: &[f64], data: &[[f64; 2]]) -> f64 {
    let mut sum = 0.0;
    for (x, data) in x.iter().zip(data) {
        sum += wave(*x, data[0]) * data[1];
    }
    sum
}

fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 7 + seed * 13) as f64 * 0.37).sin() + 0.2).collect()
}

fn array<const N: usize>(seed: usize) -> [f64; N] {
    numbers(N, seed).try_into().unwrap()
}

fn assert_near(name: &str, got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len(), "{name}");
    for (k, (a, b)) in got.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{name}, {k}: {a} instead of {b}");
    }
}

/// The Hessian and its diagonal, with the columns that products with unit vectors give.
fn assert_hessian(name: &str, columns: &[Vec<f64>], (hessian, diagonal): (Vec<f64>, Vec<f64>)) {
    let n = columns.len();
    assert!(columns.iter().flatten().any(|d| *d != 0.0), "{name} has no Hessian");
    let rows: Vec<f64> = (0..n * n).map(|k| columns[k % n][k / n]).collect();
    assert_near(name, &hessian, &rows, 1e-12);
    assert_near(name, &diagonal, &(0..n).map(|k| columns[k][k]).collect::<Vec<_>>(), 1e-12);
}

/// The same by a pattern, which may have zeros in it.
fn assert_sparse(name: &str, columns: &[Vec<f64>], pattern: &Sparsity, values: &[f64]) {
    for (column, of_column) in columns.iter().enumerate() {
        for (row, expected) in of_column.iter().enumerate() {
            let got = pattern.place(row, column).map_or(0.0, |place| values[place]);
            assert_near(name, &[got], &[*expected], 1e-12);
        }
    }
}

/// Of a function of an array or a slice, and of data. `from` makes a tangent of numbers.
macro_rules! check {
    ($f:ident, $x:expr, $from:expr $(, $arg:expr)*; dense) => {{
        let (x, n) = ($x, $x.len());
        let unit = |k: usize| $from((0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect::<Vec<f64>>());
        let columns: Vec<Vec<f64>> = (0..n).map(|k| $f::hvp(&x $(, $arg)*, &unit(k)).to_vec()).collect();
        let hessian = $f::hessian(&x $(, $arg)*).iter().flatten().copied().collect::<Vec<f64>>();
        let diagonal = $f::hessian_diagonal(&x $(, $arg)*).to_vec();
        assert_hessian(stringify!($f), &columns, (hessian, diagonal));
        columns
    }};
    ($f:ident, $x:expr, $others:expr, $from:expr $(, $arg:expr)*; sparse) => {{
        let columns = check!($f, $x, $from $(, $arg)*; dense);
        // The pattern is that of any numbers.
        let (x, other) = ($x, $others);
        let pattern = $f::hessian_sparsity(&other $(, $arg)*);
        assert_eq!($f::hessian_sparsity(&x $(, $arg)*), pattern, "{}", stringify!($f));
        let mut values = vec![f64::NAN; pattern.len()];
        $f::hessian_sparse(&x $(, $arg)*, &pattern, &mut values);
        assert_sparse(stringify!($f), &columns, &pattern, &values);
        pattern
    }};
}

fn list_of<const N: usize>(x: Vec<f64>) -> [f64; N] {
    x.try_into().unwrap()
}

fn whole(x: Vec<f64>) -> Vec<f64> {
    x
}

#[test]
fn slices() {
    for seed in 0..4 {
        let x = |n: usize| numbers(n, seed);
        let pattern = check!(parts, x(24), numbers(24, 8), whole; sparse);
        assert!(pattern.len() < 24 * 7, "{} entries", pattern.len());
        check!(with_data, x(20), numbers(20, 8), whole, &numbers(4, 9); sparse);
        check!(rough, x(21), whole; dense);
        let pattern = check!(powers, x(19), numbers(19, 8), whole, 3; sparse);
        assert_eq!(pattern.len(), 19 * 3);
        check!(levels, x(22), numbers(22, 8), whole; sparse);
        check!(soft, x(20), numbers(20, 8), whole; sparse);
        let data: Vec<[f64; 2]> = (0..20).map(|i| [i as f64 * 0.1, 1.0]).collect();
        let pattern = check!(apart, x(20), numbers(20, 8), whole, &data; sparse);
        assert_eq!(pattern.len(), 20);
    }
}

#[test]
fn arrays() {
    for seed in 0..4 {
        check!(arm, array::<12>(seed), array::<12>(8), list_of::<12>; sparse);
        check!(bodies, array::<18>(seed), array::<18>(8), list_of::<18>; sparse);
        check!(filled, array::<20>(seed), list_of::<20>; dense);
    }
}

#[test]
fn functions_of_a_parameter() {
    type Waves = both<wave>;
    let x = array::<20>(3);
    let column = |k: usize| Waves::hvp(&x, &std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 })).to_vec();
    let columns: Vec<Vec<f64>> = (0..20).map(column).collect();
    assert_hessian("both", &columns, (Waves::hessian(&x).concat(), Waves::hessian_diagonal(&x).to_vec()));
}

#[test]
fn tensors() {
    let w = Tensor2::from([[0.3, -0.2, 0.5, 0.1], [0.7, 0.4, -0.6, 0.2], [-0.1, 0.8, 0.2, -0.9], [0.5, 0.1, 0.3, 0.4]]);
    let columns: Vec<Vec<f64>> = (0..16)
        .map(|k| {
            let mut unit = [[0.0; 4]; 4];
            unit[k / 4][k % 4] = 1.0;
            network::hvp(&w, &Tensor2::from(unit)).as_slice().to_vec()
        })
        .collect();
    let hessian = network::hessian(&w).as_flattened().to_vec();
    assert_hessian("network", &columns, (hessian, network::hessian_diagonal(&w).as_slice().to_vec()));
}

#[test]
fn structs() {
    let numbers = numbers(21, 2);
    let body = |x: &[f64], i: usize| Body { at: [x[0], x[1]], mass: x[2], count: i };
    let bodies: Vec<Body> = numbers.chunks(3).enumerate().map(|(i, x)| body(x, i + 1)).collect();
    let flat = |all: &[<Body as Differentiable>::Tangent]| -> Vec<f64> {
        all.iter().flat_map(|body| [body.at[0], body.at[1], body.mass]).collect()
    };
    let columns: Vec<Vec<f64>> = (0..21)
        .map(|k| {
            let mut unit: Vec<_> = bodies.iter().map(Differentiable::zero_tangent).collect();
            match k % 3 {
                2 => unit[k / 3].mass = 1.0,
                part => unit[k / 3].at[part] = 1.0,
            }
            flat(&list::hvp(&bodies, &unit))
        })
        .collect();
    assert_hessian("list", &columns, (list::hessian(&bodies).concat(), flat(&list::hessian_diagonal(&bodies))));
    let pattern = list::hessian_sparsity(&bodies);
    let mut values = vec![f64::NAN; pattern.len()];
    list::hessian_sparse(&bodies, &pattern, &mut values);
    assert_sparse("list", &columns, &pattern, &values);
    assert!(pattern.len() <= 9 * (7 + 12));
}

#[test]
fn rows() {
    let rows = |n: usize, seed: usize| numbers(4 * n, seed).as_chunks::<4>().0.to_vec();
    let (x, data, last) = (rows(5, 1), rows(5, 2), [0.1, 0.2, -0.3, 0.4]);
    let flat = |x: &[[f64; 4]]| x.as_flattened().to_vec();
    let columns: Vec<Vec<f64>> = (0..20)
        .map(|k| {
            let mut unit = vec![[0.0; 4]; 5];
            unit[k / 4][k % 4] = 1.0;
            flat(&with_rows::hvp(&x, &data, &last, &unit))
        })
        .collect();
    let hessian = with_rows::hessian(&x, &data, &last).concat();
    assert_hessian("with_rows", &columns, (hessian, flat(&with_rows::hessian_diagonal(&x, &data, &last))));
    let pattern = with_rows::hessian_sparsity(&x, &data, &last);
    assert_eq!(pattern.len(), 20 * 4);
}

#[test]
fn methods_in_f32() {
    let slope: [f32; 18] = std::array::from_fn(|i| (i as f32 * 0.7).sin());
    let hessian = fit::hessian(&slope);
    for k in 0..18 {
        let column = fit::hvp(&slope, &std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 }));
        for i in 0..18 {
            assert!((hessian[i][k] - column[i]).abs() <= 1e-5 * (1.0 + column[i].abs()), "{i}, {k}");
        }
    }
}
