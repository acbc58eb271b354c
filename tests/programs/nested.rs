//! Calls of functions on slices, recursion, and derivatives inside of differentiable functions.

use crate::common::{close, numeric};
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn squared_norm(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum
}

#[differentiable(order = 2)]
fn rows(a: &[f64], n: usize) -> f64 {
    let mut product = 1.0;
    for i in 0..n {
        product *= squared_norm(&a[i * n..(i + 1) * n]);
    }
    product
}

#[differentiable(order = 2)]
fn halves(x: &[f64]) -> f64 {
    if x.len() == 1 { x[0] * x[0] * x[0] } else { halves(&x[..x.len() / 2]) * halves(&x[x.len() / 2..]) }
}

#[differentiable(order = 2)]
fn determinant(a: &[f64], n: usize) -> f64 {
    minor(a, n, 0, (1 << n) - 1)
}

#[differentiable(order = 2)]
fn minor(a: &[f64], n: usize, row: usize, columns: u64) -> f64 {
    let mut sum = 0.0;
    if row == n {
        sum = 1.0;
    } else {
        let mut sign = 1.0;
        let mut rest = columns;
        while rest != 0 {
            let column = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            sum += sign * a[row * n + column] * minor(a, n, row + 1, columns & !(1 << column));
            sign = -sign;
        }
    }
    sum
}

#[differentiable(order = 2)]
fn potential(x: &[f64; 2], w: f64) -> f64 {
    let (a, b) = (x[0] - w, x[1] + w * w);
    (a * a + b * b + 1.0).sqrt() * (x[0] * w).sin()
}

#[differentiable]
fn slope_reverse(x: &[f64; 2], w: f64) -> f64 {
    let (g, _) = potential::grad(x, w);
    g[0] * g[1] + w
}

#[differentiable]
fn slope_forward(x: &[f64; 2], w: f64) -> f64 {
    let (_, a) = potential::jvp(x, w, &[1.0, 0.0], 0.0);
    let (_, b) = potential::jvp(x, w, &[0.0, 1.0], 0.0);
    a * b + w
}

#[differentiable(order = 2)]
fn of_calls(x: &[f64], w: f64) -> f64 {
    squared_norm(x) * potential(&[w, x[0]], x[1])
}

const A: [f64; 9] = [2.0, -1.0, 0.5, 0.25, 3.0, 1.5, -0.75, 0.1, 1.0];

#[test]
fn calls_with_parts_of_slices() {
    close(&rows::grad(&A, 3), &numeric(|a| rows(a, 3), &A));
    close(&[rows::jvp(&A, 3, &A).1], &[rows::grad(&A, 3).iter().zip(&A).map(|(g, a)| g * a).sum::<f64>()]);
    close(&rows::hvp(&A, 3, &A), &{
        let at = |s: f64| rows::grad(&A.map(|a| a + s * a), 3);
        at(1e-6).iter().zip(at(-1e-6)).map(|(a, b)| (a - b) / 2e-6).collect::<Vec<_>>()
    });
}

#[differentiable(order = 2)]
fn damped(x: f64) -> f64 {
    x.sin() * (-x).exp()
}

/// Calls another function besides itself.
#[differentiable(order = 2)]
fn product(x: &[f64]) -> f64 {
    if x.len() == 1 { damped(x[0]) } else { damped(x[0]) * product(&x[1..]) + x[0] }
}

#[test]
fn recursion() {
    close(&product::grad(&A[2..6]), &numeric(product, &A[2..6]));
    close(&product::vjp(&A[2..6]).1(2.0), &numeric(|x| 2.0 * product(x), &A[2..6]));
    close(&product::hvp(&A[2..4], &[1.0, 0.0]), &numeric(|x| product::grad(x)[0], &A[2..4]));
    assert_eq!(determinant(&[1.0, 2.0, 3.0, 4.0], 2), -2.0);
    close(&determinant::grad(&A, 3), &numeric(|a| determinant(a, 3), &A));
    close(&halves::grad(&A[..5]), &numeric(halves, &A[..5]));
    close(&halves::vjp(&A[..5]).1(2.0), &numeric(|x| 2.0 * halves(x), &A[..5]));
    close(&halves::hvp(&A[..2], &[1.0, 0.0]), &numeric(|x| halves::grad(x)[0], &A[..2]));
}

#[test]
fn derivatives_inside() {
    let x = [0.3, 0.7];
    let at = |v: &[f64]| slope_reverse(&[v[0], v[1]], v[2]);
    let expected = numeric(at, &[0.3, 0.7, 0.4]);
    for (gx, gw) in [slope_reverse::grad(&x, 0.4), slope_forward::grad(&x, 0.4)] {
        close(&[gx[0], gx[1], gw], &expected);
    }
    let along = expected[0] + 2.0 * expected[1] - expected[2];
    close(&[slope_reverse::jvp(&x, 0.4, &[1.0, 2.0], -1.0).1], &[along]);
    close(&[slope_forward::jvp(&x, 0.4, &[1.0, 2.0], -1.0).1], &[along]);
}

#[test]
fn second_order_of_calls() {
    let at = |v: &[f64]| of_calls(&v[..2], v[2]);
    let (gx, gw) = of_calls::grad(&[0.3, 0.7], 0.4);
    close(&[gx[0], gx[1], gw], &numeric(at, &[0.3, 0.7, 0.4]));
    let (hx, hw) = of_calls::hvp(&[0.3, 0.7], 0.4, &[1.0, 0.0], 0.0);
    close(&[hx[0], hx[1], hw], &numeric(|v| of_calls::grad(&v[..2], v[2]).0[0], &[0.3, 0.7, 0.4]));
}

#[differentiable]
fn force(x: &[f64; 2], w: f64) -> [f64; 2] {
    potential::grad(x, w).0
}

/// It has a gradient and a tangent, but no second derivative: nobody may ask for it.
#[differentiable]
fn strength(w: f64) -> f64 {
    let f = force(&[0.3, 0.7], w);
    f[0] * f[0] + f[1] * f[1]
}

#[test]
fn gradients_through_a_function_that_takes_one() {
    let g = strength::grad(0.4);
    close(&[g], &numeric(|w| strength(w[0]), &[0.4]));
    close(&[strength::jvp(0.4, 2.0).1], &[2.0 * g]);
}

#[derive(Differentiable, Clone)]
struct Dense {
    w: Tensor2<f64, 2, 2>,
    b: Tensor1<f64, 2>,
}

#[derive(Differentiable, Clone)]
struct Net {
    layers: [Dense; 3],
}

#[differentiable(order = 2)]
fn dense(p: &Dense, x: &Tensor1<f64, 2>) -> Tensor1<f64, 2> {
    (p.w.matmul(x) + p.b).tanh()
}

#[differentiable(order = 2)]
fn deep(net: &Net, x: &Tensor1<f64, 2>) -> f64 {
    let mut y = *x;
    for layer in &net.layers {
        y = dense(layer, &y);
    }
    for k in (0..3).rev() {
        y = y * net.layers[k].b;
    }
    y.sum()
}

#[test]
fn layers_in_an_array() {
    let layer = |s: f64| Dense { w: Tensor2::from([[s, 0.3], [-0.2, 2.0 * s]]), b: Tensor1::from([0.1, s]) };
    let net = Net { layers: [layer(0.5), layer(-0.7), layer(1.1)] };
    let x = Tensor1::from([0.4, -0.9]);
    let (g, gx) = deep::grad(&net, &x);
    close(gx.as_slice(), &numeric(|v| deep(&net, &Tensor1::from([v[0], v[1]])), &[0.4, -0.9]));
    let mut flat = vec![0.0; net.flat_len()];
    net.copy_to_flat(&mut flat);
    let at = |v: &[f64]| {
        let mut net = net.clone();
        net.copy_from_flat(v);
        deep(&net, &x)
    };
    let mut found = vec![0.0; flat.len()];
    g.copy_to_flat(&mut found);
    close(&found, &numeric(at, &flat));
}

#[differentiable(order = 2)]
fn scalar_product(x: &[f64], y: Vec<f64>) -> f64 {
    x.iter().zip(y.iter()).map(|(x, y)| x * y).sum::<f64>()
}

#[differentiable(order = 2)]
fn with_vecs(x: &[f64], n: usize) -> f64 {
    let copy = x.to_vec();
    scalar_product(&x[1..n], copy) * scalar_product(x, vec![x[0], x[1]])
}

#[test]
fn vecs_made_for_a_call() {
    close(&with_vecs::grad(&A[..4], 3), &numeric(|x| with_vecs(x, 3), &A[..4]));
    close(&with_vecs::vjp(&A[..4], 3).1(2.0), &numeric(|x| 2.0 * with_vecs(x, 3), &A[..4]));
}

#[differentiable]
fn slope_of_a_part(a: &[f64; 3], v: f64) -> f64 {
    let g = squared_norm::grad(&a[1..]);
    let (_, h) = squared_norm::value_and_grad(&[v, a[0]]);
    g[0] * g[1] * v + h[0] * h[1]
}

#[test]
fn gradients_by_a_part_of_an_array() {
    let f = |x: &[f64]| 4.0 * (x[1] * x[2] * x[3] + x[3] * x[0]);
    let (a, v) = slope_of_a_part::grad(&[0.7, -0.4, 1.3], 0.6);
    assert!((slope_of_a_part(&[0.7, -0.4, 1.3], 0.6) - f(&[0.7, -0.4, 1.3, 0.6])).abs() < 1e-14);
    close(&[&a[..], &[v]].concat(), &numeric(f, &[0.7, -0.4, 1.3, 0.6]));
}

#[differentiable(order = 2)]
fn cubic(a: f64, b: f64) -> f64 {
    a * a * b * b
}

/// The inner gradients are those of numbers that are parameters too, and have no tangent that is wanted.
#[differentiable]
fn gradients_of_gradients(x: f64, y: f64) -> f64 {
    let (value, _) = cubic::value_and_grad(x.sin(), x);
    cubic::grad(cubic::grad(x, cubic(x, -1.0)).1, y);
    value + cubic::grad(y, cubic::grad(-x, cubic::grad(-0.3, y).0).0).0
}

#[test]
fn tangents_of_what_is_not_used() {
    let f = |x: &[f64]| {
        let inner = -2.0 * x[0] * (-0.6 * x[1] * x[1]).powi(2);
        (x[0].sin() * x[0]).powi(2) + 2.0 * x[1] * inner * inner
    };
    let (x, slopes) = ([0.5, 0.3], numeric(f, &[0.5, 0.3]));
    let (value, slope) = gradients_of_gradients::jvp(x[0], x[1], 2.0, -1.0);
    close(&[value, slope], &[f(&x), 2.0 * slopes[0] - slopes[1]]);
    let (a, b) = gradients_of_gradients::grad(x[0], x[1]);
    close(&[a, b], &slopes);
}

/// Gradients by structs and tuples have their fields.
mod by_structs {
    use crate::common::assert_gradient;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone, Copy)]
    struct Net {
        w: f64,
        b: f64,
        v: [f64; 2],
    }

    #[differentiable(order = 2)]
    fn output(n: &Net, x: f64) -> f64 {
        n.v[0] * (n.w * x + n.b).tanh() + n.v[1] * x * x
    }

    #[differentiable]
    fn slope(n: &Net, x: f64) -> f64 {
        output::grad(n, x).1
    }

    #[differentiable]
    fn sensitivity(n: &Net, x: f64) -> f64 {
        let (g, dx) = output::grad(n, x);
        g.w * g.w + g.b * dx + g.v[0] * g.v[1]
    }

    #[differentiable]
    fn penalty(n: &Net) -> f64 {
        let (value, (g, _)) = output::value_and_grad(n, 0.7);
        value + g.w.powi(2) + g.v.iter().map(|v| v * v).sum::<f64>()
    }

    #[differentiable(order = 2)]
    fn cubic(p: (f64, f64), s: &Net) -> f64 {
        p.0 * p.0 * p.1 * s.w + s.b * s.v[0] * p.1
    }

    #[differentiable]
    fn of_a_pair(point: &[f64; 2]) -> f64 {
        let [x, y] = *point;
        let s = Net { w: x, b: y, v: [x * y, 1.0] };
        let (p, g) = cubic::grad((x, y), &s);
        p.0 * p.1 + g.w * g.v[0] + g.b
    }

    #[test]
    fn gradients() {
        let n = Net { w: 1.0, b: 0.1, v: [0.5, 0.3] };
        assert_gradient(&n, &slope::grad(&n, 0.5).0, |n| slope(n, 0.5));
        assert_gradient(&n, &sensitivity::grad(&n, 0.5).0, |n| sensitivity(n, 0.5));
        assert_gradient(&0.5, &sensitivity::grad(&n, 0.5).1, |x| sensitivity(&n, *x));
        assert_gradient(&n, &penalty::grad(&n), penalty);
        assert_gradient(&[0.5, 0.7], &of_a_pair::grad(&[0.5, 0.7]), of_a_pair);
    }
}
