//! Writes the reference, `docs/operators.md`, from the operator table. After a change of the table, run
//!
//! ```text
//! AUTODIFF_BLESS=1 cargo test -p autodiff-macros reference
//! ```
//!
//! The examples are documentation tests of the crate `autodiff`.

mod formula;

use super::method::{self, FAMILIES, ParamKind};
use super::page::Page;
use super::{Row, RowKind, Spelling, einsum, elementwise};
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

const HEAD: &str = "\
# Operators

<!-- Written from the operator table by `AUTODIFF_BLESS=1 cargo test -p autodiff-macros reference`. -->

What can be called inside a function with `#[differentiable]`. Every operator has both modes of differentiation, and
derivatives of derivatives; wrong shapes do not compile. Of an operator `y` is the result, and `x̄` is what is added to
the cotangent of the operand `x` where that of the result is `ȳ`. Where a function has no derivative, the value here is
PyTorch's.

In shapes, `a…` stands for any number of axes, and `~a…` for what is stretched to them: shapes are aligned at the last
axis, and sizes are equal, or 1, which stretches.
";

const ELEMENTWISE: &str = "
## Element by element

On tensors of any rank, and on numbers. Several operands are stretched to a common shape; numbers stretch to any.
The derivative is by each argument in turn.
";

/// Rows that users do not write.
const INTERNAL: &[&str] = &["larger", "follows", "select"];

#[test]
fn the_reference_is_that_of_the_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operators.md");
    let text = reference();
    if env::var_os("AUTODIFF_BLESS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &text).unwrap();
        return;
    }
    let known = fs::read_to_string(&file).unwrap_or_default();
    let line = known.lines().zip(text.lines()).take_while(|(old, new)| old == new).count();
    assert!(
        known == text,
        "docs/operators.md is not what the table says, first in line {}:\n- {}\n+ {}\nRun this test with AUTODIFF_BLESS=1.",
        line + 1,
        known.lines().nth(line).unwrap_or_default(),
        text.lines().nth(line).unwrap_or_default(),
    );
}

fn reference() -> String {
    let mut text = format!("{HEAD}{ELEMENTWISE}");
    for theme in elementwise::THEMES {
        let rows: Vec<&Row> = theme.rows.iter().copied().filter(|row| !INTERNAL.contains(&row.name)).collect();
        let _ = write!(text, "\n### {}\n\n{}\n{}", theme.title, table(&rows), examples(&rows));
        if theme.title.starts_with("Trigonometric") {
            entry(&mut text, "sin_cos", &elementwise::SIN_COS);
        }
    }
    for family in FAMILIES {
        let _ = writeln!(text, "\n## {}", family.title);
        let mut last = None;
        for (name, page) in pages(family) {
            // Several spellings share a page.
            if last != Some(page.calls[0]) {
                entry(&mut text, name, page);
            }
            last = Some(page.calls[0]);
        }
        if family.title == "Products" {
            entry(&mut text, "einsum", &einsum::PAGE);
        }
    }
    text
}

/// The entries of a family.
fn pages(family: &'static method::Family) -> impl Iterator<Item = (&'static str, &'static Page)> {
    let methods = family.methods.iter().map(|method| (method.name, &method.page));
    let functions = family.functions.iter().map(|function| (function.name, &function.page));
    let several = family.several.iter().map(|function| (function.name, &function.page));
    let tuples = family.tuples.iter().map(|tuple| (tuple.name, &tuple.page));
    methods.chain(tuples).chain(functions).chain(several)
}

/// The first sentence, and the others.
fn sentences(doc: &str) -> (&str, &str) {
    let doc = doc.trim();
    doc.split_once(". ").map_or((doc, ""), |(first, rest)| (first, rest))
}

fn entry(text: &mut String, name: &str, page: &Page) {
    let calls: Vec<String> = page.calls.iter().map(|call| format!("`{call}`")).collect();
    let (first, rest) = sentences(page.doc);
    let _ = write!(
        text,
        "\n### {}\n\n{}.{}{}\n\n- Shapes: {}\n- Derivative: {}\n\n```rust\nuse autodiff::prelude::*;\n\n{}\n```\n",
        calls.join(", "),
        first.trim_end_matches('.'),
        if rest.is_empty() { "" } else { " " },
        rest,
        page.shape,
        page.derivative,
        example(name, page)
    );
}

/// The example as a function.
fn example(name: &str, page: &Page) -> String {
    let source = format!("fn {name}_example{}", page.example);
    let file = syn::parse_file(&source).unwrap_or_else(|error| panic!("{error}: {source}"));
    format!("#[differentiable]\n{}", prettyplease::unparse(&file).trim_end())
}

fn table(rows: &[&Row]) -> String {
    let mut text = "| operator | what it is | derivative | where there is none |\n|---|---|---|---|\n".to_owned();
    for row in rows {
        let (first, rest) = sentences(row.doc);
        let partials = match row.kind {
            RowKind::Predicate => "none".to_owned(),
            _ => formula::partials(row).join(", "),
        };
        let cells = [spellings(row).join(", "), first.trim_end_matches('.').to_owned(), partials, rest.to_owned()];
        let _ = writeln!(text, "| {} |", cells.map(|cell| cell.trim().replace('|', "\\|")).join(" | "));
    }
    text
}

/// How an operator is written, on tensors and on numbers.
fn spellings(row: &Row) -> Vec<String> {
    let args = row.args;
    let mut found = Vec::new();
    match row.spelling {
        Spelling::Infix(op) => found.push(format!("`{} {op} {}`", args[0], args[1])),
        Spelling::Prefix("") => found.push(format!("`{}({})`", row.name, args[0])),
        Spelling::Prefix(op) => found.push(format!("`{op}{}`", args[0])),
        _ => {}
    }
    for name in ["signum", "max", "min", "pow", row.name] {
        let of = |number| elementwise::find_method(name, number).is_some_and(|found| std::ptr::eq(found, row));
        let which = match (of(false), of(true)) {
            (true, true) => "",
            (true, false) => " of tensors",
            (false, true) => " of numbers",
            (false, false) => continue,
        };
        if !found.iter().any(|one: &String| one.contains(&format!(".{name}("))) {
            found.push(format!("`{}.{name}({})`{which}", args[0], args[1..].join(", ")));
        }
    }
    found
}

/// All rows of a table as functions.
fn examples(rows: &[&Row]) -> String {
    let functions: Vec<String> = rows
        .iter()
        .map(|row| {
            let source = row_example(row);
            let file = syn::parse_file(&source).unwrap_or_else(|error| panic!("{error}: {source}"));
            format!("#[differentiable]\n{}", prettyplease::unparse(&file).trim_end())
        })
        .collect();
    format!(
        "<details><summary>Examples</summary>\n\n```rust\nuse autodiff::prelude::*;\n\n{}\n```\n\n</details>\n",
        functions.join("\n\n")
    )
}

fn row_example(row: &Row) -> String {
    let of_tensors = spellings(row).iter().any(|spelling| !spelling.ends_with("of numbers"));
    let ty = if of_tensors { "&Tensor1<f64, 3>" } else { "f64" };
    let params = row.args.iter().enumerate().map(|(k, arg)| match (row.kind, k, *arg) {
        (RowKind::IntExponent, 1, _) => format!("#[no_diff] {arg}: i32"),
        (_, 0, _) | (_, _, "b" | "w") => format!("{arg}: {ty}"),
        _ => format!("{arg}: f64"),
    });
    let params: Vec<String> = params.collect();
    let call = spellings(row)
        .into_iter()
        .find(|spelling| of_tensors != spelling.ends_with("of numbers"))
        .map(|spelling| spelling.split('`').nth(1).unwrap_or_default().to_owned())
        .unwrap_or_default();
    let (first, last) = (row.args[0], row.args[row.args.len() - 1]);
    let body = match row.kind {
        // On tensors, comparisons are methods, and what they give is for selections.
        RowKind::Predicate if row.name == "not" => "select(!c.gt(0.0), 1.0, c)".to_owned(),
        RowKind::Predicate if row.args.len() == 2 => format!("select({first}.{}({last}), {first}, {last})", row.name),
        RowKind::Predicate => format!("select({first}.{}(), 0.0, {first})", row.name),
        _ => call,
    };
    let result = ty.trim_start_matches('&');
    format!("fn {}_example({}) -> {result} {{ {body} }}", row.name, params.join(", "))
}

/// Names and numbers of arguments are those of the operator.
#[test]
fn calls_are_those_of_the_operator() {
    let methods = method::all().map(|method| (method.name, method.params, &method.page, 0));
    let functions = method::functions().map(|function| (function.name, function.params, &function.page, 1));
    let several = method::several().map(|function| (function.name, function.params, &function.page, 1));
    let tuples = method::tuples().map(|tuple| (tuple.name, [].as_slice(), &tuple.page, 0));
    for (name, params, page, _) in methods.chain(functions).chain(several).chain(tuples) {
        let call = page.calls.iter().find_map(|call| {
            let args = call.strip_prefix("x.").unwrap_or(call).strip_prefix(name)?.strip_prefix('(')?;
            // What is in brackets of its own is one argument.
            let args = args.replace("[axis, …]", "[axes]");
            let args = syn::parse_str::<syn::Expr>(&format!("f({}", args.replace("[axes]", "axes"))).ok()?;
            match args {
                syn::Expr::Call(call) => Some(call.args.len()),
                _ => None,
            }
        });
        let options = params.iter().any(|kind| matches!(kind, ParamKind::Options(..)));
        assert!(options || call == Some(params.len()), "`{name}` is not called as {:?} say", page.calls);
        assert!(page.example.contains(name.split('_').next().unwrap_or(name)), "the example of `{name}` is another's");
    }
}
