//! What loops inside loops keep of their iterations: calls, triangles, branches, and loops of unknown length.

#![forbid(unsafe_code)]
#![allow(missing_docs)]

use crate::common::assert_gradient;
use autodiff::DifferentiableFn;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn gate(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A recurrent network: every loop depends on the iteration before, and the innermost one calls.
#[differentiable(order = 2)]
fn recurrent(w: &[f64], state: &[f64], #[no_diff] steps: usize) -> f64 {
    let n = state.len();
    let mut h = state.to_vec();
    let mut total = 0.0;
    for t in 0..steps {
        for layer in 0..w.len() / n {
            for i in 0..n {
                let open = gate(w[layer * n + i] * h[i] + 0.1 * t as f64);
                h[i] = open * h[i] + (1.0 - open) * (h[(i + 1) % n] - w[layer * n + i]).tanh();
            }
        }
        for i in 0..n {
            total += h[i] * h[i];
        }
    }
    total
}

/// The inner loop gets shorter with every iteration of the outer one.
#[differentiable(order = 2)]
fn triangle(x: &[f64]) -> f64 {
    let mut p = 1.0;
    for i in 0..x.len() {
        for j in i + 1..x.len() {
            p = (p * x[i] + gate(x[j])).sin() + p;
        }
    }
    p
}

/// Loops of constant length, whose arrays are on the stack.
#[differentiable(order = 2)]
fn fixed(x: &[f64; 4]) -> f64 {
    let mut s = [0.1, 0.2, 0.3];
    for i in 0..4 {
        for j in 0..3 {
            if s[j] > 0.25 {
                s[j] = (s[j] * x[i]).exp() * gate(s[(j + 1) % 3]);
            } else {
                s[j] += x[i].cos();
            }
        }
    }
    s[0] * s[1] + s[2]
}

/// Newton's method in every step of a sequence.
#[differentiable(order = 2)]
fn roots(x: &[f64]) -> f64 {
    let mut y = 1.0;
    for i in 0..x.len() {
        let target = x[i] * x[i] + y;
        let mut r = y;
        while (r.exp() - target).abs() > 1e-13 {
            r -= 1.0 - target * (-r).exp();
        }
        y = r + 1.0;
    }
    y
}

/// Rows of a matrix by the row before.
#[differentiable(order = 2)]
fn rows(x: &[f64], #[no_diff] n: usize) -> f64 {
    let m = x.len();
    let mut grid = vec![vec![0.0; m]; n];
    grid[0].copy_from_slice(x);
    for i in 1..n {
        for j in 0..m {
            grid[i][j] = (grid[i - 1][j] * x[(i + j) % m]).sin() + grid[i - 1][(j + 1) % m].exp() / 8.0;
        }
    }
    let mut sum = 0.0;
    for j in 0..m {
        sum += grid[n - 1][j] * grid[n / 2][j];
    }
    sum
}

/// A sequence that grows from what it begins with.
#[differentiable(order = 2)]
fn growing(x: &[f64], #[no_diff] n: usize) -> f64 {
    let mut u = vec![x[0], x[1] * x[0]];
    for i in 0..n {
        u.push((u[i] * x[1]).sin() + u[u.len() - 1]);
    }
    u.iter().map(|v| v * v).sum::<f64>() + u[0]
}

/// The same with pairs, until it is long enough.
#[differentiable(order = 2)]
fn growing_pairs(x: &[f64], #[no_diff] n: usize) -> f64 {
    let mut path = vec![[x[0], x[1]]];
    while path.len() < n {
        let last = path[path.len() - 1];
        path.push([last[1].sin(), last[0] * x[1]]);
    }
    let mut sum = 0.0;
    for p in &path {
        sum += p[0] * p[1];
    }
    sum
}

/// By differences, by the pullback, twice by the same pullback, and the Hessian by differences of the gradient.
macro_rules! check {
    ($f:ident, $x:expr $(, $rest:expr)*) => {{
        let x: Vec<f64> = $x.to_vec();
        let (value, gradient) = $f::value_and_grad(&x $(, $rest)*);
        assert_eq!(value.to_bits(), $f(&x $(, $rest)*).to_bits());
        assert_gradient(&x, &gradient, |x| $f(x $(, $rest)*));
        let (y, pullback) = $f::vjp(&x $(, $rest)*);
        assert_eq!(y.to_bits(), value.to_bits());
        for (a, b) in pullback(1.0).iter().zip(&gradient) {
            assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{a} against {b}");
        }
        assert_eq!(pullback(2.0), pullback(2.0));
        let v: Vec<f64> = (0..x.len()).map(|k| ((k * k + 1) as f64).cos()).collect();
        let (_, slope) = $f::jvp(&x $(, $rest)*, &v);
        let along: f64 = gradient.iter().zip(&v).map(|(g, v)| g * v).sum();
        assert!((slope - along).abs() <= 1e-11 * along.abs().max(1.0), "{slope} against {along}");
        let product = $f::hvp(&x $(, $rest)*, &v);
        let at = |h: f64| {
            let x: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + h * v).collect();
            $f::grad(&x $(, $rest)*)
        };
        for ((p, a), b) in product.iter().zip(at(1e-6)).zip(at(-1e-6)) {
            let difference = (a - b) / 2e-6;
            assert!((p - difference).abs() <= 1e-6 * p.abs().max(1.0), "{p} against {difference}");
        }
    }};
}

#[test]
fn triangles() {
    check!(triangle, [0.4, -0.3, 0.9, 0.2, -0.7]);
    check!(triangle, [0.4]);
}

#[test]
fn loops_of_unknown_length() {
    check!(roots, [1.5, 1.2, 2.0]);
}

#[test]
fn sequences_that_grow() {
    check!(growing, [0.5, 1.3], 3);
    check!(growing, [0.5, 1.3], 0);
    check!(growing_pairs, [0.5, 1.3], 4);
    check!(growing_pairs, [0.5, 1.3], 1);
}

#[test]
fn rows_by_the_row_before() {
    check!(rows, [0.3, -0.8, 0.5], 4);
    check!(rows, [0.3, -0.8, 0.5], 1);
}

#[test]
fn a_recurrent_network() {
    let (w, state) = ([0.3, -0.4, 0.8, 0.1, -0.9, 0.6], [0.5, -0.2, 0.9]);
    let (value, (by_w, by_state)) = recurrent::value_and_grad(&w, &state, 4);
    // `tanh` of `Real` and of `std`.
    assert!((value - recurrent(&w, &state, 4)).abs() <= 1e-15 * value.abs());
    assert_gradient(&w.to_vec(), &by_w, |w| recurrent(w, &state, 4));
    assert_gradient(&state.to_vec(), &by_state, |state| recurrent(&w, state, 4));
    let (_, pullback) = recurrent::vjp(&w, &state, 4);
    let (a, b) = pullback(1.0);
    for (x, y) in a.iter().chain(&b).zip(by_w.iter().chain(&by_state)) {
        assert!((x - y).abs() <= 1e-12, "{x} against {y}");
    }
    let (v, u) = ([0.2, 0.5, -0.1, 0.9, 0.3, -0.6], [1.0, -0.5, 0.25]);
    let (hw, hs) = recurrent::hvp(&w, &state, 4, &v, &u);
    let at = |h: f64| {
        let w: Vec<f64> = w.iter().zip(&v).map(|(w, v)| w + h * v).collect();
        let s: Vec<f64> = state.iter().zip(&u).map(|(s, u)| s + h * u).collect();
        let (a, b) = recurrent::grad(&w, &s, 4);
        [a, b].concat()
    };
    for ((p, a), b) in hw.iter().chain(&hs).zip(at(1e-6)).zip(at(-1e-6)) {
        assert!((p - (a - b) / 2e-6).abs() <= 1e-6 * p.abs().max(1.0));
    }
}

#[test]
fn arrays_on_the_stack() {
    let x = [0.4, -0.3, 0.9, 0.2];
    let (value, gradient) = fixed::value_and_grad(&x);
    assert!((value - fixed(&x)).abs() <= 1e-15 * value.abs());
    assert_gradient(&x, &gradient, fixed);
    let (_, pullback) = fixed::vjp(&x);
    for (a, b) in pullback(1.0).iter().zip(&gradient) {
        assert!((a - b).abs() <= 1e-12);
    }
}

/// One exponential is what the reverse of `gate` cannot do without, apart from its argument.
#[test]
fn no_more_than_is_dear() {
    const { assert!(gate::RESIDUAL_BYTES <= 16) }
}
