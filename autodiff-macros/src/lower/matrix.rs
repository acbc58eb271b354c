//! Matrices of nalgebra: arithmetic, elements and components. See Note [Matrices of nalgebra] in [`crate::layout`].

mod in_place;
mod made;
mod method;
mod methods;

pub(super) use made::owner;
pub use made::stated;

use super::Lower;
use super::assign::unparen;
use super::place::Place;
use super::value::{Lowered, Value};
use crate::diag::Error;
use crate::ir::dim::{Comparison, Dim};
use crate::ir::{IntOp, Ty, Var};
use crate::layout::{Form, Kind};
use crate::op::elementwise as rows;
use crate::op::view::{Permute, Reshape};
use quote::ToTokens;
use syn::{BinOp, Expr, Member};

/// An operand: the expression, and the array that it is.
pub(super) type Operand<'e> = (&'e Expr, Var, Form);

impl Lower<'_> {
    /// An array `[C, R]` or `[R]` as a matrix.
    fn matrix(&mut self, array: Var) -> Value {
        self.has_matrices = true;
        let dims = self.b.ty(array).dims.clone();
        match &dims[..] {
            [columns, rows] if columns.is(1) => {
                let array = self.reshaped(array, vec![rows.clone()]);
                Value::Leaf(array, Form::Vector)
            }
            [_] => Value::Leaf(array, Form::Vector),
            [] => {
                let array = self.reshaped(array, vec![Dim::literal(1)]);
                Value::Leaf(array, Form::Vector)
            }
            _ => Value::Leaf(array, Form::Matrix),
        }
    }

    fn reshaped(&mut self, array: Var, dims: Vec<Dim>) -> Var {
        if self.b.ty(array).dims == dims {
            return array;
        }
        let out = self.b.apply(Reshape { dims }, &[array]);
        self.track(out, &[array])
    }

    /// The array `[C, R]` of a matrix, also of one column.
    fn columns(&mut self, array: Var) -> Var {
        match &self.b.ty(array).dims.clone()[..] {
            [rows] => self.reshaped(array, vec![Dim::literal(1), rows.clone()]),
            _ => array,
        }
    }

    /// The numbers of a matrix, column after column.
    fn numbers(&mut self, array: Var) -> Var {
        let len = Dim::product(&self.b.ty(array).dims);
        self.reshaped(array, vec![len])
    }

    fn transposed(&mut self, array: Var) -> Var {
        let array = self.columns(array);
        let (columns, rows) = (self.b.ty(array).dims[0].clone(), self.b.ty(array).dims[1].clone());
        // What has one row or one column lies in memory as its transpose does.
        if columns.is(1) || rows.is(1) {
            return self.reshaped(array, vec![rows, columns]);
        }
        let out = self.b.apply(Permute { axes: vec![1, 0] }, &[array]);
        self.track(out, &[array])
    }

    /// Sees to it that two sizes are one.
    fn same_size(
        &mut self,
        at: &impl ToTokens,
        (have, want): (&Dim, &Dim),
        message: String,
        help: &str,
    ) -> Lowered<()> {
        match have.compare(want) {
            Comparison::Equal => Ok(()),
            Comparison::Different => self.fail(Error::new(at, message).help(help)),
            Comparison::Unknown => {
                let mut typed = crate::op::Typed::from(Ty::index());
                typed.equal.push((have.clone(), want.clone(), message));
                self.at(at);
                self.b.oblige(&typed);
                Ok(())
            }
        }
    }

    /// Sees to it that two matrices have the same rows and columns.
    fn same_sizes(&mut self, at: &impl ToTokens, what: &str, x: (Var, Form), y: (Var, Form)) -> Lowered<()> {
        let (rows, columns) = x.1.sizes(self.b.ty(x.0));
        let (rows_2, columns_2) = y.1.sizes(self.b.ty(y.0));
        let message = format!("cannot {what} a {rows}×{columns} matrix and a {rows_2}×{columns_2} one");
        let help = "both have to have the same rows and columns";
        self.same_size(at, (&rows, &rows_2), message.clone(), help)?;
        self.same_size(at, (&columns, &columns_2), message, help)
    }

    /// `+`, `-`, `*` and `/` where one of the operands is a matrix; `None`, if none is.
    pub(super) fn matrix_arithmetic(
        &mut self,
        at: &impl ToTokens,
        op: &BinOp,
        (left_expr, x, x_form): Operand,
        (right_expr, y, y_form): Operand,
    ) -> Option<Lowered<Value>> {
        let of_matrix = |form: Form, lower: &Self, var| form.is_matrix() && !lower.b.ty(var).is_scalar();
        let (left, right) = (of_matrix(x_form, self, x), of_matrix(y_form, self, y));
        if !left && !right {
            return None;
        }
        self.has_matrices = true;
        let operands: [(&dyn ToTokens, Var); 2] = [(left_expr, x), (right_expr, y)];
        let one = |lower: &Self, var| lower.b.ty(var).is_scalar();
        let row = match (op, left, right) {
            (BinOp::Add(_) | BinOp::AddAssign(_), true, true) => {
                self.same_sizes(at, "add", (x, x_form), (y, y_form)).map(|()| (&rows::add, x_form))
            }
            (BinOp::Sub(_) | BinOp::SubAssign(_), true, true) => {
                self.same_sizes(at, "subtract", (x, x_form), (y, y_form)).map(|()| (&rows::sub, x_form))
            }
            (BinOp::Mul(_) | BinOp::MulAssign(_), true, true) => return Some(self.matrix_product(at, x, y)),
            (BinOp::Mul(_) | BinOp::MulAssign(_), true, false) if one(self, y) => Ok((&rows::mul, x_form)),
            (BinOp::Mul(_), false, true) if one(self, x) => Ok((&rows::mul, y_form)),
            (BinOp::Div(_) | BinOp::DivAssign(_), true, false) if one(self, y) => Ok((&rows::div, x_form)),
            _ => {
                let (x, y) = (Value::Leaf(x, x_form).describe(&self.b), Value::Leaf(y, y_form).describe(&self.b));
                let message = format!("`{}` of {x} and {y}", op.to_token_stream());
                self.fail(Error::new(at, format!("there is no {message}")).help(
                    "add and subtract matrices of the same rows and columns, and multiply or divide them by numbers",
                ))
            }
        };
        Some(row.and_then(|(row, form)| Ok(Value::Leaf(self.checked_map(at, row, &operands)?, form))))
    }

    /// A·B, which is Bᵀ·Aᵀ of the arrays.
    fn matrix_product(&mut self, at: &impl ToTokens, a: Var, b: Var) -> Lowered<Value> {
        let a = self.columns(a);
        let (inner, rows) = (self.b.ty(a).dims[0].clone(), self.b.ty(a).dims[1].clone());
        let (rows_2, columns) = match &self.b.ty(b).dims[..] {
            [rows] => (rows.clone(), Dim::literal(1)),
            dims => (dims[1].clone(), dims[0].clone()),
        };
        let message = format!("cannot multiply a {rows}×{inner} matrix by a {rows_2}×{columns} one");
        let help = "the first has as many columns as the second has rows; `transpose()` exchanges them";
        self.same_size(at, (&inner, &rows_2), message, help)?;
        self.at(at);
        let product = self.product_of(b, a);
        Ok(self.matrix(product))
    }

    /// The product of two arrays. Small ones are written out as sums: a call of a kernel would take longer.
    fn product_of(&mut self, x: Var, y: Var) -> Var {
        let matmul = crate::op::method::find("matmul");
        let (left, right) = (self.b.ty(x).clone(), self.b.ty(y).clone());
        let args = [crate::op::method::Arg::Operand(x), crate::op::method::Arg::Operand(y)];
        let out = match matmul.map(|matmul| (matmul.build)(&mut self.b, &args)) {
            Some(Ok(out)) => out,
            _ => unreachable!("the sizes {:?} and {:?} have been compared", left.dims, right.dims),
        };
        self.track(out, &[x, y])
    }

    /// `m[(i, j)]`, `v[i]`, and `m[k]` column after column.
    pub(super) fn matrix_element(&mut self, array: Var, form: Form, index: &Expr) -> Lowered<Value> {
        let at = self.matrix_indices(array, form, index)?;
        let out = self.b.get(array, &at);
        Ok(Value::Leaf(self.track(out, &[array]), Form::Plain))
    }

    /// The indices into the array. The Rust of an index that is out of range panics in the function itself.
    fn matrix_indices(&mut self, array: Var, form: Form, index: &Expr) -> Lowered<Vec<Var>> {
        let (rows, columns) = form.sizes(self.b.ty(array));
        match self.expr(index)? {
            Value::Parts(Kind::Tuple, parts) if is_place_of_matrix(&parts) => {
                let mut at = Vec::new();
                for (k, (part, size, what)) in
                    [(&parts[0], &rows, "rows"), (&parts[1], &columns, "columns")].into_iter().enumerate()
                {
                    let expr = match unparen(index) {
                        Expr::Tuple(tuple) => &tuple.elems[k],
                        other => other,
                    };
                    let index = self.index_of(part.clone(), expr)?;
                    self.check_literal(expr, index, size, what)?;
                    at.push(index);
                }
                if form == Form::Vector {
                    at.truncate(1);
                }
                at.reverse();
                Ok(at)
            }
            value => {
                let at = self.index_of(value, index)?;
                self.check_literal(index, at, &rows.times(&columns), "numbers")?;
                if form == Form::Vector {
                    return Ok(vec![at]);
                }
                let literal = self.constant_dim(at).and_then(|at| at.as_literal()).zip(rows.as_literal());
                if let Some((at, rows)) = literal {
                    return Ok([at / rows, at % rows].map(|at| self.b.dim(Dim::literal(at))).to_vec());
                }
                let rows = self.b.dim(rows);
                Ok(vec![self.b.int(IntOp::Div, at, rows), self.b.int(IntOp::Rem, at, rows)])
            }
        }
    }

    fn check_literal(&mut self, expr: &Expr, at: Var, size: &Dim, what: &str) -> Lowered<()> {
        let literal = self.constant_dim(at).and_then(|at| at.as_literal()).zip(size.as_literal());
        match literal {
            Some((at, size)) if at >= size => {
                self.fail(Error::new(expr, format!("index {at} is out of range: there are {size} {what}")))
            }
            _ => Ok(()),
        }
    }

    /// `v.x`, `m.m12`; `None`, if the matrix has no component of that name.
    pub(super) fn matrix_component(&mut self, array: Var, form: Form, member: &Member) -> Option<Value> {
        let at = component(form, self.b.ty(array), member)?;
        let at: Vec<Var> = at.into_iter().map(|at| self.b.dim(Dim::literal(at))).collect();
        let out = self.b.get(array, &at);
        Some(Value::Leaf(self.track(out, &[array]), Form::Plain))
    }

    /// The same as a place. `structure` is what is at the place of the matrix.
    pub(super) fn component_place(&mut self, place: &Place, structure: &Value, member: &Member) -> Option<Place> {
        let Value::Leaf(array, form) = structure else { return None };
        let at = component(*form, self.b.ty(*array), member)?;
        Some(at.into_iter().fold(place.clone(), |place, at| {
            let at = self.b.dim(Dim::literal(at));
            self.element_place(&place, at)
        }))
    }

    /// `m[(i, j)]` as a place.
    pub(super) fn matrix_element_place(
        &mut self,
        place: Place,
        array: Var,
        form: Form,
        index: &Expr,
    ) -> Lowered<Place> {
        let at = self.matrix_indices(array, form, index)?;
        Ok(at.into_iter().fold(place, |place, at| self.element_place(&place, at)))
    }
}

/// Where a component is in the array of a matrix: the last dimensions of `ty`, which is that of a matrix or of several.
fn component(form: Form, ty: &Ty, member: &Member) -> Option<Vec<i64>> {
    let Member::Named(name) = member else { return None };
    let name = name.to_string();
    let size = |from_last: usize| ty.dims.iter().rev().nth(from_last)?.as_literal();
    let (rows, columns) = match form {
        Form::Vector => (size(0)?, 1),
        Form::Matrix => (size(0)?, size(1)?),
        _ => return None,
    };
    let place = |i: i64, j: i64| match form {
        Form::Vector => vec![i],
        _ => vec![j, i],
    };
    if rows == 1 || columns == 1 {
        let count = rows.max(columns);
        let k = i64::try_from(["x", "y", "z", "w", "a", "b"].iter().position(|known| name == *known)?).ok()?;
        return (k < count).then(|| if columns == 1 { place(k, 0) } else { place(0, k) });
    }
    let digits: Vec<i64> =
        name.strip_prefix('m')?.chars().map(|c| c.to_digit(10).map(i64::from)).collect::<Option<_>>()?;
    match digits[..] {
        [i, j] if (1..=rows).contains(&i) && (1..=columns).contains(&j) && rows <= 6 && columns <= 6 => {
            Some(place(i - 1, j - 1))
        }
        _ => None,
    }
}

/// The methods of matrices, and what makes one.
/// Whether an index is a row and a column, also with what desugaring adds to the index of a part.
pub(super) fn is_place_of_matrix(index: &[Value]) -> bool {
    match index {
        [_, _] => true,
        [_, _, Value::Parts(Kind::Tuple, parts)] => parts.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
pub(super) fn rows() -> Vec<super::rows_test::Row> {
    let by_hand = [include_str!("matrix/method.rs"), include_str!("matrix/made.rs")];
    let by_hand = by_hand.into_iter().flat_map(super::rows_test::names_in);
    let written = methods::WRITTEN.iter().map(|known| known.name.to_owned());
    let made = methods::MADE.iter().map(|(_, known)| known.name.to_owned());
    written.chain(made).chain(by_hand).map(|name| vec![format!("Matrix.{name}")]).collect()
}
