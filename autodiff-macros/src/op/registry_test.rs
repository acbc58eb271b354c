//! Walks the whole operator table: every row, operator and method is checked against differences and for
//! consistency of its rules (see [`check`](crate::pass::check)). What is added to the table is covered unasked.

mod methods;
mod random;
mod sabotage;
mod taylor;

use super::elementwise;
use super::{Operator, Row, RowKind};
use crate::ir::builder::Builder;
use crate::ir::eval::{Array, Machine};
use crate::ir::text::{parse_ty, print};
use crate::ir::{Block, Body, Elem, Op, Ty, Var};
use crate::pass::check::{Derivatives, Numbers, Passes, agree};
use std::collections::BTreeSet;

/// Shapes for one operand, two and three; `N` and `M` are known to rustc only.
const UNARY: &[[&str; 1]] = &[[""], ["[3]"], ["[2, 3]"], ["[N, 1, 2]"]];
const BINARY: &[[&str; 2]] = &[
    ["", ""],
    ["[3]", "[3]"],
    ["[2, 3]", "[2, 3]"],
    ["[1, 3]", "[4, 3]"],
    ["[4, 3]", "[1, 3]"],
    ["[4, 1]", "[1, 3]"],
    ["[3]", "[4, 3]"],
    ["[4, 3]", "[3]"],
    ["[3]", "[1]"],
    ["[2, 1, 4]", "[3, 1]"],
    ["", "[2, 3]"],
    ["[3]", ""],
    ["[1]", ""],
    ["[N, M]", "[M]"],
    ["[N, 1]", "[N, M]"],
];
const TERNARY: &[[&str; 3]] = &[
    ["", "", ""],
    ["[2, 3]", "[2, 3]", "[2, 3]"],
    ["[3]", "[2, 3]", ""],
    ["[2, 1]", "", "[3]"],
    ["[2, 1]", "[1, 3]", "[N, 1, 1]"],
];

/// Rows and operators through which no derivative flows: constant shifts. (Nor does it through truth values.)
const WITHOUT_DERIVATIVE: &[&str] = &["larger", "stop_gradient"];

/// Rows whose derivative is another one than that of their value by the operands: zeros that are there for their derivative, and
/// products that say the derivative of what a gate is of (see [`activations_by_gates`]).
const OF_ANOTHER_VALUE: &[&str] = &["vanishing", "gelu_of", "gelu_tanh_of", "silu_of"];

const POINTS: usize = 3;

fn machine() -> Machine {
    Machine::new(&[("N", 3), ("M", 2)])
}

fn float(shape: &str) -> Ty {
    parse_ty(&format!("f64{shape}")).expect(shape)
}

/// A body with parameters of these types.
fn body(name: &str, params: &[Ty], build: impl FnOnce(&mut Builder, &[Var]) -> Var) -> Body {
    let mut b = Builder::new();
    let params: Vec<Var> = params.iter().map(|ty| b.var(ty.clone(), None)).collect();
    let y = build(&mut b, &params);
    b.finish(name.into(), params, vec![y])
}

/// Whether square matrices have to be far from singular.
fn is_tried_far_from_singular(block: &Block) -> bool {
    block.eqns.iter().any(|eqn| {
        matches!(&eqn.op, Op::Tensor(op) if op.is_tried_far_from_singular())
            || eqn.regions.iter().any(is_tried_far_from_singular)
    })
}

/// M + 8·1: of numbers up to 2 and at most 4 rows, it is positive definite.
fn far_from_singular(mut array: Array) -> Array {
    if let [n, m] = array.dims[..] {
        for k in (0..n).filter(|_| n == m) {
            *array.at_mut(&[k, k]) += 8.0;
        }
    }
    array
}

/// A point: floats from the domain, integers and truth values among the first few. Matrices that are factorised are far
/// from singular.
fn point(body: &Body, domain: (f64, f64), numbers: &mut Numbers) -> Vec<Array> {
    let machine = machine();
    let far = is_tried_far_from_singular(&body.block);
    let value = |param: &Var| {
        let ty = body.ty(*param);
        let dims = machine.dims(ty);
        match ty.elem {
            Elem::Bool => numbers.array(&dims, (0.0, 2.0)).map(f64::floor),
            // Indices fit every axis.
            _ if *ty == ty.with_elem(Elem::usize()) => numbers.array(&dims, (0.0, 2.0)).map(f64::floor),
            Elem::Int(_) => numbers.array(&dims, (0.0, 3.0)).map(f64::floor),
            _ if far => far_from_singular(numbers.array(&dims, domain)),
            _ => numbers.array(&dims, domain),
        }
    };
    body.block.params.iter().map(value).collect()
}

/// Checks a function at several points of a domain.
fn verdict(derivatives: &Derivatives, domain: (f64, f64)) -> Result<(), String> {
    derivatives.check(&machine(), POINTS, &mut Numbers(7), Passes::OverAll, |numbers| {
        point(&derivatives.primal, domain, numbers)
    })
}

#[track_caller]
fn holds(body: &Body, domain: (f64, f64)) {
    holds_with(body, domain, POINTS, Passes::OverAll);
}

#[track_caller]
fn holds_with(body: &Body, domain: (f64, f64), points: usize, passes: Passes) {
    let result = Derivatives::of(body).and_then(|derivatives| {
        derivatives.check(&machine(), points, &mut Numbers(7), passes, |numbers| point(body, domain, numbers))
    });
    if let Err(problem) = result {
        panic!("{problem}\n{}", print(body));
    }
}

fn row_cases(row: &'static Row) -> Vec<Body> {
    let shapes: Vec<Vec<&str>> = match row.arity() {
        1 => UNARY.iter().map(|shapes| shapes.to_vec()).collect(),
        2 => BINARY.iter().map(|shapes| shapes.to_vec()).collect(),
        _ => TERNARY.iter().map(|shapes| shapes.to_vec()).collect(),
    };
    let ty = |row: &Row, k: usize, shape: &str| match row.kind {
        RowKind::Select if k == 0 => float(shape).with_elem(Elem::Bool),
        RowKind::IntExponent if k == 1 => Ty::scalar(Elem::Int("i32".into())),
        _ => float(shape),
    };
    let (mut cases, mut alone) = (Vec::new(), BTreeSet::new());
    for shapes in shapes {
        let tys: Vec<Ty> = shapes.iter().enumerate().map(|(k, shape)| ty(row, k, shape)).collect();
        cases.push(body(row.name, &tys, |b, x| b.map(row, x)));
        // The same operand in every place, and the result together with the operand.
        if row.kind == RowKind::Float && alone.insert(shapes[0]) {
            cases.push(body(row.name, &tys[..1], |b, x| {
                let y = b.map(row, &vec![x[0]; row.arity()]);
                b.mul(y, x[0])
            }));
        }
    }
    if row.kind == RowKind::IntExponent {
        for exponent in [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0] {
            cases.push(body(row.name, &[float("[3]")], |b, x| {
                let n = b.constant(&Elem::Int("i32".into()), exponent);
                b.map(row, &[x[0], n])
            }));
        }
    }
    cases
}

#[test]
fn rows() {
    let is_without = |row: &Row| [WITHOUT_DERIVATIVE, OF_ANOTHER_VALUE].iter().any(|names| names.contains(&row.name));
    let all = elementwise::all().chain(elementwise::internal());
    let with_derivative = all.filter(|row| row.kind != RowKind::Predicate && !is_without(row));
    for (number, row) in with_derivative.enumerate() {
        // Passes do not look at rows, so that each shape need not go through them with each row.
        for (k, case) in row_cases(row).iter().enumerate() {
            let passes = if (number + k) % 4 == 0 { Passes::OverAll } else { Passes::None };
            holds_with(case, row.domain, 2, passes);
        }
    }
}

/// A gate and the product have the derivative of the activation.
#[test]
fn activations_by_gates() {
    let gated: Vec<_> = elementwise::all().filter_map(|row| Some((row, elementwise::gate(row)?))).collect();
    assert_eq!(gated.len(), 3);
    for (activation, (gate, product)) in gated {
        for [shape] in UNARY {
            let case = body(activation.name, &[float(shape)], |b, x| {
                let g = b.map(gate, x);
                b.map(product, &[x[0], g])
            });
            holds(&case, activation.domain);
        }
    }
}

#[test]
fn operators() {
    for (op, tys) in super::samples().into_iter().filter(|(op, _)| !is_without_derivative(&**op)) {
        holds(&body("sample", &tys, |b, x| b.tensor(op.clone(), x).expect("a sample that fits")), (-2.0, 2.0));
        // The same operand in every place.
        if tys.len() == 2 && tys[0] == tys[1] {
            holds(
                &body("sample", &tys[..1], |b, x| b.tensor(op, &[x[0], x[0]]).expect("a sample that fits")),
                (-2.0, 2.0),
            );
        }
    }
}

fn is_without_derivative(op: &dyn Operator) -> bool {
    WITHOUT_DERIVATIVE.iter().any(|name| super::attributes(&op.text(), name).is_some())
}

#[test]
fn no_derivative_flows_where_there_is_none() {
    let mut cases: Vec<Body> = Vec::new();
    for row in elementwise::all().filter(|row| WITHOUT_DERIVATIVE.contains(&row.name) && row.kind == RowKind::Float) {
        cases.extend(row_cases(row).into_iter().filter(|case| case.block.eqns.len() == 1));
    }
    for (op, tys) in super::samples().into_iter().filter(|(op, _)| is_without_derivative(&**op)) {
        cases.push(body("sample", &tys, |b, x| b.tensor(op, x).expect("a sample that fits")));
    }
    assert!(cases.len() > 10);
    for case in cases {
        let derivatives = Derivatives::of(&case).expect("supported");
        let mut numbers = Numbers(3);
        let x = point(&case, (-2.0, 2.0), &mut numbers);
        let y = machine().run(&case, &x).unwrap_or_else(|_| panic!("{}", print(&case))).remove(0);
        let dots: Vec<Array> = x.iter().map(|x| numbers.like(x)).collect();
        let forward =
            machine().run(&derivatives.jvp, &[&x[..], &dots].concat()).unwrap_or_else(|_| panic!("{}", print(&case)));
        let backward =
            machine().run(&derivatives.vjp, &[&x[..], &[y]].concat()).unwrap_or_else(|_| panic!("{}", print(&case)));
        let zero = |arrays: &[Array]| arrays.iter().flat_map(|array| &array.data).all(|x| *x == 0.0);
        assert!(zero(&forward[1..]) && zero(&backward[1..]), "{}", print(&case));
        crate::pass::check::check_passes(&machine(), &case, &x).expect("the same value");
    }
}

#[test]
fn numbers_that_agree_and_numbers_that_do_not() {
    assert!(agree(0.0, 0.0, 0.0, 1.0));
    assert!(agree(0.0, -0.0, 0.0, 1.0));
    assert!(agree(1.0, 1.0 + 1e-13, 1e-12, 1.0));
    assert!(!agree(1.0, 1.0 + 1e-11, 1e-12, 1.0));
    assert!(!agree(f64::NAN, f64::NAN, 1.0, 1.0));
    assert!(!agree(f64::NAN, 0.0, 1.0, 1.0));
    assert!(!agree(f64::INFINITY, f64::NEG_INFINITY, 1.0, 1.0));
    assert!(!agree(f64::INFINITY, 0.0, 1.0, 1.0));
}

/// `tests/ops/extremes_rows.rs` asks every row with a derivative for NaN.
#[test]
fn every_row_is_tried_at_the_extremes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/ops/extremes_rows.rs");
    let text = std::fs::read_to_string(path).expect("the test of extremes");
    // A selection has none of its own, and these two have nothing that could overflow.
    let others = ["select", "stop_gradient", "larger", "neg", "sign"];
    for row in elementwise::all().filter(|row| row.kind != RowKind::Predicate && !others.contains(&row.name)) {
        let tried = [format!("    {} in ", row.name), format!("    {} by ", row.name), format!("mod {} ", row.name)];
        assert!(tried.iter().any(|tried| text.contains(tried)), "`{}` is not among the functions of {path}", row.name);
    }
}
