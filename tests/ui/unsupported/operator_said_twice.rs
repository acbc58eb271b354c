use autodiff::prelude::*;
use std::ops::Add;

#[derive(Clone, Copy, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

#[differentiable]
impl Add for V {
    type Output = V;

    fn add(self, other: V) -> V {
        V { x: self.x + other.x, y: self.y + other.y }
    }
}

#[differentiable]
impl Add<&V> for &V {
    type Output = V;

    fn add(self, other: &V) -> V {
        V { x: self.x + 2.0 * other.x, y: self.y + other.y }
    }
}

#[differentiable]
fn rows_of_points(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<V>> = Vec::new();
    rows.push(vec![V { x: x[0], y: x[1] }]);
    rows[0][0].x
}

fn main() {}
