//! Calls of other functions, in IR text: what they are to the verifier, and their derivatives.

use super::{body, same};
use crate::ir::text::{parse, print};
use crate::ir::verify::verify;
use crate::ir::{Body, Var};
use crate::pass::adjoint::{self, CallStrategy, Output, Seed};
use crate::pass::{split, tangent};

/// Two differentiable arguments of which the first is changed, a constant, and a part of an array.
const CALL: &str = "
fn f(%x: f64[3], %y: f64, %t: f64[2, 4], %i: usize) {
    %k: f64 = const 2.0
    %v: f64, %x2: f64[3] = call[g](mut diff, diff, const, diff part(1)) -> f64 %x %y %k %t %i
    return %v %x2
}";

fn floats(body: &Body) -> Vec<Var> {
    body.block.params.iter().copied().filter(|param| body.ty(*param).is_float()).collect()
}

#[test]
fn text_is_read_back() {
    for call in [
        "%v: f64 = call[g](diff, const, plain) -> f64 %y %y %i",
        "%v: f64, %r: residuals<g> = call[g forward](diff *2, plain) -> f64 %y %y %i",
        "%v: f64, %a: f64[2, 4] = call[recursive g](mut diff part(1, start, len)) -> f64 %t %i %i %i",
        "%v: f64, %d: f64 = call[self f jvp](diff, plain *0 opaque[& mut s [1]]) -> f64 %y %y",
        "%v: f64 = call[h of m :: h :: < f64 , { N } , 3 >](diff, plain *1 opaque[s (__autodiff_0)]) -> f64 %y %i",
    ] {
        let text = format!("fn f(%y: f64, %t: f64[2, 4], %i: usize) {{\n{call}\nreturn %v\n}}");
        let body = parse(&text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        verify(&body).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        let printed = print(&body);
        assert_eq!(print(&parse(&printed).unwrap()), printed);
        let op = call.split_once(" = ").unwrap().1.split(" %").next().unwrap();
        assert!(printed.contains(&op.replace("*1 ", "")), "{printed}");
    }
}

#[test]
fn operands_and_results_have_the_types_of_their_roles() {
    verify(&body(CALL)).unwrap();
    for (right, wrong, problem) in [
        ("%t %i\n", "%t\n", "operands"),
        ("%v: f64,", "%v: f64[3],", "is f64[3]"),
        ("%x2: f64[3] =", "%x2: f64[4] =", "f64[4]"),
        ("%t %i\n", "%t %y\n", "place"),
        ("part(1)", "part(3)", "operands"),
    ] {
        let text = CALL.replace(right, wrong);
        assert_ne!(text, CALL);
        let found = verify(&parse(&text).unwrap()).err().unwrap_or_default();
        assert!(found.contains(problem), "{found}\n{text}");
    }
}

#[test]
fn tangent_of_a_call() {
    let f = body(CALL);
    let jvp = tangent::transform(&f, &floats(&f)).unwrap_or_else(|unsupported| panic!("{}", unsupported.message));
    same(
        &jvp,
        "fn f_jvp(%x: f64[3], %y: f64, %t: f64[2, 4], %i: usize, %dx: f64[3], %dy: f64, %dt: f64[2, 4]) {
            %k: f64 = const 2.0
            %v: f64, %x2: f64[3], %dv: f64, %dx2: f64[3] = call[g jvp](mut diff, diff, const, diff part(1)) -> f64 \
            %x %y %k %t %i %dx %dy %dt
            return %v %x2 %dv %dx2
        }",
    );
}

#[test]
fn sweeps_of_a_call() {
    let f = body(CALL);
    let changed = [(f.block.params[0], 1)];
    let joint = adjoint::transform_changing(
        &f,
        &floats(&f),
        &changed,
        Seed::Parameter,
        Output::Accumulate,
        CallStrategy::Residuals,
    );
    let joint = joint.unwrap_or_else(|unsupported| panic!("{}", unsupported.message));
    let halves = split::split(&joint, &f, &[f.block.params[0]]);
    same(
        &halves.reverse,
        "fn f_reverse(%y: f64, %t: f64[2, 4], %i: usize, %r: residuals<g>, %dv: f64, mut %x2_bar: f64[3], \
            mut %t_bar: f64[2, 4]) {
            %k: f64 = const 2.0
            %zero: f64 = zero
            %x_bar: f64[3], %y_bar: f64, %t_bar2: f64[2, 4] = call[g reverse](mut diff, diff, const, diff part(1)) -> f64 \
            %y %k %t %i %r %dv %x2_bar %zero %t_bar
            return %x_bar %y_bar %t_bar2
        }",
    );
}
