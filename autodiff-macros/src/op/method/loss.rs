//! Losses: numbers that compare a prediction with a target. All are means; over what, each one says.

use super::ParamKind::{Axis, Labels, Number, Operand};
use super::{Arg, Method, agree, reduce, same_shape};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::ir::{Ty, Var};
use crate::op::expr::{E, Scope};
use crate::op::page::Page;
use crate::op::{Mismatch, composite, elementwise as rows};

/// Below this, `p·(1 − p)` is taken for 0 by [`bounded_ln`].
const EDGE: f64 = 1e-12;

/// A cosine is taken of vectors that are at least this long.
const SHORTEST: f64 = 1e-8;

pub static METHODS: &[Method] = &[
    Method {
        name: "cross_entropy_soft",
        page: Page {
            calls: &["x.cross_entropy_soft(t)"],
            doc: "−Σ t·log softmax(x), classes on axis 1; the mean over all other axes.",
            shape: "[n, c, a…], [n, c, a…] -> []",
            derivative: "x̄ = ȳ/rows · (softmax(x)·Σ t − t), t̄ = −ȳ/rows · log softmax(x)",
            example: "(x: &Tensor2<f64, 2, 3>, t: &Tensor2<f64, 2, 3>) -> f64 { x.cross_entropy_soft(t) }",
        },
        params: &[Operand],
        ranks: Some(&[2, 3, 4, 5]),
        build: |b, a| compare(b, "cross_entropy_soft", a, cross_entropy_soft),
    },
    Method {
        name: "cross_entropy_smooth",
        page: Page {
            calls: &["x.cross_entropy_smooth(labels, smoothing)"],
            doc: "(1 − s) · cross-entropy with the label + s · cross-entropy with all classes alike; the mean over the rows.",
            shape: "[n, c], [n] -> []",
            derivative: "x̄ = ȳ/n · (softmax(x) − (1 − s)·one-hot(labels) − s/c)",
            example: "(x: &Tensor2<f64, 2, 3>, labels: &[usize; 2]) -> f64 { x.cross_entropy_smooth(labels, 0.1) }",
        },
        params: &[Labels, Number],
        ranks: Some(&[2]),
        build: |b, a| {
            fit_labels(b, "cross_entropy_smooth", a)?;
            Ok(cross_entropy_smooth(b, a[0].var(), a[1].var(), a[2].var()))
        },
    },
    Method {
        name: "nll",
        page: Page {
            calls: &["x.nll(labels)"],
            doc: "The mean over the rows of −x at the label, for log-probabilities x.",
            shape: "[n, c], [n] -> []",
            derivative: "x̄ = −ȳ/n at the labels, exactly 0 elsewhere",
            example: "(x: &Tensor2<f64, 2, 3>, labels: &[usize; 2]) -> f64 { x.nll(labels) }",
        },
        params: &[Labels],
        ranks: Some(&[2]),
        build: |b, a| {
            fit_labels(b, "nll", a)?;
            Ok(nll(b, a[0].var(), a[1].var()))
        },
    },
    Method {
        name: "l1_loss",
        page: Page {
            calls: &["x.l1_loss(t)"],
            doc: "The mean of |x − t|. The derivative is 0 where x = t.",
            shape: "[a…], [a…] -> []",
            derivative: "x̄ = ȳ/n · sign(x − t), for t the negative",
            example: "(x: &Tensor2<f64, 2, 3>, t: &Tensor2<f64, 2, 3>) -> f64 { x.l1_loss(t) }",
        },
        params: &[Operand],
        ranks: None,
        build: |b, a| compare(b, "l1_loss", a, l1_loss),
    },
    Method {
        name: "huber",
        page: Page {
            calls: &["x.huber(t, delta)"],
            doc: "The mean of e²/2 for |e| = |x − t| up to δ, of δ·(|e| − δ/2) beyond.",
            shape: "[a…], [a…] -> []",
            derivative: "x̄ = ȳ/n · (x − t brought into [−δ, δ]), for t the negative",
            example: "(x: &Tensor2<f64, 2, 3>, t: &Tensor2<f64, 2, 3>) -> f64 { x.huber(t, 0.8) }",
        },
        params: &[Operand, Number],
        ranks: None,
        build: |b, a| {
            same_shape(b, "huber", a)?;
            Ok(huber(b, a[0].var(), a[1].var(), a[2].var()))
        },
    },
    Method {
        name: "smooth_l1",
        page: Page {
            calls: &["x.smooth_l1(t, beta)"],
            doc: "The Huber loss divided by β. For β = 0 it is `l1_loss`.",
            shape: "[a…], [a…] -> []",
            derivative: "x̄ = ȳ/n · (x − t brought into [−β, β])/β, for t the negative",
            example: "(x: &Tensor2<f64, 2, 3>, t: &Tensor2<f64, 2, 3>) -> f64 { x.smooth_l1(t, 0.8) }",
        },
        params: &[Operand, Number],
        ranks: None,
        build: |b, a| {
            same_shape(b, "smooth_l1", a)?;
            Ok(smooth_l1(b, a[0].var(), a[1].var(), a[2].var()))
        },
    },
    Method {
        name: "bce",
        page: Page {
            calls: &["x.bce(t)"],
            doc: "The mean of −t·ln x − (1 − t)·ln(1 − x) for probabilities x. The logarithms are at least −100; where x·(1 − x) is below 10⁻¹², that is taken for it in the derivative.",
            shape: "[a…], [a…] -> []",
            derivative: "x̄ = ȳ/n · (x − t)/(x·(1 − x)), t̄ = ȳ/n · (ln(1 − x) − ln x)",
            example: "(x: &Tensor2<f64, 2, 3>, t: &Tensor2<f64, 2, 3>) -> f64 { x.sigmoid().bce(t) }",
        },
        params: &[Operand],
        ranks: None,
        build: |b, a| compare(b, "bce", a, bce),
    },
    Method {
        name: "bce_with_logits",
        page: Page {
            calls: &["x.bce_with_logits(t)"],
            doc: "`bce` of sigmoid(x), as (1 − t)·x + softplus(−x), which does not overflow.",
            shape: "[a…], [a…] -> []",
            derivative: "x̄ = ȳ/n · (sigmoid(x) − t), t̄ = −ȳ/n · x",
            example: "(x: &Tensor2<f64, 2, 3>, t: &Tensor2<f64, 2, 3>) -> f64 { x.bce_with_logits(t) }",
        },
        params: &[Operand],
        ranks: None,
        build: |b, a| compare(b, "bce_with_logits", a, bce_with_logits),
    },
    Method {
        name: "kl_div",
        page: Page {
            calls: &["x.kl_div(t)"],
            doc: "t·(ln t − x) of probabilities t and log-probabilities x, summed over all but the first axis; the mean over that. Where t is 0 the term is 0, and so is its derivative by t but for −x.",
            shape: "[n, a…], [n, a…] -> []",
            derivative: "x̄ = −ȳ/n · t, t̄ = ȳ/n · (ln t + 1 − x)",
            example: "(x: &Tensor2<f64, 2, 3>, t: &Tensor2<f64, 2, 3>) -> f64 { x.log_softmax(1).kl_div(t) }",
        },
        params: &[Operand],
        ranks: None,
        build: |b, a| compare(b, "kl_div", a, kl_div),
    },
    Method {
        name: "distillation",
        page: Page {
            calls: &["x.distillation(t, temperature)"],
            doc: "T²·KL(softmax(t/T) ‖ softmax(x/T)) along the last axis, of a student x and a teacher t; the mean over the first axis.",
            shape: "[n, a…, c], [n, a…, c] -> []",
            derivative: "x̄ = ȳ·T/n · (softmax(x/T) − softmax(t/T))",
            example: "(x: &Tensor2<f64, 2, 3>, t: &Tensor2<f64, 2, 3>) -> f64 { x.distillation(t, 2.0) }",
        },
        params: &[Operand, Number],
        ranks: Some(&[2, 3, 4, 5, 6]),
        build: |b, a| {
            same_shape(b, "distillation", a)?;
            Ok(distillation(b, a[0].var(), a[1].var(), a[2].var()))
        },
    },
    Method {
        name: "cosine_similarity",
        page: Page {
            calls: &["x.cosine_similarity(w, axis)"],
            doc: "Σ x·w / (‖x‖·‖w‖) along an axis. Norms are taken for at least 10⁻⁸. Where Σx² or Σw² overflows it is 0.",
            shape: "[a…], [a…] -> [a…] without the axis",
            derivative: "x̄ = ȳ · (w/‖w‖ − cos·x/‖x‖)/‖x‖, and so for w",
            example: "(x: &Tensor2<f64, 2, 3>, w: &Tensor2<f64, 2, 3>) -> Tensor1<f64, 2> { x.cosine_similarity(w, 1) }",
        },
        params: &[Operand, Axis],
        ranks: None,
        build: |b, a| {
            same_shape(b, "cosine_similarity", a)?;
            Ok(cosine_similarity(b, a[0].var(), a[1].var(), a[2].axis()))
        },
    },
];

fn compare(b: &mut Builder, name: &str, a: &[Arg], loss: fn(&mut Builder, Var, Var) -> Var) -> Result<Var, Mismatch> {
    same_shape(b, name, a)?;
    Ok(loss(b, a[0].var(), a[1].var()))
}

/// One label for each row of `[n, classes]`.
pub fn fit_labels(b: &mut Builder, name: &str, a: &[Arg]) -> Result<(), Mismatch> {
    let (shape, labels) = (b.ty(a[0].var()).dims.clone(), b.ty(a[1].var()).dims.clone());
    let note = format!("`{name}` takes logits [n, classes] and one label for each row");
    let [count] = &labels[..] else {
        let message =
            format!("`{name}` of {} and labels {}: one axis of labels expected", dim::show(&shape), dim::show(&labels));
        return Err(Mismatch { message, note, help: None });
    };
    let pair = (shape[0].clone(), count.clone());
    agree(b, name, &shape, &labels, &[pair], &note)
}

/// A formula on the elements of two tensors.
fn formula(b: &mut Builder, x: Var, y: Var, of: impl for<'s> FnOnce(E<'s>, E<'s>) -> E<'s>) -> Var {
    let scope = Scope::new(b);
    of(scope.var(x), scope.var(y)).var
}

fn mean(b: &mut Builder, x: Var) -> Var {
    composite::mean(b, x, &[], false)
}

/// The sum over everything but `axis`'s classes, divided by how many there are of them.
fn mean_over_rows(b: &mut Builder, x: Var, axis: usize) -> Var {
    let mut dims = b.ty(x).dims.clone();
    dims.remove(axis);
    let sum = composite::sum(b, x, &[], false);
    composite::divide_by_count(b, sum, Dim::product(&dims))
}

/// The sum, divided by the length of the first axis.
fn mean_over_batch(b: &mut Builder, x: Var) -> Var {
    let length = b.ty(x).dims[0].clone();
    let sum = composite::sum(b, x, &[], false);
    composite::divide_by_count(b, sum, length)
}

/// −Σ target · log softmax, classes on axis 1; the mean over all others.
fn cross_entropy_soft(b: &mut Builder, logits: Var, target: Var) -> Var {
    let log = composite::log_softmax(b, logits, 1);
    let product = b.mul(log, target);
    let mean = mean_over_rows(b, product, 1);
    b.map(&rows::neg, &[mean])
}

/// −log p at the label; the mean over the rows.
fn nll(b: &mut Builder, log: Var, labels: Var) -> Var {
    let Ty { elem, dims } = b.ty(log).clone();
    let zero = b.constant(&elem, 0.0);
    let sum = b.for_loop((Dim::literal(0), dims[0].clone()), &[zero], |b, row, sum| {
        let label = b.get(labels, &[row]);
        let at_label = b.get(log, &[row, label]);
        vec![b.map(&rows::sub, &[sum[0], at_label])]
    })[0];
    composite::divide_by_count(b, sum, dims[0].clone())
}

/// (1 − s) · cross-entropy with the label + s · cross-entropy with all classes alike; the mean over the rows.
fn cross_entropy_smooth(b: &mut Builder, logits: Var, labels: Var, smoothing: Var) -> Var {
    let log = composite::log_softmax(b, logits, 1);
    let at_labels = nll(b, log, labels);
    let alike = mean(b, log);
    let scope = Scope::new(b);
    let (at_labels, alike, smoothing) = (scope.var(at_labels), scope.var(alike), scope.var(smoothing));
    ((1.0 - smoothing) * at_labels - smoothing * alike).var
}

/// |x − y|
fn l1_loss(b: &mut Builder, x: Var, y: Var) -> Var {
    let error = formula(b, x, y, |x, y| (x - y).apply(&rows::abs, &[]));
    mean(b, error)
}

/// e²/2 for |e| = |x − y| up to δ, δ·(|e| − δ/2) beyond: with q = min(|e|, δ) both are q·(|e| − q/2).
fn huber(b: &mut Builder, x: Var, y: Var, delta: Var) -> Var {
    let scope = Scope::new(b);
    let (x, y, delta) = (scope.var(x), scope.var(y), scope.var(delta));
    let error = (x - y).apply(&rows::abs, &[]);
    let near = delta.apply(&rows::gt, &[error]);
    let quadratic = near.apply(&rows::select, &[error, delta]);
    let loss = (quadratic * (error - 0.5 * quadratic)).var;
    mean(b, loss)
}

/// The Huber loss divided by β; for β = 0 that is |x − y|.
fn smooth_l1(b: &mut Builder, x: Var, y: Var, beta: Var) -> Var {
    if b.as_const(beta) == Some(0.0) {
        return l1_loss(b, x, y);
    }
    let huber = huber(b, x, y, beta);
    b.map(&rows::div, &[huber, beta])
}

/// −y·ln x − (1 − y)·ln(1 − x), with the logarithms of [`bounded_ln`].
fn bce(b: &mut Builder, x: Var, y: Var) -> Var {
    let loss = formula(b, x, y, |x, y| -(y * bounded_ln(x)) - (1.0 - y) * bounded_ln(1.0 - x));
    mean(b, loss)
}

/// The logarithm of a probability, at least −100. Its derivative is (1 − p) / max(p·(1 − p), 10⁻¹²), which for
/// all but the smallest p is 1/p, and stays finite at 0.
fn bounded_ln(p: E<'_>) -> E<'_> {
    let ln = p.apply(&rows::ln, &[]);
    let inside = (p * (1.0 - p)).gt(EDGE);
    let (stopped, least) = (ln.apply(&rows::stop_gradient, &[]), p.number(-100.0));
    let bounded = least.apply(&rows::gt, &[stopped]).apply(&rows::select, &[least, stopped]);
    // The product is 0, and its derivative the slope wanted.
    let here = p.apply(&rows::stop_gradient, &[]);
    let sloped = bounded + (p - here) * ((1.0 - here) / EDGE);
    inside.apply(&rows::select, &[ln, sloped])
}

/// −y·ln σ(x) − (1 − y)·ln(1 − σ(x)), as (1 − y)·x + softplus(−x).
fn bce_with_logits(b: &mut Builder, x: Var, y: Var) -> Var {
    let loss = formula(b, x, y, |x, y| (1.0 - y) * x + (-x).apply(&rows::softplus, &[]));
    mean(b, loss)
}

/// y·(ln y − x) of probabilities y and log-probabilities x, 0 where y is 0; the sum over all but the first axis, the
/// mean over that.
fn kl_div(b: &mut Builder, x: Var, y: Var) -> Var {
    let loss = formula(b, x, y, |x, y| {
        let entropy = y * y.apply(&rows::ln, &[]);
        // The root makes it NaN for negative numbers.
        let zero = y * y.apply(&rows::stop_gradient, &[]).apply(&rows::sqrt, &[]);
        y.gt(0.0).apply(&rows::select, &[entropy, zero]) - y * x
    });
    mean_over_batch(b, loss)
}

/// T²·KL(softmax(teacher/T) ‖ softmax(student/T)) along the last axis; the mean over the first.
fn distillation(b: &mut Builder, student: Var, teacher: Var, temperature: Var) -> Var {
    let last = b.ty(student).rank() - 1;
    let [student, teacher] = [student, teacher].map(|logits| {
        let cooled = b.map(&rows::div, &[logits, temperature]);
        composite::log_softmax(b, cooled, last)
    });
    let divergence = formula(b, student, teacher, |student, teacher| teacher.exp() * (teacher - student));
    let mean = mean_over_batch(b, divergence);
    let square = b.map(&rows::square, &[temperature]);
    b.mul(mean, square)
}

/// Σ x·y / (max(‖x‖, ε)·max(‖y‖, ε)) along an axis, ε = 10⁻⁸.
fn cosine_similarity(b: &mut Builder, x: Var, y: Var, axis: usize) -> Var {
    let elem = b.ty(x).elem.clone();
    let shortest = b.constant(&elem, SHORTEST);
    let [x, y] = [x, y].map(|v| reduce::l2_normalize(b, v, axis, shortest));
    let product = b.mul(x, y);
    composite::sum(b, product, &[axis], false)
}
