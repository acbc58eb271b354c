//! Small arrays become their elements, and short loops their iterations.

use super::{body, gives, same};
use crate::ir::Body;
use crate::pass::scalar_replacement::{self, run};
use crate::pass::unroll;

/// Both passes.
fn run_both(body: Body) -> Body {
    scalar_replacement::run(unroll::run(body))
}

/// What is set and added to at constants is known there.
#[test]
fn elements() {
    gives(
        run,
        "
        fn f(%x: f64, %y: f64) {
            %t: f64[2] = zero
            %k0: usize = dim[0]
            %k1: usize = dim[1]
            %a: f64[2] = set %t %x %k0
            %b: f64[2] = acc %a %y %k1
            %c: f64[2] = acc %b %x %k1
            %q: f64 = get %c %k0
            %r: f64 = get %c %k1
            return %q %r
        }",
        "
        fn f(%x: f64, %y: f64) {
            %r: f64 = add %y %x
            return %x %r
        }",
    );
}

/// An array that is needed as a whole is made at once, if all of its elements have been computed.
#[test]
fn whole() {
    gives(
        run,
        "
        fn f(%x: f64, %y: f64, %i: usize) {
            %t: f64[2] = zero
            %k0: usize = dim[0]
            %k1: usize = dim[1]
            %a: f64[2] = set %t %x %k0
            %b: f64[2] = set %a %y %k1
            %p: f64 = get %b %k1
            %q: f64 = get %b %i
            %u: f64[2] = zero
            %v: f64[2] = set %u %q %k1
            return %p %q %v
        }",
        "
        fn f(%x: f64, %y: f64, %i: usize) {
            %k1: usize = dim[1]
            %b: f64[2] = pack %x %y
            %q: f64 = get %b %i
            %u: f64[2] = zero
            %v: f64[2] = set %u %q %k1
            return %y %q %v
        }",
    );
}

/// Branches return elements, loops carry them; of what something else makes they are read.
#[test]
fn branches_and_loops() {
    gives(
        run,
        "
        fn f(%x: f64[2], %c: bool, %s: f64) {
            %k0: usize = dim[0]
            %k1: usize = dim[1]
            %t: f64[2] = if %c || {
                %z: f64[2] = zero
                %a: f64[2] = set %z %s %k0
                yield %a
            } || {
                yield %x
            }
            %o: f64[2] = for 0..N %t |%i: usize, %u: f64[2]| {
                %p: f64 = get %u %k0
                %q: f64 = get %u %k1
                %v: f64[2] = set %u %q %k0
                %w: f64[2] = set %v %p %k1
                yield %w
            }
            %r: f64 = get %o %k1
            return %r
        }",
        "
        fn f(%x: f64[2], %c: bool, %s: f64) {
            %k0: usize = dim[0]
            %k1: usize = dim[1]
            %t: f64, %u: f64 = if %c || {
                %z: f64 = zero
                yield %s %z
            } || {
                %a: f64 = get %x %k0
                %b: f64 = get %x %k1
                yield %a %b
            }
            %o: f64, %r: f64 = for 0..N %t %u |%i: usize, %p: f64, %q: f64| {
                yield %q %p
            }
            return %r
        }",
    );
}

/// An array that a loop needs as a whole makes another one whole, of which it is made, and that one a third.
#[test]
fn arrays_made_of_each_other() {
    let text = "
        fn f(%x: f64[3, 3], %s: f64, %j: usize) {
            %k0: usize = dim[0]
            %p: f64[3, 3] = zero
            %q: f64[3, 3] = zero
            %r: f64[3, 3] = zero
            %a: f64[3, 3], %b: f64[3, 3], %c: f64[3, 3], %sum: f64 = for 0..N %p %q %r %s |%i: usize, %u: f64[3, 3], %v: f64[3, 3], %w: f64[3, 3], %n: f64| {
                %e: f64 = get %u %j %j
                %m: f64 = add %n %e
                %d: f64[3, 3] = set %v %m %k0 %k0
                %f: f64[3, 3] = set %w %e %k0 %k0
                %g: f64[3, 3] = set %w %m %k0 %k0
                yield %d %f %g %m
            }
            %t: f64 = get %a %k0 %k0
            %o: f64 = get %b %k0 %k0
            %l: f64 = get %c %k0 %k0
            return %t %o %l %sum
        }";
    gives(run, text, text);
}

/// What is read at the index of a loop stays an array, inside the loop and after it.
#[test]
fn an_index_that_changes() {
    let text = "
        fn f(%x: f64[9], %s: f64) {
            %t: f64[9] = zero
            %o: f64[9] = for 0..9 %t |%i: usize, %u: f64[9]| {
                %e: f64 = get %x %i
                %v: f64[9] = set %u %e %i
                yield %v
            }
            %k1: usize = dim[1]
            %r: f64 = get %o %k1
            return %r
        }";
    gives(run_both, text, text);
}

/// Also from the end, and with what the loop carries besides.
#[test]
fn short_loops() {
    gives(
        run_both,
        "
        fn f(%x: f64[2], %s: f64) {
            %t: f64[2] = zero
            %o: f64[2], %sum: f64 = for 0..2 rev %t %s |%i: usize, %u: f64[2], %c: f64| {
                %e: f64 = get %x %i
                %v: f64[2] = set %u %e %i
                %n: f64 = mul %c %e
                yield %v %n
            }
            %k1: usize = dim[1]
            %r: f64 = get %o %k1
            return %r %sum
        }",
        "
        fn f(%x: f64[2], %s: f64) {
            %k1: usize = dim[1]
            %b: f64 = get %x %k1
            %n: f64 = mul %s %b
            %k0: usize = dim[0]
            %a: f64 = get %x %k0
            %m: f64 = mul %n %a
            return %b %m
        }",
    );
}

/// A loop with an effect, and a long one.
#[test]
fn loops_that_stay() {
    let long: String = (0..60).map(|k| format!("%m{}: f64 = sin %m{k}\n", k + 1)).collect();
    let text = format!(
        "
        fn f(%s: f64) {{
            %t: f64 = for 0..3 %s |%i: usize, %m0: f64| {{
                {long}
                yield %m60
            }}
            return %t
        }}"
    );
    same(&unroll::run(body(&text)), &text);
}
