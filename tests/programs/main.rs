//! Programs as users write them, each through everything that is generated for it: see `harness`. What is lent, changed,
//! moved or kept as data without a derivative is in `tests/ownership`.
#![forbid(unsafe_code)]
// Generated code has no lint that a program could see.
#![warn(unused, clippy::pedantic)]
#![allow(unused_macro_rules, unused_extern_crates)]
#![allow(
    clippy::assertions_on_constants,
    clippy::assign_op_pattern,
    clippy::bool_to_int_with_if,
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::cloned_instead_of_copied,
    clippy::explicit_iter_loop,
    clippy::float_cmp,
    clippy::ignored_unit_patterns,
    clippy::items_after_statements,
    clippy::manual_assert,
    clippy::manual_is_multiple_of,
    clippy::manual_let_else,
    clippy::manual_midpoint,
    clippy::many_single_char_names,
    clippy::map_unwrap_or,
    clippy::match_bool,
    clippy::match_wildcard_for_single_variants,
    clippy::multiple_bound_locations,
    clippy::needless_for_each,
    clippy::needless_pass_by_value,
    clippy::no_effect_underscore_binding,
    clippy::non_minimal_cfg,
    clippy::ptr_arg,
    clippy::range_plus_one,
    clippy::redundant_closure_for_method_calls,
    clippy::redundant_locals,
    clippy::ref_option,
    clippy::similar_names,
    clippy::struct_field_names,
    clippy::trivially_copy_pass_by_ref,
    clippy::unnecessary_lazy_evaluations,
    clippy::unreadable_literal,
    clippy::unused_self,
    clippy::useless_vec,
    reason = "how programs are written"
)]

mod by_reference;
#[path = "../common/mod.rs"]
mod common;
mod harness;
mod trace;

mod aliases;
mod arrays_in_elements;
mod arrays_in_lists;
mod arrays_of_slices;
mod arrays_of_structs;
mod attention;
mod basics;
mod batches;
mod both_ends;
mod branches;
mod callbacks;
mod calls;
mod cfg;
mod chained_parts;
mod choices_of_data;
mod closures;
mod combinations;
mod computed_sizes;
mod concatenated;
mod constant_options;
mod constant_tables;
mod constants;
mod conversions;
mod conversions_by_use;
mod diagonals;
mod discrete;
mod element_sums;
mod elements;
mod elements_as_arguments;
mod elements_by_index;
mod empty;
mod ends;
mod enum_fields;
mod equality;
mod extremes;
mod flattened_options;
mod fragments;
mod functions_in_tables;
mod functions_of_arrays;
mod generated_elements;
mod globs;
mod higher_order;
mod higher_orders;
mod hygiene;
mod implicit_functions;
mod inactive_functions;
mod inferred_integers;
mod integers;
mod integers_in_results;
mod integers_in_use;
mod iterators;
mod iterators_as_parameters;
mod iterators_in_parts;
mod jumps;
mod language;
mod largest_of_parts;
mod linear_equations;
mod local_sizes;
mod loops;
mod made_by_index;
mod made_by_result;
mod mapped_arrays;
mod markers;
mod matrices;
mod matrix_functions;
mod memberships;
mod methods;
mod methods_of_functions;
mod mixed;
mod mixtures;
mod nested;
mod nested_calls;
mod newtypes;
mod numerical;
mod operators;
mod operators_of_constants;
mod options_side_by_side;
mod own_names;
mod parameter_patterns;
mod parts_of_slices;
mod passed_on;
mod patterns;
mod patterns_of_named_sizes;
mod plain_enums;
mod ranges;
mod residuals_of_branches;
mod rounded_indices;
mod rows;
mod rows_in_one_piece;
mod rules;
mod running_sums;
mod searches;
mod sequences;
mod several_keys;
mod sizes_by_name;
mod slice_patterns;
mod slices;
mod small_arrays;
mod small_functions;
mod std_constants;
mod std_methods;
mod struct_definitions;
mod sums_of_structs;
mod surroundings;
mod trait_paths;
mod two_precisions;
mod types_by_use;
mod windows;
mod written_lists;
mod written_rows;
