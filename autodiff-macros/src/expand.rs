//! The ways in, and the pipeline on one screen. `stage/` has what is emitted around the derivatives.

use crate::conditional::{self, Configuration, Configured};
use crate::diag::{Error, Errors};
use crate::emit::item::Item;
use crate::emit::{self, callable, suffix};
use crate::integers;
use crate::lower::{self, Outcome};
use crate::parse::attr::Attr;
use crate::parse::function::{Function, gives_place};
use crate::parse::tokens::crate_path;
use crate::parse::{depth, fragments};
use crate::relay::{self, Knowledge, State};
use crate::source::{
    are_marked_beside, candidates, is_in_large_circle, is_said_before, is_underived, note_item, with_imports,
    with_own_matrices, with_plain_result,
};
use crate::stage::{
    assemble, delegate, fallback, grown, higher_order, method, module_checks, relay_of, relay_waits, tells_large_body,
    without_derivative,
};
use crate::tokens::mentions;
use crate::trace::Trace;
use crate::{check, derive, desugar, hygiene, methods, module, pass, rule};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::panic::{AssertUnwindSafe, catch_unwind};
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

pub fn derivative(attr: TokenStream, item: TokenStream) -> TokenStream {
    guarded(&item.clone(), || rule::expand(&attr, &item))
}

pub fn check_grads(input: TokenStream) -> TokenStream {
    guarded(&TokenStream::new(), || check::expand(input))
}

pub fn implicit(attr: TokenStream, item: TokenStream) -> TokenStream {
    guarded(&item.clone(), || crate::implicit::expand(&attr, &item))
}

pub fn inactive(attr: TokenStream, item: TokenStream) -> TokenStream {
    guarded(&item.clone(), || rule::inactive(&attr, &item))
}

/// The three ways in, for tests that want to see a panic.
pub mod unguarded {
    use super::{
        Configuration, Configured, Error, Errors, ItemFn, Knowledge, Progress, State, SynItem, TokenStream, by_type,
        check, conditional, depth, desugar, first_token, fragments, gives_place, grown, higher_order, hygiene,
        is_said_before, methods, module, note_item, quote, stage,
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
                if errors.is_empty() && (desugar::is_higher_order(&function) || gives_place(&function)) {
                    let code = higher_order(&function, &attr);
                    return quote!(#code #claims);
                }
                if let Some((own, attr, function)) = grown(&attr, &function, &mut errors) {
                    let progress = Progress { resumed: true, relay_done: false };
                    let code = stage(&attr, function, Knowledge::default(), progress, errors);
                    return quote!(#own #code #claims);
                }
                if let Some(marker) = by_type(&attr, &function) {
                    let progress = Progress { resumed: true, relay_done: false };
                    let code = stage(&attr, function, Knowledge::default(), progress, errors);
                    return quote!(#marker #code #claims);
                }
                let code = stage(&attr, function, Knowledge::default(), Progress::default(), errors);
                quote!(#code #claims)
            }
            Ok(SynItem::Mod(module)) => module::expand(attr, module),
            Ok(SynItem::Impl(block)) => match is_said_before(&block) {
                Ok(false) => methods::expand(attr, block),
                Ok(true) => quote!(#block),
                Err(error) => {
                    let errors = Errors::from(error).render();
                    quote!(#block #errors)
                }
            },
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
            Ok(()) => super::derive::stage(&fragments::open(item.clone()), Knowledge::default()),
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
        let state = syn::parse2::<State>(state);
        if let Ok(state) = &state {
            note_item(&state.item);
        }
        match state {
            Ok(state) if state.task == "check" => check::answered(state),
            Ok(state) if state.task == "derive" => super::derive::stage(&state.item, state.knowledge),
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

/// The type beside a function that is somewhere else, if this is one.
fn by_type(attr: &TokenStream, function: &ItemFn) -> Option<TokenStream> {
    let attr = Attr::parse(attr.clone()).ok().filter(|attr| attr.by_type || attr.implicit)?;
    let (function, _) = Function::parse(attr, function.clone());
    Some(emit::stub::marker(&function))
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

/// What earlier stages have emitted.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// The function itself and its type.
    resumed: bool,
    /// Its relay, which waits until the result type is known.
    relay_done: bool,
}

/// The pipeline. It goes as far as what is known allows: to the code, or to the next question.
fn stage(
    attr_tokens: &TokenStream,
    item: ItemFn,
    knowledge: Knowledge,
    Progress { resumed, relay_done }: Progress,
    found: Errors,
) -> TokenStream {
    // Parse: the attribute and the signature.
    let (attr, attr_errors) = match Attr::parse(attr_tokens.clone()) {
        Ok(attr) => (attr, Errors::default()),
        Err(errors) => (Attr::default(), errors),
    };
    let krate = crate_path(&attr);
    let source = quote!(#item);
    let (mut function, mut errors) = Function::parse(attr, item);
    function.attr.recursive |= is_in_large_circle(function.name());
    if function.is_method() {
        return method(&function, &errors);
    }
    errors.extend(attr_errors);
    errors.extend(found);
    conditional::refuse(source.clone(), &mut errors);
    let knowledge = with_own_matrices(with_plain_result(knowledge, &function.result), function.name());
    let (knowledge, imports) = with_imports(knowledge, function.name());

    let relay = if relay_done { TokenStream::new() } else { relay_of(&function, &knowledge, None) };
    let failed = |errors: &Errors| {
        let relay = if relay_done { None } else { Some(&relay) };
        fallback(&function, &knowledge, errors, &krate, resumed, relay)
    };
    let refused = |errors: &Errors| {
        without_derivative(&function, &knowledge, &krate, &relay, resumed).unwrap_or_else(|| failed(errors))
    };
    let ask = |asked: Vec<syn::Path>| {
        // A relay that tells the body waits for the last stage.
        let waits = relay_waits(&function, &asked);
        let relay = if waits { &TokenStream::new() } else { &relay };
        let (task, relay_done) = (Ident::new("function", Span::call_site()), relay_done || !relay.is_empty());
        let (attr, item, knowledge) = (attr_tokens.clone(), source.clone(), knowledge.clone());
        let asked = distinct(asked);
        let state = State { task, attr, item, knowledge, asked, relay_done };
        let beside = |path: &syn::Path| candidates(function.name(), path, &state.knowledge);
        // What others name has been emitted, and the rest are `impl` blocks, unless something stands for a type parameter.
        let question = match relay_done && function.functions.is_empty() {
            true => state.ask(&krate, beside),
            false if waits && are_marked_beside(function.name(), &state.asked) => state.ask_known(&krate, beside),
            false => state.ask_here(&krate, beside),
        };
        let delegate = if resumed { TokenStream::new() } else { delegate(&function) };
        quote!(#delegate #relay #question)
    };
    if !errors.is_empty() || knowledge.has_failed() {
        return failed(&errors);
    }

    // Resolve: the types, and the functions among the generic parameters.
    let mut asked = Vec::new();
    let resolved = function.resolve(&knowledge, &mut errors, &mut asked);
    let functions = function.resolve_functions(&knowledge, &mut errors, &mut asked);
    if !relay_done && relay.is_empty() {
        underived(&function, &asked).for_each(|path| {
            errors.push(underived_result(path));
        });
    }
    if !asked.is_empty() && errors.is_empty() {
        return ask(asked);
    }
    let (Some((params, result)), Some(functions), true) = (resolved, functions, errors.is_empty()) else {
        return failed(&errors);
    };
    let mut known = knowledge.clone();
    for resolved in &functions {
        let (key, info) = resolved.info(&function, &knowledge);
        known.insert(key, info);
    }

    // The user's own derivatives: there is nothing to derive.
    if function.attr.rules.is_some() {
        let members = emit::rule::members(&function, &params, &result, &krate);
        return assemble(&function, None, &members, &relay, resumed);
    }

    // Desugar and lower: the body in IR.
    let primal = match lower::lower(&function, &params, &result, &known) {
        Outcome::Ask(paths) => return ask(paths),
        Outcome::Failed(errors) => return refused(&errors),
        Outcome::Done(primal) => primal,
    };

    // The relay has not been emitted in an earlier stage: it tells the body of a small function.
    let small = if relay_done || primal.speaking.is_some() {
        None
    } else {
        pass::inlinable(&primal.body, tells_large_body(&function))
    };
    let told = small.map(|body| relay_of(&function, &knowledge, Some(body)));
    let relay = told.as_ref().unwrap_or(&relay);

    // Derive, run the passes, plan: a body for each function of the table of derivatives.
    let item = Item { function: &function, params: &params, result: &result, primal: &primal, krate: &krate };
    let mut trace = Trace::new();
    let bodies = match item.bodies(&mut trace) {
        Ok(bodies) => bodies,
        Err(errors) => return refused(&errors),
    };

    // Emit: the bodies as code.
    let emitted = item.emit(&bodies);
    let code = assemble(&function, emitted.value, &emitted.derivatives, relay, resumed);
    let methods = suffix::methods(&function, &emitted.derivatives);
    let functions = functions.iter().map(|resolved| callable::hidden(resolved, &krate));
    let checks = module_checks(&function.body, &primal.inlined, &knowledge, &krate);
    let integers = primal.claims.check(&function.item, &krate);
    let stated = lower::stated(&primal.of_nalgebra, &krate);
    let code = integers::unmarked(quote!(#code #methods #(#functions)* #checks #integers #stated));
    let imports = imports.iter().filter(|(name, _)| mentions(&code, &name.to_string()));
    let imports = imports.map(|(name, path)| quote!(#[doc(hidden)] #[allow(unused_imports)] use #path as #name;));
    let code = quote!(#(#imports)* #code);
    let missing = trace.write(&function.name().to_string(), &code);
    quote!(#code #missing)
}

/// What the result consists of that has no derivative: rustc would say so otherwise, see Note [Types without a derive].
fn underived<'a>(function: &Function, asked: &'a [syn::Path]) -> impl Iterator<Item = &'a syn::Path> {
    let result = function.result.to_token_stream();
    let names =
        move |path: &syn::Path| path.segments.last().is_some_and(|last| mentions(&result, &last.ident.to_string()));
    asked.iter().filter(move |path| names(path) && is_underived(path))
}

fn underived_result(path: &syn::Path) -> Error {
    let of = relay::key(path);
    Error::new(path, format!("`{of}` in the result is not known to be differentiable"))
        .help(format!("write `#[derive(Differentiable)]` where `{of}` is defined; if it has no derivative, keep it in a field, `#[no_diff] value: {of}`, of what the function returns or changes"))
        .plain_rust()
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
