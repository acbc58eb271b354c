//! Layer, RMS, batch, group and instance norm.
//!
//! All divide by √(σ² + ε), where σ² is the mean of the squares, and then apply a scale γ and a shift β. The classes
//! of batch, group and instance norm are on axis 1.

use super::ParamKind::{Number, Operand, Size};
use super::{Arg, Method, reduce, require};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Comparison, Dim};
use crate::ir::{IntOp, Ty, Var};
use crate::op::page::Page;
use crate::op::view::reshape;
use crate::op::{Mismatch, Typed, composite, elementwise as rows, nest};

pub static METHODS: &[Method] = &[
    Method {
        name: "layer_norm",
        page: Page {
            calls: &["x.layer_norm(gamma, beta, eps)"],
            doc: "(x − mean)/√(var + ε)·γ + β over the last axes, those that γ and β have.",
            shape: "[a…, n], [n], [n] -> [a…, n], or more last axes",
            derivative: "with x̂ the normalised x and g = ȳ·γ: x̄ = (g − mean g − x̂·mean(g·x̂))/σ, γ̄ = Σ ȳ·x̂, β̄ = Σ ȳ",
            example: "(x: &Tensor2<f64, 2, 3>, gamma: &Tensor1<f64, 3>, beta: &Tensor1<f64, 3>) -> Tensor2<f64, 2, 3> {\n    x.layer_norm(gamma, beta, 1e-5)\n}",
        },
        params: &[Operand, Operand, Number],
        ranks: None,
        build: |b, a| {
            let axes = last_axes(b, "layer_norm", a, &[1, 2])?;
            let normal = normalized(b, a[0].var(), &axes, a[3].var());
            Ok(scaled(b, normal, a[1].var(), Some(a[2].var())))
        },
    },
    Method {
        name: "rms_norm",
        page: Page {
            calls: &["x.rms_norm(gamma, eps)"],
            doc: "x/√(mean x² + ε)·γ over the last axes, those that γ has.",
            shape: "[a…, n], [n] -> [a…, n], or more last axes",
            derivative: "with x̂ the normalised x and g = ȳ·γ: x̄ = (g − x̂·mean(g·x̂))/σ, γ̄ = Σ ȳ·x̂",
            example: "(x: &Tensor2<f64, 2, 3>, gamma: &Tensor1<f64, 3>) -> Tensor2<f64, 2, 3> { x.rms_norm(gamma, 1e-6) }",
        },
        params: &[Operand, Number],
        ranks: None,
        build: |b, a| {
            let axes = last_axes(b, "rms_norm", a, &[1])?;
            let normal = divided(b, a[0].var(), &axes, a[2].var());
            Ok(scaled(b, normal, a[1].var(), None))
        },
    },
    Method {
        name: "batch_norm",
        page: Page {
            calls: &["x.batch_norm(gamma, beta, eps)"],
            doc: "(x − mean)/√(var + ε)·γ + β over all axes but 1, with the statistics of this batch.",
            shape: "[n, c, a…], [c], [c] -> [n, c, a…]",
            derivative: "with x̂ the normalised x and g = ȳ·γ: x̄ = (g − mean g − x̂·mean(g·x̂))/σ, γ̄ = Σ ȳ·x̂, β̄ = Σ ȳ",
            example: "(x: &Tensor3<f64, 2, 3, 4>, gamma: &Tensor1<f64, 3>, beta: &Tensor1<f64, 3>) -> Tensor3<f64, 2, 3, 4> {\n    x.batch_norm(gamma, beta, 1e-5)\n}",
        },
        params: &[Operand, Operand, Number],
        ranks: Some(&[2, 3, 4, 5]),
        build: |b, a| batch_norm(b, "batch_norm", a),
    },
    Method {
        name: "batch_norm2d",
        page: Page {
            calls: &["x.batch_norm2d(gamma, beta, eps)"],
            doc: "`batch_norm` of images.",
            shape: "[n, c, h, w], [c], [c] -> [n, c, h, w]",
            derivative: "with x̂ the normalised x and g = ȳ·γ: x̄ = (g − mean g − x̂·mean(g·x̂))/σ, γ̄ = Σ ȳ·x̂, β̄ = Σ ȳ",
            example: "(x: &Tensor4<f64, 2, 3, 2, 2>, gamma: &Tensor1<f64, 3>, beta: &Tensor1<f64, 3>) -> Tensor4<f64, 2, 3, 2, 2> {\n    x.batch_norm2d(gamma, beta, 1e-5)\n}",
        },
        params: &[Operand, Operand, Number],
        ranks: Some(&[4]),
        build: |b, a| batch_norm(b, "batch_norm2d", a),
    },
    Method {
        name: "instance_norm",
        page: Page {
            calls: &["x.instance_norm(gamma, beta, eps)"],
            doc: "(x − mean)/√(var + ε)·γ + β over the axes after the channels.",
            shape: "[n, c, l, a…], [c], [c] -> [n, c, l, a…]",
            derivative: "with x̂ the normalised x and g = ȳ·γ: x̄ = (g − mean g − x̂·mean(g·x̂))/σ, γ̄ = Σ ȳ·x̂, β̄ = Σ ȳ",
            example: "(x: &Tensor4<f64, 2, 3, 2, 2>, gamma: &Tensor1<f64, 3>, beta: &Tensor1<f64, 3>) -> Tensor4<f64, 2, 3, 2, 2> {\n    x.instance_norm(gamma, beta, 1e-5)\n}",
        },
        params: &[Operand, Operand, Number],
        ranks: Some(&[3, 4, 5]),
        build: |b, a| {
            let affine = channels(b, "instance_norm", a, &[1, 2])?;
            let axes: Vec<usize> = (2..b.ty(a[0].var()).rank()).collect();
            let normal = normalized(b, a[0].var(), &axes, a[3].var());
            Ok(scaled(b, normal, affine[0], Some(affine[1])))
        },
    },
    Method {
        name: "group_norm",
        page: Page {
            calls: &["x.group_norm(groups, gamma, beta, eps)"],
            doc: "(x − mean)/√(var + ε)·γ + β over the channels of a group and the axes after them.",
            shape: "[n, g·c, a…], [g·c], [g·c] -> [n, g·c, a…], g the number of groups",
            derivative: "with x̂ the normalised x and g = ȳ·γ: x̄ = (g − mean g − x̂·mean(g·x̂))/σ, γ̄ = Σ ȳ·x̂, β̄ = Σ ȳ",
            example: "(x: &Tensor3<f64, 2, 4, 3>, gamma: &Tensor1<f64, 4>, beta: &Tensor1<f64, 4>) -> Tensor3<f64, 2, 4, 3> {\n    x.group_norm(2, gamma, beta, 1e-5)\n}",
        },
        params: &[Size, Operand, Operand, Number],
        ranks: Some(&[2, 3, 4, 5]),
        build: |b, a| {
            let affine = channels(b, "group_norm", a, &[2, 3])?;
            let normal = group_norm(b, a[0].var(), &a[1].dims()[0], a[4].var())?;
            Ok(scaled(b, normal, affine[0], Some(affine[1])))
        },
    },
];

/// Over all axes but 1.
fn batch_norm(b: &mut Builder, name: &str, a: &[Arg]) -> Result<Var, Mismatch> {
    let affine = channels(b, name, a, &[1, 2])?;
    let axes: Vec<usize> = (0..b.ty(a[0].var()).rank()).filter(|axis| *axis != 1).collect();
    let normal = normalized(b, a[0].var(), &axes, a[3].var());
    Ok(scaled(b, normal, affine[0], Some(affine[1])))
}

/// (x − mean) / √(var + ε)
fn normalized(b: &mut Builder, x: Var, axes: &[usize], eps: Var) -> Var {
    let centered = reduce::centered(b, x, axes);
    divided(b, centered, axes, eps)
}

/// x / √(mean x² + ε)
fn divided(b: &mut Builder, x: Var, axes: &[usize], eps: Var) -> Var {
    let square = b.map(&rows::square, &[x]);
    let variance = composite::mean(b, square, axes, true);
    times_inverse_root(b, x, variance, eps)
}

/// x / √(σ² + ε), with one division for each σ².
fn times_inverse_root(b: &mut Builder, x: Var, variance: Var, eps: Var) -> Var {
    let sum = b.add(variance, eps);
    let root = b.map(&rows::sqrt, &[sum]);
    let inverse = b.map(&rows::recip, &[root]);
    b.name(inverse, "inverse_deviation");
    b.mul(x, inverse)
}

/// x·γ + β
fn scaled(b: &mut Builder, x: Var, gamma: Var, beta: Option<Var>) -> Var {
    let y = b.mul(x, gamma);
    beta.map_or(y, |beta| b.add(y, beta))
}

/// Statistics over the channels of a group and all axes after them.
fn group_norm(b: &mut Builder, x: Var, groups: &Dim, eps: Var) -> Result<Var, Mismatch> {
    let dims = b.ty(x).dims.clone();
    let size = group_size(b, &dims, groups)?;
    let count = size.times(&Dim::product(&dims[2..]));
    let mean = group_mean(b, x, groups, &size, &count);
    b.name(mean, "mean");
    let centered = b.map(&rows::sub, &[x, mean]);
    b.name(centered, "centered");
    let square = b.map(&rows::square, &[centered]);
    let variance = group_mean(b, square, groups, &size, &count);
    Ok(times_inverse_root(b, centered, variance, eps))
}

/// How many channels are in a group.
fn group_size(b: &mut Builder, dims: &[Dim], groups: &Dim) -> Result<Dim, Mismatch> {
    let channels = &dims[1];
    let message = format!(
        "`group_norm` of {} in {groups} groups: {channels} channels are no multiple of {groups}",
        dim::show(dims)
    );
    let size = channels.over(groups);
    let whole = !groups.is(0) && size.times(groups).compare(channels) != Comparison::Different;
    if !whole {
        let divisor = channels
            .as_literal()
            .and_then(|channels| (1..=channels.min(groups.as_literal()?)).rev().find(|k| channels % k == 0));
        return Err(Mismatch {
            message,
            note: "`group_norm` divides the channels, axis 1, into groups of the same size".into(),
            help: divisor.map(|divisor| format!("write {divisor} for the number of groups")),
        });
    }
    let mut typed = Typed::from(Ty::index());
    typed.equal.push((size.times(groups), channels.clone(), message));
    b.oblige(&typed);
    Ok(size)
}

/// The mean over each group, `[n, channels, 1…]`: summed for each channel, then for each group, then handed back to
/// the channels.
fn group_mean(b: &mut Builder, x: Var, groups: &Dim, size: &Dim, count: &Dim) -> Var {
    let Ty { elem, dims } = b.ty(x).clone();
    let spatial: Vec<usize> = (2..dims.len()).collect();
    let by_channel = if spatial.is_empty() { x } else { composite::sum(b, x, &spatial, false) };
    let into = b.zero(Ty::tensor(elem.clone(), vec![dims[0].clone(), groups.clone()]));
    let group = |b: &mut Builder, channel: Var| {
        let size = b.dim(size.clone());
        b.int(IntOp::Div, channel, size)
    };
    let by_group = nest::scatter(b, into, &dims[..2], &mut |b, at| {
        let (group, v) = (group(b, at[1]), b.get(by_channel, at));
        (vec![at[0], group], v)
    });
    let mean = composite::divide_by_count(b, by_group, count.clone());
    let handed = nest::gather(b, mean, &dims[..2], &mut |b, at| vec![at[0], group(b, at[1])]);
    let ones = spatial.iter().map(|_| Dim::literal(1));
    reshape(b, handed, dims[..2].iter().cloned().chain(ones).collect())
}

/// The axes that the scale covers: the last ones. Scale and shift have their sizes.
fn last_axes(b: &mut Builder, name: &str, a: &[Arg], affine: &[usize]) -> Result<Vec<usize>, Mismatch> {
    let x = b.ty(a[0].var()).dims.clone();
    let rank = b.ty(a[affine[0]].var()).rank();
    let note = format!("the scale of `{name}` has the sizes of the last axes, and so has a shift");
    for k in affine {
        let own = b.ty(a[*k].var()).dims.clone();
        if own.is_empty() || own.len() > x.len() || own.len() != rank {
            let message = format!("`{name}` of {} with {} of {} axes", dim::show(&x), what(k, affine), own.len());
            return Err(Mismatch { message, note, help: resized(k, affine, &x[x.len() - 1..]) });
        }
        fits(b, name, (k, affine), &x, x.len() - rank, &own, &note)?;
    }
    Ok((x.len() - rank..x.len()).collect())
}

/// Scale and shift have one number for each channel; given back shaped to broadcast along axis 1.
fn channels(b: &mut Builder, name: &str, a: &[Arg], affine: &[usize]) -> Result<Vec<Var>, Mismatch> {
    let x = b.ty(a[0].var()).dims.clone();
    let note = format!("scale and shift of `{name}` have one number for each channel, axis 1");
    let mut shaped = Vec::new();
    for k in affine {
        let own = b.ty(a[*k].var()).dims.clone();
        if own.len() != 1 {
            let message = format!("`{name}` of {} with {} of {} axes", dim::show(&x), what(k, affine), own.len());
            return Err(Mismatch { message, note, help: resized(k, affine, &x[1..2]) });
        }
        fits(b, name, (k, affine), &x, 1, &own, &note)?;
        let ones = x[2..].iter().map(|_| Dim::literal(1));
        shaped.push(reshape(b, a[*k].var(), own.iter().cloned().chain(ones).collect()));
    }
    Ok(shaped)
}

/// Whether a scale or shift has the sizes of `x` from an axis on.
fn fits(
    b: &mut Builder,
    name: &str,
    (k, affine): (&usize, &[usize]),
    x: &[Dim],
    from: usize,
    own: &[Dim],
    note: &str,
) -> Result<(), Mismatch> {
    for (axis, size) in own.iter().enumerate() {
        let wanted = &x[from + axis];
        let message = format!(
            "`{name}` of {} with {} {}: sizes {wanted} and {size} differ",
            dim::show(x),
            what(k, affine),
            dim::show(own)
        );
        let help = resized(k, affine, &x[from..from + own.len()]);
        require(b, (wanted, size), Mismatch { message, note: note.into(), help })?;
    }
    Ok(())
}

/// What the parameter at `k` is.
fn what(k: &usize, affine: &[usize]) -> &'static str {
    if *k == affine[0] { "a scale" } else { "a shift" }
}

/// The scale is the first operand after `x`, the shift the second.
fn resized(k: &usize, affine: &[usize], dims: &[Dim]) -> Option<String> {
    let position = if *k == affine[0] { 1 } else { 2 };
    Some(format!("make `{{{position}}}` a tensor {}", dim::show(dims)))
}
