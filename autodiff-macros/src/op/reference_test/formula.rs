//! The partial derivatives of a row as mathematics: what its rule builds, written in one line.

use crate::ir::builder::Builder;
use crate::ir::{Elem, IntOp, Op, Ty, Var};
use crate::op::expr::Scope;
use crate::op::{Row, RowKind};
use std::collections::HashMap;
use std::f64::consts;

/// One formula for each argument that has a derivative at all.
pub(super) fn partials(row: &Row) -> Vec<String> {
    let mut b = Builder::new();
    let mut names = HashMap::new();
    let args: Vec<Var> = row
        .args
        .iter()
        .enumerate()
        .map(|(k, name)| {
            let elem = match row.kind {
                RowKind::Select if k == 0 => Elem::Bool,
                RowKind::IntExponent if k == 1 => Elem::Int("i32".into()),
                _ => Elem::F64,
            };
            let var = b.var(Ty::scalar(elem), None);
            names.insert(var, (*name).to_owned());
            var
        })
        .collect();
    let y = b.var(Ty::scalar(Elem::F64), None);
    names.insert(y, "y".to_owned());
    let found: Vec<Option<Var>> = {
        let scope = Scope::new(&mut b);
        let args: Vec<_> = args.iter().map(|arg| scope.var(*arg)).collect();
        (row.partials)(&args, scope.var(y)).into_iter().map(|partial| partial.map(|e| e.var)).collect()
    };
    let eqns = b.current().iter().map(|eqn| (eqn.outs[0], (eqn.op.clone(), eqn.args.clone()))).collect();
    let writer = Writer { names, eqns };
    let several = row.args.len() > 1;
    let partials = row.args.iter().zip(found).map(|(arg, partial)| {
        let formula = partial.map_or_else(|| "0".to_owned(), |var| writer.formula(var, Level::Choice));
        if several { format!("{arg}: `{formula}`") } else { format!("`{formula}`") }
    });
    partials.collect()
}

/// What binds loosely comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Choice,
    Comparison,
    Sum,
    Product,
    Atom,
}

struct Writer {
    names: HashMap<Var, String>,
    eqns: HashMap<Var, (Op, Vec<Var>)>,
}

impl Writer {
    fn is_quotient(&self, var: Var) -> bool {
        !self.names.contains_key(&var) && matches!(&self.eqns[&var].0, Op::Map(row) if row.name == "div")
    }

    /// In parentheses where it binds looser than what stands around it.
    fn formula(&self, var: Var, around: Level) -> String {
        let (text, level) = self.write(var);
        if level < around { format!("({text})") } else { text }
    }

    fn write(&self, var: Var) -> (String, Level) {
        if let Some(name) = self.names.get(&var) {
            return (name.clone(), Level::Atom);
        }
        let (op, args) = &self.eqns[&var];
        let at = |k: usize, level: Level| self.formula(args[k], level);
        let infix = |sign: &str, level: Level, right: Level| (format!("{}{sign}{}", at(0, level), at(1, right)), level);
        match op {
            Op::Const(value) => number(*value),
            Op::Zero(_) => ("0".into(), Level::Atom),
            Op::Cast => self.write(args[0]),
            Op::Int(IntOp::Sub) => infix(" − ", Level::Sum, Level::Product),
            Op::Int(IntOp::Max) => (format!("max({}, {})", at(0, Level::Choice), at(1, Level::Choice)), Level::Atom),
            Op::Map(row) => match row.name {
                "add" => infix(" + ", Level::Sum, Level::Sum),
                "sub" => infix(" − ", Level::Sum, Level::Product),
                // y·(1/b) is not y·1/b to everybody.
                "mul" if self.is_quotient(args[1]) => infix("·", Level::Product, Level::Atom),
                "mul" => infix("·", Level::Product, Level::Product),
                "div" => infix("/", Level::Product, Level::Atom),
                "neg" => (format!("−{}", at(0, Level::Product)), Level::Product),
                "square" => (format!("{}²", at(0, Level::Atom)), Level::Atom),
                "sqrt" => (format!("√{}", at(0, Level::Atom)), Level::Atom),
                "over_square" => {
                    let (x, y) = (at(0, Level::Atom), at(1, Level::Atom));
                    (format!("{x}/({x}² + {y}²)"), Level::Product)
                }
                "powf" | "powi" => (format!("{}^{}", at(0, Level::Atom), at(1, Level::Atom)), Level::Atom),
                "gt" => infix(" > ", Level::Comparison, Level::Sum),
                "ge" => infix(" ≥ ", Level::Comparison, Level::Sum),
                "lt" => infix(" < ", Level::Comparison, Level::Sum),
                "le" => infix(" ≤ ", Level::Comparison, Level::Sum),
                "eq" => infix(" = ", Level::Comparison, Level::Sum),
                // Beyond the bounds of a slope it is constant: they change nothing but what would be NaN.
                "clamp" => self.write(args[0]),
                "select" => {
                    // A chain of conditions is one list of cases.
                    let (no, level) = self.write(args[2]);
                    let no = if level == Level::Choice { no } else { format!("else {no}") };
                    let text = format!("{} if {}, {no}", at(1, Level::Comparison), at(0, Level::Comparison));
                    (text, Level::Choice)
                }
                name => {
                    let args: Vec<String> = (0..args.len()).map(|k| at(k, Level::Choice)).collect();
                    (format!("{name}({})", args.join(", ")), Level::Atom)
                }
            },
            other => panic!("no formula for {other:?}"),
        }
    }
}

fn number(value: f64) -> (String, Level) {
    let known = [
        (consts::LN_2, "ln 2"),
        (consts::LOG2_E, "1/ln 2"),
        (consts::LOG10_E, "1/ln 10"),
        (consts::FRAC_1_SQRT_2, "1/√2"),
        (consts::FRAC_2_SQRT_PI, "2/√π"),
        (consts::FRAC_2_SQRT_PI * consts::FRAC_1_SQRT_2, "√(2/π)"),
        (consts::FRAC_2_SQRT_PI * consts::FRAC_1_SQRT_2 / 2.0, "1/√(2π)"),
        (consts::PI / 180.0, "π/180"),
        (180.0 / consts::PI, "180/π"),
    ];
    if let Some((_, text)) = known.iter().find(|(known, _)| *known == value) {
        return ((*text).to_owned(), if text.contains('/') { Level::Sum } else { Level::Atom });
    }
    let exact = value.abs().to_string();
    let text = if exact.len() > 8 { format!("{:.6}", value.abs()) } else { exact };
    if value < 0.0 { (format!("−{text}"), Level::Product) } else { (text, Level::Atom) }
}
