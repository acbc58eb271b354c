//! The items that stand beside a differentiable function: its type and the functions of that type.

use super::bodies::{Bodies, Gradient, Planned};
use super::body::{Emitter, ResidualOwner};
use super::call::{calls_any, calls_itself};
use super::derivative::Code;
use super::leaves::{leaf_tokens, split_tokens};
use super::names::{self, Names};
use super::taylor::TaylorBody;
use super::types::{collected, matrix_of, zero_of};
use super::vectorized::{Function as Vectorizes, Vectorized};
use super::wide::Wide;
use crate::ad::derivatives::Has;
use crate::diag::{Error, Errors};
use crate::ir::interface::Order;
use crate::ir::{Body, Op, SavePolicy, Var};
use crate::layout::{Access, Form, Layout, Leaf, ParamLeaf};
use crate::lower::Primal;
use crate::parse::families::Family;
use crate::parse::function::{Function, Param};
use crate::parse::ty::Surface;
use crate::pass::tangent::Unsupported;
use crate::pass::{self};
use crate::plan::Plan;
use crate::trace::Trace;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// Everything emission works from.
pub struct Item<'i> {
    pub function: &'i Function,
    pub params: &'i [Param],
    pub result: &'i Surface,
    pub primal: &'i Primal,
    pub krate: &'i TokenStream,
}

/// The code.
pub struct Emitted {
    /// The body of the value function, if it is not the user's own.
    pub value: Option<TokenStream>,
    pub derivatives: TokenStream,
}

impl Item<'_> {
    pub fn emit(&self, bodies: &Bodies) -> Emitted {
        let Bodies { value, sweeps, for_users, gradient, rows, jvp_wide, hvp_wide, joint_wide, .. } = bodies;
        let Bodies { taylor, all_rows, iterations, .. } = bodies;
        let krate = self.krate;
        let value = value.as_ref().map(|value| self.value(value));
        let value_method = value.as_ref().map(|value| value.method.clone()).unwrap_or_default();
        let value_implementation = value.as_ref().map(|value| value.implementation.clone());
        let value = value.map(|value| value.body);
        let (adding, returning, implementation) =
            gradient.as_ref().map(|gradient| self.gradient(gradient)).unwrap_or_default();
        let are_second = |for_callers: bool| {
            let mut all =
                rows.iter().filter(|(row, _)| (row.order, row.is_for_callers()) == (Order::Second, for_callers));
            all.all(|(_, planned)| planned.is_some())
        };
        let is_second = self.function.order() >= Order::Second && are_second(false);
        let is_second_for_callers = are_second(true);
        let rows = rows.iter().map(|(row, planned)| match planned {
            Some(planned) => (self.derivative(row, planned), row.has == Has::Recursive),
            None => (self.missing(row), false),
        });
        let keeping = self.keeping(for_users.as_ref().unwrap_or(sweeps));
        let (borrowed, owned, sweeps_vectorized) = self.sweep_functions(sweeps, for_users.as_ref(), &keeping);
        let saved = self.sweeps_trait(sweeps, &self.workspace(bodies));
        let residuals = self.function_trait(for_users.as_ref().unwrap_or(sweeps));
        let (constants, keeps) = (self.constant_assertions(), self.keeps(&keeping));
        let reverse = quote!(#adding #borrowed);
        let mut functions = vec![(reverse, true), (quote!(#returning #owned), false)];
        functions.extend(rows);
        // One block for all that is always there.
        let (gated, always): (Vec<_>, Vec<_>) = functions.into_iter().partition(|(function, _)| needs_heap(function));
        let heap = !gated.is_empty();
        let mut always: TokenStream = always.into_iter().map(|(function, _)| function).collect();
        always.extend(value_method);
        let mut derivatives = quote!(#constants #keeps);
        // These call the others.
        let directions = self.jvp_wide(jvp_wide.as_ref());
        let of_gradient = hvp_wide.as_ref().map(|wide| self.hvp_wide(wide)).unwrap_or_default();
        let for_cpus = [&directions, &of_gradient].map(|function| {
            let Vectorized { body, implementation, .. } = function;
            match needs_heap(body) && !implementation.is_empty() {
                true => quote!(#krate::__if_alloc! { #implementation }),
                false => implementation.clone(),
            }
        });
        let matrices = [
            directions.body,
            self.jacobians(jvp_wide.is_some(), all_rows.as_ref()),
            of_gradient.body,
            self.hessians(is_second, hvp_wide.is_some(), bodies.has_diagonal_hessian),
            match (is_second_for_callers, self.function.order_for_callers() >= Order::Second) {
                (true, _) => self.joint_wide(joint_wide.as_ref()),
                // What is missing is said of the function in one direction.
                (false, true) => self.joint_wide_stub(),
                (false, false) => TokenStream::new(),
            },
            self.taylor(taylor.as_ref()),
        ];
        // Callees may have no tangents in several directions without a heap.
        let in_lanes = [jvp_wide, hvp_wide, joint_wide].into_iter().flatten().map(|wide| &wide.planned);
        let tails = taylor.iter().filter_map(TaylorBody::planned);
        let calls = in_lanes.chain(tails).any(|planned| calls_any(&planned.body.block));
        match heap || calls {
            true => {
                let members = self.members(&matrices.into_iter().collect());
                derivatives.extend(quote!(#krate::__if_alloc! { #members #(#for_cpus)* }));
            }
            false => {
                let (gated, free): (Vec<_>, Vec<_>) = matrices.into_iter().partition(needs_heap);
                always.extend(free);
                derivatives.extend(gated.iter().map(|matrices| self.gated(&self.members(matrices), false)));
                derivatives.extend(for_cpus);
            }
        }
        derivatives.extend(self.members(&always));
        derivatives.extend([implementation, sweeps_vectorized]);
        derivatives.extend(value_implementation);
        // A pattern is on the heap.
        let has_structure = |wide: &Option<Wide>| wide.as_ref().is_some_and(|wide| wide.has_structure);
        let (sparse, for_cpus) = self.sparse_jacobians(has_structure(jvp_wide), iterations.as_ref());
        let sparse = [sparse, self.sparse_hessians(is_second, has_structure(hvp_wide))];
        let sparse = self.members(&sparse.into_iter().collect());
        if !sparse.is_empty() {
            derivatives.extend(quote!(#krate::__if_alloc! { #sparse #for_cpus }));
        }
        for (function, needed) in gated {
            derivatives.extend(self.gated(&self.members(&function), needed));
        }
        derivatives.extend(self.gated(&saved, true));
        derivatives.extend(self.gated(&residuals, false));
        let callable = self.callable(&keeping, is_second_for_callers);
        derivatives.extend(if heap { quote!(#krate::__if_alloc! { #callable }) } else { callable });
        Emitted { value, derivatives }
    }

    /// Functions of the type beside the function.
    pub(super) fn members(&self, functions: &TokenStream) -> TokenStream {
        if functions.is_empty() {
            return TokenStream::new();
        }
        let (impl_generics, self_ty, where_clause) = self.generics();
        quote! {
            #[automatically_derived]
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            impl #impl_generics #self_ty #where_clause {
                #functions
            }
        }
    }

    /// What has arrays on the heap needs feature `alloc` of the crate. Without it there is an error for what is `needed`,
    /// and the rest is not there.
    pub(super) fn gated(&self, items: &TokenStream, needed: bool) -> TokenStream {
        if !needs_heap(items) {
            return items.clone();
        }
        let krate = self.krate;
        if !needed {
            return quote!(#krate::__if_alloc! { #items });
        }
        let span = unbounded(&self.primal.body.block).unwrap_or_else(|| self.function.name().span());
        let message = "the derivative keeps values on the heap here: enable the feature `alloc` of `autodiff`, say how many \
                       iterations there are at most with `#[max_iters(64)]` on the loop, or write `#[checkpoint(8)]` on it \
                       to recompute from 8 snapshots";
        quote_spanned!(span=> #krate::__with_alloc! { #message #items })
    }

    pub(super) fn is_recursive(&self) -> bool {
        calls_itself(&self.primal.body.block)
    }

    /// See Note [Derivatives that are named] in `parse/families.rs`.
    pub(super) fn has_family(&self, family: Family) -> bool {
        self.function.attr.families.has(family)
    }

    pub(super) fn has_hessians(&self) -> bool {
        self.has_family(Family::Hessian) || self.has_family(Family::Sparse)
    }

    // --- bodies ---------------------------------------------------------------------------------------

    pub(super) fn run(&self, body: Body, trace: &mut Trace) -> Body {
        pass::run_all(body, &self.lengths(), &mut |pass, body| {
            trace.body(pass, body);
        })
    }

    /// The same, with what comes before sums in lanes.
    pub(super) fn run_before_lanes(&self, body: Body, trace: &mut Trace) -> (Body, Body) {
        let before = pass::run_before_lanes(body, &self.lengths(), &mut |pass, body| {
            trace.body(pass, body);
        });
        let body = pass::in_lanes(before.clone(), &mut |pass, body| {
            trace.body(pass, body);
        });
        (before, body)
    }

    /// The same, and the body of which `pass/widen.rs` makes one for several directions.
    pub(super) fn run_and_apart(&self, body: Body, trace: &mut Trace) -> (Body, Body) {
        pass::run_all_and_apart(body, &self.lengths(), &mut |pass, body| {
            trace.body(pass, body);
        })
    }

    /// The same for a body some of whose numbers `widen` makes wide.
    pub(super) fn run_in_lanes<E>(
        &self,
        body: Body,
        widen: impl FnOnce(Body) -> Result<Body, E>,
        trace: &mut Trace,
    ) -> Result<Body, E> {
        pass::run_all_in_lanes(body, &self.lengths(), widen, &mut |pass, body| {
            trace.body(pass, body);
        })
    }

    pub(super) fn emitter<'b>(&self, body: &'b Body, plan: &'b Plan, owner: ResidualOwner) -> Emitter<'b> {
        let mut emitter = self.emitter_of_leaves(body, plan, owner);
        for param in self.params {
            emitter.names.reserve(&param.name.to_string());
        }
        emitter
    }

    /// An emitter for a function that has leaves in place of the parameters.
    pub(super) fn emitter_of_leaves<'b>(&self, body: &'b Body, plan: &'b Plan, owner: ResidualOwner) -> Emitter<'b> {
        let mut names = Names::default();
        let roots = self.roots();
        for k in 0..self.params.len() {
            for suffix in ["bar", "dot"] {
                names.reserve(&roots.suffixed(k, suffix).to_string());
            }
        }
        for name in ["saved", "inputs", "residuals"] {
            names.reserve(name);
        }
        let mut emitter = Emitter::new(body, plan, self.krate.clone(), names);
        emitter.roots = roots;
        emitter.residual_owner = owner;
        emitter.sites = self.primal.sites.clone();
        emitter
    }

    /// Says where cotangents are added to. Numbers are added at the end.
    pub(super) fn place_bars(&self, emitter: &mut Emitter, accumulators: &[Option<Var>]) {
        let roots = self.roots();
        self.place_bars_at(emitter, accumulators, &|root| roots.bar(root));
    }

    pub(super) fn place_bars_at(
        &self,
        emitter: &mut Emitter,
        accumulators: &[Option<Var>],
        name: &dyn Fn(usize) -> Ident,
    ) {
        for (leaf, acc) in self.active_leaves().zip(accumulators) {
            let root = name(leaf.access.root);
            if let Some(acc) = acc {
                let is_ref = leaf.access.path.is_empty() && leaf.form == Form::Plain;
                emitter.place_target(*acc, &quote!(#root), &leaf.of_tangent(), is_ref);
            }
        }
    }

    pub(super) fn active_leaves(&self) -> impl Iterator<Item = &ParamLeaf> {
        self.primal.leaves.iter().filter(|leaf| leaf.active)
    }

    pub(super) fn inputs(&self) -> Vec<Var> {
        self.active_leaves().map(|leaf| leaf.var).collect()
    }

    /// `x_bar += …` for the numbers among the cotangents.
    pub(super) fn add_numbers(
        &self,
        emitter: &mut Emitter,
        accumulators: &[Option<Var>],
        bars: &[Var],
        out: &mut TokenStream,
    ) {
        let roots = self.roots();
        self.add_numbers_at(emitter, accumulators, bars, &|root| roots.bar(root), out);
    }

    pub(super) fn add_numbers_at(
        &self,
        emitter: &mut Emitter,
        accumulators: &[Option<Var>],
        bars: &[Var],
        name: &dyn Fn(usize) -> Ident,
        out: &mut TokenStream,
    ) {
        for ((leaf, acc), bar) in self.active_leaves().zip(accumulators).zip(bars) {
            if acc.is_none() && !is_zero(emitter.body(), *bar) {
                let root = name(leaf.access.root);
                let access = leaf.access.of_tangent();
                let target = if access.path.is_empty() { quote!(*#root) } else { access.apply(quote!(#root)) };
                let value = emitter.value(*bar);
                out.extend(quote!(#target += #value;));
            }
        }
    }

    /// The body of the function itself.
    fn value(&self, planned: &Planned) -> Vectorized {
        let (asserts, Code { statements, results, .. }) = (self.assertions(), self.code(planned));
        let y = self.function.result.to_token_stream();
        self.vectorized(Vectorizes::Value, planned, &self.params(), &y, (asserts, quote!(#statements #(#results)*)))
    }

    fn vectorized_gradient(&self, function: Vectorizes, planned: &Planned, body: TokenStream) -> Vectorized {
        let params = [self.params(), self.bar_params()].concat();
        let code = (self.assertions(), body);
        self.vectorized(function, planned, &params, &self.function.result.to_token_stream(), code)
    }

    /// The gradient: what adds it or writes it to where the caller wants it, and what returns it.
    fn gradient(&self, gradient: &Gradient) -> (TokenStream, TokenStream, TokenStream) {
        let Gradient { adding, accumulators, setting } = gradient;
        let constness = self.constness(&adding.body);
        let statements = self.gradient_statements(adding);
        let Vectorized { body: adding, mut method, mut implementation } =
            self.vectorized_gradient(Vectorizes::AccumulateGradient, adding, statements);
        let (lifetimes, params, args, y) = (self.lifetimes(), self.params(), self.names(), &self.function.result);
        let (g, bars) = (self.gradient_type(), self.bar_pattern());
        let name = self.function.name();
        let doc = format!("Adds the gradient of [`{name}`] to `g` and returns the value.");
        let into = format!("The value of [`{name}`]; `g` becomes the gradient.");
        let both = format!("The value and the gradient of [`{name}`].");
        let only = format!("The gradient of [`{name}`].");
        let gradient = format!("`g` becomes the gradient of [`{name}`].");
        let target = names::ours("g");
        let (target_ty, zero, as_target, clear) =
            (self.gradient_target(), self.zero_gradient(), self.as_target(&target), self.clear(&target));
        let (roots, bar_params, bar_names) = (self.roots(), self.bar_params(), self.bar_names());
        let lengths = self.check_lengths_of(&|k| roots.bar(k));
        let (vis, returned) = (&self.function.item.vis, self.returned());
        let zeroed = quote! {
            #[doc = #into]
            #[inline]
            #vis fn value_and_grad_into #lifetimes (#(#params,)* #target: #target_ty) -> #y {
                #clear
                Self::accumulate_grad(#(#args,)* #target)
            }
        };
        let (value_and_grad_into, fill) = match setting {
            Some((setting, covered)) => {
                let statements = self.gradient_statements(setting);
                let zeros = self.zero_bars(accumulators, covered);
                let other = self.vectorized_gradient(Vectorizes::SetGradient, setting, quote!(#zeros #statements));
                method.extend(other.method);
                implementation.extend(other.implementation);
                let setting = other.body;
                let setting = quote! {
                    #[doc = #into]
                    #[inline]
                    #vis fn value_and_grad_into #lifetimes (#(#params,)* #bars: #target_ty) -> #y {
                        #lengths
                        #setting
                    }
                };
                (setting, quote!(value_and_grad_into))
            }
            None => (zeroed, quote!(accumulate_grad)),
        };
        let fill = if constness.is_some() { quote!(accumulate_grad) } else { fill };
        let adding = quote! {
            #method
            #[doc(hidden)]
            #[inline]
            pub #constness fn __accumulate #lifetimes (#(#params,)* #(#bar_params),*) -> #y {
                #adding
            }
            #[doc = #doc]
            #[inline]
            #vis #constness fn accumulate_grad #lifetimes (#(#params,)* #bars: #target_ty) -> #y {
                #lengths
                Self::__accumulate(#(#args,)* #(#bar_names),*)
            }
            #value_and_grad_into
            #[doc = #gradient]
            #[inline]
            #vis fn grad_into #lifetimes (#(#params,)* #target: #target_ty) {
                Self::value_and_grad_into(#(#args,)* #target);
            }
        };
        let returning = quote! {
            #[doc = #both]
            #[inline]
            #vis #constness fn value_and_grad #lifetimes (#(#params),*) -> (#y, #g) {
                #returned
                let mut #target = #zero;
                let y = Self::#fill(#(#args,)* #as_target);
                (y, #target)
            }
            #[doc = #only]
            #[inline]
            #vis #constness fn grad #lifetimes (#(#params),*) -> #g {
                Self::value_and_grad(#(#args),*).1
            }
        };
        (adding, returning, implementation)
    }

    /// Sets cotangents to zero, except those that are overwritten anyway: whole parameters, or some fields of a struct.
    fn zero_bars(&self, accumulators: &[Option<Var>], covered: &[Var]) -> TokenStream {
        let (krate, roots) = (self.krate, self.roots());
        let leaves: Vec<(&ParamLeaf, bool)> = self
            .active_leaves()
            .zip(accumulators)
            .map(|(leaf, acc)| (leaf, acc.is_some_and(|acc| covered.contains(&acc))))
            .collect();
        let zero = |k: usize| {
            let root = roots.bar(k);
            let of_root = || leaves.iter().filter(|(leaf, _)| leaf.access.root == k);
            let is_whole = of_root().any(|(leaf, _)| leaf.access.path.is_empty());
            match self.params[k].surface {
                _ if is_whole && of_root().all(|(_, covered)| *covered) => TokenStream::new(),
                Surface::Seq(..) => quote!(#krate::__private::set_zeros(&mut *#root);),
                _ if !is_whole
                    && of_root().any(|(_, covered)| *covered)
                    && of_root().all(|(leaf, _)| leaf.is_field())
                    && Layout::of(&self.params[k].surface).is_known() =>
                {
                    let rest = of_root().filter(|(_, covered)| !covered);
                    let fields = rest.map(|(leaf, _)| leaf.access.of_tangent().apply(quote!(#root)));
                    quote!(#(#krate::__private::Zero::set_zero(&mut #fields);)*)
                }
                _ => quote!(#krate::__private::Zero::set_zero(#root);),
            }
        };
        (0..self.params.len()).filter(|k| self.params[*k].active).map(zero).collect()
    }

    /// The body of the gradient as code, with the value at its end.
    fn gradient_statements(&self, planned: &Planned) -> TokenStream {
        let Code { statements, results, .. } = self.code(planned);
        quote!(#statements #(#results)*)
    }

    pub(super) fn place_dots_at(&self, emitter: &mut Emitter, dots: &[Var], name: &dyn Fn(usize) -> Ident) {
        let roots = self.roots();
        for (leaf, dot) in self.active_leaves().zip(dots) {
            let root = name(leaf.access.root);
            let scalar = roots.scalar[leaf.access.root];
            let is_ref =
                !scalar && leaf.access.path.is_empty() && leaf.form == Form::Plain || leaf.form.is_of_run_time();
            emitter.place_leaf(*dot, &quote!(#root), &leaf.of_tangent(), is_ref);
        }
    }

    // --- results --------------------------------------------------------------------------------------

    /// The result from its leaves.
    pub(super) fn assemble(&self, layout: &Layout, results: &[Var], emitter: &mut Emitter) -> TokenStream {
        let mut rest = results.iter().copied();
        emitter.assemble(layout, &mut rest)
    }

    /// The tangent of the result: of the same structure, unless it is a struct, whose tangent is another type. `values` are the leaves
    /// of the result itself.
    pub(super) fn assemble_tangent(&self, tangents: &[Var], values: &[Var], emitter: &mut Emitter) -> TokenStream {
        let krate = self.krate;
        let leaves: Vec<Leaf> = Layout::of(self.result).float_leaves().collect();
        if let ([only], [Leaf { access, form, .. }]) = (tangents, &leaves[..]) {
            if access.path.is_empty() {
                let value = emitter.value(*only);
                return form.value_of(value, krate);
            }
        }
        if !leaves.iter().any(Leaf::is_differentiable) {
            return quote!(());
        }
        let ty = self.result_tangent();
        let name = emitter.names.local("result_dot");
        let mut writes = TokenStream::new();
        // Integers in the result are no tangents, but stand among the leaves of the value.
        let mut tangents = tangents.iter();
        let mut sized: Vec<String> = Vec::new();
        for Leaf { access, form, active, ty: leaf } in &leaves {
            let Some(var) = tangents.next() else { break };
            if !active {
                continue;
            }
            let value = emitter.value(*var);
            let access = &access.of_tangent();
            if form.is_of_run_time() {
                let (target, sizes) = (access.apply(quote!(#name)), self.sizes_of_result(access, values, emitter));
                let made = matrix_of(*form, &value, sizes, krate);
                writes.extend(quote!(#target = #made;));
                continue;
            }
            let Some((rows, part)) = split_tokens(&quote!(#name), access, *form) else {
                let target = leaf_tokens(&quote!(#name), access, *form);
                writes.extend(quote!(#target = #value;));
                continue;
            };
            // The first leaf of a `Vec` tells how long it is.
            let made = !leaf.is_dynamic() || sized.contains(&rows.to_string());
            let zeros = collected(&quote!(0..values.len()), &quote!(|_| #krate::__private::Zero::ZERO), krate);
            let make = (!made).then(|| quote!(#rows = #zeros;));
            sized.push(rows.to_string());
            let part = crate::ir::fill_holes(part, &[quote!(row)]);
            let each =
                quote!(for (row, value) in ::core::iter::Iterator::zip(#rows.iter_mut(), values) { #part = value; });
            writes.extend(quote!({ let values = #value; #make #each }));
        }
        let zero = zero_of(&ty, &Layout::of(self.result), krate);
        quote!({ let mut #name = #zero; #writes #name })
    }

    /// The rows and the columns of a matrix in the result, whose numbers are at an access.
    fn sizes_of_result(&self, numbers: &Access, values: &[Var], emitter: &mut Emitter) -> Option<[TokenStream; 2]> {
        let leaves = Layout::of(self.result).leaves(&Access::root(0));
        let at = leaves.iter().position(|leaf| leaf.access.of_tangent() == *numbers)?;
        let [rows, columns] = *values.get(at + 1..at + 3)? else { return None };
        Some([rows, columns].map(|size| emitter.value(size)))
    }
}

pub(super) fn unsupported(unsupported: Unsupported) -> Errors {
    Error::at(unsupported.span, unsupported.message).help(unsupported.help).into()
}

/// Whether code makes something on the heap, which it does by names of its own: `__private::Vec`, `.to_vec()`.
pub(super) fn needs_heap(items: &TokenStream) -> bool {
    // The compiler writes text faster than it hands out token after token.
    let text = items.to_string();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let begins = |rest: &str, word: &str| rest.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_part));
    let copies =
        text.match_indices("to_vec").any(|(at, word)| !text[..at].ends_with(is_part) && begins(&text[at..], word));
    let mut private = text.split("__private").skip(1).map(|rest| rest.trim_start_matches([' ', ':', '\n']));
    copies || private.any(|rest| ["Vec", "vec", "zeros"].iter().any(|word| begins(rest, word)))
}

/// The loop whose iterations nobody can count beforehand.
fn unbounded(block: &crate::ir::Block) -> Option<proc_macro2::Span> {
    block.eqns.iter().find_map(|eqn| match &eqn.op {
        Op::While { keep: SavePolicy::All } => Some(eqn.span),
        Op::For { lo, hi, keep: SavePolicy::All, .. } if lo.is_dynamic() || hi.is_dynamic() => Some(eqn.span),
        _ => eqn.regions.iter().find_map(unbounded),
    })
}

fn is_zero(body: &Body, var: Var) -> bool {
    body.block.eqns.iter().any(|eqn| eqn.outs == [var] && matches!(eqn.op, Op::Zero(_)))
}
