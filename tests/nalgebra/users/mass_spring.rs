// Mass-spring net: energy, forces in place, symplectic Euler.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::Vector3;

#[derive(Clone)]
struct Edge {
    a: usize,
    b: usize,
}

#[derive(Differentiable, Clone)]
struct Params {
    stiffness: f64,
    damping: f64,
    rest: f64,
    gravity: Vector3<f64>,
}

#[differentiable]
fn energy(x: &[Vector3<f64>], #[no_diff] edges: &[Edge], p: &Params) -> f64 {
    edges.iter().map(|e| 0.5 * p.stiffness * ((x[e.a] - x[e.b]).norm() - p.rest).powi(2)).sum::<f64>()
        - x.iter().map(|xi| p.gravity.dot(xi)).sum::<f64>()
}

#[differentiable]
fn step(x: &mut [Vector3<f64>], v: &mut [Vector3<f64>], #[no_diff] edges: &[Edge], p: &Params, dt: f64) {
    let mut f = vec![p.gravity; x.len()];
    for e in edges {
        let d = x[e.b] - x[e.a];
        let len = d.norm();
        let dir = d / len;
        let rel = (v[e.b] - v[e.a]).dot(&dir);
        let pull = dir * (p.stiffness * (len - p.rest) + p.damping * rel);
        f[e.a] += pull;
        f[e.b] -= pull;
    }
    for i in 0..x.len() {
        v[i] += f[i] * dt;
        x[i] += v[i] * dt;
    }
}

#[differentiable]
fn height_after(x0: &[Vector3<f64>], #[no_diff] edges: &[Edge], p: &Params, #[no_diff] steps: usize) -> f64 {
    let mut x = x0.to_vec();
    let mut v = vec![Vector3::zeros(); x.len()];
    for _ in 0..steps {
        step(&mut x, &mut v, edges, p, 0.02);
    }
    x.iter().map(|q| q.z).sum::<f64>() / x.len() as f64
}

#[test]
fn gradients() {
    let x = vec![Vector3::new(0.0, 0.0, 1.0), Vector3::new(1.2, 0.1, 1.0), Vector3::new(0.5, 1.1, 0.8)];
    let edges = vec![Edge { a: 0, b: 1 }, Edge { a: 1, b: 2 }, Edge { a: 2, b: 0 }];
    let p = Params { stiffness: 8.0, damping: 0.2, rest: 1.0, gravity: Vector3::new(0.0, 0.1, -9.81) };
    check_grads!(energy, &x, &edges, &p);
    check_grads!(height_after, &x, &edges, &p, 10);
    // springs are internal: the centre of mass falls freely (symplectic Euler sum)
    let fall = -9.81 * 0.02 * 0.02 * (1..=10).sum::<i32>() as f64;
    let start = (1.0 + 1.0 + 0.8) / 3.0;
    assert!((height_after(&x, &edges, &p, 10) - (start + fall)).abs() < 1e-12);
}
