//! `sum` and `product` of structs, as their types' own `impl Sum` in this file says.

use crate::harness::check;
use autodiff::prelude::*;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Mul};

#[derive(Differentiable, Debug, Clone, Copy, Default, PartialEq)]
struct Spot {
    x: f64,
    y: f64,
}

#[differentiable(order = 2)]
impl Spot {
    const ZERO: Spot = Spot { x: 0.0, y: 0.0 };

    fn new(x: f64, y: f64) -> Spot {
        Spot { x, y }
    }

    fn of(&self) -> f64 {
        self.x * self.x + self.y
    }
}

#[differentiable(order = 2)]
impl Add for Spot {
    type Output = Spot;

    fn add(self, other: Spot) -> Spot {
        Spot { x: self.x + other.x, y: self.y + other.y }
    }
}

#[differentiable(order = 2)]
impl Mul<f64> for Spot {
    type Output = Spot;

    fn mul(self, by: f64) -> Spot {
        Spot { x: self.x * by, y: self.y * by }
    }
}

#[differentiable(order = 2)]
impl AddAssign for Spot {
    fn add_assign(&mut self, other: Spot) {
        self.x += other.x;
        self.y += other.y;
    }
}

impl Sum for Spot {
    fn sum<I: Iterator<Item = Spot>>(iter: I) -> Spot {
        iter.fold(Spot::default(), |a, b| a + b)
    }
}

impl<'a> Sum<&'a Spot> for Spot {
    fn sum<I: Iterator<Item = &'a Spot>>(iter: I) -> Spot {
        iter.copied().sum()
    }
}

/// Begins with something else than zeros.
#[derive(Differentiable, Debug, Clone, Copy, PartialEq)]
struct Scale {
    by: f64,
    count: f64,
}

#[differentiable(order = 2)]
impl Scale {
    fn then(self, other: Scale) -> Scale {
        Scale { by: self.by * other.by, count: self.count + other.count * 2.0 }
    }
}

impl Product for Scale {
    fn product<I>(iter: I) -> Self
    where
        I: Iterator<Item = Self>,
    {
        iter.fold(Scale { by: 1.5, count: 0.5 }, |acc, scale| acc.then(scale))
    }
}

impl Sum for Scale {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        let mut sum = Self { by: 0.25, count: 1.0 };
        for scale in iter {
            sum.by += scale.by;
            sum.count *= scale.count;
        }
        sum
    }
}

#[differentiable(order = 2)]
fn declared(pairs: &[f64; 4], k: f64) -> f64 {
    let list = [Spot::new(pairs[0], pairs[1]), Spot::new(pairs[2], pairs[3])];
    let s: Spot = list.iter().map(|p| *p * k).sum();
    let t = list.iter().copied().sum::<Spot>() * k;
    let u: Spot = list.iter().sum();
    s.of() * t.of() + u.of()
}

#[differentiable(order = 2)]
fn told_by_the_items(pairs: &[f64; 4], k: f64) -> f64 {
    let list = [Spot::new(pairs[0], pairs[1]), Spot::new(pairs[2], pairs[3])];
    let all: Vec<Spot> = (0..2).map(|i| list.iter().map(|p| *p * (k + i as f64)).sum()).collect();
    let mut total = Spot::ZERO;
    for p in &list {
        total += [*p, *p * k].iter().copied().sum();
    }
    all[0].of() * all[1].of() + total.of()
}

#[differentiable(order = 2)]
fn folded(pairs: &[f64; 4], k: f64) -> f64 {
    let list = [Spot::new(pairs[0], pairs[1]), Spot::new(pairs[2], pairs[3])];
    (list.iter().fold(Spot::ZERO, |a, b| a + *b) * k).of()
}

#[differentiable(order = 2)]
fn others(x: f64, y: f64) -> f64 {
    let scales = [Scale { by: x, count: y }, Scale { by: y, count: x }];
    let p: Scale = scales.iter().copied().product();
    let s: Scale = scales.into_iter().sum();
    p.by * s.count + p.count * s.by
}

#[test]
fn sums_are_what_their_types_say() {
    let pairs = [0.7, -0.4, 0.3, 1.1];
    check!(declared(&pairs, k) by pairs = pairs, k = 0.8);
    check!(told_by_the_items(&pairs, k) by pairs = pairs, k = 0.8);
    check!(folded(&pairs, k) by pairs = pairs, k = 0.8);
    check!(others(x, y) by x = 0.7, y = 1.3);
    let value = |x: f64, y: f64| 1.5 * x * y * (x * y) + (0.5 + 2.0 * (x + y)) * (0.25 + x + y);
    assert!((others(0.7, 1.3) - value(0.7, 1.3)).abs() < 1e-14);
}

const IDENTITY: TwoByTwo = [[1.0, 0.0], [0.0, 1.0]];
type TwoOf = [f64; 2];
type TwoByTwo = [TwoOf; 2];
const FIRST: f64 = 0.5;
const STEPS: usize = 3;

/// Constants of numbers and arrays that something starts with.
#[differentiable(order = 2)]
fn from_constants(x: f64) -> f64 {
    let mut square = IDENTITY;
    let mut sum = FIRST;
    let mut left = STEPS;
    while left > 0 {
        for i in 0..2 {
            square[i][1 - i] += x * left as f64;
            square[i][i] *= x;
        }
        left -= 1;
        sum += square[0][1] * square[1][1];
    }
    sum
}

/// What cannot be had by its number, beside another.
#[differentiable(order = 2)]
fn flattened(a: &[Vec<f64>], x: f64) -> f64 {
    let b: Vec<Vec<f64>> = a.iter().map(|row| row.iter().map(|v| v * x).collect()).collect();
    let all: f64 = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a * b).sum();
    let some: f64 = b[0].iter().zip(a.iter().flatten().filter(|v| **v > 0.6)).map(|(b, a)| b * a * a).sum();
    all + some
}

#[test]
fn starts_and_pairs() {
    check!(from_constants(x) by x = 0.7);
    let a = [vec![0.7, 0.2], vec![1.3, 0.9]];
    let (by_a, by_x) = flattened::grad(&a, 0.7);
    let slope = |f: &dyn Fn(f64) -> f64| (f(1e-6) - f(-1e-6)) / 2e-6;
    assert!((by_x - slope(&|h| flattened(&a, 0.7 + h))).abs() < 1e-8);
    let moved = |h| flattened(&[a[0].clone(), vec![a[1][0] + h, a[1][1]]], 0.7);
    assert!((by_a[1][0] - slope(&moved)).abs() < 1e-8);
}
