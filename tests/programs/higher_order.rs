//! Functions that take closures, functions and function pointers.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable]
fn integrate(f: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    let mut sum = 0.0;
    let step = (to - from) / 10.0;
    for k in 0..10 {
        sum += f(from + (k as f64 + 0.5) * step) * step;
    }
    sum
}

#[differentiable]
fn newton<F, D>(f: &F, slope: D, mut x: f64) -> f64
where
    F: Fn(f64) -> f64,
    D: Fn(f64) -> f64,
{
    for _ in 0..30 {
        let step = f(x) / slope(x);
        if step.abs() < 1e-14 {
            return x;
        }
        x -= step;
    }
    x
}

#[differentiable]
fn rk4(f: &dyn Fn(f64, &[f64; 2]) -> [f64; 2], y: [f64; 2], t: f64, h: f64) -> [f64; 2] {
    let add = |a: &[f64; 2], b: &[f64; 2], s: f64| [a[0] + s * b[0], a[1] + s * b[1]];
    let k1 = f(t, &y);
    let k2 = f(t + h / 2.0, &add(&y, &k1, h / 2.0));
    let k3 = f(t + h / 2.0, &add(&y, &k2, h / 2.0));
    let k4 = f(t + h, &add(&y, &k3, h));
    let mut out = y;
    for i in 0..2 {
        out[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    out
}

#[differentiable(order = 2)]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable(order = 2)]
fn integrals(x: f64) -> f64 {
    let (from, a) = (0.5, 3.0);
    integrate(|from| (x * from * a).sin(), 0.0, x)
        + integrate(square, from, x)
        + integrate(&f64::sin, x, 2.0)
        + integrate(|_| x, 0.0, 1.0)
}

#[differentiable(order = 2)]
fn root(c: f64) -> f64 {
    let f = |y: f64| y * y * y - c * y - 1.0;
    newton(&f, |y| 3.0 * y * y - c, 2.0)
}

#[differentiable(order = 2)]
fn oscillator(k: f64, n: usize) -> f64 {
    let mut y = [1.0, 0.0];
    let mut t = 0.0;
    for _ in 0..n {
        y = rk4(&|t, s| [s[1], -k * s[0] + t], y, t, 0.1);
        t += 0.1;
    }
    y[0] * y[1]
}

/// A higher-order function that hands a closure on to another.
#[differentiable]
fn moment(density: impl Fn(f64) -> f64, to: f64) -> f64 {
    integrate(|t| density(t) * t, 0.0, to)
}

#[differentiable(order = 2)]
fn moments(x: f64) -> f64 {
    let t = 0.5;
    moment(|b| b * x * t, 1.5) * moment(|b| (b + x).exp(), x)
}

#[differentiable]
fn count(mut next: impl FnMut(f64) -> f64, #[no_diff] n: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..n {
        sum += next(k as f64);
    }
    sum
}

/// A closure that changes what it captured, called once for each number, in order.
#[differentiable(order = 2)]
fn growth(x: f64, n: usize) -> f64 {
    let mut level = x;
    let total = count(
        |k| {
            level *= 1.0 + 0.1 * x;
            level * k
        },
        n,
    );
    total * level
}

#[differentiable]
fn each(values: &mut [f64], f: impl Fn(f64) -> f64) {
    for value in values.iter_mut() {
        *value = f(*value);
    }
}

#[differentiable(order = 2)]
fn mapped(x: &[f64; 3], n: usize) -> f64 {
    let mut values = x.to_vec();
    for k in 0..n {
        let w = x[0] + k as f64;
        each(&mut values, |t| if t > 1.0 { return t * 0.5 } else { t * w });
    }
    values.iter().sum()
}

#[derive(Differentiable, Clone, Copy)]
struct Motion {
    position: f64,
    velocity: f64,
}

#[differentiable]
fn step(state: Motion, force: fn(&Motion, f64) -> f64, k: f64, dt: f64) -> Motion {
    let velocity = state.velocity + dt * force(&state, k);
    Motion { position: state.position + dt * velocity, velocity }
}

#[differentiable(order = 2)]
fn spring(state: &Motion, k: f64) -> f64 {
    -k * state.position - 0.1 * state.velocity
}

#[differentiable(order = 2)]
fn energy(k: f64, n: usize) -> f64 {
    let mut state = Motion { position: 1.0, velocity: k };
    for _ in 0..n {
        state = step(state, spring, k, 0.1);
    }
    state.position * state.position + state.velocity
}

struct Grid {
    points: Vec<f64>,
    weights: Vec<f64>,
    closed: bool,
}

#[differentiable]
fn misfit(coefficients: &[f64], #[no_diff] grid: &Grid, target: impl Fn(f64) -> f64) -> f64 {
    let mut loss = 0.0;
    for (x, w) in grid.points.iter().zip(&grid.weights) {
        let mut value = 0.0;
        for c in coefficients.iter().rev() {
            value = value * x + c;
        }
        let error = value - target(*x);
        loss += w * error * error;
    }
    if grid.closed {
        loss += (coefficients[0] - coefficients[coefficients.len() - 1]).powi(2);
    }
    loss
}

#[differentiable(order = 2)]
fn fitted(coefficients: &[f64], scale: f64, #[no_diff] grid: &Grid) -> f64 {
    misfit(coefficients, grid, |x| (scale * x).sin())
}

mod elsewhere {
    use autodiff::prelude::*;

    /// It names nothing of this module.
    #[differentiable]
    pub fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        let inner = f(x);
        f(inner)
    }
}

#[differentiable(order = 2)]
fn of_another_module(x: f64) -> f64 {
    let inner = 2.0 * x;
    elsewhere::twice(|t| t * inner + x, x)
}

/// Its variables have names that are made for jumps and sums, too.
#[differentiable]
fn first_above(f: impl Fn(f64) -> f64, start: f64) -> f64 {
    let (returned, result, done) = (0.5, 2.0, 3.0);
    let (mut value, mut sum) = (start, 0.0);
    for _ in 0..3 {
        value = f(value);
        if value > 2.0 {
            return value * returned * result * done;
        }
        sum += value;
    }
    sum * returned + [value, done].iter().map(|value| value * sum).sum::<f64>()
}

#[differentiable(order = 2)]
fn above(x: f64) -> f64 {
    first_above(|t| t * x, x) + first_above(|t| t.sin() * x, 0.5)
}

/// A closure with a variable of its own is copied where it is handed over.
#[differentiable(order = 2)]
fn handed_over(x: f64) -> f64 {
    let mut level = x;
    let next = move |t| {
        level *= 0.5 + t;
        level
    };
    count(next, 3) * count(next, 2) * level
}

#[differentiable(order = 2)]
fn lent(x: f64) -> f64 {
    let mut level = x;
    let mut next = |t: f64| {
        level *= 0.5 + t;
        level
    };
    let first = count(&mut next, 3);
    first * next(2.0)
}

#[test]
fn closures_as_arguments() {
    check!(integrals(x) by x = 1.3);
    check!(root(c) by c = 1.3);
    for n in [0, 1, 5] {
        check!(oscillator(k, n) by k = 1.3);
        check!(growth(x, n) by x = 0.7);
        check!(mapped(&x, n) by x = [0.5, 0.7, 1.9]);
        check!(energy(k, n) by k = 1.3);
    }
    check!(moments(x) by x = 1.1);
    check!(above(x) by x = 0.9);
    check!(above(x) by x = 1.6);
    check!(handed_over(x) by x = 1.3);
    check!(lent(x) by x = 1.3);
    check!(of_another_module(x) by x = 1.1);
    let grid = Grid { points: vec![0.0, 0.5, 1.0], weights: vec![1.0, 2.0, 1.0], closed: true };
    check!(fitted(&a, scale, &grid) by [a = vec![0.1, 0.9, -0.2], scale = 1.3]);
}
