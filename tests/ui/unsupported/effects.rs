use autodiff::prelude::*;

#[differentiable]
fn mixed(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    let (r, k) = if x > 1.0 { (&mut a, 2.0) } else { (&mut b, 3.0) };
    *r *= k;
    a + b
}

#[differentiable]
fn renamed(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    let mut r = &mut a;
    *r += 1.0;
    r = &mut b;
    *r *= x;
    a + b
}

#[differentiable]
fn through_closure(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    let r = if x > 1.0 { &mut a } else { &mut b };
    let mut scale = |t: f64| *r *= t;
    scale(2.0);
    a + b
}

#[differentiable]
fn fallback(x: f64, y: f64) -> f64 {
    let mut stack = vec![x];
    let mut a = y;
    let top = stack.pop().unwrap_or({
        a *= 2.0;
        a
    });
    top * a
}

#[differentiable]
fn index_of_any_number<T: Real>(x: T, y: T) -> T {
    let mut v = [x, y];
    let mut i = 0;
    v[i] += {
        i += 1;
        y
    };
    v[0] * v[i]
}

#[differentiable]
fn several_places(x: f64, y: f64) -> f64 {
    let mut v = [x, y];
    let mut i = 0;
    (v[{
        i += 1;
        i
    }], v[0]) = (x, y * x);
    v[0] * v[i]
}

fn main() {}
