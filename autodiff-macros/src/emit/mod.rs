//! From IR to Rust.
//!
//! [`body`] writes the statements of one function, [`expression`] the numbers in them, [`call`] calls of other
//! differentiable functions. [`item`] puts the functions together: signatures, sweeps, assertions, stubs.

mod apart;
mod argument;
mod arrays;
mod assemble;
mod assert;
pub mod bodies;
pub mod body;
mod borrowing;
mod call;
pub mod callable;
mod constant;
mod control;
mod derivative;
mod expression;
mod gauss_newton;
mod hessian;
mod inout;
pub mod item;
mod iterations;
mod jacobian;
pub mod leaves;
mod local;
mod many;
mod matrix;
pub mod names;
mod naming;
mod pending;
mod residuals;
mod rows;
pub mod rule;
pub mod signature;
mod size;
mod sparse;
pub mod stub;
pub mod suffix;
mod sweeps;
mod taylor;
mod text;
mod types;
mod variant;
mod vectorized;
mod wide;
mod windows;
