//! Calls of other differentiable functions, and where the operands and results of such an equation are.

use super::{Eqn, Op, Var, VarSet};
use crate::fault::{self, Fault};
use crate::lower::target::Target;
use crate::parse::attr::Order;
use std::ops::Range;
use std::rc::Rc;

/// A call of another differentiable function, or of its derivative.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    pub target: Rc<Target>,
    pub kind: CallKind,
    /// Of a call that a reverse sweep repeats: the first result of the call of the forward sweep.
    pub repeats: Option<Var>,
}

/// Which of the functions that belong to a callee is called. "Cotangents so far" are added into, in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// Arguments to results.
    Value,
    /// Arguments to results and the data that the reverse sweep needs.
    Forward,
    /// Arguments, data, result cotangents and argument cotangents so far, to the argument cotangents.
    Reverse,
    /// Both sweeps at once: arguments, result cotangents and argument cotangents so far, to results and argument
    /// cotangents.
    Joint,
    /// The same where the only result is a number and its cotangent is 1.
    Gradient,
    /// Arguments and tangents, to results and their tangents.
    Jvp,
    /// The tangent of `Joint`: each group of operands and results is followed by its tangents.
    JointJvp,
    /// The tangent of `Jvp`: arguments and tangents, and the tangents of both, to results and tangents, and the
    /// tangents of both.
    JvpJvp,
}

impl CallKind {
    /// Calls that give a part of the results from a part of the operands, simplest first.
    fn parts(self) -> &'static [CallKind] {
        match self {
            CallKind::Forward | CallKind::Joint | CallKind::Gradient | CallKind::Jvp => &[CallKind::Value],
            CallKind::JvpJvp => &[CallKind::Value, CallKind::Jvp],
            CallKind::JointJvp => &[CallKind::Value, CallKind::Jvp, CallKind::Joint],
            CallKind::Value | CallKind::Reverse => &[],
        }
    }

    /// How many tangents the arguments and the results have.
    fn tangents(self) -> usize {
        match self {
            CallKind::Jvp | CallKind::JointJvp => 1,
            CallKind::JvpJvp => 3,
            _ => 0,
        }
    }

    /// How many times the callee has to be differentiable for it.
    pub fn order(self) -> Order {
        match self {
            CallKind::JointJvp | CallKind::JvpJvp => Order::Second,
            _ => Order::First,
        }
    }

    /// How many groups of cotangents the callee's arguments have: those, and their tangents.
    fn cotangents(self) -> usize {
        match self {
            CallKind::Reverse | CallKind::Joint | CallKind::Gradient => 1,
            CallKind::JointJvp => 2,
            _ => 0,
        }
    }

    /// The same for the results, where their cotangents are given.
    fn seeds(self) -> usize {
        if self == CallKind::Gradient { 0 } else { self.cotangents() }
    }
}

/// A part of the operands or results of a call.
pub type Part = Range<usize>;

/// Where what belongs to a call stands among the arguments and the results of its equation.
#[derive(Debug)]
pub struct Layout {
    pub args: Operands,
    pub outs: Results,
}

#[derive(Debug)]
pub struct Operands {
    /// The callee's own arguments. The reverse sweep alone is not given what the callee has changed.
    pub own: Part,
    /// What the forward sweep has kept.
    pub data: Option<usize>,
    /// Tangents of the active ones among the own arguments.
    pub dots: Vec<Part>,
    /// Cotangents of the results, and their tangents.
    pub seeds: Vec<Part>,
    /// Cotangents so far of the active arguments, and their tangents.
    pub bars: Vec<Part>,
}

#[derive(Debug)]
pub struct Results {
    /// What the callee returns.
    pub returned: Part,
    /// What it has changed.
    pub changed: Part,
    /// What the reverse sweep needs.
    pub data: Option<usize>,
    /// Tangents of what is returned, and of what has been changed.
    pub dots: Vec<(Part, Part)>,
    /// Cotangents of the active arguments, and their tangents.
    pub bars: Vec<Part>,
}

/// Gives out one part after the other.
struct Cursor(usize);

impl Cursor {
    fn take(&mut self, count: usize) -> Part {
        let start = self.0;
        self.0 += count;
        start..self.0
    }
}

impl Operands {
    /// The operands of a simpler call, which has fewer groups of them.
    fn first_of(&self, part: &Operands) -> Vec<usize> {
        let groups = self.dots.iter().take(part.dots.len());
        let groups = groups.chain(self.seeds.iter().take(part.seeds.len()));
        let groups = groups.chain(self.bars.iter().take(part.bars.len()));
        self.own.clone().chain(groups.cloned().flatten()).collect()
    }
}

impl Results {
    /// The results of a simpler call, which has fewer groups of them.
    fn first_of(&self, part: &Results) -> Vec<usize> {
        let dots = self.dots.iter().take(part.dots.len()).flat_map(|(own, after)| own.clone().chain(after.clone()));
        let bars = self.bars.iter().take(part.bars.len()).cloned().flatten();
        self.returned.clone().chain(self.changed.clone()).chain(dots).chain(bars).collect()
    }
}

impl Layout {
    pub fn of(call: &Call) -> Layout {
        let (target, kind) = (&call.target, call.kind);
        let reverse = kind == CallKind::Reverse;
        let active: Vec<usize> = target.active_args().collect();
        let changed = target.changed_args();
        let moved = changed.iter().filter(|at| active.contains(at)).count();
        let (active, changed, floats) = (active.len(), changed.len(), target.float_count());

        let mut at = Cursor(0);
        let args = Operands {
            own: at.take(target.own_args() - if reverse { changed } else { 0 }),
            data: reverse.then(|| at.take(1).start),
            dots: (0..kind.tangents()).map(|_| at.take(active)).collect(),
            seeds: (0..kind.seeds()).map(|_| at.take(floats)).collect(),
            bars: (0..kind.cotangents()).map(|_| at.take(active)).collect(),
        };
        let mut at = Cursor(0);
        let outs = Results {
            returned: at.take(if reverse { 0 } else { target.count_results() }),
            changed: at.take(if reverse { 0 } else { changed }),
            data: (kind == CallKind::Forward).then(|| at.take(1).start),
            dots: (0..kind.tangents()).map(|_| (at.take(floats), at.take(moved))).collect(),
            bars: (0..kind.cotangents()).map(|_| at.take(active)).collect(),
        };
        Layout { args, outs }
    }

    /// The cotangents that a call only adds to, with the results that they are afterwards: those of the arguments that
    /// the callee reads. Those of the arguments that it changes are replaced.
    pub fn accumulations(&self, target: &Target) -> Vec<(usize, usize)> {
        let changed = target.changed_args();
        let reads = |at| !changed.contains(&at) || fault::is(Fault::ChangesAreSums);
        let reads: Vec<bool> = target.active_args().map(reads).collect();
        let pairs = self.args.bars.iter().zip(&self.outs.bars).flat_map(|(args, outs)| {
            let pairs = args.clone().zip(outs.clone()).zip(&reads);
            pairs.filter(|(_, reads)| **reads).map(|(pair, _)| pair)
        });
        pairs.collect()
    }

    /// The arguments that a call updates in place, with the results that they are afterwards.
    pub fn updates(&self, target: &Target) -> Vec<(usize, usize)> {
        let Layout { args, outs } = self;
        let changed = target.changed_args();
        // What the callee changes; its reverse sweep alone does not see it again.
        let mut pairs: Vec<(usize, usize)> = changed.iter().copied().zip(outs.changed.clone()).collect();
        for (dots, (_, after)) in args.dots.iter().zip(&outs.dots) {
            let moved = target.active_args().zip(dots.clone()).filter(|(at, _)| changed.contains(at));
            pairs.extend(moved.map(|(_, dot)| dot).zip(after.clone()));
        }
        for (before, after) in args.bars.iter().zip(&outs.bars) {
            pairs.extend(before.clone().zip(after.clone()));
        }
        pairs
    }
}

impl Eqn {
    /// Calls something simpler where only that part of the results is used.
    pub fn drop_unused_derivatives(&mut self, live: &VarSet) {
        let Op::Call(call) = &self.op else { return };
        let whole = Layout::of(call);
        for kind in call.kind.parts() {
            // The cotangents of a gradient inside the function are not those of the function's own parameters.
            let repeats = if *kind == CallKind::Joint { None } else { call.repeats };
            let call = Call { kind: *kind, repeats, target: call.target.clone() };
            let part = Layout::of(&call);
            let outs = whole.outs.first_of(&part.outs);
            if (0..self.outs.len()).any(|at| live.contains(self.outs[at]) && !outs.contains(&at)) {
                continue;
            }
            let args = whole.args.first_of(&part.args);
            self.args = args.into_iter().map(|at| self.args[at]).collect();
            self.outs = outs.into_iter().map(|at| self.outs[at]).collect();
            self.op = Op::Call(call);
            return;
        }
    }

    /// Those of the equation's arguments that are one part of a call's.
    pub fn given(&self, part: &Part) -> &[Var] {
        &self.args[part.clone()]
    }

    /// Those of its results.
    pub fn made(&self, part: &Part) -> &[Var] {
        &self.outs[part.clone()]
    }
}
