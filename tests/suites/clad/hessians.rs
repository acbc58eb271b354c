//! Hessians, as products with vectors.

use autodiff::prelude::*;

#[differentiable(order = 2)]
fn sum_of_cubes(a: f64, b: f64) -> f64 {
    a * a * a + b * b * b
}

#[differentiable(order = 2)]
fn falling(u: f64, t: f64) -> f64 {
    (u * t) + ((0.5) * (9.81) * (t * t))
}

#[differentiable(order = 2)]
fn sign_of_the_other(x: f64, c: f64) -> f64 {
    if c > 0.0 { (x * x * x) + (c * c * c) } else { (x * x * x) - (c * c * c) }
}

#[differentiable(order = 2)]
fn tenth_power(x: f64) -> f64 {
    x * x * x * x * x * x * x * x * x * x
}

#[derive(Differentiable, Clone)]
struct Widget {
    x: f64,
    y: f64,
}

#[differentiable(order = 2)]
impl Widget {
    fn product(&self, i: f64, j: f64) -> f64 {
        let a = self.x * i * j;
        let b = 4.0 * a;
        b * self.y * self.y * i
    }
}

#[differentiable(order = 2)]
fn of_a_widget(i: f64, j: f64) -> f64 {
    let w = Widget { x: 3.0, y: 5.0 };
    w.product(i, j)
}

#[test]
fn products() {
    assert_eq!(sum_of_cubes::hvp(1.0, 2.0, 1.0, 0.0), (6.0, 0.0));
    assert_eq!(sum_of_cubes::hvp(1.0, 2.0, 0.0, 1.0), (0.0, 12.0));
    assert_eq!(falling::hvp(1.0, 2.0, 0.0, 1.0), (1.0, 9.81));
    assert_eq!(sign_of_the_other::hvp(5.0, -2.0, 1.0, 1.0), (30.0, 12.0));
    assert_eq!(tenth_power::hvp(2.0, 1.0), 90.0 * 256.0);
    gradient!(of_a_widget(i, j) by i = 7.0, j = 9.0 => [600.0 * 63.0, 300.0 * 49.0]);
    assert_eq!(of_a_widget::hvp(7.0, 9.0, 1.0, 0.0), (600.0 * 9.0, 600.0 * 7.0));
}
