//! Arrays on the heap that loops make in every iteration.

use crate::common::assert_gradient;
use crate::counting::allocations;
use autodiff::prelude::*;

fn count(f: impl FnOnce()) -> usize {
    let before = allocations();
    f();
    allocations() - before
}

/// Two arrays in every step, which depend on each other.
#[differentiable]
fn steps(x: &[f64], steps: usize) -> f64 {
    let n = x.len();
    let mut y = x.to_vec();
    for _ in 0..steps {
        let mut slope = vec![0.0; n];
        slope[0] = y[n - 1].sin();
        for i in 1..n {
            slope[i] = y[i - 1].cos();
        }
        let mut damped = slope.clone();
        for i in 1..n {
            damped[i] -= 0.5 * slope[i - 1] * y[i];
        }
        for i in 0..n {
            y[i] += 0.1 * (slope[i] + damped[i] * x[i]);
        }
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += y[i] * y[i];
    }
    sum
}

/// The array of an iteration becomes the carried one: it is made anew.
#[differentiable]
fn replaced(x: &[f64], steps: usize) -> f64 {
    let n = x.len();
    let mut y = x.to_vec();
    for _ in 0..steps {
        let mut next = vec![0.0; n];
        for i in 0..n {
            next[i] = y[i] * y[n - 1 - i];
        }
        y = next;
    }
    y[0] + y[n / 2]
}

/// Every iteration is kept.
#[differentiable]
fn table(x: &[f64], steps: usize) -> f64 {
    let n = x.len();
    let mut rows = vec![vec![0.0; n]; steps];
    for k in 0..steps {
        let mut row = vec![0.0; n];
        for i in 0..n {
            row[i] = x[i] * (k + 1) as f64;
        }
        rows[k] = row;
    }
    let mut sum = 0.0;
    for k in 0..steps {
        for i in 0..n {
            sum += rows[k][i].sin();
        }
    }
    sum
}

/// The size of the inner array is that of the outer loop's iteration; a part is only written under a condition.
#[differentiable]
fn growing(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for n in 1..x.len() {
        let mut scratch = vec![0.0; x.len()];
        for k in 0..n {
            let mut part = vec![[0.0; 2]; n];
            for i in 0..=k {
                part[i][0] += x[i] * x[k];
                part[n - 1][1] += x[i];
            }
            if x[k] > 0.0 {
                scratch[k] = part[k][0];
            }
            scratch[n - 1] += part[n - 1][1] * part[0][0];
        }
        for k in 0..n {
            total += scratch[k].tanh();
        }
    }
    total
}

#[differentiable]
fn until_small(x: &[f64]) -> f64 {
    let n = x.len();
    let mut y = x.to_vec();
    let mut sum = 10.0;
    while sum > 1.0 {
        let mut half = vec![0.0; n];
        for i in 0..n {
            half[i] = 0.5 * y[i].sin();
        }
        sum = 0.0;
        for i in 0..n {
            y[i] = half[n - 1 - i] * half[i] + 0.25 * y[i];
            sum += y[i].abs();
        }
    }
    sum
}

/// What an iteration keeps of layers of units is an element for each unit.
#[differentiable]
fn recurrent(weights: &[f64], layers: usize, steps: usize) -> f64 {
    let n = weights.len() / layers;
    let mut state = weights.to_vec();
    let mut input = vec![1.0; n];
    for _ in 0..steps {
        for layer in 0..layers {
            for i in 0..n {
                let old = state[n * layer + i];
                let new = (old * weights[n * layer + i] + input[i]).tanh();
                state[n * layer + i] = new;
                input[i] = new * old;
            }
        }
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += input[i] * input[i];
    }
    sum
}

/// The residuals of these calls are arrays of a size that is known at run time, and so are cotangents in their reverse sweeps.
#[differentiable(wrt(centres))]
fn mixture(points: &[f64], centres: &[f64], d: usize) -> f64 {
    let (n, k) = (points.len() / d, centres.len() / d);
    let mut total = 0.0;
    for i in 0..n {
        let mut near = vec![0.0; k];
        for c in 0..k {
            near[c] = -distance(&points[i * d..(i + 1) * d], &centres[c * d..(c + 1) * d]);
        }
        total += log_sum(&near);
    }
    total
}

#[differentiable(wrt(b))]
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len();
    let mut apart = vec![0.0; n];
    let mut before = 0.0;
    for i in 0..n {
        before = (a[i] - b[i]) * (1.0 + 0.1 * before);
        apart[i] = before;
    }
    squares(&apart)
}

#[differentiable]
fn squares(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum
}

#[differentiable]
fn log_sum(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i].exp();
    }
    sum.ln()
}

const X: [f64; 4] = [0.5, 1.5, -0.75, 1.25];

#[test]
fn gradients() {
    let x = X.to_vec();
    assert_gradient(&x, &steps::grad(&x, 3), |x| steps(x, 3));
    assert_gradient(&x, &replaced::grad(&x, 3), |x| replaced(x, 3));
    assert_gradient(&x, &table::grad(&x, 3), |x| table(x, 3));
    assert_gradient(&x, &growing::grad(&x), |x| growing(x));
    assert_gradient(&x, &until_small::grad(&x), |x| until_small(x));
    assert_gradient(&x, &recurrent::grad(&x, 2, 3), |x| recurrent(x, 2, 3));
    for d in [1, 2, 4] {
        let points = [0.25, -1.0, 1.75, 0.5, 0.0, 2.0, -0.5, 1.0];
        assert_gradient(&x, &mixture::grad(&points, &x, d), |x| mixture(&points, x, d));
    }
    let many: Vec<f64> = (0..320).map(|i| f64::from(i).sin()).collect();
    assert_gradient(&many, &mixture::grad(&many, &many, 80), |x| mixture(&many, x, 80));
    for none in [steps::grad(&x, 0), table::grad(&x, 0)] {
        assert_eq!(none.len(), 4);
    }
    assert_eq!(table::grad(&x, 0), [0.0; 4]);
}

#[test]
fn directions() {
    let v = [1.0, -0.5, 0.25, 2.0];
    let check = |by_gradient: Vec<f64>, by_tangent: f64| {
        let expected: f64 = by_gradient.iter().zip(v).map(|(g, v)| g * v).sum();
        assert!((by_tangent - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{by_tangent} {expected}");
    };
    check(steps::grad(&X, 5), steps::jvp(&X, 5, &v).1);
    check(replaced::grad(&X, 5), replaced::jvp(&X, 5, &v).1);
    check(table::grad(&X, 5), table::jvp(&X, 5, &v).1);
    check(growing::grad(&X), growing::jvp(&X, &v).1);
    check(until_small::grad(&X), until_small::jvp(&X, &v).1);
    check(recurrent::grad(&X, 2, 5), recurrent::jvp(&X, 2, 5, &v).1);
}

/// Each step more needs two more rows, for what is kept of it.
#[test]
fn memory_of_a_step() {
    let mut gradient = [0.0; 4];
    let mut of = |n: usize| count(|| steps::grad_into(&X, n, &mut gradient));
    let (few, many) = (of(10), of(30));
    assert!(many - few <= 40, "{few} allocations for 10 steps, {many} for 30");
}

/// What calls in a loop keep is in memory that the first iteration has made.
#[test]
fn memory_of_calls() {
    for d in [1, 80] {
        let points: Vec<f64> = (0..50 * d).map(|i| i as f64 / 100.0).collect();
        let centres: Vec<f64> = (0..3 * d).map(|i| (i as f64).cos()).collect();
        let mut gradient = vec![0.0; 3 * d];
        let mut of = |n: usize| count(|| mixture::grad_into(&points[..n * d], &centres, d, &mut gradient));
        let (few, many) = (of(10), of(50));
        // More numbers than there is room for on the stack: one array in each reverse sweep of a call.
        let each = if d > 64 { 3 } else { 0 };
        assert_eq!(many - few, 40 * each, "d = {d}: {few} allocations for 10 points, {many} for 50");
    }
}

/// What loops inside loops keep is in one array for each value, however many iterations there are.
#[test]
fn memory_of_layers() {
    let mut gradient = [0.0; 4];
    let mut of = |n: usize| count(|| recurrent::grad_into(&X, 2, n, &mut gradient));
    assert_eq!(of(10), of(30));
}
