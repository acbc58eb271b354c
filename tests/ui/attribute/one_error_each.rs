//! What uses something with a mistake adds no error.

use autodiff::prelude::*;

#[derive(Clone, Differentiable)]
struct Inner {
    names: Vec<String>,
    b: f64,
}

#[derive(Clone, Differentiable)]
struct Outer {
    inner: Inner,
    c: f64,
}

#[derive(Clone, Differentiable)]
struct Mixed {
    a: (f32, f64),
    b: f64,
}

#[derive(Clone, Differentiable)]
enum Tree {
    Leaf(f64),
    Node(Box<[f64]>),
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Slow,
    Fast,
    Named(&'static str),
}

#[derive(Clone, Differentiable)]
struct Motor {
    speed: f64,
    #[no_diff]
    mode: Mode,
}

#[differentiable]
impl Motor {
    fn update(&mut self, x: f64) -> Mode {
        self.speed += x;
        self.mode
    }

    fn power(&self, x: f64) -> f64 {
        self.speed * x
    }
}

#[differentiable]
impl Outer {
    fn get(&self) -> f64 {
        self.c
    }
}

#[differentiable]
fn of_tree(outer: &Outer, tree: &Tree) -> f64 {
    match tree {
        Tree::Leaf(a) => a * outer.c,
        Tree::Node(b) => **b * outer.inner.names.len() as f64,
    }
}

#[differentiable]
fn of_number(x: f64) -> f64 {
    let outer = Outer { inner: Inner { names: Vec::new(), b: x }, c: 2.0 };
    of_tree(&outer, &Tree::Leaf(x))
}

#[differentiable]
fn of_mixed(mixed: &Mixed, x: f64) -> f64 {
    mixed.b * x
}

#[differentiable]
fn of_motor(x: f64) -> f64 {
    let mut motor = Motor { speed: x, mode: Mode::Slow };
    match motor.update(x) {
        Mode::Slow => motor.speed,
        Mode::Fast => motor.power(x),
        Mode::Named(name) => x * name.len() as f64,
    }
}

#[differentiable]
fn of_all(outer: &Outer, x: f64) -> f64 {
    outer.get() * of_number(x) * of_mixed(&Mixed { a: (1.0, 1.0), b: 2.0 }, x) + of_motor(x)
}

fn main() {
    let outer = Outer { inner: Inner { names: Vec::new(), b: 1.0 }, c: 2.0 };
    println!("{:?} {:?}", of_number::grad(1.0), of_motor::grad(2.0));
    println!("{:?}", of_mixed::value_and_grad(&Mixed { a: (1.0, 1.0), b: 1.0 }, 2.0).0);
    println!("{:?}", of_all::value_and_grad(&outer, 2.0).0);
}
