//! Products of stacks of matrices: the kernel of [`MatMul`] for every element of the batch.

use super::convolve::convolve;
use super::linalg::{MatMul, bilinear};
use super::{Class, Mismatch, NoTaylorRule, Operator, Typed};
#[cfg(test)]
use super::{Sample, view::parse_dims};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
#[cfg(test)]
use crate::ir::eval::{Array, indices};
pub use crate::ir::operator::{Batch, Follows};
use crate::ir::{Ty, Var};
use std::rc::Rc;

/// `batched[matmul| 2, 5| 0, _| 1| 0, 1]`: loops of 2 and 5 iterations; the first operand is `[2, 1, m, k]`, the
/// second `[5, k, n]`, the result `[2, 5, m, n]`.
#[derive(Clone, Debug)]
pub struct Batched {
    pub op: MatMul,
    pub batch: Batch,
}

impl Batched {
    /// The same loops with other matrices: `of` says which operands (2 is the result) are multiplied, and which one
    /// that gives.
    fn with(&self, op: MatMul, of: [usize; 3]) -> Batched {
        Batched { op, batch: Batch { dims: self.batch.dims.clone(), axes: of.map(|k| self.batch.axes[k].clone()) } }
    }
}

impl Operator for Batched {
    fn text(&self) -> String {
        let follows = |axes: &Follows| {
            let axes = axes.iter().map(|axis| axis.map_or("_".into(), |axis| axis.to_string()));
            axes.collect::<Vec<String>>().join(", ")
        };
        let Batch { dims, axes: [a, b, y] } = &self.batch;
        format!("batched[{}| {}| {}| {}| {}]", self.op.text(), super::list(dims), follows(a), follows(b), follows(y))
    }

    fn class(&self) -> Class {
        self.op.class()
    }

    fn batch(&self) -> Option<&Batch> {
        Some(&self.batch)
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let matrix = |ty: &Ty| Ty::tensor(ty.elem.clone(), ty.dims[ty.rank().saturating_sub(2)..].to_vec());
        let mut typed = self.op.result(&[matrix(&args[0]), matrix(&args[1])]).map_err(|mismatch| Mismatch {
            message: format!(
                "{} (the last two axes of {} and {})",
                mismatch.message,
                dim::show(&args[0].dims),
                dim::show(&args[1].dims)
            ),
            help: mismatch
                .help
                .and_then(|help| Some(help.split_once(", which is")?.0.replace(".t()", ".transpose(-2, -1)"))),
            note: mismatch.note,
        })?;
        let outer =
            self.batch.axes[2].iter().map(|axis| axis.map_or(Dim::literal(1), |axis| self.batch.dims[axis].clone()));
        typed.ty.dims = outer.chain(std::mem::take(&mut typed.ty.dims)).collect();
        Ok(typed)
    }

    fn tangent(&self, b: &mut Builder, args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        bilinear(b, args, dots, |b, x, y| b.apply(self.clone(), &[x, y]))
    }

    fn taylor(
        &self,
        b: &mut Builder,
        args: &[Var],
        y: Var,
        tails: &[Option<Var>],
    ) -> Result<Option<Var>, NoTaylorRule> {
        let Batch { dims, axes: [left, right, own] } = &self.batch;
        // A loop that the result does not follow is a sum, and so is that of the product.
        let summed = (0..dims.len()).filter(|k| !own.contains(&Some(*k))).collect::<Vec<_>>();
        let inner = b.ty(args[0]).rank() - 1 - usize::from(self.op.ta);
        let inner = b.ty(args[0]).dims[inner].clone();
        let terms: Vec<Dim> = summed.iter().map(|k| dims[*k].clone()).chain([inner]).collect();
        Ok(convolve(b, args, y, tails, &terms, &mut |b, at, term| {
            let (outer, matrix) = at.split_at(own.len());
            let index = |b: &mut Builder, axis: &Option<usize>| match axis {
                None => b.dim(Dim::literal(0)),
                Some(k) => match summed.iter().position(|other| other == k) {
                    Some(place) => term[place],
                    None => own.iter().zip(outer).find(|(axis, _)| **axis == Some(*k)).map_or(outer[0], |(_, i)| *i),
                },
            };
            let places = self.op.places([matrix[0], matrix[1]], term[summed.len()]);
            let mut in_batch = |axes: &Follows, place: &[Var]| {
                let outer: Vec<Var> = axes.iter().map(|axis| index(b, axis)).collect();
                [outer, place.to_vec()].concat()
            };
            [in_batch(left, &places[0]), in_batch(right, &places[1])]
        }))
    }

    /// As for a single product. An operand that is shared by the batch gets the sum.
    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>> {
        let MatMul { ta, tb } = self.op;
        let a_bar = wants[0].then(|| match ta {
            false => b.apply(self.with(MatMul { ta: false, tb: !tb }, [2, 1, 0]), &[y_bar, args[1]]),
            true => b.apply(self.with(MatMul { ta: tb, tb: true }, [1, 2, 0]), &[args[1], y_bar]),
        });
        let b_bar = wants[1].then(|| match tb {
            false => b.apply(self.with(MatMul { ta: !ta, tb: false }, [0, 2, 1]), &[args[0], y_bar]),
            true => b.apply(self.with(MatMul { ta: true, tb: ta }, [2, 0, 1]), &[y_bar, args[0]]),
        });
        vec![a_bar, b_bar]
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    /// Not where the result is a sum over a loop.
    fn sets(&self) -> bool {
        (0..self.batch.dims.len()).all(|axis| self.batch.axes[2].contains(&Some(axis)))
    }

    /// Operands whose matrices are transposed are read transposed.
    fn absorb(&self, sources: &[Option<(&dyn Operator, Var)>]) -> Option<(Rc<dyn Operator>, Vec<Option<Var>>)> {
        let transposed: Vec<Option<Var>> = (0..2)
            .map(|k| {
                let outer = self.batch.axes[k].len();
                let axes: Vec<usize> = (0..outer).chain([outer + 1, outer]).collect();
                let text = format!("permute[{}]", super::list(&axes));
                sources[k].filter(|(op, _)| op.text() == text).map(|(_, x)| x)
            })
            .collect();
        let op = MatMul { ta: self.op.ta != transposed[0].is_some(), tb: self.op.tb != transposed[1].is_some() };
        let op = Batched { op, batch: self.batch.clone() };
        transposed.iter().any(Option::is_some).then(|| (Rc::new(op) as Rc<dyn Operator>, transposed))
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        let mut result = Array::from_fn(dims, |_| 0.0);
        let counts = self.counts(args, dims);
        let part = |array: &Array, k: usize, at: &[usize]| {
            let at: Vec<usize> = self.batch.axes[k].iter().map(|axis| axis.map_or(0, |axis| at[axis])).collect();
            let inner = array.dims[at.len()..].to_vec();
            (Array::from_fn(&inner, |rest| array.at(&[&at, rest].concat())), at)
        };
        for at in indices(&counts) {
            let (x, y) = (part(&args[0], 0, &at).0, part(&args[1], 1, &at).0);
            let (old, place) = part(&result, 2, &at);
            let product = self.op.eval(&[x, y], &old.dims)?;
            for rest in indices(&old.dims) {
                *result.at_mut(&[&place[..], &rest].concat()) += product.at(&rest);
            }
        }
        Some(result)
    }
}

#[cfg(test)]
impl Batched {
    /// How often each loop runs, from what follows it.
    fn counts(&self, args: &[Array], dims: &[usize]) -> Vec<usize> {
        let shapes = [&args[0].dims[..], &args[1].dims, dims];
        (0..self.batch.dims.len())
            .map(|l| {
                let sizes = self.batch.axes.iter().zip(shapes).flat_map(|(axes, shape)| axes.iter().zip(shape));
                sizes
                    .filter(|(axis, _)| **axis == Some(l))
                    .map(|(_, size)| *size)
                    .max()
                    .expect("a loop that something follows")
            })
            .collect()
    }
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    let inner = text.strip_prefix("batched[")?.strip_suffix(']')?;
    let parts: Vec<Vec<&str>> =
        inner.split('|').map(|part| part.split(',').map(str::trim).filter(|part| !part.is_empty()).collect()).collect();
    let [op, dims, a, b, y] = &parts[..] else { return None };
    let follows = |part: &Vec<&str>| part.iter().map(|axis| axis.parse().ok()).collect();
    let batch = Batch { dims: parse_dims(dims), axes: [follows(a), follows(b), follows(y)] };
    Some(Rc::new(Batched { op: MatMul::named(op.first()?)?, batch }))
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    use super::sample;
    vec![
        sample("batched[matmul| 2| 0| 0| 0]", &["f64[2, 3, 4]", "f64[2, 4, 2]"]),
        sample("batched[matmul| 2| 0| 0| 0]", &["f64[2, 3, 3]", "f64[2, 3, 3]"]),
        sample("batched[matmul| 2| 0| | 0]", &["f64[2, 3, 4]", "f64[4, 2]"]),
        sample("batched[matmul| 2, N| 0, _| 1| 0, 1]", &["f64[2, 1, 3, M]", "f64[N, M, 2]"]),
        sample("batched[matmul_nt| 2| 0| 0| ]", &["f64[2, 3, 4]", "f64[2, 2, 4]"]),
        sample("batched[matmul_tn| N| | 0| 0]", &["f64[4, 3]", "f64[N, 4, 2]"]),
        sample("batched[matmul_tt| 2| 0| 0| 0]", &["f64[2, 4, 3]", "f64[2, 2, 4]"]),
    ]
}
