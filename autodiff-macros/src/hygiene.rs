//! Locals of the same spelling that are different names.
//!
//! Note [Hygiene]. A function that a `macro_rules!` makes can have two locals `x`: one that stands in the macro, and one
//! that was handed to it. To rustc a local's name is its text and its syntax context. The compiler compares text, so
//! before anything else such locals are given names of their own:
//!
//! ```text
//! macro_rules! mk { ($x:ident) => { fn h($x: f64) -> f64 { let x = 3.0; $x * x } } }
//! mk!(x)  →  fn h(x: f64) -> f64 { let x_2 = 3.0; x * x_2 }
//! ```
//!
//! Stable Rust shows a context as a number in a span's `Debug` text only, and two numbers may stand for the same context:
//! those of what a procedural macro made up are new and yet mean its caller's. A name without a binding of its own number
//! is taken to belong to the only one there is. Both conclusions are asserted, so that rustc decides whether they are true.

use crate::diag::{Error, Errors};
use crate::fault::{self, Fault};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{BTreeMap, BTreeSet};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprPath, FnArg, ItemFn, Macro, Member, Pat, Token};

/// The number of a syntax context. Outside of a macro's expansion, in tests, there is one only.
type Context = u32;

fn context(span: Span) -> Context {
    if !crate::is_in_rustc() || fault::is(Fault::NamesAreTexts) {
        return 0;
    }
    number(&format!("{span:?}")).unwrap_or(0)
}

/// `#5 bytes(10..11)`, or `src/main.rs:1:2: 1:3 (#5)` if rustc is told to show spans.
fn number(debug: &str) -> Option<Context> {
    let (_, after) = debug.rsplit_once('#')?;
    let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    after[..digits].parse().ok()
}

/// Gives locals of different contexts different names, and returns what rustc has to confirm of them.
pub fn separate(attr: &mut TokenStream, function: &mut ItemFn, errors: &mut Errors) -> TokenStream {
    let mut found = Occurrences::default();
    found.visit(function);
    let mut fresh = Words { taken: BTreeSet::new() };
    let mut claims = TokenStream::new();
    let mut renamed = BTreeMap::new();
    for (text, name) in &found.names {
        if name.bound.is_empty() || name.bound.len() == 1 && name.used.keys().all(|used| name.bound.contains_key(used))
        {
            continue;
        }
        let bound: Vec<_> = name.bound.iter().collect();
        let unbound = name.used.iter().filter(|(context, _)| !name.bound.contains_key(context));
        if let [(_, only)] = &bound[..] {
            claims.extend(unbound.map(|(_, used)| same(only, used)));
            continue;
        }
        if let Some((_, used)) = unbound.into_iter().next() {
            errors.push(ambiguous(text, used));
            continue;
        }
        if let Some(at) = found.opaque.iter().find(|(names, _)| names.contains(text)).map(|(_, at)| at) {
            errors.push(ambiguous(text, at));
            continue;
        }
        // A parameter stays what it is.
        let kept = name.params.first().unwrap_or(bound[0].0);
        if fresh.taken.is_empty() {
            fresh.reserve(function.to_token_stream());
        }
        for (k, (context, ident)) in bound.iter().enumerate() {
            if *context != kept {
                renamed.insert((text.clone(), **context), fresh.like(text));
            }
            claims.extend(bound[..k].iter().map(|(_, other)| different(other, ident)));
        }
    }
    for (text, label) in &found.labels {
        if label.len() > 1 {
            if let Some(ident) = label.values().next_back() {
                errors.push(
                    Error::new(ident, format!("there are two labels `'{text}`, one of which a macro has made"))
                        .help("give them different names"),
                );
            }
        }
    }
    if !renamed.is_empty() {
        let mut rename = Occurrences { renamed, ..Occurrences::default() };
        rename.visit(function);
        *attr = rename.tokens(attr.clone());
    }
    claims
}

fn ambiguous(text: &str, at: &Ident) -> Error {
    Error::new(at, format!("`{text}` may stand for several names here, of which a macro has made some"))
        .note("the names that stand in a macro are not those that it is given")
        .help("give the local in the macro another name")
}

/// rustc has to take both for the same name.
fn same(bound: &Ident, used: &Ident) -> TokenStream {
    claim(
        bound,
        used,
        &quote!(2_u8),
        &format!(
            "`{used}` is not the local of this name: one of them stands in a macro, and the other was given to it"
        ),
    )
}

fn different(kept: &Ident, renamed: &Ident) -> TokenStream {
    claim(
        kept,
        renamed,
        &quote!(1_u8),
        &format!(
            "the two `{renamed}` are one local, although one of them was made by a macro: give them different names"
        ),
    )
}

fn claim(first: &Ident, second: &Ident, value: &TokenStream, message: &str) -> TokenStream {
    let assert = quote_spanned!(second.span()=> ::core::assert!(#first == #value, #message));
    quote! {
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        const _: () = {
            let #first = 1_u8;
            let #second = 2_u8;
            #assert
        };
    }
}

/// What is said somewhere.
struct Words {
    taken: BTreeSet<String>,
}

impl Words {
    fn reserve(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    self.taken.insert(ident.to_string());
                }
                TokenTree::Group(group) => self.reserve(group.stream()),
                _ => {}
            }
        }
    }

    /// Words in strings that may be formats.
    fn reserve_captures(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    if text.contains('{') {
                        self.taken.extend(text.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned));
                    }
                }
                TokenTree::Group(group) => self.reserve_captures(group.stream()),
                _ => {}
            }
        }
    }

    /// A name that is not said.
    fn like(&mut self, text: &str) -> String {
        let text = text.trim_start_matches("r#");
        let mut k = 2;
        while !self.taken.insert(format!("{text}_{k}")) {
            k += 1;
        }
        format!("{text}_{k}")
    }
}

/// What a text stands for: a token of each context that binds or uses it.
#[derive(Default)]
struct Name {
    bound: BTreeMap<Context, Ident>,
    used: BTreeMap<Context, Ident>,
    /// The contexts of parameters.
    params: Vec<Context>,
}

/// Collects the names of locals, or replaces some.
#[derive(Default)]
struct Occurrences {
    names: BTreeMap<String, Name>,
    labels: BTreeMap<String, BTreeMap<Context, Ident>>,
    /// Macros whose arguments are not expressions, with the words in them.
    opaque: Vec<(BTreeSet<String>, Ident)>,
    renamed: BTreeMap<(String, Context), String>,
}

impl Occurrences {
    fn visit(&mut self, function: &mut ItemFn) {
        for input in &mut function.sig.inputs {
            let FnArg::Typed(typed) = input else { continue };
            if let Pat::Ident(pattern) = &*typed.pat {
                let name = self.names.entry(pattern.ident.to_string()).or_default();
                name.params.push(context(pattern.ident.span()));
            }
            self.irrefutable(&mut typed.pat);
        }
        self.visit_block_mut(&mut function.block);
    }

    fn bind(&mut self, ident: &mut Ident) -> bool {
        let at = context(ident.span());
        self.names.entry(ident.to_string()).or_default().bound.entry(at).or_insert_with(|| ident.clone());
        self.rename(ident, at)
    }

    fn use_of(&mut self, ident: &mut Ident) -> bool {
        let at = context(ident.span());
        self.names.entry(ident.to_string()).or_default().used.entry(at).or_insert_with(|| ident.clone());
        self.rename(ident, at)
    }

    /// Whether there was something to replace.
    fn rename(&self, ident: &mut Ident, at: Context) -> bool {
        if self.renamed.is_empty() {
            return false;
        }
        let Some(renamed) = self.renamed.get(&(ident.to_string(), at)) else { return false };
        *ident = Ident::new(renamed, ident.span());
        true
    }

    /// The pattern of a parameter or a `let`, where a name is never a constant.
    fn irrefutable(&mut self, pattern: &mut Pat) {
        match pattern {
            Pat::Ident(pattern) => {
                self.bind(&mut pattern.ident);
                if let Some((_, inner)) = &mut pattern.subpat {
                    self.visit_pat_mut(inner);
                }
            }
            Pat::Type(typed) => self.irrefutable(&mut typed.pat),
            other => self.visit_pat_mut(other),
        }
    }

    /// All names among tokens, which are those of inputs.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let renamed = tokens.into_iter().map(|token| match token {
            TokenTree::Ident(mut ident) => {
                let at = context(ident.span());
                self.rename(&mut ident, at);
                TokenTree::Ident(ident)
            }
            TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Parenthesis => {
                let mut inner = proc_macro2::Group::new(group.delimiter(), self.tokens(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            token => token,
        });
        renamed.collect()
    }
}

/// `value, pattern if guard`
fn matched(input: ParseStream) -> syn::Result<(Expr, Token![,], Pat, Option<(Token![if], Expr)>)> {
    let (value, comma, pattern) = (input.parse()?, input.parse()?, Pat::parse_multi_with_leading_vert(input)?);
    let guard = if input.peek(Token![if]) { Some((input.parse()?, input.parse()?)) } else { None };
    input.parse::<Option<Token![,]>>()?;
    Ok((value, comma, pattern, guard))
}

/// The name that a path may be of a local.
fn local(path: &mut ExprPath) -> Option<&mut Ident> {
    let plain = path.qself.is_none() && path.path.leading_colon.is_none() && path.path.segments.len() == 1;
    path.path.segments.first_mut().filter(|first| plain && first.arguments.is_none()).map(|first| &mut first.ident)
}

impl VisitMut for Occurrences {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        self.irrefutable(&mut local.pat);
        if let Some(init) = &mut local.init {
            self.visit_local_init_mut(init);
        }
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        // A capital begins a constant or a variant.
        let constant = pattern.ident.to_string().starts_with(|c: char| c.is_uppercase());
        if !constant || pattern.mutability.is_some() || pattern.by_ref.is_some() || pattern.subpat.is_some() {
            self.bind(&mut pattern.ident);
        }
        if let Some((_, inner)) = &mut pattern.subpat {
            self.visit_pat_mut(inner);
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        let member = field.member.clone();
        self.visit_pat_mut(&mut field.pat);
        let Member::Named(member) = &member else { return };
        let renamed = matches!(&*field.pat, Pat::Ident(pattern) if pattern.ident != *member);
        if field.colon_token.is_none() && renamed {
            field.colon_token = Some(Token![:](member.span()));
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        self.visit_expr_mut(&mut field.expr);
        let Member::Named(member) = &field.member else { return };
        let renamed = matches!(&field.expr, Expr::Path(path) if !path.path.is_ident(member));
        if field.colon_token.is_none() && renamed {
            field.colon_token = Some(Token![:](member.span()));
        }
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        match local(path) {
            Some(ident) => {
                self.use_of(ident);
            }
            None => visit_mut::visit_expr_path_mut(self, path),
        }
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        let at = context(lifetime.apostrophe);
        self.labels.entry(lifetime.ident.to_string()).or_default().entry(at).or_insert_with(|| lifetime.ident.clone());
    }

    /// Items have no names in common with the locals around.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    /// Types neither.
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        let mut opaque = Words { taken: BTreeSet::new() };
        opaque.reserve_captures(call.tokens.clone());
        let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(call.tokens.clone());
        if let Ok(mut list) = list {
            list.iter_mut().for_each(|element| self.visit_expr_mut(element));
            call.tokens = list.to_token_stream();
        } else if let Ok((mut element, semicolon, mut count)) = crate::conditional::repeated.parse2(call.tokens.clone())
        {
            self.visit_expr_mut(&mut element);
            self.visit_expr_mut(&mut count);
            call.tokens = quote!(#element #semicolon #count);
        } else if let Ok((mut value, comma, mut pattern, guard)) = matched.parse2(call.tokens.clone()) {
            self.visit_expr_mut(&mut value);
            self.visit_pat_mut(&mut pattern);
            let guard = guard.map(|(token, mut guard)| {
                self.visit_expr_mut(&mut guard);
                quote!(#token #guard)
            });
            call.tokens = quote!(#value #comma #pattern #guard);
        } else {
            opaque.reserve(call.tokens.clone());
        }
        if let (Some(name), false) = (call.path.segments.last(), opaque.taken.is_empty()) {
            self.opaque.push((opaque.taken, name.ident.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn contexts_are_read_from_debug_text() {
        assert_eq!(number("#0 bytes(10..11)"), Some(0));
        assert_eq!(number("#17 bytes(10..11)"), Some(17));
        assert_eq!(number("src/#1/main.rs:1:2: 1:3 (#25)"), Some(25));
        assert_eq!(number("bytes(10..11)"), None);
        assert_eq!(number("Span"), None);
    }
}
