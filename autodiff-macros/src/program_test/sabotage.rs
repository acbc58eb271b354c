//! The check finds what is wrong: derivatives that are spoiled in one place of the reverse sweep, as a bug would.

use super::check::{Case, Differences, Outcome};
use super::{agrees, caught, generate, seed};
use crate::fault::{self, Fault};
use crate::ir::{Block, Body, Eqn, Op};
use crate::op::elementwise as rows;
use crate::pass::check::Numbers;

/// Spoils an equation, if it is of the kind that this is about; says whether it was.
type Spoil = fn(&mut Eqn, &Adjoint) -> bool;

/// What is spoiled.
struct Adjoint<'b> {
    body: &'b Body,
    primal: &'b Body,
}

impl Adjoint<'_> {
    /// Whether an equation was made by the transformation.
    fn is_new(&self, eqn: &Eqn) -> bool {
        eqn.outs.first().is_some_and(|out| out.0 as usize >= self.primal.vars.len())
    }

    fn is_cotangent(&self, eqn: &Eqn) -> bool {
        let hint = eqn.outs.first().and_then(|out| self.body.data(*out).hint.as_deref());
        hint.is_some_and(|hint| hint.ends_with("_bar"))
    }
}

/// The result is the first argument.
fn skip(eqn: &mut Eqn) -> bool {
    eqn.args.truncate(1);
    eqn.op = Op::Copy;
    true
}

/// What is spoiled.
const SPOILS: &[(&str, Spoil)] = &[
    ("a contribution is skipped", |eqn, adjoint| matches!(eqn.op, Op::Acc) && adjoint.is_new(eqn) && skip(eqn)),
    ("an iteration is not kept", |eqn, adjoint| {
        matches!(eqn.op, Op::Set) && adjoint.is_new(eqn) && !adjoint.is_cotangent(eqn) && skip(eqn)
    }),
    ("an overwritten element keeps its cotangent", |eqn, adjoint| {
        matches!(eqn.op, Op::Set) && adjoint.is_cotangent(eqn) && skip(eqn)
    }),
    ("a loop runs the wrong way", |eqn, adjoint| {
        let is_new = adjoint.is_new(eqn);
        match &mut eqn.op {
            Op::For { reverse, .. } if is_new && !eqn.args.is_empty() => {
                *reverse = !*reverse;
                true
            }
            _ => false,
        }
    }),
    ("the wrong branch is taken", |eqn, adjoint| {
        let is_new = matches!(eqn.op, Op::If) && adjoint.is_new(eqn);
        if is_new {
            eqn.regions.swap(0, 1);
        }
        is_new
    }),
    ("a sum is a difference", |eqn, adjoint| match eqn.op {
        Op::Map(row) if row.name == "add" && adjoint.is_new(eqn) => {
            eqn.op = Op::Map(&rows::sub);
            true
        }
        _ => false,
    }),
];

/// Spoils the equation that has so many of its kind before it.
fn spoil(block: &mut Block, adjoint: &Adjoint, at: &mut usize, how: Spoil) -> bool {
    for eqn in &mut block.eqns {
        let mut spoiled = eqn.clone();
        if how(&mut spoiled, adjoint) {
            if *at == 0 {
                *eqn = spoiled;
                return true;
            }
            *at -= 1;
        }
        if eqn.regions.iter_mut().any(|region| spoil(region, adjoint, at, how)) {
            return true;
        }
    }
    false
}

/// How many bodies are spoiled in each way.
const SPOILED: usize = 8;

#[test]
fn spoiled_derivatives_are_found() {
    for (name, how) in SPOILS {
        let mut spoiled = 0;
        for_cases(|case, numbers| {
            let (mut vjp, mut at) = (case.bodies.vjp.clone(), (numbers.bits() % 4) as usize);
            let adjoint = Adjoint { body: &case.bodies.vjp, primal: &case.bodies.primal };
            if spoil(&mut vjp.block, &adjoint, &mut at, *how) {
                let before = case.numbers();
                case.bodies.vjp = vjp;
                if changes(&before, &caught(|| case.numbers())) {
                    assert!(caught(|| case.first()).is_err(), "{name}: this is not found");
                    spoiled += 1;
                }
            }
            spoiled < SPOILED
        });
        assert!(3 * spoiled >= SPOILED, "{name}: only {spoiled} bodies are spoiled");
    }
}

/// A program that computes something else than its source.
#[test]
fn spoiled_values_are_found() {
    let mut spoiled = 0;
    for_cases(|case, numbers| {
        let (mut primal, mut at) = (case.bodies.primal.clone(), (numbers.bits() % 4) as usize);
        let all = Adjoint { body: &case.bodies.primal, primal: &Body::default() };
        let how: Spoil = |eqn, _| match eqn.op {
            Op::Map(row) if row.name == "mul" => {
                eqn.op = Op::Map(&rows::sub);
                true
            }
            _ => false,
        };
        // The tail is a sum of products with the variables.
        at += primal.block.eqns.iter().filter(|eqn| matches!(eqn.op, Op::Map(row) if row.name == "mul")).count() / 2;
        if spoil(&mut primal.block, &all, &mut at, how) {
            let before = case.numbers();
            case.bodies.primal = primal;
            if changes(&before, &caught(|| case.numbers())) {
                let problem = caught(|| case.first()).expect_err("what is spoiled agrees");
                assert!(problem.contains("value"), "{problem}");
                spoiled += 1;
            }
        }
        spoiled < SPOILED
    });
    assert_eq!(spoiled, SPOILED);
}

/// The source's own tangent is not taken on trust.
#[test]
fn wrong_tangents_are_found() {
    let (mut found, mut silent) = (0, 0);
    for_cases(|case, _| {
        match case.with_wrong_tangent() {
            Err(_) => found += 1,
            Ok(Differences::Agree) => panic!("a wrong tangent agrees with differences"),
            Ok(_) => silent += 1,
        }
        found < 100
    });
    assert!(found >= 100 && silent * 20 <= found, "{found} wrong tangents are found, of {silent} nothing is said");
}

type Given = Result<(Vec<f64>, Vec<f64>), String>;

/// Whether other numbers are given than before, or none. What is not run, on which nothing depends, or whose derivative is
/// 0, can be spoiled without a change: there is nothing to find.
fn changes(before: &Given, after: &Given) -> bool {
    let differ = |x: &[f64], y: &[f64]| x.iter().zip(y).any(|(x, y)| (x - y).is_nan() || (x - y).abs() > VISIBLE);
    match (before, after) {
        (Ok(before), Ok(after)) => differ(&before.0, &after.0) || differ(&before.1, &after.1),
        (before, after) => before.is_ok() && after.is_err(),
    }
}

/// More than rounding, in single precision too.
const VISIBLE: f64 = 0.02;

/// Faults that were there once, and what the programs mention in which they show.
const FAULTS: &[(Fault, &[&str])] = &[
    (Fault::ChangesAreSums, &["&mut ", "#[differentiable]"]),
    (Fault::ConditionsHold, &["#[cfg("]),
    (Fault::CallsArePure, &["draw("]),
    (Fault::MethodsChangeNothing, &["&mut self"]),
    (Fault::ConditionsChangeNothing, &["while {"]),
    (Fault::FirstBorrow, &["else { &mut "]),
    (Fault::FieldsAsDeclared, &["({ ", "derive"]),
];

/// Of so many programs each fault is found in one at least.
const ENOUGH: usize = 1000;

#[test]
fn faults_are_found() {
    let found: Vec<_> = FAULTS.iter().map(|(fault, mentioned)| (fault, first_found(*fault, mentioned))).collect();
    println!("faults, and the first program that finds them: {found:?}");
    assert!(found.iter().all(|(_, found)| found.is_some()), "{found:?}");
}

/// The number of the first program that shows a fault, and is all right without it.
fn first_found(fault: Fault, mentioned: &[&str]) -> Option<usize> {
    let mut numbers = Numbers(17 + (u64::from(seed()) << 20));
    (1..=ENOUGH).find(|_| {
        let choices: Vec<u16> = (0..220).map(|_| (numbers.bits() >> 20) as u16).collect();
        let source = generate::any_program(&choices);
        mentioned.iter().all(|text| source.contains(text))
            && fault::with(fault, || caught(|| agrees(&source))).is_err()
            && matches!(caught(|| agrees(&source)), Ok(Outcome::Agrees(_)))
    })
}

/// Random programs that are all right, until it is enough.
fn for_cases(mut spoil: impl FnMut(&mut Case, &mut Numbers) -> bool) {
    let mut numbers = Numbers(7);
    for _ in 0..600 {
        let choices: Vec<u16> = (0..180).map(|_| (numbers.bits() >> 20) as u16).collect();
        let Ok(mut case) = caught(|| Case::of(&generate::program(&choices))) else { continue };
        if matches!(caught(|| case.first()), Ok(Outcome::Agrees(_))) && !spoil(&mut case, &mut numbers) {
            return;
        }
    }
}
