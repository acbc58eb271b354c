//! Reductions: products, extrema, norms, moments, logsumexp, cumulative sums.

use super::{Function, Method};

pub static METHODS: &[Method] = &[];

pub static FUNCTIONS: &[Function] = &[];
