//! Runs Rust source as it is written: no types, no intermediate representation, one expression after the other.
//!
//! It knows what [`super::generate`] writes and nothing else, and computes with [`Number`]s, so that one run gives the
//! value, two derivatives and a second derivative, by the rules of calculus alone. The order is Rust's: operands, arguments
//! and fields as they are written, the right side of an assignment before its place. Borrows for reading are copies,
//! since nothing changes while they last.

mod call;
mod edit;
mod impure;
mod items;
mod iterate;
mod judge;
mod operate;
mod option;
mod pattern;
mod sequence;
mod store;

pub use impure::{Event, IMPURE};
pub use items::Items;

use super::number::Number;
use std::collections::HashMap;
use std::rc::Rc;
use syn::{Attribute, Block, Expr, ExprClosure, Item, Lit, Stmt, UnOp};

#[derive(Clone, Debug)]
pub enum Value {
    Unit,
    Number(Number),
    Int(i64),
    Bool(bool),
    /// Arrays, slices, `Vec`, and what an iterator gives.
    Seq(Vec<Value>),
    Tuple(Vec<Value>),
    /// A struct, or a variant by its path, with the fields in the order of the declaration.
    Struct(Rc<str>, Vec<Value>),
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
#[derive(Debug)]
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
    items: Rc<Items>,
    slots: Vec<Value>,
    scopes: Scopes,
    /// Functions of bodies; no two have one name.
    inside: HashMap<String, Rc<syn::ItemFn>>,
    /// What `Self` is.
    owner: Option<Rc<str>>,
    /// Which way each comparison of numbers went: the function is smooth where this does not change.
    pub decisions: Vec<bool>,
    /// The largest number that occurred, derivatives included; NaN if the results are of no use.
    pub largest: f64,
    /// Values are rounded to `f32`; derivatives are not.
    pub single: bool,
    /// The calls of functions that are not pure, in order.
    pub trace: Vec<Event>,
    /// Iterations and calls so far.
    steps: usize,
}

/// No program of the test takes so many iterations and calls.
const FOREVER: usize = 50_000;

/// Whether `#[cfg]` leaves this in.
fn is_in(attrs: &[Attribute]) -> bool {
    let text = |attr: &Attribute| quote::ToTokens::to_token_stream(&attr.meta).to_string().replace(' ', "");
    !attrs.iter().any(|attr| ["cfg(any())", "cfg(not(all()))"].contains(&&text(attr)[..]))
}

/// The attributes of an expression that is a statement: they are written before its first part.
fn attributes(expr: &Expr) -> &[Attribute] {
    match expr {
        Expr::Assign(expr) => attributes(&expr.left),
        Expr::Binary(expr) => attributes(&expr.left),
        Expr::Path(expr) => &expr.attrs,
        Expr::Field(expr) => &expr.attrs,
        Expr::Index(expr) => &expr.attrs,
        Expr::Unary(expr) => &expr.attrs,
        Expr::Paren(expr) => &expr.attrs,
        Expr::Block(expr) => &expr.attrs,
        Expr::If(expr) => &expr.attrs,
        Expr::Match(expr) => &expr.attrs,
        Expr::ForLoop(expr) => &expr.attrs,
        Expr::While(expr) => &expr.attrs,
        Expr::Loop(expr) => &expr.attrs,
        Expr::Call(expr) => &expr.attrs,
        Expr::MethodCall(expr) => &expr.attrs,
        Expr::Return(expr) => &expr.attrs,
        Expr::Break(expr) => &expr.attrs,
        Expr::Continue(expr) => &expr.attrs,
        _ => &[],
    }
}

impl Machine {
    /// For a source with several items.
    pub fn of(items: Rc<Items>) -> Machine {
        Machine { single: items.single, items, ..Machine::default() }
    }

    // --- statements -----------------------------------------------------------------------------------

    pub fn block(&mut self, block: &Block) -> Run<Value> {
        self.scoped(|machine| {
            let mut value = Value::Unit;
            for stmt in &block.stmts {
                value = match stmt {
                    Stmt::Local(local) if !is_in(&local.attrs) => continue,
                    Stmt::Expr(expr, _) if !is_in(attributes(expr)) => continue,
                    Stmt::Item(Item::Use(_)) => continue,
                    Stmt::Item(
                        item @ (Item::Struct(_) | Item::Enum(_) | Item::Trait(_) | Item::Impl(_) | Item::Const(_)),
                    ) => {
                        Rc::make_mut(&mut machine.items).insert(item);
                        continue;
                    }
                    Stmt::Item(Item::Fn(item)) => {
                        machine.inside.insert(item.sig.ident.to_string(), Rc::new(item.clone()));
                        continue;
                    }
                    Stmt::Local(local) => {
                        let value = match &local.init {
                            Some(init) => match machine.made_by_index(&local.pat, &init.expr)? {
                                Some(array) => array,
                                None => machine.matched(&init.expr, &[&local.pat])?,
                            },
                            None => Value::Unit,
                        };
                        let other = local.init.as_ref().and_then(|init| init.diverge.as_ref());
                        match (machine.fits(&local.pat, value)?, other) {
                            (true, _) => Value::Unit,
                            (false, Some((_, other))) => machine.expr(other)?,
                            (false, None) => return wrong("the pattern does not fit"),
                        }
                    }
                    Stmt::Expr(expr, None) => machine.expr(expr)?,
                    Stmt::Expr(expr, Some(_)) => machine.expr(expr).map(|_| Value::Unit)?,
                    _ => return wrong("this statement"),
                };
            }
            Ok(value)
        })
    }

    fn step(&mut self) -> Run<()> {
        self.steps += 1;
        if self.steps > FOREVER { wrong("this does not end") } else { Ok(()) }
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
        loop {
            self.step()?;
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
    }

    // --- expressions ----------------------------------------------------------------------------------

    /// An expression; of the type `&mut` if it is a place.
    pub fn expr(&mut self, expr: &Expr) -> Run<Value> {
        match expr {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(int) => int.base10_parse().map(Value::Int).or_else(|_| wrong("a large literal")),
                Lit::Float(float) => match float.base10_parse() {
                    Ok(x) => self.number(Number::constant(x)),
                    Err(_) => wrong("no number"),
                },
                Lit::Bool(lit) => Ok(Value::Bool(lit.value)),
                _ => wrong("this literal"),
            },
            Expr::Path(path) => self.path(&path.path),
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
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.read(expr),
            Expr::Unary(unary) => match (&unary.op, self.value(&unary.expr)?) {
                (UnOp::Neg(_), Value::Number(x)) => self.number(x.neg()),
                (UnOp::Neg(_), Value::Int(n)) => Ok(Value::Int(-n)),
                (UnOp::Neg(_), value @ Value::Struct(..)) => self.operator("neg", vec![value]),
                (UnOp::Not(_), Value::Bool(x)) => Ok(Value::Bool(!x)),
                _ => wrong("this operand"),
            },
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => {
                let value = self.expr(&assign.right)?;
                self.assign(&assign.left, value)
            }
            Expr::If(branch) => self.scoped(|machine| {
                let taken = machine.truth(&branch.cond)?;
                match (&branch.else_branch, taken) {
                    (_, true) => machine.block(&branch.then_branch),
                    (Some((_, other)), false) => machine.expr(other),
                    (None, false) => Ok(Value::Unit),
                }
            }),
            Expr::Match(matched) => {
                let patterns: Vec<&syn::Pat> = matched.arms.iter().map(|arm| &arm.pat).collect();
                let value = self.matched(&matched.expr, &patterns)?;
                for arm in matched.arms.iter().filter(|arm| is_in(&arm.attrs)) {
                    let taken = self.scoped(|machine| {
                        let fits = machine.fits(&arm.pat, value.clone())?
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
                let mut items = self.lazily(&loop_.expr)?;
                self.repeat(loop_.label.as_ref(), &loop_.body, &mut |machine| match items.next(machine)? {
                    Some(item) => machine.bind(&loop_.pat, item).map(|()| true),
                    None => Ok(false),
                })
            }
            Expr::Break(jump) => {
                let value = self.optional(jump.expr.as_deref())?;
                Err(Flow::Break(jump.label.as_ref().map(|label| label.ident.to_string()), value))
            }
            Expr::Continue(jump) => Err(Flow::Continue(jump.label.as_ref().map(|label| label.ident.to_string()))),
            Expr::Return(ret) => Err(Flow::Return(self.optional(ret.expr.as_deref())?)),
            Expr::Tuple(tuple) => {
                let parts: Run<Vec<Value>> = tuple.elems.iter().map(|elem| self.expr(elem)).collect();
                Ok(Value::Tuple(parts?))
            }
            Expr::Array(array) => {
                let parts: Run<Vec<Value>> = array.elems.iter().map(|elem| self.expr(elem)).collect();
                Ok(Value::Seq(parts?))
            }
            Expr::Struct(literal) => self.literal(literal),
            Expr::Repeat(repeat) => {
                let (value, count) = (self.value(&repeat.expr)?, self.index(&repeat.len)?);
                Ok(Value::Seq(vec![value; count]))
            }
            Expr::Macro(mac) if mac.mac.path.is_ident("vec") => self.vec(&mac.mac),
            Expr::Macro(mac) if mac.mac.path.segments.last().is_some_and(|last| last.ident == "matches") => {
                self.matches(&mac.mac)
            }
            Expr::Index(_) | Expr::Field(_) => self.read(expr),
            Expr::Cast(cast) => {
                let value = self.value(&cast.expr)?;
                match (value, &quote::ToTokens::to_token_stream(&cast.ty).to_string()[..]) {
                    (Value::Int(n), "f64" | "f32") => Ok(Value::Number(Number::constant(n as f64))),
                    (Value::Int(n), "u8") => Ok(Value::Int(i64::from(n as u8))),
                    (Value::Int(n), "i32") => Ok(Value::Int(i64::from(n as i32))),
                    (Value::Int(n), _) => Ok(Value::Int(n)),
                    (Value::Bool(x), _) => Ok(Value::Int(i64::from(x))),
                    _ => wrong("this conversion"),
                }
            }
            Expr::Try(tried) => {
                let value = self.value(&tried.expr)?;
                self.question(value)
            }
            Expr::Closure(closure) => Ok(self.closure(closure)),
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

    fn optional(&mut self, expr: Option<&Expr>) -> Run<Value> {
        expr.map_or(Ok(Value::Unit), |expr| self.expr(expr))
    }

    fn number(&mut self, x: Number) -> Run<Value> {
        Ok(Value::Number(self.rounded(x)))
    }

    /// The number as it is kept, of whose size a note is made.
    fn rounded(&mut self, x: Number) -> Number {
        let x = if self.single { Number { x: f64::from(x.x as f32), ..x } } else { x };
        let size = x.size();
        if size.is_nan() || size > self.largest {
            self.largest = size;
        }
        x
    }

    /// Which way a comparison went. What hangs on rounding is of no use.
    fn decide(&mut self, a: Number, b: Number, truth: bool) {
        let near = if self.single { 1e-5 } else { 1e-10 };
        if a.x != b.x && (a.x - b.x).abs() < near * a.x.abs().max(1.0) {
            self.largest = f64::NAN;
        }
        self.decisions.push(truth);
    }

    pub fn index(&mut self, expr: &Expr) -> Run<usize> {
        match self.value(expr)? {
            Value::Int(n) => usize::try_from(n).or_else(|_| wrong(format!("{n} as an index"))),
            _ => wrong("no index"),
        }
    }

    pub fn truth(&mut self, expr: &Expr) -> Run<bool> {
        if let Expr::Let(pattern) = expr {
            let value = self.matched(&pattern.expr, &[&pattern.pat])?;
            return self.fits(&pattern.pat, value);
        }
        match self.value(expr)? {
            Value::Bool(x) => Ok(x),
            _ => wrong("no truth value"),
        }
    }

    fn vec(&mut self, mac: &syn::Macro) -> Run<Value> {
        let tokens = &mac.tokens;
        let array = syn::parse2::<Expr>(quote::quote!([#tokens]));
        array.map_or_else(|_| wrong("this `vec!`"), |array| self.expr(&array))
    }

    fn matches(&mut self, mac: &syn::Macro) -> Run<Value> {
        let parts = |input: syn::parse::ParseStream| {
            let value: Expr = input.parse()?;
            input.parse::<syn::Token![,]>()?;
            let pattern = syn::Pat::parse_multi(input)?;
            let guard = if input.peek(syn::Token![if]) {
                input.parse::<syn::Token![if]>()?;
                Some(input.parse::<Expr>()?)
            } else {
                None
            };
            Ok((value, pattern, guard))
        };
        match syn::parse::Parser::parse2(parts, mac.tokens.clone()) {
            Ok((value, pattern, guard)) => {
                let value = self.expr(&value)?;
                let holds = self.scoped(|machine| {
                    Ok(machine.fits(&pattern, value)? && guard.map_or(Ok(true), |guard| machine.truth(&guard))?)
                });
                holds.map(Value::Bool)
            }
            Err(_) => wrong("this `matches!`"),
        }
    }

    fn bounds(&mut self, range: &syn::ExprRange, len: usize) -> Run<(usize, usize)> {
        let lo = range.start.as_ref().map_or(Ok(0), |lo| self.index(lo))?;
        let hi = range.end.as_ref().map_or(Ok(len), |hi| self.index(hi))?;
        Ok((lo, hi + usize::from(matches!(range.limits, syn::RangeLimits::Closed(_)) && range.end.is_some())))
    }
}
