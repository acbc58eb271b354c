//! Graphics: signed distance fields as a tree of shapes and of operations on them, and sphere tracing (Quilez; Hart 1996).
//!
//! Changed afterwards: the tree of boxes cannot derive `Differentiable`: the derivative is by the point and by the ray.

use crate::differences::check;
use autodiff::prelude::*;

type Point = [f64; 3];

#[derive(Debug, Clone)]
enum Sdf {
    Sphere { centre: Point, radius: f64 },
    Cuboid { centre: Point, half: Point },
    Torus { major: f64, minor: f64 },
    Plane { normal: Point, offset: f64 },
    Union(Box<Sdf>, Box<Sdf>),
    Intersection(Box<Sdf>, Box<Sdf>),
    SmoothUnion { a: Box<Sdf>, b: Box<Sdf>, k: f64 },
    Translate(Point, Box<Sdf>),
    Round(Box<Sdf>, f64),
}

#[differentiable]
fn sub(a: &Point, b: &Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[differentiable]
fn length(a: &Point) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

#[differentiable]
impl Sdf {
    fn distance(#[no_diff] &self, p: &Point) -> f64 {
        match self {
            Sdf::Sphere { centre, radius } => length(&sub(p, centre)) - radius,
            Sdf::Cuboid { centre, half } => {
                let d = sub(p, centre);
                let q: Point = [d[0].abs() - half[0], d[1].abs() - half[1], d[2].abs() - half[2]];
                let inside = q[0].max(q[1]).max(q[2]).min(0.0);
                let outside = q.map(|c| c.max(0.0));
                length(&outside) + inside
            }
            Sdf::Torus { major, minor } => {
                let ring = p[0].hypot(p[2]) - major;
                ring.hypot(p[1]) - minor
            }
            Sdf::Plane { normal, offset } => p.iter().zip(normal.iter()).map(|(a, b)| a * b).sum::<f64>() - offset,
            Sdf::Union(a, b) => a.distance(p).min(b.distance(p)),
            Sdf::Intersection(a, b) => a.distance(p).max(b.distance(p)),
            Sdf::SmoothUnion { a, b, k } => {
                let (da, db) = (a.distance(p), b.distance(p));
                let h = (0.5 + 0.5 * (db - da) / k).clamp(0.0, 1.0);
                db + (da - db) * h - k * h * (1.0 - h)
            }
            Sdf::Translate(by, inner) => inner.distance(&sub(p, by)),
            Sdf::Round(inner, r) => inner.distance(p) - r,
        }
    }
}

/// The depth at which a ray meets the surface.
#[differentiable]
fn sphere_trace(#[no_diff] scene: &Sdf, origin: &Point, direction: &Point) -> Option<f64> {
    let mut t = 0.0;
    for _ in 0..64 {
        let p = [origin[0] + t * direction[0], origin[1] + t * direction[1], origin[2] + t * direction[2]];
        let d = scene.distance(&p);
        if d < 1e-12 {
            return Some(t);
        }
        t += d;
        if t > 20.0 {
            break;
        }
    }
    None
}

/// How far a cloud of points is from the surface.
#[differentiable]
fn fit(#[no_diff] scene: &Sdf, cloud: &[Point]) -> f64 {
    cloud.iter().map(|p| scene.distance(p).powi(2)).sum::<f64>() / cloud.len() as f64
}

#[differentiable]
fn depth_loss(#[no_diff] scene: &Sdf, rays: &[(Point, Point, f64)]) -> f64 {
    let mut loss = 0.0;
    for (origin, direction, measured) in rays {
        match sphere_trace(scene, origin, direction) {
            Some(depth) => loss += (depth - measured).powi(2),
            None => loss += 1.0,
        }
    }
    loss
}

fn scene(p: &[f64]) -> Sdf {
    let ball = Sdf::Sphere { centre: [p[0], p[1], p[2]], radius: p[3] };
    let block = Sdf::Cuboid { centre: [p[4], p[5], p[6]], half: [p[7], p[8], p[9]] };
    let ring = Sdf::Translate([0.0, p[10], 0.0], Box::new(Sdf::Torus { major: p[11], minor: p[12] }));
    let blend = Sdf::SmoothUnion { a: Box::new(ball), b: Box::new(Sdf::Round(Box::new(block), p[13])), k: p[14] };
    Sdf::Union(
        Box::new(Sdf::Union(Box::new(blend), Box::new(ring))),
        Box::new(Sdf::Intersection(
            Box::new(Sdf::Plane { normal: [0.0, 1.0, 0.0], offset: -2.0 }),
            Box::new(Sdf::Plane { normal: [0.0, 0.0, 1.0], offset: -9.0 }),
        )),
    )
}

#[test]
fn the_gradient_agrees_with_differences() {
    let cloud: Vec<Point> =
        (0..15).map(|k| [(k as f64).sin() * 1.5, (1.3 * k as f64).cos(), (0.7 * k as f64).sin()]).collect();
    let rays: Vec<(Point, Point, f64)> =
        (0..3).map(|k| ([0.1 * k as f64 - 0.2, 0.15, 5.0], [0.0, 0.0, -1.0], 3.5)).collect();
    let at = [0.1, 0.2, 0.0, 0.9, 0.8, 0.0, 0.1, 0.4, 0.5, 0.3, -0.7, 1.2, 0.2, 0.1, 0.4];
    let s = scene(&at);
    let (value, g) = fit::value_and_grad(&s, &cloud);
    assert_eq!(value, fit(&s, &cloud));
    let points = |p: &[f64]| p.chunks(3).map(|c| [c[0], c[1], c[2]]).collect::<Vec<Point>>();
    check(|p| fit(&s, &points(p)), &cloud.concat(), &g.concat());

    let (value, g) = depth_loss::value_and_grad(&s, &rays);
    assert_eq!(value, depth_loss(&s, &rays));
    let flat = |(o, d, m): &(Point, Point, f64)| [&o[..], &d[..], &[*m]].concat();
    let unflat = |p: &[f64]| p.chunks(7).map(|c| ([c[0], c[1], c[2]], [c[3], c[4], c[5]], c[6])).collect::<Vec<_>>();
    let at: Vec<f64> = rays.iter().flat_map(flat).collect();
    check(|p| depth_loss(&s, &unflat(p)), &at, &g.iter().flat_map(flat).collect::<Vec<_>>());

    let by_point = |p: &[f64]| s.distance(&[p[0], p[1], p[2]]);
    for p in [[1.0, 0.4, 0.35], [0.2, 1.5, 0.8], [-1.0, -0.5, 0.9]] {
        let g = s.distance_grad(&p);
        check(by_point, &p, &g);
    }
}
