//! Products, sums, softmax and the first losses.

use super::ParamKind::{Axis, Dims, Labels, Operand};
use super::{Method, agree, same_shape};
use crate::ir::dim;
use crate::op::view::{Permute, Reshape};
use crate::op::{Mismatch, composite, linalg};
use std::rc::Rc;

pub static METHODS: &[Method] = &[
    Method { name: "matmul", params: &[Operand], ranks: None, build: |b, a| linalg::product(b, a[0].var(), a[1].var()) },
    Method { name: "t", params: &[], ranks: Some(&[2]), build: |b, a| Ok(b.apply(Permute { axes: vec![1, 0] }, &[a[0].var()])) },
    Method {
        name: "dot",
        params: &[Operand],
        ranks: Some(&[1]),
        build: |b, a| {
            same_shape(b, "dot", a)?;
            Ok(composite::dot(b, a[0].var(), a[1].var()))
        },
    },
    Method {
        name: "reshape",
        params: &[Dims],
        ranks: None,
        build: |b, a| b.tensor(Rc::new(Reshape { dims: a[1].dims().to_vec() }), &[a[0].var()]),
    },
    Method { name: "sum", params: &[], ranks: None, build: |b, a| Ok(composite::sum(b, a[0].var(), &[], false)) },
    Method { name: "sum_axis", params: &[Axis], ranks: None, build: |b, a| Ok(composite::sum(b, a[0].var(), &[a[1].axis()], false)) },
    Method { name: "sum_keepdim", params: &[Axis], ranks: None, build: |b, a| Ok(composite::sum(b, a[0].var(), &[a[1].axis()], true)) },
    Method { name: "mean", params: &[], ranks: None, build: |b, a| Ok(composite::mean(b, a[0].var(), &[], false)) },
    Method { name: "mean_axis", params: &[Axis], ranks: None, build: |b, a| Ok(composite::mean(b, a[0].var(), &[a[1].axis()], false)) },
    Method { name: "mean_keepdim", params: &[Axis], ranks: None, build: |b, a| Ok(composite::mean(b, a[0].var(), &[a[1].axis()], true)) },
    Method { name: "softmax", params: &[Axis], ranks: None, build: |b, a| Ok(composite::softmax(b, a[0].var(), a[1].axis())) },
    Method { name: "log_softmax", params: &[Axis], ranks: None, build: |b, a| Ok(composite::log_softmax(b, a[0].var(), a[1].axis())) },
    Method {
        name: "cross_entropy",
        params: &[Labels],
        ranks: Some(&[2]),
        build: |b, a| {
            let (rows, labels) = (b.ty(a[0].var()).dims[0].clone(), b.ty(a[1].var()).dims.clone());
            let shape = b.ty(a[0].var()).dims.clone();
            let note = "`cross_entropy` takes logits [n, classes] and one label for each row";
            let [count] = &labels[..] else {
                let message = format!("`cross_entropy` of {} and labels {}: one axis of labels expected", dim::show(&shape), dim::show(&labels));
                return Err(Mismatch { message, note: note.into(), help: None });
            };
            agree(b, "cross_entropy", &shape, &labels, &[(rows, count.clone())], note)?;
            Ok(composite::cross_entropy(b, a[0].var(), a[1].var()))
        },
    },
    Method {
        name: "mse",
        params: &[Operand],
        ranks: None,
        build: |b, a| {
            same_shape(b, "mse", a)?;
            Ok(composite::mse(b, a[0].var(), a[1].var()))
        },
    },
];

