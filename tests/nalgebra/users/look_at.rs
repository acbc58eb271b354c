// Camera look-at and perspective written by hand, compared with the library's.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Isometry3, Matrix4, Point3, Vector2, Vector3};

#[differentiable]
fn look_at(eye: &Point3<f64>, target: &Point3<f64>, up: &Vector3<f64>) -> Matrix4<f64> {
    let f = (target - eye).normalize();
    let s = f.cross(up).normalize();
    let u = s.cross(&f);
    Matrix4::new(
        s.x,
        s.y,
        s.z,
        -s.dot(&eye.coords),
        u.x,
        u.y,
        u.z,
        -u.dot(&eye.coords),
        -f.x,
        -f.y,
        -f.z,
        f.dot(&eye.coords),
        0.0,
        0.0,
        0.0,
        1.0,
    )
}

#[differentiable]
fn screen(eye: &Point3<f64>, target: &Point3<f64>, fovy: f64, world: &Point3<f64>) -> Vector2<f64> {
    let (near, far) = (0.1, 50.0);
    let t = 1.0 / (fovy * 0.5).tan();
    let mut proj = Matrix4::<f64>::zeros();
    proj[(0, 0)] = t / 1.6;
    proj[(1, 1)] = t;
    proj[(2, 2)] = (far + near) / (near - far);
    proj[(2, 3)] = 2.0 * far * near / (near - far);
    proj[(3, 2)] = -1.0;
    let clip = proj * look_at(eye, target, &Vector3::y()) * world.to_homogeneous();
    clip.xy() / clip.w
}

#[differentiable]
fn by_library(eye: &Point3<f64>, target: &Point3<f64>, world: &Point3<f64>) -> Point3<f64> {
    let view = Isometry3::look_at_rh(eye, target, &Vector3::y());
    view * world
}

#[test]
fn gradients() {
    let eye = Point3::new(2.0, 1.5, 4.0);
    let target = Point3::new(0.1, 0.2, -0.3);
    let p = Point3::new(0.4, 0.5, 0.6);
    check_grads!(look_at, &eye, &target, &Vector3::new(0.1, 1.0, 0.0));
    check_grads!(screen, &eye, &target, 0.9, &p);
    check_grads!(by_library, &eye, &target, &p);
    assert!(screen(&eye, &target, 0.9, &target).norm() < 1e-12);
}
