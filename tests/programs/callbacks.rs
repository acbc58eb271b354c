//! Integrators, root finders, quadrature, events, callbacks that log: functions and iterators as users hand them on.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Body {
    pos: [f64; 2],
    vel: [f64; 2],
}

#[differentiable]
fn leapfrog(accel: impl Fn(&[f64; 2]) -> [f64; 2], body: &mut Body, dt: f64) {
    let a = accel(&body.pos);
    for i in 0..2 {
        body.vel[i] += 0.5 * dt * a[i];
        body.pos[i] += dt * body.vel[i];
    }
    let a = accel(&body.pos);
    for i in 0..2 {
        body.vel[i] += 0.5 * dt * a[i];
    }
}
#[differentiable(order = 2)]
fn orbit(gm: f64, v: f64) -> f64 {
    let mut b = Body { pos: [1.0, 0.0], vel: [0.0, v] };
    let gravity = |p: &[f64; 2]| {
        let r2 = p[0] * p[0] + p[1] * p[1];
        let k = -gm / (r2 * r2.sqrt());
        [k * p[0], k * p[1]]
    };
    for _ in 0..20 {
        leapfrog(&gravity, &mut b, 0.05);
    }
    b.pos[0].hypot(b.pos[1]) + b.vel[0]
}

#[differentiable]
fn find_root<F: Fn(f64) -> f64>(f: F, mut lo: f64, mut hi: f64, #[no_diff] tol: f64) -> f64 {
    let sign = f(lo).signum();
    while hi - lo > tol {
        let mid = 0.5 * (lo + hi);
        if f(mid) * sign > 0.0 { lo = mid } else { hi = mid }
    }
    let h = 1e-4;
    let slope = (f(lo + h) - f(lo - h)) / (2.0 * h);
    lo - f(lo) / slope
}
#[differentiable(order = 2)]
fn price(r: f64, coupon: f64) -> f64 {
    let value = |y: f64| (1..=5).map(|k| coupon * (-y * k as f64).exp()).sum::<f64>() + (-5.0 * y).exp() - r;
    find_root(value, 0.0, 1.0, 1e-3)
}

const NODES: [(f64, f64); 3] = [
    (-0.774_596_669_241_483_4, 0.555_555_555_555_555_6),
    (0.0, 8.0 / 9.0),
    (0.774_596_669_241_483_4, 0.555_555_555_555_555_6),
];
#[differentiable]
fn gauss(f: &dyn Fn(f64) -> f64, a: f64, b: f64, #[no_diff] panels: usize) -> f64 {
    let w = (b - a) / panels as f64;
    (0..panels)
        .map(|i| {
            let mid = a + (i as f64 + 0.5) * w;
            NODES.iter().map(|&(x, c)| c * f(mid + 0.5 * w * x)).sum::<f64>() * 0.5 * w
        })
        .sum()
}
#[differentiable(order = 2)]
fn arc_length(a: f64, b: f64) -> f64 {
    let dx = |t: f64| -a * t.sin();
    let dy = |t: f64| b * t.cos();
    gauss(&|t| dx(t).hypot(dy(t)), 0.0, 1.5, 4)
}

#[differentiable]
fn until_event<const N: usize>(
    rhs: impl Fn(&[f64; N]) -> [f64; N],
    event: impl Fn(&[f64; N]) -> f64,
    y0: &[f64; N],
    dt: f64,
) -> (f64, [f64; N]) {
    let mut y = *y0;
    let mut t = 0.0;
    loop {
        let d = rhs(&y);
        let mut next = y;
        for i in 0..N {
            next[i] += dt * d[i];
        }
        let (before, after) = (event(&y), event(&next));
        if before > 0.0 && after <= 0.0 {
            let s = before / (before - after);
            let hit: [f64; N] = std::array::from_fn(|i| y[i] + s * (next[i] - y[i]));
            return (t + s * dt, hit);
        }
        y = next;
        t += dt;
        if t > 10.0 {
            return (t, y);
        }
    }
}
#[differentiable(order = 2)]
fn bounce(h: f64, drag: f64) -> f64 {
    let (t, [_, v]) = until_event(|y| [y[1], -9.81 - drag * y[1] * y[1].abs()], |y| y[0], &[h, 0.0], 0.01);
    t * v
}

#[differentiable]
fn simulate(x0: f64, k: f64, n: usize, mut log: impl FnMut(usize, f64)) -> f64 {
    let mut x = x0;
    for i in 0..n {
        x += 0.1 * (k - x * x);
        log(i, x);
    }
    x
}
#[differentiable(order = 2)]
fn logged(x0: f64, k: f64) -> f64 {
    let mut trace = Vec::new();
    let mut steps = vec![];
    let end = simulate(x0, k, 6, |i, x| {
        trace.push(x);
        if i % 2 == 0 {
            steps.push(x * x);
        }
    });
    end * trace.iter().sum::<f64>() + steps.iter().map(|s| s.sin()).sum::<f64>() * steps.len() as f64
}

#[differentiable]
fn fixed_point<const N: usize, F, C>(f: F, mut x: [f64; N], converged: C) -> [f64; N]
where
    F: Fn(&[f64; N]) -> [f64; N],
    C: Fn(&[f64; N], &[f64; N]) -> bool,
{
    for _ in 0..100 {
        let next = f(&x);
        let done = converged(&x, &next);
        x = next;
        if done {
            break;
        }
    }
    x
}
#[differentiable(order = 2)]
fn equilibrium(a: f64, b: f64) -> f64 {
    let [p, q] = fixed_point(
        |[p, q]| [(a * q).cos(), 0.5 * (b * p).sin()],
        [0.1, 0.2],
        |x, y| x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-10),
    );
    p * q + p
}

#[differentiable]
fn apply_n(f: impl Fn(f64) -> f64, n: usize, x: f64) -> f64 {
    (0..n).fold(x, |x, _| f(x))
}
#[differentiable(order = 2)]
fn pipeline(x: f64, a: f64) -> f64 {
    let stages: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(|v| v * a), Box::new(f64::sin), Box::new(move |v| v + a)];
    let once = |v: f64| stages.iter().fold(v, |v, s| s(v));
    apply_n(once, 3, x) + apply_n(&once, 2, a)
}

#[differentiable]
fn huber_sum(residuals: impl IntoIterator<Item = f64>, delta: f64) -> f64 {
    residuals.into_iter().map(|r| if r.abs() <= delta { 0.5 * r * r } else { delta * (r.abs() - 0.5 * delta) }).sum()
}
#[differentiable(order = 2)]
fn fit(w: &[f64], xs: &[f64], ys: &[f64]) -> f64 {
    let model = |x: f64| w.iter().rev().fold(0.0, |acc, c| acc * x + c);
    huber_sum(xs.iter().zip(ys).map(|(x, y)| model(*x) - y), 0.5) + 0.1 * huber_sum(w.iter().skip(1).copied(), 1.0)
}

#[differentiable]
fn jacobian<const N: usize, const M: usize>(f: impl Fn(&[f64; N]) -> [f64; M], x: &[f64; N]) -> [[f64; N]; M] {
    let h = 1e-3;
    let mut jac = [[0.0; N]; M];
    for j in 0..N {
        let (mut plus, mut minus) = (*x, *x);
        plus[j] += h;
        minus[j] -= h;
        let (p, m) = (f(&plus), f(&minus));
        for i in 0..M {
            jac[i][j] = (p[i] - m[i]) / (2.0 * h);
        }
    }
    jac
}
#[differentiable(order = 2)]
fn manip(l1: f64, l2: f64, q: &[f64; 2]) -> f64 {
    let tip = |q: &[f64; 2]| [l1 * q[0].cos() + l2 * (q[0] + q[1]).cos(), l1 * q[0].sin() + l2 * (q[0] + q[1]).sin()];
    let j = jacobian(tip, q);
    (j[0][0] * j[1][1] - j[0][1] * j[1][0]).abs()
}

#[differentiable]
fn trapz<'a>(points: impl Iterator<Item = (&'a f64, &'a f64)> + Clone) -> f64 {
    points.clone().zip(points.skip(1)).map(|((t0, y0), (t1, y1))| 0.5 * (t1 - t0) * (y0 + y1)).sum()
}
#[differentiable(order = 2)]
fn energy(t: &[f64], p: &[f64]) -> f64 {
    trapz(t.iter().zip(p)) + trapz(t.iter().zip(p.iter()).filter(|(_, p)| **p > 0.0)).powi(2)
}

#[differentiable]
fn total(values: impl Iterator<Item = f64>, k: f64) -> f64 {
    let v = 3.0;
    values.map(|x| x * k + v).sum()
}
#[differentiable(order = 2)]
fn moved(x: &[f64], a: f64) -> f64 {
    let mut k = a;
    let it = x.iter().map(move |v| v * k);
    k *= 10.0;
    total(it, k)
}
#[differentiable(order = 2)]
fn boxed(x: f64, a: f64, c: bool) -> f64 {
    let mut k = a;
    let f: Box<dyn Fn(f64) -> f64> = if c { Box::new(move |v| v * k) } else { Box::new(move |v| v + k * v * v) };
    k *= 10.0;
    let table: [Box<dyn Fn(f64) -> f64>; 2] = [Box::new(move |v| v * k), Box::new(move |v| v - k)];
    k += x;
    f(x) * k + table[usize::from(c)](x) + table[0](k)
}
#[differentiable(order = 2)]
fn relu(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.01 * x }
}
#[differentiable(order = 2)]
fn shadow(x: f64, i: usize) -> f64 {
    let acts = [relu, f64::sin];
    let relu = 5.0 * x;
    let g = |x: f64| acts[i](x) * relu;
    acts[i](relu) + g(x)
}
#[differentiable(order = 2)]
fn walk(x: f64, n: usize) -> f64 {
    let moves: [fn(f64) -> f64; 3] = [|v| v * 1.1, |v| v - 0.3, f64::sqrt];
    let mut y = x;
    let mut k = 0;
    while k < n {
        let f = if y > 2.0 { moves[k % 3] } else { moves[0] };
        y = f(y);
        if y < 0.1 {
            return y;
        }
        k += 1;
    }
    for (i, f) in moves.iter().enumerate().skip(1) {
        if i == 2 && y < 0.0 {
            continue;
        }
        y += f(y) * i as f64;
    }
    y
}
#[differentiable(order = 2)]
fn gen_table<T: Real>(x: T, i: usize) -> T {
    let acts: [fn(T) -> T; 2] = [T::sin, |v| v * v];
    acts[i](x)
}
#[differentiable]
fn dot(a: impl Iterator<Item = f64>, b: impl IntoIterator<Item = f64>) -> f64 {
    a.zip(b).map(|(a, b)| a * b).sum()
}
#[differentiable(order = 2)]
fn nested(x: &[f64], y: &[f64]) -> f64 {
    let a = 2.0;
    let b = x[0];
    dot(x.iter().map(|v| v * a * dot(y.iter().map(|v| v + b), [a, b])), y.iter().map(|b| b * a))
}
#[differentiable]
fn until(mut values: impl Iterator<Item = f64>, limit: f64) -> (f64, usize) {
    let mut s = 0.0;
    let mut n = 0;
    while s <= limit {
        let Some(v) = values.next() else { break };
        s += v;
        n += 1;
    }
    (s, n)
}
#[differentiable(order = 2)]
fn partial(x: &[f64]) -> f64 {
    let mut it = x.iter().copied();
    let (s, n) = until(it.by_ref(), 0.5);
    let rest: f64 = it.map(|v| v * v).sum();
    s * rest + n as f64 * x[0]
}
#[differentiable(order = 2)]
fn const_generic_in_loop<const N: usize>(w: &[[f64; N]; 2], x: [f64; N], i: usize) -> f64 {
    let acts: [fn(f64) -> f64; 2] = [f64::tanh, relu];
    let layer = |w: &[f64; N], x: [f64; N], k: usize| -> [f64; N] { std::array::from_fn(|j| acts[k](w[j] * x[j])) };
    let mut h = x;
    for (k, w) in w.iter().enumerate() {
        h = layer(w, h, (k + i) % 2);
    }
    h.iter().sum()
}

#[test]
fn callbacks() {
    let (x, y) = (1.1, 0.9);
    check!(orbit(x, y) by x, y);
    check!(logged(x, y) by x, y);
    check!(equilibrium(x, y) by x, y);
    check!(pipeline(x, y) by x, y);
    check!(arc_length(x, y) by x, y);
    let (x, y) = (0.9, 0.05);
    check!(price(x, y) by x, y);
    let (x, y) = (1.1, 0.1);
    check!(bounce(x, y) by x, y);
    check!(fit(&w, &xs, &ys) by [w = vec![0.1, 0.5, -0.3], xs = vec![0.1, 0.5, 1.0, 2.0], ys = vec![0.3, 0.9, 2.0, -1.0]]);
    let (l1, l2, q) = (1.1, 0.7, [0.3, 0.9]);
    check!(manip(l1, l2, &q) by l1, l2, q);
    check!(energy(&t, &p) by [t = vec![0.0, 0.5, 1.0, 2.0], p = vec![0.3, 0.9, 2.0, -1.0]]);
}

#[test]
fn what_is_captured() {
    check!(moved(&x, a) by [x = vec![0.4, 0.9, 0.2], a = 0.7]);
    let (x, a) = (0.4, 0.7);
    check!(boxed(x, a, true) by x, a);
    check!(boxed(x, a, false) by x, a);
    for i in 0..2 {
        check!(shadow(x, i) by x = 0.4);
        check!(gen_table(x, i) by x = 0.4);
        let (w, x) = ([[0.3, 0.8, -0.4], [1.0, -0.7, 0.5]], [0.4, 0.9, 0.2]);
        check!(const_generic_in_loop(&w, x, i) by w, x);
    }
    for n in [0, 1, 4, 7] {
        check!(walk(x, n) by x = 0.3);
        check!(walk(x, n) by x = 2.5);
    }
    check!(nested(&x, &y) by [x = vec![0.4, 0.9, 0.2], y = vec![0.7, -0.5, 1.4]]);
    check!(partial(&x) by [x = vec![0.4, 0.9, 0.2]]);
}
