//! Convolution, transposed convolution, im2col.

use super::{Function, Method};

pub static METHODS: &[Method] = &[];

pub static FUNCTIONS: &[Function] = &[];
