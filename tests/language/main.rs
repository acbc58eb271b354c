//! Constructs of Rust, a file for each: their derivatives against differences and closed forms.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/differences.rs"]
mod differences;

mod borrowed_data;
mod buffers;
mod changing_chains;
mod choices;
mod effects;
mod ends_of_lists;
mod enum_constants;
mod enum_programs;
mod enums;
mod fallible_iterators;
mod lanes;
mod lent_integers;
mod mutual;
mod options;
mod parts;
mod provided_methods;
mod results;
