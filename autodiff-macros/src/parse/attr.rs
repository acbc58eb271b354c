//! The arguments of `#[differentiable(…)]`.
//!
//! Note [Orders of differentiation]. Second derivatives are most of the code that a function can have, and few callers
//! use them. So a function has first derivatives, and higher ones where its attribute says `order = 2`, or the crate asks
//! for them: see Note [Orders that are found out] in `source/orders.rs`, and Note [Higher orders for callers]. Its relay tells
//! callers which (`relay::FnInfo`). Two things need the second derivatives of a callee: second derivatives of the caller,
//! and a derivative of the callee that the caller takes and that is differentiated in turn. Where they are missing, that
//! is an error at the call (`pass::tangent::Unsupported`). Whoever calls `f::hvp` from outside is told by rustc, by way of
//! `autodiff_core::SecondOrder`. The second derivatives of a function that takes a derivative itself are third ones of what it
//! calls. If that says no more than `order = 2`, they are missing, and who asks for them is told by way of
//! `autodiff_core::HigherOrder`.

use super::families::Families;
use super::rule::Rules;
use crate::diag::{Error, Errors};
use crate::ir::call::Origin;
use crate::ir::interface::Order;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, Meta, Path, Token};

/// `#[differentiable(wrt(a, b), crate = path)]`
#[derive(Clone, Debug, Default)]
pub struct Attr {
    /// The inputs to differentiate by; all that can be, where absent.
    pub wrt: Option<Vec<Ident>>,
    /// How many directions a Jacobian computes at once.
    pub width: Option<usize>,
    /// Where the `autodiff` crate is, for re-exporting crates.
    pub krate: Option<Path>,
    /// Whether callers keep nothing of it: see Note [Cycles of calls].
    pub recursive: bool,
    /// Whether callers take its body over, also if it calls others: see Note [Inlined functions] in `ir/inline.rs`.
    pub inline: bool,
    /// Whether rotations change on the left: see Note [Sides of changes] in `lower/geometry/side.rs`.
    pub left: bool,
    /// How many times it can be differentiated, if that is said: see Note [Orders of differentiation].
    pub order: Option<Order>,
    /// How many times the crate asks for: see Note [Orders that are found out] in `source/orders.rs`.
    pub found: Option<Order>,
    /// Whether callers need it of that order: see Note [Higher orders for callers] in `source/callers.rs`.
    pub called: bool,
    /// See Note [Derivatives that are named] in `parse/families.rs`.
    pub families: Families,
    /// Whether it has Taylor series, and who wants them.
    pub taylor: Option<Asked>,
    /// Functions and methods without a derivative that have no effect, and depend on nothing but their arguments.
    pub pure: Vec<Path>,
    /// Those of which the file says so.
    pub seen: Vec<Seen>,
    /// The method that the function stands for.
    pub method: Option<MethodOf>,
    /// The parameters that it takes and gives back, which the user's function is lent: see Note [Vecs that a callee makes longer]
    /// in `source/grown.rs`.
    pub grown: Vec<Ident>,
    /// What its derivatives are made of, if the user writes them: see Note [Rules] in `parse/rule.rs`.
    pub rules: Option<Rules>,
    /// Whether it solves an equation, and what is differentiated is written beside the function itself.
    pub implicit: bool,
    /// Whether there is only its type here, and the function itself is somewhere else.
    pub by_type: bool,
}

/// Who wants a function to have what not every function has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Somebody that calls it so, or says it: where it cannot be made, that is an error.
    Directly,
    /// Functions that call it, as far as their source tells: where it cannot be made, their use is an error.
    ByCallers,
}

impl Attr {
    /// Whether its derivatives are made of what the user writes beside it.
    pub fn is_written(&self) -> bool {
        self.origin() != Origin::Body
    }

    pub fn origin(&self) -> Origin {
        match (self.by_type, &self.rules) {
            _ if self.implicit => Origin::Implicit,
            (true, _) => Origin::Hidden,
            (false, Some(rules)) if rules.reverse.is_none() && rules.forward.is_none() => Origin::Constant,
            (false, Some(_)) => Origin::Rule,
            (false, None) => Origin::Body,
        }
    }

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
        if attr.left && attr.is_written() {
            let message = "changes on the left are of functions whose body is differentiated";
            let error = Error::at(proc_macro2::Span::call_site(), message);
            return Err(error.help("take `left` off: what is written here has changes on the right").into());
        }
        Ok(attr)
    }

    /// The arguments of an item inside of what has this attribute, which says the order for all in it, whether they have Taylor
    /// series, and on which side rotations change.
    pub fn pass_order_on(&self, mut own: TokenStream) -> TokenStream {
        let said = Attr::parse(own.clone()).unwrap_or_default();
        if self.left && !said.left {
            own = joined(own, quote!(left));
        }
        if let Some(order) = self.order.filter(|_| said.order.is_none()) {
            let order = Literal::u8_unsuffixed(order.number());
            own = joined(own, quote!(order = #order));
        }
        match self.taylor.filter(|_| said.taylor.is_none()) {
            Some(_) => joined(own, quote!(taylor)),
            None => own,
        }
    }

    fn meta(&mut self, meta: &Meta) -> Result<(), Errors> {
        let unknown = || {
            Errors::from(Error::new(&meta.path(), "unknown argument of `#[differentiable]`").help(
                "write `wrt(a, b)` to choose the inputs, `order = 2` for second derivatives, `taylor` for Taylor series, `pure(f)` for functions \
                 without a derivative that have no effect, `width = 8` for as many columns of a Jacobian at once, `recursive` on functions that call each other, `inline` on small functions that call others, `left` for changes of rotations on the left, or `crate = path` to say where `autodiff` is",
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
            Meta::NameValue(pair) if pair.path.is_ident("__found") => {
                self.found = Some(order(&pair.value)?);
                Ok(())
            }
            Meta::Path(path) if path.is_ident("__called") => {
                self.called = true;
                Ok(())
            }
            Meta::NameValue(pair) if pair.path.is_ident("__families") => {
                if let Expr::Lit(ExprLit { lit, .. }) = &pair.value {
                    self.families = Families::parse(lit).unwrap_or_default();
                }
                Ok(())
            }
            Meta::NameValue(pair) if pair.path.is_ident("order") => {
                self.order = Some(order(&pair.value)?);
                Ok(())
            }
            Meta::Path(path) if path.is_ident("taylor") => {
                self.taylor = Some(Asked::Directly);
                Ok(())
            }
            Meta::Path(path) if path.is_ident("__taylor") => {
                self.taylor = self.taylor.or(Some(Asked::ByCallers));
                Ok(())
            }
            Meta::NameValue(pair) if pair.path.is_ident("width") => {
                self.width = Some(width(&pair.value)?);
                Ok(())
            }
            Meta::List(list) if list.path.is_ident("pure") => {
                let paths = Punctuated::<Path, Token![,]>::parse_terminated.parse2(list.tokens.clone())?;
                self.pure.extend(paths);
                Ok(())
            }
            Meta::List(list) if list.path.is_ident("__pure") => {
                let seen = Punctuated::<Seen, Token![,]>::parse_terminated.parse2(list.tokens.clone())?;
                self.seen.extend(seen);
                Ok(())
            }
            Meta::Path(path) if path.is_ident("recursive") => {
                self.recursive = true;
                Ok(())
            }
            Meta::Path(path) if path.is_ident("inline") => {
                self.inline = true;
                Ok(())
            }
            Meta::Path(path) if path.is_ident("left") => {
                self.left = true;
                Ok(())
            }
            Meta::List(list) if list.path.is_ident("__grown") => {
                let names = Punctuated::<Ident, Token![,]>::parse_terminated.parse2(list.tokens.clone())?;
                self.grown.extend(names);
                Ok(())
            }
            Meta::List(list) if list.path.is_ident("__rule") => {
                self.rules = Some(syn::parse2(list.tokens.clone())?);
                Ok(())
            }
            Meta::Path(path) if path.is_ident("__implicit") => {
                self.implicit = true;
                Ok(())
            }
            Meta::Path(path) if path.is_ident("__of") => {
                self.by_type = true;
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

fn width(value: &Expr) -> Result<usize, Errors> {
    let number = match value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    };
    number.filter(|width| (1..=64).contains(width)).ok_or_else(|| {
        Error::new(value, "the width is a number from 1 to 64")
            .help(
                "write `width = 8` to compute 8 columns of a Jacobian at once, or nothing to leave it to the compiler",
            )
            .into()
    })
}

fn order(value: &Expr) -> Result<Order, Errors> {
    let number = match value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    };
    number.and_then(Order::from_number).ok_or_else(|| {
        Error::new(value, "a function has derivatives of order 1 to 4")
            .help("write `order = 2` for second derivatives, or nothing for first ones")
            .into()
    })
}

/// There are no derivatives of higher order.
pub const HIGHEST_ORDER: u8 = Order::Fourth.number();

/// Arguments of an attribute, and one more.
pub fn joined(given: TokenStream, more: TokenStream) -> TokenStream {
    if given.is_empty() { more } else { quote!(#given, #more) }
}

pub fn split_commas(tokens: TokenStream) -> Vec<TokenStream> {
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

/// `span -> usize`, or `.sin_latitude -> f64` of a method: a function without an effect, and what it gives.
#[derive(Clone, Debug)]
pub struct Seen {
    pub is_method: bool,
    pub path: Path,
    pub result: syn::Type,
}

impl syn::parse::Parse for Seen {
    fn parse(input: ParseStream) -> syn::Result<Seen> {
        let is_method = input.parse::<Option<Token![.]>>()?.is_some();
        let path = input.parse()?;
        input.parse::<Token![->]>()?;
        Ok(Seen { is_method, path, result: input.parse()? })
    }
}

/// The method that a function stands for.
#[derive(Clone, Debug)]
pub struct MethodOf {
    pub name: Ident,
    /// What `self` is called in the function, if the method has it.
    pub this: Option<Ident>,
    /// Whether the type can have methods of our own.
    pub inherent: bool,
    /// The trait that it belongs to, or nothing.
    pub of_trait: String,
    /// The `impl` block without its content.
    pub owner: syn::ItemImpl,
}

impl syn::parse::Parse for MethodOf {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<MethodOf> {
        let name = input.parse()?;
        let this = if input.peek(syn::LitBool) { None } else { Some(input.parse()?) };
        let inherent = input.parse::<syn::LitBool>()?.value;
        let of_trait = input.parse::<syn::LitStr>()?.value();
        Ok(MethodOf { name, this, inherent, of_trait, owner: input.parse()? })
    }
}

impl quote::ToTokens for MethodOf {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let MethodOf { name, this, inherent, of_trait, owner } = self;
        tokens.extend(quote!(#name #this #inherent #of_trait #owner));
    }
}
