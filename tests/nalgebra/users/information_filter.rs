// Fusing several linear measurements in information form.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix3, RowVector3, Vector3};

#[derive(Differentiable, Clone)]
struct Info {
    lambda: Matrix3<f64>,
    eta: Vector3<f64>,
}

#[differentiable]
impl Info {
    fn add(&mut self, h: &RowVector3<f64>, z: f64, sigma: f64) {
        let w = 1.0 / (sigma * sigma);
        self.lambda += h.transpose() * h * w;
        self.eta += h.transpose() * (z * w);
    }

    fn mean(&self) -> Vector3<f64> {
        self.lambda.lu().solve(&self.eta).unwrap()
    }
}

#[differentiable]
fn fuse(prior: &Info, rows: &[RowVector3<f64>], zs: &[f64], sigma: f64) -> Vector3<f64> {
    let mut info = prior.clone();
    for (h, z) in rows.iter().zip(zs) {
        info.add(h, *z, sigma);
    }
    info.mean()
}

#[test]
fn gradients() {
    let prior =
        Info { lambda: Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 0.5)), eta: Vector3::new(0.1, -0.2, 0.3) };
    let rows = [RowVector3::new(1.0, 0.5, 0.0), RowVector3::new(0.0, 1.0, -0.3), RowVector3::new(0.2, 0.0, 1.0)];
    let zs = [0.8, -0.1, 0.6];
    check_grads!(fuse, &prior, &rows, &zs, 0.4);
    let none = fuse(&prior, &[], &[], 0.4);
    assert!((none - Vector3::new(0.1, -0.1, 0.6)).norm() < 1e-12);
}
