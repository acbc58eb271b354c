//! Other crates' traits and types, each behind the feature of its name.

#[cfg(feature = "alloc")]
mod alloc;
#[cfg(any(feature = "nalgebra", feature = "nalgebra-0-34"))]
mod left;
#[cfg(any(feature = "nalgebra", feature = "nalgebra-0-34"))]
pub mod nalgebra;
#[cfg(any(feature = "nalgebra", feature = "nalgebra-0-34"))]
mod rotation;
#[cfg(all(feature = "alloc", any(feature = "nalgebra", feature = "nalgebra-0-34")))]
pub mod run_time;
#[cfg(feature = "serde")]
mod serde;
#[cfg(any(feature = "faer", feature = "nalgebra-sparse"))]
mod sparse;

#[cfg(any(feature = "nalgebra", feature = "nalgebra-0-34"))]
pub use self::left::RetractLeft;
#[cfg(feature = "serde")]
pub use self::serde::Nested;

/// Without feature `serde` nothing is asked of a shape.
#[cfg(not(feature = "serde"))]
pub trait Nested {}
#[cfg(not(feature = "serde"))]
impl<A> Nested for A {}
