//! `max_pool[2/2/1, 2/2/1]`: the largest element of each window, for every axis size, stride and dilation.
//!
//! Note [The largest of a window]. A small window is written out: each element either takes the place of the largest so far, or
//! does not. So the loop over windows has neither a branch nor an index that depends on numbers, and it vectorises. In reverse
//! the same comparisons say where the cotangent goes. A larger window is searched by a loop (`op/method/pool.rs`).

use super::elementwise as rows;
use super::method::window::Window;
use super::nest::generate;
use super::{Class, Mismatch, Operator, Typed, list};
#[cfg(test)]
use super::{Sample, attributes, sample};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
#[cfg(test)]
use crate::ir::eval::Array;
use crate::ir::{Elem, Ty, Var};
#[cfg(test)]
use std::rc::Rc;

/// A window of so many elements is written out.
const WRITTEN_OUT: i64 = 9;

/// Along the last axes, without padding. NaN is larger than all numbers. The derivative goes to the first element that is as large
/// as the result, or to the last NaN.
#[derive(Debug, Clone)]
pub struct MaxPool {
    windows: Vec<Window>,
    /// The offsets of the elements of a window, row by row.
    offsets: Vec<Vec<i64>>,
}

impl MaxPool {
    /// The operator, if the windows are small and have no padding.
    pub fn of(windows: &[Window]) -> Option<MaxPool> {
        let sizes: Vec<i64> = windows.iter().map(|window| window.size.as_literal()).collect::<Option<_>>()?;
        let is_plain = windows.iter().all(|window| window.padding.is(0));
        if !is_plain || sizes.iter().product::<i64>() > WRITTEN_OUT {
            return None;
        }
        let mut offsets = vec![Vec::new()];
        for size in sizes {
            offsets = offsets.iter().flat_map(|at| (0..size).map(move |u| [&at[..], &[u]].concat())).collect();
        }
        Some(MaxPool { windows: windows.to_vec(), offsets })
    }

    /// The places of the elements of the window at `i`.
    fn elements(&self, b: &mut Builder, i: &[Var]) -> Vec<Vec<Var>> {
        let (outer, inner) = i.split_at(i.len() - self.windows.len());
        let starts: Vec<Var> = self.windows.iter().zip(inner).map(|(window, i)| window.start(b, *i)).collect();
        let mut places = Vec::new();
        for offsets in &self.offsets {
            let mut place = outer.to_vec();
            for ((window, start), u) in self.windows.iter().zip(&starts).zip(offsets) {
                place.push(super::nest::affine(b, *start, &Dim::literal(1), &window.dilation.times(&Dim::literal(*u))));
            }
            places.push(place);
        }
        places
    }

    /// The largest element among `places`; for each but the first, whether it took the place of the largest before it.
    fn largest(b: &mut Builder, x: Var, places: &[Vec<Var>]) -> (Var, Vec<Var>) {
        let mut best = b.get(x, &places[0]);
        let mut replacements = Vec::new();
        for place in &places[1..] {
            let v = b.get(x, place);
            let replaces = replaces(b, v, best);
            best = b.map(&rows::select, &[replaces, v, best]);
            replacements.push(replaces);
        }
        (best, replacements)
    }
}

/// Whether an element takes the place of the largest so far: NaN does wherever it stands, and nothing is larger.
pub fn replaces(b: &mut Builder, v: Var, best: Var) -> Var {
    let (larger, nan) = (b.map(&rows::gt, &[v, best]), b.map(&rows::is_nan, &[v]));
    let yes = b.constant(&Elem::Bool, 1.0);
    b.map(&rows::select, &[nan, yes, larger])
}

impl Operator for MaxPool {
    fn text(&self) -> String {
        let windows =
            self.windows.iter().map(|Window { size, stride, dilation, .. }| format!("{size}/{stride}/{dilation}"));
        format!("max_pool[{}]", list(&windows.collect::<Vec<_>>()))
    }

    fn class(&self) -> Class {
        Class::View
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let mut ty = args[0].clone();
        let outer = ty.rank() - self.windows.len();
        for (dim, window) in ty.dims[outer..].iter_mut().zip(&self.windows) {
            *dim = window.places(dim);
        }
        Ok(ty.into())
    }

    /// The tangent of the element that is largest.
    fn tangent(&self, b: &mut Builder, args: &[Var], y: Var, dots: &[Option<Var>]) -> Option<Var> {
        let (dot, ty) = (dots[0]?, b.ty(y).clone());
        Some(generate(b, ty, &mut |b, i| {
            let places = self.elements(b, i);
            let (_, replacements) = Self::largest(b, args[0], &places);
            let mut best = b.get(dot, &places[0]);
            for (place, replaces) in places[1..].iter().zip(replacements) {
                let v = b.get(dot, place);
                best = b.map(&rows::select, &[replaces, v, best]);
            }
            best
        }))
    }

    fn is_linear(&self) -> bool {
        true
    }

    /// The cotangent goes to the element that took the place last.
    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        let (ty, places) = (b.ty(args[0]).clone(), b.ty(y_bar).dims.clone());
        let zeros = b.zero(ty.clone());
        let x_bar = b.nest(&places, &[zeros], &mut |b, i, x_bar| {
            let places = self.elements(b, i);
            let (_, replacements) = Self::largest(b, args[0], &places);
            let zero = b.constant(&ty.elem, 0.0);
            let (mut rest, mut x_bar) = (b.get(y_bar, i), x_bar[0]);
            for (place, replaces) in places[1..].iter().zip(replacements).rev() {
                let own = b.map(&rows::select, &[replaces, rest, zero]);
                rest = b.map(&rows::select, &[replaces, zero, rest]);
                x_bar = b.acc(x_bar, own, place);
            }
            vec![b.acc(x_bar, rest, &places[0])]
        })[0];
        vec![Some(x_bar)]
    }

    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var> {
        Some(generate(b, ty.clone(), &mut |b, i| {
            let places = self.elements(b, i);
            Self::largest(b, args[0], &places).0
        }))
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        let size = |dim: &Dim| usize::try_from(dim.as_literal()?).ok();
        let steps: Vec<(usize, usize)> = self
            .windows
            .iter()
            .map(|window| Some((size(&window.stride)?, size(&window.dilation)?)))
            .collect::<Option<_>>()?;
        let outer = dims.len() - self.windows.len();
        Some(Array::from_fn(dims, |i| {
            let element = |offsets: &Vec<i64>| {
                let mut at = i.to_vec();
                for ((at, (stride, dilation)), u) in at[outer..].iter_mut().zip(&steps).zip(offsets) {
                    *at = *at * stride + usize::try_from(*u).unwrap_or(0) * dilation;
                }
                args[0].at(&at)
            };
            let elements = self.offsets.iter().map(element);
            elements.reduce(|best, v| if v > best || v.is_nan() { v } else { best }).unwrap_or(f64::NAN)
        }))
    }
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    let windows: Option<Vec<Window>> = attributes(text, "max_pool")?
        .into_iter()
        .map(|window| {
            let sizes: Vec<Dim> =
                window.split('/').map(|size| size.parse().map(Dim::literal)).collect::<Result<_, _>>().ok()?;
            let [size, stride, dilation] = <[Dim; 3]>::try_from(sizes).ok()?;
            Some(Window { size, stride, padding: Dim::literal(0), dilation })
        })
        .collect();
    MaxPool::of(&windows?).map(|op| Rc::new(op) as Rc<dyn Operator>)
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    vec![
        sample("max_pool[2/2/1]", &["f64[2, 1, 5]"]),
        sample("max_pool[2/2/1, 2/2/1]", &["f64[1, N, 4, 4]"]),
        sample("max_pool[2/1/2, 3/2/1]", &["f64[1, 1, 5, 5]"]),
    ]
}
