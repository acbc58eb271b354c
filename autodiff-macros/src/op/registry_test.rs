//! Walks the whole operator table: every row, operator and method is checked against differences and for
//! consistency of its rules (see [`check`](crate::pass::check)). What is added to the table is covered unasked.

use super::elementwise::{self, ROWS, SPECIAL};
use super::method::{Arg, METHODS, Method, ParamKind};
use super::{Class, Mismatch, Operator, Row, RowKind, Typed};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::eval::{Array, Machine};
use crate::ir::text::{parse_ty, print};
use crate::ir::{Body, Elem, Op, Ty, Var};
use crate::pass::check::{Derivatives, Numbers, agree};
use std::rc::Rc;

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
const TERNARY: &[[&str; 3]] =
    &[["", "", ""], ["[2, 3]", "[2, 3]", "[2, 3]"], ["[3]", "[2, 3]", ""], ["[2, 1]", "", "[3]"], ["[2, 1]", "[1, 3]", "[N, 1, 1]"]];

/// Rows and operators through which no derivative flows: constant shifts and truth values.
const WITHOUT_DERIVATIVE: &[&str] = &["gt", "larger", "stop_gradient", "is_zero", "max"];

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

/// A point: floats from the domain, integers and truth values among the first few.
fn point(body: &Body, domain: (f64, f64), numbers: &mut Numbers) -> Vec<Array> {
    let machine = machine();
    let value = |param: &Var| {
        let ty = body.ty(*param);
        let dims = machine.dims(ty);
        match ty.elem {
            Elem::Bool => numbers.array(&dims, (0.0, 2.0)).map(f64::floor),
            Elem::Int(_) => numbers.array(&dims, (0.0, 3.0)).map(f64::floor),
            _ => numbers.array(&dims, domain),
        }
    };
    body.block.params.iter().map(value).collect()
}

/// Checks a function at several points of a domain.
fn verdict(derivatives: &Derivatives, domain: (f64, f64)) -> Result<(), String> {
    derivatives.check(&machine(), POINTS, &mut Numbers(7), |numbers| point(&derivatives.primal, domain, numbers))
}

#[track_caller]
fn holds(body: &Body, domain: (f64, f64)) {
    let result = Derivatives::of(body).and_then(|derivatives| verdict(&derivatives, domain));
    if let Err(problem) = result {
        panic!("{problem}\n{}", print(body));
    }
}

fn row_cases(row: &'static Row) -> Vec<Body> {
    let shapes: Vec<Vec<&str>> = match row.arity {
        1 => UNARY.iter().map(|shapes| shapes.to_vec()).collect(),
        2 => BINARY.iter().map(|shapes| shapes.to_vec()).collect(),
        _ => TERNARY.iter().map(|shapes| shapes.to_vec()).collect(),
    };
    let ty = |row: &Row, k: usize, shape: &str| match row.kind {
        RowKind::Select if k == 0 => float(shape).with_elem(Elem::Bool),
        RowKind::IntExponent if k == 1 => Ty::scalar(Elem::Int("i32".into())),
        _ => float(shape),
    };
    let mut cases = Vec::new();
    for shapes in shapes {
        let tys: Vec<Ty> = shapes.iter().enumerate().map(|(k, shape)| ty(row, k, shape)).collect();
        cases.push(body(row.name, &tys, |b, x| b.map(row, x)));
        // The same operand in every place, and the result together with the operand.
        if row.kind == RowKind::Float {
            cases.push(body(row.name, &tys[..1], |b, x| {
                let y = b.map(row, &vec![x[0]; row.arity]);
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
    for row in ROWS.iter().chain(SPECIAL).filter(|row| !WITHOUT_DERIVATIVE.contains(&row.name)) {
        for case in row_cases(row) {
            holds(&case, row.domain);
        }
    }
}

#[test]
fn operators() {
    for (op, tys) in super::samples().into_iter().filter(|(op, _)| !is_without_derivative(&**op)) {
        holds(&body("sample", &tys, |b, x| b.tensor(op.clone(), x).expect("a sample that fits")), (-2.0, 2.0));
        // The same operand in every place.
        if tys.len() == 2 && tys[0] == tys[1] {
            holds(&body("sample", &tys[..1], |b, x| b.tensor(op, &[x[0], x[0]]).expect("a sample that fits")), (-2.0, 2.0));
        }
    }
}

fn is_without_derivative(op: &dyn Operator) -> bool {
    WITHOUT_DERIVATIVE.iter().any(|name| super::attributes(&op.text(), name).is_some())
}

#[test]
fn no_derivative_flows_where_there_is_none() {
    let mut cases: Vec<Body> = Vec::new();
    for row in SPECIAL.iter().filter(|row| WITHOUT_DERIVATIVE.contains(&row.name) && row.kind == RowKind::Float) {
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
        let y = machine().run(&case, &x).expect(&print(&case)).remove(0);
        let dots: Vec<Array> = x.iter().map(|x| numbers.like(x)).collect();
        let forward = machine().run(&derivatives.jvp, &[&x[..], &dots].concat()).expect(&print(&case));
        let backward = machine().run(&derivatives.vjp, &[&x[..], &[y]].concat()).expect(&print(&case));
        let zero = |arrays: &[Array]| arrays.iter().flat_map(|array| &array.data).all(|x| *x == 0.0);
        assert!(zero(&forward[1..]) && zero(&backward[1..]), "{}", print(&case));
        crate::pass::check::check_passes(&machine(), &case, &x).expect("the same value");
    }
}

/// Argument lists to try a method with. Those that its shape rule refuses are left out.
fn method_cases(method: &Method) -> Vec<Body> {
    let ranks = method.ranks.map_or(vec![1, 2, 3], <[usize]>::to_vec);
    let mut cases = Vec::new();
    for rank in ranks {
        let receiver = float(["", "[3]", "[2, 3]", "[2, 3, 2]"][rank]);
        let mut lists: Vec<(Vec<Ty>, Vec<Arg>)> = vec![(vec![receiver.clone()], vec![Arg::Operand(Var(0))])];
        for param in method.params {
            lists = lists.iter().flat_map(|(tys, args)| {
                let candidates: Vec<(Option<Ty>, Arg)> = match param {
                    ParamKind::Operand => ["[3]", "[2]", "[2, 3]", "[3, 2]", "[3, 3]", "[2, 3, 2]"]
                        .iter()
                        .map(|shape| (Some(float(shape)), Arg::Operand(Var(u32::try_from(tys.len()).unwrap()))))
                        // The receiver once more.
                        .chain([(None, Arg::Operand(Var(0)))])
                        .collect(),
                    ParamKind::Labels => {
                        let labels = Ty::tensor(Elem::usize(), receiver.dims[..1].to_vec());
                        vec![(Some(labels), Arg::Operand(Var(u32::try_from(tys.len()).unwrap())))]
                    }
                    ParamKind::Axis => (0..rank).map(|axis| (None, Arg::Axis(axis))).collect(),
                    ParamKind::Dims => {
                        let all = Dim::product(&receiver.dims);
                        let shapes = [vec![all.clone()], vec![Dim::literal(1), all], receiver.dims.iter().rev().cloned().collect()];
                        shapes.into_iter().map(|dims| (None, Arg::Dims(dims))).collect()
                    }
                };
                candidates.into_iter().map(|(ty, arg)| {
                    (tys.iter().cloned().chain(ty).collect(), args.iter().cloned().chain([arg]).collect())
                }).collect::<Vec<_>>()
            }).collect();
        }
        for (tys, args) in lists {
            let mut refused = false;
            let case = body(method.name, &tys, |b, x| {
                (method.build)(b, &args).unwrap_or_else(|_| { refused = true; x[0] })
            });
            if !refused {
                cases.push(case);
            }
        }
    }
    cases
}

#[test]
fn methods() {
    let sampled: Vec<String> = super::samples().iter().map(|(op, _)| name(&op.text())).collect();
    for method in METHODS {
        let cases = method_cases(method);
        assert!(!cases.is_empty(), "`{}` is tried nowhere", method.name);
        for case in cases {
            for eqn in &case.block.eqns {
                if let Op::Tensor(op) = &eqn.op {
                    assert!(sampled.contains(&name(&op.text())), "`{}` has no sample", op.text());
                }
            }
            holds(&case, (-2.0, 2.0));
        }
    }
}

/// `sum` of `sum[0, keep]`.
fn name(text: &str) -> String {
    text.split('[').next().unwrap_or(text).to_owned()
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

mod sabotage {
    //! The checker catches what is wrong.

    use super::*;
    use super::super::Partials;

    fn caught(body: &Body, by: &str) {
        let result = Derivatives::of(body).and_then(|derivatives| verdict(&derivatives, (-2.0, 2.0)));
        let problem = result.expect_err("a sabotaged rule passes");
        assert!(problem.contains(by), "{problem}");
    }

    const fn row(name: &'static str, eval: fn(&[f64]) -> f64, partials: Partials) -> Row {
        Row { eval, partials, name, ..elementwise_tanh() }
    }

    const fn elementwise_tanh() -> Row {
        Row { name: "tanh", doc: "", arity: 1, spelling: super::super::Spelling::Method, kind: RowKind::Float, eval: |x| x[0].tanh(), partials: |_, y| vec![Some(1.0 - y * y)], domain: (-2.0, 2.0) }
    }

    static SOUND: Row = elementwise_tanh();
    static WRONG_FACTOR: Row = row("sin", |x| x[0].sin(), |x, _| vec![Some(2.0 * x[0].cos())]);
    static WRONG_SIGN: Row = row("cos", |x| x[0].cos(), |x, _| vec![Some(x[0].sin())]);
    static NOT_A_NUMBER: Row = row("sin", |x| x[0].sin(), |x, _| vec![Some((x[0] - x[0]) / (x[0] - x[0]))]);
    static ALL_NOT_A_NUMBER: Row = row("ln", |_| f64::NAN, |x, _| vec![Some(x[0].number(f64::NAN))]);
    static FORGOTTEN: Row = row("sin", |x| x[0].sin(), |_, _| vec![None]);
    static SLIGHTLY_OFF: Row = row("sin", |x| x[0].sin(), |x, _| vec![Some((1.0 + 1e-6) * x[0].cos())]);

    #[test]
    fn a_sound_row_passes() {
        let case = body("f", &[float("[3]")], |b, x| b.map(&SOUND, x));
        verdict(&Derivatives::of(&case).unwrap(), (-2.0, 2.0)).unwrap();
    }

    #[test]
    fn wrong_rows() {
        for wrong in [&WRONG_FACTOR, &WRONG_SIGN, &NOT_A_NUMBER, &ALL_NOT_A_NUMBER, &FORGOTTEN, &SLIGHTLY_OFF] {
            for shape in ["", "[3]"] {
                let problem = if wrong.name == "ln" { "value of the jvp" } else { "tangent against differences" };
                caught(&body("f", &[float(shape)], |b, x| b.map(wrong, x)), problem);
            }
        }
    }

    /// A partial derivative that lacks for the second operand.
    #[test]
    fn a_forgotten_operand() {
        static HALF: Row = Row { arity: 2, ..row("mul", |x| x[0] * x[1], |x, _| vec![Some(x[1]), None]) };
        caught(&body("f", &[float("[3]")], |b, x| b.map(&HALF, &[x[0], x[0]])), "tangent against differences");
        caught(&body("f", &[float("[3]"), float("")], |b, x| b.map(&HALF, x)), "tangent against differences");
    }

    /// A matrix product whose rules of the two modes are given here.
    #[derive(Debug)]
    struct Product {
        tangent: fn(&mut Builder, &[Var], &[Option<Var>]) -> Option<Var>,
        adjoint: fn(&mut Builder, &[Var], Var) -> Vec<Option<Var>>,
    }

    impl Operator for Product {
        fn text(&self) -> String {
            "matmul".into()
        }
        fn class(&self) -> Class {
            Class::Kernel("matmul")
        }
        fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
            Ok(args[0].clone().into())
        }
        fn tangent(&self, b: &mut Builder, args: &[Var], _: Var, dots: &[Option<Var>]) -> Option<Var> {
            (self.tangent)(b, args, dots)
        }
        fn adjoint(&self, b: &mut Builder, args: &[Var], _: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
            (self.adjoint)(b, args, y_bar)
        }
        fn loops(&self, _: &mut Builder, _: &[Var], _: &Ty) -> Option<Var> {
            None
        }
        fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
            multiply("matmul").eval(args, dims)
        }
    }

    fn multiply(kind: &str) -> Rc<dyn Operator> {
        super::super::parse(kind).expect("a product")
    }

    fn product(b: &mut Builder, kind: &str, x: Var, y: Var) -> Option<Var> {
        b.tensor(multiply(kind), &[x, y]).ok()
    }

    fn sound_tangent(b: &mut Builder, args: &[Var], dots: &[Option<Var>]) -> Option<Var> {
        let y = b.zero(float("[3, 3]"));
        multiply("matmul").tangent(b, args, y, dots)
    }

    fn sound_adjoint(b: &mut Builder, args: &[Var], y_bar: Var) -> Vec<Option<Var>> {
        vec![product(b, "matmul_nt", y_bar, args[1]), product(b, "matmul_tn", args[0], y_bar)]
    }

    fn case(op: Product, same: bool) -> Body {
        let op: Rc<dyn Operator> = Rc::new(op);
        let params = vec![float("[3, 3]"); if same { 1 } else { 2 }];
        body("f", &params, |b, x| b.tensor(op, &[x[0], *x.last().unwrap()]).unwrap())
    }

    #[test]
    fn wrong_operators() {
        holds(&case(Product { tangent: sound_tangent, adjoint: sound_adjoint }, false), (-2.0, 2.0));
        holds(&case(Product { tangent: sound_tangent, adjoint: sound_adjoint }, true), (-2.0, 2.0));
        for same in [false, true] {
            // The transpose is forgotten.
            caught(&case(Product { tangent: sound_tangent, adjoint: |b, x, y_bar| vec![product(b, "matmul", y_bar, x[1]), product(b, "matmul_tn", x[0], y_bar)] }, same), "dot products");
            // One term of the product rule is missing, in one mode and in both.
            caught(&case(Product { tangent: |b, x, dots| product(b, "matmul", dots[0]?, x[1]), adjoint: sound_adjoint }, same), "tangent against differences");
            caught(&case(Product { tangent: sound_tangent, adjoint: |b, x, y_bar| vec![product(b, "matmul_nt", y_bar, x[1]), None] }, same), "dot products");
        }
    }

    /// `x` is used twice, and of its two cotangents only one is kept.
    #[test]
    fn a_missing_accumulation() {
        let square = body("f", &[float("[3]")], |b, x| {
            let y = b.map(&elementwise::exp, x);
            b.mul(x[0], y)
        });
        let sound = Derivatives::of(&square).unwrap();
        verdict(&sound, (-2.0, 2.0)).unwrap();
        for kept in 0..2 {
            let mut broken = Derivatives::of(&square).unwrap();
            for (vjp, position) in [(&mut broken.vjp, 1), (&mut broken.accumulating, 1)] {
                let bar = vjp.block.results[position];
                let sum = vjp.block.eqns.iter().rfind(|eqn| eqn.outs == [bar]).expect("the sum");
                vjp.block.results[position] = sum.args[kept];
            }
            let problem = verdict(&broken, (-2.0, 2.0)).expect_err("a missing accumulation passes");
            assert!(problem.contains("dot products"), "{problem}");
        }
    }

    /// Cotangents that overwrite what they should add to.
    #[test]
    fn a_cotangent_that_overwrites() {
        let square = body("f", &[float("[3]")], |b, x| b.map(&elementwise::sin, x));
        let mut broken = Derivatives::of(&square).unwrap();
        broken.accumulating.block.eqns.last_mut().unwrap().op = Op::Set;
        let problem = verdict(&broken, (-2.0, 2.0)).expect_err("an overwritten cotangent passes");
        assert!(problem.contains("accumulated cotangents"), "{problem}");
    }
}
