//! Enums without numbers need no `#[no_diff]`.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, PartialEq)]
enum Kernel {
    Plain,
    Huber { steps: usize },
    Power(i32),
}

mod shapes {
    #[derive(Clone, Copy)]
    pub enum Edge {
        Open,
        Closed,
    }
}
use shapes::Edge;

#[derive(Differentiable, Clone)]
struct Layer {
    weight: f64,
    kernel: Kernel,
    edge: Edge,
}

#[differentiable(order = 2)]
impl Kernel {
    fn apply(self, x: f64) -> f64 {
        match self {
            Kernel::Plain => x,
            Kernel::Huber { steps } => x * steps as f64,
            Kernel::Power(n) => x.powi(n),
        }
    }
}

#[differentiable(order = 2)]
fn robust(kernel: &Kernel, x: f64) -> f64 {
    if *kernel == Kernel::Plain { 0.5 * x } else { kernel.apply(x) }
}

#[differentiable(order = 2)]
fn sum(layer: &Layer, kernels: &[Kernel], x: f64) -> f64 {
    let mut y = x;
    for kernel in kernels {
        y += robust(kernel, y * layer.weight).sin();
    }
    y *= match layer.edge {
        Edge::Open => layer.weight,
        Edge::Closed => 0.5,
    };
    layer.kernel.apply(y)
}

#[differentiable(order = 2)]
fn of_numbers(w: f64, x: f64, kernels: &[Kernel], edges: &[Edge; 2]) -> f64 {
    let layer = Layer { weight: w, kernel: Kernel::Power(2), edge: edges[1] };
    sum(&layer, kernels, x)
}

/// Its pullback reads `edge`, so that it has no residuals to keep.
#[differentiable(order = 2)]
fn closed(xs: &[f64], #[no_diff] edge: Edge) -> f64 {
    let mut product = 1.0;
    for x in xs {
        product *= match edge {
            Edge::Open => x.sin() + product,
            Edge::Closed => x / 3.0,
        };
    }
    product
}

/// A loop whose reverse sweep calls it again.
#[differentiable(order = 2)]
fn missed(xs: &[f64], #[no_diff] targets: &[f64]) -> f64 {
    let mut sum = 0.0;
    for target in targets {
        sum += (closed(xs, Edge::Open) * closed(xs, Edge::Closed) - target).powi(2);
    }
    sum
}

#[test]
fn plain_enums_carry_no_derivative() {
    let xs = [0.7, 1.3];
    check!(missed(&xs, &[0.1, 0.5]) by [xs]);
    let kernels = [Kernel::Plain, Kernel::Huber { steps: 3 }, Kernel::Power(3)];
    check!(of_numbers(w, x, &kernels, &[Edge::Closed, Edge::Open]) by w = 0.7, x = 1.3);
    check!(of_numbers(w, x, &kernels[..1], &[Edge::Open, Edge::Closed]) by w = -0.7, x = 0.4);
    let layer = Layer { weight: 0.5, kernel: Kernel::Plain, edge: Edge::Open };
    let (of_layer, of_x) = sum::grad(&layer, &[], 2.0);
    assert_eq!((of_layer.weight, of_x), (2.0, 0.5));
}
