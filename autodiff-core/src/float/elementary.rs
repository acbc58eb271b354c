//! Elementary functions in plain arithmetic, for which LLVM uses vectors wherever they stand in a loop.
//!
//! There are no branches and no conversions to integers that SSE2 does not have. A multiplication and an
//! addition are rounded separately, so that every target gives the same bits. The functions are `#[inline(always)]`, because
//! a loop around a call is not vectorised. The errors are at most 2 units in the last place, for subnormal numbers, too.
//!
//! Polynomials are minimax approximations, found by the algorithm of Remez. Their coefficients were rounded one after the
//! other, and those that follow fitted anew.
//!
//! What is not here stays that of `std`:
//!
//! - `exp` and the logarithms of `f64`. Programs with numbers of `f64` are mostly scalar. There the calls are faster: LLVM knows
//!   them, moves them out of loops, and unrolls the loops around them.
//! - `sin` and `cos`. A large argument takes another reduction, and a loop with such a branch is not vectorised.
//! - `powf`. Of `f64` it takes a logarithm of twice the precision, which costs more than vectors gain.

pub(super) mod error_function;
pub(super) mod exponential;
#[cfg(feature = "std")]
pub(super) mod logarithm;
#[cfg(feature = "std")]
mod powers;

#[cfg(all(test, feature = "std"))]
mod tests;
