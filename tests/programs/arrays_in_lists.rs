//! Lists of arrays of structs whose size is the name of a constant.

use crate::harness::check;
use autodiff::prelude::*;

const CORNERS: usize = 3;
const HALF: usize = CORNERS - 1;

#[derive(Differentiable, Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable(order = 2)]
fn area(t: &[Point; CORNERS]) -> f64 {
    0.5 * ((t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[2].x - t[0].x) * (t[1].y - t[0].y))
}

#[differentiable(order = 2)]
fn triangle(at: f64, size: f64) -> [Point; CORNERS] {
    let mut corners = [Point { x: at, y: size }; CORNERS];
    corners[1] = Point { x: at + size * size, y: at };
    corners[2].y = at.sin();
    corners
}

#[differentiable(order = 2)]
fn areas(mesh: &[[Point; CORNERS]], scale: f64) -> f64 {
    mesh.iter().map(|t| area(t).tanh() * scale + t[CORNERS - 1].x).sum()
}

#[differentiable(order = 2)]
fn moved(mesh: Vec<[Point; CORNERS]>, by: f64) -> Vec<[Point; CORNERS]> {
    let mut mesh = mesh;
    for t in &mut mesh {
        for corner in t.iter_mut() {
            corner.x += by * corner.y;
        }
    }
    mesh.push([Point { x: by, y: 1.0 }; CORNERS]);
    mesh
}

/// A list of its own, of what others make.
#[differentiable(order = 2)]
fn made(at: f64, size: f64) -> f64 {
    let mut mesh: Vec<[Point; CORNERS]> = Vec::new();
    mesh.push(triangle(at, size));
    for k in 0..2 {
        let mut next = mesh[k];
        next[0] = Point { x: k as f64, y: size };
        next[2].x *= at.cos();
        mesh.push(next);
    }
    let first = mesh[0];
    let mesh = moved(mesh, at);
    areas(&mesh, size) + area(&first) * area(&mesh[1])
}

#[differentiable(order = 2)]
fn pairs(rows: &[[(Point, f64); HALF]]) -> f64 {
    rows.iter().map(|row| row[0].0.x * row[1].1 + row[HALF - 1].0.y.exp() * row[0].1).sum()
}

#[differentiable(order = 2)]
fn of_pairs(x: f64, y: f64) -> f64 {
    let p = |a: f64| Point { x: a * x, y: a + y };
    let rows: Vec<[(Point, f64); HALF]> = vec![[(p(1.0), x), (p(2.0), y)], [(p(0.3), y), (p(0.1), x * y)]];
    pairs(&rows)
}

#[test]
fn a_constant_of_the_file_counts_as_its_value() {
    check!(made(at, size) by at = 0.4, size = 1.3);
    check!(of_pairs(x, y) by x = 0.6, y = -0.3);
    let mesh = [triangle(0.3, 0.7), triangle(-0.2, 1.1)];
    let (by_mesh, _) = areas::grad(&mesh, 0.5);
    assert_eq!(by_mesh.len(), 2);
    assert!((by_mesh[1][2].x - areas::jvp(&mesh, 0.5, &unit(1, 2), 0.0).1).abs() < 1e-12);
}

fn unit(triangle: usize, corner: usize) -> [[PointTangent; CORNERS]; 2] {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| PointTangent { x: f64::from(u8::from((i, j) == (triangle, corner))), y: 0.0 })
    })
}
