//! What is computed twice, and what only looks like it.

use super::{body, gives, same};
use crate::ir::Op;
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

/// The forward sweep of a call gives its value, and both sweeps with the cotangent 1 are its gradient.
#[test]
fn both_sweeps_of_a_call() {
    gives(
        run,
        "
        fn f(%x: f64[4], mut %a: f64[4]) {
            %one: f64 = const 1.0
            %y: f64, %s: residuals<g> = call[g forward](diff) -> f64 %x
            %r: f64 = sin %y
            %b: f64[4] = call[g reverse](diff) -> f64 %x %s %one %a
            return %r %b
        }",
        "
        fn f(%0: f64[4], mut %1: f64[4]) {
            %2: f64, %4: f64[4] = call[g gradient](diff) -> f64 %0 %1
            %3: f64 = sin %2
            return %3 %4
        }",
    );
}

/// Two calls that add to the same cotangent: what the second adds comes first.
#[test]
fn gradients_that_add_to_one_array() {
    gives(
        run,
        "
        fn f(%x: f64[4], mut %a: f64[4]) {
            %one: f64 = const 1.0
            %y: f64, %s: residuals<g> = call[g forward](diff) -> f64 %x
            %z: f64, %t: residuals<h> = call[h forward](diff) -> f64 %x
            %r: f64 = add %y %z
            %b: f64[4] = call[h reverse](diff) -> f64 %x %t %one %a
            %c: f64[4] = call[g reverse](diff) -> f64 %x %s %one %b
            return %r %c
        }",
        "
        fn f(%0: f64[4], mut %1: f64[4]) {
            %2: f64, %3: f64[4] = call[g gradient](diff) -> f64 %0 %1
            %4: f64, %5: f64[4] = call[h gradient](diff) -> f64 %0 %3
            %6: f64 = add %2 %4
            return %6 %5
        }",
    );
}

/// The cotangent is not 1, or it depends on the value.
#[test]
fn sweeps_that_are_no_gradient() {
    let text = "
        fn f(%x: f64[4], mut %a: f64[4]) {
            %y: f64, %s: residuals<g> = call[g forward](diff) -> f64 %x
            %r: f64 = sin %y
            %b: f64[4] = call[g reverse](diff) -> f64 %x %s %r %a
            return %r %b
        }";
    gives(run, text, text);
}

/// An accumulator that is read in between has to be what it is there.
#[test]
fn accumulators_that_are_read_in_between() {
    let text = "
        fn f(%x: f64[4], mut %a: f64[4], %i: usize) {
            %one: f64 = const 1.0
            %y: f64, %s: residuals<g> = call[g forward](diff) -> f64 %x
            %r: f64 = get %a %i
            %b: f64[4] = call[g reverse](diff) -> f64 %x %s %one %a
            return %y %r %b
        }";
    gives(run, text, text);
}

/// A reverse sweep runs the forward sweep of a call whose value is there already: see [`CallKind::Forward`].
#[test]
fn a_value_and_its_forward_sweep() {
    let mut f = body(
        "
        fn f(%x: f64[4], %w: f64, mut %a: f64[4]) {
            %y: f64 = call[g](diff) -> f64 %x
            %p: f64 = sin %y
            %z: f64, %s: residuals<g> = call[g forward](diff) -> f64 %x
            %q: f64 = sin %z
            %v: f64 = mul %q %w
            %b: f64[4] = call[g reverse](diff) -> f64 %x %s %v %a
            return %p %b
        }",
    );
    let first = f.block.eqns[0].outs[0];
    if let Op::Call(call) = &mut f.block.eqns[2].op {
        call.repeats = Some(first);
    }
    same(
        &run(f),
        "
        fn f(%0: f64[4], %1: f64, mut %2: f64[4]) {
            %3: f64, %4: residuals<g> = call[g forward](diff) -> f64 %0
            %5: f64 = sin %3
            %6: f64 = mul %5 %1
            %7: f64[4] = call[g reverse](diff) -> f64 %0 %4 %6 %2
            return %5 %7
        }",
    );
}
