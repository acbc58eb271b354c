//! Solutions of linear equations, inverses, determinants and the Cholesky factor. Kernels: `autodiff_core::kernel::{solve, …}`.
//!
//! The derivatives are identities of matrices; no factorisation is differentiated. They are made of the operators here and of
//! products, so that derivatives of every order are.

use super::composite::sum;
use super::elementwise as rows;
use super::linalg::{MatMul, MatVec, Outer};
use super::view::{Permute, reshape};
use super::{Class, Mismatch, Operator, Typed};
#[cfg(test)]
use super::{Sample, sample};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Comparison, Dim};
#[cfg(test)]
use crate::ir::eval::Array;
use crate::ir::{Ty, Var};
use std::rc::Rc;

#[cfg(test)]
mod reference;

/// Which elements of a matrix an operator reads; the others count as 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Whole,
    Lower,
    Upper,
}

impl Part {
    /// The same elements of the transpose.
    fn transposed(self) -> Part {
        match self {
            Part::Whole => Part::Whole,
            Part::Lower => Part::Upper,
            Part::Upper => Part::Lower,
        }
    }

    fn of(self, b: &mut Builder, x: Var) -> Var {
        match self {
            Part::Whole => x,
            Part::Lower => b.apply(Triangle::Lower, &[x]),
            Part::Upper => b.apply(Triangle::Upper, &[x]),
        }
    }
}

/// `solve` (A⁻¹·b) and `solve_t` (A⁻ᵀ·b), also with a triangle of A: `[n, n], [n] -> [n]` or `[n, n], [n, k] -> [n, k]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solve {
    pub part: Part,
    pub t: bool,
}

impl Solve {
    fn name(self) -> &'static str {
        match (self.part, self.t) {
            (Part::Whole, false) => "solve",
            (Part::Whole, true) => "solve_t",
            (Part::Lower, false) => "solve_lower",
            (Part::Lower, true) => "solve_lower_t",
            (Part::Upper, false) => "solve_upper",
            (Part::Upper, true) => "solve_upper_t",
        }
    }

    #[cfg(test)]
    fn all() -> impl Iterator<Item = Solve> {
        let parts = [Part::Whole, Part::Lower, Part::Upper];
        parts.into_iter().flat_map(|part| [false, true].map(|t| Solve { part, t }))
    }

    /// How users write it.
    fn method(self) -> &'static str {
        match self.part {
            Part::Whole => "solve",
            Part::Lower => "solve_triangular",
            Part::Upper => "solve_triangular_upper",
        }
    }
}

/// Requires a square matrix. `what` is done to it: "invert".
pub(super) fn square(a: &Ty, method: &str, what: &str) -> Result<Typed, Mismatch> {
    let note = format!("`{method}` takes a square matrix");
    let [rows, columns] = &a.dims[..] else {
        let message = format!("cannot {what} {}: wrong number of axes", dim::show(&a.dims));
        return Err(Mismatch { message, note, help: None });
    };
    let message = format!("cannot {what} {}: sizes {rows} and {columns} differ", dim::show(&a.dims));
    let mut typed = Typed::from(a.clone());
    match rows.compare(columns) {
        Comparison::Equal => {}
        Comparison::Unknown => typed.equal.push((rows.clone(), columns.clone(), message)),
        Comparison::Different => return Err(Mismatch { message, note, help: None }),
    }
    Ok(typed)
}

impl Operator for Solve {
    fn text(&self) -> String {
        self.name().into()
    }

    fn noun(&self) -> &'static str {
        "solution"
    }

    fn class(&self) -> Class {
        Class::Kernel(self.name())
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let mut typed = square(&args[0], self.method(), "solve with the matrix")?;
        let (a, b) = (dim::show(&args[0].dims), dim::show(&args[1].dims));
        let note = format!("`{}` takes a square matrix [n, n] and a right-hand side [n] or [n, k]", self.method());
        let ([n, ..], [rows] | [rows, _]) = (&args[0].dims[..], &args[1].dims[..]) else {
            let message = format!("cannot solve with the matrix {a} for {b}: wrong number of axes");
            return Err(Mismatch { message, note, help: None });
        };
        let message = format!("cannot solve with the matrix {a} for {b}: rows {n} and {rows} differ");
        match n.compare(rows) {
            Comparison::Equal => {}
            Comparison::Unknown => typed.equal.push((n.clone(), rows.clone(), message)),
            Comparison::Different => {
                let columns = matches!(&args[1].dims[..], [_, columns] if n.compare(columns) == Comparison::Equal);
                let help = columns.then(|| format!("write `{{0}}.{}({{1}}.t())`", self.method()));
                return Err(Mismatch { message, note, help });
            }
        }
        typed.ty = Ty::tensor(args[0].elem.clone(), args[1].dims.clone());
        Ok(typed)
    }

    /// Ẋ = A⁻¹·(Ḃ − Ȧ·X)
    fn tangent(&self, b: &mut Builder, args: &[Var], y: Var, dots: &[Option<Var>]) -> Option<Var> {
        let moved = dots[0].map(|dot| {
            let dot = self.part.of(b, dot);
            match b.ty(y).rank() {
                1 => b.apply(MatVec { t: self.t }, &[dot, y]),
                _ => b.apply(MatMul { ta: self.t, tb: false }, &[dot, y]),
            }
        });
        let side = match (dots[1], moved) {
            (Some(dot), Some(moved)) => b.map(&rows::sub, &[dot, moved]),
            (None, Some(moved)) => b.map(&rows::neg, &[moved]),
            (dot, None) => dot?,
        };
        Some(b.apply(*self, &[args[0], side]))
    }

    /// B̄ = A⁻ᵀ·X̄,  Ā = −B̄·Xᵀ
    fn adjoint(&self, b: &mut Builder, args: &[Var], y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>> {
        let side = b.apply(Solve { t: !self.t, ..*self }, &[args[0], y_bar]);
        let a_bar = wants[0].then(|| {
            let pair = if self.t { [y, side] } else { [side, y] };
            let product = match b.ty(y).rank() {
                1 => b.apply(Outer, &pair),
                _ => b.apply(MatMul { ta: false, tb: true }, &pair),
            };
            let product = self.part.of(b, product);
            b.map(&rows::neg, &[product])
        });
        vec![a_bar, wants[1].then_some(side)]
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    /// A transposed matrix is read transposed.
    fn absorb(&self, sources: &[Option<(&dyn Operator, Var)>]) -> Option<(Rc<dyn Operator>, Vec<Option<Var>>)> {
        let (_, a) = sources[0].filter(|(op, _)| op.text() == "permute[1, 0]")?;
        Some((Rc::new(Solve { part: self.part.transposed(), t: !self.t }), vec![Some(a), None]))
    }

    #[cfg(test)]
    fn is_tried_far_from_singular(&self) -> bool {
        true
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], _dims: &[usize]) -> Option<Array> {
        let n = args[0].dims[0];
        let a = Array::from_fn(&[n, n], |at| {
            let read = match self.part {
                Part::Whole => true,
                Part::Lower => at[0] >= at[1],
                Part::Upper => at[0] <= at[1],
            };
            if read { args[0].at(at) } else { 0.0 }
        });
        let a = if self.t { Array::from_fn(&[n, n], |at| a.at(&[at[1], at[0]])) } else { a };
        Some(reference::solve(&a, &args[1]))
    }
}

/// Operators of one square matrix, and what they give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Square {
    /// A⁻¹
    Inverse,
    /// det A, as `[1]`
    Det,
    /// ln |det A|, as `[1]`
    LnDet,
    /// The gradient of det A.
    Cofactors,
    /// The lower triangular L with L·Lᵀ = (A + Aᵀ)/2.
    Cholesky,
}

impl Square {
    #[cfg(test)]
    const ALL: [Square; 5] = [Square::Inverse, Square::Det, Square::LnDet, Square::Cofactors, Square::Cholesky];

    fn name(self) -> &'static str {
        match self {
            Square::Inverse => "inverse",
            Square::Det => "det",
            Square::LnDet => "ln_det",
            Square::Cofactors => "cofactors",
            Square::Cholesky => "cholesky",
        }
    }

    /// What it does, for messages.
    fn verb(self) -> &'static str {
        match self {
            Square::Inverse => "invert",
            Square::Det | Square::LnDet => "take the determinant of",
            Square::Cofactors => "take the cofactors of",
            Square::Cholesky => "take the Cholesky factor of",
        }
    }
}

pub(super) const NN: MatMul = MatMul { ta: false, tb: false };
pub(super) const NT: MatMul = MatMul { ta: false, tb: true };
pub(super) const TN: MatMul = MatMul { ta: true, tb: false };
const LOWER: Solve = Solve { part: Part::Lower, t: false };
const LOWER_T: Solve = Solve { part: Part::Lower, t: true };

pub(super) fn transpose(b: &mut Builder, x: Var) -> Var {
    b.apply(Permute { axes: vec![1, 0] }, &[x])
}

/// (X + Xᵀ)/2
pub(super) fn symmetric(b: &mut Builder, x: Var) -> Var {
    let half = b.constant(&b.ty(x).elem.clone(), 0.5);
    let t = transpose(b, x);
    let both = b.add(x, t);
    b.mul(half, both)
}

/// ⟨X, Y⟩ as `[1]`
fn inner(b: &mut Builder, x: Var, y: Var) -> Var {
    let product = b.mul(x, y);
    let total = sum(b, product, &[0, 1], true);
    reshape(b, total, vec![Dim::literal(1)])
}

impl Operator for Square {
    fn text(&self) -> String {
        self.name().into()
    }

    fn noun(&self) -> &'static str {
        match self {
            Square::Cholesky => "factor",
            _ => self.name(),
        }
    }

    fn class(&self) -> Class {
        Class::Kernel(self.name())
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let mut typed = square(&args[0], self.name(), self.verb())?;
        if let Square::Det | Square::LnDet = self {
            typed.ty.dims = vec![Dim::literal(1)];
        }
        Ok(typed)
    }

    fn tangent(&self, b: &mut Builder, args: &[Var], y: Var, dots: &[Option<Var>]) -> Option<Var> {
        let dot = dots[0]?;
        Some(match self {
            // Ẏ = −Y·Ȧ·Y
            Square::Inverse => {
                let left = b.apply(NN, &[y, dot]);
                let product = b.apply(NN, &[left, y]);
                b.map(&rows::neg, &[product])
            }
            // ẏ = ⟨cof A, Ȧ⟩
            Square::Det => {
                let cofactors = b.apply(Square::Cofactors, args);
                inner(b, cofactors, dot)
            }
            // ẏ = ⟨A⁻ᵀ, Ȧ⟩
            Square::LnDet => {
                let inverse = b.apply(Square::Inverse, args);
                let inverse = transpose(b, inverse);
                inner(b, inverse, dot)
            }
            Square::Cofactors => b.apply(CofactorsAlong, &[args[0], dot]),
            // L̇ = L·Φ(L⁻¹·Ȧ·L⁻ᵀ)
            Square::Cholesky => {
                let dot = symmetric(b, dot);
                let left = b.apply(LOWER, &[y, dot]);
                let left = transpose(b, left);
                let both = b.apply(LOWER, &[y, left]);
                let triangle = b.apply(Triangle::LowerHalf, &[both]);
                b.apply(NN, &[y, triangle])
            }
        })
    }

    fn adjoint(&self, b: &mut Builder, args: &[Var], y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        let a_bar = match self {
            // Ā = −Yᵀ·Ȳ·Yᵀ
            Square::Inverse => {
                let left = b.apply(TN, &[y, y_bar]);
                let product = b.apply(NT, &[left, y]);
                b.map(&rows::neg, &[product])
            }
            // Ā = ȳ·cof A
            Square::Det => {
                let cofactors = b.apply(Square::Cofactors, args);
                b.mul(y_bar, cofactors)
            }
            // Ā = ȳ·A⁻ᵀ
            Square::LnDet => {
                let inverse = b.apply(Square::Inverse, args);
                let inverse = transpose(b, inverse);
                b.mul(y_bar, inverse)
            }
            // The second derivative of the determinant is symmetric.
            Square::Cofactors => b.apply(CofactorsAlong, &[args[0], y_bar]),
            // Ā = sym(L⁻ᵀ·Φ(Lᵀ·L̄)·L⁻¹), after Murray
            Square::Cholesky => {
                let product = b.apply(TN, &[y, y_bar]);
                let triangle = b.apply(Triangle::LowerHalf, &[product]);
                let left = b.apply(LOWER_T, &[y, triangle]);
                let left = transpose(b, left);
                let both = b.apply(LOWER_T, &[y, left]);
                symmetric(b, both)
            }
        };
        vec![Some(a_bar)]
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    #[cfg(test)]
    fn is_tried_far_from_singular(&self) -> bool {
        true
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        let a = &args[0];
        Some(match self {
            Square::Inverse => reference::solve(a, &Array::from_fn(dims, |at| if at[0] == at[1] { 1.0 } else { 0.0 })),
            Square::Det => Array::filled(dims, reference::det(a)),
            Square::LnDet => Array::filled(dims, reference::det(a).abs().ln()),
            Square::Cofactors => reference::cofactors(a, None),
            Square::Cholesky => reference::cholesky(a),
        })
    }
}

/// `cofactors_along`: the derivative of the cofactors of the first matrix in the direction of the second one.
#[derive(Clone, Copy, Debug)]
pub struct CofactorsAlong;

/// The third derivative of the determinant in the directions `h` and `k`, as a matrix:
/// A⁻ᵀ·(⟨C′(k), h⟩·1 − hᵀ·C′(k) − kᵀ·C′(h)), where C′ are the cofactors along a direction. No value where A is singular.
fn third(b: &mut Builder, a: Var, h: Var, k: Var) -> Var {
    let [along_h, along_k] = [h, k].map(|x| b.apply(CofactorsAlong, &[a, x]));
    let scale = inner(b, along_k, h);
    let inverse = b.apply(Square::Inverse, &[a]);
    let inverse = transpose(b, inverse);
    let whole = b.mul(scale, inverse);
    let products = [(h, along_k), (k, along_h)].map(|(x, along)| b.apply(TN, &[x, along]));
    let both = b.add(products[0], products[1]);
    let solved = b.apply(Solve { part: Part::Whole, t: true }, &[a, both]);
    b.map(&rows::sub, &[whole, solved])
}

impl Operator for CofactorsAlong {
    fn text(&self) -> String {
        "cofactors_along".into()
    }

    fn noun(&self) -> &'static str {
        "cofactors"
    }

    fn class(&self) -> Class {
        Class::Kernel("cofactors_along")
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        square(&args[0], "cofactors", "take the cofactors of")
    }

    /// It is linear in the direction.
    fn tangent(&self, b: &mut Builder, args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        let matrix = dots[0].map(|dot| third(b, args[0], args[1], dot));
        let direction = dots[1].map(|dot| b.apply(CofactorsAlong, &[args[0], dot]));
        match (matrix, direction) {
            (Some(matrix), Some(direction)) => Some(b.add(matrix, direction)),
            (matrix, direction) => matrix.or(direction),
        }
    }

    /// The derivatives of the determinant are symmetric.
    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>> {
        vec![
            wants[0].then(|| third(b, args[0], args[1], y_bar)),
            wants[1].then(|| b.apply(CofactorsAlong, &[args[0], y_bar])),
        ]
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    #[cfg(test)]
    fn is_tried_far_from_singular(&self) -> bool {
        true
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], _dims: &[usize]) -> Option<Array> {
        Some(reference::cofactors(&args[0], Some(&args[1])))
    }
}

/// A triangle of a matrix; the other elements of the result are 0. Each of them is its own adjoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Triangle {
    Lower,
    Upper,
    /// With half of the diagonal: the Φ of the derivative of the Cholesky factor.
    LowerHalf,
}

impl Triangle {
    #[cfg(test)]
    const ALL: [Triangle; 3] = [Triangle::Lower, Triangle::Upper, Triangle::LowerHalf];

    fn name(self) -> &'static str {
        match self {
            Triangle::Lower => "tril",
            Triangle::Upper => "triu",
            Triangle::LowerHalf => "tril_half",
        }
    }
}

impl Operator for Triangle {
    fn text(&self) -> String {
        self.name().into()
    }

    fn noun(&self) -> &'static str {
        "triangle"
    }

    fn class(&self) -> Class {
        Class::Kernel(self.name())
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        square(&args[0], self.name(), "take a triangle of")
    }

    fn tangent(&self, b: &mut Builder, _args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        dots[0].map(|dot| b.apply(*self, &[dot]))
    }

    fn adjoint(&self, b: &mut Builder, _args: &[Var], _y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        vec![Some(b.apply(*self, &[y_bar]))]
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        Some(Array::from_fn(dims, |at| {
            let factor = match self {
                Triangle::LowerHalf if at[0] == at[1] => 0.5,
                Triangle::Lower | Triangle::LowerHalf => f64::from(u8::from(at[0] >= at[1])),
                Triangle::Upper => f64::from(u8::from(at[0] <= at[1])),
            };
            factor * args[0].at(at)
        }))
    }
}

/// The single number of what `op` gives for a matrix.
pub fn number(b: &mut Builder, op: Square, a: Var) -> Result<Var, Mismatch> {
    let y = b.tensor(Rc::new(op), &[a])?;
    let first = b.dim(Dim::literal(0));
    Ok(b.get(y, &[first]))
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    if let Some(op) = Solve::all().find(|op| op.name() == text) {
        return Some(Rc::new(op));
    }
    if let Some(op) = Square::ALL.into_iter().find(|op| op.name() == text) {
        return Some(Rc::new(op));
    }
    if let Some(op) = Triangle::ALL.into_iter().find(|op| op.name() == text) {
        return Some(Rc::new(op));
    }
    (text == CofactorsAlong.text()).then(|| Rc::new(CofactorsAlong) as Rc<dyn Operator>)
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    for op in Solve::all() {
        samples.push(sample(op.name(), &["f64[3, 3]", "f64[3]"]));
        samples.push(sample(op.name(), &["f64[3, 3]", "f64[3, 2]"]));
    }
    samples.push(sample("solve", &["f64[N, N]", "f64[N, M]"]));
    samples.push(sample("solve", &["f64[3, 3]", "f64[3, 3]"]));
    samples.push(sample("solve", &["f64[1, 1]", "f64[1]"]));
    for op in Square::ALL {
        samples.push(sample(op.name(), &["f64[3, 3]"]));
        samples.push(sample(op.name(), &["f64[M, M]"]));
        samples.push(sample(op.name(), &["f64[1, 1]"]));
    }
    samples.push(sample("cofactors_along", &["f64[3, 3]", "f64[3, 3]"]));
    samples.extend(Triangle::ALL.map(|op| sample(op.name(), &["f64[3, 3]"])));
    samples
}
