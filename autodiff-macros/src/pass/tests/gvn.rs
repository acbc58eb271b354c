//! What is computed twice, and what only looks like it.

use super::gives;
use crate::pass::gvn::run;

/// Two values that start the same and change in the same way.
#[test]
fn carried_values_that_are_the_same() {
    gives(
        run,
        "
        fn f(%a: f64, %x: f64) {
            %p: f64, %q: f64 = for 0..N %a %a |%i: usize, %s: f64, %t: f64| {
                %u: f64 = mul %s %x
                %v: f64 = mul %t %x
                yield %u %v
            }
            %r: f64 = add %p %q
            return %r
        }",
        "
        fn f(%0: f64, %1: f64) {
            %5: f64 = for 0..N %0 |%2: usize, %3: f64| {
                %4: f64 = mul %3 %1
                yield %4
            }
            %6: f64 = add %5 %5
            return %6
        }",
    );
}

/// They start the same, but one of them is multiplied by another factor.
#[test]
fn carried_values_that_part() {
    let text = "
        fn f(%a: f64, %x: f64, %y: f64) {
            %p: f64, %q: f64 = for 0..N %a %a |%i: usize, %s: f64, %t: f64| {
                %u: f64 = mul %s %x
                %v: f64 = mul %t %y
                yield %u %v
            }
            %r: f64 = sub %p %q
            return %r
        }";
    gives(run, text, text);
}

/// The second value follows the first one only as long as that follows itself.
#[test]
fn carried_values_that_part_later() {
    let text = "
        fn f(%a: f64, %x: f64) {
            %p: f64, %q: f64, %r: f64 = for 0..N %a %a %a |%i: usize, %s: f64, %t: f64, %u: f64| {
                %v: f64 = mul %t %x
                %w: f64 = mul %u %x
                %z: f64 = sin %u
                yield %v %w %z
            }
            %b: f64 = sub %p %q
            %c: f64 = sub %b %r
            return %c
        }";
    gives(run, text, text);
}

/// A loop nest that fills an array, a second time.
#[test]
fn loops_that_are_the_same() {
    gives(
        run,
        "
        fn f(%x: f64[4]) {
            %a: f64[4] = zero
            %b: f64[4] = for 0..4 %a |%i: usize, %s: f64[4]| {
                %d: f64[4] = for 0..4 %s |%j: usize, %t: f64[4]| {
                    %e: f64 = get %x %j
                    %g: f64[4] = acc %t %e %i
                    yield %g
                }
                yield %d
            }
            %h: f64[4] = zero
            %k: f64[4] = for 0..4 %h |%l: usize, %m: f64[4]| {
                %n: f64[4] = for 0..4 %m |%o: usize, %p: f64[4]| {
                    %q: f64 = get %x %o
                    %r: f64[4] = acc %p %q %l
                    yield %r
                }
                yield %n
            }
            %u: f64[4] = add %b %k
            return %u
        }",
        "
        fn f(%0: f64[4]) {
            %1: f64[4] = zero
            %8: f64[4] = for 0..4 %1 |%2: usize, %3: f64[4]| {
                %7: f64[4] = for 0..4 %3 |%4: usize, %5: f64[4]| {
                    %6: f64 = get %0 %4
                    %9: f64[4] = acc %5 %6 %2
                    yield %9
                }
                yield %7
            }
            %10: f64[4] = add %8 %8
            return %10
        }",
    );
}

/// The indices of a loop and of a loop inside it are not the same, though the ranges are.
#[test]
fn indices_of_nested_loops() {
    let text = "
        fn f(%x: f64[4], %a: f64) {
            %b: f64 = for 0..4 %a |%i: usize, %s: f64| {
                %c: f64 = get %x %i
                %d: f64 = for 0..4 %s |%j: usize, %t: f64| {
                    %e: f64 = get %x %j
                    %g: f64 = mul %e %c
                    %h: f64 = add %t %g
                    yield %h
                }
                yield %d
            }
            return %b
        }";
    gives(run, text, text);
}
