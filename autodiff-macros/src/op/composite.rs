//! Operators made of others. They have no derivative of their own: the compiler differentiates and fuses
//! what they are made of.

use super::elementwise as rows;
use super::reduce::Reduce;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Ty, Var};

/// The sum over `axes` (all of them where empty).
pub fn sum(b: &mut Builder, x: Var, axes: &[usize], keep: bool) -> Var {
    let axes = if axes.is_empty() { (0..b.ty(x).rank()).collect() } else { axes.to_vec() };
    if b.ty(x).is_scalar() { x } else { b.apply(Reduce::sum(axes, keep), &[x]) }
}

/// The sum divided by the number of elements.
pub fn mean(b: &mut Builder, x: Var, axes: &[usize], keep: bool) -> Var {
    let ty = b.ty(x).clone();
    let count = match axes {
        [] => Dim::product(&ty.dims),
        axes => Dim::product(axes.iter().map(|axis| &ty.dims[*axis])),
    };
    let sum = sum(b, x, axes, keep);
    divide_by_count(b, sum, count)
}

/// `x / count`, where the count may be known to rustc only.
pub fn divide_by_count(b: &mut Builder, x: Var, count: Dim) -> Var {
    let elem = b.ty(x).elem.clone();
    let count = match count.as_literal() {
        Some(count) => b.constant(&elem, count as f64),
        None => {
            let count = b.dim(count);
            b.cast(count, &elem)
        }
    };
    b.map(&rows::div, &[x, count])
}

/// x − max x along `axis`. The maximum is a constant shift: no derivative passes through it.
fn shifted(b: &mut Builder, x: Var, axis: usize) -> Var {
    let max = b.apply(Reduce::max(vec![axis], true), &[x]);
    b.name(max, "max");
    let max = b.map(&rows::stop_gradient, &[max]);
    let shifted = b.map(&rows::sub, &[x, max]);
    b.name(shifted, "shifted");
    shifted
}

/// exp(xᵢ) / Σ exp(xⱼ) along `axis`.
pub fn softmax(b: &mut Builder, x: Var, axis: usize) -> Var {
    let shifted = shifted(b, x, axis);
    let exp = b.map(&rows::exp, &[shifted]);
    b.name(exp, "exp");
    let total = sum(b, exp, &[axis], true);
    b.name(total, "total");
    b.map(&rows::div, &[exp, total])
}

/// xᵢ − ln Σ exp(xⱼ) along `axis`.
pub fn log_softmax(b: &mut Builder, x: Var, axis: usize) -> Var {
    let shifted = shifted(b, x, axis);
    let exp = b.map(&rows::exp, &[shifted]);
    b.name(exp, "exp");
    let total = sum(b, exp, &[axis], true);
    b.name(total, "total");
    let log = b.map(&rows::ln, &[total]);
    b.map(&rows::sub, &[shifted, log])
}

/// Mean over the rows of −log softmax at the label: ln Σ exp(x − max) − (x_label − max).
pub fn cross_entropy(b: &mut Builder, logits: Var, labels: Var) -> Var {
    let Ty { elem, dims } = b.ty(logits).clone();
    let shifted = shifted(b, logits, 1);
    let exp = b.map(&rows::exp, &[shifted]);
    b.name(exp, "exp");
    let total = sum(b, exp, &[1], false);
    b.name(total, "total");
    let log = b.map(&rows::ln, &[total]);
    let zero = b.constant(&elem, 0.0);
    let loss = b.for_loop((Dim::literal(0), dims[0].clone()), &[zero], |b, row, carried| {
        let label = b.get(labels, &[row]);
        let at_label = b.get(shifted, &[row, label]);
        let log = b.get(log, &[row]);
        let term = b.map(&rows::sub, &[log, at_label]);
        vec![b.add(carried[0], term)]
    })[0];
    divide_by_count(b, loss, dims[0].clone())
}

/// Mean of (x − y)² over all elements.
pub fn mse(b: &mut Builder, x: Var, y: Var) -> Var {
    let error = b.map(&rows::sub, &[x, y]);
    let square = b.map(&rows::square, &[error]);
    mean(b, square, &[], false)
}

/// Σ xᵢ·yᵢ of two vectors.
pub fn dot(b: &mut Builder, x: Var, y: Var) -> Var {
    let product = b.mul(x, y);
    sum(b, product, &[], false)
}
