//! Structs, members and operators of types of the user's.

use autodiff::prelude::*;
use std::ops::{Add, AddAssign, Index, IndexMut, Mul};

#[differentiable]
fn pair(p: (f64, f64), i: f64) -> f64 {
    p.0 + 2.0 * p.1 + 3.0 * i
}

#[derive(Differentiable, Clone, Default)]
struct Tangent {
    data: [f64; 5],
}

#[differentiable]
impl Tangent {
    fn update_to(&mut self, d: f64) {
        for i in 0..5 {
            self.data[i] = d;
        }
    }

    fn weighted(&self, i: f64, j: f64) -> f64 {
        self.data[0] * i + self.data[1] * j + 3.0 * self.data[2] + self.data[3] * self.data[4]
    }

    fn sum(&self) -> f64 {
        self.data.iter().sum()
    }
}

#[differentiable]
fn sum_of_slice(data: &[f64]) -> f64 {
    let mut res = 0.0;
    for x in data {
        res += x;
    }
    res
}

#[differentiable]
fn by_struct_and_by_field(t: &Tangent, i: f64) -> f64 {
    let mut res = t.sum();
    res += sum_of_slice(&t.data) + i + 2.0 * t.data[0];
    res
}

#[differentiable]
fn made_and_filled(i: f64, j: f64) -> f64 {
    let mut t = Tangent { data: [0.0; 5] };
    t.data[0] = 2.0 * i;
    t.data[1] = 5.0 * i + 3.0 * j;
    t.sum()
}

#[differentiable]
fn method_of_the_argument(t: &Tangent, i: f64) -> f64 {
    t.weighted(i, i)
}

#[differentiable]
fn updated_by_a_method(mut t: Tangent, c: f64) -> f64 {
    let before = t.sum();
    t.update_to(c * c);
    3.0 * before + t.sum()
}

#[derive(Differentiable, Clone, Copy)]
struct Complex {
    re: f64,
    im: f64,
}

#[differentiable]
fn parts_of_a_complex_number(mut c: Complex, i: f64) -> f64 {
    c.re = 5.0 * i;
    let mut res = c.re + 3.0 * c.im + 6.0 * i;
    res += 4.0 * c.re;
    res
}

#[derive(Differentiable, Clone, Copy)]
struct Simple {
    x: f64,
    y: f64,
}

#[differentiable]
impl Simple {
    fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    fn mem_fn(&self, i: f64, j: f64) -> f64 {
        (self.x + self.y) * i + i * j * j
    }

    fn static_fn(u: f64, v: f64) -> f64 {
        u + v
    }
}

#[differentiable]
impl Add for Simple {
    type Output = Simple;
    fn add(self, other: Simple) -> Simple {
        Simple { x: self.x + other.x, y: self.y + other.y }
    }
}

#[differentiable]
impl Mul for Simple {
    type Output = Simple;
    fn mul(self, other: Simple) -> Simple {
        Simple { x: self.x * other.x, y: self.y * other.y }
    }
}

#[differentiable]
impl AddAssign<f64> for Simple {
    fn add_assign(&mut self, value: f64) {
        self.x += value;
    }
}

#[differentiable]
fn sum_of_objects(i: f64, j: f64) -> f64 {
    let a = Simple::new(2.0, 3.0);
    let b = Simple::new(3.0, 5.0);
    (a + b).mem_fn(i, j)
}

#[differentiable]
fn product_of_objects(i: f64, j: f64) -> f64 {
    let a = Simple::new(3.0 * i, 5.0 * j);
    let b = Simple::new(i, j);
    (a * b).mem_fn(i, j)
}

#[differentiable]
fn grown_object(v: Simple, value: f64) -> f64 {
    let mut v = v;
    v += value;
    v.x * v.y
}

#[differentiable]
fn associated(u: f64, v: f64) -> f64 {
    Simple::static_fn(u, v) * u
}

#[differentiable]
fn reassigned_whole(mut s: Simple) -> f64 {
    s = Simple { x: 2.0 * s.x, y: 2.0 * s.y + 2.0 };
    s.x * s.y
}

#[derive(Differentiable, Clone)]
struct Array<const N: usize> {
    elements: [f64; N],
}

#[differentiable]
impl<const N: usize> Array<N> {
    fn sum(&self) -> f64 {
        let mut res = 0.0;
        for i in 0..N {
            res += self.elements[i];
        }
        res
    }
}

impl<const N: usize> Index<usize> for Array<N> {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.elements[i]
    }
}

impl<const N: usize> IndexMut<usize> for Array<N> {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        &mut self.elements[i]
    }
}

#[differentiable]
fn template_struct(i: f64, j: f64) -> f64 {
    let mut t = Array::<5> { elements: [0.0; 5] };
    for l in 0..5 {
        t.elements[l] = (l as f64 + 1.0) * i * j;
    }
    t.sum()
}

#[derive(Differentiable, Clone, Copy)]
struct Experiment<T: Real> {
    x: T,
    y: T,
}

#[differentiable]
impl<T: Real> Experiment<T> {
    fn call(&self, i: T, j: T) -> T {
        self.x * i * i + self.y * j
    }
}

#[differentiable]
fn template_functor(e: &Experiment<f64>, i: f64, j: f64) -> f64 {
    e.call(i, j)
}

#[derive(Differentiable, Clone)]
struct Cell {
    z: f64,
}

#[differentiable]
impl Cell {
    fn forward(&self, x: f64) -> f64 {
        x * self.z + self.z
    }
}

#[derive(Differentiable, Clone)]
struct Layer {
    w: Vec<Cell>,
}

#[differentiable]
impl Layer {
    fn forward(&self, inp: f64) -> f64 {
        let mut x = inp;
        for i in 0..self.w.len() {
            x = self.w[i].forward(x);
        }
        x
    }
}

#[differentiable]
fn layers(l: &Layer, x: f64) -> f64 {
    l.forward(x)
}

#[test]
fn gradients() {
    gradient!(pair(p, i) by p = (1.0, 2.0), i = 3.0 => [1.0, 2.0, 3.0]);
    let t = Tangent { data: [1.0, 2.0, 3.0, 4.0, 5.0] };
    gradient!(sum_of_slice(&x) by x = vec![1.0, 2.0] => [1.0, 1.0]);
    gradient!(by_struct_and_by_field(&t, i) by t = t.clone(), i = 5.0 => [4.0, 2.0, 2.0, 2.0, 2.0, 1.0]);
    gradient!(made_and_filled(i, j) by i = 3.0, j = 5.0 => [7.0, 3.0]);
    gradient!(method_of_the_argument(&t, i) by t = t.clone(), i = 3.0 => [3.0, 3.0, 3.0, 5.0, 4.0, 3.0]);
    gradient!(updated_by_a_method(t.clone(), c) by t = t.clone(), c = 2.0 => [3.0, 3.0, 3.0, 3.0, 3.0, 20.0]);
    gradient!(parts_of_a_complex_number(c, i) by c = Complex { re: 1.0, im: 2.0 }, i = 3.0 => [0.0, 3.0, 31.0]);
    gradient!(sum_of_objects(i, j) by i = 3.0, j = 5.0 => [13.0 + 25.0, 30.0]);
    gradient!(product_of_objects(i, j) by i = 3.0, j = 5.0);
    gradient!(grown_object(v, a) by v = Simple { x: 2.0, y: 3.0 }, a = 5.0 => [3.0, 7.0, 3.0]);
    gradient!(associated(u, v) by u = 3.0, v = 5.0 => [11.0, 3.0]);
    gradient!(reassigned_whole(s) by s = Simple { x: 2.0, y: 3.0 } => [16.0, 8.0]);
    gradient!(template_struct(i, j) by i = 3.0, j = 5.0 => [75.0, 45.0]);
    gradient!(template_functor(&e, i, j) by e = Experiment { x: 2.0, y: 3.0 }, i = 5.0, j = 7.0 => [25.0, 7.0, 20.0, 3.0]);
    gradient!(layers(&l, x) by l = Layer { w: vec![Cell { z: 2.0 }, Cell { z: 3.0 }] }, x = 0.5 => [4.5, 4.0, 6.0]);
}
