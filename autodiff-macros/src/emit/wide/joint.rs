//! The tangent of both sweeps in several directions: `__joint_jvp_wide`, for Hessians of callers.
//!
//! The tangents of the arguments, of the cotangents of the result and of the cotangents of the arguments are leaves of wide
//! numbers; the cotangents themselves are plain. Callers know by its signature whether a callee has this function, so it is made of
//! `__joint_jvp` where there is no body for it: see Note [Wide by others] in `wide.rs`.

use super::{Wide, WideFunction, WideLeaf};
use crate::emit::bodies::Planned;
use crate::emit::borrowing::copied;
use crate::emit::item::Item;
use crate::emit::leaves::{leaf_tokens, mutable_leaf_tokens, split_tokens};
use crate::emit::names;
use crate::emit::types::{array_type, seed_type};
use crate::ir::interface::{Along, Interface, Order, Role};
use crate::ir::{Body, Elem, Ty, Var, wide};
use crate::layout::Layout;
use crate::parse::families::Family;
use crate::pass::widen;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::rc::Rc;

/// A cotangent of a result that is a leaf, and its tangent in several directions.
struct Seed {
    name: Ident,
    dot: Ident,
    ty: Ty,
}

impl Seed {
    fn param(&self, name: &Ident, ty: &Ty, krate: &TokenStream) -> TokenStream {
        let given = seed_type(ty, krate);
        if ty.is_scalar() { quote!(#name: #given) } else { quote!(#name: &#given) }
    }

    fn wide_type(&self) -> Ty {
        self.ty.with_elem(Elem::Wide(Rc::new(self.ty.elem.clone())))
    }
}

fn direction() -> Along {
    Along::NONE.and(0)
}

impl Item<'_> {
    /// The tangent of both sweeps along several directions.
    pub(in crate::emit) fn widened_in_place(&self, body: &Body, interface: &Interface) -> Option<Wide> {
        self.dots_of_leaves(body, interface)?;
        let is_tangent = |k: usize| interface.outputs[k].along != Along::NONE;
        let tangents = interface.inputs_of(|role| role.along != Along::NONE);
        let numbers =
            interface.inputs_of(|role| role.is_of_input() && !role.is_cotangent() && role.along == Along::NONE);
        let body = widen::run_in_place(body, &tangents, &numbers, &is_tangent)?;
        Some(Wide { planned: Planned::new(body, interface.clone()), has_structure: true })
    }

    /// The function, if callers may call it: of a body, or of `__joint_jvp`.
    pub(in crate::emit) fn joint_wide(&self, wide: Option<&Wide>) -> TokenStream {
        let is_there = self.function.order_for_callers() >= Order::Second && self.has_family(Family::Directions);
        let Some(function) = self.joint_function().filter(|_| is_there) else { return TokenStream::new() };
        let statements = match wide {
            Some(Wide { planned, .. }) => self.joint_statements(&function, planned),
            None => self.joint_by_lanes(&function),
        };
        let signature = self.joint_signature(&function);
        quote!(#[doc(hidden)] #[inline] pub #signature { #statements })
    }

    /// That of a function of which only the plain ones are known.
    pub(in crate::emit) fn joint_wide_of_others(&self) -> TokenStream {
        let Some(function) = self.joint_function() else { return TokenStream::new() };
        let (signature, statements) = (self.joint_signature(&function), self.joint_by_lanes(&function));
        quote!(#[inline] pub #signature { #statements })
    }

    /// The same without a body.
    pub(in crate::emit) fn joint_wide_stub(&self) -> TokenStream {
        let Some(function) = self.joint_function() else { return TokenStream::new() };
        let signature = self.joint_signature(&function);
        quote!(pub #signature { ::core::unimplemented!() })
    }

    fn joint_function(&self) -> Option<WideFunction> {
        self.wide_function().filter(|function| function.is_callable() && !self.changes_arguments())
    }

    fn seeds_in_lanes(&self) -> Vec<Seed> {
        let leaves = Layout::of(self.result).float_leaves().enumerate();
        let named = leaves.map(|(k, leaf)| Seed {
            name: names::ours(&format!("bar_of_result_{k}")),
            dot: names::ours(&format!("dot_of_bar_{k}")),
            ty: leaf.ty,
        });
        named.collect()
    }

    /// The tangents of the cotangents of the arguments.
    fn bar_dots(&self) -> Vec<WideLeaf> {
        self.wide_inputs(&|root| self.roots().cotangent(root, direction())).0
    }

    fn joint_signature(&self, function: &WideFunction) -> TokenStream {
        let krate = self.krate;
        let (generics, y, mut params) = (
            self.generics_and(&self.wide_param("Wide", function)),
            self.wide_result(function),
            self.wide_params(function),
        );
        let seeds = self.seeds_in_lanes();
        params.extend(seeds.iter().map(|seed| seed.param(&seed.name, &seed.ty, krate)));
        params.extend(seeds.iter().map(|seed| seed.param(&seed.dot, &seed.wide_type(), krate)));
        params.extend(self.bar_params());
        params.extend(self.bar_dots().iter().map(|leaf| {
            let (name, ty) = (&leaf.name, seed_type(&leaf.wide_type(), krate));
            quote!(#name: &mut #ty)
        }));
        quote!(fn __joint_jvp_wide #generics (#(#params),*) -> #y)
    }

    fn joint_statements(&self, function: &WideFunction, planned: &Planned) -> TokenStream {
        let Planned { body, interface, .. } = planned;
        let (mut emitter, roots, results) = (self.wide_emitter(function, planned), self.roots(), &body.block.results);
        let (seeds, bar_dots, count) = (self.seeds_in_lanes(), self.bar_dots(), self.active_leaves().count());
        let of_results = |along: Along| {
            interface.inputs_of(|role: Role| role.is_cotangent() && !role.is_of_input() && role.along == along)
        };
        let plain = of_results(Along::NONE).into_iter().zip(seeds.iter().map(|seed| &seed.name));
        let tangents = of_results(direction()).into_iter().zip(seeds.iter().map(|seed| &seed.dot));
        for (var, name) in plain.chain(tangents) {
            emitter.names.reserve(&name.to_string());
            emitter.param(var, quote!(#name), !body.ty(var).is_scalar());
        }
        let [bar_places, dot_places] = [Along::NONE, direction()].map(|along| interface.accumulators(along, count));
        self.place_bars_at(&mut emitter, &bar_places, &|root| roots.bar(root));
        for (place, WideLeaf { name, .. }) in dot_places.iter().zip(&bar_dots) {
            emitter.names.reserve(&name.to_string());
            if let Some(var) = place {
                emitter.param(*var, quote!(#name), true);
            }
        }
        let mut statements = emitter.statements();
        let (y, y_dot) = self.wide_returned(&mut emitter, planned, &mut statements);
        let bars = |along: Along| interface.outputs_of(results, |role| role.is_cotangent() && role.along == along);
        self.add_numbers_at(&mut emitter, &bar_places, &bars(Along::NONE), &|root| roots.bar(root), &mut statements);
        let numbers: Vec<(Var, &WideLeaf)> =
            bars(direction()).into_iter().zip(&bar_dots).filter(|(_, leaf)| leaf.ty.is_scalar()).collect();
        for (bar, WideLeaf { name, .. }) in numbers {
            let value = emitter.value(bar);
            statements.extend(quote!(*#name += #value;));
        }
        let (asserts, lists) = (self.assertions(), self.error_lists(&[&statements, &y]));
        quote!(#asserts #lists #statements (#y, (#(#y_dot,)*)))
    }

    /// One tangent after the other. The cotangents are those of the first one.
    fn joint_by_lanes(&self, function: &WideFunction) -> TokenStream {
        let (krate, roots, args) = (self.krate, self.roots(), self.params.iter().map(copied).collect::<Vec<_>>());
        let (zeros, places) = self.zero_tangents(function);
        let active: Vec<usize> = (0..self.params.len()).filter(|root| self.params[*root].active).collect();
        let named = |suffix: &str| active.iter().map(|root| roots.suffixed(*root, suffix)).collect::<Vec<Ident>>();
        let (bars, dots, others, bar_dots) = (named("bar"), named("dot"), named("other"), named("lane"));
        let (plain, seeds, leaves) = (self.zeros(), self.seeds_in_lanes(), self.bar_dots());
        let given =
            active.iter().zip(&dots).map(|(root, dot)| if roots.scalar[*root] { quote!(#dot) } else { quote!(&#dot) });
        let given: Vec<TokenStream> = given.collect();
        let [value, lane, sets, y, tangent] = ["value", "lane", "sets", "y", "tangent"].map(names::ours);
        let (wide, scalar, leaf_trait) = (wide(), &function.scalar, quote!(#krate::__private::lanes::WideLeaf));
        let of_leaf = |leaf: &WideLeaf, of: &Ident, gives: bool| {
            let (of, access) = (quote!(#of), leaf.access.of_tangent());
            if split_tokens(&of, &access, leaf.form).is_some() {
                return leaf.lane(&of, &lane, gives, krate);
            }
            let part = match gives {
                true => mutable_leaf_tokens(&of, &access, leaf.form),
                false => leaf_tokens(&of, &access, leaf.form),
            };
            let (name, part) = (&leaf.name, if leaf.ty.is_dynamic() { quote!(#part[..]) } else { part });
            match gives {
                true if leaf.ty.is_scalar() => quote!(#leaf_trait::write_lane(&#name, #lane, &mut #part);),
                true => quote!(#leaf_trait::write_lane(&*#name, #lane, &mut #part);),
                false => quote!(#leaf_trait::set_lane(&mut *#name, #lane, &#part);),
            }
        };
        let of_root = |leaf: &WideLeaf, idents: &[Ident]| {
            idents[active.iter().position(|root| *root == leaf.access.root).unwrap_or(0)].clone()
        };
        let mut before: TokenStream =
            function.inputs.iter().map(|leaf| of_leaf(leaf, &of_root(leaf, &dots), true)).collect();
        let mut after = TokenStream::new();
        for leaf in &leaves {
            let of = of_root(leaf, &bar_dots);
            let name = &leaf.name;
            before.extend(match leaf.ty.is_scalar() {
                true => {
                    let part = mutable_leaf_tokens(&quote!(#of), &leaf.access.of_tangent(), leaf.form);
                    quote!(#leaf_trait::write_lane(&*#name, #lane, &mut #part);)
                }
                false => of_leaf(leaf, &of, true),
            });
            after.extend(of_leaf(leaf, &of, false));
        }
        let (mut made, mut own_seeds, mut own_dots) = (TokenStream::new(), Vec::new(), Vec::new());
        for (k, Seed { name, dot, ty }) in seeds.iter().enumerate() {
            let own = names::ours(&format!("lane_of_bar_{k}"));
            let array = array_type(ty, krate);
            made.extend(match ty.is_dynamic() {
                true => quote!(let mut #own = #krate::__private::zeros(&#name[..]);),
                false => quote!(let mut #own = <#array as #krate::__private::Zero>::ZERO;),
            });
            let part = if ty.is_dynamic() { quote!(#own[..]) } else { quote!(#own) };
            let from = if ty.is_scalar() { quote!(&#dot) } else { quote!(#dot) };
            before.extend(quote!(#leaf_trait::write_lane(#from, #lane, &mut #part);));
            own_seeds.push(quote!(#name));
            own_dots.push(if ty.is_scalar() { quote!(#own) } else { quote!(&#own) });
        }
        let sized = self.sized(function, &quote!(#tangent));
        let taken = function.results.iter().map(|leaf| leaf.lane(&quote!(#tangent), &lane, false, krate));
        // A set has no lanes: all depends on all.
        let reached = function.inputs.iter().map(|leaf| (leaf.ty.is_scalar(), &leaf.name));
        let reached = reached.chain(seeds.iter().map(|seed| (seed.ty.is_scalar(), &seed.dot)));
        let reached = reached.map(|(scalar, name)| if scalar { quote!(&#name) } else { quote!(#name) });
        let results = function.results.iter().map(|leaf| (&leaf.name, quote!(&mut)));
        let joined = results.chain(leaves.iter().map(|leaf| (&leaf.name, quote!(&mut *)))).map(|(name, borrow)| {
            quote!(#leaf_trait::visit_mut(#borrow #name, &mut |to: &mut #wide| *to = #wide::joined(*to, &#sets));)
        });
        let call = |bars: &[TokenStream]| quote!(Self::__joint_jvp(#(#args,)* #(#given,)* #(#own_seeds,)* #(#own_dots,)* #(#bars,)* #(&mut #bar_dots),*));
        let first = call(&bars.iter().map(|bar| quote!(&mut *#bar)).collect::<Vec<_>>());
        let again = call(&others.iter().map(|other| quote!(&mut #other)).collect::<Vec<_>>());
        quote! {
            #krate::__private::runs_again::<Self>();
            #zeros
            #(let (mut #dots, mut #others, mut #bar_dots) = (#plain, #plain, #plain);)*
            #made
            let #sets = #wide::IS_SET.then(|| [#(#wide::reach(#reached)),*]);
            let mut #value = ::core::option::Option::None;
            for #lane in 0..<#wide as #krate::__private::Wide<#scalar>>::LANES {
                #before
                let (#y, #tangent) = if #lane == 0 { #first } else { #again };
                #sized
                #(#taken)*
                #after
                #value = ::core::option::Option::Some(#y);
            }
            if let ::core::option::Option::Some(#sets) = #sets {
                #(#joined)*
            }
            (#value.expect("there is at least one direction"), (#(#places,)*))
        }
    }
}
