//! Eigenvalues and eigenvectors of symmetric matrices, and singular values. Kernels: `autodiff_core::kernel::{eigvalsh, …}`.
//!
//! The derivatives are identities of matrices (Giles, Collected matrix derivative results for forward and reverse mode algorithmic
//! differentiation, 2008; Townsend, Differentiating the singular value decomposition, 2016), made of the operators here and of
//! products. How vectors turn has the differences of eigenvalues as divisors: see [`GapQuotients`].

use super::composite::sum;
use super::elementwise as rows;
use super::linalg::MatMul;
use super::method::at_most_or;
use super::solve::{NN, NT, TN, square, symmetric, transpose};
use super::view::reshape;
use super::{Class, Mismatch, Operator, Typed};
#[cfg(test)]
use super::{Sample, sample};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
#[cfg(test)]
use crate::ir::eval::Array;
use crate::ir::{Ty, Var};
#[cfg(test)]
use std::rc::Rc;

#[cfg(test)]
mod reference;

/// Operators of the symmetric part of a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetric {
    /// The eigenvalues.
    Values(Order),
    /// The eigenvectors, in columns.
    Vectors(Order),
}

/// In which order eigenvalues are, and of which sign their vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Ascending,
    /// As nalgebra computes them, so that values are those of the user's function.
    Nalgebra,
}

/// The sum of each column, as a vector.
fn sum_of_columns(b: &mut Builder, x: Var) -> Var {
    sum(b, x, &[0], false)
}

/// A row and a column with the elements of a vector.
fn row_and_column(b: &mut Builder, x: Var) -> [Var; 2] {
    let n = b.ty(x).dims[0].clone();
    [vec![Dim::literal(1), n.clone()], vec![n, Dim::literal(1)]].map(|dims| reshape(b, x, dims))
}

/// left · x · right
fn between(b: &mut Builder, (left, first): (Var, MatMul), x: Var, (second, right): (MatMul, Var)) -> Var {
    let product = b.apply(first, &[left, x]);
    b.apply(second, &[product, right])
}

impl Symmetric {
    #[cfg(test)]
    const ALL: [Symmetric; 4] = {
        use Order::{Ascending, Nalgebra};
        use Symmetric::{Values, Vectors};
        [Values(Ascending), Vectors(Ascending), Values(Nalgebra), Vectors(Nalgebra)]
    };

    fn name(self) -> &'static str {
        match self {
            Symmetric::Values(Order::Ascending) => "eigvalsh",
            Symmetric::Vectors(Order::Ascending) => "eigvecsh",
            Symmetric::Values(Order::Nalgebra) => "symmetric_eigenvalues",
            Symmetric::Vectors(Order::Nalgebra) => "symmetric_eigenvectors",
        }
    }
}

impl Operator for Symmetric {
    fn text(&self) -> String {
        self.name().into()
    }

    fn noun(&self) -> &'static str {
        match self {
            Symmetric::Values(_) => "values",
            Symmetric::Vectors(_) => "vectors",
        }
    }

    fn class(&self) -> Class {
        Class::Kernel(self.name())
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        // Users write `eigh` for both.
        let note = || "eigenvalues are those of a square matrix".into();
        let mut typed =
            square(&args[0], "eigh", "take the eigenvalues of").map_err(|error| Mismatch { note: note(), ..error })?;
        if let Symmetric::Values(_) = self {
            typed.ty.dims.truncate(1);
        }
        Ok(typed)
    }

    fn tangent(&self, b: &mut Builder, args: &[Var], y: Var, dots: &[Option<Var>]) -> Option<Var> {
        let dot = dots[0]?;
        Some(match self {
            // ẇ = diag(Vᵀ·Ȧ·V)
            Symmetric::Values(order) => {
                let vectors = b.apply(Symmetric::Vectors(*order), args);
                let moved = b.apply(NN, &[dot, vectors]);
                let products = b.mul(vectors, moved);
                sum_of_columns(b, products)
            }
            // V̇ = V·(F ∘ Vᵀ·sym(Ȧ)·V)
            Symmetric::Vectors(order) => {
                let values = b.apply(Symmetric::Values(*order), args);
                let dot = symmetric(b, dot);
                let inside = between(b, (y, TN), dot, (NN, y));
                let turned = b.apply(GapQuotients, &[inside, values]);
                b.apply(NN, &[y, turned])
            }
        })
    }

    fn adjoint(&self, b: &mut Builder, args: &[Var], y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        let a_bar = match self {
            // Ā = V·diag(w̄)·Vᵀ
            Symmetric::Values(order) => {
                let vectors = b.apply(Symmetric::Vectors(*order), args);
                let scaled = b.mul(vectors, y_bar);
                b.apply(NT, &[scaled, vectors])
            }
            // Ā = sym(V·(F ∘ Vᵀ·V̄)·Vᵀ)
            Symmetric::Vectors(order) => {
                let values = b.apply(Symmetric::Values(*order), args);
                let inside = b.apply(TN, &[y, y_bar]);
                let turned = b.apply(GapQuotients, &[inside, values]);
                let whole = between(b, (y, NN), turned, (NT, y));
                symmetric(b, whole)
            }
        };
        vec![Some(a_bar)]
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], _dims: &[usize]) -> Option<Array> {
        let (values, vectors) = reference::eigen(&args[0]);
        Some(if let Symmetric::Values(_) = self { values } else { vectors })
    }
}

/// `gap_quotients`: F ∘ S with Fᵢⱼ = 1/(wⱼ − wᵢ) off the diagonal and 0 on it, of `[n, n], [n]`.
///
/// Where two of `w` are equal up to rounding there is no value, and it is NaN. But a column of S that is zero stays so: what does
/// not depend on an eigenvector does not depend on its eigenvalue's neighbours.
#[derive(Clone, Copy, Debug)]
pub struct GapQuotients;

impl Operator for GapQuotients {
    fn text(&self) -> String {
        "gap_quotients".into()
    }

    fn noun(&self) -> &'static str {
        "quotients"
    }

    fn class(&self) -> Class {
        Class::Kernel("gap_quotients")
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        square(&args[0], "gap_quotients", "take the quotients of")
    }

    /// Q̇ = F ∘ (Ṡ − Q ∘ (ẇⱼ − ẇᵢ))
    fn tangent(&self, b: &mut Builder, args: &[Var], y: Var, dots: &[Option<Var>]) -> Option<Var> {
        let moved = dots[1].map(|dot| {
            let [row, column] = row_and_column(b, dot);
            let gaps = b.map(&rows::sub, &[row, column]);
            b.mul(y, gaps)
        });
        let side = match (dots[0], moved) {
            (Some(dot), Some(moved)) => b.map(&rows::sub, &[dot, moved]),
            (None, Some(moved)) => b.map(&rows::neg, &[moved]),
            (dot, None) => dot?,
        };
        Some(b.apply(GapQuotients, &[side, args[1]]))
    }

    /// S̄ = F ∘ Q̄, w̄ᵢ = Σⱼ (S̄ ∘ Q)ᵢⱼ − (S̄ ∘ Q)ⱼᵢ
    fn adjoint(&self, b: &mut Builder, args: &[Var], y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>> {
        let s_bar = b.apply(GapQuotients, &[y_bar, args[1]]);
        let w_bar = wants[1].then(|| {
            let products = b.mul(s_bar, y);
            let of_rows = sum(b, products, &[1], false);
            let of_columns = sum_of_columns(b, products);
            b.map(&rows::sub, &[of_rows, of_columns])
        });
        vec![wants[0].then_some(s_bar), w_bar]
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        Some(Array::from_fn(dims, |at| {
            if at[0] == at[1] { 0.0 } else { args[0].at(at) / (args[1].at(&at[1..]) - args[1].at(&at[..1])) }
        }))
    }
}

/// Operators of any matrix: `[m, n] -> [k]`, `[m, k]`, `[n, k]`, where k is the smaller size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Singular {
    /// The singular values, descending.
    Values,
    /// The left singular vectors U, in columns.
    Left,
    /// The right singular vectors V.
    Right,
}

impl Singular {
    #[cfg(test)]
    const ALL: [Singular; 3] = [Singular::Values, Singular::Left, Singular::Right];

    fn name(self) -> &'static str {
        match self {
            Singular::Values => "singular_values",
            Singular::Left => "singular_left",
            Singular::Right => "singular_right",
        }
    }

    /// The vectors of this side and of the other one.
    fn sides(self, b: &mut Builder, args: &[Var], y: Var) -> (Var, Var) {
        match self {
            Singular::Left => (y, b.apply(Singular::Right, args)),
            _ => (y, b.apply(Singular::Left, args)),
        }
    }

    /// A matrix that has this side in its rows, of one that has the left side there; and back.
    fn facing(self, b: &mut Builder, x: Var) -> Var {
        if self == Singular::Left { x } else { transpose(b, x) }
    }
}

/// x / s of each column.
fn over(b: &mut Builder, x: Var, values: Var) -> Var {
    b.map(&rows::div, &[x, values])
}

/// Xᵢⱼ / (sⱼ² − sᵢ²), as (Xᵢⱼ / (sᵢ + sⱼ)) / (sⱼ − sᵢ), off the diagonal.
fn over_squares(b: &mut Builder, x: Var, values: Var) -> Var {
    let [row, column] = row_and_column(b, values);
    let sums = b.add(row, column);
    let x = b.map(&rows::div, &[x, sums]);
    b.apply(GapQuotients, &[x, values])
}

/// What is orthogonal to `vectors`: x − U·(Uᵀ·x), where `inside` is Uᵀ·x; none where they span everything.
fn outside(b: &mut Builder, vectors: Var, x: Var, inside: Var) -> Option<Var> {
    let dims = &b.ty(vectors).dims;
    (dims[0] != dims[1]).then(|| {
        let part = b.apply(NN, &[vectors, inside]);
        b.map(&rows::sub, &[x, part])
    })
}

impl Operator for Singular {
    fn text(&self) -> String {
        self.name().into()
    }

    fn noun(&self) -> &'static str {
        match self {
            Singular::Values => "values",
            _ => "vectors",
        }
    }

    fn class(&self) -> Class {
        Class::Kernel(self.name())
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let [m, n] = &args[0].dims[..] else {
            let message =
                format!("cannot take the singular values of {}: wrong number of axes", dim::show(&args[0].dims));
            return Err(Mismatch { message, note: "singular values are of a matrix".into(), help: None });
        };
        let mut typed = Typed::from(args[0].clone());
        // Of sizes that only rustc compares, the second one has to be the smaller.
        let message = format!(
            "the singular values of {} are {n}, unless {m} is smaller: write `.t().singular_values()` then",
            dim::show(&args[0].dims)
        );
        let smaller = match m.minus(n).is_size() {
            Some(true) => n,
            Some(false) => m,
            None => {
                typed.equal.push(at_most_or(n, m, message));
                n
            }
        };
        typed.ty.dims = match self {
            Singular::Values => vec![smaller.clone()],
            Singular::Left => vec![m.clone(), smaller.clone()],
            Singular::Right => vec![n.clone(), smaller.clone()],
        };
        Ok(typed)
    }

    fn tangent(&self, b: &mut Builder, args: &[Var], y: Var, dots: &[Option<Var>]) -> Option<Var> {
        let dot = dots[0]?;
        if *self == Singular::Values {
            // ṡ = diag(Uᵀ·Ȧ·V)
            let (left, right) = (b.apply(Singular::Left, args), b.apply(Singular::Right, args));
            let moved = b.apply(NN, &[dot, right]);
            let products = b.mul(left, moved);
            return Some(sum_of_columns(b, products));
        }
        // U̇ = U·(F ∘ (P·S + S·Pᵀ)) + (1 − U·Uᵀ)·Ȧ·V·S⁻¹ with P = Uᵀ·Ȧ·V and Fᵢⱼ = 1/(sⱼ² − sᵢ²)
        let (own, other) = self.sides(b, args, y);
        let values = b.apply(Singular::Values, args);
        let dot = self.facing(b, dot);
        let moved = b.apply(NN, &[dot, other]);
        let inside = b.apply(TN, &[own, moved]);
        let scaled = b.mul(inside, values);
        let turned = transpose(b, scaled);
        let both = b.add(scaled, turned);
        let turned = over_squares(b, both, values);
        let turned = b.apply(NN, &[own, turned]);
        Some(match outside(b, own, moved, inside) {
            Some(outside) => {
                let outside = over(b, outside, values);
                b.add(turned, outside)
            }
            None => turned,
        })
    }

    fn adjoint(&self, b: &mut Builder, args: &[Var], y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        if *self == Singular::Values {
            // Ā = U·diag(s̄)·Vᵀ
            let (left, right) = (b.apply(Singular::Left, args), b.apply(Singular::Right, args));
            let scaled = b.mul(left, y_bar);
            return vec![Some(b.apply(NT, &[scaled, right]))];
        }
        // Ā = (U·(X + Xᵀ)·S + (1 − U·Uᵀ)·Ū·S⁻¹)·Vᵀ with X = F ∘ Uᵀ·Ū
        let (own, other) = self.sides(b, args, y);
        let values = b.apply(Singular::Values, args);
        let inside = b.apply(TN, &[own, y_bar]);
        let quotients = over_squares(b, inside, values);
        let turned = transpose(b, quotients);
        let both = b.add(quotients, turned);
        let scaled = b.mul(both, values);
        let mut side = b.apply(NN, &[own, scaled]);
        if let Some(outside) = outside(b, own, y_bar, inside) {
            let outside = over(b, outside, values);
            side = b.add(side, outside);
        }
        let whole = b.apply(NT, &[side, other]);
        vec![Some(self.facing(b, whole))]
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], _dims: &[usize]) -> Option<Array> {
        let (values, left, right) = reference::singular(&args[0]);
        Some(match self {
            Singular::Values => values,
            Singular::Left => left,
            Singular::Right => right,
        })
    }
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    if let Some(op) = Symmetric::ALL.into_iter().find(|op| op.name() == text) {
        return Some(Rc::new(op));
    }
    if let Some(op) = Singular::ALL.into_iter().find(|op| op.name() == text) {
        return Some(Rc::new(op));
    }
    (text == GapQuotients.text()).then(|| Rc::new(GapQuotients) as Rc<dyn Operator>)
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    for op in Symmetric::ALL.map(Symmetric::name).into_iter().chain(Singular::ALL.map(Singular::name)) {
        samples.push(sample(op, &["f64[3, 3]"]));
        samples.push(sample(op, &["f64[M, M]"]));
        samples.push(sample(op, &["f64[1, 1]"]));
    }
    for op in Singular::ALL {
        samples.push(sample(op.name(), &["f64[3, 2]"]));
        samples.push(sample(op.name(), &["f64[2, 3]"]));
        samples.push(sample(op.name(), &["f64[N, M]"]));
    }
    samples.push(sample("gap_quotients", &["f64[3, 3]", "f64[3]"]));
    samples
}
