//! Callees: what a call of a differentiable function is in the IR, with its arguments as they are passed, and what is made of its
//! results.

use super::Lower;
use super::call_site::{ArgPassing, Argument, CallSite};
use super::infer::Inference;
use super::place::{Place, Stored};
use super::value::{Lowered, Reported, Value};
use crate::diag::{Error, are, counted};
use crate::ir::call::{CallArg, Origin, Passed};
use crate::ir::{Call, CallKind, Callee, Op, Var};
use crate::layout::{Form, Layout, is_phantom_value};
use crate::parse::cycle;
use crate::parse::ty::{Seq, Surface, TypeScope, spelled};
use crate::relay::{FnInfo, GenericKind};
use crate::source::candidates;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::HashSet;
use std::rc::Rc;
use syn::{ExprCall, Type};

impl Lower<'_> {
    /// A callee with the operands of a call, and the layout of its result.
    pub(super) fn callee(
        &mut self,
        call: &ExprCall,
        path: &syn::Path,
        info: &Rc<FnInfo>,
        values: Vec<Value>,
        expected: Option<&Surface>,
    ) -> Lowered<(Callee, Vec<Var>, Layout)> {
        if info.left {
            let message = format!("rotations change on the left in `{}`, and on the right here", info.name);
            let help =
                "call a function without `left`: the derivatives of this one can change on the left all the same";
            return self.fail(Error::new(call, message).help(help));
        }
        if info.params.len() != values.len() {
            let message = format!(
                "`{}` takes {}, {} given",
                info.name,
                counted(info.params.len(), "argument"),
                are(values.len())
            );
            return self.fail(Error::new(call, message));
        }
        let mut inference = Inference::new(&info.generics);
        self.written_generics(path, &mut inference)?;
        let alias = info.home.as_ref().and_then(|home| home.alias.clone());
        let is_elsewhere = || !candidates(self.function.name(), path, self.knowledge).is_empty();
        let path = &alias.filter(|_| is_elsewhere()).map_or_else(|| path.clone(), syn::Path::from);
        let mut places: Vec<Option<Rc<Place>>> = Vec::new();
        let mut read = Vec::new();
        for (value, arg) in values.into_iter().zip(&call.args) {
            match value {
                Value::Borrow(place) => {
                    read.push(self.read(&place, arg)?);
                    places.push(Some(place));
                }
                value => {
                    read.push(value);
                    places.push(None);
                }
            }
        }
        let values = read;
        for (param, value) in info.params.iter().zip(&values) {
            inference.unify(&param.ty, &value.surface(&self.b));
        }
        if let Some(expected) = expected {
            inference.unify(&info.result, expected);
        }
        let mut substitution = inference.known;
        let bare = crate::relay::without_arguments(path);
        substitution.this = crate::relay::owner(path, &info.generics);
        let mut generics = Vec::new();
        for generic in &info.generics {
            let known = match generic.kind {
                GenericKind::Size => substitution.dims.get(&generic.name).map(crate::parse::tokens::dim_argument),
                GenericKind::Number => match substitution.markers.get(&generic.name) {
                    Some(marker) => Some(marker.to_token_stream()),
                    None => substitution.elems.get(&generic.name).map(crate::parse::tokens::elem_tokens),
                },
                GenericKind::Function => substitution.functions.get(&generic.name).map(ToTokens::to_token_stream),
            };
            match known {
                Some(known) => generics.push(known),
                None => {
                    // Of what type an argument is, the function tells that gives it.
                    if let Some(function) = values.iter().find_map(|value| self.unseen_call(value)) {
                        return self.ask_for(function);
                    }
                    let message = format!("`{}` of `{}` cannot be told from these arguments", generic.name, info.name);
                    return self.fail(Error::new(call, message).help(format!("write it: `{}::<…>(…)`", info.name)));
                }
            }
        }
        let scope = TypeScope { knowledge: &info.nested, reals: &[], substitution: Some(&substitution) };
        let Ok(results) = scope.resolve_result(&info.result) else {
            return self.fail(Error::new(call, format!("the type that `{}` returns is not visible", info.name)));
        };
        let (has_derivative, results_in_lanes) = (results.is_result(), !results.has_arrays_of_parts());
        let results = Layout::of(&results);
        if has_derivative && !results.passive().into_iter().all(is_phantom_value) {
            let what =
                format!("a call of `{}`, whose result has a part without a derivative that is no number,", info.name);
            return self.unsupported(call, &what, "keep that part outside of what the function returns or changes");
        }
        // What is wrong with the callee is said there.
        if !has_derivative || results.has_slices_in_slices() || results.has_slices_in_enums() {
            return Err(Reported);
        }

        let (mut written, mut args): (Vec<Argument>, Vec<CallArg>) = (Vec::new(), Vec::new());
        let (mut vars, mut lent) = (Vec::new(), HashSet::<Var>::new());
        for (((param, value), place), arg) in info.params.iter().zip(values).zip(&places).zip(&call.args) {
            if let Some(place) = place.clone() {
                let (is_active, surface) = (self.is_active(&value), value.surface(&self.b));
                // A `Vec` that grows has places behind its end; who takes a `Vec` gets one without them.
                let value = match value {
                    Value::Slice(slice) if slice.count.is_some() && !is_slice(&param.ty) => self.copy(&slice),
                    value => value,
                };
                let (mut pass, mut leaves) = match &value {
                    Value::Leaf(var, form) if self.is_growing(&place) => (ArgPassing::Leaf(*form), vec![*var]),
                    _ => self.pass_mutable(&place, value.clone(), arg)?,
                };
                // Of an array that an earlier argument is a part of, this part is an array of its own.
                if let (ArgPassing::View(_), true) = (&pass, leaves.first().is_some_and(|array| lent.contains(array))) {
                    let Value::Leaf(var, form) = self.with_arrays(value) else { return Err(Reported) };
                    (pass, leaves) = (ArgPassing::Leaf(form), vec![var]);
                }
                lent.extend(leaves.first());
                let active = param.active;
                if !active && is_active {
                    return self.unsupported(
                        arg,
                        "a change of this without a derivative",
                        "take `#[no_diff]` off the parameter",
                    );
                }
                let operands = vars.len()..vars.len() + leaves.len();
                let (passed, slice) = (pass.passed(), is_borrowed_slice(&param.ty, &pass));
                let in_lanes = info.origin == Origin::Body && results_in_lanes && changes_in_lanes(&param.ty, surface);
                args.push(CallArg { operands, passed, active, constant: false, mutable: true, in_lanes, slice });
                written.push(Argument { passing: pass, by_ref: true });
                vars.extend(leaves);
                continue;
            }
            let by_ref = matches!(param.ty, Type::Reference(_));
            let is_constant = info.origin == Origin::Constant;
            if !param.active && self.is_active(&value) && !is_constant {
                return self.fail(
                    Error::new(arg, format!("the derivative ends here: `{}` has none by this argument", info.name))
                        .note("the value depends on a differentiable input")
                        .help("if that is meant, write `stop_gradient(…)` around it; otherwise take `#[no_diff]` off the parameter").plain_rust(),
                );
            }
            // A row may be expected as an array, whose length is in its type; and a part of an array is no `Vec`.
            let value = match value {
                Value::Slice(slice) if slice.array().is_some() && !is_slice(&param.ty) => match slice.count {
                    None => self.owned(&slice),
                    Some(_) if is_sequence(&param.ty) => self.copy(&slice),
                    Some(_) => Value::Slice(slice),
                },
                value => value,
            };
            let value = self.checked_argument(&param.ty, value, info, &substitution, arg)?;
            let form = if let Value::Leaf(_, form) = &value { Some(*form) } else { None };
            let constant = param.active && (is_constant || !self.is_active(&value));
            // The callee's own type may not be visible here.
            let own = scope.resolve(&param.ty).unwrap_or_else(|_| value.surface(&self.b));
            let (mut pass, mut leaves) = self.pass_argument(param, value.clone(), info, &substitution, arg)?;
            // Of an array that the callee changes, or adds another cotangent to, this part is an array of its own.
            if let (ArgPassing::View(_), Some(array)) = (&pass, leaves.first()) {
                let is_shared =
                    |other: &CallArg| other.active && !other.constant && vars.get(other.operands.start) == Some(array);
                let is_added_to = param.active && !constant && args.iter().any(is_shared);
                if lent.contains(array) || is_added_to && !Self::has_constant_loops(info) {
                    let Value::Leaf(var, form) = self.with_arrays(value) else { return Err(Reported) };
                    (pass, leaves) = (ArgPassing::Leaf(form), vec![var]);
                }
            }
            // A cotangent is added into by one argument; another that overlaps gets one of its own.
            let overlaps = args
                .iter()
                .zip(&written)
                .any(|(other, written)| other.active && !other.constant && written.passing.overlaps(&pass));
            // So does one that the caller is not differentiated by.
            if let (true, Some(form)) = (constant, form) {
                pass = ArgPassing::Leaf(form);
            }
            if param.active && overlaps && !constant {
                match form {
                    Some(form) => pass = ArgPassing::Leaf(form),
                    None => {
                        if let ArgPassing::Place(_, layout) = pass {
                            pass = ArgPassing::Built(layout);
                        }
                    }
                }
            }
            let operands = vars.len()..vars.len() + leaves.len();
            let (passed, slice) = (pass.passed(), is_borrowed_slice(&param.ty, &pass));
            args.push(CallArg {
                operands,
                passed,
                active: param.active,
                constant,
                mutable: false,
                in_lanes: results_in_lanes && (!param.active || has_leaves_of(&pass, &own)),
                slice,
            });
            written.push(Argument { passing: pass, by_ref });
            vars.extend(leaves);
        }
        let path = bare.to_token_stream();
        let generics = if generics.is_empty() { TokenStream::new() } else { quote!(::<#(#generics),*>) };
        let firsts: Vec<Option<Var>> = args.iter().map(|arg| vars.get(arg.operands.start).copied()).collect();
        self.separate(&mut written, &firsts);
        let is_self = *self.function.name() == path.to_string();
        let handed_on = substitution.functions.values().any(|ty| cycle::mentions(ty, self.function.name()));
        let recursive = is_self || info.recursive || handed_on || self.function.is_among(&info.calls);
        let ty: Rc<str> = quote!(#path #generics).to_string().into();
        let mut key = written.iter().fold(ty.to_string(), |key, arg| format!("{key}\n{}", arg.passing.key()));
        // What is lent to a call may be another one at the next.
        if written
            .iter()
            .zip(&args)
            .any(|(written, arg)| arg.mutable && matches!(written.passing, ArgPassing::Tokens(_)))
        {
            key.push_str(&format!("\n{}", self.sites.len()));
        }
        let callee = Callee {
            name: info.name.clone(),
            ty,
            key: key.into(),
            site: self.sites.len(),
            is_self,
            recursive,
            once: info.params.iter().any(|param| param.handed_on) && !self.is_pure(false, &spelled(&bare)),
            origin: info.origin,
            order: info.order_for_callers,
            has_taylor: info.taylor,
            has_gradient: info.origin == Origin::Body
                && matches!(&results, Layout::Leaf(Form::Plain, ty) if ty.is_scalar() && ty.is_float())
                && !args.iter().any(|arg| arg.mutable),
            sizes: info.generics.iter().map(|generic| substitution.dims.get(&generic.name).cloned()).collect(),
            args,
            results: results.types(),
        };
        let by_value = info.origin == Origin::Hidden || info.params.iter().any(|param| param.grown);
        self.sites.push(Rc::new(CallSite { path, generics, by_value, args: written, results: results.clone() }));
        Ok((callee, vars, results))
    }

    pub(super) fn differentiable_call(
        &mut self,
        call: &ExprCall,
        path: &syn::Path,
        info: &Rc<FnInfo>,
        values: Vec<Value>,
        expected: Option<&Surface>,
    ) -> Lowered<Value> {
        let (values, grown) = self.taken_for_call(info, values, &call.args)?;
        let places: Vec<Rc<Place>> = values
            .iter()
            .filter_map(|value| if let Value::Borrow(place) = value { Some(place.clone()) } else { None })
            .collect();
        let (callee, vars, results) = self.callee(call, path, info, values, expected)?;
        let taken = self.inlined(call, info, &callee, &vars);
        if taken.is_some() {
            self.sites.pop();
        }
        let callee = Rc::new(callee);
        self.at(call);
        let outs = taken.unwrap_or_else(|| self.push_call(Call::new(callee.clone(), CallKind::Value), &vars));
        for (place, arg) in places.iter().zip(callee.args.iter().filter(|arg| arg.mutable)) {
            // What is only lent is not looked into.
            if matches!(arg.passed, Passed::Opaque(_)) {
                continue;
            }
            let after = arg.values().filter_map(|operand| callee.result_of(operand)).map(|result| outs[result]);
            self.change(call, place, arg, after.collect())?;
        }
        let value = Value::of_layout(&results, &mut outs[..callee.results.len()].iter().copied(), &mut self.b);
        self.given_back(call, &grown, value)
    }

    /// Makes the equation of a call. `args` are the operands in the order of their roles.
    pub(super) fn push_call(&mut self, call: Call, args: &[Var]) -> Vec<Var> {
        let input = |k: usize| args.get(k).map(|var| self.b.ty(*var).clone());
        let roles = call.callee.result_roles(call.kind);
        let is_constant = call.callee.origin == Origin::Constant;
        // What the callee sets a place to that it has no derivative by, depends on no differentiable input: it says so itself.
        let kept_out = call.callee.args.iter().filter(|arg| !arg.active).flat_map(CallArg::values);
        let kept_out: Vec<usize> = kept_out.filter_map(|operand| call.callee.result_of(operand)).collect();
        let tys = roles.into_iter().filter_map(|role| call.callee.type_of(role, &input)).collect();
        let outs = self.b.push_multi(Op::Call(call), args.to_vec(), Vec::new(), tys);
        // What comes of a constant function depends on nothing.
        for (_, out) in outs.iter().enumerate().filter(|(k, _)| !is_constant && !kept_out.contains(k)) {
            self.track(*out, args);
        }
        outs
    }

    /// Gives what a callee has changed its new value.
    fn change(&mut self, call: &ExprCall, place: &Place, arg: &CallArg, new: Vec<Var>) -> Lowered<()> {
        // The array as a whole is the result, of which the callee saw a part.
        let place = match arg.passed {
            Passed::Part(_) => place.named(),
            _ => place.clone(),
        };
        let mut new = new.into_iter();
        self.store_at(call, &place, &mut |lower, old| {
            let mut next = || new.next().ok_or(Reported);
            Ok(match old {
                Stored::Whole(old) => {
                    if new.len() != old.contents().len() {
                        return lower.unsupported(call, "a change of a part of this", "borrow the whole value");
                    }
                    old.with_contents(&mut new)
                }
                Stored::Element(array, at, _) => {
                    let leaf = next()?;
                    Value::Leaf(lower.replaced_element(array, leaf, &at, call)?, Form::Plain)
                }
                Stored::Range(array, at, start, len) => {
                    let part = next()?;
                    Value::Leaf(lower.put_range(array, &at, start, len, part), Form::Plain)
                }
            })
        })?;
        Ok(())
    }

    /// Whether a place is a `Vec` that grows, as a whole.
    fn is_growing(&self, place: &Place) -> bool {
        let whole = if place.is_named() { self.structure(place) } else { None };
        matches!(whole, Some(Value::Slice(slice)) if slice.count.is_some())
    }
}

/// Whether a parameter is a borrow of a slice.
fn is_slice(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if matches!(&*reference.elem, Type::Slice(_)))
}

/// Whether an array is given as a slice.
fn is_borrowed_slice(ty: &Type, pass: &ArgPassing) -> bool {
    is_slice(ty) && matches!(pass, ArgPassing::Leaf(Form::Plain))
}

/// Whether a parameter is a slice or a `Vec`.
fn is_sequence(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => is_sequence(&reference.elem),
        Type::Slice(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Vec"),
        _ => false,
    }
}

/// Whether an argument has the leaves of its parameter, in which tangents are given: an array of structs has more than the slice
/// that it is for a callee.
fn has_leaves_of(pass: &ArgPassing, own: &Surface) -> bool {
    match pass {
        ArgPassing::Place(_, layout) | ArgPassing::Built(layout) => {
            !own.has_arrays_of_parts() && layout.types().len() == Layout::of(own).types().len()
        }
        ArgPassing::Leaf(_) | ArgPassing::View(_) | ArgPassing::Tokens(_) => true,
    }
}

/// Whether a mutable borrow for a parameter can be given with tangents in several directions; `given` is the type of what is
/// borrowed. The callee asks the same of its own type.
fn changes_in_lanes(ty: &Type, given: Surface) -> bool {
    match given {
        Surface::Array(item, _) | Surface::Seq(item, _) if is_slice(ty) => {
            Surface::Seq(item, Seq::Slice).changes_in_lanes()
        }
        given => !is_sequence(ty) && given.changes_in_lanes(),
    }
}
