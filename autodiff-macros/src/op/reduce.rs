//! Reductions: along axes ([`Reduce`]) and back to a broadcast operand's shape ([`SumTo`]).

use super::elementwise as rows;
use super::view::BroadcastTo;
use super::{Class, Mismatch, Operator, Typed, list};
#[cfg(test)]
use super::{Sample, attributes, sample};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
#[cfg(test)]
use crate::ir::eval::{Array, indices};
use crate::ir::{Elem, Ty, Var};
#[cfg(test)]
use std::rc::Rc;

/// How elements are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Sum,
    /// The derivative is shared evenly among equal elements.
    Max,
}

/// `sum[axes]`, `max[axes]`; with `keep`, a reduced axis stays as 1.
#[derive(Debug)]
pub struct Reduce {
    pub kind: Kind,
    pub axes: Vec<usize>,
    pub keep: bool,
}

impl Reduce {
    pub fn sum(axes: Vec<usize>, keep: bool) -> Reduce {
        Reduce { kind: Kind::Sum, axes, keep }
    }

    pub fn max(axes: Vec<usize>, keep: bool) -> Reduce {
        Reduce { kind: Kind::Max, axes, keep }
    }

    /// For each axis of the result the axis of the operand, or `None` for a kept axis of 1.
    fn layout(&self, rank: usize) -> Layout {
        let reduced: Vec<bool> = (0..rank).map(|axis| self.axes.contains(&axis)).collect();
        let out = (0..rank).filter(|axis| self.keep || !reduced[*axis]);
        let out = out.map(|axis| (!reduced[axis]).then_some(axis)).collect();
        Layout { reduced, out }
    }

    /// Which elements are not the maximum `y`. Where that is NaN, the elements that are NaN are.
    fn smaller(&self, b: &mut Builder, x: Var, y: Var) -> Var {
        let ty = b.ty(x).clone();
        let y = super::view::reshape(b, y, self.kept(&ty));
        let differs = b.map(&rows::ne, &[x, y]);
        let (nan, no) = (b.map(&rows::is_nan, &[x]), b.zero(Ty::scalar(Elem::Bool)));
        b.map(&rows::select, &[nan, no, differs])
    }

    fn kept(&self, ty: &Ty) -> Vec<Dim> {
        let dims = ty.dims.iter().enumerate();
        dims.map(|(axis, dim)| if self.axes.contains(&axis) { Dim::literal(1) } else { dim.clone() }).collect()
    }
}

impl Operator for Reduce {
    fn text(&self) -> String {
        let name = if self.kind == Kind::Sum { "sum" } else { "max" };
        let keep = if self.keep { ", keep" } else { "" };
        format!("{name}[{}{keep}]", list(&self.axes))
    }

    fn class(&self) -> Class {
        Class::Reduction
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let layout = self.layout(args[0].rank());
        let dims = layout.out.iter().map(|axis| axis.map_or(Dim::literal(1), |axis| args[0].dims[axis].clone()));
        Ok(Ty::tensor(args[0].elem.clone(), dims.collect()).into())
    }

    /// ẏ = Σ ẋ; of a maximum, the mean of ẋ over the elements that are as large.
    fn tangent(&self, b: &mut Builder, args: &[Var], y: Var, dots: &[Option<Var>]) -> Option<Var> {
        let dot = dots[0]?;
        let sum = |b: &mut Builder, x: Var| b.apply(Reduce::sum(self.axes.clone(), self.keep), &[x]);
        if self.kind == Kind::Sum {
            return Some(sum(b, dot));
        }
        let smaller = self.smaller(b, args[0], y);
        let (dots, count) = (among_largest(b, smaller, dot), count_largest(b, smaller, dot));
        let (dots, count) = (sum(b, dots), sum(b, count));
        Some(b.map(&rows::div, &[dots, count]))
    }

    fn is_linear(&self) -> bool {
        true
    }

    /// x̄ = ȳ stretched back along the reduced axes; of a maximum, divided among the elements that are as large.
    fn adjoint(&self, b: &mut Builder, args: &[Var], y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        let ty = b.ty(args[0]).clone();
        if self.kind == Kind::Sum {
            let kept = super::view::reshape(b, y_bar, self.kept(&ty));
            return vec![Some(b.apply(BroadcastTo { dims: ty.dims }, &[kept]))];
        }
        let smaller = self.smaller(b, args[0], y);
        let largest = count_largest(b, smaller, y_bar);
        let count = b.apply(Reduce::sum(self.axes.clone(), self.keep), &[largest]);
        let share = b.map(&rows::div, &[y_bar, count]);
        let share = super::view::reshape(b, share, self.kept(&ty));
        vec![Some(among_largest(b, smaller, share))]
    }

    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var> {
        let layout = self.layout(b.ty(args[0]).rank());
        Some(layout.loops(b, self.kind, args[0], None, ty))
    }

    fn loops_into(&self, b: &mut Builder, acc: Var, args: &[Var]) -> Option<Var> {
        let layout = self.layout(b.ty(args[0]).rank());
        let ty = b.ty(acc).clone();
        (self.kind == Kind::Sum).then(|| layout.loops(b, self.kind, args[0], Some(acc), &ty))
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        Some(self.layout(args[0].dims.len()).eval(self.kind, &args[0], dims))
    }
}

/// `v` for the largest elements, 0 for those that are smaller.
fn among_largest(b: &mut Builder, smaller: Var, v: Var) -> Var {
    let elem = b.ty(v).elem.clone();
    let zero = b.constant(&elem, 0.0);
    b.map(&rows::select, &[smaller, zero, v])
}

/// 1 for the largest elements, 0 for those that are smaller; numbers of the type of `like`.
fn count_largest(b: &mut Builder, smaller: Var, like: Var) -> Var {
    let elem = b.ty(like).elem.clone();
    let one = b.constant(&elem, 1.0);
    among_largest(b, smaller, one)
}

/// `sum_to[dims]`: the adjoint of broadcasting.
#[derive(Debug)]
pub struct SumTo {
    pub dims: Vec<Dim>,
}

impl SumTo {
    fn layout(&self, from: &[Dim]) -> Layout {
        let offset = from.len().saturating_sub(self.dims.len());
        let reduced: Vec<bool> = (0..from.len())
            .map(|axis| axis < offset || (self.dims[axis - offset].is(1) && !from[axis].is(1)))
            .collect();
        let out = (offset..from.len()).map(|axis| (!reduced[axis]).then_some(axis)).collect();
        Layout { reduced, out }
    }
}

impl Operator for SumTo {
    fn text(&self) -> String {
        format!("sum_to[{}]", list(&self.dims))
    }

    fn class(&self) -> Class {
        Class::Reduction
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        Ok(Ty::tensor(args[0].elem.clone(), self.dims.clone()).into())
    }

    fn tangent(&self, b: &mut Builder, _args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        dots[0].map(|dot| b.apply(SumTo { dims: self.dims.clone() }, &[dot]))
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        let dims = b.ty(args[0]).dims.clone();
        vec![Some(b.apply(BroadcastTo { dims }, &[y_bar]))]
    }

    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var> {
        let layout = self.layout(&b.ty(args[0]).dims.clone());
        Some(layout.loops(b, Kind::Sum, args[0], None, ty))
    }

    fn loops_into(&self, b: &mut Builder, acc: Var, args: &[Var]) -> Option<Var> {
        let layout = self.layout(&b.ty(args[0]).dims.clone());
        let ty = b.ty(acc).clone();
        Some(layout.loops(b, Kind::Sum, args[0], Some(acc), &ty))
    }

    /// What is stretched back gives the same place: it is summed there.
    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        let (x, offset) = (&args[0], args[0].dims.len() - dims.len());
        let mut sum = Array::from_fn(dims, |_| 0.0);
        for at in indices(&x.dims) {
            let to: Vec<usize> =
                at[offset..].iter().zip(dims).map(|(at, dim)| if *dim == 1 { 0 } else { *at }).collect();
            *sum.at_mut(&to) += x.at(&at);
        }
        Some(sum)
    }
}

/// How many partial sums a sum along the last axis has.
pub const LANES: i64 = 16;

/// `lane_total`: the partial sums, added by halves. See [`strip_mine`](crate::pass::strip_mine).
#[derive(Debug)]
pub struct LaneTotal;

impl Operator for LaneTotal {
    fn text(&self) -> String {
        "lane_total".to_owned()
    }

    fn class(&self) -> Class {
        Class::Kernel("lane_total")
    }

    fn noun(&self) -> &'static str {
        "total"
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        Ok(Ty::tensor(args[0].elem.clone(), vec![Dim::literal(1)]).into())
    }

    fn tangent(&self, b: &mut Builder, _args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        dots[0].map(|dot| b.apply(LaneTotal, &[dot]))
    }

    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        let dims = b.ty(args[0]).dims.clone();
        vec![Some(b.apply(BroadcastTo { dims }, &[y_bar]))]
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    fn sets(&self) -> bool {
        true
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        let total = args[0].data.iter().sum();
        Some(Array::from_fn(dims, |_| total))
    }
}

/// Which axes go and where the others end up.
struct Layout {
    reduced: Vec<bool>,
    out: Vec<Option<usize>>,
}

impl Layout {
    /// The reduction by its definition.
    #[cfg(test)]
    fn eval(&self, kind: Kind, x: &Array, dims: &[usize]) -> Array {
        let mut result = Array::from_fn(dims, |_| if kind == Kind::Sum { 0.0 } else { f64::NEG_INFINITY });
        for at in indices(&x.dims) {
            let to: Vec<usize> = self.out.iter().map(|axis| axis.map_or(0, |axis| at[axis])).collect();
            let (old, v) = (result.at_mut(&to), x.at(&at));
            *old = if kind == Kind::Sum { *old + v } else { (rows::maximum.eval)(&[*old, v]) };
        }
        result
    }

    /// The reduction as loops over the operand in its own order. The reduced axes at the end are summed in a
    /// register; the others add into the result's elements, so that every inner loop is contiguous.
    fn loops(&self, b: &mut Builder, kind: Kind, x: Var, into: Option<Var>, ty: &Ty) -> Var {
        let dims = b.ty(x).dims.clone();
        let tail = dims.len() - self.reduced.iter().rev().take_while(|reduced| **reduced).count();
        let (outer, inner) = dims.split_at(tail);
        let scattered = self.reduced[..tail].contains(&true);
        let elem = ty.elem.clone();
        let start = if kind == Kind::Sum { 0.0 } else { f64::NEG_INFINITY };
        let combine = |b: &mut Builder, sum: Var, v: Var| match kind {
            Kind::Sum => b.map(&rows::add_in_lanes, &[sum, v]),
            Kind::Max => b.map(&rows::maximum, &[sum, v]),
        };
        let along = |b: &mut Builder, at: &[Var]| {
            if inner.is_empty() {
                return b.get(x, at);
            }
            let start = b.constant(&elem, start);
            b.name(start, if kind == Kind::Sum { "sum" } else { "max" });
            if kind == Kind::Max {
                // The largest number, and 1 if there is a NaN: as two maxima of numbers the loop vectorises.
                let (no, yes) = (b.constant(&elem, 0.0), b.constant(&elem, 1.0));
                let found = b.nest(inner, &[start, no], &mut |b, rest, carried| {
                    let v = b.get(x, &[at, rest].concat());
                    let nan = b.map(&rows::is_nan, &[v]);
                    let nan = b.map(&rows::select, &[nan, yes, no]);
                    vec![b.map(&rows::larger, &[carried[0], v]), b.map(&rows::larger, &[carried[1], nan])]
                });
                let (any, nan) = (b.map(&rows::gt, &[found[1], no]), b.map(&rows::sub, &[start, start]));
                return b.map(&rows::select, &[any, nan, found[0]]);
            }
            b.nest(inner, &[start], &mut |b, rest, carried| {
                let v = b.get(x, &[at, rest].concat());
                vec![combine(b, carried[0], v)]
            })[0]
        };
        if ty.is_scalar() {
            let sum = along(b, &[]);
            return into.map_or(sum, |acc| b.add(acc, sum));
        }
        let init = into.unwrap_or_else(|| {
            let zero = b.zero(ty.clone());
            if scattered && kind == Kind::Max {
                let lowest = b.constant(&elem, start);
                return b.nest(&ty.dims, &[zero], &mut |b, at, t| vec![b.set(t[0], lowest, at)])[0];
            }
            zero
        });
        b.nest(outer, &[init], &mut |b, at, carried| {
            let v = along(b, at);
            let to: Vec<Var> = self
                .out
                .iter()
                .map(|axis| match axis {
                    Some(axis) => at[*axis],
                    None => b.dim(Dim::literal(0)),
                })
                .collect();
            vec![match (kind, into.is_some() || scattered) {
                (_, false) => b.set(carried[0], v, &to),
                (Kind::Sum, true) => b.acc(carried[0], v, &to),
                (Kind::Max, true) => {
                    let old = b.get(carried[0], &to);
                    let new = combine(b, old, v);
                    b.set(carried[0], new, &to)
                }
            }]
        })[0]
    }
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    if text == "lane_total" {
        return Some(Rc::new(LaneTotal));
    }
    for (name, kind) in [("sum", Kind::Sum), ("max", Kind::Max)] {
        if let Some(parts) = attributes(text, name) {
            let keep = parts.last() == Some(&"keep");
            let axes = parts.iter().filter_map(|part| part.parse().ok()).collect();
            return Some(Rc::new(Reduce { kind, axes, keep }));
        }
    }
    let dims = super::view::parse_dims(&attributes(text, "sum_to")?);
    Some(Rc::new(SumTo { dims }))
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    vec![
        sample("sum[0]", &["f64[3]"]),
        sample("sum[0, 1]", &["f64[2, 3]"]),
        sample("sum[1]", &["f64[2, 3]"]),
        sample("sum[0, keep]", &["f64[2, 3]"]),
        sample("sum[1]", &["f64[2, 3, 4]"]),
        sample("sum[0, 2, keep]", &["f64[2, N, 4]"]),
        sample("sum[0, 2]", &["f64[N, 1, M]"]),
        sample("max[0, 1]", &["f64[2, 3]"]),
        sample("max[1]", &["f64[2, 3, 4]"]),
        sample("max[0, keep]", &["f64[2, 3]"]),
        sample("sum_to[3]", &["f64[2, 3]"]),
        sample("sum_to[2, 1]", &["f64[2, 3]"]),
        sample("sum_to[1, 1, 4]", &["f64[2, 3, 4]"]),
        sample("sum_to[N, 1]", &["f64[2, N, M]"]),
        sample("sum_to[1]", &["f64[2, 1]"]),
        sample("sum_to[]", &["f64[2, 3]"]),
    ]
}
