//! The signature of a differentiable function.

use super::attr::Attr;
use super::callable::{self, FnParameter};
use super::patterns;
use super::ty::{Surface, TypeScope, Unresolved, contents, spelled};
use crate::diag::{Error, Errors};
use crate::ir::interface::Order;
use crate::relay::Knowledge;
use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{
    FnArg, GenericArgument, GenericParam, Generics, ItemFn, Pat, ReturnType, Token, Type, TypeParamBound,
    WherePredicate,
};

/// A function before its types are resolved.
#[derive(Clone)]
pub struct Function {
    /// As written, without our attributes on its parameters and loops.
    pub item: ItemFn,
    /// The body as written.
    pub body: syn::Block,
    pub params: Vec<RawParam>,
    pub result: Type,
    /// Type parameters bound by `Real`.
    pub reals: Vec<String>,
    /// Those that stand for functions.
    pub functions: Vec<FnParameter>,
    pub attr: Attr,
}

#[derive(Clone)]
pub struct RawParam {
    pub name: Ident,
    pub mutable: bool,
    pub ty: Type,
    pub no_diff: bool,
}

/// A parameter with its resolved type.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: Ident,
    pub mutable: bool,
    pub ty: Type,
    pub surface: Surface,
    pub is_ref: bool,
    /// Whether it is a mutable borrow: what it holds at the end is a result too.
    pub is_mut: bool,
    /// Whether the function is differentiated by it.
    pub active: bool,
}

impl Function {
    /// The function, and what is wrong with its signature.
    pub fn parse(attr: Attr, mut item: ItemFn) -> (Function, Errors) {
        let mut errors = Errors::default();
        let sig = &item.sig;
        for (token, what, help) in [
            (sig.asyncness.map(|t| t.span), "an `async` function", "differentiate the synchronous part of it"),
            (
                sig.abi.as_ref().map(|abi| abi.extern_token.span),
                "an `extern` function",
                "call a plain function from it",
            ),
            (sig.unsafety.map(|t| t.span), "an `unsafe` function", "move the numeric part into a safe function"),
            (sig.variadic.as_ref().map(|v| v.dots.spans[0]), "a variadic function", "pass an array"),
        ] {
            if let Some(span) = token {
                errors.push(Error::at(span, format!("{what} cannot be differentiated")).help(help).plain_rust());
            }
        }
        lifetimes_in_place(&mut item.sig.generics);
        unnamed_in_place(&mut item);
        patterns::named_in_place(&mut item);
        if let ReturnType::Type(_, ty) = &item.sig.output {
            if let Some(reference) = borrowed(ty) {
                errors.push(
                    Error::new(&reference, "a result that borrows cannot be differentiated yet")
                        .help("return the value itself")
                        .plain_rust(),
                );
            }
        }
        if let Some(attr) = item.attrs.iter().find(|attr| attr.path().is_ident("target_feature")) {
            errors.push(
                Error::new(
                    attr,
                    "`#[target_feature]` cannot be differentiated: only `unsafe` code may call the function",
                )
                .help("enable it for the whole program: `RUSTFLAGS=\"-C target-feature=+avx2\"`")
                .plain_rust(),
            );
        }
        let mut params = Vec::new();
        for input in &mut item.sig.inputs {
            match input {
                FnArg::Receiver(receiver) => errors.push(
                    Error::new(receiver, "on a method, `#[differentiable]` cannot see the type that it belongs to")
                        .help("write it on the `impl` block: `#[differentiable] impl …`")
                        .plain_rust(),
                ),
                FnArg::Typed(typed) => {
                    let no_diff = take_no_diff(&mut typed.attrs, &mut errors);
                    let Pat::Ident(pattern) = &*typed.pat else { continue };
                    params.push(RawParam {
                        name: pattern.ident.clone(),
                        mutable: pattern.mutability.is_some(),
                        ty: (*typed.ty).clone(),
                        no_diff,
                    });
                }
            }
        }
        let (mut functions, refused) = callable::take(&mut item, &attr, &mut errors);
        let known = functions.iter().map(|function| function.name.clone()).chain(refused).collect::<Vec<_>>();
        let reals = real_parameters(&item, &known, &mut errors);
        for function in &mut functions {
            function.hidden.reals.clone_from(&reals);
        }
        let result = match &item.sig.output {
            ReturnType::Type(_, ty) => (**ty).clone(),
            ReturnType::Default if changes_something(&item.sig) => syn::parse_quote!(()),
            ReturnType::Default => {
                errors.push(
                    Error::new(&item.sig.ident, format!("`{}` returns nothing to differentiate", item.sig.ident))
                        .help("give it a result type, for example `-> f64`")
                        .plain_rust(),
                );
                syn::parse_quote!(())
            }
        };
        let body = (*item.block).clone();
        LoopAttributes { errors: &mut errors }.visit_block_mut(&mut item.block);
        (Function { item, body, params, result, reals, functions, attr }, errors)
    }

    /// Whether it stands in an `impl` block, as far as can be seen.
    pub fn is_method(&self) -> bool {
        self.item.sig.receiver().is_some()
    }

    /// How many times it can be differentiated: see Note [Orders of differentiation].
    pub fn order(&self) -> Order {
        self.attr.order.max(self.attr.found).unwrap_or_default()
    }

    /// How many times callers can differentiate it: see Note [Higher orders for callers] in `source/callers.rs`.
    pub fn order_for_callers(&self) -> Order {
        let order = match self.attr.found {
            Some(found) => self.attr.called.then(|| self.attr.order.max(Some(found))).flatten(),
            None => self.attr.order,
        };
        order.unwrap_or_default()
    }

    pub fn name(&self) -> &Ident {
        &self.item.sig.ident
    }

    /// The generic parameters of the type beside the function. Its lifetimes are those of the type's functions.
    pub fn type_generics(&self) -> Generics {
        let mut generics = self.item.sig.generics.clone();
        let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
        if !generics.params.iter().any(is_lifetime) {
            return generics;
        }
        generics.params = generics.params.into_iter().filter(|param| !is_lifetime(param)).collect();
        for param in generics.type_params_mut() {
            param.bounds = std::mem::take(&mut param.bounds)
                .into_iter()
                .filter(|bound| !matches!(bound, TypeParamBound::Lifetime(_)))
                .collect();
        }
        if let Some(clause) = &mut generics.where_clause {
            for predicate in &mut clause.predicates {
                if let WherePredicate::Type(predicate) = predicate {
                    predicate.bounds = std::mem::take(&mut predicate.bounds)
                        .into_iter()
                        .filter(|bound| !matches!(bound, TypeParamBound::Lifetime(_)))
                        .collect();
                }
            }
        }
        generics
    }

    /// The parameters with their types, or the types whose relays must be asked.
    pub fn resolve(
        &self,
        knowledge: &Knowledge,
        errors: &mut Errors,
        ask: &mut Vec<syn::Path>,
    ) -> Option<(Vec<Param>, Surface)> {
        let scope = TypeScope { knowledge, reals: &self.reals, substitution: None };
        let mut resolve = |ty: &Type, passive: bool| match scope.resolve(ty) {
            Ok(surface) => Some(surface),
            // What carries no derivative need not be visible.
            Err(_) if passive => Some(Surface::Other(ty.clone())),
            Err(Unresolved::Ask(path))
                if self.item.sig.generics.type_params().any(|param| path.is_ident(&param.ident)) =>
            {
                let error =
                    Error::new(&path, format!("type parameter `{}` is not known to be a number", spelled(&path)));
                errors.push(error.help(format!("write `{}: Real`", spelled(&path))));
                None
            }
            Err(Unresolved::Ask(path)) => {
                ask.push(path);
                None
            }
            Err(Unresolved::Error(error)) => {
                errors.push(error);
                None
            }
        };
        let surfaces: Vec<Option<Surface>> =
            self.params.iter().map(|param| resolve(&param.ty, param.no_diff)).collect();
        let result = match scope.resolve_result(&self.result) {
            Ok(surface @ (Surface::Struct(_) | Surface::Tuple(_))) => Some(surface),
            _ => resolve(&self.result, false),
        };
        let (surfaces, result) = (surfaces.into_iter().collect::<Option<Vec<_>>>()?, result?);
        let params: Vec<Param> =
            self.params.iter().zip(surfaces).map(|(raw, surface)| self.param(raw, surface, errors)).collect();
        self.check(&params, &result, errors);
        Some((params, result))
    }

    fn check(&self, params: &[Param], result: &Surface, errors: &mut Errors) {
        for name in self.attr.wrt.iter().flatten() {
            match params.iter().find(|param| param.name == *name) {
                None => {
                    let names: Vec<String> = params.iter().map(|param| format!("`{}`", param.name)).collect();
                    let error = Error::new(name, format!("`{}` has no parameter `{name}`", self.name()));
                    errors.push(error.help(format!("its parameters are {}", names.join(", "))).plain_rust());
                }
                Some(_) if self.params.iter().any(|raw| raw.name == *name && raw.no_diff) => errors.push(
                    Error::new(name, format!("`{name}` is `#[no_diff]`, so that `wrt` cannot choose it"))
                        .help("take off the one or the other")
                        .plain_rust(),
                ),
                Some(param) if !param.surface.is_differentiable() => {
                    let error = Error::new(name, format!("`{name}` has a type without a derivative"));
                    errors.push(error.help(format!("leave `{name}` out of `wrt`")).plain_rust());
                }
                Some(_) => {}
            }
        }
        if !params.iter().any(|param| param.active) && errors.is_empty() {
            errors.push(
                Error::new(self.name(), format!("`{}` has no differentiable parameter", self.name()))
                    .help("give it a float, an array, a tensor or a derived struct to differentiate by")
                    .plain_rust(),
            );
        }
        if let Some(param) = params.iter().filter(|param| param.active).nth(MOST_ACTIVE) {
            let message = format!("more than {MOST_ACTIVE} parameters to differentiate by");
            let help = "put numbers into an array, others into a struct that derives `Differentiable`, or write `#[no_diff]` where no derivative is wanted";
            errors.push(Error::new(&param.name, message).help(help).plain_rust());
        }
        let changes = params.iter().any(|param| param.is_mut && param.active);
        let unit = matches!(result, Surface::Tuple(parts) if parts.is_empty());
        // What it changes has a derivative, or whoever calls it wants none.
        if !result.is_result() || (unit && !changes) {
            // What changes is one of the inputs, too.
            let chosen: Vec<String> = self.attr.wrt.iter().flatten().map(ToString::to_string).collect();
            let is_left_out = |param: &&Param| param.is_mut && !param.active && param.surface.is_differentiable();
            let unchosen =
                params.iter().find(is_left_out).filter(|_| unit && !chosen.is_empty()).map(|param| &param.name);
            let mixed = match (result, &self.result) {
                (Surface::Tuple(parts), Type::Tuple(tuple)) if parts.iter().any(Surface::is_differentiable) => {
                    parts.iter().zip(&tuple.elems).find(|(part, _)| !part.is_result())
                }
                _ => None,
            };
            let error = match mixed {
                Some((_, part)) => Error::new(part, format!("`{}` in the result carries no derivative", crate::tokens::spelled(part)))
                    .help("return it from a function of its own"),
                None if contents(&self.result).is_some() => Error::new(&self.result, "a `Box` as a result cannot be differentiated yet")
                    .help("return what is in it, and make the `Box` where the function is called; a field of a result may be one"),
                None if unchosen.is_some() => {
                    let name = unchosen.map_or_else(String::new, ToString::to_string);
                    Error::new(&unchosen, format!("`{name}` changes, and `wrt` leaves it out, so that nothing has a derivative"))
                        .help(format!("name it, too: `wrt({}, {name})`", chosen.join(", ")))
                }
                None => Error::new(&self.result, "the result carries no derivative")
                    .help("return a float, an array, a tensor, a struct or an enum that derives `Differentiable`, or a tuple of these, in which integers may be, too"),
            };
            errors.push(error.plain_rust());
        }
    }
}

/// Gradients are tuples, and there are traits for tuples of this size at most.
const MOST_ACTIVE: usize = 16;

/// A function without the attributes inside it that only we understand: those of parameters and of loops.
pub fn without_our_attributes(mut item: ItemFn) -> ItemFn {
    for input in &mut item.sig.inputs {
        if let syn::FnArg::Typed(input) = input {
            input.attrs.retain(|attr| !attr.path().is_ident("no_diff"));
        }
    }
    LoopAttributes { errors: &mut Errors::default() }.visit_block_mut(&mut item.block);
    item
}

/// Takes off what is said of loops, which only we understand.
struct LoopAttributes<'e> {
    errors: &'e mut Errors,
}

/// What can be said of a loop.
pub const LOOP_ATTRIBUTES: &[&str] = &["max_iters", "checkpoint"];

fn is_of_loops(attr: &syn::Attribute) -> bool {
    LOOP_ATTRIBUTES.iter().any(|name| attr.path().is_ident(name))
}

impl VisitMut for LoopAttributes<'_> {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        let attrs = match expr {
            syn::Expr::While(expr) => Some(&mut expr.attrs),
            syn::Expr::ForLoop(expr) => Some(&mut expr.attrs),
            syn::Expr::Loop(expr) => Some(&mut expr.attrs),
            _ => None,
        };
        if let Some(attrs) = attrs {
            attrs.retain(|attr| !is_of_loops(attr));
        }
        if let syn::Expr::Block(block) = expr {
            block.attrs.retain(|attr| !attr.path().is_ident("checkpoint"));
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }

    /// What is left stands where it says nothing.
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<syn::Attribute>) {
        for attr in attrs.iter().filter(|attr| is_of_loops(attr)) {
            let (name, places) = match attr.path().is_ident("checkpoint") {
                true => ("checkpoint", "a loop or a block"),
                false => ("max_iters", "a loop"),
            };
            self.errors.push(
                Error::new(attr, format!("`#[{name}]` stands before {places}, and here is none"))
                    .help("write it before `for`, `while` or `loop`")
                    .plain_rust(),
            );
        }
        attrs.retain(|attr| !is_of_loops(attr));
    }
}

/// Writes `fn f<R: Source>(#[no_diff] r: &mut R)` as `fn f(#[no_diff] r: &mut impl Source)`, where `R` is named nowhere else: of what
/// carries no derivative no type is needed.
fn unnamed_in_place(item: &mut ItemFn) {
    use quote::ToTokens;
    let clause = item.sig.generics.where_clause.clone();
    let predicates = || clause.iter().flat_map(|clause| &clause.predicates);
    let params: Vec<syn::TypeParam> = item.sig.generics.type_params().cloned().collect();
    for param in &params {
        let name = param.ident.to_string();
        let is_of = |predicate: &WherePredicate| {
            matches!(predicate, WherePredicate::Type(predicate)
                if predicate.lifetimes.is_none() && matches!(&predicate.bounded_ty, Type::Path(path) if path.path.is_ident(&param.ident)))
        };
        let mut bounds = param.bounds.clone();
        for predicate in predicates().filter(|predicate| is_of(predicate)) {
            if let WherePredicate::Type(predicate) = predicate {
                bounds.extend(predicate.bounds.iter().cloned());
            }
        }
        let is_for_us = |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| {
                matches!(
                    &last.ident.to_string()[..],
                    "Real" | "Callable" | "DifferentiableFn" | "Fn" | "FnMut" | "FnOnce"
                )
            }),
            _ => false,
        };
        let says = |tokens: proc_macro2::TokenStream| crate::tokens::mentions(&tokens, &name);
        let elsewhere = says(item.block.to_token_stream())
            || says(item.sig.output.to_token_stream())
            || bounds.iter().any(|bound| is_for_us(bound) || says(bound.to_token_stream()))
            || params.iter().any(|other| other.ident != param.ident && says(other.to_token_stream()))
            || predicates().any(|predicate| !is_of(predicate) && says(predicate.to_token_stream()));
        let mut users = item.sig.inputs.iter_mut().filter_map(|input| match input {
            FnArg::Typed(typed) if says(typed.ty.to_token_stream()) => Some(typed),
            _ => None,
        });
        let (Some(user), None, false) = (users.next(), users.next(), elsewhere || bounds.is_empty()) else { continue };
        let is_passive = user.attrs.iter().any(|attr| attr.path().is_ident("no_diff"));
        let place = match &mut *user.ty {
            Type::Reference(reference) => &mut *reference.elem,
            ty => ty,
        };
        if !is_passive || !matches!(place, Type::Path(path) if path.path.is_ident(&param.ident)) {
            continue;
        }
        *place = if bounds.len() > 1 { syn::parse_quote!((impl #bounds)) } else { syn::parse_quote!(impl #bounds) };
        let generics = &mut item.sig.generics;
        let others = std::mem::take(&mut generics.params).into_iter();
        generics.params =
            others.filter(|other| !matches!(other, GenericParam::Type(other) if other.ident == param.ident)).collect();
        if let Some(clause) = &mut generics.where_clause {
            clause.predicates =
                std::mem::take(&mut clause.predicates).into_iter().filter(|predicate| !is_of(predicate)).collect();
        }
    }
    if item.sig.generics.where_clause.as_ref().is_some_and(|clause| clause.predicates.is_empty()) {
        item.sig.generics.where_clause = None;
    }
    if item.sig.generics.params.is_empty() {
        (item.sig.generics.lt_token, item.sig.generics.gt_token) = (None, None);
    }
}

/// Writes `where 'a: 'b` as `<'a: 'b>`.
fn lifetimes_in_place(generics: &mut Generics) {
    let Some(clause) = &mut generics.where_clause else { return };
    let mut rest = Punctuated::new();
    for predicate in std::mem::take(&mut clause.predicates) {
        match predicate {
            WherePredicate::Lifetime(predicate) => {
                let lifetimes = generics.params.iter_mut().filter_map(|param| match param {
                    GenericParam::Lifetime(param) => Some(param),
                    _ => None,
                });
                for param in lifetimes.filter(|param| param.lifetime == predicate.lifetime) {
                    param.colon_token = Some(<Token![:]>::default());
                    param.bounds.extend(predicate.bounds.iter().cloned());
                }
            }
            predicate => rest.push(predicate),
        }
    }
    clause.predicates = rest;
}

/// Whether a function gives a reference, which is to a place inside of its arguments: see Note [Functions that give places] in
/// `lower/borrowing.rs`.
pub fn gives_place(item: &ItemFn) -> bool {
    let is_sized = |ty: &Type| match ty {
        Type::Path(path) => !path.path.is_ident("str"),
        Type::Array(_) | Type::Slice(_) => true,
        _ => false,
    };
    let borrows = |input: &FnArg| matches!(input, FnArg::Typed(typed) if matches!(&*typed.ty, Type::Reference(_)));
    matches!(&item.sig.output, ReturnType::Type(_, ty) if matches!(&**ty, Type::Reference(to) if is_sized(&to.elem)))
        && item.sig.asyncness.is_none()
        && item.sig.unsafety.is_none()
        && item.sig.inputs.iter().any(borrows)
}

/// A reference in the type of a result, which may be inside of a tuple or an `Option`.
fn borrowed(ty: &Type) -> Option<syn::TypeReference> {
    match ty {
        Type::Reference(reference) => Some(reference.clone()),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(borrowed),
        Type::Array(array) => borrowed(&array.elem),
        Type::Paren(paren) => borrowed(&paren.elem),
        Type::Group(group) => borrowed(&group.elem),
        // An error may be anything.
        Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Result") => {
            match crate::parse::ty::generic_args(&path.path).first() {
                Some(GenericArgument::Type(value)) => borrowed(value),
                _ => None,
            }
        }
        Type::Path(path) => crate::parse::ty::generic_args(&path.path).into_iter().find_map(|arg| match arg {
            GenericArgument::Type(ty) => borrowed(&ty),
            _ => None,
        }),
        _ => None,
    }
}

/// Whether a parameter is a mutable borrow.
fn changes_something(sig: &syn::Signature) -> bool {
    sig.inputs.iter().any(|input| match input {
        FnArg::Typed(typed) => matches!(&*typed.ty, Type::Reference(reference) if reference.mutability.is_some()),
        FnArg::Receiver(receiver) => receiver.mutability.is_some() && receiver.reference.is_some(),
    })
}

/// Removes `#[no_diff]`, which only we understand.
fn take_no_diff(attrs: &mut Vec<syn::Attribute>, errors: &mut Errors) -> bool {
    let found = is_no_diff(attrs, errors);
    attrs.retain(|attr| !attr.path().is_ident("no_diff"));
    found
}

/// Whether `#[no_diff]` is among the attributes.
pub fn is_no_diff(attrs: &[syn::Attribute], errors: &mut Errors) -> bool {
    let mut found = false;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("no_diff")) {
        found = true;
        if !matches!(attr.meta, syn::Meta::Path(_)) {
            errors.push(
                Error::new(&attr.meta, "`#[no_diff]` takes no arguments").help("write `#[no_diff]`").plain_rust(),
            );
        }
    }
    found
}

/// Type parameters must be bound by `Real`, in place or in the `where` clause, if they are not functions.
fn real_parameters(item: &ItemFn, functions: &[Ident], errors: &mut Errors) -> Vec<String> {
    let is_real = |bound: &syn::TypeParamBound| matches!(bound, syn::TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == "Real"));
    let generics = &item.sig.generics;
    let in_where = |ident: &Ident| {
        generics.where_clause.iter().flat_map(|clause| &clause.predicates).any(|predicate| {
            matches!(predicate, syn::WherePredicate::Type(predicate)
                if matches!(&predicate.bounded_ty, Type::Path(path) if path.path.is_ident(ident)) && predicate.bounds.iter().any(is_real))
        })
    };
    let mut reals = Vec::new();
    for param in &generics.params {
        if let GenericParam::Type(param) = param {
            if param.bounds.iter().any(is_real) || in_where(&param.ident) {
                reals.push(param.ident.to_string());
            } else if !functions.contains(&param.ident) && !super::marker::may_be_marker(&param.ident, &item.sig) {
                let error = Error::new(param, format!("type parameter `{}` is not known to be a number", param.ident));
                errors.push(if param.bounds.is_empty() {
                    error.help(format!("write `{}: Real`", param.ident))
                } else {
                    error.note("of what is known by a trait only, methods are called by a value: `p.energy(r)`").help(format!(
                        "write `{name}: Real`, if it is a number; if not, take a value, `p: &{name}`, and name `{name}` nowhere else",
                        name = param.ident
                    ))
                });
            }
        }
    }
    reals
}

/// The generic parameters as a relay tells them: some stand for functions.
pub fn function_generics(function: &Function) -> Vec<crate::relay::Generic> {
    let mut generics = crate::relay::generics(&function.item.sig.generics);
    for generic in &mut generics {
        if function.functions.iter().any(|parameter| parameter.name == generic.name) {
            generic.kind = crate::relay::GenericKind::Function;
        }
    }
    generics
}
