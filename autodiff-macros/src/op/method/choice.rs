//! Selections by a comparison, and units gated by another tensor.

use super::ParamKind::{Mask, Number, Operand};
use super::{Function, Method};
use crate::ir::Var;
use crate::ir::builder::Builder;
use crate::op::elementwise as rows;
use crate::op::{Mismatch, Row};

pub static METHODS: &[Method] = &[
    Method {
        name: "masked_fill",
        params: &[Mask, Number],
        ranks: None,
        build: |b, a| checked(b, &rows::select, &[a[1].var(), a[2].var(), a[0].var()]),
    },
    // `x` where positive, `w·x` elsewhere, with a weight for each channel.
    Method {
        name: "prelu",
        params: &[Operand],
        ranks: None,
        build: |b, a| {
            let (x, w) = (a[0].var(), a[1].var());
            let elem = b.ty(x).elem.clone();
            let zero = b.constant(&elem, 0.0);
            let positive = b.map(&rows::gt, &[x, zero]);
            let scaled = checked(b, &rows::mul, &[x, w])?;
            Ok(b.map(&rows::select, &[positive, x, scaled]))
        },
    },
];

pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "select",
        params: &[Mask, Operand, Operand],
        build: |b, a| checked(b, &rows::select, &[a[0].var(), a[1].var(), a[2].var()]),
    },
    Function { name: "swiglu", params: &[Operand, Operand], build: |b, a| gated(b, &rows::silu, a[0].var(), a[1].var()) },
    Function { name: "geglu", params: &[Operand, Operand], build: |b, a| gated(b, &rows::gelu, a[0].var(), a[1].var()) },
    Function { name: "reglu", params: &[Operand, Operand], build: |b, a| gated(b, &rows::relu, a[0].var(), a[1].var()) },
];

/// activation(x)·y
fn gated(b: &mut Builder, activation: &'static Row, x: Var, y: Var) -> Result<Var, Mismatch> {
    let gate = b.map(activation, &[x]);
    checked(b, &rows::mul, &[gate, y])
}

/// A row whose operands may not fit.
fn checked(b: &mut Builder, row: &'static Row, args: &[Var]) -> Result<Var, Mismatch> {
    let tys: Vec<_> = args.iter().map(|arg| b.ty(*arg).clone()).collect();
    let typed = row.result(&tys)?;
    b.oblige(&typed);
    Ok(b.map(row, args))
}
