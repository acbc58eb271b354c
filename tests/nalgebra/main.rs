//! Functions over nalgebra's types: every method that the compiler knows (`methods`, `geometry`), what programs do with matrices
//! (`programs`, `changes`), names of one's own (`own_names`), and programs as users of nalgebra write them (`users`).
#![forbid(unsafe_code)]
#![allow(clippy::pedantic)]
// Rotations change in both forms.
#![allow(clippy::assign_op_pattern)]
#![allow(unused_macros)]

mod changes;
mod geometry;
#[path = "../programs/harness.rs"]
#[allow(dead_code)]
mod harness;
mod matrices;
mod methods;
mod own_names;
mod programs;
#[macro_use]
mod rotations;
mod poses_in_blocks;
mod type_sizes;
mod users;
