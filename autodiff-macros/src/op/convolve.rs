//! Tails of Taylor series of products of arrays: see Note [Taylor rules] in `ir/operator.rs`.

use super::elementwise::series::product;
use super::nest::generate;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Ty, Var};

/// Where the two factors of a term are: at the indices of an element of the result and those of a term of its sum.
pub type Places<'p> = dyn FnMut(&mut Builder, &[Var], &[Var]) -> [Vec<Var>; 2] + 'p;

/// The tail of y[i…] = Σ a[…]·b[…] with a sum over `terms`, from the tails of the two arrays.
pub fn convolve(
    b: &mut Builder,
    arrays: &[Var],
    y: Var,
    tails: &[Option<Var>],
    terms: &[Dim],
    places: &mut Places,
) -> Option<Var> {
    tails.iter().any(Option::is_some).then(|| {
        let ty = b.ty(y).clone();
        generate(b, ty.clone(), &mut |b, at| {
            let zero = b.zero(Ty::scalar(ty.elem.clone()));
            b.nest(terms, &[zero], &mut |b, term, sum| {
                let places = places(b, at, term);
                let numbers = [0, 1].map(|k| b.get(arrays[k], &places[k]));
                let tails = [0, 1].map(|k| tails[k].map(|tail| b.get(tail, &places[k])));
                let tail = product(b, numbers, tails);
                vec![tail.map_or(sum[0], |tail| b.add(sum[0], tail))]
            })[0]
        })
    })
}
