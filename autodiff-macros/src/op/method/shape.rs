//! Views: reshape, permute, slice, pad, flip, repeat, concat, stack and their like. Most are loop nests that read
//! their operand somewhere else; fused with what reads them, only the index is left.

use super::ParamKind::{Axes, Axis, Dims, NewAxis, Number, Operands, Place, Ranges, Size};
use super::{Arg, Function, Method, at_most, counted, require};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::ir::{IntOp, Var};
use crate::op::concat::Concat;
use crate::op::elementwise as rows;
use crate::op::nest::{affine, gather, generate};
use crate::op::page::Page;
use crate::op::reduce::SumTo;
use crate::op::view::{BroadcastTo, Permute, reshape};
use crate::op::{Mismatch, list};
use std::rc::Rc;

pub static METHODS: &[Method] = &[
    Method {
        name: "flatten",
        page: Page {
            calls: &["x.flatten()"],
            doc: "All elements in row-major order.",
            shape: "[a, b…] -> the product of the sizes",
            derivative: "x̄ = ȳ in the shape of x",
            example: "(x: &Tensor2<f64, 2, 3>) -> Tensor1<f64, 6> { x.flatten() }",
        },
        params: &[],
        ranks: None,
        build: |b, a| Ok(flatten(b, a[0].var())),
    },
    Method {
        name: "identity",
        page: Page {
            calls: &["x.identity()"],
            doc: "x itself.",
            shape: "[a…] -> [a…]",
            derivative: "x̄ = ȳ",
            example: "(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { x.identity() }",
        },
        params: &[],
        ranks: None,
        build: |_, a| Ok(a[0].var()),
    },
    Method {
        name: "copy",
        page: Page {
            calls: &["x.copy()"],
            doc: "x itself, as `identity`.",
            shape: "[a…] -> [a…]",
            derivative: "x̄ = ȳ",
            example: "(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { x.copy() }",
        },
        params: &[],
        ranks: None,
        build: |_, a| Ok(a[0].var()),
    },
    Method {
        name: "permute",
        page: Page {
            calls: &["x.permute([2, 0, 1])"],
            doc: "Axis k of the result is axis axes[k] of x.",
            shape: "[a…] -> the axes in that order",
            derivative: "x̄ = ȳ permuted back",
            example: "(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 4, 2, 3> { x.permute([2, 0, 1]) }",
        },
        params: &[Axes],
        ranks: None,
        build: |b, a| permute(b, a[0].var(), a[1].axes()),
    },
    Method {
        name: "transpose",
        page: Page {
            calls: &["x.transpose(axis, other)"],
            doc: "Two axes exchanged.",
            shape: "[a…] -> [a…] with two axes exchanged",
            derivative: "x̄ = ȳ with them exchanged",
            example: "(x: &Tensor3<f64, 2, 3, 4>) -> Tensor3<f64, 2, 4, 3> { x.transpose(1, 2) }",
        },
        params: &[Axis, Axis],
        ranks: None,
        build: |b, a| Ok(transpose(b, a[0].var(), a[1].axis(), a[2].axis())),
    },
    Method {
        name: "squeeze",
        page: Page {
            calls: &["x.squeeze(axis)"],
            doc: "Without an axis of size 1.",
            shape: "[a…] -> [a…] without the axis",
            derivative: "x̄ = ȳ in the shape of x",
            example: "(x: &Tensor2<f64, 1, 3>) -> Tensor1<f64, 3> { x.squeeze(0) }",
        },
        params: &[Axis],
        ranks: None,
        build: |b, a| squeeze(b, a[0].var(), a[1].axis()),
    },
    Method {
        name: "unsqueeze",
        page: Page {
            calls: &["x.unsqueeze(axis)"],
            doc: "With a new axis of size 1.",
            shape: "[a…] -> [a…] with 1 at the axis",
            derivative: "x̄ = ȳ in the shape of x",
            example: "(x: &Tensor1<f64, 3>) -> Tensor2<f64, 3, 1> { x.unsqueeze(1) }",
        },
        params: &[NewAxis],
        ranks: None,
        build: |b, a| Ok(unsqueeze(b, a[0].var(), a[1].axis())),
    },
    Method {
        name: "broadcast_to",
        page: Page {
            calls: &["x.broadcast_to([5, 2, 3])"],
            doc: "Stretched to a shape, after NumPy: aligned at the last axis, 1 stretches.",
            shape: "[~a…] -> [a…] as given",
            derivative: "x̄ = ȳ summed over what was stretched",
            example: "(x: &Tensor2<f64, 2, 1>) -> Tensor2<f64, 2, 3> { x.broadcast_to([2, 3]) }",
        },
        params: &[Dims],
        ranks: None,
        build: |b, a| broadcast_to(b, a[0].var(), a[1].dims()),
    },
    Method {
        name: "sum_to",
        page: Page {
            calls: &["x.sum_to([2, 1])"],
            doc: "Summed to a shape that broadcasts to that of x: the adjoint of `broadcast_to`.",
            shape: "[a…] -> [~a…] as given",
            derivative: "x̄ = ȳ stretched to the shape of x",
            example: "(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 2, 1> { x.sum_to([2, 1]) }",
        },
        params: &[Dims],
        ranks: None,
        build: |b, a| sum_to(b, a[0].var(), a[1].dims()),
    },
    Method {
        name: "repeat",
        page: Page {
            calls: &["x.repeat([2, 3])"],
            doc: "The whole, so many times one after the other along each axis; more counts than axes are new axes in front.",
            shape: "[a…] -> each size times its count",
            derivative: "x̄ = the sum of ȳ over the copies",
            example: "(x: &Tensor1<f64, 3>) -> Tensor2<f64, 2, 6> { x.repeat([2, 2]) }",
        },
        params: &[Dims],
        ranks: None,
        build: |b, a| repeat(b, a[0].var(), a[1].dims()),
    },
    Method {
        name: "slice",
        page: Page {
            calls: &["x.slice([1..3, 0..2])"],
            doc: "A range of each axis. What is outside gets exactly 0.",
            shape: "[a…] -> the lengths of the ranges",
            derivative: "x̄ = ȳ in the ranges, 0 elsewhere",
            example: "(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 2, 2> { x.slice([1..3, 0..2]) }",
        },
        params: &[Ranges],
        ranks: None,
        build: |b, a| slice(b, a[0].var(), a[1].pairs()),
    },
    Method {
        name: "narrow",
        page: Page {
            calls: &["x.narrow(axis, start, length)"],
            doc: "So many places of an axis, from a start, which run time may tell. What is outside gets exactly 0.",
            shape: "[a…] -> [a…] with the length for the size of the axis",
            derivative: "x̄ = ȳ in the range, 0 elsewhere",
            example: "(x: &Tensor2<f64, 4, 3>) -> Tensor2<f64, 4, 2> { x.narrow(1, 1, 2) }",
        },
        params: &[Axis, Place, Size],
        ranks: None,
        build: |b, a| narrow(b, a),
    },
    Method {
        name: "strided",
        page: Page {
            calls: &["x.strided(axis, step)"],
            doc: "Every so manieth place of an axis, from the first. What is left out gets exactly 0.",
            shape: "[a…] -> [a…] with the size of the axis divided by the step, rounded up",
            derivative: "x̄ = ȳ at those places, 0 elsewhere",
            example: "(x: &Tensor2<f64, 5, 3>) -> Tensor2<f64, 3, 3> { x.strided(0, 2) }",
        },
        params: &[Axis, Size],
        ranks: None,
        build: |b, a| strided(b, a[0].var(), a[1].axis(), &a[2].dims()[0]),
    },
    Method {
        name: "flip",
        page: Page {
            calls: &["x.flip(axis)"],
            doc: "From the end to the start along an axis.",
            shape: "[a…] -> [a…]",
            derivative: "x̄ = ȳ flipped",
            example: "(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 2, 3> { x.flip(1) }",
        },
        params: &[Axis],
        ranks: None,
        build: |b, a| Ok(flip(b, a[0].var(), a[1].axis())),
    },
    Method {
        name: "tril",
        page: Page {
            calls: &["x.tril()"],
            doc: "The last two axes on and below the diagonal, 0 elsewhere. What is dropped gets exactly 0.",
            shape: "[a…, m, n] -> [a…, m, n]",
            derivative: "x̄ = ȳ on and below the diagonal, 0 elsewhere",
            example: "(x: &Tensor2<f64, 3, 3>) -> Tensor2<f64, 3, 3> { x.tril() }",
        },
        params: &[],
        ranks: Some(MATRICES),
        build: |b, a| Ok(triangle(b, a[0].var(), true, None)),
    },
    Method {
        name: "causal_mask",
        page: Page {
            calls: &["x.causal_mask(value)"],
            doc: "The last two axes on and below the diagonal, a value elsewhere: −∞ for a softmax to follow. What is hidden gets exactly 0.",
            shape: "[a…, m, n] -> [a…, m, n]",
            derivative: "x̄ = ȳ on and below the diagonal, 0 elsewhere",
            example: "(x: &Tensor2<f64, 3, 3>) -> Tensor2<f64, 3, 3> { x.causal_mask(f64::NEG_INFINITY).softmax(1) }",
        },
        params: &[Number],
        ranks: Some(MATRICES),
        build: |b, a| Ok(triangle(b, a[0].var(), true, Some(a[1].var()))),
    },
    Method {
        name: "triu",
        page: Page {
            calls: &["x.triu()"],
            doc: "The last two axes on and above the diagonal, 0 elsewhere. What is dropped gets exactly 0.",
            shape: "[a…, m, n] -> [a…, m, n]",
            derivative: "x̄ = ȳ on and above the diagonal, 0 elsewhere",
            example: "(x: &Tensor2<f64, 3, 3>) -> Tensor2<f64, 3, 3> { x.triu() }",
        },
        params: &[],
        ranks: Some(MATRICES),
        build: |b, a| Ok(triangle(b, a[0].var(), false, None)),
    },
];

pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "concat",
        page: Page {
            calls: &["concat([x, w], axis)"],
            doc: "Tensors one after the other along an axis.",
            shape: "[a…], [a…] -> [a…] with the sum of the sizes of the axis",
            derivative: "each operand gets its part of ȳ",
            example: "(x: &Tensor2<f64, 2, 3>, w: &Tensor2<f64, 1, 3>) -> Tensor2<f64, 3, 3> { concat([x, w], 0) }",
        },
        params: &[Operands, Axis],
        build: |b, a| b.tensor(Rc::new(Concat { axis: a[1].axis() }), a[0].vars()),
    },
    Function {
        name: "stack",
        page: Page {
            calls: &["stack([x, w], axis)"],
            doc: "Tensors of one shape along a new axis.",
            shape: "[a…], [a…] -> [a…] with the number of operands at the axis",
            derivative: "each operand gets its part of ȳ",
            example: "(x: &Tensor1<f64, 3>, w: &Tensor1<f64, 3>) -> Tensor2<f64, 2, 3> { stack([x, w], 0) }",
        },
        params: &[Operands, NewAxis],
        build: |b, a| stack(b, a[0].vars(), a[1].axis()),
    },
];

/// Ranks with a last matrix.
const MATRICES: &[usize] = &[2, 3, 4, 5, 6];

fn flatten(b: &mut Builder, x: Var) -> Var {
    let size = Dim::product(&b.ty(x).dims);
    reshape(b, x, vec![size])
}

/// Axis `k` of the result is axis `axes[k]` of `x`.
fn permute(b: &mut Builder, x: Var, axes: &[usize]) -> Result<Var, Mismatch> {
    let dims = b.ty(x).dims.clone();
    let missing = (0..dims.len()).find(|axis| !axes.contains(axis));
    if missing.is_some() || axes.len() != dims.len() {
        let what = match missing {
            Some(axis) => format!("axis {axis} is missing"),
            None => format!("{} given for {}", counted(axes.len(), "axis"), dims.len()),
        };
        let example: Vec<usize> = (0..dims.len()).rev().collect();
        return Err(Mismatch {
            message: format!("cannot permute {} by [{}]: {what}", dim::show(&dims), list(axes)),
            note: "`permute` takes every axis once".into(),
            help: Some(format!("for example `{{0}}.permute([{}])`, which reverses them", list(&example))),
        });
    }
    Ok(b.apply(Permute { axes: axes.to_vec() }, &[x]))
}

fn transpose(b: &mut Builder, x: Var, one: usize, other: usize) -> Var {
    let mut axes: Vec<usize> = (0..b.ty(x).rank()).collect();
    axes.swap(one, other);
    b.apply(Permute { axes }, &[x])
}

fn squeeze(b: &mut Builder, x: Var, axis: usize) -> Result<Var, Mismatch> {
    let mut dims = b.ty(x).dims.clone();
    require(
        b,
        (&dims[axis], &Dim::literal(1)),
        Mismatch {
            message: format!("cannot squeeze axis {axis} of {}: its size {} is not 1", dim::show(&dims), dims[axis]),
            note: "`squeeze` drops an axis of size 1".into(),
            help: dims
                .iter()
                .position(|dim| dim.is(1))
                .map(|axis| format!("axis {axis} has size 1: `{{0}}.squeeze({axis})`")),
        },
    )?;
    dims.remove(axis);
    Ok(reshape(b, x, dims))
}

/// With a new axis of size 1.
fn unsqueeze(b: &mut Builder, x: Var, axis: usize) -> Var {
    let mut dims = b.ty(x).dims.clone();
    dims.insert(axis, Dim::literal(1));
    reshape(b, x, dims)
}

/// Whether `small` can be stretched to `large`; `message` begins the refusal.
fn stretches(b: &mut Builder, small: &[Dim], large: &[Dim], message: &str, note: &str) -> Result<(), Mismatch> {
    let refuse = |what: String| Mismatch { message: format!("{message}: {what}"), note: note.into(), help: None };
    let Some(offset) = large.len().checked_sub(small.len()) else {
        return Err(refuse(format!("{} will not fit into {}", counted(small.len(), "axis"), large.len())));
    };
    for (axis, (from, to)) in small.iter().zip(&large[offset..]).enumerate().filter(|(_, (from, _))| !from.is(1)) {
        require(b, (from, to), refuse(format!("sizes {from} and {to} of axis {} differ", axis + offset)))?;
    }
    Ok(())
}

fn broadcast_to(b: &mut Builder, x: Var, dims: &[Dim]) -> Result<Var, Mismatch> {
    let from = b.ty(x).dims.clone();
    let message = format!("cannot broadcast {} to {}", dim::show(&from), dim::show(dims));
    stretches(b, &from, dims, &message, "shapes are aligned at the last axis; a size stays, or is 1 and stretches")?;
    Ok(b.apply(BroadcastTo { dims: dims.to_vec() }, &[x]))
}

fn sum_to(b: &mut Builder, x: Var, dims: &[Dim]) -> Result<Var, Mismatch> {
    let from = b.ty(x).dims.clone();
    let message = format!("cannot sum {} to {}", dim::show(&from), dim::show(dims));
    stretches(b, dims, &from, &message, "shapes are aligned at the last axis; a size stays, or is summed to 1")?;
    Ok(b.apply(SumTo { dims: dims.to_vec() }, &[x]))
}

/// The whole, `times` one after the other along each axis; more counts than axes are new axes in front.
fn repeat(b: &mut Builder, x: Var, times: &[Dim]) -> Result<Var, Mismatch> {
    let own = b.ty(x).dims.clone();
    let Some(new) = times.len().checked_sub(own.len()) else {
        return Err(Mismatch {
            message: format!(
                "cannot repeat {} by {}: {} and {}",
                dim::show(&own),
                dim::show(times),
                counted(own.len(), "axis"),
                counted(times.len(), "count")
            ),
            note: "`repeat` takes a count for each axis, and may add axes in front".into(),
            help: Some(format!("write `{{0}}.repeat([{}])`", list(&vec![2; own.len()]))),
        });
    };
    let dims: Vec<Dim> = times
        .iter()
        .enumerate()
        .map(|(k, times)| if k < new { times.clone() } else { times.times(&own[k - new]) })
        .collect();
    let counts = times[new..].to_vec();
    Ok(gather(b, x, &dims, &mut |b, at| {
        let places = own.iter().zip(&counts).zip(&at[new..]);
        places
            .map(|((size, times), at)| {
                if times.is(1) {
                    return *at;
                }
                let size = b.dim(size.clone());
                b.int(IntOp::Rem, *at, size)
            })
            .collect()
    }))
}

/// Checks that there is a range for each axis, and that it is one of its places. Used by all that take ranges.
pub(super) fn check_ranges(b: &mut Builder, name: &str, dims: &[Dim], ranges: &[(Dim, Dim)]) -> Result<(), Mismatch> {
    let shape = dim::show(dims);
    let note = format!("`{name}` takes a range for each axis, within its size");
    let whole: Vec<String> = dims.iter().map(|dim| format!("0..{dim}")).collect();
    let help = Some(format!("the whole is `[{}]`", list(&whole)));
    if ranges.len() != dims.len() {
        let message =
            format!("`{name}` of {shape}: {} for {}", counted(ranges.len(), "range"), counted(dims.len(), "axis"));
        return Err(Mismatch { message, note, help });
    }
    for (axis, ((lo, hi), size)) in ranges.iter().zip(dims).enumerate() {
        let refuse = |what: String| Mismatch {
            message: format!("`{name}` of {shape}: the range {lo}..{hi} of axis {axis} {what}"),
            note: note.clone(),
            help: help.clone(),
        };
        at_most(b, lo, hi, refuse("ends before it starts".into()))?;
        at_most(b, hi, size, refuse(format!("ends beyond its size {size}")))?;
    }
    Ok(())
}

/// The sizes of ranges.
pub(super) fn lengths(ranges: &[(Dim, Dim)]) -> Vec<Dim> {
    ranges.iter().map(|(lo, hi)| hi.minus(lo)).collect()
}

/// `at`, counted from the starts of the ranges.
pub(super) fn within(b: &mut Builder, ranges: &[(Dim, Dim)], at: &[Var]) -> Vec<Var> {
    ranges.iter().zip(at).map(|((lo, _), at)| affine(b, *at, &Dim::literal(1), lo)).collect()
}

fn slice(b: &mut Builder, x: Var, ranges: &[(Dim, Dim)]) -> Result<Var, Mismatch> {
    let dims = b.ty(x).dims.clone();
    check_ranges(b, "slice", &dims, ranges)?;
    Ok(gather(b, x, &lengths(ranges), &mut |b, at| within(b, ranges, at)))
}

/// `length` places of an axis from `start`.
fn narrow(b: &mut Builder, args: &[Arg]) -> Result<Var, Mismatch> {
    let (x, axis) = (args[0].var(), args[1].axis());
    let (start, length) = (&args[2].dims()[0], &args[3].dims()[0]);
    let dims = b.ty(x).dims.clone();
    let mut ranges: Vec<(Dim, Dim)> = dims.iter().map(|dim| (Dim::literal(0), dim.clone())).collect();
    ranges[axis] = (start.clone(), start.plus(length));
    // Out of range, reading panics.
    if start.is_dynamic() {
        return Ok(gather(b, x, &lengths(&ranges), &mut |b, at| within(b, &ranges, at)));
    }
    at_most(
        b,
        &start.plus(length),
        &dims[axis],
        Mismatch {
            message: format!(
                "`narrow` of {}: {length} places from {start} end beyond size {} of axis {axis}",
                dim::show(&dims),
                dims[axis]
            ),
            note: "`narrow` takes an axis, the first place and how many there are".into(),
            help: Some(format!(
                "from {start} to the end is `{{0}}.narrow({axis}, {start}, {})`",
                dims[axis].minus(start)
            ))
            .filter(|_| dims[axis].minus(start).is_size() == Some(true)),
        },
    )?;
    Ok(gather(b, x, &lengths(&ranges), &mut |b, at| within(b, &ranges, at)))
}

/// From the end to the start.
fn flip(b: &mut Builder, x: Var, axis: usize) -> Var {
    let dims = b.ty(x).dims.clone();
    gather(b, x, &dims, &mut |b, at| {
        let last = b.dim(dims[axis].minus(&Dim::literal(1)));
        let mut from = at.to_vec();
        from[axis] = b.int(IntOp::Sub, last, at[axis]);
        from
    })
}

/// Every `step`th place of an axis.
fn strided(b: &mut Builder, x: Var, axis: usize, step: &Dim) -> Result<Var, Mismatch> {
    let mut dims = b.ty(x).dims.clone();
    if step.as_literal().is_some_and(|step| step < 1) {
        return Err(Mismatch {
            message: format!("`strided` of {}: the step along axis {axis} is {step}", dim::show(&dims)),
            note: "`strided` takes an axis, and how far its places are apart".into(),
            help: Some(format!("every place is `{{0}}.strided({axis}, 1)`")),
        });
    }
    dims[axis] = dims[axis].plus(step).minus(&Dim::literal(1)).over(step);
    Ok(gather(b, x, &dims, &mut |b, at| {
        let mut from = at.to_vec();
        from[axis] = affine(b, at[axis], step, &Dim::literal(0));
        from
    }))
}

/// The last two axes below (or above) the diagonal, a number or 0 elsewhere.
fn triangle(b: &mut Builder, x: Var, lower: bool, elsewhere: Option<Var>) -> Var {
    let ty = b.ty(x).clone();
    generate(b, ty.clone(), &mut |b, at| {
        let [.., i, j] = at else { return x };
        let outside = if lower { b.map(&rows::gt, &[*j, *i]) } else { b.map(&rows::gt, &[*i, *j]) };
        let other = elsewhere.unwrap_or_else(|| b.constant(&ty.elem, 0.0));
        let v = b.get(x, at);
        b.map(&rows::select, &[outside, other, v])
    })
}

/// Tensors of one shape along a new axis.
fn stack(b: &mut Builder, xs: &[Var], axis: usize) -> Result<Var, Mismatch> {
    let first = b.ty(xs[0]).dims.clone();
    let note = "`stack` takes tensors of one shape";
    for x in &xs[1..] {
        let dims = b.ty(*x).dims.clone();
        let message = format!("cannot stack {} and {}", dim::show(&first), dim::show(&dims));
        let refuse = |what: String| Mismatch { message: format!("{message}: {what}"), note: note.into(), help: None };
        if dims.len() != first.len() {
            return Err(refuse(format!("{} and {} differ", counted(first.len(), "axis"), dims.len())));
        }
        for (k, (left, right)) in first.iter().zip(&dims).enumerate() {
            require(b, (left, right), refuse(format!("sizes {left} and {right} of axis {k} differ")))?;
        }
    }
    let parts: Vec<Var> = xs.iter().map(|x| unsqueeze(b, *x, axis)).collect();
    b.tensor(Rc::new(Concat { axis }), &parts)
}
