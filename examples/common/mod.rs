//! What the examples that learn have in common: the digits, the training loop, and files of weights and plots.
//! Nothing here knows of a model; what is particular to one is in the example.

#![allow(dead_code, reason = "each example uses a part of it")]

pub mod digits;
pub mod plot;
pub mod training;
pub mod weights;
