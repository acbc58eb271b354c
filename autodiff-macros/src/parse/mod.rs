//! From tokens to what the compiler works on: the attribute, the signature, and the types in it.
//! Function bodies stay `syn` trees until they are lowered.

pub mod attr;
pub mod callable;
pub mod cycle;
pub mod depth;
pub mod families;
pub mod fragments;
pub mod function;
pub mod geometry;
pub mod marker;
pub mod matrix;
mod param;
mod patterns;
mod resolve;
pub mod rule;
pub mod tokens;
pub mod ty;
