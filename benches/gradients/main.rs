//! Generated gradients against hand-written ones, and against those of other crates.
//!
//! `cargo bench --bench gradients`; `benches/README.md` tells how to read the result.
#![allow(missing_docs)]
// The code for `num-dual` is as its users write it.
#![allow(clippy::op_ref, clippy::clone_on_copy)]

mod arm;
mod attention;
mod chain;
mod compare;
mod digits;
mod hand;
mod jacobians;
mod kalman;
mod lenet;
mod numbers;
mod rosenbrock;
mod sparse;
mod waves;

fn main() {
    let mut suite = compare::Suite::new();
    digits::bench(&mut suite);
    lenet::bench(&mut suite);
    attention::bench(&mut suite);
    rosenbrock::bench::<4>(&mut suite);
    rosenbrock::bench::<16>(&mut suite);
    rosenbrock::bench::<64>(&mut suite);
    waves::bench::<4>(&mut suite);
    waves::bench::<16>(&mut suite);
    waves::bench::<64>(&mut suite);
    chain::bench::<4, 3>(&mut suite);
    chain::bench::<16, 16>(&mut suite);
    chain::bench::<64, 64>(&mut suite);
    jacobians::bench(&mut suite);
    kalman::bench::<numbers::NoFurther>(&mut suite);
    arm::bench::<numbers::NoFurther>(&mut suite);
    sparse::bench(&mut suite);
    hand::bench(&mut suite);
    suite.finish();
}
