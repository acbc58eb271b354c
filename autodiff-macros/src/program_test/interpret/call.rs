//! Calls of functions, methods and closures.

use super::items::Function;
use super::{Flow, Machine, Run, Value, is_in, wrong};
use crate::program_test::number::Number;
use std::collections::HashMap;
use std::rc::Rc;
use syn::{Block, Expr, ExprClosure, ExprMethodCall, FnArg, Ident, ItemFn, Path, Signature, Type};

fn is_path(expr: &Expr, name: &Ident) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident(name))
}

/// Does something to the numbers in a value, one after the other.
fn for_numbers(value: &mut Value, f: &mut dyn FnMut(&mut Number)) {
    match value {
        Value::Number(x) => f(x),
        Value::Seq(parts) => parts.iter_mut().for_each(|part| for_numbers(part, f)),
        _ => {}
    }
}

impl Machine {
    /// The result of a function.
    pub fn call(&mut self, function: &ItemFn, args: Vec<Value>) -> Result<Value, String> {
        let result = self.enter(None, &function.sig, &function.block, args);
        match result {
            Ok(value) => Ok(self.load(value)),
            Err(Flow::Wrong(problem)) => Err(problem),
            Err(_) => Err("a jump out of the function".into()),
        }
    }

    fn enter(&mut self, owner: Option<Rc<str>>, signature: &Signature, body: &Block, args: Vec<Value>) -> Run<Value> {
        self.step()?;
        let outside = (std::mem::take(&mut self.scopes), std::mem::replace(&mut self.owner, owner));
        self.scopes.push(HashMap::new());
        let result =
            self.sized(signature, &args).and_then(|()| self.bound(signature, args)).and_then(|()| self.block(body));
        (self.scopes, self.owner) = outside;
        match result {
            Ok(value) | Err(Flow::Return(value)) => Ok(value),
            Err(Flow::Wrong(problem)) => Err(Flow::Wrong(problem)),
            Err(_) => wrong("a jump out of the function"),
        }
    }

    fn bound(&mut self, signature: &Signature, args: Vec<Value>) -> Run<()> {
        let mut args = args.into_iter();
        for input in &signature.inputs {
            match input {
                FnArg::Typed(typed) if !is_in(&typed.attrs) => {}
                FnArg::Typed(typed) => match args.next() {
                    Some(arg) => self.bind(&typed.pat, arg)?,
                    None => return wrong("too few arguments"),
                },
                FnArg::Receiver(_) => match args.next() {
                    Some(receiver) => self.define("self", receiver),
                    None => return wrong("no receiver"),
                },
            }
        }
        if args.next().is_some() { wrong("too many arguments") } else { Ok(()) }
    }

    /// Const parameters are the lengths of arrays.
    fn sized(&mut self, signature: &Signature, args: &[Value]) -> Run<()> {
        for param in signature.generics.const_params() {
            let of = |input: &FnArg| match input {
                FnArg::Typed(typed) => match &*typed.ty {
                    Type::Reference(of) => matches!(&*of.elem, Type::Array(array) if is_path(&array.len, &param.ident)),
                    _ => false,
                },
                FnArg::Receiver(_) => false,
            };
            let Some(arg) = signature.inputs.iter().position(of).and_then(|k| args.get(k)) else {
                return wrong(format!("no array of length `{}`", param.ident));
            };
            let Value::Seq(parts) = self.load(arg.clone()) else { return wrong("no array") };
            self.define(&param.ident.to_string(), Value::Int(parts.len() as i64));
        }
        Ok(())
    }

    pub(super) fn run(&mut self, owner: Option<&str>, function: &Function, args: Vec<Value>) -> Run<Value> {
        self.enter(owner.map(Into::into), &function.signature, &function.body, args)
    }

    /// The path as it would be written outside.
    pub(super) fn name(&self, path: &Path) -> String {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let name = segments.join("::");
        let name = name.strip_prefix("core::option::Option::").map(ToOwned::to_owned).unwrap_or(name);
        match (&self.owner, name.strip_prefix("Self")) {
            (Some(owner), Some(rest)) if rest.is_empty() || rest.starts_with("::") => format!("{owner}{rest}"),
            _ => name,
        }
    }

    pub(super) fn function(&mut self, call: &syn::ExprCall) -> Run<Value> {
        let Expr::Path(path) = &*call.func else { return wrong("this callee") };
        let name = self.name(&path.path);
        let args: Run<Vec<Value>> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let mut args = args?;
        if let Ok(slot) = self.slot(&name) {
            let closure = self.slots[slot].clone();
            return self.invoke(&closure, args);
        }
        if let Some(function) = self.inside.get(&name).cloned() {
            return self.enter(None, &function.sig, &function.block, args);
        }
        let items = Rc::clone(&self.items);
        if let Some(function) = items.functions.get(&name) {
            let owner = name.rsplit_once("::").map(|(owner, _)| owner);
            return self.run(owner, function, args);
        }
        if let Some((name, _)) = items.fields.get(&name) {
            return Ok(Value::Struct(Rc::clone(name), args));
        }
        if let Some((function, derivative)) = name.rsplit_once("::") {
            if let Some(function) = items.functions.get(function) {
                return self.derivative(function, derivative, args);
            }
        }
        if let Some(result) = self.impure(&name, &args)? {
            return Ok(result);
        }
        match (&name[..], args.len()) {
            ("Ok" | "Err", 1) => Ok(Value::Struct(name.into(), args)),
            ("std::mem::take", 1) => match args.pop() {
                Some(Value::Place(place)) => {
                    let empty = match self.at(&place)? {
                        Value::Seq(_) => Value::Seq(Vec::new()),
                        Value::Option(_) => Value::Option(None),
                        Value::Number(_) => Value::Number(Number::constant(0.0)),
                        _ => return wrong("no default"),
                    };
                    Ok(std::mem::replace(self.at(&place)?, empty))
                }
                _ => wrong("no place"),
            },
            ("Some", 1) => Ok(Value::Option(args.pop().map(Box::new))),
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
            ("std::mem::replace", 2) => match (args.pop(), args.pop()) {
                (Some(value), Some(Value::Place(place))) => Ok(std::mem::replace(self.at(&place)?, value)),
                _ => wrong("no place"),
            },
            ("f64::from" | "f32::from", 1) => match args.remove(0) {
                Value::Int(n) => Ok(Value::Number(Number::constant(n as f64))),
                Value::Bool(x) => Ok(Value::Number(Number::constant(f64::from(u8::from(x))))),
                _ => wrong("the argument of `from`"),
            },
            ("usize::from", 1) => match args.remove(0) {
                Value::Bool(x) => Ok(Value::Int(i64::from(x))),
                _ => wrong("the argument of `from`"),
            },
            // What generated code sorts with.
            ("core::iter::FromIterator::from_iter" | "core::convert::AsMut::as_mut", 1) => Ok(args.remove(0)),
            ("core::cmp::Ord::cmp" | "core::cmp::PartialOrd::partial_cmp", 2) => {
                let receiver = args.remove(0);
                self.pure(name.rsplit("::").next().unwrap_or_default(), receiver, args)
            }
            ("core::cmp::Ordering::then", 2) => match args[..] {
                [Value::Int(first), Value::Int(second)] => Ok(Value::Int(if first == 0 { second } else { first })),
                _ => wrong("the arguments of `then`"),
            },
            ("unwrap" | "unwrap_or", 1 | 2) => {
                let receiver = args.remove(0);
                self.pure(&name, receiver, args)
            }
            ("sort_unstable_by", 2) => match (args.pop(), args.pop()) {
                (Some(closure), Some(Value::Place(place))) => {
                    self.sort(&place, &closure)?;
                    Ok(Value::Unit)
                }
                _ => wrong("the arguments of `sort_unstable_by`"),
            },
            ("core::clone::Clone::clone", 1) => Ok(args.remove(0)),
            ("core::convert::From::from", 1) => match args.remove(0) {
                Value::Bool(x) => Ok(Value::Int(i64::from(x))),
                _ => wrong("the argument of `from`"),
            },
            // The same for integers, by a method's name.
            (of, 1 | 2) if ["i32::", "i64::", "u8::", "usize::"].iter().any(|ty| of.starts_with(ty)) => {
                let receiver = args.remove(0);
                self.pure(of.rsplit("::").next().unwrap_or(of), receiver, args)
            }
            _ => match name.strip_prefix("f64::").or(name.strip_prefix("f32::")) {
                Some(name) if !args.is_empty() => match args.remove(0) {
                    Value::Number(x) => self.numeric(name, x, &args),
                    _ => wrong("no number"),
                },
                _ => wrong(format!("the function `{name}`")),
            },
        }
    }

    /// `f::grad(x, …)` of a function of numbers, arrays and integers: one run for each number.
    fn derivative(&mut self, function: &Function, which: &str, mut args: Vec<Value>) -> Run<Value> {
        if !matches!(which, "grad" | "value_and_grad") {
            return wrong(format!("the derivative `{which}`"));
        }
        let (mut count, mut nested) = (0, false);
        for arg in &mut args {
            if matches!(arg, Value::Place(_)) {
                *arg = self.load(arg.clone());
            }
            for_numbers(arg, &mut |x| {
                nested |= x.moving().is_none();
                count += 1;
            });
        }
        if nested {
            return wrong("a gradient within a gradient");
        }
        let (mut value, mut slopes) = (None, Vec::new());
        let before = self.trace.clone();
        for k in 0..count.max(1) {
            let (mut moved, mut at) = (args.clone(), 0);
            for arg in &mut moved {
                for_numbers(arg, &mut |x| {
                    if at == k {
                        *x = x.moving().unwrap_or(*x);
                    }
                    at += 1;
                });
            }
            // It is called once.
            self.trace.clone_from(&before);
            let result = self.run(None, function, moved)?;
            let Value::Number(y) = self.load(result) else { return wrong("the gradient of no number") };
            value = Some(self.number(y.flat())?);
            slopes.push(y.slope());
        }
        let mut slopes = slopes.into_iter();
        let mut parts = Vec::new();
        for mut arg in args {
            if !matches!(arg, Value::Number(_) | Value::Seq(_)) {
                continue;
            }
            for_numbers(&mut arg, &mut |x| *x = slopes.next().unwrap_or(*x));
            for_numbers(&mut arg, &mut |x| *x = self.rounded(*x));
            parts.push(arg);
        }
        let gradient = if parts.len() == 1 { parts.remove(0) } else { Value::Tuple(parts) };
        Ok(match value {
            Some(value) if which == "value_and_grad" => Value::Tuple(vec![value, gradient]),
            _ => gradient,
        })
    }

    pub(super) fn closure(&mut self, closure: &ExprClosure) -> Value {
        let mut scopes = self.scopes.clone();
        if closure.capture.is_some() {
            for slot in scopes.iter_mut().flat_map(HashMap::values_mut) {
                self.slots.push(self.slots[*slot].clone());
                *slot = self.slots.len() - 1;
            }
        }
        Value::Closure(Rc::new(closure.clone()), scopes)
    }

    /// What a closure owns is copied with it.
    pub(super) fn copied(&mut self, value: Value) -> Value {
        let Value::Closure(closure, mut scopes) = value else { return value };
        if closure.capture.is_some() {
            for slot in scopes.iter_mut().flat_map(HashMap::values_mut) {
                let own = self.slots[*slot].clone();
                self.slots.push(own);
                *slot = self.slots.len() - 1;
            }
        }
        Value::Closure(closure, scopes)
    }

    pub fn invoke(&mut self, closure: &Value, args: Vec<Value>) -> Run<Value> {
        let Value::Closure(closure, scopes) = closure else { return wrong("no closure") };
        self.step()?;
        let outside = std::mem::replace(&mut self.scopes, scopes.clone());
        let result = self.scoped(|machine| {
            for (pattern, arg) in closure.inputs.iter().zip(args) {
                machine.bind(pattern, arg)?;
            }
            machine.expr(&closure.body)
        });
        self.scopes = outside;
        match result {
            Err(Flow::Return(value)) => Ok(value),
            other => other,
        }
    }

    /// A method. The place that it is called on is known before the arguments are; what is copied from it, too.
    pub(super) fn method(&mut self, call: &ExprMethodCall) -> Run<Value> {
        let name = call.method.to_string();
        let place = self.place(&call.receiver)?;
        let place = self.follow(place)?;
        if let Value::Struct(owner, _) = self.at(&place)? {
            // A variant is of the type before it.
            let owner = owner.split("::").next().unwrap_or_default().to_owned();
            let method = self.items.functions.get(&format!("{owner}::{name}")).cloned();
            if let Some(method) = method {
                let by_place = method
                    .signature
                    .receiver()
                    .is_some_and(|receiver| receiver.reference.is_some() && receiver.mutability.is_some());
                let receiver = if by_place { Value::Place(place) } else { self.at(&place)?.clone() };
                let args: Run<Vec<Value>> = call.args.iter().map(|arg| self.expr(arg)).collect();
                return self.run(Some(&owner), &method, [vec![receiver], args?].concat());
            }
        }
        for change in [Self::mutate, Self::edit, Self::change_option] {
            if let Some(done) = change(self, &name, &place, call)? {
                return Ok(done);
            }
        }
        if name == "by_ref" {
            return Ok(Value::Place(place));
        }
        let receiver = self.load(Value::Place(place));
        let args: Run<Vec<Value>> = call.args.iter().map(|arg| self.value(arg)).collect();
        self.pure(&name, receiver, args?)
    }
}
