//! Normalisation: layer, RMS, batch, group and instance norm, l2.

use super::{Function, Method};

pub static METHODS: &[Method] = &[];

pub static FUNCTIONS: &[Function] = &[];
