//! The programs of `tests/ownership` in a crate without a prelude. A module imports what its own text names, and no more
//! (`build.rs`): what generated code names has to be a path.
#![no_implicit_prelude]
#![allow(warnings, reason = "the imports of a module are also those of the modules inside it")]

include!(concat!(env!("OUT_DIR"), "/ownership.rs"));
