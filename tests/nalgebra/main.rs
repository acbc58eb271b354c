//! Functions over nalgebra's types: what programs do with matrices (`programs`, `changes`), names of one's own (`own_names`), and
//! programs as users of nalgebra write them (`users`). The test `rows` has every method.
#![forbid(unsafe_code)]
#![allow(clippy::pedantic)]
// Rotations change in both forms.
#![allow(clippy::assign_op_pattern)]
#![allow(unused_macros)]

mod changes;
mod documented;
mod factors;
mod geometry;
#[path = "../programs/harness.rs"]
#[allow(dead_code)]
mod harness;
mod left;
mod matrices;
mod methods;
mod own_names;
mod programs;
#[macro_use]
mod rotations;
mod poses_in_blocks;
mod robotics;
mod run_time;
mod run_time_methods;
mod small_products;
mod sparse;
mod type_sizes;
mod units_and_similarities;
mod users;
