//! `levenberg-marquardt`: residuals and their Jacobian are one call each.
//!
//! ```text
//! cargo run --release --manifest-path examples/bridges/Cargo.toml --bin levenberg_marquardt
//! ```

use autodiff::prelude::*;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::storage::Owned;
use nalgebra::{Const, SMatrix, SVector, Vector3};

const POINTS: usize = 24;

/// How far a damped oscillation is from what was measured, one number for each point in time. The parameters are
/// amplitude, decay and frequency.
#[differentiable]
fn residuals(p: &Vector3<f64>, #[no_diff] measured: &SVector<f64, POINTS>) -> SVector<f64, POINTS> {
    let mut r = -measured;
    for k in 0..POINTS {
        let t = 0.2 * k as f64;
        r[k] += p.x * (-p.y * t).exp() * (p.z * t).cos();
    }
    r
}

struct Fit {
    p: Vector3<f64>,
    measured: SVector<f64, POINTS>,
}

impl LeastSquaresProblem<f64, Const<POINTS>, Const<3>> for Fit {
    type ParameterStorage = Owned<f64, Const<3>>;
    type ResidualStorage = Owned<f64, Const<POINTS>>;
    type JacobianStorage = Owned<f64, Const<POINTS>, Const<3>>;

    fn set_params(&mut self, p: &Vector3<f64>) {
        self.p = *p;
    }

    fn params(&self) -> Vector3<f64> {
        self.p
    }

    fn residuals(&self) -> Option<SVector<f64, POINTS>> {
        Some(residuals(&self.p, &self.measured))
    }

    fn jacobian(&self) -> Option<SMatrix<f64, POINTS, 3>> {
        Some(residuals::jacobian(&self.p, &self.measured))
    }
}

fn main() {
    let truth = Vector3::new(2.0, 0.4, 3.0);
    // Without noise, so that the fit has to find them.
    let measured = residuals(&truth, &SVector::zeros());
    let (fit, report) = LevenbergMarquardt::new().minimize(Fit { p: Vector3::new(1.0, 0.1, 2.6), measured });
    println!("amplitude {:.6}, decay {:.6}, frequency {:.6}", fit.p.x, fit.p.y, fit.p.z);
    println!("{:?} after {} evaluations", report.termination, report.number_of_evaluations);
    assert!(report.termination.was_successful());
    assert!((fit.p - truth).norm() < 1e-8);
}
