//! Type aliases of this file, in signatures, fields and bodies.

use crate::harness::check;
use autodiff::prelude::*;

type Scalar = f64;
type Matrix = Vec<Vec<Scalar>>;
type Square<const N: usize, T = f64> = [[T; N]; N];
type Turned = Planar<f64>;

mod states_of_the_plane {
    pub type Planewise = [f64; 2];
}
use states_of_the_plane::Planewise;

#[derive(Differentiable, Clone, Copy, Debug)]
struct Planar<T: Real> {
    x: T,
    y: T,
}

#[derive(Differentiable, Clone, Debug)]
struct Layer {
    weights: Matrix,
    bias: Scalar,
}

#[differentiable]
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut c: Matrix = vec![vec![0.0; b[0].len()]; a.len()];
    for i in 0..a.len() {
        for j in 0..b[0].len() {
            c[i][j] = (0..b.len()).map(|k| a[i][k] * b[k][j]).sum::<Scalar>();
        }
    }
    c
}

#[differentiable]
fn trace(layer: &Layer, a: &Matrix) -> Scalar {
    let both = product(&layer.weights, a);
    (0..both.len()).map(|i| both[i][i].sin()).sum::<Scalar>() * layer.bias
}

#[differentiable(order = 2)]
fn form(#[no_diff] a: &Square<2>, s: &Planewise) -> Scalar {
    let mut next: Planewise = [0.0; 2];
    for i in 0..2 {
        for j in 0..2 {
            next[i] += a[i][j] * s[j];
        }
    }
    next[0] * next[1]
}

#[differentiable]
fn turned(v: Turned, by: Scalar) -> Turned {
    Turned { x: v.x * by.cos() - v.y * by.sin(), y: v.x * by.sin() + v.y * by.cos() }
}

#[differentiable]
fn farthest(v: &Turned, by: Scalar) -> Scalar {
    turned(*v, by).x.exp()
}

#[test]
fn aliases() {
    check!(form(&[[1.0, 2.0], [0.5, -1.0]], &s) by s = [0.3, 0.4]);
    let layer = Layer { weights: vec![vec![1.0, 0.5], vec![-0.2, 0.3]], bias: 0.7 };
    let a: Matrix = vec![vec![0.3, -0.5], vec![0.2, 0.9]];
    let (by_layer, by_a) = trace::grad(&layer, &a);
    let slope = |f: &dyn Fn(f64) -> f64| (f(1e-5) - f(-1e-5)) / 2e-5;
    for i in 0..2 {
        for j in 0..2 {
            let by_weight = slope(&|h| {
                let mut layer = layer.clone();
                layer.weights[i][j] += h;
                trace(&layer, &a)
            });
            let by_element = slope(&|h| {
                let mut a = a.clone();
                a[i][j] += h;
                trace(&layer, &a)
            });
            assert!((by_layer.weights[i][j] - by_weight).abs() < 1e-9);
            assert!((by_a[i][j] - by_element).abs() < 1e-9);
        }
    }
    let v = Turned { x: 0.3, y: 0.4 };
    let (by_v, by_angle) = farthest::grad(&v, 0.5);
    let value = farthest(&v, 0.5);
    assert!((by_v.x - value * 0.5_f64.cos()).abs() < 1e-12 && (by_v.y + value * 0.5_f64.sin()).abs() < 1e-12);
    assert!((by_angle + value * (0.3 * 0.5_f64.sin() + 0.4 * 0.5_f64.cos())).abs() < 1e-12);
}
