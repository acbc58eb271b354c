//! The table of derivatives: which there are, and of which transformations each is made.
//!
//! To add one, write a row of [`DERIVATIVES`]: `emit/derivative.rs` makes a function of it.

use crate::ir::interface::{Along, Interface, Of, Order, Role};
use crate::ir::{Body, Var};
use crate::pass;
use crate::pass::adjoint::{self, CallStrategy, Joint, Output, Seed};
use crate::pass::rows;
use crate::pass::split::{Halves, split};
use crate::pass::tangent::{self, Unsupported};

/// A transformation from body to body.
#[derive(Clone, Copy)]
pub enum Transformation {
    /// Adds the reverse sweep.
    Adjoint { seed: Seed, output: Output, calls: CallStrategy },
    /// Adds tangents, along a direction of its own.
    Tangent,
    /// Adds the tails of Taylor series, in the roles of tangents.
    Taylor,
    /// Leaves only the outputs that have such a role.
    Only(fn(Role) -> bool),
}

/// Which functions have a derivative.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Has {
    /// All.
    Any,
    /// Those whose result is a number.
    Number,
    /// Those that call themselves.
    Recursive,
}

/// A derivative that is a function of its own.
pub struct Derivative {
    /// The name of the function, an associated one of the type beside the function that is differentiated.
    pub name: &'static str,
    pub order: Order,
    pub has: Has,
    pub steps: &'static [Transformation],
    /// What it says of itself, `{f}` being the function; without it is for generated code only.
    pub doc: Option<&'static str>,
}

const fn reverse(seed: Seed, output: Output, calls: CallStrategy) -> Transformation {
    Transformation::Adjoint { seed, output, calls }
}

/// The value, and the gradient of a function whose result is a number. `emit/item.rs` makes several functions of it,
/// which differ in where the gradient is.
pub const GRADIENT: &[Transformation] = &[reverse(Seed::One, Output::Accumulate, CallStrategy::Residuals)];

/// The value and the tails of its Taylor series, which `emit/taylor.rs` makes wide numbers of.
pub const TAYLOR: &[Transformation] = &[Transformation::Taylor];

/// Both sweeps as one. (`emit/sweeps.rs` has them apart, by way of [`crate::pass::split`].)
const BOTH_SWEEPS: &[Transformation] = &[reverse(Seed::Parameter, Output::Accumulate, CallStrategy::Residuals)];

const TANGENTS: &[Transformation] = &[Transformation::Tangent; 4];

const SWEEPS_AND_TANGENTS: &[Transformation] = &[
    reverse(Seed::Parameter, Output::Accumulate, CallStrategy::Recompute),
    Transformation::Tangent,
    Transformation::Tangent,
    Transformation::Tangent,
];

/// A derivative for generated code only. It is called as `CallKind::row` says.
const fn higher(name: &'static str, order: Order, steps: &'static [Transformation]) -> Derivative {
    Derivative { name, order, has: Has::Any, steps, doc: None }
}

/// The other derivatives.
pub const DERIVATIVES: &[Derivative] = &[
    Derivative {
        name: "jvp",
        order: Order::First,
        has: Has::Any,
        steps: &[Transformation::Tangent],
        doc: Some("The value of {f} and its derivative in the direction of the given tangents."),
    },
    // Both sweeps in one function, for a function that calls itself.
    Derivative { name: "__joint", order: Order::First, has: Has::Recursive, steps: BOTH_SWEEPS, doc: None },
    // Forward over reverse: the tangent of the gradient.
    Derivative {
        name: "hvp",
        order: Order::Second,
        has: Has::Number,
        steps: &[
            reverse(Seed::One, Output::Fresh, CallStrategy::Recompute),
            Transformation::Only(Role::is_cotangent),
            Transformation::Tangent,
            Transformation::Only(|role| role.along != Along::NONE),
        ],
        doc: Some("The Hessian of {f} times the given tangents (forward over reverse)."),
    },
    // For callers' derivatives of higher order, the tangents of both sweeps, and forward over forward.
    higher("__joint_jvp", Order::Second, SWEEPS_AND_TANGENTS.split_at(2).0),
    higher("__jvp_jvp", Order::Second, TANGENTS.split_at(2).0),
    higher("__joint_jvp_jvp", Order::Third, SWEEPS_AND_TANGENTS.split_at(3).0),
    higher("__jvp_jvp_jvp", Order::Third, TANGENTS.split_at(3).0),
    higher("__joint_jvp_jvp_jvp", Order::Fourth, SWEEPS_AND_TANGENTS),
    higher("__jvp_jvp_jvp_jvp", Order::Fourth, TANGENTS),
];

impl Derivative {
    /// Whether only derivatives of callers use it, of as high an order.
    pub fn is_for_callers(&self) -> bool {
        self.doc.is_none() && self.order > Order::First
    }

    /// What the values are differentiated along: nothing, each direction, and several of them.
    pub fn along(&self) -> Vec<Along> {
        let count = self.steps.iter().filter(|step| matches!(step, Transformation::Tangent)).count();
        (0..count).fold(vec![Along::NONE], |all, direction| {
            let more: Vec<Along> = all.iter().map(|along| along.and(direction)).collect();
            [all, more].concat()
        })
    }

    /// The directions that tangents of the inputs are given in.
    pub fn tangents(&self) -> Vec<Along> {
        self.along().into_iter().filter(|along| *along != Along::NONE).collect()
    }

    /// Whether cotangents of the results are given.
    pub fn has_seeds(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Transformation::Adjoint { seed: Seed::Parameter, .. }))
    }

    /// Whether cotangents are added to what the caller has.
    pub fn accumulates(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Transformation::Adjoint { output: Output::Accumulate, .. }))
    }

    /// Whether the cotangents of the inputs are returned.
    pub fn returns_cotangents(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Transformation::Adjoint { output: Output::Fresh, .. }))
    }
}

/// A function that is differentiated.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    pub body: &'s Body,
    /// The inputs to differentiate by.
    pub inputs: &'s [Var],
    /// What changes, with the places of its last values among the results.
    pub changed: &'s [(Var, usize)],
}

/// A body with its interface.
pub struct Derived {
    pub body: Body,
    pub interface: Interface,
}

/// The forward and the reverse sweep, each by itself. What passes between them has the role of residuals.
pub struct Sweeps {
    pub forward: Derived,
    pub reverse: Derived,
}

/// A body whose results are the function's own and, for each number of these, a cotangent of each input.
pub struct Rows {
    pub derived: Derived,
    /// For each of these numbers, the array that the cotangent of an input is added to: of what has a size of run time.
    pub accumulators: Vec<Vec<Option<Var>>>,
}

impl Source<'_> {
    /// The roles of the function's own inputs and results.
    pub fn interface(self) -> Interface {
        let inputs = self.inputs.iter().enumerate().map(|(k, var)| (*var, Role::value(Of::Input(k))));
        let outputs = (0..self.body.block.results.len()).map(|k| Role::value(Of::Result(k)));
        Interface { inputs: inputs.collect(), outputs: outputs.collect() }
    }

    /// The two sweeps, for callers that run them apart.
    pub fn sweeps(self, calls: CallStrategy) -> Result<Sweeps, Unsupported> {
        let (seed, output) = (Seed::Parameter, Output::Accumulate);
        let joint = adjoint::transform_changing(self.body, self.inputs, self.changed, seed, output, calls)?;
        let joint = joint.after(pass::BEFORE_SPLIT);
        let changed: Vec<Var> = self.changed.iter().map(|(var, _)| *var).collect();
        let Halves { forward, reverse, residuals } = split(&joint, self.body, &changed);
        let own = self.interface();
        let given = residuals.iter().map(|var| (*var, Role::RESIDUALS));
        let handed_over = Interface {
            inputs: own.inputs.clone(),
            outputs: own.outputs.iter().copied().chain(given.clone().map(|(_, role)| role)).collect(),
        };
        let remaining = own.inputs.into_iter().filter(|(var, _)| !changed.contains(var));
        let (cotangents, outputs) = self.cotangents(&joint, seed);
        let taken_over = Interface { inputs: remaining.chain(given).chain(cotangents).collect(), outputs };
        Ok(Sweeps {
            forward: Derived { body: forward, interface: handed_over },
            reverse: Derived { body: reverse, interface: taken_over },
        })
    }

    /// The function with the rows of its Jacobian, if these are few; see [`rows`].
    pub fn rows(self) -> Result<Option<Rows>, Unsupported> {
        let (seed, output, calls) = (Seed::Parameter, Output::FreshIfSized, CallStrategy::Residuals);
        let joint = adjoint::transform_changing(self.body, self.inputs, self.changed, seed, output, calls)?;
        let Some((body, accumulators)) = rows::run(&joint, self.body, &rows::LIMITS) else { return Ok(None) };
        let mut interface = self.interface();
        for row in &accumulators {
            let roles = (0..self.inputs.len()).map(|k| Role::cotangent(Of::Input(k)));
            interface.inputs.extend(row.iter().zip(roles.clone()).filter_map(|(var, role)| Some(((*var)?, role))));
            interface.outputs.extend(roles);
        }
        Ok(Some(Rows { derived: Derived { body, interface }, accumulators }))
    }

    /// The roles of the cotangents that a reverse sweep is given, and of those that it gives.
    fn cotangents(self, joint: &Joint, seed: Seed) -> (Vec<(Var, Role)>, Vec<Role>) {
        let is_own = |place: usize| self.changed.iter().all(|(_, changed)| *changed != place);
        let floats = self.body.block.results.iter().enumerate();
        let floats = floats.filter(|(k, result)| is_own(*k) && self.body.ty(**result).is_float());
        let mut inputs = Vec::new();
        if seed == Seed::Parameter {
            let roles = floats.map(|(k, _)| Role::cotangent(Of::Result(k)));
            inputs.extend(joint.seeds.iter().copied().zip(roles));
        }
        for (k, accumulator) in joint.accumulators.iter().enumerate() {
            inputs.extend(accumulator.map(|var| (var, Role::cotangent(Of::Input(k)))));
        }
        (inputs, (0..self.inputs.len()).map(|k| Role::cotangent(Of::Input(k))).collect())
    }

    /// The derivative that some steps make.
    pub fn derive(self, steps: &[Transformation]) -> Result<Derived, Unsupported> {
        let mut derived = Derived { body: self.body.clone(), interface: self.interface() };
        let mut direction = 0;
        for (at, step) in steps.iter().enumerate() {
            match *step {
                Transformation::Adjoint { seed, output, calls } => derived.adjoint(self, seed, output, calls)?,
                Transformation::Tangent => {
                    // What the steps before have left over is not differentiated.
                    if at > 0 {
                        derived.body = pass::run(pass::BETWEEN_ORDERS, derived.body);
                    }
                    derived.tangent(direction, tangent::transform)?;
                    direction += 1;
                }
                Transformation::Taylor => derived.tangent(direction, tangent::taylor)?,
                Transformation::Only(keep) => derived.only(keep),
            }
        }
        derived.body.owned = self.owned(&derived.interface);
        Ok(derived)
    }

    /// What a body may update in place: cotangents that it adds to, and what it changes, if the last value comes out.
    fn owned(self, interface: &Interface) -> Vec<Var> {
        let comes_out = |along| interface.outputs.iter().any(|role| !role.is_cotangent() && role.along == along);
        let changes = |k: usize| self.changed.iter().any(|(var, _)| *var == self.inputs[k]);
        let of_inputs = interface.inputs.iter().filter(|(_, role)| match role.of {
            Of::Input(k) => role.is_cotangent() || changes(k) && comes_out(role.along),
            Of::Result(_) | Of::Residuals => false,
        });
        // What has no derivative changes, too.
        let others = self.changed.iter().map(|(var, _)| *var).filter(|var| !self.inputs.contains(var));
        let others = others.filter(|_| comes_out(Along::NONE));
        of_inputs.map(|(var, _)| *var).chain(others).collect()
    }
}

impl Derived {
    fn adjoint(&mut self, source: Source, seed: Seed, output: Output, calls: CallStrategy) -> Result<(), Unsupported> {
        let joint = adjoint::transform_changing(&self.body, source.inputs, source.changed, seed, output, calls)?;
        let (inputs, outputs) = Source { body: &self.body, ..source }.cotangents(&joint, seed);
        self.interface.inputs.extend(inputs);
        self.interface.outputs.extend(outputs);
        self.body = joint.body;
        Ok(())
    }

    fn tangent(
        &mut self,
        direction: usize,
        transform: fn(&Body, &[Var]) -> Result<Body, Unsupported>,
    ) -> Result<(), Unsupported> {
        let before = self.body.block.params.len();
        let inputs: Vec<Var> = self.interface.inputs.iter().map(|(var, _)| *var).collect();
        let floats: Vec<bool> = self.body.block.results.iter().map(|result| self.body.ty(*result).is_float()).collect();
        let body = transform(&self.body, &inputs)?;
        let tangents = body.block.params[before..].iter().zip(&self.interface.inputs);
        let tangents: Vec<_> = tangents.map(|(var, (_, role))| (*var, role.tangent(direction))).collect();
        self.interface.inputs.extend(tangents);
        let outputs = self.interface.outputs.iter().zip(floats).filter(|(_, float)| *float);
        let outputs: Vec<Role> = outputs.map(|(role, _)| role.tangent(direction)).collect();
        self.interface.outputs.extend(outputs);
        self.body = body;
        Ok(())
    }

    fn only(&mut self, keep: fn(Role) -> bool) {
        let mut roles = self.interface.outputs.iter();
        self.body.block.results.retain(|_| roles.next().is_some_and(|role| keep(*role)));
        self.interface.outputs.retain(|role| keep(*role));
    }
}
