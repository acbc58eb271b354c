//! Data without a derivative that change: what the function is lent by `&mut`, and objects of its own.
//!
//! Note [Data that change]. `let mut rng = Lcg::new(7);` makes an object that later statements change, `rng.next()` or
//! `refill(&mut rng)`. Its `let` is an equation that is evaluated once, and what names the object from there on is the variable of
//! the generated code. A parameter `#[no_diff] rng: &mut Lcg` is the same, but lives in the caller. Whatever is evaluated of such
//! data, be it a call or a field, is evaluated once and in its place among the effects ([`Builder::changing`]), and where it is a
//! value that is kept, in a variable, a tuple or a struct, it is read at once: later it may be another. What is borrowed of the
//! data stays a borrow, and rustc sees to it that the data do not change as long as it is.
//!
//! What a `let mut` without a type makes is taken for a number first, where it is not known to be something else. If it is
//! used as no number can be, it is such an object, and the body is lowered again: see Note [Types by later use] in `learned.rs`.
//!
//! [`Builder::changing`]: crate::ir::builder::Builder::changing

use super::Lower;
use super::assign::unparen;
use super::passive_pattern::where_it_fits;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::Error;
use crate::ir::Elem;
use crate::layout::Form;
use crate::parse::tokens::referent;
use crate::parse::ty::Surface;
use crate::relay::ParamInfo;
use crate::tokens::PRIMITIVES;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::visit::Visit;
use syn::{Expr, GenericArgument, Ident, Local, Pat, Type};

impl Lower<'_> {
    /// Whether something in an expression changes: it is borrowed mutably by the function, or an object of its own.
    pub(super) fn may_change(&self, tokens: &TokenStream) -> bool {
        self.b.may_change(tokens)
    }

    /// An expression whose value is kept.
    pub(super) fn kept(&mut self, expr: &Expr, expected: Option<&Surface>) -> Lowered<Value> {
        let value = self.expr_expecting(expr, expected)?;
        Ok(self.read_now(value))
    }

    /// What is read of data that change is read now. What is borrowed does not change as long as it is.
    pub(super) fn read_now(&mut self, value: Value) -> Value {
        match value {
            Value::Other(tokens) | Value::Untyped(Untyped { tokens, number: None, .. })
                if self.may_change(&tokens) && !self.is_borrow(&tokens) =>
            {
                self.once(tokens)
            }
            other => other,
        }
    }

    /// `(&x)`, and a parameter that is a mutable borrow.
    fn is_borrow(&self, tokens: &TokenStream) -> bool {
        let mut trees = tokens.clone().into_iter();
        match (trees.next(), trees.next()) {
            (Some(TokenTree::Group(group)), None) => {
                matches!(group.stream().into_iter().next(), Some(TokenTree::Punct(borrow)) if borrow.as_char() == '&')
            }
            _ => self.is_borrowed_param(tokens),
        }
    }

    /// Whether tokens are the name of a parameter that is a mutable borrow.
    pub(super) fn is_borrowed_param(&self, tokens: &TokenStream) -> bool {
        self.borrowed_params.contains(&tokens.to_string())
    }

    /// Whether tokens are the name of a parameter that is a reference to what is only passed on.
    pub(super) fn is_lent_data(&self, tokens: &TokenStream) -> bool {
        let name = tokens.to_string();
        let param = self.function.params.iter().find(|param| param.name == name);
        param.is_some_and(|param| matches!(param.ty, Type::Reference(_)))
    }

    /// `*value`, and what the pattern `&x` binds of it.
    ///
    /// What stands for data is not always of the type that rustc sees: what a pattern has bound is a copy, and an element of data
    /// stands for a borrow of it, too. What a call gives is what it is.
    pub(super) fn behind(&self, value: Value) -> Value {
        match value {
            // What the parameter is of, and not the borrow.
            Value::Other(tokens) if self.is_borrowed_param(&tokens) || self.is_lent_data(&tokens) => {
                Value::Other(quote!((*#tokens)))
            }
            Value::Other(tokens) if self.is_called(&tokens) => Value::Other(quote!((*#tokens))),
            Value::Untyped(untyped) if untyped.number.is_none() && self.is_called(&untyped.tokens) => {
                let tokens = &untyped.tokens;
                Value::Untyped(Untyped { tokens: quote!((*#tokens)), ..untyped })
            }
            value => value.dereferenced(),
        }
    }

    /// Whether tokens are what a call of data gives, as it gives it.
    pub(super) fn is_called(&self, tokens: &TokenStream) -> bool {
        let mut vars = Vec::new();
        crate::ir::placed(tokens.clone(), &mut vars);
        match (&vars[..], tokens.clone().into_iter().count()) {
            ([var], 1) => self.called.contains_key(var),
            _ => is_call(tokens),
        }
    }

    /// Whether tokens are the name of an object of the function's own.
    pub(super) fn is_object(&self, tokens: &TokenStream) -> bool {
        !self.is_borrowed_param(tokens) && self.b.changing.contains(&tokens.to_string())
    }

    /// What a `let` binds: an object of its own, if it is one without a derivative that changes.
    pub(super) fn own(&mut self, local: &Local, value: Value) -> (Value, Option<Ident>) {
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let (Pat::Ident(name), Some(init)) = (pattern, &local.init) else { return (value, None) };
        let is_learned = ty.is_some() || self.learned.is_object(&super::learned::origin(name));
        let tokens = match &value {
            Value::Other(tokens) => tokens,
            Value::Untyped(Untyped { tokens, number: None, .. }) if is_learned => tokens,
            _ => return (value, None),
        };
        if name.mutability.is_none() || name.by_ref.is_some() || name.subpat.is_some() {
            return (value, None);
        }
        if let Some(parts) = self.plain_variable(&value, self.learned.is_object(&super::learned::origin(name))) {
            return (parts, None);
        }
        (self.object(tokens.clone(), ty, &init.expr), Some(name.ident.clone()))
    }

    fn object(&mut self, mut tokens: TokenStream, ty: Option<&Type>, init: &Expr) -> Value {
        // A copy is taken for what it is of, elsewhere.
        if let Expr::MethodCall(copy) = unparen(init) {
            let name = &copy.method;
            if copy.args.is_empty() && (name == "clone" || name == "to_owned") && !crate::ir::mentions_late(&tokens) {
                tokens = quote!(#tokens.#name());
            }
        }
        if let Some(ty) = ty {
            tokens = quote!(::core::convert::identity::<#ty>(#tokens));
        }
        self.new_object(tokens)
    }

    /// An object as it is made. [`Lower::begin_object`] comes once it has a name.
    pub(super) fn new_object(&mut self, tokens: TokenStream) -> Value {
        match self.once(tokens) {
            Value::Untyped(Untyped { tokens, .. }) => Value::Other(tokens),
            value => value,
        }
    }

    /// From here on, what the variable names changes.
    pub(super) fn begin_object(&mut self, name: &Ident) {
        let value = self.lookup(&name.to_string()).and_then(|binding| binding.value.clone());
        if let Some(Value::Other(tokens)) = value {
            self.b.changing.insert(tokens.to_string());
        }
    }

    /// Finds out that a variable is an object, where a number cannot be what it is used as, or of which type with a derivative it is.
    /// Whether something is learned.
    pub(super) fn learn_object(&mut self, place: &Expr) -> bool {
        let Some(slot) = root_of(place).and_then(|name| self.env.owner(&name.to_string())) else { return false };
        let binding = self.env.get(slot);
        let Some(origin) = binding.origin.clone().filter(|_| binding.mutable) else { return false };
        if self.learned.has_type(&origin) || self.learned.is_object(&origin) || self.news.has_type(&origin) {
            return false;
        }
        if let Some(maker) = binding.maker.clone() {
            let before = (self.ask.len(), self.news.len());
            self.learn_made(maker);
            if before != (self.ask.len(), self.news.len()) {
                return true;
            }
        }
        self.news.learn_object(origin)
    }

    /// Finds out that what a function without a derivative is lent are objects. Whether something is learned.
    pub(super) fn learn_borrowed<'e>(&mut self, args: impl IntoIterator<Item = &'e Expr>) -> bool {
        let mut learned = false;
        for arg in args {
            if matches!(unparen(arg), Expr::Reference(reference) if reference.mutability.is_some()) {
                learned |= self.learn_object(arg);
            }
        }
        learned
    }

    /// Whether a parameter takes data, and is lent what has been taken for a number.
    pub(super) fn lends_data(&self, arg: &Expr, param: &ParamInfo) -> bool {
        let is_number = |value: &Value| matches!(value, Value::Leaf(var, _) if self.b.ty(*var).is_scalar());
        let is_guess = || {
            let name = root_of(arg).and_then(|name| self.lookup(&name.to_string()));
            name.is_some_and(|binding| binding.value.as_ref().is_some_and(is_number))
        };
        let is_data = match referent(&param.ty) {
            Type::Path(path) => path.path.get_ident().is_none_or(|name| !PRIMITIVES.contains(&&name.to_string()[..])),
            _ => false,
        };
        !param.active && is_data && is_guess()
    }

    /// `&mut sim.rng`, and of data without a derivative also `&mut sim.rngs[k]`.
    pub(super) fn mutable_borrow(&mut self, of: &Expr) -> Lowered<Value> {
        if self.data_at(of).is_some() && !is_named(of) {
            if let Value::Other(tokens) | Value::Untyped(Untyped { tokens, number: None, .. }) = self.expr(of)? {
                return Ok(Value::Other(quote!((&mut #tokens))));
            }
        }
        self.borrow_mut(of)
    }

    /// The data that change that a place is of.
    pub(super) fn data_at(&self, place: &Expr) -> Option<TokenStream> {
        let root = root_of(place)?;
        match self.named(&Expr::Path(syn::parse_quote!(#root)))? {
            Value::Other(tokens) => self.may_change(&tokens).then_some(tokens),
            _ => None,
        }
    }

    /// `R { seed: 7, weights: table.clone() }` of a type that has no derivative; nothing, if some of it has.
    pub(super) fn data_literal(&mut self, literal: &syn::ExprStruct) -> Option<Value> {
        if !self.knowledge.is_unknown(&literal.path) {
            return None;
        }
        let mut fields = Vec::new();
        for field in &literal.fields {
            let (member, value) = (&field.member, self.data_of(&field.expr)?);
            fields.push(quote!(#member: #value));
        }
        let rest = match &literal.rest {
            Some(rest) => {
                let rest = self.data_of(rest)?;
                quote!(..#rest)
            }
            None => TokenStream::new(),
        };
        let path = &literal.path;
        let tokens = quote!((#path { #(#fields,)* #rest }));
        Some(match crate::ir::mentions_late(&tokens) {
            // There is one of it, whatever it is used for.
            true => self.once(tokens),
            false => Value::Untyped(Untyped { tokens, number: None, integer: false }),
        })
    }

    /// `vec![Lcg::new(1), Lcg::new(2)]`, where these are objects.
    pub(super) fn objects(&mut self, origin: &str, init: &Expr) -> Option<Value> {
        if !self.learned.is_object(&origin.to_owned()) || !is_made_of_calls(init) {
            return None;
        }
        let tokens = self.data_of(init)?;
        Some(Value::Untyped(Untyped { tokens, number: None, integer: false }))
    }

    /// What data without a derivative are made of; nothing, if some of it has one, or cannot be written down.
    fn data_of(&mut self, expr: &Expr) -> Option<TokenStream> {
        // What names nothing of the function stands for itself.
        if crate::desugar::idents(expr).iter().all(|name| self.lookup(name).is_none()) {
            if self.is_always_the_same(expr) {
                return Some(quote!(#expr));
            }
            let value = self.once(quote!(#expr));
            return self.inactive_tokens(&value);
        }
        match unparen(expr) {
            Expr::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|part| self.data_of(part)).collect::<Option<Vec<_>>>()?;
                Some(quote!((#(#parts,)*)))
            }
            Expr::Array(array) => {
                let parts = array.elems.iter().map(|part| self.data_of(part)).collect::<Option<Vec<_>>>()?;
                Some(quote!([#(#parts),*]))
            }
            Expr::Macro(call) if call.mac.path.is_ident("vec") => {
                let parts = crate::desugar::elements(&call.mac)?;
                let parts = parts.iter().map(|part| self.data_of(part)).collect::<Option<Vec<_>>>()?;
                let name = &call.mac.path;
                Some(quote!(#name![#(#parts),*]))
            }
            Expr::Call(call) if is_wrapper(&call.func) && call.args.len() == 1 => {
                let (function, part) = (&call.func, self.data_of(&call.args[0])?);
                Some(quote!(#function(#part)))
            }
            expr => {
                let value = self.kept(expr, None).ok()?;
                let tokens = if self.is_active(&value) { None } else { self.inactive_argument(&value, expr) };
                tokens.map(|tokens| where_it_fits(tokens, false))
            }
        }
    }

    /// Whether an expression that names nothing of the function has no effect, and another of it is as good: it calls nothing but
    /// what the standard library makes values with, and what is known to have no effect.
    fn is_always_the_same(&self, expr: &Expr) -> bool {
        struct Calls<'l, 'a>(&'l Lower<'a>, bool);
        impl<'ast> Visit<'ast> for Calls<'_, '_> {
            fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
                let Expr::Path(path) = unparen(&call.func) else { return self.1 = false };
                self.1 &= is_wrapper(&call.func)
                    || super::owned::is_constructor(&path.path)
                    || crate::source::makes_value(&path.path)
                    || self.0.is_pure(false, &crate::parse::ty::spelled(&path.path));
                call.args.iter().for_each(|arg| self.visit_expr(arg));
            }

            fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
                self.1 &= matches!(unparen(&call.receiver), Expr::Lit(_));
                call.args.iter().for_each(|arg| self.visit_expr(arg));
            }

            fn visit_macro(&mut self, mac: &'ast syn::Macro) {
                match crate::desugar::elements(mac).filter(|_| mac.path.is_ident("vec")) {
                    Some(parts) => self.1 &= parts.iter().all(|part| self.0.is_always_the_same(part)),
                    None => self.1 = false,
                }
            }

            fn visit_expr_block(&mut self, _: &'ast syn::ExprBlock) {
                self.1 = false;
            }
        }
        let mut calls = Calls(self, true);
        calls.visit_expr(expr);
        calls.1
    }

    /// Whether a type is known to have no derivative.
    pub(super) fn is_foreign(&self, ty: &Type) -> bool {
        match ty {
            Type::Path(path) => path.qself.is_none() && self.knowledge.is_unknown(&path.path),
            Type::Reference(reference) => self.is_foreign(&reference.elem),
            Type::TraitObject(_) => true,
            _ => false,
        }
    }

    /// Whether a type is a list of references to what is known to have no derivative: `Vec<&Subject>`.
    pub(super) fn is_list_of_data(&self, ty: &Type) -> bool {
        let Type::Path(path) = ty else { return false };
        let is_vec = path.path.segments.last().is_some_and(|last| last.ident == "Vec");
        match &crate::parse::ty::generic_args(&path.path)[..] {
            [GenericArgument::Type(item @ Type::Reference(_))] => is_vec && self.is_foreign(item),
            _ => false,
        }
    }

    /// `Vec::new()`, where that is such a list: an object, to which things are pushed.
    pub(super) fn empty_list_of_data(&self, init: &Expr) -> Option<Value> {
        let Expr::Call(call) = unparen(init) else { return None };
        let Expr::Path(path) = unparen(&call.func) else { return None };
        let [.., owner, function] = &path.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        if owner.ident != "Vec" || function.ident != "new" && function.ident != "with_capacity" {
            return None;
        }
        let krate = crate::parse::tokens::crate_path(&self.function.attr);
        let tokens = quote!(#krate::__private::Vec::new());
        Some(Value::Untyped(Untyped { tokens, number: None, integer: false }))
    }

    /// Whether a value is a mutable borrow of something else than data without a derivative.
    pub(super) fn borrows_numbers(&self, value: &Value) -> bool {
        let Value::Borrow(place) = value else { return false };
        !matches!(self.structure(place), Some(Value::Other(tokens)) if self.may_change(&tokens))
    }

    /// `rng.state = 3`, `count += 1` of data that change; nothing, if the place is something else.
    pub(super) fn assign_to_data(&mut self, place: &Expr, op: &TokenStream, value: &Expr) -> Option<Lowered<Value>> {
        let of_data = self.data_at(place)?;
        let whole = matches!(unparen(place), Expr::Path(_)) && self.is_object(&of_data);
        Some(self.assigned_to_data(place, op, value, whole))
    }

    fn assigned_to_data(&mut self, place: &Expr, op: &TokenStream, value: &Expr, whole: bool) -> Lowered<Value> {
        if matches!(unparen(value), Expr::Tuple(_) | Expr::Array(_) | Expr::Call(_)) {
            if let Some(tokens) = self.data_of(value) {
                return self.put_data(place, op, &tokens);
            }
        }
        let new = self.root(value, None)?;
        if self.learn_by_assignment(place, &new, whole) {
            return Err(Reported);
        }
        if self.is_active(&new) {
            return self.fail(
                Error::new(place, format!("the derivative ends here: `{}` has none", crate::parse::ty::spelled(place)))
                    .note("the value depends on a differentiable input")
                    .help("if that is meant, write `stop_gradient(…)` around it")
                    .plain_rust(),
            );
        }
        let Some(tokens) = self.inactive_argument(&new, value) else {
            return self.unsupported(value, "an assignment of this", "assign numbers, or change it in a method");
        };
        self.put_data(place, op, &where_it_fits(tokens, true))
    }

    fn put_data(&mut self, place: &Expr, op: &TokenStream, tokens: &TokenStream) -> Lowered<Value> {
        let (Value::Other(of) | Value::Untyped(Untyped { tokens: of, .. })) = self.expr(place)? else {
            return self.unsupported(place, "an assignment to this", "change it in a method of its type");
        };
        self.once(quote!({ #of #op #tokens; }));
        Ok(Value::unit())
    }

    /// Finds out that what gets a number is one, and what gets something with a derivative has one.
    fn learn_by_assignment(&mut self, place: &Expr, new: &Value, whole: bool) -> bool {
        let before = (self.ask.len(), self.news.len());
        match self.number_of_value(new) {
            Some(number) if whole => self.learn_named(place, Surface::Scalar(number)),
            _ if whole && !super::learned::is_untold(new) => self.learn_named(place, new.surface(&self.b)),
            _ if !whole && self.is_active(new) => {
                self.learn_makers(place);
            }
            _ => {}
        }
        before != (self.ask.len(), self.news.len())
    }

    /// The type of a number.
    fn number_of_value(&self, value: &Value) -> Option<Elem> {
        match value {
            Value::Leaf(var, Form::Plain) if self.b.ty(*var).is_scalar() => Some(self.b.ty(*var).elem.clone()),
            Value::Untyped(Untyped { number: Some(_), integer: false, .. }) => self.default_elem(),
            Value::Untyped(Untyped { number: Some(_), .. }) => Some(Elem::usize()),
            _ => None,
        }
    }
}

/// Whether a value is a list of what functions give, as far as is written here.
pub(super) fn is_made_of_calls(init: &Expr) -> bool {
    let first = match unparen(init) {
        Expr::Array(array) => array.elems.first().cloned(),
        Expr::Macro(call) if call.mac.path.is_ident("vec") => {
            crate::desugar::elements(&call.mac).and_then(|parts| parts.first().cloned())
        }
        _ => None,
    };
    matches!(first, Some(Expr::Call(_) | Expr::Struct(_)))
}

/// `let mut a = Lcg::new(1); let mut b = Lcg::new(2);` of `let (mut a, mut b) = (Lcg::new(1), Lcg::new(2));`
pub(super) fn one_by_one(local: &Local) -> Option<Vec<Local>> {
    let (Pat::Tuple(names), Some(init), 0) = (&local.pat, &local.init, local.attrs.len()) else { return None };
    let Expr::Tuple(values) = unparen(&init.expr) else { return None };
    let is_name = |pat: &Pat| matches!(pat, Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none());
    let makes = values.elems.iter().any(|value| matches!(value, Expr::Call(_) | Expr::Struct(_)));
    let changes = names.elems.iter().any(|name| matches!(name, Pat::Ident(name) if name.mutability.is_some()));
    let fits = names.elems.len() == values.elems.len() && init.diverge.is_none() && names.elems.iter().all(is_name);
    // A value must not see the names before it.
    let bound = crate::desugar::bound(&local.pat);
    let apart = values.elems.iter().all(|value| {
        let used = crate::desugar::idents(value);
        bound.iter().all(|name| !used.contains(&name.to_string()))
    });
    if !(makes && changes && fits && apart) {
        return None;
    }
    let locals = names.elems.iter().zip(&values.elems).map(|(name, value)| {
        let init = syn::LocalInit { expr: Box::new(value.clone()), ..init.clone() };
        Local { pat: name.clone(), init: Some(init), ..local.clone() }
    });
    Some(locals.collect())
}

/// `Some` and its like.
fn is_wrapper(function: &Expr) -> bool {
    let Expr::Path(path) = unparen(function) else { return false };
    path.path.get_ident().is_some_and(|name| ["Some", "Ok", "Err"].iter().any(|known| name == known))
}

/// Whether a place is a variable, or a field of one.
fn is_named(place: &Expr) -> bool {
    match unparen(place) {
        Expr::Path(_) => true,
        Expr::Field(field) => is_named(&field.base),
        Expr::Unary(unary) => is_named(&unary.expr),
        _ => false,
    }
}

/// The variable that a place is of: `sim` of `sim.rng`, `s` of `(*s).rows[0]`.
fn root_of(place: &Expr) -> Option<&Ident> {
    match unparen(place) {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root_of(&field.base),
        Expr::Index(index) => root_of(&index.expr),
        Expr::Unary(unary) => root_of(&unary.expr),
        Expr::Reference(reference) => root_of(&reference.expr),
        Expr::MethodCall(call) => root_of(&call.receiver),
        _ => None,
    }
}

/// Whether an expression is a call that the user has written, or a list: rustc sees the type that the user does.
pub(super) fn is_call(tokens: &TokenStream) -> bool {
    let is_ours = || super::passive_pattern::bound_choice(tokens).is_some();
    matches!(syn::parse2::<Expr>(tokens.clone()), Ok(Expr::Call(_) | Expr::MethodCall(_) | Expr::Array(_)))
        && !is_ours()
}
