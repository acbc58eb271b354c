//! Where no derivative exists: what is chosen there, and what the values around it are.

use autodiff::prelude::*;

cases! {
    relu_0(x: [3]) -> [3] { x.relu() }
    abs_0(x: [3]) -> [3] { x.abs() }
    clamp_edge(x: [5]) -> [5] { x.clamp(-1.0, 1.0) }
    leaky_relu_0(x: [3]) -> [3] { x.leaky_relu(0.1) }
    elu_0(x: [3]) -> [3] { x.elu(1.0) }
    relu6_edge(x: [3]) -> [3] { x.relu6() }
    hard_sigmoid_edge(x: [3]) -> [3] { x.hard_sigmoid() }
    hard_swish_edge(x: [3]) -> [3] { x.hard_swish() }
    hard_tanh_edge(x: [3]) -> [3] { x.hard_tanh() }
    signum_0(x: [3]) -> [3] { x.signum() }
    norm_0(x: [3]) -> [] { x.norm() }
    max_tie(x: [3]) -> [] { x.max() }
    /// a tie gives half to each side
    maximum_tie(x: [3], y: [3]) -> [3] { x.maximum(y) }
    powf_0(x: [3]) -> [3] { x.powf(2.0) }
}
