//! From IR to Rust.
//!
//! [`body`] writes the statements of one function, [`expression`] the numbers in them, [`call`] calls of other
//! differentiable functions. [`item`] puts the functions together: signatures, sweeps, assertions, stubs.

mod assemble;
mod assert;
pub mod body;
pub mod call;
mod control;
mod expression;
mod home;
mod inout;
pub mod item;
mod local;
pub mod names;
mod second;
pub mod signature;
pub mod stub;
pub mod suffix;
mod sweeps;
mod types;

pub use types::{dim_argument, dim_tokens, elem_tokens};
