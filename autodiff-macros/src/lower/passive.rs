//! Numbers out of parameters that are only passed on.
//!
//! Note [Elements of what carries no derivative]. A pullback does not have such a parameter any more, so that what is read
//! of it has to be a residual. Outside of loops it is read before the statement around it (Note [Patterns of what carries
//! no derivative]). In a loop over a slice, `ms[i].w` is an element of an array that is made before the loop.

use super::Lower;
use super::assign::unparen;
use super::call::strip_borrow;
use super::passive_pattern::{field_of_bound, is_total};
use super::slice::Slice;
use super::value::{Value, dereferenced};
use crate::ir::dim::Dim;
use crate::ir::{Elem, Opaque, Ty, Var, placed};
use crate::layout::{Form, Kind};
use crate::parse::ty::{Held, Surface};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::rc::Rc;
use syn::Expr;
use syn::visit_mut::VisitMut;

impl Lower<'_> {
    /// A number or a truth value from tokens that carry no derivative; `read` makes it from what they stand for.
    pub(super) fn passive_number(
        &mut self,
        tokens: &TokenStream,
        elem: &Elem,
        read: &dyn Fn(&TokenStream) -> TokenStream,
    ) -> Var {
        if let Some(number) = self.read_each(tokens, elem, read) {
            return number;
        }
        let tokens = read(&dereferenced(tokens.clone()));
        let opaque = Opaque::pure(tokens.clone());
        match is_total(&tokens) && !reads_variable(&tokens) {
            true => self.b.opaque_before(opaque, Ty::scalar(elem.clone())),
            false => self.b.opaque(opaque, Vec::new(), Ty::scalar(elem.clone())),
        }
    }

    /// A struct out of what carries no derivative, such as a constant, as far as its parts have visible types.
    pub(super) fn passive_struct(&mut self, tokens: &TokenStream, surface: &Surface) -> Option<Value> {
        let tokens = &dereferenced(tokens.clone());
        match surface {
            Surface::Scalar(elem) => Some(Value::Leaf(self.passive_number(tokens, elem, &Clone::clone), Form::Plain)),
            Surface::Seq(inner, _) => {
                let len = self.b.opaque(Opaque::pure(quote!(#tokens.len())), Vec::new(), Ty::index());
                let Some(ty) = inner.leaf() else {
                    let columns = self.passive_columns(tokens, &Dim::of(len), inner, &TokenStream::new())?;
                    return Some(Value::Slice(Rc::new(Slice::all(columns, Dim::of(len)))));
                };
                if ty.is_dynamic() {
                    return None;
                }
                let ty = Ty::tensor(ty.elem, [vec![Dim::of(len)], ty.dims].concat());
                let copy = Opaque::pure(quote!(#tokens.to_vec()));
                Some(Value::Leaf(self.b.opaque(copy, Vec::new(), ty), Form::Plain))
            }
            Surface::Array(..) | Surface::Tensor(..) | Surface::Matrix(..) => {
                let ty = surface.leaf().filter(|ty| !ty.is_dynamic())?;
                let form = Form::of(surface);
                let array = match form.is_matrix() {
                    true => form.array_in(quote!((#tokens))),
                    false => tokens.clone(),
                };
                Some(Value::Leaf(self.b.opaque(Opaque::pure(array), Vec::new(), ty), form))
            }
            Surface::Tuple(parts) => {
                let parts = parts
                    .iter()
                    .enumerate()
                    .map(|(k, part)| self.passive_struct(&member_of(tokens, &syn::Member::from(k)), part));
                Some(Value::tuple(parts.collect::<Option<_>>()?))
            }
            Surface::Struct(ty) if super::plain::is_plain(ty) => self.plain_parts(tokens, ty),
            Surface::Struct(ty) if ty.variants.is_empty() && !ty.is_option => {
                let parts = ty.fields.iter().map(|field| {
                    let part = match field.held {
                        Held::Change => return self.no_change(&field.ty),
                        Held::Read(read) => {
                            let read: TokenStream = read.parse().unwrap_or_default();
                            quote!(#tokens.#read)
                        }
                        Held::Whole => quote!(#tokens.as_slice()),
                        _ => member_of(tokens, &field.member),
                    };
                    match &field.ty {
                        // A text, a map: it is only passed on.
                        Surface::Other(_) if !field.active => Some(Value::Other(part)),
                        ty => self.passive_struct(&part, ty),
                    }
                });
                Some(Value::Parts(Kind::Struct(ty.clone()), parts.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    /// A slice of tuples or of structs, an array for each of their numbers.
    fn passive_columns(&mut self, tokens: &TokenStream, len: &Dim, of: &Surface, part: &TokenStream) -> Option<Value> {
        match of {
            Surface::Scalar(elem) => {
                let element = element();
                let numbers = Opaque::pure(quote!(#tokens.iter().map(|#element| #element #part).collect()));
                let ty = Ty::tensor(elem.clone(), vec![len.clone()]);
                Some(Value::Leaf(self.b.opaque(numbers, Vec::new(), ty), Form::Plain))
            }
            Surface::Tuple(parts) => {
                let parts = parts.iter().enumerate().map(|(k, ty)| {
                    let member = syn::Index::from(k);
                    self.passive_columns(tokens, len, ty, &quote!(#part.#member))
                });
                Some(Value::tuple(parts.collect::<Option<_>>()?))
            }
            Surface::Struct(ty) if ty.variants.is_empty() && !ty.is_option && !super::plain::is_plain(ty) => {
                let parts = ty.fields.iter().map(|field| {
                    let member = &field.member;
                    self.passive_columns(tokens, len, &field.ty, &quote!(#part.#member))
                });
                Some(Value::Parts(Kind::Struct(ty.clone()), parts.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    /// See Note [Elements of what carries no derivative].
    fn read_each(
        &mut self,
        tokens: &TokenStream,
        elem: &Elem,
        read: &dyn Fn(&TokenStream) -> TokenStream,
    ) -> Option<Var> {
        if !reads_variable(tokens) {
            return None;
        }
        let mut expr = syn::parse2::<Expr>(tokens.clone()).ok()?;
        let mut split = Split { found: None, several: false };
        split.visit_expr_mut(&mut expr);
        let (base, index) = split.found.filter(|_| !split.several)?;
        // What is borrowed is gone through as well as the borrow.
        let base = match strip_borrow(&base) {
            base @ Expr::Unary(_) => quote!((#base)),
            base => base.to_token_stream(),
        };
        let element = element();
        let rest = dereferenced(expr.to_token_stream());
        let value = deref(read(&rest), &element);
        let is_ready =
            |tokens: &TokenStream| is_total(tokens) || matches!(syn::parse2::<Expr>(tokens.clone()), Ok(Expr::Path(_)));
        if reads_variable(&rest) || !is_ready(&rest) || !is_ready(&base) || !self.is_out_of_reach(&base) {
            return None;
        }
        let length = Opaque::pure(quote!(#base.len()));
        let length = self.b.opaque_before(length, Ty::index());
        let all = quote!({
            use ::core::iter::Iterator as _;
            #base.iter().map(|#element| #value).collect()
        });
        let ty = Ty::tensor(elem.clone(), vec![Dim::of(length)]);
        let all = self.b.opaque_before(Opaque::pure(all), ty);
        Some(self.b.get(all, &[index]))
    }

    /// Whether tokens name a parameter that is only passed on.
    fn is_out_of_reach(&self, tokens: &TokenStream) -> bool {
        let passed_on = |name: &str| {
            let root = self.function.params.iter().position(|param| param.name == name);
            root.is_some_and(|root| !self.leaves.iter().any(|leaf| leaf.access.root == root))
        };
        tokens.clone().into_iter().any(|token| match token {
            TokenTree::Ident(ident) => passed_on(&ident.to_string()),
            TokenTree::Group(group) => self.is_out_of_reach(&group.stream()),
            _ => false,
        })
    }
}

/// A field of what carries no derivative. What a pattern has bound need not have a default, as long as its fields have one.
fn member_of(tokens: &TokenStream, member: &syn::Member) -> TokenStream {
    field_of_bound(tokens, member).unwrap_or_else(|| quote!(#tokens.#member))
}

/// The elements are behind references.
fn deref(tokens: TokenStream, element: &proc_macro2::Ident) -> TokenStream {
    let deref = |token| match token {
        TokenTree::Ident(ident) if ident == *element => quote!((*#ident)),
        TokenTree::Group(group) => {
            let mut inner = proc_macro2::Group::new(group.delimiter(), deref(group.stream(), element));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        token => token.into(),
    };
    tokens.into_iter().flat_map(deref).collect()
}

/// Whether a number of the body is read in tokens.
fn reads_variable(tokens: &TokenStream) -> bool {
    let mut vars = Vec::new();
    placed(tokens.clone(), &mut vars);
    !vars.is_empty()
}

/// What stands for an element.
fn element() -> proc_macro2::Ident {
    format_ident!("__autodiff_element")
}

/// Takes the slice and the index out of an expression, and leaves the element.
struct Split {
    found: Option<(Expr, Var)>,
    several: bool,
}

impl VisitMut for Split {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Index(at) = expr {
            let mut vars = Vec::new();
            let index = placed(at.index.to_token_stream(), &mut vars);
            let alone = matches!(syn::parse2::<Expr>(index), Ok(Expr::Path(_)));
            if let ([index], true, false) = (&vars[..], alone, reads_variable(&at.expr.to_token_stream())) {
                self.several |= self.found.is_some();
                self.found = Some((unparen(&at.expr).clone(), *index));
                let element = element();
                *expr = syn::parse_quote!(#element);
                return;
            }
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }
}
