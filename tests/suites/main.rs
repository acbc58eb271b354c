//! Functions of the kinds that the test suites and the documentation of other tools differentiate. The head of each file names the tool.
#![forbid(unsafe_code)]
#![allow(clippy::all, reason = "a construct that a tool tests is written as it is tested there")]

#[path = "../common/differences.rs"]
mod differences;

#[macro_use]
mod gradient;

mod clad;
mod enzyme;
mod forward_diff;
mod jax;
mod num_dual;
mod std_autodiff;
mod tapenade;
