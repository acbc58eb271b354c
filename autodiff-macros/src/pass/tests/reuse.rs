//! A dying array gives its place to a new one.

use super::gives;
use crate::pass::reuse::run;

/// `%h` dies where `%y` is made.
#[test]
fn activation() {
    gives(
        run,
        "
        fn f(%x: f64[3], %b: f64[3]) {
            %z: f64[3] = zero
            %h: f64[3] = for 0..3 %z |%i: usize, %t: f64[3]| {
                %a: f64 = get %x %i
                %c: f64 = exp %a
                %u: f64[3] = set %t %c %i
                yield %u
            }
            %w: f64[3] = zero
            %y: f64[3] = for 0..3 %w |%j: usize, %v: f64[3]| {
                %d: f64 = get %h %j
                %e: f64 = tanh %d
                %o: f64[3] = set %v %e %j
                yield %o
            }
            return %y
        }",
        "
        fn f(%0: f64[3], %1: f64[3]) {
            %2: f64[3] = zero
            %8: f64[3] = for 0..3 %2 |%3: usize, %4: f64[3]| {
                %5: f64 = get %0 %3
                %6: f64 = exp %5
                %7: f64[3] = set %4 %6 %3
                yield %7
            }
            %14: f64[3] = for 0..3 %8 |%9: usize, %10: f64[3]| {
                %11: f64 = get %10 %9
                %12: f64 = tanh %11
                %13: f64[3] = set %10 %12 %9
                yield %13
            }
            return %14
        }",
    );
}

/// `%h` is a result: it keeps its place.
#[test]
fn read_later() {
    gives(
        run,
        "
        fn f(%x: f64[3], %b: f64[3]) {
            %z: f64[3] = zero
            %h: f64[3] = for 0..3 %z |%i: usize, %t: f64[3]| {
                %a: f64 = get %x %i
                %u: f64[3] = set %t %a %i
                yield %u
            }
            %w: f64[3] = zero
            %y: f64[3] = for 0..3 %w |%j: usize, %v: f64[3]| {
                %d: f64 = get %h %j
                %o: f64[3] = set %v %d %j
                yield %o
            }
            return %y %h
        }",
        "
        fn f(%0: f64[3], %1: f64[3]) {
            %2: f64[3] = zero
            %7: f64[3] = for 0..3 %2 |%3: usize, %4: f64[3]| {
                %5: f64 = get %0 %3
                %6: f64[3] = set %4 %5 %3
                yield %6
            }
            %8: f64[3] = zero
            %13: f64[3] = for 0..3 %8 |%9: usize, %10: f64[3]| {
                %11: f64 = get %7 %9
                %12: f64[3] = set %10 %11 %9
                yield %12
            }
            return %13 %7
        }",
    );
}

/// The loop writes the diagonal only; the rest of the new array has to be zero.
#[test]
fn diagonal() {
    gives(
        run,
        "
        fn f(%x: f64[3, 3]) {
            %z: f64[3, 3] = zero
            %h: f64[3, 3] = for 0..3 %z |%i: usize, %t: f64[3, 3]| {
                %t1: f64[3, 3] = for 0..3 %t |%k: usize, %s: f64[3, 3]| {
                    %a: f64 = get %x %k %i
                    %u: f64[3, 3] = set %s %a %i %k
                    yield %u
                }
                yield %t1
            }
            %w: f64[3, 3] = zero
            %y: f64[3, 3] = for 0..3 %w |%j: usize, %v: f64[3, 3]| {
                %d: f64 = get %h %j %j
                %o: f64[3, 3] = set %v %d %j %j
                yield %o
            }
            return %y
        }",
        "
        fn f(%0: f64[3, 3]) {
            %1: f64[3, 3] = zero
            %9: f64[3, 3] = for 0..3 %1 |%2: usize, %3: f64[3, 3]| {
                %8: f64[3, 3] = for 0..3 %3 |%4: usize, %5: f64[3, 3]| {
                    %6: f64 = get %0 %4 %2
                    %7: f64[3, 3] = set %5 %6 %2 %4
                    yield %7
                }
                yield %8
            }
            %10: f64[3, 3] = zero
            %15: f64[3, 3] = for 0..3 %10 |%11: usize, %12: f64[3, 3]| {
                %13: f64 = get %9 %11 %11
                %14: f64[3, 3] = set %12 %13 %11 %11
                yield %14
            }
            return %15
        }",
    );
}

/// Where arrays of tangents become wider than those of values, none has its place from another one.
#[test]
fn apart_for_several_directions() {
    let body = super::body(
        "
        fn f(%x: f64[9]) {
            %z: f64[9] = zero
            %h: f64[9] = for 0..9 %z |%i: usize, %t: f64[9]| {
                %a: f64 = get %x %i
                %c: f64 = exp %a
                %u: f64[9] = set %t %c %i
                yield %u
            }
            %k: usize = const 0
            %first: f64 = get %h %k
            %w: f64[9] = zero
            %y: f64[9] = for 0..9 %w |%j: usize, %v: f64[9]| {
                %d: f64 = get %h %j
                %e: f64 = mul %d %first
                %o: f64[9] = set %v %e %j
                yield %o
            }
            return %y
        }",
    );
    let (shared, apart) =
        crate::pass::run_all_and_apart(body, &crate::pass::lengths::Lengths::default(), &mut |_, _| {});
    let zeros = |body: &crate::ir::Body| crate::ir::text::print(body).matches("= zero").count();
    assert_eq!((zeros(&shared), zeros(&apart)), (1, 2));
}
