//! A mutable borrow of one place or another.
#![allow(unused_assignments)]

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct Parts {
    first: f64,
    second: f64,
    rest: [f64; 2],
}

#[differentiable(order = 2)]
fn grow(a: &mut f64) -> f64 {
    *a *= 1.5;
    *a
}

#[differentiable(order = 2)]
fn scaled(a: &mut f64, b: f64) -> f64 {
    *a *= b;
    *a + b
}

#[differentiable(order = 2)]
fn one_of_three(x: f64, y: f64) -> f64 {
    let (mut a, mut b, mut c) = (x, y, x * y);
    let r = if x > 2.0 {
        &mut a
    } else if x > 1.0 {
        &mut b
    } else {
        &mut c
    };
    *r *= x;
    *r += y;
    let t = *r + r.sin();
    for _ in 0..2 {
        *r += grow(r);
    }
    a + b * 2.0 + c * 3.0 + t
}

#[differentiable(order = 2)]
fn an_element(x: f64, y: f64) -> f64 {
    let mut v = [x, y, 1.0];
    let mut u = [y, x, 2.0];
    let mut i = 0;
    let r = if x > 1.0 {
        i += 1;
        &mut v[i]
    } else {
        &mut v[i + 2]
    };
    i = 0;
    *r *= x + i as f64;
    *r *= 2.0;
    let k = if y > 1.0 { 1 } else { 2 };
    let (p, q) = match k {
        1 => (&mut v[k], &mut u[0]),
        n => (&mut u[n], &mut v[n - 1]),
    };
    *p *= x;
    *q += *p;
    std::mem::swap(p, q);
    let mut w = [x, y, 2.0, x * y];
    let part = if x > 1.0 { &mut w[..k] } else { &mut w[k..] };
    part[0] *= y;
    for t in part.iter_mut() {
        *t += x;
    }
    *(if y > 1.0 { &mut w[0] } else { &mut w[1] }) *= 3.0;
    v[0] * v[1] + v[2] * u[0] + u[1] * u[2] + w[0] + w[1] * w[2] - w[3]
}

#[differentiable(order = 2)]
fn of_parameters(a: &mut f64, b: &mut f64, c: f64) -> f64 {
    let r = if c > 1.0 { a } else { b };
    *r *= c;
    if *r > 2.0 {
        return *r;
    }
    *r += 1.0;
    2.0
}

#[differentiable(order = 2)]
fn handed_on(x: f64, y: f64) -> f64 {
    let (mut a, mut b, mut c) = (x, y, 2.0);
    let t = of_parameters(&mut a, &mut b, x);
    let u = scaled(if x > 1.0 { &mut a } else { &mut b }, y) * 2.0;
    let r: &mut f64 = if y > 1.0 { &mut a } else { &mut b };
    let s = if x > 1.0 { r } else { &mut c };
    *s *= x;
    let again = &mut *s;
    *again += 1.0;
    a + b * t + c * 3.0 + u
}

#[differentiable(order = 2)]
fn of_structs(x: f64, y: f64) -> f64 {
    let mut p = Parts { first: x, second: y, rest: [x, y] };
    let mut q = Parts { second: p.first * 2.0, ..p.clone() };
    let r = if x > 1.0 { &mut p } else { &mut q };
    r.first *= y;
    r.rest[1] += r.first;
    let e = if y > 1.0 { &mut p.second } else { &mut q.rest[0] };
    *e *= 2.0;
    p.first + p.rest[1] * 2.0 + q.first * q.rest[1] + q.rest[0] * p.second + q.second
}

#[differentiable(order = 2)]
fn or_leaves(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    for k in 0..3 {
        let r = if x > 2.0 && k == 1 {
            &mut a
        } else if x > 1.0 && k == 2 {
            return a * b;
        } else if k == 0 {
            continue;
        } else {
            &mut b
        };
        *r *= x;
        while *r < 5.0 {
            *r += y;
        }
    }
    a + b * 2.0
}

#[differentiable(order = 2)]
fn choices_with_effects(x: f64, y: f64) -> f64 {
    let (mut a, mut b, mut c) = (x, y, 1.0);
    let r = if {
        c += x;
        c > 2.0
    } && {
        c *= y;
        c > 1.0
    } {
        &mut a
    } else {
        &mut b
    };
    *r += c * {
        c += 1.0;
        c
    };
    *r *= *r + {
        c += 1.0;
        0.5
    };
    let mut n = 0;
    while {
        let r = if a < b { &mut a } else { &mut b };
        *r *= 1.5;
        *r += 0.1;
        n += 1;
        n < 4
    } {
        a += 0.05;
    }
    let scale = |r: &mut f64, k: f64| {
        *r *= k;
        *r
    };
    let r = if n > 3 { &mut a } else { &mut b };
    let s = scale(r, 2.0) + scale(r, x);
    a * b + c * s
}

#[test]
fn choices() {
    for (x, y) in [(1.3, 0.7), (0.4, 1.9), (2.2, 1.1), (0.9, 0.3)] {
        check!(one_of_three(x, y) by x, y);
        check!(an_element(x, y) by x, y);
        check!(handed_on(x, y) by x, y);
        check!(of_structs(x, y) by x, y);
        check!(or_leaves(x, y) by x, y);
        check!(choices_with_effects(x, y) by x, y);
    }
}
