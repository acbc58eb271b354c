//! Structs with a derivative that are inside of data without one, and their methods.

use crate::harness::check;
use autodiff::prelude::*;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Differentiable)]
struct Pose {
    x: f64,
    angle: f64,
}

#[differentiable(order = 2)]
impl Pose {
    const UNIT: Pose = Pose { x: 1.0, angle: 0.25 };

    fn identity() -> Pose {
        Pose { x: 0.0, angle: 0.0 }
    }

    fn inverse(&self) -> Pose {
        Pose { x: -self.x * self.angle.cos(), angle: -self.angle }
    }

    fn compose(&self, other: &Pose) -> Self {
        Pose { x: self.x + other.x * self.angle.cos(), angle: self.angle + other.angle }
    }

    fn then(self, other: Pose) -> Pose {
        Pose { x: self.x * other.x, angle: self.angle - other.angle * self.x }
    }

    fn scaled(&self, by: f64) -> Pose {
        Pose { x: self.x * by, angle: self.angle + by }
    }

    fn size(&self) -> f64 {
        self.x * self.x + self.angle.sin()
    }
}

struct Edge {
    from: usize,
    measured: Pose,
    weight: f64,
}

impl Edge {
    fn pose(&self) -> &Pose {
        &self.measured
    }
}

struct Graph {
    edges: Vec<Edge>,
    anchors: BTreeMap<usize, Pose>,
    origin: Box<Pose>,
    pair: (Pose, f64),
    maybe: Option<Pose>,
}

#[differentiable(order = 2)]
fn by_reference(pose: &Pose, #[no_diff] e: &Edge) -> f64 {
    let inv = e.measured.inverse();
    let error = inv.compose(pose);
    error.size() + e.measured.inverse().compose(pose).x * e.weight + e.measured.scaled(pose.x).size()
}

#[differentiable(order = 2)]
fn by_value(pose: Pose, #[no_diff] e: &Edge) -> f64 {
    e.measured.compose(&pose).x + e.measured.then(pose).size() + e.pose().compose(&pose).size()
}

#[differentiable(order = 2)]
fn cost(poses: &[Pose], #[no_diff] edges: &[Edge]) -> f64 {
    edges
        .iter()
        .map(|e| {
            let error = e.measured.inverse().compose(&poses[e.from]);
            error.size() * e.weight + e.measured.compose(&poses[0]).size()
        })
        .sum()
}

#[differentiable(order = 2)]
fn looped(poses: &[Pose], #[no_diff] graph: &Graph) -> f64 {
    let mut s = 0.0;
    let mut last = poses[0];
    for (k, e) in graph.edges.iter().enumerate() {
        if e.weight > 0.0 {
            let inv = e.measured.inverse();
            last = inv.compose(&last).scaled(poses[e.from].x);
        } else {
            last = e.measured.then(last);
        }
        s += last.size() * (k as f64 + 1.0) + graph.edges[k].measured.scaled(s).x;
    }
    s
}

#[differentiable(order = 2)]
fn parts(pose: &Pose, #[no_diff] graph: &Graph) -> f64 {
    let mut s = graph.origin.compose(pose).size();
    s += graph.pair.0.scaled(pose.angle).size() * graph.pair.1;
    s += graph.anchors[&3].compose(pose).x;
    s += graph.maybe.unwrap().compose(pose).size();
    s + Pose::UNIT.scaled(s).x + Pose::identity().compose(pose).size()
}

#[test]
fn their_methods_have_derivatives() {
    let edge = |from, x, weight| Edge { from, measured: Pose { x, angle: 0.3 * x }, weight };
    let poses = [Pose { x: 0.7, angle: 0.2 }, Pose { x: -0.4, angle: 0.9 }];
    check!(by_reference(&pose, &edge(0, 0.5, 2.0)) by pose = poses[0]);
    check!(by_value(pose, &edge(0, 0.5, 2.0)) by pose = poses[0]);
    let edges = vec![edge(0, 0.5, 2.0), edge(1, -1.5, -1.0), edge(1, 0.8, 0.5)];
    check!(cost(&poses, &edges) by poses = poses.to_vec());
    let graph = Graph {
        edges,
        anchors: [(3, poses[1])].into_iter().collect(),
        origin: Box::new(poses[1]),
        pair: (Pose { x: 0.1, angle: 0.6 }, 0.7),
        maybe: Some(poses[0]),
    };
    check!(looped(&poses, &graph) by poses = poses.to_vec());
    check!(parts(&pose, &graph) by pose = poses[0]);
}
