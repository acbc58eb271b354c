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
//!
//! Note [Functions in lanes]. So a loop that evaluates elementary functions goes through its windows, too, and one that sees many of
//! them, since a compiler would test before the loop whether any two overlap. A sum whose order is not ours takes the terms of a
//! chunk one after the other, when all of them are computed.

use super::body::Emitter;
use super::types::zero;
use crate::analysis::windows::{Lanes, Window, lanes, windows};
use crate::ir::{Block, Elem, Eqn, IntOp, Op, Var};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// How many elements are taken at a time.
const LANES: usize = 8;

/// How many if they are `f64`, and no sum is taken in lanes: what is left over is fewer.
const LANES_OF_DOUBLES: usize = 4;

/// From how many windows on a loop goes through them in lanes.
const MANY: usize = 6;

/// How a loop goes through its windows.
pub(super) struct Through {
    windows: Vec<(Window, Ident)>,
    /// What defines the windows.
    before: TokenStream,
    /// The carried numbers that are added up, if the loop runs in lanes, and how many there are.
    lanes: Option<(Lanes, usize)>,
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
        let (region, krate) = (eqn.step(), self.krate.clone());
        let mut seen = windows(&self.body().vars, &self.counting, eqn);
        seen.retain(|window| self.is_alone(region, window));
        let may_reorder = |sum| self.plan.may_reorder(sum);
        let fitting = lanes(&self.body().vars, &self.counting, eqn, &seen, &may_reorder);
        if fitting.is_none() {
            seen.clear();
        }
        let lanes = fitting.and_then(|lanes| self.width(&lanes, &seen).map(|width| (lanes, width)));
        if lanes.is_none() {
            // What begins at the start and is as long as the loop has no tests in it, unless it is one of several parts.
            let arrays: Vec<Var> = seen.iter().filter(|window| window.changes).map(|window| window.names[0]).collect();
            let is_one_of_several = |of: &Window| arrays.iter().filter(|array| **array == of.names[0]).count() > 1;
            seen.retain(|window| window.at != region.params[0] || lo.to_string() != "0" || is_one_of_several(window));
        }
        let mut before = TokenStream::new();
        let (at, count) = match lanes.is_none() && (seen.is_empty() || lo.to_string() == "0") {
            true => (index.clone(), hi.clone()),
            false => {
                let (at, count) = (self.names.local("at"), self.names.local("count"));
                before.extend(quote!(let #count = usize::saturating_sub(#hi, #lo);));
                (at, quote!(#count))
            }
        };
        let mut named: Vec<(Window, Ident)> = Vec::new();
        let mut starts = Vec::new();
        for window in seen {
            let start = self.first_index(region, window.at, lo);
            let name = self.names.local(&format!("{}_from", self.hint(window.names[0])));
            for array in &window.names {
                self.windows.insert((*array, window.at), quote!(#name[#at]));
            }
            starts.push((start, if lanes.is_none() { name.clone() } else { whole(&name) }));
            named.push((window, name));
        }
        let parts = named.iter().zip(starts).collect::<Vec<_>>();
        for same in parts.chunk_by(|((a, _), _), ((b, _), _)| a.changes && b.changes && a.names == b.names) {
            let (window, _) = same[0].0;
            let (tokens, n) = (self.place(window.names[0]).tokens, Literal::usize_unsuffixed(same.len()));
            let (starts, names): (Vec<&TokenStream>, Vec<&Ident>) =
                same.iter().map(|(_, (start, name))| (start, name)).unzip();
            before.extend(match &names[..] {
                [name] => {
                    let (start, reference) = (starts[0], if window.changes { quote!(&mut) } else { quote!(&) });
                    quote! {
                        let #name = if #lo < #hi { #reference #tokens[#start..][..#count] } else { #reference #tokens[..0] };
                    }
                }
                _ => quote! {
                    let [#(#names),*] = if #lo < #hi {
                        #krate::__private::parts(&mut #tokens[..], [#(#starts),*], #count)
                    } else {
                        #krate::__private::parts(&mut #tokens[..], [0; #n], 0)
                    };
                },
            });
        }
        Through { windows: named, before, lanes, at, count }
    }

    /// How many elements a loop takes at a time, if that pays.
    fn width(&self, lanes: &Lanes, windows: &[Window]) -> Option<usize> {
        let elem = |window: &Window| &self.ty(window.names[0]).elem;
        let are_plain = windows.iter().all(|window| !matches!(elem(window), Elem::Wide(_)));
        let changes = windows.iter().any(|window| window.changes) && windows.len() >= MANY;
        let in_lanes = are_plain && (lanes.has_functions || changes && lanes.in_order.is_empty());
        if windows.is_empty()
            || lanes.parts.is_empty() && !in_lanes
            || !lanes.in_order.is_empty() && !lanes.has_functions
        {
            return None;
        }
        let doubles = windows.iter().all(|window| matches!(elem(window), Elem::F64 | Elem::Int(_) | Elem::Bool));
        Some(if doubles && lanes.parts.is_empty() { LANES_OF_DOUBLES } else { LANES })
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
        let Through { windows, before, lanes, at, count } = through;
        let (krate, region) = (self.krate.clone(), eqn.step());
        let own_index = |base: TokenStream| match region.uses(region.params[0]) {
            true => quote!(let #index = (#lo) + #base;),
            false => TokenStream::new(),
        };
        let Some((sums, width)) = lanes else {
            if at == *index {
                return quote!(#before #plain);
            }
            let (range, own) = (range(quote!(0), &count, eqn), own_index(quote!(#at)));
            return quote!(#before for #at in #range { #own #inner });
        };
        let (width, chunk) = (Literal::usize_unsuffixed(width), self.names.local("chunk"));
        // Where lanes change no sum, a processor without vectors does without them.
        let in_chunks = match sums.parts.is_empty() {
            true => quote!(#krate::__private::in_chunks(#count, #width)),
            false => quote!(#count / #width * #width),
        };
        let (in_chunk, after) = (own_index(quote!(#width * #chunk + #at)), own_index(quote!(#at)));
        let (mut lanes, mut taken, mut added) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
        let (mut put, mut terms, mut in_order) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
        for k in sums.parts {
            let (Some(sum), zero) = (&carried[k], zero(&self.ty(eqn.outs[k]).elem, &krate)) else { continue };
            let of_lanes = self.names.local("lanes");
            lanes.extend(quote!(let mut #of_lanes = [#zero; #width];));
            taken.extend(quote!(let mut #sum = #of_lanes[#at];));
            put.extend(quote!(#of_lanes[#at] = #sum;));
            added.extend(quote!(#sum += #krate::__private::sum_of_lanes(#of_lanes);));
        }
        for k in sums.in_order {
            // To this zero each number may be added, the other zero included.
            let (Some(sum), zero) = (&carried[k], zero(&self.ty(eqn.outs[k]).elem, &krate)) else { continue };
            let of_chunk = self.names.local("terms");
            terms.extend(quote!(let mut #of_chunk = [#zero; #width];));
            taken.extend(quote!(let mut #sum = -#zero;));
            put.extend(quote!(#of_chunk[#at] = #sum;));
            in_order.extend(quote!(for term in #of_chunk { #sum += term; }));
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
        let chunked = self.names.local("chunked");
        quote! {
            #before
            let #chunked = #in_chunks;
            if #chunked > 0 {
                #lanes
                for #chunk in 0..#chunked / #width {
                    #copied #terms
                    for #at in 0..#width { #in_chunk #taken #inner #put }
                    #back #in_order
                }
                #added
            }
            #rest
            for #at in #chunked..#count { #after #inner }
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

/// The indices of a loop, in the order in which it takes them.
pub(super) fn range(lo: TokenStream, hi: &TokenStream, eqn: &Eqn) -> TokenStream {
    match eqn.as_for() {
        Some((.., true, _)) => quote!(::core::iter::Iterator::rev(#lo..#hi)),
        _ => quote!(#lo..#hi),
    }
}

/// A window as a whole, while its name stands for a part of it.
fn whole(name: &Ident) -> Ident {
    format_ident!("{name}_whole", span = name.span())
}
