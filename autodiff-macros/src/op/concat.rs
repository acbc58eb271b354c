//! `concat[axis]`: tensors one after the other along an axis.

use super::nest::{affine, gather};
use super::{Class, Mismatch, Operator, Typed};
#[cfg(test)]
use super::{Sample, attributes, sample};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Comparison, Dim};
#[cfg(test)]
use crate::ir::eval::{Array, indices};
use crate::ir::{Ty, Var};
#[cfg(test)]
use std::rc::Rc;

/// It has a derivative of its own because loops that each fill a part of an array would in reverse clear that part
/// of the array's cotangent, which nothing reads again.
#[derive(Debug)]
pub struct Concat {
    pub axis: usize,
}

impl Concat {
    /// Where each part starts.
    fn starts<'t>(&self, parts: impl Iterator<Item = &'t Ty>) -> Vec<Dim> {
        let mut start = Dim::literal(0);
        parts
            .map(|ty| {
                let end = start.plus(&ty.dims[self.axis]);
                std::mem::replace(&mut start, end)
            })
            .collect()
    }
}

impl Operator for Concat {
    fn text(&self) -> String {
        format!("concat[{}]", self.axis)
    }

    fn class(&self) -> Class {
        Class::View
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let mut typed = Typed::from(args[0].clone());
        let axis = self.axis;
        for part in &args[1..] {
            let message = format!(
                "cannot concatenate {} and {} along axis {axis}",
                dim::show(&args[0].dims),
                dim::show(&part.dims)
            );
            let refuse = |what: String| Mismatch {
                message: format!("{message}: {what}"),
                note: "`concat` takes tensors whose sizes agree, but for the axis along which it puts them".into(),
                help: None,
            };
            if part.rank() != args[0].rank() {
                return Err(refuse(format!(
                    "{} and {} differ",
                    super::method::counted(args[0].rank(), "axis"),
                    part.rank()
                )));
            }
            for (k, (left, right)) in args[0].dims.iter().zip(&part.dims).enumerate().filter(|(k, _)| *k != axis) {
                let mismatch = refuse(format!("sizes {left} and {right} of axis {k} differ"));
                match left.compare(right) {
                    Comparison::Equal => {}
                    Comparison::Different => {
                        let fits = fitting_axis(&args[0].dims, &part.dims);
                        let help = fits.map(|fits| format!("they fit along axis {fits}"));
                        return Err(Mismatch { help, ..mismatch });
                    }
                    Comparison::Unknown => typed.equal.push((left.clone(), right.clone(), mismatch.message)),
                }
            }
            typed.ty.dims[axis] = typed.ty.dims[axis].plus(&part.dims[axis]);
        }
        Ok(typed)
    }

    fn tangent(&self, b: &mut Builder, args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        dots.iter().any(Option::is_some).then(|| {
            let parts: Vec<Var> = args
                .iter()
                .zip(dots)
                .map(|(arg, dot)| {
                    let ty = b.ty(*arg).clone();
                    dot.unwrap_or_else(|| b.zero(ty))
                })
                .collect();
            b.apply(Concat { axis: self.axis }, &parts)
        })
    }

    fn is_linear(&self) -> bool {
        true
    }

    /// To each part its part of the cotangent.
    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>> {
        let tys: Vec<Ty> = args.iter().map(|arg| b.ty(*arg).clone()).collect();
        let starts = self.starts(tys.iter());
        let parts = tys.iter().zip(&starts).zip(wants);
        parts
            .map(|((ty, start), wanted)| {
                wanted.then(|| gather(b, y_bar, &ty.dims, &mut |b, at| self.place(b, &ty.dims[self.axis], start, at)))
            })
            .collect()
    }

    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var> {
        let tys: Vec<Ty> = args.iter().map(|arg| b.ty(*arg).clone()).collect();
        let starts = self.starts(tys.iter());
        let zero = b.zero(ty.clone());
        Some(args.iter().zip(&tys).zip(&starts).fold(zero, |whole, ((part, ty), start)| {
            b.nest(&ty.dims, &[whole], &mut |b, at, t| {
                let v = b.get(*part, at);
                let to = self.place(b, &ty.dims[self.axis], start, at);
                vec![b.set(t[0], v, &to)]
            })[0]
        }))
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        let mut whole = Array::from_fn(dims, |_| 0.0);
        let mut start = 0;
        for part in args {
            for mut at in indices(&part.dims) {
                let v = part.at(&at);
                at[self.axis] += start;
                *whole.at_mut(&at) = v;
            }
            start += part.dims[self.axis];
        }
        Some(whole)
    }
}

impl Concat {
    /// Where the place `at` of a part of this size is in the whole.
    fn place(&self, b: &mut Builder, size: &Dim, start: &Dim, at: &[Var]) -> Vec<Var> {
        let mut to = at.to_vec();
        to[self.axis] =
            if size.is(1) { b.dim(start.clone()) } else { affine(b, at[self.axis], &Dim::literal(1), start) };
        to
    }
}

/// The only axis at which two shapes differ.
fn fitting_axis(a: &[Dim], b: &[Dim]) -> Option<usize> {
    let mut differ = (0..a.len()).filter(|k| a[*k].compare(&b[*k]) != Comparison::Equal);
    differ.next().filter(|_| differ.next().is_none())
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    let parts = attributes(text, "concat")?;
    Some(Rc::new(Concat { axis: parts.first()?.parse().ok()? }))
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    vec![
        sample("concat[0]", &["f64[2]", "f64[3]"]),
        sample("concat[0]", &["f64[2, 3]", "f64[2, 3]"]),
        sample("concat[1]", &["f64[2, 1]", "f64[2, 3]", "f64[2, N]"]),
        sample("concat[1]", &["f64[2, N, 3]", "f64[2, M, 3]"]),
        sample("concat[2]", &["f64[2, N, 1]", "f64[2, N, 1]"]),
    ]
}
