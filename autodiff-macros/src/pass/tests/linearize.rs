//! Arrays of arrays of run-time sizes in one piece.

use super::gives;
use crate::pass::linearize::run;

#[test]
fn elements_by_one_index() {
    gives(
        run,
        "
        fn f(%0: f64[%1], %2: f64[%3]) {
            %1: usize = len %0
            %3: usize = len %2
            %4: f64[%1, %3, 3] = zero %1 %3
            %5: usize = dim[2]
            %6: f64[%1, %3, 3] = for 0..%1 %4 |%7: usize, %8: f64[%1, %3, 3]| {
                %9: f64 = get %0 %7
                %10: f64[%1, %3, 3] = for 0..%3 %8 |%11: usize, %12: f64[%1, %3, 3]| {
                    %13: f64[%1, %3, 3] = set %12 %9 %7 %11 %5
                    yield %13
                }
                yield %10
            }
            %14: f64 = zero
            %15: f64 = for 0..%3 %14 |%16: usize, %17: f64| {
                %18: f64 = get %6 %5 %16 %5
                yield %18
            }
            return %15
        }",
        "
        fn f(%0: f64[%1], %2: f64[%3]) {
            %1: usize = len %0
            %3: usize = len %2
            %4: f64[%1 * %3, 3] = zero %1 %3
            %5: usize = dim[2]
            %6: f64[%1 * %3, 3] = for 0..%1 %4 |%7: usize, %8: f64[%1 * %3, 3]| {
                %9: f64 = get %0 %7
                %10: f64[%1 * %3, 3] = for 0..%3 %8 |%11: usize, %12: f64[%1 * %3, 3]| {
                    %13: usize = imul %7 %3
                    %14: usize = iadd %13 %11
                    %15: f64[%1 * %3, 3] = set %12 %9 %14 %5
                    yield %15
                }
                yield %10
            }
            %16: f64 = zero
            %17: f64 = for 0..%3 %16 |%18: usize, %19: f64| {
                %20: usize = imul %5 %3
                %21: usize = iadd %20 %18
                %22: f64 = get %6 %21 %5
                yield %22
            }
            return %17
        }",
    );
}

/// A check gives nothing.
fn with_check(dims: &str, result: &str) -> String {
    format!(
        "
        fn f(%0: f64[%1]) {{
            %1: usize = len %0
            %2: f64[{dims}] = zero %1
            %3: usize = dim[0]
            %4: f64 = get %0 %3
            %5: f64[{dims}] = set %2 %4 %3 %3
            %8: bool = lt %3 %1
             = if %8 || {{
                yield
            }} || {{
                yield
            }}
            %6: f64 = get %5 %3 %3
            {result}
        }}"
    )
}

#[test]
fn beside_what_gives_nothing() {
    let flat = crate::ir::text::print(&run(super::body(&with_check("%1, %1 + 1", "return %6"))));
    assert!(flat.contains("imul") && !flat.contains("%1, %1 + 1"), "{flat}");
}

/// `compose_indices` reads elements and leaves the reads of rows behind.
#[test]
fn rows_that_are_read_and_not_used() {
    let unused = with_check("%1, %1 + 1", "%7: f64[%1 + 1] = get %5 %3\nreturn %6");
    gives(run, &unused, &crate::ir::text::print(&run(super::body(&with_check("%1, %1 + 1", "return %6")))));
}

/// What a loop keeps of an array in every iteration.
#[test]
fn rows_number_by_number() {
    gives(
        run,
        "
        fn f(%0: f64[%1], %2: usize) {
            %1: usize = len %0
            %3: f64[%2, %1] = zero %2 %1
            %4: f64[%2, %1] = for 0..%2 %3 |%5: usize, %6: f64[%2, %1]| {
                %7: f64[%2, %1] = set %6 %0 %5
                yield %7
            }
            %8: f64[%1] = zero %1
            %9: f64[%1] = for 0..%2 %8 |%10: usize, %11: f64[%1]| {
                %12: f64[%1] = get %4 %10
                yield %12
            }
            return %9
        }",
        "
        fn f(%0: f64[%1], %2: usize) {
            %1: usize = len %0
            %3: f64[%2 * %1] = zero %1 %2
            %4: f64[%2 * %1] = for 0..%2 %3 |%5: usize, %6: f64[%2 * %1]| {
                %8: usize = imul %5 %1
                %9: f64[%2 * %1] = for 0..%1 %6 |%10: usize, %11: f64[%2 * %1]| {
                    %12: usize = iadd %8 %10
                    %13: f64 = get %0 %10
                    %14: f64[%2 * %1] = set %11 %13 %12
                    yield %14
                }
                yield %9
            }
            %15: f64[%1] = zero %1
            %16: f64[%1] = for 0..%2 %15 |%17: usize, %18: f64[%1]| {
                %20: usize = imul %17 %1
                %21: f64[%1] = zero %1
                %22: f64[%1] = for 0..%1 %21 |%23: usize, %24: f64[%1]| {
                    %25: usize = iadd %20 %23
                    %26: f64 = get %4 %25
                    %27: f64[%1] = set %24 %26 %23
                    yield %27
                }
                yield %22
            }
            return %16
        }",
    );
}

/// It is a result, or an index may be behind the end of a row, or there may be no such row.
#[test]
fn arrays_of_arrays() {
    for same in [
        with_check("%1, %1 + 1", "return %5"),
        with_check("%1, %1", "return %6"),
        with_check("%1, %1 + 1", "%7: f64[%1 + 1] = get %5 %3\nreturn %7"),
    ] {
        gives(run, &same, &same);
    }
}
