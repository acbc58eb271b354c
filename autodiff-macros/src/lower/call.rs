//! Calls of functions: other differentiable ones, number functions, constructors, and inactive ones.

use super::Lower;
use super::assign::unparen;
use super::conversion::is_into;
use super::expr::is_number_type;
use super::functions::{CHOOSE, Called};
use super::nested::nested_derivative;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::Error;
use crate::ir::{Elem, Var};
use crate::layout::Kind;
use crate::op::elementwise as rows;
use crate::parse::ty::{INTEGERS, StructType, Surface, generic_args};
use crate::source::rule_of;
use proc_macro2::TokenStream;
use quote::quote;
use std::rc::Rc;
use syn::{Expr, ExprCall, GenericArgument, Type};

impl Lower<'_> {
    pub(super) fn call(&mut self, call: &ExprCall, expected: Option<&Surface>) -> Lowered<Value> {
        match self.called_closure(unparen(&call.func))? {
            Some(Called::One(closure)) => return self.call_closure(&closure, call, expected),
            Some(Called::OneOf(at, list)) => return self.call_chosen(at, &list, call, expected),
            None => {}
        }
        let Expr::Path(function) = unparen(&call.func) else {
            return self.call_of_data(call, expected);
        };
        if let Some(called) = self.trait_call(call, function, expected) {
            return called;
        }
        let path = &function.path;
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let last = segments.last().cloned().unwrap_or_default();
        if crate::source::may_be_of_library(path) {
            if let Some(value) = self.library_call(call, path, &segments, expected) {
                return value;
            }
        }
        if let Some((kind, owner)) = nested_derivative(path) {
            return match self.knowledge.find_fn(&owner) {
                Some(info) => self.nested_derivative(call, kind, &owner, &info),
                None => self.ask_for(owner),
            };
        }
        if self.is_series(path) {
            let help = "take the derivatives one of the other: a function that returns `f::jvp(x, direction).1` can be differentiated";
            return self.unsupported(&call.func, "a Taylor series", help);
        }
        if let Some(some) = self.some(call, path, expected)? {
            return Ok(some);
        }
        if let Some(result) = self.ok_or_err(call, path, expected)? {
            return Ok(result);
        }
        if let Some(named) = self.named_variant(path) {
            return self.variant_call(call, &named, expected);
        }
        let mut method = super::owned::associated_function(path);
        let is_conversion = last == "from" && call.args.len() == 1 && method.is_some();
        if let (Some(function), true) = (&mut method, is_conversion) {
            super::conversion::name_after_path(function, &call.args[0]);
        }
        let path = method.as_ref().unwrap_or(path);
        let is_bound = path.get_ident().is_some_and(|ident| self.lookup(&ident.to_string()).is_some());
        if let Some(function) = self.place_function(path).filter(|_| !is_bound) {
            return self.borrowed(&function, &call.args.iter().collect::<Vec<_>>(), None, call);
        }
        let source = method.as_ref().and_then(|path| self.knowledge.find_higher_order(path));
        if let Some(function) = source.and_then(crate::desugar::taken_in_place) {
            let args: Vec<&Expr> = call.args.iter().collect();
            return self.taken_in_place(call, (path, function), None, &args);
        }
        let info = self.knowledge.find_fn(path);
        // What takes iterators may be a higher-order function, too.
        let takes_iterators = || call.args.iter().any(|arg| crate::desugar::is_iterator(strip_borrow(arg)));
        if method.is_none()
            && is_function(&segments)
            && takes_iterators()
            && !is_bound
            && !self.knowledge.is_known(path)
        {
            return self.ask_for(path.clone());
        }
        let fields = if is_bound { Vec::new() } else { self.sizes_told_by_fields(call, path)? };
        let values: Vec<Lowered<Value>> = call
            .args
            .iter()
            .enumerate()
            .map(|(k, arg)| {
                let param = info.as_ref().and_then(|info| info.params.get(k));
                if let (Some(param), Some(info)) = (param.filter(|param| param.is_mutable()), &info) {
                    self.size_told_by(arg, param, info)?;
                    if self.lends_data(arg, param) && self.learn_object(arg) {
                        return Err(Reported);
                    }
                    return self.borrow_mut(strip_borrow(arg));
                }
                if let Some(owner) = param.and_then(|param| self.enum_of_constant(arg, &param.ty)) {
                    return self.ask_for(owner);
                }
                // The parameter tells what it becomes.
                let is_told = is_into(strip_borrow(arg)) || self.lacks_size(arg);
                if info.is_none() && is_told && !is_bound && !self.knowledge.is_known(path) {
                    return self.ask_for(path.clone());
                }
                let expected = param.and_then(|param| integer(&param.ty));
                let expected = match (expected, param, &info) {
                    (None, Some(param), Some(info)) => self.type_of_argument(arg, param, info)?,
                    (None, ..) => fields.get(k).cloned().flatten(),
                    (expected, ..) => expected,
                };
                if let Some(lent) = self.handed_on_integer(arg).filter(|_| info.is_none()) {
                    return Ok(lent);
                }
                let reported = self.errors.len();
                let value = self.expr_expecting(arg, expected.as_ref());
                // Of an iterator there is nothing to say but that the function takes it.
                if value.is_err() && self.knowledge.is_unknown(path) && crate::desugar::is_iterator(arg) {
                    self.errors.truncate(reported);
                    return self.ask_for(path.clone());
                }
                value
            })
            .collect();
        let values: Vec<Value> = values.into_iter().collect::<Lowered<_>>()?;
        let named = is_conversion.then(|| self.conversion_of(path, &values[0]));
        let path = named.as_ref().unwrap_or(path);
        if let Some(binding) = path.get_ident().and_then(|ident| self.lookup(&ident.to_string())) {
            return match binding.value {
                Some(_) => self.unsupported(path, &format!("a call of the variable `{last}`"), CHOOSE),
                None => Err(Reported),
            };
        }
        // Where a function is makes no difference to it, either.
        let holds_function =
            matches!(&segments[..], [.., holder, new] if new == "new" && matches!(&holder[..], "Box" | "Rc" | "Arc"));
        if let (true, true, [value]) = (holds_function, crate::source::may_be_of_library(path), &values[..]) {
            if self.is_function(value) {
                return Ok(self.function_value(value.clone()));
            }
        }
        // What takes closures may be a higher-order function: see Note [Higher-order functions] in
        // `desugar/higher_order.rs`.
        let takes_closures = values.iter().any(|value| matches!(value, Value::Closure(_) | Value::Chosen(..)));
        if self.knowledge.find_higher_order(path).is_some() {
            let what = format!("a call of `{last}` beside a variable of that name");
            return self.unsupported(path, &what, "give the variable another name");
        }
        if takes_closures && info.is_none() && method.is_none() {
            return self.ask_for(path.clone());
        }
        // Where a value is makes no difference to it.
        if let ([.., "Box", "new"], [value]) =
            (&segments.iter().map(|part| &part[..]).collect::<Vec<_>>()[..], &values[..])
        {
            // What has been evaluated once is read by `*b`.
            let is_evaluated =
                |tokens: Option<TokenStream>| tokens.is_some_and(|tokens| crate::ir::mentions_late(&tokens));
            let is_number = matches!(value, Value::Leaf(..) | Value::Untyped(Untyped { number: Some(_), .. }));
            if crate::source::may_be_of_library(path)
                && (is_number || self.is_active(value) || is_evaluated(self.passive_tokens(value)))
                && !matches!(value, Value::Borrow(_))
            {
                // What a call gives is read by `*b`, as what a borrow is of.
                return Ok(match value {
                    Value::Other(tokens) if self.is_called(tokens) => Value::Other(quote!((&#tokens))),
                    Value::Untyped(untyped) if untyped.number.is_none() && self.is_called(&untyped.tokens) => {
                        let tokens = &untyped.tokens;
                        Value::Untyped(Untyped { tokens: quote!((&#tokens)), ..untyped.clone() })
                    }
                    value => value.clone(),
                });
            }
        }
        if matches!(&last[..], "Ok" | "Err") && values.iter().any(|value| self.is_active(value)) {
            let what = format!("`{last}` of a value with a derivative");
            return self.unsupported(path, &what, "write its type: `let value: Result<f64, Error> = …`");
        }
        let is_tuple_struct = self.knowledge.find_struct(path).is_some_and(|info| info.variants.is_empty())
            || (super::owned::is_constructor(path)
                && values.iter().zip(&call.args).any(|(value, arg)| self.inactive_argument(value, arg).is_none()));
        if self.knowledge.find_fn(path).is_none()
            && !is_tuple_struct
            && !values.iter().any(|value| self.is_active(value) || self.borrows_numbers(value))
        {
            // A struct of numbers is no argument of what is left to rustc: the function may be differentiable.
            let is_struct = |value: &Value| matches!(value, Value::Parts(Kind::Struct(ty), _) if !ty.is_option && !super::plain::is_plain(ty));
            if info.is_none() && values.iter().any(is_struct) && !self.knowledge.is_unknown(path) {
                return self.ask_for(path.clone());
            }
            let learned = self.learned_object(call);
            return self.inactive_call(call, &values, expected.or(learned.as_ref()));
        }
        // A tuple struct looks like a call; its relay says which it is.
        if let Some(info) = self.knowledge.find_struct(path) {
            return self.tuple_struct(call, path, &info, values);
        }
        match self.knowledge.find_fn(path) {
            Some(info) => self.differentiable_call(call, path, &info, values, expected),
            None if self.knowledge.is_inactive(path) => {
                let values: Vec<Value> = values.iter().map(|value| self.stopped(value)).collect();
                self.inactive_call(call, &values, expected)
            }
            None => {
                let is_own = |cell: &str| self.source.as_ref().is_some_and(|source| source.has_type(cell));
                let cell = cell_of(&segments).filter(|cell| crate::source::may_be_of_library(path) && !is_own(cell));
                if let Some(cell) = cell {
                    let what = format!("a `{cell}` of what has a derivative");
                    return self.unsupported(
                        call,
                        &what,
                        "keep the value in a variable, `let mut`, and lend that by `&mut`",
                    );
                }
                let rule = self.source.as_ref().and_then(|source| rule_of(path, self.function.name(), source));
                if let Some(rule) = rule {
                    return match self.knowledge.find_fn(&rule) {
                        Some(info) => self.differentiable_call(call, &rule, &info, values, expected),
                        None => self.ask_for(rule),
                    };
                }
                if self.knowledge.is_unknown(path) && self.lends_integers(&values) {
                    return self.call_with_lent_integers(call, &values, expected);
                }
                let asked = Self::enum_to_ask(path).unwrap_or_else(|| path.clone());
                if self.knowledge.is_unknown(&asked) && self.learn_borrowed(&call.args) {
                    return Err(Reported);
                }
                self.ask_for(asked)
            }
        }
    }

    /// A call of a function of ours or of the standard library, as its last words tell: see Note [Names of the user's].
    fn library_call(
        &mut self,
        call: &ExprCall,
        path: &syn::Path,
        segments: &[String],
        expected: Option<&Surface>,
    ) -> Option<Lowered<Value>> {
        let words: Vec<&str> = segments.iter().map(String::as_str).collect();
        let last = *words.last()?;
        match &words[..] {
            [.., "stop_gradient"] => return Some(self.stop_gradient(call)),
            [.., "mem", name @ ("swap" | "replace")] => return Some(self.exchange(call, *name == "swap")),
            [.., "mem", "take"] => return Some(self.take_out(call)),
            _ => {}
        }
        if last == "from_fn" {
            if let Some(made) = self.made_by_index(call, path, expected) {
                return Some(made);
            }
        }
        if let Some(made) = self.geometry_constructor(call, path) {
            return Some(made);
        }
        if let [.., ty, _] = words[..] {
            if is_number_type(ty, &self.function.reals) {
                return Some(self.number_function(call, ty, path));
            }
            // A queue inside a function is a `Vec` with other methods.
            if matches!(ty, "Vec" | "VecDeque") && matches!(last, "new" | "with_capacity") {
                return Some(self.empty_vec(expected, call));
            }
            if let ("Box", "new", Some(inner), Some(_)) = (ty, last, call.args.first(), expected) {
                if crate::source::may_be_of_library(path) {
                    return Some(self.expr_expecting(inner, expected));
                }
            }
            if let ("Vec", "from", Some(items)) = (ty, last, call.args.first()) {
                let named = self.named(items).is_some_and(|named| self.as_slice(&named).is_some());
                if named || matches!(unparen(items), Expr::Array(_)) {
                    return Some(self.expr_expecting(items, None).map(|items| self.with_own_length(items)));
                }
            }
            if let ("VecDeque", "from", Some(items)) = (ty, last, call.args.first()) {
                return Some(self.expr_expecting(items, expected).map(|items| self.with_own_length(items)));
            }
            if let Some(made) = self.matrix_constructor(call, path, expected) {
                return Some(made);
            }
            if ty.starts_with("Tensor") {
                return Some(self.tensor_constructor(call, path, expected));
            }
        }
        // An operator is no item of any module.
        if path.get_ident().is_none() && words[0] != "autodiff" {
            return None;
        }
        let (one, several) = (crate::op::method::find_function(last), crate::op::method::find_several(last));
        if self.knowledge.find_fn(path).is_some() || one.is_none() && several.is_none() {
            return None;
        }
        // The user's own, of a module that is not known.
        if path.get_ident().is_some() && self.source.as_ref().is_some_and(|source| source.names_function(last)) {
            return Some(self.ask_for(path.clone()));
        }
        let name = path.segments.last()?.ident.clone();
        let args: Vec<&Expr> = call.args.iter().collect();
        match (one, several) {
            (Some(function), _) => Some(self.table_function(call, &name, function, &args)),
            (None, function) => Some(self.table_several(call, &name, function?, &args)),
        }
    }

    fn stop_gradient(&mut self, call: &ExprCall) -> Lowered<Value> {
        let [arg] = &call.args.iter().collect::<Vec<_>>()[..] else {
            return self.fail(Error::new(call, "`stop_gradient` takes one argument"));
        };
        let value = self.expr(arg)?;
        Ok(self.stopped(&value))
    }

    /// The same value, without a derivative.
    fn stopped(&mut self, value: &Value) -> Value {
        let stopped: Vec<Var> = value
            .leaves()
            .into_iter()
            .map(|var| if self.b.ty(var).is_float() { self.b.map(&rows::stop_gradient, &[var]) } else { var })
            .collect();
        value.rebuild(&mut stopped.into_iter())
    }
}

/// Whether a path may be that of a function of the user's, by the case of its words.
fn is_function(segments: &[String]) -> bool {
    let is_lower = |word: &String| word.starts_with(|c: char| c.is_lowercase() || c == '_');
    segments.iter().all(is_lower) && !matches!(segments.first().map_or("", |first| first), "std" | "core" | "alloc")
}

pub(super) fn is_mutable(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_some())
}

/// The type of the standard library that changes behind a shared reference, if its function is called.
fn cell_of(segments: &[String]) -> Option<&str> {
    const CELLS: [&str; 6] = ["Cell", "RefCell", "OnceCell", "Mutex", "RwLock", "OnceLock"];
    let [.., ty, _] = segments else { return None };
    CELLS.contains(&&ty[..]).then_some(&ty[..])
}

/// `x` of `&mut x`
pub(super) fn strip_borrow(arg: &Expr) -> &Expr {
    match unparen(arg) {
        Expr::Reference(reference) => &reference.expr,
        other => other,
    }
}

/// The integer type that a parameter has, or what is in its `Option`.
pub(super) fn integer(ty: &Type) -> Option<Surface> {
    match ty {
        Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option") => {
            let [GenericArgument::Type(inner)] = &generic_args(&path.path)[..] else { return None };
            let Some(inner @ Surface::Scalar(_)) = integer(inner) else { return None };
            Some(Surface::Struct(Rc::new(StructType::option(inner, path.path.clone()))))
        }
        Type::Path(path) => {
            let name = path.path.get_ident()?.to_string();
            INTEGERS.contains(&&name[..]).then(|| Surface::Scalar(Elem::Int(Rc::from(name))))
        }
        _ => None,
    }
}
