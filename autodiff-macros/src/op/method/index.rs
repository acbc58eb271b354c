//! Elements by indices: index_select, gather, embedding, scatter_add, set_slice, add_slice.

use super::{Function, Method};

pub static METHODS: &[Method] = &[];

pub static FUNCTIONS: &[Function] = &[];
