//! Plans of bodies in text form.

use super::{Plan, Storage, verify};
use crate::ir::text::parse;
use crate::ir::{Body, Var};

fn body(text: &str) -> Body {
    let body = parse(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    crate::ir::verify::verify(&body).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    body
}

/// A variable by its name.
fn var(body: &Body, name: &str) -> Var {
    let at = body.vars.iter().position(|data| data.hint.as_deref() == Some(name));
    Var(u32::try_from(at.unwrap_or_else(|| panic!("there is no %{name}"))).expect("few variables"))
}

#[track_caller]
fn stored(text: &str, expected: &[(&str, Option<Storage>)]) {
    let body = body(text);
    let plan = Plan::of(&body);
    for (name, storage) in expected {
        assert_eq!(plan.storage(var(&body, name)), storage.as_ref(), "%{name}");
    }
}

#[test]
fn by_size() {
    stored(
        "fn f(%x: f64[3]) {
            %small: f64[3] = zero
            %copy: f64[3] = copy %x
            %large: f64[100, 1000] = zero
            %unknown: f64[N] = zero
            %number: f64 = const 1
            return %small %copy %large %unknown %number
        }",
        &[
            ("x", None),
            ("small", Some(Storage::Stack)),
            ("copy", Some(Storage::Stack)),
            ("large", Some(Storage::Large)),
            ("unknown", Some(Storage::Large)),
            ("number", None),
        ],
    );
    stored(
        "fn f(%0.n: usize) {
            %vec: f64[%0] = zero %0.n
            return %vec
        }",
        &[("vec", Some(Storage::Heap))],
    );
}

/// An update stays in the place of what it updates.
#[test]
fn updates_make_nothing() {
    stored(
        "fn f(%p: f64) {
            %z: f64[3] = zero
            %k: usize = dim[1]
            %y: f64[3] = set %z %p %k
            return %y
        }",
        &[("z", Some(Storage::Stack)), ("y", None)],
    );
}

fn row(update: &str) -> String {
    format!(
        "fn f(%x: f64[%1, %2], %1.n: usize, %2.m: usize, %k: usize, %p: f64) {{
            %row: f64[%2] = get %x %k
            {update}
            %y: f64 = get %row %k
            return %y
        }}"
    )
}

/// A row is copied if it is updated, else it is looked at where it is.
#[test]
fn rows() {
    stored(&row(""), &[("row", Some(Storage::Borrowed))]);
    let text = row("%set: f64[%2] = set %row %p %k").replace("= get %row", "= get %set");
    stored(&text, &[("row", Some(Storage::Heap))]);
}

/// What both branches update in place stays there; what one of them makes needs a place of its own.
#[test]
fn branches() {
    let text = |no: &str| {
        format!(
            "fn f(%p: f64, %k: usize, %c: bool) {{
                %z: f64[3] = zero
                %w: f64[3] = zero
                %y: f64[3] = if %c || {{
                    %s: f64[3] = set %z %p %k
                    yield %s
                }} || {{
                    yield {no}
                }}
                return %y
            }}"
        )
    };
    stored(&text("%z"), &[("y", None)]);
    stored(&text("%w"), &[("y", Some(Storage::Stack))]);
}

/// The residual starts as zeros, which become it: they are made where the caller wants it.
const FILLED: &str = "fn f(%x: f64[3], %p: f64) {
    %z: f64[3] = zero
    %h: f64[3] = for 0..3 %z |%i: usize, %t: f64[3]| {
        %a: f64 = get %x %i
        %u: f64[3] = set %t %a %i
        yield %u
    }
    %w: f64[3] = copy %x
    return %p %h %w %p
}";

#[test]
fn destinations() {
    let body = body(FILLED);
    let plan = Plan::with_destinations(&body, &body.block.results[1..]);
    assert_eq!(plan.storage(var(&body, "z")), Some(&Storage::Destination(0)));
    assert_eq!(plan.storage(var(&body, "w")), Some(&Storage::Stack));
    let in_place: Vec<bool> = plan.destinations.iter().map(|destination| destination.in_place).collect();
    assert_eq!(in_place, [true, false, false]);
    assert_eq!(plan.workspace(&body).count(), 1);
    // Without a caller's places it is a local.
    assert_eq!(Plan::of(&body).storage(var(&body, "z")), Some(&Storage::Stack));
}

/// Two residuals that are one array have one place, and a copy.
#[test]
fn a_destination_has_one_residual() {
    let body = body(&FILLED.replace("return %p %h %w %p", "return %p %h %h %p"));
    let plan = Plan::with_destinations(&body, &body.block.results[1..]);
    let in_place: Vec<bool> = plan.destinations.iter().map(|destination| destination.in_place).collect();
    assert_eq!(in_place, [true, false, false]);
}

/// A loop whose iterations make `%k`, with some equations that follow and what is yielded.
fn steps(eqns: &str, yielded: &str) -> String {
    format!(
        "fn f(%x: f64[%1], %1.n: usize, %p: f64) {{
            %s: f64 = const 0
            %v: f64[%1] = zero %1.n
            %y: f64, %w: f64[%1] = for 0..8 %s %v |%20.step: usize, %sum: f64, %carried: f64[%1]| {{
                %k: f64[%1] = zero %1.n
                {eqns}
                %e: f64 = get %l %20.step
                %more: f64 = add %sum %e
                yield %more {yielded}
            }}
            return %y %w
        }}"
    )
}

const FILL: &str = "%l: f64[%1] = for 0..%1 %k |%i: usize, %t: f64[%1]| {
                    %a: f64 = get %x %i
                    %u: f64[%1] = set %t %a %i
                    yield %u
                }";
const ADD: &str = "%l: f64[%1] = acc %k %p %20.step";

#[test]
fn hoisting() {
    for (update, covered) in [(FILL, true), (ADD, false)] {
        let body = body(&steps(update, "%carried"));
        let plan = Plan::of(&body);
        let (k, step) = (var(&body, "k"), var(&body, "step"));
        assert_eq!(plan.storage(k), Some(&Storage::Hoisted), "{update}");
        assert_eq!(plan.is_covered(k), covered, "{update}");
        assert_eq!(plan.hoisted[&step].len(), 1);
        // The carried array is made before the loop anyway.
        assert_eq!(plan.storage(var(&body, "v")), Some(&Storage::Heap));
    }
}

/// What becomes the next value of a carried array is moved there: the next iteration has to make another one.
#[test]
fn what_is_moved_is_not_hoisted() {
    let body = body(&steps(ADD, "%l"));
    let plan = Plan::of(&body);
    assert_eq!(plan.storage(var(&body, "k")), Some(&Storage::Heap));
    assert!(plan.hoisted.is_empty());
}

/// The size is known in the iteration only.
#[test]
fn what_has_a_size_of_the_iteration_is_not_hoisted() {
    let text = steps(ADD, "%carried").replace("%k: f64[%1] = zero %1.n", "%k: f64[%20] = zero %20.step");
    let body = body(&text.replace("%l: f64[%1]", "%l: f64[%20]"));
    assert_eq!(Plan::of(&body).storage(var(&body, "k")), Some(&Storage::Heap));
}

/// The row of the outer loop's index is found before the inner loop, unless that changes the array.
#[test]
fn rows_before_loops() {
    let text = "fn f(%x: f64[%1, %2], %1.n: usize, %2.m: usize) {
        %s: f64 = const 0
        %y: f64 = for 0..%1 %s |%20.i: usize, %t: f64| {
            %u: f64 = for 0..%2 %t |%30.j: usize, %a: f64| {
                %c: f64 = get %x %20.i %30.j
                %d: f64 = add %a %c
                yield %d
            }
            yield %u
        }
        return %y
    }";
    let body_of_reads = body(text);
    let plan = Plan::of(&body_of_reads);
    let rows: Vec<(Var, Var)> = plan.rows.values().flatten().map(|row| (row.array, row.at)).collect();
    assert_eq!(rows, [(var(&body_of_reads, "x"), Var(20))]);
    assert!(plan.rows.contains_key(&Var(30)));
    // The index of the loop itself is of another row in each iteration.
    assert!(Plan::of(&body(&text.replace("get %x %20.i %30.j", "get %x %30.j %20.i"))).rows.is_empty());
    let changed = "fn f(mut %x: f64[%1, %2], %1.n: usize, %2.m: usize, %p: f64) {
        %z: f64[%1, %2] = for 0..%1 %x |%20.i: usize, %v: f64[%1, %2]| {
            %w: f64[%1, %2] = for 0..%2 %v |%30.j: usize, %b: f64[%1, %2]| {
                %c: f64 = get %b %20.i %30.j
                %d: f64 = mul %c %p
                %e: f64[%1, %2] = set %b %d %20.i %30.j
                yield %e
            }
            yield %w
        }
        return %z
    }";
    assert!(Plan::of(&body(changed)).rows.is_empty());
}

#[track_caller]
fn refused(text: &str, results: usize, problem: &str) {
    let body = body(text);
    let at = body.block.results.len() - results;
    let plan = Plan::decide(&body, &body.block.results[at..]);
    let found = verify::verify(&body, &plan).expect_err("the plan holds");
    assert!(found.contains(problem), "{found}");
}

/// The verification finds an array that is read after another one is in its place.
#[test]
fn two_arrays_in_one_place() {
    let text = "fn f(%p: f64, %k: usize) {
        %z: f64[3] = zero
        %y: f64[3] = set %z %p %k
        %a: f64 = get %z %k
        return %a %y
    }";
    refused(text, 0, "%2 is read where %3 is in its place");
}

/// The same of a loop whose carried arrays change places.
#[test]
fn carried_arrays_that_change_places() {
    let text = "fn f(%k: usize) {
        %a: f64[3] = zero
        %b: f64[3] = zero
        %c: f64[3], %d: f64[3] = for 0..3 %a %b |%i: usize, %e: f64[3], %g: f64[3]| {
            yield %g %e
        }
        return %c %d
    }";
    refused(text, 0, "changes places");
}

/// What only one branch has changed may not be read afterwards.
#[test]
fn an_array_that_one_branch_has_changed() {
    let text = "fn f(%p: f64, %k: usize, %c: bool) {
        %z: f64[3] = zero
        %y: f64 = if %c || {
            %s: f64[3] = set %z %p %k
            %a: f64 = get %s %k
            yield %a
        } || {
            yield %p
        }
        %b: f64 = get %z %k
        return %y %b
    }";
    refused(text, 0, "after a branch has changed it");
}
