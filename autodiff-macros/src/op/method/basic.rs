//! Products, sums, softmax and the first losses.

use super::ParamKind::{Axis, Dims, Labels, Operand};
use super::loss::fit_labels;
use super::{Method, same_shape};
use crate::op::view::{Permute, Reshape};
use crate::op::{composite, linalg};
use std::rc::Rc;

pub static METHODS: &[Method] = &[
    Method {
        name: "matmul",
        params: &[Operand],
        ranks: None,
        build: |b, a| linalg::product(b, a[0].var(), a[1].var()),
    },
    Method {
        name: "t",
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| Ok(b.apply(Permute { axes: vec![1, 0] }, &[a[0].var()])),
    },
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
    Method {
        name: "softmax",
        params: &[Axis],
        ranks: None,
        build: |b, a| Ok(composite::softmax(b, a[0].var(), a[1].axis())),
    },
    Method {
        name: "log_softmax",
        params: &[Axis],
        ranks: None,
        build: |b, a| Ok(composite::log_softmax(b, a[0].var(), a[1].axis())),
    },
    Method {
        name: "cross_entropy",
        params: &[Labels],
        ranks: Some(&[2]),
        build: |b, a| {
            fit_labels(b, "cross_entropy", a)?;
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
