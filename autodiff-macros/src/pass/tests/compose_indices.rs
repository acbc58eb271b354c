//! Indices one after another, and all at once.

use super::gives;
use crate::pass::compose_indices::run;

#[test]
fn an_element_of_a_row_is_read_where_it_is() {
    gives(
        run,
        "
        fn f(%x: f64[3, 4, 5], %i: usize, %j: usize) {
            %a: f64[4, 5] = get %x %i
            %b: f64[5] = get %a %j
            %c: f64 = get %b %i
            return %c
        }",
        "
        fn f(%0: f64[3, 4, 5], %1: usize, %2: usize) {
            %3: f64[4, 5] = get %0 %1
            %4: f64[5] = get %0 %1 %2
            %5: f64 = get %0 %1 %2 %1
            return %5
        }",
    );
}

/// `%r` is what the row was before the update; to read it in `%x` would need a copy of all rows.
#[test]
fn a_row_that_changes_is_kept() {
    let text = "
        fn f(%x: f64[3, 4], %v: f64[4], %i: usize) {
            %r: f64[4] = get %x %i
            %y: f64[3, 4] = set %x %v %i
            %e: f64 = get %r %i
            return %y %e
        }";
    gives(run, text, text);
}

/// Also in a loop that carries the array.
#[test]
fn a_row_of_what_a_loop_changes_is_kept() {
    let text = "
        fn f(%x: f64[3, 4], %v: f64[4], %i: usize) {
            %r: f64[4] = get %x %i
            %y: f64[3, 4] = for 0..3 %x |%j: usize, %t: f64[3, 4]| {
                %e: f64 = get %r %j
                %u: f64[3, 4] = acc %t %e %j %j
                yield %u
            }
            return %y
        }";
    gives(run, text, text);
}

#[test]
fn an_element_is_added_where_it_goes() {
    gives(
        run,
        "
        fn f(%x: f64[3, 4, 5], %v: f64, %w: f64, %i: usize, %j: usize) {
            %a: f64[5] = zero
            %b: f64[5] = acc %a %v %j
            %c: f64[5] = acc %b %w %i
            %d: f64[4, 5] = zero
            %e: f64[4, 5] = acc %d %c %i
            %f: f64[3, 4, 5] = acc %x %e %j
            return %f
        }",
        "
        fn f(%0: f64[3, 4, 5], %1: f64, %2: f64, %3: usize, %4: usize) {
            %5: f64[5] = zero
            %6: f64[5] = acc %5 %1 %4
            %7: f64[5] = acc %6 %2 %3
            %8: f64[4, 5] = zero
            %9: f64[4, 5] = acc %8 %1 %3 %4
            %10: f64[4, 5] = acc %9 %2 %3 %3
            %11: f64[3, 4, 5] = acc %0 %1 %4 %3 %4
            %12: f64[3, 4, 5] = acc %11 %2 %4 %3 %3
            return %12
        }",
    );
}

/// What is read elsewhere as well is made in any case.
#[test]
fn a_sparse_array_with_two_uses_is_added_as_a_whole() {
    let text = "
        fn f(%x: f64[3, 4], %v: f64, %i: usize) {
            %a: f64[4] = zero
            %b: f64[4] = acc %a %v %i
            %c: f64[3, 4] = acc %x %b %i
            return %c %b
        }";
    gives(run, text, text);
}

/// `linearize` makes one array of the rows, and copies a row once in each iteration: an index may be behind its end. Where the row is
/// another one than that of the iteration, it would be copied more often than it is made.
#[test]
fn a_row_of_run_time_size_is_copied_or_read_where_it_is() {
    let text = |row: &str, read: &str| {
        format!(
            "
        fn f(%0: usize, %1: usize, %2: usize) {{
            %x: f64[%0, %1] = zero %0 %1
            %z: f64 = const 0.0
            %y: f64 = for 0..%0 %z |%i: usize, %s: f64| {{
                %r: f64[%1] = get %x {row}
                %e: f64 = get {read} %2
                %t: f64 = add %s %e
                yield %t
            }}
            return %y
        }}"
        )
    };
    gives(run, &text("%i", "%r"), &text("%i", "%r"));
    gives(run, &text("%2", "%r"), &text("%2", "%x %2"));
}
