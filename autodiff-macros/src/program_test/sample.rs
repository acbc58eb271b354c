//! Some of the programs as Rust for rustc, with what they compute: `tests/random_programs/programs.rs`.
//!
//! There they go through emission too, which the evaluator does not see. After a change of the generator run
//!
//! ```text
//! AUTODIFF_BLESS=1 cargo test -p autodiff-macros random_sources
//! ```

use super::check::{Expected, LARGEST, Point, Source};
use super::generate;
use crate::pass::check::Numbers;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// How many programs there are.
const COUNT: usize = 48;

const HEAD: &str = "\
//! Random programs, and what they and their derivatives are by the rules of calculus.
//!
//! Written by `AUTODIFF_BLESS=1 cargo test -p autodiff-macros random_sources`: change that.

use crate::{Point, array, number, pair};
use autodiff::prelude::*;
";

#[test]
fn random_sources() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/random_programs/programs.rs");
    let text = sources();
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
    let (mut numbers, mut text, mut count) = (Numbers(11), String::from(HEAD), 0);
    while count < COUNT {
        let length = 30 + numbers.bits() % 60;
        let choices: Vec<u16> = (0..length).map(|_| (numbers.bits() >> 20) as u16).collect();
        let source = generate::program(&choices);
        // Those that do nothing are of no use.
        if source.lines().count() < 8 {
            continue;
        }
        let Some(points) = points(&source, &mut numbers) else { continue };
        let kind = match source.lines().next() {
            Some(head) if head.contains("-> (") => "pair",
            Some(head) if head.contains("-> [") => "array",
            _ => "number",
        };
        let _ = write!(text, "\nmod program_{count} {{\n    use super::*;\n\n    #[differentiable]\n");
        for line in source.lines() {
            let _ = writeln!(text, "    {line}");
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

/// Where the programs are looked at, and what there is; `None` if numbers are too large.
fn points(source: &str, numbers: &mut Numbers) -> Option<String> {
    let program = Source::of(syn::parse_str(source).ok()?);
    let is_number = source.lines().next()?.ends_with("-> f64 {");
    let mut text = String::new();
    for n in [2, 0, 3] {
        let point = Point::of(n, numbers);
        let v = numbers.array(&[point.numbers.len()], (-1.0, 1.0)).data;
        let mut y_bar = numbers.array(&[2], (-1.0, 1.0)).data;
        if is_number {
            y_bar = vec![1.0];
        }
        let Expected { values, y_dot, x_bar, x_bar_dot, largest, .. } =
            Expected::of(&program, &point, &v, &mut |_| y_bar.clone()).ok()?;
        if largest.is_nan() || largest > LARGEST {
            return None;
        }
        let x = &point.numbers;
        let _ = writeln!(
            text,
            "        Point {{ n: {n}, x: &{x:?}, v: &{v:?}, y_bar: &{y_bar:?}, values: &{values:?}, y_dot: &{y_dot:?}, \
             x_bar: &{x_bar:?}, x_bar_dot: &{x_bar_dot:?} }},"
        );
    }
    Some(text)
}
