//! Calls of other differentiable functions: the callee as data, the roles of what goes in and comes out, and what passes
//! ask of a call.
//!
//! How a call is written in Rust is not known here: see [`crate::lower::call_site`].

mod kind;

use super::dim::Dim;
use super::interface::{Along, Interface, Of, Order, Role};
use super::key::OpKey;
use super::{Body, Elem, Eqn, Op, Ty, Var, VarSet};
use crate::fault::{self, Fault};
pub use kind::CallKind;
use proc_macro2::TokenStream;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// A call of another differentiable function, or of its derivative.
#[derive(Clone, Debug)]
pub struct Call {
    pub callee: Rc<Callee>,
    pub kind: CallKind,
    /// Of a call that a reverse sweep repeats: the first result of the call of the forward sweep.
    pub repeats: Option<Var>,
}

/// The function that is called, and how operands of the equation are its arguments.
#[derive(Clone, Debug)]
pub struct Callee {
    pub name: String,
    /// The type beside the function, with its generic arguments: what [`Elem::Data`] names.
    pub ty: Rc<str>,
    /// What tells calls apart that have the same operands: the function, and what is passed without being an operand.
    pub key: Rc<str>,
    /// The place of this call among the call sites of the function.
    pub site: usize,
    /// Whether it is the function that is being differentiated.
    pub is_self: bool,
    /// Whether the caller keeps nothing of it for the reverse sweep: see Note [Cycles of calls].
    pub recursive: bool,
    /// Whether it lends an integer that it is lent to others. One of these may be a function without a derivative, which the
    /// compiler does not see: so it is evaluated once.
    pub once: bool,
    pub origin: Origin,
    /// How many times the callee can be differentiated.
    pub order: Order,
    /// Whether it has a function for Taylor series.
    pub has_taylor: bool,
    /// Whether it has a function that adds its gradient: what it returns is a number, and it changes nothing.
    pub has_gradient: bool,
    /// The sizes that its generic parameters have here; of a parameter that is no size, `None`.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the evaluator"))]
    pub sizes: Vec<Option<Dim>>,
    pub args: Vec<CallArg>,
    /// The types of what it returns, number by number and array by array.
    pub results: Vec<Ty>,
}

/// Where the derivatives of a function come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// From its body.
    #[default]
    Body,
    /// From functions that the user writes: see Note [Rules] in `parse/rule.rs`.
    Rule,
    /// There are none: its results are constants. It is evaluated once.
    Constant,
    /// From an equation that it solves: see Note [Implicit functions] in `implicit.rs`.
    Implicit,
    /// From another function, which such a rule stands behind. There is only the type of this one.
    Hidden,
}

/// One argument of a call.
#[derive(Clone, Debug)]
pub struct CallArg {
    /// Which of the operands of a call of the function itself belong to it.
    pub operands: Range<usize>,
    pub passed: Passed,
    /// Whether the callee is differentiated by it.
    pub active: bool,
    /// Whether the callee is, but the caller is not: its cotangent is discarded.
    pub constant: bool,
    /// Whether it is a mutable borrow: what it holds afterwards is a result.
    pub mutable: bool,
    /// Whether its tangents can be given in several directions: always, unless it is a mutable borrow of something that
    /// they do not change in, or an array of structs that the callee takes as a slice. (It is no part of the text.)
    pub in_lanes: bool,
    /// Whether the callee borrows it as a slice, wherever the array is.
    pub slice: bool,
}

/// What the operands of an argument are.
#[derive(Clone, Debug)]
pub enum Passed {
    /// Its numbers and arrays.
    Whole,
    /// An array, and which part of it the callee gets.
    Part(Part),
    /// Those of an expression that carries no derivative, with a [hole](super::hole) for each.
    Opaque(TokenStream),
}

/// A part of an array, as operands after the array: `indices` of the first axes; of a sub-slice also where it begins, if
/// `start`, and its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    pub indices: usize,
    pub start: bool,
    pub ranged: bool,
}

impl Part {
    fn operands(self) -> usize {
        self.indices + usize::from(self.start) + usize::from(self.ranged)
    }
}

impl CallArg {
    /// `mut diff *2`: two operands that are differentiated and changed. An argument of the callee that has a derivative, but
    /// not in the caller, is `const`, and one without a derivative `plain`. A `diff slice` is borrowed as a slice.
    fn text(&self) -> String {
        let kind = match (self.active, self.constant) {
            (true, false) => "diff",
            (true, true) => "const",
            (false, _) => "plain",
        };
        let operands = match (&self.passed, self.operands.len()) {
            (Passed::Part(part), _) => {
                let given = [("start", part.start), ("len", part.ranged)];
                let given = given.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| format!(", {name}"));
                format!(" part({}{})", part.indices, given.collect::<String>())
            }
            (_, 1) if self.slice => " slice".to_owned(),
            (_, 1) => String::new(),
            (_, count) => format!(" *{count}"),
        };
        let tokens =
            if let Passed::Opaque(tokens) = &self.passed { format!(" opaque[{tokens}]") } else { String::new() };
        format!("{}{kind}{operands}{tokens}", if self.mutable { "mut " } else { "" })
    }

    /// Those of its operands that are not places in an array.
    pub fn values(&self) -> Range<usize> {
        let end = match self.passed {
            Passed::Part(_) => self.operands.start + 1,
            _ => self.operands.end,
        };
        self.operands.start..end
    }

    /// Whether the callee only looks at an array, or changes it, where it is.
    pub fn is_borrowed(&self) -> bool {
        self.slice || matches!(self.passed, Passed::Part(_))
    }

    /// Those by which both the callee and the caller are differentiated.
    pub fn active_operands(&self) -> Range<usize> {
        if self.active && !self.constant { self.values() } else { 0..0 }
    }

    /// Those that the callee changes.
    fn changed_operands(&self) -> Range<usize> {
        if self.mutable && !self.is_lent() { self.values() } else { 0..0 }
    }

    /// Whether it is data without a derivative that the callee may change, of which the compiler knows nothing.
    fn is_lent(&self) -> bool {
        self.mutable && matches!(self.passed, Passed::Opaque(_))
    }
}

impl Callee {
    /// How many operands a call of the function itself has.
    pub fn operands(&self) -> usize {
        self.args.last().map_or(0, |arg| arg.operands.end)
    }

    /// The operands that both the callee and the caller are differentiated by.
    pub fn active_operands(&self) -> impl Iterator<Item = usize> {
        self.args.iter().flat_map(CallArg::active_operands)
    }

    /// The operands that the callee changes.
    pub fn changed_operands(&self) -> impl Iterator<Item = usize> {
        self.args.iter().flat_map(CallArg::changed_operands)
    }

    /// The result that an operand is after the call, if the callee changes it.
    pub fn result_of(&self, operand: usize) -> Option<usize> {
        self.changed_operands().position(|changed| changed == operand).map(|k| self.results.len() + k)
    }

    /// The results that carry a derivative: of what is returned, then of what is changed.
    fn active_results(&self) -> (Vec<usize>, Vec<usize>) {
        let returned = (0..self.results.len()).filter(|k| self.results[*k].is_float()).collect();
        (returned, self.active_operands().filter_map(|k| self.result_of(k)).collect())
    }

    /// The role of what an operand is after the call, if the call updates it.
    fn after(&self, role: Role) -> Option<Role> {
        match role.of {
            Of::Input(_) if role.is_cotangent() => Some(role),
            Of::Input(k) => self.result_of(k).map(|result| Role { of: Of::Result(result), ..role }),
            _ => None,
        }
    }

    /// The roles of the operands of a call.
    pub fn operand_roles(&self, kind: CallKind) -> Vec<Role> {
        let active: Vec<usize> = self.active_operands().collect();
        let (returned, _) = self.active_results();
        let reverse = kind == CallKind::Reverse;
        let is_lent = |k: usize| self.args.iter().any(|arg| arg.is_lent() && arg.operands.contains(&k));
        let own = (0..self.operands()).filter(|k| !reverse || self.result_of(*k).is_none() && !is_lent(*k));
        let mut roles: Vec<Role> = own.map(|k| Role::value(Of::Input(k))).collect();
        roles.extend(reverse.then_some(Role::RESIDUALS));
        for along in kind.tangents() {
            roles.extend(active.iter().map(|k| Role::value(Of::Input(*k)).towards(*along)));
        }
        for along in kind.seeds() {
            roles.extend(returned.iter().map(|k| Role::cotangent(Of::Result(*k)).towards(*along)));
        }
        for along in kind.cotangents() {
            roles.extend(active.iter().map(|k| Role::cotangent(Of::Input(*k)).towards(*along)));
        }
        roles
    }

    /// The roles of its results.
    pub fn result_roles(&self, kind: CallKind) -> Vec<Role> {
        let (returned, changed) = self.active_results();
        let mut roles = Vec::new();
        if kind != CallKind::Reverse {
            let count = self.results.len() + self.changed_operands().count();
            roles.extend((0..count).map(|k| Role::value(Of::Result(k))));
        }
        roles.extend((kind == CallKind::Forward).then_some(Role::RESIDUALS));
        if kind == CallKind::Jacobian {
            let active = self.args.iter().map(CallArg::active_operands).filter(|operands| !operands.is_empty());
            roles.extend(active.map(|operands| Role::cotangent(Of::Input(operands.start))));
        }
        for along in kind.tangents() {
            let both = returned.iter().chain(&changed);
            roles.extend(both.map(|k| Role::value(Of::Result(*k)).towards(*along)));
        }
        for along in kind.cotangents() {
            roles.extend(self.active_operands().map(|k| Role::cotangent(Of::Input(k)).towards(*along)));
        }
        roles
    }

    /// The type of what the forward sweep hands to the reverse sweep.
    pub fn residuals(&self) -> Ty {
        Ty::scalar(Elem::Data(self.ty.clone()))
    }

    /// The type of an operand or a result of a role. `input` gives the type of an operand of the function itself.
    pub fn type_of(&self, role: Role, input: &dyn Fn(usize) -> Option<Ty>) -> Option<Ty> {
        match role.of {
            Of::Input(k) => input(k),
            Of::Result(k) => match self.results.get(k) {
                Some(ty) => Some(ty.clone()),
                None => self.changed_operands().nth(k - self.results.len()).and_then(input),
            },
            Of::Residuals => Some(self.residuals()),
        }
    }
}

impl Call {
    pub fn new(callee: Rc<Callee>, kind: CallKind) -> Call {
        Call { callee, kind, repeats: None }
    }

    /// Of the equation of this call.
    pub fn interface(&self, eqn: &Eqn) -> Interface {
        let inputs = eqn.args.iter().copied().zip(self.callee.operand_roles(self.kind)).collect();
        Interface { inputs, outputs: self.callee.result_roles(self.kind) }
    }

    /// Whether it is a copy, in a reverse sweep, of a call that is evaluated once: data that are lent have been changed by then.
    fn is_saved(&self) -> bool {
        let once = self.callee.origin == Origin::Constant || self.lends();
        self.repeats.is_some() && self.kind != CallKind::Reverse && once
    }

    /// Whether data are lent to it, so that it is evaluated once.
    fn lends(&self) -> bool {
        self.callee.once || self.callee.args.iter().any(CallArg::is_lent)
    }

    /// Whether it is evaluated for the first time, and not again by a reverse sweep.
    fn is_first_run(&self) -> bool {
        self.repeats.is_none() && self.kind != CallKind::Reverse
    }

    /// `call[f jvp](diff, mut diff part(1, len), const) -> f64`
    pub fn text(&self) -> String {
        let callee = &self.callee;
        let recursive = callee.recursive && !callee.is_self;
        let flags = [("self ", callee.is_self), ("recursive ", recursive), ("once ", callee.once)];
        let flags: String = flags.iter().filter(|(_, holds)| *holds).map(|(flag, _)| *flag).collect();
        let of = if *callee.ty == *callee.name { String::new() } else { format!(" of {}", callee.ty) };
        let args: Vec<String> = callee.args.iter().map(CallArg::text).collect();
        let results: Vec<String> = callee.results.iter().map(Ty::to_string).collect();
        let kind = self.kind.text();
        let results = if results.is_empty() { String::new() } else { format!(" -> {}", results.join(", ")) };
        format!("call[{flags}{}{kind}{of}]({}){results}", callee.name, args.join(", "))
    }

    /// The operands and results against what is known of the callee.
    pub fn verify(&self, eqn: &Eqn, body: &Body) -> Result<(), String> {
        let callee = &self.callee;
        let (operands, results) = (callee.operand_roles(self.kind).len(), callee.result_roles(self.kind).len());
        if (eqn.args.len(), eqn.outs.len()) != (operands, results) {
            let (given, made) = (eqn.args.len(), eqn.outs.len());
            return Err(format!("{given} operands and {made} results instead of {operands} and {results}"));
        }
        let interface = self.interface(eqn);
        let operand = |k: usize| interface.input(Role::value(Of::Input(k)));
        let input = |k: usize| operand(k).map(|var| body.ty(var).clone());
        let outs = interface.outputs.iter().copied().zip(&eqn.outs).map(|(role, out)| (*out, role));
        // The matrices of a Jacobian have sizes of their own.
        let outs = outs.filter(|(_, role)| self.kind != CallKind::Jacobian || !role.is_cotangent());
        for (var, role) in interface.inputs.iter().copied().chain(outs) {
            let is_in_lanes = self.kind.is_in_lanes() && role.along != Along::NONE;
            let own = if is_in_lanes { body.ty(var).in_one_lane() } else { body.ty(var).clone() };
            if let Some(ty) = callee.type_of(role, &input).filter(|ty| !own.fits(ty)) {
                return Err(format!("%{} is {}, not {ty}", var.0, body.ty(var)));
            }
        }
        for (before, after) in self.updates(eqn) {
            let (before, after) = (eqn.args[before], eqn.outs[after]);
            if !body.ty(before).fits(body.ty(after)) {
                return Err(format!("%{} is {} and %{} is {}", before.0, body.ty(before), after.0, body.ty(after)));
            }
        }
        for arg in &callee.args {
            let Passed::Part(part) = arg.passed else { continue };
            if arg.operands.len() != 1 + part.operands() {
                return Err(format!("{} operands for a view of {} places", arg.operands.len(), part.operands()));
            }
            let array = operand(arg.operands.start);
            if let Some(array) = array.filter(|array| part.indices > body.ty(*array).rank()) {
                return Err(format!("{} indices into {}", part.indices, body.ty(array)));
            }
            let mut places = (arg.operands.start + 1..arg.operands.end).filter_map(operand);
            if let Some(place) = places.find(|place| !matches!(body.ty(*place).elem, Elem::Int(_))) {
                return Err(format!("place %{} is {}", place.0, body.ty(place)));
            }
        }
        Ok(())
    }

    /// The operands that are updated in place, with the results that they are afterwards.
    fn updates(&self, eqn: &Eqn) -> Vec<(usize, usize)> {
        if self.kind.cotangents().is_empty() && self.callee.changed_operands().next().is_none() {
            return Vec::new();
        }
        let Interface { inputs, outputs } = self.interface(eqn);
        let places: HashMap<Role, usize> = outputs.into_iter().enumerate().map(|(k, role)| (role, k)).collect();
        let after = |role: Role| places.get(&self.callee.after(role)?).copied();
        inputs.iter().enumerate().filter_map(|(k, (_, role))| Some((k, after(*role)?))).collect()
    }

    /// The cotangents that are only added to, with the results that they are afterwards: those of the arguments that the
    /// callee reads. Those of the arguments that it changes are replaced.
    fn accumulations(&self, eqn: &Eqn) -> Vec<(usize, usize)> {
        let inputs = self.interface(eqn).inputs;
        let is_added = |at: usize| match inputs[at].1 {
            Role { of: Of::Input(k), .. } if inputs[at].1.is_cotangent() => {
                self.callee.result_of(k).is_none() || fault::is(Fault::ChangesAreSums)
            }
            _ => false,
        };
        self.updates(eqn).into_iter().filter(|(at, _)| is_added(*at)).collect()
    }
}

/// What passes ask of any operation. One that is no call is answered in [`super::effect`] and the like.
impl Op {
    pub fn as_call(&self) -> Option<&Call> {
        if let Op::Call(call) = self { Some(call) } else { None }
    }

    /// Whether another function computes the results, and brings its own derivatives: of how they follow from the operands
    /// nothing is known.
    pub fn is_black_box(&self) -> bool {
        self.as_call().is_some()
    }

    /// Whether it runs code that may have an effect, for the first time. Only rustc knows whether it has.
    pub(super) fn may_have_effect(&self) -> bool {
        self.as_call().is_some_and(Call::is_first_run)
    }

    /// Whether it lends data that change to a callee, for the first time.
    pub(super) fn lends(&self) -> bool {
        self.as_call().is_some_and(|call| call.is_first_run() && call.lends())
    }

    /// Whether it is the copy of such a call in a reverse sweep.
    pub(super) fn is_saved_call(&self) -> bool {
        self.as_call().is_some_and(Call::is_saved)
    }

    /// Marks a copy in a reverse sweep of what a forward equation does.
    pub(super) fn mark_repeated(&mut self, original: &Eqn) {
        if let Op::Call(call) = self {
            call.repeats = call.repeats.or(original.outs.first().copied());
        }
    }

    /// Takes the mark off.
    pub(super) fn mark_first_run(&mut self) {
        if let Op::Call(call) = self {
            call.repeats = None;
        }
    }

    /// The first result of the equation that this one makes superfluous: it runs the same forward sweep.
    pub(super) fn runs_again(&self) -> Option<Var> {
        self.as_call().filter(|call| call.kind.is_both_sweeps()).and_then(|call| call.repeats)
    }

    /// What results without a name are called after.
    pub fn result_hint(&self) -> Option<String> {
        self.as_call().map(|call| format!("{}_out", call.callee.name))
    }
}

impl Eqn {
    /// Calls something simpler where only that part of the results is used.
    pub fn drop_unused_derivatives(&mut self, live: &VarSet) {
        let Op::Call(call) = &self.op else { return };
        let whole = call.interface(self);
        for kind in call.kind.parts() {
            let callee = call.callee.clone();
            let results = callee.result_roles(kind);
            let is_missing = |(out, role): (&Var, &Role)| live.contains(*out) && !results.contains(role);
            if self.outs.iter().zip(&whole.outputs).any(is_missing) {
                continue;
            }
            // The cotangents of a gradient inside the function are not those of the function's own parameters.
            let repeats = if kind == CallKind::Joint { None } else { call.repeats };
            self.args = callee.operand_roles(kind).into_iter().filter_map(|role| whole.input(role)).collect();
            self.outs = results.into_iter().filter_map(|role| whole.output(&self.outs, role)).collect();
            self.op = Op::Call(Call { callee, kind, repeats });
            return;
        }
    }

    /// The operands that a call updates in place, with the results that they are afterwards.
    pub fn call_updates(&self) -> Vec<(usize, usize)> {
        self.op.as_call().map_or_else(Vec::new, |call| call.updates(self))
    }

    /// The one slice that a gradient of another function is added to: that function can also set it.
    pub fn gradient_of_a_slice(&self) -> Option<Var> {
        let call = self.op.as_call().filter(|call| call.kind == CallKind::Gradient)?;
        let mut active = call.callee.args.iter().filter(|arg| arg.active);
        let is_slice = |arg: &&CallArg| arg.slice && !arg.constant;
        let [operand] = *active.next().filter(is_slice)?.values().collect::<Vec<_>>() else { return None };
        let target = call.interface(self).input(Role::cotangent(Of::Input(operand)));
        target.filter(|_| active.next().is_none())
    }

    /// The operands that another function only borrows, as slices.
    pub fn borrowed(&self) -> Vec<usize> {
        let Some(call) = self.op.as_call() else { return Vec::new() };
        let roles = call.callee.operand_roles(call.kind).into_iter().enumerate();
        let of_slice = |role: Role| match role.of {
            Of::Input(k) => call.callee.args.iter().any(|arg| arg.is_borrowed() && arg.operands.contains(&k)),
            Of::Result(_) | Of::Residuals => false,
        };
        roles.filter(|(_, role)| of_slice(*role)).map(|(k, _)| k).collect()
    }

    /// Of what another function computes: the operands that it only adds to, with the results that they are afterwards.
    pub fn black_box_accumulations(&self) -> Vec<(usize, usize)> {
        self.op.as_call().map_or_else(Vec::new, |call| call.accumulations(self))
    }

    /// Whether a result is made in a place that the caller has for it.
    pub fn is_made_in_place(&self, out: usize) -> bool {
        let roles = self.op.as_call().map(|call| call.callee.result_roles(call.kind));
        roles.is_some_and(|roles| roles[out] == Role::RESIDUALS)
    }

    /// The residuals of another function both of whose sweeps run here, one after the other.
    pub fn passing_residuals(&self) -> Option<Ty> {
        let call = self.op.as_call()?;
        (call.kind == CallKind::Joint && !call.callee.is_self).then(|| call.callee.residuals())
    }

    /// What tells what another function computes from others, apart from the operands. It may be joined with a repetition
    /// of itself, not with another call: that may have effects.
    pub fn black_box_key(&self) -> Option<OpKey> {
        let call = self.op.as_call()?;
        Some(self.call_key(call, call.kind))
    }

    fn call_key(&self, call: &Call, kind: CallKind) -> OpKey {
        let first = call.repeats.or(self.outs.first().copied());
        OpKey::Call(format!("{kind:?} {} {first:?}", call.callee.key).into())
    }

    /// Of a call that gives the value and more: the key of the call that gives the value alone, its operands, and how many
    /// results these are.
    pub fn value_key(&self) -> Option<(OpKey, &[Var], usize)> {
        let call = self.op.as_call().filter(|call| call.kind == CallKind::Forward)?;
        let (operands, results) = (call.callee.operands(), call.callee.result_roles(CallKind::Value).len());
        Some((self.call_key(call, CallKind::Value), &self.args[..operands], results))
    }

    /// Whether another equation, which stands later, is the forward sweep of the call that this one is the value of.
    pub fn is_value_of_forward(&self, other: &Eqn) -> bool {
        let (Some(value), Some((key, args, _))) = (self.op.as_call(), other.value_key()) else { return false };
        value.kind == CallKind::Value && self.black_box_key() == Some(key) && self.args == args
    }

    /// Whether another equation, which stands later, is both sweeps of the call that this one is the value of.
    pub fn is_value_of(&self, other: &Eqn) -> bool {
        let (Some(value), Some(joint)) = (self.op.as_call(), other.op.as_call()) else { return false };
        (value.kind, joint.kind) == (CallKind::Value, CallKind::Joint)
            && value.callee.key == joint.callee.key
            && other.args.starts_with(&self.args)
    }

    /// Whether it is both sweeps of a call.
    pub fn is_both_sweeps(&self) -> bool {
        self.op.as_call().is_some_and(|call| call.kind == CallKind::Joint)
    }
}
