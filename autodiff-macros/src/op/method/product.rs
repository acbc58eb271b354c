//! Products: batched ones, outer, trace. (`einsum!` is in [`crate::op::einsum`].)

use super::ParamKind::Operand;
use super::{Method, require};
use crate::ir::Var;
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::op::Mismatch;
use crate::op::linalg::Outer;
use crate::op::page::Page;

pub static METHODS: &[Method] = &[
    Method {
        name: "outer",
        page: Page {
            calls: &["x.outer(w)"],
            doc: "The products of each element of one vector with each of another.",
            shape: "[m], [n] -> [m, n]",
            derivative: "x̄ = ȳ·w, w̄ = ȳᵀ·x",
            example: "(x: &Tensor1<f64, 2>, w: &Tensor1<f64, 3>) -> Tensor2<f64, 2, 3> { x.outer(w) }",
        },
        params: &[Operand],
        ranks: Some(&[1]),
        build: |b, a| outer(b, a[0].var(), a[1].var()),
    },
    Method {
        name: "trace",
        page: Page {
            calls: &["x.trace()"],
            doc: "The sum of the diagonal.",
            shape: "[n, n] -> []",
            derivative: "x̄ = ȳ on the diagonal, exactly 0 elsewhere",
            example: "(x: &Tensor2<f64, 3, 3>) -> f64 { x.trace() }",
        },
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| trace(b, a[0].var()),
    },
];

fn outer(b: &mut Builder, x: Var, y: Var) -> Result<Var, Mismatch> {
    let (left, right) = (b.ty(x).dims.clone(), b.ty(y).dims.clone());
    if right.len() != 1 {
        return Err(Mismatch {
            message: format!(
                "`outer` of {} and {}: {} axes instead of 1",
                dim::show(&left),
                dim::show(&right),
                right.len()
            ),
            note: "`outer` takes two vectors".into(),
            help: Some("make a vector of it with `{1}.flatten()`".into()),
        });
    }
    Ok(b.apply(Outer, &[x, y]))
}

/// Σ xᵢᵢ
fn trace(b: &mut Builder, x: Var) -> Result<Var, Mismatch> {
    let ty = b.ty(x).clone();
    let (rows, columns) = (&ty.dims[0], &ty.dims[1]);
    require(
        b,
        (rows, columns),
        Mismatch {
            message: format!("cannot take the trace of {}: sizes {rows} and {columns} differ", dim::show(&ty.dims)),
            note: "`trace` takes a square matrix".into(),
            help: None,
        },
    )?;
    let zero = b.constant(&ty.elem, 0.0);
    let sum = b.for_loop((Dim::literal(0), rows.clone()), &[zero], |b, i, sum| {
        let v = b.get(x, &[i, i]);
        vec![b.add(sum[0], v)]
    });
    Ok(sum[0])
}
