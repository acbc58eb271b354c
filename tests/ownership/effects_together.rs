//! Effects in methods, closures and indices, in one expression.
#![allow(unused_assignments, unused_parens)]

use crate::harness::check;
use autodiff::prelude::*;

// --- methods --------------------------------------------------------------------------------------------------

#[derive(Differentiable, Clone)]
struct Motor {
    speed: f64,
    load: f64,
}

#[differentiable(order = 2)]
impl Motor {
    fn step(&mut self, by: f64) -> f64 {
        self.speed = self.speed * by;
        self.speed + self.load
    }

    fn power(&self) -> f64 {
        self.speed * self.load
    }

    fn run(&mut self) -> f64 {
        let mut t = 0.0;
        while self.step(1.5) < 6.0 && self.step(1.1) > 0.0 {
            t += self.speed * self.step(1.2);
        }
        t
    }
}

#[differentiable(order = 2)]
fn motor(x: f64, y: f64) -> f64 {
    let mut m = Motor { load: y, speed: x };
    let a = m.power() + m.step(2.0) * m.speed + m.step(y) / m.power();
    let b = m.load * {
        m.load += 1.0;
        m.load
    };
    while m.step(1.5) < 6.0 {
        m.load += 0.1;
    }
    let mut n = Motor { speed: a, load: b };
    let c = n.step({
        m.load += 1.0;
        m.step(n.speed)
    }) + n.step(n.load);
    n.run() + n.speed * n.run() + c * m.power()
}

#[test]
fn methods() {
    for (x, y) in [(1.3, 0.7), (0.4, 1.9), (0.9, 0.3)] {
        check!(motor(x, y) by x, y);
    }
}

// --- together -------------------------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn counted_indices(x: f64, y: f64) -> f64 {
    let mut i = 0usize;
    let mut bump = || {
        i += 1;
        i - 1
    };
    let mut v = [x, y, x * y, 2.0];
    v[bump()] += v[bump()] * x;
    v[bump()] = v[bump()] + y;
    let mut j = 0;
    (j, v[j]) = (1, x * 3.0);
    (v[j], j) = (
        v[0] + {
            v[0] = y;
            1.0
        },
        2,
    );
    v[0] + v[1] * v[2] + v[3] * i as f64 + v[j]
}

#[differentiable(order = 2)]
fn closures_that_return(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut g = |t: f64| {
        if t > 1.0 {
            a *= t;
            return a;
        }
        a += {
            a *= 2.0;
            t
        };
        while {
            a *= 1.2;
            a < 2.0
        } {
            if a > 1.9 {
                return a * 0.5;
            }
        }
        a
    };
    let s = g(y) + g(2.0) * g(0.5);
    let (mut p, q) = (
        |t: f64| {
            a += t;
            a
        },
        2.0,
    );
    let t = p(1.0) * p(y) + q;
    let mut h = p;
    while h(0.53) < 6.0 {}
    s * a + t
}

#[test]
fn together() {
    for (x, y) in [(1.3, 0.7), (0.4, 1.9), (2.2, 1.1), (0.9, 0.3)] {
        check!(counted_indices(x, y) by x, y);
        check!(closures_that_return(x, y) by x, y);
    }
}
