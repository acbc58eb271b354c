//! How the arguments of a call are passed.

use super::Lower;
use super::call_site::{ArgPassing, Argument};
use super::passive_pattern::where_it_fits;
use super::place::{Place, Projection};
use super::value::{Lowered, Reported, Untyped, Value};
use crate::ir::call::Part;
use crate::ir::dim::Dim;
use crate::ir::{Elem, IntOp, Opaque, Ty, Var};
use crate::layout::{Access, Form, Kind, Layout, Step, is_phantom_value};
use crate::parse::tokens::{dim_tokens, elem_tokens, referent};
use crate::parse::ty::{Seq, Substitution, Surface, TypeScope};
use crate::relay::{FnInfo, ParamInfo};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::{Expr, Type};

/// How many bytes a short array has at most: those of a transform, or of a line of numbers.
const SHORT_ARRAY: i64 = 128;

impl Lower<'_> {
    /// How a mutable borrow is passed, and its leaves.
    pub(super) fn pass_mutable(&mut self, place: &Place, value: Value, arg: &Expr) -> Lowered<(ArgPassing, Vec<Var>)> {
        let Some(root) = self.structure(&place.named()) else { return Err(Reported) };
        let whole = place.is_named();
        if let (Value::Other(tokens), true) = (&value, whole) {
            if let Some(tokens) = self.lent(place, tokens) {
                let mut objects = Vec::new();
                let tokens = crate::ir::placed(tokens, &mut objects);
                return Ok((ArgPassing::Tokens(tokens), objects));
            }
        }
        let array = match &root {
            Value::Leaf(array, _) => Some((*array, Vec::new(), None)),
            Value::Slice(slice) => slice.array().map(|(array, _)| (array, slice.at.clone(), slice.start)),
            _ => None,
        };
        if let (Value::Leaf(var, form), true) = (&root, whole) {
            return Ok((ArgPassing::Leaf(*form), vec![*var]));
        }
        if let (Some((array, mut at, start)), Some((indices, range))) = (array, place.indices()) {
            let mut range = range.or_else(|| match &value {
                Value::Slice(slice) => Some((Dim::literal(0), slice.len.clone())),
                _ => None,
            });
            // What is given is a part of a slice itself.
            match (start, indices.split_first(), &mut range) {
                (None, ..) => at.extend(&indices),
                (Some(start), Some((first, rest)), _) => {
                    at.push(self.b.int(IntOp::Add, start, *first));
                    at.extend(rest);
                }
                (Some(start), None, Some((from, _))) => *from = Dim::of(start).plus(from),
                (Some(_), None, None) => return Err(Reported),
            }
            let mut leaves = [&[array], &at[..]].concat();
            let begins = range.as_ref().is_some_and(|(start, _)| !start.is(0));
            if let Some((from, len)) = &range {
                if begins {
                    leaves.push(self.b.dim(from.clone()));
                }
                leaves.push(self.b.dim(len.clone()));
            }
            return Ok((ArgPassing::View(Part { indices: at.len(), start: begins, ranged: range.is_some() }), leaves));
        }
        match value {
            // A number or an array in a struct that an index chooses: it is put back after the call.
            Value::Leaf(var, form) => Ok((ArgPassing::Leaf(form), vec![var])),
            value @ (Value::Parts(..) | Value::Slice(_)) => {
                // What carries no derivative is not at hand when the reverse sweep calls the function again.
                if has_passive(&value) || has_constant(&value) {
                    return self.unsupported(
                        arg,
                        "a mutable borrow of a struct with a field that carries no derivative and is no number",
                        "keep that field outside the struct, or pass the numbers one by one",
                    );
                }
                if let Some(access) = self.place_of_changed(place, &value).filter(|_| whole) {
                    return Ok((ArgPassing::Place(access, value.layout(&self.b)), value.leaves()));
                }
                self.built(value, arg)
            }
            _ => self.unsupported(arg, "this mutable borrow", "pass a variable, a row or a sub-slice"),
        }
    }

    /// A mutable borrow without a derivative of the caller's, such as a generator, is lent to the callee.
    fn lent(&self, place: &Place, tokens: &TokenStream) -> Option<TokenStream> {
        let name = &self.env.get(place.slot).name;
        let is_param = self.borrowed_params.contains(name) && self.env.is_first(name, place.slot);
        match place.path.is_empty() && is_param {
            true => Some(quote!(&mut *#tokens)),
            false => self.may_change(tokens).then(|| quote!(&mut #tokens)),
        }
    }

    /// A value that is put together for the call.
    fn built(&mut self, value: Value, arg: &Expr) -> Lowered<(ArgPassing, Vec<Var>)> {
        let lacks_part = self.lacks_part(&value);
        if lacks_part || self.is_of_changed(&value) {
            let what = match value {
                Value::Slice(_) => "passing a slice of structs",
                _ if lacks_part => "passing an element of a slice",
                _ => "passing a struct that the function changes",
            };
            let what = format!("{what} with a field that carries no derivative and is no number");
            return self.unsupported(arg, &what, "pass its numbers one by one");
        }
        // The callee says what they are, so that rustc would notice.
        let integers = self.integers.clone().or_else(|| Some((Elem::usize(), false)));
        let value = self.with_integers(integers, |lower| lower.settle(value, arg))?;
        let value = self.with_arrays(value);
        let (mut numbers, mut leaves) = (Vec::new(), value.leaves());
        let layout = with_holes(value.layout(&self.b), &mut numbers);
        leaves.extend(numbers);
        Ok((ArgPassing::Built(layout), leaves))
    }

    /// Whether these elements, which consist of numbers, are put together here, and are no parameter's.
    fn are_new(&self, parts: &[Value]) -> bool {
        let whole = Value::Parts(Kind::Array, parts.to_vec());
        let is_of_numbers = !parts.is_empty() && !has_passive(&whole) && !has_constant(&whole) && !has_enum(&whole);
        is_of_numbers && self.place_of(&whole.leaves(), &whole).is_none()
    }

    /// Whether a part of a value is not at hand.
    fn lacks_part(&self, value: &Value) -> bool {
        match value {
            Value::Undefined => true,
            // What is put together has a place for the index of an element, and for nothing else.
            Value::Other(tokens) => {
                let mut variables = Vec::new();
                let _ = crate::ir::placed(tokens.clone(), &mut variables);
                variables.iter().any(|var| *self.b.ty(*var) != Ty::index())
            }
            // A part of what is only passed on is known for the slice, and not for its elements.
            Value::Slice(slice) => has_passive(&slice.of),
            Value::Parts(_, parts) => parts.iter().any(|part| self.lacks_part(part)),
            _ => false,
        }
    }

    /// Whether a part that is only passed on is of a parameter that the function changes, which the reverse sweep has not.
    fn is_of_changed(&self, value: &Value) -> bool {
        match value {
            Value::Other(tokens) => self.may_change(tokens),
            Value::Slice(slice) => self.is_of_changed(&slice.of),
            Value::Parts(_, parts) => parts.iter().any(|part| self.is_of_changed(part)),
            _ => false,
        }
    }

    /// The parameter that a variable stands for, whatever it holds by now.
    fn place_of_changed(&self, place: &Place, value: &Value) -> Option<Access> {
        let name = &self.env.get(place.slot).name;
        let is_param = self.borrowed_params.contains(name) && self.env.is_first(name, place.slot);
        let root = self.function.params.iter().position(|param| param.name == *name).filter(|_| is_param)?;
        let path = place.path.iter().map(|step| match step {
            Projection::Field(member) => Some(Step::Field(member.to_token_stream().to_string())),
            Projection::Index(_) | Projection::Range(..) => None,
        });
        let access = Access { root, path: path.collect::<Option<_>>()? };
        let found =
            self.leaves.iter().find(|leaf| leaf.access.root == root && leaf.access.path.starts_with(&access.path));
        // As it is found there: what is in a box is behind it.
        let path = found.map_or_else(|| access.path.clone(), |leaf| leaf.access.path[..access.path.len()].to_vec());
        self.all_leaves(&access, value).map(|_| Access { root, path })
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
            (Value::Leaf(..), Ok(surface)) if surface.leaf().is_some() || surface.is_unit_vector() => {
                self.coerce(value, &surface, arg, &format!("the argument of `{}`", info.name))
            }
            _ => Ok(value),
        }
    }

    /// A short array out of an argument that carries no derivative.
    fn short_array(&mut self, value: Value, surface: &Surface, param: &Type) -> Value {
        let (Value::Untyped(Untyped { tokens, .. }) | Value::Other(tokens)) = &value else { return value };
        let leaf = surface.leaf().filter(|_| !self.b.may_change(tokens));
        let (Some(ty), (ArgPassing::Tokens(given), numbers)) = (leaf, passed_on(tokens.clone(), param)) else {
            return value;
        };
        let array = ty.dims.iter().rev().fold(elem_tokens(&ty.elem), |inner, len| {
            let len = dim_tokens(len);
            quote!([#inner; #len])
        });
        let read = match param {
            Type::Reference(_) => quote!({ let lent: &#array = #given; *lent }),
            _ => given,
        };
        Value::Leaf(self.b.opaque(Opaque::pure(read), numbers, ty), Form::of(surface))
    }

    /// How an argument is passed, and its leaves.
    pub(super) fn pass_argument(
        &mut self,
        ParamInfo { ty, active, .. }: &ParamInfo,
        value: Value,
        info: &Rc<FnInfo>,
        substitution: &Substitution,
        arg: &Expr,
    ) -> Lowered<(ArgPassing, Vec<Var>)> {
        let scope = TypeScope { knowledge: &info.nested, reals: &[], substitution: Some(substitution) };
        let value = match (value, scope.resolve(ty)) {
            // The callee adds to a tangent that is as long as this, so that it has to be known how long it is.
            (Value::Untyped(Untyped { tokens, number: None, .. }) | Value::Other(tokens), Ok(surface))
                if *active && surface.is_dynamic() =>
            {
                match self.passive_struct(&tokens, &surface) {
                    Some(value) => value,
                    None => {
                        let what = "passing this without a derivative";
                        return self.unsupported(arg, what, "write `#[no_diff]` on the parameter that takes it");
                    }
                }
            }
            // Of a short array it is known what is in it, so that the callee's body may be taken over.
            (value @ (Value::Untyped(Untyped { number: None, .. }) | Value::Other(_)), Ok(surface))
                if *active && is_short_array(&surface) =>
            {
                self.short_array(value, &surface, ty)
            }
            // A list of tuples or of structs that is written here is an array for each of their leaves, as the callee has them.
            (Value::Parts(Kind::Array, parts), Ok(Surface::Seq(inner, Seq::Slice)))
                if inner.leaf().is_none() && self.are_new(&parts) =>
            {
                let len = Dim::literal(i64::try_from(parts.len()).unwrap_or(i64::MAX));
                let parts = parts.into_iter().map(|part| self.coerce(part, &inner, arg, "the element"));
                let parts = parts.collect::<Lowered<Vec<_>>>()?;
                self.slice_of(&parts, &len, arg)?
            }
            // The tangents along several directions are passed leaf by leaf.
            (value, Ok(surface)) if is_laid_out_otherwise(&value, &Layout::of(&surface)) => {
                self.coerce(value, &surface, arg, &format!("the argument of `{}`", info.name))?
            }
            (value, Ok(Surface::Seq(_, Seq::Vec))) if !matches!(ty, Type::Reference(_)) => self.with_own_length(value),
            (value, _) => value,
        };
        // A reverse sweep would have to pass its error again, which has been moved.
        if super::result::has_result(&value) {
            return self.unsupported(arg, "passing a `Result` to a function", "pass an `Option`, with `ok()`");
        }
        match value {
            Value::Untyped(untyped) => match scope.resolve(ty) {
                Ok(Surface::Scalar(elem)) if elem.is_float() => {
                    Ok((ArgPassing::Leaf(Form::Plain), self.typed(&untyped, &elem).leaves()))
                }
                _ => Ok(passed_on(untyped.tokens, ty)),
            },
            Value::Other(tokens) => match scope.resolve(ty) {
                // The callee has a tangent of it, which is a number as well.
                Ok(Surface::Scalar(elem)) if *active && elem.is_float() => {
                    let number = self.passive_number(&tokens, &elem, &Clone::clone);
                    Ok((ArgPassing::Leaf(Form::Plain), vec![number]))
                }
                _ => Ok(passed_on(tokens, ty)),
            },
            Value::Slice(slice) if slice.array().is_some() => {
                let mut leaves = slice.of.leaves();
                leaves.extend(&slice.at);
                leaves.extend(slice.start);
                leaves.push(self.b.dim(slice.len.clone()));
                let part = Part { indices: slice.at.len(), start: slice.start.is_some(), ranged: true };
                Ok((ArgPassing::View(part), leaves))
            }
            value => {
                let leaves = value.leaves();
                if let Some(access) = self.place_of(&leaves, &value) {
                    return Ok((ArgPassing::Place(access, value.layout(&self.b)), leaves));
                }
                match value {
                    Value::Leaf(var, form) => Ok((ArgPassing::Leaf(form), vec![var])),
                    // What is put together of it is a `Vec`.
                    Value::Slice(slice) if slice.len.is_dynamic() && matches!(referent(ty), Type::Array(_)) => self
                        .unsupported(
                            arg,
                            "passing a slice of structs as an array",
                            "let the function take a slice, `&[…]`",
                        ),
                    value @ (Value::Parts(..) | Value::Slice(_)) => self.built(value, arg),
                    _ => self.unsupported(
                        arg,
                        "an argument that is put together here",
                        "pass a parameter or a part of it, or pass the numbers one by one",
                    ),
                }
            }
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
}

/// Whether an array of structs is written out in a value, and has an array for each leaf where it is passed, or the other way round.
fn is_laid_out_otherwise(value: &Value, layout: &Layout) -> bool {
    match (value, layout) {
        (Value::Parts(Kind::Array, _), Layout::Each(_, Some(_))) | (Value::Slice(_), Layout::Parts(Kind::Array, _)) => {
            true
        }
        (Value::Parts(_, parts), Layout::Parts(_, layouts)) => {
            parts.iter().zip(layouts).any(|(part, layout)| is_laid_out_otherwise(part, layout))
        }
        _ => false,
    }
}

/// What carries no derivative, with the numbers in it, such as an index.
fn passed_on(tokens: TokenStream, ty: &Type) -> (ArgPassing, Vec<Var>) {
    let mut numbers = Vec::new();
    let tokens = crate::ir::placed(where_it_fits(tokens, matches!(ty, Type::Reference(_))), &mut numbers);
    // An element of a slice is written as a place, also where it is a reference.
    let is_place = || matches!(syn::parse2::<Expr>(tokens.clone()), Ok(Expr::Index(_)));
    let tokens = match ty {
        Type::Reference(reference) if reference.mutability.is_none() && is_place() => quote!(&#tokens),
        _ => tokens,
    };
    (ArgPassing::Tokens(tokens), numbers)
}

/// The layout with holes for the indices of elements in what is only passed on: they follow the leaves as operands.
fn with_holes(layout: Layout, numbers: &mut Vec<Var>) -> Layout {
    match layout {
        Layout::Passive(tokens) => Layout::Passive(crate::ir::placed(tokens, numbers)),
        Layout::Parts(kind, parts) => {
            Layout::Parts(kind, parts.into_iter().map(|part| with_holes(part, numbers)).collect())
        }
        other => other,
    }
}

/// Whether a part is a constant of which not even the numbers are known, such as a struct.
fn has_constant(value: &Value) -> bool {
    let Value::Parts(kind, parts) = value else { return false };
    let is_constant = |part: &Value| matches!(part, Value::Untyped(Untyped { number: None, tokens, .. }) if !is_phantom_value(tokens));
    match kind {
        Kind::Struct(ty) => parts
            .iter()
            .zip(&ty.fields)
            .any(|(part, field)| has_constant(part) || is_constant(part) && !matches!(field.ty, Surface::Scalar(_))),
        _ => parts.iter().any(has_constant),
    }
}

fn has_passive(value: &Value) -> bool {
    match value {
        Value::Other(tokens) => !is_phantom_value(tokens),
        Value::Undefined => true,
        Value::Slice(slice) => has_passive(&slice.of) || has_enum(&slice.of),
        Value::Parts(Kind::Struct(ty), _) if ty.errors.is_some() => true,
        Value::Parts(_, parts) => parts.iter().any(has_passive),
        _ => false,
    }
}

fn has_enum(value: &Value) -> bool {
    match value {
        Value::Parts(Kind::Struct(ty), _) if ty.is_enum() => true,
        Value::Parts(_, parts) => parts.iter().any(has_enum),
        _ => false,
    }
}

/// How many steps lie between a value and its first leaf.
fn structure_depth(value: &Value) -> usize {
    match value {
        Value::Parts(_, parts) => 1 + parts.iter().find(|part| !part.leaves().is_empty()).map_or(0, structure_depth),
        Value::Slice(slice) if slice.array().is_none() => 1 + structure_depth(&slice.of),
        _ => 0,
    }
}

/// Whether it is an array of numbers that is copied as fast as it is lent.
fn is_short_array(surface: &Surface) -> bool {
    let leaf = if matches!(surface, Surface::Array(..)) { surface.leaf() } else { None };
    leaf.is_some_and(|ty| ty.is_float() && ty.bytes().is_some_and(|bytes| bytes <= SHORT_ARRAY))
}
