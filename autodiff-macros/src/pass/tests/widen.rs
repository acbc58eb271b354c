//! Several directions, and what is left open where a number decides: see Note [Decisions] in `pass/widen/structure.rs`.

use crate::ir::{Body, text, verify};
use crate::pass::widen::{self, Widened};

/// The text of a body whose last parameter becomes the tangent of the first.
fn widened(source: &str) -> (String, bool) {
    let body: Body = text::parse(source).unwrap();
    let (number, dot) = (body.block.params[0], *body.block.params.last().unwrap());
    let is_tangent = |k: usize| k + 1 == body.block.results.len();
    let Widened { body, has_structure } = widen::run(&body, &[dot], &[number], &is_tangent).unwrap();
    verify::verify(&body).unwrap();
    (text::print(&body), has_structure)
}

#[test]
fn a_choice_by_a_number_is_any_of_the_two() {
    let text = |condition: &str| {
        widened(&format!(
            "
            fn f(%x: f64, %n: f64, %x_dot: f64) {{
                %zero: f64 = const 0.0
                %c: bool = gt {condition} %zero
                %y: f64 = neg %x_dot
                %z: f64 = select %c %x_dot %y
                return %z
            }}"
        ))
    };
    let (by_number, has_structure) = text("%x");
    assert!(by_number.contains("choose") && has_structure, "{by_number}");
    let (by_data, has_structure) = text("%n");
    assert!(by_data.contains("select") && has_structure, "{by_data}");
}

/// An element that one branch writes may be what it was before, or what is written.
#[test]
fn elements_that_a_branch_writes() {
    let (text, has_structure) = widened(
        "
        fn f(%x: f64[N], %i: usize, %x_dot: f64[N]) {
            %z: f64[N] = zero
            %a: f64 = get %x %i
            %zero: f64 = const 0.0
            %c: bool = gt %a %zero
            %y: f64[N] = if %c || {
                %one: usize = dim[1]
                %j: usize = iadd %i %one
                %b: f64 = get %x_dot %j
                %t: f64[N] = set %z %b %i
                yield %t
            } || {
                yield %z
            }
            return %y
        }",
    );
    assert!(has_structure, "{text}");
    for part in ["wrapping_add", "reach_at", "joined"] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    assert!(!text.contains("reach (") && !text.contains("reach %"), "{text}");
}

/// How many rows there are depends on a number.
#[test]
fn no_structure_without_sizes() {
    let (text, has_structure) = widened(
        "
        fn f(%0: f64, %1: usize, %2: f64) {
            %3: f64[%1] = zero %1
            %4: f64 = const 0.0
            %5: bool = gt %0 %4
            %6: f64[%1] = if %5 || {
                %7: f64[%1] = for 0..%1 %3 |%8: usize, %9: f64[%1]| {
                    %10: f64[%1] = set %9 %2 %8
                    yield %10
                }
                yield %7
            } || {
                yield %3
            }
            return %6
        }",
    );
    assert!(!has_structure, "{text}");
}
