//! Calls of functions: other differentiable ones, number functions, constructors, and inactive ones.

use super::Lower;
use super::assign::{Place, unparen};
use super::expr::is_number_type;
use super::infer::Inference;
use super::nested::nested_derivative;
use super::value::{Access, Alias, Form, Lowered, Reported, Rows, Step, Untyped, Value};
use crate::diag::{Error, are, counted};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Call, CallKind, Elem, Op, Opaque, Ty, Var};
use crate::op::elementwise as rows;
use crate::parse::ty::{Field, INTEGERS, Substitution, Surface, TypeScope, generic_args, spelled};
use crate::relay::{FnInfo, StructInfo};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::{Expr, ExprCall, Type};

/// A callee with the way its arguments are passed.
#[derive(Debug)]
pub struct Target {
    /// The path as the user wrote it.
    pub path: TokenStream,
    /// Generic arguments, all of them known: `<f32, { B }>`.
    pub generics: TokenStream,
    pub args: Vec<CallArg>,
    /// The result's leaves.
    pub results: Surface,
    /// Whether it is the function that is being differentiated: what it keeps for its reverse sweep would contain itself.
    pub recursive: bool,
    name: String,
}

/// One argument of a call.
#[derive(Debug)]
pub struct CallArg {
    pub pass: Pass,
    /// How many of the equation's arguments belong to it.
    pub leaves: usize,
    pub by_ref: bool,
    /// Whether the callee is differentiated by it.
    pub active: bool,
    /// Whether the callee is, but the caller is not: its cotangent is thrown away.
    pub constant: bool,
    /// Whether it is a mutable borrow: what it holds afterwards is a result.
    pub mutable: bool,
}

impl CallArg {
    /// Whether both are parts of one parameter, one inside the other.
    fn overlaps(&self, pass: &Pass) -> bool {
        match (&self.pass, pass) {
            (Pass::Place(a, _), Pass::Place(b, _)) => {
                a.root == b.root && a.path.iter().zip(&b.path).all(|(step, other)| step == other)
            }
            _ => false,
        }
    }
}

/// How an argument is written.
#[derive(Debug)]
pub enum Pass {
    /// A parameter of the caller, or a part of it, with its structure.
    Place(Access, Value),
    /// What is put together for the call.
    Built(Value),
    /// One leaf: a number, an array or a tensor.
    Leaf(Form),
    /// A part of an array: the array, `indices` of the first axes; of a sub-slice also where it begins, if `start`, and
    /// its length.
    View { indices: usize, start: bool, ranged: bool },
    /// Tokens that carry no derivative.
    Tokens(TokenStream),
}

impl PartialEq for Target {
    fn eq(&self, other: &Target) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Target {
    /// The positions of the equation's arguments that both the callee and the caller are differentiated by.
    pub fn active_args(&self) -> impl Iterator<Item = usize> + '_ {
        let mut start = 0;
        self.args.iter().flat_map(move |arg| {
            let range = start..start + arg.leaves;
            start = range.end;
            // After a view's array come the indices that say what it looks at.
            let last = if let Pass::View { .. } = arg.pass { range.start + 1 } else { range.end };
            (range.start..last).filter(|_| arg.active && !arg.constant)
        })
    }

    /// How many of an equation's arguments are the callee's own.
    pub fn own_args(&self) -> usize {
        self.args.iter().map(|arg| arg.leaves).sum()
    }

    /// The positions of what the callee changes.
    pub fn changed_args(&self) -> Vec<usize> {
        let mut start = 0;
        let mut changed = Vec::new();
        for arg in &self.args {
            if arg.mutable {
                let count = if let Pass::View { .. } = arg.pass { 1 } else { arg.leaves };
                changed.extend(start..start + count);
            }
            start += arg.leaves;
        }
        changed
    }

    /// Those of the arguments that are still what they were after the call.
    pub fn unchanged_args(&self, args: &[Var]) -> Vec<Var> {
        let changed = self.changed_args();
        let own = args.iter().enumerate().filter(|(k, _)| !changed.contains(k));
        own.map(|(_, arg)| *arg).collect()
    }

    /// How many results an equation has for what the callee returns and changes.
    pub fn count_values(&self) -> usize {
        self.count_results() + self.changed_args().len()
    }

    /// Those of them that carry a derivative: what is returned, and what is changed.
    pub fn float_values(&self, outs: &[Var], b: &Builder) -> (Vec<Var>, Vec<Var>) {
        let (active, changed) = (self.active_args().collect::<Vec<_>>(), self.changed_args());
        let after = &outs[self.count_results()..self.count_values()];
        let pairs = changed.iter().zip(after).filter(|(at, _)| active.contains(at));
        (self.float_results(outs, b), pairs.map(|(_, out)| *out).collect())
    }

    /// How many results the callee has, number by number and array by array.
    pub fn count_results(&self) -> usize {
        let mut tys = Vec::new();
        result_value(&self.results, &mut tys);
        tys.len()
    }

    /// How many of them carry a derivative.
    pub fn float_count(&self) -> usize {
        let mut tys = Vec::new();
        result_value(&self.results, &mut tys);
        tys.iter().filter(|ty| ty.is_float()).count()
    }

    /// Those of the callee's results that carry a derivative.
    pub fn float_results(&self, outs: &[Var], b: &Builder) -> Vec<Var> {
        let own = &outs[..self.count_results().min(outs.len())];
        own.iter().copied().filter(|out| b.ty(*out).is_float()).collect()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type that the callee's forward sweep hands to its reverse sweep.
    pub fn data_type(&self) -> String {
        let (path, generics) = (&self.path, &self.generics);
        quote!(#path #generics).to_string()
    }
}

impl Lower<'_> {
    pub(super) fn call(&mut self, call: &ExprCall, expected: Option<&Surface>) -> Lowered<Value> {
        if let Some(closure) = self.called_closure(unparen(&call.func))? {
            return self.call_closure(&closure, call);
        }
        let Expr::Path(function) = unparen(&call.func) else {
            return self.unsupported(&call.func, "a call of this", "call a function by its name");
        };
        let path = &function.path;
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let last = segments.last().cloned().unwrap_or_default();
        if last == "stop_gradient" {
            return self.stop_gradient(call);
        }
        if let [.., ty, _] = &segments[..] {
            if is_number_type(ty, &self.function.reals) {
                return self.number_function(call, ty, path);
            }
            if ty == "Vec" && matches!(&last[..], "new" | "with_capacity") {
                return self.empty_vec(expected, call);
            }
            if ty.starts_with("Tensor") {
                return self.tensor_constructor(call, path, expected);
            }
        }
        if let (Some(function), None) = (crate::op::method::find_function(&last), self.knowledge.find_fn(path)) {
            let name = path.segments[path.segments.len() - 1].ident.clone();
            let args: Vec<&Expr> = call.args.iter().collect();
            return self.table_function(call, &name, function, &args);
        }
        if let (Some(function), None) = (crate::op::method::find_several(&last), self.knowledge.find_fn(path)) {
            let name = path.segments[path.segments.len() - 1].ident.clone();
            let args: Vec<&Expr> = call.args.iter().collect();
            return self.table_several(call, &name, function, &args);
        }
        if let Some((kind, owner)) = nested_derivative(path) {
            return match self.knowledge.find_fn(&owner) {
                Some(info) => self.nested_derivative(call, kind, &owner, &info),
                None => self.ask_for(owner),
            };
        }
        let method = super::owned::associated_function(path);
        let path = method.as_ref().unwrap_or(path);
        let info = self.knowledge.find_fn(path);
        let values: Vec<Lowered<Value>> = call
            .args
            .iter()
            .enumerate()
            .map(|(k, arg)| {
                let param = info.as_ref().and_then(|info| info.params.get(k));
                if param.is_some_and(|param| is_mutable(&param.ty)) {
                    return self.borrow_mut(strip_borrow(arg));
                }
                let expected = param.and_then(|param| integer(&param.ty));
                self.expr_expecting(arg, expected.as_ref())
            })
            .collect();
        let values: Vec<Value> = values.into_iter().collect::<Lowered<_>>()?;
        if let Some(binding) = path.get_ident().and_then(|ident| self.lookup(&ident.to_string())) {
            return match binding.value {
                Some(_) => {
                    self.unsupported(path, &format!("a call of the variable `{last}`"), "call a function by its name")
                }
                None => Err(Reported),
            };
        }
        if matches!(&last[..], "Some" | "Ok" | "Err") && values.iter().any(|value| self.is_active(value)) {
            let what = format!("`{last}` of a value with a derivative");
            return self.unsupported(path, &what, "keep the value in a variable and whether there is one in another");
        }
        if self.knowledge.find_fn(path).is_none()
            && !values.iter().any(|value| self.is_active(value) || matches!(value, Value::Alias(_)))
        {
            return self.passive_call(call, &values, expected);
        }
        // A tuple struct looks like a call; its relay says which it is.
        if let Some(info) = self.knowledge.find_struct(path) {
            return self.tuple_struct(call, path, &info, values);
        }
        match self.knowledge.find_fn(path) {
            Some(info) => self.differentiable_call(call, path, &info, values, expected),
            None => self.ask_for(path.clone()),
        }
    }

    fn stop_gradient(&mut self, call: &ExprCall) -> Lowered<Value> {
        let [arg] = &call.args.iter().collect::<Vec<_>>()[..] else {
            return self.fail(Error::new(call, "`stop_gradient` takes one argument"));
        };
        let value = self.expr(arg)?;
        let stopped: Vec<Var> = value
            .leaves()
            .into_iter()
            .map(|var| if self.b.ty(var).is_float() { self.b.map(&rows::stop_gradient, &[var]) } else { var })
            .collect();
        Ok(value.rebuild(&mut stopped.into_iter()))
    }

    /// `f64::sin(x)`, `T::from_f64(2.0)`
    fn number_function(&mut self, call: &ExprCall, ty: &str, path: &syn::Path) -> Lowered<Value> {
        let Some(last) = path.segments.last() else { return self.unsupported(call, "this call", "call a method") };
        let args: Vec<&Expr> = call.args.iter().collect();
        let elem = match ty {
            "f32" => Some(Elem::F32),
            "f64" => Some(Elem::F64),
            _ if self.function.reals.iter().any(|real| real == ty) => Some(Elem::Real(Rc::from(ty))),
            _ => None,
        };
        if let ("from_f64" | "from", Some(elem), [arg]) = (&last.ident.to_string()[..], &elem, &args[..]) {
            return match self.expr(arg)? {
                Value::Untyped(untyped) if untyped.number.is_some() => Ok(self.typed(&untyped, elem)),
                value if self.is_active(&value) => {
                    let [var] = value.leaves()[..] else {
                        return self.unsupported(call, "this conversion", "convert a number");
                    };
                    let out = self.b.cast(var, elem);
                    Ok(Value::Leaf(self.track(out, &[var]), Form::Plain))
                }
                _ => Ok(self.typed(&Untyped { tokens: call.to_token_stream(), number: None, integer: false }, elem)),
            };
        }
        let Some((receiver, rest)) = args.split_first() else {
            let tokens = call.to_token_stream();
            return match elem {
                Some(elem) => Ok(self.typed(&Untyped { tokens, number: None, integer: false }, &elem)),
                None => Ok(Value::Untyped(Untyped { tokens, number: None, integer: false })),
            };
        };
        let value = match (self.expr(receiver)?, &elem) {
            (Value::Untyped(untyped), Some(elem)) => self.typed(&untyped, elem),
            (value, _) => value,
        };
        self.method(call, &last.ident, (receiver, value), rest)
    }

    /// `Tensor2::zeros()`, `Tensor1::full(v)`, `Tensor1::from([a, b])`
    fn tensor_constructor(&mut self, call: &ExprCall, path: &syn::Path, expected: Option<&Surface>) -> Lowered<Value> {
        let name = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let mut owner = path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        let surface = match expected {
            Some(surface @ Surface::Tensor(..)) => Some(surface.clone()),
            _ if !generic_args(&owner).is_empty() => {
                Some(self.resolve(&Type::Path(syn::TypePath { qself: None, path: owner }))?)
            }
            _ => None,
        };
        let args: Vec<&Expr> = call.args.iter().collect();
        if let ("from", [arg]) = (&name[..], &args[..]) {
            return match self.expr(arg)? {
                Value::Leaf(var, _) if !self.b.ty(var).is_scalar() => Ok(Value::Leaf(var, Form::Tensor)),
                other => self.fail(Error::new(
                    arg,
                    format!("a tensor is made from an array of numbers, this is {}", other.describe(&self.b)),
                )),
            };
        }
        let Some(ty) = surface.as_ref().and_then(Surface::leaf) else {
            let message = "the shape of this tensor is not visible";
            return self.fail(Error::new(call, message).help("write its type: `let t: Tensor2<f32, 4, 3> = …`"));
        };
        match (&name[..], &args[..]) {
            ("zeros", []) => Ok(Value::Leaf(self.b.zero(ty), Form::Tensor)),
            ("ones", []) => {
                let one = self.b.constant(&ty.elem, 1.0);
                let out = self.b.apply(crate::op::view::BroadcastTo { dims: ty.dims }, &[one]);
                Ok(Value::Leaf(out, Form::Tensor))
            }
            ("full", [arg]) => {
                let value = self.expr(arg)?;
                let v = self.leaf_like(value, &Ty::scalar(ty.elem.clone()), arg)?;
                let out = self.b.apply(crate::op::view::BroadcastTo { dims: ty.dims }, &[v]);
                Ok(Value::Leaf(self.track(out, &[v]), Form::Tensor))
            }
            _ => self.unsupported(
                call,
                &format!("`{}`", spelled(path)),
                "make it from an array with `from`, or outside the function",
            ),
        }
    }

    /// `Pair(x, y)`
    fn tuple_struct(
        &mut self,
        call: &ExprCall,
        path: &syn::Path,
        info: &StructInfo,
        values: Vec<Value>,
    ) -> Lowered<Value> {
        let path = self.with_generics(path, info, &values.iter().collect::<Vec<_>>())?;
        let ty = self.resolve(&Type::Path(syn::TypePath { qself: None, path: path.clone() }))?;
        let Surface::Struct(ty) = ty else {
            return self.unsupported(call, "this call", "derive `Differentiable` for the type");
        };
        if ty.fields.len() != values.len() {
            let message =
                format!("`{}` has {}, {} given", spelled(&path), counted(ty.fields.len(), "field"), are(values.len()));
            return self.fail(Error::new(call, message));
        }
        let mut parts = Vec::new();
        for ((value, field), arg) in values.into_iter().zip(&ty.fields).zip(&call.args) {
            parts.push(self.field_value(value, field, arg)?);
        }
        Ok(Value::Struct(ty.clone(), parts))
    }

    /// A value that a struct is made of.
    pub(super) fn field_value(&mut self, value: Value, field: &Field, at: &Expr) -> Lowered<Value> {
        if !field.active && self.is_active(&value) {
            return self.fail(
                Error::new(
                    at,
                    format!("the derivative ends here: field `{}` has none", field.member.to_token_stream()),
                )
                .note("the value depends on a differentiable input")
                .help("if that is meant, write `stop_gradient(…)` around it")
                .plain_rust(),
            );
        }
        self.coerce(value, &field.ty, at, "the field")
    }

    /// The path of a struct in an expression, with its generic arguments as its fields tell them.
    pub(super) fn with_generics(
        &mut self,
        path: &syn::Path,
        info: &StructInfo,
        values: &[&Value],
    ) -> Lowered<syn::Path> {
        if info.generics.is_empty() || !generic_args(path).is_empty() {
            return Ok(path.clone());
        }
        let mut known = Inference::new(&info.generics);
        for (field, value) in info.fields.iter().zip(values) {
            known.unify(&field.ty, &value.surface(&self.b));
        }
        let known = known.known;
        let mut args = Vec::new();
        for generic in &info.generics {
            match (known.dims.get(&generic.name), known.elems.get(&generic.name)) {
                (Some(dim), _) => args.push(crate::emit::dim_argument(dim)),
                (_, Some(elem)) => args.push(crate::emit::elem_tokens(elem)),
                _ => {
                    let name = spelled(path);
                    let message = format!("`{}` of `{name}` cannot be told from these fields", generic.name);
                    return self.fail(Error::new(path, message).help(format!("write it: `{name}::<…>`")));
                }
            }
        }
        let bare = crate::relay::without_arguments(path);
        Ok(syn::parse_quote!(#bare<#(#args),*>))
    }

    /// A call that only inactive values go into: it stays as it is.
    fn passive_call(&mut self, call: &ExprCall, values: &[Value], expected: Option<&Surface>) -> Lowered<Value> {
        let constants: Option<Vec<TokenStream>> = values.iter().map(|value| self.passive_tokens(value)).collect();
        let function = &call.func;
        if let (Some(constants), None) = (constants, expected) {
            return Ok(Value::Untyped(Untyped {
                tokens: quote!(#function(#(#constants),*)),
                number: None,
                integer: false,
            }));
        }
        let mut args = Vec::new();
        for (value, arg) in values.iter().zip(&call.args) {
            let value = self.settle(value.clone(), arg)?;
            match value {
                Value::Leaf(var, _) if self.b.ty(var).is_scalar() => args.push(var),
                _ => {
                    return self.unsupported(
                        arg,
                        "this argument of a function without a derivative",
                        "pass numbers, or compute it outside",
                    );
                }
            }
        }
        let Some(ty) = expected.and_then(Surface::leaf) else {
            let message = format!("the type that `{}` returns is not visible", spelled(function));
            return self.fail(Error::new(call, message).help("write it: `let value: f64 = …`"));
        };
        let out = self.b.opaque(Opaque { tokens: function.to_token_stream(), is_call: true }, args, ty);
        Ok(Value::Leaf(out, Form::Plain))
    }

    /// A callee with its arguments: how they are passed, and their leaves.
    pub(super) fn target(
        &mut self,
        call: &ExprCall,
        path: &syn::Path,
        info: &Rc<FnInfo>,
        values: Vec<Value>,
        expected: Option<&Surface>,
    ) -> Lowered<(Rc<Target>, Vec<Var>)> {
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
        let mut aliases: Vec<Option<Rc<Alias>>> = Vec::new();
        let mut read = Vec::new();
        for value in values {
            match value {
                Value::Alias(alias) => {
                    read.push(self.read_alias(&alias)?);
                    aliases.push(Some(alias));
                }
                value => {
                    read.push(value);
                    aliases.push(None);
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
            let known =
                match (generic.is_const, substitution.dims.get(&generic.name), substitution.elems.get(&generic.name)) {
                    (true, Some(dim), _) => Some(crate::emit::dim_argument(dim)),
                    (false, _, Some(elem)) => Some(crate::emit::elem_tokens(elem)),
                    _ => None,
                };
            match known {
                Some(known) => generics.push(known),
                None => {
                    let message = format!("`{}` of `{}` cannot be told from these arguments", generic.name, info.name);
                    return self.fail(Error::new(call, message).help(format!("write it: `{}::<…>(…)`", info.name)));
                }
            }
        }
        let scope = TypeScope { knowledge: &info.nested, reals: &[], substitution: Some(&substitution) };
        let Ok(results) = scope.resolve(&info.result) else {
            return self.fail(Error::new(call, format!("the type that `{}` returns is not visible", info.name)));
        };

        let mut args: Vec<CallArg> = Vec::new();
        let mut vars = Vec::new();
        for (((param, value), alias), arg) in info.params.iter().zip(values).zip(&aliases).zip(&call.args) {
            if let Some(alias) = alias.clone() {
                let (pass, leaves) = self.pass_mutable(&alias, &value, arg)?;
                let active = param.active;
                if !active && self.is_active(&value) {
                    return self.unsupported(
                        arg,
                        "a change of this without a derivative",
                        "take `#[no_diff]` off the parameter",
                    );
                }
                args.push(CallArg { pass, leaves: leaves.len(), by_ref: true, active, constant: false, mutable: true });
                vars.extend(leaves);
                continue;
            }
            let by_ref = matches!(param.ty, Type::Reference(_));
            if !param.active && self.is_active(&value) {
                return self.fail(
                    Error::new(arg, format!("the derivative ends here: `{}` has none by this argument", info.name))
                        .note("the value depends on a differentiable input")
                        .help("if that is meant, write `stop_gradient(…)` around it; otherwise take `#[no_diff]` off the parameter").plain_rust(),
                );
            }
            // A row may be expected as an array, whose length is in its type.
            let value = match value {
                Value::View(view) if !is_sequence(&param.ty) => Value::Leaf(self.whole(&view), view.form),
                value => value,
            };
            let form = if let Value::Leaf(_, form) = &value { Some(*form) } else { None };
            let value = self.checked_argument(&param.ty, value, info, &substitution, arg)?;
            let constant = param.active && !self.is_active(&value);
            let (mut pass, leaves) = self.pass_argument(&param.ty, value, info, &substitution, arg)?;
            // A cotangent is added into by one argument; another that overlaps gets one of its own.
            let overlaps = args.iter().any(|other| other.active && !other.constant && other.overlaps(&pass));
            // So does one that the caller is not differentiated by.
            if let (true, Some(form)) = (constant, form) {
                pass = Pass::Leaf(form);
            }
            if param.active && overlaps && !constant {
                match form {
                    Some(form) => pass = Pass::Leaf(form),
                    None => {
                        if let Pass::Place(_, value) = pass {
                            pass = Pass::Built(value);
                        }
                    }
                }
            }
            args.push(CallArg { pass, leaves: leaves.len(), by_ref, active: param.active, constant, mutable: false });
            vars.extend(leaves);
        }
        let path = bare.to_token_stream();
        let generics = if generics.is_empty() { TokenStream::new() } else { quote!(::<#(#generics),*>) };
        let name = info.name.clone();
        self.separate(&mut args, &vars);
        let recursive = path.to_string() == self.function.name().to_string();
        let target = Rc::new(Target { path, generics, args, results, recursive, name });
        Ok((target, vars))
    }

    /// How a mutable borrow is passed, and its leaves.
    fn pass_mutable(&mut self, alias: &Alias, value: &Value, arg: &Expr) -> Lowered<(Pass, Vec<Var>)> {
        let Some(mut root) = self.env.get(alias.slot).value.clone() else { return Err(Reported) };
        for member in &alias.members {
            match root.member(member) {
                Some(part) => root = part,
                None => return Err(Reported),
            }
        }
        match (&root, &alias.range) {
            (Value::Leaf(var, form), None) if alias.at.is_empty() => Ok((Pass::Leaf(*form), vec![*var])),
            (Value::Leaf(array, _) | Value::Grown(array, _), range) => {
                let mut leaves = [&[*array], &alias.at[..]].concat();
                let ranged = range.clone().or_else(|| match value {
                    Value::View(view) => Some((Dim::literal(0), view.len.clone())),
                    Value::Grown(_, len) => Some((Dim::literal(0), Dim::of(*len))),
                    _ => None,
                });
                let start = ranged.as_ref().is_some_and(|(start, _)| !start.is(0));
                if let Some((from, len)) = &ranged {
                    if start {
                        leaves.push(self.b.dim(from.clone()));
                    }
                    leaves.push(self.b.dim(len.clone()));
                }
                Ok((Pass::View { indices: alias.at.len(), start, ranged: ranged.is_some() }, leaves))
            }
            (whole, None) => {
                let leaves = whole.leaves();
                match self.place_of_changed(alias, whole) {
                    Some(access) => Ok((Pass::Place(access, whole.clone()), leaves)),
                    None => self.unsupported(
                        arg,
                        "a mutable borrow of what is put together here",
                        "pass a parameter or a part of it, or the numbers one by one",
                    ),
                }
            }
            _ => self.unsupported(arg, "this mutable borrow", "pass a variable, a row or a sub-slice"),
        }
    }

    /// The parameter that a variable stands for, whatever it holds by now.
    fn place_of_changed(&self, alias: &Alias, value: &Value) -> Option<Access> {
        let name = &self.env.get(alias.slot).name;
        let root = self.function.params.iter().position(|param| param.name == *name)?;
        let path = alias.members.iter().map(|member| Step::Field(member.to_token_stream().to_string())).collect();
        let access = Access { root, path };
        self.all_leaves(&access, value).map(|_| access)
    }

    pub(super) fn differentiable_call(
        &mut self,
        call: &ExprCall,
        path: &syn::Path,
        info: &Rc<FnInfo>,
        values: Vec<Value>,
        expected: Option<&Surface>,
    ) -> Lowered<Value> {
        let aliases: Vec<Rc<Alias>> = values
            .iter()
            .filter_map(|value| if let Value::Alias(alias) = value { Some(alias.clone()) } else { None })
            .collect();
        let (target, vars) = self.target(call, path, info, values, expected)?;
        let mut outs = Vec::new();
        let value = result_value(&target.results, &mut outs);
        let own = outs.len();
        let changed = target.changed_args();
        outs.extend(changed.iter().map(|at| self.b.ty(vars[*at]).clone()));
        self.at(call);
        let op = Op::Call(Call { target: target.clone(), kind: CallKind::Value });
        let outs = self.b.push_multi(op, vars.clone(), Vec::new(), outs);
        for out in &outs {
            self.track(*out, &vars);
        }
        let mut after = outs[own..].iter().copied();
        for (alias, arg) in aliases.iter().zip(target.args.iter().filter(|arg| arg.mutable)) {
            self.change(call, alias, arg, &mut after)?;
        }
        Ok(value.rebuild(&mut outs[..own].iter().copied()))
    }

    /// Gives what a callee has changed its new value.
    fn change(
        &mut self,
        call: &ExprCall,
        alias: &Alias,
        arg: &CallArg,
        after: &mut impl Iterator<Item = Var>,
    ) -> Lowered<()> {
        // The array as a whole is the result, of which the callee saw a part.
        let root = match arg.pass {
            Pass::View { .. } => Alias { at: Vec::new(), range: None, ..alias.clone() },
            _ => alias.clone(),
        };
        let count = if let Pass::View { .. } = arg.pass { 1 } else { arg.leaves };
        let new: Vec<Var> = after.take(count).collect();
        self.store_at(call, &root, &mut |_, old| match old {
            Place::Whole(old) => {
                let rest = old.leaves().into_iter().skip(new.len()).collect::<Vec<_>>();
                Ok(old.rebuild(&mut new.iter().copied().chain(rest)))
            }
            _ => Err(Reported),
        })?;
        Ok(())
    }

    /// What is passed as a whole and in parts at once is passed as an array of its own.
    fn separate(&self, args: &mut [CallArg], vars: &[Var]) {
        let mut viewed = Vec::new();
        let mut start = 0;
        for arg in args.iter() {
            if let Pass::View { .. } = arg.pass {
                viewed.push(vars[start]);
            }
            start += arg.leaves;
        }
        for arg in args {
            if let Pass::Place(_, Value::Leaf(var, form)) = &arg.pass {
                if viewed.contains(var) {
                    arg.pass = Pass::Leaf(*form);
                }
            }
        }
    }

    /// An argument that fits its parameter, as far as its shape is visible.
    fn checked_argument(
        &mut self,
        ty: &Type,
        value: Value,
        info: &FnInfo,
        substitution: &Substitution,
        arg: &Expr,
    ) -> Lowered<Value> {
        let scope = TypeScope { knowledge: &info.nested, reals: &[], substitution: Some(substitution) };
        match (&value, scope.resolve(ty)) {
            (Value::Leaf(..), Ok(surface)) if surface.leaf().is_some() => {
                self.coerce(value, &surface, arg, &format!("the argument of `{}`", info.name))
            }
            _ => Ok(value),
        }
    }

    /// How an argument is passed, and its leaves.
    fn pass_argument(
        &mut self,
        ty: &Type,
        value: Value,
        info: &Rc<FnInfo>,
        substitution: &Substitution,
        arg: &Expr,
    ) -> Lowered<(Pass, Vec<Var>)> {
        match value {
            Value::Untyped(untyped) => {
                let scope = TypeScope { knowledge: &info.nested, reals: &[], substitution: Some(substitution) };
                match scope.resolve(ty) {
                    Ok(Surface::Scalar(elem)) if elem.is_float() => {
                        Ok((Pass::Leaf(Form::Plain), self.typed(&untyped, &elem).leaves()))
                    }
                    _ => Ok((Pass::Tokens(untyped.tokens), Vec::new())),
                }
            }
            Value::Other(tokens) => Ok((Pass::Tokens(tokens), Vec::new())),
            value @ (Value::View(_) | Value::Grown(..)) => match self.as_view(&value) {
                Some(view) => {
                    let mut leaves = vec![view.array];
                    leaves.extend(&view.at);
                    leaves.extend(view.start);
                    leaves.push(self.b.dim(view.len));
                    Ok((Pass::View { indices: view.at.len(), start: view.start.is_some(), ranged: true }, leaves))
                }
                None => Err(Reported),
            },
            value => {
                let leaves = value.leaves();
                if let Some(access) = self.place_of(&leaves, &value) {
                    return Ok((Pass::Place(access, value), leaves));
                }
                match value {
                    Value::Leaf(var, form) => Ok((Pass::Leaf(form), vec![var])),
                    Value::Struct(..) | Value::Tuple(..) | Value::List(..) => {
                        let value = self.with_arrays(value);
                        let leaves = value.leaves();
                        Ok((Pass::Built(value), leaves))
                    }
                    _ => self.unsupported(
                        arg,
                        "an argument that is put together here",
                        "pass a parameter or a part of it, or pass the numbers one by one",
                    ),
                }
            }
        }
    }

    /// The same value, with arrays of their own in place of views.
    fn with_arrays(&mut self, value: Value) -> Value {
        let mut all = |parts: Vec<Value>| parts.into_iter().map(|part| self.with_arrays(part)).collect();
        match value {
            Value::Tuple(parts) => Value::Tuple(all(parts)),
            Value::Struct(ty, parts) => Value::Struct(ty, all(parts)),
            Value::List(parts) => Value::List(all(parts)),
            Value::View(view) => Value::Leaf(self.whole(&view), view.form),
            other => other,
        }
    }

    /// The parameter (or part of one) that has exactly these leaves, unchanged.
    fn place_of(&self, leaves: &[Var], value: &Value) -> Option<Access> {
        let accesses: Vec<&Access> = leaves
            .iter()
            .map(|leaf| self.leaves.iter().find(|param| param.var == *leaf).map(|param| &param.access))
            .collect::<Option<_>>()?;
        if let Value::Leaf(..) = value {
            return accesses.first().copied().cloned();
        }
        // Going up from the first leaf to where all of the value is.
        let depth = structure_depth(value);
        let first = accesses.first()?;
        let path = first.path.get(..first.path.len().checked_sub(depth)?)?.to_vec();
        let candidate = Access { root: first.root, path };
        (self.all_leaves(&candidate, value)? == leaves).then_some(candidate)
    }

    /// The leaves of a parameter below an access, if the value at that access has the structure of `value`.
    fn all_leaves(&self, at: &Access, value: &Value) -> Option<Vec<Var>> {
        match value {
            Value::Leaf(..) => {
                let leaf = self.leaves.iter().find(|leaf| leaf.access == *at)?;
                Some(vec![leaf.var])
            }
            Value::Tuple(parts) => {
                let all = parts
                    .iter()
                    .enumerate()
                    .map(|(k, part)| self.all_leaves(&at.then(Step::Field(k.to_string())), part));
                Some(all.collect::<Option<Vec<_>>>()?.concat())
            }
            Value::Struct(ty, parts) => {
                let all = parts.iter().zip(&ty.fields).map(|(part, field)| {
                    self.all_leaves(&at.then(Step::Field(field.member.to_token_stream().to_string())), part)
                });
                Some(all.collect::<Option<Vec<_>>>()?.concat())
            }
            Value::Rows(item, Rows { start: None, .. }) => self.all_leaves(&at.then(Step::Each), item),
            Value::List(parts) => {
                let all = parts.iter().enumerate().map(|(k, part)| self.all_leaves(&at.then(Step::Index(k)), part));
                Some(all.collect::<Option<Vec<_>>>()?.concat())
            }
            _ => Some(Vec::new()),
        }
    }
}

pub(super) fn is_mutable(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_some())
}

/// `x` of `&mut x`
pub(super) fn strip_borrow(arg: &Expr) -> &Expr {
    match unparen(arg) {
        Expr::Reference(reference) => &reference.expr,
        other => other,
    }
}

/// The integer type that a parameter has.
pub(super) fn integer(ty: &Type) -> Option<Surface> {
    match ty {
        Type::Path(path) => {
            let name = path.path.get_ident()?.to_string();
            INTEGERS.contains(&&name[..]).then(|| Surface::Scalar(Elem::Int(Rc::from(name))))
        }
        _ => None,
    }
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

/// How many steps lie between a value and its first leaf.
fn structure_depth(value: &Value) -> usize {
    match value {
        Value::Tuple(parts) | Value::Struct(_, parts) | Value::List(parts) => {
            1 + parts.iter().find(|part| !part.leaves().is_empty()).map_or(0, structure_depth)
        }
        Value::Rows(item, _) => 1 + structure_depth(item),
        _ => 0,
    }
}

/// The structure of a result, with placeholders for its leaves.
pub(super) fn result_value(surface: &Surface, tys: &mut Vec<Ty>) -> Value {
    match surface {
        Surface::Tuple(parts) => Value::Tuple(parts.iter().map(|part| result_value(part, tys)).collect()),
        Surface::Struct(ty) => {
            let parts = ty.fields.iter().map(|field| result_value(&field.ty, tys)).collect();
            Value::Struct(ty.clone(), parts)
        }
        surface => match surface.leaf() {
            Some(ty) => {
                tys.push(ty);
                let form = if matches!(surface, Surface::Tensor(..)) { Form::Tensor } else { Form::Plain };
                Value::Leaf(Var(0), form)
            }
            None => Value::unit(),
        },
    }
}
