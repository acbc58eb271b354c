//! The evals: what they are asked, and the functions that they differentiate.

use crate::protocol::{Error, Evaluation};

pub mod ba;
pub mod det;
pub mod gmm;
pub mod hello;
pub mod ht;
pub mod kmeans;
pub mod llsq;
pub mod lse;
pub mod lstm;
pub mod ode;
pub mod particle;
pub mod saddle;

macro_rules! evals {
    ($($name:ident)*) => {
        /// The names of all evals.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// Evaluates `function` of `module` at `input`, which is JSON.
        ///
        /// # Errors
        ///
        /// If there is no such function, or if the input is not what it takes.
        pub fn evaluate(module: &str, function: &str, input: &str) -> Result<Evaluation, Error> {
            match module {
                $(stringify!($name) => $name::evaluate(function, input),)*
                unknown => Error::unknown(unknown),
            }
        }
    };
}

evals!(ba det gmm hello ht kmeans llsq lse lstm ode particle saddle);
