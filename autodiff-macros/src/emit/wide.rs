//! Tangents in several directions at once: `__jvp_wide`, whose tangents are leaves of wide numbers.
//!
//! Note [Leaves of wide numbers]. A tangent of a struct is a struct of plain numbers. In several directions it is given leaf
//! by leaf: a number as `Lanes<f64, W>`, an array as `[Lanes<f64, W>; N]`, a field of the elements of a slice as
//! `[Lanes<f64, W>]`. The function is generic in the wide number, so that `W` is the caller's choice.
//!
//! Note [Wide by others]. Callers know by its signature whether a callee has this function, so it is there also where its body
//! has something in it that is written for plain numbers only. A function whose result is a number needs no body for it:
//! one gradient gives its derivative in any number of directions. Nor does a function of one number, whose tangent is
//! scaled. All others compute their rows, after one forward sweep, or their tangents lane by lane, if only the result tells
//! how many rows there are. So does a function that changes its arguments, which are put back before each lane but the last;
//! whether that can be done their types tell ([`crate::parse::ty::Surface::changes_in_lanes`]). See `wide/others.rs`.

mod joint;
mod leaf;
mod others;

use super::bodies::Planned;
use super::body::{Emitter, ResidualOwner};
use super::item::Item;
use super::names;
use super::types::{array_type, seed_type};
use super::vectorized::{Function as Vectorizes, Vectorized};
use crate::ir::dim::Dim;
use crate::ir::interface::{Along, Interface};
use crate::ir::ty::LARGEST_ON_STACK;
use crate::ir::{Body, Ty, Var, wide};
use crate::layout::{Access, Form, Layout, Leaf};
use crate::parse::families::Family;
use crate::parse::tokens::dim_tokens;
use crate::parse::ty::Surface;
use crate::pass::iterations::Place;
use crate::pass::widen::{self, Widened};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// How many directions are computed at once where nothing else is asked for.
const WIDTH: usize = 8;

/// A derivative in several directions.
pub(super) struct Wide {
    pub(super) planned: Planned,
    /// Whether its tangents may be sets: see Note [Decisions] in `pass/widen/structure.rs`.
    pub(super) has_structure: bool,
}

/// A leaf of a parameter or of the result, in several directions.
pub(super) struct WideLeaf {
    pub(super) access: Access,
    form: Form,
    pub(super) ty: Ty,
    /// A local variable for it.
    pub(super) name: Ident,
    /// Where its numbers are in the flat order of the parameter or the result, if that is known here.
    pub(super) place: Option<Place>,
    /// The same, as the library knows it.
    pub(super) flat: Option<TokenStream>,
}

/// A function in several directions.
pub(super) struct WideFunction {
    pub(super) inputs: Vec<WideLeaf>,
    pub(super) results: Vec<WideLeaf>,
    /// Whether there is nothing in the result but what has a derivative.
    pub(super) has_numbers_only: bool,
    scalar: TokenStream,
    /// How many directions at once.
    pub(super) width: TokenStream,
    /// Whether these are all that there are.
    pub(super) is_whole: bool,
}

impl WideFunction {
    /// Whether all numbers have a place in flat order that is known here, and there is room for them on the stack.
    pub(super) fn has_places(&self) -> bool {
        let is_small = |leaf: &WideLeaf| leaf.wide_type().bytes().is_none_or(|bytes| bytes <= LARGEST_ON_STACK);
        self.inputs.iter().chain(&self.results).all(|leaf| leaf.flat.is_some() && is_small(leaf))
    }

    /// Whether only the result tells how many numbers it has.
    fn is_counted(&self) -> bool {
        self.results.iter().any(|leaf| leaf.ty.is_dynamic())
    }

    /// Whether there is such a function for callers in any case, by its signature alone: `pass/widen.rs` asks the same of a
    /// call.
    fn is_callable(&self) -> bool {
        self.has_numbers_only && widen::has_shape(self.results.iter().map(|leaf| &leaf.ty))
    }
}

impl Item<'_> {
    /// A derivative along one tangent along several.
    pub(super) fn widened(&self, body: &Body, interface: &Interface) -> Option<Wide> {
        let dots = self.dots_of_leaves(body, interface)?;
        let is_tangent = |k: usize| interface.outputs[k].along != Along::NONE;
        let numbers =
            interface.inputs_of(|role| role.is_of_input() && !role.is_cotangent() && role.along == Along::NONE);
        let Widened { body, has_structure } = widen::run(body, &dots, &numbers, &is_tangent)?;
        Some(Wide { planned: Planned::new(body, interface.clone()), has_structure })
    }

    /// The tangents of the inputs, if each is one of the leaves that are given.
    pub(super) fn dots_of_leaves(&self, body: &Body, interface: &Interface) -> Option<Vec<Var>> {
        let function = self.wide_function()?;
        let dots = interface.dots(Along::NONE.and(0));
        let is_same = |(var, leaf): (&Var, &WideLeaf)| body.ty(*var).is_dynamic() == leaf.ty.is_dynamic();
        let fits = dots.len() == function.inputs.len() && dots.iter().zip(&function.inputs).all(is_same);
        fits.then_some(dots)
    }

    /// Whether one gradient or one tangent says all of the function.
    pub(super) fn is_simple(&self) -> bool {
        !self.changes_arguments() && (self.scalar_result() || self.single_number().is_some())
    }

    /// The one parameter that has a derivative, if it is a number.
    fn single_number(&self) -> Option<usize> {
        let mut active = (0..self.params.len()).filter(|root| self.params[*root].active);
        let first = active.next().filter(|root| matches!(self.params[*root].surface, Surface::Scalar(_)))?;
        active.next().is_none().then_some(first)
    }

    /// What goes in and comes out in several directions. What changes goes in and comes out at one place.
    pub(super) fn wide_function(&self) -> Option<WideFunction> {
        let mut mutable = self.params.iter().filter(|param| param.is_mut).peekable();
        let is_constant = mutable.peek().is_none() && self.result.is_discrete();
        if is_constant || !mutable.all(|param| param.surface.changes_in_lanes()) {
            return None;
        }
        let scalar = self.scalar_type()?;
        let (inputs, count) = self.wide_inputs(&|root| self.roots().dot(root));
        if inputs.is_empty() {
            return None;
        }
        let results = self.wide_leaves(self.leaves_of_result(), "tangent");
        let all = count.as_literal().and_then(|count| usize::try_from(count).ok());
        let width = all.filter(|count| (1..=2 * WIDTH).contains(count)).unwrap_or(WIDTH);
        let width = self.function.attr.width.unwrap_or(width);
        let is_whole = all.is_some_and(|count| count <= width);
        let width = Literal::usize_unsuffixed(width);
        // Those of a rotation carry no derivative, its change does.
        let has_numbers_only = Layout::of(self.result).leaves(&Access::root(0)).iter().all(|leaf| leaf.ty.is_float());
        Some(WideFunction { inputs, results, has_numbers_only, scalar, width: quote!(#width), is_whole })
    }

    /// Tangents of the inputs or of their cotangents, and how many numbers these are.
    fn wide_inputs(&self, name: &dyn Fn(usize) -> Ident) -> (Vec<WideLeaf>, Dim) {
        let mut inputs = Vec::new();
        let mut count = Dim::literal(0);
        for root in (0..self.params.len()).filter(|root| self.params[*root].active) {
            let leaves = self.leaves_of_param(root);
            count = leaves.iter().fold(count, |count, leaf| count.plus(&Dim::product(&leaf.ty.dims)));
            inputs.extend(self.wide_leaves(leaves, name(root).to_string().trim_start_matches("r#")));
        }
        (inputs, count)
    }

    /// Leaves of one value with their places in flat order.
    fn wide_leaves(&self, leaves: Vec<Leaf>, name: &str) -> Vec<WideLeaf> {
        let krate = self.krate;
        let in_rows = leaves.iter().filter(|leaf| leaf.access.around_each().is_some()).count();
        let at_root = |access: &Access| access.around_each().is_none_or(|(before, _)| before.path.is_empty());
        let inner = |ty: &Ty| ty.dims.iter().skip(1).any(Dim::is_dynamic);
        let alone = in_rows == 0 && leaves.len() == 1;
        let is_known = leaves.iter().all(|leaf| at_root(&leaf.access) && !inner(&leaf.ty));
        let is_even = if in_rows == 0 {
            alone || leaves.iter().all(|leaf| !leaf.ty.is_dynamic())
        } else {
            in_rows == leaves.len()
        };
        let own = |ty: &Ty| Dim::product(ty.dims.iter().skip(usize::from(in_rows > 0)));
        let mut start = Dim::literal(0);
        let mut wide = Vec::new();
        let has_places = is_known && is_even;
        let stride = match has_places && in_rows > 0 {
            true => leaves.iter().fold(Dim::literal(0), |sum, leaf| sum.plus(&own(&leaf.ty))),
            false => Dim::literal(0),
        };
        for (k, Leaf { access, form, ty, .. }) in leaves.into_iter().enumerate() {
            let place = has_places.then(|| Place {
                start: start.clone(),
                group: if in_rows > 0 { own(&ty) } else { Dim::literal(0) },
                stride: stride.clone(),
            });
            let flat = place.as_ref().map(|Place { start, group, stride }| {
                let [start, group, stride] = [start, group, stride].map(dim_tokens);
                quote!(#krate::__private::lanes::Flat { start: #start, group: #group, stride: #stride })
            });
            if has_places && !alone {
                start = start.plus(&own(&ty));
            }
            let name = names::ours(&format!("{name}_{k}"));
            wide.push(WideLeaf { access, form, ty, name, place, flat });
        }
        wide
    }

    // --- the function -----------------------------------------------------------------------------------

    fn wide_signature(&self, function: &WideFunction) -> TokenStream {
        self.signature_in_lanes("__jvp_wide", "Wide", function)
    }

    /// The signature of such a function, whose wide numbers are of a trait.
    pub(super) fn signature_in_lanes(&self, name: &str, of_trait: &str, function: &WideFunction) -> TokenStream {
        let (name, y) = (quote::format_ident!("{name}"), self.wide_result(function));
        let generics = self.generics_and(&self.wide_param(of_trait, function));
        let params = self.wide_params(function);
        quote!(fn #name #generics (#(#params),*) -> #y)
    }

    fn wide_result(&self, function: &WideFunction) -> TokenStream {
        let (krate, y) = (self.krate, &self.function.result);
        let types = function.results.iter().map(|leaf| array_type(&leaf.wide_type(), krate));
        quote!((#y, (#(#types,)*)))
    }

    /// The type parameter for wide numbers.
    fn wide_param(&self, of_trait: &str, function: &WideFunction) -> TokenStream {
        let (krate, wide, scalar, of_trait) =
            (self.krate, wide(), &function.scalar, quote::format_ident!("{of_trait}"));
        quote!(#wide: #krate::__private::#of_trait<#scalar>)
    }

    fn wide_params(&self, function: &WideFunction) -> Vec<TokenStream> {
        let krate = self.krate;
        let dots = function.inputs.iter().map(|leaf| {
            let (name, ty) = (&leaf.name, seed_type(&leaf.wide_type(), krate));
            match self.params[leaf.access.root].is_mut {
                true => quote!(#name: &mut #ty),
                false if leaf.ty.is_scalar() => quote!(#name: #ty),
                false => quote!(#name: &#ty),
            }
        });
        self.params().into_iter().chain(dots).collect()
    }

    /// The tangent in several directions, where there is one: of a body for it, else of other derivatives.
    pub(super) fn jvp_wide(&self, wide: Option<&Wide>) -> Vectorized {
        let function = self.wide_function().filter(|_| self.has_family(Family::Directions));
        let Some(function) = function else { return Vectorized::default() };
        let vectorized = match wide {
            Some(Wide { planned, .. }) => {
                let (statements, params) = (self.wide_statements(&function, planned), self.wide_params(&function));
                let (y, wide) = (self.wide_result(&function), self.wide_param("Wide", &function));
                self.vectorized_lanes(Vectorizes::Directions, planned, (&params, &y), statements, &wide)
            }
            None if function.is_callable() => Vectorized { body: self.combined(&function), ..Vectorized::default() },
            None => return Vectorized::default(),
        };
        let (signature, Vectorized { body, method, implementation }) = (self.wide_signature(&function), vectorized);
        let body = quote! {
            #[doc(hidden)]
            #[inline]
            pub #signature { #body }
            #method
        };
        Vectorized { body, implementation, ..Vectorized::default() }
    }

    /// The same without a body.
    pub(super) fn jvp_wide_stub(&self) -> TokenStream {
        let Some(function) = self.wide_function() else { return TokenStream::new() };
        let signature = self.wide_signature(&function);
        quote!(pub #signature { ::core::unimplemented!() })
    }

    /// The tangent of the gradient in several directions: a leaf for each of the parameters'.
    pub(super) fn hvp_wide(&self, Wide { planned, .. }: &Wide) -> Vectorized {
        let Some(function) = self.wide_function() else { return Vectorized::default() };
        let Planned { body, interface, .. } = planned;
        let mut emitter = self.wide_emitter(&function, planned);
        let mut statements = emitter.statements();
        let bars = interface.outputs_of(&body.block.results, |role| role.along != Along::NONE);
        if emitter.moves_arrays(&bars) {
            emitter.settle(&mut statements);
        }
        let types = bars.iter().map(|bar| array_type(body.ty(*bar), self.krate));
        let types: Vec<TokenStream> = types.collect();
        let bars: Vec<TokenStream> = bars.iter().map(|bar| emitter.value(*bar)).collect();
        let (asserts, lists) = (self.assertions(), self.error_lists(&[&statements]));
        let (params, y, wide) =
            (self.wide_params(&function), quote!((#(#types,)*)), self.wide_param("Wide", &function));
        let statements = quote!(#asserts #lists #statements (#(#bars,)*));
        let Vectorized { body, method, implementation } =
            self.vectorized_lanes(Vectorizes::GradientDirections, planned, (&params, &y), statements, &wide);
        let generics = self.generics_and(&wide);
        let body = quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __hvp_wide #generics (#(#params),*) -> #y { #body }
            #method
        };
        Vectorized { body, implementation, ..Vectorized::default() }
    }

    fn wide_emitter<'b>(&self, function: &WideFunction, planned: &'b Planned) -> Emitter<'b> {
        let Planned { body, interface, plan } = planned;
        let mut emitter = self.emitter(body, plan, ResidualOwner::Caller);
        self.place_params(&mut emitter);
        for (var, leaf) in interface.dots(Along::NONE.and(0)).into_iter().zip(&function.inputs) {
            let (ty, name) = (body.ty(var), &leaf.name);
            emitter.names.reserve(&name.to_string());
            emitter.param(var, quote!(#name), self.params[leaf.access.root].is_mut || !ty.is_scalar());
        }
        emitter
    }

    pub(super) fn wide_statements(&self, function: &WideFunction, planned: &Planned) -> TokenStream {
        let Planned { body, interface, .. } = planned;
        let mut emitter = self.wide_emitter(function, planned);
        let mut statements = emitter.statements();
        let results = &body.block.results;
        let (value, tangents) = self.wide_returned(&mut emitter, planned, &mut statements);
        let mut changes = self.value_changes(interface, results, Along::NONE);
        changes.extend(self.value_changes(interface, results, Along::NONE.and(0)));
        emitter.write_back(&changes, &mut statements);
        let (asserts, lists) = (self.assertions(), self.error_lists(&[&statements, &value]));
        quote!(#asserts #lists #statements (#value, (#(#tangents,)*)))
    }

    /// What the function returns, and its tangents leaf by leaf.
    fn wide_returned(
        &self,
        emitter: &mut Emitter,
        Planned { body, interface, .. }: &Planned,
        statements: &mut TokenStream,
    ) -> (TokenStream, Vec<TokenStream>) {
        let results = &body.block.results;
        let values = self.returned_values(interface, results, Along::NONE);
        let tangents = self.returned_values(interface, results, Along::NONE.and(0));
        let all: Vec<_> = values.iter().chain(&tangents).copied().collect();
        if emitter.moves_arrays(&all) {
            emitter.settle(statements);
        }
        let value = self.assemble(&self.primal.result, &values, emitter);
        let value = self.hold(emitter, value, statements);
        // Of what carries no derivative there is no tangent.
        let active = Layout::of(self.result).float_leaves().map(|leaf| leaf.active);
        let tangents = tangents.into_iter().zip(active).filter(|(_, active)| *active);
        let tangents = tangents.map(|(var, _)| {
            let tangent = emitter.value(var);
            self.hold(emitter, tangent, statements)
        });
        (value, tangents.collect())
    }
}
