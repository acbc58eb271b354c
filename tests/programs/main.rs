//! Programs as users write them, each through everything that is generated for it: see `harness`.
#![forbid(unsafe_code)]
#![allow(
    clippy::unnecessary_lazy_evaluations,
    clippy::assign_op_pattern,
    clippy::ptr_arg,
    clippy::redundant_locals,
    clippy::manual_is_multiple_of,
    clippy::useless_vec,
    reason = "how programs are written"
)]

#[path = "../common/mod.rs"]
mod common;
mod globs;
mod growing_fields;
mod growing_structs;
mod harness;
mod trace;

mod advancing_modes;
mod aliases;
mod arrays_of_data;
mod basics;
mod batches;
mod borrowed_arrays;
mod borrowed_elements;
mod borrowed_fields;
mod borrowed_iterations;
mod borrowed_structs;
mod borrowing_elements;
mod borrowing_generics;
mod borrowing_methods;
mod borrows;
mod boxes;
mod branches;
mod calls;
mod cfg;
mod changed_in_macros;
mod changing_calls;
mod changing_enums;
mod chosen_borrows;
mod closures;
mod closures_over_data;
mod combinations;
mod configurations;
mod constant_objects;
mod constant_tables;
mod constants;
mod conversions;
mod conversions_by_use;
mod data;
mod data_chains;
mod data_in_elements;
mod data_that_changes;
mod declared_data;
mod discrete;
mod dropped;
mod edits;
mod effects_together;
mod elements;
mod elements_by_index;
mod elsewhere;
mod elsewhere_more;
mod empty;
mod ends;
mod enum_fields;
mod equality;
mod evaluation_order;
mod fragments;
mod generated_elements;
mod higher_order;
mod hygiene;
mod inactive_calls;
mod inactive_generics;
mod inferred_integers;
mod inout;
mod integer_lists;
mod integers;
mod integers_in_results;
mod integers_in_use;
mod iterators;
mod iterators_in_parts;
mod jumps;
mod language;
mod lent_generators;
mod lists_in_state;
mod lists_of_data;
mod longer_lists;
mod loops;
mod made_by_index;
mod made_once;
mod maps;
mod matrices;
mod methods;
mod methods_elsewhere;
mod methods_of_data;
mod methods_of_functions;
mod mixed;
mod mixtures;
mod modes_as_results;
mod mutable_enums;
mod nested;
mod nested_calls;
mod numerical;
mod objects;
mod objects_in_operators;
mod objects_that_change;
mod one_vec_twice;
mod operators;
mod operators_of_constants;
mod optional_modes;
mod options_in_place;
mod options_side_by_side;
mod overwriting;
mod own_names;
mod panics;
mod parameter_patterns;
mod parts_of_slices;
mod patterns;
mod plain_enums;
mod ranges;
mod reassigned;
mod references_to_data;
mod replaced_vecs;
mod returned_copies;
mod returned_references;
mod rows;
mod searches;
mod sequences;
mod several_keys;
mod slice_patterns;
mod slices;
mod std_constants;
mod std_methods;
mod struct_definitions;
mod struct_vec_results;
mod structs_in_data;
mod sums_of_structs;
mod surroundings;
mod taken;
mod text_loops;
mod texts_in_arrays;
mod trait_paths;
mod types_by_use;
mod vec_fields;
mod written_lists;
mod written_rows;
