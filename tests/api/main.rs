//! What users name: derived traits, functions as parameters, items of other modules and crates, sizes in types.

#[path = "../common/mod.rs"]
mod common;

mod callable;
mod check_grads;
mod complex;
mod constants;
mod derive;
mod gauss_newton;
mod hessian_diagonals;
mod hessian_of_calls;
mod jacobian;
mod jacobian_of_changes;
mod jacobian_of_data;
mod jacobian_of_lists;
mod no_prelude;
mod parallel;
mod relay;
mod rows;
mod sizes;
mod sparse;
mod sparse_hessians;
mod sparse_iterations;
mod taylor;
