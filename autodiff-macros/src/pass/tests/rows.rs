//! Rows of Jacobians.

use super::{body, same};
use crate::pass::adjoint::{CallStrategy, Output, Seed, transform};
use crate::pass::rows;

fn rows_of(text: &str) -> Option<crate::ir::Body> {
    let primal = body(text);
    let is_float = |var: &crate::ir::Var| primal.ty(*var).is_float();
    let inputs: Vec<crate::ir::Var> = primal.block.params.iter().copied().filter(is_float).collect();
    let joint = transform(&primal, &inputs, Seed::Parameter, Output::FreshIfSized, CallStrategy::Residuals).ok()?;
    Some(crate::pass::simplify::run(rows::run(&joint, &primal, &rows::LIMITS)?.0))
}

/// What a row has nothing to do with is not in it, and both read what the forward sweep has computed.
#[test]
fn a_row_has_its_own_result_only() {
    let rows = rows_of(
        "
        fn f(%x: f64, %z: f64) {
            %e: f64 = exp %x
            %u: f64 = mul %e %z
            %v: f64 = sin %z
            %y: f64[2] = pack %u %v
            return %y
        }",
    );
    same(
        &rows.unwrap(),
        "
        fn f_rows(%x: f64, %z: f64) {
            %e: f64 = exp %x
            %u: f64 = mul %e %z
            %v: f64 = sin %z
            %y: f64[2] = pack %u %v
            %zero: f64 = zero
            %q: f64 = cos %z
            return %y %u %e %zero %q
        }",
    );
}

#[test]
fn many_numbers_or_one_have_no_such_body() {
    let result = |dims: &str| {
        rows_of(&format!(
            "
            fn f(%x: f64[{dims}]) {{
                %y: f64[{dims}] = exp %x
                return %y
            }}"
        ))
    };
    assert!(result("4").is_some() && result("2, 2").is_some());
    assert!(result("5").is_none() && result("1").is_none() && result("N").is_none());
}

/// The parts of rows that belong to a slice are added to parameters, one for each row. Where a row has nothing, nothing is added.
#[test]
fn rows_by_a_slice() {
    let rows = rows_of(
        "
        fn f(%x: f64[%9], %z: f64) {
            %9: usize = len %x
            %i: usize = dim[0]
            %j: usize = dim[1]
            %a: f64 = get %x %i
            %b: f64 = get %x %j
            %u: f64 = mul %a %z
            %v: f64 = sin %b
            %y: f64[2] = pack %u %v
            return %y
        }",
    );
    same(
        &rows.unwrap(),
        "
        fn f_rows(%x: f64[%9], %z: f64, mut %p: f64[%9], mut %q: f64[%9]) {
            %9: usize = len %x
            %i: usize = dim[0]
            %j: usize = dim[1]
            %a: f64 = get %x %i
            %b: f64 = get %x %j
            %u: f64 = mul %a %z
            %v: f64 = sin %b
            %y: f64[2] = pack %u %v
            %zero: f64 = zero
            %c: f64 = cos %b
            %r: f64[%9] = acc %p %z %i
            %s: f64[%9] = acc %q %c %j
            return %y %r %a %s %zero
        }",
    );
}
