//! Several elements of one array of structs as arguments of one call.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Scene {
    corners: [Point; 3],
    pairs: [(Point, f64); 3],
    rows: [[f64; 3]; 2],
    both: (Point, Point),
    more: Vec<Point>,
}

#[differentiable(order = 2)]
impl std::ops::Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point { x: self.x - other.x, y: self.y - other.y }
    }
}

#[differentiable(order = 2)]
impl Point {
    fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y * other.y
    }
}

#[differentiable(order = 2)]
fn area(a: &Point, b: &Point, c: &Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
}

#[differentiable(order = 2)]
fn product(a: f64, b: f64) -> f64 {
    a * b
}

#[differentiable(order = 2)]
fn first_and_last(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[2]
}

#[differentiable(order = 2)]
fn dihedral(p: [Point; 4]) -> f64 {
    (p[1] - p[0]).dot(p[2] - p[1]) * (p[3] - p[2]).dot(p[3])
}

#[differentiable(order = 2)]
fn of_fields(scene: &Scene) -> f64 {
    let [a, b, c] = &scene.corners;
    area(a, b, c)
        + area(&scene.corners[2], &scene.both.0, &scene.corners[2])
        + area(&scene.more[1], &scene.more[0], &scene.corners[0])
        + first_and_last(&scene.rows[1], &scene.rows[0])
        + scene.both.0.dot(scene.both.1)
        + scene.pairs[0].0.dot(scene.pairs[1].0) * product(scene.pairs[0].1, scene.pairs[2].1)
}

#[test]
fn have_cotangents_of_their_own() {
    let point = |x: f64| Point { x, y: 0.7 * x * x + 0.2 };
    let p = [point(0.1), point(0.5), point(-0.3), point(0.4)];
    check!(dihedral(p) by p);
    let corners = [p[0], p[3], p[2]];
    let pairs = [(p[1], 0.3), (p[2], 0.8), (p[0], 0.6)];
    let rows = [[0.1, 0.5, 0.6], [0.8, 0.2, 0.3]];
    let scene = Scene { corners, pairs, rows, both: (p[3], p[1]), more: vec![p[2], p[0]] };
    check!(of_fields(&scene) by scene);
}
