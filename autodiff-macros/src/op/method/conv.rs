//! Convolution, transposed convolution, im2col.
//!
//! Note [Order of the loops of a convolution]. The innermost loop goes along a row of the image, for one weight:
//! its reads and writes are next to each other and independent, so that the loop vectorises, forwards and in
//! reverse. The sum over the window runs outside it and adds into the row of the result, which stays in cache.
//!
//! Note [Convolution as a product]. Where sizes are known and large enough, the windows of an image are copied into the
//! columns of a matrix, and the filters are multiplied by it: the kernel for products is made for the CPU that it runs on,
//! and its gradients are products as well, where loops would add up numbers one by one. The matrix is of one image, or
//! of one row of the result where that would be large, and it is made anew in reverse. Windows over two axes are copied by
//! a kernel, which takes parts of rows as a whole: see `op/windows.rs`.

use super::ParamKind::{Dims, Operand};
use super::window::{Options, Padded, Window, can_be_lengths, places, where_all};
use super::{Arg, Method, ParamKind, require};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::ir::{IntOp, Ty, Var};
use crate::op::Mismatch;
use crate::op::linalg::MatMul;
use crate::op::nest::{affine, plus};
use crate::op::page::Page;
use crate::op::view::reshape;
use crate::op::windows::Windows;

const CONV: &[&str] = &["stride", "padding", "dilation", "groups"];
const CONV_TRANSPOSE: &[&str] = &["stride", "padding", "output_padding", "dilation", "groups"];
const WINDOW: &[&str] = &["stride", "padding", "dilation"];

pub static METHODS: &[Method] = &[
    Method {
        name: "conv1d",
        page: Page {
            calls: &["x.conv1d(w, Conv1d { stride, padding, dilation, groups })"],
            doc: "Convolution (correlation, as networks have it) with zeros around; options left out are 1, and 0 for padding. What no window reaches gets exactly 0.",
            shape: "[n, g·c, l], [g·o, c, k] -> [n, g·o, l′], l′ = (l + 2·padding − dilation·(k − 1) − 1) / stride + 1",
            derivative: "x̄ = the transposed convolution of ȳ by w, w̄ = the correlation of x with ȳ",
            example: "(x: &Tensor3<f64, 1, 2, 5>, w: &Tensor3<f64, 3, 2, 3>) -> Tensor3<f64, 1, 3, 5> {\n    x.conv1d(w, Conv1d { padding: 1, ..Default::default() })\n}",
        },
        params: &[Operand, ParamKind::Options("Conv1d", CONV)],
        ranks: Some(&[3]),
        build: |b, a| convolution(b, a, "conv1d", "Conv1d"),
    },
    Method {
        name: "conv2d",
        page: Page {
            calls: &["x.conv2d(w, Conv2d { stride, padding, dilation, groups })"],
            doc: "Convolution over two axes, with a list of two for each option but `groups`; with as many groups as channels it is depthwise. What no window reaches gets exactly 0.",
            shape: "[n, g·c, h, l], [g·o, c, j, k] -> [n, g·o, h′, l′], each as for `conv1d`",
            derivative: "x̄ = the transposed convolution of ȳ by w, w̄ = the correlation of x with ȳ",
            example: "(x: &Tensor4<f64, 1, 2, 4, 4>, w: &Tensor4<f64, 3, 2, 3, 3>) -> Tensor4<f64, 1, 3, 2, 2> {\n    x.conv2d(w, Conv2d { stride: [1, 1], padding: [0, 0], dilation: [1, 1], groups: 1 })\n}",
        },
        params: &[Operand, ParamKind::Options("Conv2d", CONV)],
        ranks: Some(&[4]),
        build: |b, a| convolution(b, a, "conv2d", "Conv2d"),
    },
    Method {
        name: "conv3d",
        page: Page {
            calls: &["x.conv3d(w, Conv3d { stride, padding, dilation, groups })"],
            doc: "Convolution over three axes.",
            shape: "[n, g·c, d, h, l], [g·o, c, i, j, k] -> [n, g·o, d′, h′, l′], each as for `conv1d`",
            derivative: "x̄ = the transposed convolution of ȳ by w, w̄ = the correlation of x with ȳ",
            example: "(x: &Tensor5<f64, 1, 1, 3, 3, 3>, w: &Tensor5<f64, 2, 1, 2, 2, 2>) -> Tensor5<f64, 1, 2, 2, 2, 2> {\n    x.conv3d(w, Conv3d { ..Default::default() })\n}",
        },
        params: &[Operand, ParamKind::Options("Conv3d", CONV)],
        ranks: Some(&[5]),
        build: |b, a| convolution(b, a, "conv3d", "Conv3d"),
    },
    Method {
        name: "conv_transpose1d",
        page: Page {
            calls: &["x.conv_transpose1d(w, ConvTranspose1d { stride, padding, output_padding, dilation, groups })"],
            doc: "The transpose of a convolution: every element adds a scaled copy of the window. What is cut off carries no derivative.",
            shape: "[n, g·c, l], [g·c, o, k] -> [n, g·o, l′], l′ = (l − 1)·stride + dilation·(k − 1) + 1 + output_padding − 2·padding",
            derivative: "x̄ = the convolution of ȳ by w, w̄ = the correlation of ȳ with x",
            example: "(x: &Tensor3<f64, 1, 2, 3>, w: &Tensor3<f64, 2, 1, 2>) -> Tensor3<f64, 1, 1, 6> {\n    x.conv_transpose1d(w, ConvTranspose1d { stride: 2, ..Default::default() })\n}",
        },
        params: &[Operand, ParamKind::Options("ConvTranspose1d", CONV_TRANSPOSE)],
        ranks: Some(&[3]),
        build: |b, a| transposed(b, a, "conv_transpose1d", "ConvTranspose1d"),
    },
    Method {
        name: "conv_transpose2d",
        page: Page {
            calls: &["x.conv_transpose2d(w, ConvTranspose2d { stride, padding, output_padding, dilation, groups })"],
            doc: "The transpose of a convolution over two axes. What is cut off carries no derivative.",
            shape: "[n, g·c, h, l], [g·c, o, j, k] -> [n, g·o, h′, l′], each as for `conv_transpose1d`",
            derivative: "x̄ = the convolution of ȳ by w, w̄ = the correlation of ȳ with x",
            example: "(x: &Tensor4<f64, 1, 2, 2, 2>, w: &Tensor4<f64, 2, 1, 2, 2>) -> Tensor4<f64, 1, 1, 4, 4> {\n    x.conv_transpose2d(w, ConvTranspose2d { stride: [2, 2], ..Default::default() })\n}",
        },
        params: &[Operand, ParamKind::Options("ConvTranspose2d", CONV_TRANSPOSE)],
        ranks: Some(&[4]),
        build: |b, a| transposed(b, a, "conv_transpose2d", "ConvTranspose2d"),
    },
    Method {
        name: "im2col1d",
        page: Page {
            calls: &["x.im2col1d(k, Window1d { stride, padding, dilation })"],
            doc: "The windows of a sequence as columns. An element that is in several windows gets the sum.",
            shape: "[n, c, l] -> [n, c·k, l′], l′ as for `conv1d`",
            derivative: "x̄ = every place of ȳ added where it came from",
            example: "(x: &Tensor3<f64, 1, 2, 4>) -> Tensor3<f64, 1, 4, 3> {\n    x.im2col1d(2, Window1d { ..Default::default() })\n}",
        },
        params: &[ParamKind::Size, ParamKind::Options("Window1d", WINDOW)],
        ranks: Some(&[3]),
        build: |b, a| im2col(b, a, "im2col1d", "Window1d"),
    },
    Method {
        name: "im2col",
        page: Page {
            calls: &["x.im2col([j, k], Window2d { stride, padding, dilation })"],
            doc: "The windows of an image as columns. An element that is in several windows gets the sum.",
            shape: "[n, c, h, l] -> [n, c·j·k, h′·l′], the numbers of places as for `conv1d`",
            derivative: "x̄ = every place of ȳ added where it came from",
            example: "(x: &Tensor4<f64, 1, 1, 3, 3>) -> Tensor3<f64, 1, 4, 4> {\n    x.im2col([2, 2], Window2d { ..Default::default() })\n}",
        },
        params: &[Dims, ParamKind::Options("Window2d", WINDOW)],
        ranks: Some(&[4]),
        build: |b, a| im2col(b, a, "im2col", "Window2d"),
    },
];

/// What is known of the operands: image `[batch, channels, …]`, weights, groups.
struct Shapes {
    x: Vec<Dim>,
    w: Vec<Dim>,
    groups: Dim,
    windows: Vec<Window>,
}

/// Checks what convolution and its transpose have in common. The weights' channels on the side of the image are
/// `w[image]`.
fn shapes(b: &mut Builder, a: &[Arg], options: &Options) -> Result<Shapes, Mismatch> {
    let (x, w) = (b.ty(a[0].var()).dims.clone(), b.ty(a[1].var()).dims.clone());
    if w.len() != x.len() {
        return Err(Mismatch {
            message: format!(
                "`{}` of {} by weights {}: {} axes and {} differ",
                options.operator,
                dim::show(&x),
                dim::show(&w),
                x.len(),
                w.len()
            ),
            note: rule(options.operator),
            help: None,
        });
    }
    let windows = options.windows(&w[2..])?;
    let groups = options.size("groups", 1)?;
    if groups.as_literal().is_some_and(|groups| groups < 1) {
        return Err(Mismatch {
            message: format!("`groups` of `{}` is {groups}", options.operator),
            note: "the channels are divided into at least 1 group".into(),
            help: Some("write `groups: 1`".into()),
        });
    }
    Ok(Shapes { x, w, groups, windows })
}

fn rule(operator: &str) -> String {
    if operator.contains("transpose") {
        format!("`{operator}` takes an image [batch, channels, …] and weights [channels, filters / groups, …]")
    } else {
        format!("`{operator}` takes an image [batch, channels, …] and weights [filters, channels / groups, …]")
    }
}

/// `size / groups`, which must have no remainder.
fn divided(b: &mut Builder, operator: &str, size: &Dim, what: &str, groups: &Dim) -> Result<Dim, Mismatch> {
    let part = size.over(groups);
    require(
        b,
        (&part.times(groups), size),
        Mismatch {
            message: format!("`{operator}` in {groups} groups: {groups} does not divide the {size} {what}"),
            note: rule(operator),
            help: match (size.as_literal(), groups.as_literal()) {
                (Some(size), Some(groups)) if groups > 0 => {
                    let (less, more) = (size - size % groups, size - size % groups + groups);
                    Some(if less > 0 {
                        format!("have {less} {what}, or {more}")
                    } else {
                        format!("have {more} {what}")
                    })
                }
                _ => None,
            },
        },
    )?;
    Ok(part)
}

/// y\[n, o, i…] = Σ w\[o, c, u…] · x\[n, c, i·stride + u·dilation − padding…]
fn convolution(b: &mut Builder, a: &[Arg], operator: &'static str, name: &'static str) -> Result<Var, Mismatch> {
    let options = Options { operator, name, fields: CONV, values: a[2].options() };
    let Shapes { x: xd, w: wd, groups, windows } = shapes(b, a, &options)?;
    let filters = divided(b, operator, &wd[0], "filters", &groups)?;
    require(
        b,
        (&xd[1], &wd[1].times(&groups)),
        Mismatch {
            message: format!(
                "`{operator}` of {} by weights {} in {}: channels {} and {} differ",
                dim::show(&xd),
                dim::show(&wd),
                if groups.is(1) { "1 group".into() } else { format!("{groups} groups") },
                xd[1],
                wd[1].times(&groups)
            ),
            note: rule(operator),
            help: match (xd[1].as_literal(), wd[1].as_literal()) {
                (Some(x), Some(w))
                    if w > 0 && x % w == 0 && wd[0].as_literal().is_some_and(|o| x > 0 && o % (x / w) == 0) =>
                {
                    Some(format!("with `groups: {}` they fit", x / w))
                }
                (Some(x), _) => groups.as_literal().filter(|groups| *groups > 0 && x % groups == 0).map(|groups| {
                    let fitting = [&wd[..1], &[Dim::literal(x / groups)], &wd[2..]].concat();
                    format!("make `{{1}}` a tensor {}", dim::show(&fitting))
                }),
                _ => None,
            },
        },
    )?;
    let places = places(operator, &xd, &xd[2..], &windows)?;
    let (x, w) = (a[0].var(), a[1].var());
    let ty = Ty::tensor(b.ty(x).elem.clone(), [&[xd[0].clone(), wd[0].clone()], &places[..]].concat());
    let y = b.zero(ty);
    if let Some(kept) = columns(&wd, &places).filter(|_| groups.is(1)) {
        return Ok(product(b, [x, w, y], &windows, &places, kept));
    }
    let (row, columns) = places.split_last().map(|(last, rest)| (last.clone(), rest.to_vec())).unwrap_or_default();
    let outer = [&[groups.clone(), filters.clone()], &columns[..]].concat();
    let inner = &wd[1..];
    Ok(b.nest(&xd[..1], &[y], &mut |b, n, y| {
        let image = Padded::with_zeros(b, x, n, &windows);
        b.nest(&outer, y, &mut |b, at, y| {
            let filter = joined(b, at[0], &groups, at[1], &filters);
            b.nest(inner, y, &mut |b, k, y| {
                let weight = b.get(w, &[&[filter], k].concat());
                let channel = joined(b, at[0], &groups, k[0], &wd[1]);
                let mut from = vec![channel];
                for ((window, i), u) in windows.iter().zip(&at[2..]).zip(&k[1..]) {
                    from.push(window.at(b, *i, *u));
                }
                b.nest(std::slice::from_ref(&row), y, &mut |b, j, y| {
                    let last = windows.len() - 1;
                    let column = windows[last].at(b, j[0], k[k.len() - 1]);
                    let v = image.get(b, &[&from[..], &[column]].concat());
                    let term = b.mul(v, weight);
                    let to = [&[n[0], filter], &at[2..], j].concat();
                    vec![b.acc(y[0], term, &to)]
                })
            })
        })
    })[0])
}

/// The numbers that the matrix of windows may have.
const LARGEST_MATRIX: i64 = 1 << 15;

/// Whether a convolution is worth a product; how many axes of the result its matrix leaves to loops. See
/// Note [Convolution as a product].
fn columns(w: &[Dim], places: &[Dim]) -> Option<usize> {
    let filters = w[0].as_literal()?;
    let window = Dim::product(&w[1..]).as_literal()?;
    (0..places.len()).find_map(|kept| {
        let places = Dim::product(&places[kept..]).as_literal()?;
        let worth = filters >= 4 && places >= 8 && filters * window * places >= 2048;
        (worth && window * places <= LARGEST_MATRIX).then_some(kept)
    })
}

/// y\[n, o, i…] = Σ w\[o, k] · windows\[k, i]
fn product(b: &mut Builder, [x, w, y]: [Var; 3], windows: &[Window], places: &[Dim], kept: usize) -> Var {
    let (elem, batch, wd) = (b.ty(x).elem.clone(), b.ty(x).dims[..1].to_vec(), b.ty(w).dims.clone());
    let (outer, inner) = places.split_at(kept);
    let (rows, columns) = (Dim::product(&wd[1..]), Dim::product(inner));
    let filters = reshape(b, w, vec![wd[0].clone(), rows.clone()]);
    let kernel = if kept == 0 { Windows::of(windows) } else { None };
    b.nest(&batch, &[y], &mut |b, n, y| {
        let image = Padded::with_zeros(b, x, n, windows);
        if let Some((kernel, image)) = kernel.clone().zip(image.whole(b)) {
            let matrix = b.apply(kernel, &[image]);
            b.name(matrix, "windows");
            return filtered(b, [filters, matrix, y[0]], &[&wd[..1], inner].concat(), n);
        }
        b.nest(outer, y, &mut |b, row, y| {
            let zeros = b.zero(Ty::tensor(elem.clone(), vec![rows.clone(), columns.clone()]));
            // Adding to zeros: in reverse, the cotangent is read where it is.
            let matrix = b.nest(&[&wd[1..], inner].concat(), &[zeros], &mut |b, at, t| {
                let (k, i) = at.split_at(wd.len() - 1);
                let mut from = vec![k[0]];
                for ((window, i), u) in windows.iter().zip(row.iter().chain(i)).zip(&k[1..]) {
                    from.push(window.at(b, *i, *u));
                }
                let v = image.get(b, &from);
                let to = [flat(b, k, &wd[1..]), flat(b, i, inner)];
                vec![b.acc(t[0], v, &to)]
            })[0];
            b.name(matrix, "windows");
            let product = b.apply(MatMul { ta: false, tb: false }, &[filters, matrix]);
            b.nest(&[&wd[..1], inner].concat(), y, &mut |b, at, y| {
                let from = [at[0], flat(b, &at[1..], inner)];
                let v = b.get(product, &from);
                let to = [&[n[0], at[0]], row, &at[1..]].concat();
                vec![b.set(y[0], v, &to)]
            })
        })
    })[0]
}

/// Sets `y[n, o, i…]` to the products of filters and windows.
fn filtered(b: &mut Builder, [filters, matrix, y]: [Var; 3], dims: &[Dim], n: &[Var]) -> Vec<Var> {
    let product = b.apply(MatMul { ta: false, tb: false }, &[filters, matrix]);
    b.nest(dims, &[y], &mut |b, at, y| {
        let from = [at[0], flat(b, &at[1..], &dims[1..])];
        let v = b.get(product, &from);
        vec![b.set(y[0], v, &[n, at].concat())]
    })
}

/// `group · size + member`, where there is more than one group.
fn joined(b: &mut Builder, group: Var, groups: &Dim, member: Var, size: &Dim) -> Var {
    match (groups.is(1), size.is(1)) {
        (true, _) => member,
        (_, true) => group,
        _ => {
            let start = affine(b, group, size, &Dim::literal(0));
            plus(b, start, member)
        }
    }
}

/// y\[n, o, i·stride + u·dilation − padding…] += w\[c, o, u…] · x\[n, c, i…]
fn transposed(b: &mut Builder, a: &[Arg], operator: &'static str, name: &'static str) -> Result<Var, Mismatch> {
    let options = Options { operator, name, fields: CONV_TRANSPOSE, values: a[2].options() };
    let Shapes { x: xd, w: wd, groups, windows } = shapes(b, a, &options)?;
    require(
        b,
        (&xd[1], &wd[0]),
        Mismatch {
            message: format!(
                "`{operator}` of {} by weights {}: channels {} and {} differ",
                dim::show(&xd),
                dim::show(&wd),
                xd[1],
                wd[0]
            ),
            note: rule(operator),
            help: Some(format!("make `{{1}}` a tensor {}", dim::show(&[&xd[1..2], &wd[1..]].concat()))),
        },
    )?;
    let channels = divided(b, operator, &xd[1], "channels", &groups)?;
    let extra = options.sizes("output_padding", windows.len(), 0)?;
    let mut sizes = Vec::new();
    for (axis, ((input, window), extra)) in xd[2..].iter().zip(&windows).zip(&extra).enumerate() {
        if let (Some(more), Some(stride), Some(dilation)) =
            (extra.as_literal(), window.stride.as_literal(), window.dilation.as_literal())
        {
            if more >= stride.max(dilation) {
                return Err(Mismatch {
                    message: format!("`output_padding` of `{operator}` is {more} on axis {axis}, where the stride is {stride}"),
                    note: "it chooses among the sizes that a convolution with this stride maps to the same one: it is smaller than the stride or the dilation".into(),
                    help: Some(format!("at most {} is possible", stride.max(dilation) - 1)),
                });
            }
        }
        let full = input.minus(&Dim::literal(1)).times(&window.stride).plus(&window.reach()).plus(extra);
        let size = full.minus(&window.padding.times(&Dim::literal(2)));
        if size.as_literal().is_some_and(|size| size < 1) {
            return Err(Mismatch {
                message: format!("`{operator}` of {}: the padding of {} leaves nothing of {full} on axis {}", dim::show(&xd), window.padding, axis + 2),
                note: "the result has `(size - 1) * stride + dilation * (window - 1) + 1 + output_padding - 2 * padding` elements on an axis".into(),
                help: full.as_literal().filter(|full| *full > 0).map(|full| format!("a padding of {} leaves something", (full - 1) / 2)),
            });
        }
        sizes.push(size);
    }
    let (x, w) = (a[0].var(), a[1].var());
    let elem = b.ty(x).elem.clone();
    let filters = wd[1].times(&groups);
    let y = b.zero(Ty::tensor(elem.clone(), [&[xd[0].clone(), filters], &sizes[..]].concat()));
    let plane: Vec<Dim> = sizes.iter().zip(&windows).map(|(size, window)| window.padded(size)).collect();
    let in_place = windows.iter().all(|window| window.padding.is(0)) || !can_be_lengths(&plane);
    Ok(b.nest(&[xd[0].clone(), groups.clone(), wd[1].clone()], &[y], &mut |b, at, y| {
        let filter = joined(b, at[1], &groups, at[2], &wd[1]);
        // With padding, what is cut off gets a place, too, if there can be one.
        let (target, prefix) = if in_place {
            (y[0], vec![at[0], filter])
        } else {
            (b.zero(Ty::tensor(elem.clone(), plane.clone())), Vec::new())
        };
        let inner = [std::slice::from_ref(&channels), &wd[2..]].concat();
        let full = b.nest(&inner, &[target], &mut |b, k, t| {
            let channel = joined(b, at[1], &groups, k[0], &channels);
            let weight = b.get(w, &[&[channel, at[2]], &k[1..]].concat());
            b.nest(&xd[2..], t, &mut |b, i, t| {
                let v = b.get(x, &[&[at[0], channel], i].concat());
                let mut term = b.mul(v, weight);
                let (mut to, mut inside) = (prefix.clone(), Vec::new());
                for (((window, size), i), u) in windows.iter().zip(&sizes).zip(i).zip(&k[1..]) {
                    let place = window.at(b, *i, *u);
                    to.push(if in_place { window.unpadded(b, place, size, &mut inside) } else { place });
                }
                if !inside.is_empty() {
                    let nothing = b.constant(&elem, 0.0);
                    term = where_all(b, &inside, term, nothing);
                }
                vec![b.acc(t[0], term, &to)]
            })
        })[0];
        if in_place {
            return vec![full];
        }
        b.nest(&sizes, y, &mut |b, i, y| {
            let mut from = Vec::new();
            for (window, i) in windows.iter().zip(i) {
                from.push(affine(b, *i, &Dim::literal(1), &window.padding));
            }
            let v = b.get(full, &from);
            vec![b.set(y[0], v, &[&[at[0], filter], i].concat())]
        })
    })[0])
}

/// The windows of an image as columns: `[batch, channels, …] -> [batch, channels · window, places]`.
fn im2col(b: &mut Builder, a: &[Arg], operator: &'static str, name: &'static str) -> Result<Var, Mismatch> {
    let x = a[0].var();
    let Ty { elem, dims: xd } = b.ty(x).clone();
    let axes = xd.len() - 2;
    let options = Options { operator, name, fields: WINDOW, values: a[2].options() };
    let windows = options.windows(super::pool::window_sizes(operator, a[1].dims(), axes)?)?;
    let places = places(operator, &xd, &xd[2..], &windows)?;
    let sizes: Vec<Dim> = windows.iter().map(|window| window.size.clone()).collect();
    let inner = [&xd[1..2], &sizes, &places].concat();
    let (rows, columns) = (Dim::product(&inner[..=axes]), Dim::product(&places));
    let y = b.zero(Ty::tensor(elem, vec![xd[0].clone(), rows, columns]));
    Ok(b.nest(&xd[..1], &[y], &mut |b, n, y| {
        let image = Padded::with_zeros(b, x, n, &windows);
        b.nest(&inner, y, &mut |b, at, y| {
            let (row, column) = at.split_at(axes + 1);
            let mut from = vec![row[0]];
            for ((window, i), u) in windows.iter().zip(column).zip(&row[1..]) {
                from.push(window.at(b, *i, *u));
            }
            let v = image.get(b, &from);
            let to = [n[0], flat(b, row, &inner[..=axes]), flat(b, column, &places)];
            vec![b.set(y[0], v, &to)]
        })
    })[0])
}

/// The position of an element in row-major order.
fn flat(b: &mut Builder, at: &[Var], dims: &[Dim]) -> Var {
    let mut position: Option<Var> = None;
    // An axis of size 1 has no index but 0.
    for (at, dim) in at.iter().zip(dims).filter(|(_, dim)| !dim.is(1)) {
        position = Some(match position {
            None => *at,
            Some(position) => {
                let size = b.dim(dim.clone());
                let scaled = b.int(IntOp::Mul, position, size);
                plus(b, scaled, *at)
            }
        });
    }
    position.unwrap_or_else(|| b.dim(Dim::literal(0)))
}
