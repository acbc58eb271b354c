//! What is emitted around the derivatives, at each stage of the relay.

mod assemble;
mod fallback;
mod grown;
mod higher_order;
mod relay_macro;

pub use assemble::{assemble, delegate};
pub use fallback::{fallback, method, without_derivative};
pub use grown::grown;
pub use higher_order::{higher_order, module_checks};
#[cfg(test)]
pub use relay_macro::info_of;
pub use relay_macro::{relay_of, relay_waits, tells_large_body};
