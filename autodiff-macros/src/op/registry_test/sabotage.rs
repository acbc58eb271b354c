//! The checker catches what is wrong.

use super::random::Subject;
use super::{body, float, holds, verdict};
use crate::ir::builder::Builder;
use crate::ir::eval::Array;
use crate::ir::operator::Partials;
use crate::ir::{Body, Op, Ty, Var};
use crate::op::method::{Arg, ParamKind};
use crate::op::page::Page;
use crate::op::{Algebra, Class, Cost, Mismatch, Operator, Row, RowKind, Spelling, Taylor, Typed, elementwise, parse};
use crate::pass::check::Derivatives;
use std::rc::Rc;

fn caught(body: &Body, by: &str) {
    let result = Derivatives::of(body).and_then(|derivatives| verdict(&derivatives, (-2.0, 2.0)));
    let problem = result.expect_err("a sabotaged rule passes");
    assert!(problem.contains(by), "{problem}");
}

const fn row(name: &'static str, eval: fn(&[f64]) -> f64, partials: Partials) -> Row {
    Row { eval, partials, name, ..elementwise_tanh() }
}

const fn elementwise_tanh() -> Row {
    Row {
        name: "tanh",
        doc: "",
        args: &["x"],
        spelling: Spelling::Method,
        kind: RowKind::Float,
        algebra: Algebra::Other,
        eval: |x| x[0].tanh(),
        partials: |_, y| vec![Some(1.0 - y * y)],
        taylor: Taylor::Riccati(1.0, 0.0, -1.0),
        domain: (-2.0, 2.0),
        is_const: false,
        cost: Cost::Arithmetic,
    }
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
    static HALF: Row = Row { args: &["a", "b"], ..row("mul", |x| x[0] * x[1], |x, _| vec![Some(x[1]), None]) };
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
    parse(kind).expect("a product")
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
        caught(
            &case(
                Product {
                    tangent: sound_tangent,
                    adjoint: |b, x, y_bar| {
                        vec![product(b, "matmul", y_bar, x[1]), product(b, "matmul_tn", x[0], y_bar)]
                    },
                },
                same,
            ),
            "dot products",
        );
        // One term of the product rule is missing, in one mode and in both.
        caught(
            &case(Product { tangent: |b, x, dots| product(b, "matmul", dots[0]?, x[1]), adjoint: sound_adjoint }, same),
            "tangent against differences",
        );
        caught(
            &case(
                Product {
                    tangent: sound_tangent,
                    adjoint: |b, x, y_bar| vec![product(b, "matmul_nt", y_bar, x[1]), None],
                },
                same,
            ),
            "dot products",
        );
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

/// Right as it is, wrong where it is differentiated: the cosine counts as a constant.
#[test]
fn a_wrong_second_derivative() {
    static CONSTANT_SLOPE: Row =
        row("sin", |x| x[0].sin(), |x, _| vec![Some(x[0].cos().apply(&elementwise::stop_gradient, &[]))]);
    for shape in ["", "[3]"] {
        caught(&body("f", &[float(shape)], |b, x| b.map(&CONSTANT_SLOPE, x)), "derivative of the vjp: tangent");
    }
}

/// The sum of its operands, with cotangents given here.
#[derive(Debug)]
struct Total {
    adjoint: fn(&mut Builder, &[Var], Var) -> Vec<Option<Var>>,
}

impl Operator for Total {
    fn text(&self) -> String {
        "total".into()
    }
    fn class(&self) -> Class {
        Class::Kernel("total")
    }
    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        Ok(args[0].clone().into())
    }
    fn tangent(&self, b: &mut Builder, args: &[Var], _: Var, dots: &[Option<Var>]) -> Option<Var> {
        let ty = b.ty(args[0]).clone();
        let mut sum = b.zero(ty);
        for dot in dots.iter().flatten() {
            sum = b.add(sum, *dot);
        }
        Some(sum)
    }
    fn adjoint(&self, b: &mut Builder, args: &[Var], _: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        (self.adjoint)(b, args, y_bar)
    }
    fn loops(&self, _: &mut Builder, _: &[Var], _: &Ty) -> Option<Var> {
        None
    }
    fn eval(&self, args: &[Array], _: &[usize]) -> Option<Array> {
        Some(args[1..].iter().fold(args[0].clone(), |sum, x| sum.zip(x, |a, b| a + b)))
    }
}

const fn page(shape: &'static str) -> Page {
    Page { calls: &["x.total()"], doc: "", shape, derivative: "", example: "" }
}

fn total(page: &'static Page, operands: usize, adjoint: fn(&mut Builder, &[Var], Var) -> Vec<Option<Var>>) -> Subject {
    let build = move |b: &mut Builder, args: &[Arg]| {
        let args: Vec<Var> = args.iter().map(Arg::var).collect();
        Ok(vec![b.tensor(Rc::new(Total { adjoint }), &args)?])
    };
    Subject { name: "total", page, params: vec![ParamKind::Operand; operands], ranks: None, build: Box::new(build) }
}

/// What is wrong for some ranks only, or where operands are one variable, or in what the reference says.
#[test]
fn wrong_on_some_operands() {
    static ONE: Page = page("[a…] -> [a…]");
    static TWO: Page = page("[a…], [a…] -> [a…]");
    static SHORT: Page = page("[n, a…] -> [a…]");
    let each: fn(&mut Builder, &[Var], Var) -> Vec<Option<Var>> = |_, args, y_bar| vec![Some(y_bar); args.len()];

    assert!(total(&ONE, 1, each).check().unwrap()[0] > 0);
    assert!(total(&TWO, 2, each).check().unwrap()[1] > 0);
    let problem = total(&SHORT, 1, each).check().expect_err("a wrong shape rule passes");
    assert!(problem.contains("against [n, a…] -> [a…]"), "{problem}");

    let of_rank =
        total(&ONE, 1, |b, x, y_bar| vec![Some(if b.ty(x[0]).rank() > 3 { b.add(y_bar, y_bar) } else { y_bar })]);
    let problem = of_rank.check().expect_err("a rule that is wrong for high ranks passes");
    assert!(problem.contains("dot products"), "{problem}");

    let of_one_variable = total(&TWO, 2, |_, x, y_bar| vec![Some(y_bar), (x[0] != x[1]).then_some(y_bar)]);
    let problem = of_one_variable.check().expect_err("a rule that is wrong for one variable passes");
    assert!(problem.contains("dot products"), "{problem}");
}
