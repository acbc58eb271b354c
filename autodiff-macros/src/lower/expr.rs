//! Expressions.

use super::arithmetic::is_comparison;
use super::assign::{is_assignment, unparen};
use super::value::{Lowered, Reported, Untyped, Value};
use super::{Lower, MAX_DEPTH};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::ir::{Elem, Opaque, Ty, Var};
use crate::layout::{Form, Kind};
use crate::parse::ty::{INTEGERS, Surface};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lit};

impl Lower<'_> {
    /// An operand.
    ///
    /// Note [Operands are pure]. Rust evaluates operands in order, and each may change what the others read. Desugaring has
    /// made every such effect a statement of its own, see Note [Order of evaluation] in [`crate::desugar`]. So an operand
    /// changes no variable that was there before it, in whatever order it is lowered; what would is refused in
    /// [`Lower::store_at`], since an order that is wrong is a wrong number. Statements, the values of `let` and of
    /// assignments, and branches are lowered by [`Lower::root`].
    pub(super) fn expr(&mut self, expr: &Expr) -> Lowered<Value> {
        self.expr_expecting(expr, None)
    }

    /// An operand whose type the context knows, if any.
    pub(super) fn expr_expecting(&mut self, expr: &Expr, expected: Option<&Surface>) -> Lowered<Value> {
        let value = self.expr_as_held(expr, expected)?;
        Ok(self.unit_as_vector(value))
    }

    /// The same, where a unit vector is still one.
    pub(super) fn expr_as_held(&mut self, expr: &Expr, expected: Option<&Surface>) -> Lowered<Value> {
        let around = std::mem::replace(&mut self.frozen, self.env.len());
        let value = self.root(expr, expected);
        self.frozen = around;
        value
    }

    /// An expression that may have effects: it is evaluated alone.
    pub(super) fn root(&mut self, expr: &Expr, expected: Option<&Surface>) -> Lowered<Value> {
        self.depth += 1;
        let result = if self.depth > MAX_DEPTH {
            self.unsupported(expr, "an expression nested this deep", "name its parts with `let`")
        } else {
            self.expr_inner(expr, expected)
        };
        self.depth -= 1;
        result
    }

    fn expr_inner(&mut self, expr: &Expr, expected: Option<&Surface>) -> Lowered<Value> {
        match expr {
            Expr::Lit(lit) => self.literal(lit),
            Expr::Path(_) if self.named_error(expr).is_some() => self.unsupported(
                expr,
                "reading the error of a `Result`",
                "match `Err(_)`, or return what is read as a number",
            ),
            Expr::Path(path) => self.path(path, expected),
            Expr::Paren(paren) => self.root(&paren.expr, expected),
            Expr::Group(group) => self.root(&group.expr, expected),
            Expr::Reference(reference) if reference.mutability.is_some() => self.mutable_borrow(&reference.expr),
            Expr::Reference(reference) => Ok(self.expr_expecting(&reference.expr, expected)?.borrowed()),
            Expr::Block(block) if block.label.is_none() => self.block_value(&block.block, sized(expected)),
            Expr::Unary(unary) => self.unary(unary, expected),
            Expr::Binary(binary) if is_assignment(&binary.op) => self.assign_op(binary),
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => self.connective(binary),
            Expr::If(branch) => self.if_expr(branch, sized(expected)),
            Expr::Match(choice) => self.match_expr(choice),
            Expr::Closure(closure) => self.closure(closure),
            Expr::Binary(binary) => {
                if let Some(value) = self.order_comparison(binary)? {
                    return Ok(value);
                }
                // What is compared is not what the comparison gives.
                let expected = expected.filter(|_| !is_comparison(&binary.op));
                let shift = is_shift(&binary.op);
                let other = match expected {
                    None if !shift && is_shifted(&binary.left) => self.integer_type(&binary.right).map(Surface::Scalar),
                    _ => None,
                };
                let left = self.expr_expecting(&binary.left, expected.or(other.as_ref()));
                // The one side of an operator on integers tells the type of the other.
                let beside = match &left {
                    Ok(Value::Leaf(var, _)) if self.b.ty(*var).is_scalar() && !self.b.ty(*var).is_float() => {
                        Some(Surface::Scalar(self.b.ty(*var).elem.clone()))
                    }
                    _ => expected.cloned(),
                };
                let right = self.expr_expecting(&binary.right, if shift { None } else { beside.as_ref() });
                let (left, right) = (left?, right?);
                let left = match (left, expected) {
                    (Value::Untyped(untyped), Some(Surface::Scalar(elem @ Elem::Int(_)))) if shift => {
                        self.typed(&untyped, elem)
                    }
                    // By how much it is shifted says nothing about its type.
                    (Value::Untyped(untyped), _) if shift && untyped.integer && matches!(right, Value::Leaf(..)) => {
                        self.typed(&untyped, &Elem::Int("i32".into()))
                    }
                    (left, _) => left,
                };
                self.binary_values(expr, &binary.op, (&binary.left, left), (&binary.right, right))
            }
            Expr::Assign(assign) => self.assign(&assign.left, &assign.right),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Field(field) => {
                let base = self.expr(&field.base)?;
                let base = self.data_of_nalgebra(base)?;
                let component = match &base {
                    Value::Leaf(array, form) => self.matrix_component(*array, *form, &field.member),
                    base => self.geometry_component(base, &field.member),
                };
                match component.or_else(|| base.member(&field.member)) {
                    Some(value) => Ok(value),
                    None => {
                        let message =
                            format!("{} has no field `{}`", base.describe(&self.b), field.member.to_token_stream());
                        self.learn_object(&field.base);
                        let error = Error::new(&field.member, message);
                        self.fail(match base {
                            // Of what type it is, has been guessed.
                            Value::Leaf(var, Form::Plain) if self.b.ty(var).is_scalar() => error.help(
                                "say what it is where it is defined; of a list without a derivative, \
                                 `let chosen: Vec<&Item> = …`",
                            ),
                            _ => error,
                        })
                    }
                }
            }
            Expr::Index(index) => self.index_expr(index),
            Expr::MethodCall(call) if call.method == "into" && call.args.is_empty() => self.converted(call, expected),
            Expr::MethodCall(call) if self.collected_into_list(call).is_some() => {
                let call = self.collected_into_list(call).unwrap_or_else(|| call.clone());
                self.root(&Expr::MethodCall(call), expected)
            }
            Expr::MethodCall(call) => {
                match self.array_of_slice(call, expected).or_else(|| self.data_chain(call, expected)) {
                    Some(value) => value,
                    None => self.method_call(call),
                }
            }
            Expr::Call(call) => self.call(call, expected),
            Expr::Tuple(tuple) => {
                let parts: Vec<Lowered<Value>> = tuple.elems.iter().map(|elem| self.kept(elem, None)).collect();
                Ok(Value::Parts(Kind::Tuple, parts.into_iter().collect::<Lowered<_>>()?))
            }
            Expr::Array(array) => self.array(array, expected),
            Expr::Repeat(repeat) => self.repeat(repeat, expected),
            Expr::Struct(literal) => self.struct_literal(literal, expected),
            Expr::ForLoop(loop_) => self.for_loop(loop_),
            Expr::While(loop_) => self.while_loop(loop_),
            Expr::Macro(mac) if mac.mac.path.is_ident("vec") => self.vec_macro(&mac.mac, expected),
            Expr::Macro(mac) => self.macro_call(&mac.mac),
            // In place of what has been reported.
            Expr::Verbatim(tokens) if tokens.is_empty() => Err(Reported),
            other => self.not_yet(other),
        }
    }

    /// An expression that is looked at several times, under a name if it is more than one: it may be a call that is
    /// evaluated once.
    pub(super) fn named_once(&mut self, expr: &Expr, name: &str) -> Lowered<Expr> {
        if let Expr::Path(_) | Expr::Lit(_) | Expr::Closure(_) = super::assign::unparen(expr) {
            return Ok(expr.clone());
        }
        if let Expr::Reference(reference) = expr {
            if reference.mutability.is_none() {
                let expr = Box::new(self.named_once(&reference.expr, name)?);
                return Ok(Expr::Reference(syn::ExprReference { expr, ..reference.clone() }));
            }
        }
        let value = self.expr(expr)?;
        self.define(name, Some(value), false);
        let name = syn::Ident::new(name, expr.span());
        Ok(syn::parse_quote!(#name))
    }

    fn not_yet(&mut self, expr: &Expr) -> Lowered<Value> {
        let (at, what, help): (TokenStream, &str, &str) = match expr {
            Expr::Loop(e) => (e.loop_token.to_token_stream(), "`loop`", "loop over a constant range: `for i in 0..N`"),
            Expr::Break(e) => (e.break_token.to_token_stream(), "`break`", "let the loop run to its end"),
            Expr::Continue(e) => {
                (e.continue_token.to_token_stream(), "`continue`", "let every iteration run to its end")
            }
            Expr::Return(e) => {
                (e.return_token.to_token_stream(), "an early `return`", "make it the last expression of the function")
            }
            Expr::Try(e) => {
                let help = "return an `Option` or a `Result` and use it on one, or write a `match`";
                (e.question_token.to_token_stream(), "`?`", help)
            }
            Expr::Await(e) => (e.await_token.to_token_stream(), "`.await`", "await outside the function"),
            Expr::Unsafe(e) => {
                (e.unsafe_token.to_token_stream(), "an `unsafe` block", "compute it outside and pass the value in")
            }
            Expr::Range(e) => (e.to_token_stream(), "a range", "use it in a `for` loop"),
            Expr::Let(e) => (e.let_token.to_token_stream(), "`if let`", "choose outside the function"),
            other => (other.to_token_stream(), "this expression", "write it with arithmetic, calls and `let`"),
        };
        self.unsupported(&at, what, help)
    }

    pub(super) fn macro_call(&mut self, mac: &syn::Macro) -> Lowered<Value> {
        if let Some(last) = mac.path.segments.last().filter(|last| last.ident == "einsum") {
            return self.einsum(mac, &last.ident);
        }
        match mac.path.segments.last().map(|last| (&last.ident, last.ident.to_string())) {
            Some((name, text)) if matches!(&text[..], "panic" | "unreachable" | "todo" | "unimplemented") => {
                return self.panics(mac, name);
            }
            // The function itself prints; its derivatives do not.
            Some((_, text)) if matches!(&text[..], "println" | "eprintln" | "print" | "eprint") => {
                if !self.prints(mac) {
                    self.left_out.get_or_insert_with(|| mac.path.clone());
                }
                return Ok(Value::unit());
            }
            Some((_, text)) if text == "cfg" => {
                let opaque = Opaque::pure(mac.to_token_stream());
                let var = self.b.opaque(opaque, Vec::new(), Ty::scalar(Elem::Bool));
                return Ok(Value::Leaf(var, Form::Plain));
            }
            Some((_, text)) if text == "dbg" => {
                if let Ok(shown) = mac.parse_body::<Expr>() {
                    self.left_out.get_or_insert_with(|| mac.path.clone());
                    return self.expr(&shown);
                }
            }
            _ => {}
        }
        self.unknown_macro(mac)
    }

    // --- literals and names ---------------------------------------------------------------------------

    fn literal(&mut self, lit: &syn::ExprLit) -> Lowered<Value> {
        let tokens = lit.to_token_stream();
        let (text, suffix, integer) = match &lit.lit {
            Lit::Float(float) => (float.base10_digits().to_owned(), float.suffix().to_owned(), false),
            Lit::Int(int) => (int.base10_digits().to_owned(), int.suffix().to_owned(), true),
            Lit::Bool(value) => {
                let opaque = Opaque::pure(value.to_token_stream());
                let var = self.b.opaque(opaque, Vec::new(), Ty::scalar(Elem::Bool));
                return Ok(Value::Leaf(var, Form::Plain));
            }
            // A text or a character is only passed on.
            _ => return Ok(Value::Other(tokens)),
        };
        let Ok(number) = text.parse::<f64>() else {
            return self.fail(Error::new(lit, "this number is out of range"));
        };
        let number = Some(number).filter(|number| !integer || *number < EXACT);
        let untyped = Untyped { tokens, number, integer };
        match &suffix[..] {
            "" => Ok(Value::Untyped(untyped)),
            _ if matches!(&lit.lit, Lit::Int(int) if crate::integers::mark_of(int).is_some()) => {
                Ok(Value::Untyped(untyped))
            }
            "f32" => Ok(self.typed(&untyped, &Elem::F32)),
            "f64" => Ok(self.typed(&untyped, &Elem::F64)),
            other => Ok(self.typed(&untyped, &Elem::Int(Rc::from(other)))),
        }
    }

    fn path(&mut self, path: &syn::ExprPath, expected: Option<&Surface>) -> Lowered<Value> {
        if let Some(ident) = path.path.get_ident() {
            if let Some(binding) = self.lookup(&ident.to_string()) {
                return match (binding.value.clone(), expected) {
                    (Some(Value::Borrow(place)), _) => self.read(&place, path),
                    (Some(Value::Closure(closure)), _) => Ok(self.copied_closure(&closure)),
                    (Some(value), _) => Ok(value),
                    // What it is for tells its size.
                    (None, Some(surface @ Surface::Array(..))) => {
                        self.learn_named(&Expr::Path(path.clone()), surface.clone());
                        Err(Reported)
                    }
                    (None, _) => Err(Reported),
                };
            }
            let name = ident.to_string();
            let is_const = self.function.item.sig.generics.const_params().any(|param| param.ident == name);
            if is_const {
                let var = self.b.dim(Dim::atom(&name));
                return Ok(Value::Leaf(var, Form::Plain));
            }
        }
        if let Some(none) = self.none(&path.path, expected) {
            return Ok(none);
        }
        if let Some(functions) = self.constant_functions(&path.path) {
            return functions;
        }
        if let Some(named) = self.named_variant(&path.path) {
            let known = self.variant_fields(&named, expected)?;
            return self.variant(&named, known, Vec::new(), path);
        }
        if let Some(constant) = self.matrix_constant(path) {
            return Ok(constant);
        }
        Ok(Value::Untyped(Untyped { tokens: path.to_token_stream(), number: None, integer: false }))
    }

    /// Tokens of an inactive expression, also of a number that is computed.
    pub(super) fn inactive_tokens(&self, value: &Value) -> Option<TokenStream> {
        match value {
            Value::Leaf(var, Form::Plain) if self.b.ty(*var).is_scalar() && !self.active.contains(var) => {
                Some(crate::ir::late(*var).to_token_stream())
            }
            other => self.passive_tokens(other),
        }
    }

    /// The same of an argument: a number behind a reference is one there, too.
    pub(super) fn inactive_argument(&self, value: &Value, arg: &Expr) -> Option<TokenStream> {
        if let Value::Parts(Kind::Tuple, parts) = value {
            let tuple = match super::assign::unparen(arg) {
                Expr::Reference(reference) => {
                    let tuple = self.inactive_argument(value, &reference.expr)?;
                    return Some(quote!(&#tuple));
                }
                Expr::Tuple(tuple) => tuple.elems.iter().collect(),
                _ => vec![arg; parts.len()],
            };
            let parts = parts.iter().zip(tuple).map(|(part, elem)| self.inactive_argument(part, elem));
            let parts = parts.collect::<Option<Vec<_>>>()?;
            return Some(quote!((#(#parts,)*)));
        }
        // An `Option` of a number is put together again.
        if let Value::Parts(Kind::Struct(ty), parts) = value {
            if let (true, [kind, inner]) = (ty.is_option, &parts[..]) {
                let [kind, inner] = [self.inactive_tokens(kind)?, self.inactive_tokens(inner)?];
                let by_ref = matches!(super::assign::unparen(arg), Expr::Reference(_)).then(|| quote!(&));
                let (some, none) = (quote!(::core::option::Option::Some), quote!(::core::option::Option::None));
                return Some(quote!(#by_ref (if #kind == 1 { #some(#inner) } else { #none })));
            }
        }
        // An array is borrowed where it is.
        if let Value::Leaf(var, Form::Plain) = value {
            if self.is_lent(*var, super::assign::unparen(arg)) {
                return Some(crate::ir::late(*var).to_token_stream());
            }
        }
        // An object is borrowed as it is written.
        if let (Value::Borrow(place), Expr::Reference(_)) = (value, super::assign::unparen(arg)) {
            return match self.structure(place)? {
                Value::Other(tokens) if self.may_change(&tokens) => Some(quote!(&mut #tokens)),
                _ => None,
            };
        }
        let tokens = self.inactive_tokens(value)?;
        let number = match value {
            Value::Leaf(..) | Value::Untyped(Untyped { number: Some(_), .. }) => true,
            Value::Parts(Kind::Struct(ty), _) => super::plain::is_plain(ty),
            _ => false,
        };
        let by_ref = matches!(super::assign::unparen(arg), Expr::Reference(_));
        Some(if number && by_ref { quote!(&#tokens) } else { tokens })
    }

    /// Whether an argument is a borrow of an array without a derivative.
    fn is_lent(&self, array: Var, arg: &Expr) -> bool {
        let ty = self.b.ty(array);
        let by_ref = matches!(arg, Expr::Reference(_)) || ty.is_dynamic();
        !ty.is_scalar() && by_ref && !self.active.contains(&array)
    }

    /// Tokens of an inactive expression, for calls that only integers and constants go into.
    pub(super) fn passive_tokens(&self, value: &Value) -> Option<TokenStream> {
        match value {
            Value::Untyped(untyped) => Some(untyped.tokens.clone()),
            Value::Other(tokens) => Some(tokens.clone()),
            Value::Parts(Kind::Struct(ty), parts) if super::plain::is_plain(ty) => self.plain_tokens(ty, parts),
            _ => None,
        }
    }
}

/// Integers below this size are exact as floats.
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;

/// The type that is expected at the end of a block, as far as the end does not tell it: a size, a struct.
pub(super) fn sized(expected: Option<&Surface>) -> Option<&Surface> {
    expected.filter(|surface| match surface {
        Surface::Struct(ty) => !ty.is_option,
        surface => matches!(surface, Surface::Array(..) | Surface::Tensor(..)),
    })
}

/// Whether a path is that of a number type, as in `f64::sin(x)`.
pub(super) fn is_number_type(name: &str, reals: &[String]) -> bool {
    matches!(name, "f32" | "f64" | "Real") || INTEGERS.contains(&name) || reals.iter().any(|real| real == name)
}

fn is_shift(op: &BinOp) -> bool {
    matches!(op, BinOp::Shl(_) | BinOp::Shr(_))
}

/// Whether an expression is `1 << k`, of which only what it is for says which type it has.
pub(super) fn is_shifted(expr: &Expr) -> bool {
    match unparen(expr) {
        Expr::Binary(binary) if is_shift(&binary.op) => match unparen(&binary.left) {
            Expr::Lit(lit) => matches!(&lit.lit, syn::Lit::Int(int) if int.suffix().is_empty()),
            Expr::Unary(unary) => matches!(unparen(&unary.expr), Expr::Lit(_)),
            left => is_shifted(left),
        },
        Expr::Binary(binary) if !is_comparison(&binary.op) => is_shifted(&binary.left) && is_shifted(&binary.right),
        Expr::Unary(unary) => is_shifted(&unary.expr),
        _ => false,
    }
}
