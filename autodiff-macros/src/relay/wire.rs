//! What travels along the relay, as tokens: written by the item that is asked, read by the one that asks.

use super::{
    FieldInfo, FnInfo, Generic, GenericKind, Home, Info, Knowledge, ParamInfo, State, StructInfo, VariantInfo,
};
use crate::ir::call::Origin;
use crate::ir::inline::Inlinable;
use crate::ir::interface::Order;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{LitInt, LitStr, Token, braced, parenthesized};

impl ToTokens for Generic {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = format_ident!("{}", self.name);
        tokens.extend(match self.kind {
            GenericKind::Number => quote!(type #name),
            GenericKind::Size => quote!(const #name),
            GenericKind::Function => quote!(fn #name),
        });
        tokens.extend(self.default.as_ref().map(|default| quote!(= { #default })));
        tokens.extend(quote!(,));
    }
}

impl Parse for Generic {
    fn parse(input: ParseStream) -> syn::Result<Generic> {
        let kind = if input.parse::<Option<Token![const]>>()?.is_some() {
            GenericKind::Size
        } else if input.parse::<Option<Token![fn]>>()?.is_some() {
            GenericKind::Function
        } else {
            input.parse::<Token![type]>()?;
            GenericKind::Number
        };
        let name: Ident = input.parse()?;
        let default = if input.parse::<Option<Token![=]>>()?.is_some() {
            let inside;
            braced!(inside in input);
            Some(inside.parse()?)
        } else {
            None
        };
        input.parse::<Token![,]>()?;
        Ok(Generic { name: name.to_string(), kind, default })
    }
}

impl ToTokens for Info {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Info::Struct(info) => {
                let StructInfo { generics, fields, variants, nested, home, failed } = &**info;
                let failed = failed.then(|| quote!(!));
                let home = Where(home.as_ref());
                let fields = fields
                    .iter()
                    .map(|FieldInfo { member, ty, active, projected }| quote!(#active #projected #member: #ty,));
                let variants = variants.iter().map(|VariantInfo { name, count }| quote!(#name: #count,));
                quote!(struct #failed { #(#generics)* } { #(#fields)* } { #(#variants)* } { #nested } #home)
            }
            Info::Fn(info) => {
                let FnInfo {
                    name,
                    generics,
                    params,
                    result,
                    nested,
                    calls,
                    recursive,
                    origin,
                    order,
                    order_for_callers,
                    taylor,
                    left,
                    of_trait,
                    home,
                    inline,
                } = &**info;
                let inline = inline.iter().map(|Inlinable { text }| text);
                let home = Where(home.as_ref());
                let params = params.iter().map(|ParamInfo { ty, active, grown, handed_on }| {
                    let (grown, handed_on) = (grown.then(|| quote!(mut)), handed_on.then(|| quote!(move)));
                    quote!(#active #grown #handed_on #ty,)
                });
                let (order, order_for_callers) = (order.number(), order_for_callers.number());
                let origin = match origin {
                    Origin::Body => quote!(body),
                    Origin::Rule => quote!(rule),
                    Origin::Constant => quote!(constant),
                    Origin::Implicit => quote!(implicit),
                    Origin::Hidden => quote!(hidden),
                };
                quote!(fn #name { #(#generics)* } { #(#params)* } { #result } { #nested } { #(#calls)* } #recursive #origin #order #order_for_callers #taylor #left #of_trait { #(#inline)* } #home)
            }
            Info::HigherOrder(source) => quote!(source { #source }),
            Info::Inactive => quote!(inactive),
            Info::Own => quote!(own),
            Info::Unknown => quote!(unknown),
            Info::Failed => quote!(failed),
        });
    }
}

impl ToTokens for Knowledge {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for (key, info) in &self.0 {
            tokens.extend(quote!((#key #info)));
        }
    }
}

struct Where<'h>(Option<&'h Home>);

impl ToTokens for Where<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        if let Some(Home { module, name, of, is_public, .. }) = self.0 {
            tokens.extend(quote!({ { #module } #name #of #is_public }));
        }
    }
}

fn home(input: ParseStream) -> syn::Result<Option<Home>> {
    if input.is_empty() {
        return Ok(None);
    }
    let (content, module);
    braced!(content in input);
    braced!(module in content);
    let (module, name, of) = (module.parse()?, content.parse::<LitStr>()?.value(), content.parse::<LitStr>()?.value());
    Ok(Some(Home { module, name, of, is_public: flag(&content)?, alias: None }))
}

fn braces<T>(input: ParseStream, parse: impl Fn(ParseStream) -> syn::Result<T>) -> syn::Result<Vec<T>> {
    let content;
    braced!(content in input);
    let mut items = Vec::new();
    while !content.is_empty() {
        items.push(parse(&content)?);
    }
    Ok(items)
}

fn flag(input: ParseStream) -> syn::Result<bool> {
    input.parse::<syn::LitBool>().map(|flag| flag.value)
}

impl Parse for Info {
    fn parse(input: ParseStream) -> syn::Result<Info> {
        if input.peek(Token![struct]) {
            input.parse::<Token![struct]>()?;
            let failed = input.parse::<Option<Token![!]>>()?.is_some();
            let generics = braces(input, Generic::parse)?;
            let fields = braces(input, |input| {
                let (active, projected) = (flag(input)?, flag(input)?);
                let member = input.parse()?;
                input.parse::<Token![:]>()?;
                let ty = input.parse()?;
                input.parse::<Token![,]>()?;
                Ok(FieldInfo { member, ty, active, projected })
            })?;
            let variants = braces(input, |input| {
                let name = input.call(Ident::parse_any)?;
                input.parse::<Token![:]>()?;
                let count = input.parse::<syn::LitInt>()?.base10_parse()?;
                input.parse::<Token![,]>()?;
                Ok(VariantInfo { name, count })
            })?;
            let nested = nested(input)?;
            let home = home(input)?;
            return Ok(Info::Struct(Rc::new(StructInfo { generics, fields, variants, nested, home, failed })));
        }
        if !input.peek(Token![fn]) {
            return match &input.parse::<Ident>()?.to_string()[..] {
                "source" => {
                    let source;
                    braced!(source in input);
                    source.parse().map(Info::HigherOrder)
                }
                "failed" => Ok(Info::Failed),
                "inactive" => Ok(Info::Inactive),
                "own" => Ok(Info::Own),
                _ => Ok(Info::Unknown),
            };
        }
        input.parse::<Token![fn]>()?;
        let name: LitStr = input.parse()?;
        let generics = braces(input, Generic::parse)?;
        let params = braces(input, |input| {
            let (active, grown) = (flag(input)?, input.parse::<Option<Token![mut]>>()?.is_some());
            let handed_on = input.parse::<Option<Token![move]>>()?.is_some();
            let ty = input.parse()?;
            input.parse::<Token![,]>()?;
            Ok(ParamInfo { ty, active, grown, handed_on })
        })?;
        let content;
        braced!(content in input);
        let result = content.parse()?;
        let nested = nested(input)?;
        let calls = braces(input, |input| input.parse::<LitStr>().map(|name| name.value()))?;
        let (name, recursive) = (name.value(), flag(input)?);
        let origin = match &input.parse::<Ident>()?.to_string()[..] {
            "rule" => Origin::Rule,
            "constant" => Origin::Constant,
            "implicit" => Origin::Implicit,
            "hidden" => Origin::Hidden,
            _ => Origin::Body,
        };
        let order = |input: ParseStream| -> syn::Result<Order> {
            Ok(Order::from_number(input.parse::<LitInt>()?.base10_parse()?).unwrap_or_default())
        };
        let (order, order_for_callers) = (order(input)?, order(input)?);
        let (taylor, left, of_trait) = (flag(input)?, flag(input)?, input.parse::<LitStr>()?.value());
        let told;
        braced!(told in input);
        let inline = told.parse::<Option<LitStr>>()?.map(|text| Inlinable { text: text.value() });
        let home = home(input)?;
        Ok(Info::Fn(Rc::new(FnInfo {
            name,
            generics,
            params,
            result,
            nested,
            calls,
            recursive,
            origin,
            order,
            order_for_callers,
            taylor,
            left,
            of_trait,
            home,
            inline,
        })))
    }
}

fn nested(input: ParseStream) -> syn::Result<Knowledge> {
    let content;
    braced!(content in input);
    content.parse()
}

impl Parse for Knowledge {
    fn parse(input: ParseStream) -> syn::Result<Knowledge> {
        let mut knowledge = Knowledge::default();
        while !input.is_empty() {
            let content;
            parenthesized!(content in input);
            let key: LitStr = content.parse()?;
            knowledge.insert(key.value(), content.parse()?);
        }
        Ok(knowledge)
    }
}

impl Parse for State {
    fn parse(input: ParseStream) -> syn::Result<State> {
        input.parse::<Token![=>]>()?;
        let content;
        braced!(content in input);
        let task = content.parse()?;
        let relay_done = flag(&content)?;
        let group = |input: ParseStream| -> syn::Result<TokenStream> {
            let inner;
            braced!(inner in input);
            inner.parse()
        };
        let attr = group(&content)?;
        let item = group(&content)?;
        let mut knowledge = nested(&content)?;
        let keys = braces(&content, |input| input.parse::<LitStr>())?;
        for key in keys {
            let info;
            braced!(info in content);
            knowledge.insert(key.value(), info.parse()?);
        }
        Ok(State { task, attr, item, knowledge, asked: Vec::new(), relay_done })
    }
}
