//! Attention, rotary embedding, gated units, recurrent cells.

use super::{Function, Method};

pub static METHODS: &[Method] = &[];

pub static FUNCTIONS: &[Function] = &[];
