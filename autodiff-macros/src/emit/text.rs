//! Tokens of an expression while it grows.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::fmt;
use std::rc::Rc;

/// Tokens as a list. Inside rustc a stream belongs to the compiler: whatever joins two of them is a call there, which would
/// take most of the time in which an expression is put together from its parts.
#[derive(Clone, Default)]
pub(super) struct Text(Rc<Vec<TokenTree>>);

impl Text {
    /// One after the other.
    pub fn of(parts: &[&Text]) -> Text {
        let mut all = Vec::with_capacity(parts.iter().map(|part| part.0.len()).sum());
        parts.iter().for_each(|part| all.extend_from_slice(&part.0));
        Text(Rc::new(all))
    }

    /// An operator such as `+` or `<=`.
    pub fn sign(sign: &str) -> Text {
        let last = sign.len().saturating_sub(1);
        let spacing = |k| if k < last { Spacing::Joint } else { Spacing::Alone };
        let puncts = sign.chars().enumerate().map(|(k, c)| Punct::new(c, spacing(k)).into());
        Text(Rc::new(puncts.collect()))
    }

    pub fn in_parentheses(&self) -> Text {
        TokenTree::from(Group::new(Delimiter::Parenthesis, self.to_token_stream())).into()
    }

    /// Writes `let name = …;`.
    pub fn bind(&self, name: &Ident, out: &mut TokenStream) {
        let word = Ident::new("let", Span::call_site());
        out.extend([TokenTree::from(word), name.clone().into(), Punct::new('=', Spacing::Alone).into()]);
        out.extend(self.0.iter().cloned());
        out.extend([TokenTree::from(Punct::new(';', Spacing::Alone))]);
    }

    /// Whether this is a name and nothing else.
    pub fn is(&self, name: &Ident) -> bool {
        matches!(&self.0[..], [TokenTree::Ident(only)] if only == name)
    }

    /// The tokens outside of parentheses, brackets and braces.
    pub fn trees(&self) -> &[TokenTree] {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_token_stream().fmt(f)
    }
}

impl ToTokens for Text {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().cloned());
    }
}

impl From<TokenTree> for Text {
    fn from(tree: TokenTree) -> Text {
        Text(Rc::new(vec![tree]))
    }
}

impl From<Ident> for Text {
    fn from(ident: Ident) -> Text {
        TokenTree::Ident(ident).into()
    }
}

impl From<TokenStream> for Text {
    fn from(tokens: TokenStream) -> Text {
        Text(Rc::new(tokens.into_iter().collect()))
    }
}

impl From<Text> for TokenStream {
    fn from(text: Text) -> TokenStream {
        text.to_token_stream()
    }
}
