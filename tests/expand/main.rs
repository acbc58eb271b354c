//! The reviewed expansions in `tests/expand/` are complete Rust: they compile as they stand, and give the same
//! bits as the macro. (`autodiff-macros/src/snapshot_test.rs` compares their text.)

mod bits;

use autodiff::{Tensor1, Tensor2};

macro_rules! both {
    ($($name:ident $expanded:ident $source:literal $expansion:literal;)*) => {$(
        mod $name {
            use autodiff::prelude::*;
            include!($source);
        }
        #[allow(dead_code, unused_imports, clippy::init_numbered_fields)]
        mod $expanded {
            use autodiff::prelude::*;
            include!($expansion);
        }
    )*};
}

both! {
    chain chain_expanded "chain.rs" "chain.expanded.rs";
    rosenbrock rosenbrock_expanded "rosenbrock.rs" "rosenbrock.expanded.rs";
    network network_expanded "network.rs" "network.expanded.rs";
    cross_entropy cross_entropy_expanded "cross_entropy.rs" "cross_entropy.expanded.rs";
    simulate simulate_expanded "simulate.rs" "simulate.expanded.rs";
    data data_expanded "data.rs" "data.expanded.rs";
    state state_expanded "state.rs" "state.expanded.rs";
    second second_expanded "second.rs" "second.expanded.rs";
    recursion recursion_expanded "recursion.rs" "recursion.expanded.rs";
}

/// Numbers without a pattern, between -1 and 1. They are hidden from the optimiser: what it computes at compile time,
/// such as the `tanh` of a constant, it may round in another way than the program would.
fn number(k: usize) -> f64 {
    std::hint::black_box(k as f64 * 12.9898).sin()
}

#[test]
fn simulations_agree() {
    let x = number(3);
    assert_eq!(simulate::simulate::value_and_grad(x, 300), simulate_expanded::simulate::value_and_grad(x, 300));
}

#[test]
fn data_agrees() {
    use data::{Model, Sample, worst};
    let samples: Vec<Sample> = (0..4).map(|k| Sample { at: number(k), value: number(k + 9) }).collect();
    let expanded: Vec<data_expanded::Sample> =
        samples.iter().map(|sample| data_expanded::Sample { at: sample.at, value: sample.value }).collect();
    let (value, (by_model, by_samples)) = worst::value_and_grad(&Model::Decay(0.4), &samples);
    let model = data_expanded::Model::Decay(0.4);
    let (same, (model_bar, samples_bar)) = data_expanded::worst::value_and_grad(&model, &expanded);
    assert_eq!((value, by_model.decay.0), (same, model_bar.decay.0));
    let (slope, offset) = (0.7, -0.2);
    let (value, (by_line, _)) = worst::value_and_grad(&Model::Line { slope, offset }, &samples);
    let (same, (line_bar, _)) =
        data_expanded::worst::value_and_grad(&data_expanded::Model::Line { slope, offset }, &expanded);
    assert_eq!((value, by_line.line.slope, by_line.line.offset), (same, line_bar.line.slope, line_bar.line.offset));
    let numbers: Vec<(f64, f64)> = by_samples.iter().map(|sample| (sample.at, sample.value)).collect();
    assert_eq!(numbers, samples_bar.iter().map(|sample| (sample.at, sample.value)).collect::<Vec<_>>());
}

#[test]
fn states_agree() {
    let given = state::energies::value_and_grad(0.4, 0.1, 20);
    assert_eq!(given, state_expanded::energies::value_and_grad(0.4, 0.1, 20));
}

#[test]
fn second_derivatives_agree() {
    let (x, v) = ([number(1), number(2)], [number(3), number(4)]);
    let given = second::potential::hvp(&x, 0.5, &v, 1.0);
    assert_eq!(given, second_expanded::potential::hvp(&x, 0.5, &v, 1.0));
}

#[test]
fn recursions_agree() {
    let x = [1.0, 2.0, 3.0, 4.0, 5.0];
    assert_eq!(recursion::product::grad(&x), [120.0, 60.0, 40.0, 30.0, 24.0]);
    assert_eq!(recursion_expanded::product::grad(&x), recursion::product::grad(&x));
}

#[test]
fn chains_agree() {
    let a = Tensor2::from_fn(|[i, j]| number(3 * i + j));
    let (b, c) = (Tensor1::from_fn(|[j]| number(20 + j)), Tensor2::from_fn(|[i, _]| number(30 + i)));
    assert_eq!(chain::chain::value_and_grad(&a, &b, &c), chain_expanded::chain::value_and_grad(&a, &b, &c));
}

#[test]
fn rosenbrocks_agree() {
    let x: [f64; 7] = std::array::from_fn(number);
    let given = rosenbrock::rosenbrock::value_and_grad(&x);
    assert_eq!(given, rosenbrock_expanded::rosenbrock::value_and_grad(&x));
    assert_eq!(given.0, rosenbrock::rosenbrock(&x));
}

#[test]
fn networks_agree() {
    let (w1, b1) = (Tensor2::from_fn(|[i, j]| number(8 * i + j) as f32), Tensor1::from_fn(|[j]| number(40 + j) as f32));
    let (w2, b2) = (Tensor2::from_fn(|[i, _]| number(50 + i) as f32), Tensor1::from([0.1]));
    let x = Tensor2::from([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
    let y = Tensor2::from([[0.0], [1.0], [1.0], [0.0]]);
    let p = network::Network { w1, b1, w2, b2 };
    let (value, gradient) = network::network::value_and_grad(&p, &x, &y);
    let p = network_expanded::Network { w1, b1, w2, b2 };
    let (same, expanded) = network_expanded::network::value_and_grad(&p, &x, &y);
    assert_eq!(value, same);
    assert_eq!(
        (gradient.w1, gradient.b1, gradient.w2, gradient.b2),
        (expanded.w1, expanded.b1, expanded.w2, expanded.b2)
    );
}

#[test]
fn cross_entropies_agree() {
    let logits = Tensor2::<f64, 3, 10>::from_fn(|[i, j]| 5.0 * number(10 * i + j));
    let labels = [3, 0, 9];
    assert_eq!(
        cross_entropy::cross_entropy::value_and_grad(&logits, &labels),
        cross_entropy_expanded::cross_entropy::value_and_grad(&logits, &labels),
    );
}
