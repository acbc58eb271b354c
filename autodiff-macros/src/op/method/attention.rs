//! Attention, and what goes with it: rotary positions, dropout with a given mask.

use super::ParamKind::{Mask, Number, Operand};
use super::window::can_be_lengths;
use super::{Arg, Function, Method, require};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::ir::{Ty, Var};
use crate::op::elementwise as rows;
use crate::op::linalg::MatMul;
use crate::op::nest::{affine, generate};
use crate::op::page::Page;
use crate::op::{Mismatch, broadcast, composite};

pub static METHODS: &[Method] = &[
    Method {
        name: "rope",
        page: Page {
            calls: &["x.rope(base)"],
            doc: "Rotary positions: the pair (2k, 2k + 1) of row s turns by the angle s / base^(2k / width).",
            shape: "[b…, s, 2·h] -> [b…, s, 2·h]",
            derivative: "x̄ is ȳ, each pair turned back",
            example: "(x: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 4> { x.rope(10000.0) }",
        },
        params: &[Number],
        ranks: None,
        build: |b, a| rope(b, a, "rope"),
    },
    Method {
        name: "rope_halves",
        page: Page {
            calls: &["x.rope_halves(base)"],
            doc: "Rotary positions as `rope`, of the pairs (k, k + width/2): the first half of the width and the second.",
            shape: "[b…, s, 2·h] -> [b…, s, 2·h]",
            derivative: "x̄ is ȳ, each pair turned back",
            example: "(x: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 3, 4> { x.rope_halves(10000.0) }",
        },
        params: &[Number],
        ranks: None,
        build: |b, a| rope(b, a, "rope_halves"),
    },
    Method {
        name: "dropout",
        page: Page {
            calls: &["x.dropout(mask, p)"],
            doc: "x / (1 − p) where the mask holds, 0 elsewhere; the mask is given, not drawn. What is dropped gets exactly 0.",
            shape: "[a…], [~a…] -> [a…]",
            derivative: "x̄ = ȳ / (1 − p) where the mask holds, 0 elsewhere",
            example: "(x: &Tensor1<f64, 3>, y: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { x.dropout(y.gt(0.0), 0.2) }",
        },
        params: &[Mask, Number],
        ranks: None,
        build: dropout,
    },
];

pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "attention",
        page: Page {
            calls: &["attention(q, k, v)"],
            doc: "softmax(q·kᵀ / √width)·v for every index of the axes before the last two.",
            shape: "[b…, n, w], [b…, m, w], [b…, m, p] -> [b…, n, p]",
            derivative: "that of its parts, with P = softmax(q·kᵀ/√w): v̄ = Pᵀ·ȳ, S̄ = P·(P̄ − Σ P·P̄)/√w, q̄ = S̄·k, k̄ = S̄ᵀ·q",
            example: "(q: &Tensor2<f64, 2, 3>, k: &Tensor2<f64, 4, 3>, v: &Tensor2<f64, 4, 2>) -> Tensor2<f64, 2, 2> { attention(q, k, v) }",
        },
        params: &[Operand, Operand, Operand],
        build: |b, a| attention(b, a, "attention", false),
    },
    Function {
        name: "attention_causal",
        page: Page {
            calls: &["attention_causal(q, k, v)"],
            doc: "Attention in which query i sees the keys 0 to i. Keys that no query sees get exactly 0.",
            shape: "[b…, n, w], [b…, m, w], [b…, m, p] -> [b…, n, p]",
            derivative: "that of `attention`, where hidden scores have weight 0",
            example: "(q: &Tensor2<f64, 3, 2>, k: &Tensor2<f64, 3, 2>, v: &Tensor2<f64, 3, 2>) -> Tensor2<f64, 3, 2> { attention_causal(q, k, v) }",
        },
        params: &[Operand, Operand, Operand],
        build: |b, a| attention(b, a, "attention_causal", true),
    },
];

/// softmax(q·kᵀ / √width)·v over the last two axes, for every index of the axes before them.
fn attention(b: &mut Builder, a: &[Arg], operator: &str, causal: bool) -> Result<Var, Mismatch> {
    let (q, k, v) = (a[0].var(), a[1].var(), a[2].var());
    let [qd, kd, vd] = [q, k, v].map(|x| b.ty(x).dims.clone());
    let shapes = format!("{}, {} and {}", dim::show(&qd), dim::show(&kd), dim::show(&vd));
    let note = format!(
        "`{operator}` takes queries [batch…, queries, width], keys [batch…, keys, width] and values [batch…, keys, size]"
    );
    if qd.len() < 2 || kd.len() != qd.len() || vd.len() != qd.len() {
        let message = format!("`{operator}` of {shapes}: {}, {} and {} axes", qd.len(), kd.len(), vd.len());
        return Err(Mismatch { message, note, help: None });
    }
    let batch = qd.len() - 2;
    // The operand at `k`, whose size of an axis is to be another one.
    let mut agree = |wanted: &Dim, k: usize, dims: &[Dim], axis: usize, what: &str| {
        let message = format!("`{operator}` of {shapes}: {what} {wanted} and {} differ", dims[axis]);
        let mut fitting = dims.to_vec();
        fitting[axis] = wanted.clone();
        let help = Some(format!("make `{{{k}}}` a tensor {}", dim::show(&fitting)));
        require(b, (wanted, &dims[axis]), Mismatch { message, note: note.clone(), help })
    };
    for axis in 0..batch {
        agree(&qd[axis], 1, &kd, axis, &format!("sizes of axis {axis},"))?;
        agree(&qd[axis], 2, &vd, axis, &format!("sizes of axis {axis},"))?;
    }
    agree(&qd[batch + 1], 1, &kd, batch + 1, "widths of queries and keys")?;
    agree(&kd[batch], 2, &vd, batch, "numbers of keys and values")?;

    if batch == 0 {
        return Ok(head(b, q, k, v, causal));
    }
    let y = b.zero(Ty::tensor(b.ty(q).elem.clone(), [&qd[..=batch], &vd[batch + 1..]].concat()));
    Ok(b.nest(&qd[..batch], &[y], &mut |b, at, y| {
        let [q, k, v] = [q, k, v].map(|x| b.get(x, at));
        let part = head(b, q, k, v, causal);
        vec![b.set(y[0], part, at)]
    })[0])
}

/// Attention of matrices.
fn head(b: &mut Builder, q: Var, k: Var, v: Var, causal: bool) -> Var {
    let Ty { elem, dims } = b.ty(q).clone();
    let scores = b.apply(MatMul { ta: false, tb: true }, &[q, k]);
    b.name(scores, "scores");
    let scale = match dims[1].as_literal() {
        Some(width) => b.constant(&elem, 1.0 / (width as f64).sqrt()),
        None => {
            let width = b.dim(dims[1].clone());
            let width = b.cast(width, &elem);
            let root = b.map(&rows::sqrt, &[width]);
            b.map(&rows::recip, &[root])
        }
    };
    let mut scaled = b.mul(scores, scale);
    if causal {
        // A query does not see the keys behind it.
        let (ty, all) = (b.ty(scaled).clone(), scaled);
        let hidden = b.constant(&elem, f64::NEG_INFINITY);
        scaled = generate(b, ty, &mut |b, at| {
            let later = b.map(&rows::gt, &[at[1], at[0]]);
            let score = b.get(all, at);
            b.map(&rows::select, &[later, hidden, score])
        });
    }
    let weights = composite::softmax(b, scaled, 1);
    b.name(weights, "weights");
    b.apply(MatMul { ta: false, tb: false }, &[weights, v])
}

/// Rotary positions: the pair (2k, 2k + 1), or (k, k + width/2), of row `s` turns by the angle s / base^(2k / width).
fn rope(b: &mut Builder, a: &[Arg], operator: &str) -> Result<Var, Mismatch> {
    let (x, base) = (a[0].var(), a[1].var());
    let Ty { elem, dims } = b.ty(x).clone();
    let [batch @ .., length, width] = &dims[..] else {
        return Err(Mismatch {
            message: format!("`{operator}` of {}: at least 2 axes are needed", dim::show(&dims)),
            note: format!("`{operator}` takes [batch…, positions, width]"),
            help: Some(format!("for one position, write `{{0}}.reshape([1, {}])`", Dim::product(&dims))),
        });
    };
    let half = width.over(&Dim::literal(2));
    require(
        b,
        (&half.times(&Dim::literal(2)), width),
        Mismatch {
            message: format!("`{operator}` of {}: the width {width} is odd", dim::show(&dims)),
            note: format!("`{operator}` turns pairs: the last axis has an even size"),
            help: None,
        },
    )?;
    let log = b.map(&rows::ln, &[base]);
    let size = b.dim(width.clone());
    let size = b.cast(size, &elem);
    let speed_of = |b: &mut Builder, pair: Var| {
        let twice = affine(b, pair, &Dim::literal(2), &Dim::literal(0));
        let twice = b.cast(twice, &elem);
        let share = b.map(&rows::div, &[twice, size]);
        let exponent = b.mul(share, log);
        let negative = b.map(&rows::neg, &[exponent]);
        b.map(&rows::exp, &[negative])
    };
    // They are the same for all positions; but an array cannot be half as long as a generic parameter says.
    let speeds = can_be_lengths(std::slice::from_ref(&half)).then(|| {
        let ty = Ty::tensor(elem.clone(), vec![half.clone()]);
        let speeds = generate(b, ty, &mut |b, pair| speed_of(b, pair[0]));
        b.name(speeds, "speeds");
        speeds
    });
    let y = b.zero(Ty::tensor(elem.clone(), dims.clone()));
    let pairs = [batch, &[length.clone(), half.clone()]].concat();
    Ok(b.nest(&pairs, &[y], &mut |b, at, y| {
        let [outer @ .., position, pair] = at else { return y.to_vec() };
        let [even, odd] = if operator == "rope" {
            [0, 1].map(|k| affine(b, *pair, &Dim::literal(2), &Dim::literal(k)))
        } else {
            [*pair, affine(b, *pair, &Dim::literal(1), &half)]
        };
        let [even, odd] = [even, odd].map(|last| [outer, &[*position, last]].concat());
        let speed = match speeds {
            Some(speeds) => b.get(speeds, &[*pair]),
            None => speed_of(b, *pair),
        };
        let place = b.cast(*position, &elem);
        let angle = b.mul(place, speed);
        let (cos, sin) = (b.map(&rows::cos, &[angle]), b.map(&rows::sin, &[angle]));
        let (p, q) = (b.get(x, &even), b.get(x, &odd));
        let (pc, qs, ps, qc) = (b.mul(p, cos), b.mul(q, sin), b.mul(p, sin), b.mul(q, cos));
        let first = b.map(&rows::sub, &[pc, qs]);
        let second = b.add(ps, qc);
        let y = b.set(y[0], first, &even);
        vec![b.set(y, second, &odd)]
    })[0])
}

/// x / (1 − p) where the mask holds, 0 elsewhere.
fn dropout(b: &mut Builder, a: &[Arg]) -> Result<Var, Mismatch> {
    let (x, mask, p) = (a[0].var(), a[1].var(), a[2].var());
    let (xd, md) = (b.ty(x).dims.clone(), b.ty(mask).dims.clone());
    let (dims, obligations) = broadcast("drop out", &xd, &md)?;
    let refusal = || Mismatch {
        message: format!("`dropout` of {} with a mask {}", dim::show(&xd), dim::show(&md)),
        note: "the mask has the shape of the operand, or stretches to it".into(),
        help: None,
    };
    if dims.len() != xd.len() {
        return Err(refusal());
    }
    b.oblige(&crate::op::Typed { ty: b.ty(x).clone(), equal: obligations });
    for (given, wanted) in dims.iter().zip(&xd) {
        require(b, (given, wanted), refusal())?;
    }
    let elem = b.ty(x).elem.clone();
    let (zero, one) = (b.constant(&elem, 0.0), b.constant(&elem, 1.0));
    let kept = b.map(&rows::sub, &[one, p]);
    let scaled = b.map(&rows::div, &[x, kept]);
    Ok(b.map(&rows::select, &[mask, scaled, zero]))
}
