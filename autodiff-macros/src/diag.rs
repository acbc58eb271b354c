//! Errors: collected while the compiler runs, rendered once at the end.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// One mistake of the user's, at the smallest wrong expression.
#[derive(Clone, Debug)]
pub struct Error {
    span: Span,
    end: Span,
    message: String,
    notes: Vec<String>,
    help: Option<String>,
    /// Whether what is reported is a mistake in Rust, too, so that rustc must not see it.
    ill_typed: bool,
    /// Whether rustc reports it, and better.
    silent: bool,
}

impl Error {
    pub fn new(at: &impl quote::ToTokens, message: impl Into<String>) -> Error {
        let mut spans = at.to_token_stream().into_iter().map(|token| token.span());
        let span = spans.next().unwrap_or_else(Span::call_site);
        let end = spans.last().unwrap_or(span);
        Error { span, end, message: message.into(), notes: Vec::new(), help: None, ill_typed: true, silent: false }
    }

    pub fn at(span: Span, message: impl Into<String>) -> Error {
        Error {
            span,
            end: span,
            message: message.into(),
            notes: Vec::new(),
            help: None,
            ill_typed: true,
            silent: false,
        }
    }

    /// The rule that was broken.
    pub fn note(mut self, note: impl Into<String>) -> Error {
        self.notes.push(note.into());
        self
    }

    /// An edit that compiles.
    pub fn help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }

    /// The construct is fine Rust; only its derivative is missing.
    pub fn plain_rust(mut self) -> Error {
        self.ill_typed = false;
        self
    }

    /// Says nothing: rustc reports this, and better.
    pub fn left_to_rustc(mut self) -> Error {
        self.silent = true;
        self
    }

    pub fn text(&self) -> String {
        let mut text = self.message.clone();
        for note in &self.notes {
            text.push_str("\nnote: ");
            text.push_str(note);
        }
        if let Some(help) = &self.help {
            text.push_str("\nhelp: ");
            text.push_str(help);
        }
        readable(&text)
    }

    fn render(&self) -> TokenStream {
        let text = self.text();
        // rustc underlines from the first token of the macro call to its last.
        let head = quote_spanned!(self.span=> ::core::compile_error!);
        let body = quote_spanned!(self.end=> { #text });
        quote::quote!(#head #body)
    }
}

impl From<syn::Error> for Error {
    fn from(error: syn::Error) -> Error {
        Error::at(error.span(), error.to_string())
    }
}

/// Constants that another item exports, under the names they have there: `<m::Net>::AUTODIFF_IN` is `IN`.
pub fn readable(text: &str) -> String {
    const EXPORTED: &str = ">::AUTODIFF_";
    let mut text = text.to_owned();
    while let Some(at) = text.find(EXPORTED) {
        // Back to the `<` that belongs to the `>`.
        let mut depth = 0;
        let start = text[..=at].char_indices().rev().find(|(_, c)| {
            depth += i32::from(*c == '>') - i32::from(*c == '<');
            depth == 0
        });
        let start = start.map_or(at, |(start, _)| start);
        text.replace_range(start..at + EXPORTED.len(), "");
        // What is known of its value is no part of its name.
        let name = text[start..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(text.len(), |len| start + len);
        if let Some(at) = text[start..name].rfind("_is_") {
            text.replace_range(start + at..name, "");
        }
    }
    text
}

/// "1 argument", "2 arguments"
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// "1 is", "2 are"
pub fn are(count: usize) -> String {
    format!("{count} {}", if count == 1 { "is" } else { "are" })
}

/// All mistakes of one item.
#[derive(Clone, Debug, Default)]
pub struct Errors(Vec<Error>);

impl Errors {
    pub fn push(&mut self, error: Error) {
        self.0.push(error);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes back what has been reported since there were `len`.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    pub fn extend(&mut self, other: Errors) {
        self.0.extend(other.0);
    }

    /// Whether the function is plain Rust as far as can be seen.
    pub fn plain_rust(&self) -> bool {
        self.0.iter().all(|error| !error.ill_typed)
    }

    #[cfg(test)]
    pub fn texts(&self) -> Vec<String> {
        self.0.iter().map(Error::text).collect()
    }

    /// With another name for a parameter or function.
    pub fn renamed(&self, from: &proc_macro2::Ident, to: &str) -> Errors {
        let around = [("`", "`"), ("`", "."), ("`#[no_diff] ", "`")];
        let rename = |text: &String| {
            let texts = around.iter().map(|(a, b)| (format!("{a}{from}{b}"), format!("{a}{to}{b}")));
            texts.fold(text.clone(), |text, (from, to)| text.replace(&from, &to))
        };
        let errors = self.0.iter().map(|error| Error {
            message: rename(&error.message),
            notes: error.notes.iter().map(rename).collect(),
            help: error.help.as_ref().map(rename),
            ..error.clone()
        });
        Errors(errors.collect())
    }

    pub fn render(&self) -> TokenStream {
        self.0.iter().filter(|error| !error.silent).map(Error::render).collect()
    }
}

impl From<Error> for Errors {
    fn from(error: Error) -> Errors {
        Errors(vec![error])
    }
}

impl From<syn::Error> for Errors {
    fn from(errors: syn::Error) -> Errors {
        Errors(errors.into_iter().map(Error::from).collect())
    }
}
