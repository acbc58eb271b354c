//! Batched products, outer, trace, einsum.

use super::{Function, Method};

pub static METHODS: &[Method] = &[];

pub static FUNCTIONS: &[Function] = &[];
