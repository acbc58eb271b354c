use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy)]
struct Body {
    mass: f64,
    at: f64,
}

#[differentiable]
fn order_by_several(x: f64) -> f64 {
    let mut v = vec![Body { mass: x, at: 2.0 }; 3];
    v.sort_by(|a, b| a.mass.partial_cmp(&b.mass).unwrap().then(a.at.partial_cmp(&b.at).unwrap()));
    v[0].mass
}

#[differentiable]
fn another_order(x: f64) -> f64 {
    let mut v = vec![Body { mass: x, at: 2.0 }; 3];
    v.sort_by(|a, b| a.mass.partial_cmp(&b.at).unwrap());
    v[0].mass
}

#[differentiable]
fn longer(v: &mut Vec<f64>, x: f64) {
    v.insert(0, x);
}

#[differentiable]
fn removed_as_said(x: f64) -> f64 {
    let mut v = vec![x; 3];
    v.dedup_by_key(|x| *x > 0.0);
    v[0]
}

fn main() {}
