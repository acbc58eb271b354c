//! Windows, and loops that go through them several elements at a time: see `analysis/windows.rs`.
//!
//! Note [Sums in lanes]. A sum that each iteration adds to is a chain of additions, which no processor does faster than one
//! after the other. If the value of the function does not depend on it, its order is ours to choose. So a loop whose arrays
//! are all seen through windows takes [`LANES`] elements of each at a time, and adds to as many sums:
//!
//! ```text
//! for j in 0..n {                           for k in 0..n / 8 {
//!     y[j] += a * x[j];                         let x = *chunk(x, k);
//!     sum += x[j] * z[j];                       …
//! }                                             for lane in 0..8 { … sums[lane] += x[lane] * z[lane]; }
//!                                               *chunk_mut(y, k) = y;
//!                                           }
//!                                           for j in n / 8 * 8..n { … }
//!                                           sum += the sum of all lanes;
//! ```
//!
//! The elements are copied before and written back afterwards, so that nothing is seen of where the arrays are: that is
//! what a compiler needs to know to do the same to all lanes at once.

use super::body::Emitter;
use super::types::zero;
use crate::analysis::windows::{Window, adds_in_lanes, windows};
use crate::ir::{Block, Eqn, IntOp, Op, Var};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// How many elements are taken at a time.
const LANES: usize = 8;

/// How a loop goes through its windows.
pub(super) struct Through {
    windows: Vec<(Window, Ident)>,
    /// What defines the windows.
    before: TokenStream,
    /// The carried numbers that are added up in lanes.
    sums: Vec<usize>,
    /// Where an iteration is in the windows.
    at: Ident,
    count: TokenStream,
}

impl Emitter<'_> {
    /// Names the windows through which a loop sees arrays. Until [`Emitter::forget`] elements are found there.
    pub(super) fn look_through_windows(
        &mut self,
        eqn: &Eqn,
        (lo, hi): (&TokenStream, &TokenStream),
        index: &Ident,
    ) -> Through {
        let region = eqn.step();
        let mut seen = windows(self.body(), &self.ones, eqn);
        seen.retain(|window| self.is_alone(region, window));
        let may_reorder = |sum| self.plan.may_reorder(sum);
        let sums = match adds_in_lanes(self.body(), &self.ones, eqn, &seen, &may_reorder) {
            Some(sums) if !seen.is_empty() => sums,
            _ => {
                seen.clear();
                Vec::new()
            }
        };
        if sums.is_empty() {
            // What begins at the start and is as long as the loop has no tests in it.
            seen.retain(|window| window.at != region.params[0] || lo.to_string() != "0");
        }
        let mut before = TokenStream::new();
        let (at, count, relative) = match sums.is_empty() {
            true if lo.to_string() == "0" => (index.clone(), hi.clone(), quote!(#index)),
            true => (index.clone(), quote!((#hi) - (#lo)), quote!(#index - (#lo))),
            false => {
                let (at, count) = (self.names.local("at"), self.names.local("count"));
                before.extend(quote!(let #count = usize::saturating_sub(#hi, #lo);));
                (at.clone(), quote!(#count), quote!(#at))
            }
        };
        let mut named = Vec::new();
        for window in seen {
            let tokens = self.place(window.names[0]).tokens;
            let start = self.first_index(region, window.at, lo);
            let name = self.names.local(&format!("{}_from", self.hint(window.names[0])));
            let bound = if sums.is_empty() { name.clone() } else { whole(&name) };
            let reference = if window.changes { quote!(&mut) } else { quote!(&) };
            before.extend(quote! {
                let #bound = if #lo < #hi { #reference #tokens[#start..][..#count] } else { #reference #tokens[..0] };
            });
            for array in &window.names {
                self.windows.insert((*array, window.at), quote!(#name[#relative]));
            }
            named.push((window, name));
        }
        Through { windows: named, before, sums, at, count }
    }

    /// Whether a loop sees an array nowhere else than in a window.
    fn is_alone(&self, region: &Block, window: &Window) -> bool {
        let Some(place) = self.places.get(&window.names[0]) else { return false };
        let is_there = |var: &Var| self.places.get(var).is_some_and(|other| other.storage == place.storage);
        let reads = |var: Var| self.values.get(&var).is_some_and(|value| value.reads.contains(&place.storage));
        let mut elsewhere = false;
        if window.changes {
            region.for_each_use(&mut |var| {
                elsewhere |= !window.names.contains(&var) && (is_there(&var) || reads(var));
            });
        } else {
            elsewhere = region.params[1..].iter().any(is_there);
        }
        place.after.is_empty() && !elsewhere
    }

    pub(super) fn forget(&mut self, through: &Through) {
        for (window, _) in &through.windows {
            for array in &window.names {
                self.windows.remove(&(*array, window.at));
            }
        }
    }

    /// The loop: `plain` is what it is if it does not go through its windows in lanes, `inner` what an iteration does.
    pub(super) fn through_windows(
        &mut self,
        eqn: &Eqn,
        through: Through,
        (lo, index): (&TokenStream, &Ident),
        carried: &[Option<Ident>],
        (plain, inner): (TokenStream, &TokenStream),
    ) -> TokenStream {
        let Through { windows, before, sums, at, count } = through;
        if sums.is_empty() {
            return quote!(#before #plain);
        }
        let (krate, region, width) = (self.krate.clone(), eqn.step(), Literal::usize_unsuffixed(LANES));
        let chunk = self.names.local("chunk");
        let own_index = |base: TokenStream| match region.uses(region.params[0]) {
            true => quote!(let #index = (#lo) + #base;),
            false => TokenStream::new(),
        };
        let (in_chunk, after) = (own_index(quote!(#width * #chunk + #at)), own_index(quote!(#at)));
        let (mut lanes, mut taken, mut added) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
        let mut put = TokenStream::new();
        for k in sums {
            let (Some(sum), zero) = (&carried[k], zero(&self.ty(eqn.outs[k]).elem, &krate)) else { continue };
            let of_lanes = self.names.local("lanes");
            lanes.extend(quote!(let mut #of_lanes = [#zero; #width];));
            taken.extend(quote!(let mut #sum = #of_lanes[#at];));
            put.extend(quote!(#of_lanes[#at] = #sum;));
            added.extend(quote!(#sum += #krate::__private::sum_of_lanes(#of_lanes);));
        }
        let (mut copied, mut back, mut rest) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
        for (window, name) in &windows {
            let (whole, private) = (whole(name), quote!(#krate::__private));
            copied.extend(quote!(let mut #name = *#private::chunk::<_, #width>(&#whole[..], #chunk);));
            if window.changes {
                back.extend(quote!(*#private::chunk_mut::<_, #width>(&mut #whole[..], #chunk) = #name;));
            }
            rest.extend(quote!(let #name = #whole;));
        }
        quote! {
            #before
            if #count >= #width {
                #lanes
                for #chunk in 0..#count / #width {
                    #copied
                    for #at in 0..#width { #in_chunk #taken #inner #put }
                    #back
                }
                #added
            }
            #rest
            for #at in #count / #width * #width..#count { #after #inner }
        }
    }

    /// An index of a loop in its first iteration, before the loop.
    fn first_index(&mut self, region: &Block, at: Var, lo: &TokenStream) -> TokenStream {
        if at == region.params[0] {
            return quote!((#lo));
        }
        match region.eqns.iter().find(|eqn| eqn.outs == [at]) {
            Some(Eqn { op: Op::Int(op), args, .. }) => {
                let [a, b] = [args[0], args[1]].map(|arg| self.first_index(region, arg, lo));
                match op {
                    IntOp::Add => quote!((#a + #b)),
                    IntOp::Sub => quote!((#a - #b)),
                    _ => quote!((#a * #b)),
                }
            }
            Some(Eqn { op: Op::Dim(dim), .. }) => {
                let dim = self.size(dim);
                quote!((#dim))
            }
            _ => {
                let value = self.take(at).tokens;
                quote!((#value))
            }
        }
    }
}

/// A window as a whole, while its name stands for a part of it.
fn whole(name: &Ident) -> Ident {
    format_ident!("{name}_whole", span = name.span())
}
