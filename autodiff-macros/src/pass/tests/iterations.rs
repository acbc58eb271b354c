//! The rows of sparse Jacobians.

use super::body;
use crate::ir::dim::Dim;
use crate::ir::text::canonical;
use crate::pass::iterations::{Input, Place, run, write};
use proc_macro2::{Ident, Span};

/// The body with its rows as they are written, after the passes; `f`'s parameters are inputs as far as they are floats.
fn rows_of(text: &str) -> Option<String> {
    let primal = body(text);
    let place = || Place { start: Dim::literal(0), group: Dim::literal(0), stride: Dim::literal(0) };
    let floats = primal.block.params.iter().filter(|param| primal.ty(**param).is_float());
    let inputs: Vec<Input> = floats.enumerate().map(|(root, var)| Input { var: *var, root, place: place() }).collect();
    let by_iterations = run(&primal, &inputs, &[place()])?;
    let mut body = by_iterations.body;
    super::check(&body).unwrap();
    for pass in crate::pass::PASSES {
        body = pass.run(body, &crate::pass::lengths::Lengths::default());
    }
    write(&mut body, &by_iterations.rows, &Ident::new("rows", Span::call_site()));
    Some(canonical(&body))
}

#[track_caller]
fn has(text: &str, effects: &[&str]) {
    let rows = rows_of(text).unwrap();
    let found = rows.lines().filter_map(|line| line.split_once("effect[")).map(|(_, effect)| effect.replace(' ', ""));
    assert_eq!(found.collect::<Vec<_>>(), effects, "in\n{rows}");
}

#[test]
fn elements_of_two_parameters() {
    has(
        "
        fn f(%x: f64[N], %y: f64[M], %at: usize[K]) {
            %z: f64[K] = zero
            %r: f64[K] = for 0..K %z |%i: usize, %c: f64[K]| {
                %p: usize = get %at %i
                %a: f64 = get %x %p
                %b: f64 = get %y %i
                %v: f64 = mul %a %b
                %s: f64[K] = set %c %v %i
                yield %s
            }
            return %r
        }",
        &[
            // The columns of both, and the numbers.
            "rows.put(__autodiff_0,||[(__autodiff_1,0,1),(__autodiff_3,0,1)],||[__autodiff_2,__autodiff_4])]%4%6%8%10%7",
            "rows.finish(__autodiff_0,__autodiff_1)]%14%15",
        ],
    );
}

/// A state that an iteration hands to the next, and a number that several of them add to.
#[test]
fn what_depends_on_other_iterations_has_no_rows() {
    let state = "
        fn f(%x: f64[N]) {
            %z: f64[N] = zero
            %o: f64 = const 0.0
            %r: f64[N], %e: f64 = for 0..N %z %o |%i: usize, %c: f64[N], %s: f64| {
                %a: f64 = get %x %i
                %v: f64 = add %s %a
                %t: f64[N] = set %c %v %i
                yield %t %v
            }
            return %r
        }";
    let sums = "
        fn f(%x: f64[N], %at: usize[N]) {
            %z: f64[N] = zero
            %r: f64[N] = for 0..N %z |%i: usize, %c: f64[N]| {
                %a: f64 = get %x %i
                %p: usize = get %at %i
                %t: f64[N] = acc %c %a %p
                yield %t
            }
            return %r
        }";
    for text in [state, sums] {
        assert_eq!(rows_of(text), None);
    }
}
