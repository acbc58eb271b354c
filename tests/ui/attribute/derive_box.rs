use autodiff::prelude::*;

#[derive(Differentiable)]
enum Tree {
    Leaf(f64),
    Sum(Box<Tree>, #[no_diff] Box<Tree>),
}

#[derive(Differentiable)]
struct Node {
    value: f64,
    children: Vec<Node>,
    next: Option<Box<Node>>,
}

#[derive(Differentiable)]
struct Outer {
    gain: f64,
    inner: Box<Inner>,
}

#[derive(Differentiable)]
struct Inner {
    outer: Vec<Outer>,
    gain: f64,
}

#[derive(Differentiable)]
struct Places {
    slice: Box<[f64]>,
    pair: (Box<f64>, f64),
    list: Vec<Box<[f64; 2]>>,
    closure: Box<dyn Fn(f64) -> f64>,
    gain: f64,
}

#[derive(Differentiable)]
struct Point {
    x: f64,
}

#[differentiable]
fn of_box(p: &Box<Point>, x: f64) -> f64 {
    p.x * x
}

#[differentiable]
fn of_value(x: f64, p: Box<[f64; 3]>) -> f64 {
    p[0] * x
}

#[differentiable]
fn boxed(x: f64) -> Box<Point> {
    Box::new(Point { x })
}

fn main() {}
