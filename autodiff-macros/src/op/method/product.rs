//! Products: batched ones, outer, trace. (`einsum!` is in [`crate::op::einsum`].)

use super::ParamKind::Operand;
use super::{Function, Method, require};
use crate::ir::Var;
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::op::Mismatch;
use crate::op::linalg::Outer;

pub static METHODS: &[Method] = &[
    Method { name: "outer", params: &[Operand], ranks: Some(&[1]), build: |b, a| outer(b, a[0].var(), a[1].var()) },
    Method { name: "trace", params: &[], ranks: Some(&[2]), build: |b, a| trace(b, a[0].var()) },
];

pub static FUNCTIONS: &[Function] = &[];

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
