use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy)]
struct Body {
    mass: f64,
    at: f64,
}

#[differentiable]
fn order_by_several(x: f64) -> f64 {
    let mut v = vec![Body { mass: x, at: 2.0 }; 3];
    v.sort_by(|a, b| a.mass.total_cmp(&b.mass).then(a.at.total_cmp(&b.at)).reverse());
    v[0].mass
}

/// What is compared is neither all nor none of what follows.
#[differentiable]
fn compared_in_part(x: f64) -> f64 {
    let mut v = vec![Body { mass: x, at: 2.0 }; 3];
    v.sort_by(|a, b| a.mass.total_cmp(&b.mass).then(a.at.total_cmp(&b.at).then_with(|| b.at.partial_cmp(&a.at).unwrap())));
    v.sort_by(|a, b| a.mass.total_cmp(&b.mass).then_with(|| a.at.total_cmp(&b.at).then(b.at.partial_cmp(&a.at).unwrap())));
    v[0].mass
}

#[differentiable]
fn another_order(x: f64) -> f64 {
    let mut v = vec![Body { mass: x, at: 2.0 }; 3];
    v.sort_by(|a, b| a.mass.partial_cmp(&b.at).unwrap());
    v[0].mass
}

#[differentiable]
fn longer_or_nothing(v: &mut Vec<f64>, x: Option<f64>) -> Option<f64> {
    let x = x?;
    v.push(x);
    Some(x * x)
}

#[differentiable]
fn under_another_name(v: &mut Vec<f64>, x: f64) {
    let w = v;
    w.push(x);
    w.pop();
}

#[differentiable]
fn shorter(v: &mut [Vec<f64>], x: f64) -> f64 {
    v[0].pop();
    x
}

#[derive(Clone)]
struct Log {
    name: String,
}

#[derive(Differentiable)]
struct Named {
    xs: Vec<f64>,
    #[no_diff]
    log: Log,
}

#[differentiable]
fn with_a_name(named: &mut Named, x: f64) {
    named.xs.push(x);
}

#[differentiable]
fn of_a_named_one(mut named: Named, x: f64) -> f64 {
    with_a_name(&mut named, x);
    named.xs[0]
}

#[differentiable]
fn removed_as_said(x: f64) -> f64 {
    let mut v = vec![x; 3];
    v.dedup_by_key(|x| *x > 0.0);
    v[0]
}

fn main() {}
