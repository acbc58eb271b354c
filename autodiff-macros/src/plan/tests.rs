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
    assert_eq!(Plan::of(&body).storage(var(&body, "k")), Some(&Storage::Part));
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

/// Two arrays that are made side by side, and what a loop does with the first.
fn pair(between: &str, update: &str) -> String {
    format!(
        "fn f(%0.n: usize, %1.m: usize, %2.x: f64) {{
            %a: f64[%0] = zero %0.n
            {between}
            %b: f64[%1] = zero %1.m
            %c: f64[%0], %d: f64[%1] = for 0..%0 %a %b |%i: usize, %p: f64[%0], %q: f64[%1]| {{
                %u: f64[%0] = set %p %2.x %i
                %v: f64[%1] = {update}
                yield %u %v
            }}
            %o: usize = dim[0]
            %y: f64 = get %c %o
            return %y
        }}"
    )
}

/// See Note [One allocation].
#[test]
fn arrays_side_by_side_are_parts() {
    let update = "set %q %2.x %i";
    stored(&pair("", update), &[("a", Some(Storage::Part)), ("b", Some(Storage::Part))]);
    let are_together = |text: &str| {
        let body = body(text);
        let plan = Plan::of(&body);
        plan.parts(var(&body, "b")).iter().map(|part| part.var).collect::<Vec<_>>()
            == [var(&body, "a"), var(&body, "b")]
    };
    assert!(are_together(&pair("", update)));
    // One of them is read before the other one is made, or they have other rows.
    for text in [
        pair("%first: usize = dim[0]\n%w: f64 = get %a %first", update),
        pair("", update)
            .replace("%b: f64", "%b: f32")
            .replace("%d: f64", "%d: f32")
            .replace("%q: f64", "%q: f32")
            .replace("%v: f64[%1] = set %q %2.x %i", "%r: f32 = cast %2.x\n%v: f32[%1] = set %q %r %i"),
    ] {
        stored(&text, &[("a", Some(Storage::Part)), ("b", Some(Storage::Part))]);
        assert!(!are_together(&text));
    }
    // The second one is replaced.
    stored(&pair("", "copy %q"), &[("a", Some(Storage::Part)), ("b", Some(Storage::Heap))]);
}

/// A call that asks for a slice takes an array where it is; one that asks for a `Vec` does not.
#[test]
fn what_is_borrowed_as_a_slice_stays() {
    let text = |argument: &str| {
        format!(
            "fn f(%0.n: usize, %k: usize) {{
                %a: f64[%0] = zero %0.n
                %y: f64, %b: f64[%0] = call[g](mut diff{argument}) -> f64 %a
                %z: f64 = get %b %k
                return %y %z
            }}"
        )
    };
    stored(&text(" slice"), &[("a", Some(Storage::Part))]);
    stored(&text(""), &[("a", Some(Storage::Heap))]);
}

/// A residual of a size that is known at run time is made in the place that the caller has for it, unless it is moved.
#[test]
fn a_residual_on_the_heap_is_made_in_its_destination() {
    let text = |last: &str| {
        format!(
            "fn f(%0.n: usize, %1.x: f64) {{
                %a: f64[%0] = zero %0.n
                %b: f64[%0] = for 0..%0 %a |%i: usize, %c: f64[%0]| {{
                    %d: f64[%0] = set %c %1.x %i
                    yield {last}
                }}
                return %1.x %b
            }}"
        )
    };
    let moved = text("%e").replace("yield", "%e: f64[%0] = copy %d\nyield");
    for (text, storage) in [(text("%d"), Storage::Destination(0)), (moved, Storage::Heap)] {
        let body = body(&text);
        let plan = Plan::with_destinations(&body, &body.block.results[1..]);
        assert_eq!(plan.storage(var(&body, "a")), Some(&storage));
    }
}

/// Residuals of a call are made in the array that they are stored in, if nothing reads it in between.
#[test]
fn residuals_are_made_where_they_are_stored() {
    let text = |between: &str| {
        format!(
            "fn f(%x: f64) {{
                %h: residuals<g>[4] = zero
                %y: f64, %all: residuals<g>[4] = for 0..4 %x %h |%i: usize, %t: f64, %p: residuals<g>[4]| {{
                    %v: f64, %r: residuals<g> = call[g forward](diff) -> f64 %t
                    {between}
                    %q: residuals<g>[4] = set %p %r %i
                    yield %v %q
                }}
                return %y
            }}"
        )
    };
    let (plain, read) = (text(""), text("%o: residuals<g> = get %p %i"));
    let storage = |text: &str| {
        let body = body(text);
        Plan::of(&body).storage(var(&body, "r")).cloned()
    };
    assert!(matches!(storage(&plain), Some(Storage::Element { .. })));
    assert_eq!(storage(&read), Some(Storage::Stack));
}

/// What is returned is an array of its own.
#[test]
fn what_is_returned_is_no_part() {
    let text = pair("", "set %q %2.x %i").replace("return %y", "return %y %d");
    stored(&text, &[("a", Some(Storage::Part)), ("b", Some(Storage::Heap))]);
}

/// A gradient that is added to zeros is set, so that these need not be there.
#[test]
fn a_gradient_that_is_set() {
    let text = |kind: &str, again: &str| {
        format!(
            "fn f(%0.n: usize, %x: f64[%0], %s: f64) {{
                %a: f64 = for 0..%0 %s |%i: usize, %t: f64| {{
                    %z: f64[%0] = zero %0.n
                    {again}
                    %y: f64, %b: f64[%0] = call[g gradient](diff{kind}) -> f64 %x %z
                    %v: f64 = get %b %i
                    %u: f64 = add %y %v
                    yield %u
                }}
                return %a
            }}"
        )
    };
    let sets = |text: &str| {
        let body = body(text);
        let plan = Plan::of(&body);
        let loops = &body.block.eqns[0].regions[0];
        let call = loops.eqns.iter().find(|eqn| eqn.op.as_call().is_some()).unwrap_or_else(|| panic!("no call"));
        (plan.sets_gradient(call), plan.is_covered(var(&body, "z")))
    };
    assert_eq!(sets(&text(" slice", "")), (true, true));
    assert_eq!(sets(&text("", "")), (false, false));
    assert_eq!(sets(&text(" slice", "%w: f64 = get %z %i")), (false, false));
}
