//! Graphics: sphere tracing a scene of signed distance shapes, with soft shadows.
use crate::differences::check;
use autodiff::prelude::*;
use std::ops;

#[derive(Debug, Clone, Copy, Default, Differentiable)]
struct V3(f64, f64, f64);

#[differentiable]
impl ops::Add for V3 {
    type Output = V3;
    fn add(self, b: V3) -> V3 {
        V3(self.0 + b.0, self.1 + b.1, self.2 + b.2)
    }
}
#[differentiable]
impl ops::Sub for V3 {
    type Output = V3;
    fn sub(self, b: V3) -> V3 {
        V3(self.0 - b.0, self.1 - b.1, self.2 - b.2)
    }
}
#[differentiable]
impl ops::Mul<V3> for f64 {
    type Output = V3;
    fn mul(self, b: V3) -> V3 {
        V3(self * b.0, self * b.1, self * b.2)
    }
}
#[differentiable]
impl ops::Neg for V3 {
    type Output = V3;
    fn neg(self) -> V3 {
        V3(-self.0, -self.1, -self.2)
    }
}

#[differentiable]
fn dot(a: V3, b: V3) -> f64 {
    a.0 * b.0 + a.1 * b.1 + a.2 * b.2
}

#[differentiable]
fn length(a: V3) -> f64 {
    dot(a, a).sqrt()
}

#[derive(Debug, Clone, Copy, Differentiable)]
enum Shape {
    Sphere { centre: V3, radius: f64 },
    Box { centre: V3, half: V3 },
    Plane(f64),
}

trait Distance {
    fn distance(&self, p: V3) -> f64;

    /// The gradient by differences, as renderers do it.
    fn normal(&self, p: V3) -> V3 {
        const EPS: f64 = 1e-3;
        let dx = self.distance(p + V3(EPS, 0.0, 0.0)) - self.distance(p - V3(EPS, 0.0, 0.0));
        let dy = self.distance(p + V3(0.0, EPS, 0.0)) - self.distance(p - V3(0.0, EPS, 0.0));
        let dz = self.distance(p + V3(0.0, 0.0, EPS)) - self.distance(p - V3(0.0, 0.0, EPS));
        let n = V3(dx, dy, dz);
        1.0 / length(n) * n
    }
}

#[differentiable]
impl Distance for Shape {
    fn distance(&self, p: V3) -> f64 {
        match *self {
            Shape::Sphere { centre, radius } => length(p - centre) - radius,
            Shape::Box { centre, half } => {
                let d = p - centre;
                let q = V3(d.0.abs() - half.0, d.1.abs() - half.1, d.2.abs() - half.2);
                let outside = V3(q.0.max(0.0), q.1.max(0.0), q.2.max(0.0));
                (dot(outside, outside) + 1e-12).sqrt() + q.0.max(q.1).max(q.2).min(0.0)
            }
            Shape::Plane(height) => p.1 - height,
        }
    }
}

/// The smooth minimum, and which shape is nearest.
#[differentiable]
fn scene(shapes: &[Shape], p: V3, k: f64) -> (f64, usize) {
    let mut sum = 0.0;
    let mut nearest = 0;
    let mut least = f64::MAX;
    for (i, shape) in shapes.iter().enumerate() {
        let d = shape.distance(p);
        sum += (-k * d).exp();
        if d < least {
            least = d;
            nearest = i;
        }
    }
    (-sum.ln() / k, nearest)
}

#[differentiable]
fn march(shapes: &[Shape], origin: V3, direction: V3) -> Option<f64> {
    let mut t = 0.0;
    for _ in 0..64 {
        let (d, _) = scene(shapes, origin + t * direction, 8.0);
        if d < 1e-9 {
            return Some(t);
        }
        t += d;
        if t > 50.0 {
            break;
        }
    }
    None
}

#[differentiable]
fn render(shapes: &[Shape], light: V3, #[no_diff] pixels: &[(f64, f64)]) -> f64 {
    let eye = V3(0.0, 0.5, -4.0);
    let mut image = 0.0;
    for &(u, v) in pixels {
        let d = V3(u, v, 1.5);
        let d = 1.0 / length(d) * d;
        let Some(t) = march(shapes, eye, d) else {
            image += 0.1 * v;
            continue;
        };
        let p = eye + t * d;
        let (_, nearest) = scene(shapes, p, 8.0);
        let n = shapes[nearest].normal(p);
        let to_light = light - p;
        let shade = dot(n, to_light).max(0.0) / dot(to_light, to_light);
        image += (1.0 + u) * shade / (1.0 + 0.05 * t * t);
    }
    image
}

fn world(p: &[f64]) -> (Vec<Shape>, V3) {
    (
        vec![
            Shape::Sphere { centre: V3(p[0], p[1], p[2]), radius: p[3] },
            Shape::Box { centre: V3(1.0, p[4], 0.5), half: V3(0.4, 0.5, p[5]) },
            Shape::Plane(p[6]),
        ],
        V3(p[7], p[8], p[9]),
    )
}

#[test]
fn gradient_against_differences() {
    let pixels: Vec<(f64, f64)> =
        (0..5).flat_map(|i| (0..4).map(move |j| (0.21 * i as f64 - 0.41, 0.17 * j as f64 - 0.33))).collect();
    let at = [-0.4, 0.3, 0.1, 0.8, 0.2, 0.4, -0.9, 2.0, 4.0, -3.0];
    let (shapes, light) = world(&at);
    let (gs, gl) = render::grad(&shapes, light, &pixels);
    let s = &gs[0].sphere;
    let g = [
        s.centre.0,
        s.centre.1,
        s.centre.2,
        s.radius,
        gs[1].box_.centre.1,
        gs[1].box_.half.2,
        gs[2].plane.0,
        gl.0,
        gl.1,
        gl.2,
    ];
    check(
        |p| {
            let (shapes, light) = world(p);
            render(&shapes, light, &pixels)
        },
        &at,
        &g,
    );
}
