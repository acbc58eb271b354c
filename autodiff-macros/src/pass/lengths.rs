//! Sizes that have a name get it.
//!
//! On stable Rust the length of an array may not be computed from a generic parameter: where `A + B` is known to be
//! `C`, because rustc checks that it is, the arrays are `[T; C]` and the loops run to `C`.

use crate::ir::dim::Dim;
use crate::ir::var::HashMap;
use crate::ir::{Block, Body, Op};

/// Names of computed sizes.
#[derive(Default)]
pub struct Lengths(HashMap<Dim, Dim>);

impl Lengths {
    /// From pairs of sizes that are equal.
    pub fn new<'d>(equal: impl Iterator<Item = (&'d Dim, &'d Dim)>) -> Lengths {
        let mut names = HashMap::default();
        for (left, right) in equal {
            for (computed, name) in [(left, right), (right, left)] {
                if !computed.is_simple() && name.is_simple() {
                    names.entry(computed.clone()).or_insert_with(|| name.clone());
                }
            }
        }
        Lengths(names)
    }

    pub fn name(&self, dim: &Dim) -> Option<&Dim> {
        self.0.get(dim)
    }

    fn rename(&self, dim: &mut Dim) {
        if let Some(name) = self.name(dim) {
            *dim = name.clone();
        }
    }

    fn bounds(&self, block: &mut Block) {
        for eqn in &mut block.eqns {
            if let Op::For { lo, hi, .. } = &mut eqn.op {
                self.rename(lo);
                self.rename(hi);
            }
            eqn.regions.iter_mut().for_each(|region| self.bounds(region));
        }
    }
}

/// Renames in a body whose operators are loop nests: nothing depends on how a size is written any more.
pub fn run(mut body: Body, lengths: &Lengths) -> Body {
    if !lengths.0.is_empty() {
        for var in &mut body.vars {
            var.ty.dims.iter_mut().for_each(|dim| lengths.rename(dim));
        }
        lengths.bounds(&mut body.block);
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computed_size_gets_the_name_of_its_equal() {
        let (a, b, c) = (Dim::atom("A"), Dim::atom("B"), Dim::atom("C"));
        let sum = a.plus(&b);
        let lengths = Lengths::new([(&sum, &c), (&a, &b)].into_iter());
        assert_eq!(lengths.name(&sum), Some(&c));
        assert_eq!(lengths.name(&a), None);
        let text = "fn f() {
            %z: f64[A + B] = zero
            %one: f64 = const 1
            %y: f64[A + B] = for 0..A + B %z |%i: usize, %t: f64[A + B]| {
                %u: f64[A + B] = set %t %one %i
                yield %u
            }
            return %y
        }";
        let body = run(crate::ir::text::parse(text).expect(text), &lengths);
        let printed = crate::ir::text::print(&body);
        assert!(!printed.contains("A + B") && printed.contains("0..C"), "{printed}");
    }
}
