//! Passes on small bodies, as text. Variables of the results are numbered in the order of their definition.

mod calls;
mod checkpoint;
mod compose_indices;
mod contract;
mod element_sums;
mod fuse;
mod gvn;
mod inplace;
mod iterations;
mod linearize;
mod merge_branches;
mod order;
mod reuse;
mod rows;
mod scalar_replacement;
mod scalarize;
mod simplify;
mod sink;
mod stack;
mod transform;
mod verify;
mod widen;

use crate::ir::text::{canonical, parse};
use crate::ir::{Body, verify::verify as check};

#[track_caller]
fn body(text: &str) -> Body {
    let body = parse(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    check(&body).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    body
}

/// Whether a body is the other one, up to the numbers and names of variables.
#[track_caller]
fn same(given: &Body, expected: &str) {
    check(given).unwrap_or_else(|problem| panic!("{problem}\n{}", canonical(given)));
    let (given, expected) = (canonical(given), canonical(&body(expected)));
    assert!(given == expected, "given:\n{given}\nexpected:\n{expected}");
}

/// `before` goes through the pass and comes out as `after`.
#[track_caller]
fn gives(run: fn(Body) -> Body, before: &str, after: &str) {
    same(&run(body(before)), after);
}
