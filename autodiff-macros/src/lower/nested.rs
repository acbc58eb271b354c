//! Derivatives that are taken inside a differentiable function: `g::grad(x)` and its like.

use super::Lower;
use super::value::{Lowered, Value};
use crate::diag::{Error, are, counted};
use crate::ir::call::CallArg;
use crate::ir::interface::{Along, Of, Role};
use crate::ir::{Call, CallKind, Ty, Var};
use crate::layout::{Form, Kind, Layout};
use crate::pass::tangent::Unsupported;
use crate::relay::FnInfo;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall};

/// What can be asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nested {
    Grad,
    ValueAndGrad,
    Jvp,
    Hvp,
}

/// The function whose derivative a path names.
pub(super) fn nested_derivative(path: &syn::Path) -> Option<(Nested, syn::Path)> {
    let last = path.segments.last()?;
    let kind = match &last.ident.to_string()[..] {
        "grad" => Nested::Grad,
        "value_and_grad" => Nested::ValueAndGrad,
        "jvp" => Nested::Jvp,
        "hvp" => Nested::Hvp,
        _ => return None,
    };
    let mut owner = path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    (!owner.segments.is_empty()).then_some((kind, owner))
}

impl Lower<'_> {
    /// Whether a path names the Taylor series of a function of the file.
    pub(super) fn is_series(&self, path: &syn::Path) -> bool {
        let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let is_taylor = names.next().is_some_and(|name| name == "taylor");
        let (Some(owner), Some(source)) = (names.next(), &self.source) else { return false };
        is_taylor && source.names_function(&owner)
    }

    pub(super) fn nested_derivative(
        &mut self,
        call: &ExprCall,
        kind: Nested,
        path: &syn::Path,
        info: &Rc<FnInfo>,
    ) -> Lowered<Value> {
        let count = info.params.len();
        let tangents = match kind {
            Nested::Jvp | Nested::Hvp => info.params.iter().filter(|param| param.active).count(),
            _ => 0,
        };
        if call.args.len() != count + tangents {
            let message =
                format!("this takes {}, {} given", counted(count + tangents, "argument"), are(call.args.len()));
            return self.fail(Error::new(call, message));
        }
        let mut values = Vec::new();
        for arg in call.args.iter().take(count) {
            let value = self.expr(arg)?;
            values.push(self.with_arrays(value));
        }
        let given = values.clone();
        let (mut callee, vars, results) = self.callee(call, path, info, values, None)?;
        // A derivative is wanted by every differentiable parameter, also by those that are constants here.
        callee.args.iter_mut().for_each(|arg| arg.constant = false);
        if let Some(k) = callee.args.iter().position(|arg| arg.mutable) {
            let help = "let the function take the value and return the new one";
            return self.unsupported(&call.args[k], "a derivative of a function that changes its arguments", help);
        }
        // The gradient by a struct has its fields, as long as each of them has a derivative.
        if kind != Nested::Jvp {
            let is_known = |(k, arg): (usize, &CallArg)| {
                let leaves = given[k].leaves();
                arg.operands.len() == 1
                    || is_all_numbers(&given[k])
                        && arg.operands.clone().map(|operand| vars[operand]).eq(leaves.iter().copied())
                        && leaves.iter().all(|leaf| self.b.ty(*leaf).is_float())
            };
            if let Some((k, _)) = callee.args.iter().enumerate().filter(|(_, arg)| arg.active).find(|it| !is_known(*it))
            {
                let help = "let the function take its numbers and arrays one by one";
                return self.unsupported(&call.args[k], "a gradient by a struct with such parts here", help);
            }
        }
        let floats: Vec<Ty> = callee.results.iter().filter(|ty| ty.is_float()).cloned().collect();
        let is_tuple = matches!(results, Layout::Parts(Kind::Tuple, _));
        if kind != Nested::Jvp && (is_tuple || !matches!(&floats[..], [ty] if ty.is_scalar())) {
            return self.fail(Error::new(call, format!("`{}` has no gradient: its result is not a number", info.name)));
        }
        // The tangent of the result is put together from those of its floats.
        if kind == Nested::Jvp && !is_visible_tangent(&results) {
            let help = "return the parts that carry a derivative first";
            return self.unsupported(call, "a tangent of a result with a part that carries no derivative", help);
        }
        let active: Vec<usize> = callee.active_operands().collect();
        self.at(call);
        let mut dots = Vec::new();
        if tangents > 0 {
            for (arg, operand) in call.args.iter().skip(count).zip(&active) {
                let ty = self.b.ty(vars[*operand]).clone();
                dots.push((*operand, self.tangent_argument(arg, &ty)?));
            }
            if dots.len() != active.len() {
                return self.unsupported(call, "a tangent of a struct here", "pass the parts one by one");
            }
        }
        let call_kind = match kind {
            Nested::Grad | Nested::ValueAndGrad => CallKind::Gradient,
            Nested::Jvp => CallKind::Tangent(1),
            Nested::Hvp => CallKind::JointTangent(1),
        };
        if let Err(missing) = Unsupported::check_order(call.func.span(), &callee, call_kind) {
            return self.fail(Error::at(missing.span, missing.message).help(missing.help));
        }
        let mut args = Vec::new();
        for role in callee.operand_roles(call_kind) {
            let is_tangent = role.along != Along::NONE;
            args.push(match role.of {
                Of::Input(k) if role.is_cotangent() => self.b.zero_like(vars[k]),
                Of::Input(k) if is_tangent => dots.iter().find(|(at, _)| *at == k).map_or(vars[k], |(_, dot)| *dot),
                Of::Input(k) => vars[k],
                // The result is a number, and its cotangent is 1.
                _ => self.b.constant(&floats[0].elem, if is_tangent { 0.0 } else { 1.0 }),
            });
        }
        let callee = Rc::new(callee);
        let outs = self.push_call(Call::new(callee.clone(), call_kind), &args);
        let roles = callee.result_roles(call_kind);
        let made = |is: &dyn Fn(Role) -> bool| -> Vec<Var> {
            roles.iter().zip(&outs).filter(|(role, _)| is(**role)).map(|(_, out)| *out).collect()
        };
        let direction = Along::NONE.and(0);
        let values = made(&|role| !role.is_cotangent() && role.along == Along::NONE);
        let value = Value::of_layout(&results, &mut values.into_iter(), &mut self.b);
        let gradient = |along: Along| {
            let mut bars = made(&|role| role.is_cotangent() && role.along == along).into_iter();
            let args = callee.args.iter().zip(&given).filter(|(arg, _)| arg.active);
            let parts = args.filter_map(|(arg, value)| match value {
                Value::Parts(..) if arg.operands.len() != 1 => Some(value.rebuild(&mut bars)),
                Value::Leaf(_, form) => bars.next().map(|bar| Value::Leaf(bar, *form)),
                _ => bars.next().map(|bar| Value::Leaf(bar, Form::Plain)),
            });
            let mut parts: Vec<Value> = parts.collect();
            if parts.len() == 1 { parts.remove(0) } else { Value::Parts(Kind::Tuple, parts) }
        };
        Ok(match kind {
            Nested::Grad => gradient(Along::NONE),
            Nested::ValueAndGrad => Value::Parts(Kind::Tuple, vec![value, gradient(Along::NONE)]),
            Nested::Jvp => {
                let dots = made(&|role| !role.is_cotangent() && role.along == direction);
                let dot = self.tangent(&results, &mut dots.into_iter());
                Value::Parts(Kind::Tuple, vec![value, dot])
            }
            Nested::Hvp => gradient(direction),
        })
    }

    /// The tangent of a value out of those of its floats. That of an integer in a tuple is `()`.
    fn tangent(&mut self, of: &Layout, dots: &mut dyn Iterator<Item = Var>) -> Value {
        match of {
            _ if of.float_leaves().next().is_none() => Value::unit(),
            Layout::Parts(kind @ (Kind::Tuple | Kind::Array), parts) => {
                Value::Parts(kind.clone(), parts.iter().map(|part| self.tangent(part, dots)).collect())
            }
            of => Value::of_layout(of, &mut &mut *dots, &mut self.b),
        }
    }

    fn tangent_argument(&mut self, arg: &Expr, ty: &Ty) -> Lowered<Var> {
        let value = self.expr(arg)?;
        let value = self.with_arrays(value);
        self.leaf_like(value, ty, arg)
    }
}

/// Whether the floats of each struct in it stand before what has no tangent.
fn is_visible_tangent(of: &Layout) -> bool {
    match of {
        Layout::Parts(Kind::Tuple | Kind::Array, parts) => parts.iter().all(is_visible_tangent),
        of => !of.types().iter().skip_while(|ty| ty.is_float()).any(Ty::is_float),
    }
}

/// Whether a value consists of numbers and arrays alone, and always of the same ones.
fn is_all_numbers(value: &Value) -> bool {
    match value {
        Value::Leaf(..) => true,
        Value::Parts(Kind::Struct(ty), parts) => !ty.is_enum() && !ty.is_option && parts.iter().all(is_all_numbers),
        Value::Parts(_, parts) => parts.iter().all(is_all_numbers),
        _ => false,
    }
}
