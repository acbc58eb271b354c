//! A method of data whose type the file does not show: whether it has a derivative is not known.
use autodiff::prelude::*;

mod poses {
    use autodiff::prelude::*;

    #[derive(Clone, Copy, Differentiable)]
    pub struct Pose {
        pub x: f64,
    }

    #[differentiable]
    impl Pose {
        pub fn inverse(&self) -> Pose {
            Pose { x: -self.x }
        }

        pub fn compose(&self, other: &Pose) -> Pose {
            Pose { x: self.x * other.x }
        }
    }

    #[derive(Clone, Copy, Differentiable)]
    pub struct Angle {
        pub a: f64,
    }

    #[differentiable]
    impl Angle {
        pub fn compose(&self, other: &Angle) -> Angle {
            Angle { a: self.a + other.a }
        }
    }

    macro_rules! unseen {
        ($($item:item)*) => { $($item)* };
    }

    unseen! {
        pub struct Edge {
            pub from: usize,
            pub measured: Pose,
        }
    }
}

use poses::{Edge, Pose};

#[differentiable]
fn of_a_field(pose: &Pose, #[no_diff] e: &Edge) -> f64 {
    e.measured.compose(pose).x
}

#[differentiable]
fn of_a_name(pose: &Pose, #[no_diff] e: &Edge) -> f64 {
    let inv = e.measured.inverse();
    inv.compose(pose).x
}

#[differentiable]
fn in_a_closure(poses: &[Pose], #[no_diff] edges: &[Edge]) -> f64 {
    edges.iter().map(|e| e.measured.inverse().compose(&poses[e.from]).x).sum()
}

fn main() {}
