//! Some of the programs as Rust for rustc, with what they compute: `tests/random_programs/programs.rs`.
//!
//! There they go through emission too, which the evaluator does not see. After a change of the generator run
//!
//! ```text
//! AUTODIFF_BLESS=1 cargo test -p autodiff-macros random_sources
//! ```
//!
//! `tests/random_programs/many.sh` takes many others through rustc, with `AUTODIFF_SEED` and `AUTODIFF_PROGRAMS`, which are
//! written to the file `AUTODIFF_SOURCES`.

use super::check::{Case, Expected, Point, Source};
use super::interpret::IMPURE;
use super::library::REFUSED;
use super::{caught, generate, seed};
use crate::pass::check::Numbers;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// How many programs there are.
const COUNT: usize = 64;

const HEAD: &str = "\
//! Random programs, and what they and their derivatives are by the rules of calculus.
//!
//! Written by `AUTODIFF_BLESS=1 cargo test -p autodiff-macros random_sources`: change that.

use crate::{Point, array, first, number, pair};
use autodiff::prelude::*;
use impure::*;

/// What has no derivative, and is not pure.
pub mod impure {";

#[test]
fn random_sources() {
    let text = sources();
    if let Some(file) = env::var_os("AUTODIFF_SOURCES") {
        fs::write(file, &text).unwrap();
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/random_programs/programs.rs");
    if env::var_os("AUTODIFF_BLESS").is_some() {
        fs::write(&file, &text).unwrap();
        return;
    }
    let known = fs::read_to_string(&file).unwrap_or_default();
    // The last digits are those of the libm at hand.
    let same = known.lines().filter(|line| !is_data(line)).eq(text.lines().filter(|line| !is_data(line)));
    assert!(same, "{} is not up to date: run this test with AUTODIFF_BLESS=1", file.display());
}

fn is_data(line: &str) -> bool {
    line.trim_start().starts_with("Point {")
}

fn sources() -> String {
    let (mut numbers, mut count) = (Numbers(11 + (u64::from(seed()) << 20)), 0);
    let mut text = format!("{HEAD}{}}}\n", IMPURE.replace('\n', "\n    ").trim_end());
    while count < super::number("AUTODIFF_PROGRAMS").unwrap_or(COUNT) {
        let length = 30 + numbers.bits() % 120;
        let choices: Vec<u16> = (0..length).map(|_| (numbers.bits() >> 20) as u16).collect();
        let source = generate::program(&choices);
        // Those that do nothing are of no use.
        if source.lines().count() < 8 {
            continue;
        }
        // What fails is for rustc to see.
        let second = match caught(|| Case::of(&source).and_then(|case| case.has_second())) {
            Err(problem) if problem.starts_with(REFUSED) => continue,
            second => second.unwrap_or(true),
        };
        let Some(points) = points(&source, &mut numbers) else { continue };
        let program = with_orders(&source.replace("fn program(", "#[differentiable]\nfn program("));
        let second = second && program.contains("#[differentiable(order = 2)]\nfn program(");
        let kind = match head(&source) {
            head if head.contains("-> (") => "pair",
            head if head.contains("-> [") => "array",
            _ if second => "number",
            _ => "first",
        };
        let _ = write!(text, "\nmod program_{count} {{\n    use super::*;\n\n");
        for line in made(&program).lines() {
            let _ = writeln!(text, "{}", format!("    {line}").trim_end());
        }
        let _ = write!(text, "\n    const POINTS: &[Point] = &[\n{points}    ];\n");
        let _ = write!(
            text,
            "\n    #[test]\n    fn agrees() {{\n        {kind}!(\"program_{count}\", program, POINTS);\n    }}\n}}\n"
        );
        count += 1;
    }
    text
}

/// The items with second derivatives where they have them: not where they take a derivative themselves, or call what does.
fn with_orders(items: &str) -> String {
    const ATTRIBUTE: &str = "#[differentiable]";
    let parts: Vec<&str> = items.split(ATTRIBUTE).collect();
    let words = |part: &str| -> HashSet<String> {
        part.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
    };
    let parts: Vec<(&str, HashSet<String>)> = parts.into_iter().map(|part| (part, words(part))).collect();
    let names = |part: &str| -> Vec<String> {
        let names = part.match_indices("fn ").map(|(at, _)| &part[at + 3..]);
        names
            .map(|name| name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_owned())
            .collect()
    };
    let mut first: HashSet<String> = ["grad", "value_and_grad", "jvp", "hvp"].map(str::to_owned).into();
    loop {
        let found = parts.iter().filter(|(_, words)| !words.is_disjoint(&first)).flat_map(|(part, _)| names(part));
        let found: Vec<String> = found.filter(|name| !first.contains(name)).collect();
        if found.is_empty() {
            break;
        }
        first.extend(found);
    }
    let mut text = parts[0].0.to_owned();
    for (part, words) in &parts[1..] {
        let order = if words.is_disjoint(&first) { "#[differentiable(order = 2)]" } else { ATTRIBUTE };
        let _ = write!(text, "{order}{part}");
    }
    text
}

/// The names of locals that a macro is given, and as which.
const GIVEN: &[(&str, &str)] = &[("x_", "x"), ("v0_", "v0"), ("v1_", "v1")];

/// The items as a macro makes them that is given the names of some locals, if there are such: rustc tells them from the
/// macro's own locals of the same spelling.
fn made(items: &str) -> String {
    let mut given = Vec::new();
    let mut text = String::new();
    let (mut rest, is_word) = (items, |c: char| c.is_alphanumeric() || c == '_');
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        match GIVEN.iter().find(|(name, _)| *name == word) {
            Some((_, name)) => {
                let _ = write!(text, "${name}");
                if !given.contains(name) {
                    given.push(name);
                }
            }
            None => text.push_str(word),
        }
        rest = after;
    }
    if given.is_empty() {
        return text;
    }
    let params: Vec<String> = given.iter().map(|name| format!("${name}:ident")).collect();
    let body = text.replace('\n', "\n        ");
    format!(
        "macro_rules! made {{\n    ({}) => {{\n        {}\n    }};\n}}\nmade!({});\n",
        params.join(", "),
        body.trim_end(),
        given.join(", ")
    )
}

/// The first line of the program itself.
fn head(source: &str) -> &str {
    source.lines().find(|line| line.starts_with("fn program(")).unwrap_or_default()
}

/// Where the programs are looked at, and what there is; `None` if numbers are too large.
fn points(source: &str, numbers: &mut Numbers) -> Option<String> {
    let program = Source::of(syn::parse_str(source).ok()?);
    let is_number = head(source).ends_with("-> f64 {") || head(source).ends_with("-> f32 {");
    let mut text = String::new();
    for n in [2, 0, 3, 1] {
        let point = Point::of(n, numbers);
        let v = numbers.array(&[point.numbers.len()], (-1.0, 1.0)).data;
        let mut y_bar = numbers.array(&[2], (-1.0, 1.0)).data;
        if is_number {
            y_bar = vec![1.0];
        }
        let expected = Expected::of(&program, &point, &v, &mut |_| y_bar.clone()).ok()?;
        if !expected.is_of_use(&program) {
            return None;
        }
        let Expected { values, y_dot, x_bar, x_bar_dot, trace, .. } = expected;
        let x = &point.numbers;
        let trace: Vec<_> = trace.iter().map(|event| (&event.name, event.arg)).collect();
        let _ = writeln!(
            text,
            "        Point {{ n: {n}, x: &{x:?}, v: &{v:?}, y_bar: &{y_bar:?}, values: &{values:?}, y_dot: &{y_dot:?}, \
             x_bar: &{x_bar:?}, x_bar_dot: &{x_bar_dot:?}, trace: &{trace:?} }},"
        );
    }
    Some(text)
}
