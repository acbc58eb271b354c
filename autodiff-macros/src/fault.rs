//! Faults that once were there. Tests bring them back, one at a time, to show that they would be found.
//!
//! `tests/random_programs/faults.sh` brings them back in the macro that rustc runs: built with `--cfg autodiff_faults`, it
//! has the fault that the variable `AUTODIFF_FAULT` names.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The reverse of a loop takes what a callee changes for a sum, and runs forwards.
    ChangesAreSums,
    /// `#[cfg]` inside a function says nothing.
    ConditionsHold,
    /// Functions without a derivative depend on nothing but their arguments, and have no effect.
    CallsArePure,
    /// A method changes nothing in a loop or a branch.
    MethodsChangeNothing,
    /// What the condition of a `while` changes is lost.
    ConditionsChangeNothing,
    /// A choice of mutable borrows is the first of them.
    FirstBorrow,
    /// The fields of a struct literal are evaluated in the order of the declaration.
    FieldsAsDeclared,
    /// Locals are compared as texts, whether a macro has made them or not.
    NamesAreTexts,
}

#[cfg(not(any(test, autodiff_faults)))]
pub const fn is(_: Fault) -> bool {
    false
}

#[cfg(all(autodiff_faults, not(test)))]
pub fn is(fault: Fault) -> bool {
    std::env::var("AUTODIFF_FAULT").is_ok_and(|name| name == format!("{fault:?}"))
}

#[cfg(test)]
thread_local! {
    static PRESENT: std::cell::Cell<Option<Fault>> = const { std::cell::Cell::new(None) };
}

/// Whether a fault is there.
#[cfg(test)]
pub fn is(fault: Fault) -> bool {
    PRESENT.get() == Some(fault)
}

/// Runs with a fault. A panic has to be caught inside.
#[cfg(test)]
pub fn with<T>(fault: Fault, run: impl FnOnce() -> T) -> T {
    PRESENT.set(Some(fault));
    let result = run();
    PRESENT.set(None);
    result
}
