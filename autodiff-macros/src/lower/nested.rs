//! Derivatives that are taken inside a differentiable function: `g::grad(x)` and its like.

use super::Lower;
use super::value::{Lowered, Reported, Value};
use crate::diag::{Error, are, counted};
use crate::ir::{Call, CallKind, Op, Ty, Var};
use crate::layout::{Form, Kind};
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
        let (target, vars) = self.target(call, path, info, values, None)?;
        // A derivative is wanted by every differentiable parameter, also by those that are constants here.
        let mut target = Rc::try_unwrap(target).map_err(|_| Reported)?;
        let mut at = Vec::new();
        let mut start = 0;
        for arg in &mut target.args {
            arg.constant = false;
            if arg.active {
                at.push(start..start + arg.leaves);
            }
            start += arg.leaves;
        }
        // Of each of these arguments the gradient is a value of its own type, which is not known here.
        if kind != Nested::Jvp {
            if let Some(k) = target.args.iter().position(|arg| arg.active && arg.leaves != 1) {
                let help = "let the function take its numbers and arrays one by one";
                return self.unsupported(&call.args[k], "a gradient by a struct or a tuple here", help);
            }
        }
        let target = Rc::new(target);
        let results = target.results.clone();
        let tys = results.types();
        let floats: Vec<Ty> = tys.iter().filter(|ty| ty.is_float()).cloned().collect();
        if kind != Nested::Jvp && !matches!(&floats[..], [ty] if ty.is_scalar()) {
            return self.fail(Error::new(call, format!("`{}` has no gradient: its result is not a number", info.name)));
        }
        let active: Vec<usize> = target.active_args().collect();
        let own: Vec<Var> = active.iter().map(|at| vars[*at]).collect();
        let own_tys: Vec<Ty> = own.iter().map(|var| self.b.ty(*var).clone()).collect();
        self.at(call);
        let dots = match kind {
            Nested::Jvp | Nested::Hvp => {
                let mut dots = Vec::new();
                for (arg, ty) in call.args.iter().skip(count).zip(&own_tys) {
                    dots.push(self.tangent_argument(arg, ty)?);
                }
                if dots.len() != own.len() {
                    return self.unsupported(call, "a tangent of a struct here", "pass the parts one by one");
                }
                dots
            }
            _ => Vec::new(),
        };
        let zeros = |lower: &mut Self| own.iter().map(|var| lower.b.zero_like(*var)).collect::<Vec<Var>>();
        let (op, args, outs) = match kind {
            Nested::Grad | Nested::ValueAndGrad => {
                let bars = zeros(self);
                (CallKind::Gradient, [&vars[..], &bars].concat(), [tys, own_tys].concat())
            }
            Nested::Jvp => (CallKind::Jvp, [&vars[..], &dots].concat(), [tys, floats].concat()),
            Nested::Hvp => {
                if let Err(missing) = Unsupported::check_order(call.func.span(), &target, CallKind::JointJvp) {
                    return self.fail(Error::at(missing.span, missing.message).help(missing.help));
                }
                let elem = floats[0].elem.clone();
                let (one, zero) = (self.b.constant(&elem, 1.0), self.b.constant(&elem, 0.0));
                let (bars, bar_dots) = (zeros(self), zeros(self));
                let args = [&vars[..], &dots, &[one, zero], &bars, &bar_dots].concat();
                (CallKind::JointJvp, args, [tys, floats, own_tys.clone(), own_tys].concat())
            }
        };
        let count = results.types().len();
        let outs =
            self.b.push_multi(Op::Call(Call { target, kind: op, repeats: None }), args.clone(), Vec::new(), outs);
        for out in &outs {
            self.track(*out, &args);
        }
        let value = Value::of_layout(&results, &mut outs[..count].iter().copied());
        let gradient = |lower: &Self, outs: &[Var]| {
            let mut parts: Vec<Value> = outs
                .iter()
                .map(|out| {
                    let tensor = own.iter().zip(outs).any(|(var, other)| other == out && lower.is_tensor(*var));
                    Value::Leaf(*out, if tensor { Form::Tensor } else { Form::Plain })
                })
                .collect();
            if parts.len() == 1 { parts.remove(0) } else { Value::Parts(Kind::Tuple, parts) }
        };
        Ok(match kind {
            Nested::Grad => gradient(self, &outs[count..]),
            Nested::ValueAndGrad => Value::Parts(Kind::Tuple, vec![value, gradient(self, &outs[count..])]),
            Nested::Jvp => {
                let dot = Value::of_layout(&results, &mut outs[count..].iter().copied());
                Value::Parts(Kind::Tuple, vec![value, dot])
            }
            Nested::Hvp => gradient(self, &outs[outs.len() - own.len()..]),
        })
    }

    fn is_tensor(&self, var: Var) -> bool {
        self.leaves.iter().any(|leaf| leaf.var == var && leaf.form == Form::Tensor)
    }

    fn tangent_argument(&mut self, arg: &Expr, ty: &Ty) -> Lowered<Var> {
        match self.expr(arg)? {
            Value::View(view) => Ok(self.whole(&view)),
            value => self.leaf_like(value, ty, arg),
        }
    }
}
