// Reprojection error with radial and tangential distortion.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Point2, Point3, Rotation3, Vector2, Vector3};

#[derive(Differentiable, Clone)]
struct Camera {
    rvec: Vector3<f64>,
    tvec: Vector3<f64>,
    focal: Vector2<f64>,
    center: Vector2<f64>,
    k1: f64,
    k2: f64,
    p: Vector2<f64>,
}

#[differentiable]
impl Camera {
    fn distort(&self, m: Vector2<f64>) -> Vector2<f64> {
        let r2 = m.norm_squared();
        let radial = 1.0 + self.k1 * r2 + self.k2 * r2 * r2;
        let (x, y) = (m.x, m.y);
        let tangential = Vector2::new(
            2.0 * self.p.x * x * y + self.p.y * (r2 + 2.0 * x * x),
            self.p.x * (r2 + 2.0 * y * y) + 2.0 * self.p.y * x * y,
        );
        m * radial + tangential
    }

    fn project(&self, point: &Point3<f64>) -> Point2<f64> {
        let rot = Rotation3::new(self.rvec);
        let c = rot * point + self.tvec;
        let m = self.distort(c.xy().coords / c.z);
        Point2::from(self.focal.component_mul(&m) + self.center)
    }
}

#[differentiable]
fn rms(cam: &Camera, points: &[Point3<f64>], seen: &[Point2<f64>]) -> f64 {
    let mut sum = 0.0;
    for (p, s) in points.iter().zip(seen) {
        sum += (cam.project(p) - s).norm_squared();
    }
    (sum / points.len() as f64).sqrt()
}

#[test]
fn gradients() {
    let cam = Camera {
        rvec: Vector3::new(0.1, -0.2, 0.05),
        tvec: Vector3::new(0.1, 0.0, 4.0),
        focal: Vector2::new(2.0, 2.1),
        center: Vector2::new(0.5, 0.4),
        k1: -0.1,
        k2: 0.02,
        p: Vector2::new(0.001, -0.002),
    };
    let points = [Point3::new(1.0, 0.3, 0.2), Point3::new(-0.5, 0.8, -0.4), Point3::new(0.2, -0.9, 0.6)];
    let seen = [Point2::new(1.0, 0.6), Point2::new(0.2, 0.8), Point2::new(0.7, -0.1)];
    check_grads!(rms, &cam, &points, &seen);
    let axis = Camera { rvec: Vector3::zeros(), tvec: Vector3::zeros(), ..cam.clone() };
    let p = axis.project(&Point3::new(0.0, 0.0, 3.0));
    assert!((p - Point2::new(0.5, 0.4)).norm() < 1e-12);
}
