//! How often equations are looked at, renamed, made and emitted: the work of the compiler, in a number that is the same on
//! every run.

use std::cell::Cell;

thread_local! {
    static VISITS: Cell<u64> = const { Cell::new(0) };
}

pub fn visited() {
    VISITS.set(VISITS.get() + 1);
}

/// The visits of this thread so far.
pub fn visits() -> u64 {
    VISITS.get()
}
