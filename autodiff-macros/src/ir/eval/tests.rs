use super::{Array, Machine};
use crate::ir::text::parse;

fn run(text: &str, args: &[Array]) -> Result<Vec<Array>, String> {
    let body = parse(text).expect(text);
    crate::ir::verify::verify(&body).expect(text);
    Machine::new(&[("N", 3)]).run(&body, args)
}

fn vector(data: &[f64]) -> Array {
    Array { dims: vec![data.len()], data: data.to_vec() }
}

#[test]
fn a_loop_carries_a_sum() {
    let text = "
        fn sum_of_squares(%x: f64[N]) {
            %s: f64 = const 0
            %t: f64 = for 0..N %s |%i: usize, %c: f64| {
                %e: f64 = get %x %i
                %q: f64 = mul %e %e
                %n: f64 = add %c %q
                yield %n
            }
            return %t
        }";
    assert_eq!(run(text, &[vector(&[1.0, 2.0, 3.0])]).unwrap(), [Array::scalar(14.0)]);
}

#[test]
fn loops_with_a_condition_and_branches() {
    let text = "
        fn halve(%x: f64) {
            %one: f64 = const 1
            %half: f64 = const 0.5
            %y: f64 = while %x |%a: f64| {
                %more: bool = gt %a %one
                yield %more
            } |%b: f64| {
                %c: f64 = mul %b %half
                yield %c
            }
            %big: bool = gt %y %half
            %z: f64 = if %big || {
                yield %y
            } || {
                %m: f64 = neg %y
                yield %m
            }
            return %z %y
        }";
    assert_eq!(run(text, &[Array::scalar(6.0)]).unwrap(), [Array::scalar(0.75), Array::scalar(0.75)]);
    assert_eq!(run(text, &[Array::scalar(8.0)]).unwrap(), [Array::scalar(1.0), Array::scalar(1.0)]);
    assert_eq!(run(text, &[Array::scalar(0.5)]).unwrap(), [Array::scalar(-0.5), Array::scalar(0.5)]);
}

#[test]
fn elements_rows_and_arrays_are_read_and_replaced() {
    let text = "
        fn f(%t: f64[2, 3], %v: f64[3], %x: f64) {
            %zero: usize = const 0
            %one: usize = const 1
            %a: f64[2, 3] = set %t %v %one
            %b: f64[2, 3] = acc %a %x %zero %one
            %r: f64[3] = get %b %zero
            %p: f64[2, 3] = pack %r %v
            %s: f64[2, 3] = acc %p %b
            return %b %s
        }";
    let t = Array { dims: vec![2, 3], data: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0] };
    let [b, s] = &run(text, &[t, vector(&[7.0, 8.0, 9.0]), Array::scalar(0.5)]).unwrap()[..] else { panic!() };
    assert_eq!(b.data, [1.0, 2.5, 3.0, 7.0, 8.0, 9.0]);
    assert_eq!(s.data, [2.0, 5.0, 6.0, 14.0, 16.0, 18.0]);
}

#[test]
fn what_would_panic_is_an_error() {
    let text = "
        fn f(%t: f64[3]) {
            %k: usize = const 3
            %x: f64 = get %t %k
            return %x
        }";
    assert!(run(text, &[vector(&[1.0; 3])]).unwrap_err().contains("index"));
    assert!(run(text, &[vector(&[1.0; 4])]).unwrap_err().contains("shape"));
    let text = "
        fn f(%i: usize) {
            %one: usize = const 1
            %j: usize = isub %i %one
            return %j
        }";
    assert!(run(text, &[Array::scalar(0.0)]).unwrap_err().contains("usize"));
}

#[test]
fn single_precision_rounds_every_result() {
    let body = parse("fn f(%x: f64) {\n%y: f64 = add %x %x\nreturn %y\n}").unwrap();
    let single = Machine { single: true, ..Machine::default() };
    assert_eq!(single.run(&body, &[Array::scalar(0.1)]).unwrap()[0].data, [f64::from(0.1_f32 + 0.1_f32)]);
    assert_eq!(Machine::default().run(&body, &[Array::scalar(0.1)]).unwrap()[0].data, [0.2]);
}

#[test]
fn a_value_is_gone_after_its_update_in_place() {
    let text = "fn f(%t: f64[2], %x: f64) {\n%k: usize = const 0\n%u: f64[2] = set %t %x %k\nreturn %u %t\n}";
    let body = parse(text).unwrap();
    let args = [vector(&[1.0, 2.0]), Array::scalar(5.0)];
    assert!(Machine::default().run(&body, &args).is_ok());
    let in_place = Machine { in_place: true, ..Machine::default() };
    assert!(in_place.run(&body, &args).unwrap_err().contains("updated in place"));
}

/// In text, `%10` comes before `%3`, and `%9` after it.
#[test]
fn zeros_are_as_many_if_their_sizes_have_other_names() {
    let text = "
        fn f(%0: f64[%2], %1: f64[%3]) {
            %2: usize = len %0
            %3: usize = len %1
            %9: usize = len %1
            %10: usize = len %1
            %4: f64[%2 - %3] = zero %2 %3
            return %4
        }";
    let args = [vector(&[1.0; 5]), vector(&[1.0; 2])];
    let mut body = parse(text).expect("it is a body");
    for size in [9, 10] {
        body.block.eqns[4].args[1] = crate::ir::Var(size);
        crate::ir::verify::verify(&body).unwrap();
        let shown = crate::ir::text::print(&body);
        assert!(shown.contains(&format!("zero[#0 - #1] %2 %{size}")), "{shown}");
        assert_eq!(parse(&shown).map(|body| crate::ir::text::print(&body)), Ok(shown));
        assert_eq!(Machine::new(&[]).run(&body, &args).unwrap(), [vector(&[0.0; 3])]);
    }
}
