//! The compiler behind [`autodiff`](https://docs.rs/autodiff): use that crate, which documents these macros.

#![forbid(unsafe_code)]

#[cfg(fuzzing)]
extern crate proc_macro;

mod ad;
mod alias;
mod analysis;
mod check;
mod conditional;
mod derive;
mod desugar;
mod diag;
mod emit;
mod expand;
#[cfg(test)]
mod families_test;
mod fault;
mod hygiene;
mod implicit;
mod integers;
mod ir;
mod layout;
mod lower;
mod methods;
mod module;
mod op;
#[cfg(test)]
mod pace_test;
mod parse;
mod pass;
mod plan;
#[cfg(test)]
mod program_test;
#[cfg(test)]
mod readme_test;
mod relay;
#[cfg(test)]
mod rooms_test;
mod rule;
#[cfg(test)]
mod snapshot_test;
#[cfg(test)]
mod soup_test;
mod source;
mod stage;
mod tokens;
mod trace;

use proc_macro::TokenStream;

/// Whether rustc expands a macro. In tests of this crate there are no files, and no syntax contexts.
fn is_in_rustc() -> bool {
    proc_macro::is_available()
}

/// Whether the compiler says in which files its tokens are written.
fn tells_files() -> bool {
    is_in_rustc() && proc_macro::Span::call_site().local_file().is_some()
}

/// The file that an invocation stands in, as far as it is known.
fn file() -> Option<std::path::PathBuf> {
    is_in_rustc().then(|| proc_macro::Span::call_site().local_file().or_else(source::file_of_item)).flatten()
}

/// The file that something is written in, as far as it is known.
fn file_of(span: proc_macro2::Span) -> Option<std::path::PathBuf> {
    is_in_rustc().then(|| span.unwrap().local_file().or_else(source::file_of_item)).flatten()
}

#[expect(missing_docs, reason = "documented where it is re-exported")]
#[cfg_attr(not(fuzzing), proc_macro_attribute)]
pub fn differentiable(attr: TokenStream, item: TokenStream) -> TokenStream {
    source::note_item(&item.clone().into());
    let source = file().and_then(|file| source::Source::of(&file));
    let (item, imports) = source::with_resolved_names(item.into(), source.as_deref());
    let krate = || parse::tokens::crate_path(&parse::attr::Attr::parse(attr.clone().into()).unwrap_or_default());
    let judged = source::judgement(&item, source.as_deref(), krate);
    let (item, used) = alias::expanded(item, file());
    let (item, sizes) = source::with_sizes_of_elements(item, source.as_deref());
    let (attr, item) = source::with_what_is_pure(attr.into(), item, source.as_deref());
    let item = source::with_provided_methods(item, source.as_deref());
    let attr = source::with_order(attr, &item);
    let (item, stated) = source::with_plain_enums(item, source.as_deref());
    let mut expanded = expand::differentiable(attr, item);
    expanded.extend([used, imports, judged, stated, sizes]);
    expanded.into()
}

#[expect(missing_docs, reason = "documented where it is re-exported")]
#[cfg_attr(not(fuzzing), proc_macro_attribute)]
pub fn derivative(attr: TokenStream, item: TokenStream) -> TokenStream {
    source::note_item(&item.clone().into());
    expand::derivative(attr.into(), item.into()).into()
}

#[expect(missing_docs, reason = "documented where it is re-exported")]
#[cfg_attr(not(fuzzing), proc_macro_attribute)]
pub fn implicit(attr: TokenStream, item: TokenStream) -> TokenStream {
    source::note_item(&item.clone().into());
    expand::implicit(attr.into(), item.into()).into()
}

#[expect(missing_docs, reason = "documented where it is re-exported")]
#[cfg_attr(not(fuzzing), proc_macro_attribute)]
pub fn inactive(attr: TokenStream, item: TokenStream) -> TokenStream {
    source::note_item(&item.clone().into());
    expand::inactive(attr.into(), item.into()).into()
}

#[expect(missing_docs, reason = "documented where it is re-exported")]
#[cfg_attr(not(fuzzing), proc_macro_derive(Differentiable, attributes(no_diff)))]
pub fn derive_differentiable(item: TokenStream) -> TokenStream {
    source::note_item(&item.clone().into());
    let source = file().and_then(|file| source::Source::of(&file));
    let (item, stated) = source::with_plain_enums(alias::expanded(item.into(), file()).0, source.as_deref());
    let mut expanded = expand::derive(item);
    expanded.extend(stated);
    expanded.into()
}

/// What `check_grads!` of the crate `autodiff` is made of.
#[doc(hidden)]
#[cfg_attr(not(fuzzing), proc_macro)]
pub fn __check_grads(input: TokenStream) -> TokenStream {
    expand::check_grads(input.into()).into()
}

/// Where the relay comes back to; see Note [The relay] in `relay.rs`.
#[doc(hidden)]
#[cfg_attr(not(fuzzing), proc_macro)]
pub fn __expand(state: TokenStream) -> TokenStream {
    expand::resume(state.into()).into()
}

/// Expands a source text: an item, or an attribute and an item with `===` between them. This is what `tests/fuzz` calls.
#[cfg(fuzzing)]
pub fn fuzz(text: &str) {
    let (attr, item) = text.split_once("===").unwrap_or(("", text));
    let (Ok(attr), Ok(item)) = (attr.parse(), item.parse()) else { return };
    expand::unguarded::differentiable(&attr, &item);
    expand::unguarded::derive(&item);
    expand::unguarded::resume(item);
}
