//! Comparisons of tuples, structs and arrays.
//!
//! What is equal, and what is less, the type says, `#[derive(PartialEq, PartialOrd)]` or an `impl`: so structs are put together and
//! compared by rustc. A tuple is compared part by part for equality, and an array as a slice, whatever it is in the generated code.

use super::Lower;
use super::value::{Lowered, Untyped, Value, dereferenced};
use crate::ir::{Elem, Opaque, Ty, Var, late};
use crate::layout::{Form, Kind};
use crate::op::elementwise as rows;
use crate::parse::tokens::cloned;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{BinOp, Expr};

impl Lower<'_> {
    /// Nothing, if it is a comparison of something else.
    pub(super) fn equality(&mut self, op: &BinOp, left: &Value, right: &Value) -> Option<Lowered<Value>> {
        let negated = match op {
            BinOp::Eq(_) => false,
            BinOp::Ne(_) => true,
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                let (left, right) = self.both_together(left, right)?;
                return Some(Ok(Value::Leaf(self.decided(quote!((#left) #op (#right))), Form::Plain)));
            }
            _ => return None,
        };
        let has_parts = |value: &Value| match value {
            Value::Parts(Kind::Struct(ty), _) => !ty.is_enum() || super::plain::is_plain(ty),
            Value::Parts(Kind::Tuple, parts) => !parts.is_empty(),
            value => self.is_list(value),
        };
        if !has_parts(left) && !has_parts(right) {
            return None;
        }
        let equal = self.equal(left, right)?;
        let truth = if negated { self.b.map(&rows::not, &[equal]) } else { equal };
        Some(Ok(Value::Leaf(truth, Form::Plain)))
    }

    /// Two structs or tuples, of which one may be a constant, as expressions.
    fn both_together(&self, left: &Value, right: &Value) -> Option<(TokenStream, TokenStream)> {
        let has_parts = |value: &Value| match value {
            Value::Parts(Kind::Struct(ty), _) => !ty.is_enum(),
            Value::Parts(Kind::Tuple, parts) => !parts.is_empty(),
            _ => false,
        };
        if !has_parts(left) && !has_parts(right) {
            return None;
        }
        Some((self.put_together(left)?, self.put_together(right)?))
    }

    /// Which of two structs or tuples is less, as two numbers of which that one is less: none is, if they cannot be compared.
    pub(super) fn order_of_parts(&mut self, method: &Ident, left: &Value, right: &Value) -> Option<(Var, Var)> {
        let (left, right) = self.both_together(left, right)?;
        let order = match method == "partial_cmp" {
            true => quote!(::core::cmp::PartialOrd::partial_cmp(&#left, &#right)),
            false => quote!(::core::option::Option::Some(::core::cmp::Ord::cmp(&#left, &#right))),
        };
        let order = quote! {
            match #order {
                ::core::option::Option::Some(order) => order as i8 as f64,
                ::core::option::Option::None => ::core::primitive::f64::NAN,
            }
        };
        let order = self.b.opaque(Opaque::pure(order), Vec::new(), Ty::scalar(Elem::F64));
        let zero = self.b.opaque(Opaque::pure(quote!(0.0_f64)), Vec::new(), Ty::scalar(Elem::F64));
        Some((order, zero))
    }

    fn is_list(&self, value: &Value) -> bool {
        matches!(value, Value::Leaf(var, Form::Plain) if self.b.ty(*var).rank() == 1)
    }

    fn equal(&mut self, left: &Value, right: &Value) -> Option<Var> {
        match (left, right) {
            (Value::Parts(Kind::Tuple, left), Value::Parts(Kind::Tuple, right)) if left.len() == right.len() => {
                let mut all: Option<Var> = None;
                for (left, right) in left.iter().zip(right) {
                    let equal = self.equal(left, right)?;
                    all = Some(match all {
                        Some(before) => {
                            let (before, equal) = (late(before), late(equal));
                            self.decided(quote!(#before && #equal))
                        }
                        None => equal,
                    });
                }
                all
            }
            (Value::Leaf(left, Form::Plain), Value::Leaf(right, Form::Plain))
                if self.b.ty(*left).is_scalar() && self.b.ty(*left) == self.b.ty(*right) =>
            {
                let (left, right) = (late(*left), late(*right));
                Some(self.decided(quote!(#left == #right)))
            }
            (Value::Leaf(var, Form::Plain), Value::Untyped(untyped)) if self.b.ty(*var).is_scalar() => {
                let elem = self.b.ty(*var).elem.clone();
                let right = self.typed(untyped, &elem);
                self.equal(left, &right)
            }
            (Value::Untyped(_), Value::Leaf(var, Form::Plain)) if self.b.ty(*var).is_scalar() => {
                self.equal(right, left)
            }
            _ if self.is_list(left) || self.is_list(right) => {
                let (left, right) = (self.listed(left)?, self.listed(right)?);
                Some(self.decided(quote!(#left[..] == #right[..])))
            }
            _ => {
                let (left, right) = (self.put_together(left)?, self.put_together(right)?);
                Some(self.decided(quote!((#left) == (#right))))
            }
        }
    }

    fn decided(&mut self, tokens: TokenStream) -> Var {
        self.b.opaque(Opaque::pure(tokens), Vec::new(), Ty::scalar(Elem::Bool))
    }

    fn listed(&self, value: &Value) -> Option<TokenStream> {
        match value {
            Value::Leaf(var, Form::Plain) if self.b.ty(*var).rank() == 1 => Some(late(*var).to_token_stream()),
            Value::Untyped(Untyped { number: None, .. }) | Value::Other(_) => {
                Some(dereferenced(self.passive_tokens(value)?))
            }
            _ => None,
        }
    }

    /// A struct of numbers and of arrays of numbers as an expression.
    fn put_together(&self, value: &Value) -> Option<TokenStream> {
        match value {
            Value::Leaf(var, Form::Plain) if self.b.ty(*var).is_scalar() => Some(late(*var).to_token_stream()),
            // A parameter is behind a reference.
            Value::Leaf(var, Form::Plain) if !self.b.ty(*var).is_dynamic() => {
                let array = late(*var);
                Some(quote!(#array.clone()))
            }
            Value::Parts(Kind::Struct(ty), parts) if !ty.is_enum() => {
                let mut path = ty.path.clone();
                for segment in &mut path.segments {
                    if let syn::PathArguments::AngleBracketed(args) = &mut segment.arguments {
                        args.colon2_token.get_or_insert_with(Default::default);
                    }
                }
                let parts = ty.fields.iter().zip(parts).map(|(field, part)| {
                    let (member, part) = (&field.member, self.put_together(part)?);
                    let krate = crate::parse::tokens::crate_path(&self.function.attr);
                    let part = if field.held == crate::parse::ty::Held::Boxed {
                        quote!(#krate::__private::Box::new(#part))
                    } else {
                        part
                    };
                    Some(quote!(#member: #part))
                });
                let parts = parts.collect::<Option<Vec<_>>>()?;
                Some(quote!(#path { #(#parts),* }))
            }
            Value::Parts(Kind::Struct(ty), parts) if super::plain::is_plain(ty) => self.plain_tokens(ty, parts),
            Value::Parts(Kind::Tuple, parts) => {
                let parts = parts.iter().map(|part| self.put_together(part)).collect::<Option<Vec<_>>>()?;
                Some(quote!((#(#parts,)*)))
            }
            Value::Untyped(Untyped { number: None, .. }) | Value::Other(_) => {
                let tokens = dereferenced(self.passive_tokens(value)?);
                // A part of what is only lent.
                let is_part = matches!(syn::parse2(tokens.clone()), Ok(Expr::Field(_) | Expr::Index(_)));
                Some(if is_part { cloned(&tokens) } else { tokens })
            }
            Value::Untyped(untyped) => Some(untyped.tokens.clone()),
            _ => None,
        }
    }
}
