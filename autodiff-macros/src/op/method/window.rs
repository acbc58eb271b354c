//! What convolution and pooling share: how a window moves over an axis, how large the result is, and the border
//! that padding puts around an image.

use super::counted;
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::ir::{Elem, IntOp, Ty, Var};
use crate::op::Mismatch;
use crate::op::elementwise as rows;
use crate::op::nest::{affine, plus, scatter};

/// A window on one axis: element `u` of the window at `i` stands at `i · stride + u · dilation − padding`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    pub size: Dim,
    pub stride: Dim,
    pub padding: Dim,
    pub dilation: Dim,
}

impl Window {
    /// Two elements next to each other, moved by two.
    pub fn of_two() -> Window {
        let [size, stride, padding, dilation] = [2, 2, 0, 1].map(Dim::literal);
        Window { size, stride, padding, dilation }
    }
}

/// The options of an operator, by name.
pub struct Options<'a> {
    /// The operator, for messages.
    pub operator: &'static str,
    /// The struct: `Conv2d`.
    pub name: &'static str,
    pub fields: &'static [&'static str],
    pub values: &'a [Vec<Dim>],
}

impl Options<'_> {
    /// A field with a size for each axis; a field that is left out has `default` there.
    pub fn sizes(&self, field: &str, axes: usize, default: i64) -> Result<Vec<Dim>, Mismatch> {
        let position = self.fields.iter().position(|name| *name == field);
        match position.and_then(|at| self.values.get(at)).map_or(&[][..], Vec::as_slice) {
            [] => Ok(vec![Dim::literal(default); axes]),
            given if given.len() == axes => Ok(given.to_vec()),
            given => Err(Mismatch {
                message: format!(
                    "`{field}` of `{}` has {}, {}",
                    self.name,
                    counted(given.len(), "size"),
                    if axes == 1 { "1 is needed".into() } else { format!("{axes} are needed") }
                ),
                note: format!("`{}` moves over {axes} {}", self.operator, if axes == 1 { "axis" } else { "axes" }),
                help: Some(match axes {
                    1 => format!("write `{field}: {default}`"),
                    _ => format!("write `{field}: [{}]`", vec![default.to_string(); axes].join(", ")),
                }),
            }),
        }
    }

    /// A field that is one number.
    pub fn size(&self, field: &str, default: i64) -> Result<Dim, Mismatch> {
        Ok(self.sizes(field, 1, default)?.remove(0))
    }

    /// A window for each size.
    pub fn windows(&self, sizes: &[Dim]) -> Result<Vec<Window>, Mismatch> {
        let axes = sizes.len();
        let (strides, paddings, dilations) =
            (self.sizes("stride", axes, 1)?, self.sizes("padding", axes, 0)?, self.sizes("dilation", axes, 1)?);
        for (field, values) in [("stride", &strides), ("dilation", &dilations)] {
            if let Some(axis) = values.iter().position(|value| value.as_literal().is_some_and(|value| value < 1)) {
                return Err(Mismatch {
                    message: format!("`{field}` of `{}` is {} on axis {axis}", self.operator, values[axis]),
                    note: "a window moves by at least 1, and its elements are at least 1 apart".into(),
                    help: Some(match axes {
                        1 => format!("write `{field}: 1`"),
                        _ => format!("write `{field}: [{}]`", vec!["1"; axes].join(", ")),
                    }),
                });
            }
        }
        let windows = sizes.iter().zip(strides).zip(paddings).zip(dilations);
        Ok(windows
            .map(|(((size, stride), padding), dilation)| Window { size: size.clone(), stride, padding, dilation })
            .collect())
    }
}

impl Window {
    /// From its first element to its last: `dilation · (size − 1) + 1`.
    pub fn reach(&self) -> Dim {
        let one = Dim::literal(1);
        self.size.minus(&one).times(&self.dilation).plus(&one)
    }

    /// An axis with its padding on both sides.
    pub fn padded(&self, input: &Dim) -> Dim {
        input.plus(&self.padding.times(&Dim::literal(2)))
    }

    /// How many places it has: `(input + 2 · padding − reach) / stride + 1`.
    pub fn places(&self, input: &Dim) -> Dim {
        self.padded(input).minus(&self.reach()).over(&self.stride).plus(&Dim::literal(1))
    }

    /// A place on the padded axis as a place on the axis itself: the nearest one, and the conditions under which it
    /// is the place.
    pub fn unpadded(&self, b: &mut Builder, at: Var, size: &Dim, inside: &mut Vec<Var>) -> Var {
        if self.padding.is(0) {
            return at;
        }
        let [start, behind, last] =
            [self.padding.clone(), self.padding.plus(size), self.padding.plus(size).minus(&Dim::literal(1))]
                .map(|dim| b.dim(dim));
        let (after, within) = (b.map(&rows::ge, &[at, start]), b.map(&rows::gt, &[behind, at]));
        inside.extend([after, within]);
        let at = b.int(IntOp::Max, at, start);
        let at = b.int(IntOp::Min, at, last);
        b.int(IntOp::Sub, at, start)
    }

    /// The place of the first element of the window at `i` on the padded axis.
    pub fn start(&self, b: &mut Builder, i: Var) -> Var {
        affine(b, i, &self.stride, &Dim::literal(0))
    }

    /// The place of element `u` of the window at `i` on the padded axis.
    pub fn at(&self, b: &mut Builder, i: Var, u: Var) -> Var {
        let start = self.start(b, i);
        if self.size.is(1) {
            return start;
        }
        let offset = affine(b, u, &self.dilation, &Dim::literal(0));
        plus(b, start, offset)
    }
}

/// How many places each window has.
pub fn places(operator: &str, shape: &[Dim], inputs: &[Dim], windows: &[Window]) -> Result<Vec<Dim>, Mismatch> {
    let first = shape.len() - inputs.len();
    let mut dims = Vec::new();
    for (axis, (input, window)) in inputs.iter().zip(windows).enumerate() {
        if window.size.as_literal().is_some_and(|size| size < 1) {
            return Err(Mismatch {
                message: format!(
                    "`{operator}` with an empty window: its size on axis {} is {}",
                    first + axis,
                    window.size
                ),
                note: "a window has at least one element".into(),
                help: None,
            });
        }
        let (reach, padded) = (window.reach(), window.padded(input));
        let room = padded.minus(&reach);
        if room.as_literal().is_some_and(|room| room < 0) {
            let missing = reach.minus(&padded).plus(&Dim::literal(1)).over(&Dim::literal(2));
            return Err(Mismatch {
                message: format!(
                    "`{operator}` of {}: a window of {reach} does not fit into {padded} on axis {}",
                    dim::show(shape),
                    first + axis
                ),
                note: "a window reaches over `dilation * (size - 1) + 1` elements; the axis has `size + 2 * padding`"
                    .into(),
                help: Some(format!("a padding of {} on this axis makes room", window.padding.plus(&missing))),
            });
        }
        dims.push(window.places(input));
    }
    Ok(dims)
}

/// `x[from…]` with a border of `value`: the sub-array behind the first indices, whose last axes the windows move
/// over. Without padding it is that sub-array of `x` itself, and nothing is copied.
pub struct Padded {
    array: Var,
    from: Vec<Var>,
    border: f64,
    /// Size and window of the axes whose border is not stored, counted from the last.
    bounds: Vec<(Dim, Window)>,
}

impl Padded {
    /// The border is made where it is read.
    pub fn virtually(b: &Builder, x: Var, from: &[Var], windows: &[Window], border: f64) -> Padded {
        let dims = &b.ty(x).dims;
        let sizes = &dims[dims.len() - windows.len()..];
        let plain = windows.iter().all(|window| window.padding.is(0));
        let bounds = if plain { Vec::new() } else { sizes.iter().cloned().zip(windows.iter().cloned()).collect() };
        Padded { array: x, from: from.to_vec(), border, bounds }
    }

    /// A copy inside a border of zeros, so that inner loops have nothing to decide. Where the sizes are generic, no
    /// array can be as large as that, and the border is made where it is read.
    pub fn with_zeros(b: &mut Builder, x: Var, from: &[Var], windows: &[Window]) -> Padded {
        let Ty { elem, dims } = b.ty(x).clone();
        let inner = dims[from.len()..].to_vec();
        let kept = inner.len() - windows.len();
        let padded = inner[kept..].iter().zip(windows).map(|(dim, window)| window.padded(dim));
        let outer: Vec<Dim> = inner[..kept].iter().cloned().chain(padded).collect();
        let plain = windows.iter().all(|window| window.padding.is(0));
        if plain || !can_be_lengths(&outer) {
            return Padded::virtually(b, x, from, windows, 0.0);
        }
        let zeros = b.zero(Ty::tensor(elem, outer));
        // Adding to zeros: in reverse, the cotangent is read where it is.
        let array = scatter(b, zeros, &inner, &mut |b, at| {
            let element = b.get(x, &[from, at].concat());
            let mut to = at[..kept].to_vec();
            for (window, at) in windows.iter().zip(&at[kept..]) {
                to.push(affine(b, *at, &Dim::literal(1), &window.padding));
            }
            (to, element)
        });
        b.name(array, "padded");
        Padded { array, from: Vec::new(), border: 0.0, bounds: Vec::new() }
    }

    pub fn elem(&self, b: &Builder) -> Elem {
        b.ty(self.array).elem.clone()
    }

    /// The padded sub-array itself, if its border is stored.
    pub fn whole(&self, b: &mut Builder) -> Option<Var> {
        self.bounds.is_empty().then(|| b.get(self.array, &self.from))
    }

    /// The element at a place of the padded sub-array.
    pub fn get(&self, b: &mut Builder, at: &[Var]) -> Var {
        let first = at.len() - self.bounds.len();
        let (mut from, mut inside) = ([&self.from, &at[..first]].concat(), Vec::new());
        for ((size, window), at) in self.bounds.iter().zip(&at[first..]) {
            from.push(window.unpadded(b, *at, size, &mut inside));
        }
        let value = b.get(self.array, &from);
        if inside.is_empty() {
            return value;
        }
        let elem = self.elem(b);
        let border = b.constant(&elem, self.border);
        where_all(b, &inside, value, border)
    }
}

/// Whether arrays may have these lengths wherever the function stands: a length may not be computed from a
/// generic parameter.
pub fn can_be_lengths(dims: &[Dim]) -> bool {
    dims.iter().all(Dim::is_simple)
}

/// `value` where all the conditions hold, `other` elsewhere.
pub fn where_all(b: &mut Builder, conditions: &[Var], value: Var, other: Var) -> Var {
    conditions.iter().fold(value, |value, condition| b.map(&rows::select, &[*condition, value, other]))
}
