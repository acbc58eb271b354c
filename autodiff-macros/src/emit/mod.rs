//! From IR to Rust. [`body`] writes the statements of one function, [`item`] puts the functions together.

mod assemble;
pub mod body;
pub mod call;
pub mod item;
pub mod names;
mod types;

pub use types::{dim_argument, dim_tokens, elem_tokens};
