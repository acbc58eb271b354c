//! The compiler returns for every source text, without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| compiler::fuzz(text));
