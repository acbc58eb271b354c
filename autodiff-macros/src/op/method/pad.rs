//! Padding: a value, the nearest elements, or mirrored or repeated ones around a tensor.

use super::ParamKind::{Number, Pairs};
use super::{Method, at_most, counted};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::ir::{IntOp, Ty, Var};
use crate::op::elementwise as rows;
use crate::op::nest::{affine, generate};
use crate::op::page::Page;
use crate::op::{Mismatch, list};

pub static METHODS: &[Method] = &[
    Method {
        name: "pad",
        page: Page {
            calls: &["x.pad([(1, 2), (0, 1)], value)"],
            doc: "A value around x, so much before and after each axis.",
            shape: "[a…] -> each size plus what comes before and after",
            derivative: "x̄ = the inner part of ȳ; a value that is a variable gets the sum of the rest",
            example: "(x: &Tensor1<f64, 3>) -> Tensor1<f64, 6> { x.pad([(1, 2)], 0.5) }",
        },
        params: &[Pairs, Number],
        ranks: None,
        build: |b, a| pad(b, a[0].var(), a[1].pairs(), &Fill::With(a[2].var())),
    },
    Method {
        name: "pad_edge",
        page: Page {
            calls: &["x.pad_edge([(1, 2), (0, 1)])"],
            doc: "The nearest element around x. What is repeated gets the sum.",
            shape: "[a…] -> each size plus what comes before and after",
            derivative: "every place of ȳ is added where it came from",
            example: "(x: &Tensor1<f64, 3>) -> Tensor1<f64, 6> { x.pad_edge([(1, 2)]) }",
        },
        params: &[Pairs],
        ranks: None,
        build: |b, a| pad(b, a[0].var(), a[1].pairs(), &Fill::Edge),
    },
    Method {
        name: "pad_reflect",
        page: Page {
            calls: &["x.pad_reflect([(1, 2), (0, 1)])"],
            doc: "The elements mirrored at the first and the last, which are not doubled. What is repeated gets the sum.",
            shape: "[a…] -> each size plus what comes before and after",
            derivative: "every place of ȳ is added where it came from",
            example: "(x: &Tensor1<f64, 3>) -> Tensor1<f64, 6> { x.pad_reflect([(1, 2)]) }",
        },
        params: &[Pairs],
        ranks: None,
        build: |b, a| pad(b, a[0].var(), a[1].pairs(), &Fill::Reflect),
    },
    Method {
        name: "pad_wrap",
        page: Page {
            calls: &["x.pad_wrap([(1, 2), (0, 1)])"],
            doc: "The elements from the other side around x. What is repeated gets the sum.",
            shape: "[a…] -> each size plus what comes before and after",
            derivative: "every place of ȳ is added where it came from",
            example: "(x: &Tensor1<f64, 3>) -> Tensor1<f64, 6> { x.pad_wrap([(1, 2)]) }",
        },
        params: &[Pairs],
        ranks: None,
        build: |b, a| pad(b, a[0].var(), a[1].pairs(), &Fill::Wrap),
    },
];

/// What stands around the padded tensor.
enum Fill {
    With(Var),
    /// The nearest element.
    Edge,
    /// The elements mirrored at the first and the last, which are not doubled.
    Reflect,
    /// The elements from the other side.
    Wrap,
}

impl Fill {
    fn name(&self) -> &'static str {
        match self {
            Fill::With(_) => "pad",
            Fill::Edge => "pad_edge",
            Fill::Reflect => "pad_reflect",
            Fill::Wrap => "pad_wrap",
        }
    }
}

fn pad(b: &mut Builder, x: Var, pairs: &[(Dim, Dim)], fill: &Fill) -> Result<Var, Mismatch> {
    let Ty { elem, dims } = b.ty(x).clone();
    check_pads(b, &dims, pairs, fill)?;
    let padded: Vec<Dim> =
        dims.iter().zip(pairs).map(|(size, (before, after))| size.plus(before).plus(after)).collect();
    Ok(generate(b, Ty::tensor(elem, padded), &mut |b, at| {
        let axes = dims.iter().zip(pairs).zip(at);
        let from: Vec<Var> = axes.map(|((size, pair), at)| source(b, *at, size, pair, fill)).collect();
        let mut v = b.get(x, &from);
        if let Fill::With(value) = fill {
            for ((size, (before, after)), at) in dims.iter().zip(pairs).zip(at).rev() {
                if !after.is(0) {
                    let last = b.dim(before.plus(size).minus(&Dim::literal(1)));
                    let beyond = b.map(&rows::gt, &[*at, last]);
                    v = b.map(&rows::select, &[beyond, *value, v]);
                }
                if !before.is(0) {
                    let first = b.dim(before.clone());
                    let ahead = b.map(&rows::gt, &[first, *at]);
                    v = b.map(&rows::select, &[ahead, *value, v]);
                }
            }
        }
        v
    }))
}

fn check_pads(b: &mut Builder, dims: &[Dim], pairs: &[(Dim, Dim)], fill: &Fill) -> Result<(), Mismatch> {
    let (name, shape) = (fill.name(), dim::show(dims));
    let note = format!("`{name}` takes for each axis how much comes before and after");
    if pairs.len() != dims.len() {
        let message =
            format!("`{name}` of {shape}: {} for {}", counted(pairs.len(), "pair"), counted(dims.len(), "axis"));
        let none = vec!["(0, 0)"; dims.len()];
        return Err(Mismatch { message, note, help: Some(format!("to pad nothing, write `[{}]`", list(&none))) });
    }
    for (axis, ((before, after), size)) in pairs.iter().zip(dims).enumerate() {
        for (amount, side) in [(before, "before"), (after, "after")] {
            let one = Dim::literal(1);
            let (least, rule) = match fill {
                _ if amount.is(0) => continue,
                Fill::With(_) | Fill::Edge => (one.clone(), "the size must be at least 1"),
                Fill::Reflect => (amount.plus(&one), "the mirror image has one element less than the axis"),
                Fill::Wrap => (amount.clone(), "there is one copy of the axis on each side"),
            };
            at_most(
                b,
                &least,
                size,
                Mismatch {
                    message: format!("`{name}` of {shape}: {amount} {side} is too much for size {size} of axis {axis}"),
                    note: format!("{note}; {rule}"),
                    help: None,
                },
            )?;
        }
    }
    Ok(())
}

/// Where the padded place `at` is in the tensor, along one axis. With a constant fill any place will do outside.
fn source(b: &mut Builder, at: Var, size: &Dim, (before, after): &(Dim, Dim), fill: &Fill) -> Var {
    let one = Dim::literal(1);
    if before.is(0) && after.is(0) {
        return at;
    }
    match fill {
        Fill::With(_) | Fill::Edge => {
            let first = b.dim(before.clone());
            let inner = if before.is(0) { at } else { b.int(IntOp::Max, at, first) };
            let inner = affine(b, inner, &one, &Dim::literal(0).minus(before));
            if after.is(0) {
                return inner;
            }
            let last = b.dim(size.minus(&one));
            b.int(IntOp::Min, inner, last)
        }
        Fill::Reflect => {
            let first = b.dim(before.clone());
            let (high, low) = (b.int(IntOp::Max, at, first), b.int(IntOp::Min, at, first));
            let distance = if before.is(0) { at } else { b.int(IntOp::Sub, high, low) };
            if after.is(0) {
                return distance;
            }
            let turn = b.dim(size.minus(&one).times(&Dim::literal(2)));
            let back = b.int(IntOp::Sub, turn, distance);
            b.int(IntOp::Min, distance, back)
        }
        Fill::Wrap => {
            let shifted = affine(b, at, &one, &size.minus(before));
            let size = b.dim(size.clone());
            b.int(IntOp::Rem, shifted, size)
        }
    }
}
