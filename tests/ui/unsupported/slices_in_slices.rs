use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct Body {
    mass: f64,
}

#[derive(Differentiable, Clone)]
struct Cluster {
    bodies: Vec<Body>,
}

#[differentiable]
fn total(clusters: &[Cluster], scale: f64) -> f64 {
    let mut sum = 0.0;
    for cluster in clusters {
        for body in &cluster.bodies {
            sum += body.mass * scale;
        }
    }
    sum
}

fn main() {}
