//! A line for every row of the compiler's tables of nalgebra: see [`oracle`]. Tables are short, since rustc takes long for long
//! functions.
#![forbid(unsafe_code)]
#![cfg(not(clippy))] // Not linted: a line is written for three types of numbers, and for a row, not for its style.
#![allow(unused_macros, unused_imports, unused_variables)]

#[path = "../../programs/harness.rs"]
#[allow(dead_code)]
mod harness;
mod matrices;
mod matrices_in_place;
mod of_run_time;
mod oracle;
mod points;
mod rotations;
mod similarities;
