//! Programs about what is lent, changed, moved and kept: borrows and `&mut`, lists that grow, data without a derivative,
//! effects and their order. Each goes through everything that is generated for it: see `harness`.
#![forbid(unsafe_code)]
#![cfg(not(clippy))] // Not linted: those of `programs` show that generated code has no lint that a program could see.
#![warn(unused)]
#![allow(unused_macro_rules, unused_extern_crates)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../programs/harness.rs"]
mod harness;
#[path = "../programs/trace.rs"]
mod trace;

mod advancing_modes;
mod arrays_of_data;
mod borrowed_arrays;
mod borrowed_elements;
mod borrowed_fields;
mod borrowed_iterations;
mod borrowed_structs;
mod borrowing_elements;
mod borrowing_generics;
mod borrowing_methods;
mod borrows;
mod boxed_fields;
mod boxes;
mod chained_borrows;
mod changed_in_macros;
mod changing_calls;
mod changing_enums;
mod chosen_borrows;
mod chosen_data;
mod closures_over_data;
mod configurations;
mod constant_objects;
mod data;
mod data_chains;
mod data_in_elements;
mod data_that_changes;
mod declared_data;
mod dropped;
mod edits;
mod effects_together;
mod elements_handed_on;
mod elsewhere;
mod elsewhere_more;
mod evaluation_of_conditions;
mod evaluation_order;
mod growing_fields;
mod growing_structs;
mod inactive_calls;
mod inactive_generics;
mod inout;
mod integer_lists;
mod lent_generators;
mod lent_twice;
mod lists_in_state;
mod lists_of_data;
mod longer_lists;
mod made_once;
mod mapped_data;
mod maps;
mod methods_elsewhere;
mod methods_of_data;
mod modes_as_results;
mod mutable_enums;
mod numbers_of_data;
mod objects;
mod objects_in_operators;
mod objects_that_change;
mod one_vec_twice;
mod optional_modes;
mod options_in_place;
mod overwriting;
mod panics;
mod queues;
mod reassigned;
mod references_to_data;
mod replaced_vecs;
mod returned_copies;
mod returned_references;
mod slice_patterns_lent;
mod struct_vec_results;
mod structs_in_data;
mod taken;
mod text_loops;
mod texts_in_arrays;
mod vec_fields;
