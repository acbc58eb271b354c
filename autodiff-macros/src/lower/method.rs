//! Methods: rows of the element-wise table, and the table of [`crate::op::method`].

use super::Lower;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::{Error, are, counted};
use crate::ir::dim::{self, Dim};
use crate::ir::{Elem, Var};
use crate::layout::{Form, Kind};
use crate::op::{RowKind, elementwise, method};
use quote::{ToTokens, quote};
use syn::{Expr, ExprMethodCall, Ident};

/// What an argument is typed and measured by.
pub(super) struct Like<'a> {
    /// The operator's name.
    pub(super) name: &'a Ident,
    /// The first tensor.
    pub(super) receiver: Option<(&'a Expr, Var)>,
}

impl Lower<'_> {
    pub(super) fn method_call(&mut self, call: &ExprMethodCall) -> Lowered<Value> {
        if let Some(call) = self.as_written(call)? {
            return self.method_call(&call);
        }
        if self.learns_of_own_method(&call.receiver, &call.method.to_string()) {
            return Err(Reported);
        }
        if let Some(edited) = self.edit(call).or_else(|| self.option_in_place(call)) {
            return edited;
        }
        // A type of the user's may have a method of that name.
        let is_object = matches!(self.named(&call.receiver), Some(Value::Parts(Kind::Struct(ty), _)) if !ty.is_option);
        if crate::desugar::is_mutating(&call.method) && !is_object && self.data_at(&call.receiver).is_none() {
            return self.mutating_method(call).inspect_err(|Reported| {
                self.learn_object(&call.receiver);
            });
        }
        if let Some(truth) = self.order_method(call)? {
            return Ok(truth);
        }
        if let Some(value) = self.tried(call)? {
            return Ok(value);
        }
        if let Some(found) = self.searched(call) {
            return found;
        }
        let receiver = self.expr(&call.receiver)?;
        let receiver = self.data_of_nalgebra(receiver)?;
        if let Value::Parts(Kind::Struct(ty), _) = &receiver {
            if ty.is_option {
                let ty = ty.clone();
                return self.option_method(call, &ty, receiver);
            }
            if ty.errors.is_some() {
                let ty = ty.clone();
                return self.result_method(call, &ty, receiver);
            }
        }
        if let Some(value) = self.geometry_method(call, &receiver) {
            return value;
        }
        if let Some(value) = self.owned_method(call, &receiver) {
            return value;
        }
        if let Some(value) = self.concatenated(call, &receiver) {
            return value;
        }
        if let Some(value) = self.contains(call, &receiver) {
            return value;
        }
        if let Some(value) = self.element_if_any(call, &receiver) {
            return value;
        }
        let receiver = match call.method == "map" && call.args.len() == 1 {
            true => self.array_of_data(&receiver, &call.receiver)?.unwrap_or(receiver),
            false => receiver,
        };
        if let Some(value) = self.matrix_part(call, &receiver) {
            return value;
        }
        if let Some(value) = self.array_map(call, &receiver) {
            return value;
        }
        let args: Vec<&Expr> = call.args.iter().collect();
        let untold = super::learned::is_untold(&receiver);
        let value = self.method(call, &call.method, (&call.receiver, receiver), &args);
        if value.is_err() && !(untold && self.learn_makers(&call.receiver)) {
            self.learn_object(&call.receiver);
        }
        value
    }

    /// Whether a method such as `push` is called of what is no `Vec`, `let mut stack = Stack::default();`, which is found out now:
    /// the file has a type `Stack` with a method of that name.
    pub(super) fn learns_of_own_method(&mut self, receiver: &Expr, method: &str) -> bool {
        let change = syn::Ident::new(method, proc_macro2::Span::call_site());
        if !(crate::desugar::is_mutating(&change) || crate::desugar::is_editing(&change)) || !self.is_guess(receiver) {
            return false;
        }
        let Expr::Path(name) = super::assign::unparen(receiver) else { return false };
        let binding = name.path.get_ident().and_then(|name| self.lookup(&name.to_string()));
        let Some((_, owner)) = binding.and_then(|binding| binding.maker.as_ref()) else { return false };
        let relay = owner.segments.last().map(|last| format!("{}_{method}", last.ident));
        let is_own = self.source.as_ref().zip(relay).is_some_and(|(source, relay)| source.has_function(&relay));
        // Another call may have asked already.
        is_own && (self.learn_makers(receiver) || !self.ask.is_empty() || !self.news.is_empty())
    }

    /// `x.get(i)`, `x.first()` and `x.last()` as an `Option`; of a queue, `x.front()` and `x.back()`.
    fn element_if_any(&mut self, call: &ExprMethodCall, receiver: &Value) -> Option<Lowered<Value>> {
        let is_list = match receiver {
            Value::Slice(_) | Value::Parts(Kind::Array, _) => true,
            Value::Leaf(var, Form::Plain) => !self.b.ty(*var).is_scalar(),
            _ => false,
        };
        let name = match &call.method.to_string()[..] {
            "front" => "first".to_owned(),
            "back" => "last".to_owned(),
            name => name.to_owned(),
        };
        let args: Vec<&Expr> = call.args.iter().collect();
        let by_index = matches!((&name[..], &args[..]), ("get", [index]) if !matches!(index, Expr::Range(_)));
        if !is_list || !by_index && !matches!((&name[..], &args[..]), ("first" | "last", [])) {
            return None;
        }
        Some(self.scoped(|lower| {
            lower.define("__autodiff_list", Some(receiver.clone()), false);
            let list = syn::Ident::new("__autodiff_list", call.method.span());
            let chosen: Expr = match args.first() {
                Some(index) => {
                    let index = lower.named_once(index, "__autodiff_index")?;
                    syn::parse_quote!(if #index < #list.len() { Some(#list[#index]) } else { None })
                }
                None if name == "first" => {
                    syn::parse_quote!(if 0 < #list.len() { Some(#list[0]) } else { None })
                }
                None => syn::parse_quote!(if 0 < #list.len() { Some(#list[#list.len() - 1]) } else { None }),
            };
            lower.expr(&chosen)
        }))
    }

    /// `usize::try_from(n).unwrap()` of integers.
    fn tried(&mut self, call: &ExprMethodCall) -> Lowered<Option<Value>> {
        let (Expr::Call(tried), "unwrap" | "expect") =
            (super::assign::unparen(&call.receiver), &call.method.to_string()[..])
        else {
            return Ok(None);
        };
        let (Expr::Path(function), Some(arg), 1) = (&*tried.func, tried.args.first(), tried.args.len()) else {
            return Ok(None);
        };
        let words: Vec<String> = function.path.segments.iter().map(|part| part.ident.to_string()).collect();
        let [ty, name] = &words[..] else { return Ok(None) };
        if name != "try_from" || !crate::parse::ty::INTEGERS.contains(&&ty[..]) {
            return Ok(None);
        }
        let to = Elem::Int(ty[..].into());
        let (unwrap, args) = (&call.method, &call.args);
        Ok(match self.expr(arg)? {
            Value::Leaf(var, Form::Plain) if matches!(self.b.ty(var).elem, Elem::Int(_)) => {
                let hole = crate::ir::hole(0);
                let opaque = crate::ir::Opaque::pure(quote!(#function(#hole).#unwrap(#args)));
                Some(Value::Leaf(self.b.opaque(opaque, vec![var], crate::ir::Ty::scalar(to)), Form::Plain))
            }
            Value::Untyped(untyped) if untyped.number.is_some() => Some(self.typed(&untyped, &to)),
            Value::Untyped(untyped) => {
                let given = &untyped.tokens;
                let tokens = quote!(#function(#given).#unwrap(#args));
                Some(self.typed(&Untyped { tokens, number: None, integer: true }, &to))
            }
            _ => None,
        })
    }

    /// `receiver.name(args)`, or the same written as `f64::name(receiver, args)`.
    pub(super) fn method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        (receiver_expr, receiver): (&Expr, Value),
        args: &[&Expr],
    ) -> Lowered<Value> {
        let text = name.to_string();
        match (&text[..], &receiver) {
            ("clone" | "to_owned", Value::Slice(_)) => {}
            // A copy of what may change later on, which is not seen where that is in a `Cell`.
            ("clone" | "to_owned", Value::Other(tokens) | Value::Untyped(Untyped { tokens, number: None, .. }))
                if args.is_empty() =>
            {
                let tokens = tokens.clone();
                return self.inactive_method(at, name, &tokens, args);
            }
            ("len", Value::Other(tokens) | Value::Untyped(Untyped { tokens, number: None, .. }))
                if self.is_option_of_data(tokens) =>
            {
                let list = self.as_list(tokens.clone());
                return self.inactive_method(at, name, &list, args);
            }
            ("as_ref", Value::Other(tokens)) if args.is_empty() && self.is_option_of_data(tokens) => {
                return Ok(Value::Other(quote!(#tokens.as_ref())));
            }
            ("clone" | "to_owned" | "as_ref", _) if args.is_empty() => return Ok(receiver),
            ("len", Value::Parts(Kind::Array, parts)) => {
                let dim = Dim::literal(i64::try_from(parts.len()).unwrap_or(i64::MAX));
                return Ok(Value::Leaf(self.b.dim(dim), Form::Plain));
            }
            _ => {}
        }
        if let Some(value) = self.view_method(name, &receiver, args) {
            return value;
        }
        let (var, form) = match receiver.expected_number() {
            Value::Leaf(var, form) => (var, form),
            Value::Untyped(untyped) => match (&text[..], self.integer_type(receiver_expr)) {
                // The count of a loop over data: these are methods of a trait, which need not be in scope.
                ("min" | "max" | "clamp", Some(integer)) => match self.typed(&untyped, &integer) {
                    Value::Leaf(var, form) => (var, form),
                    _ => return self.untyped_method(at, name, &untyped, args),
                },
                _ => return self.untyped_method(at, name, &untyped, args),
            },
            other => {
                if let Some(tokens) = self.passive_tokens(&other) {
                    return self.inactive_method(at, name, &tokens, args);
                }
                let message = format!("{} has no method `{text}` that can be differentiated", other.describe(&self.b));
                return self.fail(Error::new(name, message).help("call it on its parts"));
            }
        };
        if form.is_matrix() && !self.b.ty(var).is_scalar() {
            return self.matrix_method(at, name, (receiver_expr, var, form), args);
        }
        if let (Elem::Int(_), true) = (&self.b.ty(var).elem, self.b.ty(var).is_scalar()) {
            return self.integer_method(name, var, args);
        }
        if !self.b.ty(var).is_float() {
            return self.unsupported(
                name,
                &format!("`{text}` on `{}`", self.b.ty(var).elem),
                "compute it outside and pass it in with `#[no_diff]`",
            );
        }
        let of_number = self.b.ty(var).is_scalar();
        if text == "to_bits" && of_number && args.is_empty() {
            return self.bits(name, var);
        }
        if text == "sin_cos" && args.is_empty() && (of_number || form == Form::Tensor) {
            let parts =
                [&elementwise::sin, &elementwise::cos].map(|row| self.checked_map(at, row, &[(receiver_expr, var)]));
            let parts: Vec<Var> = parts.into_iter().collect::<Lowered<_>>()?;
            return Ok(Value::Parts(Kind::Tuple, parts.into_iter().map(|part| Value::leaf(&self.b, part)).collect()));
        }
        if let Some(row) = elementwise::find_method(&text, of_number) {
            if !self.b.ty(var).is_scalar() && form == Form::Plain {
                return self.arrays_have_no_methods(name, receiver_expr, var);
            }
            if let Some(of) = self.method_of_trait(&text, var) {
                let error = Error::new(name, format!("`{text}` of `{of}` has no derivative"))
                    .note(format!("`autodiff` has a method `{text}` of numbers, which is another one"))
                    .help("write it as a function with `#[differentiable]`, and call that");
                return self.fail(error);
            }
            return self.row_method(at, name, row, (receiver_expr, var), args);
        }
        if let (Some(tuple), Form::Tensor) = (method::find_tuple(&text), form) {
            self.count(name, 0, args.len())?;
            let parts = tuple.parts.iter().filter_map(|part| method::find(part));
            let parts = parts.map(|part| self.table_method(at, name, part, (receiver_expr, var), args));
            return Ok(Value::Parts(Kind::Tuple, parts.collect::<Lowered<_>>()?));
        }
        match method::find(&text).or_else(|| method::find(method::find_tuple(&text)?.parts.first()?)) {
            Some(_) if self.b.ty(var).is_scalar() => self.fail(Error::new(
                name,
                format!("`{text}` is a method of tensors, `{}` is a number", crate::parse::ty::spelled(receiver_expr)),
            )),
            Some(_) if form == Form::Plain => self.arrays_have_no_methods(name, receiver_expr, var),
            Some(method) => self.table_method(at, name, method, (receiver_expr, var), args),
            None => self.unknown_method(name, (var, form)),
        }
    }

    /// The type that a trait of the file gives a method of this name to, where the standard library does not: a number.
    fn method_of_trait(&self, method: &str, receiver: Var) -> Option<&'static str> {
        let owner = match self.b.ty(receiver).elem {
            _ if !self.b.ty(receiver).is_scalar() => return None,
            Elem::F32 => "f32",
            Elem::F64 => "f64",
            _ => return None,
        };
        let own = self.source.as_ref()?.has_function(&format!("{owner}_{method}"));
        (own && !crate::source::is_method_of_std(method)).then_some(owner)
    }

    /// The bits of a number have no derivative.
    fn bits(&mut self, name: &Ident, var: Var) -> Lowered<Value> {
        if self.active.contains(&var) {
            let error = Error::new(name, "the derivative ends here: bits have none")
                .note("the number depends on a differentiable input")
                .help("if that is meant, write `stop_gradient(…)` around it");
            return self.fail(error.plain_rust());
        }
        let bits = match self.b.ty(var).elem {
            Elem::F32 => "u32",
            Elem::F64 => "u64",
            _ => return self.unknown_method(name, (var, Form::Plain)),
        };
        let hole = crate::ir::hole(0);
        let opaque = crate::ir::Opaque::pure(quote!(#hole.to_bits()));
        Ok(Value::Leaf(self.b.opaque(opaque, vec![var], crate::ir::Ty::scalar(Elem::Int(bits.into()))), Form::Plain))
    }

    /// A method of an integer stays as it is.
    fn integer_method(&mut self, name: &Ident, var: Var, args: &[&Expr]) -> Lowered<Value> {
        let own = self.b.ty(var).clone();
        let result = match &name.to_string()[..] {
            "trailing_zeros" | "leading_zeros" | "count_ones" | "count_zeros" | "ilog2" | "ilog10" | "ilog" => {
                Elem::Int("u32".into())
            }
            "is_power_of_two" | "is_multiple_of" | "is_positive" | "is_negative" => Elem::Bool,
            "min" | "max" | "clamp" | "pow" | "abs" | "signum" | "isqrt" | "div_ceil" | "rem_euclid" | "div_euclid"
            | "next_power_of_two" | "next_multiple_of" | "saturating_sub" | "saturating_add" | "saturating_mul"
            | "wrapping_sub" | "wrapping_add" | "wrapping_mul" | "abs_diff" | "rotate_left" | "rotate_right"
            | "swap_bytes" | "reverse_bits" => own.elem.clone(),
            "checked_add" | "checked_sub" | "checked_mul" | "checked_div" | "checked_rem" | "checked_pow" => {
                own.elem.clone()
            }
            _ => {
                let what = format!("`{name}` on `{}`", own.elem);
                return self.unsupported(name, &what, "compute it outside and pass it in with `#[no_diff]`");
            }
        };
        let exponent = matches!(&name.to_string()[..], "pow" | "checked_pow" | "ilog" | "rotate_left" | "rotate_right");
        let mut vars = vec![var];
        for arg in args {
            let elem = if exponent { Elem::Int("u32".into()) } else { own.elem.clone() };
            let value = self.expr_expecting(arg, Some(&crate::parse::ty::Surface::Scalar(elem.clone())))?;
            vars.push(self.leaf_like(value, &crate::ir::Ty::scalar(elem), arg)?);
        }
        if let [a, b] = vars[..] {
            if let Some(dim) = self.constant_method(&name.to_string(), a, b) {
                return Ok(Value::Leaf(self.b.dim(dim), Form::Plain));
            }
        }
        // What is known of it tells that indices are in range.
        let least_or_most = match &name.to_string()[..] {
            "min" => Some(crate::ir::IntOp::Min),
            "max" => Some(crate::ir::IntOp::Max),
            _ => None,
        };
        if let ([a, b], Some(op), true) = (&vars[..], least_or_most, own.elem == Elem::usize()) {
            return Ok(Value::Leaf(self.b.int(op, *a, *b), Form::Plain));
        }
        let (receiver, holes) = (crate::ir::hole(0), (1..vars.len()).map(crate::ir::hole));
        // With the type: a literal has none of its own.
        let of = crate::parse::tokens::elem_tokens(&own.elem);
        let tokens = match &own.elem {
            // `div_ceil` of signed integers is unstable; the divisor is the step of a range.
            Elem::Int(ty) if name == "div_ceil" && ty.starts_with('i') => {
                let step = crate::ir::hole(1);
                let rest = quote!(#of::rem_euclid(#receiver, #step) != 0);
                quote!(#of::div_euclid(#receiver, #step) + <#of as ::core::convert::From<bool>>::from(#rest))
            }
            // These are methods of a trait, which need not be in scope.
            Elem::Int(_) if matches!(&name.to_string()[..], "min" | "max" | "clamp") => {
                quote!(::core::cmp::Ord::#name(#receiver #(, #holes)*))
            }
            _ => quote!(#of::#name(#receiver #(, #holes)*)),
        };
        if name.to_string().starts_with("checked_") {
            return Ok(self.checked(name, &vars, &own.elem, &tokens));
        }
        let opaque = crate::ir::Opaque::pure(tokens);
        Ok(Value::Leaf(self.b.opaque(opaque, vars, crate::ir::Ty::scalar(result)), Form::Plain))
    }

    fn unknown_method<T>(&mut self, name: &Ident, (var, form): (Var, Form)) -> Lowered<T> {
        let what = match form {
            _ if self.b.ty(var).is_scalar() => "numbers",
            Form::Plain => "arrays and `Vec`s",
            Form::Tensor => "tensors",
            Form::Vector | Form::Matrix | Form::RunVector | Form::RunMatrix => "matrices",
        };
        let mut error = Error::new(name, format!("no derivative is known for the method `{name}` of {what}"));
        let text = name.to_string();
        let close = method::names()
            .chain(elementwise::all().filter(|row| row.is_method()).map(|row| row.name))
            .min_by_key(|known| distance(known, &text));
        error = match close.filter(|known| distance(known, &text) <= 2) {
            Some(known) => error.help(format!("there is `{known}`")),
            None if self.active.contains(&var) => {
                error.help("write it with methods that have one, or as a function with `#[differentiable]`")
            }
            None => error.help("compute it outside and pass it in with `#[no_diff]`"),
        };
        self.fail(error)
    }

    fn arrays_have_no_methods<T>(&mut self, name: &Ident, receiver: &Expr, var: Var) -> Lowered<T> {
        let message = format!(
            "arrays have no method `{name}`: `{}` is an array {}",
            crate::parse::ty::spelled(receiver),
            dim::show(&self.b.ty(var).dims)
        );
        self.fail(Error::new(name, message).help("use a `Tensor` instead of the array, or loop over its elements"))
    }

    pub(super) fn count<T: ToTokens>(&mut self, name: &T, wanted: usize, given: usize) -> Lowered<()> {
        if wanted == given {
            return Ok(());
        }
        self.fail(wrong_count(name, wanted, given))
    }

    fn row_method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        row: &'static crate::op::Row,
        (receiver_expr, receiver): (&Expr, Var),
        args: &[&Expr],
    ) -> Lowered<Value> {
        self.count(name, row.arity() - 1, args.len())?;
        let mut operands: Vec<(&dyn ToTokens, Var)> = vec![(receiver_expr, receiver)];
        let elem = self.b.ty(receiver).elem.clone();
        for arg in args {
            let value = self.expr(arg)?.expected_number();
            let ty = if row.kind == RowKind::IntExponent { Elem::Int("i32".into()) } else { elem.clone() };
            let var = match value {
                Value::Untyped(untyped) => {
                    let value = self.typed_argument(name, &untyped, &ty, arg)?;
                    value.leaves()[0]
                }
                Value::Leaf(var, _) if self.b.ty(var).elem == ty => var,
                other => {
                    let (is_power, what) = (row.kind == RowKind::IntExponent, other.describe(&self.b));
                    let article = if is_power { "an" } else { "a" };
                    let error = Error::new(arg, format!("`{name}` takes {article} `{ty}` here, this is {what}"));
                    return self.fail(match is_power {
                        true => error.help(format!("write `powf` for an exponent of type `{elem}`")),
                        false => error,
                    });
                }
            };
            operands.push((arg, var));
        }
        if let ([_, (_, low), (_, high)], "clamp") = (&operands[..], row.name) {
            self.check_ends(*low, *high);
        }
        let out = self.checked_map(at, row, &operands)?;
        Ok(Value::leaf(&self.b, out))
    }

    /// An edit that gives a tensor one of the ranks: axes of 1 in front, or the first axes joined.
    pub(super) fn of_rank(&self, expr: &Expr, tensor: Var, ranks: &[usize]) -> String {
        let dims = &self.b.ty(tensor).dims;
        let Some(wanted) = ranks.iter().min_by_key(|rank| rank.abs_diff(dims.len())) else { return String::new() };
        let reshaped = if *wanted > dims.len() {
            [vec![Dim::literal(1); wanted - dims.len()], dims.clone()].concat()
        } else {
            let (joined, rest) = dims.split_at(dims.len() - wanted + 1);
            [&[Dim::product(joined)], rest].concat()
        };
        format!(
            "bring it into shape, for example with `{}.reshape({})`",
            crate::parse::ty::spelled(expr),
            dim::show(&reshaped)
        )
    }

    /// A method of a literal or constant: `2.0.sqrt()`.
    fn untyped_method(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        untyped: &Untyped,
        args: &[&Expr],
    ) -> Lowered<Value> {
        self.scoped(|lower| {
            let named = args.iter().enumerate().map(|(k, arg)| lower.named_once(arg, &format!("__autodiff_arg_{k}")));
            let named: Vec<Expr> = named.collect::<Lowered<_>>()?;
            lower.method_of_untyped(at, name, untyped, &named.iter().collect::<Vec<_>>())
        })
    }

    fn method_of_untyped(
        &mut self,
        at: &impl ToTokens,
        name: &Ident,
        untyped: &Untyped,
        args: &[&Expr],
    ) -> Lowered<Value> {
        if untyped.integer || untyped.number.is_none() {
            if let Some(elem) = self.integer_beside(name, args) {
                let var = self.leaf_like(Value::Untyped(untyped.clone()), &crate::ir::Ty::scalar(elem), at)?;
                return self.integer_method(name, var, args);
            }
        }
        if untyped.number.is_none() && elementwise::find_method(&name.to_string(), true).is_some() {
            if let Some(elem) = self.active_beside(args) {
                let value = self.typed(untyped, &elem);
                let constant: Expr = syn::parse2(untyped.tokens.clone()).unwrap_or_else(|_| syn::parse_quote!(x));
                return self.method(at, name, (&constant, value), args);
            }
        }
        if untyped.number.is_none() || untyped.integer {
            return self.inactive_method(at, name, &untyped.tokens, args);
        }
        let value = self.settle(Value::Untyped(untyped.clone()), at)?;
        let [var] = value.leaves()[..] else { return Err(super::value::Reported) };
        let literal: Expr = syn::parse2(untyped.tokens.clone()).unwrap_or_else(|_| syn::parse_quote!(x));
        self.method(at, name, (&literal, Value::Leaf(var, Form::Plain)), args)
    }

    /// The type that a constant gets from an argument that has one: `N.saturating_sub(i)`.
    fn integer_beside(&mut self, name: &Ident, args: &[&Expr]) -> Option<Elem> {
        if !OF_ONE_TYPE.contains(&&name.to_string()[..]) {
            return None;
        }
        let arg = self.expr(args.first()?).ok()?;
        match arg {
            Value::Leaf(var, _) if matches!(self.b.ty(var).elem, Elem::Int(_)) && self.b.ty(var).is_scalar() => {
                Some(self.b.ty(var).elem.clone())
            }
            _ => None,
        }
    }

    /// The type of a number with a derivative among the arguments of a constant: `E.powf(x)`.
    fn active_beside(&mut self, args: &[&Expr]) -> Option<Elem> {
        args.iter().find_map(|arg| match self.expr(arg).ok()? {
            Value::Leaf(var, Form::Plain) if self.active.contains(&var) && self.b.ty(var).is_scalar() => {
                Some(self.b.ty(var).elem.clone())
            }
            _ => None,
        })
    }
}

/// Methods of integers whose arguments are of the type of the receiver.
const OF_ONE_TYPE: &[&str] = &[
    "min",
    "max",
    "clamp",
    "div_ceil",
    "rem_euclid",
    "div_euclid",
    "saturating_sub",
    "saturating_add",
    "saturating_mul",
    "wrapping_sub",
    "wrapping_add",
    "wrapping_mul",
    "abs_diff",
    "checked_add",
    "checked_sub",
    "checked_mul",
    "checked_div",
    "checked_rem",
];

/// How many letters two names differ by.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

pub(super) fn wrong_count(name: &impl ToTokens, wanted: usize, given: usize) -> Error {
    let text = name.to_token_stream();
    Error::new(name, format!("`{text}` takes {}, {} given", counted(wanted, "argument"), are(given)))
}
