//! Constructs of Rust, a file for each: their derivatives against differences and closed forms.

#[path = "../common/mod.rs"]
mod common;

mod choices;
mod effects;
mod enum_constants;
mod enum_programs;
mod enums;
mod mutual;
mod options;
mod results;
