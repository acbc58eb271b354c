//! Taylor rules: every row has one, and what follows from them to the first order is the tangent. To higher orders
//! `tests/api/taylor` compares them with derivatives of derivatives.

use super::{POINTS, WITHOUT_DERIVATIVE, body, elementwise, is_without_derivative, machine, point, row_cases};
use crate::ir::builder::Builder;
use crate::ir::eval::Array;
use crate::ir::formula::Scope;
use crate::ir::text::print;
use crate::ir::{Body, Elem, Op, Ty, Var, verify};
use crate::op::{Row, RowKind, Spelling, Taylor};
use crate::pass::check::{Numbers, ROUNDING, all_agree};
use crate::pass::lengths::Lengths;
use crate::pass::{run_all_in_lanes, tangent, widen};
use std::collections::BTreeSet;

/// Operators on whole arrays that have no Taylor rule yet.
const WITHOUT_RULE: &[&str] = &[
    "cholesky",
    "cofactors",
    "cofactors_along",
    "det",
    "eigvalsh",
    "eigvecsh",
    "expm",
    "expm_along",
    "gap_quotients",
    "max_pool2_along",
    "max_pool2_t",
    "inverse",
    "ln_det",
    "singular_left",
    "singular_right",
    "singular_values",
    "solve",
    "solve_lower",
    "solve_lower_t",
    "solve_t",
    "solve_upper",
    "solve_upper_t",
    "symmetric_eigenvalues",
    "symmetric_eigenvectors",
    "tril",
    "tril_half",
    "triu",
    "windows",
    "windows_t",
];

/// Both bodies by all inputs that are floats; none, if there is no Taylor rule.
fn transformed(case: &Body) -> Option<(Body, Body)> {
    let inputs: Vec<Var> = case.block.params.iter().copied().filter(|param| case.ty(*param).is_float()).collect();
    let taylor = tangent::taylor(case, &inputs).ok()?;
    let tangent = tangent::transform(case, &inputs).unwrap_or_else(|unsupported| panic!("{}", unsupported.message));
    Some((taylor, tangent))
}

/// The tail of one coefficient is the tangent, and all tails can be wide numbers.
#[track_caller]
fn holds(case: &Body, domain: (f64, f64)) {
    let (taylor, tangent) = transformed(case).unwrap_or_else(|| panic!("no Taylor rule for\n{}", print(case)));
    verify::verify(&taylor).unwrap_or_else(|problem| panic!("{problem}\n{}", print(&taylor)));
    let mut numbers = Numbers(5);
    for _ in 0..POINTS {
        let x = point(case, domain, &mut numbers);
        let floats = case.block.params.iter().zip(&x).filter(|(param, _)| case.ty(**param).is_float());
        let dots: Vec<Array> = floats.map(|(_, x)| numbers.like(x)).collect();
        let args = [x, dots].concat();
        let run =
            |body: &Body| machine().run(body, &args).unwrap_or_else(|problem| panic!("{problem}\n{}", print(body)));
        if let Err(problem) = all_agree(&run(&taylor), &run(&tangent), ROUNDING) {
            panic!("{problem}\n{}", print(&taylor));
        }
    }
    let (params, results) = (case.block.params.len(), case.block.results.len());
    let widen =
        |body: Body| widen::lanes(&body, &body.block.params[params..], &|k| k >= results).ok_or_else(|| print(&body));
    run_all_in_lanes(taylor, &Lengths::default(), widen, &mut |_, _| {})
        .unwrap_or_else(|body| panic!("a tail is no wide number in\n{body}"));
}

fn with_tails() -> impl Iterator<Item = &'static Row> {
    let rows = elementwise::all().chain(elementwise::internal());
    rows.filter(|row| row.kind != RowKind::Predicate && !row.is_flat() && !matches!(row.taylor, Taylor::Missing))
}

#[test]
fn rows() {
    for row in with_tails() {
        for case in row_cases(row) {
            holds(&case, row.domain);
        }
    }
}

/// Such a formula would need the tail that it is to give. A comparison has no tail.
#[test]
fn no_integral_of_what_reads_the_result() {
    for row in with_tails().filter(|row| matches!(row.taylor, Taylor::Integral)) {
        let mut b = Builder::new();
        let number = |b: &mut Builder| b.var(Ty::scalar(Elem::F64), None);
        let args: Vec<Var> = row.args.iter().map(|_| number(&mut b)).collect();
        let out = number(&mut b);
        b.open_block();
        let scope = Scope::new(&mut b);
        let exprs: Vec<_> = args.iter().map(|arg| scope.var(*arg)).collect();
        let partials = (row.partials)(&exprs, scope.var(out));
        let is_result = partials.iter().flatten().any(|partial| partial.var == out);
        let block = b.close_block(Vec::new(), Vec::new());
        let compares = |op: &Op| matches!(op, Op::Map(row) if row.kind == RowKind::Predicate);
        let reads = block.eqns.iter().any(|eqn| eqn.args.contains(&out) && !compares(&eqn.op));
        assert!(!is_result && !reads, "a partial derivative of `{}` reads the result: name the recurrence", row.name);
    }
}

/// A call of a row, with the names of its arguments.
fn call(row: &Row, args: &[&str]) -> String {
    match (row.spelling, args) {
        (Spelling::Infix(sign), [a, b]) => format!("{a} {sign} {b}"),
        (Spelling::Prefix(sign), [x]) => format!("{sign}{x}"),
        (Spelling::Named(name), [x, others @ ..]) => format!("{x}.{name}({})", others.join(", ")),
        (_, [x, others @ ..]) => format!("{x}.{}({})", row.name, others.join(", ")),
        _ => unreachable!("a row has arguments"),
    }
}

/// `tests/api/taylor/rows.rs` has every row of numbers, to be compared with derivatives of derivatives.
#[test]
fn rows_in_rust() {
    let rows = || elementwise::all().filter(|row| !row.is_flat() && !WITHOUT_DERIVATIVE.contains(&row.name));
    let mut lines = Vec::new();
    for row in rows() {
        let place = |k: usize| {
            let (low, high) = row.domain;
            // The larger end of an interval is the third.
            let (low, high) = if k == 2 { (high, 2.0 * high - low) } else { (low, high) };
            format!("between({low:?}, {high:?}, {})", ["u", "v", "w"][k])
        };
        let arguments = |names: &[&str]| {
            let values: Vec<String> = (0..names.len()).map(place).collect();
            format!("let ({}) = ({});", names.join(", "), values.join(", "))
        };
        match (row.kind, row.arity()) {
            (RowKind::Float, 1) => lines.push((row.name.to_owned(), call(row, &[&place(0)]))),
            (RowKind::Float, count) => {
                let names = &["a", "b", "c"][..count];
                lines.push((row.name.to_owned(), format!("{{ {} {} }}", arguments(names), call(row, names))));
            }
            (RowKind::IntExponent, _) => {
                for exponent in ["-2", "0", "1", "2", "3", "7"] {
                    lines.push((format!("{} by {exponent}", row.name), call(row, &[&place(0), exponent])));
                }
            }
            (RowKind::Predicate | RowKind::Select, _) => {}
        }
    }
    let count = lines.len();
    let names: String = lines.iter().map(|(name, _)| format!("    {name:?},\n")).collect();
    let calls: String = lines.iter().map(|(_, call)| format!("        {call},\n")).collect();
    let text = format!(
        "//! Every row of the operator table that numbers have and that has a derivative.\n//!\n\
         //! Written by `AUTODIFF_BLESS=1 cargo test -p autodiff-macros rows_in_rust`: change that.\n\n\
         use autodiff::prelude::*;\n\n\
         /// A number of a domain for one of 0 to 1, with derivatives up to the third.\n\
         #[differentiable(wrt(u))]\nfn between(low: f64, high: f64, u: f64) -> f64 {{\n    \
         low + (high - low) * u * u * (3.0 - 2.0 * u)\n}}\n\n\
         #[differentiable]\n#[rustfmt::skip]\npub fn rows(u: f64, v: f64, w: f64) -> [f64; {count}] {{\n    [\n{calls}    ]\n}}\n\n\
         #[rustfmt::skip]\npub const NAMES: [&str; {count}] = [\n{names}];\n"
    );
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/api/taylor/rows.rs");
    if std::env::var_os("AUTODIFF_BLESS").is_some() {
        std::fs::write(path, &text).expect(path);
    }
    let written = std::fs::read_to_string(path).expect(path);
    assert!(written == text, "{path} has other rows than the table; AUTODIFF_BLESS=1 writes it");
}

#[test]
fn operators() {
    let mut missing = BTreeSet::new();
    for (op, tys) in crate::op::samples().into_iter().filter(|(op, _)| !is_without_derivative(&**op)) {
        let text = op.text();
        let case = body("sample", &tys, |b, x| b.tensor(op, x).expect("a sample that fits"));
        match transformed(&case) {
            Some(_) => holds(&case, (-2.0, 2.0)),
            None => drop(missing.insert(text.split(['[', '(']).next().unwrap_or_default().to_owned())),
        }
    }
    let expected: BTreeSet<String> = WITHOUT_RULE.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(missing, expected, "operators without a Taylor rule");
}
