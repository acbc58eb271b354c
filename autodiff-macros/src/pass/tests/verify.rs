//! The verifier refuses broken bodies, each for its own reason.

use super::body;
use crate::ir::text::parse;
use crate::ir::verify::verify;
use crate::ir::{Body, Var};

/// The verifier's reason names what is wrong.
#[track_caller]
fn refused(body: &Body, reason: &str) {
    let problem = verify(body).expect_err("a broken body passes");
    assert!(problem.contains(reason), "{problem}");
}

#[track_caller]
fn refused_text(text: &str, reason: &str) {
    refused(&parse(text).unwrap_or_else(|problem| panic!("{problem}\n{text}")), reason);
}

/// A function of a number, an array and an index with these equations.
fn with(eqns: &str) -> String {
    format!("fn f(%x: f64, %t: f64[2, 3], %v: f64[3], %i: usize) {{\n{eqns}\nreturn %x\n}}")
}

#[test]
fn variables() {
    let sound = body(&with("%y: f64 = sin %x\n%z: f64 = cos %y"));
    let mut swapped = sound.clone();
    swapped.block.eqns.swap(0, 1);
    refused(&swapped, "not defined there");
    let mut twice = sound.clone();
    twice.block.eqns[1].outs = twice.block.eqns[0].outs.clone();
    refused(&twice, "defined twice");
    let mut parameter = sound.clone();
    parameter.block.eqns[1].outs = vec![parameter.block.params[0]];
    refused(&parameter, "defined twice");
    let mut unknown = sound.clone();
    unknown.block.eqns[1].outs = vec![Var(99)];
    refused(&unknown, "has no type");
    let mut result = sound;
    result.block.results = vec![Var(99)];
    refused(&result, "is not defined here");
}

/// What a region defines is not visible outside, nor in the region beside it.
#[test]
fn scopes() {
    let text = "fn f(%x: f64) {
        %y: f64 = for 0..3 %x |%i: usize, %c: f64| {
            %n: f64 = sin %c
            yield %n
        }
        %z: f64 = cos %y
        return %z
    }";
    let mut leak = body(text);
    leak.block.eqns[1].args = leak.block.eqns[0].regions[0].results.clone();
    refused(&leak, "not defined there");
    let text = "fn f(%x: f64, %b: bool) {
        %y: f64 = if %b || {
            %s: f64 = sin %x
            yield %s
        } || {
            %c: f64 = cos %x
            yield %c
        }
        return %y
    }";
    let mut other = body(text);
    other.block.eqns[0].regions[1].results = other.block.eqns[0].regions[0].results.clone();
    refused(&other, "is not defined here");
}

#[test]
fn types_of_results() {
    refused_text(&with("%y: f64[3] = sin %x"), "is f64[3], not f64");
    refused_text(&with("%y: f64[3] = add %t %v"), "not f64[2, 3]");
    refused_text(&with("%y: f64 = gt %x %x"), "not bool");
    refused_text(&with("%y: f64[2] = sum[0] %t"), "not f64[3]");
    refused_text(&with("%y: f64[3] = matvec %t %v"), "not f64[2]");
    refused_text(&with("%y: f64[3] = get %t %i %i"), "not f64");
    refused_text(&with("%y: f64[3] = copy %t"), "not f64[2, 3]");
    refused_text(&with("%y: i32 = iadd %i %i"), "not usize");
    refused_text(&with("%y: f64[3, 3] = pack %v %v"), "not f64[2, 3]");
    refused_text(&with("%y: f64[3] = const 1.0"), "not a scalar");
    refused_text(&with("%y: f32[3] = cast %t"), "shapes");
}

#[test]
fn operands_that_do_not_fit() {
    refused_text(&with("%y: f64[2, 3] = matmul %t %t"), "inner dimensions");
    refused_text(&with("%w: f64[2] = zero\n%y: f64[2, 3] = add %t %w"), "axis 1");
    refused_text(&with("%y: f64 = get %v %x"), "index");
    refused_text(&with("%y: f64 = get %v %i %i"), "indices into");
    refused_text(&with("%y: f64[2, 3] = set %t %x %i"), "not f64[3]");
    refused_text(&with("%y: f64[2, 3] = acc %t %v"), "not f64[2, 3]");
    refused_text(&with("%y: f64[2, 3] = pack %v %x"), "is f64");
    refused_text(&with("%y: usize = iadd %i %x"), "is f64");
    refused_text(&with("%y: f64 = sin %x %x"), "operands");
    refused_text(&with("%y: f64 = add %x"), "operands");
    refused_text(&with("%y: f64 = get"), "operands");
}

#[test]
fn loops() {
    let looped =
        |head: &str, yields: &str| with(&format!("%c: f64 = const 1.0\n{head}\n%n: f64 = sin %x\nyield {yields}\n}}"));
    refused_text(&looped("%y: f64 = for 0..3 %v |%k: usize, %p: f64| {", "%n"), "is f64");
    refused_text(&looped("%y: f64 = for 0..3 %x |%k: f64, %p: f64| {", "%n"), "not a usize");
    refused_text(&looped("%y: f64 = for 0..3 %x |%k: usize, %p: f64| {", "%n %n"), "2 values against 1");
    refused_text(&looped("%y: f64 = for 0..3 %x |%k: usize, %p: f64| {", "%v"), "is f64");
    refused_text(&looped("%y: f64[3] = for 0..3 %x |%k: usize, %p: f64| {", "%n"), "is f64");
    refused_text(&looped("%y: f64 = for 0..3 %x %x |%k: usize, %p: f64| {", "%n"), "2 values against 1");
    refused_text(&looped("%y: f64 = while %x |%p: f64| {", "%n"), "two regions");
    let text = "fn f(%x: f64) {
        %y: f64 = while %x |%p: f64| {
            yield %p
        } |%q: f64| {
            yield %q
        }
        return %y
    }";
    refused_text(text, "condition");
}

#[test]
fn branches() {
    let text = |cond: &str, no: &str| {
        format!(
            "fn f(%x: f64, %v: f64[3], %b: bool, %bs: bool[3]) {{
        %y: f64 = if {cond} || {{
            yield %x
        }} || {{
            yield {no}
        }}
        return %y
    }}"
        )
    };
    verify(&parse(&text("%b", "%x")).unwrap()).unwrap();
    refused_text(&text("%b", "%v"), "is f64");
    refused_text(&text("%b", "%x %x"), "2 values against 1");
    refused_text(&text("%x", "%x"), "condition");
    refused_text(&text("%bs", "%x"), "condition");
}
