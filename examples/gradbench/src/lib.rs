//! A tool for [GradBench](https://github.com/gradbench/gradbench): its twelve evals in plain Rust, with every
//! derivative made by `#[differentiable]`.
//!
//! [`protocol`] speaks to an eval, [`evals`] has a module for each of them: the functions as a scientist writes
//! them, and how their derivatives are called.

pub mod descent;
pub mod evals;
pub mod protocol;
