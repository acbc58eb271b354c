//! Taylor series: `taylor` for users, and `__taylor`, which callers call.
//!
//! A tail (Note [Tails] in `series.rs` of `autodiff-core`) is a wide number with a lane for each coefficient, so that the function is one
//! in several directions, whose leaves are given and come out as Note [Leaves of wide numbers] in `wide.rs` says.
//!
//! Note [Taylor series on demand]. Few functions are expanded in a series, so that only those have this that are asked for it:
//! `source/orders.rs` finds `f::taylor`, and all that `f` calls. Of what is asked for directly it is an error if there is no
//! rule for something. A function that is only called may not need it, since its arguments may be constants: there the
//! error is in the body of `__taylor`, and rustc reports it if that is used.

use super::bodies::Planned;
use super::item::Item;
use super::jacobian::stubs;
use super::names;
use super::wide::{WideFunction, WideLeaf};
use crate::ad::derivatives::{Derived, TAYLOR};
use crate::ir::Body;
use crate::ir::interface::Along;
use crate::parse::attr::Asked;
use crate::parse::ty::Surface;
use crate::pass::tangent::Unsupported;
use crate::pass::widen;
use crate::trace::Trace;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// The body of `__taylor`.
pub(super) enum TaylorBody {
    Planned(Box<Planned>),
    /// Why there is none, of a function that may not need it.
    Missing(Unsupported),
}

impl TaylorBody {
    pub(super) fn planned(&self) -> Option<&Planned> {
        match self {
            TaylorBody::Planned(planned) => Some(planned),
            TaylorBody::Missing(_) => None,
        }
    }
}

impl Item<'_> {
    /// The body, if somebody asks for it.
    pub(super) fn taylor_body(&self, trace: &mut Trace) -> Result<Option<TaylorBody>, Unsupported> {
        let Some(asked) = self.function.attr.taylor.filter(|_| !self.changes_arguments()) else { return Ok(None) };
        match (self.tails(trace), asked) {
            (Ok(planned), _) => Ok(Some(TaylorBody::Planned(Box::new(planned)))),
            (Err(missing), Asked::ByCallers) => Ok(Some(TaylorBody::Missing(missing))),
            (Err(missing), Asked::Directly) => Err(missing),
        }
    }

    fn tails(&self, trace: &mut Trace) -> Result<Planned, Unsupported> {
        let Derived { body, interface } = self.derive_from(&self.primal.body, TAYLOR)?;
        let is_tail = |k: usize| interface.outputs[k].along != Along::NONE;
        let widen = |body: Body| {
            let dots = self.dots_of_leaves(&body, &interface);
            let wide = dots.and_then(|dots| widen::lanes(&body, &dots, &is_tail));
            wide.ok_or_else(|| Unsupported::series_of(self.function.name()))
        };
        let body = self.run_in_lanes(body, widen, trace)?;
        Ok(Planned::new(body, interface))
    }

    /// Both functions; what says why there is none, where it is not asked for or cannot be.
    pub(super) fn taylor(&self, body: Option<&TaylorBody>) -> TokenStream {
        if self.parts().is_none() {
            return TokenStream::new();
        }
        if self.changes_arguments() {
            return stubs(&[self.taylor_signature()], &self.never());
        }
        let (Some(body), Some(function)) = (body, self.wide_function()) else { return self.no_taylor("Taylor") };
        let statements = match body {
            TaylorBody::Planned(planned) => self.wide_statements(&function, planned),
            TaylorBody::Missing(missing) => refusal(missing),
        };
        let signature = self.signature_in_lanes("__taylor", "Series", &function);
        let for_users = match is_own_tangent(self.result) {
            true => self.taylor_for_users(&function),
            false => self.no_taylor("TaylorOfNumbers"),
        };
        quote! {
            #[doc(hidden)]
            #[inline]
            pub #signature { #statements }
            #for_users
        }
    }

    /// Name, parameters and result of `taylor`.
    pub(super) fn taylor_signature(&self) -> TokenStream {
        let (params, vis, y, roots) = (self.params(), &self.function.item.vis, &self.function.result, self.roots());
        let (order, dots) = (self.free_parameter("K"), self.dot_params_named(&|root| roots.dot(root)));
        let generics = self.generics_and(&quote!(const #order: usize));
        quote!(#vis fn taylor #generics (#(#params,)* #(#dots),*) -> [#y; #order])
    }

    /// The same without bodies, for a function that has errors: what users and what callers call.
    pub(super) fn taylor_stubs(&self) -> TokenStream {
        let for_callers = self.wide_function().map(|function| {
            let signature = self.signature_in_lanes("__taylor", "Series", &function);
            quote!(pub #signature)
        });
        let all: Vec<TokenStream> =
            self.parts().map(|_| self.taylor_signature()).into_iter().chain(for_callers).collect();
        stubs(&all, &TokenStream::new())
    }

    /// In place of `taylor`: a bound that never holds, whose message tells why.
    fn no_taylor(&self, bound: &str) -> TokenStream {
        let (krate, (_, self_ty, _), bound) = (self.krate, self.generics(), quote::format_ident!("{bound}"));
        stubs(&[self.taylor_signature()], &quote!(where for<'of> #self_ty: #krate::__private::#bound<'of>))
    }

    fn taylor_for_users(&self, function: &WideFunction) -> TokenStream {
        let (krate, args, roots) = (self.krate, self.names(), self.roots());
        let (signature, order, k) = (self.taylor_signature(), self.free_parameter("K"), names::ours("order"));
        let doc = format!(
            "The value of [`{}`] and its first `{order} − 1` derivatives in the direction of the given tangents, d^k/dt^k \
             at t = 0 of its value at `x + t · direction`.",
            self.function.name()
        );
        let lengths = self.check_lengths_of(&|root| roots.dot(root));
        let zeros = function.inputs.iter().map(|leaf| leaf.zeros(&quote!({ #order }), &args, krate));
        let directions = function.inputs.iter().map(|leaf| {
            let dot = roots.dot(leaf.access.root);
            leaf.lane(&quote!(#dot), &k, false, krate)
        });
        let tails = function.inputs.iter().map(WideLeaf::argument);
        let results: Vec<_> = function.results.iter().map(|leaf| &leaf.name).collect();
        let scaled = function.results.iter().map(|leaf| leaf.derivatives(krate));
        let written = function.results.iter().map(|leaf| leaf.lane(&quote!(derivative), &k, true, krate));
        quote! {
            #[doc = #doc]
            #[inline]
            #signature {
                const { ::core::assert!(#order > 0, "there is at least the value") };
                #lengths
                #(#zeros)*
                if #order > 1 {
                    let #k = 1;
                    #(#directions)*
                }
                let (y, (#(mut #results,)*)) = Self::__taylor(#(#args,)* #(#tails),*);
                #(#scaled)*
                let mut derivatives = ::core::array::from_fn(|#k| {
                    let mut derivative = #krate::Differentiable::zero_tangent(&y);
                    #(#written)*
                    derivative
                });
                derivatives[0] = y;
                derivatives
            }
        }
    }
}

/// Whether the tangents of a result are of its own type.
fn is_own_tangent(result: &Surface) -> bool {
    match result {
        Surface::Scalar(elem) => elem.is_float(),
        Surface::Tensor(..) | Surface::Matrix(..) => true,
        Surface::Array(inner, _) | Surface::Seq(inner, _) => is_own_tangent(inner),
        Surface::Tuple(parts) => parts.iter().all(is_own_tangent),
        _ => false,
    }
}

/// An error where the function is used.
fn refusal(missing: &Unsupported) -> TokenStream {
    let message = format!("{}: {}", missing.message, missing.help);
    quote_spanned!(missing.span=> const { ::core::panic!(#message) })
}
