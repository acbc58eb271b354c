//! Heat transfer: a network of thermal resistances with convection, radiation and a heat exchanger (Incropera, DeWitt).
use crate::differences::check;
use autodiff::prelude::*;

const STEFAN_BOLTZMANN: f64 = 5.670374419e-8;

#[derive(Debug, Clone, Differentiable)]
enum Connection {
    Conduction { conductivity: f64, area: f64, length: f64 },
    Convection { coefficient: f64, area: f64 },
    Radiation { emissivity: f64, area: f64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Parallel,
    Counter,
    Condenser,
}

#[derive(Debug, Clone, Differentiable)]
struct Edge {
    from: usize,
    to: usize,
    connection: Connection,
}

#[derive(Debug, Clone, Differentiable)]
struct Node {
    source: f64,
    /// The temperature, where it is given.
    fixed: Option<f64>,
}

#[derive(Debug, Clone, Differentiable)]
struct Network {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

#[derive(Debug, Clone)]
struct Solver {
    tolerance: f64,
    max_sweeps: usize,
    relaxation: f64,
}

#[differentiable]
impl Connection {
    /// Heat per kelvin between two temperatures.
    fn conductance(&self, hot: f64, cold: f64) -> f64 {
        match self {
            Self::Conduction { conductivity, area, length } => conductivity * area / length,
            Self::Convection { coefficient, area } => coefficient * area,
            Self::Radiation { emissivity, area } => {
                emissivity * STEFAN_BOLTZMANN * area * (hot * hot + cold * cold) * (hot + cold)
            }
        }
    }
}

/// Effectiveness by the number of transfer units.
#[differentiable]
fn effectiveness(#[no_diff] flow: Flow, ntu: f64, ratio: f64) -> f64 {
    match flow {
        Flow::Parallel => (1.0 - (-ntu * (1.0 + ratio)).exp()) / (1.0 + ratio),
        Flow::Counter if (ratio - 1.0).abs() < 1e-9 => ntu / (1.0 + ntu),
        Flow::Counter => {
            let e = (-ntu * (1.0 - ratio)).exp();
            (1.0 - e) / (1.0 - ratio * e)
        }
        Flow::Condenser => 1.0 - (-ntu).exp(),
    }
}

/// Gauss-Seidel until nothing moves.
#[differentiable]
fn steady_state(network: &Network, #[no_diff] solver: &Solver) -> Option<Vec<f64>> {
    let mut t: Vec<f64> = network.nodes.iter().map(|n| n.fixed.unwrap_or(300.0)).collect();
    for _ in 0..solver.max_sweeps {
        let mut change: f64 = 0.0;
        for (i, node) in network.nodes.iter().enumerate() {
            if node.fixed.is_some() {
                continue;
            }
            let mut flow = node.source;
            let mut total = 0.0;
            for edge in &network.edges {
                let other = if edge.from == i {
                    edge.to
                } else if edge.to == i {
                    edge.from
                } else {
                    continue;
                };
                let g = edge.connection.conductance(t[i], t[other]);
                flow += g * t[other];
                total += g;
            }
            let updated = flow / total;
            change = change.max((updated - t[i]).abs());
            t[i] += solver.relaxation * (updated - t[i]);
        }
        if change < solver.tolerance {
            return Some(t);
        }
    }
    None
}

/// The hottest node after a heat exchanger has cooled the sink.
#[differentiable]
fn peak_temperature(network: &Network, ua: f64, #[no_diff] flow: Flow, #[no_diff] solver: &Solver) -> f64 {
    let (c_min, c_max) = (800.0, 1200.0);
    let eps = effectiveness(flow, ua / c_min, c_min / c_max);
    let inlet = 350.0;
    let sink = inlet - eps * (inlet - 290.0);

    let mut network = network.clone();
    network.nodes[0].fixed = Some(sink);
    match steady_state(&network, solver) {
        Some(t) => t.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        None => f64::NAN,
    }
}

fn network(p: &[f64]) -> Network {
    let node = |source, fixed| Node { source, fixed };
    Network {
        nodes: vec![node(0.0, Some(300.0)), node(p[0], None), node(p[1], None), node(0.0, Some(295.0 + p[2]))],
        edges: vec![
            Edge {
                from: 0,
                to: 1,
                connection: Connection::Conduction { conductivity: p[3], area: 0.01, length: p[4] },
            },
            Edge {
                from: 1,
                to: 2,
                connection: Connection::Conduction { conductivity: p[5], area: 0.01, length: 0.02 },
            },
            Edge { from: 2, to: 3, connection: Connection::Convection { coefficient: p[6], area: 0.2 } },
            Edge { from: 1, to: 3, connection: Connection::Radiation { emissivity: p[7], area: 0.3 } },
        ],
    }
}

#[test]
fn the_gradient_agrees_with_differences() {
    let solver = Solver { tolerance: 1e-11, max_sweeps: 500, relaxation: 1.0 };
    let at = [30.0, 50.0, 0.0, 20.0, 0.05, 15.0, 12.0, 0.8, 900.0];
    for flow in [Flow::Parallel, Flow::Counter, Flow::Condenser] {
        let (g, ua) = peak_temperature::grad(&network(&at), at[8], flow, &solver);
        let e = &g.edges;
        let flat = [
            g.nodes[1].source,
            g.nodes[2].source,
            g.nodes[3].fixed.some,
            e[0].connection.conduction.conductivity,
            e[0].connection.conduction.length,
            e[1].connection.conduction.conductivity,
            e[2].connection.convection.coefficient,
            e[3].connection.radiation.emissivity,
            ua,
        ];
        check(|p| peak_temperature(&network(p), p[8], flow, &solver), &at, &flat);
    }
}
