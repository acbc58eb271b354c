//! Selections by a comparison, and gated activations.

use super::ParamKind::{Mask, Number, Operand};
use super::{Arg, Function, Method, counted};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Comparison};
use crate::ir::{Ty, Var};
use crate::op::elementwise as rows;
use crate::op::page::Page;
use crate::op::{Mismatch, Row, Typed};

pub static METHODS: &[Method] = &[Method {
    name: "masked_fill",
    page: Page {
        calls: &["x.masked_fill(mask, value)"],
        doc: "The value where the mask holds, x elsewhere. What is filled gets exactly 0.",
        shape: "[a…], [~a…] -> [a…]",
        derivative: "x̄ = 0 where the mask holds, ȳ elsewhere",
        example: "(x: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { x.masked_fill(x.lt(0.0), -1.0) }",
    },
    params: &[Mask, Number],
    ranks: None,
    build: masked_fill,
}];

pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "select",
        page: Page {
            calls: &["select(c, a, b)"],
            doc: "a where c holds, b elsewhere. What is not taken gets exactly 0, even where its own derivative is infinite or NaN.",
            shape: "[~a…], [a…], [~a…] -> [a…]",
            derivative: "ā = ȳ where c holds, else 0; b̄ = 0 where c holds, else ȳ",
            example: "(a: &Tensor1<f64, 3>, b: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { select(a.gt(b), a * b, b) }",
        },
        params: &[Mask, Operand, Operand],
        build: |b, a| broadcast(b, &rows::select, &[a[0].var(), a[1].var(), a[2].var()]),
    },
    Function {
        name: "swiglu",
        page: Page {
            calls: &["swiglu(x, w)"],
            doc: "silu(x)·w.",
            shape: "[a…], [~a…] -> [a…]",
            derivative: "x̄ = ȳ·w·silu′(x), w̄ = ȳ·silu(x)",
            example: "(x: &Tensor1<f64, 3>, w: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { swiglu(x, w) }",
        },
        params: &[Operand, Operand],
        build: |b, a| gated(b, "swiglu", &rows::silu, a),
    },
    Function {
        name: "geglu",
        page: Page {
            calls: &["geglu(x, w)"],
            doc: "gelu(x)·w.",
            shape: "[a…], [~a…] -> [a…]",
            derivative: "x̄ = ȳ·w·gelu′(x), w̄ = ȳ·gelu(x)",
            example: "(x: &Tensor1<f64, 3>, w: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { geglu(x, w) }",
        },
        params: &[Operand, Operand],
        build: |b, a| gated(b, "geglu", &rows::gelu, a),
    },
    Function {
        name: "reglu",
        page: Page {
            calls: &["reglu(x, w)"],
            doc: "relu(x)·w. The derivative of relu at 0 is 0.",
            shape: "[a…], [~a…] -> [a…]",
            derivative: "x̄ = ȳ·w where x > 0, else 0; w̄ = ȳ·relu(x)",
            example: "(x: &Tensor1<f64, 3>, w: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { reglu(x, w) }",
        },
        params: &[Operand, Operand],
        build: |b, a| gated(b, "reglu", &rows::relu, a),
    },
];

/// A row of operands that have to fit.
fn broadcast(b: &mut Builder, row: &'static Row, args: &[Var]) -> Result<Var, Mismatch> {
    let tys: Vec<_> = args.iter().map(|arg| b.ty(*arg).clone()).collect();
    let typed = row.result(&tys)?;
    b.oblige(&typed);
    Ok(b.map(row, args))
}

/// act(x) · y
fn gated(b: &mut Builder, name: &str, act: &'static Row, args: &[Arg]) -> Result<Var, Mismatch> {
    let (x, y) = (b.ty(args[0].var()).clone(), b.ty(args[1].var()).clone());
    let (dims, equal) = crate::op::broadcast(&format!("take `{name}` of"), &x.dims, &y.dims)?;
    b.oblige(&Typed { ty: Ty::tensor(x.elem, dims), equal });
    let gate = b.map(act, &[args[0].var()]);
    broadcast(b, &rows::mul, &[gate, args[1].var()])
}

/// `value` where the mask holds, x elsewhere; the mask may be stretched, x is not.
fn masked_fill(b: &mut Builder, args: &[Arg]) -> Result<Var, Mismatch> {
    let (x, mask, value) = (args[0].var(), args[1].var(), args[2].var());
    let (own, given) = (b.ty(x).dims.clone(), b.ty(mask).dims.clone());
    let refuse = |why: String| Mismatch {
        message: format!("`masked_fill` of {} by a mask {}: {why}", dim::show(&own), dim::show(&given)),
        note: "the mask has the shape of the tensor, or is stretched to it".into(),
        help: Some(format!("make the mask from a tensor {}, or from one that stretches to it", dim::show(&own))),
    };
    if given.len() > own.len() {
        let mut mismatch = refuse(format!("{} and {} differ", counted(own.len(), "axis"), given.len()));
        mismatch.help = Some("to stretch the tensor instead, write `select(mask, value, {0})`".into());
        return Err(mismatch);
    }
    let skipped = own.len() - given.len();
    for (axis, size) in given.iter().enumerate() {
        let wanted = &own[axis + skipped];
        if !size.is(1) && wanted.compare(size) == Comparison::Different {
            return Err(refuse(format!("sizes {wanted} and {size} of axis {} differ", axis + skipped)));
        }
    }
    broadcast(b, &rows::select, &[mask, value, x])
}
