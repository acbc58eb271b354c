//! Sparse Jacobians and Hessians: patterns, and what generated code computes the values by. `docs/sparse.md` is the user's view.

// Note [Patterns]. A pattern is found by the code that computes tangents in several directions: its tangents are sets of
// columns in the place of numbers, see `sets.rs`. A sum is a union and a factor changes nothing, so that no number that
// happens to be 0 at one point is taken for a structural zero.
//
// Note [Groups]. Two columns that no row has both of are told apart in the sum of them: each row of the sum belongs to one
// of the two. So the columns are put in groups of which no two meet in a row, and one tangent is computed for each
// group. Where a few rows have many columns, the same is done with rows and cotangents.

mod find;
mod groups;
mod pattern;
mod products;
mod rows;
mod sets;
mod values;

pub use find::{ByRanges, ByShortSets};
pub use pattern::{Sparsity, of_rows};
pub use products::gauss_newton;
pub use rows::ValuesByIterations;
pub use values::{CHECKED, Check, ValuesByColumns, ValuesByRows};

/// What is done along the directions of a sweep: it sets the tangent of each number of the parameters and reads that of each
/// number of the results, both by their places.
pub trait Along<L> {
    fn set(&mut self, place: usize, tangent: &mut L);
    fn read(&mut self, place: usize, tangent: &L);
}

/// Says why a function has no sparse derivatives. No type implements it: it is the bound of what stands in the place of
/// them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no pattern of its derivatives, and so no sparse ones",
    label = "it has dense derivatives only, `jacobian` and `hessian`",
    note = "products of large matrices and other kernels on whole arrays have no pattern, nor have functions of one number, lengths that a number decides, and numbers without a fixed place in a parameter: write sums as loops, and give numbers as arrays or slices"
)]
pub trait HasPattern<'of> {}
