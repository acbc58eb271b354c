//! Types that a `let` does not say and its value does not tell.
//!
//! Note [Types by later use]. `let mut path = Vec::new();` and `let mut sum = Vec3::default();` are of the type that a later use gives
//! them. Until then they are taken for numbers. Where such a variable turns out to be of another type, since something else
//! is pushed, added or assigned, that is noted, and the body is lowered again with that type in the `let`. Each `let` learns
//! at most once, so that this comes to an end; what still does not fit then is the error.
//!
//! A `let mut` whose value could be a number, but that is used as an object, `rng.next()` or `push(&mut state)`, is one without a
//! derivative, unless it is made by a function of a type that has one: see Note [Data that change] in `object.rs`.
//!
//! An object that is made of constants, `let g = Vec3::new(0.0, 0.0, -9.81);`, is only passed on, until it takes part in what has a
//! derivative. Then it is taken for a `Vec3`, and the call is emitted as one of a function that returns that, which rustc checks.

use super::Lower;
use super::assign::unparen;
use super::place::Place;
use super::value::{Lowered, Untyped, Value};
use crate::integers::Origin;
use crate::ir::dim::Dim;
use crate::ir::{Elem, Var};
use crate::layout::{Form, Kind};
use crate::parse::ty::{Seq, StructArg, Surface, generic_args, spelled};
use crate::source::Source;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;
use syn::{Expr, ExprCall, ExprPath, Ident, PatIdent, Path, Type};

/// The longest array in an element of data that is read number by number.
const MOST_READ: usize = 32;

#[derive(Clone, Default)]
pub(super) struct Learned {
    /// The types of variables by their `let`.
    types: HashMap<Origin, Surface>,
    /// The names of `Vec`s that get others of another length.
    growing: HashSet<String>,
    /// The `let`s of objects without a derivative that change.
    objects: HashSet<Origin>,
}

impl Learned {
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn len(&self) -> usize {
        self.types.len() + self.growing.len() + self.objects.len()
    }

    pub(super) fn extend(&mut self, news: Learned) {
        self.types.extend(news.types);
        self.growing.extend(news.growing);
        self.objects.extend(news.objects);
    }

    pub(super) fn has_type(&self, origin: &Origin) -> bool {
        self.types.contains_key(origin)
    }

    /// Whether something is learned.
    pub(super) fn learn_object(&mut self, origin: Origin) -> bool {
        self.objects.insert(origin)
    }

    pub(super) fn is_object(&self, origin: &Origin) -> bool {
        self.objects.contains(origin)
    }

    pub(super) fn of(&self, origin: &Origin) -> Option<Surface> {
        self.types.get(origin).cloned()
    }

    pub(super) fn growing(&self) -> impl Iterator<Item = String> {
        self.growing.iter().cloned()
    }
}

pub(super) fn origin(pattern: &PatIdent) -> Origin {
    crate::integers::origin(&pattern.ident)
}

impl Lower<'_> {
    /// The type that a `Vec` turns out to have, by what is pushed to it.
    pub(super) fn learn_element(&mut self, place: &Place, value: &Value) {
        if place.path.is_empty() {
            self.learn_slot(place.slot, Surface::Seq(Box::new(value.surface(&self.b)), Seq::Vec));
        }
    }

    /// The type of a constant, or of an element of one, as the file of the function has it.
    pub(super) fn constant_surface(&mut self, value: &Value) -> Lowered<Option<Surface>> {
        let Value::Untyped(Untyped { tokens, number: None, .. }) = value else { return Ok(None) };
        let (Some(source), Ok(expr)) = (self.source.clone(), syn::parse2::<Expr>(tokens.clone())) else {
            return Ok(None);
        };
        match constant_type(&source, &expr) {
            Some(ty) if self.is_foreign(&ty) => Ok(None),
            Some(ty) => match self.plain_surface(&ty) {
                Some(plain) => Ok(Some(plain)),
                None => self.resolve(&ty).map(Some),
            },
            None => Ok(None),
        }
    }

    /// The type of a constant that is a number, or an array of numbers.
    pub(super) fn constant_numbers(&mut self, value: &Value) -> Lowered<Option<Surface>> {
        let Value::Untyped(Untyped { tokens, number: None, .. }) = value else { return Ok(None) };
        let (Some(source), Ok(expr)) = (self.source.clone(), syn::parse2::<Expr>(tokens.clone())) else {
            return Ok(None);
        };
        match constant_type(&source, &expr).filter(is_of_numbers) {
            Some(ty) => self.resolve(&ty).map(Some),
            None => Ok(None),
        }
    }

    /// The array that a field of a parameter without a derivative is, as the file of the function has it: `config.weights`.
    pub(super) fn array_of_data(&mut self, value: &Value, at: &Expr) -> Lowered<Option<Value>> {
        let (Value::Untyped(Untyped { tokens, number: None, .. }) | Value::Other(tokens)) = value else {
            return Ok(None);
        };
        let (Some(source), Ok(expr)) = (self.source.clone(), syn::parse2::<Expr>(tokens.clone())) else {
            return Ok(None);
        };
        match self.data_type(&source, &expr).filter(is_of_numbers) {
            Some(ty @ Type::Array(_)) => {
                let surface = self.resolve(&ty)?;
                if crate::ir::mentions_late(tokens) {
                    return Ok(self.elements_of_data(tokens, &surface));
                }
                let value = Value::Untyped(Untyped { tokens: tokens.clone(), number: None, integer: false });
                self.coerce(value, &surface, at, "the array").map(Some)
            }
            _ => Ok(None),
        }
    }

    /// An array in an element of what is only passed on, `bars[i].ends`, by its numbers.
    fn elements_of_data(&mut self, tokens: &TokenStream, surface: &Surface) -> Option<Value> {
        match surface {
            Surface::Scalar(elem) => {
                let untyped = Untyped { tokens: tokens.clone(), number: None, integer: false };
                Some(self.typed(&untyped, elem))
            }
            Surface::Array(inner, size) => {
                let count = usize::try_from(size.as_literal()?).ok().filter(|count| (1..=MOST_READ).contains(count))?;
                let elements = (0..count).map(|k| {
                    let place = proc_macro2::Literal::usize_unsuffixed(k);
                    self.elements_of_data(&quote!(#tokens[#place]), inner)
                });
                let elements: Vec<Value> = elements.collect::<Option<_>>()?;
                let vars: Vec<Var> = elements.iter().flat_map(Value::leaves).collect();
                Some(Value::Leaf(self.b.pack(&vars), Form::Plain))
            }
            _ => None,
        }
    }

    /// Whether a variable that changes begins with a variant of an enum without a derivative, `let mut phase = Phase::Burning;`: it is
    /// an object then. The file says so, or the relay that has been asked and is not there.
    pub(super) fn learn_enum(&mut self, tokens: &TokenStream, name: &PatIdent) -> bool {
        let Ok(path) = syn::parse2::<Path>(tokens.clone()) else { return false };
        let [.., owner, variant] = &path.segments.iter().collect::<Vec<_>>()[..] else { return false };
        let (owner, variant) = (owner.ident.to_string(), variant.ident.to_string());
        let is_written = self.source.as_ref().is_some_and(|source| source.is_variant(&owner, &variant));
        let is_unknown = || Self::enum_to_ask(&path).is_some_and(|owner| self.knowledge.is_unknown(&owner));
        let origin = origin(name);
        (is_written || is_unknown()) && !self.learned.is_object(&origin) && self.news.learn_object(origin)
    }

    /// A constant of a struct as its parts.
    pub(super) fn with_parts(&mut self, value: Value, at: &Expr) -> Lowered<Value> {
        match self.constant_surface(&value)? {
            Some(surface) if contains_struct(&surface) => self.coerce(value, &surface, at, "the constant"),
            _ => Ok(value),
        }
    }

    /// The type that a variable turns out to have, or an element of it.
    pub(super) fn learn_place(&mut self, place: &Expr, surface: Surface) {
        match unparen(place) {
            Expr::Index(index) => match self.named(&index.expr).map(|value| value.surface(&self.b)) {
                Some(Surface::Array(_, len)) => self.learn_place(&index.expr, Surface::Array(Box::new(surface), len)),
                Some(Surface::Seq(_, kind)) => self.learn_place(&index.expr, Surface::Seq(Box::new(surface), kind)),
                _ => {}
            },
            name => self.learn_named(name, surface),
        }
    }

    /// The type that a variable turns out to have.
    pub(super) fn learn_named(&mut self, name: &Expr, surface: Surface) {
        let Expr::Path(path) = unparen(name) else { return };
        let slot = path.path.get_ident().and_then(|ident| self.env.slot(&ident.to_string()));
        if let Some(slot) = slot {
            self.learn_slot(slot, surface);
        }
    }

    /// Of two numbers of which one is taken for an `f64` and the other is an `f32`, that both are. Whether something is learned.
    pub(super) fn learn_precision(&mut self, left: (&Expr, Var), right: (&Expr, Var)) -> bool {
        let before = self.news.len();
        for ((guessed, x), (_, y)) in [(left, right), (right, left)] {
            let is_double = self.b.ty(x).elem == Elem::F64 && self.b.ty(y).elem == Elem::F32;
            if is_double && self.b.ty(x).is_scalar() && self.is_guess(guessed) {
                self.learn_place(guessed, Surface::Scalar(Elem::F32));
            }
        }
        before != self.news.len()
    }

    /// What a place is of, which has been taken for an `f64`, where it gets an `f32`.
    pub(super) fn learn_float(&mut self, place: &Expr, value: &Value) {
        if let Value::Leaf(var, Form::Plain) = value {
            let ty = self.b.ty(*var);
            if ty.is_scalar() && ty.elem == Elem::F32 {
                self.learn_place(place, Surface::Scalar(Elem::F32));
            }
        }
    }

    /// That the `Vec` of this name gets another one, which may be longer or shorter: `level = level.chunks(2).map(…).collect();`
    pub(super) fn learn_growing(&mut self, name: &Expr, value: &Value) {
        let Expr::Path(path) = unparen(name) else { return };
        let (Some(name), Value::Slice(_)) = (path.path.get_ident(), value) else { return };
        self.learn_growing_name(name.to_string());
    }

    pub(super) fn learn_growing_name(&mut self, name: String) {
        if !self.growing.contains(&name) {
            self.news.growing.insert(name);
        }
    }

    /// Finds out of what type objects are that are made of constants, `V::new(2.0, 3.0)` or `V::default()`, where that has to be
    /// known: they take part in what has a derivative. They are taken for what the function belongs to. Whether something is learned.
    pub(super) fn learn_makers(&mut self, expr: &Expr) -> bool {
        #[derive(Default)]
        struct Objects {
            made: Vec<(Origin, Path)>,
            names: Vec<Ident>,
        }
        impl<'a> Visit<'a> for Objects {
            fn visit_expr(&mut self, expr: &'a Expr) {
                self.made.extend(maker(expr));
                syn::visit::visit_expr(self, expr);
            }

            fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
                self.names.extend(path.path.get_ident().cloned());
            }
        }
        let mut objects = Objects::default();
        objects.visit_expr(expr);
        let named = objects.names.iter().filter_map(|name| self.lookup(&name.to_string())?.maker.clone());
        let made: Vec<_> = objects.made.into_iter().chain(named).collect();
        let before = (self.ask.len(), self.news.len());
        made.into_iter().for_each(|maker| self.learn_made(maker));
        before != (self.ask.len(), self.news.len())
    }

    pub(super) fn learn_made(&mut self, (origin, owner): (Origin, Path)) {
        if self.learned.types.contains_key(&origin) || self.knowledge.is_unknown(&owner) {
            return;
        }
        match self.knowledge.find_struct(&owner) {
            Some(info) if info.generics.len() == generic_args(&owner).len() => {
                if let Ok(surface) = self.resolve(&syn::parse_quote!(#owner)) {
                    self.news.types.entry(origin).or_insert(surface);
                }
            }
            Some(_) => {}
            None => drop(self.ask_for::<()>(owner)),
        }
    }

    /// The type of an object, where it has been learned.
    pub(super) fn learned_object(&self, call: &ExprCall) -> Option<Surface> {
        self.learned.of(&made_by(call)?.0)
    }

    pub(super) fn learn_slot(&mut self, slot: usize, surface: Surface) {
        let Some(origin) = self.env.get(slot).origin.clone() else { return };
        if let (false, Some(surface)) = (self.learned.types.contains_key(&origin), anywhere(surface)) {
            self.news.types.entry(origin).or_insert(surface);
        }
    }

    /// Whether a named variable is taken for a number until something else is known.
    pub(super) fn is_guess(&self, expr: &Expr) -> bool {
        let path = match unparen(expr) {
            Expr::Path(path) => path,
            Expr::Index(index) => return self.is_guess(&index.expr),
            _ => return false,
        };
        let binding = path.path.get_ident().and_then(|ident| self.lookup(&ident.to_string()));
        binding
            .and_then(|binding| binding.origin.as_ref())
            .is_some_and(|origin| !self.learned.types.contains_key(origin))
    }
}

/// The type of an expression that is made of a constant.
fn constant_type(source: &Source, expr: &Expr) -> Option<Type> {
    match unparen(expr) {
        Expr::Path(path) if path.qself.is_none() => source.constant_type(&path.path),
        Expr::Reference(reference) => constant_type(source, &reference.expr),
        Expr::Unary(unary) => constant_type(source, &unary.expr),
        Expr::Index(index) if !matches!(unparen(&index.index), Expr::Range(_)) => {
            match constant_type(source, &index.expr)? {
                Type::Array(array) => Some(*array.elem),
                Type::Reference(reference) => match *reference.elem {
                    Type::Slice(slice) => Some(*slice.elem),
                    Type::Array(array) => Some(*array.elem),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a type is that of a number, or of an array of numbers.
fn is_of_numbers(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_of_numbers(&array.elem),
        Type::Path(path) => path.path.get_ident().is_some_and(|name| {
            let name = name.to_string();
            matches!(&name[..], "f32" | "f64") || crate::parse::ty::INTEGERS.contains(&&name[..])
        }),
        _ => false,
    }
}

pub(super) fn contains_struct(surface: &Surface) -> bool {
    match surface {
        Surface::Struct(ty) => !ty.is_option,
        Surface::Array(inner, _) => contains_struct(inner),
        _ => false,
    }
}

/// The call of an associated function that a value is made by, and the type that this belongs to.
pub(super) fn maker(value: &Expr) -> Option<(Origin, Path)> {
    match unparen(value) {
        Expr::Call(call) => made_by(call),
        _ => None,
    }
}

pub(super) fn made_by(call: &ExprCall) -> Option<(Origin, Path)> {
    let Expr::Path(ExprPath { qself: None, path, .. }) = &*call.func else { return None };
    super::owned::associated_function(path)?;
    let mut owner = path.clone();
    let function = owner.segments.pop()?.into_value().ident;
    owner.segments.pop_punct();
    Some((format!("{} {:?}", spelled(path), function.span()), owner))
}

/// Whether a value says nothing of its type.
pub(super) fn is_untold(value: &Value) -> bool {
    match value {
        Value::Untyped(untyped) => untyped.number.is_none(),
        Value::Other(_) => true,
        _ => false,
    }
}

/// A type without the variables of this body, if it is known as a whole.
fn anywhere(surface: Surface) -> Option<Surface> {
    let boxed = |inner: Box<Surface>| anywhere(*inner).map(Box::new);
    Some(match surface {
        Surface::Array(inner, len) if len.is_dynamic() => Surface::Seq(boxed(inner)?, Seq::Vec),
        Surface::Array(inner, len) => Surface::Array(boxed(inner)?, len),
        Surface::Seq(inner, _) => Surface::Seq(boxed(inner)?, Seq::Vec),
        Surface::Tuple(parts) => Surface::Tuple(parts.into_iter().map(anywhere).collect::<Option<_>>()?),
        Surface::Tensor(_, dims) if dims.iter().any(Dim::is_dynamic) => return None,
        Surface::Matrix(_, rows, columns) if rows.is_dynamic() || columns.is_dynamic() => return None,
        Surface::Struct(ty) => {
            let is_fixed = |arg: &StructArg| !matches!(arg, StructArg::Size(size) if size.is_dynamic());
            return ty.args.iter().all(is_fixed).then_some(Surface::Struct(ty));
        }
        Surface::Other(_) => return None,
        other => other,
    })
}

/// Whether a value is a struct.
pub(super) fn is_struct(value: &Value) -> bool {
    matches!(value, Value::Parts(Kind::Struct(_), _))
}
