//! Variants of constants that are handed on: nothing but the callee names their type.

use autodiff::prelude::*;

mod models {
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone, Copy)]
    pub enum Model {
        Linear(f64),
        Scaled { by: f64 },
        Constant,
    }

    #[differentiable(order = 2)]
    pub fn evaluate(model: Model, x: f64) -> f64 {
        match model {
            Model::Linear(slope) => slope * x * x,
            Model::Scaled { by } => (by * x).sin(),
            Model::Constant => x,
        }
    }
}

/// Variants of which nothing is active, handed on in a branch and in a loop: nothing else here names their type.
#[differentiable(order = 2)]
fn of_constants(x: f64, n: usize) -> f64 {
    use models::evaluate;
    let mut y = if n > 1 { evaluate(models::Model::Linear(2.0), x) } else { x };
    for _ in 0..n {
        y = y * evaluate(models::Model::Scaled { by: 0.5 }, x) + evaluate(models::Model::Constant, y);
    }
    y
}

#[test]
fn constants_are_handed_on() {
    let x = 0.7_f64;
    assert_eq!(of_constants::grad(x, 0), 1.0);
    let (s, c) = ((0.5 * x).sin(), 0.5 * (0.5 * x).cos());
    assert!((of_constants::grad(x, 1) - (s + x * c + 1.0)).abs() < 1e-15);
    assert!((of_constants::hvp(x, 1, 1.0) - (2.0 * c - 0.25 * x * s)).abs() < 1e-15);
    let (_, pullback) = of_constants::vjp(x, 3);
    assert_eq!(pullback(1.0), of_constants::grad(x, 3));
    assert!((of_constants::jvp(x, 3, 1.0).1 - pullback(1.0)).abs() < 1e-14);
}
