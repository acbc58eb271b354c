//! Branches on one condition.

use super::{gives, same};
use crate::pass::merge_branches::run;

/// What stands between them and has nothing to do with the first one comes before both.
#[test]
fn both_are_one() {
    gives(
        run,
        "
        fn f(%c: bool, %x: f64, %z: f64) {
            %a: f64 = if %c || {
                %u: f64 = sqrt %x
                yield %u
            } || {
                yield %z
            }
            %q: f64 = exp %a
            %p: f64 = mul %x %x
            %b: f64 = if %c || {
                %v: f64 = mul %a %p
                yield %v
            } || {
                %w: f64 = neg %a
                yield %w
            }
            %r: f64 = add %q %b
            return %r
        }",
        "
        fn f(%c: bool, %x: f64, %z: f64) {
            %p: f64 = mul %x %x
            %a: f64, %b: f64 = if %c || {
                %u: f64 = sqrt %x
                %v: f64 = mul %u %p
                yield %u %v
            } || {
                %w: f64 = neg %z
                yield %z %w
            }
            %q: f64 = exp %a
            %r: f64 = add %q %b
            return %r
        }",
    );
}

/// The second one needs what has been computed of the first, or has an array, or stands behind a loop that has to run in between.
#[test]
fn both_stay() {
    let between = "
        fn f(%c: bool, %x: f64) {
            %a: f64 = if %c || {
                %u: f64 = sqrt %x
                yield %u
            } || {
                yield %x
            }
            %q: f64 = exp %a
            %b: f64 = if %c || {
                yield %q
            } || {
                yield %x
            }
            return %b
        }";
    let arrays = "
        fn f(%c: bool, %x: f64[3], %y: f64[3]) {
            %a: f64[3] = if %c || {
                yield %x
            } || {
                yield %y
            }
            %b: f64[3] = if %c || {
                yield %y
            } || {
                yield %x
            }
            return %a %b
        }";
    let others = "
        fn f(%c: bool, %d: bool, %x: f64, %y: f64) {
            %a: f64 = if %c || {
                yield %x
            } || {
                yield %y
            }
            %b: f64 = if %d || {
                yield %y
            } || {
                yield %x
            }
            return %a %b
        }";
    for text in [between, arrays, others] {
        same(&run(super::body(text)), text);
    }
}
