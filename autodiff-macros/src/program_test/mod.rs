//! Random programs: what they compute and its derivatives, from the source to the last pass.
//!
//! [`generate`] writes Rust functions, [`interpret`] runs them as they are written, and [`check`] compares that with what
//! the compiler makes of them. The seed is fixed: a run tells the same every time, and a program that fails is shrunk and
//! shown as Rust. Every night many more are looked at, other ones each time:
//!
//! ```text
//! AUTODIFF_PROGRAMS=10000 AUTODIFF_SEED=$(date +%j) CARGO_PROFILE_TEST_OPT_LEVEL=1 \
//!     cargo test -p autodiff-macros --target-dir target/nightly program_test
//! ```

mod calls;
mod check;
mod generate;
mod host;
mod interpret;
mod library;
mod number;
mod sabotage;
mod sample;
mod survey;
mod unroll;

use check::{Case, Differences, Outcome};
use library::REFUSED;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many programs are tried, of all the tests together: a quarter of them with all passes.
fn count() -> u32 {
    number("AUTODIFF_PROGRAMS").unwrap_or(2000)
}

fn number<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// Which programs they are.
fn seed() -> u8 {
    number("AUTODIFF_SEED").map_or(0, |seed: u64| (seed % 251) as u8)
}

/// What a panic says.
fn caught<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        Err(text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default())
    })
}

/// Runs `holds` on the sources of random programs; the first that fails is shrunk and shown.
fn for_programs(cases: u32, seed: u8, holds: impl Fn(&str) -> Result<Outcome, String>) {
    let config = ProptestConfig {
        cases,
        max_shrink_iters: 1500,
        max_shrink_time: 20_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut seeds = [seed; 32];
    seeds[0] = seed.wrapping_add(self::seed());
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seeds));
    let (agreed, discarded, refused) = (RefCell::new(BTreeMap::new()), Cell::new(0_u32), RefCell::new(BTreeMap::new()));
    let result = runner.run(&vec(any::<u16>(), 1..220), |choices| {
        let source = generate::program(&choices);
        match caught(|| holds(&source)) {
            Ok(Outcome::Agrees(differences)) => *agreed.borrow_mut().entry(differences).or_insert(0_u32) += 1,
            Ok(Outcome::Discarded) => discarded.set(discarded.get() + 1),
            Ok(Outcome::Refused(why)) => *refused.borrow_mut().entry(why).or_insert(0_u32) += 1,
            Err(problem) => return Err(TestCaseError::fail(format!("{problem}\n{source}"))),
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (by_differences, discarded, refused) = (agreed.into_inner(), discarded.get(), refused.into_inner());
    let (agreed, others) = (by_differences.values().sum::<u32>(), refused.values().sum::<u32>());
    println!(
        "{agreed} programs agree ({by_differences:?}), {discarded} are of no use, {others} are refused: {refused:#?}"
    );
    assert!(agreed > 3 * discarded, "{discarded} programs are of no use, {agreed} are");
    assert!(agreed > 10 * others, "{others} programs are refused: {refused:#?}");
    let silent = agreed - by_differences.get(&Differences::Agree).copied().unwrap_or(0);
    assert!(silent * 50 <= agreed, "differences say nothing of {silent} programs of {agreed}");
}

fn agrees(source: &str) -> Result<Outcome, String> {
    checked(source, Case::check)
}

fn checked(source: &str, check: fn(&Case) -> Result<Outcome, String>) -> Result<Outcome, String> {
    match Case::of(source) {
        Err(problem) if problem.starts_with(REFUSED) => Ok(Outcome::Refused(problem[REFUSED.len()..].to_owned())),
        case => check(&case?),
    }
}

/// The same without the passes, which are most of the work.
fn agrees_as_built(source: &str) -> Result<Outcome, String> {
    checked(source, Case::check_as_built)
}

#[test]
fn programs_1() {
    for_programs(count() / 8, 1, agrees);
}

#[test]
fn programs_2() {
    for_programs(count() / 8, 2, agrees);
}

#[test]
fn programs_3() {
    for_programs(count() / 8 * 3, 3, agrees_as_built);
}

#[test]
fn programs_4() {
    for_programs(count() - count() / 8 * 5, 4, agrees_as_built);
}

#[test]
fn programs_are_of_many_kinds() {
    let seen = RefCell::new(BTreeMap::<&str, usize>::new());
    for_programs(10_000, 5, |source| {
        for kind in generate::KINDS {
            *seen.borrow_mut().entry(kind).or_default() += usize::from(source.contains(kind));
        }
        Ok(Outcome::Agrees(Differences::Agree))
    });
    for (kind, count) in seen.borrow().iter() {
        assert!(*count >= 2, "`{kind}` in {count} programs only");
    }
}

/// What went wrong once, as small as it could be made.
const FOUND: &[&str] = &[
    // Two cotangents of a slice are added up.
    "#[differentiable]
    fn h1<const N: usize>(b0: &[f64], b1: &[f64; N], x: f64, s: &[f64]) -> [f64; 2] {
        [x + b1.iter().sum::<f64>() + b0.iter().sum::<f64>() * s.iter().sum::<f64>(), 1.0 * x]
    }
    fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> (f64, f64) {
        (0.1 * x + s.iter().sum::<f64>() + a[0], x + h1(s, &[0.0; 0], y, s)[0])
    }",
    // A length that is kept for the reverse sweep is that of tangents too.
    "fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
        let mut g: Vec<f64> = Vec::new();
        for i in 0..=n {
            g.push(x * a[1]);
            for k in 0..2 {
                for e in g.iter_mut() {
                    *e = (*e + y * x).sin();
                }
            }
        }
        g.iter().sum::<f64>() + s.iter().sum::<f64>()
    }",
    "fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
        let mut g: Vec<f64> = Vec::new();
        for i in 0..=n {
            g.push(x * a[1]);
            g.reverse();
            g.push(y * y);
        }
        g.iter().enumerate().map(|(k, &e)| (k as f64) * e * e).sum::<f64>() + s.iter().sum::<f64>()
    }",
    // A range from a variable to a literal.
    "fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
        let mut p = x;
        let mut k = 0;
        while k < 3 {
            for i in (k..3).step_by(2) {
                p = p * a[i] + y;
            }
            for i in (k..3).rev().step_by(2) {
                p = p * a[i] - y;
            }
            k += 1;
        }
        p + s.iter().sum::<f64>()
    }",
    // What the reverse sweep gets is as long as something that it makes itself.
    "fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
        let mut g: Vec<f64> = Vec::new();
        for e in g.iter_mut() {
            *e = (*e + y).sin();
        }
        x * y + a[0] + g.iter().sum::<f64>() + s.iter().sum::<f64>()
    }",
    // Several places are assigned to at once.
    "fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
        let (mut p, mut t) = (x * a[0], (y, x));
        for i in 0..n {
            (p, t.0) = (t.0 * s[i], p + 0.1 * t.0);
            (t.1, _) = (t.0 * t.1, p);
        }
        p * t.0 + t.1
    }",
    // A loop in any order becomes one with a loop that has one.
    "fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
        let mut v: Vec<f64> = vec![x + 0.3; n];
        v.reverse();
        let mut g: Vec<f64> = Vec::new();
        g.push(v.iter().rev().fold(0.0, |sum: f64, &e| 0.5 * sum + 0.5 * a[2]) + y);
        g.iter().sum::<f64>() + v.iter().sum::<f64>() + s.iter().sum::<f64>()
    }",
];

#[test]
fn found_before() {
    for source in FOUND {
        // Some keep a `Vec` that grows, of which the evaluator checks the types only.
        for outcome in [agrees(source), agrees_as_built(source)] {
            assert!(outcome.is_ok(), "{outcome:?}\n{source}");
        }
    }
}
