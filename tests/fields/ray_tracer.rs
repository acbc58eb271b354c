//! Graphics: a small renderer with spheres and triangles, by its scene (Pharr, Jakob, Humphreys; Shirley).
use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul, Sub};

#[derive(Debug, Clone, Copy, PartialEq, Differentiable)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
impl Vec3 {
    fn new(x: f64, y: f64, z: f64) -> Self {
        Vec3 { x, y, z }
    }
    fn dot(self, o: Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    fn cross(self, o: Vec3) -> Vec3 {
        Vec3::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }
    fn normalize(self) -> Vec3 {
        self * (1.0 / self.dot(self).sqrt())
    }
}

#[differentiable]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}

#[differentiable]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}

#[differentiable]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Vec3 {
        Vec3::new(self.x * k, self.y * k, self.z * k)
    }
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Ray {
    origin: Vec3,
    direction: Vec3,
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Hit {
    t: f64,
    normal: Vec3,
    albedo: f64,
}

#[derive(Debug, Clone, Differentiable)]
enum Shape {
    Sphere { centre: Vec3, radius: f64 },
    Triangle(Vec3, Vec3, Vec3),
}

#[derive(Debug, Clone, Differentiable)]
struct Object {
    shape: Shape,
    albedo: f64,
}

#[derive(Debug, Clone, Differentiable)]
struct Scene {
    objects: Vec<Object>,
    light: Vec3,
    ambient: f64,
}

const T_MIN: f64 = 1e-4;

#[differentiable]
impl Ray {
    fn at(&self, t: f64) -> Vec3 {
        self.origin + self.direction * t
    }
}

#[differentiable]
impl Shape {
    /// Parameter along the ray, and the normal.
    fn intersect(&self, ray: &Ray) -> Option<(f64, Vec3)> {
        match self {
            Shape::Sphere { centre, radius } => {
                let oc = ray.origin - *centre;
                let b = oc.dot(ray.direction);
                let c = oc.dot(oc) - radius * radius;
                let disc = b * b - c;
                if disc < 0.0 {
                    return None;
                }
                let root = disc.sqrt();
                let near = -b - root;
                let t = if near > T_MIN { near } else { -b + root };
                if t <= T_MIN {
                    return None;
                }
                Some((t, (ray.at(t) - *centre) * (1.0 / *radius)))
            }
            // Möller-Trumbore.
            Shape::Triangle(a, b, c) => {
                let (e1, e2) = (*b - *a, *c - *a);
                let p = ray.direction.cross(e2);
                let det = e1.dot(p);
                if det.abs() < 1e-9 {
                    return None;
                }
                let s = ray.origin - *a;
                let u = s.dot(p) / det;
                let q = s.cross(e1);
                let v = ray.direction.dot(q) / det;
                if u < 0.0 || v < 0.0 || u + v > 1.0 {
                    return None;
                }
                let t = e2.dot(q) / det;
                let normal = e1.cross(e2).normalize();
                let facing = if normal.dot(ray.direction) < 0.0 { normal } else { normal * -1.0 };
                (t > T_MIN).then_some((t, facing))
            }
        }
    }
}

#[differentiable]
impl Scene {
    fn closest_hit(&self, ray: &Ray) -> Option<Hit> {
        let mut closest: Option<Hit> = None;
        for object in &self.objects {
            if let Some((t, normal)) = object.shape.intersect(ray) {
                let nearer = match &closest {
                    Some(hit) => t < hit.t,
                    None => true,
                };
                if nearer {
                    closest = Some(Hit { t, normal, albedo: object.albedo });
                }
            }
        }
        closest
    }

    fn radiance(&self, ray: &Ray) -> f64 {
        let Some(hit) = self.closest_hit(ray) else {
            // The sky.
            return 0.2 + 0.1 * ray.direction.y;
        };
        let point = ray.at(hit.t);
        let to_light = self.light - point;
        let shadow_ray = Ray { origin: point + hit.normal * 1e-3, direction: to_light.normalize() };
        let lit = self.closest_hit(&shadow_ray).is_none();
        let lambert = if lit { hit.normal.dot(shadow_ray.direction).max(0.0) / to_light.dot(to_light) } else { 0.0 };
        hit.albedo * (self.ambient + 10.0 * lambert)
    }
}

#[differentiable]
fn image_loss(scene: &Scene, #[no_diff] target: &[f64], #[no_diff] width: usize) -> f64 {
    let height = target.len() / width;
    let mut loss = 0.0;
    for (k, t) in target.iter().enumerate() {
        let (i, j) = (k % width, k / width);
        let x = (i as f64 + 0.5) / width as f64 * 2.0 - 1.0;
        let y = 1.0 - (j as f64 + 0.5) / height as f64 * 2.0;
        let ray = Ray { origin: Vec3::new(0.0, 0.0, 5.0), direction: Vec3::new(x, y, -2.0).normalize() };
        let d = scene.radiance(&ray) - t;
        loss += d * d;
    }
    loss / target.len() as f64
}

fn vec3(p: &[f64]) -> Vec3 {
    Vec3 { x: p[0], y: p[1], z: p[2] }
}

fn scene(p: &[f64]) -> Scene {
    Scene {
        objects: vec![
            Object { shape: Shape::Sphere { centre: vec3(p), radius: p[3] }, albedo: p[4] },
            Object { shape: Shape::Triangle(vec3(&p[5..]), vec3(&p[8..]), vec3(&p[11..])), albedo: p[14] },
        ],
        light: vec3(&p[15..]),
        ambient: p[18],
    }
}

#[test]
fn the_gradient_agrees_with_differences() {
    let target: Vec<f64> = (0..36).map(|k| 0.3 + 0.01 * k as f64).collect();
    let at = [0.1, 0.23, 0.0, 0.8, 0.7, -3.1, -1.0, -2.0, 3.2, -1.1, -2.0, 0.03, -1.4, 3.0, 0.5, 1.0, 4.0, 3.0, 0.1];
    let (value, g) = image_loss::value_and_grad(&scene(&at), &target, 6);
    assert_eq!(value, image_loss(&scene(&at), &target, 6));
    let flat = |v: &Vec3Tangent| [v.x, v.y, v.z];
    let mut all = Vec::new();
    let sphere = &g.objects[0].shape.sphere;
    all.extend(flat(&sphere.centre));
    all.extend([sphere.radius, g.objects[0].albedo]);
    let triangle = &g.objects[1].shape.triangle;
    all.extend([&triangle.0, &triangle.1, &triangle.2].into_iter().flat_map(flat));
    all.push(g.objects[1].albedo);
    all.extend(flat(&g.light));
    all.push(g.ambient);
    check(|p| image_loss(&scene(p), &target, 6), &at, &all);
}
