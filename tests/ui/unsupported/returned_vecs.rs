use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct Body {
    mass: f64,
    at: f64,
}

#[derive(Differentiable, Clone)]
struct Cluster {
    bodies: Vec<Body>,
}

#[derive(Differentiable, Clone)]
struct Named {
    x: f64,
    #[no_diff]
    name: String,
}

#[differentiable]
fn clusters(x: f64) -> Vec<Cluster> {
    vec![Cluster { bodies: vec![Body { mass: x, at: x }] }]
}

#[differentiable]
fn perhaps(x: f64) -> Option<Vec<Body>> {
    Some(vec![Body { mass: x, at: x }])
}

#[differentiable]
fn named(all: &[Named]) -> Vec<Named> {
    all.to_vec()
}

#[differentiable]
fn another_type(x: f64) -> Vec<Body> {
    vec![(x, x, x)]
}

fn main() {}
