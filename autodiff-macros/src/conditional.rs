//! Conditional compilation inside an item: `#[cfg(…)]`, `#[cfg_attr(…)]` and `cfg!(…)`.
//!
//! Note [Conditional compilation]. rustc resolves the conditions on an item before its attribute macro runs, and those in
//! a derived struct. Conditions inside of a function reach the macro as they were written, and only rustc knows whether
//! they hold. So each distinct predicate becomes a hidden macro of the relay, of which rustc chooses the definition:
//!
//! ```text
//! macro_rules! q { … => { … { false } } }
//! #[cfg(unix)]
//! macro_rules! q { … => { … { true } } }
//! q! { [::autodiff::__expand] => { configuration { attr } { item } { "unix" } } }
//! ```
//!
//! What comes back is the item as it was, with the answers. Code whose condition does not hold is removed, and the
//! conditions of the rest are taken off. What stands in removed code is not asked, so that a condition inside a condition
//! is a second stage. A condition in any other position is an error, as it is in Rust.

use crate::diag::{Error, Errors};
use crate::fault::{self, Fault};
use crate::parse::ty::spelled;
use crate::relay;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{AttrStyle, Attribute, Block, Expr, Item, LitBool, LitStr, Macro, Meta, Stmt, Token, braced};

/// An item inside of which conditions may still be unknown.
pub struct Configuration {
    attr: TokenStream,
    item: TokenStream,
    /// Whether a predicate holds, by its spelling.
    answers: Vec<(String, bool)>,
}

pub enum Configured {
    /// What rustc must be asked before the item is known.
    Question(TokenStream),
    Item(Box<Item>),
}

impl Configuration {
    pub fn new(attr: TokenStream, item: TokenStream) -> Configuration {
        Configuration { attr, item, answers: Vec::new() }
    }

    pub fn attr(&self) -> &TokenStream {
        &self.attr
    }

    pub fn item(&self) -> &TokenStream {
        &self.item
    }

    /// The item without conditions, or the question that comes before.
    pub fn resolve(&self) -> syn::Result<Configured> {
        Ok(match self.known()? {
            Ok(item) => Configured::Item(Box::new(item)),
            Err(asked) => Configured::Question(self.question(&asked)),
        })
    }

    /// The same for tests, which know the answers.
    #[cfg(test)]
    pub fn decided(mut self, holds: &dyn Fn(&TokenStream) -> bool) -> syn::Result<Item> {
        loop {
            match self.known()? {
                Ok(item) => return Ok(item),
                Err(asked) => {
                    self.answers.extend(asked.iter().map(|predicate| (spelled(predicate), holds(predicate))));
                }
            }
        }
    }

    /// The item without conditions, or the predicates that are not known.
    fn known(&self) -> syn::Result<Result<Item, Vec<TokenStream>>> {
        let mut item = syn::parse2(self.item.clone())?;
        if !mentions(self.item.clone()) {
            return Ok(Ok(item));
        }
        let mut resolver = Resolver { answers: &self.answers, asked: Vec::new() };
        match &mut item {
            Item::Fn(function) => {
                resolver.visit_signature_mut(&mut function.sig);
                resolver.visit_block_mut(&mut function.block);
            }
            Item::Impl(block) => resolver.visit_item_impl_mut(block),
            // The bodies of its functions are asked for when these are expanded, and rustc resolves the rest.
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    items.retain_mut(|item| match item {
                        Item::Fn(function) => resolver.keeps(&mut function.attrs),
                        _ => true,
                    });
                    for item in items {
                        if let Item::Fn(function) = item {
                            resolver.visit_signature_mut(&mut function.sig);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(if resolver.asked.is_empty() { Ok(item) } else { Err(resolver.asked) })
    }

    fn question(&self, asked: &[TokenStream]) -> TokenStream {
        let Configuration { attr, item, answers } = self;
        let krate =
            crate::parse::tokens::crate_path(&crate::parse::attr::Attr::parse(attr.clone()).unwrap_or_default());
        let (mut definitions, mut names) = (TokenStream::new(), Vec::new());
        for predicate in asked {
            let name = relay::question_name(predicate);
            let define = |answer: bool| {
                quote! {
                    #[allow(unused_macros)]
                    macro_rules! #name {
                        ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
                            $($next)* ! { $([$($more)*])* => { $($state)* #answer } }
                        };
                    }
                }
            };
            let (otherwise, holds) = (define(false), define(true));
            definitions.extend(quote!(#otherwise #[cfg(#predicate)] #holds));
            names.push(name);
        }
        let (first, rest) = (&names[0], &names[1..]);
        let known = answers.iter().map(|(key, answer)| quote!(#key #answer));
        let keys = asked.iter().map(spelled);
        quote! {
            #definitions
            #first! {
                #([#rest])* [#krate::__expand] => { configuration { #attr } { #item } { #(#known)* } { #(#keys)* } }
            }
        }
    }
}

/// Whether rustc has answered a question of this file.
pub fn is_answer(state: &TokenStream) -> bool {
    let content = state.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let first = content.and_then(|content| content.into_iter().next());
    matches!(first, Some(TokenTree::Ident(ident)) if ident == "configuration")
}

/// What comes back: see [`relay::State`].
impl Parse for Configuration {
    fn parse(input: ParseStream) -> syn::Result<Configuration> {
        input.parse::<Token![=>]>()?;
        let content;
        braced!(content in input);
        content.parse::<proc_macro2::Ident>()?;
        let group = || -> syn::Result<TokenStream> {
            let inner;
            braced!(inner in content);
            inner.parse()
        };
        let (attr, item) = (group()?, group()?);
        let known;
        braced!(known in content);
        let mut answers = Vec::new();
        while !known.is_empty() {
            answers.push((known.parse::<LitStr>()?.value(), known.parse::<LitBool>()?.value));
        }
        let keys;
        braced!(keys in content);
        while !keys.is_empty() {
            answers.push((keys.parse::<LitStr>()?.value(), content.parse::<LitBool>()?.value));
        }
        Ok(Configuration { attr, item, answers })
    }
}

/// Removes what is configured away, and collects the predicates that are not known.
struct Resolver<'a> {
    answers: &'a [(String, bool)],
    asked: Vec<TokenStream>,
}

impl Resolver<'_> {
    /// Whether a predicate holds, or nothing, if it must be asked.
    fn holds(&mut self, predicate: TokenStream) -> Option<bool> {
        if fault::is(Fault::ConditionsHold) {
            return Some(true);
        }
        let key = spelled(&predicate);
        let known = self.answers.iter().find(|(known, _)| *known == key).map(|(_, answer)| *answer);
        if known.is_none() && !self.asked.iter().any(|asked| spelled(asked) == key) {
            self.asked.push(predicate);
        }
        known
    }

    /// Resolves the attributes of something that can be removed, and says whether it stays.
    fn keeps(&mut self, attrs: &mut Vec<Attribute>) -> bool {
        let mut at = 0;
        while at < attrs.len() {
            let Some((conditional, predicate, then)) = condition(&attrs[at]) else {
                at += 1;
                continue;
            };
            match (self.holds(predicate), conditional) {
                // Whatever follows may never have to be asked.
                (None, _) => return true,
                (Some(false), Conditional::Cfg) => return false,
                (Some(true), Conditional::Cfg) | (Some(false), Conditional::CfgAttr) => {
                    attrs.remove(at);
                }
                (Some(true), Conditional::CfgAttr) => {
                    attrs.splice(at..=at, then);
                }
            }
        }
        true
    }

    /// Elements of a list of expressions.
    fn elements(&mut self, list: &mut Punctuated<Expr, Token![,]>) {
        self.list(list, expression_attributes);
    }

    fn list<T>(
        &mut self,
        list: &mut Punctuated<T, Token![,]>,
        attributes: impl Fn(&mut T) -> Option<&mut Vec<Attribute>>,
    ) {
        let conditional = list.iter_mut().any(|element| attributes(element).is_some_and(|attrs| has_condition(attrs)));
        if conditional {
            *list = std::mem::take(list)
                .into_pairs()
                .filter_map(|mut pair| {
                    attributes(pair.value_mut()).is_none_or(|attrs| self.keeps(attrs)).then_some(pair)
                })
                .collect();
        }
    }

    /// What is not known yet may go: it is not looked into.
    fn descends(attrs: &[Attribute]) -> bool {
        !has_condition(attrs)
    }
}

impl VisitMut for Resolver<'_> {
    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        block.items.retain_mut(|item| match item {
            syn::ImplItem::Fn(method) => self.keeps(&mut method.attrs),
            _ => true,
        });
        for item in &mut block.items {
            if let syn::ImplItem::Fn(method) = item {
                if Self::descends(&method.attrs) {
                    self.visit_signature_mut(&mut method.sig);
                    self.visit_block_mut(&mut method.block);
                }
            }
        }
    }

    fn visit_signature_mut(&mut self, signature: &mut syn::Signature) {
        self.list(&mut signature.inputs, |input| {
            Some(match input {
                syn::FnArg::Receiver(receiver) => &mut receiver.attrs,
                syn::FnArg::Typed(typed) => &mut typed.attrs,
            })
        });
        self.list(&mut signature.generics.params, |param| {
            Some(match param {
                syn::GenericParam::Lifetime(param) => &mut param.attrs,
                syn::GenericParam::Type(param) => &mut param.attrs,
                syn::GenericParam::Const(param) => &mut param.attrs,
            })
        });
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain_mut(|stmt| statement_attributes(stmt).is_none_or(|attrs| self.keeps(attrs)));
        for stmt in &mut block.stmts {
            if statement_attributes(stmt).is_none_or(|attrs| Self::descends(attrs)) {
                self.visit_stmt_mut(stmt);
            }
        }
    }

    /// Of the items in a body only constants are looked into.
    fn visit_item_mut(&mut self, item: &mut Item) {
        if matches!(item, Item::Const(_)) {
            visit_mut::visit_item_mut(self, item);
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Match(choice) => {
                choice.arms.retain_mut(|arm| self.keeps(&mut arm.attrs));
                self.visit_expr_mut(&mut choice.expr);
                for arm in choice.arms.iter_mut().filter(|arm| Self::descends(&arm.attrs)) {
                    self.visit_arm_mut(arm);
                }
                return;
            }
            Expr::Struct(literal) => self.list(&mut literal.fields, |field| Some(&mut field.attrs)),
            Expr::Array(array) => self.elements(&mut array.elems),
            Expr::Tuple(tuple) => self.elements(&mut tuple.elems),
            Expr::Call(call) => self.elements(&mut call.args),
            Expr::MethodCall(call) => self.elements(&mut call.args),
            Expr::Macro(call) if call.mac.path.segments.last().is_some_and(|last| last.ident == "cfg") => {
                if let Some(holds) = self.holds(call.mac.tokens.clone()) {
                    *expr = syn::parse_quote!(#holds);
                }
                return;
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_pat_struct_mut(&mut self, pattern: &mut syn::PatStruct) {
        self.list(&mut pattern.fields, |field| Some(&mut field.attrs));
        visit_mut::visit_pat_struct_mut(self, pattern);
    }

    /// The arguments of a macro, if they are expressions.
    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if !mentions(call.tokens.clone()) {
            return;
        }
        let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(call.tokens.clone());
        if let Ok(mut list) = list {
            self.elements(&mut list);
            list.iter_mut().for_each(|element| self.visit_expr_mut(element));
            call.tokens = list.to_token_stream();
        } else if let Ok((element, semicolon, count)) = repeated.parse2(call.tokens.clone()) {
            let (mut element, mut count) = (element, count);
            self.visit_expr_mut(&mut element);
            self.visit_expr_mut(&mut count);
            call.tokens = quote!(#element #semicolon #count);
        }
    }
}

/// `[x; n]`
pub fn repeated(input: ParseStream) -> syn::Result<(Expr, Token![;], Expr)> {
    Ok((input.parse()?, input.parse()?, input.parse()?))
}

#[derive(Clone, Copy)]
enum Conditional {
    Cfg,
    CfgAttr,
}

/// The predicate of an attribute, and the attributes that depend on it.
fn condition(attr: &Attribute) -> Option<(Conditional, TokenStream, Vec<Attribute>)> {
    let Meta::List(list) = &attr.meta else { return None };
    if matches!(attr.style, AttrStyle::Inner(_)) {
        return None;
    }
    if list.path.is_ident("cfg") {
        return Some((Conditional::Cfg, list.tokens.clone(), Vec::new()));
    }
    if !list.path.is_ident("cfg_attr") {
        return None;
    }
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let mut tokens = list.tokens.clone().into_iter();
    let predicate = tokens.by_ref().take_while(|token| !is_comma(token)).collect();
    let then = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens.collect()).ok()?;
    let then = then.into_iter().map(|meta| syn::parse_quote!(#[#meta])).collect();
    Some((Conditional::CfgAttr, predicate, then))
}

fn has_condition(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| condition(attr).is_some())
}

fn statement_attributes(stmt: &mut Stmt) -> Option<&mut Vec<Attribute>> {
    match stmt {
        Stmt::Local(local) => Some(&mut local.attrs),
        Stmt::Macro(call) => Some(&mut call.attrs),
        Stmt::Expr(expr, _) => expression_attributes(expr),
        Stmt::Item(item) => attributes(item),
    }
}

/// The attributes of a whole expression. Those of an operand are not a condition of the operation.
fn expression_attributes(expr: &mut Expr) -> Option<&mut Vec<Attribute>> {
    macro_rules! attributes {
        ($($variant:ident)*) => {
            match expr {
                $(Expr::$variant(expr) => Some(&mut expr.attrs),)*
                _ => None,
            }
        };
    }
    attributes! {
        Array Block Break Call Closure Const Continue Field ForLoop Group If Index Lit Loop Macro Match MethodCall Paren
        Path Reference Repeat Return Struct Try Tuple Unary Unsafe While
    }
}

fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    macro_rules! attributes {
        ($($variant:ident)*) => {
            match item {
                $(Item::$variant(item) => Some(&mut item.attrs),)*
                _ => None,
            }
        };
    }
    attributes!(Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static Struct Trait TraitAlias Type Union Use)
}

/// Whether there may be a condition among tokens.
fn mentions(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "cfg" || ident == "cfg_attr",
        TokenTree::Group(group) => mentions(group.stream()),
        _ => false,
    })
}

/// Conditions that are left, which stand where nothing can be removed.
pub fn refuse(tokens: TokenStream, errors: &mut Errors) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let TokenTree::Group(group) = &token else {
            let is_cfg = matches!(&token, TokenTree::Ident(ident) if ident == "cfg");
            if is_cfg && matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '!') {
                errors.push(
                    Error::new(&token, "this `cfg!` cannot be evaluated here")
                        .help("name it before: `const UNIX: bool = cfg!(unix);`"),
                );
            }
            continue;
        };
        let first = group.stream().into_iter().next();
        let is_attribute = group.delimiter() == Delimiter::Bracket
            && matches!(first, Some(TokenTree::Ident(ident)) if ident == "cfg" || ident == "cfg_attr");
        if is_attribute {
            errors.push(
                Error::new(&group, "a condition cannot stand on this")
                    .note("conditions stand on statements, match arms, elements, arguments, fields and parameters")
                    .help("put it on a block: `#[cfg(unix)] { y += x; }`"),
            );
        } else {
            refuse(group.stream(), errors);
        }
    }
}
