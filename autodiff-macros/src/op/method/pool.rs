//! Pooling and upsampling.

use super::ParamKind::{Dims, Size};
use super::window::{Options, Padded, Window, places};
use super::{Arg, Method, ParamKind, counted};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{IntOp, Ty, Var};
use crate::op::elementwise as rows;
use crate::op::halving::Halving;
use crate::op::nest::gather;
use crate::op::page::Page;
use crate::op::pool::{MaxPool, replaces};
use crate::op::{Mismatch, composite, list};

const WINDOW: &[&str] = &["stride", "padding", "dilation"];
const WINDOW_1D: ParamKind = ParamKind::Options("Window1d", WINDOW);
const WINDOW_2D: ParamKind = ParamKind::Options("Window2d", WINDOW);

pub static METHODS: &[Method] = &[
    Method {
        name: "max_pool1d",
        page: Page {
            calls: &["x.max_pool1d(k, Window1d { stride, padding, dilation })"],
            doc: "The largest element of each window, NaN where one is; padding is never the largest. At a tie the first one gets the derivative.",
            shape: "[n, c, l] -> [n, c, l′], l′ as for `conv1d`",
            derivative: "ȳ goes to the first maximum of its window, or to its last NaN",
            example: "(x: &Tensor3<f64, 1, 2, 6>) -> Tensor3<f64, 1, 2, 3> {\n    x.max_pool1d(2, Window1d { stride: 2, ..Default::default() })\n}",
        },
        params: &[Size, WINDOW_1D],
        ranks: Some(&[3]),
        build: |b, a| pool(b, a, "max_pool1d", "Window1d", Summary::Largest),
    },
    Method {
        name: "max_pool2d",
        page: Page {
            calls: &["x.max_pool2d([j, k], Window2d { stride, padding, dilation })"],
            doc: "The largest element of each window, NaN where one is; padding is never the largest. At a tie the first one, row by row, gets the derivative.",
            shape: "[n, c, h, l] -> [n, c, h′, l′], each as for `conv1d`",
            derivative: "ȳ goes to the first maximum of its window, or to its last NaN",
            example: "(x: &Tensor4<f64, 1, 2, 4, 4>) -> Tensor4<f64, 1, 2, 2, 2> {\n    x.max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() })\n}",
        },
        params: &[Dims, WINDOW_2D],
        ranks: Some(&[4]),
        build: |b, a| pool(b, a, "max_pool2d", "Window2d", Summary::Largest),
    },
    Method {
        name: "avg_pool1d",
        page: Page {
            calls: &["x.avg_pool1d(k, Window1d { stride, padding, dilation })"],
            doc: "The mean of each window, in which padding counts as zeros.",
            shape: "[n, c, l] -> [n, c, l′], l′ as for `conv1d`",
            derivative: "x̄ += ȳ/k for each element of the window",
            example: "(x: &Tensor3<f64, 1, 2, 6>) -> Tensor3<f64, 1, 2, 3> {\n    x.avg_pool1d(2, Window1d { stride: 2, ..Default::default() })\n}",
        },
        params: &[Size, WINDOW_1D],
        ranks: Some(&[3]),
        build: |b, a| pool(b, a, "avg_pool1d", "Window1d", Summary::Mean),
    },
    Method {
        name: "avg_pool2d",
        page: Page {
            calls: &["x.avg_pool2d([j, k], Window2d { stride, padding, dilation })"],
            doc: "The mean of each window, in which padding counts as zeros.",
            shape: "[n, c, h, l] -> [n, c, h′, l′], each as for `conv1d`",
            derivative: "x̄ += ȳ/(j·k) for each element of the window",
            example: "(x: &Tensor4<f64, 1, 2, 4, 4>) -> Tensor4<f64, 1, 2, 2, 2> {\n    x.avg_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() })\n}",
        },
        params: &[Dims, WINDOW_2D],
        ranks: Some(&[4]),
        build: |b, a| pool(b, a, "avg_pool2d", "Window2d", Summary::Mean),
    },
    Method {
        name: "global_avg_pool2d",
        page: Page {
            calls: &["x.global_avg_pool2d()"],
            doc: "The mean over each channel of an image.",
            shape: "[n, c, h, w] -> [n, c]",
            derivative: "x̄ = ȳ/(h·w)",
            example: "(x: &Tensor4<f64, 1, 2, 3, 3>) -> Tensor2<f64, 1, 2> { x.global_avg_pool2d() }",
        },
        params: &[],
        ranks: Some(&[4]),
        build: |b, a| Ok(composite::mean(b, a[0].var(), &[2, 3], false)),
    },
    Method {
        name: "upsample_nearest2d",
        page: Page {
            calls: &["x.upsample_nearest2d([j, k])"],
            doc: "Every element becomes a block of j by k.",
            shape: "[n, c, h, w] -> [n, c, j·h, k·w]",
            derivative: "x̄ = the sum of ȳ over each block",
            example: "(x: &Tensor4<f64, 1, 2, 2, 2>) -> Tensor4<f64, 1, 2, 4, 6> { x.upsample_nearest2d([2, 3]) }",
        },
        params: &[Dims],
        ranks: Some(&[4]),
        build: upsample,
    },
];

/// One size for each axis that the window moves over.
pub(super) fn window_sizes<'a>(operator: &str, sizes: &'a [Dim], axes: usize) -> Result<&'a [Dim], Mismatch> {
    if sizes.len() == axes {
        return Ok(sizes);
    }
    Err(Mismatch {
        message: format!("`{operator}` with {}, {axes} are needed", counted(sizes.len(), "size")),
        note: format!("`{operator}` takes a size for each of the last {axes} axes"),
        help: sizes.first().map(|first| format!("for example `[{}]`", list(&vec![first; axes]))),
    })
}

/// What a window becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Summary {
    Largest,
    Mean,
}

impl Summary {
    /// What stands in the border.
    fn border(self) -> f64 {
        match self {
            Summary::Largest => f64::NEG_INFINITY,
            Summary::Mean => 0.0,
        }
    }

    fn of(self, b: &mut Builder, plane: &Padded, i: &[Var], windows: &[Window]) -> Var {
        match self {
            Summary::Largest => max(b, plane, i, windows),
            Summary::Mean => average(b, plane, i, windows),
        }
    }
}

/// y\[n, c, i…] = summary of the window at i…
fn pool(
    b: &mut Builder,
    a: &[Arg],
    operator: &'static str,
    name: &'static str,
    summary: Summary,
) -> Result<Var, Mismatch> {
    let x = a[0].var();
    let Ty { elem, dims } = b.ty(x).clone();
    let axes = dims.len() - 2;
    let options = Options { operator, name, fields: WINDOW, values: a[2].options() };
    let windows = options.windows(window_sizes(operator, a[1].dims(), axes)?)?;
    let places = places(operator, &dims, &dims[2..], &windows)?;
    // A window with nothing but padding in it has no maximum.
    for window in &windows {
        if let (Some(padding), Some(reach)) = (window.padding.as_literal(), window.reach().as_literal()) {
            if 2 * padding > reach {
                return Err(Mismatch {
                    message: format!(
                        "`{operator}` with a padding of {padding} and a window of {reach}: some windows would see nothing but padding"
                    ),
                    note: "the padding is at most half of the window".into(),
                    help: Some(format!("a padding of {} is the largest for this window", reach / 2)),
                });
            }
        }
    }
    let is_max = summary == Summary::Largest;
    let halving = Halving::of(&windows, &dims[1..]).filter(|_| is_max);
    if let Some(op) = MaxPool::of(&windows).filter(|_| is_max && halving.is_none()) {
        return Ok(b.apply(op, &[x]));
    }
    let y = b.zero(Ty::tensor(elem, [&dims[..2], &places[..]].concat()));
    if let Some(op) = halving {
        return Ok(b.nest(&dims[..1], &[y], &mut |b, n, y| {
            let image = b.get(x, n);
            let largest = b.apply(op, &[image]);
            b.nest(&[&dims[1..2], &places[..]].concat(), y, &mut |b, at, y| {
                let v = b.get(largest, at);
                vec![b.set(y[0], v, &[n, at].concat())]
            })
        })[0]);
    }
    Ok(b.nest(&dims[..2], &[y], &mut |b, at, y| {
        let plane = Padded::virtually(b, x, at, &windows, summary.border());
        b.nest(&places, y, &mut |b, i, y| {
            let v = summary.of(b, &plane, i, &windows);
            vec![b.set(y[0], v, &[at, i].concat())]
        })
    })[0])
}

/// The element of the window at `i` with the offsets `u`.
fn element(b: &mut Builder, plane: &Padded, i: &[Var], u: &[Var], windows: &[Window]) -> Var {
    let mut from = Vec::new();
    for ((window, i), u) in windows.iter().zip(i).zip(u) {
        from.push(window.at(b, *i, *u));
    }
    plane.get(b, &from)
}

/// The sum over the window, divided by its size: what is padded counts as zeros.
fn average(b: &mut Builder, plane: &Padded, i: &[Var], windows: &[Window]) -> Var {
    let sizes: Vec<Dim> = windows.iter().map(|window| window.size.clone()).collect();
    let elem = plane.elem(b);
    let zero = b.constant(&elem, 0.0);
    let sum = b.nest(&sizes, &[zero], &mut |b, u, sum| {
        let v = element(b, plane, i, u, windows);
        vec![b.add(sum[0], v)]
    })[0];
    composite::divide_by_count(b, sum, Dim::product(&sizes))
}

/// The first largest element of a large window, or the last NaN: where it stands is searched, and then it is read from there, so that
/// the derivative goes where the value comes from.
fn max(b: &mut Builder, plane: &Padded, i: &[Var], windows: &[Window]) -> Var {
    let sizes: Vec<Dim> = windows.iter().map(|window| window.size.clone()).collect();
    let first: Vec<Var> = windows.iter().map(|_| b.dim(Dim::literal(0))).collect();
    let corner: Vec<Var> = windows.iter().zip(i).map(|(window, i)| window.start(b, *i)).collect();
    let start = plane.get(b, &corner);
    let start = b.map(&rows::stop_gradient, &[start]);
    let inits = [&[start], &first[..]].concat();
    let best = b.nest(&sizes, &inits, &mut |b, u, best| {
        let v = element(b, plane, i, u, windows);
        let v = b.map(&rows::stop_gradient, &[v]);
        let replaces = replaces(b, v, best[0]);
        let candidates = [&[v], u].concat();
        candidates.iter().zip(best).map(|(new, old)| b.map(&rows::select, &[replaces, *new, *old])).collect()
    });
    element(b, plane, i, &best[1..], windows)
}

/// Every element becomes a block.
fn upsample(b: &mut Builder, a: &[Arg]) -> Result<Var, Mismatch> {
    let x = a[0].var();
    let mut dims = b.ty(x).dims.clone();
    let factors = window_sizes("upsample_nearest2d", a[1].dims(), 2)?.to_vec();
    if let Some(factor) = factors.iter().find(|factor| factor.as_literal().is_some_and(|factor| factor < 1)) {
        return Err(Mismatch {
            message: format!("`upsample_nearest2d` by a factor of {factor}"),
            note: "every element becomes a block of at least 1 by 1".into(),
            help: Some("a factor of 1 leaves an axis as it is".into()),
        });
    }
    for (dim, factor) in dims[2..].iter_mut().zip(&factors) {
        *dim = dim.times(factor);
    }
    Ok(gather(b, x, &dims, &mut |b, at| {
        let mut from = at[..2].to_vec();
        for (at, factor) in at[2..].iter().zip(&factors) {
            from.push(if factor.is(1) {
                *at
            } else {
                let factor = b.dim(factor.clone());
                b.int(IntOp::Div, *at, factor)
            });
        }
        from
    }))
}
