//! The arguments of `#[differentiable(…)]`.

use crate::diag::{Error, Errors};
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Meta, Path, Token};

/// `#[differentiable(wrt(a, b), crate = path)]`
#[derive(Clone, Debug, Default)]
pub struct Attr {
    /// The inputs to differentiate by; all that can be, where absent.
    pub wrt: Option<Vec<Ident>>,
    /// Where the `autodiff` crate is, for re-exporting crates.
    pub krate: Option<Path>,
    /// Whether callers keep nothing of it: see Note [Cycles of calls].
    pub recursive: bool,
    /// Functions and methods without a derivative that have no effect, and depend on nothing but their arguments.
    pub pure: Vec<Path>,
    /// The method that the function stands for.
    pub method: Option<crate::methods::MethodOf>,
}

impl Attr {
    pub fn parse(tokens: TokenStream) -> Result<Attr, Errors> {
        // `crate = path` is not a `Meta`, since `crate` is a keyword; it is looked for first.
        let mut attr = Attr::default();
        let mut rest = Vec::new();
        for part in split_commas(tokens) {
            let mut start = part.clone().into_iter();
            let first = start.next().map(|token| token.to_string());
            if first.as_deref() == Some("crate") {
                let path: TokenStream = start.skip(1).collect();
                attr.krate = Some(syn::parse2(path)?);
            } else {
                rest.push(part);
            }
        }
        for part in rest {
            let metas = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(part)?;
            for meta in metas {
                attr.meta(&meta)?;
            }
        }
        Ok(attr)
    }

    fn meta(&mut self, meta: &Meta) -> Result<(), Errors> {
        let unknown = || {
            Errors::from(Error::new(&meta.path(), "unknown argument of `#[differentiable]`").help(
                "write `wrt(a, b)` to choose the inputs, `pure(f)` for functions without a derivative that have no \
                 effect, `recursive` on functions that call each other, or `crate = path` to say where `autodiff` is",
            ))
        };
        match meta {
            Meta::List(list) if list.path.is_ident("wrt") => {
                // Of a method, `self` can be one of them.
                let names = Punctuated::<Ident, Token![,]>::parse_terminated_with;
                let names = (|input: ParseStream| names(input, Ident::parse_any)).parse2(list.tokens.clone())?;
                if names.is_empty() {
                    return Err(Error::new(list, "`wrt()` names no input")
                        .help("name the inputs to differentiate by: `wrt(a, b)`")
                        .into());
                }
                self.wrt = Some(names.into_iter().collect());
                Ok(())
            }
            Meta::List(list) if list.path.is_ident("pure") => {
                let paths = Punctuated::<Path, Token![,]>::parse_terminated.parse2(list.tokens.clone())?;
                self.pure.extend(paths);
                Ok(())
            }
            Meta::Path(path) if path.is_ident("recursive") => {
                self.recursive = true;
                Ok(())
            }
            Meta::List(list) if list.path.is_ident("__method") => {
                self.method = Some(syn::parse2(list.tokens.clone())?);
                Ok(())
            }
            _ => Err(unknown()),
        }
    }
}

fn split_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            proc_macro2::TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            _ => {
                if let Some(last) = parts.last_mut() {
                    last.extend(std::iter::once(token));
                }
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}
