//! What passes ask of a body: each question has one answer here.

pub mod accesses;
pub mod uses;
