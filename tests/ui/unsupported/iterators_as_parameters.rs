//! Functions that take iterators: where the elements come from has to be visible, and what is expanded must come to an end.
use autodiff::prelude::*;

#[differentiable]
fn total(values: impl Iterator<Item = f64>) -> f64 {
    values.sum()
}

#[differentiable]
fn first(values: &mut impl Iterator<Item = f64>) -> f64 {
    let items = values.next();
    items.unwrap_or(0.0)
}

#[differentiable]
fn again(mut values: impl Iterator<Item = f64>, n: usize) -> f64 {
    if n == 0 { 0.0 } else { values.next().unwrap_or(0.0) + again(values, n - 1) }
}

fn numbers(x: f64) -> impl Iterator<Item = f64> {
    (0..3).map(move |k| x * f64::from(k))
}

#[differentiable]
fn of_a_function(x: f64) -> f64 {
    total(numbers(x))
}

#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let mut items = x.iter().copied();
    first(&mut items) + items.sum::<f64>()
}

fn plain(values: impl Iterator<Item = f64>) -> f64 {
    values.sum()
}

#[differentiable]
fn not_differentiable(x: &[f64]) -> f64 {
    plain(x.iter().map(|v| v * v))
}

const SCALE: f64 = 2.0;

#[differentiable]
fn scaled(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|v| v * SCALE).sum()
}

#[differentiable]
fn another_constant(x: &[f64]) -> f64 {
    const SCALE: f64 = 3.0;
    scaled(x.iter().map(|v| v * SCALE))
}

#[derive(Differentiable, Clone)]
struct Weights {
    w: f64,
}

#[differentiable]
impl Weights {
    fn scale<'a>(&self, values: impl Iterator<Item = &'a mut f64>) -> f64 {
        let mut sum = 0.0;
        for value in values {
            *value *= self.w;
            sum += *value;
        }
        sum
    }
}

#[differentiable]
fn by_a_method(w: &Weights, x: &[f64]) -> f64 {
    let mut own = x.to_vec();
    w.scale(own.iter_mut())
}

fn main() {}
