//! Integers: those that are constants stay constants, so that loops over them have constant bounds; and their types, as far
//! as they are written.

use super::Lower;
use super::assign::unparen;
use super::value::Value;
use crate::diag::Error;
use crate::ir::dim::{Comparison, Dim};
use crate::ir::{Elem, Var};
use crate::layout::Form;
use crate::parse::ty::INTEGERS;
use proc_macro2::{TokenStream, TokenTree};
use syn::{BinOp, Expr, Lit, UnOp};

impl Lower<'_> {
    /// `a op b`, if both are constants.
    pub(super) fn constant_sum(&mut self, op: &BinOp, a: Var, b: Var) -> Option<Dim> {
        let (a, b) = (self.fixed(a)?, self.fixed(b)?);
        match op {
            BinOp::Add(_) => Some(a.plus(&b)),
            BinOp::Sub(_) => Some(a.minus(&b)),
            BinOp::Mul(_) => Some(a.times(&b)),
            _ => None,
        }
    }

    /// `a.min(b)` and its like, if both are constants.
    pub(super) fn constant_method(&mut self, name: &str, a: Var, b: Var) -> Option<Dim> {
        if !matches!(name, "min" | "max" | "saturating_sub" | "div_ceil") {
            return None;
        }
        let (a, b) = (self.fixed(a)?, self.fixed(b)?);
        match (name, a.as_literal(), b.as_literal()) {
            ("min", Some(x), Some(y)) => Some(Dim::literal(x.min(y))),
            ("max", Some(x), Some(y)) => Some(Dim::literal(x.max(y))),
            ("min" | "max", ..) if matches!(a.compare(&b), Comparison::Equal) => Some(a),
            ("saturating_sub", Some(x), Some(y)) => Some(Dim::literal((x - y).max(0))),
            ("div_ceil", Some(x), Some(y)) if y > 0 => Some(Dim::literal((x + y - 1) / y)),
            _ => None,
        }
    }

    fn fixed(&mut self, var: Var) -> Option<Dim> {
        self.constant_dim(var).filter(|dim| !dim.is_dynamic())
    }

    /// The type of an integer, where it is visible without computing it.
    pub(super) fn integer_type(&self, expr: &Expr) -> Option<Elem> {
        let named = |name: &str| INTEGERS.contains(&name).then(|| Elem::Int(name.into()));
        match unparen(expr) {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(int) => named(int.suffix()),
                _ => None,
            },
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                match self.lookup(&name) {
                    Some(binding) => self.element_type(binding.value.as_ref()?),
                    None => {
                        let mut own = self.function.item.sig.generics.const_params();
                        own.any(|param| param.ident == name).then(Elem::usize)
                    }
                }
            }
            Expr::Field(_) => self.element_type(&self.named(expr)?),
            Expr::Index(index) => self.element_type(&self.named(&index.expr)?),
            Expr::Cast(cast) => named(&crate::parse::ty::spelled(&cast.ty)),
            Expr::Reference(reference) => self.integer_type(&reference.expr),
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Not(_)) => self.integer_type(&unary.expr),
            Expr::Binary(binary) => {
                let shift = matches!(binary.op, BinOp::Shl(_) | BinOp::Shr(_));
                let right = || if shift { None } else { self.integer_type(&binary.right) };
                self.integer_type(&binary.left).or_else(right)
            }
            Expr::MethodCall(call) => match &call.method.to_string()[..] {
                "len" | "count" => Some(Elem::usize()),
                "abs" | "pow" | "clone" | "rem_euclid" | "div_euclid" => self.integer_type(&call.receiver),
                "min" | "max" | "clamp" | "saturating_sub" | "saturating_add" | "div_ceil" => {
                    self.integer_type(&call.receiver).or_else(|| self.integer_type(call.args.first()?))
                }
                _ => None,
            },
            Expr::Call(call) => match unparen(&call.func) {
                Expr::Path(path) if path.path.segments.len() == 2 => named(&path.path.segments[0].ident.to_string()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of an integer that is made of literals.
    pub(super) fn literal_integer(&mut self, value: &Value) -> Option<i64> {
        match value {
            Value::Untyped(untyped) if untyped.integer => untyped.number.map(|number| number as i64),
            Value::Leaf(var, Form::Plain) => match self.b.as_const(*var) {
                Some(value) => Some(value as i64),
                None => self.fixed(*var)?.as_literal(),
            },
            _ => None,
        }
    }

    /// What a variable counts, where its `let` does not say so.
    pub(super) fn counted_type(&self, pattern: &syn::PatIdent) -> Option<Elem> {
        Some(Elem::Int(self.counted.get(&super::learned::origin(pattern))?.as_str().into()))
    }

    /// That literals are taken for integers of a type; rustc confirms it.
    pub(super) fn claim(&mut self, tokens: &TokenStream, elem: &Elem) {
        let mut found = Vec::new();
        doubtful(tokens, &mut found);
        for (literal, tokens) in found {
            let Elem::Int(name) = elem else { continue };
            if !self.claims.claim(literal, name) {
                self.errors.push(type_not_visible(&tokens));
            }
        }
    }

    /// That an integer is taken for an index, since nothing tells its type.
    pub(super) fn guess(&mut self, tokens: &TokenStream) {
        let mut found = Vec::new();
        doubtful(tokens, &mut found);
        self.guesses.extend(found.into_iter().map(|(_, tokens)| tokens));
    }

    /// The type of an integer, or of those in an array.
    fn element_type(&self, value: &Value) -> Option<Elem> {
        let elem = match value {
            Value::Leaf(var, _) => self.b.ty(*var).elem.clone(),
            Value::Slice(slice) => self.b.ty(slice.array()?.0).elem.clone(),
            _ => return None,
        };
        matches!(elem, Elem::Int(_)).then_some(elem)
    }
}

/// What to say of a literal whose type nothing tells.
pub(super) fn type_not_visible(literal: &TokenStream) -> Error {
    let text = crate::integers::unmarked(literal.clone()).to_string();
    Error::new(literal, format!("the type of the integer `{text}` is not visible here"))
        .help(format!("write it: `{text}_i32`, or `{text}_usize` for an index"))
}

/// The literals without a type that an expression is made of, by their numbers, with their tokens.
fn doubtful(tokens: &TokenStream, found: &mut Vec<(usize, TokenStream)>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => doubtful(&group.stream(), found),
            TokenTree::Literal(literal) => {
                let tokens = TokenStream::from(TokenTree::Literal(literal));
                let number =
                    syn::parse2::<syn::LitInt>(tokens.clone()).ok().and_then(|own| crate::integers::mark_of(&own));
                found.extend(number.map(|number| (number, tokens)));
            }
            _ => {}
        }
    }
}
