//! Views: elements move, nothing is computed. Inside fused loops they are index maps.

use super::reduce::SumTo;
use super::{Class, Mismatch, Operator, Typed, list};
#[cfg(test)]
use super::{Sample, attributes, sample};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Comparison, Dim};
#[cfg(test)]
use crate::ir::eval::{Array, indices};
use crate::ir::{IntOp, Ty, Var};
#[cfg(test)]
use std::rc::Rc;

/// `permute[axes]`: axis `k` of the result is axis `axes[k]` of the operand. The transpose is `permute[1, 0]`.
#[derive(Debug)]
pub struct Permute {
    pub axes: Vec<usize>,
}

impl Permute {
    fn inverse(&self) -> Permute {
        let at = |axis| self.axes.iter().position(|from| *from == axis).unwrap_or(axis);
        Permute { axes: (0..self.axes.len()).map(at).collect() }
    }
}

impl Operator for Permute {
    fn text(&self) -> String {
        format!("permute[{}]", list(&self.axes))
    }

    fn class(&self) -> Class {
        Class::View
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let dims = self.axes.iter().map(|axis| args[0].dims[*axis].clone()).collect();
        Ok(Ty::tensor(args[0].elem.clone(), dims).into())
    }

    fn tangent(&self, b: &mut Builder, _args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        dots[0].map(|dot| b.apply(Permute { axes: self.axes.clone() }, &[dot]))
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn adjoint(&self, b: &mut Builder, _args: &[Var], _y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        vec![Some(b.apply(self.inverse(), &[y_bar]))]
    }

    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var> {
        let zero = b.zero(ty.clone());
        let inverse = self.inverse();
        Some(
            b.nest(&ty.dims, &[zero], &mut |b, at, t| {
                let from: Vec<Var> = inverse.axes.iter().map(|axis| at[*axis]).collect();
                let v = b.get(args[0], &from);
                vec![b.set(t[0], v, at)]
            })[0],
        )
    }

    /// In the operand's order, which is that of the loop that made it.
    fn loops_into(&self, b: &mut Builder, acc: Var, args: &[Var]) -> Option<Var> {
        let from = b.ty(args[0]).dims.clone();
        Some(
            b.nest(&from, &[acc], &mut |b, at, t| {
                let v = b.get(args[0], at);
                let to: Vec<Var> = self.axes.iter().map(|axis| at[*axis]).collect();
                vec![b.acc(t[0], v, &to)]
            })[0],
        )
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        let mut result = Array::from_fn(dims, |_| 0.0);
        for at in indices(&args[0].dims) {
            let to: Vec<usize> = self.axes.iter().map(|axis| at[*axis]).collect();
            *result.at_mut(&to) = args[0].at(&at);
        }
        Some(result)
    }
}

/// `broadcast_to[dims]`, after NumPy.
#[derive(Debug)]
pub struct BroadcastTo {
    pub dims: Vec<Dim>,
}

impl Operator for BroadcastTo {
    fn text(&self) -> String {
        format!("broadcast_to[{}]", list(&self.dims))
    }

    fn class(&self) -> Class {
        Class::View
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        Ok(Ty::tensor(args[0].elem.clone(), self.dims.clone()).into())
    }

    fn tangent(&self, b: &mut Builder, _args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        dots[0].map(|dot| b.apply(BroadcastTo { dims: self.dims.clone() }, &[dot]))
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        let dims = b.ty(args[0]).dims.clone();
        vec![Some(sum_to(b, y_bar, dims))]
    }

    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var> {
        let zero = b.zero(ty.clone());
        Some(
            b.nest(&ty.dims, &[zero], &mut |b, at, t| {
                let v = broadcast_get(b, args[0], &self.dims, at);
                vec![b.set(t[0], v, at)]
            })[0],
        )
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        Some(Array::from_fn(dims, |at| args[0].broadcast_at(at)))
    }
}

/// The cotangent of an operand that was broadcast: summed back to its shape.
pub fn sum_to(b: &mut Builder, v: Var, dims: Vec<Dim>) -> Var {
    if b.ty(v).dims == dims { v } else { b.apply(SumTo { dims }, &[v]) }
}

/// `t[at]`, where `t` is stretched to `dims`.
pub fn broadcast_get(b: &mut Builder, t: Var, dims: &[Dim], at: &[Var]) -> Var {
    let own = b.ty(t).dims.clone();
    let offset = dims.len() - own.len();
    let at: Vec<Var> = own
        .iter()
        .enumerate()
        .map(|(axis, dim)| {
            let stretched = dim.is(1) && !dims[axis + offset].is(1);
            if stretched { b.dim(Dim::literal(0)) } else { at[axis + offset] }
        })
        .collect();
    b.get(t, &at)
}

/// `reshape[dims]`: the same elements in row-major order.
#[derive(Debug)]
pub struct Reshape {
    pub dims: Vec<Dim>,
}

pub fn reshape(b: &mut Builder, x: Var, dims: Vec<Dim>) -> Var {
    if b.ty(x).dims == dims { x } else { b.apply(Reshape { dims }, &[x]) }
}

impl Operator for Reshape {
    fn text(&self) -> String {
        format!("reshape[{}]", list(&self.dims))
    }

    fn class(&self) -> Class {
        Class::View
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let (from, to) = (Dim::product(&args[0].dims), Dim::product(&self.dims));
        let message = format!(
            "cannot reshape {} to {}: {from} elements and {to} differ",
            dim::show(&args[0].dims),
            dim::show(&self.dims)
        );
        let mut typed = Typed::from(Ty::tensor(args[0].elem.clone(), self.dims.clone()));
        match from.compare(&to) {
            Comparison::Equal => {}
            Comparison::Unknown => typed.equal.push((from, to, message)),
            Comparison::Different => {
                return Err(Mismatch {
                    message,
                    note: "`reshape` keeps the number of elements".into(),
                    help: Some(format!("make the sizes multiply to {from}, for example `.reshape([{from}])`")),
                });
            }
        }
        Ok(typed)
    }

    fn tangent(&self, b: &mut Builder, _args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        dots[0].map(|dot| b.apply(Reshape { dims: self.dims.clone() }, &[dot]))
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        let dims = b.ty(args[0]).dims.clone();
        vec![Some(b.apply(Reshape { dims }, &[y_bar]))]
    }

    /// Axes that both shapes begin with are shared; of the rest, the loops run over the shape with more axes,
    /// and the other side's indices are computed from the position.
    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var> {
        let from = b.ty(args[0]).dims.clone();
        if from.is_empty() || ty.is_scalar() {
            let zero = b.dim(Dim::literal(0));
            let v = b.get(args[0], &vec![zero; from.len()]);
            if ty.is_scalar() {
                return Some(v);
            }
            let t = b.zero(ty.clone());
            return Some(b.set(t, v, &vec![zero; ty.rank()]));
        }
        let shared = from.iter().zip(&ty.dims).take_while(|(a, b)| a == b).count();
        let (fine, coarse) = if from.len() >= ty.rank() { (&from, &ty.dims) } else { (&ty.dims, &from) };
        let zero = b.zero(ty.clone());
        Some(
            b.nest(fine, &[zero], &mut |b, at, t| {
                let other = reindex(b, &fine[shared..], &coarse[shared..], &at[shared..]);
                let other = [&at[..shared], &other[..]].concat();
                let (read, write) = if from.len() >= ty.rank() { (at, &other[..]) } else { (&other[..], at) };
                let v = b.get(args[0], read);
                vec![b.set(t[0], v, write)]
            })[0],
        )
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        Some(Array { dims: dims.to_vec(), data: args[0].data.clone() })
    }
}

/// The index in `to` of the element that stands at `at` in `from`.
fn reindex(b: &mut Builder, from: &[Dim], to: &[Dim], at: &[Var]) -> Vec<Var> {
    let squeezed = |dims: &[Dim]| dims.iter().filter(|dim| !dim.is(1)).cloned().collect::<Vec<_>>();
    if squeezed(from) == squeezed(to) {
        let mut kept = from.iter().zip(at).filter(|(dim, _)| !dim.is(1)).map(|(_, at)| *at);
        let picked: Vec<Option<Var>> = to.iter().map(|dim| if dim.is(1) { None } else { kept.next() }).collect();
        return picked.into_iter().map(|at| at.unwrap_or_else(|| b.dim(Dim::literal(0)))).collect();
    }
    let mut position: Option<Var> = None;
    for (dim, at) in from.iter().zip(at) {
        position = Some(match position {
            None => *at,
            Some(position) => {
                let size = b.dim(dim.clone());
                let scaled = b.int(IntOp::Mul, position, size);
                b.int(IntOp::Add, scaled, *at)
            }
        });
    }
    let mut rest = position.unwrap_or_else(|| b.dim(Dim::literal(0)));
    let mut indices = Vec::new();
    for (axis, dim) in to.iter().enumerate().rev() {
        if axis == 0 {
            indices.push(rest);
        } else {
            let size = b.dim(dim.clone());
            indices.push(b.int(IntOp::Rem, rest, size));
            rest = b.int(IntOp::Div, rest, size);
        }
    }
    indices.reverse();
    indices
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    if let Some(parts) = attributes(text, "permute") {
        return Some(Rc::new(Permute { axes: parts.iter().filter_map(|part| part.parse().ok()).collect() }));
    }
    if let Some(parts) = attributes(text, "broadcast_to") {
        return Some(Rc::new(BroadcastTo { dims: parse_dims(&parts) }));
    }
    attributes(text, "reshape").map(|parts| Rc::new(Reshape { dims: parse_dims(&parts) }) as Rc<dyn Operator>)
}

/// Sizes in the text form.
#[cfg(test)]
pub fn parse_dims(parts: &[&str]) -> Vec<Dim> {
    parts.iter().map(|part| Dim::parse(part)).collect()
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    vec![
        sample("permute[1, 0]", &["f64[2, 3]"]),
        sample("permute[2, 0, 1]", &["f64[2, N, 4]"]),
        sample("permute[0, 2, 1]", &["f64[2, 1, 3]"]),
        sample("broadcast_to[2, 3]", &["f64[3]"]),
        sample("broadcast_to[2, 3]", &["f64"]),
        sample("broadcast_to[2, N, 4]", &["f64[N, 1]"]),
        sample("broadcast_to[1, 1]", &["f64[1]"]),
        sample("reshape[3, 4]", &["f64[2, 6]"]),
        sample("reshape[6]", &["f64[2, 3]"]),
        sample("reshape[2, 3]", &["f64[6]"]),
        sample("reshape[2, 1, 3]", &["f64[2, 3]"]),
        sample("reshape[3, 2]", &["f64[2, 3]"]),
        sample("reshape[2, 3, 1]", &["f64[2, 3]"]),
        sample("reshape[2, 2, 3]", &["f64[2, 6]"]),
        sample("reshape[2, 3, 4]", &["f64[6, 4]"]),
        sample("reshape[N * M]", &["f64[N, M]"]),
        sample("reshape[N, M]", &["f64[N * M]"]),
        sample("reshape[]", &["f64[1, 1]"]),
        sample("reshape[1, 1]", &["f64"]),
        sample("reshape[1]", &["f64[1, 1]"]),
    ]
}
