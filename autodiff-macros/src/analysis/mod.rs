//! What passes ask of a body: each question has one answer here.

pub mod accesses;
pub mod bounds;
pub mod dependence;
pub mod elements;
pub mod integers;
pub mod separable;
pub mod skipped;
pub mod updates;
pub mod uses;
pub mod versions;
pub mod windows;
pub mod writes;
