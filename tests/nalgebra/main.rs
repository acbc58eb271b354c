//! Functions over nalgebra's types: every method that the compiler knows (`methods`, `geometry`), what programs do with matrices
//! (`programs`), and programs as users of nalgebra write them (`users`).
#![forbid(unsafe_code)]
#![allow(clippy::pedantic)]
#![allow(unused_macros)]

mod geometry;
#[path = "../programs/harness.rs"]
#[allow(dead_code)]
mod harness;
mod methods;
mod programs;
mod users;
