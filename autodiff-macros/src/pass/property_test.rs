//! Random bodies: every pass keeps their numbers, and their derivatives agree with differences and each other.
//!
//! The seed is fixed: a run tells the same every time. `PROPTEST_CASES=5000` looks further.

use super::adjoint::{self, CallStrategy, Output, Seed};
use super::check::{Derivatives, Numbers, Passes, ROUNDING, all_agree, check_passes};
use super::random::{self, Control, machine};
use super::rows;
use crate::ir::eval::Array;
use crate::ir::text::{canonical, parse, print};
use crate::ir::{Body, Op, Var, verify};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Runs `holds` on random bodies; the first that fails is shrunk and shown.
fn for_bodies(cases: u32, control: Control, holds: impl Fn(&Body) -> Result<(), String>) {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { cases };
    let config = ProptestConfig { cases, max_shrink_iters: 3000, ..default };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&vec(any::<u16>(), 1..160), |choices| {
        let body = random::body(&choices, control);
        let result = verify::verify(&body).and_then(|()| holds(&body));
        result.map_err(|problem| TestCaseError::fail(format!("{problem}\n{}", print(&body))))
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn passes_keep_the_numbers() {
    for_bodies(150, Control::All, |body| check_passes(&machine(), body, &random::point(body, &mut Numbers(1))));
}

#[test]
fn straight_lines() {
    for_bodies(60, Control::None, first_order);
}

#[test]
fn loops_and_branches() {
    for_bodies(100, Control::Differentiable, first_order);
}

fn first_order(body: &Body) -> Result<(), String> {
    let derivatives = Derivatives::of(body)?;
    for body in [&derivatives.jvp, &derivatives.vjp, &derivatives.accumulating] {
        verify::verify(body).map_err(|problem| format!("{problem}\n{}", print(body)))?;
    }
    let mut numbers = Numbers(1);
    let point = random::point(body, &mut numbers);
    // A kink nearby only means that differences tell nothing.
    derivatives.first_order(&machine(), &point, &mut numbers, Passes::OverAll).map(drop)
}

/// Each row is what the reverse sweep gives for a cotangent that is 1 in one place.
#[test]
fn rows_of_jacobians() {
    let seen = std::cell::Cell::new(0);
    for_bodies(300, Control::Differentiable, |body| {
        let inputs: Vec<Var> = body.block.params.iter().copied().filter(|param| body.ty(*param).is_float()).collect();
        let joint = adjoint::transform(body, &inputs, Seed::Parameter, Output::Fresh, CallStrategy::Residuals)
            .map_err(|unsupported| unsupported.message)?;
        let Some((rows, places)) = rows::run(&joint, body, &rows::LIMITS) else { return Ok(()) };
        verify::verify(&rows)?;
        seen.set(seen.get() + 1);
        let point = random::point(body, &mut Numbers(1));
        let passed = super::run_all(rows.clone(), &super::lengths::Lengths::default(), &mut |_, _| {});
        let (before, after) = (machine().run(&rows, &point)?, machine().run(&passed, &point)?);
        all_agree(&before, &after, ROUNDING)?;
        let mut expected = machine().run(body, &point)?;
        let seeds: Vec<Array> =
            joint.seeds.iter().map(|seed| Array::filled(&machine().dims(joint.body.ty(*seed)), 0.0)).collect();
        let numbers = seeds.iter().enumerate().flat_map(|(k, seed)| (0..seed.data.len()).map(move |at| (k, at)));
        let numbers: Vec<(usize, usize)> = numbers.collect();
        assert_eq!(numbers.len(), places.len());
        for (k, at) in numbers {
            let mut seeds = seeds.clone();
            seeds[k].data[at] = 1.0;
            let all = machine().run(&joint.body, &[point.clone(), seeds].concat())?;
            expected.extend(all.into_iter().skip(body.block.results.len()));
        }
        all_agree(&before, &expected, ROUNDING)
    });
    assert!(seen.get() >= 40, "{} bodies only", seen.get());
}

#[test]
fn second_derivatives() {
    for_bodies(25, Control::Differentiable, |body| {
        let vjp = Derivatives::of(body)?.vjp;
        first_order(&vjp).map_err(|problem| format!("derivative of the vjp: {problem}"))
    });
}

#[test]
fn text_parses_back() {
    for_bodies(300, Control::All, |body| {
        let mut bodies = vec![body.clone()];
        if !has_while(body) {
            let derivatives = Derivatives::of(body)?;
            bodies.extend([
                derivatives.jvp,
                derivatives.vjp,
                super::run_all(derivatives.accumulating, &super::lengths::Lengths::default(), &mut |_, _| {}),
            ]);
        }
        for body in bodies {
            let text = print(&body);
            let parsed = parse(&text).map_err(|problem| format!("{problem}\n{text}"))?;
            if print(&parsed) != text || canonical(&parsed) != canonical(&body) {
                return Err(format!("{text}\nparses as\n{}", print(&parsed)));
            }
        }
        Ok(())
    });
}

fn has_while(body: &Body) -> bool {
    fn any(block: &crate::ir::Block) -> bool {
        block.eqns.iter().any(|eqn| matches!(eqn.op, Op::While { .. }) || eqn.regions.iter().any(any))
    }
    any(&body.block)
}

/// The bodies are worth testing on: they contain every kind of equation, and their results are not all the same.
#[test]
fn bodies_are_of_many_kinds() {
    let seen = std::cell::RefCell::new(std::collections::BTreeMap::<String, usize>::new());
    for_bodies(600, Control::All, |body| {
        let text = print(body);
        for kind in [
            "for ",
            " rev ",
            "while ",
            "if ",
            "get ",
            "set ",
            "acc ",
            "pack ",
            "matmul",
            "matvec",
            "outer ",
            "sum[",
            "max[",
            "sum_to[",
            "broadcast_to[",
            "permute[",
            "reshape[",
            "select ",
            "zero",
            "irem ",
        ] {
            *seen.borrow_mut().entry(kind.to_owned()).or_default() += usize::from(text.contains(kind));
        }
        let one = machine().run(body, &random::point(body, &mut Numbers(1)))?;
        let other = machine().run(body, &random::point(body, &mut Numbers(2)))?;
        *seen.borrow_mut().entry("differs".to_owned()).or_default() +=
            usize::from(all_agree(&one, &other, 1e-3).is_err());
        Ok(())
    });
    for (kind, count) in seen.borrow().iter() {
        assert!(*count >= 10, "`{kind}` in {count} bodies only");
    }
}
