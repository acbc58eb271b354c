//! `Vec` and `Box` of what is differentiable.

use crate::differentiable::{visit, visit_from, visit_mut};
use crate::{Differentiable, Path};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// One leaf if the elements are numbers or arrays of numbers, else a node for each element. A tangent has the
/// same length: another one panics.
impl<P: Differentiable> Differentiable for Vec<P> {
    type Scalar = P::Scalar;
    type Tangent = Vec<P::Tangent>;

    fn zero_tangent(&self) -> Self::Tangent {
        self.iter().map(P::zero_tangent).collect()
    }
    fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[Self::Scalar])) {
        visit(self, &P::LEAF.within(self.len()), at, f);
    }
    fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [Self::Scalar])) {
        let dims = P::LEAF.within(self.len());
        visit_mut(self, &dims, at, f);
    }
    fn visit_from(&self, origin: &Self, f: &mut impl FnMut(&[Self::Scalar])) {
        visit_from(self, origin, f);
    }
    #[track_caller]
    fn zip_leaves(&self, tangent: &Self::Tangent, f: &mut impl FnMut(&[Self::Scalar], &[Self::Scalar])) {
        assert_same_len(self.len(), tangent.len());
        P::zip_run(self, tangent, f);
    }
    #[track_caller]
    fn update_leaves<const K: usize>(
        &mut self,
        tangent: &Self::Tangent,
        state: [&mut Self::Tangent; K],
        f: &mut impl FnMut(&mut [Self::Scalar], &[Self::Scalar], [&mut [Self::Scalar]; K]),
    ) {
        assert_same_len(self.len(), tangent.len());
        for state in &state {
            assert_same_len(self.len(), state.len());
        }
        P::update_run(self, tangent, state.map(Vec::as_mut_slice), f);
    }
}

#[track_caller]
fn assert_same_len(expected: usize, found: usize) {
    assert!(expected == found, "a tangent has {found} elements, its value has {expected}");
}

/// What is in the box.
impl<P: Differentiable> Differentiable for Box<P> {
    type Scalar = P::Scalar;
    type Tangent = Box<P::Tangent>;

    fn zero_tangent(&self) -> Self::Tangent {
        Box::new((**self).zero_tangent())
    }
    fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[Self::Scalar])) {
        (**self).visit_leaves(at, f);
    }
    fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [Self::Scalar])) {
        (**self).visit_leaves_mut(at, f);
    }
    fn visit_from(&self, origin: &Self, f: &mut impl FnMut(&[Self::Scalar])) {
        (**self).visit_from(origin, f);
    }
    fn zip_leaves(&self, tangent: &Self::Tangent, f: &mut impl FnMut(&[Self::Scalar], &[Self::Scalar])) {
        (**self).zip_leaves(tangent, f);
    }
    fn update_leaves<const K: usize>(
        &mut self,
        tangent: &Self::Tangent,
        state: [&mut Self::Tangent; K],
        f: &mut impl FnMut(&mut [Self::Scalar], &[Self::Scalar], [&mut [Self::Scalar]; K]),
    ) {
        (**self).update_leaves(tangent, state.map(|state| &mut **state), f);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Differentiable, Path};
    use std::boxed::Box;
    use std::string::{String, ToString};
    use std::vec::Vec;
    use std::{format, vec};

    #[test]
    fn one_leaf_or_many() {
        let mut leaves: Vec<String> = Vec::new();
        let mut see = |at: &Path<'_>, dims: &[usize], data: &[f64]| {
            leaves.push(format!("{at}{dims:?}{data:?}"));
        };
        vec![[1.0, 2.0]; 2].visit_leaves(&Path::ROOT, &mut see);
        vec![(1.0, 2.0)].visit_leaves(&Path::ROOT, &mut see);
        Box::new([3.0]).visit_leaves(&Path::ROOT, &mut see);
        assert_eq!(
            leaves,
            ["[2, 2][1.0, 2.0, 1.0, 2.0]", "0.0[][1.0]", "0.1[][2.0]", "[1][3.0]"].map(ToString::to_string)
        );
    }

    #[test]
    fn updates() {
        let mut v = vec![(1.0, [2.0]), (3.0, [4.0])];
        v.add_scaled(2.0, &v.clone());
        assert_eq!(v, [(3.0, [6.0]), (9.0, [12.0])]);
    }

    #[test]
    #[should_panic(expected = "a tangent has 1 elements, its value has 2")]
    fn length_of_a_tangent() {
        vec![1.0, 2.0].add_scaled(1.0, &vec![1.0]);
    }
}
