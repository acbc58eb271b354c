//! Optimisers, for anything [`Differentiable`](crate::Differentiable), without a heap.
//!
//! A step takes parameters and their gradient and changes the parameters in place. What an optimiser
//! remembers has the type of a tangent and lives inside it, so that it can be a `static` as well as a local.
//! Formulas and defaults are those of `PyTorch`.
//!
//! ```
//! use autodiff_core::optim::{Adam, Sgd};
//!
//! // Minimise (x - 3)², whose gradient is 2(x - 3).
//! let (mut x, mut y) = (0.0_f64, 0.0_f64);
//! let sgd = Sgd::new(0.1);
//! let mut adam = Adam::new(&y, 0.1);
//! for _ in 0..500 {
//!     let (dx, dy) = (2.0 * (x - 3.0), 2.0 * (y - 3.0));
//!     sgd.step(&mut x, &dx);
//!     adam.step(&mut y, &dy);
//! }
//! assert!((x - 3.0).abs() < 1e-6 && (y - 3.0).abs() < 1e-6);
//! ```

mod adam;
mod sgd;

pub use adam::{Adam, AdamW};
pub use sgd::{Momentum, Sgd};
