//! Writes `tests/ops/*.rs`: tests for each case of `tests/data/ops.json`, in both precisions.
//!
//! ```text
//! cargo run -p generate-tests
//! ```

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let root = root();
    for (path, text) in generate(&root) {
        fs::write(root.join(&path), text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files and their contents, by path from the root of the repository.
fn generate(root: &Path) -> BTreeMap<PathBuf, String> {
    let text = fs::read_to_string(root.join("tests/data/ops.json")).expect("the cases");
    let data: Value = serde_json::from_str(&text).expect("JSON");
    let mut groups: BTreeMap<&str, String> = BTreeMap::new();
    for case in data["cases"].as_array().expect("a list of cases") {
        let group = groups.entry(case["group"].as_str().expect("a group")).or_default();
        group.push_str(&write_case(case));
    }
    let header =
        "//! Written by `cargo run -p generate-tests`: change that.\n\nuse crate::Case;\nuse autodiff::prelude::*;\n";
    let file =
        |(group, text): (&str, String)| (PathBuf::from(format!("tests/ops/{group}.rs")), format!("{header}{text}"));
    groups.into_iter().map(file).collect()
}

fn case_name(case: &Value) -> &str {
    case["name"].as_str().expect("a name")
}

struct Param {
    name: String,
    shape: Vec<u64>,
    /// The data of an integer parameter, as a literal.
    literal: Option<String>,
}

impl Param {
    fn read(input: &Value, integers: bool) -> Param {
        let shape = dims(&input["shape"]);
        let literal = integers.then(|| {
            let data: Vec<String> = input["data"].as_array().expect("data").iter().map(Value::to_string).collect();
            nested(&shape, &data)
        });
        Param { name: input["name"].as_str().expect("a name").into(), shape, literal }
    }

    fn ty(&self, elem: &str) -> String {
        match &self.literal {
            Some(_) => format!("&{}", self.shape.iter().rev().fold("usize".to_owned(), |ty, n| format!("[{ty}; {n}]"))),
            None if self.shape.is_empty() => elem.into(),
            None => format!("&{}", tensor(elem, &self.shape)),
        }
    }

    /// As an argument: the value itself, or a reference.
    fn arg(&self) -> String {
        match &self.literal {
            Some(literal) => format!("&{literal}"),
            None => format!("{}{}", by_reference(&self.shape), self.name),
        }
    }
}

fn dims(shape: &Value) -> Vec<u64> {
    shape.as_array().expect("a shape").iter().map(|dim| dim.as_u64().expect("a size")).collect()
}

/// A nested array literal.
fn nested(shape: &[u64], data: &[String]) -> String {
    match shape {
        [] => data[0].clone(),
        [_, inner @ ..] => {
            let size = usize::try_from(inner.iter().product::<u64>()).expect("a small size");
            let parts: Vec<String> = data.chunks(size).map(|part| nested(inner, part)).collect();
            format!("[{}]", parts.join(", "))
        }
    }
}

fn tensor(elem: &str, shape: &[u64]) -> String {
    let dims: String = shape.iter().fold(String::new(), |dims, dim| format!("{dims}, {dim}"));
    format!("Tensor{}<{elem}{dims}>", shape.len())
}

fn by_reference(shape: &[u64]) -> &'static str {
    if shape.is_empty() { "" } else { "&" }
}

fn write_case(case: &Value) -> String {
    let list = |key: &str, integers| {
        let inputs = case[key].as_array().expect("inputs").iter().map(move |input| Param::read(input, integers));
        inputs.collect::<Vec<Param>>()
    };
    let inputs = list("inputs", false);
    let integers = list("int_inputs", true);
    let output = dims(&case["output"]["shape"]);
    let (name, rust) = (case_name(case), case["rust"].as_str().expect("a body"));

    let mut text = String::new();
    if let Some(note) = case.get("note").and_then(Value::as_str) {
        let _ = write!(text, "\n/// {note}");
    }
    let _ = writeln!(text, "\nmod {name} {{\n    use super::*;");
    for (precision, elem) in [("double", "f64"), ("single", "f32")] {
        let params: Vec<String> =
            inputs.iter().chain(&integers).map(|param| format!("{}: {}", param.name, param.ty(elem))).collect();
        let result = if output.is_empty() { elem.to_owned() } else { tensor(elem, &output) };
        let _ = writeln!(
            text,
            "\n    #[differentiable]\n    fn {precision}({}) -> {result} {{\n        {rust}\n    }}",
            params.join(", ")
        );
    }
    for precision in ["double", "single"] {
        let _ = writeln!(text, "\n    #[test]\n    fn in_{precision}_precision() {{");
        let _ = writeln!(text, "        let case = Case::{precision}(\"{name}\");");
        for (k, input) in inputs.iter().enumerate() {
            let _ = writeln!(text, "        let {} = case.input({k});", input.name);
        }
        let args: Vec<String> = inputs.iter().chain(&integers).map(Param::arg).collect();
        let dots =
            inputs.iter().enumerate().map(|(k, input)| format!("{}case.tangent({k})", by_reference(&input.shape)));
        let both: Vec<String> = args.iter().cloned().chain(dots).collect();
        let _ = writeln!(text, "        let (value, pullback) = {precision}::vjp({});", args.join(", "));
        let _ = writeln!(text, "        let (same_value, tangent) = {precision}::jvp({});", both.join(", "));
        let _ = writeln!(text, "        let gradients = pullback({}case.cotangent());", by_reference(&output));
        let _ = writeln!(
            text,
            "        case.check([&value, &same_value, &{precision}({})], &tangent, &gradients);\n    }}",
            args.join(", ")
        );
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_tests_are_up_to_date() {
        let files = generate(&root());
        assert!(!files.is_empty());
        for (path, expected) in files {
            let written = fs::read_to_string(root().join(&path)).unwrap_or_default();
            assert!(written == expected, "{} is not up to date: run `cargo run -p generate-tests`", path.display());
        }
    }

    #[test]
    fn literals_and_types() {
        let data = ["1", "2", "3", "4"].map(str::to_owned);
        assert_eq!(nested(&[2, 2], &data), "[[1, 2], [3, 4]]");
        assert_eq!(tensor("f32", &[2, 3]), "Tensor2<f32, 2, 3>");
    }
}
