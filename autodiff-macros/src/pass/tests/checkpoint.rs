//! Loops that are reversed from snapshots, run step by step.

use super::body;
use crate::ir::eval::{Array, Machine, snapshots};
use crate::ir::text::print;
use crate::ir::{Body, Op};
use crate::pass::adjoint::{self, CallStrategy, Output, Seed};
use crate::pass::{check, lengths, tangent};

/// `let (mut x, mut k) = (x0, 0); for _ in 0..N { k += 1; x = x.sin() * k as f64; }`
fn walk(keep: &str, range: &str) -> Body {
    body(&format!(
        "fn f(%x0: f64) {{
            %zero: usize = dim[0]
            %y: f64, %last: usize = for{keep} {range} %x0 %zero |%i: usize, %x: f64, %k: usize| {{
                %one: usize = dim[1]
                %next: usize = iadd %k %one
                %factor: f64 = cast %next
                %s: f64 = sin %x
                %n: f64 = mul %s %factor
                yield %n %next
            }}
            return %y
        }}"
    ))
}

/// `while x > 1 { x = x * 0.5 + sin x }`, counted
fn fall(keep: &str) -> Body {
    body(&format!(
        "fn f(%x0: f64) {{
            %y: f64 = while{keep} %x0 |%a: f64| {{
                %least: f64 = const 0.01
                %more: bool = gt %a %least
                yield %more
            }} |%x: f64| {{
                %half: f64 = const 0.5
                %h: f64 = mul %x %half
                %s: f64 = sin %h
                yield %s
            }}
            return %y
        }}"
    ))
}

fn gradient(body: &Body) -> Body {
    let joint = adjoint::transform(body, &body.block.params, Seed::One, Output::Fresh, CallStrategy::Recompute);
    joint.unwrap_or_else(|unsupported| panic!("{}", unsupported.message)).body
}

fn run(body: &Body, size: usize, args: &[f64]) -> Vec<Array> {
    let args: Vec<Array> = args.iter().map(|x| Array::scalar(*x)).collect();
    let result = Machine::new(&[("N", size)]).run(body, &args);
    result.unwrap_or_else(|problem| panic!("{problem}\n{}", print(body)))
}

/// Value, gradient and its tangent, before and after the passes.
fn everything(body: &Body, size: usize) -> Vec<Vec<Array>> {
    let gradient = gradient(body);
    let Ok(second) = tangent::transform(&gradient, &body.block.params) else { panic!("no tangent") };
    let passed = |body: &Body| crate::pass::run_all(body.clone(), &lengths::Lengths::default(), &mut |_, _| {});
    vec![
        run(&gradient, size, &[0.7]),
        run(&passed(&gradient), size, &[0.7]),
        run(&second, size, &[0.7, 1.0]),
        run(&passed(&second), size, &[0.7, 1.0]),
    ]
}

fn equal(given: &Body, expected: &Body, size: usize) {
    for (given, expected) in everything(given, size).iter().zip(everything(expected, size)) {
        check::all_agree(given, &expected, 0.0).unwrap_or_else(|problem| panic!("{size} steps: {problem}"));
    }
}

#[test]
fn snapshots_change_no_number() {
    for range in ["0..N", "0..N rev", "3..N + 3", "2..N + 2 rev"] {
        for limit in [1, 2, 4] {
            for size in [0, 1, 2, 3, 7, 11] {
                equal(&walk(&format!("[snapshots {limit}]"), range), &walk("", range), size);
            }
        }
    }
    for limit in [1, 2, 3] {
        equal(&fall(&format!("[snapshots {limit}]")), &fall(""), 0);
    }
}

/// A loop of few iterations keeps them all.
#[test]
fn as_many_snapshots_as_iterations() {
    let all = gradient(&walk("[snapshots 4]", "0..4"));
    assert!(print(&all).contains("history") && !print(&all).contains("next_snapshot"), "{}", print(&all));
    let some = gradient(&walk("[snapshots 3]", "0..4"));
    assert!(print(&some).contains("next_snapshot") && !print(&some).contains("history"), "{}", print(&some));
}

/// What nobody reads needs no snapshot.
#[test]
fn a_sum_takes_no_snapshot() {
    let sum = "fn f(%x: f64) {
        %zero: f64 = const 0.0
        %y: f64 = for[snapshots 2] 0..N %zero |%i: usize, %s: f64| {
            %q: f64 = sin %x
            %n: f64 = add %s %q
            yield %n
        }
        return %y
    }";
    let gradient = gradient(&body(sum));
    assert!(!print(&gradient).contains("next_snapshot"), "{}", print(&gradient));
}

/// The evaluator's own search finds the known minimum.
#[test]
fn the_fewest_steps() {
    // t(10, 1), t(10, 2), t(10, 3)
    assert_eq!([0, 1, 2].map(|room| snapshots::fewest(10, room)), [45, 20, 15]);
    assert_eq!(snapshots::next(10, 0), 10);
}

#[test]
fn only_snapshots_leave_the_forward_loop() {
    let gradient = gradient(&walk("[snapshots 3]", "0..N"));
    let forward = gradient.block.eqns.iter().find(|eqn| matches!(eqn.op, Op::For { .. })).expect("a loop");
    let kept: Vec<String> = forward.outs.iter().map(|out| gradient.ty(*out).to_string()).collect();
    assert_eq!(
        kept,
        ["f64", "usize", "f64[3]", "usize[3]", "usize[3]", "usize", "usize", "f64[1]", "usize[1]"],
        "{}",
        print(&gradient)
    );
}
