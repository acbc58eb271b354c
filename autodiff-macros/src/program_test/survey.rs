//! Everything that fails, sorted by what it says, each with the smallest program: for whoever changes the generator.
//!
//! ```text
//! AUTODIFF_PROGRAMS=1000 CARGO_PROFILE_TEST_OPT_LEVEL=1 cargo test -p autodiff-macros --target-dir target/nightly \
//!     survey -- --ignored --nocapture
//! ```

use super::check::Outcome;
use super::{agrees, caught, count, generate, seed};
use crate::pass::check::Numbers;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long programs of one kind are made smaller.
const PATIENCE: Duration = Duration::from_secs(8);

/// What is said, without what differs from program to program.
fn kind(choices: &[u16]) -> Option<(String, String)> {
    let source = caught(|| Ok(generate::program(choices))).ok()?;
    let problem = match caught(|| agrees(&source)) {
        Ok(Outcome::Agrees(_) | Outcome::Discarded) => return None,
        Ok(Outcome::Refused(why)) => format!("refused: {why}"),
        Err(problem) => problem,
    };
    let first = problem.lines().next().unwrap_or_default();
    let letters = first.chars().filter(|c| !c.is_ascii_digit() && *c != '-' && *c != '.');
    let kind: String = letters.take(70).collect();
    Some((kind, problem))
}

fn smaller(mut choices: Vec<u16>, wanted: &str) -> Vec<u16> {
    let end = Instant::now() + PATIENCE;
    let same = |choices: &[u16]| Instant::now() < end && kind(choices).is_some_and(|(kind, _)| kind == wanted);
    let mut size = choices.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < choices.len() {
            let without: Vec<u16> = [&choices[..at], &choices[(at + size).min(choices.len())..]].concat();
            if same(&without) {
                choices = without;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    for at in 0..choices.len() {
        let mut simpler = choices.clone();
        simpler[at] = 0;
        if simpler[at] != choices[at] && same(&simpler) {
            choices = simpler;
        }
    }
    choices
}

#[test]
#[ignore = "a tool"]
fn survey() {
    let mut numbers = Numbers(u64::from(seed()) << 8 | 77);
    let mut found: BTreeMap<String, (usize, Vec<u16>)> = BTreeMap::new();
    for _ in 0..count() {
        let choices: Vec<u16> = (0..20 + numbers.bits() % 130).map(|_| (numbers.bits() >> 20) as u16).collect();
        if let Some((kind, _)) = kind(&choices) {
            let (times, smallest) = found.entry(kind).or_insert_with(|| (0, choices.clone()));
            *times += 1;
            if choices.len() < smallest.len() {
                *smallest = choices;
            }
        }
    }
    println!("{} of {} programs fail", found.values().map(|(times, _)| times).sum::<usize>(), count());
    for (wanted, (times, choices)) in found {
        let choices = smaller(choices, &wanted);
        let problem = kind(&choices).map_or(wanted, |(_, problem)| problem);
        println!("\n===== {times} × {problem}\n{}", generate::program(&choices));
    }
}

/// What is said of the programs of a file, `AUTODIFF_FILE`, between lines of dashes.
#[test]
#[ignore = "a tool"]
fn of_file() {
    let text = std::fs::read_to_string(std::env::var("AUTODIFF_FILE").unwrap()).unwrap();
    for (k, source) in text.split("\n----").enumerate() {
        let source = source.trim_start_matches('-');
        let said = match caught(|| agrees(source)) {
            Ok(outcome) => format!("{outcome:?}"),
            Err(problem) => format!("WRONG {problem}"),
        };
        let first = source.trim_start().lines().next().unwrap_or_default();
        println!("{k} {first}\n    {said}");
    }
}
