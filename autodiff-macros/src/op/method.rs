//! Methods of tensors beyond the element-wise ones: name, parameters, and how they are built.

use super::composite;
use super::linalg;
use super::view::{Permute, Reshape};
use super::{Mismatch, Typed};
use crate::ir::Var;
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Comparison, Dim};
use std::rc::Rc;

/// What a method takes besides its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// A tensor or a number.
    Operand,
    /// An array of `usize`.
    Labels,
    /// A literal axis.
    Axis,
    /// A literal shape.
    Dims,
}

/// An argument in IR.
#[derive(Clone, Debug)]
pub enum Arg {
    Operand(Var),
    Axis(usize),
    Dims(Vec<Dim>),
}

impl Arg {
    fn var(&self) -> Var {
        match self {
            Arg::Operand(var) => *var,
            _ => Var(0),
        }
    }

    fn axis(&self) -> usize {
        match self {
            Arg::Axis(axis) => *axis,
            _ => 0,
        }
    }
}

/// A method of tensors.
pub struct Method {
    pub name: &'static str,
    pub params: &'static [ParamKind],
    /// How many axes the receiver may have, where that matters.
    pub ranks: Option<&'static [usize]>,
    pub build: fn(&mut Builder, &[Arg]) -> Result<Var, Mismatch>,
}

use ParamKind::{Axis, Dims, Labels, Operand};

/// The receiver is the first argument.
pub static METHODS: &[Method] = &[
    Method { name: "matmul", params: &[Operand], ranks: Some(&[1, 2]), build: |b, a| linalg::product(b, a[0].var(), a[1].var()) },
    Method { name: "t", params: &[], ranks: Some(&[2]), build: |b, a| Ok(b.apply(Permute { axes: vec![1, 0] }, &[a[0].var()])) },
    Method {
        name: "dot",
        params: &[Operand],
        ranks: Some(&[1]),
        build: |b, a| {
            same_shape(b, "dot", a)?;
            Ok(composite::dot(b, a[0].var(), a[1].var()))
        },
    },
    Method {
        name: "reshape",
        params: &[Dims],
        ranks: None,
        build: |b, a| match &a[1] {
            Arg::Dims(dims) => b.tensor(Rc::new(Reshape { dims: dims.clone() }), &[a[0].var()]),
            _ => Ok(a[0].var()),
        },
    },
    Method { name: "sum", params: &[], ranks: None, build: |b, a| Ok(composite::sum(b, a[0].var(), &[], false)) },
    Method { name: "sum_axis", params: &[Axis], ranks: None, build: |b, a| Ok(composite::sum(b, a[0].var(), &[a[1].axis()], false)) },
    Method { name: "sum_keepdim", params: &[Axis], ranks: None, build: |b, a| Ok(composite::sum(b, a[0].var(), &[a[1].axis()], true)) },
    Method { name: "mean", params: &[], ranks: None, build: |b, a| Ok(composite::mean(b, a[0].var(), &[], false)) },
    Method { name: "mean_axis", params: &[Axis], ranks: None, build: |b, a| Ok(composite::mean(b, a[0].var(), &[a[1].axis()], false)) },
    Method { name: "mean_keepdim", params: &[Axis], ranks: None, build: |b, a| Ok(composite::mean(b, a[0].var(), &[a[1].axis()], true)) },
    Method { name: "softmax", params: &[Axis], ranks: None, build: |b, a| Ok(composite::softmax(b, a[0].var(), a[1].axis())) },
    Method { name: "log_softmax", params: &[Axis], ranks: None, build: |b, a| Ok(composite::log_softmax(b, a[0].var(), a[1].axis())) },
    Method {
        name: "cross_entropy",
        params: &[Labels],
        ranks: Some(&[2]),
        build: |b, a| {
            let (rows, labels) = (b.ty(a[0].var()).dims[0].clone(), b.ty(a[1].var()).dims.clone());
            let shape = b.ty(a[0].var()).dims.clone();
            agree(b, "cross_entropy", &shape, &labels, &[(rows, labels[0].clone())], "`cross_entropy` takes logits [n, classes] and one label for each row")?;
            Ok(composite::cross_entropy(b, a[0].var(), a[1].var()))
        },
    },
    Method {
        name: "mse",
        params: &[Operand],
        ranks: None,
        build: |b, a| {
            same_shape(b, "mse", a)?;
            Ok(composite::mse(b, a[0].var(), a[1].var()))
        },
    },
];

pub fn find(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|method| method.name)
}

/// Losses and the like take two operands of one shape: no broadcasting, which would only hide a mistake.
fn same_shape(b: &mut Builder, name: &str, args: &[Arg]) -> Result<(), Mismatch> {
    let (x, y) = (b.ty(args[0].var()).dims.clone(), b.ty(args[1].var()).dims.clone());
    let note = format!("`{name}` takes two operands of the same shape");
    if x.len() != y.len() {
        let message = format!("`{name}` of {} and {}: {} axes and {} differ", dim::show(&x), dim::show(&y), x.len(), y.len());
        return Err(Mismatch { message, note, help: Some(format!("write `{{1}}.reshape({})`, if the elements are the same", dim::show(&x))) });
    }
    let pairs: Vec<(Dim, Dim)> = x.iter().cloned().zip(y.iter().cloned()).collect();
    agree(b, name, &x, &y, &pairs, &note)
}

fn agree(b: &mut Builder, name: &str, x: &[Dim], y: &[Dim], pairs: &[(Dim, Dim)], note: &str) -> Result<(), Mismatch> {
    for (axis, (left, right)) in pairs.iter().enumerate() {
        let message = format!("`{name}` of {} and {}: sizes {left} and {right} of axis {axis} differ", dim::show(x), dim::show(y));
        match left.compare(right) {
            Comparison::Equal => {}
            Comparison::Different => return Err(Mismatch { message, note: note.into(), help: None }),
            Comparison::Unknown => {
                let mut typed = Typed::from(crate::ir::Ty::index());
                typed.equal.push((left.clone(), right.clone(), message));
                b.oblige(&typed);
            }
        }
    }
    Ok(())
}
