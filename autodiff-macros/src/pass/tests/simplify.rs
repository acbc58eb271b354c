//! Common subexpressions, dead code, stores forwarded to loads, choices.

use super::gives;
use crate::pass::simplify::run;

/// What is computed twice is computed once, what is not used not at all.
#[test]
fn twice_the_same() {
    gives(
        run,
        "
        fn f(%x: f64, %y: f64) {
            %a: f64 = mul %x %y
            %b: f64 = mul %x %y
            %unused: f64 = sin %x
            %c: f64 = add %a %b
            return %c
        }",
        "
        fn f(%0: f64, %1: f64) {
            %2: f64 = mul %0 %1
            %3: f64 = add %2 %2
            return %3
        }",
    );
}

/// Multiplied with 1, and divided by 1.
#[test]
fn times_one() {
    gives(
        run,
        "
        fn f(%x: f64[3]) {
            %one: f64 = const 1.0
            %a: f64[3] = mul %x %one
            %b: f64[3] = div %a %one
            return %b
        }",
        "
        fn f(%0: f64[3]) {
            return %0
        }",
    );
}

/// A load of what was just stored there is that value; any other load stays.
#[test]
fn store_to_load() {
    gives(
        run,
        "
        fn f(%t: f64[3], %x: f64, %i: usize, %j: usize) {
            %u: f64[3] = set %t %x %i
            %a: f64 = get %u %i
            %b: f64 = get %u %j
            %c: f64 = get %t %i
            return %u %a %b %c
        }",
        "
        fn f(%0: f64[3], %1: f64, %2: usize, %3: usize) {
            %4: f64[3] = set %0 %1 %2
            %5: f64 = get %4 %3
            %6: f64 = get %0 %2
            return %4 %1 %5 %6
        }",
    );
}

/// So is one of what was stored before other places; what is read of zeros is zero.
#[test]
fn store_before_other_stores() {
    gives(
        run,
        "
        fn f(%x: f64, %y: f64, %i: usize) {
            %t: f64[3] = zero
            %k0: usize = dim[0]
            %k1: usize = dim[1]
            %k2: usize = dim[2]
            %u: f64[3] = set %t %x %k0
            %v: f64[3] = set %u %y %k1
            %a: f64 = get %v %k0
            %b: f64 = get %v %k2
            %w: f64[3] = set %v %y %i
            %c: f64 = get %w %k0
            %p: f64[2] = pack %x %y
            %d: f64 = get %p %k1
            return %w %a %b %c %d
        }",
        "
        fn f(%x: f64, %y: f64, %i: usize) {
            %t: f64[3] = zero
            %k0: usize = dim[0]
            %k1: usize = dim[1]
            %u: f64[3] = set %t %x %k0
            %v: f64[3] = set %u %y %k1
            %b: f64 = zero
            %w: f64[3] = set %v %y %i
            %c: f64 = get %w %k0
            return %w %x %b %c %y
        }",
    );
}

/// A carried value that never changes is its initial value; one that nothing uses goes.
#[test]
fn carried_values() {
    gives(
        run,
        "
        fn f(%x: f64[3], %s: f64, %k: f64, %d: f64) {
            %t: f64, %same: f64, %unused: f64 = for 0..3 %s %k %d |%i: usize, %c: f64, %kept: f64, %dead: f64| {
                %e: f64 = get %x %i
                %m: f64 = mul %e %kept
                %n: f64 = add %c %m
                %o: f64 = add %dead %n
                yield %n %kept %o
            }
            %r: f64 = mul %t %same
            return %r
        }",
        "
        fn f(%0: f64[3], %1: f64, %2: f64, %3: f64) {
            %9: f64 = for 0..3 %1 |%4: usize, %5: f64| {
                %6: f64 = get %0 %4
                %7: f64 = mul %6 %2
                %8: f64 = add %5 %7
                yield %8
            }
            %10: f64 = mul %9 %2
            return %10
        }",
    );
}

/// Each is a place of its own, to be filled.
#[test]
fn two_arrays_of_zeros() {
    gives(
        run,
        "
        fn f(%x: f64, %i: usize) {
            %a: f64[3] = zero
            %b: f64[3] = zero
            %c: f64[3] = set %a %x %i
            %d: f64[3] = acc %b %x %i
            return %c %d
        }",
        "
        fn f(%0: f64, %1: usize) {
            %2: f64[3] = zero
            %3: f64[3] = zero
            %4: f64[3] = set %2 %0 %1
            %5: f64[3] = acc %3 %0 %1
            return %4 %5
        }",
    );
}

/// What panics is not dead, and neither is what it looks at; the loop carries nothing else.
#[test]
fn effects_stay() {
    gives(
        run,
        "fn f(%0.x: f64[4], %1.y: f64) {
            %2: f64 = mul %1.y %1.y
            %3: f64 = add %2 %1.y
            %4: f64, %5: f64 = for 0..4 %1.y %3 |%6: usize, %7: f64, %8: f64| {
                %9: f64 = get %0.x %6
                %10: f64 = add %7 %9
                %11: f64 = mul %8 %9
                %12: bool = gt %10 %2
                %13: f64 = if %12 || {
                    %14: bool = effect[panic ! ()]
                    yield %9
                } || {
                    yield %1.y
                }
                yield %10 %11
            }
            return %1.y
        }",
        "fn f(%0.x: f64[4], %1.y: f64) {
            %2: f64 = mul %1.y %1.y
            %4: f64 = for 0..4 %1.y |%6: usize, %7: f64| {
                %9: f64 = get %0.x %6
                %10: f64 = add %7 %9
                %12: bool = gt %10 %2
                = if %12 || {
                    %14: bool = effect[panic ! ()]
                    yield
                } || {
                    yield
                }
                yield %10
            }
            return %1.y
        }",
    );
}

/// Two lengths that turn out to be one are one argument of zeros; their order is that of the type.
#[test]
fn lengths_that_become_one() {
    gives(
        run,
        "fn f(%0: f64[%2], %1: f64[%3]) {
            %2: usize = len %0
            %3: usize = len %1
            %4: usize = len %0
            %5: f64[%3 * %4 * %4] = zero %3 %4
            %6: f64[%2 * %4] = zero %2 %4
            return %5 %6
        }",
        "fn f(%0: f64[%2], %1: f64[%3]) {
            %2: usize = len %0
            %3: usize = len %1
            %5: f64[%2 * %2 * %3] = zero %2 %3
            %6: f64[%2 * %2] = zero %2
            return %5 %6
        }",
    );
}

/// What a condition has chosen is not chosen by it once more; what another one has chosen is.
#[test]
fn choices_that_have_been_made() {
    gives(
        run,
        "
        fn f(%c: bool, %d: bool, %x: f64, %y: f64, %z: f64) {
            %a: f64 = select %c %x %y
            %b: f64 = select %c %a %z
            %e: f64 = select %c %z %a
            %g: f64 = select %d %a %z
            return %b %e %g
        }",
        "
        fn f(%0: bool, %1: bool, %2: f64, %3: f64, %4: f64) {
            %5: f64 = select %0 %2 %3
            %6: f64 = select %0 %2 %4
            %7: f64 = select %0 %4 %3
            %8: f64 = select %1 %5 %4
            return %6 %7 %8
        }",
    );
}

/// Of whole arrays. What is added to an element makes another array.
#[test]
fn what_is_added_to_zeros_is_the_sum() {
    gives(
        run,
        "fn f(%x: f64[4], %v: f64, %i: usize) {
            %z: f64[4] = zero
            %a: f64[4] = acc %z %x
            %y: f64[4] = zero
            %b: f64[4] = acc %y %v %i
            return %a %b
        }",
        "fn f(%x: f64[4], %v: f64, %i: usize) {
            %y: f64[4] = zero
            %b: f64[4] = acc %y %v %i
            return %x %b
        }",
    );
}
