//! Selections by a comparison: select, masked_fill, prelu.

use super::{Function, Method};

pub static METHODS: &[Method] = &[];

pub static FUNCTIONS: &[Function] = &[];
