//! A charged particle in a magnetic mirror: Boris' pusher over nalgebra.
use autodiff::prelude::*;
use nalgebra::Vector3;

#[differentiable]
fn field(x: &Vector3<f64>, b0: f64, l: f64) -> Vector3<f64> {
    let z = x.z / l;
    let bz = b0 * (1.0 + z * z);
    Vector3::new(-b0 * x.x * z / l, -b0 * x.y * z / l, bz)
}

#[differentiable]
fn bounce(x0: Vector3<f64>, v0: Vector3<f64>, b0: f64, #[no_diff] steps: usize) -> f64 {
    let (mut x, mut v) = (x0, v0);
    let dt = 0.05;
    let mut highest = 0.0_f64;
    for _ in 0..steps {
        let t = field(&x, b0, 2.0) * (0.5 * dt);
        let s = 2.0 * t / (1.0 + t.norm_squared());
        let v_prime = v + v.cross(&t);
        v += v_prime.cross(&s);
        x += v * dt;
        highest = highest.max(x.z);
    }
    highest + 0.1 * v.dot(&x)
}

#[test]
fn the_derivatives_agree_with_differences() {
    autodiff::check_grads!(bounce, Vector3::new(0.1, 0.2, 0.0), Vector3::new(0.5, -0.3, 0.8), 1.7, 40);
}
