//! What belongs to an iteration is made in it.

use super::gives;
use crate::pass::contract::run;

/// The matrix becomes a row; its sum over a row, a number.
#[test]
fn rows_and_numbers() {
    gives(
        run,
        "
        fn f(%x: f64[M, N]) {
            %z: f64[M, N] = zero
            %w: f64[M] = zero
            %s: f64 = const 0.0
            %a: f64[M, N], %b: f64[M], %sum: f64 = for 0..M %z %w %s |%i: usize, %t: f64[M, N], %u: f64[M], %c: f64| {
                %t1: f64[M, N], %u1: f64[M] = for 0..N %t %u |%j: usize, %t2: f64[M, N], %u2: f64[M]| {
                    %e: f64 = get %x %i %j
                    %t3: f64[M, N] = set %t2 %e %i %j
                    %u3: f64[M] = acc %u2 %e %i
                    yield %t3 %u3
                }
                %zero: usize = dim[0]
                %first: f64 = get %t1 %i %zero
                %all: f64 = get %u1 %i
                %p: f64 = mul %first %all
                %n: f64 = add %c %p
                yield %t1 %u1 %n
            }
            return %sum
        }",
        "
        fn f(%x: f64[M, N]) {
            %s: f64 = const 0.0
            %sum: f64 = for 0..M %s |%i: usize, %c: f64| {
                %u: f64 = zero
                %t: f64[N] = zero
                %t1: f64[N], %u1: f64 = for 0..N %t %u |%j: usize, %t2: f64[N], %u2: f64| {
                    %e: f64 = get %x %i %j
                    %t3: f64[N] = set %t2 %e %j
                    %u3: f64 = add %u2 %e
                    yield %t3 %u3
                }
                %zero: usize = dim[0]
                %first: f64 = get %t1 %zero
                %p: f64 = mul %first %u1
                %n: f64 = add %c %p
                yield %n
            }
            return %sum
        }",
    );
}

/// The index of the loop may be on any axis, if it is the same in all accesses.
#[test]
fn columns() {
    let text = |row: &str| {
        format!(
            "
        fn f(%x: f64[N], %s: f64, %k: usize) {{
            %z: f64[3, N] = zero
            %a: f64[3, N], %sum: f64 = for 0..N %z %s |%i: usize, %t: f64[3, N], %c: f64| {{
                %one: usize = dim[1]
                %e: f64 = get %x %i
                %u: f64[3, N] = set %t %e %one %i
                %zero: usize = dim[0]
                %y: f64 = get %u {row}
                %n: f64 = add %c %y
                yield %u %n
            }}
            return %sum
        }}"
        )
    };
    gives(
        run,
        &text("%k %i"),
        "
        fn f(%x: f64[N], %s: f64, %k: usize) {
            %sum: f64 = for 0..N %s |%i: usize, %c: f64| {
                %t: f64[3] = zero
                %one: usize = dim[1]
                %e: f64 = get %x %i
                %u: f64[3] = set %t %e %one
                %y: f64 = get %u %k
                %n: f64 = add %c %y
                yield %n
            }
            return %sum
        }",
    );
    // What another iteration wrote is read.
    gives(run, &text("%one %zero"), &text("%one %zero"));
}

/// An array that is used later, that is not zeros at first, or that is handed on as a whole, stays.
#[test]
fn what_the_loop_does_not_own() {
    let text = |init: &str, result: &str| {
        format!(
            "
        fn f(%x: f64[N], %given: f64[N], %s: f64) {{
            %z: f64[N] = zero
            %a: f64[N], %sum: f64 = for 0..N {init} %s |%i: usize, %t: f64[N], %c: f64| {{
                %e: f64 = get %x %i
                %u: f64[N] = acc %t %e %i
                %y: f64 = get %u %i
                %n: f64 = mul %c %y
                yield %u %n
            }}
            return {result}
        }}"
        )
    };
    for (init, result) in [("%z", "%sum %a"), ("%given", "%sum")] {
        let text = text(init, result);
        let kept = crate::ir::text::canonical(&run(super::body(&text)));
        assert!(kept.contains("acc"), "{kept}");
    }
    let gone = crate::ir::text::canonical(&run(super::body(&text("%z", "%sum"))));
    assert!(!gone.contains("acc"), "{gone}");
}
