//! Two loops as one, where that is the same.

use super::gives;
use crate::pass::fuse::run;

/// What the first loop stores and the second loads stays in a register; the array is gone.
#[test]
fn chain() {
    gives(
        run,
        "
        fn f(%x: f64[N]) {
            %z: f64[N] = zero
            %y: f64[N] = for 0..N %z |%i: usize, %t: f64[N]| {
                %a: f64 = get %x %i
                %b: f64 = sin %a
                %u: f64[N] = set %t %b %i
                yield %u
            }
            %s: f64 = const 0.0
            %sum: f64 = for 0..N %s |%j: usize, %c: f64| {
                %e: f64 = get %y %j
                %n: f64 = add %c %e
                yield %n
            }
            return %sum
        }",
        "
        fn f(%0: f64[N]) {
            %1: f64 = const 0.0
            %7: f64 = for 0..N reduce %1 |%2: usize, %3: f64| {
                %4: f64 = get %0 %2
                %5: f64 = sin %4
                %6: f64 = add %3 %5
                yield %6
            }
            return %7
        }",
    );
}

/// `%m` moves before the loop.
#[test]
fn what_the_second_loop_needs_comes_first() {
    gives(
        run,
        "
        fn f(%x: f64[3], %k: f64) {
            %s: f64 = const 0.0
            %a: f64 = for 0..3 %s |%i: usize, %c: f64| {
                %e: f64 = get %x %i
                %n: f64 = add %c %e
                yield %n
            }
            %m: f64 = sin %k
            %b: f64 = for 0..3 %m |%j: usize, %d: f64| {
                %g: f64 = get %x %j
                %h: f64 = mul %g %m
                %o: f64 = add %d %h
                yield %o
            }
            return %a %b
        }",
        "
        fn f(%0: f64[3], %1: f64) {
            %2: f64 = const 0.0
            %3: f64 = sin %1
            %11: f64, %12: f64 = for 0..3 reduce %2 %3 |%4: usize, %5: f64, %6: f64| {
                %7: f64 = get %0 %4
                %8: f64 = add %5 %7
                %9: f64 = mul %7 %3
                %10: f64 = add %6 %9
                yield %8 %10
            }
            return %11 %12
        }",
    );
}

/// The second loop reads elements that the first has not written yet at that iteration.
#[test]
fn neighbours() {
    gives(
        run,
        "
        fn f(%x: f64[3], %k: usize) {
            %z: f64[3] = zero
            %y: f64[3] = for 0..3 %z |%i: usize, %t: f64[3]| {
                %a: f64 = get %x %i
                %u: f64[3] = set %t %a %i
                yield %u
            }
            %s: f64 = const 0.0
            %sum: f64 = for 0..3 %s |%j: usize, %c: f64| {
                %e: f64 = get %y %k
                %n: f64 = add %c %e
                yield %n
            }
            return %sum
        }",
        "
        fn f(%0: f64[3], %1: usize) {
            %2: f64[3] = zero
            %7: f64[3] = for 0..3 independent %2 |%3: usize, %4: f64[3]| {
                %5: f64 = get %0 %3
                %6: f64[3] = set %4 %5 %3
                yield %6
            }
            %8: f64 = const 0.0
            %13: f64 = for 0..3 reduce %8 |%9: usize, %10: f64| {
                %11: f64 = get %7 %1
                %12: f64 = add %10 %11
                yield %12
            }
            return %13
        }",
    );
}

/// max(max(s + a, …) + b, …) is something else.
#[test]
fn a_sum_and_a_maximum() {
    gives(
        run,
        "
        fn f(%x: f64[3], %s: f64) {
            %a: f64 = for 0..3 %s |%i: usize, %c: f64| {
                %e: f64 = get %x %i
                %n: f64 = add %c %e
                yield %n
            }
            %b: f64 = for 0..3 %a |%j: usize, %d: f64| {
                %g: f64 = get %x %j
                %h: f64 = larger %d %g
                yield %h
            }
            return %b
        }",
        "
        fn f(%0: f64[3], %1: f64) {
            %6: f64 = for 0..3 reduce %1 |%2: usize, %3: f64| {
                %4: f64 = get %0 %2
                %5: f64 = add %3 %4
                yield %5
            }
            %11: f64 = for 0..3 reduce %6 |%7: usize, %8: f64| {
                %9: f64 = get %0 %7
                %10: f64 = larger %8 %9
                yield %10
            }
            return %11
        }",
    );
}

/// A sum runs from the start as well.
#[test]
fn a_sum_from_the_end() {
    gives(
        run,
        "
        fn f(%x: f64[3], %s: f64) {
            %a: f64 = for 0..3 rev %s |%i: usize, %c: f64| {
                %e: f64 = get %x %i
                %n: f64 = add %c %e
                yield %n
            }
            return %a
        }",
        "
        fn f(%0: f64[3], %1: f64) {
            %6: f64 = for 0..3 reduce %1 |%2: usize, %3: f64| {
                %4: f64 = get %0 %2
                %5: f64 = add %3 %4
                yield %5
            }
            return %6
        }",
    );
}

/// The second sum adds the partial sums of the first: the order matters.
#[test]
fn sums_whose_earlier_values_are_read() {
    gives(
        run,
        "
        fn f(%x: f64[3], %s: f64, %t: f64) {
            %a: f64, %b: f64 = for 0..3 rev %s %t |%i: usize, %c: f64, %d: f64| {
                %e: f64 = get %x %i
                %n: f64 = add %c %e
                %o: f64 = add %d %c
                yield %n %o
            }
            return %a %b
        }",
        "
        fn f(%0: f64[3], %1: f64, %2: f64) {
            %9: f64, %10: f64 = for 0..3 rev %1 %2 |%3: usize, %4: f64, %5: f64| {
                %6: f64 = get %0 %3
                %7: f64 = add %4 %6
                %8: f64 = add %5 %4
                yield %7 %8
            }
            return %9 %10
        }",
    );
}

/// Only the last iteration counts: the order matters.
#[test]
fn an_array_that_starts_again() {
    gives(
        run,
        "
        fn f(%x: f64[3], %y: f64[3]) {
            %a: f64[3] = for 0..3 rev %x |%i: usize, %t: f64[3]| {
                %e: f64 = get %y %i
                %u: f64[3] = set %x %e %i
                yield %u
            }
            return %a
        }",
        "
        fn f(%0: f64[3], %1: f64[3]) {
            %6: f64[3] = for 0..3 rev %0 |%2: usize, %3: f64[3]| {
                %4: f64 = get %1 %2
                %5: f64[3] = set %0 %4 %2
                yield %5
            }
            return %6
        }",
    );
}
