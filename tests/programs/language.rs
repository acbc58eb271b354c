//! Programs through every generated function.
#![allow(clippy::unnecessary_cast)]

use autodiff::prelude::*;

fn check<const N: usize>(f: impl Fn(&[f64; N]) -> f64, g: [f64; N], x: [f64; N]) {
    for i in 0..N {
        let (mut a, mut b) = (x, x);
        let h = 1e-6;
        a[i] += h;
        b[i] -= h;
        let d = (f(&a) - f(&b)) / (2.0 * h);
        assert!((d - g[i]).abs() < 1e-6 * (1.0 + d.abs()), "component {i}: differences {d}, gradient {}", g[i]);
    }
}

#[differentiable(order = 2)]
fn powers<const N: usize>(x: &[f64; N]) -> f64 {
    let mut p = 1.0;
    for i in 0..N {
        p *= x[i];
    }
    p
}

#[differentiable(order = 2)]
fn recurrence(x: &[f64; 5]) -> f64 {
    let mut s = 0.5;
    let mut t = 1.0;
    for i in 0..5 {
        let old = s;
        s = s * x[i] + t;
        t = old.sin() * x[i];
    }
    s * t
}

#[differentiable(order = 2)]
fn nested(x: &[f64; 4]) -> f64 {
    let mut y = [0.0; 4];
    for i in 0..4 {
        for j in 0..4 {
            y[i] += x[j] * x[i];
        }
        y[i] = y[i].tanh();
    }
    let mut s = 0.0;
    for i in 0..4 {
        s += y[i] * y[i];
    }
    s.sqrt()
}

#[differentiable(order = 2)]
fn shadow(x: [f64; 3], k: usize, scale: f64) -> f64 {
    let (a, b) = (x[0], x[1]);
    let a = a * b;
    let c = {
        let t = a + 1.0;
        t * t
    };
    let n = 3 as f64;
    let x = f64::exp(x[2]) * scale;
    (c + x.powi(2)) / n - k as f64 * a
}

#[derive(Differentiable, Clone, Debug)]
struct State {
    pos: [f64; 2],
    vel: (f64, f64),
    id: usize,
}

#[differentiable(order = 2)]
fn step(s: &State, dt: f64) -> State {
    let (vx, vy) = s.vel;
    State { pos: [s.pos[0] + vx * dt, s.pos[1] + vy * dt], vel: (vx, vy - 9.81 * dt), id: s.id }
}

#[differentiable(order = 2)]
fn generic<T: Real, const N: usize>(x: &Tensor1<T, N>, w: &Tensor2<T, N, N>) -> T {
    let y = w.matmul(x);
    (y * x).sum() + T::from_f64(0.5) * x.square().mean()
}

#[differentiable(order = 2)]
fn two(x: f64, y: f64) -> (f64, [f64; 2]) {
    (x * y, [x.sin(), y.cos()])
}

#[differentiable(order = 2)]
fn uses_two(x: f64) -> f64 {
    let (a, b) = two(x, x);
    a + b[0] * b[1]
}

#[differentiable(wrt(y), order = 2)]
fn only_y(x: f64, y: f64) -> f64 {
    x * y * y
}

#[differentiable(order = 2)]
fn prod_loop(x: &[f64; 6]) -> f64 {
    let mut s = 0.0;
    for i in 1..=4 {
        s += x[i].sin() * (x[i - 1] * x[i + 1]).exp();
    }
    s
}

#[differentiable(order = 2)]
fn matrix(a: &[[f64; 3]; 2]) -> f64 {
    let mut s = 0.0;
    for i in 0..2 {
        for j in 0..3 {
            s += a[i][j] * a[i][j] * (i + j) as f64;
        }
    }
    s
}

#[differentiable(order = 2)]
fn mutate(mut x: [f64; 3]) -> [f64; 3] {
    x[0] *= x[1];
    x[1] -= x[0] * x[2];
    x[2] = x[0] / x[1];
    x
}

#[differentiable(order = 2)]
fn softmax_rows(x: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 4> {
    let p = x.softmax(-1);
    let q = x.log_softmax(1);
    p * q + x.t().sum_axis(0).reshape([3, 1])
}

/// Parameters may be called what the generated functions call their own.
#[differentiable(order = 2)]
fn names(inputs: &Tensor1<f64, 3>, saved: f64, residuals: &Tensor1<f64, 3>, seed: f64, g: &[f64; 3], y: f64) -> f64 {
    (inputs * residuals).sum() * saved * seed * g[0] * y
}

#[test]
fn names_of_parameters() {
    let t = Tensor1::from([1.0, 2.0, 3.0]);
    let (value, pullback) = names::vjp(&t, 2.0, &t, 1.0, &[2.0; 3], 1.0);
    assert_eq!(value, 56.0);
    assert_eq!(pullback(1.0), names::grad(&t, 2.0, &t, 1.0, &[2.0; 3], 1.0));
}

#[test]
fn language() {
    check(powers, powers::grad(&[1.1, 2.0, -0.5]), [1.1, 2.0, -0.5]);
    let x5 = [0.3, -0.7, 1.2, 0.4, 0.9];
    check(recurrence, recurrence::grad(&x5), x5);
    let x4 = [0.1, 0.2, -0.4, 0.3];
    check(nested, nested::grad(&x4), x4);
    let x6 = [0.1, 0.2, -0.4, 0.3, 0.8, -0.2];
    check(prod_loop, prod_loop::grad(&x6), x6);
    let x3 = [0.4, 0.5, 0.6];
    let (g, gs) = shadow::grad(x3, 2, 1.5);
    check(|x| shadow(*x, 2, 1.5), g, x3);
    check(|s| shadow(x3, 2, s[0]), [gs], [1.5]);
    let m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    assert_eq!(matrix::grad(&m), [[0.0, 4.0, 12.0], [8.0, 20.0, 36.0]]);
    assert_eq!(only_y::grad(3.0, 2.0), 12.0);
    check(|x| uses_two(x[0]), [uses_two::grad(0.7)], [0.7]);
    let s = State { pos: [1.0, 2.0], vel: (3.0, 4.0), id: 7 };
    let (y, pull) = step::vjp(&s, 0.1);
    assert_eq!(y.id, 7);
    let mut ybar = autodiff::Differentiable::zero_tangent(&y);
    ybar.pos[1] = 2.0;
    ybar.vel.1 = 1.0;
    let (sb, dtb) = pull(&ybar);
    assert_eq!(sb.pos, [0.0, 2.0]);
    assert!((sb.vel.1 - 1.2).abs() < 1e-15);
    assert!((dtb - (4.0 * 2.0 - 9.81)).abs() < 1e-12);
    let (_, d) = step::jvp(&s, 0.1, &sb, 1.0);
    assert!((d.pos[1] - (2.0 + 1.2 * 0.1 + 4.0)).abs() < 1e-12);
    let x = Tensor1::from([0.5_f32, 1.0]);
    let w = Tensor2::from([[1.0_f32, 2.0], [3.0, 4.0]]);
    let (v, (gx, gw)) = generic::value_and_grad(&x, &w);
    assert!((v - (0.25 + 2.5 + 4.0 + 0.5 * 0.625)).abs() < 1e-6);
    assert_eq!(gw, Tensor2::from([[0.25, 0.5], [0.5, 1.0]]));
    let _ = gx;
    for k in 0..3 {
        let mut e = [0.0; 3];
        e[k] = 1.0;
        let (y, pull) = mutate::vjp(x3);
        let g = pull(&e);
        check(|x| mutate(*x)[k], g, x3);
        assert_eq!(y, mutate(x3));
    }
    let v = [0.3, -0.1, 0.7, 0.2];
    let h = nested::hvp(&x4, &v);
    let (mut a, mut b) = (x4, x4);
    for i in 0..4 {
        a[i] += 1e-6 * v[i];
        b[i] -= 1e-6 * v[i];
    }
    let (ga, gb) = (nested::grad(&a), nested::grad(&b));
    for i in 0..4 {
        assert!(((ga[i] - gb[i]) / 2e-6 - h[i]).abs() < 1e-5, "{} {}", (ga[i] - gb[i]) / 2e-6, h[i]);
    }
    let h = recurrence::hvp(&x5, &[1.0, 0.5, 0.2, -0.3, 0.4]);
    let v = [1.0, 0.5, 0.2, -0.3, 0.4];
    let (mut a, mut b) = (x5, x5);
    for i in 0..5 {
        a[i] += 1e-6 * v[i];
        b[i] -= 1e-6 * v[i];
    }
    let (ga, gb) = (recurrence::grad(&a), recurrence::grad(&b));
    for i in 0..5 {
        assert!(((ga[i] - gb[i]) / 2e-6 - h[i]).abs() < 1e-5, "{} {}", (ga[i] - gb[i]) / 2e-6, h[i]);
    }
    let x = Tensor2::from_fn(|[i, j]| (i as f64 - j as f64) * 0.3);
    let (_, pull) = softmax_rows::vjp(&x);
    let g = pull(&Tensor2::from_fn(|[i, j]| (i * j) as f64 + 1.0));
    let _ = g;
}

/// The new values are computed before any of them is assigned.
#[differentiable(order = 2)]
fn exchanged<const N: usize>(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    let mut last = [0.0, 0.0];
    for _ in 0..N {
        (a, (b, _)) = (b, (a * b.sin(), 1.0));
        (last[0], last[1]) = (last[1], a);
    }
    a + 2.0 * b + last[0] * last[1]
}

#[test]
fn parts_of_a_tuple_are_assigned() {
    fn by_steps(x: f64, y: f64) -> f64 {
        let b1 = x * y.sin();
        let b2 = y * b1.sin();
        let b3 = b1 * b2.sin();
        b2 + 2.0 * b3 + b1 * b2
    }
    let (x, y) = (0.7, 1.2);
    let (value, (by_x, by_y)) = exchanged::<3>::value_and_grad(x, y);
    assert_eq!(value, by_steps(x, y));
    let slope = |f: &dyn Fn(f64) -> f64| (f(1e-6) - f(-1e-6)) / 2e-6;
    assert!((by_x - slope(&|d| by_steps(x + d, y))).abs() < 1e-8);
    assert!((by_y - slope(&|d| by_steps(x, y + d))).abs() < 1e-8);
}
