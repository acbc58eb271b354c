//! Writes `tests/ops/*.rs`: a test for each case of `tests/data/ops.json` whose operators exist.
//!
//! ```text
//! cargo run -p generate-tests
//! ```

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Functions, methods and macros that cases call and that do not exist yet.
const NOT_YET: &[&str] = &[
    "add_slice", "attention", "attention_causal", "avg_pool2d", "batch_norm2d", "bce", "bce_with_logits",
    "broadcast_to", "concat", "conv1d", "conv2d", "conv3d", "conv_transpose2d", "cosine_similarity",
    "cross_entropy_soft", "cumsum", "distillation", "einsum", "embedding", "flatten", "flip", "gather",
    "global_avg_pool2d", "group_norm", "huber", "im2col", "index_select", "instance_norm", "kl_div", "l1_loss",
    "l2_normalize", "layer_norm", "logsumexp", "logsumexp_axis", "max", "max_axis", "max_pool1d", "max_pool2d",
    "min", "min_axis", "narrow", "nll", "norm", "norm_axis", "norm_l1", "outer", "pad", "pad_edge", "pad_reflect",
    "pad_wrap", "permute", "prod", "prod_axis", "repeat", "rms_norm", "rope", "scatter_add", "set_slice", "slice",
    "smooth_l1", "squeeze", "stack", "std", "trace", "tril", "triu", "unsqueeze", "upsample_nearest2d", "var",
    "var_axis",
];

/// Cases whose operators exist, but not for these operands.
const NOT_SO_YET: &[&str] = &["bmm", "bmm_broadcast", "bmm_shared"];

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
    let mut called = BTreeSet::new();
    for case in data["cases"].as_array().expect("a list of cases") {
        let names = calls(case["rust"].as_str().expect("a body"));
        let wanting = names.iter().any(|name| NOT_YET.contains(name)) || NOT_SO_YET.contains(&case_name(case));
        called.extend(names);
        if !wanting {
            let group = groups.entry(case["group"].as_str().expect("a group")).or_default();
            group.push_str(&write_case(case));
        }
    }
    for name in NOT_YET {
        assert!(called.contains(name), "no case calls `{name}`");
    }
    let header = "//! Written by `cargo run -p generate-tests`: change that.\n\nuse crate::Case;\nuse autodiff::prelude::*;\n";
    let file = |(group, text): (&str, String)| (PathBuf::from(format!("tests/ops/{group}.rs")), format!("{header}{text}"));
    groups.into_iter().map(file).collect()
}

fn case_name(case: &Value) -> &str {
    case["name"].as_str().expect("a name")
}

/// The names that are called: `matmul` and `t` of `x.t().matmul(y)`.
fn calls(rust: &str) -> BTreeSet<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    for (at, _) in rust.match_indices(['(', '!']) {
        let start = rust[..at].rfind(|c| !is_name(c)).map_or(0, |before| before + 1);
        if start < at {
            names.insert(&rust[start..at]);
        }
    }
    names
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
        let params: Vec<String> = inputs.iter().chain(&integers).map(|param| format!("{}: {}", param.name, param.ty(elem))).collect();
        let result = if output.is_empty() { elem.to_owned() } else { tensor(elem, &output) };
        let _ = writeln!(text, "\n    #[differentiable]\n    fn {precision}({}) -> {result} {{\n        {rust}\n    }}", params.join(", "));
    }
    for precision in ["double", "single"] {
        let _ = writeln!(text, "\n    #[test]\n    fn in_{precision}_precision() {{");
        let _ = writeln!(text, "        let case = Case::{precision}(\"{name}\");");
        for (k, input) in inputs.iter().enumerate() {
            let _ = writeln!(text, "        let {} = case.input({k});", input.name);
        }
        let args: Vec<String> = inputs.iter().chain(&integers).map(Param::arg).collect();
        let dots = inputs.iter().enumerate().map(|(k, input)| format!("{}case.tangent({k})", by_reference(&input.shape)));
        let both: Vec<String> = args.iter().cloned().chain(dots).collect();
        let _ = writeln!(text, "        let (value, pullback) = {precision}::vjp({});", args.join(", "));
        let _ = writeln!(text, "        let (same_value, tangent) = {precision}::jvp({});", both.join(", "));
        let _ = writeln!(text, "        let gradients = pullback({}case.cotangent());", by_reference(&output));
        let _ = writeln!(text, "        case.check([&value, &same_value, &{precision}({})], &tangent, &gradients);\n    }}", args.join(", "));
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
    fn names_that_are_called() {
        let names = |rust| calls(rust).into_iter().collect::<Vec<_>>();
        assert_eq!(names("x.t().matmul(y) + (a * b)"), ["matmul", "t"]);
        assert_eq!(names("einsum!(\"ij,jk->ik\", x, y)"), ["einsum"]);
    }

    #[test]
    fn literals_and_types() {
        let data = ["1", "2", "3", "4"].map(str::to_owned);
        assert_eq!(nested(&[2, 2], &data), "[[1, 2], [3, 4]]");
        assert_eq!(tensor("f32", &[2, 3]), "Tensor2<f32, 2, 3>");
    }
}
