//! Convolution and pooling.

use super::Method;
use super::ParamKind::{Operand, Options};
use crate::ir::dim::Dim;
use crate::ir::Ty;
use crate::op::nest::{affine, contract, plus};

/// Test of the toolkit.
pub static METHODS: &[Method] = &[Method {
    name: "conv2d",
    params: &[Operand, Options("Conv2d", &["stride", "padding", "dilation", "groups"])],
    ranks: Some(&[4]),
    build: |b, a| {
        let (x, w) = (a[0].var(), a[1].var());
        let (stride, dilation) = (a[2].options()[0].clone(), a[2].options()[2].clone());
        let (xd, wd) = (b.ty(x).dims.clone(), b.ty(w).dims.clone());
        let size = |k: usize| {
            let window = dilation[k].times(&wd[k + 2].minus(&Dim::literal(1))).plus(&Dim::literal(1));
            xd[k + 2].minus(&window).over(&stride[k]).plus(&Dim::literal(1))
        };
        let ty = Ty::tensor(b.ty(x).elem.clone(), vec![xd[0].clone(), wd[0].clone(), size(0), size(1)]);
        Ok(contract(b, ty, &wd[1..], &mut |b, at, k| {
            let zero = Dim::literal(0);
            let at_axis = |b: &mut crate::ir::builder::Builder, axis: usize| {
                let (i, u) = (affine(b, at[axis + 2], &stride[axis], &zero), affine(b, k[axis + 1], &dilation[axis], &zero));
                plus(b, i, u)
            };
            let (i, j) = (at_axis(b, 0), at_axis(b, 1));
            let v = b.get(x, &[at[0], k[0], i, j]);
            let weight = b.get(w, &[at[1], k[0], k[1], k[2]]);
            b.mul(v, weight)
        }))
    },
}];
