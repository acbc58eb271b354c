//! Structs, pointers to them, and what is global.

use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
fn fields_of_many(points: &[Vector]) -> f64 {
    points.iter().map(|p| p.x * p.y + p.z).sum()
}

#[derive(Differentiable, Clone, Default)]
struct Inner {
    value: f64,
    scale: f64,
}

#[derive(Differentiable, Clone, Default)]
struct Outer {
    a: Inner,
    b: [Inner; 2],
}

#[differentiable]
fn nested(o: &Outer) -> f64 {
    let mut s = o.a.value * o.a.scale;
    for inner in o.b.iter() {
        s += inner.value * inner.value * inner.scale;
    }
    s
}

#[differentiable]
fn returns_a_struct(x: f64, y: f64) -> Vector {
    Vector { x: x * y, y: x + y, z: x.sin() }
}

#[differentiable]
fn uses_a_struct(x: f64, y: f64) -> f64 {
    let Vector { x: a, y: b, z } = returns_a_struct(x, y);
    a * b + z
}

#[derive(Differentiable, Clone)]
struct Neuron {
    weights: Vec<f64>,
    bias: f64,
}

#[differentiable]
impl Neuron {
    fn activate(&self, input: &[f64]) -> f64 {
        let mut sum = self.bias;
        for (w, x) in self.weights.iter().zip(input.iter()) {
            sum += w * x;
        }
        1.0 / (1.0 + (-sum).exp())
    }
}

#[differentiable]
fn two_neurons(a: &Neuron, b: &Neuron, input: &[f64]) -> f64 {
    let h = [a.activate(input), b.activate(input)];
    a.activate(&h) - b.activate(&h)
}

static TABLE: [f64; 4] = [0.5, 1.5, -2.0, 3.0];

#[differentiable]
fn global_table(x: f64, index: usize) -> f64 {
    TABLE[index] * x + TABLE[(index + 1) % TABLE.len()] * x * x
}

#[differentiable]
fn last_by_option(x: &[f64]) -> f64 {
    if x.is_empty() { 0.0 } else { x[x.len() - 1] * x[x.len() - 1] }
}

#[differentiable]
fn by_callback(x: f64) -> f64 {
    let apply = |x: f64| x * x * x;
    apply(x)
}

#[differentiable]
fn sum_list(head: &[f64], at: usize) -> f64 {
    if at == head.len() { 0.0 } else { head[at] + sum_list(head, at + 1) * head[at] }
}

#[differentiable]
fn even(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * odd(x, n - 1) }
}

#[differentiable]
fn odd(x: f64, n: u32) -> f64 {
    if n == 0 { x } else { x + even(x, n - 1) }
}

#[differentiable]
fn complex_power(re: f64, im: f64, n: usize) -> f64 {
    let (mut a, mut b) = (1.0, 0.0);
    for _ in 0..n {
        (a, b) = (a * re - b * im, a * im + b * re);
    }
    a * a + b
}

#[differentiable]
fn prints(x: f64) -> f64 {
    println!("x is {x}");
    let y = x * x;
    eprintln!("y is {:.3}", y);
    y
}

#[test]
fn gradients() {
    let p = Vector { x: 1.0, y: 2.0, z: 3.0 };
    gradient!(fields_of_many(&p) by p = vec![p.clone(), Vector { x: 4.0, ..p.clone() }] => [2.0, 1.0, 1.0, 2.0, 4.0, 1.0]);
    let inner = Inner { value: 2.0, scale: 3.0 };
    gradient!(nested(&o) by o = Outer { a: inner.clone(), b: [inner.clone(), inner.clone()] } => [3.0, 2.0, 12.0, 4.0, 12.0, 4.0]);
    gradient!(uses_a_struct(x, y) by x = 2.0, y = 3.0 => [2.0 * 2.0 * 3.0 + 9.0 + 2.0_f64.cos(), 4.0 + 12.0]);
    let neuron = Neuron { weights: vec![0.5, -0.3], bias: 0.1 };
    gradient!(two_neurons(&a, &b, &x) by a = neuron.clone(), b = Neuron { bias: 0.7, ..neuron.clone() }, x = vec![1.0, 2.0]);
    gradient!(global_table(x, 3) by x = 2.0 => [3.0 + 2.0]);
    gradient!(last_by_option(&x) by x = vec![1.0, 2.0] => [0.0, 4.0]);
    assert!(last_by_option::grad(&[]).is_empty());
    gradient!(by_callback(x) by x = 2.0 => [12.0]);
    gradient!(sum_list(&x, 0) by x = vec![2.0, 3.0, 5.0] => [1.0 + 18.0, 2.0 * 6.0, 6.0]);
    gradient!(even(x, 4) by x = 1.5);
    gradient!(complex_power(re, im, 5) by re = 0.8, im = 0.4);
    gradient!(prints(x) by x = 2.0 => [4.0]);
}
