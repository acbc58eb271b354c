//! Rows of Jacobians.

use super::{body, same};
use crate::pass::adjoint::{CallStrategy, Output, Seed, transform};
use crate::pass::rows;

fn rows_of(text: &str) -> Option<crate::ir::Body> {
    let primal = body(text);
    let joint =
        transform(&primal, &primal.block.params, Seed::Parameter, Output::Fresh, CallStrategy::Residuals).ok()?;
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
