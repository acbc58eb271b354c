//! Reductions: products, extrema, norms, moments, logsumexp, cumulative sums.
//!
//! Each is there over all axes, over one, and over several, and with the reduced axes kept as 1: `max`, `max_axis`,
//! `max_axes`, `max_keepdim`, `max_axes_keepdim`. The builders take the axes as a list; an empty one means all.

use super::ParamKind::{Axes, Axis, Number, Size};
use super::{Arg, Method};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Ty, Var};
use crate::op::expr::Scope;
use crate::op::page::Page;
use crate::op::reduce::Reduce;
use crate::op::view::reshape;
use crate::op::{Mismatch, composite, elementwise as rows, nest};

/// The five spellings of a reduction; `$more` are the parameters after the axes, which the builder gets as they are.
macro_rules! reductions {
    ($($name:literal ($($more:expr),*) => $build:path, $page:expr;)*) => {
        &[$(
            Method { name: $name, page: $page, params: &[$($more),*], ranks: None, build: |b, a| $build(b, a[0].var(), &[], false, &a[1..]) },
            Method { name: concat!($name, "_axis"), page: $page, params: &[Axis, $($more),*], ranks: None, build: |b, a| $build(b, a[0].var(), &[a[1].axis()], false, &a[2..]) },
            Method { name: concat!($name, "_keepdim"), page: $page, params: &[Axis, $($more),*], ranks: None, build: |b, a| $build(b, a[0].var(), &[a[1].axis()], true, &a[2..]) },
            Method { name: concat!($name, "_axes"), page: $page, params: &[Axes, $($more),*], ranks: None, build: |b, a| $build(b, a[0].var(), a[1].axes(), false, &a[2..]) },
            Method { name: concat!($name, "_axes_keepdim"), page: $page, params: &[Axes, $($more),*], ranks: None, build: |b, a| $build(b, a[0].var(), a[1].axes(), true, &a[2..]) },
        )*]
    };
}

/// What the reference says of a reduction; a correction follows the axes of those that take one.
macro_rules! page {
    ($name:literal, $doc:literal, $derivative:literal) => {
        page!($name, $doc, $derivative, "", "", "")
    };
    ($name:literal, $doc:literal, $derivative:literal, $alone:literal, $after:literal, $example:literal) => {
        Page {
            calls: &[
                concat!("x.", $name, "(", $alone, ")"),
                concat!("x.", $name, "_axis(axis", $after, ")"),
                concat!("x.", $name, "_keepdim(axis", $after, ")"),
                concat!("x.", $name, "_axes([axis, …]", $after, ")"),
                concat!("x.", $name, "_axes_keepdim([axis, …]", $after, ")"),
            ],
            doc: $doc,
            shape: "[a…] -> []; `_axis` and `_axes` drop the axes, `_keepdim` keeps them as 1",
            derivative: $derivative,
            example: concat!("(x: &Tensor2<f64, 2, 3>) -> Tensor1<f64, 2> { x.", $name, "_axis(1", $example, ") }"),
        }
    };
}

pub static REDUCTIONS: &[Method] = reductions! {
    "sum" () => sum, page!("sum", "Σ xᵢ.", "x̄ = ȳ");
    "mean" () => mean, page!("mean", "Σ xᵢ / n.", "x̄ = ȳ/n");
    "prod" () => prod, page!("prod", "The product from the first element to the last, without division, so that zeros do no harm. Where it overflows before a 0 it is NaN, as in PyTorch.", "x̄ᵢ = ȳ · the product of the others");
    "max" () => max, page!("max", "The largest element; NaN where one is, as in PyTorch. Equal ones share the derivative evenly.", "x̄ = ȳ / the number of largest at each of them, 0 elsewhere");
    "min" () => min, page!("min", "The smallest element; NaN where one is, as in PyTorch. Equal ones share the derivative evenly.", "x̄ = ȳ / the number of smallest at each of them, 0 elsewhere");
    // The last argument is the correction: 1 divides by n − 1, 0 by n.
    "var" (Size) => var, page!("var", "Σ (x − mean)² / (n − correction).", "x̄ = ȳ · 2·(x − mean)/(n − correction)", "correction", ", correction", ", 1");
    "std" (Size) => std, page!("std", "The square root of the variance. The derivative is 0 where the variance is 0, or overflows.", "x̄ = ȳ · (x − mean)/((n − correction)·y)", "correction", ", correction", ", 1");
    "norm" () => norm, page!("norm", "√Σx². The derivative is 0 at the origin. Where Σx² overflows the norm is ∞, and its derivative 0, as in PyTorch.", "x̄ = ȳ·x/y");
    "norm_l1" () => norm_l1, page!("norm_l1", "Σ|x|. The derivative is 0 where an element is 0.", "x̄ = ȳ·sign(x)");
    "logsumexp" () => logsumexp, page!("logsumexp", "ln Σ exp(xᵢ), where the maximum is subtracted first. Of nothing but −∞ the derivative is 0.", "x̄ = ȳ·exp(x − y)");
};

pub static METHODS: &[Method] = &[
    Method {
        name: "cumsum",
        page: Page {
            calls: &["x.cumsum(axis)"],
            doc: "yᵢ = x₀ + … + xᵢ along an axis.",
            shape: "[a…] -> [a…]",
            derivative: "x̄ᵢ = ȳᵢ + … + ȳₙ",
            example: "(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 2, 3> { x.cumsum(1) }",
        },
        params: &[Axis],
        ranks: None,
        build: |b, a| Ok(cumsum(b, a[0].var(), a[1].axis())),
    },
    Method {
        name: "l2_normalize",
        page: Page {
            calls: &["x.l2_normalize(axis, eps)"],
            doc: "x / max(‖x‖, ε) along an axis. At x = 0 the derivative is ȳ/ε. Where Σx² overflows it is 0, as in PyTorch.",
            shape: "[a…] -> [a…]",
            derivative: "x̄ = (ȳ − y·Σ y·ȳ)/‖x‖",
            example: "(x: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 2, 3> { x.l2_normalize(1, 1e-12) }",
        },
        params: &[Axis, Number],
        ranks: None,
        build: |b, a| Ok(l2_normalize(b, a[0].var(), a[1].axis(), a[2].var())),
    },
];

type Built = Result<Var, Mismatch>;

fn sum(b: &mut Builder, x: Var, axes: &[usize], keep: bool, _: &[Arg]) -> Built {
    Ok(composite::sum(b, x, axes, keep))
}

fn mean(b: &mut Builder, x: Var, axes: &[usize], keep: bool, _: &[Arg]) -> Built {
    Ok(composite::mean(b, x, axes, keep))
}

/// The derivative is shared evenly among equal elements.
fn max(b: &mut Builder, x: Var, axes: &[usize], keep: bool, _: &[Arg]) -> Built {
    let axes = over(b, x, axes);
    Ok(b.apply(Reduce::max(axes, keep), &[x]))
}

/// −max(−x)
fn min(b: &mut Builder, x: Var, axes: &[usize], keep: bool, more: &[Arg]) -> Built {
    let negative = b.map(&rows::neg, &[x]);
    let max = max(b, negative, axes, keep, more)?;
    Ok(b.map(&rows::neg, &[max]))
}

/// A product carried through a loop: its reverse multiplies what stands before an element by what stands after it,
/// and never divides, so that zeros do no harm.
fn prod(b: &mut Builder, x: Var, axes: &[usize], keep: bool, _: &[Arg]) -> Built {
    let axes = over(b, x, axes);
    let Ty { elem, dims } = b.ty(x).clone();
    let inner: Vec<Dim> = axes.iter().map(|axis| dims[*axis].clone()).collect();
    let kept: Vec<usize> = (0..dims.len()).filter(|axis| keep || !axes.contains(axis)).collect();
    let size = |axis: &usize| {
        if axes.contains(axis) { Dim::literal(1) } else { dims[*axis].clone() }
    };
    let ty = Ty::tensor(elem.clone(), kept.iter().map(size).collect());
    let mut product = |b: &mut Builder, at: &[Var]| {
        let one = b.constant(&elem, 1.0);
        b.nest(&inner, &[one], &mut |b, along, product| {
            let place = |axis: usize| match axes.iter().position(|reduced| *reduced == axis) {
                Some(k) => along[k],
                None => at[kept.iter().position(|kept| *kept == axis).unwrap_or(axis)],
            };
            let at: Vec<Var> = (0..dims.len()).map(place).collect();
            let v = b.get(x, &at);
            vec![b.mul(product[0], v)]
        })[0]
    };
    Ok(if ty.is_scalar() { product(b, &[]) } else { nest::generate(b, ty, &mut product) })
}

/// Σ (x − mean)² / (n − correction)
fn var(b: &mut Builder, x: Var, axes: &[usize], keep: bool, more: &[Arg]) -> Built {
    variance(b, x, axes, keep, &more[0].dims()[0], "var")
}

/// The square root of the variance; at 0 its derivative is 0.
fn std(b: &mut Builder, x: Var, axes: &[usize], keep: bool, more: &[Arg]) -> Built {
    let variance = variance(b, x, axes, keep, &more[0].dims()[0], "std")?;
    Ok(root(b, variance))
}

fn variance(b: &mut Builder, x: Var, axes: &[usize], keep: bool, correction: &Dim, name: &str) -> Built {
    let axes = over(b, x, axes);
    let Ty { elem, dims } = b.ty(x).clone();
    let count = Dim::product(axes.iter().map(|axis| &dims[*axis]));
    if let Some(left @ ..=0) = count.minus(correction).as_literal() {
        return Err(Mismatch {
            message: format!(
                "`{name}` of {count} element{} with correction {correction} divides by {left}",
                if count.is(1) { "" } else { "s" }
            ),
            note: format!("`{name}` divides by the number of elements less the correction"),
            help: count
                .as_literal()
                .filter(|count| *count > 0)
                .map(|_| "write the correction 0, which divides by the number of elements".into()),
        });
    }
    let centered = centered(b, x, &axes);
    let square = b.map(&rows::square, &[centered]);
    let sum = composite::sum(b, square, &axes, keep);
    let divisor = match count.minus(correction).as_literal() {
        Some(divisor) => b.constant(&elem, divisor as f64),
        None => {
            // Not `n - correction` on integers: a generic n may be smaller.
            let [count, correction] = [count, correction.clone()].map(|dim| {
                let dim = b.dim(dim);
                b.cast(dim, &elem)
            });
            b.map(&rows::sub, &[count, correction])
        }
    };
    Ok(b.map(&rows::div, &[sum, divisor]))
}

/// x − mean
pub fn centered(b: &mut Builder, x: Var, axes: &[usize]) -> Var {
    let mean = composite::mean(b, x, axes, true);
    b.name(mean, "mean");
    let centered = b.map(&rows::sub, &[x, mean]);
    b.name(centered, "centered");
    centered
}

/// √Σx²; at 0 its derivative is 0.
pub fn norm(b: &mut Builder, x: Var, axes: &[usize], keep: bool, _: &[Arg]) -> Built {
    let square = b.map(&rows::square, &[x]);
    let sum = composite::sum(b, square, axes, keep);
    Ok(root(b, sum))
}

/// Σ|x|
fn norm_l1(b: &mut Builder, x: Var, axes: &[usize], keep: bool, _: &[Arg]) -> Built {
    let abs = b.map(&rows::abs, &[x]);
    Ok(composite::sum(b, abs, axes, keep))
}

/// √s of a sum of squares, with derivative 0 where s is 0: there the root is taken of 1 and not selected.
fn root(b: &mut Builder, s: Var) -> Var {
    let scope = Scope::new(b);
    let s = scope.var(s);
    let positive = s.gt(0.0);
    let root = positive.apply(&rows::select, &[s, s.number(1.0)]).apply(&rows::sqrt, &[]);
    // Not the number 0: NaN stays NaN.
    positive.apply(&rows::select, &[root, s * 0.0]).var
}

/// m + ln Σ exp(x − m), where m is the maximum, or 0 where that is infinite.
fn logsumexp(b: &mut Builder, x: Var, axes: &[usize], keep: bool, _: &[Arg]) -> Built {
    let axes = over(b, x, axes);
    let max = b.apply(Reduce::max(axes.clone(), true), &[x]);
    let scope = Scope::new(b);
    let max = scope.var(max).apply(&rows::stop_gradient, &[]);
    let below = max.number(f64::INFINITY).apply(&rows::gt, &[max]);
    let finite = below.apply(&rows::select, &[max, max.number(0.0)]);
    let shift = max.gt(f64::NEG_INFINITY).apply(&rows::select, &[finite, max.number(0.0)]);
    let exp = (scope.var(x) - shift).exp().var;
    let shift = shift.var;
    let total = composite::sum(b, exp, &axes, true);
    b.name(total, "total");
    let scope = Scope::new(b);
    let total = scope.var(total);
    // Of nothing but −∞ the sum is 0. Its logarithm is not taken there: the derivative is 0, not 0/0.
    let empty = total + f64::NEG_INFINITY;
    let log = total.gt(0.0).apply(&rows::select, &[total.apply(&rows::ln, &[]), empty]);
    let y = (log + scope.var(shift)).var;
    Ok(if keep { y } else { without(b, y, &axes) })
}

/// Drops axes of 1.
pub fn without(b: &mut Builder, x: Var, axes: &[usize]) -> Var {
    let dims =
        b.ty(x).dims.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, dim)| dim.clone()).collect();
    reshape(b, x, dims)
}

/// yᵢ = x₀ + … + xᵢ along an axis.
fn cumsum(b: &mut Builder, x: Var, axis: usize) -> Var {
    let ty = b.ty(x).clone();
    let mut others = ty.dims.clone();
    let length = others.remove(axis);
    let zero = b.zero(ty.clone());
    b.nest(&others, &[zero], &mut |b, around, t| {
        let start = b.constant(&ty.elem, 0.0);
        let sums = b.for_loop((Dim::literal(0), length.clone()), &[t[0], start], |b, i, carried| {
            let mut at = around.to_vec();
            at.insert(axis, i);
            let v = b.get(x, &at);
            let sum = b.add(carried[1], v);
            vec![b.set(carried[0], sum, &at), sum]
        });
        vec![sums[0]]
    })[0]
}

/// x / max(‖x‖, ε) along an axis.
pub fn l2_normalize(b: &mut Builder, x: Var, axis: usize, eps: Var) -> Var {
    let square = b.map(&rows::square, &[x]);
    let sum = composite::sum(b, square, &[axis], true);
    let norm = root(b, sum);
    b.name(norm, "norm");
    let small = b.map(&rows::gt, &[eps, norm]);
    let divisor = b.map(&rows::select, &[small, eps, norm]);
    b.map(&rows::div, &[x, divisor])
}

/// The axes, where an empty list means all.
fn over(b: &Builder, x: Var, axes: &[usize]) -> Vec<usize> {
    if axes.is_empty() { (0..b.ty(x).rank()).collect() } else { axes.to_vec() }
}
