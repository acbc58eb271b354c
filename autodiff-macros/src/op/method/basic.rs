//! Products, sums, softmax and the first losses.

use super::ParamKind::{Axis, Dims, Labels, Operand};
use super::loss::fit_labels;
use super::{Method, same_shape};
use crate::op::page::Page;
use crate::op::view::{Permute, Reshape};
use crate::op::{composite, linalg};
use std::rc::Rc;

pub static METHODS: &[Method] = &[
    Method {
        name: "matmul",
        page: Page {
            calls: &["x.matmul(w)"],
            doc: "The product of matrices, of stacks of them, or of a matrix and a vector; the axes before the last two broadcast.",
            shape: "[~b…, m, k], [b…, k, n] -> [b…, m, n]",
            derivative: "x̄ = ȳ·yᵀ, w̄ = xᵀ·ȳ",
            example: "(x: &Tensor2<f64, 2, 3>, w: &Tensor2<f64, 3, 4>) -> Tensor2<f64, 2, 4> { x.matmul(w) }",
        },
        params: &[Operand],
        ranks: None,
        build: |b, a| linalg::product(b, a[0].var(), a[1].var()),
    },
    Method {
        name: "t",
        page: Page {
            calls: &["x.t()"],
            doc: "The transpose of a matrix.",
            shape: "[m, n] -> [n, m]",
            derivative: "x̄ = ȳᵀ",
            example: "(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 3, 2> { x.t() }",
        },
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| Ok(b.apply(Permute { axes: vec![1, 0] }, &[a[0].var()])),
    },
    Method {
        name: "dot",
        page: Page {
            calls: &["x.dot(w)"],
            doc: "The sum of the products of two vectors.",
            shape: "[n], [n] -> []",
            derivative: "x̄ = ȳ·w, w̄ = ȳ·x",
            example: "(x: &Tensor1<f64, 3>, w: &Tensor1<f64, 3>) -> f64 { x.dot(w) }",
        },
        params: &[Operand],
        ranks: Some(&[1]),
        build: |b, a| {
            same_shape(b, "dot", a)?;
            Ok(composite::dot(b, a[0].var(), a[1].var()))
        },
    },
    Method {
        name: "reshape",
        page: Page {
            calls: &["x.reshape([m, n])"],
            doc: "The same elements, in row-major order, in another shape.",
            shape: "[a…] -> the sizes given, whose product is that of a…",
            derivative: "x̄ = ȳ in the shape of x",
            example: "(x: &Tensor2<f64, 2, 6>) -> Tensor3<f64, 3, 2, 2> { x.reshape([3, 2, 2]) }",
        },
        params: &[Dims],
        ranks: None,
        build: |b, a| b.tensor(Rc::new(Reshape { dims: a[1].dims().to_vec() }), &[a[0].var()]),
    },
    Method {
        name: "softmax",
        page: Page {
            calls: &["x.softmax(axis)"],
            doc: "exp(xᵢ) / Σ exp(xⱼ) along an axis. The maximum is subtracted first, so that nothing overflows; it carries no derivative.",
            shape: "[a…] -> [a…]",
            derivative: "x̄ = y·(ȳ − Σ y·ȳ)",
            example: "(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 2, 3> { x.softmax(1) }",
        },
        params: &[Axis],
        ranks: None,
        build: |b, a| Ok(composite::softmax(b, a[0].var(), a[1].axis())),
    },
    Method {
        name: "log_softmax",
        page: Page {
            calls: &["x.log_softmax(axis)"],
            doc: "The logarithm of softmax, xᵢ − ln Σ exp(xⱼ) along an axis. The maximum is subtracted first, so that nothing overflows.",
            shape: "[a…] -> [a…]",
            derivative: "x̄ = ȳ − exp(y)·Σ ȳ",
            example: "(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 2, 3> { x.log_softmax(1) }",
        },
        params: &[Axis],
        ranks: None,
        build: |b, a| Ok(composite::log_softmax(b, a[0].var(), a[1].axis())),
    },
    Method {
        name: "cross_entropy",
        page: Page {
            calls: &["x.cross_entropy(labels)"],
            doc: "The mean over the rows of −log softmax(x) at the label. The maximum is subtracted first, so that nothing overflows.",
            shape: "[n, c], [n] -> []",
            derivative: "x̄ = ȳ/n · (softmax(x) − one-hot(labels))",
            example: "(x: &Tensor2<f64, 2, 3>, labels: &[usize; 2]) -> f64 { x.cross_entropy(labels) }",
        },
        params: &[Labels],
        ranks: Some(&[2]),
        build: |b, a| {
            fit_labels(b, "cross_entropy", a)?;
            Ok(composite::cross_entropy(b, a[0].var(), a[1].var()))
        },
    },
    Method {
        name: "mse",
        page: Page {
            calls: &["x.mse(t)"],
            doc: "The mean of (x − t)².",
            shape: "[a…], [a…] -> []",
            derivative: "x̄ = ȳ · 2·(x − t)/n, for t the negative",
            example: "(x: &Tensor2<f64, 2, 3>, t: &Tensor2<f64, 2, 3>) -> f64 { x.mse(t) }",
        },
        params: &[Operand],
        ranks: None,
        build: |b, a| {
            same_shape(b, "mse", a)?;
            Ok(composite::mse(b, a[0].var(), a[1].var()))
        },
    },
];
