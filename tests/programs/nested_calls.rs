//! Calls and derivatives of other functions, several times, in closures and loops.
#![allow(clippy::all)]

use crate::harness::{ByReference as _, ByValue as _, Pass, check, flat};
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable(order = 2)]
fn wave(x: f64) -> f64 {
    x.sin() * x
}

#[differentiable(order = 2)]
fn area(x: &[f64; 2]) -> f64 {
    x[0].sin() * x[1]
}

#[differentiable(order = 2)]
fn turned(x: [f64; 2]) -> [f64; 2] {
    [x[0].sin() * x[1], x[0]]
}

#[differentiable(order = 2)]
fn straight(p: Pair, x: f64) -> f64 {
    p.a * x.sin() + p.b
}

#[differentiable(order = 2)]
fn moved(p: &Pair, x: f64) -> Pair {
    Pair { a: p.a * x, b: p.b.sin() }
}

#[differentiable(order = 2)]
fn two(x: &[f64]) -> f64 {
    x[0].sin() * x[1]
}

#[differentiable(order = 2)]
fn called_twice(x: &[f64; 2]) -> f64 {
    let c = |t: f64| area(x) * t;
    c(x[0]) * c(x[1])
}

#[differentiable(order = 2)]
fn captured_array(x: &[f64; 2]) -> f64 {
    let y = [x[0] * x[1], x[1]];
    let c = |t: f64| area(&y) * t;
    c(x[0]) * c(x[1])
}

#[differentiable(order = 2)]
fn tuple_of_closure(x: &[f64; 2]) -> f64 {
    let y = [x[0] * x[1], x[1]];
    let c = |t: f64| {
        let r = turned(y);
        (r[0] * t, r[1])
    };
    let (a, b) = c(x[0]);
    let (d, e) = c(x[1]);
    a * b * d * e
}

#[differentiable(order = 2)]
fn structs_in_closures(p: &Pair, x: f64) -> f64 {
    let q = Pair { a: p.a * x, b: p.b };
    let c = |t: f64| straight(q, t) + q.a;
    let d = |q: &Pair, t: f64| moved(q, t);
    let r = d(p, x);
    let s = d(&r, x);
    c(x) * c(x * x) + s.a * s.b
}

#[differentiable(order = 2)]
fn slices_in_closures(x: &[f64]) -> f64 {
    let c = |i: usize| two(&x[i..i + 2]);
    c(0) * c(1) + c(0)
}

#[differentiable(order = 2)]
fn iterated(x: &[f64; 3]) -> f64 {
    let y: Vec<f64> = x.iter().map(|t| wave(*t) * wave(t * 2.0)).collect();
    let s: f64 = y.iter().zip(x).map(|(a, b)| a * wave(*b)).sum();
    s * x.iter().fold(1.0, |s, t| s * wave(*t + s))
}

#[differentiable(order = 2)]
fn closure_that_counts(x: f64) -> f64 {
    let mut n = 0.0;
    let mut c = |t: f64| {
        n += wave(t);
        n * t
    };
    let a = c(x);
    let b = c(a);
    a * b + n
}

#[differentiable(order = 2)]
fn closures_in_loops(x: f64) -> f64 {
    let mut s = 0.5;
    let c = |t: f64| wave(t) + wave(t * x);
    let d = |t: f64| if t > 1.0 { c(c(t)) } else { t };
    for i in 0..3 {
        s += c(x * i as f64) * d(s + 1.0);
    }
    s
}

#[test]
fn calls_in_closures() {
    let (x, z) = ([0.7, 0.9], [0.7, 0.9, 0.3]);
    let (s, c) = 0.7_f64.sin_cos();
    let g = called_twice::grad(&x);
    assert!((g[0] - (2.0 * s * c * 0.7 + s * s) * 0.9_f64.powi(3)).abs() < 1e-12);
    check!(called_twice(&x) by x);
    check!(captured_array(&x) by x);
    check!(tuple_of_closure(&x) by x);
    check!(structs_in_closures(&p, t) by p = Pair { a: 0.3, b: 0.8 }, t = 0.7);
    check!(slices_in_closures(&v) by v = vec![0.7, 0.9, 0.3]);
    check!(iterated(&z) by z);
    check!(closure_that_counts(t) by t = 0.7);
    check!(closures_in_loops(t) by t = 0.7);
}

// --- derivatives inside of functions: of these there is no `hvp` -----------------------------------------------------

/// Value, gradient by all ways, differences.
macro_rules! check_first {
    ($f:ident(&$x:ident)) => { check_first!(@ [&] $f $x) };
    ($f:ident($x:ident)) => { check_first!(@ [] $f $x) };
    (@ [$($amp:tt)?] $f:ident $x:ident) => {{
        let value = |p: &[f64]| { let mut y = $x; y.copy_from_flat(p); $f($($amp)? y) };
        let mut at = vec![0.0; $x.flat_len()];
        $x.copy_to_flat(&mut at);
        let (y, g) = $f::value_and_grad($($amp)? $x);
        assert_eq!(y, $f($($amp)? $x), stringify!($f));
        let by_vjp = flat(&$f::vjp($($amp)? $x).1(1.0));
        for (k, g) in flat(&g).into_iter().enumerate() {
            let step = |by: f64| { let mut p = at.clone(); p[k] += by; value(&p) };
            let difference = (step(1e-5) - step(-1e-5)) / 2e-5;
            assert!((g - difference).abs() < 1e-6 * (1.0 + y.abs()), "{}: {k}: {g} and {difference}", stringify!($f));
            assert!((g - by_vjp[k]).abs() < 1e-11, "{}: {k}: {g} and {} by `vjp`", stringify!($f), by_vjp[k]);
            let mut unit = $x.zero_tangent();
            let mut flat_unit = vec![0.0; at.len()];
            flat_unit[k] = 1.0;
            unit.copy_from_flat(&flat_unit);
            let by_jvp = $f::jvp($($amp)? $x, (&Pass(&unit)).pass()).1;
            assert!((g - by_jvp).abs() < 1e-11, "{}: {k}: {g} and {by_jvp} by `jvp`", stringify!($f));
        }
    }};
}

#[differentiable(order = 2)]
fn owned(p: [f64; 2]) -> f64 {
    p[0] * p[0] * p[1]
}

#[differentiable(order = 2)]
fn borrowed(p: &[f64; 2]) -> f64 {
    p[0] * p[0] * p[1]
}

#[differentiable(order = 2)]
fn sliced(p: &[f64]) -> f64 {
    p[0] * p[0] * p[1]
}

#[differentiable(order = 2)]
fn cube(p: f64) -> f64 {
    p * p * p
}

#[differentiable(order = 2)]
fn product(p: f64, q: f64) -> f64 {
    p * p * q
}

#[differentiable]
fn grad_twice(x: &[f64; 2]) -> f64 {
    let a = owned::grad(*x);
    let b = owned::grad([a[0], a[1]]);
    let c = sliced::grad(x);
    let d = sliced::grad(x);
    b[0] + b[1] + c[0] * d[1] + owned::grad(*x)[0]
}

#[differentiable]
fn descent(x: &[f64; 2]) -> f64 {
    let mut p = *x;
    for _ in 0..3 {
        let d = owned::grad(p);
        let e = borrowed::grad(&p);
        p[0] -= 0.1 * d[0];
        p = [p[0], p[1] - 0.1 * e[1]];
    }
    p[0] * p[1]
}

#[differentiable]
fn by_value(x: [f64; 2]) -> f64 {
    let (d, e) = (owned::grad(x), owned::grad(x));
    let mut s = 0.0;
    for _ in 0..3 {
        let f = owned::grad(x);
        s += f[0] * x[1];
    }
    s + d[0] * e[1]
}

#[differentiable]
fn all_kinds(x: &[f64; 2]) -> f64 {
    let y = [x[0] * 2.0, x[1]];
    let (v, d) = owned::value_and_grad(y);
    let (w, e) = owned::jvp(y, &[1.0, 0.5]);
    let c = |t: f64| cube::grad(t) * t;
    v * d[0] + w * e + c(x[0]) * c(x[1])
}

#[differentiable]
fn constant_points(x: &[f64; 2]) -> f64 {
    let y = [1.0, 2.0];
    let d = owned::grad(y);
    let e = owned::grad(y);
    d[0] * x[0] + e[1] * x[1] + cube::grad(2.0) * x[0]
}

#[differentiable]
fn in_branches(p: f64) -> f64 {
    let r = if p > 0.0 { cube::grad(p) } else { cube::grad(-p) };
    let mut t = p;
    let mut n = 0;
    while n < 4 {
        t -= 0.1 * cube::grad(t);
        n += 1;
    }
    r * t
}

#[test]
fn derivatives_inside() {
    let (x, p) = ([0.7, 0.9], 0.7);
    check_first!(grad_twice(&x));
    check_first!(descent(&x));
    check_first!(by_value(x));
    check_first!(all_kinds(&x));
    check_first!(constant_points(&x));
    check_first!(in_branches(p));
}

#[differentiable]
fn stopped(p: f64) -> f64 {
    let (d, e) = product::grad(stop_gradient(p), p);
    let q = stop_gradient(p);
    d * e + cube::grad(q) * p + cube::value_and_grad(q).1 + cube::jvp(q, 1.0).1 * p
}

#[differentiable]
fn stopped_array(x: &[f64; 2]) -> f64 {
    let d = borrowed::grad(&stop_gradient(*x));
    let e = borrowed::grad(stop_gradient(x));
    d[0] * x[1] + e[1] * x[0]
}

#[test]
fn at_a_point_that_stands_still() {
    // d = 2 q p with q at rest, e = q², and 3 q² p + 3 q² + 3 q² p
    let p = 0.7_f64;
    let (y, g) = stopped::value_and_grad(p);
    assert!((y - (2.0 * p.powi(4) + 6.0 * p.powi(3) + 3.0 * p * p)).abs() < 1e-12);
    assert!((g - (2.0 * p.powi(3) + 6.0 * p * p)).abs() < 1e-12, "{g}");
    let x = [0.7, 0.9];
    let g = stopped_array::grad(&x);
    assert!((g[0] - 0.49).abs() < 1e-12 && (g[1] - 1.26).abs() < 1e-12, "{g:?}");
}

/// All in it have second derivatives, except those that take a derivative themselves.
#[differentiable(order = 2)]
mod network {
    use super::{Differentiable, differentiable};

    #[derive(Clone, Debug, Differentiable)]
    pub struct Net {
        pub w: [f64; 3],
        pub b: [f64; 3],
    }

    #[differentiable]
    pub fn field(net: &Net, x: f64) -> f64 {
        let mut y = 0.0;
        for i in 0..3 {
            y += (net.w[i] * x + net.b[i]).tanh() * net.w[i];
        }
        y
    }

    #[differentiable]
    pub fn slope(net: &Net, x: f64) -> f64 {
        let (_, by_x) = field::grad(net, x);
        by_x
    }

    #[differentiable(order = 1)]
    pub fn loss(net: &Net, x: f64) -> f64 {
        let by_x = slope(net, x);
        by_x * by_x + field(net, 0.0)
    }
}

#[test]
fn first_derivatives_of_what_takes_derivatives() {
    let net = network::Net { w: [0.4, -0.7, 0.9], b: [0.1, 0.3, -0.2] };
    let (by_net, by_x) = network::loss::grad(&net, 0.6);
    let step = 1e-5;
    let difference = (network::loss(&net, 0.6 + step) - network::loss(&net, 0.6 - step)) / (2.0 * step);
    assert!((by_x - difference).abs() < 1e-7, "{by_x} {difference}");
    for k in 0..3 {
        let moved = |by: f64| {
            let mut net = net.clone();
            net.w[k] += by;
            network::loss(&net, 0.6)
        };
        let difference = (moved(step) - moved(-step)) / (2.0 * step);
        assert!((by_net.w[k] - difference).abs() < 1e-7, "{} {difference}", by_net.w[k]);
    }
}
