//! The expressions in macros that are known: `vec!`, those that format, and others that take a list.

use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token};

enum Content {
    Repeat(Box<VecRepeat>),
    List(Punctuated<Expr, Token![,]>),
}

fn content(mac: &Macro) -> Option<Content> {
    if mac.path.is_ident("cfg") {
        return None;
    }
    if let (true, Ok(repeat)) = (mac.path.is_ident("vec"), mac.parse_body::<VecRepeat>()) {
        return Some(Content::Repeat(Box::new(repeat)));
    }
    mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok().map(Content::List)
}

/// `width` of `name = width` in a macro that formats.
fn value(part: &mut Expr) -> &mut Expr {
    match part {
        Expr::Assign(named) => &mut named.right,
        other => other,
    }
}

/// What is evaluated, in this order; nothing, if that is not known.
pub fn parts(mac: &Macro) -> Option<Vec<Expr>> {
    Some(match content(mac)? {
        Content::Repeat(repeat) => vec![repeat.value.clone(), repeat.count.clone()],
        Content::List(mut list) => list.iter_mut().map(|part| value(part).clone()).collect(),
    })
}

/// Changes what is evaluated.
pub fn rewrite(mac: &mut Macro, change: impl FnOnce(Vec<&mut Expr>)) {
    match content(mac) {
        Some(Content::Repeat(mut repeat)) => {
            change(vec![&mut repeat.value, &mut repeat.count]);
            let (value, count) = (&repeat.value, &repeat.count);
            mac.tokens = quote!(#value; #count);
        }
        Some(Content::List(mut list)) => {
            change(list.iter_mut().map(value).collect());
            mac.tokens = list.to_token_stream();
        }
        None => {}
    }
}

/// What `vec![…]` is made of: its elements, or the one that is repeated.
pub fn elements(mac: &Macro) -> Option<Vec<Expr>> {
    if let Ok(repeat) = mac.parse_body::<VecRepeat>() {
        return Some(vec![repeat.value]);
    }
    let list = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
    Some(list.ok()?.into_iter().collect())
}

/// What stands in `vec![value; count]`.
pub struct VecRepeat {
    pub value: Expr,
    pub count: Expr,
}

impl syn::parse::Parse for VecRepeat {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<VecRepeat> {
        let value = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(VecRepeat { value, count: input.parse()? })
    }
}
