//! Methods of tensors, and functions of several, beyond the element-wise ones: name, parameters, and how they are
//! built. A family of operators is one file; [`all`] lists the families.

mod attention;
mod basic;
mod choice;
mod conv;
mod index;
mod linear;
mod loss;
mod norm;
mod pad;
mod pool;
mod product;
mod recurrent;
mod reduce;
mod shape;
pub mod window;

use super::page::Page;
use super::{Mismatch, Typed};
use crate::ir::Var;
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Comparison, Dim};

/// What a method takes besides its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// A tensor or a number.
    Operand,
    /// A number: `0.1`, a constant, a scalar.
    Number,
    /// A tensor of truth values.
    Mask,
    /// An array of `usize`, of any rank.
    Labels,
    /// A literal axis.
    Axis,
    /// A list of different literal axes: `[2, 0, 1]`.
    Axes,
    /// Where a new axis goes: 0 to the rank.
    NewAxis,
    /// A constant size: `2`, `N`.
    Size,
    /// A place on an axis, which run time may tell.
    Place,
    /// A literal shape: `[3, N]`.
    Dims,
    /// Half-open ranges, one for each axis: `[1..3, 0..2]`.
    Ranges,
    /// Pairs of sizes, one for each axis: `[(1, 2), (0, 1)]`.
    Pairs,
    /// Several tensors: `[x, y]`.
    Operands,
    /// A struct of sizes: `Conv2d { stride: [1, 1], … }`, by name and fields.
    Options(&'static str, &'static [&'static str]),
}

/// An argument in IR.
#[derive(Clone, Debug)]
pub enum Arg {
    Operand(Var),
    Operands(Vec<Var>),
    Axis(usize),
    Axes(Vec<usize>),
    Dims(Vec<Dim>),
    Pairs(Vec<(Dim, Dim)>),
    /// The sizes of each field, in the order of [`ParamKind::Options`].
    Options(Vec<Vec<Dim>>),
}

impl Arg {
    pub fn var(&self) -> Var {
        match self {
            Arg::Operand(var) => *var,
            other => unreachable!("the front end passes an operand here, not {other:?}"),
        }
    }

    pub fn vars(&self) -> &[Var] {
        match self {
            Arg::Operands(vars) => vars,
            other => unreachable!("the front end passes operands here, not {other:?}"),
        }
    }

    pub fn axis(&self) -> usize {
        match self {
            Arg::Axis(axis) => *axis,
            other => unreachable!("the front end passes an axis here, not {other:?}"),
        }
    }

    pub fn axes(&self) -> &[usize] {
        match self {
            Arg::Axes(axes) => axes,
            other => unreachable!("the front end passes axes here, not {other:?}"),
        }
    }

    pub fn dims(&self) -> &[Dim] {
        match self {
            Arg::Dims(dims) => dims,
            other => unreachable!("the front end passes sizes here, not {other:?}"),
        }
    }

    pub fn pairs(&self) -> &[(Dim, Dim)] {
        match self {
            Arg::Pairs(pairs) => pairs,
            other => unreachable!("the front end passes pairs here, not {other:?}"),
        }
    }

    pub fn options(&self) -> &[Vec<Dim>] {
        match self {
            Arg::Options(options) => options,
            other => unreachable!("the front end passes options here, not {other:?}"),
        }
    }
}

/// Builds the operator; the receiver is the first argument. `{0}`, `{1}` in a refusal stand for the operands.
pub type Build = fn(&mut Builder, &[Arg]) -> Result<Var, Mismatch>;

/// A method of tensors, `x.name(…)`.
pub struct Method {
    pub name: &'static str,
    pub params: &'static [ParamKind],
    /// How many axes the receiver may have, where that matters.
    pub ranks: Option<&'static [usize]>,
    pub page: Page,
    pub build: Build,
}

/// A function of tensors, `name(x, y)`.
pub struct Function {
    pub name: &'static str,
    pub params: &'static [ParamKind],
    pub page: Page,
    pub build: Build,
}

/// As [`Build`], with several results.
pub type BuildSeveral = fn(&mut Builder, &[Arg]) -> Result<Vec<Var>, Mismatch>;

/// A function of tensors that gives several, as a tuple: `let (h, c) = name(x, y)`.
pub struct Several {
    pub name: &'static str,
    pub params: &'static [ParamKind],
    pub page: Page,
    pub build: BuildSeveral,
}

/// A method without arguments that gives what several others give, as a tuple: `let (w, v) = x.eigh()`.
pub struct Tuple {
    pub name: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "the reference is written by a test"))]
    pub page: Page,
    /// The names of the others.
    pub parts: &'static [&'static str],
}

/// Operators that belong together, for the reference.
pub struct Family {
    #[cfg_attr(not(test), expect(dead_code, reason = "the reference is written by a test"))]
    pub title: &'static str,
    pub methods: &'static [Method],
    pub functions: &'static [Function],
    pub several: &'static [Several],
    pub tuples: &'static [Tuple],
}

macro_rules! families {
    ($($title:literal: $($kind:ident = $list:expr),+;)*) => {
        /// Every family.
        pub static FAMILIES: &[Family] = &[$(Family { title: $title, $($kind: $list,)+ ..NONE }),*];
    };
}

const NONE: Family = Family { title: "", methods: &[], functions: &[], several: &[], tuples: &[] };

families! {
    "The most used": methods = basic::METHODS;
    "Products": methods = product::METHODS;
    "Linear algebra": methods = linear::METHODS, tuples = linear::TUPLES;
    "Reductions": methods = reduce::REDUCTIONS;
    "Along an axis": methods = reduce::METHODS;
    "Views": methods = shape::METHODS, functions = shape::FUNCTIONS;
    "Padding": methods = pad::METHODS;
    "Elements by index": methods = index::METHODS;
    "Selection and gates": methods = choice::METHODS, functions = choice::FUNCTIONS;
    "Convolution": methods = conv::METHODS;
    "Pooling": methods = pool::METHODS;
    "Normalisation": methods = norm::METHODS;
    "Attention": methods = attention::METHODS, functions = attention::FUNCTIONS;
    "Recurrent cells": several = recurrent::SEVERAL;
    "Losses": methods = loss::METHODS;
}

/// Every method.
pub fn all() -> impl Iterator<Item = &'static Method> {
    FAMILIES.iter().flat_map(|family| family.methods)
}

/// Every function.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    FAMILIES.iter().flat_map(|family| family.functions)
}

/// Every function of several results.
pub fn several() -> impl Iterator<Item = &'static Several> {
    FAMILIES.iter().flat_map(|family| family.several)
}

pub fn find(name: &str) -> Option<&'static Method> {
    all().find(|method| method.name == name)
}

/// Every method that gives a tuple.
pub fn tuples() -> impl Iterator<Item = &'static Tuple> {
    FAMILIES.iter().flat_map(|family| family.tuples)
}

pub fn find_tuple(name: &str) -> Option<&'static Tuple> {
    tuples().find(|tuple| tuple.name == name)
}

/// Whether there is a method of this name.
pub fn is_method(name: &str) -> bool {
    find(name).is_some() || find_tuple(name).is_some()
}

pub fn find_function(name: &str) -> Option<&'static Function> {
    functions().find(|function| function.name == name)
}

pub fn find_several(name: &str) -> Option<&'static Several> {
    several().find(|function| function.name == name)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|method| method.name).chain(tuples().map(|tuple| tuple.name))
}

/// Losses and the like take two operands of one shape: no broadcasting, which would only hide a mistake.
pub(crate) fn same_shape(b: &mut Builder, name: &str, args: &[Arg]) -> Result<(), Mismatch> {
    let (x, y) = (b.ty(args[0].var()).dims.clone(), b.ty(args[1].var()).dims.clone());
    let note = format!("`{name}` takes two operands of the same shape");
    if x.len() != y.len() {
        let message =
            format!("`{name}` of {} and {}: {} axes and {} differ", dim::show(&x), dim::show(&y), x.len(), y.len());
        let alike = Dim::product(&x).compare(&Dim::product(&y)) != Comparison::Different;
        let help = alike.then(|| format!("write `{{1}}.reshape({})`, if the elements are the same", dim::show(&x)));
        let stretched = || super::broadcast("", &x, &y).ok().filter(|(dims, _)| *dims == x);
        let stretch = || format!("to compare with it everywhere, write `{{1}}.broadcast_to({})`", dim::show(&x));
        return Err(Mismatch { message, note, help: help.or_else(|| stretched().map(|_| stretch())) });
    }
    let pairs: Vec<(Dim, Dim)> = x.iter().cloned().zip(y.iter().cloned()).collect();
    agree(b, name, &x, &y, &pairs, &note)
}

pub(crate) fn agree(
    b: &mut Builder,
    name: &str,
    x: &[Dim],
    y: &[Dim],
    pairs: &[(Dim, Dim)],
    note: &str,
) -> Result<(), Mismatch> {
    for (axis, (left, right)) in pairs.iter().enumerate() {
        let message = format!(
            "`{name}` of {} and {}: sizes {left} and {right} of axis {axis} differ",
            dim::show(x),
            dim::show(y)
        );
        require(b, (left, right), Mismatch { message, note: note.into(), help: None })?;
    }
    Ok(())
}

/// "1 axis", "2 axes"
pub(crate) fn counted(count: usize, what: &str) -> String {
    match (count, what.strip_suffix("is")) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{count} {stem}es"),
        _ => format!("{count} {what}s"),
    }
}

/// `small <= large`, decided now, or by rustc where names are involved.
pub(crate) fn at_most(b: &mut Builder, small: &Dim, large: &Dim, mismatch: Mismatch) -> Result<(), Mismatch> {
    match large.minus(small).is_size() {
        Some(true) => {}
        Some(false) => return Err(mismatch),
        None => {
            let mut typed = Typed::from(crate::ir::Ty::index());
            typed.equal.push(at_most_or(small, large, mismatch.message));
            b.oblige(&typed);
        }
    }
    Ok(())
}

/// `small <= large`, for rustc to decide.
pub(crate) fn at_most_or(small: &Dim, large: &Dim, message: String) -> (Dim, Dim, String) {
    (Dim::atom(&format!("((({small}) <= ({large})) as usize)")), Dim::literal(1), message)
}

/// `left == right`, decided now, or by rustc where names are involved.
pub(crate) fn require(b: &mut Builder, (left, right): (&Dim, &Dim), mismatch: Mismatch) -> Result<(), Mismatch> {
    match left.compare(right) {
        Comparison::Equal => Ok(()),
        Comparison::Different => Err(mismatch),
        Comparison::Unknown => {
            let mut typed = Typed::from(crate::ir::Ty::index());
            typed.equal.push((left.clone(), right.clone(), mismatch.message));
            b.oblige(&typed);
            Ok(())
        }
    }
}
