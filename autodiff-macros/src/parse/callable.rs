//! Functions as generic parameters: `F: Callable<(f64,), Output = f64>`.
//!
//! Note [Functions as parameters]. A callee is known by its signature, and that of a type parameter is what its bound says.
//! So a function of that signature is put beside the user's, which hands on all that is asked of it; from then on there
//! is nothing special about the call:
//!
//! ```text
//! fn integrate<F: Callable<(f64,), Output = f64>>(…) -> f64 { … F::call(x) … F::grad(x) … }
//!     → fn integrate<F: …>(…) -> f64 { … __autodiff_integrate_F::<F>(x) … __autodiff_integrate_F::<F>::grad(x) … }
//!       fn __autodiff_integrate_F<F: …>(x_0: f64) -> f64 { <F as Callable<(f64,)>>::call((x_0,)) }
//! ```
//!
//! Its derivatives are those of the trait (`emit/callable.rs`). `integrate` keeps for its reverse sweep what `F` does,
//! which is a type of `F`.

use super::attr::Attr;
use super::function::{Function, Param, RawParam};
use super::ty::{Surface, spelled};
use crate::diag::{Error, Errors};
use crate::ir::Elem;
use crate::ir::call::Origin;
use crate::ir::interface::Order;
use crate::relay::{FnInfo, Info, Knowledge, ParamInfo};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::rc::Rc;
use syn::visit_mut::VisitMut;
use syn::{GenericArgument, GenericParam, Generics, ItemFn, PathArguments, Type, TypeParamBound, WherePredicate};

/// A type parameter that stands for a function.
#[derive(Clone)]
pub struct FnParameter {
    pub name: Ident,
    /// The types of its parameters, as a tuple.
    pub args: Type,
    /// The function beside the user's.
    pub hidden: Box<Function>,
}

/// What can be done with such a parameter.
const MEMBERS: &[&str] = &["call", "grad", "value_and_grad", "jvp", "hvp"];

/// The parameters that stand for functions, and those that cannot. Bounds become plain Rust, and what is called of the
/// parameters in the body the hidden functions.
pub fn take(item: &mut ItemFn, attr: &Attr, errors: &mut Errors) -> (Vec<FnParameter>, Vec<Ident>) {
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    each_bound(&mut item.sig.generics, &mut |name, bound| {
        let is_callable = bound.path.segments.last().is_some_and(|last| last.ident == "Callable");
        if let Some(lifetimes) = bound.lifetimes.take_if(|_| is_callable) {
            Elided(&lifetimes).visit_path_mut(&mut bound.path);
        }
        let Some(last) = bound.path.segments.last() else { return true };
        if is_callable {
            match signature(name, last) {
                Ok((args, output)) => found.push((name.clone(), args, output)),
                // rustc need not hear of it as well.
                Err(error) => {
                    refused.push((name.clone(), error));
                    return false;
                }
            }
        } else if let Some(error) = other_function(name, bound) {
            refused.push((name.clone(), error));
        }
        true
    });
    let mut names = Vec::new();
    for (name, error) in refused {
        names.push(name);
        errors.push(error);
    }
    if found.is_empty() {
        return (Vec::new(), names);
    }
    name_lifetimes(&mut item.sig.generics);
    let krate = super::tokens::crate_path(attr);
    let arguments = super::tokens::own_arguments(item);
    let parameters: Vec<FnParameter> = found
        .into_iter()
        .map(|(name, args, output)| {
            let hidden = Box::new(hidden(item, attr, &krate, &name, &args, &output));
            FnParameter { name, args: static_lifetimes(&Type::Tuple(args)), hidden }
        })
        .collect();
    let block = &item.block;
    let calls = Calls { parameters: &parameters, arguments };
    if let Ok(block) = syn::parse2(calls.replace(quote!(#block), errors)) {
        *item.block = block;
    }
    values(item, &parameters, errors);
    (parameters, names)
}

/// A function is given by its type alone.
fn values(item: &ItemFn, parameters: &[FnParameter], errors: &mut Errors) {
    for input in &item.sig.inputs {
        let syn::FnArg::Typed(typed) = input else { continue };
        let ty = super::tokens::referent(&typed.ty);
        let Type::Path(path) = ty else { continue };
        if let Some(parameter) = parameters.iter().find(|parameter| path.path.is_ident(&parameter.name)) {
            let name = &parameter.name;
            errors.push(
                Error::new(typed, format!("the function `{name}` is given by its type alone"))
                    .help(format!("leave this parameter out, and write `{name}::call(…)`")),
            );
        }
    }
}

/// References in a bound have a lifetime in plain Rust, which is `'static`: see the trait.
pub fn name_lifetimes(generics: &mut Generics) {
    each_bound(generics, &mut |_, bound| {
        let last = bound.path.segments.last_mut().filter(|last| last.ident == "Callable");
        if let Some(PathArguments::AngleBracketed(args)) = last.map(|last| &mut last.arguments) {
            if let Some(GenericArgument::Type(ty)) = args.args.first_mut() {
                *ty = static_lifetimes(ty);
            }
        }
        true
    });
}

/// The bounds of type parameters, in place or in the `where` clause. Those stay for which `f` says so.
fn each_bound(generics: &mut Generics, f: &mut dyn FnMut(&Ident, &mut syn::TraitBound) -> bool) {
    type Bounds = syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>;
    let names: Vec<Ident> = generics.type_params().map(|param| param.ident.clone()).collect();
    let mut all = |name: &Ident, bounds: &mut Bounds| {
        let kept = std::mem::take(bounds).into_iter().filter_map(|mut bound| match &mut bound {
            TypeParamBound::Trait(of) => f(name, of).then_some(bound),
            _ => Some(bound),
        });
        *bounds = kept.collect();
    };
    for param in &mut generics.params {
        if let GenericParam::Type(param) = param {
            all(&param.ident, &mut param.bounds);
        }
    }
    for predicate in generics.where_clause.iter_mut().flat_map(|clause| &mut clause.predicates) {
        let WherePredicate::Type(predicate) = predicate else { continue };
        let Type::Path(path) = &predicate.bounded_ty else { continue };
        if let Some(name) = names.iter().find(|name| path.path.is_ident(*name)) {
            all(name, &mut predicate.bounds);
        }
    }
}

/// Leaves out the lifetimes of a bound that stands for any: `for<'a> Callable<(&'a [f64; 2],), …>`.
struct Elided<'b>(&'b syn::BoundLifetimes);

impl VisitMut for Elided<'_> {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        let is_named = |param: &GenericParam, own: &syn::Lifetime| match param {
            GenericParam::Lifetime(param) => param.lifetime.ident == own.ident,
            _ => false,
        };
        reference.lifetime.take_if(|own| self.0.lifetimes.iter().any(|param| is_named(param, own)));
        syn::visit_mut::visit_type_reference_mut(self, reference);
    }
}

/// The types of the parameters and of the result.
fn signature(name: &Ident, bound: &syn::PathSegment) -> Result<(syn::TypeTuple, Type), Error> {
    let example = format!("for example `{name}: Callable<(f64,), Output = f64>`");
    let args = match &bound.arguments {
        PathArguments::AngleBracketed(args) => args,
        PathArguments::Parenthesized(args) => {
            return Err(Error::new(args, format!("write the signature of `{name}` in angle brackets"))
                .help(format!("write `{}`", angle_bracketed(args))));
        }
        PathArguments::None => {
            return Err(Error::new(bound, format!("the signature of `{name}` is not visible")).help(example));
        }
    };
    let tuple = match args.args.first() {
        Some(GenericArgument::Type(Type::Tuple(tuple))) if !tuple.elems.is_empty() => tuple.clone(),
        Some(other @ GenericArgument::Type(ty)) if !matches!(ty, Type::Tuple(_)) => {
            return Err(Error::new(other, format!("the parameters of `{name}` are written as a tuple"))
                .help(format!("write `({},)`", spelled(ty))));
        }
        _ => {
            return Err(
                Error::new(bound, format!("the types of the parameters of `{name}` are not visible")).help(example)
            );
        }
    };
    let output = args.args.iter().find_map(|arg| match arg {
        GenericArgument::AssocType(arg) if arg.ident == "Output" => Some(arg.ty.clone()),
        _ => None,
    });
    let changed = |ty: &&Type| matches!(ty, Type::Reference(reference) if reference.mutability.is_some());
    if let Some(changed) = tuple.elems.iter().find(changed) {
        return Err(
            Error::new(changed, format!("`{name}` cannot change its arguments")).help("let it return the new value")
        );
    }
    match output {
        Some(output) => Ok((tuple, output)),
        None => {
            let message = format!("the type that `{name}` returns is not visible");
            Err(Error::new(bound, message).help(format!("write it: `Callable<{}, Output = …>`", spelled(&tuple))))
        }
    }
}

/// `Callable<(f64,), Output = f64>` for `(f64) -> f64`.
fn angle_bracketed(args: &syn::ParenthesizedGenericArguments) -> String {
    let output = match &args.output {
        syn::ReturnType::Type(_, ty) => spelled(ty),
        syn::ReturnType::Default => "f64".to_owned(),
    };
    let inputs: Vec<String> = args.inputs.iter().map(|ty| spelled(ty).replace("& ", "&")).collect();
    let comma = if inputs.len() == 1 { "," } else { "" };
    format!("Callable<({}{comma}), Output = {output}>", inputs.join(", "))
}

/// Bounds that also mean a function, of which no derivative is known.
fn other_function(name: &Ident, bound: &syn::TraitBound) -> Option<Error> {
    let last = bound.path.segments.last()?;
    match (&last.ident.to_string()[..], &last.arguments) {
        ("Fn" | "FnMut" | "FnOnce", PathArguments::Parenthesized(args)) => {
            Some(closure(bound, &name.to_string(), &angle_bracketed(args)))
        }
        ("DifferentiableFn", _) => Some(
            Error::new(last, format!("the signature of `{name}` is not visible"))
                .note("a function that is called is bound by its signature")
                .help(format!("for example `{name}: Callable<(f64,), Output = f64>`")),
        ),
        _ => None,
    }
}

fn closure(at: &impl ToTokens, name: &str, bound: &str) -> Error {
    Error::new(at, format!("the derivative of `{name}` is not known here"))
        .note("a function with closures among its parameters is differentiated where it is called; it may have no generics but these, sizes and numbers, and not call itself")
        .help(format!("take a differentiable function as a type parameter, `F: {bound}`, and call it as `F::call(…)`"))
        .plain_rust()
}

/// A parameter like `f: impl Fn(f64) -> f64`, or `values: impl Iterator<Item = f64>`.
pub fn closure_parameter(name: &Ident, ty: &Type) -> Option<Error> {
    if let Type::ImplTrait(of) = super::tokens::referent(ty) {
        let is_iterator = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == "Iterator" || last.ident == "IntoIterator"));
        if of.bounds.iter().any(is_iterator) {
            let error = Error::new(ty, format!("where the elements of `{name}` come from is not known here"))
                .note("a function with iterators among its parameters is differentiated where it is called; it may have no generics but these, functions, sizes and numbers, and not call itself")
                .help(format!("take a slice, `{name}: &[f64]`"));
            return Some(error.plain_rust());
        }
    }
    let of_bounds = |bounds: &syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>| {
        bounds.iter().find_map(|bound| match bound {
            TypeParamBound::Trait(bound) => match &bound.path.segments.last()?.arguments {
                PathArguments::Parenthesized(args) => Some(angle_bracketed(args)),
                _ => None,
            },
            _ => None,
        })
    };
    let bound = match super::tokens::referent(ty) {
        Type::ImplTrait(ty) => of_bounds(&ty.bounds)?,
        Type::TraitObject(ty) => of_bounds(&ty.bounds)?,
        Type::Paren(paren) => return closure_parameter(name, &paren.elem),
        Type::BareFn(ty) => {
            let (inputs, output) = (ty.inputs.iter().map(|input| &input.ty), &ty.output);
            angle_bracketed(&syn::parse_quote!((#(#inputs),*) #output))
        }
        _ => return None,
    };
    Some(closure(ty, &name.to_string(), &bound))
}

fn static_lifetimes(ty: &Type) -> Type {
    struct Static;
    impl VisitMut for Static {
        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            let span = reference.and_token.span;
            reference.lifetime = Some(syn::Lifetime::new("'static", span));
            self.visit_type_mut(&mut reference.elem);
        }
    }
    let mut ty = ty.clone();
    Static.visit_type_mut(&mut ty);
    ty
}

/// The function beside the user's: see Note [Functions as parameters].
fn hidden(
    item: &ItemFn,
    attr: &Attr,
    krate: &TokenStream,
    name: &Ident,
    args: &syn::TypeTuple,
    output: &Type,
) -> Function {
    let mut params = Vec::new();
    for (k, ty) in args.elems.iter().enumerate() {
        let no_diff = no_diff(ty);
        let name = format_ident!("x_{k}");
        params.push(RawParam {
            name,
            mutable: false,
            ty: no_diff.clone().unwrap_or_else(|| ty.clone()),
            no_diff: no_diff.is_some(),
        });
    }
    let owner = &item.sig.ident;
    let text = format!("__autodiff_{}_{name}", owner.to_string().trim_start_matches("r#"));
    let ident = Ident::new(&text, Span::call_site().located_at(name.span()));
    let mut generics = item.sig.generics.clone();
    generics.params = generics.params.into_iter().filter(|param| !matches!(param, GenericParam::Lifetime(_))).collect();
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (names, types): (Vec<_>, Vec<_>) = params.iter().map(|param| (&param.name, &param.ty)).unzip();
    let args = static_lifetimes(&Type::Tuple(args.clone()));
    let hidden: ItemFn = syn::parse_quote! {
        #[doc(hidden)]
        #[inline]
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        fn #ident #impl_generics (#(#names: #types),*) -> #output #where_clause {
            <#name as #krate::Callable<#args>>::call((#(#names,)*))
        }
    };
    Function {
        body: (*hidden.block).clone(),
        params,
        result: output.clone(),
        reals: Vec::new(),
        functions: Vec::new(),
        attr: Attr { krate: attr.krate.clone(), ..Attr::default() },
        item: hidden,
    }
}

/// The type in `NoDiff<…>`.
fn no_diff(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "NoDiff")?;
    match &last.arguments {
        PathArguments::AngleBracketed(args) => match args.args.first()? {
            GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Replaces `F::call` and the like, wherever they stand.
struct Calls<'p> {
    parameters: &'p [FnParameter],
    /// The generic arguments of the function: `::<F, N>`.
    arguments: TokenStream,
}

impl Calls<'_> {
    fn replace(&self, tokens: TokenStream, errors: &mut Errors) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut out, mut k) = (TokenStream::new(), 0);
        while k < tokens.len() {
            let part_of_path = k > 0 && matches!(&tokens[k - 1], TokenTree::Punct(punct) if punct.as_char() == ':');
            match &tokens[k..] {
                [TokenTree::Ident(name), TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(member), ..]
                    if !part_of_path && a.as_char() == ':' && b.as_char() == ':' =>
                {
                    if let Some(parameter) = self.parameters.iter().find(|parameter| parameter.name == *name) {
                        out.extend(self.member(parameter, name, member, errors));
                        k += 4;
                        continue;
                    }
                }
                [TokenTree::Group(group), ..] => {
                    let mut replaced = Group::new(group.delimiter(), self.replace(group.stream(), errors));
                    replaced.set_span(group.span());
                    out.extend([TokenTree::Group(replaced)]);
                    k += 1;
                    continue;
                }
                _ => {}
            }
            out.extend([tokens[k].clone()]);
            k += 1;
        }
        out
    }

    fn member(&self, parameter: &FnParameter, name: &Ident, member: &Ident, errors: &mut Errors) -> TokenStream {
        if !MEMBERS.iter().any(|known| member == known) {
            let error = Error::new(member, format!("`{name}::{member}` cannot be used in a differentiable function"));
            errors.push(error.help(format!(
                "there are `{name}::call`, `{name}::grad`, `{name}::value_and_grad`, `{name}::jvp` and `{name}::hvp`"
            )));
        }
        let mut hidden = parameter.hidden.name().clone();
        hidden.set_span(name.span());
        let arguments = &self.arguments;
        match &member.to_string()[..] {
            "call" => quote!(#hidden #arguments),
            _ => quote!(#hidden #arguments::#member),
        }
    }
}

/// A hidden function with its types.
pub struct Resolved<'f> {
    pub parameter: &'f FnParameter,
    pub params: Vec<Param>,
    pub result: Surface,
}

impl Function {
    /// The hidden functions of its parameters that are functions.
    pub fn resolve_functions(
        &self,
        knowledge: &Knowledge,
        errors: &mut Errors,
        ask: &mut Vec<syn::Path>,
    ) -> Option<Vec<Resolved<'_>>> {
        let resolved = self.functions.iter().map(|parameter| {
            let hidden = &parameter.hidden;
            let (params, result) = hidden.resolve(knowledge, errors, ask)?;
            for param in &params {
                if let Err(help) = argument(param, &TokenStream::new()) {
                    let message = format!("a function with this parameter cannot stand for `{}`", parameter.name);
                    errors.push(Error::new(&param.ty, message).help(help));
                }
            }
            if let Err(help) = output(&params, &result, &hidden.result) {
                let message = format!("a function with this result cannot stand for `{}`", parameter.name);
                errors.push(Error::new(&hidden.result, message).help(help));
            }
            Some(Resolved { parameter, params, result })
        });
        resolved.collect()
    }
}

impl Resolved<'_> {
    /// What a call has to know of the hidden function.
    pub fn info(&self, function: &Function, knowledge: &Knowledge) -> (String, Info) {
        let params = self.params.iter().map(|param| ParamInfo {
            ty: param.ty.clone(),
            active: param.active,
            grown: false,
            handed_on: false,
        });
        let info = FnInfo {
            name: self.parameter.name.to_string(),
            generics: crate::parse::function::function_generics(function),
            params: params.collect(),
            result: self.parameter.hidden.result.clone(),
            nested: knowledge.clone(),
            calls: Vec::new(),
            recursive: false,
            origin: Origin::Body,
            // Which function it is, and what that has, is known where the type is: rustc says what is missing.
            order: Order::Second,
            order_for_callers: Order::Second,
            taylor: false,
            left: false,
            of_trait: String::new(),
            home: None,
            inline: None,
        };
        (self.parameter.hidden.name().to_string(), Info::Fn(Rc::new(info)))
    }
}

/// How many parameters a function can have that is one itself.
pub const MOST_PARAMETERS: usize = 8;

/// The type of a parameter as the trait names it, or what to write instead.
pub fn argument(param: &Param, krate: &TokenStream) -> Result<Type, &'static str> {
    let elem = match &param.ty {
        Type::Reference(reference) => &*reference.elem,
        other => other,
    };
    if param.is_mut {
        return Err("return the new value instead of changing an argument");
    }
    if mentions_lifetime(elem) || matches!(elem, Type::Reference(_)) {
        return Err("take numbers, arrays, slices, tensors, tuples of them, or references to them");
    }
    let ty = static_lifetimes(&param.ty);
    if is_integral(&param.surface) && is_flat(&param.surface, param.is_ref) {
        return Ok(ty);
    }
    if !param.active {
        return match (param.is_ref, &param.surface) {
            (true, surface) if is_known(surface) => Ok(syn::parse_quote!(#krate::NoDiff<#ty>)),
            (false, Surface::Scalar(Elem::F32 | Elem::F64)) => Ok(syn::parse_quote!(#krate::NoDiff<#ty>)),
            _ => Err("take what has no derivative as `NoDiff<&…>`, by reference"),
        };
    }
    match &param.surface {
        Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..) => Ok(ty),
        Surface::Array(inner, _) if is_sized(inner) => Ok(ty),
        Surface::Tuple(parts) if parts.len() <= 6 && one_number(&param.surface).is_some() => Ok(ty),
        Surface::Struct(_) if param.is_ref => Ok(ty),
        Surface::Struct(_) => Err("take the struct by reference"),
        Surface::Seq(inner, super::ty::Seq::Slice) if is_sized(inner) => Ok(ty),
        Surface::Seq(inner, super::ty::Seq::Vec) if is_sized(inner) && !param.is_ref => Ok(ty),
        Surface::Seq(inner, _) if is_sized(inner) => Err("take a slice, `&[…]`"),
        _ => Err("take numbers, arrays, slices, tensors, tuples of them, or references to them"),
    }
}

/// Whether a result can be named by the trait; otherwise what to write instead.
pub fn output(params: &[Param], surface: &Surface, ty: &Type) -> Result<(), &'static str> {
    if matches!(ty, Type::Reference(_)) || mentions_lifetime(ty) {
        return Err("return a value");
    }
    match surface {
        Surface::Seq(..) => Err("return an array, whose length is in its type"),
        _ if !is_sized(surface) || one_number(surface).is_none() => {
            Err("return a number, an array, a tensor, a struct, or a tuple of these with one type of number")
        }
        // A public trait may not name a type that only its implementation knows: the compiler looks at the arguments.
        surface => {
            let structs = struct_names(surface);
            let known = |name: &String| params.iter().any(|param| struct_names(&param.surface).contains(name));
            match structs.iter().all(known) {
                true => Ok(()),
                false => Err("return a struct that is also the type of a parameter, or its parts as a tuple"),
            }
        }
    }
}

fn mentions_lifetime(ty: &Type) -> bool {
    fn inside(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Punct(punct) => matches!(punct.as_char(), '\'' | '&'),
            TokenTree::Group(group) => inside(group.stream()),
            _ => false,
        })
    }
    inside(ty.to_token_stream())
}

fn is_integral(surface: &Surface) -> bool {
    match surface {
        Surface::Scalar(elem) => !elem.is_float(),
        Surface::Array(inner, _) | Surface::Seq(inner, _) => is_integral(inner),
        _ => false,
    }
}

/// Whether it is a number, an array or a slice of numbers: of integers the trait has no more than these.
fn is_flat(surface: &Surface, is_ref: bool) -> bool {
    match surface {
        Surface::Scalar(_) => true,
        Surface::Array(inner, _) => matches!(**inner, Surface::Scalar(_)),
        Surface::Seq(inner, super::ty::Seq::Slice) => is_ref && matches!(**inner, Surface::Scalar(_)),
        _ => false,
    }
}

/// Whether all of a type is looked into.
fn is_known(surface: &Surface) -> bool {
    match surface {
        Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..) | Surface::Struct(_) => true,
        Surface::Array(inner, _) | Surface::Seq(inner, _) => is_known(inner),
        Surface::Tuple(parts) => parts.iter().all(is_known),
        Surface::Other(_) => false,
    }
}

/// Whether it has a derivative whose size is known.
fn is_sized(surface: &Surface) -> bool {
    surface.is_differentiable() && !surface.is_dynamic() && is_known(surface)
}

/// The one type of number in it.
fn one_number(surface: &Surface) -> Option<Elem> {
    match surface {
        Surface::Scalar(elem) | Surface::Tensor(elem, _) | Surface::Matrix(elem, ..) => {
            elem.is_float().then(|| elem.clone())
        }
        Surface::Array(inner, _) => one_number(inner),
        Surface::Tuple(parts) => {
            let mut elems = parts.iter().map(one_number);
            let first = elems.next()??;
            elems.all(|elem| elem.as_ref() == Some(&first)).then_some(first)
        }
        Surface::Struct(ty) => ty.fields.iter().filter(|field| field.active).find_map(|field| one_number(&field.ty)),
        Surface::Seq(..) | Surface::Other(_) => None,
    }
}

fn struct_names(surface: &Surface) -> Vec<String> {
    match surface {
        Surface::Struct(ty) => vec![crate::relay::key(&ty.path)],
        Surface::Array(inner, _) | Surface::Seq(inner, _) => struct_names(inner),
        Surface::Tuple(parts) => parts.iter().flat_map(struct_names).collect(),
        _ => Vec::new(),
    }
}
