//! Matrices that are made: `Vector3::new(…)`, `Matrix2::identity()`, …

use super::methods::MADE;
use crate::diag::{Error, are, counted};
use crate::ir::dim::Dim;
use crate::ir::{Elem, Ty, Var};
use crate::layout::{Form, Kind};
use crate::lower::Lower;
use crate::lower::call::strip_borrow;
use crate::lower::value::{Lowered, Value};
use crate::op::view::BroadcastTo;
use crate::parse::matrix::{self, Size};
use crate::parse::ty::Surface;
use crate::tokens::takes_types;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, ExprCall, GenericArgument, Ident, Path, Type};

/// What a path before `::new` says of a matrix.
struct Known {
    elem: Option<Elem>,
    rows: Option<Dim>,
    columns: Option<Dim>,
}

impl Lower<'_> {
    /// `None`, if the path is not that of a type of nalgebra.
    pub(in crate::lower) fn matrix_constructor(
        &mut self,
        call: &ExprCall,
        path: &Path,
        expected: Option<&Surface>,
    ) -> Option<Lowered<Value>> {
        let owner = owner(path)?;
        let named = matrix::named(&owner)?;
        if !matrix::is_of_nalgebra(&owner) || self.is_own_type(&owner) {
            return None;
        }
        self.state(&owner);
        Some(self.known_matrix(&owner, named, expected).and_then(|known| {
            self.has_matrices = true;
            self.made_matrix(call, path, &known)
        }))
    }

    /// A constant of the file that is a matrix, a point or a rotation.
    pub(in crate::lower) fn matrix_constant(&mut self, path: &syn::ExprPath) -> Option<Value> {
        let ty = self.source.as_ref()?.constant_type(&path.path)?;
        let Type::Path(of) = &ty else { return None };
        if matrix::named(&of.path).is_none() && crate::parse::geometry::named(&of.path).is_none() {
            return None;
        }
        let surface = self.resolve(&ty).ok()?;
        let is_known =
            matches!(&surface, Surface::Matrix(..)) || matches!(&surface, Surface::Struct(ty) if ty.geometry.is_some());
        self.has_matrices |= is_known;
        if is_known { self.passive_struct(&path.to_token_stream(), &surface) } else { None }
    }

    /// Notes a type that the file does not show to be one of nalgebra.
    pub(in crate::lower) fn state(&mut self, owner: &Path) {
        let bare = crate::relay::without_arguments(owner);
        let Some(name) = bare.get_ident().map(ToString::to_string) else { return };
        let is_shown = self.source.as_ref().is_some_and(|source| source.imports_of_nalgebra(&name));
        if !is_shown && !self.of_nalgebra.contains(&bare) {
            self.of_nalgebra.push(bare);
        }
    }

    /// Whether a type with a name of nalgebra's is the user's.
    ///
    /// What the file does not show to be nalgebra's is the user's in a function that has no other matrices.
    pub(in crate::lower) fn is_own_type(&self, path: &Path) -> bool {
        let bare = crate::relay::without_arguments(path);
        let Some(name) = bare.get_ident().map(ToString::to_string) else { return false };
        let is_shown = self.source.as_ref().is_none_or(|source| source.imports_of_nalgebra(&name));
        let has_matrices =
            || self.has_matrices || self.leaves.iter().any(|leaf| leaf.form.is_matrix() || leaf.form.is_of_run_time());
        self.knowledge.is_own(&name) || self.knowledge.find_struct(&bare).is_some() || !is_shown && !has_matrices()
    }

    fn known_matrix(&mut self, owner: &Path, named: matrix::Named, expected: Option<&Surface>) -> Lowered<Known> {
        let args = match matrix::sized_arguments(owner) {
            Ok(args) => args,
            Err(error) => return self.fail(error),
        };
        let mut known = Known { elem: None, rows: None, columns: None };
        if let Some(GenericArgument::Type(ty)) = args.first().filter(|arg| !is_inferred(arg)) {
            if let Surface::Scalar(elem) = self.resolve(ty)? {
                known.elem = Some(elem);
            }
        }
        let mut size = |size: Size| match size {
            Size::Literal(size) => Ok(Some(Dim::literal(size))),
            Size::Argument(at) => match args.get(at) {
                Some(arg) if !is_inferred(arg) => {
                    let expr: Expr = match arg {
                        GenericArgument::Const(expr) => expr.clone(),
                        arg => syn::parse_quote!(#arg),
                    };
                    self.size(&expr).map(Some)
                }
                _ => Ok(None),
            },
        };
        (known.rows, known.columns) = (size(named.rows)?, size(named.columns)?);
        if let Some(Surface::Matrix(elem, rows, columns)) = expected {
            known.elem.get_or_insert_with(|| elem.clone());
            known.rows.get_or_insert_with(|| rows.clone());
            known.columns.get_or_insert_with(|| columns.clone());
        }
        Ok(known)
    }

    fn made_matrix(&mut self, call: &ExprCall, path: &Path, known: &Known) -> Lowered<Value> {
        let Some(name) = path.segments.last().map(|last| last.ident.clone()) else {
            return self.unsupported(call, "this call", "call a method");
        };
        let args: Vec<&Expr> = call.args.iter().collect();
        match (&name.to_string()[..], &args[..]) {
            ("new", args) => self.of_numbers(call, known, args),
            ("from", [array]) => self.of_array(call, array),
            ("from_columns" | "from_rows", [parts]) => {
                let is_rows = name == "from_rows";
                self.of_parts(call, strip_borrow(parts), is_rows)
            }
            ("from_diagonal", [diagonal]) => self.of_diagonal(diagonal),
            ("from_row_slice" | "from_column_slice", [numbers]) => {
                let (elem, rows, columns) = self.sizes_of(call, known, Some(strip_borrow(numbers)))?;
                let is_rows = name == "from_row_slice";
                self.of_slice((elem, rows, columns), strip_borrow(numbers), is_rows)
            }
            ("from_fn", [maker]) => {
                let (elem, rows, columns) = self.sizes_of(call, known, None)?;
                self.of_maker(elem, &rows, &columns, maker)
            }
            ("zeros" | "default", []) => {
                let ty = self.matrix_type(call, known)?;
                let zero = self.b.zero(ty);
                Ok(self.matrix(zero))
            }
            ("identity", []) => {
                let ty = self.matrix_type(call, known)?;
                let one = self.b.constant(&ty.elem, 1.0);
                Ok(self.diagonal_matrix(&ty, one))
            }
            ("from_diagonal_element", [number]) => {
                let (elem, rows, columns) = self.sizes_of(call, known, Some(number))?;
                let ty = Ty::tensor(elem.clone(), matrix::dims(&rows, &columns));
                let value = self.expr(number)?;
                let number = self.leaf_like(value, &Ty::scalar(elem), number)?;
                Ok(self.diagonal_matrix(&ty, number))
            }
            ("repeat" | "from_element", [number]) => {
                let (elem, rows, columns) = self.sizes_of(call, known, Some(number))?;
                let value = self.expr(number)?;
                let number = self.leaf_like(value, &Ty::scalar(elem), number)?;
                let out = self.b.apply(BroadcastTo { dims: matrix::dims(&rows, &columns) }, &[number]);
                let out = self.track(out, &[number]);
                Ok(self.matrix(out))
            }
            (
                "x" | "y" | "z" | "w" | "a" | "b" | "x_axis" | "y_axis" | "z_axis" | "w_axis" | "a_axis" | "b_axis",
                [],
            ) => {
                let ty = self.matrix_type(call, known)?;
                let axis = name.to_string().trim_end_matches("_axis").to_owned();
                let k = ["x", "y", "z", "w", "a", "b"].iter().position(|known| axis == *known).unwrap_or(0);
                let (zero, one) = (self.b.zero(ty.clone()), self.b.constant(&ty.elem, 1.0));
                let mut at = vec![self.b.dim(Dim::literal(i64::try_from(k).unwrap_or(0)))];
                if ty.rank() == 2 {
                    at.push(self.b.dim(Dim::literal(0)));
                }
                let axis = self.b.set(zero, one, &at);
                Ok(self.matrix(axis))
            }
            (text, _) => {
                let rows = known.rows.as_ref().and_then(Dim::as_literal).filter(|_| known.rows == known.columns);
                if let Some((_, made)) = MADE.iter().find(|(size, made)| Some(*size) == rows && made.name == text) {
                    self.count(&name, made.params.len(), args.len())?;
                    let values = args.iter().zip(made.params).map(|(arg, param)| {
                        let value = self.expr(strip_borrow(arg))?;
                        Ok((*param, self.settle(value, arg)?))
                    });
                    let given = values.collect::<Lowered<Vec<_>>>()?;
                    return self.written(name.span(), given, made.body);
                }
                let text = crate::parse::ty::spelled(path);
                let help = "make it with `new`, `from_fn`, `from_columns` or `from_rows`, or outside the function";
                self.unsupported(call, &format!("`{text}`"), help)
            }
        }
    }

    /// The elements' type and the sizes. A number that it is made of tells the type of the elements.
    fn sizes_of(&mut self, call: &ExprCall, known: &Known, like: Option<&Expr>) -> Lowered<(Elem, Dim, Dim)> {
        let elem = match (&known.elem, like) {
            (Some(elem), _) => Some(elem.clone()),
            (None, Some(like)) => match self.expr(like)? {
                Value::Leaf(var, _) => Some(self.b.ty(var).elem.clone()),
                Value::Slice(slice) => slice.array().map(|(array, _)| self.b.ty(array).elem.clone()),
                _ => None,
            },
            (None, None) => None,
        };
        match (elem.or_else(|| self.default_elem()), &known.rows, &known.columns) {
            (Some(elem), Some(rows), Some(columns)) => Ok((elem, rows.clone(), columns.clone())),
            _ => {
                let message = "the type of this matrix is not visible";
                self.fail(Error::new(call, message).help("write it: `let m: SMatrix<f64, 2, 3> = …`"))
            }
        }
    }

    fn matrix_type(&mut self, call: &ExprCall, known: &Known) -> Lowered<Ty> {
        let (elem, rows, columns) = self.sizes_of(call, known, None)?;
        Ok(Ty::tensor(elem, matrix::dims(&rows, &columns)))
    }

    /// `Matrix2::new(m11, m12, m21, m22)`: row after row.
    fn of_numbers(&mut self, call: &ExprCall, known: &Known, args: &[&Expr]) -> Lowered<Value> {
        let sizes = known.rows.as_ref().and_then(Dim::as_literal).zip(known.columns.as_ref().and_then(Dim::as_literal));
        let sizes =
            sizes.and_then(|(rows, columns)| Some((usize::try_from(rows).ok()?, usize::try_from(columns).ok()?)));
        let Some((rows, columns)) = sizes else {
            return self.unsupported(call, "`new` of a matrix whose sizes are names", "make it with `from_fn`");
        };
        if args.len() != rows * columns {
            let message = format!(
                "a {rows}×{columns} matrix takes {}, {} given",
                counted(rows * columns, "number"),
                are(args.len())
            );
            return self.fail(Error::new(call, message).help("they are written row after row"));
        }
        let mut values = args.iter().map(|arg| self.expr(arg)).collect::<Lowered<Vec<_>>>()?;
        let of_values = values.iter().find_map(|value| match value {
            Value::Leaf(var, _) if self.b.ty(*var).is_scalar() => Some(self.b.ty(*var).elem.clone()),
            _ => None,
        });
        let Some(elem) = known.elem.clone().or(of_values).or_else(|| self.default_elem()) else {
            let message = "the type of the numbers of this matrix is not visible";
            return self.fail(Error::new(call, message).help("write it: `Vector3::<f64>::new(…)`"));
        };
        let mut numbers = Vec::new();
        for (value, arg) in values.drain(..).zip(args) {
            numbers.push(self.leaf_like(value, &Ty::scalar(elem.clone()), arg)?);
        }
        let in_columns: Vec<Var> =
            (0..columns).flat_map(|j| (0..rows).map(move |i| i * columns + j)).map(|k| numbers[k]).collect();
        let array = self.packed(&in_columns, &elem);
        let dims = matrix::dims(&Dim::literal(as_size(rows)), &Dim::literal(as_size(columns)));
        let array = self.reshaped(array, dims);
        Ok(self.matrix(array))
    }

    /// An array of numbers.
    fn packed(&mut self, numbers: &[Var], elem: &Elem) -> Var {
        let array = match numbers {
            [] => self.b.zero(Ty::tensor(elem.clone(), vec![Dim::literal(0)])),
            numbers => self.b.pack(numbers),
        };
        self.track(array, numbers)
    }

    /// `Vector3::from([a, b, c])`, `Matrix2::from([[a, b], [c, d]])` of columns.
    fn of_array(&mut self, call: &ExprCall, array: &Expr) -> Lowered<Value> {
        match self.expr(array)? {
            Value::Leaf(array, Form::Plain | Form::Vector | Form::Matrix)
                if matches!(self.b.ty(array).rank(), 1 | 2) =>
            {
                Ok(self.matrix(array))
            }
            other => {
                let message =
                    format!("a matrix is made from an array of its columns, this is {}", other.describe(&self.b));
                self.fail(Error::new(call, message))
            }
        }
    }

    /// `Matrix3::from_columns(&[a, b, c])`
    fn of_parts(&mut self, call: &ExprCall, parts: &Expr, is_rows: bool) -> Lowered<Value> {
        let value = self.expr(parts)?;
        let array = match value {
            Value::Parts(Kind::Array, parts) => {
                let leaves: Vec<Var> = parts.iter().flat_map(Value::leaves).collect();
                let stacked = if leaves.len() == parts.len() { self.stacked(&leaves) } else { None };
                match stacked {
                    Some(array) => array,
                    None => return self.unsupported(call, "this", "give vectors of one size"),
                }
            }
            other => {
                let what = other.describe(&self.b);
                return self.fail(Error::new(parts, format!("an array of vectors is expected here, this is {what}")));
            }
        };
        let dims = self.b.ty(array).dims.clone();
        match (&dims[..], is_rows) {
            ([_, _], false) => Ok(self.matrix(array)),
            // `[R, C, 1]`
            ([rows, columns, _], true) => {
                let array = self.reshaped(array, vec![rows.clone(), columns.clone()]);
                let array = self.transposed(array);
                Ok(self.matrix(array))
            }
            // Rows of one number.
            ([rows, _], true) => {
                let array = self.reshaped(array, vec![rows.clone()]);
                Ok(self.matrix(array))
            }
            _ => self.fail(Error::new(parts, "an array of vectors is expected here")),
        }
    }

    fn of_diagonal(&mut self, diagonal: &Expr) -> Lowered<Value> {
        match self.expr(diagonal)? {
            Value::Leaf(array, Form::Vector) => {
                let (ty, size) = (self.b.ty(array).clone(), self.b.ty(array).dims[0].clone());
                let zero = self.b.zero(Ty::tensor(ty.elem, vec![size.clone(), size.clone()]));
                let out = self.b.for_loop((Dim::literal(0), size), &[zero], |b, k, t| {
                    let number = b.get(array, &[k]);
                    vec![b.set(t[0], number, &[k, k])]
                })[0];
                let out = self.track(out, &[array]);
                Ok(self.matrix(out))
            }
            other => {
                let what = other.describe(&self.b);
                self.fail(Error::new(diagonal, format!("a diagonal is a vector, this is {what}")))
            }
        }
    }

    fn diagonal_matrix(&mut self, ty: &Ty, number: Var) -> Value {
        let zero = self.b.zero(ty.clone());
        let array = match &ty.dims[..] {
            [columns, rows] => {
                let size = match (columns.as_literal(), rows.as_literal()) {
                    (Some(columns), Some(rows)) => Dim::literal(columns.min(rows)),
                    _ => rows.clone(),
                };
                self.b.for_loop((Dim::literal(0), size), &[zero], |b, k, t| vec![b.set(t[0], number, &[k, k])])[0]
            }
            _ => {
                let first = self.b.dim(Dim::literal(0));
                self.b.set(zero, number, &[first])
            }
        };
        let array = self.track(array, &[number]);
        self.matrix(array)
    }

    /// `from_row_slice(&[…])`
    fn of_slice(&mut self, (elem, rows, columns): (Elem, Dim, Dim), numbers: &Expr, is_rows: bool) -> Lowered<Value> {
        self.scoped(|lower| {
            let value = lower.expr(numbers)?;
            lower.define("__autodiff_numbers", Some(value), false);
            let list = Ident::new("__autodiff_numbers", proc_macro2::Span::call_site());
            for (name, size) in [("__autodiff_rows", &rows), ("__autodiff_columns", &columns)] {
                let size = lower.b.dim(size.clone());
                lower.define(name, Some(Value::Leaf(size, Form::Plain)), false);
            }
            let maker: Expr = match is_rows {
                true => syn::parse_quote!(|i, j| #list[i * __autodiff_columns + j]),
                false => syn::parse_quote!(|i, j| #list[i + j * __autodiff_rows]),
            };
            lower.of_maker(elem, &rows, &columns, &maker)
        })
    }

    /// `from_fn(|i, j| …)`: column after column, as nalgebra does.
    pub(super) fn of_maker(&mut self, elem: Elem, rows: &Dim, columns: &Dim, maker: &Expr) -> Lowered<Value> {
        let zero = self.b.zero(Ty::tensor(elem, matrix::dims(rows, columns)));
        self.scoped(|lower| {
            let items = format_ident!("__autodiff_items");
            let zero = lower.matrix(zero);
            lower.define(&items.to_string(), Some(zero), true);
            for (name, size) in [("__autodiff_end_0", rows), ("__autodiff_end_1", columns)] {
                let size = lower.b.dim(size.clone());
                lower.define(name, Some(Value::Leaf(size, Form::Plain)), false);
            }
            lower.root(
                &syn::parse_quote!({
                    for __autodiff_at_1 in 0..__autodiff_end_1 {
                        for __autodiff_at_0 in 0..__autodiff_end_0 {
                            #items[(__autodiff_at_0, __autodiff_at_1)] = (#maker)(__autodiff_at_0, __autodiff_at_1);
                        }
                    }
                    #items
                }),
                None,
            )
        })
    }
}

/// What lets rustc say whether types are those of nalgebra that have their names.
pub fn stated(paths: &[Path], krate: &TokenStream) -> TokenStream {
    let of = |path: &Path| {
        let name = &path.segments.last()?.ident;
        let size = quote!(#krate::__private::nalgebra::Const<2>);
        let args = match matrix::Named::of(&name.to_string()).map(matrix::Named::arguments) {
            Some(2) if takes_types(name) => quote!(f64, #size),
            Some(_) if takes_types(name) => quote!(f64, #size, #size),
            Some(2) => quote!(f64, 2),
            Some(3) => quote!(f64, 2, 2),
            _ => quote!(f64),
        };
        Some(quote!(const _: fn(#path<#args>) -> #krate::__private::nalgebra::#name<#args> = |same| same;))
    };
    paths.iter().filter_map(of).collect()
}

/// The type that a function is of.
pub(in crate::lower) fn owner(path: &Path) -> Option<Path> {
    let mut owner = path.clone();
    owner.segments.pop()?;
    owner.segments.pop_punct();
    (!owner.segments.is_empty()).then_some(owner)
}

fn is_inferred(arg: &GenericArgument) -> bool {
    matches!(arg, GenericArgument::Type(Type::Infer(_)))
}

fn as_size(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
