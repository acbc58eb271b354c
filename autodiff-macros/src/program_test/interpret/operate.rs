//! Operators, assignments and literals of structs.

use super::{Machine, Run, Value, is_in, wrong};
use crate::program_test::number::Number;
use std::rc::Rc;
use syn::{BinOp, Expr, Member};

pub(super) fn member(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The method of an operator.
fn word(op: &str) -> &str {
    match op {
        "+" => "add",
        "-" => "sub",
        "*" => "mul",
        other => other,
    }
}

impl Machine {
    /// An operator of a struct, or of a number and a struct.
    pub(super) fn operator(&mut self, method: &str, args: Vec<Value>) -> Run<Value> {
        let left = match args.first() {
            Some(Value::Place(place)) => self.at(&place.clone())?.clone(),
            Some(value) => value.clone(),
            None => Value::Unit,
        };
        let owners = match left {
            Value::Struct(name, _) => vec![name.to_string()],
            _ => vec!["f64".to_owned(), "f32".to_owned()],
        };
        let items = Rc::clone(&self.items);
        let found = owners.iter().find_map(|owner| Some((owner, items.functions.get(&format!("{owner}::{method}"))?)));
        match found {
            Some((owner, function)) => self.run(Some(owner), function, args),
            None => wrong(format!("`{method}` of `{owners:?}`")),
        }
    }

    /// Variables, constants and variants without fields.
    pub(super) fn path(&mut self, path: &syn::Path) -> Run<Value> {
        let name = self.name(path);
        if let Ok(slot) = self.slot(&name) {
            let value = self.slots[slot].clone();
            return Ok(self.copied(value));
        }
        let items = Rc::clone(&self.items);
        if let Some((name, _)) = items.fields.get(&name) {
            return Ok(Value::Struct(Rc::clone(name), Vec::new()));
        }
        match (&name[..], items.constants.get(&name)) {
            ("None", _) => Ok(Value::Option(None)),
            (_, Some(expr)) => self.value(expr),
            ("f64::INFINITY" | "f32::INFINITY", _) => Ok(Value::Number(Number::constant(f64::INFINITY))),
            ("f64::NEG_INFINITY" | "f32::NEG_INFINITY", _) => Ok(Value::Number(Number::constant(f64::NEG_INFINITY))),
            (name, _) if ["f64::", "f32::"].iter().any(|ty| name.starts_with(ty)) => {
                Ok(self.closure(&syn::parse_quote!(|p, q| #path(p, q))))
            }
            _ => wrong(format!("no variable `{name}`")),
        }
    }

    /// The fields as they are written, then those of the base.
    pub(super) fn literal(&mut self, literal: &syn::ExprStruct) -> Run<Value> {
        let name = self.name(&literal.path);
        let items = Rc::clone(&self.items);
        let Some((name, names)) = items.fields.get(&name) else { return wrong(format!("no struct `{name}`")) };
        let mut values: Vec<Option<Value>> = vec![None; names.len()];
        for field in literal.fields.iter().filter(|field| is_in(&field.attrs)) {
            let value = self.expr(&field.expr)?;
            match names.iter().position(|name| *name == member(&field.member)) {
                Some(k) => values[k] = Some(value),
                None => return wrong("no such field"),
            }
        }
        if let Some(base) = &literal.rest {
            let Value::Struct(_, parts) = self.value(base)? else { return wrong("no struct") };
            for (value, part) in values.iter_mut().zip(parts) {
                value.get_or_insert(part);
            }
        }
        match values.into_iter().collect() {
            Some(values) => Ok(Value::Struct(Rc::clone(name), values)),
            None => wrong("a field is missing"),
        }
    }

    pub(super) fn assign(&mut self, left: &Expr, value: Value) -> Run<Value> {
        match (left, value) {
            (Expr::Tuple(syn::ExprTuple { elems, .. }), Value::Tuple(parts))
            | (Expr::Array(syn::ExprArray { elems, .. }), Value::Seq(parts)) => {
                for (left, part) in elems.iter().zip(parts) {
                    self.assign(left, part)?;
                }
            }
            (Expr::Infer(_), _) => {}
            (left, value) => {
                let place = self.place(left)?;
                *self.at(&place)? = value;
            }
        }
        Ok(Value::Unit)
    }

    pub(super) fn binary(&mut self, binary: &syn::ExprBinary) -> Run<Value> {
        let (op, assigns) = match &binary.op {
            BinOp::And(_) => return Ok(Value::Bool(self.truth(&binary.left)? && self.truth(&binary.right)?)),
            BinOp::Or(_) => return Ok(Value::Bool(self.truth(&binary.left)? || self.truth(&binary.right)?)),
            BinOp::AddAssign(_) => ("+", true),
            BinOp::SubAssign(_) => ("-", true),
            BinOp::MulAssign(_) => ("*", true),
            BinOp::DivAssign(_) => ("/", true),
            BinOp::RemAssign(_) => ("%", true),
            BinOp::Add(_) => ("+", false),
            BinOp::Sub(_) => ("-", false),
            BinOp::Mul(_) => ("*", false),
            BinOp::Div(_) => ("/", false),
            BinOp::Rem(_) => ("%", false),
            BinOp::Lt(_) => ("<", false),
            BinOp::Le(_) => ("<=", false),
            BinOp::Gt(_) => (">", false),
            BinOp::Ge(_) => (">=", false),
            BinOp::Eq(_) => ("==", false),
            BinOp::Ne(_) => ("!=", false),
            BinOp::BitAnd(_) => ("&", false),
            BinOp::BitOr(_) => ("|", false),
            BinOp::BitXor(_) => ("^", false),
            _ => return wrong("this operator"),
        };
        if let (true, Expr::Path(_)) = (assigns, &*binary.left) {
            let place = self.place(&binary.left)?;
            if let Value::Struct(..) = self.load(Value::Place(place.clone())) {
                let right = self.value(&binary.right)?;
                return self.operator(&format!("{}_assign", word(op)), vec![Value::Place(place), right]);
            }
        }
        // Of numbers, rustc has the right side of `a += b` computed first.
        if assigns {
            let right = self.value(&binary.right)?;
            let place = self.place(&binary.left)?;
            let left = self.load(Value::Place(place.clone()));
            let result = self.combine(op, left, right)?;
            *self.at(&place)? = result;
            return Ok(Value::Unit);
        }
        let (left, right) = (self.value(&binary.left)?, self.value(&binary.right)?);
        self.combine(op, left, right)
    }

    pub fn combine(&mut self, op: &str, left: Value, right: Value) -> Run<Value> {
        match (left, right) {
            (Value::Number(a), Value::Number(b)) => {
                let truth = match op {
                    "+" => return self.number(a.add(b)),
                    "-" => return self.number(a.sub(b)),
                    "*" => return self.number(a.mul(b)),
                    "/" => return self.number(a.div(b)),
                    "<" => a.x < b.x,
                    "<=" => a.x <= b.x,
                    ">" => a.x > b.x,
                    ">=" => a.x >= b.x,
                    "==" => a.x == b.x,
                    "!=" => a.x != b.x,
                    _ => return wrong(format!("`{op}` of numbers")),
                };
                self.decide(a, b, truth);
                Ok(Value::Bool(truth))
            }
            (Value::Int(a), Value::Int(b)) => {
                let result = match op {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" if b != 0 => a / b,
                    "%" if b != 0 => a % b,
                    "&" => a & b,
                    "|" => a | b,
                    "^" => a ^ b,
                    "<" => return Ok(Value::Bool(a < b)),
                    "<=" => return Ok(Value::Bool(a <= b)),
                    ">" => return Ok(Value::Bool(a > b)),
                    ">=" => return Ok(Value::Bool(a >= b)),
                    "==" => return Ok(Value::Bool(a == b)),
                    "!=" => return Ok(Value::Bool(a != b)),
                    _ => return wrong(format!("`{op}` of {a} and {b}")),
                };
                Ok(Value::Int(result))
            }
            (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(match op {
                "&" => a & b,
                "|" => a | b,
                "^" | "!=" => a != b,
                "==" => a == b,
                _ => return wrong(format!("`{op}` of truth values")),
            })),
            (a, b) if matches!(a, Value::Struct(..)) || matches!(b, Value::Struct(..)) => {
                self.operator(word(op), vec![a, b])
            }
            (a, b) => wrong(format!("`{op}` of {a:?} and {b:?}")),
        }
    }

    pub fn numeric(&mut self, name: &str, x: Number, args: &[Value]) -> Run<Value> {
        let result = match (name, args) {
            ("max" | "min", [Value::Number(y)]) => {
                self.decide(x, *y, x.x < y.x);
                if name == "max" { x.max(*y) } else { x.min(*y) }
            }
            ("powi", [Value::Int(n)]) => x.powi(*n as i32),
            ("partial_cmp" | "total_cmp", [Value::Number(y)]) => {
                self.decide(x, *y, x.x < y.x);
                let order = Value::Int(x.x.total_cmp(&y.x) as i64);
                return Ok(if name == "total_cmp" { order } else { Value::Option(Some(Box::new(order))) });
            }
            ("clone", []) => x,
            ("mul_add", [Value::Number(y), Value::Number(z)]) => {
                Number { x: x.x.mul_add(y.x, z.x), ..x.mul(*y).add(*z) }
            }
            (_, []) => {
                if ["abs", "signum"].contains(&name) {
                    self.decide(x, Number::constant(0.0), x.x > 0.0);
                }
                match x.apply(name) {
                    Some(y) => y,
                    None => return wrong(format!("the function `{name}`")),
                }
            }
            _ => return wrong(format!("the arguments of `{name}`")),
        };
        self.number(result)
    }
}
