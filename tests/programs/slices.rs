//! Slices, `Vec`, and what is computed of them: lengths are known at run time only.

use crate::common::{close, numeric};
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn sum_of_squares(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum
}

#[differentiable(order = 2)]
fn log_sum_exp(x: &[f64]) -> f64 {
    let n = x.len();
    let mut largest = x[0];
    for i in 1..n {
        largest = largest.max(x[i]);
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += (x[i] - largest).exp();
    }
    largest + sum.ln()
}

#[differentiable(order = 2)]
fn triangle(l: &[f64], x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let mut row = 0.0;
        for j in 0..=i {
            row += l[i * n + j] * x[j];
        }
        sum += row * row;
    }
    sum
}

#[differentiable(order = 2)]
fn prefix_products(x: &[f64]) -> Vec<f64> {
    let mut y = vec![1.0; x.len()];
    let mut product = 1.0;
    for i in 0..x.len() {
        product *= x[i];
        y[i] = product;
    }
    y
}

#[differentiable(order = 2)]
fn ragged(rows: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0;
    for i in 0..rows.len() {
        let row = &rows[i];
        let mut product = 1.0;
        for j in 0..row.len() {
            product *= row[j];
        }
        sum += product;
    }
    sum
}

#[differentiable(order = 2)]
fn newton(a: f64) -> f64 {
    let mut x = a;
    let mut step = 1.0;
    while step > 1e-12 {
        let next = 0.5 * (x + a / x);
        step = (next - x).abs();
        x = next;
    }
    x
}

#[differentiable(order = 2)]
fn grows(x: &[f64]) -> f64 {
    let mut kept = Vec::new();
    for i in 0..x.len() {
        if x[i] > 0.0 {
            kept.push(x[i] * x[i]);
        }
    }
    let mut sum = 0.0;
    for i in 0..kept.len() {
        sum += kept[i] * (i as f64 + 1.0);
    }
    sum
}

#[differentiable(order = 2)]
fn windows(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let w = &x[i..i + 2];
        sum += (w[1] - w[0]) * w[0];
    }
    let (head, tail) = x.split_at(2);
    sum + head[1] * tail[0]
}

#[differentiable(order = 2)]
fn bubbles(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for _ in 0..y.len() {
        for i in 0..y.len() - 1 {
            if y[i] > y[i + 1] {
                y.swap(i, i + 1);
            }
        }
    }
    let mut sum = 0.0;
    for i in 0..y.len() {
        sum += y[i] * (i as f64);
    }
    sum
}

#[differentiable(order = 2)]
#[allow(clippy::needless_late_init)]
fn late(x: f64, positive: bool) -> f64 {
    let y;
    if positive {
        y = x * x;
    } else {
        y = -x;
    }
    y * x
}

#[test]
fn gradients() {
    let x = [0.5, -1.5, 2.0, 0.25, 3.0];
    close(&sum_of_squares::grad(&x), &numeric(sum_of_squares, &x));
    close(&log_sum_exp::grad(&x), &numeric(log_sum_exp, &x));
    close(&grows::grad(&x), &numeric(grows, &x));
    close(&windows::grad(&x), &numeric(windows, &x));
    close(&bubbles::grad(&x), &numeric(bubbles, &x));
    close(&[newton::grad(2.0)], &numeric(|x| newton(x[0]), &[2.0]));
    assert_eq!(late::grad(3.0, true), 27.0);
    assert_eq!(late::grad(3.0, false), -6.0);
}

#[test]
fn hessians_and_tangents() {
    let (x, v) = ([0.5, -1.5, 2.0, 0.25, 3.0], [1.0, 0.5, -1.0, 2.0, 0.1]);
    let along = |f: &dyn Fn(&[f64]) -> Vec<f64>| -> Vec<f64> {
        let h = 1e-6;
        let at = |s: f64| f(&x.iter().zip(&v).map(|(x, v)| x + s * v).collect::<Vec<_>>());
        at(h).iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    close(&log_sum_exp::hvp(&x, &v), &along(&|x| log_sum_exp::grad(x)));
    close(&grows::hvp(&x, &v), &along(&|x| grows::grad(x)));
    close(&bubbles::hvp(&x, &v), &along(&|x| bubbles::grad(x)));
    close(&[windows::jvp(&x, &v).1], &along(&|x| vec![windows(x)]));
    close(&[newton::hvp(2.0, 1.0)], &numeric(|x| newton::grad(x[0]), &[2.0]));
}

#[test]
fn several_slices() {
    let l = [1.0, 0.0, 0.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0];
    let x = [0.5, -1.5, 2.0];
    let (gl, gx) = triangle::grad(&l, &x, 3);
    close(&gl, &numeric(|l| triangle(l, &x, 3), &l));
    close(&gx, &numeric(|x| triangle(&l, x, 3), &x));
    let (mut hl, mut hx) = (vec![1.0; 9], vec![1.0; 3]);
    triangle::accumulate_grad(&l, &x, 3, (&mut hl, &mut hx));
    close(&hx, &gx.iter().map(|g| g + 1.0).collect::<Vec<_>>());
}

#[test]
fn vectors_and_rows() {
    let x = [0.5, -1.5, 2.0];
    let (y, pullback) = prefix_products::vjp(&x);
    assert_eq!(y, [0.5, -0.75, -1.5]);
    let seed = [1.0, 2.0, 3.0];
    let weighted = |x: &[f64]| prefix_products(x).iter().zip(&seed).map(|(y, s)| y * s).sum();
    close(&pullback(&seed), &numeric(weighted, &x));
    close(&pullback(&seed), &numeric(weighted, &x));
    let rows = [vec![2.0, 3.0], vec![], vec![5.0, 7.0, 0.5]];
    assert_eq!(ragged(&rows), 6.0 + 1.0 + 17.5);
    assert_eq!(ragged::grad(&rows), [vec![3.0, 2.0], vec![], vec![3.5, 2.5, 35.0]]);
}

#[derive(Differentiable, Clone)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
    sizes: Vec<usize>,
}

#[derive(Differentiable, Clone)]
struct Model {
    first: Layer,
    rows: Vec<Vec<f64>>,
}

#[differentiable(order = 2)]
fn layer(p: &Layer, x: &[f64]) -> f64 {
    let mut sum = p.bias;
    for i in 0..x.len() {
        sum += p.weights[i] * x[i] * p.sizes[i] as f64;
    }
    sum.tanh()
}

#[differentiable(order = 2)]
fn model(p: &Model, x: &[f64]) -> f64 {
    let mut y = layer(&p.first, x);
    for i in 0..p.rows.len() {
        for j in 0..p.rows[i].len() {
            y *= p.rows[i][j];
        }
    }
    y
}

#[test]
fn structs_of_vectors() {
    let first = Layer { weights: vec![0.5, -0.25], bias: 0.1, sizes: vec![1, 2] };
    let p = Model { first, rows: vec![vec![2.0], vec![], vec![0.5, 3.0]] };
    let x = [0.3, 0.7];
    let (g, gx) = model::grad(&p, &x);
    close(&gx, &numeric(|x| model(&p, x), &x));
    let with = |v: &[f64]| Model { first: Layer { weights: v.to_vec(), ..p.first.clone() }, rows: p.rows.clone() };
    close(&g.first.weights, &numeric(|v| model(&with(v), &x), &p.first.weights));
    let rows = |v: &[f64]| Model { first: p.first.clone(), rows: vec![vec![v[0]], vec![], vec![v[1], v[2]]] };
    let expected = numeric(|v| model(&rows(v), &x), &[2.0, 0.5, 3.0]);
    assert_eq!(g.rows.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 2]);
    close(&g.rows.concat(), &expected);
    let (y, pullback) = model::vjp(&p, &x);
    assert_eq!(y, model(&p, &x));
    close(&pullback(1.0).1, &gx);
    let mut direction = g.clone();
    direction.first.bias = 1.0;
    let (_, y_dot) = model::jvp(&p, &x, &direction, &[1.0, 0.0]);
    let mut norm: f64 = g.first.weights.iter().map(|g| g * g).sum::<f64>() + g.first.bias + gx[0];
    norm += g.rows.concat().iter().map(|g| g * g).sum::<f64>();
    close(&[y_dot], &[norm]);
}

#[differentiable(order = 2)]
fn recurrence(x: &[f64], #[no_diff] n: usize) -> f64 {
    let mut terms = Vec::new();
    terms.push(x[0]);
    for i in 0..n {
        terms.push(terms[i] * x[i % 2].sin());
    }
    terms.iter().map(|term| term * term).sum()
}

#[test]
fn a_vec_that_grows_by_what_it_holds() {
    let x = [0.7, 1.3];
    for n in 0..5 {
        close(&recurrence::grad(&x, n), &numeric(|x| recurrence(x, n), &x));
    }
}

/// No heap: the values of at most 40 iterations are kept in arrays.
#[differentiable(order = 2)]
fn bounded_newton(a: f64) -> f64 {
    let mut x = a;
    let mut step = 1.0;
    #[max_iters(40)]
    while step > 1e-12 {
        let next = 0.5 * (x + a / x);
        step = (next - x).abs();
        x = next;
    }
    x
}

#[differentiable(order = 2)]
fn powers(x: f64, n: usize) -> f64 {
    let mut k = 0;
    let mut y = 1.0;
    #[max_iters(4)]
    loop {
        if k == n {
            break;
        }
        y *= x;
        k += 1;
    }
    y
}

#[differentiable(order = 2)]
fn counted_powers(x: f64, #[no_diff] n: usize) -> f64 {
    let mut y = x;
    #[max_iters(4)]
    for i in 0..n {
        y *= y + i as f64;
    }
    y
}

#[test]
fn at_most_so_many_iterations() {
    close(&[counted_powers::grad(0.7, 4)], &numeric(|x| counted_powers(x[0], 4), &[0.7]));
    // Four numbers, how many there are, and no `Vec`.
    assert!(size_of::<autodiff::Residuals<counted_powers>>() <= 5 * 8);
    close(&[bounded_newton::grad(2.0)], &[0.5 / 2.0_f64.sqrt()]);
    close(&[bounded_newton::hvp(2.0, 1.0)], &numeric(|x| bounded_newton::grad(x[0]), &[2.0]));
    assert_eq!((powers::grad(3.0, 3), powers::grad(3.0, 0)), (27.0, 0.0));
}

/// Beyond the limit, the value is what it is, and the derivative panics.
#[test]
#[should_panic(expected = "index out of bounds")]
fn too_many_iterations() {
    assert_eq!(powers(2.0, 9), 512.0);
    powers::grad(2.0, 9);
}

const SAMPLES: usize = 3;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Sample {
    at: f64,
    weight: f64,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Samples {
    all: [Sample; SAMPLES],
    scale: f64,
}

#[differentiable(order = 2)]
fn of_named_length(s: &Samples) -> f64 {
    let mut sum = 0.0;
    for sample in s.all.iter() {
        sum += sample.at * sample.weight * s.scale;
    }
    sum + s.all[1].at
}

#[differentiable(order = 2)]
fn of_any_length<const N: usize>(all: &[Sample; N], scale: f64) -> f64 {
    all.iter().enumerate().map(|(k, s)| s.at * s.weight * scale * (k as f64 + 1.0)).sum()
}

/// Arrays of structs whose length is a name.
#[test]
fn arrays_of_structs_are_as_long_as_a_constant_says() {
    let s = Samples { all: [Sample { at: 1.0, weight: 2.0 }; SAMPLES], scale: 3.0 };
    let g = of_named_length::grad(&s);
    let sample = |at, weight| SampleTangent { at, weight };
    assert_eq!(g.all, [sample(6.0, 3.0), sample(7.0, 3.0), sample(6.0, 3.0)]);
    assert_eq!(g.scale, 6.0);

    let (all, by_scale) = of_any_length::grad(&s.all, 3.0);
    assert_eq!(all, [sample(6.0, 3.0), sample(12.0, 6.0), sample(18.0, 9.0)]);
    assert_eq!(by_scale, 12.0);
}
