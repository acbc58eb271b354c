//! `#[derivative(of = libm::erf)] fn …` and `#[inactive] fn …`: what is emitted for a rule, and for a function that says that it
//! has no derivative. See Note [Rules] in `parse/rule.rs`.

use crate::diag::{Error, Errors};
use crate::methods::function_name;
use crate::parse::attr::joined;
use crate::parse::rule::{self, Differentiated, RuleAttr, RuleForm};
use crate::relay::{self, Info};
use crate::source::rule_beside;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Item, ItemFn, UseTree};

pub fn expand(attr: &TokenStream, item: &TokenStream) -> TokenStream {
    let function = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(_) => {
            let at = item.clone().into_iter().take(1).collect::<TokenStream>();
            let error = Error::new(&at, "`#[derivative]` stands on a function, which computes the derivative");
            let errors =
                Errors::from(error.help("for example `#[derivative(of = g)] fn g_rule(x: f64, y_bar: f64) -> f64`"));
            let errors = errors.render();
            return quote!(#item #errors);
        }
    };
    let own = rule::own(function.clone());
    let made = RuleAttr::parse(attr, &function.sig.ident).and_then(|attr| match attr.form {
        RuleForm::Like => Ok(like(&attr, function.clone())),
        _ => ruled(&attr, &function),
    });
    match made {
        Ok(made) => made,
        Err(errors) => {
            let errors = errors.render();
            quote!(#[allow(dead_code)] #own #errors)
        }
    }
}

/// A function, or the import of one, with a relay that says that it has no derivative.
pub fn inactive(attr: &TokenStream, item: &TokenStream) -> TokenStream {
    let refused = |at: &TokenStream, what: &str| {
        let error = Error::new(at, what).help("write `#[inactive] fn name(…)`, or `#[inactive] use path::name;`");
        let errors = Errors::from(error).render();
        quote!(#item #errors)
    };
    if !attr.is_empty() {
        return refused(attr, "`#[inactive]` takes no arguments");
    }
    let (vis, name) = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(function)) if function.sig.receiver().is_none() => (function.vis, function.sig.ident),
        Ok(Item::Use(import)) => match imported(&import.tree) {
            Some(name) => (import.vis, name),
            None => return refused(item, "`#[inactive]` stands on the import of one function"),
        },
        _ => {
            let at = item.clone().into_iter().take(1).collect();
            return refused(&at, "`#[inactive]` stands on a function, or on the import of one");
        }
    };
    let relay = relay::define(&vis, &name, &Info::Inactive);
    quote!(#item #relay)
}

/// The one name that is imported.
fn imported(tree: &UseTree) -> Option<Ident> {
    match tree {
        UseTree::Path(path) => imported(&path.tree),
        UseTree::Name(name) => Some(name.ident.clone()),
        UseTree::Rename(rename) => Some(rename.rename.clone()),
        UseTree::Glob(_) | UseTree::Group(_) => None,
    }
}

/// What the type beside the function is called: `erf`, or `Table_lookup` of `Table::lookup`.
fn name(attr: &RuleAttr) -> Ident {
    let words: Vec<&Ident> = attr.of.segments.iter().map(|segment| &segment.ident).collect();
    match words[..] {
        [.., owner, method] if owner.to_string().starts_with(char::is_uppercase) => function_name(owner, method),
        [.., last] => last.clone(),
        [] => format_ident!("_f"),
    }
}

/// The function whose derivatives are those of another one.
fn like(attr: &RuleAttr, reference: ItemFn) -> TokenStream {
    let (krate, said) = (attr.krate(), attr.rest.iter().cloned().fold(quote!(__of), joined));
    let own = rule::own(reference.clone());
    let mut function = reference;
    function.sig.ident = name(attr);
    quote! {
        #[allow(dead_code)]
        #own
        #[#krate::differentiable(#said)]
        #function
    }
}

/// The rule itself. Second derivatives are first ones of it.
fn with_second(attr: &RuleAttr, function: &ItemFn) -> TokenStream {
    let (krate, own) = (attr.krate(), rule::own(function.clone()));
    match attr.is_second {
        true => {
            let rest = attr.krate.iter().map(|path| quote!(crate = #path));
            quote!(#[#krate::differentiable(#(#rest),*)] #function)
        }
        false => quote!(#[allow(dead_code)] #own),
    }
}

/// The function that a rule is for.
fn ruled(attr: &RuleAttr, function: &ItemFn) -> Result<TokenStream, Errors> {
    let Differentiated { inputs, result, mut rules } = rule::differentiated(attr, function)?;
    if let Some(other) = rule_beside(&function.sig.ident) {
        // One of the two makes everything.
        if attr.form == RuleForm::Forward {
            return Ok(with_second(attr, function));
        }
        let attr = RuleAttr { form: RuleForm::Forward, ..attr.clone() };
        rules.forward = rule::differentiated(&attr, &other)?.rules.forward;
    }
    let (krate, of, name) = (attr.krate(), &attr.of, name(attr));
    let hidden = Ident::new(&format!("__autodiff_rule_{name}"), Span::call_site().located_at(name.span()));
    let own = with_second(attr, function);
    let said = |first: TokenStream| attr.rest.iter().cloned().fold(first, joined);
    let (with_rules, by_type) = (said(quote!(recursive, __rule(#rules))), said(quote!(__of)));
    let (generics, vis, names) = (&function.sig.generics, &function.vis, rule::names(&inputs));
    let where_clause = &generics.where_clause;
    Ok(quote! {
        #own
        #[doc(hidden)]
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        #[#krate::differentiable(#with_rules)]
        fn #hidden #generics (#(#inputs),*) -> #result #where_clause { #of(#(#names),*) }
        #[#krate::differentiable(#by_type)]
        #vis fn #name #generics (#(#inputs),*) -> #result #where_clause { #hidden(#(#names),*) }
    })
}
