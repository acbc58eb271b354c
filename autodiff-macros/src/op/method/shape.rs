//! Views: reshape, permute, slice, pad, flip, repeat, concat, stack and their like.

use super::{Function, Method};

pub static METHODS: &[Method] = &[];

pub static FUNCTIONS: &[Function] = &[];
