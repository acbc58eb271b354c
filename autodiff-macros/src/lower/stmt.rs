//! Statements: `let`, expressions, items.

use super::Lower;
use super::learned::{is_untold, maker, origin};
use super::place::Place;
use super::slice_pattern::has_rest;
use super::value::{Lowered, Reported, Value};
use crate::diag::Error;
use crate::integers::Origin;
use crate::layout::{Form, Kind};
use crate::parse::ty::{Surface, spelled};
use crate::tokens::is_of_functions;
use std::rc::Rc;
use syn::{Block, Expr, Local, Pat, Stmt};

impl Lower<'_> {
    /// A block with its own scope; the value of its tail expression.
    pub(super) fn block_value(&mut self, block: &Block, expected: Option<&Surface>) -> Lowered<Value> {
        self.scoped(|lower| lower.statements(&block.stmts, expected))
    }

    fn statements(&mut self, stmts: &[Stmt], expected: Option<&Surface>) -> Lowered<Value> {
        let mut failed = false;
        let mut value = Value::unit();
        for (k, stmt) in stmts.iter().enumerate() {
            let last = k + 1 == stmts.len();
            match self.statement(stmt, last, expected.filter(|_| last)) {
                Ok(result) => value = result,
                Err(Reported) => failed = true,
            }
        }
        if failed { Err(Reported) } else { Ok(value) }
    }

    pub(super) fn statement(&mut self, stmt: &Stmt, last: bool, expected: Option<&Surface>) -> Lowered<Value> {
        match stmt {
            Stmt::Local(local) => self.local(local).map(|()| Value::unit()),
            Stmt::Expr(Expr::Return(ret), _) if last && self.env.depth() == 2 => match &ret.expr {
                Some(expr) => self.root(expr, expected),
                None => Ok(Value::unit()),
            },
            Stmt::Expr(expr, None) => self.root(expr, expected),
            Stmt::Expr(Expr::MethodCall(call), Some(_)) if self.is_changing_chain(call) => {
                self.changing_chain(call).map(|_| Value::unit())
            }
            Stmt::Expr(expr, Some(_)) => Ok(match self.root(expr, None)? {
                Value::Never => Value::Never,
                value => {
                    self.compute(&value);
                    Value::unit()
                }
            }),
            Stmt::Item(item @ syn::Item::Fn(_)) => self.unsupported(
                item,
                "this function inside the body",
                "move it out, and write `#[differentiable]` on it",
            ),
            Stmt::Item(syn::Item::Macro(item)) => self.own_macro(item),
            Stmt::Item(item) => self.unsupported(item, "an item inside the body", "move it out of the function"),
            Stmt::Macro(mac) => self.macro_call(&mac.mac),
        }
    }

    fn local(&mut self, local: &Local) -> Lowered<()> {
        if let Some(locals) = super::object::one_by_one(local) {
            return locals.iter().try_for_each(|local| self.local(local));
        }
        if let Some(local) = super::slice_pattern::as_tuple(local) {
            return self.local(&local);
        }
        let (pattern, declared) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let integers = match (pattern, local.init.as_ref().map(|init| super::assign::unparen(&init.expr))) {
            (Pat::Ident(name), Some(Expr::If(_) | Expr::Match(_) | Expr::Block(_))) => {
                self.counted_type(name).map(|elem| (elem, true))
            }
            _ => None,
        };
        let origin = match pattern {
            Pat::Ident(name) if declared.is_none() => Some(origin(name)),
            _ => None,
        };
        let around = std::mem::replace(&mut self.integers, integers);
        self.guessed = false;
        let value = self.initial_value(local, declared, origin.as_ref());
        let is_made = local.init.as_ref().is_some_and(|init| super::object::is_made_of_calls(&init.expr));
        let is_sum = super::sum::method(&local.attrs).is_some();
        let untold = self.guessed || is_made || is_sum || value.as_ref().map_or(true, is_untold);
        self.integers = around;
        let is_mutable = matches!(pattern, Pat::Ident(name) if name.mutability.is_some());
        let (value, object) = match value {
            Ok(value) if is_mutable && self.is_function(&value) => (Ok(self.function_value(value)), None),
            Ok(value) => {
                let (value, object) = self.own(local, value);
                (Ok(value), object)
            }
            Err(Reported) => (Err(Reported), None),
        };
        if let (None, Ok(value)) = (&local.init, &value) {
            self.declare(pattern, value)?;
            // `None` says less of it than `Some(x)`, which may come later.
            if let (Pat::Ident(name), Some(origin)) = (pattern, origin) {
                self.env.set_origin(&name.ident.to_string(), origin);
            }
            return Ok(());
        }
        match (&value, pattern) {
            (Ok(value), Pat::Ident(name)) if name.ident.to_string().starts_with('_') => self.compute(value),
            (Ok(value), Pat::Wild(_)) => self.compute(value),
            _ => {}
        }
        let bound = value.and_then(|value| self.bind(pattern, value)).inspect_err(|Reported| self.poison(pattern));
        let untold = untold || self.guessed;
        object.iter().for_each(|name| self.begin_object(name));
        // Another name of a variable that may turn out to be something else.
        let same = local.init.as_ref().filter(|init| !untold && self.is_guess(&init.expr));
        let same = same.and_then(|init| match super::assign::unparen(&init.expr) {
            Expr::Path(path) => self.lookup(&path.path.get_ident()?.to_string())?.origin.clone(),
            _ => None,
        });
        let (origin, untold) = if same.is_some() { (same, true) } else { (origin, untold) };
        if let (Pat::Ident(name), Some(origin), true) = (pattern, origin, untold || bound.is_err()) {
            self.env.set_origin(&name.ident.to_string(), origin);
            if let Some(maker) = local.init.as_ref().and_then(|init| maker(&init.expr)) {
                self.env.set_maker(&name.ident.to_string(), maker);
            }
        }
        bound
    }

    /// Variables that will be given values.
    fn declare(&mut self, pattern: &Pat, value: &Value) -> Lowered<()> {
        match pattern {
            Pat::Ident(ident) => {
                self.define(&ident.ident.to_string(), Some(value.clone()), true);
                Ok(())
            }
            Pat::Paren(paren) => self.declare(&paren.pat, value),
            Pat::Tuple(tuple) => tuple.elems.iter().try_for_each(|pattern| self.declare(pattern, value)),
            pattern => self.bind(pattern, value.clone()),
        }
    }

    fn initial_value(
        &mut self,
        local: &Local,
        declared: Option<&syn::Type>,
        origin: Option<&Origin>,
    ) -> Lowered<Value> {
        let Some(init) = &local.init else {
            // The type of an `Option` tells what its `None` is.
            let option = match declared {
                Some(ty) if is_option(ty) => self.resolve(ty).ok(),
                Some(_) => None,
                None => origin.and_then(|origin| self.learned.of(origin)),
            };
            let option = option.filter(|option| matches!(option, Surface::Struct(ty) if ty.is_option));
            return Ok(option.and_then(|option| self.nothing(&option)).unwrap_or(Value::Undefined));
        };
        if let Some((token, _)) = &init.diverge {
            return self.unsupported(token, "`let … else`", "take the value apart without a refutable pattern");
        }
        // What changes is looked into: an enum of constants.
        if let (None, Pat::Ident(name)) = (declared, &local.pat) {
            if let Some(owner) = self.enum_of_constants(&init.expr).filter(|_| name.mutability.is_some()) {
                return self.ask_for(owner);
            }
        }
        let declared = declared.filter(|ty| !is_of_functions(ty));
        let surface = match declared {
            Some(ty) if self.is_list_of_data(ty) => {
                if let Some(list) = self.empty_list_of_data(&init.expr) {
                    return Ok(list);
                }
                None
            }
            Some(ty) if self.is_foreign(ty) => None,
            Some(ty) => match self.resolve(ty) {
                Ok(surface) => Some(surface),
                Err(Reported) => {
                    let _ = self.root(&init.expr, None);
                    return Err(Reported);
                }
            },
            None => match origin {
                Some(origin) => self.learned.of(origin),
                None => self.type_of_pattern(&local.pat, &init.expr)?,
            },
        };
        if let Some(objects) = origin.and_then(|origin| self.objects(origin, &init.expr)) {
            return Ok(objects);
        }
        if let Some(first) = self.first_of_sum(local, surface.as_ref())? {
            let value = self.root(&first, surface.as_ref())?;
            return match &surface {
                Some(surface) => self.coerce(value, surface, &first, "the sum"),
                None => Ok(value),
            };
        }
        let fallible = super::result::result(surface.as_ref());
        let value = self.assuming(fallible, |lower| lower.root(&init.expr, surface.as_ref()))?;
        // A mutable borrow that is only moved to another name.
        let moved = match super::assign::unparen(&init.expr) {
            Expr::Path(path) => path.path.get_ident().and_then(|ident| self.lookup(&ident.to_string())),
            _ => None,
        };
        if let Some(borrow @ Value::Borrow(_)) = moved.and_then(|binding| binding.value.clone()) {
            return Ok(borrow);
        }
        if let (Expr::Path(path), true) = (super::assign::unparen(&init.expr), self.names_borrow(&init.expr)) {
            return self.borrow_mut(&Expr::Path(path.clone()));
        }
        let value = self.read_now(value);
        // `let mut r = IDENTITY;`
        let surface = match (&surface, &local.pat) {
            (None, Pat::Ident(name)) if name.mutability.is_some() => self.constant_numbers(&value)?,
            _ => surface,
        };
        // What has a name has a type already.
        let is_named = matches!(super::assign::unparen(&init.expr), Expr::Path(_));
        let value = match (declared.filter(|_| !is_named), &surface) {
            (Some(ty), Some(surface)) => self.declared_data(value, ty, surface),
            (Some(ty), None) => self.declared_data(value, ty, &Surface::Other(ty.clone())),
            _ => value,
        };
        match surface {
            // What it is of is not looked into.
            Some(surface) if is_untold(&value) && !matches!(surface, Surface::Scalar(_) | Surface::Struct(_)) => {
                match &value {
                    Value::Untyped(untyped) if !is_named && self.is_called(&untyped.tokens) => Ok(value),
                    _ => self.coerce(value, &surface, &init.expr, "the `let`"),
                }
            }
            Some(surface) => self.coerce(value, &surface, &init.expr, "the `let`"),
            None => Ok(value),
        }
    }

    pub(super) fn bind(&mut self, pattern: &Pat, value: Value) -> Lowered<()> {
        match pattern {
            Pat::Ident(ident) if ident.by_ref.is_some() && ident.mutability.is_some() => {
                let name = &ident.ident;
                self.unsupported(pattern, "`ref mut`", &format!("borrow what it is of: `let {name} = &mut …`"))
            }
            Pat::Ident(ident) if ident.subpat.is_none() => {
                let mutable = ident.mutability.is_some();
                // It becomes another part later.
                let value = match value {
                    Value::Slice(slice) if mutable && slice.count.is_none() && slice.array().is_some() => {
                        let slice = self.of_any_length(&slice);
                        self.owned(&slice)
                    }
                    value => value,
                };
                // What is going to change needs a type now.
                let plain = match mutable {
                    true => self.plain_variable(&value, self.learned.is_object(&origin(ident))),
                    false => None,
                };
                let mut value = match plain.unwrap_or(value) {
                    Value::Untyped(untyped) if mutable && untyped.integer => match self.counted_type(ident) {
                        Some(elem) => self.typed(&untyped, &elem),
                        None => self.settle(Value::Untyped(untyped), ident)?,
                    },
                    // Of which type it is, what it gets tells.
                    Value::Untyped(untyped) if mutable && untyped.tokens.to_string() == "None" => self.nothing_yet()?,
                    // `let mut best = usize::MAX;`
                    Value::Untyped(untyped) if mutable && untyped.number.is_none() => match self.counted_type(ident) {
                        Some(elem) => self.typed(&untyped, &elem),
                        None if self.learn_enum(&untyped.tokens, ident) => return Err(Reported),
                        None => self.settle(Value::Untyped(untyped), ident)?,
                    },
                    value if mutable => {
                        let value = self.with_options(value)?;
                        self.settle(value, ident)?
                    }
                    value => value,
                };
                if mutable {
                    value = self.grown_under(&ident.ident.to_string(), value);
                }
                self.define(&ident.ident.to_string(), Some(value), mutable);
                Ok(())
            }
            Pat::TupleStruct(_) | Pat::Struct(_) if matches!(&value, Value::Parts(Kind::Struct(ty), _) if ty.is_enum()) => {
                self.bind_fitting(pattern, value)
            }
            Pat::Wild(_) => Ok(()),
            // Rustc takes it apart.
            Pat::Tuple(_) | Pat::TupleStruct(_) | Pat::Struct(_) | Pat::Slice(_)
                if super::branch::is_passed_on(&value) =>
            {
                let Some(parts) = self.parts_of_data(pattern, &value) else { return self.bind_fitting(pattern, value) };
                parts.into_iter().try_for_each(|(pattern, part)| self.bind(pattern, part))
            }
            Pat::Tuple(_) | Pat::TupleStruct(_) | Pat::Struct(_) | Pat::Slice(_)
                if matches!(&value, Value::Borrow(_)) =>
            {
                let Value::Borrow(place) = &value else { return Err(Reported) };
                self.bind_places(pattern, place)
            }
            Pat::Paren(paren) => self.bind(&paren.pat, value),
            Pat::Reference(reference) => {
                let value = self.behind(value);
                self.bind(&reference.pat, value)
            }
            Pat::Tuple(tuple) => self.bind_parts(pattern, tuple.elems.iter(), &value),
            Pat::TupleStruct(tuple) => self.bind_parts(pattern, tuple.elems.iter(), &value),
            Pat::Slice(slice) if has_rest(slice) => self.bind_slice(slice, &value),
            Pat::Slice(slice) => {
                if let Value::Slice(whole) = &value {
                    let rows = (0..slice.elems.len()).map(|k| {
                        let at = self.b.dim(crate::ir::dim::Dim::literal(i64::try_from(k).unwrap_or(0)));
                        self.element(whole, at)
                    });
                    let rows = Value::Parts(Kind::Tuple, rows.collect());
                    return self.bind_parts(pattern, slice.elems.iter(), &rows);
                }
                let Value::Leaf(var, form) = value else { return self.bind_parts(pattern, slice.elems.iter(), &value) };
                let rows = self.rows(var, form, slice.elems.len());
                self.bind_parts(pattern, slice.elems.iter(), &Value::Parts(Kind::Tuple, rows))
            }
            Pat::Struct(fields) => {
                for field in &fields.fields {
                    match value.member(&field.member) {
                        Some(part) => {
                            let part = self.taken_by_pattern(part, &field.pat);
                            self.bind(&field.pat, part)?;
                        }
                        None => {
                            let message = format!("there is no field `{}`", spelled(&field.member));
                            return self.fail(Error::new(&field.member, message));
                        }
                    }
                }
                Ok(())
            }
            other => self.unsupported(other, "this pattern", "use names, tuples and structs in the pattern"),
        }
    }

    /// Takes a mutable borrow apart: each name is one of a part.
    pub(super) fn bind_places(&mut self, pattern: &Pat, place: &Place) -> Lowered<()> {
        let of_enum = match self.structure(place) {
            Some(Value::Parts(Kind::Struct(ty), _)) if ty.is_enum() => Some(ty),
            _ => None,
        };
        if let (Some(ty), Pat::TupleStruct(_) | Pat::Struct(_)) = (of_enum, pattern) {
            for (part, pattern) in self.variant_places(pattern, &ty, place)? {
                self.bind_places(pattern, &part)?;
            }
            return Ok(());
        }
        let parts: Vec<(Place, &Pat)> = match pattern {
            // What binds nothing has been compared with.
            Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) => return Ok(()),
            Pat::Wild(_) => return Ok(()),
            Pat::Paren(paren) => return self.bind_places(&paren.pat, place),
            Pat::Slice(slice) => return self.bind_slice_places(slice, place),
            Pat::Ident(ident) if ident.subpat.is_none() && ident.by_ref.is_none() && ident.mutability.is_none() => {
                self.define(&ident.ident.to_string(), Some(Value::Borrow(Rc::new(place.clone()))), false);
                return Ok(());
            }
            Pat::Struct(fields) => {
                fields.fields.iter().map(|field| (place.field(field.member.clone()), &*field.pat)).collect()
            }
            Pat::Tuple(syn::PatTuple { elems, .. }) | Pat::TupleStruct(syn::PatTupleStruct { elems, .. })
                if !elems.iter().any(|elem| matches!(elem, Pat::Rest(_))) =>
            {
                elems.iter().enumerate().map(|(k, elem)| (place.field(syn::Member::Unnamed(k.into())), elem)).collect()
            }
            _ => Vec::new(),
        };
        if parts.is_empty() {
            return self.unsupported(pattern, "this pattern for a mutable borrow", "borrow its parts one by one");
        }
        for (part, pattern) in parts {
            self.bind_places(pattern, &part)?;
        }
        Ok(())
    }

    fn bind_parts<'p>(
        &mut self,
        pattern: &Pat,
        pats: impl ExactSizeIterator<Item = &'p Pat>,
        value: &Value,
    ) -> Lowered<()> {
        let Value::Parts(_, parts) = value else {
            let message = format!("cannot take {} apart", value.describe(&self.b));
            return self.fail(Error::new(pattern, message));
        };
        if parts.len() != pats.len() {
            let message = format!("the pattern has {} parts, the value {}", pats.len(), parts.len());
            return self.fail(Error::new(pattern, message));
        }
        for (pat, part) in pats.zip(parts) {
            let part = self.taken_by_pattern(part.clone(), pat);
            self.bind(pat, part)?;
        }
        Ok(())
    }

    /// The elements along the first axis of a short array. If a name stands for their number, they are as many as a pattern
    /// has parts: rustc compares both, in the function itself.
    pub(super) fn rows(&mut self, var: crate::ir::Var, form: Form, parts: usize) -> Vec<Value> {
        let count = match self.b.ty(var).dims.first() {
            Some(size) if size.is_dynamic() => 0,
            Some(size) => size.as_literal().unwrap_or_else(|| i64::try_from(parts).unwrap_or(0)),
            None => 0,
        };
        (0..count)
            .map(|k| {
                let at = self.b.dim(crate::ir::dim::Dim::literal(k));
                let row = self.b.get(var, &[at]);
                Value::Leaf(self.track(row, &[var]), form)
            })
            .collect()
    }

    /// Names whose definition failed: known, but without a value.
    fn poison(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Ident(ident) => self.define(&ident.ident.to_string(), None, true),
            Pat::Tuple(tuple) => tuple.elems.iter().for_each(|pat| self.poison(pat)),
            Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|pat| self.poison(pat)),
            Pat::Slice(slice) => slice.elems.iter().for_each(|pat| self.poison(pat)),
            Pat::Struct(fields) => fields.fields.iter().for_each(|field| self.poison(&field.pat)),
            Pat::Reference(reference) => self.poison(&reference.pat),
            Pat::Paren(paren) => self.poison(&paren.pat),
            _ => {}
        }
    }
}

fn is_option(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Option"),
        _ => false,
    }
}
