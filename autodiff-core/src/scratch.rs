//! Arrays that generated code makes for itself, of sizes that are known at run time.

use alloc::vec::Vec;

/// An array that a function makes and does not return: up to `FEW` elements are on the stack, so that a small array takes no allocation.
pub struct Scratch<T, const FEW: usize> {
    zero: T,
    few: [T; FEW],
    many: Vec<T>,
}

impl<T: Copy, const FEW: usize> Scratch<T, FEW> {
    /// Of elements that are all the same.
    #[inline(always)]
    #[must_use]
    pub fn new(zero: T) -> Self {
        Self { zero, few: [zero; FEW], many: Vec::new() }
    }

    /// So many of them. It is called once.
    #[inline(always)]
    pub fn zeros(&mut self, count: usize) -> &mut [T] {
        if count <= FEW {
            return &mut self.few[..count];
        }
        self.many = alloc::vec![self.zero; count];
        &mut self.many
    }
}

/// Makes `values` so many zeros, in the memory that it has.
#[inline]
pub fn zeros_in<T: Clone>(values: &mut Vec<T>, zero: T, count: usize) -> &mut [T] {
    if values.capacity() < count {
        *values = alloc::vec![zero; count];
    } else {
        values.clear();
        values.resize(count, zero);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::{Scratch, zeros_in};

    #[test]
    fn zeros_on_the_stack_and_on_the_heap() {
        for count in [0, 1, 8, 9, 1000] {
            assert_eq!(Scratch::<_, 8>::new(0.0_f64).zeros(count), &alloc::vec![0.0; count]);
        }
    }

    #[test]
    fn memory_is_used_again() {
        let mut values = alloc::vec![1.0_f64; 10];
        let before = values.as_ptr();
        assert_eq!(zeros_in(&mut values, 0.0, 7), &[0.0; 7]);
        assert_eq!(values.as_ptr(), before);
        assert_eq!(zeros_in(&mut values, 0.0, 1000), &[0.0; 1000]);
    }
}
