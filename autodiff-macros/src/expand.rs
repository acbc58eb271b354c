//! The pipeline on one screen, the stages of the relay, and what is emitted when something is wrong.

use crate::conditional::{self, Configuration, Configured};
use crate::diag::{Error, Errors};
use crate::emit::item::Item;
use crate::emit::{stub, suffix};
use crate::lower::{self, Outcome};
use crate::parse::attr::Attr;
use crate::parse::cycle;
use crate::parse::depth;
use crate::parse::fragments;
use crate::parse::function::Function;
use crate::parse::ty::{Surface, TypeScope};
use crate::relay::{self, FnInfo, Info, Knowledge, ParamInfo, State};
use crate::{derive, hygiene, methods, module};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use syn::{Item as SynItem, ItemFn};

pub fn differentiable(attr: TokenStream, item: TokenStream) -> TokenStream {
    guarded(&item.clone(), || unguarded::differentiable(&attr, &item))
}

pub fn derive(item: TokenStream) -> TokenStream {
    guarded(&TokenStream::new(), || unguarded::derive(&item))
}

pub fn resume(state: TokenStream) -> TokenStream {
    guarded(&TokenStream::new(), || unguarded::resume(state))
}

/// The three ways in, for tests that want to see a panic.
pub mod unguarded {
    use super::{
        Configuration, Configured, Error, Errors, ItemFn, Knowledge, Progress, State, SynItem, TokenStream,
        conditional, depth, first_token, fragments, hygiene, methods, module, quote, stage,
    };

    pub fn differentiable(attr: &TokenStream, item: &TokenStream) -> TokenStream {
        if let Err(error) = depth::check(attr).and_then(|()| depth::check(item)) {
            let errors = Errors::from(error).render();
            return quote!(#errors #item);
        }
        configured(&Configuration::new(attr.clone(), fragments::open(item.clone())))
    }

    fn configured(configuration: &Configuration) -> TokenStream {
        let (attr, item) = (configuration.attr(), configuration.item());
        let configured = match configuration.resolve() {
            Ok(Configured::Question(question)) => return question,
            Ok(Configured::Item(item)) => Ok(*item),
            Err(error) => Err(error),
        };
        match configured {
            Ok(SynItem::Fn(mut function)) => {
                let (mut attr, mut errors) = (attr.clone(), Errors::default());
                let claims = hygiene::separate(&mut attr, &mut function, &mut errors);
                let code = stage(&attr, function, Knowledge::default(), Progress::default(), errors);
                quote!(#code #claims)
            }
            Ok(SynItem::Mod(module)) => module::expand(attr, module),
            Ok(SynItem::Impl(block)) => methods::expand(attr, block),
            Ok(SynItem::Trait(definition)) => {
                let error = Error::new(
                    &definition.trait_token,
                    "a trait has no type that its methods could be differentiated by",
                )
                .help("write `#[differentiable]` on the `impl` blocks of the trait");
                let errors = Errors::from(error).render();
                quote!(#definition #errors)
            }
            Ok(other) => {
                let error = Error::new(
                    &first_token(item),
                    "`#[differentiable]` stands on a function, an `impl` block or a module",
                )
                .help("for a struct, write `#[derive(Differentiable)]`");
                let errors = Errors::from(error).render();
                quote!(#other #errors)
            }
            Err(error) => {
                let errors = Errors::from(error).render();
                quote!(#item #errors)
            }
        }
    }

    pub fn derive(item: &TokenStream) -> TokenStream {
        match depth::check(item) {
            Ok(()) => super::derive::stage(&fragments::open(item.clone()), Knowledge::default(), false),
            Err(error) => Errors::from(error).render(),
        }
    }

    pub fn resume(state: TokenStream) -> TokenStream {
        if let Err(error) = depth::check(&state) {
            return Errors::from(error).render();
        }
        if conditional::is_answer(&state) {
            return match syn::parse2(state) {
                Ok(configuration) => configured(&configuration),
                Err(error) => Errors::from(error).render(),
            };
        }
        match syn::parse2::<State>(state) {
            Ok(state) if state.task == "derive" => super::derive::stage(&state.item, state.knowledge, true),
            Ok(state) => match syn::parse2::<ItemFn>(state.item) {
                Ok(function) => stage(
                    &state.attr,
                    function,
                    state.knowledge,
                    Progress { resumed: true, relay_done: state.relay_done },
                    Errors::default(),
                ),
                Err(error) => Errors::from(error).render(),
            },
            Err(error) => Errors::from(error).render(),
        }
    }
}

fn first_token(tokens: &TokenStream) -> TokenStream {
    tokens.clone().into_iter().take(1).collect()
}

/// The macro never panics: what would be one is an error that says whose fault it is.
fn guarded(fallback: &TokenStream, run: impl FnOnce() -> TokenStream) -> TokenStream {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
        let error = Error::at(Span::call_site(), format!("this is a bug in `autodiff`, please report it: {text}"));
        let errors = Errors::from(error).render();
        quote!(#fallback #errors)
    })
}

/// The path of the `autodiff` crate where the macro is used.
pub fn crate_path(attr: &Attr) -> TokenStream {
    if let Some(path) = &attr.krate {
        return quote!(#path);
    }
    match proc_macro_crate::crate_name("autodiff") {
        Ok(proc_macro_crate::FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name)
        }
        // The crate's own tests, examples and documentation name it like everybody else.
        _ => quote!(::autodiff),
    }
}

/// What earlier stages have emitted.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// The function itself and its type.
    resumed: bool,
    /// Its relay, which waits until the result type is known.
    relay_done: bool,
}

/// Goes as far as what is known allows: to the code, or to the next question.
fn stage(
    attr_tokens: &TokenStream,
    item: ItemFn,
    knowledge: Knowledge,
    Progress { resumed, relay_done }: Progress,
    found: Errors,
) -> TokenStream {
    let (attr, attr_errors) = match Attr::parse(attr_tokens.clone()) {
        Ok(attr) => (attr, Errors::default()),
        Err(errors) => (Attr::default(), errors),
    };
    let krate = crate_path(&attr);
    let source = quote!(#item);
    let (function, mut errors) = Function::parse(attr, item);
    if function.is_method() {
        return method(&function, &errors);
    }
    errors.extend(attr_errors);
    errors.extend(found);
    conditional::refuse(source.clone(), &mut errors);
    let mut asked = Vec::new();
    let relay = if relay_done { TokenStream::new() } else { relay_of(&function, &knowledge) };
    let failed = |errors: &Errors, relay: &TokenStream| fallback(&function, &knowledge, errors, &krate, resumed, relay);
    if !errors.is_empty() {
        return failed(&errors, &relay);
    }
    let resolved = function.resolve(&knowledge, &mut errors, &mut asked);
    let functions = function.resolve_functions(&knowledge, &mut errors, &mut asked);
    let ask = |asked: Vec<syn::Path>, relay: TokenStream| {
        let task = Ident::new("function", Span::call_site());
        let state = State {
            task,
            attr: attr_tokens.clone(),
            item: source.clone(),
            knowledge: knowledge.clone(),
            asked: distinct(asked),
            relay_done: relay_done || !relay.is_empty(),
        };
        let question = state.ask(&krate);
        let delegate = if resumed { TokenStream::new() } else { delegate(&function, &krate) };
        quote!(#delegate #relay #question)
    };
    if !asked.is_empty() && errors.is_empty() {
        return ask(asked, relay);
    }
    let (Some((params, result)), Some(functions)) = (resolved, functions) else {
        return failed(&errors, &relay);
    };
    if !errors.is_empty() {
        return failed(&errors, &relay);
    }
    let mut known = knowledge.clone();
    for resolved in &functions {
        let (key, info) = resolved.info(&function, &knowledge);
        known.insert(key, info);
    }
    match lower::lower(&function, &params, &result, &known) {
        Outcome::Ask(paths) => ask(paths, relay),
        Outcome::Failed(errors) => failed(&errors, &relay),
        Outcome::Done(primal) => {
            let item = Item { function: &function, params: &params, result: &result, primal: &primal, krate: &krate };
            match item.emit() {
                Ok(emitted) => {
                    let code = assemble(&function, emitted.value, &emitted.derivatives, &relay, resumed, &krate);
                    let methods = suffix::methods(&function, &emitted.derivatives);
                    let functions = functions.iter().map(|resolved| crate::emit::callable::hidden(resolved, &krate));
                    let code = quote!(#code #methods #(#functions)*);
                    let missing = emitted.trace.write(&function.name().to_string(), &code);
                    quote!(#code #missing)
                }
                Err(errors) => failed(&errors, &relay),
            }
        }
    }
}

fn distinct(paths: Vec<syn::Path>) -> Vec<syn::Path> {
    let mut distinct: Vec<syn::Path> = Vec::new();
    for path in paths {
        if !distinct.iter().any(|other| relay::key(other) == relay::key(&path)) {
            distinct.push(path);
        }
    }
    distinct
}

/// The function, its type, its derivatives.
fn assemble(
    function: &Function,
    value: Option<TokenStream>,
    derivatives: &TokenStream,
    relay: &TokenStream,
    resumed: bool,
    _krate: &TokenStream,
) -> TokenStream {
    if resumed {
        // The function itself was emitted with the first stage and calls this.
        let (body, signature) = (
            value.unwrap_or_else(|| {
                let block = &function.item.block;
                quote!(#block)
            }),
            hidden_value(function),
        );
        let (impl_generics, self_ty, where_clause) = impl_header(function);
        return quote! {
            #relay
            #[automatically_derived]
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #self_ty #where_clause {
                #[doc(hidden)]
                #[inline]
                #signature { #body }
            }
            #derivatives
        };
    }
    let mut item = function.item.clone();
    if let Some(value) = value {
        *item.block = syn::parse_quote!({ #value });
        for input in &mut item.sig.inputs {
            if let syn::FnArg::Typed(typed) = input {
                if let syn::Pat::Ident(ident) = &mut *typed.pat {
                    ident.mutability = None;
                }
            }
        }
        item.attrs.push(
            syn::parse_quote!(#[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]),
        );
    }
    // A function may be there for its derivatives only.
    item.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
    let marker = stub::marker(function);
    quote!(#item #marker #relay #derivatives)
}

fn impl_header(function: &Function) -> (TokenStream, TokenStream, TokenStream) {
    let generics = function.type_generics();
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let name = function.name();
    (quote!(#impl_generics), quote!(#name #type_generics), quote!(#where_clause))
}

/// The signature of the value function as a member of the type.
fn hidden_value(function: &Function) -> TokenStream {
    let inputs = &function.item.sig.inputs;
    let lifetimes: Vec<_> = function.item.sig.generics.lifetimes().collect();
    let lifetimes = if lifetimes.is_empty() { TokenStream::new() } else { quote!(<#(#lifetimes),*>) };
    let result = &function.result;
    quote!(fn __value #lifetimes (#inputs) -> #result)
}

/// The first stage, while questions are out: the function and its type exist, the rest follows.
fn delegate(function: &Function, _krate: &TokenStream) -> TokenStream {
    let mut item = function.item.clone();
    let (_, self_ty, _) = impl_header(function);
    let names = function.params.iter().map(|param| &param.name);
    *item.block = syn::parse_quote!({ <#self_ty>::__value(#(#names),*) });
    for input in &mut item.sig.inputs {
        if let syn::FnArg::Typed(typed) = input {
            if let syn::Pat::Ident(ident) = &mut *typed.pat {
                ident.mutability = None;
            }
        }
    }
    item.attrs.push(syn::parse_quote!(#[inline]));
    item.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
    let marker = stub::marker(function);
    // If a relay is missing, rustc says so, and nothing follows. What then calls `__value` finds this one.
    let (signature, pending) = (hidden_value(function), crate::emit::names::pending(function.name()));
    let generics = function.type_generics();
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    quote! {
        #item
        #marker
        #[doc(hidden)]
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        trait #pending #impl_generics #where_clause {
            #signature { ::core::unimplemented!() }
        }
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        impl #impl_generics #pending #type_generics for #self_ty #where_clause {}
    }
}

/// What callers are told of a function, at the first stage at which the result type is known, with the constants that its
/// type exports.
pub fn info_of(function: &Function, knowledge: &Knowledge) -> Option<(FnInfo, relay::Exporter)> {
    let scope = TypeScope { knowledge, reals: &function.reals, substitution: None };
    scope.resolve(&function.result).ok()?;
    let generics = relay::function_generics(function);
    let mut exporter = relay::Exporter::new(&generics);
    let params = function
        .params
        .iter()
        .map(|param| {
            let named = function.attr.wrt.as_ref().is_none_or(|wrt| wrt.contains(&param.name));
            // A struct whose relay is not known yet is active: only structs that derive have one.
            let differentiable = scope.resolve(&param.ty).map_or_else(|_| true, |surface| surface.is_differentiable());
            ParamInfo { ty: exporter.export(&param.ty), active: !param.no_diff && named && differentiable }
        })
        .collect();
    let result = exporter.export(&function.result);
    let nested = exporter.export_nested(knowledge);
    let (name, calls) = (function.name().to_string(), cycle::calls(&function.body));
    let (recursive, order) = (function.attr.recursive, function.order());
    let info = FnInfo { name, generics, params, result, nested, calls, recursive, order };
    Some((info, exporter))
}

/// The relay macro.
fn relay_of(function: &Function, knowledge: &Knowledge) -> TokenStream {
    let Some((info, exporter)) = info_of(function, knowledge) else { return TokenStream::new() };
    let macros = relay::define(&function.item.vis, function.name(), &Info::Fn(Rc::new(info)));
    if exporter.constants.is_empty() {
        return macros;
    }
    // Whoever asks for them knows no types that would satisfy the bounds, and they need none.
    let (definitions, self_ty) = (exporter.definitions(), impl_header(function).1);
    let mut generics = function.type_generics();
    generics.type_params_mut().for_each(|param| param.bounds.clear());
    let (impl_generics, ..) = generics.split_for_impl();
    quote! {
        #macros
        #[automatically_derived]
        impl #impl_generics #self_ty { #definitions }
    }
}

/// A method stays as it is: a type cannot stand beside it.
fn method(function: &Function, errors: &Errors) -> TokenStream {
    let (mut item, errors) = (function.item.clone(), errors.render());
    if mentions_tensors(&quote!(#item)) {
        item.block = syn::parse_quote!({ ::core::unimplemented!() });
    }
    // In an `impl` block only items of one may stand, so that the errors go into the body.
    let block = &item.block;
    item.block = syn::parse_quote!({ #errors #block });
    item.attrs
        .push(syn::parse_quote!(#[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]));
    quote!(#item)
}

fn mentions_tensors(tokens: &TokenStream) -> bool {
    tokens.to_string().contains("Tensor")
}

/// The errors, and items of the right types, so that nothing else breaks.
fn fallback(
    function: &Function,
    knowledge: &Knowledge,
    errors: &Errors,
    krate: &TokenStream,
    resumed: bool,
    relay: &TokenStream,
) -> TokenStream {
    // What is wrong with the types has been reported or will be: here it only matters what is known of them.
    let resolved = function.resolve(knowledge, &mut Errors::default(), &mut Vec::new());
    let (plain, rendered) = (errors.plain_rust(), methods::in_its_words(errors, function).render());
    let plain = plain
        && resolved
            .as_ref()
            .is_some_and(|(params, result)| params.iter().map(|param| &param.surface).chain([result]).all(is_plain));
    let differentiable = resolved.filter(|(params, result)| {
        (result.is_differentiable() || params.iter().any(|param| param.is_mut))
            && params.iter().any(|param| param.active)
            // The type beside the function has no parameter for it.
            && !params.iter().any(|param| matches!(param.ty, syn::Type::ImplTrait(_)))
    });
    let stubs =
        differentiable.map(|(params, result)| stub::stubs(function, &params, &result, krate)).unwrap_or_default();
    let (errors, signature, methods) = (rendered, &function.item.sig, suffix::methods(function, &stubs));
    let stubs = quote!(#stubs #methods);
    if resumed {
        let (signature, (impl_generics, self_ty, where_clause)) = (hidden_value(function), impl_header(function));
        return quote! {
            #errors
            #relay
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #self_ty #where_clause { #signature { ::core::unimplemented!() } }
            #stubs
        };
    }
    let mut item = function.item.clone();
    if !plain || mentions_tensors(&quote!(#signature)) || !function.functions.is_empty() {
        item.block = syn::parse_quote!({ ::core::unimplemented!() });
    }
    item.attrs
        .push(syn::parse_quote!(#[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]));
    let marker = stub::marker(function);
    quote!(#errors #item #marker #relay #stubs)
}

fn is_plain(surface: &Surface) -> bool {
    match surface {
        Surface::Scalar(_) | Surface::Other(_) => true,
        Surface::Array(inner, _) | Surface::Seq(inner, _) => is_plain(inner),
        Surface::Tuple(parts) => parts.iter().all(is_plain),
        Surface::Tensor(..) | Surface::Struct(_) => false,
    }
}
