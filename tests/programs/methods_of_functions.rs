//! Methods that take closures.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug)]
struct Steps {
    x: f64,
    n: usize,
}
#[differentiable(order = 2)]
impl Steps {
    fn run(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.x)
    }
    fn sum<F: Fn(f64, f64) -> f64>(&self, a: f64, f: F) -> f64 {
        let mut s = 0.0;
        for i in 0..self.n {
            if i == 7 {
                return s;
            }
            let y = f(self.x * i as f64, a);
            if y < 0.0 {
                continue;
            }
            s += y * f(s, a);
        }
        s
    }
}
#[differentiable(order = 2)]
fn sums(x: f64, k: f64) -> f64 {
    let s = Steps { x, n: 4 };
    s.run(|x| x * k) + s.sum(k * x, |u, v| u * v + k) * s.run(|y| y.sin() * k)
}
#[differentiable(order = 2)]
fn in_loop(x: f64, k: f64) -> f64 {
    let s = Steps { x, n: 9 };
    let f = |u: f64, v: f64| u.sin() * v + k;
    let mut t = 0.0;
    for i in 0..3 {
        if i != 1 {
            t += s.sum(x, f) * i as f64;
        }
    }
    t
}
#[differentiable(order = 2)]
fn ordered(x: f64, k: f64) -> f64 {
    let s = Steps { x, n: 9 };
    let mut t = x;
    let a = {
        t *= k;
        s.run(|u| u * t)
    } + {
        t += 1.0;
        s.run(|u| u * t)
    };
    a + t
}
#[derive(Differentiable, Clone, Copy, Debug)]
struct Sim {
    x: f64,
    n: usize,
}
const C: f64 = 3.0;
#[differentiable(order = 2)]
impl Sim {
    fn sum<F>(&self, a: f64, f: F) -> f64
    where
        F: Fn(f64, f64) -> f64,
    {
        let mut s = 0.0;
        let mut a = a;
        for i in 0..self.n {
            let y = f(self.x * i as f64, a);
            a = a * 0.5 + y;
            s += y * f(s, a);
        }
        s
    }
    fn konst(&self, f: &dyn Fn(f64) -> f64) -> f64 {
        f(self.x) * C
    }
    fn made(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        f(x)
    }
}
#[differentiable(order = 2)]
fn names(x: f64, k: f64) -> f64 {
    let s = Sim { x, n: 3 };
    let (y, a, i, this) = (k * k, x * 2.0, 3.0, k);
    let f = 7.0;
    s.sum(k, |u, v| u * v * s.x + y * a + i * this * f * 0.01) * y
}
#[differentiable(order = 2)]
fn by_reference(x: f64, k: f64) -> f64 {
    let s = Sim { x, n: 3 };
    let r = &s;
    s.konst(&|u| u * k) + r.konst(&|u| u.sin() * k)
}

#[differentiable(order = 2)]
fn by_path(x: f64, k: f64) -> f64 {
    Sim::made(|u| u * k, x) + Steps::run(&Steps { x, n: 1 }, |u| u * u * k)
}

#[test]
fn methods_take_closures() {
    check!(sums(x, k) by x = 0.7, k = 1.2);
    check!(in_loop(x, k) by x = 0.7, k = 1.2);
    check!(ordered(x, k) by x = 0.7, k = 1.2);
    check!(names(x, k) by x = 0.7, k = 1.2);
    check!(by_reference(x, k) by x = 0.7, k = 1.2);
    check!(by_path(x, k) by x = 0.7, k = 1.2);
    assert_eq!(by_path::grad(2.0, 3.0), (3.0 + 12.0, 2.0 + 4.0));
}
