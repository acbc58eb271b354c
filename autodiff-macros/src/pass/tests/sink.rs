//! Rows are filled where they are kept.

use super::gives;
use crate::pass::sink::run;

#[test]
fn a_row_of_each_iteration() {
    gives(
        run,
        "
        fn f(%x: f64[N, M]) {
            %z: f64[N, M] = zero
            %a: f64[N, M] = for 0..N %z |%i: usize, %kept: f64[N, M]| {
                %r: f64[M] = zero
                %b: f64[M] = for 0..M %r |%j: usize, %row: f64[M]| {
                    %v: f64 = get %x %i %j
                    %w: f64 = exp %v
                    %filled: f64[M] = set %row %w %j
                    yield %filled
                }
                %with: f64[N, M] = set %kept %b %i
                yield %with
            }
            return %a
        }",
        "
        fn f(%x: f64[N, M]) {
            %z: f64[N, M] = zero
            %a: f64[N, M] = for 0..N %z |%i: usize, %kept: f64[N, M]| {
                %b: f64[N, M] = for 0..M %kept |%j: usize, %row: f64[N, M]| {
                    %v: f64 = get %x %i %j
                    %w: f64 = exp %v
                    %filled: f64[N, M] = set %row %w %i %j
                    yield %filled
                }
                yield %b
            }
            return %a
        }",
    );
}

/// The row is needed as a row, the array had something in it, or two iterations share a place.
#[test]
fn rows_that_stay() {
    let text = |init: &str, at: &str, also: &str| {
        format!(
            "
            fn f(%x: f64[N, M], %y: f64[N, M]) {{
                %z: f64[N, M] = zero
                %n: f64 = const 0.0
                %a: f64[N, M], %t: f64 = for 0..N {init} %n |%i: usize, %kept: f64[N, M], %sum: f64| {{
                    %first: usize = dim[0]
                    %r: f64[M] = zero
                    %b: f64[M] = for 0..M %r |%j: usize, %row: f64[M]| {{
                        %v: f64 = get %x %i %j
                        %filled: f64[M] = set %row %v %j
                        yield %filled
                    }}
                    %e: f64 = get {also} %first
                    %more: f64 = add %sum %e
                    %with: f64[N, M] = set %kept %b {at}
                    yield %with %more
                }}
                return %a %t
            }}"
        )
    };
    for same in [text("%z", "%i", "%b"), text("%y", "%i", "%x %first"), text("%z", "%first", "%x %first")] {
        gives(run, &same, &same);
    }
}
