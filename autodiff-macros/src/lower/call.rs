//! Calls of functions: other differentiable ones, number functions, constructors, and inactive ones.

use super::Lower;
use super::assign::unparen;
use super::call_site::{ArgPassing, Argument, CallSite};
use super::conversion::is_into;
use super::expr::is_number_type;
use super::functions::{CHOOSE, Called};
use super::infer::Inference;
use super::nested::nested_derivative;
use super::place::{Place, Stored};
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::{Error, are, counted};
use crate::ir::call::{CallArg, Origin, Passed};
use crate::ir::{Call, CallKind, Callee, Elem, Op, Var};
use crate::layout::{Form, Layout, is_phantom_value};
use crate::op::elementwise as rows;
use crate::parse::cycle;
use crate::parse::ty::{INTEGERS, StructType, Surface, TypeScope, generic_args};
use crate::relay::{FnInfo, GenericKind};
use crate::source::{candidates, rule_of};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::HashSet;
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
        let values: Vec<Lowered<Value>> = call
            .args
            .iter()
            .enumerate()
            .map(|(k, arg)| {
                let param = info.as_ref().and_then(|info| info.params.get(k));
                if let (Some(param), Some(info)) = (param.filter(|param| param.is_mutable()), &info) {
                    self.size_told_by(arg, param, info)?;
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
                    (expected, ..) => expected,
                };
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
            if let ("VecDeque", "from", Some(items)) = (ty, last, call.args.first()) {
                return Some(self.expr_expecting(items, expected));
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

    /// A callee with the operands of a call, and the layout of its result.
    pub(super) fn callee(
        &mut self,
        call: &ExprCall,
        path: &syn::Path,
        info: &Rc<FnInfo>,
        values: Vec<Value>,
        expected: Option<&Surface>,
    ) -> Lowered<(Callee, Vec<Var>, Layout)> {
        if info.params.len() != values.len() {
            let message = format!(
                "`{}` takes {}, {} given",
                info.name,
                counted(info.params.len(), "argument"),
                are(values.len())
            );
            return self.fail(Error::new(call, message));
        }
        let mut inference = Inference::new(&info.generics);
        self.written_generics(path, &mut inference)?;
        let alias = info.home.as_ref().and_then(|home| home.alias.clone());
        let is_elsewhere = || !candidates(self.function.name(), path, self.knowledge).is_empty();
        let path = &alias.filter(|_| is_elsewhere()).map_or_else(|| path.clone(), syn::Path::from);
        let mut places: Vec<Option<Rc<Place>>> = Vec::new();
        let mut read = Vec::new();
        for (value, arg) in values.into_iter().zip(&call.args) {
            match value {
                Value::Borrow(place) => {
                    read.push(self.read(&place, arg)?);
                    places.push(Some(place));
                }
                value => {
                    read.push(value);
                    places.push(None);
                }
            }
        }
        let values = read;
        for (param, value) in info.params.iter().zip(&values) {
            inference.unify(&param.ty, &value.surface(&self.b));
        }
        if let Some(expected) = expected {
            inference.unify(&info.result, expected);
        }
        let mut substitution = inference.known;
        let bare = crate::relay::without_arguments(path);
        substitution.this = crate::relay::owner(path, &info.generics);
        let mut generics = Vec::new();
        for generic in &info.generics {
            let known = match generic.kind {
                GenericKind::Size => substitution.dims.get(&generic.name).map(crate::parse::tokens::dim_argument),
                GenericKind::Number => match substitution.markers.get(&generic.name) {
                    Some(marker) => Some(marker.to_token_stream()),
                    None => substitution.elems.get(&generic.name).map(crate::parse::tokens::elem_tokens),
                },
                GenericKind::Function => substitution.functions.get(&generic.name).map(ToTokens::to_token_stream),
            };
            match known {
                Some(known) => generics.push(known),
                None => {
                    // Of what type an argument is, the function tells that gives it.
                    if let Some(function) = values.iter().find_map(|value| self.unseen_call(value)) {
                        return self.ask_for(function);
                    }
                    let message = format!("`{}` of `{}` cannot be told from these arguments", generic.name, info.name);
                    return self.fail(Error::new(call, message).help(format!("write it: `{}::<…>(…)`", info.name)));
                }
            }
        }
        let scope = TypeScope { knowledge: &info.nested, reals: &[], substitution: Some(&substitution) };
        let Ok(results) = scope.resolve_result(&info.result) else {
            return self.fail(Error::new(call, format!("the type that `{}` returns is not visible", info.name)));
        };
        let has_derivative = results.is_result();
        let results = Layout::of(&results);
        if has_derivative && !results.passive().into_iter().all(is_phantom_value) {
            let what =
                format!("a call of `{}`, whose result has a part without a derivative that is no number,", info.name);
            return self.unsupported(call, &what, "keep that part outside of what the function returns or changes");
        }
        // What is wrong with the callee is said there.
        if !has_derivative || results.has_slices_in_slices() || results.has_slices_in_enums() {
            return Err(Reported);
        }

        let (mut written, mut args): (Vec<Argument>, Vec<CallArg>) = (Vec::new(), Vec::new());
        let (mut vars, mut lent) = (Vec::new(), HashSet::<Var>::new());
        for (((param, value), place), arg) in info.params.iter().zip(values).zip(&places).zip(&call.args) {
            if let Some(place) = place.clone() {
                let is_active = self.is_active(&value);
                // A `Vec` that grows has places behind its end; who takes a `Vec` gets one without them.
                let value = match value {
                    Value::Slice(slice) if slice.count.is_some() && !is_slice(&param.ty) => self.copy(&slice),
                    value => value,
                };
                let (mut pass, mut leaves) = match &value {
                    Value::Leaf(var, form) if self.is_growing(&place) => (ArgPassing::Leaf(*form), vec![*var]),
                    _ => self.pass_mutable(&place, value.clone(), arg)?,
                };
                // Of an array that an earlier argument is a part of, this part is an array of its own.
                if let (ArgPassing::View(_), true) = (&pass, leaves.first().is_some_and(|array| lent.contains(array))) {
                    let Value::Leaf(var, form) = self.with_arrays(value) else { return Err(Reported) };
                    (pass, leaves) = (ArgPassing::Leaf(form), vec![var]);
                }
                lent.extend(leaves.first());
                let active = param.active;
                if !active && is_active {
                    return self.unsupported(
                        arg,
                        "a change of this without a derivative",
                        "take `#[no_diff]` off the parameter",
                    );
                }
                let operands = vars.len()..vars.len() + leaves.len();
                args.push(CallArg { operands, passed: pass.passed(), active, constant: false, mutable: true });
                written.push(Argument { passing: pass, by_ref: true });
                vars.extend(leaves);
                continue;
            }
            let by_ref = matches!(param.ty, Type::Reference(_));
            let is_constant = info.origin == Origin::Constant;
            if !param.active && self.is_active(&value) && !is_constant {
                return self.fail(
                    Error::new(arg, format!("the derivative ends here: `{}` has none by this argument", info.name))
                        .note("the value depends on a differentiable input")
                        .help("if that is meant, write `stop_gradient(…)` around it; otherwise take `#[no_diff]` off the parameter").plain_rust(),
                );
            }
            // A row may be expected as an array, whose length is in its type; and a part of an array is no `Vec`.
            let value = match value {
                Value::Slice(slice) if slice.array().is_some() && !is_slice(&param.ty) => match slice.count {
                    None => self.owned(&slice),
                    Some(_) if is_sequence(&param.ty) => self.copy(&slice),
                    Some(_) => Value::Slice(slice),
                },
                value => value,
            };
            let form = if let Value::Leaf(_, form) = &value { Some(*form) } else { None };
            let value = self.checked_argument(&param.ty, value, info, &substitution, arg)?;
            let constant = param.active && (is_constant || !self.is_active(&value));
            let (mut pass, leaves) = self.pass_argument(param, value, info, &substitution, arg)?;
            // A cotangent is added into by one argument; another that overlaps gets one of its own.
            let overlaps = args
                .iter()
                .zip(&written)
                .any(|(other, written)| other.active && !other.constant && written.passing.overlaps(&pass));
            // So does one that the caller is not differentiated by.
            if let (true, Some(form)) = (constant, form) {
                pass = ArgPassing::Leaf(form);
            }
            if param.active && overlaps && !constant {
                match form {
                    Some(form) => pass = ArgPassing::Leaf(form),
                    None => {
                        if let ArgPassing::Place(_, layout) = pass {
                            pass = ArgPassing::Built(layout);
                        }
                    }
                }
            }
            let operands = vars.len()..vars.len() + leaves.len();
            args.push(CallArg { operands, passed: pass.passed(), active: param.active, constant, mutable: false });
            written.push(Argument { passing: pass, by_ref });
            vars.extend(leaves);
        }
        let path = bare.to_token_stream();
        let generics = if generics.is_empty() { TokenStream::new() } else { quote!(::<#(#generics),*>) };
        let firsts: Vec<Option<Var>> = args.iter().map(|arg| vars.get(arg.operands.start).copied()).collect();
        self.separate(&mut written, &firsts);
        let is_self = *self.function.name() == path.to_string();
        let handed_on = substitution.functions.values().any(|ty| cycle::mentions(ty, self.function.name()));
        let recursive = is_self || info.recursive || handed_on || self.function.is_among(&info.calls);
        let ty: Rc<str> = quote!(#path #generics).to_string().into();
        let mut key = written.iter().fold(ty.to_string(), |key, arg| format!("{key}\n{}", arg.passing.key()));
        // What is lent to a call may be another one at the next.
        if written
            .iter()
            .zip(&args)
            .any(|(written, arg)| arg.mutable && matches!(written.passing, ArgPassing::Tokens(_)))
        {
            key.push_str(&format!("\n{}", self.sites.len()));
        }
        let callee = Callee {
            name: info.name.clone(),
            ty,
            key: key.into(),
            site: self.sites.len(),
            is_self,
            recursive,
            origin: info.origin,
            order: info.order,
            sizes: info.generics.iter().map(|generic| substitution.dims.get(&generic.name).cloned()).collect(),
            args,
            results: results.types(),
        };
        let by_value = info.origin == Origin::Hidden || info.params.iter().any(|param| param.grown);
        self.sites.push(Rc::new(CallSite { path, generics, by_value, args: written, results: results.clone() }));
        Ok((callee, vars, results))
    }

    pub(super) fn differentiable_call(
        &mut self,
        call: &ExprCall,
        path: &syn::Path,
        info: &Rc<FnInfo>,
        values: Vec<Value>,
        expected: Option<&Surface>,
    ) -> Lowered<Value> {
        let (values, grown) = self.taken_for_call(info, values, &call.args)?;
        let places: Vec<Rc<Place>> = values
            .iter()
            .filter_map(|value| if let Value::Borrow(place) = value { Some(place.clone()) } else { None })
            .collect();
        let (callee, vars, results) = self.callee(call, path, info, values, expected)?;
        let callee = Rc::new(callee);
        self.at(call);
        let outs = self.push_call(Call::new(callee.clone(), CallKind::Value), &vars);
        for (place, arg) in places.iter().zip(callee.args.iter().filter(|arg| arg.mutable)) {
            // What is only lent is not looked into.
            if matches!(arg.passed, Passed::Opaque(_)) {
                continue;
            }
            let after = arg.values().filter_map(|operand| callee.result_of(operand)).map(|result| outs[result]);
            self.change(call, place, arg, after.collect())?;
        }
        let value = Value::of_layout(&results, &mut outs[..callee.results.len()].iter().copied(), &mut self.b);
        self.given_back(call, &grown, value)
    }

    /// Makes the equation of a call. `args` are the operands in the order of their roles.
    pub(super) fn push_call(&mut self, call: Call, args: &[Var]) -> Vec<Var> {
        let input = |k: usize| args.get(k).map(|var| self.b.ty(*var).clone());
        let roles = call.callee.result_roles(call.kind);
        let is_constant = call.callee.origin == Origin::Constant;
        let tys = roles.into_iter().filter_map(|role| call.callee.type_of(role, &input)).collect();
        let outs = self.b.push_multi(Op::Call(call), args.to_vec(), Vec::new(), tys);
        // What comes of a constant function depends on nothing.
        for out in outs.iter().filter(|_| !is_constant) {
            self.track(*out, args);
        }
        outs
    }

    /// Gives what a callee has changed its new value.
    fn change(&mut self, call: &ExprCall, place: &Place, arg: &CallArg, new: Vec<Var>) -> Lowered<()> {
        // The array as a whole is the result, of which the callee saw a part.
        let place = match arg.passed {
            Passed::Part(_) => place.named(),
            _ => place.clone(),
        };
        let mut new = new.into_iter();
        self.store_at(call, &place, &mut |lower, old| {
            let mut next = || new.next().ok_or(Reported);
            Ok(match old {
                Stored::Whole(old) => {
                    if new.len() != old.contents().len() {
                        return lower.unsupported(call, "a change of a part of this", "borrow the whole value");
                    }
                    old.with_contents(&mut new)
                }
                Stored::Element(array, at) => {
                    let leaf = next()?;
                    Value::Leaf(lower.replaced_element(array, leaf, &at, call)?, Form::Plain)
                }
                Stored::Range(array, at, start, len) => {
                    let part = next()?;
                    Value::Leaf(lower.put_range(array, &at, start, len, part), Form::Plain)
                }
            })
        })?;
        Ok(())
    }

    /// Whether a place is a `Vec` that grows, as a whole.
    fn is_growing(&self, place: &Place) -> bool {
        let whole = if place.is_named() { self.structure(place) } else { None };
        matches!(whole, Some(Value::Slice(slice)) if slice.count.is_some())
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

/// Whether a parameter is a borrow of a slice.
fn is_slice(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if matches!(&*reference.elem, Type::Slice(_)))
}

/// Whether a parameter is a slice or a `Vec`.
fn is_sequence(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => is_sequence(&reference.elem),
        Type::Slice(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Vec"),
        _ => false,
    }
}
