//! Generated gradients of networks against what an expert writes with vectors and the best library.
//!
//! `cargo bench --bench networks`; `benches/README.md` tells how to read the result.
#![allow(missing_docs)]
#![allow(clippy::inline_always, reason = "loops are inlined where they are compiled for the vectors of the CPU")]

mod chain;
#[path = "../gradients/compare.rs"]
#[allow(dead_code, reason = "what the other benchmark compares")]
mod compare;
mod lenet;
mod perceptron;
mod vectors;

fn main() {
    let mut suite = compare::Suite::new();
    perceptron::bench_tanh::<1>(&mut suite);
    perceptron::bench_tanh::<32>(&mut suite);
    perceptron::bench_relu::<1>(&mut suite);
    perceptron::bench_relu::<32>(&mut suite);
    perceptron::bench_relu::<256>(&mut suite);
    perceptron::bench_gelu::<1>(&mut suite);
    perceptron::bench_gelu::<32>(&mut suite);
    perceptron::bench_gelu::<256>(&mut suite);
    perceptron::bench_wide::<1>(&mut suite);
    perceptron::bench_wide::<64>(&mut suite);
    lenet::bench::<1>(&mut suite);
    lenet::bench::<32>(&mut suite);
    chain::bench(&mut suite);
    suite.finish();
}
