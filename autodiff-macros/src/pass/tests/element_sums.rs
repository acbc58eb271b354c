//! What a loop does to one element of an array, it does to a number.

use crate::analysis::dependence::dependencies;
use crate::ir::Body;
use crate::ir::text::{canonical, parse};
use crate::ir::var::VarSet;
use crate::pass::element_sums::run;

fn body(text: &str) -> Body {
    parse(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"))
}

/// The reverse sweep of a product with a triangle, row after row.
const TRIANGLE: &str = "
    fn f(%l: f64[%n], %x: f64[%d], %y_bar: f64[%d], mut %x_bar: f64[%d], mut %l_bar: f64[%n], %i: usize, %at: usize) {
        %n: usize = len %l
        %d: usize = len %x
        %one: usize = dim[1]
        %from: usize = iadd %i %one
        %a: f64[%d], %b: f64[%n], %c: usize = for %from..%d %x_bar %l_bar %at |%j: usize, %xs: f64[%d], %ls: f64[%n], %k: usize| {
            %y: f64 = get %y_bar %j
            %w: f64 = get %l %k
            %p: f64 = mul %w %y
            %xs2: f64[%d] = acc %xs %p %i
            %v: f64 = get %x %i
            %q: f64 = mul %v %y
            %ls2: f64[%n] = acc %ls %q %k
            %next: usize = iadd %k %one
            yield %xs2 %ls2 %next
        }
        return %a %b
    }";

const IN_NUMBERS: &str = "
    fn f(%l: f64[%n], %x: f64[%d], %y_bar: f64[%d], mut %x_bar: f64[%d], mut %l_bar: f64[%n], %i: usize, %at: usize) {
        %n: usize = len %l
        %d: usize = len %x
        %one: usize = dim[1]
        %from: usize = iadd %i %one
        %lo: usize = dim[%from]
        %hi: usize = dim[%d]
        %runs: bool = lt %lo %hi
        %v: f64 = if %runs || {
            %e: f64 = get %x %i
            yield %e
        } || {
            %z: f64 = const 0
            yield %z
        }
        %start: f64 = const 0
        %b: f64[%n], %c: usize, %total: f64 = for %from..%d %l_bar %at %start |%j: usize, %ls: f64[%n], %k: usize, %sum: f64| {
            %y: f64 = get %y_bar %j
            %w: f64 = get %l %k
            %p: f64 = mul %w %y
            %q: f64 = mul %v %y
            %ls2: f64[%n] = acc %ls %q %k
            %next: usize = iadd %k %one
            %sum2: f64 = add %sum %p
            yield %ls2 %next %sum2
        }
        %lo2: usize = dim[%from]
        %hi2: usize = dim[%d]
        %ran: bool = lt %lo2 %hi2
        %a: f64[%d] = if %ran || {
            %added: f64[%d] = acc %x_bar %total %i
            yield %added
        } || {
            yield %x_bar
        }
        return %a %b
    }";

#[test]
fn an_element_is_read_once_and_added_to_once() {
    assert_eq!(canonical(&run(body(TRIANGLE), &VarSet::default())), canonical(&body(IN_NUMBERS)));
}

/// Of values the order counts.
#[test]
fn values_keep_their_order() {
    let body = body(TRIANGLE);
    let exact = dependencies(&body, body.block.results.iter().copied());
    assert_eq!(canonical(&run(body.clone(), &exact)), canonical(&body));
}

/// What is read again is not only a sum, and another element may be the same one.
#[test]
fn arrays_that_are_read() {
    let text = TRIANGLE.replace("%v: f64 = get %x %i", "%v: f64 = get %xs2 %j");
    assert_eq!(canonical(&run(body(&text), &VarSet::default())), canonical(&body(&text)));
}
