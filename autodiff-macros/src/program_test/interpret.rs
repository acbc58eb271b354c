//! Runs Rust source as it is written: no types, no intermediate representation, one expression after the other.
//!
//! It knows what [`super::generate`] writes and nothing else, and computes with [`Number`]s, so that one run gives the
//! value, two derivatives and a second derivative, by the rules of calculus alone. Borrows for reading are copies.

mod sequence;
mod store;

use super::number::Number;
use std::collections::HashMap;
use std::rc::Rc;
use syn::{BinOp, Block, Expr, ExprClosure, ExprMethodCall, ItemFn, Lit, Pat, Stmt, UnOp};

#[derive(Clone, Debug)]
pub enum Value {
    Unit,
    Number(Number),
    Int(i64),
    Bool(bool),
    /// Arrays, slices, `Vec`, and what an iterator gives.
    Seq(Vec<Value>),
    Tuple(Vec<Value>),
    Option(Option<Box<Value>>),
    /// A mutable borrow.
    Place(Place),
    Closure(Rc<ExprClosure>, Scopes),
}

/// A variable, or an element or part of it.
#[derive(Clone, Debug)]
pub struct Place {
    slot: usize,
    at: Vec<usize>,
    range: Option<(usize, usize)>,
}

/// Why the next statement does not follow.
pub enum Flow {
    Break(Option<String>, Value),
    Continue(Option<String>),
    Return(Value),
    /// A panic, or what is not known here.
    Wrong(String),
}

pub type Run<T> = Result<T, Flow>;
type Scopes = Vec<HashMap<String, usize>>;

pub fn wrong<T>(what: impl Into<String>) -> Run<T> {
    Err(Flow::Wrong(what.into()))
}

#[derive(Default)]
pub struct Machine {
    slots: Vec<Value>,
    scopes: Scopes,
    /// Which way each comparison of numbers went: the function is smooth where this does not change.
    pub decisions: Vec<bool>,
    /// The largest number that occurred, derivatives included.
    pub largest: f64,
}

/// No program of the test takes this many iterations.
const FOREVER: usize = 10_000;

impl Machine {
    /// The result of a function.
    pub fn call(&mut self, function: &ItemFn, args: Vec<Value>) -> Result<Value, String> {
        self.scopes.push(HashMap::new());
        for (input, arg) in function.sig.inputs.iter().zip(args) {
            let syn::FnArg::Typed(typed) = input else { return Err("a receiver".into()) };
            let bound = self.bind(&typed.pat, arg);
            if let Err(Flow::Wrong(problem)) = bound {
                return Err(problem);
            }
        }
        let result = self.block(&function.block);
        match result {
            Ok(value) | Err(Flow::Return(value)) => Ok(self.load(value)),
            Err(Flow::Wrong(problem)) => Err(problem),
            Err(_) => Err("a jump out of the function".into()),
        }
    }

    // --- statements -----------------------------------------------------------------------------------

    pub fn block(&mut self, block: &Block) -> Run<Value> {
        self.scoped(|machine| {
            let mut value = Value::Unit;
            for stmt in &block.stmts {
                value = match stmt {
                    Stmt::Local(local) => {
                        let value = match &local.init {
                            Some(init) => machine.expr(&init.expr)?,
                            None => Value::Unit,
                        };
                        machine.bind(&local.pat, value)?;
                        Value::Unit
                    }
                    Stmt::Expr(expr, None) => machine.expr(expr)?,
                    Stmt::Expr(expr, Some(_)) => machine.expr(expr).map(|_| Value::Unit)?,
                    _ => return wrong("this statement"),
                };
            }
            Ok(machine.load(value))
        })
    }

    /// An iteration: whether the loop goes on, and its value if not.
    fn iteration(&mut self, label: Option<&String>, body: &Block) -> Run<Option<Value>> {
        let ours = |target: &Option<String>| target.is_none() || target.as_ref() == label;
        match self.block(body) {
            Ok(_) => Ok(None),
            Err(Flow::Break(target, value)) if ours(&target) => Ok(Some(value)),
            Err(Flow::Continue(target)) if ours(&target) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn repeat(
        &mut self,
        label: Option<&syn::Label>,
        body: &Block,
        next: &mut dyn FnMut(&mut Self) -> Run<bool>,
    ) -> Run<Value> {
        let label = label.map(|label| label.name.ident.to_string());
        for _ in 0..FOREVER {
            self.scopes.push(HashMap::new());
            let more = next(self);
            let done = match more {
                Ok(true) => self.iteration(label.as_ref(), body),
                Ok(false) => Ok(Some(Value::Unit)),
                Err(flow) => Err(flow),
            };
            self.scopes.pop();
            if let Some(value) = done? {
                return Ok(value);
            }
        }
        wrong("the loop does not end")
    }

    // --- expressions ----------------------------------------------------------------------------------

    pub fn expr(&mut self, expr: &Expr) -> Run<Value> {
        match expr {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(int) => int.base10_parse().map(Value::Int).or_else(|_| wrong("a large literal")),
                Lit::Float(float) => match float.base10_parse() {
                    Ok(x) => Ok(Value::Number(Number::constant(x))),
                    Err(_) => wrong("no number"),
                },
                Lit::Bool(lit) => Ok(Value::Bool(lit.value)),
                _ => wrong("this literal"),
            },
            Expr::Path(path) => {
                let name = path.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
                if name == "None" {
                    return Ok(Value::Option(None));
                }
                let slot = self.slot(&name)?;
                Ok(self.slots[slot].clone())
            }
            Expr::Paren(paren) => self.expr(&paren.expr),
            Expr::Group(group) => self.expr(&group.expr),
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.place(&reference.expr).map(Value::Place)
            }
            Expr::Reference(reference) => self.value(&reference.expr),
            Expr::Block(block) => match self.block(&block.block) {
                Err(Flow::Break(Some(target), value))
                    if block.label.as_ref().is_some_and(|label| label.name.ident == target) =>
                {
                    Ok(value)
                }
                other => other,
            },
            Expr::Unary(unary) => match (&unary.op, self.value(&unary.expr)?) {
                (UnOp::Neg(_), Value::Number(x)) => self.number(x.neg()),
                (UnOp::Not(_), Value::Bool(x)) => Ok(Value::Bool(!x)),
                (UnOp::Deref(_), value) => Ok(value),
                _ => wrong("this operand"),
            },
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => {
                let value = self.value(&assign.right)?;
                self.assign(&assign.left, value)
            }
            Expr::If(branch) => self.scoped(|machine| {
                let taken = match &*branch.cond {
                    Expr::Let(pattern) => {
                        let value = machine.value(&pattern.expr)?;
                        machine.fits(&pattern.pat, &value)?
                    }
                    cond => machine.truth(cond)?,
                };
                match (&branch.else_branch, taken) {
                    (_, true) => machine.block(&branch.then_branch),
                    (Some((_, other)), false) => machine.expr(other),
                    (None, false) => Ok(Value::Unit),
                }
            }),
            Expr::Match(matched) => {
                let value = self.value(&matched.expr)?;
                for arm in &matched.arms {
                    let taken = self.scoped(|machine| {
                        let fits = machine.fits(&arm.pat, &value)?
                            && match &arm.guard {
                                Some((_, guard)) => machine.truth(guard)?,
                                None => true,
                            };
                        if fits { machine.expr(&arm.body).map(Some) } else { Ok(None) }
                    })?;
                    if let Some(value) = taken {
                        return Ok(value);
                    }
                }
                wrong("no arm fits")
            }
            Expr::While(loop_) => {
                self.repeat(loop_.label.as_ref(), &loop_.body, &mut |machine| machine.truth(&loop_.cond))
            }
            Expr::Loop(loop_) => self.repeat(loop_.label.as_ref(), &loop_.body, &mut |_| Ok(true)),
            Expr::ForLoop(loop_) => {
                let mut items = self.items(&loop_.expr)?.into_iter();
                self.repeat(loop_.label.as_ref(), &loop_.body, &mut |machine| match items.next() {
                    Some(item) => machine.bind(&loop_.pat, item).map(|()| true),
                    None => Ok(false),
                })
            }
            Expr::Break(jump) => {
                let value = match &jump.expr {
                    Some(expr) => self.value(expr)?,
                    None => Value::Unit,
                };
                Err(Flow::Break(jump.label.as_ref().map(|label| label.ident.to_string()), value))
            }
            Expr::Continue(jump) => Err(Flow::Continue(jump.label.as_ref().map(|label| label.ident.to_string()))),
            Expr::Return(ret) => {
                let value = match &ret.expr {
                    Some(expr) => self.value(expr)?,
                    None => Value::Unit,
                };
                Err(Flow::Return(value))
            }
            Expr::Tuple(tuple) => {
                let parts: Run<Vec<Value>> = tuple.elems.iter().map(|elem| self.expr(elem)).collect();
                Ok(Value::Tuple(parts?))
            }
            Expr::Array(array) => self.all(array.elems.iter()),
            Expr::Repeat(repeat) => {
                let (value, count) = (self.value(&repeat.expr)?, self.index(&repeat.len)?);
                Ok(Value::Seq(vec![value; count]))
            }
            Expr::Macro(mac) if mac.mac.path.is_ident("vec") => self.vec(&mac.mac),
            Expr::Index(index) => {
                let Value::Seq(parts) = self.value(&index.expr)? else { return wrong("no elements") };
                if let Expr::Range(range) = &*index.index {
                    let (lo, hi) = self.bounds(range, parts.len())?;
                    return match parts.get(lo..hi) {
                        Some(parts) => Ok(Value::Seq(parts.to_vec())),
                        None => wrong("a range out of bounds"),
                    };
                }
                let k = self.index(&index.index)?;
                parts.get(k).cloned().map_or_else(|| wrong(format!("index {k} of {}", parts.len())), Ok)
            }
            Expr::Field(field) => match (self.value(&field.base)?, &field.member) {
                (Value::Tuple(parts), syn::Member::Unnamed(index)) => Ok(parts[index.index as usize].clone()),
                _ => wrong("this field"),
            },
            Expr::Cast(cast) => match (self.value(&cast.expr)?, quote::ToTokens::to_token_stream(&cast.ty).to_string())
            {
                (Value::Int(n), ty) if ty == "f64" => Ok(Value::Number(Number::constant(n as f64))),
                (Value::Int(n), _) => Ok(Value::Int(n)),
                _ => wrong("this conversion"),
            },
            Expr::Closure(closure) => Ok(Value::Closure(Rc::new(closure.clone()), self.scopes.clone())),
            Expr::Range(_) => self.items(expr).map(Value::Seq),
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.function(call),
            _ => wrong(format!("the expression {}", quote::ToTokens::to_token_stream(expr))),
        }
    }

    /// The value of an expression, not the place it is in.
    pub fn value(&mut self, expr: &Expr) -> Run<Value> {
        let value = self.expr(expr)?;
        Ok(self.load(value))
    }

    fn number(&mut self, x: Number) -> Run<Value> {
        let size = x.size();
        if size.is_nan() || size > self.largest {
            self.largest = size;
        }
        Ok(Value::Number(x))
    }

    pub fn index(&mut self, expr: &Expr) -> Run<usize> {
        match self.value(expr)? {
            Value::Int(n) => usize::try_from(n).or_else(|_| wrong(format!("{n} as an index"))),
            _ => wrong("no index"),
        }
    }

    pub fn truth(&mut self, expr: &Expr) -> Run<bool> {
        match self.value(expr)? {
            Value::Bool(x) => Ok(x),
            _ => wrong("no truth value"),
        }
    }

    fn all<'e>(&mut self, exprs: impl Iterator<Item = &'e Expr>) -> Run<Value> {
        let parts: Run<Vec<Value>> = exprs.map(|expr| self.value(expr)).collect();
        Ok(Value::Seq(parts?))
    }

    fn vec(&mut self, mac: &syn::Macro) -> Run<Value> {
        let tokens = &mac.tokens;
        let array = syn::parse2::<Expr>(quote::quote!([#tokens]));
        array.map_or_else(|_| wrong("this `vec!`"), |array| self.expr(&array))
    }

    fn bounds(&mut self, range: &syn::ExprRange, len: usize) -> Run<(usize, usize)> {
        let lo = range.start.as_ref().map_or(Ok(0), |lo| self.index(lo))?;
        let hi = range.end.as_ref().map_or(Ok(len), |hi| self.index(hi))?;
        Ok((lo, hi + usize::from(matches!(range.limits, syn::RangeLimits::Closed(_)) && range.end.is_some())))
    }

    fn assign(&mut self, left: &Expr, value: Value) -> Run<Value> {
        match (left, value) {
            (Expr::Tuple(tuple), Value::Tuple(parts)) => {
                for (left, part) in tuple.elems.iter().zip(parts) {
                    let part = self.load(part);
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

    fn binary(&mut self, binary: &syn::ExprBinary) -> Run<Value> {
        let (op, assigns) = match &binary.op {
            BinOp::And(_) => return Ok(Value::Bool(self.truth(&binary.left)? && self.truth(&binary.right)?)),
            BinOp::Or(_) => return Ok(Value::Bool(self.truth(&binary.left)? || self.truth(&binary.right)?)),
            BinOp::AddAssign(_) => ("+", true),
            BinOp::SubAssign(_) => ("-", true),
            BinOp::MulAssign(_) => ("*", true),
            BinOp::DivAssign(_) => ("/", true),
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
            _ => return wrong("this operator"),
        };
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
                self.decisions.push(truth);
                Ok(Value::Bool(truth))
            }
            (Value::Int(a), Value::Int(b)) => {
                let result = match op {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" if b != 0 => a / b,
                    "%" if b != 0 => a % b,
                    "<" => return Ok(Value::Bool(a < b)),
                    "<=" => return Ok(Value::Bool(a <= b)),
                    ">" => return Ok(Value::Bool(a > b)),
                    ">=" => return Ok(Value::Bool(a >= b)),
                    "==" => return Ok(Value::Bool(a == b)),
                    "!=" => return Ok(Value::Bool(a != b)),
                    _ => return wrong(format!("`{op}` of {a} and {b}")),
                };
                if result < 0 { wrong(format!("{result} as usize")) } else { Ok(Value::Int(result)) }
            }
            (a, b) => wrong(format!("`{op}` of {a:?} and {b:?}")),
        }
    }

    /// Whether a pattern fits; binds its names.
    fn fits(&mut self, pattern: &Pat, value: &Value) -> Run<bool> {
        match (pattern, value) {
            (Pat::Lit(lit), Value::Int(n)) => match self.expr(&Expr::Lit(lit.clone()))? {
                Value::Int(m) => Ok(*n == m),
                _ => wrong("this pattern"),
            },
            (Pat::Range(range), Value::Int(n)) => {
                let lo = range.start.as_ref().map_or(Ok(0), |lo| self.index(lo))? as i64;
                let closed = i64::from(matches!(range.limits, syn::RangeLimits::Closed(_)));
                let hi = match &range.end {
                    Some(hi) => self.index(hi)? as i64 + closed,
                    None => i64::MAX,
                };
                Ok((lo..hi).contains(n))
            }
            (Pat::Or(or), value) => {
                for case in &or.cases {
                    if self.fits(case, value)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (Pat::TupleStruct(some), Value::Option(option)) => match option {
                Some(inner) => self.fits(&some.elems[0], inner),
                None => Ok(false),
            },
            (Pat::Ident(none), Value::Option(option)) if none.ident == "None" => Ok(option.is_none()),
            (Pat::Tuple(tuple), Value::Tuple(parts)) => {
                for (pattern, part) in tuple.elems.iter().zip(parts) {
                    if !self.fits(pattern, part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (pattern, value) => self.bind(pattern, value.clone()).map(|()| true),
        }
    }

    fn function(&mut self, call: &syn::ExprCall) -> Run<Value> {
        let Expr::Path(path) = &*call.func else { return wrong("this callee") };
        let name = quote::ToTokens::to_token_stream(path).to_string().replace(' ', "");
        let args: Run<Vec<Value>> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let mut args = args?;
        match (&name[..], args.len()) {
            ("Some", 1) => Ok(Value::Option(args.pop().map(|value| Box::new(self.load(value))))),
            ("Vec::new", 0) | ("Vec::with_capacity", 1) => Ok(Value::Seq(Vec::new())),
            ("std::mem::swap", 2) => match &args[..] {
                [Value::Place(a), Value::Place(b)] => {
                    let (x, y) = (self.at(a)?.clone(), self.at(b)?.clone());
                    *self.at(a)? = y;
                    *self.at(b)? = x;
                    Ok(Value::Unit)
                }
                _ => wrong("no places"),
            },
            _ => {
                let slot = self.slot(&name)?;
                let closure = self.slots[slot].clone();
                self.invoke(&closure, args)
            }
        }
    }

    pub fn invoke(&mut self, closure: &Value, args: Vec<Value>) -> Run<Value> {
        let Value::Closure(closure, scopes) = closure else { return wrong("no closure") };
        let outside = std::mem::replace(&mut self.scopes, scopes.clone());
        let result = self.scoped(|machine| {
            for (pattern, arg) in closure.inputs.iter().zip(args) {
                machine.bind(pattern, arg)?;
            }
            machine.value(&closure.body)
        });
        self.scopes = outside;
        match result {
            Err(Flow::Return(value)) => Ok(value),
            other => other,
        }
    }

    // --- methods --------------------------------------------------------------------------------------

    fn method(&mut self, call: &ExprMethodCall) -> Run<Value> {
        let name = call.method.to_string();
        if let Some(done) = self.mutate(&name, call)? {
            return Ok(done);
        }
        let receiver = self.value(&call.receiver)?;
        let args: Run<Vec<Value>> = call.args.iter().map(|arg| self.value(arg)).collect();
        self.pure(&name, receiver, args?)
    }

    pub fn numeric(&mut self, name: &str, x: Number, args: &[Value]) -> Run<Value> {
        let result = match (name, args) {
            ("max" | "min", [Value::Number(y)]) => {
                self.decisions.push(x.x < y.x);
                if name == "max" { x.max(*y) } else { x.min(*y) }
            }
            ("powi", [Value::Int(n)]) => x.powi(*n as i32),
            ("mul_add", [Value::Number(y), Value::Number(z)]) => {
                Number { x: x.x.mul_add(y.x, z.x), ..x.mul(*y).add(*z) }
            }
            (_, []) => {
                if ["abs", "signum"].contains(&name) {
                    self.decisions.push(x.x > 0.0);
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
