//! Generated code names what it uses by paths: a crate may have no prelude at all.
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, unused)]

use ::autodiff::{Callable, Differentiable, Real, Tensor1, Tensor2, differentiable};
use ::std::vec::Vec;
use ::std::{assert, assert_eq, println};

#[derive(Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[derive(Differentiable)]
enum Shape {
    Disc(f64),
    Rectangle { a: f64, b: f64 },
}

#[derive(Differentiable)]
struct Net {
    rows: Vec<f64>,
    pair: Pair,
}

#[differentiable(order = 2)]
fn looped(x: &[f64], y: f64) -> f64 {
    let mut s = y;
    let mut i = 0;
    while i < x.len() {
        s *= x[i].sin();
        i += 1;
    }
    for v in x {
        s += s * v;
    }
    assert!(s < 1e9);
    s
}

#[differentiable(order = 2)]
fn kept(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[max_iters(8)]
    while s < 3.0 {
        s *= s;
    }
    #[checkpoint(2)]
    for _ in 0..n {
        s = s.sin() * x;
    }
    s
}

#[differentiable(order = 2)]
fn doubled(x: &mut [f64], by: f64) {
    for i in 0..x.len() {
        x[i] *= by;
    }
}

#[differentiable(order = 2)]
fn changed(x: &[f64; 3], by: f64) -> f64 {
    let mut v = *x;
    for _ in 0..2 {
        doubled(&mut v, by);
    }
    v[0] * v[1] * v[2]
}

#[differentiable(order = 2)]
fn collected(x: &[f64], pairs: &[Pair]) -> Vec<f64> {
    let mut rows = Vec::new();
    for i in 0..x.len() {
        rows.push(x[i] * pairs[i].a * pairs[i].b);
    }
    rows
}

#[differentiable(order = 2)]
fn called(net: &Net, x: f64) -> f64 {
    looped(&net.rows, net.pair.a) * x + kept(x, 3) * net.pair.b
}

#[differentiable(order = 2)]
fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Disc(r) => 3.0 * r * r,
        Shape::Rectangle { a, b } => a * b,
    }
}

#[differentiable(order = 2)]
fn tensors(a: &Tensor2<f64, 2, 2>, x: &Tensor1<f64, 2>) -> f64 {
    a.matmul(x).tanh().softmax(0).max()
}

#[differentiable(order = 2)]
fn generic<T: Real>(x: T) -> T {
    x * x
}

#[differentiable(order = 2)]
fn twice<F: Callable<(f64,), Output = f64>>(x: f64) -> f64 {
    F::call(F::call(x))
}

#[differentiable]
fn nested(x: f64) -> f64 {
    kept::grad(x, 2) * generic(x)
}

#[differentiable(order = 2)]
impl Pair {
    fn product(&self, by: f64) -> f64 {
        #[cfg(any())]
        return 0.0;
        self.a * self.b * by
    }
}

#[test]
fn everything_compiles_and_runs() {
    let x = [0.7, 1.2, 0.4];
    let pairs = [Pair { a: 1.0, b: 2.0 }, Pair { a: 3.0, b: 4.0 }, Pair { a: 5.0, b: 6.0 }];
    println!("{} {}", looped::grad(&x, 0.5).1, looped::hvp(&x, 0.5, &x, 1.0).1);
    let (_, pullback) = looped::vjp(&x, 0.5);
    assert_eq!(pullback(1.0), looped::grad(&x, 0.5));
    println!("{} {}", kept::grad(1.5, 3), kept::jvp(1.5, 3, 1.0).1);
    // x₀ x₁ x₂ by⁶
    assert_eq!(changed::grad(&[1.0, 2.0, 3.0], 1.0).1, 36.0);
    let (rows, pullback) = collected::vjp(&x, &pairs);
    assert_eq!((rows.len(), pullback(&[1.0, 0.0, 0.0]).0[0]), (3, 2.0));
    let net = Net { rows: ::std::vec![0.7, 1.2], pair: Pair { a: 0.5, b: 2.0 } };
    println!("{}", called::grad(&net, 1.5).1);
    assert_eq!(area::jvp(&Shape::Disc(2.0), &area::grad(&Shape::Disc(2.0))).1, 144.0);
    assert_eq!(area(&Shape::Rectangle { a: 2.0, b: 3.0 }), 6.0);
    let (a, x) = (::autodiff::Tensor([[1.0, 2.0], [3.0, 4.0]]), ::autodiff::Tensor([0.1, 0.2]));
    println!("{}", tensors::grad(&a, &x).1.0[0]);
    assert_eq!(twice::<generic<f64>>::grad(2.0), 32.0);
    println!("{}", nested::grad(1.5));
    assert_eq!(pairs[0].product_grad(2.0).1, 2.0);
}
