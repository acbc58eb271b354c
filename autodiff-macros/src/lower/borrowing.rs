//! Functions that return references, and indices into structs.
//!
//! Note [Functions that give places]. `fn position(&self) -> &Vec3` and the `index` of `impl Index<usize> for Vec3` return a part of
//! one of their arguments. Here that is a value that is looked at where it is, or a [`Place`]; a result of its own would be a copy, by
//! which nothing could be changed. So such a function has no derivative of its own: its relay hands on its source, and its body is
//! lowered where it is called. It sees nothing but its parameters there. What it names of its module must mean the same, as with
//! functions that take closures.
//!
//! What a body of several places chooses between, `match i { 0 => &mut self.x, _ => &mut self.y }`, is not one place. An assignment
//! to it becomes one in each branch.

use super::Lower;
use super::assign::unparen;
use super::call::{integer, is_mutable, strip_borrow};
use super::infer::Inference;
use super::owned::function_path;
use super::place::Place;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::{Error, are, counted};
use crate::layout::Kind;
use crate::parse::function;
use crate::parse::ty::{StructType, Surface, TypeScope, spelled};
use crate::relay::Knowledge;
use crate::tokens::mentions;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::visit::Visit;
use syn::{BinOp, Block, Expr, ExprIndex, FnArg, Ident, ItemFn, Pat, Path, ReturnType, Stmt, Type};

/// A function that gives a place, and the path of its relay.
#[derive(Clone)]
pub(super) struct PlaceFunction {
    pub(super) path: Path,
    pub(super) item: ItemFn,
    /// What its body may not contain.
    pub(super) refused: Option<&'static str>,
}

impl PlaceFunction {
    /// Whether what it gives may be changed.
    pub(super) fn is_mutable(&self) -> bool {
        matches!(&self.item.sig.output, ReturnType::Type(_, ty) if is_mutable(ty))
    }

    /// The trait of the method that it stands for, or nothing.
    pub(super) fn of_trait(&self) -> String {
        crate::desugar::traits_of_method(&self.item.attrs)
            .and_then(|traits| traits.into_iter().next())
            .unwrap_or_default()
    }

    /// Its name for messages: `V::at` for `V_at`.
    pub(super) fn name(&self) -> String {
        let name = spelled(&self.path);
        if name.starts_with(char::is_uppercase) { name.replacen('_', "::", 1) } else { name }
    }

    /// Why it is lowered where it is called.
    fn kind(&self) -> &'static str {
        if function::gives_place(&self.item) { "returns a reference" } else { "takes functions" }
    }

    pub(super) fn params(&self) -> impl Iterator<Item = (&Pat, &Type)> {
        self.item.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some((&*typed.pat, &*typed.ty)),
            FnArg::Receiver(_) => None,
        })
    }

    /// The same with `op= value` behind every place that it may give.
    fn storing(&self, op: Option<&BinOp>) -> Option<PlaceFunction> {
        let mut item = self.item.clone();
        let Some(Stmt::Expr(tail, None)) = item.block.stmts.last_mut() else { return None };
        if !is_choice(tail) {
            return None;
        }
        let value = value_name();
        store_behind(tail, &|place| match op {
            Some(op) => syn::parse_quote!(#place #op #value),
            None => syn::parse_quote!(#place = #value),
        });
        item.sig.output = ReturnType::Default;
        item.sig.inputs.push(syn::parse_quote!(#value: _));
        Some(PlaceFunction { path: self.path.clone(), item, refused: self.refused })
    }
}

impl Lower<'_> {
    /// What is known of a function that gives a place.
    pub(super) fn place_function(&self, path: &Path) -> Option<PlaceFunction> {
        let item: ItemFn = syn::parse2(self.knowledge.find_higher_order(path)?).ok()?;
        let refused = Refused::find(&item);
        function::gives_place(&item).then(|| PlaceFunction { path: path.clone(), item, refused })
    }

    /// Whether an expression is a call that gives a place that can be changed.
    pub(super) fn gives_place(&self, expr: &Expr) -> bool {
        self.called_place(expr).is_some_and(|function| function.is_mutable())
    }

    /// Whether a place is one that a function gives, or a part of one.
    pub(super) fn is_given(&self, place: &Expr) -> bool {
        match unparen(place) {
            Expr::Index(index) => {
                matches!(self.named(&index.expr), Some(Value::Parts(Kind::Struct(_), _))) || self.is_given(&index.expr)
            }
            Expr::Field(field) => self.is_given(&field.base),
            Expr::Unary(unary) => self.is_given(&unary.expr),
            call => self.gives_place(call),
        }
    }

    /// The relay of a method that may give a place, if it has not been asked.
    pub(super) fn unknown_place(&self, call: &syn::ExprMethodCall) -> Option<Path> {
        let Value::Parts(Kind::Struct(ty), _) = self.named(&call.receiver)? else { return None };
        let path = function_path(&ty.path, &call.method).filter(|_| !ty.is_option)?;
        let is_known = self.knowledge.find_fn(&path).is_some() || self.knowledge.find_higher_order(&path).is_some();
        (!is_known).then_some(path)
    }

    fn called_place(&self, expr: &Expr) -> Option<PlaceFunction> {
        match unparen(expr) {
            Expr::MethodCall(call) => match self.named(&call.receiver)? {
                Value::Parts(Kind::Struct(ty), _) => self.place_function(&function_path(&ty.path, &call.method)?),
                _ => None,
            },
            Expr::Call(call) => match unparen(&call.func) {
                Expr::Path(path) => {
                    let method = super::owned::associated_function(&path.path);
                    self.place_function(method.as_ref().unwrap_or(&path.path))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A call: what its result borrows, or the place that it is of.
    pub(super) fn borrowed(
        &mut self,
        function: &PlaceFunction,
        args: &[&Expr],
        receiver: Option<Value>,
        at: &impl ToTokens,
    ) -> Lowered<Value> {
        let values = self.arguments(function, args, receiver, at)?;
        self.given(function, values, at)
    }

    pub(super) fn arguments(
        &mut self,
        function: &PlaceFunction,
        args: &[&Expr],
        mut receiver: Option<Value>,
        at: &impl ToTokens,
    ) -> Lowered<Vec<Value>> {
        let count = function.params().count();
        if count != args.len() {
            let name = function.name();
            let message = format!("`{name}` takes {}, {} given", counted(count, "argument"), are(args.len()));
            return self.fail(Error::new(at, message));
        }
        let mut values = Vec::new();
        for ((_, ty), arg) in function.params().zip(args) {
            values.push(match receiver.take() {
                Some(place @ Value::Borrow(_)) => place,
                _ if is_mutable(ty) => self.borrow_mut(strip_borrow(arg))?,
                Some(receiver) => receiver,
                None => {
                    let value = self.expr_expecting(arg, integer(ty).as_ref())?;
                    // Its name may mean something else in the body.
                    if matches!(ty, Type::Infer(_) | Type::BareFn(_)) { self.function_value(value) } else { value }
                }
            });
        }
        Ok(values)
    }

    fn given(&mut self, function: &PlaceFunction, values: Vec<Value>, at: &impl ToTokens) -> Lowered<Value> {
        if !function.is_mutable() {
            return self.taken_in(function, values, at, |lower, body| lower.block_value(body, None));
        }
        self.taken_in(function, values, at, |lower, body| {
            let place = lower.block_place(body, at)?;
            Ok(Value::Borrow(Rc::new(place)))
        })
    }

    /// The place that a block ends with.
    pub(super) fn block_place(&mut self, block: &Block, at: &impl ToTokens) -> Lowered<Place> {
        self.scoped(|lower| {
            let Some((Stmt::Expr(tail, None), before)) = block.stmts.split_last() else {
                return lower.no_single_place(at);
            };
            for stmt in before {
                lower.statement(stmt, false, None)?;
            }
            lower.tail_place(tail, at)
        })
    }

    fn tail_place(&mut self, tail: &Expr, at: &impl ToTokens) -> Lowered<Place> {
        match unparen(tail) {
            Expr::Block(block) => self.block_place(&block.block, at),
            Expr::Match(choice) => {
                let index = self.expr(&choice.expr)?;
                let literal = match &index {
                    Value::Untyped(Untyped { number: Some(number), integer: true, .. }) => Some(*number as i64),
                    Value::Leaf(var, _) => self.constant_dim(*var).and_then(|at| at.as_literal()),
                    _ => None,
                };
                let Some(literal) = literal else { return self.no_single_place(at) };
                let fits = |pat: &Pat| match pat {
                    Pat::Lit(pat) => {
                        crate::parse::ty::dim(&Expr::Lit(pat.clone())).as_literal().map(|lit| lit == literal)
                    }
                    Pat::Wild(_) => Some(true),
                    _ => None,
                };
                for arm in &choice.arms {
                    match fits(&arm.pat) {
                        Some(true) if arm.guard.is_none() => return self.tail_place(&arm.body, at),
                        Some(false) => {}
                        _ => break,
                    }
                }
                self.no_single_place(at)
            }
            Expr::If(_) => self.no_single_place(at),
            place => self.place(place),
        }
    }

    fn no_single_place<T>(&mut self, at: &impl ToTokens) -> Lowered<T> {
        let help = "assign to it as a whole, or give the places names with a `match` in this function";
        self.unsupported(at, "a borrow of a place that is chosen inside of a function", help)
    }

    /// Lowers the body of a function with values for its parameters.
    pub(super) fn taken_in<T>(
        &mut self,
        function: &PlaceFunction,
        values: Vec<Value>,
        at: &impl ToTokens,
        run: impl FnOnce(&mut Self, &Block) -> Lowered<T>,
    ) -> Lowered<T> {
        let name = function.name();
        if self.inside.contains(&name) {
            let (what, help) = match function::gives_place(&function.item) {
                true => ("calls itself", "return the value itself"),
                false => ("is called inside of what it is given", "write out one of the calls"),
            };
            let what = format!("`{name}`, which {} and {what},", function.kind());
            return self.unsupported(at, &what, help);
        }
        if let Some(what) = function.refused {
            let what = format!("`{name}`, which returns a reference and contains {what},");
            return self.unsupported(at, &what, "return the value itself");
        }
        let function = &self.without_generics(function, &values, at)?;
        let source = self.source.clone();
        let field_type = |owner: &Type, member: &syn::Member| source.as_ref()?.type_of_field(owner, member);
        let (body, errors) = crate::desugar::desugar(&function.item, &function.item.block, self.knowledge, &field_type);
        if !errors.is_empty() {
            self.errors.extend(errors);
            return Err(Reported);
        }
        let outer = self.env.enter(vec![HashMap::new()]);
        self.inside.push(name);
        let params: Vec<(Pat, Type)> = function.params().map(|(pat, ty)| (pat.clone(), ty.clone())).collect();
        let mut result = Ok(());
        for ((pat, ty), value) in params.into_iter().zip(values) {
            let value = match (value, plain(&ty)) {
                (value @ (Value::Untyped(_) | Value::Parts(Kind::Tuple, _)), Some(surface)) => {
                    self.coerce(value, &surface, at, "the argument")
                }
                (value, _) => Ok(value),
            };
            let value = match value {
                Ok(value) => value,
                Err(reported) => {
                    result = Err(reported);
                    continue;
                }
            };
            match (&pat, value) {
                (Pat::Ident(name), value @ Value::Borrow(_)) => self.define(&name.ident.to_string(), Some(value), true),
                (_, value) => result = result.and_then(|()| self.bind(&pat, value)),
            }
        }
        let result = result.and_then(|()| run(self, &body));
        self.inside.pop();
        self.env.enter(outer);
        result
    }

    /// The function with what its sizes and numbers are in their places, as far as its arguments tell.
    fn without_generics(
        &mut self,
        function: &PlaceFunction,
        values: &[Value],
        at: &impl ToTokens,
    ) -> Lowered<PlaceFunction> {
        let generics = crate::relay::generics(&crate::desugar::kept_generics(&function.item.sig.generics));
        let body = function.item.block.to_token_stream();
        let mut inference = Inference::new(&generics);
        if generics.iter().any(|generic| mentions(&body, &generic.name)) {
            for ((_, ty), value) in function.params().zip(values) {
                let surface = self.behind_borrow(value, at)?.surface(&self.b);
                inference.unify(ty, &surface);
            }
        }
        self.check_names(function, &inference, at)?;
        let mut function = function.clone();
        self.write_in(&inference, &mut function.item.block, at)?;
        Ok(function)
    }

    /// What a body names must mean the same here.
    fn check_names(&mut self, function: &PlaceFunction, known: &Inference, at: &impl ToTokens) -> Lowered<()> {
        let mut names = crate::desugar::names_of_module(&function.item);
        names.retain(|name| !known.is_known(name));
        if names.is_empty() {
            return Ok(());
        }
        let name = function.name();
        let own: HashSet<String> = generic_names(&function.item.sig.generics).collect();
        if let Some(generic) = names.intersection(&own).min() {
            let what = format!("`{name}`, which {} and uses its generic parameter `{generic}`,", function.kind());
            return self.unsupported(at, &what, "use the length of an array instead, or return the value itself");
        }
        let mut here: HashSet<String> = generic_names(&self.function.item.sig.generics).collect();
        let mut items = Items(HashSet::new());
        items.visit_block(&self.function.body);
        here.extend(items.0);
        if let Some(hidden) = names.intersection(&here).min() {
            let what = format!("`{name}` names `{hidden}`, which is something else in this function");
            return self.fail(Error::new(at, what).help(format!("give `{hidden}` another name here")));
        }
        self.inlined.push(function.path.clone());
        Ok(())
    }

    // --- indices ----------------------------------------------------------------------------------------

    /// `v[i]` of a struct.
    pub(super) fn indexed_struct(&mut self, index: &ExprIndex, ty: &StructType, base: Value) -> Lowered<Value> {
        let at = self.index_of_struct(&index.index)?;
        match self.index_function(ty, "index", &index.index, &at)? {
            Some(function) => self.given(&function, vec![base, at], index),
            None => Err(Reported),
        }
    }

    /// The same as a place.
    pub(super) fn indexed_place(&mut self, index: &ExprIndex, ty: &StructType, base: Place) -> Lowered<Place> {
        let at = self.index_of_struct(&index.index)?;
        let Some(function) = self.index_function(ty, "index_mut", &index.index, &at)? else { return Err(Reported) };
        match self.given(&function, vec![Value::Borrow(Rc::new(base)), at], index)? {
            Value::Borrow(place) => Ok((*place).clone()),
            _ => Err(Reported),
        }
    }

    fn index_of_struct(&mut self, index: &Expr) -> Lowered<Value> {
        match unparen(index) {
            Expr::Range(range) => {
                let help = "write a method that returns the part: `fn part(&self, …) -> &[f64]`";
                self.unsupported(range, "a range of a struct", help)
            }
            index => self.expr(index),
        }
    }

    fn index_function(
        &mut self,
        ty: &StructType,
        method: &str,
        index: &Expr,
        at: &Value,
    ) -> Lowered<Option<PlaceFunction>> {
        let suffix = match at {
            Value::Parts(Kind::Tuple, parts) => format!("_{}", parts.len()),
            Value::Parts(Kind::Struct(ty), _) => {
                let name = ty.path.segments.last().map(|last| last.ident.to_string());
                format!("_{}", name.unwrap_or_default())
            }
            Value::Leaf(var, _) if !self.b.ty(*var).is_scalar() => "_array".to_owned(),
            // `v[Axis::X]`
            Value::Untyped(_) | Value::Other(_) => match unparen(index) {
                Expr::Path(path) if path.path.segments.len() > 1 => {
                    let owner = path.path.segments.iter().rev().nth(1).map(|owner| owner.ident.to_string());
                    let is_type = |name: &String| name.starts_with(char::is_uppercase) && name != "Self";
                    owner.filter(is_type).map_or_else(String::new, |owner| format!("_{owner}"))
                }
                _ => String::new(),
            },
            _ => String::new(),
        };
        let method = Ident::new(&format!("{method}{suffix}"), syn::spanned::Spanned::span(index));
        let Some(path) = function_path(&ty.path, &method) else { return Ok(None) };
        match self.place_function(&path) {
            Some(function) => Ok(Some(function)),
            None => self.ask_for(path),
        }
    }

    // --- stores -----------------------------------------------------------------------------------------

    /// Assigns to a place that a function chooses, where that may be one of several: see Note [Functions that give places].
    pub(super) fn store_in_chosen(
        &mut self,
        place: &Expr,
        op: Option<&BinOp>,
        value: &Value,
    ) -> Option<Lowered<Value>> {
        let mut place = unparen(place);
        while let Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) = place {
            place = unparen(expr);
        }
        if let Expr::Index(index) = place {
            let Some(Value::Parts(Kind::Struct(ty), _)) = self.named(&index.expr) else { return None };
            if ty.is_option {
                return None;
            }
            return self.store_by_index(index, &ty, op, value).transpose();
        }
        let chosen = self.called_place(place)?;
        let function = chosen.storing(op)?;
        let args: Vec<&Expr> = match place {
            Expr::MethodCall(call) => std::iter::once(&*call.receiver).chain(&call.args).collect(),
            Expr::Call(call) => call.args.iter().collect(),
            _ => return None,
        };
        let values = match self.arguments(&chosen, &args, None, place) {
            Ok(values) => values,
            Err(reported) => return Some(Err(reported)),
        };
        let values = values.into_iter().chain([value.clone()]).collect();
        Some(self.taken_in(&function, values, place, |lower, body| lower.block_value(body, None)))
    }

    fn store_by_index(
        &mut self,
        index: &ExprIndex,
        ty: &StructType,
        op: Option<&BinOp>,
        value: &Value,
    ) -> Lowered<Option<Value>> {
        if ty.geometry.is_some() {
            return Ok(None);
        }
        let at = self.index_of_struct(&index.index)?;
        let Some(function) = self.index_function(ty, "index_mut", &index.index, &at)? else { return Ok(None) };
        let Some(function) = function.storing(op) else { return Ok(None) };
        let values = vec![self.borrow_mut(&index.expr)?, at, value.clone()];
        self.taken_in(&function, values, index, |lower, body| lower.block_value(body, None)).map(Some)
    }
}

/// The type of a parameter that is a number, or numbers in tuples.
fn plain(ty: &Type) -> Option<Surface> {
    let is_plain = |surface: &Surface| matches!(surface, Surface::Scalar(_));
    let scope = TypeScope { knowledge: &Knowledge::default(), reals: &[], substitution: None };
    match scope.resolve(ty).ok()? {
        Surface::Tuple(parts) => parts.iter().all(is_plain).then_some(Surface::Tuple(parts)),
        surface => Some(surface).filter(is_plain),
    }
}

/// What is stored.
fn value_name() -> Ident {
    Ident::new("__autodiff_stored", proc_macro2::Span::call_site())
}

/// Whether an expression ends with one of several places.
fn is_choice(tail: &Expr) -> bool {
    match unparen(tail) {
        Expr::Match(_) | Expr::If(_) => true,
        Expr::Block(block) => matches!(block.block.stmts.last(), Some(Stmt::Expr(tail, None)) if is_choice(tail)),
        _ => false,
    }
}

/// Makes stores of the places that an expression may end with.
fn store_behind(tail: &mut Expr, store: &dyn Fn(&Expr) -> Expr) {
    let in_block = |block: &mut Block| {
        if let Some(Stmt::Expr(tail, None)) = block.stmts.last_mut() {
            store_behind(tail, store);
        }
    };
    match tail {
        Expr::Paren(paren) => store_behind(&mut paren.expr, store),
        Expr::Group(group) => store_behind(&mut group.expr, store),
        Expr::Block(block) => in_block(&mut block.block),
        Expr::If(branch) => {
            in_block(&mut branch.then_branch);
            if let Some((_, otherwise)) = &mut branch.else_branch {
                store_behind(otherwise, store);
            }
        }
        Expr::Match(choice) => choice.arms.iter_mut().for_each(|arm| store_behind(&mut arm.body, store)),
        // What does not come to an end.
        Expr::Macro(_) => {}
        Expr::Reference(reference) => *tail = store(&reference.expr),
        place => *place = store(&syn::parse_quote!(*#place)),
    }
}

fn generic_names(generics: &syn::Generics) -> impl Iterator<Item = String> {
    generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Type(param) => Some(param.ident.to_string()),
        syn::GenericParam::Const(param) => Some(param.ident.to_string()),
        syn::GenericParam::Lifetime(_) => None,
    })
}

/// The items inside of a body.
struct Items(HashSet<String>);

impl<'a> Visit<'a> for Items {
    fn visit_item(&mut self, item: &'a syn::Item) {
        self.0.extend(match item {
            syn::Item::Const(item) => Some(item.ident.to_string()),
            syn::Item::Static(item) => Some(item.ident.to_string()),
            syn::Item::Fn(item) => Some(item.sig.ident.to_string()),
            syn::Item::Struct(item) => Some(item.ident.to_string()),
            syn::Item::Enum(item) => Some(item.ident.to_string()),
            _ => None,
        });
        syn::visit::visit_item(self, item);
    }
}

/// What a body that gives a place may not contain: it is lowered as an operand.
struct Refused(Option<&'static str>);

impl Refused {
    fn find(item: &ItemFn) -> Option<&'static str> {
        let mut refused = Refused(None);
        refused.visit_block(&item.block);
        refused.0
    }
}

impl<'a> Visit<'a> for Refused {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0 = self.0.or(match expr {
            Expr::Assign(_) => Some("an assignment"),
            Expr::Binary(binary) if super::assign::is_assignment(&binary.op) => Some("an assignment"),
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => Some("a loop"),
            Expr::Return(_) => Some("a `return`"),
            Expr::Closure(_) => Some("a closure"),
            _ => None,
        });
        syn::visit::visit_expr(self, expr);
    }
}
