//! Loops over maps and sets without a derivative.
//!
//! What a `HashMap` or a `BTreeMap` holds is not found by a number. So its entries are put into a list where the loop begins, and
//! the loop is one over the list. The order is that of the map, which is the same every time as long as nothing is changed.
//! Which values are maps, the signature says, and the file for fields of parameters.

use super::build::{At, bare};
use super::iter::LIST;
use crate::parse::ty::generic_args;
use proc_macro2::Ident;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprMethodCall, FnArg, ItemFn, Member, Pat, Type, parse_quote_spanned};

/// What the file says of the type of a field.
pub type FieldType<'s> = &'s dyn Fn(&Type, &Member) -> Option<Type>;

/// Puts lists in the places of the maps and sets that a body goes over.
pub fn listed(function: &ItemFn, body: &mut Block, field_type: FieldType) {
    Maps { function, field_type, shadowed: super::names::defined_in(body) }.visit_block_mut(body);
}

struct Maps<'f> {
    function: &'f ItemFn,
    field_type: FieldType<'f>,
    /// Names that the body gives to something else, too.
    shadowed: std::collections::HashSet<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Map,
    Set,
}

impl Maps<'_> {
    fn type_of(&self, expr: &Expr) -> Option<Type> {
        match bare(expr.clone()) {
            Expr::Path(path) => {
                let name = path.path.get_ident().filter(|name| !self.shadowed.contains(&name.to_string()))?;
                self.function.sig.inputs.iter().find_map(|input| match input {
                    FnArg::Typed(input) => match &*input.pat {
                        Pat::Ident(param) if param.ident == *name => Some((*input.ty).clone()),
                        _ => None,
                    },
                    FnArg::Receiver(_) => None,
                })
            }
            Expr::Field(field) => (self.field_type)(&self.type_of(&field.base)?, &field.member),
            Expr::Reference(reference) if reference.mutability.is_none() => self.type_of(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.type_of(&unary.expr),
            _ => None,
        }
    }

    fn kind(&self, expr: &Expr) -> Option<Kind> {
        fn of(ty: &Type) -> Option<Kind> {
            match ty {
                Type::Reference(reference) if reference.mutability.is_none() => of(&reference.elem),
                Type::Path(path) => match &path.path.segments.last()?.ident.to_string()[..] {
                    "Rc" | "Arc" | "Box" => match &generic_args(&path.path)[..] {
                        [syn::GenericArgument::Type(inner), ..] => of(inner),
                        _ => None,
                    },
                    "HashMap" | "BTreeMap" => Some(Kind::Map),
                    "HashSet" | "BTreeSet" => Some(Kind::Set),
                    _ => None,
                },
                _ => None,
            }
        }
        of(&self.type_of(expr)?)
    }

    /// The entries of a map, as an iterator over a list.
    fn entries(&self, map: &Expr, at: At) -> Option<Expr> {
        let map = match bare(map.clone()) {
            Expr::Reference(reference) => *reference.expr,
            other => other,
        };
        let (kind, list, span) = (self.kind(&map)?, Ident::new(LIST, at.0), at.0);
        Some(match kind {
            Kind::Map => parse_quote_spanned! {span=>
                #map.keys().cloned().collect::<#list<_>>().iter().zip(#map.values().cloned().collect::<#list<_>>().iter())
            },
            Kind::Set => parse_quote_spanned!(span=> #map.iter().cloned().collect::<#list<_>>().iter()),
        })
    }

    fn method(&self, call: &ExprMethodCall) -> Option<Expr> {
        let (map, at) = (&call.receiver, At(call.method.span()));
        let (list, span) = (Ident::new(LIST, at.0), at.0);
        match (&call.method.to_string()[..], call.args.is_empty()) {
            ("iter" | "into_iter", true) => self.entries(map, at),
            (name @ ("keys" | "values"), true) if self.kind(map)? == Kind::Map => {
                let method = Ident::new(name, at.0);
                Some(parse_quote_spanned!(span=> #map.#method().cloned().collect::<#list<_>>().iter()))
            }
            _ => None,
        }
    }
}

impl VisitMut for Maps<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let listed = match expr {
            Expr::MethodCall(call) => self.method(call),
            Expr::ForLoop(repeat) => {
                if let Some(entries) = self.entries(&repeat.expr, At(repeat.for_token.span)) {
                    *repeat.expr = entries;
                    self.visit_block_mut(&mut repeat.body);
                    return;
                }
                None
            }
            _ => None,
        };
        match listed {
            Some(listed) => *expr = listed,
            None => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
