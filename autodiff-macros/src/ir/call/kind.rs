//! The functions that belong to a callee, as calls of them.

use crate::ir::interface::{Along, Order};

/// Which of the functions that belong to a callee is called. Cotangents of arguments are added to, in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// Arguments to results.
    Value,
    /// Arguments to results and residuals.
    Forward,
    /// Arguments, residuals, result cotangents and argument cotangents so far, to the argument cotangents. What the
    /// callee has changed is not given again.
    Reverse,
    /// Both sweeps at once: arguments, result cotangents and argument cotangents so far, to results and argument
    /// cotangents.
    Joint,
    /// The same where the only result is a number and its cotangent is 1.
    Gradient,
    /// The tangent of `Value` along so many directions, one after the other: arguments and tangents, to results and
    /// their tangents.
    Tangent(u8),
    /// The same of `Joint`.
    JointTangent(u8),
    /// `Value` with Taylor series: arguments and their tails, to results and their tails.
    Taylor,
    /// `Value` with its Jacobian: for each argument that is differentiated by, a matrix of a row for each number of the results
    /// and a column for each of the argument, in flat order.
    Jacobian,
}

impl CallKind {
    /// Calls that give a part of the results from a part of the operands, simplest first.
    pub(super) fn parts(self) -> Vec<CallKind> {
        let (tangents, joint) = match self {
            CallKind::Value | CallKind::Reverse => return Vec::new(),
            CallKind::Forward | CallKind::Joint | CallKind::Gradient | CallKind::Taylor | CallKind::Jacobian => (0, 0),
            CallKind::Tangent(count) => (count - 1, 0),
            CallKind::JointTangent(count) => (count, count),
        };
        let tangents = (1..=tangents).map(CallKind::Tangent);
        let joint = (0..joint).map(|count| if count == 0 { CallKind::Joint } else { CallKind::JointTangent(count) });
        std::iter::once(CallKind::Value).chain(tangents).chain(joint).collect()
    }

    /// How many tangents have been taken.
    pub fn directions(self) -> usize {
        match self {
            CallKind::Tangent(count) | CallKind::JointTangent(count) => usize::from(count),
            CallKind::Taylor => 1,
            _ => 0,
        }
    }

    /// The directions of the tangents that the arguments and the results have.
    pub fn tangents(self) -> &'static [Along] {
        &Along::some_of(self.directions())[1..]
    }

    /// The directions of the cotangents that the arguments have, that of the cotangents themselves included.
    pub fn cotangents(self) -> &'static [Along] {
        match self {
            CallKind::Reverse | CallKind::Joint | CallKind::Gradient | CallKind::JointTangent(_) => {
                Along::some_of(self.directions())
            }
            CallKind::Value | CallKind::Forward | CallKind::Tangent(_) | CallKind::Taylor | CallKind::Jacobian => &[],
        }
    }

    /// The same of the results, where their cotangents are given.
    pub fn seeds(self) -> &'static [Along] {
        if self == CallKind::Gradient { &[] } else { self.cotangents() }
    }

    /// How many times the callee has to be differentiable for it.
    pub fn order(self) -> Option<Order> {
        Order::from_number(match self {
            CallKind::Tangent(count) => count,
            CallKind::JointTangent(count) => count + 1,
            _ => 1,
        })
    }

    /// The tangent of a call, and the direction that it adds.
    pub fn tangent(self) -> Option<(CallKind, usize)> {
        let kind = match self {
            CallKind::Value => CallKind::Tangent(1),
            CallKind::Tangent(count) => CallKind::Tangent(count + 1),
            CallKind::Gradient | CallKind::Joint => CallKind::JointTangent(1),
            CallKind::JointTangent(count) => CallKind::JointTangent(count + 1),
            CallKind::Forward | CallKind::Reverse | CallKind::Taylor | CallKind::Jacobian => return None,
        };
        kind.order().map(|_| (kind, self.directions()))
    }

    /// The call that gives the cotangents of what goes into a derivative, and whether the tangent that it adds is along a
    /// direction of its own: see Note [Derivatives of derivatives] in `pass/adjoint/call.rs`.
    pub fn adjoint(self) -> Option<(CallKind, Option<usize>)> {
        let (kind, added) = match self {
            CallKind::Tangent(count) => (CallKind::JointTangent(count), None),
            CallKind::Gradient | CallKind::Joint | CallKind::JointTangent(_) => {
                self.tangent().map(|(kind, direction)| (kind, Some(direction)))?
            }
            CallKind::Value | CallKind::Forward | CallKind::Reverse | CallKind::Taylor | CallKind::Jacobian => {
                return None;
            }
        };
        kind.order().map(|_| (kind, added))
    }

    /// Whether it runs the forward and the reverse sweep.
    pub fn is_both_sweeps(self) -> bool {
        matches!(self, CallKind::Joint | CallKind::JointTangent(_))
    }

    /// Whether what stands beside its values may be wide numbers: tangents in several directions, or tails.
    pub fn is_in_lanes(self) -> bool {
        matches!(self, CallKind::Tangent(1) | CallKind::JointTangent(1) | CallKind::Taylor)
    }

    /// The row of the table of derivatives that it is a call of, if it is one.
    pub fn row(self) -> Option<String> {
        match self {
            CallKind::Tangent(1) => Some("jvp".to_owned()),
            CallKind::Tangent(count) => Some(format!("_{}", "_jvp".repeat(count.into()))),
            CallKind::JointTangent(count) => Some(format!("__joint{}", "_jvp".repeat(count.into()))),
            _ => None,
        }
    }

    /// What the text form has after the callee.
    pub(super) fn text(self) -> String {
        match self {
            CallKind::Value => String::new(),
            CallKind::Forward => " forward".to_owned(),
            CallKind::Reverse => " reverse".to_owned(),
            CallKind::Joint => " joint".to_owned(),
            CallKind::Gradient => " gradient".to_owned(),
            CallKind::Tangent(count) => " jvp".repeat(count.into()),
            CallKind::JointTangent(count) => format!(" joint{}", " jvp".repeat(count.into())),
            CallKind::Taylor => " taylor".to_owned(),
            CallKind::Jacobian => " jacobian".to_owned(),
        }
    }
}
