//! Which derivatives a function has, and what goes in and comes out of each.
//!
//! [`derivatives`] is the table of them. A derivative is made of transformations ([`crate::pass::adjoint`],
//! [`crate::pass::tangent`]), which give a body with an [`interface`](crate::ir::interface): the role of each of its inputs and outputs.

pub mod derivatives;
