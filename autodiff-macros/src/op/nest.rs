//! Operators written as loop nests. Loops are differentiated like the user's own, so that such an operator
//! needs no derivative rule: gathering elements becomes scattering their cotangents, and back.

use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{IntOp, Ty, Var};

/// `y[i…] = element(i…)`
pub fn generate(b: &mut Builder, ty: Ty, element: &mut dyn FnMut(&mut Builder, &[Var]) -> Var) -> Var {
    if ty.is_scalar() {
        return element(b, &[]);
    }
    let zero = b.zero(ty.clone());
    b.nest(&ty.dims, &[zero], &mut |b, at, t| {
        let v = element(b, at);
        vec![b.set(t[0], v, at)]
    })[0]
}

/// `y[i…] = x[source(i…)]`: a view.
pub fn gather(b: &mut Builder, x: Var, dims: &[Dim], source: &mut dyn FnMut(&mut Builder, &[Var]) -> Vec<Var>) -> Var {
    let ty = Ty::tensor(b.ty(x).elem.clone(), dims.to_vec());
    generate(b, ty, &mut |b, at| {
        let from = source(b, at);
        b.get(x, &from)
    })
}

/// `into[target(i…)] += element(i…)` with `i…` over `dims`; repeated places accumulate.
pub fn scatter(
    b: &mut Builder,
    into: Var,
    dims: &[Dim],
    place: &mut dyn FnMut(&mut Builder, &[Var]) -> (Vec<Var>, Var),
) -> Var {
    b.nest(dims, &[into], &mut |b, at, t| {
        let (to, v) = place(b, at);
        vec![b.acc(t[0], v, &to)]
    })[0]
}

/// `scale · i + offset` as an index; the offset may be negative if the sum is not.
pub fn affine(b: &mut Builder, i: Var, scale: &Dim, offset: &Dim) -> Var {
    let scaled = if scale.is(1) {
        i
    } else {
        let scale = b.dim(scale.clone());
        b.int(IntOp::Mul, scale, i)
    };
    match offset.as_literal() {
        Some(0) => scaled,
        Some(negative) if negative < 0 => {
            let by = b.dim(Dim::literal(-negative));
            b.int(IntOp::Sub, scaled, by)
        }
        _ => {
            let by = b.dim(offset.clone());
            b.int(IntOp::Add, scaled, by)
        }
    }
}

/// The sum of two indices.
pub fn plus(b: &mut Builder, i: Var, j: Var) -> Var {
    b.int(IntOp::Add, i, j)
}
