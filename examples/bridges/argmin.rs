//! `argmin`: its traits are one call each.
//!
//! ```text
//! cargo run --release --manifest-path examples/bridges/Cargo.toml --bin argmin
//! ```

use argmin::core::{CostFunction, Error, Executor, Gradient, Hessian, Jacobian, Operator, State};
use argmin::solver::gaussnewton::GaussNewton;
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::newton::Newton;
use argmin::solver::quasinewton::LBFGS;
use autodiff::prelude::*;
use nalgebra::{Matrix2, Vector2};

/// Rosenbrock's valley as residuals: the minimum is at (1, 1).
#[differentiable]
fn residuals(p: &Vector2<f64>) -> Vector2<f64> {
    Vector2::new(1.0 - p.x, 10.0 * (p.y - p.x * p.x))
}

/// Half the sum of their squares. Newton's method takes the Hessian.
#[differentiable(order = 2)]
fn cost(p: &Vector2<f64>) -> f64 {
    0.5 * residuals(p).norm_squared()
}

#[derive(Clone, Copy)]
struct Valley;

impl CostFunction for Valley {
    type Param = Vector2<f64>;
    type Output = f64;
    fn cost(&self, p: &Vector2<f64>) -> Result<f64, Error> {
        Ok(cost(p))
    }
}

impl Gradient for Valley {
    type Param = Vector2<f64>;
    type Gradient = Vector2<f64>;
    fn gradient(&self, p: &Vector2<f64>) -> Result<Vector2<f64>, Error> {
        Ok(cost::grad(p))
    }
}

impl Hessian for Valley {
    type Param = Vector2<f64>;
    type Hessian = Matrix2<f64>;
    fn hessian(&self, p: &Vector2<f64>) -> Result<Matrix2<f64>, Error> {
        Ok(cost::hessian(p))
    }
}

/// Residuals, for the method of Gauss and Newton.
impl Operator for Valley {
    type Param = Vector2<f64>;
    type Output = Vector2<f64>;
    fn apply(&self, p: &Vector2<f64>) -> Result<Vector2<f64>, Error> {
        Ok(residuals(p))
    }
}

impl Jacobian for Valley {
    type Param = Vector2<f64>;
    type Jacobian = Matrix2<f64>;
    fn jacobian(&self, p: &Vector2<f64>) -> Result<Matrix2<f64>, Error> {
        Ok(residuals::jacobian(p))
    }
}

fn report(name: &str, iterations: u64, best: Option<&Vector2<f64>>) {
    let p = best.copied().unwrap_or_default();
    println!("{name:13} {iterations:3} iterations, ({:.9}, {:.9})", p.x, p.y);
    assert!((p - Vector2::new(1.0, 1.0)).norm() < 1e-6, "{name}");
}

fn main() -> Result<(), Error> {
    let start = Vector2::new(-1.2, 1.0);

    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7).with_tolerance_grad(1e-10)?;
    let run = Executor::new(Valley, solver).configure(|state| state.param(start).max_iters(100)).run()?;
    report("L-BFGS", run.state().get_iter(), run.state().get_best_param());

    let run = Executor::new(Valley, Newton::<f64>::new()).configure(|state| state.param(start).max_iters(10)).run()?;
    report("Newton", run.state().get_iter(), run.state().get_param());

    let run =
        Executor::new(Valley, GaussNewton::<f64>::new()).configure(|state| state.param(start).max_iters(10)).run()?;
    report("Gauss-Newton", run.state().get_iter(), run.state().get_best_param());
    Ok(())
}
