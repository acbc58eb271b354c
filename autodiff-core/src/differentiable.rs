//! Trees of numbers: parameters, gradients, the state of an optimiser.

use crate::{Dims, Path, Real, Shape, Tensor};

/// A value with derivatives: a number, an array, a tensor, or a struct that derives this trait.
///
/// Seen from here a value is a tree. Its *leaves* are numbers, arrays of numbers and tensors, each a slice
/// in row-major order with a name and a shape; a struct, a tuple or an array of structs is an inner node.
/// An infinitesimal change of the value, and so its gradient, is of type [`Tangent`](Self::Tangent): the same tree without what is
/// inactive.
///
/// ```
/// use autodiff_core::{Differentiable, Path, Tensor2};
///
/// let value = (Tensor2::from([[1.0, 2.0]]), [3.0, 4.0]);
/// let mut leaves = Vec::new();
/// value.visit_leaves(&Path::ROOT, &mut |at, dims, data| leaves.push(format!("{at}: {dims:?} {data:?}")));
/// assert_eq!(leaves, ["0: [1, 2] [1.0, 2.0]", "1: [2] [3.0, 4.0]"]);
///
/// let mut moved = value;
/// moved.add_scaled(0.5, &value);
/// assert_eq!(moved.1, [4.5, 6.0]);
/// ```
///
/// # Implementing it by hand
///
/// The derive is there for this. A node hands each call on to its children; [`visit_leaves`](Self::visit_leaves) names them:
///
/// ```
/// use autodiff_core::{Differentiable, Path};
///
/// struct Line { slope: f64, points: usize }
/// struct LineTangent { slope: f64, points: () } // an inactive field has no tangent
///
/// macro_rules! line {
///     ($line:ty, $points:expr) => {
///         impl Differentiable for $line {
///             type Scalar = f64;
///             type Tangent = LineTangent;
///             fn zero_tangent(&self) -> LineTangent {
///                 LineTangent { slope: self.slope.zero_tangent(), points: () }
///             }
///             fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[f64])) {
///                 self.slope.visit_leaves(&at.field("slope"), f);
///             }
///             fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [f64])) {
///                 self.slope.visit_leaves_mut(&at.field("slope"), f);
///             }
///             fn zip_leaves(&self, tangent: &LineTangent, f: &mut impl FnMut(&[f64], &[f64])) {
///                 self.slope.zip_leaves(&tangent.slope, f);
///             }
///             fn update_leaves<const K: usize>(
///                 &mut self,
///                 tangent: &LineTangent,
///                 state: [&mut LineTangent; K],
///                 f: &mut impl FnMut(&mut [f64], &[f64], [&mut [f64]; K]),
///             ) {
///                 self.slope.update_leaves(&tangent.slope, state.map(|s| &mut s.slope), f);
///             }
///         }
///     };
/// }
/// line!(Line, usize);
/// line!(LineTangent, ());
///
/// let mut line = Line { slope: 1.0, points: 7 };
/// line.add_scaled(0.1, &LineTangent { slope: 10.0, points: () });
/// assert_eq!((line.slope, line.points), (2.0, 7));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to be differentiable",
    label = "this type has no derivatives",
    note = "write `#[derive(Differentiable)]` on `{Self}`, or `#[no_diff]` before the field or the parameter"
)]
pub trait Differentiable: Sized {
    /// The one type of number in all leaves. Of a type with fields of `f32` and of `f64` it is `f64`.
    type Scalar: Real;
    /// A change of this value: its tangent, its cotangent, its gradient.
    type Tangent: Differentiable<Scalar = Self::Scalar, Tangent = Self::Tangent>;

    /// No change.
    fn zero_tangent(&self) -> Self::Tangent;

    /// Calls `f` with path, dimensions and data of every leaf in declaration order. `at` is where `self` is.
    fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[Self::Scalar]));

    /// [`visit_leaves`](Self::visit_leaves), to write to them.
    fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [Self::Scalar]));

    /// Calls `f` with every leaf and that of a tangent.
    fn zip_leaves(&self, tangent: &Self::Tangent, f: &mut impl FnMut(&[Self::Scalar], &[Self::Scalar]));

    /// Calls `f` with every leaf, to be written to, that of a gradient, and those of `K` states of an optimiser.
    fn update_leaves<const K: usize>(
        &mut self,
        tangent: &Self::Tangent,
        state: [&mut Self::Tangent; K],
        f: &mut impl FnMut(&mut [Self::Scalar], &[Self::Scalar], [&mut [Self::Scalar]; K]),
    );

    /// [`zip_leaves`](Self::zip_leaves), to write to the leaves of `self`.
    #[inline]
    fn zip_leaves_mut(&mut self, tangent: &Self::Tangent, f: &mut impl FnMut(&mut [Self::Scalar], &[Self::Scalar])) {
        self.update_leaves(tangent, [], &mut |x, t, []| f(x, t));
    }

    /// Calls `f` with every leaf, to be written to.
    #[inline]
    fn map_leaves(&mut self, f: &mut impl FnMut(&mut [Self::Scalar])) {
        self.visit_leaves_mut(&Path::ROOT, &mut |_, _, data| f(data));
    }

    /// Sets every number to 0, in place.
    #[inline]
    fn set_zero(&mut self) {
        self.map_leaves(&mut |data| data.fill(Self::Scalar::ZERO));
    }

    /// How many numbers there are.
    #[inline]
    fn flat_len(&self) -> usize {
        let mut len = 0;
        self.visit_leaves(&Path::ROOT, &mut |_, _, data| len += data.len());
        len
    }

    /// Writes all numbers into `flat`, leaf after leaf.
    ///
    /// ```
    /// use autodiff_core::Differentiable;
    /// let mut flat = [0.0; 3];
    /// (1.0, [2.0, 3.0]).copy_to_flat(&mut flat);
    /// assert_eq!(flat, [1.0, 2.0, 3.0]);
    /// ```
    ///
    /// # Panics
    ///
    /// When `flat` has not [`flat_len`](Self::flat_len) elements.
    #[inline]
    #[track_caller]
    fn copy_to_flat(&self, flat: &mut [Self::Scalar]) {
        assert_same_len(self.flat_len(), flat.len());
        let mut flat = flat.iter_mut();
        self.visit_leaves(&Path::ROOT, &mut |_, _, data| {
            // The leaf comes first in the zip, which then takes exactly its length from `flat`.
            for (from, to) in data.iter().zip(&mut flat) {
                *to = *from;
            }
        });
    }

    /// Reads all numbers from `flat`, leaf after leaf.
    ///
    /// # Panics
    ///
    /// When `flat` has not [`flat_len`](Self::flat_len) elements.
    #[inline]
    #[track_caller]
    fn copy_from_flat(&mut self, flat: &[Self::Scalar]) {
        assert_same_len(self.flat_len(), flat.len());
        let mut flat = flat.iter();
        self.map_leaves(&mut |data| {
            for (to, from) in data.iter_mut().zip(&mut flat) {
                *to = *from;
            }
        });
    }

    /// Adds `a` times a tangent: `self += a·tangent`.
    #[inline]
    fn add_scaled(&mut self, a: Self::Scalar, tangent: &Self::Tangent) {
        self.zip_leaves_mut(tangent, &mut |x, t| {
            for (x, t) in x.iter_mut().zip(t) {
                *x += a * *t;
            }
        });
    }

    /// The sum of all products of a number with its tangent's: for two tangents, their inner product.
    ///
    /// ```
    /// use autodiff_core::Differentiable;
    /// assert_eq!([1.0, 2.0, 3.0].inner_product(&[4.0, 5.0, 6.0]), 32.0);
    /// ```
    #[inline]
    fn inner_product(&self, tangent: &Self::Tangent) -> Self::Scalar {
        let mut sum = Self::Scalar::ZERO;
        self.zip_leaves(tangent, &mut |x, t| {
            for (x, t) in x.iter().zip(t) {
                sum += *x * *t;
            }
        });
        sum
    }

    /// `self` after a step along a tangent, where a rotation turns by it: see [`add_scaled`](Self::add_scaled).
    ///
    /// ```
    /// use autodiff_core::Differentiable;
    /// assert_eq!([1.0, 2.0].retract(&[0.5, -1.0]), [1.5, 1.0]);
    /// ```
    #[inline]
    fn retract(&self, tangent: &Self::Tangent) -> Self
    where
        Self: Clone,
    {
        let mut next = self.clone();
        next.add_scaled(Self::Scalar::ONE, tangent);
        next
    }

    /// All numbers in flat order. Those of a rotation are the change that leads from `origin` to it.
    #[doc(hidden)]
    fn visit_from(&self, origin: &Self, f: &mut impl FnMut(&[Self::Scalar])) {
        let _ = origin;
        self.visit_leaves(&Path::ROOT, &mut |_, _, data| f(data));
    }

    // Note [Runs]
    //
    // `[f64; 3]` and `[[f64; 3]; 2]` are one leaf, `[Layer; 3]` is three nodes, and one `impl` has to serve them all.
    // It asks its element type: numbers and arrays of numbers can show consecutive values of theirs (a run) as
    // one slice, others keep the defaults below. All of it is known at compile time, so nothing is left of it.

    /// The dimensions of one value, where it is a leaf.
    #[doc(hidden)]
    const LEAF: Dims = Dims::SCALAR;

    /// All numbers of a run, if it is one slice: see Note [Runs].
    #[doc(hidden)]
    #[inline]
    fn flat_run(_run: &[Self]) -> Option<&[Self::Scalar]> {
        None
    }

    #[doc(hidden)]
    #[inline]
    fn flat_run_mut(_run: &mut [Self]) -> Option<&mut [Self::Scalar]> {
        None
    }

    #[doc(hidden)]
    #[inline]
    fn zip_run(run: &[Self], tangents: &[Self::Tangent], f: &mut impl FnMut(&[Self::Scalar], &[Self::Scalar])) {
        for (x, t) in run.iter().zip(tangents) {
            x.zip_leaves(t, f);
        }
    }

    #[doc(hidden)]
    #[inline]
    fn update_run<const K: usize>(
        run: &mut [Self],
        tangents: &[Self::Tangent],
        state: [&mut [Self::Tangent]; K],
        f: &mut impl FnMut(&mut [Self::Scalar], &[Self::Scalar], [&mut [Self::Scalar]; K]),
    ) {
        let mut state = state.map(<[_]>::iter_mut);
        for (x, t) in run.iter_mut().zip(tangents) {
            // Every state is as long as the run, so the iterators end together.
            let Some(state) = all(state.each_mut().map(Iterator::next)) else {
                return;
            };
            x.update_leaves(t, state, f);
        }
    }
}

/// All of them, if none is missing. The second look at each cannot fail, and the optimiser sees it.
#[inline]
fn all<T, const K: usize>(values: [Option<T>; K]) -> Option<[T; K]> {
    if values.iter().any(Option::is_none) {
        return None;
    }
    Some(values.map(|value| value.expect("not missing, as seen above")))
}

#[inline]
#[track_caller]
fn assert_same_len(expected: usize, found: usize) {
    assert!(expected == found, "the value has {expected} numbers, the slice has {found}");
}

macro_rules! scalar {
    ($($t:ty),*) => {$(
        impl Differentiable for $t {
            type Scalar = Self;
            type Tangent = Self;

            #[inline]
            fn zero_tangent(&self) -> Self {
                0.0
            }
            #[inline]
            fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[Self])) {
                f(at, &[], core::slice::from_ref(self));
            }
            #[inline]
            fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [Self])) {
                f(at, &[], core::slice::from_mut(self));
            }
            #[inline]
            fn zip_leaves(&self, tangent: &Self, f: &mut impl FnMut(&[Self], &[Self])) {
                f(core::slice::from_ref(self), core::slice::from_ref(tangent));
            }
            #[inline]
            fn update_leaves<const K: usize>(
                &mut self,
                tangent: &Self,
                state: [&mut Self; K],
                f: &mut impl FnMut(&mut [Self], &[Self], [&mut [Self]; K]),
            ) {
                f(core::slice::from_mut(self), core::slice::from_ref(tangent), state.map(core::slice::from_mut));
            }
            #[inline]
            fn flat_run(run: &[Self]) -> Option<&[Self]> {
                Some(run)
            }
            #[inline]
            fn flat_run_mut(run: &mut [Self]) -> Option<&mut [Self]> {
                Some(run)
            }
            #[inline]
            fn zip_run(run: &[Self], tangents: &[Self], f: &mut impl FnMut(&[Self], &[Self])) {
                f(run, tangents);
            }
            #[inline]
            fn update_run<const K: usize>(
                run: &mut [Self],
                tangents: &[Self],
                state: [&mut [Self]; K],
                f: &mut impl FnMut(&mut [Self], &[Self], [&mut [Self]; K]),
            ) {
                f(run, tangents, state);
            }
        }
    )*};
}
scalar!(f32, f64);

/// One leaf if the elements are numbers or arrays of numbers, else a node for each element.
impl<A: Differentiable, const N: usize> Differentiable for [A; N] {
    type Scalar = A::Scalar;
    type Tangent = [A::Tangent; N];

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        core::array::from_fn(|i| self[i].zero_tangent())
    }
    #[inline]
    fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[Self::Scalar])) {
        visit(self, const { &Self::LEAF }, at, f);
    }
    #[inline]
    fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [Self::Scalar])) {
        visit_mut(self, const { &Self::LEAF }, at, f);
    }
    fn visit_from(&self, origin: &Self, f: &mut impl FnMut(&[Self::Scalar])) {
        visit_from(self, origin, f);
    }
    #[inline]
    fn zip_leaves(&self, tangent: &Self::Tangent, f: &mut impl FnMut(&[Self::Scalar], &[Self::Scalar])) {
        A::zip_run(self, tangent, f);
    }
    #[inline]
    fn update_leaves<const K: usize>(
        &mut self,
        tangent: &Self::Tangent,
        state: [&mut Self::Tangent; K],
        f: &mut impl FnMut(&mut [Self::Scalar], &[Self::Scalar], [&mut [Self::Scalar]; K]),
    ) {
        A::update_run(self, tangent, state.map(<[_; N]>::as_mut_slice), f);
    }

    const LEAF: Dims = A::LEAF.within(N);

    #[inline]
    fn flat_run(run: &[Self]) -> Option<&[Self::Scalar]> {
        A::flat_run(run.as_flattened())
    }
    #[inline]
    fn flat_run_mut(run: &mut [Self]) -> Option<&mut [Self::Scalar]> {
        A::flat_run_mut(run.as_flattened_mut())
    }
    #[inline]
    fn zip_run(run: &[Self], tangents: &[Self::Tangent], f: &mut impl FnMut(&[Self::Scalar], &[Self::Scalar])) {
        A::zip_run(run.as_flattened(), tangents.as_flattened(), f);
    }
    #[inline]
    fn update_run<const K: usize>(
        run: &mut [Self],
        tangents: &[Self::Tangent],
        state: [&mut [Self::Tangent]; K],
        f: &mut impl FnMut(&mut [Self::Scalar], &[Self::Scalar], [&mut [Self::Scalar]; K]),
    ) {
        let state = state.map(<[[_; N]]>::as_flattened_mut);
        A::update_run(run.as_flattened_mut(), tangents.as_flattened(), state, f);
    }
}

/// The leaves of consecutive values, which are one leaf of dimensions `dims` if they can be.
#[inline]
pub(crate) fn visit<A: Differentiable>(
    run: &[A],
    dims: &Dims,
    at: &Path<'_>,
    f: &mut impl FnMut(&Path<'_>, &[usize], &[A::Scalar]),
) {
    if let Some(data) = A::flat_run(run) {
        f(at, dims.as_slice(), data);
    } else {
        for (i, x) in run.iter().enumerate() {
            x.visit_leaves(&at.index(i), f);
        }
    }
}

#[inline]
pub(crate) fn visit_mut<A: Differentiable>(
    run: &mut [A],
    dims: &Dims,
    at: &Path<'_>,
    f: &mut impl FnMut(&Path<'_>, &[usize], &mut [A::Scalar]),
) {
    if let Some(data) = A::flat_run_mut(run) {
        f(at, dims.as_slice(), data);
    } else {
        for (i, x) in run.iter_mut().enumerate() {
            x.visit_leaves_mut(&at.index(i), f);
        }
    }
}

/// The numbers of consecutive values, from others.
pub(crate) fn visit_from<A: Differentiable>(run: &[A], origin: &[A], f: &mut impl FnMut(&[A::Scalar])) {
    match A::flat_run(run) {
        Some(data) => f(data),
        None => run.iter().zip(origin).for_each(|(x, origin)| x.visit_from(origin, f)),
    }
}

/// One leaf.
impl<A: Shape> Differentiable for Tensor<A> {
    type Scalar = A::Elem;
    type Tangent = Self;

    #[inline]
    fn zero_tangent(&self) -> Self {
        Self::zeros()
    }
    #[inline]
    fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[A::Elem])) {
        f(at, Self::DIMS, self.as_slice());
    }
    #[inline]
    fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [A::Elem])) {
        f(at, Self::DIMS, self.as_mut_slice());
    }
    #[inline]
    fn zip_leaves(&self, tangent: &Self, f: &mut impl FnMut(&[A::Elem], &[A::Elem])) {
        f(self.as_slice(), tangent.as_slice());
    }
    #[inline]
    fn update_leaves<const K: usize>(
        &mut self,
        tangent: &Self,
        state: [&mut Self; K],
        f: &mut impl FnMut(&mut [A::Elem], &[A::Elem], [&mut [A::Elem]; K]),
    ) {
        f(self.as_mut_slice(), tangent.as_slice(), state.map(Tensor::as_mut_slice));
    }
}

/// A node for each element.
macro_rules! tuple {
    ($($name:ident $i:tt),*) => {
        impl<S: Real, $($name: Differentiable<Scalar = S>),*> Differentiable for ($($name,)*) {
            type Scalar = S;
            type Tangent = ($($name::Tangent,)*);

            #[inline]
            fn zero_tangent(&self) -> Self::Tangent {
                ($(self.$i.zero_tangent(),)*)
            }
            #[inline]
            fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[S])) {
                $(self.$i.visit_leaves(&at.index($i), f);)*
            }
            #[inline]
            fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [S])) {
                $(self.$i.visit_leaves_mut(&at.index($i), f);)*
            }
            fn visit_from(&self, origin: &Self, f: &mut impl FnMut(&[S])) {
                $(self.$i.visit_from(&origin.$i, f);)*
            }
            #[inline]
            fn zip_leaves(&self, tangent: &Self::Tangent, f: &mut impl FnMut(&[S], &[S])) {
                $(self.$i.zip_leaves(&tangent.$i, f);)*
            }
            #[inline]
            fn update_leaves<const K: usize>(
                &mut self,
                tangent: &Self::Tangent,
                mut state: [&mut Self::Tangent; K],
                f: &mut impl FnMut(&mut [S], &[S], [&mut [S]; K]),
            ) {
                $(self.$i.update_leaves(&tangent.$i, state.each_mut().map(|state| &mut state.$i), f);)*
            }
        }
    };
}
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, L 10);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, L 10, M 11);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, L 10, M 11, N 12);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, L 10, M 11, N 12, O 13);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, L 10, M 11, N 12, O 13, P 14);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, L 10, M 11, N 12, O 13, P 14, Q 15);

#[cfg(test)]
mod tests;
