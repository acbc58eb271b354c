//! Clad: a plugin of Clang that differentiates C++ (github.com/vgvassilev/clad, `test/`: `Gradient`, `FirstDerivative`, `ForwardMode`, `Arrays`,
//! `Hessian`, `Jacobian`, and `demos/`).

#![allow(unused_assignments, reason = "an assignment that is never read is a case")]

mod arrays;
mod assignments;
mod blocks;
mod calls;
mod choices;
mod hessians;
mod lambdas;
mod loops;
mod pointers;
mod returns;
mod types;
