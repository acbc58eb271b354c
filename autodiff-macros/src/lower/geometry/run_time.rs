//! Vectors and matrices whose sizes run time tells: elements, operators, methods and what makes them. What is computed of them are
//! loops over their numbers, column after column. See Note [Matrices of run time] in [`crate::layout`].

use super::run_time_methods::{MAKERS, METHODS, Made, OPERATIONS, Written};
use super::written::Side;
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::ir::{Elem, IntOp, Opaque, Ty, Var, hole};
use crate::layout::{Form, Kind};
use crate::lower::Lower;
use crate::lower::assign::unparen;
use crate::lower::call::strip_borrow;
use crate::lower::place::Place;
use crate::lower::value::{Lowered, Reported, Value};
use crate::op::elementwise as rows;
use crate::parse::geometry::Geometry;
use crate::parse::tokens::crate_path;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident, quote};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprMethodCall, Member};

/// A vector or a matrix, taken apart.
struct Parts {
    of: Geometry,
    numbers: Var,
    /// Of a matrix.
    sizes: Option<[Var; 2]>,
}

impl Lower<'_> {
    fn run_time_parts(&mut self, value: &Value) -> Option<Parts> {
        let Value::Parts(Kind::Struct(ty), parts) = value else { return None };
        let of = ty.geometry.filter(|of| of.is_of_run_time())?;
        let numbers = match parts.first()? {
            Value::Leaf(numbers, _) => *numbers,
            Value::Slice(slice) => match self.owned(slice) {
                Value::Leaf(numbers, _) => numbers,
                _ => return None,
            },
            _ => return None,
        };
        let sizes = match parts.get(1..) {
            Some([Value::Leaf(rows, _), Value::Leaf(columns, _)]) => Some([*rows, *columns]),
            _ => None,
        };
        Some(Parts { of, numbers, sizes })
    }

    /// How many numbers there are.
    fn run_time_count(&mut self, numbers: Var) -> Var {
        let len = self.b.ty(numbers).dims[0].clone();
        if len.is_ragged() { self.b.len(numbers, &[]) } else { self.b.dim(len) }
    }

    fn run_time_sizes(&mut self, parts: &Parts) -> [Var; 2] {
        match parts.sizes {
            Some(sizes) => sizes,
            None => [self.run_time_count(parts.numbers), self.b.dim(Dim::literal(1))],
        }
    }

    /// `v[i]`, `m[(i, j)]`
    pub(in crate::lower) fn run_time_element(&mut self, value: &Value, index: &Expr) -> Lowered<Value> {
        let parts = self.run_time_parts(value).ok_or(Reported)?;
        let at = self.run_time_index(&parts, index)?;
        let out = self.b.get(parts.numbers, &[at]);
        Ok(Value::Leaf(self.track(out, &[parts.numbers]), Form::Plain))
    }

    /// The same as a place; nothing, if it is a place of something else.
    pub(in crate::lower) fn run_time_place(&mut self, place: &Place, index: &Expr) -> Lowered<Option<Place>> {
        let is_of_run_time = |value: &Value| matches!(value, Value::Parts(Kind::Struct(ty), _) if ty.geometry.is_some_and(Geometry::is_of_run_time));
        if !self.structure(place).as_ref().is_some_and(is_of_run_time) {
            return Ok(None);
        }
        let value = self.read(place, index)?;
        let parts = self.run_time_parts(&value).ok_or(Reported)?;
        let at = self.run_time_index(&parts, index)?;
        let numbers = place.field(Member::Named(Ident::new("__numbers", Span::call_site())));
        Ok(Some(self.element_place(&numbers, at)))
    }

    /// Where an element is among the numbers.
    fn run_time_index(&mut self, parts: &Parts, index: &Expr) -> Lowered<Var> {
        let (i, j) = match self.expr(index)? {
            Value::Parts(Kind::Tuple, at) if crate::lower::matrix::is_place_of_matrix(&at) => {
                let exprs = match unparen(index) {
                    Expr::Tuple(tuple) => [&tuple.elems[0], &tuple.elems[1]],
                    other => [other, other],
                };
                (self.index_of(at[0].clone(), exprs[0])?, self.index_of(at[1].clone(), exprs[1])?)
            }
            value => return self.index_of(value, index),
        };
        let [rows, columns] = self.run_time_sizes(parts);
        self.check_below(i, &Dim::of(rows));
        if parts.sizes.is_none() {
            self.check_below(j, &Dim::of(columns));
            return Ok(i);
        }
        let before = self.b.int(IntOp::Mul, j, rows);
        Ok(self.b.int(IntOp::Add, i, before))
    }

    /// An operator of which one side is such a vector or matrix.
    pub(super) fn run_time_arithmetic(
        &mut self,
        at: &impl ToTokens,
        sign: &str,
        (first, left): (Side, &Value),
        (second, right): (Side, &Value),
    ) -> Lowered<Value> {
        self.has_matrices = true;
        let known = OPERATIONS.iter().find(|known| (known.left, known.op, known.right) == (first, sign, second));
        let given = vec![("this", left.clone()), ("other", right.clone())];
        match known {
            Some(known) => self.written_at_run_time(at.to_token_stream().span(), given, (&known.made, None)),
            None => {
                let (left, right) = (left.describe(&self.b), right.describe(&self.b));
                let message = format!("no derivative is known for `{sign}` of {left} and {right}");
                self.fail(Error::new(at, message).help("write it as a loop over their numbers"))
            }
        }
    }

    pub(super) fn run_time_method(&mut self, call: &ExprMethodCall, receiver: &Value) -> Lowered<Value> {
        self.has_matrices = true;
        let parts = self.run_time_parts(receiver).ok_or(Reported)?;
        let args: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        if let Some(value) = self.measured_at_run_time(&parts, receiver, &name, &args)? {
            return Ok(value);
        }
        match (&name[..], &args[..]) {
            ("map", [function]) => return self.mapped_at_run_time(receiver, &[], function),
            ("zip_map", [other, function]) => return self.mapped_at_run_time(receiver, &[other], function),
            ("zip_zip_map", [other, third, function]) => {
                return self.mapped_at_run_time(receiver, &[other, third], function);
            }
            ("fold", [first, function]) => return self.folded_at_run_time(receiver, first, function),
            ("__like", [maker]) => return self.like_at_run_time(receiver, maker),
            ("__agree", [x, y, message]) => return self.sizes_fit(&rows::eq, (x, y), message),
            ("__at_most", [x, y, message]) => return self.sizes_fit(&rows::le, (x, y), message),
            ("__inverse_now", []) => return self.inverse_now(call, &parts),
            ("__inverse", []) => {
                // Each step doubles what is exact of the series.
                let steps = "let x = x * 2.0 - x * this * x; ".repeat(match self.function.order().number() {
                    0 | 1 => 1,
                    2 | 3 => 2,
                    _ => 3,
                });
                let body = format!("{{ let x = this.__inverse_now(); {steps}x }}");
                return self.written(call.method.span(), vec![("this", receiver.clone())], &body);
            }
            ("__solve", [right]) => {
                let right = self.expr(strip_borrow(right))?;
                let steps =
                    "let x = x + inverse * (b - this * x); ".repeat(self.function.order().number().max(1).into());
                let body = format!("{{ let inverse = this.__inverse_now(); let x = inverse * b; {steps}x }}");
                return self.written(call.method.span(), vec![("this", receiver.clone()), ("b", right)], &body);
            }
            ("__is_invertible", []) => return Ok(self.is_invertible(&parts)),
            ("__determinant_now", []) => return Ok(self.determinant_now(&parts)),
            ("__eigenvalues_now" | "__eigenvectors_now", []) => return self.eigen_now(call, &parts),
            ("__determinant_near_one", []) => {
                // Newton's identities between the traces of powers and what is symmetric of the eigenvalues.
                let body = match self.function.order().number() {
                    0 | 1 => "1.0 + this.trace()",
                    2 => "{ let (t, u) = (this.trace(), this.transpose().dot(this)); 1.0 + t + (t * t - u) * 0.5 }",
                    _ => {
                        "{ let square = this * this; let (t, u) = (this.trace(), this.transpose().dot(this)); \
                        let (v, w) = (square.transpose().dot(this), square.transpose().dot(square)); \
                        1.0 + t + (t * t - u) * 0.5 + (t * t * t - 3.0 * t * u + 2.0 * v) / 6.0 \
                        + (t * t * t * t - 6.0 * t * t * u + 3.0 * u * u + 8.0 * t * v - 6.0 * w) / 24.0 }"
                    }
                };
                return self.written(call.method.span(), vec![("this", receiver.clone())], body);
            }
            ("__vanishing", []) => {
                let numbers = self.map(&rows::vanishing, &[parts.numbers]);
                let sizes = self.run_time_sizes(&parts);
                return Ok(self.matrix_of_numbers(parts.of, numbers, sizes));
            }
            ("__still", []) => {
                let Value::Parts(kind, parts) = receiver else { return Err(Reported) };
                let parts = parts.iter().map(|part| self.without_derivative(part)).collect();
                return Ok(Value::Parts(kind.clone(), parts));
            }
            (product @ ("tr_mul" | "ad_mul" | "__solve_lower" | "__solve_upper"), [other]) => {
                let other = self.expr(strip_borrow(other))?;
                let sides = self.side_of_geometry(receiver).zip(self.side_of_geometry(&other));
                let (first, second) = sides.ok_or(Reported)?;
                let product = if product == "ad_mul" { "tr_mul" } else { product };
                return self.run_time_arithmetic(&call.method, product, (first, receiver), (second, &other));
            }
            _ => {}
        }
        let found = METHODS.iter().find(|known| known.of.contains(&parts.of) && known.name == name);
        let Some(known) = found else {
            let what = parts.of.name(0);
            let message = format!("no derivative is known for the method `{name}` of a `{what}`");
            let close = METHODS.iter().filter(|known| known.of.contains(&parts.of)).map(|known| known.name);
            let close = close.min_by_key(|known| crate::lower::method::distance(known, &name));
            let help = match close.filter(|known| crate::lower::method::distance(known, &name) <= 2) {
                Some(known) => format!("there is `{known}`"),
                None => "write it as a loop over its numbers, or as a function with `#[differentiable]`".to_owned(),
            };
            return self.fail(Error::new(&call.method, message).help(help));
        };
        self.written_out_at_run_time((known, None), Some(receiver), &call.method, &args)
    }

    fn written_out_at_run_time(
        &mut self,
        (known, elem): (&Written, Option<Elem>),
        this: Option<&Value>,
        name: &Ident,
        args: &[&Expr],
    ) -> Lowered<Value> {
        self.count(name, known.params.len(), args.len())?;
        let mut given: Vec<(&str, Value)> = this.map(|this| ("this", this.clone())).into_iter().collect();
        for (param, arg) in known.params.iter().zip(args) {
            let value = self.expr(strip_borrow(arg))?;
            given.push((param, self.settle(value, arg)?));
        }
        self.written_at_run_time(name.span(), given, (&known.made, elem))
    }

    /// What is written in the table: an expression, or loops that fill a matrix of the sizes that stand before them. `told` is of
    /// which numbers, where that is said.
    fn written_at_run_time(
        &mut self,
        span: Span,
        given: Vec<(&str, Value)>,
        (made, told): (&Made, Option<Elem>),
    ) -> Lowered<Value> {
        let (of, sizes, check, loops) = match made {
            Made::Expression(body) => return self.written(span, given, body),
            Made::Vector { rows, check, loops } => (Geometry::RunVector, [*rows, "1"], check, loops),
            Made::Matrix { rows, columns, check, loops } => (Geometry::RunMatrix, [*rows, *columns], check, loops),
        };
        let mut elem = given.iter().flat_map(|(_, value)| value.leaves()).map(|var| self.b.ty(var).elem.clone());
        let elem = told.or_else(|| elem.rfind(Elem::is_float));
        let elem = elem.or_else(|| self.default_elem()).ok_or(Reported)?;
        self.scoped(|lower| {
            for (name, value) in given {
                lower.define(name, Some(value), false);
            }
            if !check.is_empty() {
                lower.expr(&placed(check, span))?;
            }
            let [rows, columns] = sizes.map(|size| placed(size, span));
            let sizes = [lower.index(&rows)?, lower.index(&columns)?];
            let numbers = lower.filled_at_run_time(elem, sizes, &placed(loops, span))?;
            Ok(lower.matrix_of_numbers(of, numbers, sizes))
        })
    }

    /// The numbers of a matrix of these sizes: `out`, to which a block gives its values.
    fn filled_at_run_time(&mut self, elem: Elem, [rows, columns]: [Var; 2], block: &Expr) -> Lowered<Var> {
        let count = self.run_time_product([rows, columns]);
        let zero = self.b.zero(Ty::tensor(elem, vec![Dim::of(count)]));
        self.scoped(|lower| {
            lower.define("out", Some(Value::Leaf(zero, Form::Plain)), true);
            for (name, size) in [("rows", rows), ("columns", columns)] {
                lower.define(name, Some(Value::Leaf(size, Form::Plain)), false);
            }
            match lower.root(&syn::parse_quote!({ #block out }), None)? {
                Value::Leaf(numbers, _) => Ok(numbers),
                _ => Err(Reported),
            }
        })
    }

    /// How many numbers a matrix of these sizes has.
    fn run_time_product(&mut self, [rows, columns]: [Var; 2]) -> Var {
        match self.constant_dim(columns).is_some_and(|columns| columns.is(1)) {
            true => rows,
            false => self.b.int(IntOp::Mul, rows, columns),
        }
    }

    /// A vector or a matrix of its numbers.
    fn matrix_of_numbers(&mut self, of: Geometry, numbers: Var, sizes: [Var; 2]) -> Value {
        let elem = self.b.ty(numbers).elem.clone();
        let (name, number) = (of.name(0), crate::parse::tokens::elem_tokens(&elem));
        let ty = of.ty(&elem, 0, syn::parse_quote!(nalgebra::#name<#number>));
        let sizes = sizes.into_iter().filter(|_| of == Geometry::RunMatrix);
        let parts = std::iter::once(numbers).chain(sizes).map(|part| Value::Leaf(part, Form::Plain));
        Value::Parts(Kind::Struct(Rc::new(ty)), parts.collect())
    }

    /// What is said of sizes, or of the numbers as they are.
    fn measured_at_run_time(
        &mut self,
        parts: &Parts,
        value: &Value,
        name: &str,
        args: &[&Expr],
    ) -> Lowered<Option<Value>> {
        let plain = |var| Value::Leaf(var, Form::Plain);
        Ok(Some(match (name, args) {
            ("len", []) => plain(self.run_time_count(parts.numbers)),
            ("nrows", []) => plain(self.run_time_sizes(parts)[0]),
            ("ncols", []) => plain(self.run_time_sizes(parts)[1]),
            ("shape", []) => Value::tuple(self.run_time_sizes(parts).map(plain).to_vec()),
            ("iter" | "as_slice" | "iter_mut" | "as_mut_slice", []) => plain(parts.numbers),
            ("clone_owned" | "into_owned" | "as_view", []) => value.clone(),
            ("__zero", []) => {
                let elem = self.b.ty(parts.numbers).elem.clone();
                plain(self.b.constant(&elem, 0.0))
            }
            ("__count" | "__column_count", []) => {
                let elem = self.b.ty(parts.numbers).elem.clone();
                let count = match name {
                    "__count" => self.run_time_count(parts.numbers),
                    _ => self.run_time_sizes(parts)[1],
                };
                plain(self.b.cast(count, &elem))
            }
            _ => return Ok(None),
        }))
    }

    /// A matrix of the same sizes, of what a function gives for each of its numbers.
    fn like_at_run_time(&mut self, value: &Value, maker: &Expr) -> Lowered<Value> {
        let parts = self.run_time_parts(value).ok_or(Reported)?;
        let (elem, sizes) = (self.b.ty(parts.numbers).elem.clone(), self.run_time_sizes(&parts));
        let count = self.run_time_count(parts.numbers);
        let zero = self.b.zero(Ty::tensor(elem, vec![Dim::of(count)]));
        let numbers = self.scoped(|lower| {
            let items = format_ident!("__autodiff_items");
            lower.define("__autodiff_items", Some(Value::Leaf(zero, Form::Plain)), true);
            lower.define("__autodiff_end", Some(Value::Leaf(count, Form::Plain)), false);
            let filled = syn::parse_quote!({
                for __autodiff_at in 0..__autodiff_end {
                    #items[__autodiff_at] = (#maker)(__autodiff_at);
                }
                #items
            });
            match lower.root(&filled, None)? {
                Value::Leaf(numbers, _) => Ok(numbers),
                _ => Err(Reported),
            }
        })?;
        Ok(self.matrix_of_numbers(parts.of, numbers, sizes))
    }

    /// `m.map(|a| …)`, `m.zip_map(&other, |a, b| …)`
    fn mapped_at_run_time(&mut self, value: &Value, others: &[&&Expr], function: &Expr) -> Lowered<Value> {
        let others = others.iter().map(|other| self.expr(strip_borrow(other))).collect::<Lowered<Vec<Value>>>()?;
        self.scoped(|lower| {
            let mut names = Vec::new();
            for (k, operand) in std::iter::once(value.clone()).chain(others).enumerate() {
                let name = format_ident!("__autodiff_matrix_{k}");
                lower.define(&name.to_string(), Some(operand), false);
                names.push(name);
            }
            let Some((first, rest)) = names.split_first() else { return Err(Reported) };
            for other in rest {
                lower.expr(&syn::parse_quote!(#first.__same(#other)))?;
            }
            lower.like_at_run_time(value, &syn::parse_quote!(|__autodiff_k| (#function)(#(#names[__autodiff_k]),*)))
        })
    }

    /// `m.fold(first, |sum, a| …)`
    fn folded_at_run_time(&mut self, value: &Value, first: &Expr, function: &Expr) -> Lowered<Value> {
        self.scoped(|lower| {
            lower.define("__autodiff_numbers", Some(value.clone()), false);
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

    /// Panics where one size does not fit another.
    fn sizes_fit(&mut self, row: &'static crate::op::Row, (x, y): (&Expr, &Expr), message: &Expr) -> Lowered<Value> {
        let (x, y) = (self.index(x)?, self.index(y)?);
        let Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(message), .. }) = message else { return Err(Reported) };
        let known = self.constant_dim(x).zip(self.constant_dim(y)).is_some_and(|(x, y)| x == y);
        if !known && x != y {
            let fits = self.b.map(row, &[x, y]);
            self.check_holds(fits, &message.value(), &[x, y]);
        }
        Ok(Value::unit())
    }

    /// The inverse of a square matrix, without a derivative; zeros, if there is none.
    ///
    /// Note [Derivatives of solutions]. An inverse is computed without a derivative first, X₀ = A⁻¹. Newton's step X·(2 - A·X) changes
    /// nothing of its value, and gives it the derivatives: the first after one step, those up to the third after two, and up to the
    /// seventh after three. In the same way the solution of A·x = b is X₀·b, and a step x + X₀·(b - A·x) gives one order more of its
    /// derivatives. There are as many steps as the order of the function needs, so that it has no Taylor series, whose order is not known here.
    fn inverse_now(&mut self, call: &ExprMethodCall, parts: &Parts) -> Lowered<Value> {
        if self.function.attr.taylor.is_some() {
            let message = "an inverse of run-time size cannot be expanded in a Taylor series yet";
            let help = "take the derivatives one of the other: a function that returns `f::jvp(x, direction).1` has `jvp`, too";
            return self.fail(Error::new(&call.method, message).help(help));
        }
        let sizes = self.run_time_sizes(parts);
        let (ty, krate) = (self.b.ty(parts.numbers).clone(), crate_path(&self.function.attr));
        let (numbers, rows) = (hole(0), hole(1));
        let inverse = Opaque::pure(quote!(#krate::__private::inverse_of(#numbers, #rows)));
        let inverse = self.b.opaque(inverse, vec![parts.numbers, sizes[0]], ty);
        Ok(self.matrix_of_numbers(Geometry::RunMatrix, inverse, sizes))
    }

    fn is_invertible(&mut self, parts: &Parts) -> Value {
        let ([rows, _], krate) = (self.run_time_sizes(parts), crate_path(&self.function.attr));
        let (numbers, size) = (hole(0), hole(1));
        let answer = Opaque::pure(quote!(#krate::__private::is_invertible(#numbers, #size)));
        Value::Leaf(self.b.opaque(answer, vec![parts.numbers, rows], Ty::scalar(Elem::Bool)), Form::Plain)
    }

    /// The determinant of a square matrix, without a derivative.
    fn determinant_now(&mut self, parts: &Parts) -> Value {
        let (elem, [rows, _]) = (self.b.ty(parts.numbers).elem.clone(), self.run_time_sizes(parts));
        let (krate, numbers, size) = (crate_path(&self.function.attr), hole(0), hole(1));
        let determinant = Opaque::pure(quote!(#krate::__private::determinant_of(#numbers, #size)));
        Value::Leaf(self.b.opaque(determinant, vec![parts.numbers, rows], Ty::scalar(elem)), Form::Plain)
    }

    /// The eigenvalues or the eigenvectors of a symmetric matrix, without a derivative.
    fn eigen_now(&mut self, call: &ExprMethodCall, parts: &Parts) -> Lowered<Value> {
        if self.function.attr.taylor.is_some() || self.function.order().number() > 2 {
            let message = "eigenvalues of run-time size have derivatives up to the second";
            return self.fail(Error::new(&call.method, message).help("take a matrix of fixed size, or a lower order"));
        }
        let (elem, sizes) = (self.b.ty(parts.numbers).elem.clone(), self.run_time_sizes(parts));
        let (krate, numbers, size) = (crate_path(&self.function.attr), hole(0), hole(1));
        let (of, opaque, ty, sizes) = match call.method == "__eigenvalues_now" {
            true => {
                let one = self.b.dim(Dim::literal(1));
                let ty = Ty::tensor(elem, vec![Dim::of(sizes[0])]);
                (Geometry::RunVector, quote!(#krate::__private::eigenvalues_of(#numbers, #size)), ty, [sizes[0], one])
            }
            false => {
                let ty = self.b.ty(parts.numbers).clone();
                (Geometry::RunMatrix, quote!(#krate::__private::eigenvectors_of(#numbers, #size)), ty, sizes)
            }
        };
        let rows = sizes[0];
        let made = self.b.opaque(Opaque::pure(opaque), vec![parts.numbers, rows], ty);
        Ok(self.matrix_of_numbers(of, made, sizes))
    }

    /// `DVector::from_fn(n, |i, _| …)`, `DMatrix::zeros(r, c)`
    pub(super) fn made_at_run_time(
        &mut self,
        call: &ExprCall,
        of: Geometry,
        elem: Option<Elem>,
        name: &Ident,
        args: &[&Expr],
    ) -> Lowered<Value> {
        let text = name.to_string();
        let counts = if of == Geometry::RunVector { 1 } else { 2 };
        if let Some(known) =
            MAKERS.iter().find(|known| known.of.contains(&of) && known.name == text && known.params.len() == args.len())
        {
            return self.written_out_at_run_time((known, elem), None, name, args);
        }
        let (sizes, rest) = args.split_at(counts.min(args.len()));
        let lists = ["from_vec", "from", "from_row_slice", "from_column_slice", "__of"];
        if lists.contains(&&text[..]) && of == Geometry::RunVector && args.len() == 1 {
            return self.of_list(of, args[0], None);
        }
        if sizes.len() < counts {
            return self.not_made(call);
        }
        let mut extents = [self.index(sizes[0])?, self.b.dim(Dim::literal(1))];
        if counts == 2 {
            extents[1] = self.index(sizes[1])?;
        }
        let number = elem.or_else(|| self.default_elem());
        match (&text[..], rest) {
            ("zeros", []) => {
                let Some(elem) = number else { return self.not_made(call) };
                let count = self.run_time_product(extents);
                let zero = self.b.zero(Ty::tensor(elem, vec![Dim::of(count)]));
                Ok(self.matrix_of_numbers(of, zero, extents))
            }
            ("from_element" | "repeat", [number]) => {
                let value = self.expr(number)?;
                let value = self.settle(value, number)?;
                let elem = value.leaves().first().map(|var| self.b.ty(*var).elem.clone());
                let Some(elem) = elem else { return self.not_made(call) };
                let block = "for k in 0..rows * columns { out[k] = __autodiff_number; }";
                self.made_by_loops(of, elem, extents, vec![("__autodiff_number", value)], block)
            }
            ("from_fn", [maker]) => {
                let Some(elem) = number else { return self.not_made(call) };
                let numbers = self.run_time_by_index(elem, extents, maker)?;
                Ok(self.matrix_of_numbers(of, numbers, extents))
            }
            ("from_vec" | "from_column_slice", [list]) => self.of_list(of, list, Some(extents)),
            ("from_row_slice", [list]) if of == Geometry::RunVector => self.of_list(of, list, Some(extents)),
            ("from_row_slice", [list]) => {
                let Value::Parts(kind, parts) = self.of_list(of, list, Some(extents))? else { return Err(Reported) };
                let elem = self.b.ty(parts[0].leaves()[0]).elem.clone();
                let block = "for j in 0..columns { for i in 0..rows { out[i + j * rows] = list[i * columns + j]; } }";
                let list = Value::Parts(kind, parts);
                self.made_by_loops(of, elem, extents, vec![("list", list)], block)
            }
            _ => self.not_made(call),
        }
    }

    fn not_made(&mut self, call: &ExprCall) -> Lowered<Value> {
        let text = crate::parse::ty::spelled(&call.func);
        self.unsupported(call, &format!("`{text}`"), "make it with `from_fn`, `from_vec` or `zeros`")
    }

    fn made_by_loops(
        &mut self,
        of: Geometry,
        elem: Elem,
        sizes: [Var; 2],
        given: Vec<(&str, Value)>,
        block: &str,
    ) -> Lowered<Value> {
        self.scoped(|lower| {
            for (name, value) in given {
                lower.define(name, Some(value), false);
            }
            let numbers = lower.filled_at_run_time(elem, sizes, &placed(block, Span::call_site()))?;
            Ok(lower.matrix_of_numbers(of, numbers, sizes))
        })
    }

    /// `from_fn(|i, j| …)`: column after column, as nalgebra does.
    fn run_time_by_index(&mut self, elem: Elem, [rows, columns]: [Var; 2], maker: &Expr) -> Lowered<Var> {
        let count = self.run_time_product([rows, columns]);
        let zero = self.b.zero(Ty::tensor(elem, vec![Dim::of(count)]));
        self.scoped(|lower| {
            lower.define("__autodiff_items", Some(Value::Leaf(zero, Form::Plain)), true);
            for (name, size) in [("__autodiff_rows", rows), ("__autodiff_columns", columns)] {
                lower.define(name, Some(Value::Leaf(size, Form::Plain)), false);
            }
            let filled = syn::parse_quote!({
                for __autodiff_j in 0..__autodiff_columns {
                    for __autodiff_i in 0..__autodiff_rows {
                        __autodiff_items[__autodiff_i + __autodiff_j * __autodiff_rows] =
                            (#maker)(__autodiff_i, __autodiff_j);
                    }
                }
                __autodiff_items
            });
            match lower.root(&filled, None)? {
                Value::Leaf(numbers, _) => Ok(numbers),
                _ => Err(Reported),
            }
        })
    }

    /// A vector or a matrix of a list of its numbers.
    fn of_list(&mut self, of: Geometry, list: &Expr, sizes: Option<[Var; 2]>) -> Lowered<Value> {
        let value = self.expr(strip_borrow(list))?;
        let value = self.settle(value, list)?;
        let slice = self.as_slice(&value);
        let numbers = slice.filter(|slice| slice.array().is_some()).map(|slice| self.owned(&slice));
        let numbers = numbers.map(|numbers| self.with_own_length(numbers));
        let Some(Value::Leaf(numbers, _)) = numbers else {
            let what = value.describe(&self.b);
            return self.fail(Error::new(list, format!("a list of numbers is expected here, this is {what}")));
        };
        let count = self.run_time_count(numbers);
        let sizes = match sizes {
            Some(sizes) => {
                let product = self.run_time_product(sizes);
                let equal = self.b.map(&rows::eq, &[product, count]);
                let message = "a matrix of {} numbers is made of {}";
                self.check_holds(equal, message, &[product, count]);
                sizes
            }
            None => [count, self.b.dim(Dim::literal(1))],
        };
        Ok(self.matrix_of_numbers(of, numbers, sizes))
    }
}

/// What a table has, at the place of a token.
fn placed(text: &str, span: Span) -> Expr {
    let text = format!("{{ {text} }}");
    let Ok(expr) = syn::parse_str::<Expr>(&text) else { unreachable!("the table is Rust: `{text}`") };
    syn::parse2(crate::tokens::placed(expr.to_token_stream(), span)).unwrap_or(expr)
}
