// Ray-sphere hit and soft diffuse shading over a small scene.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Point3, Unit, Vector3};

#[derive(Differentiable, Clone)]
struct Ball {
    center: Point3<f64>,
    radius: f64,
    albedo: Vector3<f64>,
}

#[differentiable]
fn hit(b: &Ball, origin: &Point3<f64>, dir: &Vector3<f64>) -> Option<f64> {
    let oc = origin - b.center;
    let half_b = oc.dot(dir);
    let c = oc.norm_squared() - b.radius * b.radius;
    let disc = half_b * half_b - c;
    if disc < 0.0 { None } else { Some(-half_b - disc.sqrt()) }
}

#[differentiable]
fn shade(scene: &[Ball], origin: &Point3<f64>, toward: &Vector3<f64>, light: &Vector3<f64>) -> Vector3<f64> {
    let dir = Unit::new_normalize(*toward).into_inner();
    let mut best = f64::MAX;
    let mut colour = Vector3::new(0.1, 0.1, 0.2);
    for b in scene.iter() {
        if let Some(t) = hit(b, origin, &dir) {
            if t > 0.0 && t < best {
                best = t;
                let p = origin + dir * t;
                let n = (p - b.center) / b.radius;
                let lambert = n.dot(&light.normalize()).max(0.0);
                colour = b.albedo * (0.1 + 0.9 * lambert);
            }
        }
    }
    colour
}

#[differentiable]
fn depth(b: &Ball, origin: &Point3<f64>, dir: &Vector3<f64>) -> f64 {
    hit(b, origin, &dir.normalize()).unwrap_or(100.0)
}

#[test]
fn gradients() {
    let scene = vec![
        Ball { center: Point3::new(0.2, 0.1, 5.0), radius: 1.0, albedo: Vector3::new(0.9, 0.3, 0.2) },
        Ball { center: Point3::new(0.0, 0.0, 9.0), radius: 2.0, albedo: Vector3::new(0.2, 0.5, 0.9) },
    ];
    let eye = Point3::<f64>::origin();
    let dir = Vector3::new(0.02, -0.03, 1.0);
    check_grads!(shade, &scene, &eye, &dir, &Vector3::new(1.0, 2.0, -3.0));
    check_grads!(depth, &scene[0], &eye, &dir);
    assert!((depth(&scene[1], &eye, &Vector3::z()) - 7.0).abs() < 1e-12);
}
