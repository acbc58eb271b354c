//! Functions and methods without a derivative that only inactive values go into. They stay as they are, and are evaluated
//! once, in their order: see Note [Functions without a derivative] in [`crate::ir::effect`].

use super::Lower;
use super::assign::unparen;
use super::learned::made_by;
use super::passive_pattern::{receiver_where_it_fits, where_it_fits};
use super::value::{Lowered, Reported, Untyped, Value, dereferenced};
use crate::diag::Error;
use crate::fault::{self, Fault};
use crate::ir::{Elem, Evaluation, Opaque, Ty, Var, late, placed};
use crate::layout::Form;
use crate::parse::attr::Seen;
use crate::parse::function::Param;
use crate::parse::ty::{Surface, TypeScope, spelled};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::{Expr, ExprCall};

impl Lower<'_> {
    /// What a parameter without a derivative is at the end, does not depend on a differentiable input.
    pub(super) fn check_kept_out(&mut self, changed: &[(usize, Var)], params: &[Param]) {
        let lost = changed.iter().filter(|(leaf, value)| !self.leaves[*leaf].active && self.active.contains(value));
        let roots: BTreeSet<usize> = lost.map(|(leaf, _)| self.leaves[*leaf].access.root).collect();
        for root in roots {
            let name = &params[root].name;
            self.errors.push(
                Error::new(name, format!("the derivative ends here: `{name}` has none by its attribute"))
                    .note("what it is set to depends on a differentiable input")
                    .help(format!(
                        "differentiate by `{name}` too, or write `stop_gradient(…)` around what it is set to"
                    )),
            );
        }
    }

    /// `find(i, 3)`
    pub(super) fn inactive_call(
        &mut self,
        call: &ExprCall,
        values: &[Value],
        expected: Option<&Surface>,
    ) -> Lowered<Value> {
        let function = &call.func;
        // Of what type the object is has been concluded: see Note [Types by later use] in `learned.rs`.
        let called = match made_by(call).filter(|_| self.learned_object(call).is_some()) {
            Some((_, owner)) => {
                let args = call.args.iter().map(|_| quote!(_));
                quote!((#function as fn(#(#args),*) -> #owner))
            }
            None => function.to_token_stream(),
        };
        let args = self.inactive_arguments(call, values)?;
        let name = spelled(function);
        let tokens = quote!(#called(#(#args),*));
        let makes_value = is_constructor(function) && !crate::ir::mentions_late(&tokens);
        let variant = self.plain_variant(function).filter(|_| !makes_value);
        let is_default = || self.source.as_ref().is_some_and(|source| source.is_default_of_enum(&name));
        let has_no_effect = makes_value || variant.is_some() || self.is_pure(false, &name) || is_default();
        let evaluation = self.evaluation_of(has_no_effect, &tokens);
        let (seen, tokens) = self.seen_result(false, &name, tokens);
        let seen = seen.or(variant);
        // What is not looked into says nothing.
        let expected = expected.filter(|surface| !matches!(surface, Surface::Other(_)));
        let value = self.evaluated(tokens, evaluation, expected.or(seen.as_ref()), call)?;
        if let (Value::Untyped(untyped), Expr::Path(path)) = (&value, unparen(function)) {
            let mut vars = Vec::new();
            placed(untyped.tokens.clone(), &mut vars);
            self.unseen.extend(vars.first().map(|var| (*var, path.path.clone())));
        }
        Ok(value)
    }

    /// What a function without a derivative is given.
    pub(super) fn inactive_arguments(&mut self, call: &ExprCall, values: &[Value]) -> Lowered<Vec<TokenStream>> {
        let mut args = Vec::new();
        for (value, arg) in values.iter().zip(&call.args) {
            let tokens = match self.inactive_argument(value, arg) {
                Some(tokens) => Some(tokens),
                None => self.settle(value.clone(), arg).ok().and_then(|value| self.inactive_argument(&value, arg)),
            };
            match tokens {
                Some(tokens) => args.push(where_it_fits(tokens, !is_dereferenced(arg))),
                None if matches!(value, Value::Undefined) => {
                    return self.unsupported(arg, &value.describe(&self.b), "read it from the list that is given");
                }
                None => {
                    return self.unsupported(
                        arg,
                        "this argument of a function without a derivative",
                        "pass numbers, or compute it outside",
                    );
                }
            }
        }
        Ok(args)
    }

    /// The function whose call gives a value of a type that is not visible, unless it has been asked for.
    pub(super) fn unseen_call(&self, value: &Value) -> Option<syn::Path> {
        let Value::Untyped(Untyped { tokens, number: None, .. }) = value else { return None };
        let mut vars = Vec::new();
        placed(tokens.clone(), &mut vars);
        let path = vars.first().and_then(|var| self.unseen.get(var)).cloned();
        path.filter(|path| !self.knowledge.is_known(path))
    }

    /// `(model.activation)(x)`, of a function that is in data.
    pub(super) fn call_of_data(&mut self, call: &ExprCall, expected: Option<&Surface>) -> Lowered<Value> {
        let function = self.expr(&call.func)?;
        let Some(tokens) = self.passive_tokens(&function) else {
            return self.unsupported(&call.func, "a call of this", super::functions::CHOOSE);
        };
        let mut values = Vec::new();
        for arg in &call.args {
            let value = self.expr(arg)?;
            if self.is_active(&value) {
                let name = spelled(unparen(&call.func));
                return self.fail(
                    Error::new(arg, format!("the derivative ends here: what `{name}` does is not visible"))
                        .note("the value depends on a differentiable input")
                        .help("match on an enum, and call a function by its name; or take `impl Fn(f64) -> f64` as a parameter; or, if the derivative is to end, write `stop_gradient(…)` around it")
                        .plain_rust(),
                );
            }
            values.push(value);
        }
        let function = dereferenced(tokens);
        let Ok(func) = syn::parse2(quote!((#function))) else { return Err(Reported) };
        self.inactive_call(&ExprCall { func: Box::new(func), ..call.clone() }, &values, expected)
    }

    /// `table.at(i)`
    pub(super) fn inactive_method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        receiver: &TokenStream,
        args: &[&Expr],
    ) -> Lowered<Value> {
        let mut tokens = Vec::new();
        for arg in args {
            let value = self.expr(arg)?;
            if self.is_active(&value) {
                if let Some(error) = self.invisible_receiver(at, name, receiver) {
                    return self.fail(error);
                }
                return self.fail(
                    Error::new(arg, format!("the derivative ends here: `{name}` is not differentiable"))
                        .note("the value depends on a differentiable input")
                        .help("if that is meant, write `stop_gradient(…)` around it")
                        .plain_rust(),
                );
            }
            match self.inactive_argument(&value, arg) {
                Some(inactive) => tokens.push(where_it_fits(inactive, !is_dereferenced(arg))),
                None => {
                    return self.unsupported(at, "this call", "compute it outside and pass it in with `#[no_diff]`");
                }
            }
        }
        let receiver = receiver_where_it_fits(receiver.clone());
        let text = name.to_string();
        let of_std = self.is_method_of_std(&receiver, &text);
        let tokens = quote!(#receiver.#name(#(#tokens),*));
        let evaluation = self.evaluation_of(of_std || self.is_pure(true, &text), &tokens);
        let (seen, tokens) = self.seen_result(true, &text, tokens);
        self.evaluated(tokens, evaluation, seen.as_ref(), at)
    }

    /// What a function without an effect gives is the same at any time, unless it looks at what others change.
    pub(super) fn evaluation_of(&self, has_no_effect: bool, tokens: &TokenStream) -> Evaluation {
        match has_no_effect && !self.may_change(tokens) {
            true => Evaluation::Pure,
            false => Evaluation::Once,
        }
    }

    /// The value of an expression without a derivative.
    pub(super) fn evaluated(
        &mut self,
        tokens: TokenStream,
        evaluation: Evaluation,
        expected: Option<&Surface>,
        at: &impl ToTokens,
    ) -> Lowered<Value> {
        self.at(at);
        if evaluation == Evaluation::Pure && expected.is_none() {
            return Ok(Value::Untyped(Untyped { tokens, number: None, integer: false }));
        }
        if let Some(ty) = expected.and_then(Surface::leaf) {
            let out = self.b.opaque(Opaque { tokens, is_call: false, evaluation }, Vec::new(), ty);
            return Ok(Value::Leaf(out, Form::Plain));
        }
        let tokens = match expected {
            // What tells the type of `Default::default()`.
            Some(Surface::Struct(ty)) if !ty.has_optional_value() => {
                let path = match ty.is_plain() {
                    true => self.struct_path(ty),
                    false => ty.path.to_token_stream(),
                };
                quote!(::core::convert::identity::<#path>(#tokens))
            }
            _ => tokens,
        };
        let value = match evaluation {
            Evaluation::Pure => Value::Untyped(Untyped { tokens, number: None, integer: false }),
            _ => self.once(tokens),
        };
        if let (Value::Untyped(untyped), Some(surface @ Surface::Struct(ty))) = (&value, expected) {
            if let Some(known) = self.passive_struct(&untyped.tokens, surface).filter(|_| !ty.has_optional_value()) {
                return Ok(known);
            }
        }
        if let (Value::Untyped(untyped), Some(_)) = (&value, expected) {
            let option = self.inactive_option(&untyped.tokens, expected);
            return match option.or_else(|| self.inactive_result(&untyped.tokens, expected)) {
                Some(option) => Ok(option),
                // A `let` says what it is.
                None if !matches!(expected, Some(Surface::Struct(_))) => Ok(value),
                None => {
                    let message = format!("the type of `{}` is not visible", spelled(at));
                    self.fail(Error::new(at, message).help("write it: `let value: f64 = …`"))
                }
            };
        }
        Ok(value)
    }

    /// An expression that is evaluated now, and once. What type it has will follow from its use.
    pub(super) fn once(&mut self, tokens: TokenStream) -> Value {
        let called = super::object::is_call(&tokens).then(|| self.type_of_tokens(&tokens));
        let out = self.b.opaque(Opaque::once(tokens), Vec::new(), Ty::scalar(Elem::Foreign));
        if let Some(ty) = called {
            self.called.insert(out, ty);
        }
        Value::Untyped(Untyped { tokens: late(out).to_token_stream(), number: None, integer: false })
    }

    /// Whether the attribute or the file says that a function depends on nothing but its arguments and has no effect.
    pub(super) fn is_pure(&self, is_method: bool, name: &str) -> bool {
        fault::is(Fault::CallsArePure)
            || self.function.attr.pure.iter().any(|path| spelled(path) == name)
            || self.seen(is_method, name).is_some()
    }

    /// See Note [Functions without an effect] in `source/purity.rs`.
    fn seen(&self, is_method: bool, name: &str) -> Option<&Seen> {
        self.function.attr.seen.iter().find(|seen| seen.is_method == is_method && spelled(&seen.path) == name)
    }

    /// The type of what a call gives, if that is a number, or an array of a size that is known, with the call of it: what it
    /// borrows is read.
    fn seen_result(&self, is_method: bool, name: &str, call: TokenStream) -> (Option<Surface>, TokenStream) {
        let scope = TypeScope { knowledge: self.knowledge, reals: &[], substitution: None };
        let Some(Seen { result: written, .. }) = self.seen(is_method, name) else { return (None, call) };
        if let Some(plain) = self.plain_surface(written) {
            return (Some(plain), call);
        }
        let result = scope.resolve(written).ok();
        match result.filter(|result| result.leaf().is_some_and(|ty| !ty.is_dynamic())) {
            Some(result) if matches!(written, syn::Type::Reference(_)) => (Some(result), quote!((*#call))),
            result => (result, call),
        }
    }
}

/// `Kind::Power`: variants and tuple structs are written in capitals, functions are not.
fn is_constructor(function: &Expr) -> bool {
    let Expr::Path(path) = function else { return false };
    path.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

/// `*x`
fn is_dereferenced(arg: &Expr) -> bool {
    matches!(arg, Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)))
}
