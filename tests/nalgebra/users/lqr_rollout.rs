// Cost of a linear feedback law on a cart-like plant, and of an open-loop plan.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2x4, Matrix4, Matrix4x2, SMatrix, Vector2, Vector4};

#[derive(Differentiable, Clone)]
struct Plant {
    a: Matrix4<f64>,
    b: Matrix4x2<f64>,
}

#[derive(Differentiable, Clone)]
struct Weights {
    q: Vector4<f64>,
    r: Vector2<f64>,
}

#[differentiable]
impl Plant {
    fn step(&self, x: &Vector4<f64>, u: &Vector2<f64>) -> Vector4<f64> {
        self.a * x + self.b * u
    }
}

#[differentiable]
fn closed_loop_cost(
    plant: &Plant,
    k: &Matrix2x4<f64>,
    x0: Vector4<f64>,
    w: &Weights,
    #[no_diff] horizon: usize,
) -> f64 {
    let mut x = x0;
    let mut cost = 0.0;
    for _ in 0..horizon {
        let u = -(k * x);
        cost += w.q.component_mul(&x).dot(&x) + w.r.component_mul(&u).dot(&u);
        x = plant.step(&x, &u);
    }
    cost + 10.0 * x.norm_squared()
}

#[differentiable]
fn plan_cost(plant: &Plant, plan: &[Vector2<f64>], x0: Vector4<f64>, w: &Weights) -> f64 {
    let (x, cost) = plan.iter().fold((x0, 0.0), |(x, c), u| {
        let here = w.q.component_mul(&x).dot(&x) + w.r.component_mul(u).dot(u);
        (plant.step(&x, u), c + here)
    });
    cost + w.q.component_mul(&x).dot(&x)
}

#[test]
fn gradients() {
    let mut a = SMatrix::<f64, 4, 4>::identity();
    a[(0, 2)] = 0.1;
    a[(1, 3)] = 0.1;
    let mut b = Matrix4x2::zeros();
    b[(2, 0)] = 0.1;
    b[(3, 1)] = 0.1;
    let plant = Plant { a, b };
    let w = Weights { q: Vector4::new(1.0, 1.0, 0.1, 0.1), r: Vector2::new(0.05, 0.02) };
    let k = Matrix2x4::new(1.0, 0.1, 1.5, 0.0, 0.0, 0.9, 0.2, 1.4);
    let x0 = Vector4::new(1.0, -0.5, 0.2, 0.0);
    let plan = vec![Vector2::new(0.3, 0.1), Vector2::new(-0.2, 0.4), Vector2::new(0.0, -0.1)];
    check_grads!(closed_loop_cost, &plant, &k, x0, &w, 8);
    check_grads!(plan_cost, &plant, &plan, x0, &w);
    assert!(closed_loop_cost(&plant, &k, Vector4::zeros(), &w, 8).abs() < 1e-12);
}
