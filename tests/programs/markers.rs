//! Type parameters that no number is of: units, in `PhantomData`.

use crate::harness::check;
use autodiff::prelude::*;
use std::marker::PhantomData;
use std::ops::Add;

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Metres;
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Seconds;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Quantity<U, T: Real = f64> {
    value: T,
    unit: PhantomData<U>,
}

type Length = Quantity<Metres>;
type Time = Quantity<Seconds>;

#[differentiable(order = 2)]
impl<U> Quantity<U> {
    fn new(value: f64) -> Self {
        Quantity { value, unit: PhantomData }
    }

    fn scaled(&self, k: f64) -> Quantity<U> {
        Quantity { value: self.value * k, unit: PhantomData }
    }

    fn grow(&mut self, k: f64) {
        self.value *= k;
    }
}

#[differentiable(order = 2)]
impl<U> Add for Quantity<U> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Quantity { value: self.value + other.value, unit: PhantomData }
    }
}

#[derive(Differentiable, Clone, Debug)]
struct Path<U> {
    legs: Vec<Quantity<U>>,
    first: Quantity<U>,
    two: [Quantity<U>; 2],
    weight: f64,
}

#[derive(Differentiable, Clone, Debug)]
enum Choice<U, const N: usize> {
    One(Quantity<U>),
    Many([f64; N], PhantomData<U>),
    None,
}

#[differentiable(order = 2)]
fn speed(l: Length, t: &Time) -> f64 {
    l.value / t.value
}

#[differentiable(order = 2)]
fn product<U>(a: &Quantity<U>, b: &Quantity<U>, x: f64) -> f64 {
    a.value * b.value * x
}

#[differentiable(order = 2)]
fn ratio<U, V: Copy>(a: &Quantity<U>, b: Quantity<V>) -> f64 {
    a.value / b.value
}

#[differentiable(order = 2)]
fn total(p: &Path<Metres>, x: f64) -> f64 {
    let mut sum = p.first.value * p.weight;
    for leg in &p.legs {
        sum += leg.value * x * x;
    }
    sum + p.two[1].value * speed(p.first, &Quantity { value: x, unit: PhantomData })
}

#[differentiable(order = 2)]
fn chosen(c: &Choice<Metres, 2>, x: f64) -> f64 {
    match c {
        Choice::One(q) => q.value * x,
        Choice::Many(v, _) => v[0] * v[1] * x,
        Choice::None => x,
    }
}

#[differentiable(order = 2)]
fn made(x: f64) -> Length {
    Length { value: x * x, unit: PhantomData }
}

#[differentiable(order = 2)]
fn longer(x: f64) -> f64 {
    let l = made(x);
    let m: Length = Quantity { value: x, unit: PhantomData };
    if l > m { l.value } else { m.value * 3.0 }
}

#[differentiable(order = 2)]
fn methods(x: f64, l: Length, t: &Time) -> f64 {
    let m = l.scaled(x);
    let mut n = m + l;
    n.grow(x);
    let k = ratio(&n, *t);
    k * product(&m, &l, x) + n.value
}

#[test]
fn units() {
    let (l, t) = (Length::new(6.0), Time::new(2.0));
    check!(speed(l, &t) by l, t);
    check!(methods(x, l, &t) by x = 1.3, l, t);
    check!(product(&l, &m, x) by l, m = Length::new(3.0), x = 0.4);
    let by_l: QuantityTangent<f64> = speed::grad(l, &t).0;
    assert_eq!(by_l.value, 0.5);
    let single = Quantity::<Metres, f32> { value: 2.0, unit: PhantomData };
    assert_eq!(single.zero_tangent().value, 0.0_f32);
}

#[test]
fn held_by_others() {
    let q = Length::new;
    let p = Path { legs: vec![q(1.0), q(0.3)], first: q(2.0), two: [q(3.0), q(4.0)], weight: 0.5 };
    check!(total(&p, x) by [p, x = 2.0]);
    for c in [Choice::One(q(2.0)), Choice::Many([2.0, 3.0], PhantomData), Choice::None] {
        check!(chosen(&c, x) by c, x = 0.7);
    }
    check!(longer(x) by x = 1.5);
    check!(longer(x) by x = 0.5);
}
