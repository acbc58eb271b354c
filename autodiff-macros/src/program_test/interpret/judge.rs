//! What a source means, rustc knows best: it runs the programs as well, and calls the same functions in the same order.

use super::super::{generate, seed};
use super::{IMPURE, Items, Machine, Value};
use crate::pass::check::Numbers;
use crate::program_test::number::Number;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::{env, fs};

/// How many programs are compared.
fn count() -> usize {
    env::var("AUTODIFF_JUDGED").ok().and_then(|count| count.parse().ok()).unwrap_or(60)
}

const LENGTHS: [usize; 4] = [2, 0, 3, 1];

/// What a program gives here.
struct Interpreted {
    numbers: Vec<f64>,
    /// The calls of functions that are not pure.
    trace: String,
    /// Whether there is something to compare: NaN says nothing about where it comes from.
    useful: bool,
    tolerance: f64,
}

fn interpreted(source: &str, point: &[f64], n: usize) -> Result<Interpreted, String> {
    let file: syn::File = syn::parse_str(source).map_err(|error| error.to_string())?;
    let program = file.items.iter().find_map(|item| match item {
        syn::Item::Fn(item) if item.sig.ident == "program" => Some(item.clone()),
        _ => None,
    });
    let number = |k: usize| Value::Number(Number::constant(point[k]));
    let seq = |range: std::ops::Range<usize>| Value::Seq(range.map(number).collect());
    let args = vec![number(0), number(1), seq(2..5), seq(5..5 + n), Value::Int(n as i64)];
    let mut machine = Machine::of(Rc::new(Items::of(&file)));
    let result = machine.call(&program.ok_or("no program")?, args)?;
    let numbers = match result {
        Value::Number(x) => vec![x.x],
        Value::Tuple(parts) | Value::Seq(parts) => {
            parts.iter().map(|part| if let Value::Number(x) = part { x.x } else { f64::NAN }).collect()
        }
        _ => return Err("the result".into()),
    };
    let mut trace = String::new();
    for event in &machine.trace {
        let _ = write!(trace, "{} {};", event.name, event.arg);
    }
    let tolerance = if machine.single { 1e-4 } else { 1e-11 };
    Ok(Interpreted { numbers, trace, useful: !machine.largest.is_nan(), tolerance })
}

/// The sources without what only the macro knows.
fn plain(source: &str) -> String {
    source.replace("#[differentiable]", "").replace("Differentiable, ", "")
}

/// What a program gives for rustc, line by line.
fn judged(sources: &[String], points: &[Vec<f64>]) -> Vec<String> {
    let mut text = format!("#![allow(warnings)]\nmod impure {{{IMPURE}}}\n");
    let mut main = String::new();
    for (k, source) in sources.iter().enumerate() {
        let _ = write!(
            text,
            "mod p{k} {{\nuse super::impure::*;\n{}}}\n",
            plain(source).replace("fn program", "pub fn program")
        );
        for n in LENGTHS {
            let point = &points[k];
            let (a, s) = (&point[2..5], &point[5..5 + n]);
            let _ = writeln!(
                main,
                "impure::EVENTS.set(Vec::new()); \
                 let value = p{k}::program({:?}, {:?}, &{a:?}, &{s:?}, {n}); \
                 impure::EVENTS.with_borrow(|e| println!(\"{{value:?}}|{{}}\", \
                 e.iter().map(|(name, arg)| format!(\"{{name}} {{arg}};\")).collect::<String>()));",
                point[0], point[1]
            );
        }
    }
    let _ = write!(text, "fn main() {{\n{main}}}\n");
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/judged");
    fs::create_dir_all(&directory).unwrap();
    let (file, binary) = (directory.join("programs.rs"), directory.join("programs"));
    fs::write(&file, text).unwrap();
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let compiled = Command::new(rustc).args(["--edition=2021", "-o"]).arg(&binary).arg(&file).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&binary).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(ToOwned::to_owned).collect()
}

#[test]
fn rustc_agrees_with_the_interpreter() {
    let mut numbers = Numbers(23 + (u64::from(seed()) << 20));
    let (mut sources, mut points) = (Vec::new(), Vec::new());
    while sources.len() < count() {
        let choices: Vec<u16> = (0..60 + numbers.bits() % 140).map(|_| (numbers.bits() >> 20) as u16).collect();
        let source = generate::any_program(&choices);
        if !source.contains("grad(") {
            sources.push(source);
            points.push(numbers.array(&[8], (-1.0, 1.0)).data);
        }
    }
    let mut lines = judged(&sources, &points).into_iter();
    let mut useful = 0;
    for (source, point) in sources.iter().zip(&points) {
        for n in LENGTHS {
            let line = lines.next().expect("a line for each run");
            let (values, trace) = line.split_once('|').unwrap();
            let values: Vec<f64> =
                values.trim_matches(['(', ')', '[', ']']).split(", ").map(|value| value.parse().unwrap()).collect();
            let here = interpreted(source, point, n).unwrap_or_else(|problem| panic!("n = {n}: {problem}\n{source}"));
            if !here.useful {
                continue;
            }
            useful += 1;
            assert_eq!(trace, here.trace, "n = {n}\n{source}");
            let expected = here.numbers;
            assert_eq!(values.len(), expected.len(), "n = {n}\n{source}");
            let same = |(x, y): (&f64, &f64)| x == y || (x - y).abs() <= here.tolerance * x.abs().max(1.0);
            assert!(
                values.iter().zip(&expected).all(same),
                "n = {n}: {values:?} for rustc, {expected:?} here\n{source}"
            );
        }
    }
    let runs = LENGTHS.len() * sources.len();
    println!("{useful} of {runs} runs are of use");
    assert!(10 * useful >= 9 * runs, "{useful} of {runs} runs are of use");
}
