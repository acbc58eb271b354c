//! Methods and functions of tensors, each with operands of many shapes: those that its shape rule refuses are
//! left out. What takes a struct of options is tried on the cases of `tests/data/ops.json`.

use super::{body, float, machine, point};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::text::print;
use crate::ir::{Body, Elem, Op, Ty, Var};
use crate::op::method::{self, Arg, Build, ParamKind};
use crate::op::samples;
use crate::pass::check::{Derivatives, Numbers, Passes, lowered};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// So many of the argument lists that fit are checked, spread over all of them.
const CASES: usize = 4;

/// Where operands may lie; the first range in which the function has a value.
pub(super) const DOMAINS: [(f64, f64); 3] = [(-2.0, 2.0), (0.1, 0.9), (1.1, 2.0)];

/// An argument to try.
#[derive(Clone)]
enum Candidate {
    /// A parameter of this type.
    Operand(Ty),
    /// The receiver once more.
    Receiver,
    Number(f64),
    Several(Vec<Ty>),
    Fixed(Arg),
}

fn candidates(kind: ParamKind, receiver: &Ty) -> Vec<Candidate> {
    let dims = &receiver.dims;
    let fixed = |sizes: Vec<Vec<Dim>>| sizes.into_iter().map(|dims| Candidate::Fixed(Arg::Dims(dims))).collect();
    let pairs = |lo: i64, hi: Dim| (Dim::literal(lo), hi);
    match kind {
        ParamKind::Operand => {
            let same = (!dims.is_empty()).then(|| Candidate::Operand(receiver.clone()));
            let shapes = ["[3]", "[2]", "[2, 3]", "[3, 2]", "[3, 3]", "[2, 3, 2]", "[1, 3]", "[2, 2, 3]", ""];
            same.into_iter()
                .chain([Candidate::Receiver])
                .chain(shapes.map(|shape| Candidate::Operand(float(shape))))
                .collect()
        }
        ParamKind::Number => vec![Candidate::Number(0.7), Candidate::Number(0.01)],
        ParamKind::Mask => vec![Candidate::Operand(receiver.with_elem(Elem::Bool))],
        ParamKind::Labels => {
            let labels = |dims: &[Dim]| Candidate::Operand(Ty::tensor(Elem::usize(), dims.to_vec()));
            (1..=dims.len()).map(|rank| labels(&dims[..rank])).chain([labels(&[Dim::literal(4)])]).collect()
        }
        ParamKind::Axis => (0..dims.len()).map(|axis| Candidate::Fixed(Arg::Axis(axis))).collect(),
        ParamKind::NewAxis => (0..=dims.len()).map(|axis| Candidate::Fixed(Arg::Axis(axis))).collect(),
        ParamKind::Axes => {
            let lists = [(0..dims.len()).rev().collect(), (0..dims.len()).collect(), vec![0], vec![dims.len() - 1, 0]];
            let different = lists.into_iter().filter(|axes: &Vec<usize>| axes.len() == 1 || axes[0] != axes[1]);
            different.map(|axes| Candidate::Fixed(Arg::Axes(axes))).collect()
        }
        ParamKind::Size | ParamKind::Place => fixed([0, 1, 2].map(|size| vec![Dim::literal(size)]).to_vec()),
        ParamKind::Dims => {
            let all = Dim::product(dims);
            let permutation = (0..dims.len()).rev().map(|axis| Dim::literal(i64::try_from(axis).unwrap())).collect();
            let stretched = [&[Dim::literal(2)], &dims[..]].concat();
            fixed(vec![
                vec![all.clone()],
                vec![Dim::literal(1), all],
                dims.iter().rev().cloned().collect(),
                permutation,
                stretched,
            ])
        }
        ParamKind::Ranges | ParamKind::Pairs => {
            let each =
                |pair: &dyn Fn(&Dim) -> (Dim, Dim)| Candidate::Fixed(Arg::Pairs(dims.iter().map(pair).collect()));
            vec![
                each(&|dim| pairs(0, dim.clone())),
                each(&|dim| pairs(0, dim.minus(&Dim::literal(1)))),
                each(&|_| pairs(1, Dim::literal(2))),
                each(&|_| pairs(1, Dim::literal(1))),
                each(&|_| pairs(0, Dim::literal(1))),
            ]
        }
        ParamKind::Operands => {
            vec![Candidate::Several(vec![receiver.clone(); 2]), Candidate::Several(vec![receiver.clone()])]
        }
        ParamKind::Options(..) => Vec::new(),
    }
}

/// Shapes of the receiver, by rank.
const RECEIVERS: [&str; 7] =
    ["", "[3]", "[2, 3]", "[2, 3, 2]", "[1, 2, 3, 2]", "[1, 2, 2, 3, 2]", "[1, 1, 2, 2, 3, 2]"];

/// For those who take nothing else.
const SQUARE: [&str; 7] = ["", "[1]", "[3, 3]", "[1, 3, 3]", "[2, 1, 3, 3]", "[1, 2, 1, 3, 3]", "[1, 1, 2, 1, 3, 3]"];

/// Every combination that is not refused, after the arguments in `first`, for receivers of these ranks.
fn cases(name: &str, first: &[Candidate], params: &[ParamKind], ranks: &[usize], build: Build) -> Vec<Body> {
    let all = cases_of(RECEIVERS, name, first, params, ranks, build);
    if all.is_empty() { cases_of(SQUARE, name, first, params, ranks, build) } else { all }
}

fn cases_of(
    shapes: [&str; 7],
    name: &str,
    first: &[Candidate],
    params: &[ParamKind],
    ranks: &[usize],
    build: Build,
) -> Vec<Body> {
    let mut cases = Vec::new();
    for rank in ranks {
        let receiver = float(shapes[*rank]);
        let mut lists: Vec<Vec<Candidate>> = vec![first.to_vec()];
        for kind in params {
            let next = candidates(*kind, &receiver);
            lists = lists
                .iter()
                .flat_map(|list| next.iter().map(|last| [&list[..], std::slice::from_ref(last)].concat()))
                .collect();
        }
        for list in lists {
            let mut types = Vec::new();
            for candidate in &list {
                match candidate {
                    Candidate::Operand(ty) => types.push(ty.clone()),
                    Candidate::Several(tys) => types.extend(tys.iter().cloned()),
                    _ => {}
                }
            }
            // Without another operand the receiver has to be a parameter.
            types.push(receiver.clone());
            let mut refused = false;
            let case = body(name, &types, |b, vars| {
                let args = arguments(b, &list, vars);
                build(b, &args).unwrap_or_else(|_| {
                    refused = true;
                    vars[0]
                })
            });
            if !refused {
                cases.push(case);
            }
        }
    }
    cases
}

fn arguments(b: &mut Builder, list: &[Candidate], vars: &[Var]) -> Vec<Arg> {
    let (receiver, mut operands) = (vars[vars.len() - 1], vars.iter().copied());
    let mut next = || operands.next().expect("a parameter for each operand");
    list.iter()
        .map(|candidate| match candidate {
            Candidate::Operand(_) => Arg::Operand(next()),
            Candidate::Receiver => Arg::Operand(receiver),
            Candidate::Number(value) => Arg::Operand(b.constant(&Elem::F64, *value)),
            Candidate::Several(tys) => Arg::Operands(tys.iter().map(|_| next()).collect()),
            Candidate::Fixed(arg) => arg.clone(),
        })
        .collect()
}

/// `CASES` of them, from the first to the last.
fn spread(cases: Vec<Body>) -> Vec<Body> {
    let step = cases.len().div_ceil(CASES).max(1);
    cases.into_iter().step_by(step).collect()
}

#[track_caller]
fn holds(case: &Body, points: usize) {
    let sampled: BTreeSet<String> = samples().iter().map(|(op, _)| name(&op.text())).collect();
    for eqn in &case.block.eqns {
        if let Op::Tensor(op) = &eqn.op {
            assert!(sampled.contains(&name(&op.text())), "`{}` has no sample", op.text());
        }
    }
    let has_value = |domain: &(f64, f64)| {
        let values = machine()
            .run(case, &point(case, *domain, &mut Numbers(7)))
            .unwrap_or_else(|problem| panic!("{problem}\n{}", print(case)));
        values.iter().flat_map(|value| &value.data).all(|x| x.is_finite())
    };
    let domain = *DOMAINS
        .iter()
        .find(|domain| has_value(domain))
        .unwrap_or_else(|| panic!("no value anywhere\n{}", print(case)));
    let result = Derivatives::of(case).and_then(|derivatives| {
        derivatives.check(&machine(), points, &mut Numbers(7), Passes::OverAll, |numbers| point(case, domain, numbers))
    });
    if let Err(problem) = result {
        panic!("{problem}\n{}", print(case));
    }
}

/// `sum` of `sum[0, keep]`.
fn name(text: &str) -> String {
    text.split('[').next().unwrap_or(text).to_owned()
}

fn takes_options(params: &[ParamKind]) -> bool {
    params.iter().any(|kind| matches!(kind, ParamKind::Options(..)))
}

#[test]
fn methods() {
    for method in method::all().filter(|method| !takes_options(method.params)) {
        let ranks = method.ranks.unwrap_or(&[1, 2, 3]);
        let cases = spread(cases(method.name, &[Candidate::Receiver], method.params, ranks, method.build));
        assert!(!cases.is_empty(), "`{}` is tried nowhere", method.name);
        cases.iter().for_each(|case| holds(case, 2));
    }
}

#[test]
fn functions() {
    for function in method::functions().filter(|function| !takes_options(function.params)) {
        let cases = spread(cases(function.name, &[], function.params, &[1, 2, 3, 4], function.build));
        assert!(!cases.is_empty(), "`{}` is tried nowhere", function.name);
        cases.iter().for_each(|case| holds(case, 2));
    }
}

/// What the cases of `tests/data/ops.json` call, lowered from Rust.
#[test]
fn written_in_rust() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/ops.json");
    let data: Value = serde_json::from_str(&std::fs::read_to_string(path).expect(path)).expect("JSON");
    let mut tried = BTreeSet::new();
    for case in data["cases"].as_array().expect("a list of cases") {
        let rust = case["rust"].as_str().expect("a body");
        let optional = method::all()
            .map(|method| (method.name, method.params))
            .chain(method::functions().map(|function| (function.name, function.params)));
        let called: Vec<&str> = optional
            .filter(|(name, params)| takes_options(params) && rust.contains(&format!("{name}(")))
            .map(|(name, _)| name)
            .collect();
        if called.is_empty() {
            continue;
        }
        let body = lowered(&source(case)).unwrap_or_else(|problem| panic!("{problem}\n{}", source(case)));
        holds(&body, 1);
        tried.extend(called);
    }
    // The cases of the fixture decide which of them are tried; those of two dimensions always are.
    for name in ["conv2d", "conv_transpose2d", "max_pool2d", "avg_pool2d"] {
        assert!(tried.contains(name), "`{name}` is tried nowhere");
    }
}

/// The function of a case.
fn source(case: &Value) -> String {
    let ty = |shape: &Value| {
        let dims: Vec<String> = shape.as_array().expect("a shape").iter().map(Value::to_string).collect();
        if dims.is_empty() { "f64".to_owned() } else { format!("Tensor{}<f64, {}>", dims.len(), dims.join(", ")) }
    };
    let mut params = String::new();
    for input in case["inputs"].as_array().expect("inputs") {
        let by = if input["shape"].as_array().is_some_and(Vec::is_empty) { "" } else { "&" };
        let _ = write!(params, "{}: {by}{}, ", input["name"].as_str().expect("a name"), ty(&input["shape"]));
    }
    format!("fn case({params}) -> {} {{ {} }}", ty(&case["output"]["shape"]), case["rust"].as_str().expect("a body"))
}
