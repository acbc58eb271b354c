//! Where generated code puts arrays, and how much of them it may hand over by value.

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};

/// How many bytes of an array are on the stack. (A thread of the standard library has a stack of 2 MiB.)
#[cfg(feature = "alloc")]
const LARGEST_ON_STACK: usize = 1 << 18;

/// How many bytes a function returns: on the way they are on the stack several times.
const LARGEST_RETURNED: usize = 1 << 21;

/// How many bytes a forward sweep hands to the reverse sweep. They are in the frame of the caller.
const LARGEST_SAVED: usize = 1 << 22;

/// Whether a local array belongs on the heap.
#[cfg(feature = "alloc")]
#[must_use]
pub const fn is_large<A>() -> bool {
    size_of::<A>() > LARGEST_ON_STACK
}

/// How many bytes of a local array are on the stack.
#[must_use]
pub const fn on_stack<A>() -> usize {
    #[cfg(feature = "alloc")]
    if is_large::<A>() {
        return 0;
    }
    size_of::<A>()
}

/// The largest of some numbers.
#[must_use]
pub const fn largest(numbers: &[usize]) -> usize {
    let (mut largest, mut k) = (0, 0);
    while k < numbers.len() {
        if numbers[k] > largest {
            largest = numbers[k];
        }
        k += 1;
    }
    largest
}

/// An array on the heap that was never on the stack.
///
/// # Panics
///
/// If the number of values is not that of the array.
#[cfg(feature = "alloc")]
#[must_use]
pub fn boxed<A, const N: usize>(values: Vec<A>) -> Box<[A; N]> {
    const {
        assert!(
            size_of::<A>() <= LARGEST_ON_STACK,
            "a row of this array has more than 256 KiB, which is too much for the stack: let its longest axis be the first"
        );
    }
    match values.into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("as many values as the array has"),
    }
}

/// Called by what returns a gradient. A gradient that nobody asks for has any size, and so has a generic one until its
/// sizes are known.
#[inline(always)]
pub const fn returned<G>() {
    const {
        assert!(
            size_of::<G>() <= LARGEST_RETURNED,
            "this gradient has more than 2 MiB, which is too much to be returned on the stack: call `value_and_grad_into` \
             or `grad_into`, which write it to a place on the heap or in a `static`, or let the parameter be a slice"
        );
    }
}

/// Called by a forward sweep whose residuals have arrays of constant size. Its caller has a place for them in its own frame.
#[inline(always)]
pub const fn saved<R>() {
    const {
        assert!(
            size_of::<R>() <= LARGEST_SAVED,
            "what the reverse sweep reads of this function has more than 4 MiB in arrays of constant size, which is too \
             much to be handed over on the stack: call `grad_into` or `value_and_grad_into`, where it stays on the heap, \
             write `#[checkpoint(K)]` before a long loop, or let large arrays be slices and `Vec`s"
        );
    }
}
