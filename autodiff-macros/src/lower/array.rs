//! Arrays, their elements, and structs.

use super::Lower;
use super::assign::unparen;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::Error;
use crate::fault::{self, Fault};
use crate::ir::dim::Dim;
use crate::ir::{Elem, Ty, Var};
use crate::layout::{Form, Kind};
use crate::parse::ty::{Geometry, Surface, generic_args};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::{Expr, Type};

impl Lower<'_> {
    /// An index as an IR variable.
    pub(super) fn index(&mut self, expr: &Expr) -> Lowered<Var> {
        let value = self.expr(expr)?;
        self.index_of(value, expr)
    }

    /// The same of a value.
    pub(super) fn index_of(&mut self, value: Value, expr: &Expr) -> Lowered<Var> {
        match value {
            Value::Untyped(untyped) => match self.typed(&untyped, &Elem::usize()) {
                Value::Leaf(var, _) => Ok(var),
                _ => Err(Reported),
            },
            Value::Leaf(var, _) if self.b.ty(var) == &Ty::index() => Ok(var),
            Value::Other(tokens) => {
                let untyped = Untyped { tokens, number: None, integer: false };
                Ok(self.typed(&untyped, &Elem::usize()).leaves()[0])
            }
            Value::Leaf(var, _) if self.b.ty(var).is_float() => self
                .fail(Error::new(expr, "an index is a `usize`, this is a float").help("compute indices from integers")),
            other => self.fail(
                Error::new(expr, format!("an index is a `usize`, this is {}", other.describe(&self.b)))
                    .help("convert it with `as usize`"),
            ),
        }
    }

    pub(super) fn index_expr(&mut self, index: &syn::ExprIndex) -> Lowered<Value> {
        let base = self.expr(&index.expr)?;
        if let Expr::Range(range) = unparen(&index.index) {
            let slice = self.as_slice(&base).filter(|slice| slice.array().is_none_or(|(_, form)| form == Form::Plain));
            if let (None, Some(tokens)) = (&slice, self.passive_tokens(&base)) {
                let range = self.passive_range(range)?;
                return Ok(Value::Other(quote!(#tokens[#range])));
            }
            if let (None, Value::Parts(Kind::Array, parts)) = (&slice, &base) {
                if let Some(part) = part_of_array(parts, range) {
                    return Ok(Value::Parts(Kind::Array, part));
                }
            }
            let slice = match (slice, &base) {
                (None, Value::Parts(Kind::Array, parts)) if !parts.is_empty() => {
                    let len = Dim::literal(i64::try_from(parts.len()).unwrap_or(i64::MAX));
                    match self.slice_of(parts, &len, range)? {
                        Value::Slice(slice) => Some((*slice).clone()),
                        _ => None,
                    }
                }
                (slice, _) => slice,
            };
            let Some(slice) = slice else {
                return self.unsupported(range, "a sub-slice of this", "take one of an array, a slice or a `Vec`");
            };
            let (lo, len) = self.sub_range(range, &slice.len)?;
            let slice = self.narrowed(&slice, &lo, len);
            return Ok(Value::Slice(Rc::new(slice)));
        }
        match base.clone() {
            Value::Slice(slice) => {
                let at = self.index(&index.index)?;
                Ok(self.element(&slice, at))
            }
            Value::Leaf(var, Form::Plain) if self.b.ty(var).is_dynamic() => {
                let at = self.index(&index.index)?;
                let value = Value::Leaf(var, Form::Plain);
                match self.as_slice(&value) {
                    Some(slice) => Ok(self.element(&slice, at)),
                    None => Err(Reported),
                }
            }
            Value::Leaf(var, form @ (Form::Vector | Form::Matrix)) if !self.b.ty(var).is_scalar() => {
                self.matrix_element(var, form, &index.index)
            }
            Value::Leaf(var, form) => {
                let indices: Vec<&Expr> = match unparen(&index.index) {
                    Expr::Array(array) => array.elems.iter().collect(),
                    single => vec![single],
                };
                let rank = self.b.ty(var).rank();
                if indices.len() > rank || (form == Form::Tensor && indices.len() != rank) {
                    let what = Value::Leaf(var, form).describe(&self.b);
                    if rank == 0 {
                        self.learn_object(&index.expr);
                        return self.fail(Error::new(&index.index, format!("{what} has no elements to index")));
                    }
                    let count =
                        if indices.len() == 1 { "1 index".into() } else { format!("{} indices", indices.len()) };
                    let message = format!("{count} into {what}");
                    return self.fail(
                        Error::new(&index.index, message)
                            .help(format!("a tensor with {rank} axes is read with {rank} indices: `t[[i, j]]`")),
                    );
                }
                let mut at = Vec::new();
                for (axis, expr) in indices.into_iter().enumerate() {
                    let var_at = self.index(expr)?;
                    self.check_literal_index(expr, &self.b.ty(var).dims[axis].clone(), axis)?;
                    at.push(var_at);
                }
                let out = self.b.get(var, &at);
                // An element of a tensor is a number.
                let form = if self.b.ty(out).is_scalar() { Form::Plain } else { form };
                Ok(Value::Leaf(self.track(out, &[var]), form))
            }
            Value::Parts(Kind::Array, parts) => {
                let at = self.index(&index.index)?;
                let Some(at) = self.constant_dim(at).filter(|at| !at.is_dynamic()) else {
                    return self.one_of(&parts, at, &index.index);
                };
                let at = at.as_literal().and_then(|at| usize::try_from(at).ok());
                match at.map(|at| parts.get(at)) {
                    Some(Some(part)) => Ok(part.clone()),
                    Some(None) => self.fail(Error::new(
                        &index.index,
                        format!("index out of range: the array has {} elements", parts.len()),
                    )),
                    None => self.unsupported(
                        &index.index,
                        "an index into an array of structs that is not a literal",
                        "write out the elements",
                    ),
                }
            }
            Value::Parts(Kind::Struct(ty), parts) if ty.is_option => Ok(parts[1].clone()),
            Value::Parts(Kind::Struct(ty), _) if ty.geometry.is_some_and(Geometry::is_of_run_time) => {
                self.run_time_element(&base, &index.index)
            }
            Value::Parts(Kind::Struct(ty), _) if ty.geometry.is_some() => match self.coordinates_now(&base) {
                Some((_, Value::Leaf(array, form))) => self.matrix_element(array, form, &index.index),
                _ => self.fail(Error::new(index, format!("cannot index {}", base.describe(&self.b)))),
            },
            Value::Parts(Kind::Struct(ty), _) => self.indexed_struct(index, &ty, base),
            Value::Other(tokens) | Value::Untyped(Untyped { tokens, number: None, .. }) => {
                let at = self.passive_index(&index.index)?;
                let tokens = self.as_list(tokens);
                Ok(Value::Untyped(Untyped { tokens: quote!(#tokens[#at]), number: None, integer: false }))
            }
            other => self.fail(Error::new(index, format!("cannot index {}", other.describe(&self.b)))),
        }
    }

    /// Integers in tuples take the type of those in the same place of the other tuples.
    fn as_in_other_tuples(&mut self, parts: &mut [Value]) {
        let Some(Value::Parts(Kind::Tuple, first)) = parts.first() else { return };
        for k in 0..first.len() {
            let known = parts.iter().find_map(|part| match part {
                Value::Parts(Kind::Tuple, list) => match list.get(k)? {
                    Value::Leaf(var, _) if self.b.ty(*var).is_scalar() => Some(self.b.ty(*var).elem.clone()),
                    _ => None,
                },
                _ => None,
            });
            let Some(elem) = known else { continue };
            for part in parts.iter_mut() {
                let Value::Parts(Kind::Tuple, list) = part else { continue };
                if let Some(Value::Untyped(untyped)) = list.get(k) {
                    if untyped.integer {
                        list[k] = self.typed(&untyped.clone(), &elem);
                    }
                }
            }
        }
    }

    /// The element of a list of structs or tuples that a variable chooses: every number in them is put into an array, and what carries
    /// no derivative into one of references.
    pub(super) fn one_of(&mut self, parts: &[Value], at: Var, index: &impl ToTokens) -> Lowered<Value> {
        if let Some(function) = self.chosen_function(parts, at) {
            return Ok(function);
        }
        let settled = parts.iter().map(|part| self.settle(part.clone(), index)).collect::<Lowered<Vec<_>>>()?;
        if settled.is_empty() {
            return self.fail(Error::new(index, "index out of range: the array has 0 elements"));
        }
        self.chosen(&settled, at, index)
    }

    fn chosen(&mut self, all: &[Value], at: Var, index: &impl ToTokens) -> Lowered<Value> {
        if let Some(function) = self.chosen_function(all, at) {
            return Ok(function);
        }
        let first = &all[0];
        if let Value::Parts(kind, list) = first {
            let column = |k: usize| {
                all.iter().map(move |value| match value {
                    Value::Parts(_, own) if own.len() == list.len() => Some(own[k].clone()),
                    _ => None,
                })
            };
            let columns: Option<Vec<Vec<Value>>> = (0..list.len()).map(|k| column(k).collect()).collect();
            if let Some(columns) = columns {
                let parts = columns.iter().map(|column| self.chosen(column, at, index)).collect::<Lowered<_>>()?;
                return Ok(Value::Parts(kind.clone(), parts));
            }
        }
        let tokens: Option<Vec<TokenStream>> = all.iter().map(|value| self.passive_tokens(value)).collect();
        if let Some(tokens) = tokens.filter(|_| first.leaves().is_empty()) {
            if tokens.iter().all(|other| other.to_string() == tokens[0].to_string()) {
                return Ok(first.clone());
            }
            if let Some(at) = self.inactive_tokens(&Value::Leaf(at, Form::Plain)) {
                return Ok(Value::Other(quote!((*[#(&#tokens),*][#at]))));
            }
        }
        let count = first.leaves().len();
        if count == 0 || matches!(first, Value::Parts(..)) || all.iter().any(|value| value.leaves().len() != count) {
            return self.unsupported(index, "an index into an array of such values", "write out the elements");
        }
        let mut chosen = Vec::new();
        for k in 0..count {
            let rows: Vec<Var> = all.iter().map(|value| value.leaves()[k]).collect();
            let Some(array) = self.stacked(&rows) else {
                return self.unsupported(index, "an index into an array of such structs", "write out the elements");
            };
            let out = self.b.get(array, &[at]);
            chosen.push(self.track(out, &[array]));
        }
        Ok(first.rebuild(&mut chosen.into_iter()))
    }

    /// An array of values of one type.
    pub(super) fn stacked(&mut self, rows: &[Var]) -> Option<Var> {
        let ty = self.b.ty(*rows.first()?).clone();
        if rows.iter().any(|row| self.b.ty(*row) != &ty) {
            return None;
        }
        let count = Dim::literal(i64::try_from(rows.len()).unwrap_or(i64::MAX));
        let all = Ty::tensor(ty.elem.clone(), [vec![count], ty.dims.clone()].concat());
        let mut array = self.b.zero(all);
        for (j, row) in rows.iter().enumerate() {
            let place = self.b.dim(Dim::literal(i64::try_from(j).unwrap_or(i64::MAX)));
            array = self.b.set(array, *row, &[place]);
        }
        Some(self.track(array, rows))
    }

    /// A range of indices into what is only passed on.
    fn passive_range(&mut self, range: &syn::ExprRange) -> Lowered<TokenStream> {
        let [start, end] =
            [&range.start, &range.end].map(|bound| bound.as_deref().map(|bound| self.passive_index(bound)));
        let (start, end, limits) = (start.transpose()?, end.transpose()?, &range.limits);
        Ok(quote!(#start #limits #end))
    }

    /// An index into what is only passed on.
    fn passive_index(&mut self, index: &Expr) -> Lowered<TokenStream> {
        let value = self.expr(index)?;
        let tokens = match &value {
            // The index of something that is not looked into may be a tuple.
            Value::Parts(Kind::Tuple, _) => self.inactive_argument(&value, index),
            // The key of a map is borrowed.
            Value::Leaf(..) | Value::Untyped(Untyped { number: Some(_), .. }) => {
                let borrow = matches!(unparen(index), Expr::Reference(_)).then(|| quote!(&));
                self.inactive_tokens(&value).map(|tokens| quote!(#borrow #tokens))
            }
            value => self.inactive_tokens(value),
        };
        match tokens {
            Some(tokens) => Ok(tokens),
            None => self.fail(Error::new(index, format!("an index is a `usize`, this is {}", value.describe(&self.b)))),
        }
    }

    /// A literal index beyond a literal size is an error now, not a panic later.
    fn check_literal_index(&mut self, expr: &Expr, size: &Dim, axis: usize) -> Lowered<()> {
        let literal = match unparen(expr) {
            Expr::Lit(_) => crate::parse::ty::dim(expr).as_literal(),
            _ => None,
        };
        match (literal, size.as_literal()) {
            (Some(at), Some(size)) if at >= size => {
                self.fail(Error::new(expr, format!("index {at} is out of range: axis {axis} has size {size}")))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn array(&mut self, array: &syn::ExprArray, expected: Option<&Surface>) -> Lowered<Value> {
        if array.elems.is_empty() {
            return self.empty_array(array, expected);
        }
        let inner = match expected {
            Some(Surface::Array(inner, _)) if super::learned::contains_struct(inner) => Some(&**inner),
            _ => None,
        };
        let parts = array.elems.iter().map(|elem| {
            let part = self.kept(elem, inner)?;
            match inner {
                Some(inner) => self.coerce(part, inner, elem, "the element"),
                None => self.with_parts(part, elem),
            }
        });
        let parts: Vec<Lowered<Value>> = parts.collect();
        let mut parts: Vec<Value> = parts.into_iter().collect::<Lowered<_>>()?;
        if let Some(functions) = self.listed_functions(&parts, array) {
            return functions;
        }
        if inner.is_none() {
            if let Some(data) = self.list_of_data(&mut parts)? {
                return Ok(data);
            }
        }
        self.as_in_other_tuples(&mut parts);
        self.as_in_other_options(&mut parts)?;
        // Literals take the type of what stands beside them.
        let elem = parts.iter().find_map(|part| match part {
            Value::Leaf(var, _) => Some(self.b.ty(*var).elem.clone()),
            _ => None,
        });
        let elem = elem.or_else(|| match expected {
            Some(Surface::Array(inner, _)) => inner.leaf().filter(Ty::is_scalar).map(|ty| ty.elem),
            _ => None,
        });
        // `[LEFT, RIGHT]`: the file says of which type the constants are.
        let elem = match (elem, parts.iter().find(|part| super::learned::is_untold(part))) {
            (None, Some(constant)) => match self.constant_surface(&constant.clone())? {
                Some(Surface::Scalar(elem)) => Some(elem),
                _ => None,
            },
            (elem, _) => elem,
        };
        for part in &mut parts {
            if let Value::Untyped(untyped) = part {
                *part = match &elem {
                    Some(elem) => self.typed(untyped, elem),
                    None => {
                        let untyped = Value::Untyped(untyped.clone());
                        self.settle(untyped, array)?
                    }
                };
            }
        }
        let vars: Option<Vec<Var>> = parts
            .iter()
            .map(|part| match part {
                Value::Leaf(var, Form::Plain) => Some(*var),
                _ => None,
            })
            .collect();
        match vars {
            Some(vars) if vars.iter().all(|var| self.b.ty(*var) == self.b.ty(vars[0])) => {
                let out = self.b.pack(&vars);
                Ok(Value::Leaf(self.track(out, &vars), Form::Plain))
            }
            _ => Ok(Value::Parts(Kind::Array, parts)),
        }
    }

    /// An array of data, such as structs without a derivative, which rustc knows; nothing, if the elements may be numbers. Structs with
    /// a derivative are taken apart.
    fn list_of_data(&mut self, parts: &mut [Value]) -> Lowered<Option<Value>> {
        let mut is_data = false;
        for part in parts.iter_mut() {
            let Value::Untyped(untyped) = &*part else { continue };
            if untyped.number.is_some() || self.plain_type_of(part).is_some() {
                continue;
            }
            let untyped = untyped.clone();
            match self.typed_data(&untyped)? {
                Some(apart) => *part = apart,
                None => is_data |= self.is_of_users(&untyped.tokens) || self.is_bare_variant(&untyped.tokens),
            }
        }
        let all = parts.iter().map(|part| match part {
            Value::Untyped(Untyped { tokens, number: None, .. }) => Some(tokens),
            _ => None,
        });
        let Some(all) = all.collect::<Option<Vec<_>>>().filter(|_| is_data) else { return Ok(None) };
        let tokens = quote!([#(#all),*]);
        Ok(Some(match crate::ir::mentions_late(&tokens) {
            true => self.once(tokens),
            false => Value::Untyped(Untyped { tokens, number: None, integer: false }),
        }))
    }

    /// `Idle` of `use Mode::*;`
    fn is_bare_variant(&self, tokens: &TokenStream) -> bool {
        let name = syn::parse2::<syn::Ident>(tokens.clone());
        let source = self.source.as_ref().zip(name.ok());
        source.is_some_and(|(source, name)| {
            source.constant_type(&name.clone().into()).is_none() && source.enum_of(&name.to_string()).is_some()
        })
    }

    /// `[]`, which has the type of what it is for.
    fn empty_array(&mut self, array: &syn::ExprArray, expected: Option<&Surface>) -> Lowered<Value> {
        let ty = match expected {
            Some(Surface::Array(inner, _) | Surface::Seq(inner, _)) => {
                Surface::Array(inner.clone(), Dim::literal(0)).leaf().filter(|ty| !ty.is_dynamic())
            }
            _ => None,
        };
        match ty {
            Some(ty) => Ok(Value::Leaf(self.b.zero(ty), Form::Plain)),
            None => {
                let message = "the type of this empty array is not visible";
                self.fail(Error::new(array, message).help("write it with an element: `[0.0; 0]`"))
            }
        }
    }

    pub(super) fn repeat(&mut self, repeat: &syn::ExprRepeat, expected: Option<&Surface>) -> Lowered<Value> {
        let count = self.size(&repeat.len)?;
        let inner = match expected {
            Some(Surface::Array(inner, _)) => Some(&**inner),
            _ => None,
        };
        let part = self.expr_expecting(&repeat.expr, inner)?;
        let part = match (self.with_parts(part, &repeat.expr)?, inner) {
            (part, Some(inner)) if super::learned::contains_struct(inner) => {
                self.coerce(part, inner, &repeat.expr, "the element")?
            }
            (Value::Untyped(untyped), Some(Surface::Scalar(elem))) => self.typed(&untyped, elem),
            (part, _) => self.settle(part, &repeat.expr)?,
        };
        if let (Value::Parts(..), Some(count @ 1..)) = (&part, count.written_out()) {
            return Ok(Value::Parts(Kind::Array, vec![part; count]));
        }
        if let Value::Leaf(_, Form::Tensor) = part {
            let what = "an array of tensors, where the size is a name or a large number,";
            let help = "make one tensor with an axis more, or take a `Vec`: `vec![…; n]`";
            return self.unsupported(repeat, what, help);
        }
        let Value::Leaf(var, Form::Plain) = part else {
            return self.repeated(part, None, &count, &repeat.expr);
        };
        let ty = self.b.ty(var).clone();
        let full = Ty::tensor(ty.elem.clone(), [vec![count.clone()], ty.dims].concat());
        let zero = self.b.zero(full);
        if matches!(&*repeat.expr, Expr::Lit(lit) if crate::parse::ty::spelled(lit).trim_end_matches(['f', '3', '2', '6', '4', '_']).parse() == Ok(0.0_f64))
        {
            return Ok(Value::Leaf(zero, Form::Plain));
        }
        let out = self.b.for_loop((Dim::literal(0), count), &[zero], |b, i, t| vec![b.set(t[0], var, &[i])])[0];
        Ok(Value::Leaf(self.track(out, &[var]), Form::Plain))
    }

    /// The type of a struct of which some fields are given.
    fn declared_by(
        &mut self,
        path: &syn::Path,
        info: &crate::relay::StructInfo,
        given: &[(usize, &Expr, Lowered<Value>)],
    ) -> Option<Surface> {
        let given = given.iter().filter_map(|(at, _, value)| Some((info.fields[*at].clone(), value.as_ref().ok()?)));
        let (fields, values): (Vec<_>, Vec<_>) = given.unzip();
        let args = self.inferred_generics(info, &fields, &values).ok()?;
        let bare = crate::relay::without_arguments(path);
        self.resolve(&syn::parse_quote!(#bare<#(#args),*>)).ok()
    }

    pub(super) fn struct_literal(&mut self, literal: &syn::ExprStruct, expected: Option<&Surface>) -> Lowered<Value> {
        if let Some(named) = self.named_variant(&literal.path) {
            if let Some(rest) = &literal.rest {
                return self.unsupported(rest, "`..` in a variant", "name every field");
            }
            return self.variant_literal(literal, &named, expected);
        }
        let Some(info) = self.knowledge.find_struct(&literal.path) else {
            if let Some(plain) = self.plain_literal(literal) {
                return plain;
            }
            if let Some(data) = self.data_literal(literal) {
                return Ok(data);
            }
            let owner = Self::enum_to_ask(&literal.path).unwrap_or_else(|| literal.path.clone());
            return self.ask_for(owner);
        };
        // Without generics to be found out first, the fields' types tell what literals are.
        let known = info.generics.is_empty() || !generic_args(&literal.path).is_empty();
        let declared = match known {
            true => Some(self.resolve(&Type::Path(syn::TypePath { qself: None, path: literal.path.clone() }))?),
            // The arguments are those of what the literal becomes.
            false => expected.filter(|surface| is_of(surface, &literal.path)).cloned(),
        };
        let mut missing = info.fields.iter().map(|field| &field.member);
        let missing = missing.find(|member| !literal.fields.iter().any(|given| given.member == **member));
        if let (Some(member), None) = (missing, &literal.rest) {
            let message = format!("field `{}` is missing", member.to_token_stream());
            return self.fail(Error::new(&literal.path, message));
        }
        // They are evaluated as they are written, and kept as they are declared.
        let mut given = Vec::new();
        let place = |field: &syn::FieldValue| info.fields.iter().position(|known| known.member == field.member);
        let mut fields: Vec<&syn::FieldValue> = literal.fields.iter().collect();
        if fault::is(Fault::FieldsAsDeclared) {
            fields.sort_by_key(|field| place(field));
        }
        for field in fields {
            let at = place(field);
            let expected = match (&declared, at) {
                (Some(Surface::Struct(ty)), Some(at)) => Some(&ty.fields[at].ty),
                _ => None,
            };
            // A constant of an enum has parts, too: what the struct is lent to may change them.
            if let Some(owner) = expected.and_then(|surface| self.enum_of_field(&field.expr, surface)) {
                return self.ask_for(owner);
            }
            let value = self.kept(&field.expr, expected);
            given.extend(at.map(|at| (at, &field.expr, value)));
        }
        if let Some(rest) = &literal.rest {
            let declared = match declared {
                Some(declared) => Some(declared),
                None => self.declared_by(&literal.path, &info, &given),
            };
            let base = match &declared {
                // `..Default::default()`: the struct tells of what.
                Some(declared) if super::options::is_default(rest) => {
                    let base = self.root(rest, Some(declared))?;
                    self.coerce(base, declared, rest, "what is after `..`")?
                }
                Some(declared) => {
                    let base = self.expr_expecting(rest, Some(declared))?;
                    self.coerce(base, declared, rest, "what is after `..`")?
                }
                None => self.expr_expecting(rest, None)?,
            };
            for (k, field) in info.fields.iter().enumerate() {
                if given.iter().any(|(at, ..)| *at == k) {
                    continue;
                }
                let (Value::Parts(Kind::Struct(_), _), Some(part)) = (&base, base.member(&field.member)) else {
                    return self.unsupported(rest, "this after `..` in a struct literal", "name every field");
                };
                given.push((k, rest, Ok(part)));
            }
        }
        given.sort_by_key(|(at, ..)| *at);
        let given = given.into_iter().map(|(_, expr, value)| (expr, value));
        let values = given.map(|(expr, value)| Ok((expr, value?))).collect::<Lowered<Vec<_>>>()?;
        let path =
            self.with_generics(&literal.path, &info, &values.iter().map(|(_, value)| value).collect::<Vec<_>>())?;
        let Surface::Struct(ty) = self.resolve(&Type::Path(syn::TypePath { qself: None, path }))? else {
            return Err(Reported);
        };
        let mut parts = Vec::new();
        for ((expr, value), field) in values.into_iter().zip(&ty.fields) {
            parts.push(self.field_value(value, field, expr)?);
        }
        Ok(Value::Parts(Kind::Struct(ty), parts))
    }
}

/// The elements of an array that is written out, between literal ends.
fn part_of_array(parts: &[Value], range: &syn::ExprRange) -> Option<Vec<Value>> {
    let end = |end: &Option<Box<Expr>>, otherwise: usize| match end {
        None => Some(otherwise),
        Some(end) => usize::try_from(crate::parse::ty::dim(end).as_literal()?).ok(),
    };
    let (from, to) = (end(&range.start, 0)?, end(&range.end, parts.len())?);
    let to = if range.end.is_some() && matches!(range.limits, syn::RangeLimits::Closed(_)) { to + 1 } else { to };
    parts.get(from..to).filter(|part| !part.is_empty()).map(<[Value]>::to_vec)
}

/// Whether a type is the struct that a path names.
fn is_of(surface: &Surface, path: &syn::Path) -> bool {
    let last = |path: &syn::Path| path.segments.last().map(|last| last.ident.clone());
    matches!(surface, Surface::Struct(ty) if !ty.is_option && last(&ty.path) == last(path))
}
