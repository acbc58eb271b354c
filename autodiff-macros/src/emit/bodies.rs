//! The bodies of all functions that are generated for a function: derived, through the passes, and planned. The code is
//! written of these.

use super::call::{called, named, note_owned_reads, passed};
use super::item::{Item, unsupported};
use super::rows::RowsBody;
use super::taylor::TaylorBody;
use super::types::array_type;
use super::wide::Wide;
use crate::ad::derivatives::{self, DERIVATIVES, Derivative, Derived, GRADIENT, Source, Transformation};
use crate::analysis::dependence::dependencies;
use crate::analysis::separable::is_separable;
use crate::diag::Errors;
use crate::ir::interface::{Along, Interface, Kind, Order, Role};
use crate::ir::{Block, Body, Elem, Ty, Var, effect};
use crate::layout::ParamLeaf;
use crate::parse::families::Family;
use crate::parse::function::Param;
use crate::pass::adjoint::CallStrategy;
use crate::pass::overwrite::{self, Overwriting};
use crate::pass::tangent::Unsupported;
use crate::pass::{self, deposit, element_sums};
use crate::plan::Plan;
use crate::trace::Trace;
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use std::collections::{HashMap, HashSet};

/// The body of a function that has been through all passes, the roles of what goes in and comes out, and the plan.
pub(super) struct Planned {
    pub(super) body: Body,
    pub(super) interface: Interface,
    pub(super) plan: Plan,
}

impl Planned {
    pub(super) fn new(body: Body, interface: Interface) -> Planned {
        let values =
            interface.outputs_of(&body.block.results, |role| !role.is_cotangent() && role.along == Along::NONE);
        let exact = dependencies(&body, values);
        let body = element_sums::run(body, &exact);
        let mut plan = Plan::of(&body);
        plan.exact = Some(exact);
        Planned { plan, body, interface }
    }
}

impl Planned {
    /// Whether the tangent of each input's cotangent has nothing in it but the tangent of that input, place by place.
    fn is_separable(&self) -> bool {
        let dots = self.interface.inputs.iter().filter(|(_, role)| !role.is_cotangent() && role.along != Along::NONE);
        let pairs: Option<Vec<(Var, Var)>> = dots
            .map(|(dot, role)| {
                let bar = Role { of: role.of, kind: Kind::Cotangent, along: role.along };
                Some((*dot, self.interface.output(&self.body.block.results, bar)?))
            })
            .collect();
        pairs.is_some_and(|pairs| is_separable(&self.body, &pairs))
    }
}

/// The two sweeps apart.
pub(super) struct Sweeps {
    /// The forward sweep with places of its caller's for the residuals.
    pub(super) forward: Planned,
    /// Its plan without such places.
    pub(super) owned_plan: Plan,
    pub(super) reverse: Planned,
    /// The parameters that the reverse sweep reads.
    pub(super) read: Vec<ParamLeaf>,
    /// The residuals.
    pub(super) saved: Vec<(Var, Ty)>,
    /// Whether the reverse sweep reads a parameter that is only passed on: see Note [Pullbacks that borrow].
    pub(super) borrows: bool,
}

/// The gradient.
pub(super) struct Gradient {
    /// It is added to the cotangents that are given.
    pub(super) adding: Planned,
    /// For each leaf that has a derivative, the array that its cotangent is added to, if there is one.
    pub(super) accumulators: Vec<Option<Var>>,
    /// The same for cotangents that are zeros, if it differs, and those of them that need not be.
    pub(super) setting: Option<(Planned, Vec<Var>)>,
}

/// What is generated for a function.
pub struct Bodies {
    /// The function itself, if its code is not the user's own.
    pub(super) value: Option<Planned>,
    /// The sweeps for callers.
    pub(super) sweeps: Sweeps,
    /// Those for users, if they differ: their residuals own what the reverse sweep reads.
    pub(super) for_users: Option<Sweeps>,
    /// Of a function whose result is a number.
    pub(super) gradient: Option<Gradient>,
    /// The rows of the table. Without a body is what has a higher order than the function, and what would take more
    /// derivatives of a callee than there are.
    pub(super) rows: Vec<(&'static Derivative, Option<Planned>)>,
    /// `jvp` and `hvp` in several directions, if there are bodies for them: see `wide.rs`.
    pub(super) jvp_wide: Option<Wide>,
    pub(super) hvp_wide: Option<Wide>,
    /// The tangent of both sweeps in several directions, likewise.
    pub(super) joint_wide: Option<Wide>,
    /// Whether the Hessian is diagonal, as far as the text tells: see [`crate::analysis::separable`].
    pub(super) has_diagonal_hessian: bool,
    /// Taylor series, if somebody asks for them.
    pub(super) taylor: Option<TaylorBody>,
    /// The rows of a Jacobian that has few.
    pub(super) all_rows: Option<RowsBody>,
    /// The rows of a sparse Jacobian by iterations, if it has such.
    pub(super) iterations: Option<Planned>,
}

impl Bodies {
    fn all(&self) -> impl Iterator<Item = &Planned> {
        let sweeps = [Some(&self.sweeps), self.for_users.as_ref()].into_iter().flatten();
        let gradient = self.gradient.iter().flat_map(|gradient| {
            let setting = gradient.setting.iter().map(|(planned, _)| planned);
            setting.chain([&gradient.adding])
        });
        let rows = self.rows.iter().filter_map(|(_, row)| row.as_ref()).chain(&self.value);
        let rows = rows.chain(self.all_rows.as_ref().map(|rows| &rows.planned)).chain(&self.iterations);
        sweeps.flat_map(|sweeps| [&sweeps.forward, &sweeps.reverse]).chain(gradient).chain(rows)
    }
}

impl Item<'_> {
    /// Derives, runs the passes and plans.
    pub fn bodies(&self, trace: &mut Trace) -> Result<Bodies, Errors> {
        let bodies = self.all(trace).map_err(unsupported)?;
        self.check_lengths()?;
        Ok(bodies)
    }

    fn all(&self, trace: &mut Trace) -> Result<Bodies, Unsupported> {
        let primal = self.primal.speaking.as_ref().unwrap_or(&self.primal.body);
        let value = self.primal.has_tensors.then(|| self.planned(primal, &[], trace)).transpose()?;
        let mut sweeps = self.sweeps(CallStrategy::Residuals, trace)?;
        let owned = sweeps.keep_calls().then(|| self.sweeps(CallStrategy::OwnedResiduals, trace));
        let for_users = match owned {
            // What is lent to a call in a loop, it cannot be lent again: only borrowed residuals can be stored.
            Some(Err(_)) if effect::lends(&self.primal.body.block.eqns) => {
                sweeps.borrows = true;
                None
            }
            owned => owned.transpose()?,
        };
        let gradient = self.scalar_result().then(|| self.gradient_body(trace)).transpose()?;
        let rows = DERIVATIVES.iter().filter(|row| self.has(row)).map(|row| {
            match self.is_asked_for(row).then(|| self.planned_row(row, trace)) {
                // It is missing where somebody calls it: a callee lacks more, or nobody has said that there is one.
                Some(Err(Unsupported { order, .. }))
                    if row.order > Order::First
                        && (order > Some(row.order.number())
                            || row.order > self.function.attr.order.unwrap_or_default()) =>
                {
                    Ok(((row, None), None))
                }
                derivation => {
                    let (planned, wide) = derivation.transpose()?.unzip();
                    Ok(((row, planned), wide.flatten()))
                }
            }
        });
        let (rows, wide): (Vec<(&Derivative, Option<Planned>)>, Vec<Option<Wide>>) =
            rows.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let mut wide: HashMap<&str, Wide> =
            rows.iter().zip(wide).filter_map(|((row, _), wide)| Some((row.name, wide?))).collect();
        let [jvp_wide, hvp_wide, joint_wide] = ["jvp", "hvp", "__joint_jvp"].map(|name| wide.remove(name));
        let hvp = rows.iter().find(|(row, _)| row.name == "hvp").and_then(|(_, planned)| planned.as_ref());
        let has_diagonal_hessian = self.has_family(Family::Hessian) && hvp.is_some_and(Planned::is_separable);
        let taylor = self.taylor_body(trace)?;
        let all_rows = self.rows_body(trace)?;
        let has_pattern = self.has_family(Family::Sparse) && jvp_wide.as_ref().is_some_and(|wide| wide.has_structure);
        let iterations = has_pattern.then(|| self.iterations_body(trace)).flatten();
        Ok(Bodies {
            value,
            sweeps,
            for_users,
            gradient,
            rows,
            jvp_wide,
            hvp_wide,
            joint_wide,
            has_diagonal_hessian,
            taylor,
            all_rows,
            iterations,
        })
    }

    fn planned(&self, body: &Body, steps: &[Transformation], trace: &mut Trace) -> Result<Planned, Unsupported> {
        let Derived { body, interface } = self.derive_from(body, steps)?;
        Ok(Planned::new(self.run(body, trace), interface))
    }

    /// A row of the table, also along several directions where that has a body.
    fn planned_row(&self, row: &Derivative, trace: &mut Trace) -> Result<(Planned, Option<Wide>), Unsupported> {
        let has_directions = match row.name {
            "jvp" => self.has_family(Family::Directions) && !self.is_simple(),
            "hvp" => self.has_hessians() && !self.changes_arguments(),
            "__joint_jvp" => self.has_family(Family::Directions) && !self.changes_arguments(),
            _ => false,
        };
        if !has_directions {
            return Ok((self.planned(&self.primal.body, row.steps, trace)?, None));
        }
        let Derived { body, interface } = self.derive_from(&self.primal.body, row.steps)?;
        let (body, apart) = self.run_and_apart(body, trace);
        let wide = match row.accumulates() {
            true => self.widened_in_place(&apart, &interface),
            false => self.widened(&apart, &interface),
        };
        Ok((Planned::new(body, interface), wide))
    }

    fn gradient_body(&self, trace: &mut Trace) -> Result<Gradient, Unsupported> {
        let Derived { body, interface } = self.derive_from(&self.primal.body, GRADIENT)?;
        let (before, body) = self.run_before_lanes(body, trace);
        let adding = Planned::new(body, interface);
        let accumulators = adding.interface.accumulators(Along::NONE, self.active_leaves().count());
        let zeros: Vec<Var> = accumulators.iter().copied().flatten().collect();
        // A body of its own is worth it for parameters as a whole, and where some of a struct's arrays need not be zeros.
        let whole = self.active_leaves().all(|leaf| leaf.access.path.is_empty());
        let setting = overwrite::run(&before, &zeros)
            .filter(|Overwriting { covered, .. }| whole || !covered.is_empty())
            .map(|Overwriting { body, covered }| {
                let body = pass::in_lanes(deposit::run(body, &covered), &mut |_, _| {});
                (Planned::new(body, adding.interface.clone()), covered)
            });
        Ok(Gradient { adding, accumulators, setting })
    }

    fn sweeps(&self, calls: CallStrategy, trace: &mut Trace) -> Result<Sweeps, Unsupported> {
        let (inputs, changed) = (self.inputs(), self.changed());
        let source = Source { body: &self.primal.body, inputs: &inputs, changed: &changed };
        let derivatives::Sweeps { forward, reverse } = source.sweeps(calls)?;
        let residuals = reverse.interface.inputs_of(|role| role == Role::RESIDUALS);
        let foreign = residuals.iter().find(|var| forward.body.ty(**var).elem == Elem::Foreign);
        if let Some(var) = foreign {
            let made = forward.body.block.eqns.iter().find(|eqn| eqn.outs.contains(var));
            return Err(Unsupported::new(
                made.map_or_else(Span::call_site, |eqn| eqn.span),
                "a value whose type is not visible and that the reverse sweep reads",
                "give it to a `let` with its type, `let model: Model = …`; of a list of references, copy the numbers, \
                 `let x: [f64; 3] = item.x;`",
            ));
        }
        let body = self.run(forward.body, trace);
        let exact = dependencies(&body, body.block.results.iter().copied());
        let body = element_sums::run(body, &exact);
        let saved = forward.interface.outputs_of(&body.block.results, |role| role == Role::RESIDUALS);
        let owned_plan = Plan::of(&body);
        let forward = Planned { plan: Plan::with_destinations(&body, &saved), body, interface: forward.interface };
        let borrows = self.reads_passive(&reverse.body.block, &|_| true).is_some();
        if let Some(span) = self.reads_passive(&reverse.body.block, &|param| param.is_mut) {
            return Err(Unsupported::new(
                span,
                "a mutable parameter without a derivative that the reverse sweep would read again",
                "pass what is read as a parameter of its own: a number, an array or a slice",
            ));
        }
        let reverse = Planned::new(self.run(reverse.body, trace), reverse.interface);
        let mut used = HashSet::new();
        note_owned_reads(&reverse.body, &reverse.body.block, &mut used);
        let read = self.primal.leaves.iter().filter(|leaf| used.contains(&leaf.var)).cloned().collect();
        let saved = residuals.iter().map(|var| (*var, reverse.body.ty(*var).clone())).collect();
        Ok(Sweeps { forward, owned_plan, reverse, read, saved, borrows })
    }

    /// Where a sweep reads what is only passed on, such a parameter or a part of one.
    fn reads_passive(&self, block: &Block, which: &dyn Fn(&Param) -> bool) -> Option<Span> {
        let params = self.params.iter().filter(|param| which(param));
        let names: Vec<String> = params.map(|param| param.name.to_string()).collect();
        named(block, &names).or_else(|| passed(block, &self.primal.sites, &names))
    }
}

impl Item<'_> {
    /// How many bytes of arrays one of the functions has on the stack at most, with what it calls.
    pub(super) fn workspace(&self, bodies: &Bodies) -> TokenStream {
        let krate = self.krate;
        let mut own: Vec<Workspace> = Vec::new();
        let mut others: Vec<TokenStream> = Vec::new();
        for planned in bodies.all() {
            let workspace = Workspace::of(planned);
            if !own.iter().any(|other| workspace.is_within(other)) {
                own.retain(|other| !other.is_within(&workspace));
                own.push(workspace);
            }
            for site in called(&planned.body.block, &self.primal.sites) {
                let (path, generics) = (&site.path, &site.generics);
                let bytes = quote!(<#path #generics as #krate::__private::Sweeps>::WORKSPACE_BYTES);
                if others.iter().all(|other| other.to_string() != bytes.to_string()) {
                    others.push(bytes);
                }
            }
        }
        let own: Vec<TokenStream> = own.iter().filter_map(|workspace| workspace.bytes(krate)).collect();
        let largest = |all: &[TokenStream]| match all {
            [] => None,
            [one] => Some(one.clone()),
            all => Some(quote!(#krate::__private::largest(&[#(#all),*]))),
        };
        match (largest(&own), largest(&others)) {
            (None, None) => quote!(0),
            (Some(one), None) | (None, Some(one)) => one,
            (Some(own), Some(others)) => quote!(#own + #others),
        }
    }
}

/// The arrays that a function has on the stack: of which types, whether rustc may put them on the heap, and how many.
struct Workspace<'b>(Vec<(&'b Ty, bool, usize)>);

impl<'b> Workspace<'b> {
    fn of(planned: &'b Planned) -> Workspace<'b> {
        let mut counts: Vec<(&Ty, bool, usize)> = Vec::new();
        for (ty, large) in planned.plan.workspace(&planned.body) {
            match counts.iter_mut().find(|(other, is_large, _)| *other == ty && *is_large == large) {
                Some((.., count)) => *count += 1,
                None => counts.push((ty, large, 1)),
            }
        }
        Workspace(counts)
    }

    /// Whether another function has at least as many arrays of each type.
    fn is_within(&self, other: &Workspace) -> bool {
        self.0.iter().all(|(ty, large, count)| {
            other.0.iter().any(|(others, is_large, more)| others == ty && is_large == large && more >= count)
        })
    }

    /// The sum of their sizes.
    fn bytes(&self, krate: &TokenStream) -> Option<TokenStream> {
        let sizes = self.0.iter().map(|(ty, large, count)| {
            let array = array_type(ty, krate);
            let size = match large {
                true => quote!(#krate::__private::on_stack::<#array>()),
                false => quote!(::core::mem::size_of::<#array>()),
            };
            let many = Literal::usize_unsuffixed(*count);
            if *count == 1 { size } else { quote!(#many * #size) }
        });
        let sizes: Vec<TokenStream> = sizes.collect();
        (!sizes.is_empty()).then(|| quote!(#(#sizes)+*))
    }
}
