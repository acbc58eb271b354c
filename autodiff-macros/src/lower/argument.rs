//! How the arguments of a call are passed.

use super::Lower;
use super::call_site::{ArgPassing, Argument};
use super::value::{Alias, Lowered, Reported, Rows, Value, View};
use crate::ir::Var;
use crate::ir::call::Part;
use crate::ir::dim::Dim;
use crate::layout::{Access, Form, Kind, Layout, Step};
use crate::parse::ty::{Substitution, Surface, TypeScope};
use crate::relay::FnInfo;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::rc::Rc;
use syn::{Expr, Type};

impl Lower<'_> {
    /// How a mutable borrow is passed, and its leaves.
    pub(super) fn pass_mutable(&mut self, alias: &Alias, value: Value, arg: &Expr) -> Lowered<(ArgPassing, Vec<Var>)> {
        let Some(root) = self.alias_root(alias) else { return Err(Reported) };
        let whole = alias.at.is_empty() && alias.range.is_none();
        match (&root, value) {
            (Value::Leaf(var, form), _) if whole => Ok((ArgPassing::Leaf(*form), vec![*var])),
            (Value::Leaf(array, _) | Value::Grown(array, _), value) => {
                let mut leaves = [&[*array], &alias.at[..]].concat();
                let ranged = alias.range.clone().or_else(|| match &value {
                    Value::View(view) => Some((Dim::literal(0), view.len.clone())),
                    Value::Grown(_, len) => Some((Dim::literal(0), Dim::of(*len))),
                    _ => None,
                });
                let start = ranged.as_ref().is_some_and(|(start, _)| !start.is(0));
                if let Some((from, len)) = &ranged {
                    if start {
                        leaves.push(self.b.dim(from.clone()));
                    }
                    leaves.push(self.b.dim(len.clone()));
                }
                Ok((ArgPassing::View(Part { indices: alias.at.len(), start, ranged: ranged.is_some() }), leaves))
            }
            // A number or an array in a struct that an index chooses: it is put back after the call.
            (_, Value::Leaf(var, form)) => Ok((ArgPassing::Leaf(form), vec![var])),
            (_, value @ (Value::Parts(..) | Value::Rows(..))) => {
                // What carries no derivative is not at hand when the reverse sweep calls the function again.
                if has_passive(&value) {
                    return self.unsupported(
                        arg,
                        "a mutable borrow of a struct with a field that carries no derivative and is no number",
                        "keep that field outside the struct, or pass the numbers one by one",
                    );
                }
                if let Some(access) = self.place_of_changed(alias, &value).filter(|_| whole) {
                    return Ok((ArgPassing::Place(access, value.layout(&self.b)), value.leaves()));
                }
                self.built(value, arg)
            }
            _ => self.unsupported(arg, "this mutable borrow", "pass a variable, a row or a sub-slice"),
        }
    }

    /// A value that is put together for the call.
    fn built(&mut self, value: Value, arg: &Expr) -> Lowered<(ArgPassing, Vec<Var>)> {
        if lacks_part(&value) || self.is_of_changed(&value) {
            let what = match value {
                Value::Rows(..) => "passing a slice of structs",
                _ if lacks_part(&value) => "passing an element of a slice",
                _ => "passing a struct that the function changes",
            };
            let what = format!("{what} with a field that carries no derivative and is no number");
            return self.unsupported(arg, &what, "pass its numbers one by one");
        }
        let value = self.settle(value, arg)?;
        let value = self.with_arrays(value);
        Ok((ArgPassing::Built(value.layout(&self.b)), value.leaves()))
    }

    /// Whether a part that is only passed on is of a parameter that the function changes, which the reverse sweep has not.
    fn is_of_changed(&self, value: &Value) -> bool {
        match value {
            Value::Other(tokens) => self.borrowed_params.iter().any(|name| crate::methods::mentions(tokens, name)),
            Value::Rows(item, _) => self.is_of_changed(item),
            Value::Parts(_, parts) => parts.iter().any(|part| self.is_of_changed(part)),
            _ => false,
        }
    }

    /// The parameter that a variable stands for, whatever it holds by now.
    fn place_of_changed(&self, alias: &Alias, value: &Value) -> Option<Access> {
        let name = &self.env.get(alias.slot).name;
        let is_param = self.borrowed_params.contains(name) && self.env.is_first(name, alias.slot);
        let root = self.function.params.iter().position(|param| param.name == *name).filter(|_| is_param)?;
        let path = alias.members.iter().map(|member| Step::Field(member.to_token_stream().to_string())).collect();
        let access = Access { root, path };
        self.all_leaves(&access, value).map(|_| access)
    }

    /// What is passed as a whole and in parts at once is passed as an array of its own. `firsts` are the first operands.
    pub(super) fn separate(&self, args: &mut [Argument], firsts: &[Option<Var>]) {
        let is_view = |arg: &Argument| matches!(arg.passing, ArgPassing::View(_));
        let viewed: Vec<Option<Var>> =
            args.iter().zip(firsts).filter(|(arg, _)| is_view(arg)).map(|(_, first)| *first).collect();
        for (arg, first) in args.iter_mut().zip(firsts) {
            match &arg.passing {
                ArgPassing::Place(_, Layout::Leaf(form, _)) if viewed.contains(first) => {
                    arg.passing = ArgPassing::Leaf(*form);
                }
                _ => {}
            }
        }
    }

    /// An argument that fits its parameter, as far as its shape is visible.
    pub(super) fn checked_argument(
        &mut self,
        ty: &Type,
        value: Value,
        info: &FnInfo,
        substitution: &Substitution,
        arg: &Expr,
    ) -> Lowered<Value> {
        let scope = TypeScope { knowledge: &info.nested, reals: &[], substitution: Some(substitution) };
        match (&value, scope.resolve(ty)) {
            (Value::Leaf(..), Ok(surface)) if surface.leaf().is_some() => {
                self.coerce(value, &surface, arg, &format!("the argument of `{}`", info.name))
            }
            _ => Ok(value),
        }
    }

    /// How an argument is passed, and its leaves.
    pub(super) fn pass_argument(
        &mut self,
        ty: &Type,
        value: Value,
        info: &Rc<FnInfo>,
        substitution: &Substitution,
        arg: &Expr,
    ) -> Lowered<(ArgPassing, Vec<Var>)> {
        match value {
            Value::Untyped(untyped) => {
                let scope = TypeScope { knowledge: &info.nested, reals: &[], substitution: Some(substitution) };
                match scope.resolve(ty) {
                    Ok(Surface::Scalar(elem)) if elem.is_float() => {
                        Ok((ArgPassing::Leaf(Form::Plain), self.typed(&untyped, &elem).leaves()))
                    }
                    _ => Ok(passed_on(untyped.tokens)),
                }
            }
            Value::Other(tokens) => Ok(passed_on(tokens)),
            value @ (Value::View(_) | Value::Grown(..)) => match self.as_view(&value) {
                Some(view) => {
                    let mut leaves = vec![view.array];
                    leaves.extend(&view.at);
                    leaves.extend(view.start);
                    leaves.push(self.b.dim(view.len));
                    let part = Part { indices: view.at.len(), start: view.start.is_some(), ranged: true };
                    Ok((ArgPassing::View(part), leaves))
                }
                None => Err(Reported),
            },
            value => {
                let leaves = value.leaves();
                if let Some(access) = self.place_of(&leaves, &value) {
                    return Ok((ArgPassing::Place(access, value.layout(&self.b)), leaves));
                }
                match value {
                    Value::Leaf(var, form) => Ok((ArgPassing::Leaf(form), vec![var])),
                    value @ (Value::Parts(..) | Value::Rows(..)) => self.built(value, arg),
                    _ => self.unsupported(
                        arg,
                        "an argument that is put together here",
                        "pass a parameter or a part of it, or pass the numbers one by one",
                    ),
                }
            }
        }
    }

    /// The same value, with arrays of their own in place of views.
    pub(super) fn with_arrays(&mut self, value: Value) -> Value {
        let mut all = |parts: Vec<Value>| parts.into_iter().map(|part| self.with_arrays(part)).collect();
        match value {
            Value::Parts(Kind::Tuple, parts) => Value::Parts(Kind::Tuple, all(parts)),
            Value::Parts(Kind::Struct(ty), parts) => Value::Parts(Kind::Struct(ty), all(parts)),
            Value::Parts(Kind::Array, parts) => Value::Parts(Kind::Array, all(parts)),
            Value::View(view) => Value::Leaf(self.whole(&view), view.form),
            // A part of a slice of structs: that part of each of its arrays.
            Value::Rows(item, Rows { start: Some(start), len }) => {
                let parts = item.leaves().into_iter().map(|array| {
                    let view = View { array, form: Form::Plain, at: Vec::new(), start: Some(start), len: len.clone() };
                    self.whole(&view)
                });
                let parts: Vec<Var> = parts.collect();
                Value::Rows(Box::new(item.rebuild(&mut parts.into_iter())), Rows { start: None, len })
            }
            other => other,
        }
    }

    /// The parameter (or part of one) that has exactly these leaves, unchanged.
    fn place_of(&self, leaves: &[Var], value: &Value) -> Option<Access> {
        let accesses: Vec<&Access> = leaves
            .iter()
            .map(|leaf| self.leaves.iter().find(|param| param.var == *leaf).map(|param| &param.access))
            .collect::<Option<_>>()?;
        // What the function changes is not what it was when the reverse sweep runs.
        let changed =
            |access: &&Access| self.borrowed_params.contains(&self.function.params[access.root].name.to_string());
        if accesses.iter().any(changed) {
            return None;
        }
        if let Value::Leaf(..) = value {
            return accesses.first().copied().filter(|access| !access.is_in_enum()).cloned();
        }
        // Going up from the first leaf to where all of the value is.
        let depth = structure_depth(value);
        let first = accesses.first()?;
        let path = first.path.get(..first.path.len().checked_sub(depth)?)?.to_vec();
        let candidate = Access { root: first.root, path };
        // What is in a variant has no place that could be named.
        (!candidate.is_in_enum() && self.all_leaves(&candidate, value)? == leaves).then_some(candidate)
    }

    /// The leaves of a parameter below an access, if the value at that access has the structure of `value`.
    fn all_leaves(&self, at: &Access, value: &Value) -> Option<Vec<Var>> {
        if self.is_partial(value) {
            return None;
        }
        let leaves = value.layout(&self.b).leaves(at);
        let own = |access: &Access| self.leaves.iter().find(|leaf| leaf.access == *access).map(|leaf| leaf.var);
        leaves.iter().map(|leaf| own(&leaf.access)).collect()
    }

    /// Whether a part of a slice of structs is in a value.
    fn is_partial(&self, value: &Value) -> bool {
        match value {
            Value::Rows(item, Rows { start, len }) => {
                start.is_some() || item.leaves().iter().any(|leaf| self.b.ty(*leaf).dims[0] != *len)
            }
            Value::Parts(_, parts) => parts.iter().any(|part| self.is_partial(part)),
            _ => false,
        }
    }
}

/// What carries no derivative, with the numbers in it, such as an index.
fn passed_on(tokens: TokenStream) -> (ArgPassing, Vec<Var>) {
    let mut numbers = Vec::new();
    let tokens = crate::ir::placed(tokens, &mut numbers);
    (ArgPassing::Tokens(tokens), numbers)
}

/// Whether a part of a value is not at hand.
fn lacks_part(value: &Value) -> bool {
    match value {
        Value::Undefined => true,
        // A part of what is only passed on is known for the slice, and not for its elements.
        Value::Rows(item, _) => has_passive(item),
        Value::Parts(_, parts) => parts.iter().any(lacks_part),
        _ => false,
    }
}

fn has_passive(value: &Value) -> bool {
    match value {
        Value::Other(_) | Value::Undefined => true,
        Value::Rows(item, _) => has_passive(item),
        Value::Parts(Kind::Struct(ty), _) if ty.is_enum() => true,
        Value::Parts(_, parts) => parts.iter().any(has_passive),
        _ => false,
    }
}

/// How many steps lie between a value and its first leaf.
fn structure_depth(value: &Value) -> usize {
    match value {
        Value::Parts(_, parts) => 1 + parts.iter().find(|part| !part.leaves().is_empty()).map_or(0, structure_depth),
        Value::Rows(item, _) => 1 + structure_depth(item),
        _ => 0,
    }
}
