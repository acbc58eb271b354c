//! Methods of matrices.

use super::methods::{CROSS, WRITTEN};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::ir::{Ty, Var};
use crate::layout::Form;
use crate::lower::Lower;
use crate::lower::call::strip_borrow;
use crate::lower::slice::Slice;
use crate::lower::value::{Lowered, Reported, Value};
use crate::op::elementwise as rows;
use crate::op::method::Arg;
use crate::op::spectral::{Order, Symmetric};
use crate::op::{composite, method};
use crate::parse::ty::spelled;
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::{Expr, ExprMethodCall, GenericArgument, Ident};

/// A call of a method of a matrix.
#[derive(Clone, Copy)]
struct Call<'c> {
    at: &'c dyn ToTokens,
    name: &'c Ident,
    receiver: &'c Expr,
    array: Var,
    form: Form,
    args: &'c [&'c Expr],
}

impl Lower<'_> {
    /// `m.fixed_view::<2, 2>(i, j)` and its like, which say sizes.
    pub(in crate::lower) fn matrix_part(&mut self, call: &ExprMethodCall, receiver: &Value) -> Option<Lowered<Value>> {
        let Value::Leaf(array, form @ (Form::Vector | Form::Matrix)) = receiver else { return None };
        if self.b.ty(*array).is_scalar() {
            return None;
        }
        let (rows, columns) = form.sizes(self.b.ty(*array));
        let sizes = call.turbofish.as_ref()?.args.iter().map(|arg| match arg {
            GenericArgument::Const(expr) => Some(expr.clone()),
            GenericArgument::Type(ty) => Some(syn::parse_quote!(#ty)),
            _ => None,
        });
        let sizes: Vec<Expr> = sizes.collect::<Option<_>>()?;
        let sizes = sizes.iter().map(|size| self.size(size)).collect::<Lowered<Vec<Dim>>>().ok()?;
        let zero: Expr = syn::parse_quote!(0);
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let (from, sizes) = match (&call.method.to_string()[..], &args[..], &sizes[..]) {
            ("fixed_view" | "fixed_slice", [i, j], [r, c]) => ([i.clone(), j.clone()], [r.clone(), c.clone()]),
            ("fixed_rows", [i], [r]) => ([i.clone(), zero], [r.clone(), columns]),
            ("fixed_columns", [j], [c]) => ([zero, j.clone()], [rows, c.clone()]),
            _ => return None,
        };
        let elem = self.b.ty(*array).elem.clone();
        let receiver = receiver.clone();
        Some(self.scoped(|lower| {
            lower.define("__autodiff_this", Some(receiver), false);
            let [i, j] = &from;
            let (i, j) = (lower.named_once(i, "__autodiff_i")?, lower.named_once(j, "__autodiff_j")?);
            let maker: Expr = syn::parse_quote!(|r, c| __autodiff_this[(#i + r, #j + c)]);
            lower.of_maker(elem, &sizes[0], &sizes[1], &maker)
        }))
    }

    pub(in crate::lower) fn matrix_method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        (receiver, array, form): (&Expr, Var, Form),
        args: &[&Expr],
    ) -> Lowered<Value> {
        self.has_matrices = true;
        let call = Call { at, name, receiver, array, form, args };
        let text = name.to_string();
        if let Some(value) = self.size_method(call) {
            return Ok(value);
        }
        if let Some(value) = self.reduced(call)? {
            return Ok(value);
        }
        if let Some(value) = self.rearranged(call)? {
            return Ok(value);
        }
        if let Some(value) = self.element_wise(call)? {
            return Ok(value);
        }
        if let Some(value) = self.swizzled(call) {
            return Ok(value);
        }
        if text == "cross" && args.len() == 1 {
            let body = CROSS[usize::from(form != Form::Vector)];
            return self.written_out(call, &["other"], body);
        }
        if let Some(written) = WRITTEN.iter().find(|written| written.name == text) {
            self.count(name, written.params.len(), args.len())?;
            return self.written_out(call, written.params, written.body);
        }
        let (rows, columns) = form.sizes(self.b.ty(array));
        let error =
            Error::new(name, format!("no derivative is known for the method `{name}` of a {rows}×{columns} matrix"));
        let close =
            WRITTEN.iter().map(|written| written.name).min_by_key(|known| crate::lower::method::distance(known, &text));
        self.fail(match close.filter(|known| crate::lower::method::distance(known, &text) <= 2) {
            Some(known) => error.help(format!("there is `{known}`")),
            None => error.help("write it with its numbers, or as a function with `#[differentiable]`"),
        })
    }

    /// Lowers the body of a method in place of its call.
    fn written_out(&mut self, call: Call, params: &[&str], body: &str) -> Lowered<Value> {
        let Ok(body) = syn::parse_str::<Expr>(body) else { unreachable!("the table is Rust: `{body}`") };
        let body = located(body, call.name.span());
        // The arguments see the names of the caller's, and not those of the method.
        let args = call.args.iter().map(|arg| {
            let arg = strip_borrow(arg);
            Ok(if let Expr::Closure(_) = arg { None } else { Some(self.expr(arg)?) })
        });
        let args = args.collect::<Lowered<Vec<Option<Value>>>>()?;
        let this = Value::Leaf(call.array, call.form);
        self.scoped(|lower| {
            lower.define("this", Some(this), false);
            for (param, value) in params.iter().zip(args) {
                let Some(value) = value else { return lower.unsupported(&call.at, "a closure here", "write a loop") };
                lower.define(param, Some(value), false);
            }
            lower.expr(&body)
        })
    }

    fn size_method(&mut self, call: Call) -> Option<Value> {
        let (rows, columns) = call.form.sizes(self.b.ty(call.array));
        let number = |lower: &mut Self, dim: Dim| Value::Leaf(lower.b.dim(dim), Form::Plain);
        let elem = self.b.ty(call.array).elem.clone();
        Some(match (&call.name.to_string()[..], call.args) {
            ("len", []) => number(self, rows.times(&columns)),
            ("nrows", []) => number(self, rows),
            ("ncols", []) => number(self, columns),
            ("shape", []) => {
                let parts = [rows, columns].map(|dim| number(self, dim));
                Value::tuple(parts.to_vec())
            }
            // As a number of the elements' type.
            (name @ ("__count" | "__row_count" | "__column_count"), []) => {
                let count = match name {
                    "__row_count" => rows,
                    "__column_count" => columns,
                    _ => rows.times(&columns),
                };
                match count.as_literal() {
                    Some(count) => Value::Leaf(self.b.constant(&elem, count as f64), Form::Plain),
                    None => {
                        let count = self.b.dim(count);
                        Value::Leaf(self.b.cast(count, &elem), Form::Plain)
                    }
                }
            }
            _ => return None,
        })
    }

    /// What gives a number.
    fn reduced(&mut self, call: Call) -> Lowered<Option<Value>> {
        let array = call.array;
        let text = call.name.to_string();
        let out = match (&text[..], call.args) {
            ("dot", [other]) => {
                let (other, _) = self.like_matrix(call, "take the product of the numbers of", other)?;
                self.at(&call.at);
                let out = composite::dot(&mut self.b, array, other);
                self.track(out, &[array, other])
            }
            ("norm", []) => self.tensor_method("norm", &[array], call)?,
            ("sum", []) => self.tensor_method("sum", &[array], call)?,
            ("product", []) => self.tensor_method("prod", &[array], call)?,
            ("max", []) => self.tensor_method("max", &[array], call)?,
            ("min", []) => self.tensor_method("min", &[array], call)?,
            ("__last", []) => {
                let last = self.b.dim(self.b.ty(array).dims[0].minus(&Dim::literal(1)));
                let out = self.b.get(array, &[last]);
                self.track(out, &[array])
            }
            ("trace", []) => {
                let square = self.square(call)?;
                self.tensor_method("trace", &[square], call)?
            }
            // That of the transpose.
            ("determinant", []) => {
                let square = self.square(call)?;
                self.tensor_method("det", &[square], call)?
            }
            _ => return Ok(None),
        };
        Ok(Some(Value::Leaf(out, Form::Plain)))
    }

    /// What gives a matrix of the same numbers, or one that is computed as a whole.
    fn rearranged(&mut self, call: Call) -> Lowered<Option<Value>> {
        let (array, form) = (call.array, call.form);
        let out = match (&call.name.to_string()[..], call.args) {
            ("clone_owned" | "into_owned" | "as_view" | "into" | "into_inner", []) => {
                return Ok(Some(Value::Leaf(array, form)));
            }
            ("as_slice" | "iter" | "as_mut_slice" | "iter_mut", []) => {
                let numbers = self.numbers(array);
                return Ok(Some(Value::Leaf(numbers, Form::Plain)));
            }
            ("transpose", []) => self.transposed(array),
            ("__vanishing", []) => {
                let out = self.b.map(&crate::op::elementwise::vanishing, &[array]);
                self.track(out, &[array])
            }
            // The inverse of the transpose is the transpose of the inverse.
            ("__inverse", []) => {
                let square = self.square(call)?;
                self.tensor_method("inverse", &[square], call)?
            }
            ("exp", []) => {
                let square = self.square(call)?;
                self.tensor_method("expm", &[square], call)?
            }
            ("__cholesky", []) => {
                let square = self.square(call)?;
                let factor = self.tensor_method("cholesky", &[square], call)?;
                self.transposed(factor)
            }
            ("__eigenvalues", []) => self.of_symmetric(Symmetric::Values(Order::Nalgebra), call)?,
            ("__eigenvectors", []) => {
                let vectors = self.of_symmetric(Symmetric::Vectors(Order::Nalgebra), call)?;
                self.transposed(vectors)
            }
            ("__still", []) => return Ok(Some(self.without_derivative(&Value::Leaf(array, form)))),
            ("singular_values", []) => {
                let columns = self.columns(array);
                self.tensor_method("singular_values", &[columns], call)?
            }
            ("__solve", [b]) => return self.solved(call, "solve", b).map(Some),
            ("__solve_lower", [b]) => return self.solved(call, "solve_triangular", b).map(Some),
            ("__solve_upper", [b]) => return self.solved(call, "solve_triangular_upper", b).map(Some),
            ("column_sum", []) => {
                let columns = self.columns(array);
                let out = composite::sum(&mut self.b, columns, &[0], false);
                self.track(out, &[array])
            }
            ("row_sum", []) => {
                let columns = self.columns(array);
                let out = composite::sum(&mut self.b, columns, &[1], true);
                self.track(out, &[array])
            }
            ("diagonal", []) => {
                let columns = self.columns(array);
                let size = self.b.ty(columns).dims[1].clone();
                let zero = self.b.zero(Ty::tensor(self.b.ty(columns).elem.clone(), vec![size.clone()]));
                let out = self.b.for_loop((Dim::literal(0), size), &[zero], |b, k, t| {
                    let number = b.get(columns, &[k, k]);
                    vec![b.set(t[0], number, &[k])]
                })[0];
                self.track(out, &[array])
            }
            ("column", [index]) => {
                let columns = self.columns(array);
                let at = self.index(index)?;
                let out = self.b.get(columns, &[at]);
                self.track(out, &[array])
            }
            ("row", [index]) => {
                let rows = self.transposed(array);
                let at = self.index(index)?;
                let row = self.b.get(rows, &[at]);
                let row = self.track(row, &[array]);
                let count = self.b.ty(row).dims[0].clone();
                self.reshaped(row, vec![count, Dim::literal(1)])
            }
            ("kronecker", [other]) => return self.kronecker(call, other).map(Some),
            ("__lower_half", []) => {
                return self.remade(call, &syn::parse_quote!(|i, j| this[(i.max(j), i.min(j))])).map(Some);
            }
            ("lower_triangle", []) => {
                return self.remade(call, &syn::parse_quote!(|i, j| if i >= j { this[(i, j)] } else { 0.0 })).map(Some);
            }
            ("upper_triangle", []) => {
                return self.remade(call, &syn::parse_quote!(|i, j| if i <= j { this[(i, j)] } else { 0.0 })).map(Some);
            }
            ("__matrix_put", [i, j, part]) => return self.with_part(call, [i, j], part).map(Some),
            ("__matrix_swap_rows", [i, j]) => return self.swapped(call, [i, j], true).map(Some),
            ("__matrix_swap_columns", [i, j]) => return self.swapped(call, [i, j], false).map(Some),
            ("__matrix_push", [number]) => return self.with_number(call, number).map(Some),
            ("to_homogeneous", []) if form == Form::Vector => {
                return self.with_number(call, &syn::parse_quote!(0.0)).map(Some);
            }
            ("__front", []) => {
                let size = self.b.ty(array).dims[0].minus(&Dim::literal(1));
                let zero = self.b.zero(Ty::tensor(self.b.ty(array).elem.clone(), vec![size.clone()]));
                let out = self.b.for_loop((Dim::literal(0), size), &[zero], |b, k, t| {
                    let number = b.get(array, &[k]);
                    vec![b.set(t[0], number, &[k])]
                })[0];
                self.track(out, &[array])
            }
            ("__matrix_column_iter", []) => {
                let columns = self.columns(array);
                let count = self.b.ty(columns).dims[0].clone();
                return Ok(Some(Value::Slice(Rc::new(Slice::all(Value::Leaf(columns, Form::Vector), count)))));
            }
            ("__matrix_row_iter", []) => {
                let rows = self.transposed(array);
                let (count, width) = (self.b.ty(rows).dims[0].clone(), self.b.ty(rows).dims[1].clone());
                let rows = self.reshaped(rows, vec![count.clone(), width, Dim::literal(1)]);
                return Ok(Some(Value::Slice(Rc::new(Slice::all(Value::Leaf(rows, Form::Matrix), count)))));
            }
            _ => return Ok(None),
        };
        Ok(Some(self.matrix(out)))
    }

    /// What is done to each number.
    fn element_wise(&mut self, call: Call) -> Lowered<Option<Value>> {
        let array = call.array;
        let text = call.name.to_string();
        let row = match (&text[..], call.args) {
            ("component_mul", [_]) => &rows::mul,
            ("component_div", [_]) => &rows::div,
            ("map", [function]) => return self.mapped(call, &[], function).map(Some),
            ("zip_map", [other, function]) => return self.mapped(call, &[*other], function).map(Some),
            ("zip_zip_map", [other, third, function]) => {
                return self.mapped(call, &[*other, *third], function).map(Some);
            }
            ("fold", [first, function]) => return self.folded(call, first, function).map(Some),
            _ => return Ok(None),
        };
        let other = call.args[0];
        let (other_array, _) = self.like_matrix(call, "combine the numbers of", other)?;
        let out = self.checked_map(&call.at, row, &[(call.receiver, array), (other, other_array)])?;
        Ok(Some(Value::Leaf(out, call.form)))
    }

    /// `m.map(|a| …)`, `m.zip_map(&other, |a, b| …)`
    fn mapped(&mut self, call: Call, others: &[&Expr], function: &Expr) -> Lowered<Value> {
        let (rows, columns) = call.form.sizes(self.b.ty(call.array));
        let elem = self.b.ty(call.array).elem.clone();
        let mut operands = vec![Value::Leaf(call.array, call.form)];
        for other in others {
            let (array, form) = self.like_matrix(call, "combine the numbers of", other)?;
            operands.push(Value::Leaf(array, form));
        }
        self.scoped(|lower| {
            let names: Vec<Ident> =
                (0..operands.len()).map(|k| Ident::new(&format!("__autodiff_matrix_{k}"), Span::call_site())).collect();
            for (name, value) in names.iter().zip(operands) {
                lower.define(&name.to_string(), Some(value), false);
            }
            let maker: Expr = syn::parse_quote!(|__autodiff_row, __autodiff_column|
                (#function)(#(#names[(__autodiff_row, __autodiff_column)]),*));
            lower.of_maker(elem, &rows, &columns, &maker)
        })
    }

    /// `m.fold(first, |sum, a| …)`
    fn folded(&mut self, call: Call, first: &Expr, function: &Expr) -> Lowered<Value> {
        let numbers = self.numbers(call.array);
        self.scoped(|lower| {
            lower.define("__autodiff_numbers", Some(Value::Leaf(numbers, Form::Plain)), false);
            lower.root(
                &syn::parse_quote!({
                    let mut __autodiff_sum = #first;
                    for __autodiff_k in 0..__autodiff_numbers.len() {
                        __autodiff_sum = (#function)(__autodiff_sum, __autodiff_numbers[__autodiff_k]);
                    }
                    __autodiff_sum
                }),
                None,
            )
        })
    }

    /// The solution x of A·x = b. The operators take the matrices row by row.
    fn solved(&mut self, call: Call, operator: &str, b: &Expr) -> Lowered<Value> {
        let square = self.square(call)?;
        let matrix = self.transposed(square);
        let (b, form) = self.matrix_argument(b)?;
        let (rows, _) = form.sizes(self.b.ty(b));
        let size = self.b.ty(square).dims[0].clone();
        let message = format!("the right side has {rows} rows, the matrix {size}");
        self.same_size(call.name, (&rows, &size), message, "both have the same number of rows")?;
        if form == Form::Vector {
            let out = self.tensor_method(operator, &[matrix, b], call)?;
            return Ok(self.matrix(out));
        }
        let right = self.transposed(b);
        let out = self.tensor_method(operator, &[matrix, right], call)?;
        let out = self.transposed(out);
        Ok(self.matrix(out))
    }

    /// A matrix of the same sizes, of what a function gives for each place. `this` is the matrix.
    fn remade(&mut self, call: Call, maker: &Expr) -> Lowered<Value> {
        let (rows, columns) = call.form.sizes(self.b.ty(call.array));
        let elem = self.b.ty(call.array).elem.clone();
        self.scoped(|lower| {
            lower.define("this", Some(Value::Leaf(call.array, call.form)), false);
            lower.of_maker(elem, &rows, &columns, maker)
        })
    }

    /// With another matrix in place of a part.
    fn with_part(&mut self, call: Call, [i, j]: [&Expr; 2], part: &Expr) -> Lowered<Value> {
        let (part, form) = self.matrix_argument(part)?;
        let (rows, columns) = form.sizes(self.b.ty(part));
        let (i, j) = (self.index(i)?, self.index(j)?);
        self.scoped(|lower| {
            let number =
                |lower: &mut Self, name: &str, var| lower.define(name, Some(Value::Leaf(var, Form::Plain)), false);
            lower.define("__autodiff_whole", Some(Value::Leaf(call.array, call.form)), true);
            lower.define("__autodiff_part", Some(Value::Leaf(part, form)), false);
            let (rows, columns) = (lower.b.dim(rows), lower.b.dim(columns));
            for (name, var) in
                [("__autodiff_i", i), ("__autodiff_j", j), ("__autodiff_rows", rows), ("__autodiff_columns", columns)]
            {
                number(lower, name, var);
            }
            lower.root(
                &syn::parse_quote!({
                    for __autodiff_c in 0..__autodiff_columns {
                        for __autodiff_r in 0..__autodiff_rows {
                            __autodiff_whole[(__autodiff_i + __autodiff_r, __autodiff_j + __autodiff_c)] =
                                __autodiff_part[(__autodiff_r, __autodiff_c)];
                        }
                    }
                    __autodiff_whole
                }),
                None,
            )
        })
    }

    fn swapped(&mut self, call: Call, [i, j]: [&Expr; 2], of_rows: bool) -> Lowered<Value> {
        let (i, j) = (self.index(i)?, self.index(j)?);
        self.scoped(|lower| {
            for (name, var) in [("__autodiff_i", i), ("__autodiff_j", j)] {
                lower.define(name, Some(Value::Leaf(var, Form::Plain)), false);
            }
            let other: Expr = syn::parse_quote!(if k == __autodiff_i {
                __autodiff_j
            } else if k == __autodiff_j {
                __autodiff_i
            } else {
                k
            });
            let maker: Expr = match of_rows {
                true => syn::parse_quote!(|k, c| this[(#other, c)]),
                false => syn::parse_quote!(|r, k| this[(r, #other)]),
            };
            lower.remade(call, &maker)
        })
    }

    /// A vector with one number more.
    fn with_number(&mut self, call: Call, number: &Expr) -> Lowered<Value> {
        let ty = self.b.ty(call.array).clone();
        let [size] = &ty.dims[..] else {
            return self.unsupported(call.name, "`push` to a matrix", "make the matrix of its columns");
        };
        let value = self.expr(number)?;
        let number = self.leaf_like(value, &Ty::scalar(ty.elem.clone()), number)?;
        let zero = self.b.zero(Ty::tensor(ty.elem.clone(), vec![size.plus(&Dim::literal(1))]));
        let out = self.b.for_loop((Dim::literal(0), size.clone()), &[zero], |b, k, t| {
            let number = b.get(call.array, &[k]);
            vec![b.set(t[0], number, &[k])]
        })[0];
        let last = self.b.dim(size.clone());
        let out = self.b.set(out, number, &[last]);
        let out = self.track(out, &[call.array, number]);
        Ok(self.matrix(out))
    }

    fn kronecker(&mut self, call: Call, other: &Expr) -> Lowered<Value> {
        let (rows, columns) = call.form.sizes(self.b.ty(call.array));
        let (array, form) = self.matrix_argument(other)?;
        let (rows_2, columns_2) = form.sizes(self.b.ty(array));
        let elem = self.b.ty(call.array).elem.clone();
        self.scoped(|lower| {
            lower.define("__autodiff_left", Some(Value::Leaf(call.array, call.form)), false);
            lower.define("__autodiff_right", Some(Value::Leaf(array, form)), false);
            for (name, size) in [("__autodiff_rows", &rows_2), ("__autodiff_columns", &columns_2)] {
                let size = lower.b.dim(size.clone());
                lower.define(name, Some(Value::Leaf(size, Form::Plain)), false);
            }
            let maker: Expr = syn::parse_quote!(|i, j| __autodiff_left[(i / __autodiff_rows, j / __autodiff_columns)]
                * __autodiff_right[(i % __autodiff_rows, j % __autodiff_columns)]);
            lower.of_maker(elem, &rows.times(&rows_2), &columns.times(&columns_2), &maker)
        })
    }

    /// `v.xy()`, `v.zyx()`
    fn swizzled(&mut self, call: Call) -> Option<Value> {
        let text = call.name.to_string();
        let at: Vec<i64> =
            text.chars().map(|c| "xyz".find(c).and_then(|k| i64::try_from(k).ok())).collect::<Option<_>>()?;
        let size = self.b.ty(call.array).dims.last()?.as_literal()?;
        if call.form != Form::Vector
            || !call.args.is_empty()
            || !(2..=3).contains(&at.len())
            || at.iter().any(|k| *k >= size)
        {
            return None;
        }
        let elem = self.b.ty(call.array).elem.clone();
        let mut out = self.b.zero(Ty::tensor(elem, vec![Dim::literal(i64::try_from(at.len()).ok()?)]));
        for (k, from) in at.into_iter().enumerate() {
            let (to, from) = (self.b.dim(Dim::literal(i64::try_from(k).ok()?)), self.b.dim(Dim::literal(from)));
            let number = self.b.get(call.array, &[from]);
            out = self.b.set(out, number, &[to]);
        }
        let out = self.track(out, &[call.array]);
        Some(self.matrix(out))
    }

    /// An operator of tensors on the arrays.
    fn tensor_method(&mut self, name: &str, operands: &[Var], call: Call) -> Lowered<Var> {
        self.at(&call.at);
        let Some(method) = method::find(name) else { unreachable!("the table of methods has `{name}`") };
        let args: Vec<Arg> = operands.iter().map(|var| Arg::Operand(*var)).collect();
        match (method.build)(&mut self.b, &args) {
            Ok(out) => Ok(self.track(out, operands)),
            Err(mismatch) => self.mismatch(&call.at, mismatch, &[]),
        }
    }

    /// The eigenvalues or the eigenvectors of a symmetric matrix.
    fn of_symmetric(&mut self, operator: Symmetric, call: Call) -> Lowered<Var> {
        let square = self.square(call)?;
        self.at(&call.at);
        match self.b.tensor(Rc::new(operator), &[square]) {
            Ok(out) => Ok(self.track(out, &[square])),
            Err(mismatch) => self.mismatch(&call.at, mismatch, &[]),
        }
    }

    /// The array `[n, n]` of a square matrix.
    fn square(&mut self, call: Call) -> Lowered<Var> {
        let (rows, columns) = call.form.sizes(self.b.ty(call.array));
        let text = spelled(call.receiver);
        let message = format!("`{}` takes a square matrix, this is a {rows}×{columns} one", call.name);
        self.same_size(
            call.name,
            (&rows, &columns),
            message,
            &format!("`{text}` has another number of rows than of columns"),
        )?;
        Ok(self.columns(call.array))
    }

    fn matrix_argument(&mut self, arg: &Expr) -> Lowered<(Var, Form)> {
        let value = self.expr(strip_borrow(arg))?;
        match self.data_of_nalgebra(value)? {
            Value::Leaf(array, form @ (Form::Vector | Form::Matrix)) if !self.b.ty(array).is_scalar() => {
                Ok((array, form))
            }
            other => {
                let what = other.describe(&self.b);
                self.fail::<()>(Error::new(arg, format!("a matrix is expected here, this is {what}"))).ok();
                Err(Reported)
            }
        }
    }

    /// An argument of the same rows and columns.
    fn like_matrix(&mut self, call: Call, what: &str, arg: &Expr) -> Lowered<(Var, Form)> {
        let (array, form) = self.matrix_argument(arg)?;
        self.same_sizes(call.name, what, (call.array, call.form), (array, form))?;
        Ok((array, form))
    }
}

/// An expression at the place of a token.
fn located(expr: Expr, span: Span) -> Expr {
    syn::parse2(crate::tokens::placed(expr.to_token_stream(), span)).unwrap_or(expr)
}
