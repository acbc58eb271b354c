//! Macros that panic or print. Assertions have become `if`s around a `panic!` before: see [`crate::desugar`].

use super::Lower;
use super::assign::unparen;
use super::value::{Lowered, Untyped, Value};
use crate::ir::{Effect, EffectKind, Var, hole, placed};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Expr, LitStr, Macro, Token};

/// What is in `panic!(…)` and `println!(…)`.
#[derive(Default)]
struct Message {
    text: Option<LitStr>,
    args: Vec<(Option<Ident>, Expr)>,
}

impl Parse for Message {
    fn parse(input: ParseStream) -> syn::Result<Message> {
        if input.is_empty() {
            return Ok(Message::default());
        }
        let mut message = Message { text: Some(input.parse()?), args: Vec::new() };
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let named = input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
            let name = if named { Some(input.parse()?) } else { None };
            if named {
                input.parse::<Token![=]>()?;
            }
            message.args.push((name, input.parse()?));
        }
        Ok(message)
    }
}

impl Lower<'_> {
    /// `panic!`, `unreachable!` and the like: nothing comes after it.
    pub(super) fn panics(&mut self, mac: &Macro, name: &Ident) -> Lowered<Value> {
        let (message, args) = match self.message(mac) {
            Some(message) => message,
            // What cannot be shown here is shown as it is written.
            None => {
                let text = mac.parse_body::<Message>().ok().and_then(|message| message.text);
                let text = text.map_or_else(|| mac.tokens.to_string(), |text| text.value());
                (quote!("{}", #text), Vec::new())
            }
        };
        self.b.effect(Effect { tokens: quote!(::core::#name!(#message)), kind: EffectKind::Panics }, args);
        Ok(Value::Never)
    }

    /// `println!` and the like, if what it shows are numbers.
    pub(super) fn prints(&mut self, mac: &Macro) -> bool {
        let Some((message, args)) = self.message(mac) else { return false };
        let path = &mac.path;
        self.b.effect(Effect { tokens: quote!(#path!(#message)), kind: EffectKind::Prints }, args);
        true
    }

    /// What carries no derivative and is not read is computed, since that may panic.
    pub(super) fn compute(&mut self, value: &Value) {
        let (Value::Other(tokens) | Value::Untyped(Untyped { tokens, number: None, .. })) = value else { return };
        if crate::pass::checks::tokens_may_panic(tokens) {
            let mut args = Vec::new();
            let tokens = placed(tokens.clone(), &mut args);
            self.b.effect(Effect { tokens: quote!(let _ = &#tokens), kind: EffectKind::Computes }, args);
        }
    }

    /// The arguments of a macro that formats, with holes for numbers, which come with it.
    pub(super) fn message(&mut self, mac: &Macro) -> Option<(TokenStream, Vec<Var>)> {
        let Message { text, args } = mac.parse_body().ok()?;
        let Some(text) = text else { return Some((TokenStream::new(), Vec::new())) };
        let captured = captured(&text.value());
        let captured = captured
            .into_iter()
            .filter(|name| !args.iter().any(|(own, _)| own.as_ref().is_some_and(|own| own == name)));
        let captured: Vec<(Option<Ident>, Expr)> = captured
            .map(|name| {
                let name = Ident::new(&name, text.span());
                (Some(name.clone()), syn::parse_quote!(#name))
            })
            .collect();
        let (mut tokens, mut vars) = (text.to_token_stream(), Vec::new());
        for (name, arg) in args.into_iter().chain(captured) {
            let shown = self.shown(&arg, &mut vars)?;
            tokens.extend(match name {
                Some(name) => quote!(, #name = #shown),
                None => quote!(, #shown),
            });
        }
        Some((tokens, vars))
    }

    /// An argument that is shown: a number, or what carries no derivative.
    fn shown(&mut self, arg: &Expr, vars: &mut Vec<Var>) -> Option<TokenStream> {
        if let Expr::Lit(lit) = unparen(arg) {
            return Some(lit.to_token_stream());
        }
        if let Some(error) = self.named_error(arg) {
            return Some(placed(error, vars));
        }
        let (errors, ask) = (self.errors.len(), self.ask.len());
        match self.expr(arg) {
            Ok(Value::Leaf(var, _)) if self.b.ty(var).is_scalar() => {
                vars.push(var);
                Some(hole(vars.len() - 1).to_token_stream())
            }
            // They may name what a function without a derivative gave.
            Ok(Value::Other(tokens) | Value::Untyped(Untyped { tokens, .. })) => Some(placed(tokens, vars)),
            _ => {
                self.errors.truncate(errors);
                self.ask.truncate(ask);
                None
            }
        }
    }
}

/// The names in a format string: `x` of `{x:?}`.
fn captured(text: &str) -> Vec<String> {
    let text = text.replace("{{", "").replace("}}", "");
    let mut names = Vec::new();
    for part in text.split('{').skip(1) {
        let inside = part.split('}').next().unwrap_or_default();
        let (name, format) = inside.split_once(':').unwrap_or((inside, ""));
        let widths = format
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .filter_map(|part| part.strip_suffix('$'));
        for name in std::iter::once(name).chain(widths) {
            let name = name.trim();
            if syn::parse_str::<Ident>(name).is_ok() && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}
