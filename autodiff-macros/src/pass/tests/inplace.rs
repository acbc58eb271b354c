//! Copies where an array is updated that is read again, or that belongs to somebody else.

use super::gives;
use crate::pass::inplace::run;

/// A parameter belongs to the caller, unless it is `mut`; `%c` is read after its update.
#[test]
fn copies() {
    gives(
        run,
        "
        fn f(%p: f64[3], mut %acc: f64[3], %x: f64, %i: usize) {
            %a: f64[3] = set %p %x %i
            %b: f64[3] = acc %acc %x %i
            %c: f64[3] = set %a %x %i
            %d: f64[3] = set %c %x %i
            return %b %c %d
        }",
        "
        fn f(%0: f64[3], mut %1: f64[3], %2: f64, %3: usize) {
            %4: f64[3] = copy %0
            %5: f64[3] = set %4 %2 %3
            %6: f64[3] = acc %1 %2 %3
            %7: f64[3] = set %5 %2 %3
            %8: f64[3] = copy %7
            %9: f64[3] = set %8 %2 %3
            return %6 %7 %9
        }",
    );
}

/// A loop updates what it carries; here the parameter is copied once.
#[test]
fn loops() {
    gives(
        run,
        "
        fn f(%p: f64[3], %x: f64) {
            %a: f64[3] = for 0..3 %p |%i: usize, %t: f64[3]| {
                %u: f64[3] = acc %t %x %i
                yield %u
            }
            %b: f64[3] = for 0..3 %a |%j: usize, %s: f64[3]| {
                %v: f64[3] = acc %s %x %j
                yield %v
            }
            return %b
        }",
        "
        fn f(%0: f64[3], %1: f64) {
            %2: f64[3] = copy %0
            %6: f64[3] = for 0..3 %2 |%3: usize, %4: f64[3]| {
                %5: f64[3] = acc %4 %1 %3
                yield %5
            }
            %10: f64[3] = for 0..3 %6 |%7: usize, %8: f64[3]| {
                %9: f64[3] = acc %8 %1 %7
                yield %9
            }
            return %10
        }",
    );
}
