//! Parameters that are patterns get names, and are taken apart by the first statements of the body.

use crate::tokens::mentions;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{FnArg, Ident, ItemFn, Pat, Stmt};

/// Writes `fn f((a, b): (f64, f64)) { … }` as `fn f(parameter_0: (f64, f64)) { let (a, b) = parameter_0; … }`.
pub fn named_in_place(item: &mut ItemFn) {
    let mut prefix = "parameter_".to_owned();
    while (0..item.sig.inputs.len()).any(|k| mentions(&item.to_token_stream(), &format!("{prefix}{k}"))) {
        prefix.push_str("x_");
    }
    let mut stmts: Vec<Stmt> = Vec::new();
    for (k, input) in item.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(typed) = input else { continue };
        if matches!(&*typed.pat, Pat::Ident(ident) if ident.subpat.is_none() && ident.by_ref.is_none()) {
            continue;
        }
        let name = Ident::new(&format!("{prefix}{k}"), typed.pat.span());
        let pat = std::mem::replace(&mut *typed.pat, syn::parse_quote!(#name));
        if !matches!(pat, Pat::Wild(_)) {
            stmts.push(syn::parse_quote!(let #pat = #name;));
        }
    }
    item.block.stmts.splice(0..0, stmts);
}
