//! Arrays that generated code makes for itself, of sizes that are known at run time.

use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// An array that a function makes and does not return: up to `FEW` elements are on the stack, so that a small array takes no allocation.
/// They are written when it is known how many are needed, and those behind them never are.
pub struct Scratch<T, const FEW: usize> {
    zero: T,
    few: [MaybeUninit<T>; FEW],
    many: Vec<T>,
}

impl<T: Copy, const FEW: usize> Scratch<T, FEW> {
    /// Of elements that are all the same.
    #[inline(always)]
    #[must_use]
    pub fn new(zero: T) -> Self {
        Self { zero, few: [const { MaybeUninit::uninit() }; FEW], many: Vec::new() }
    }

    /// So many of them. It is called once.
    #[inline(always)]
    pub fn zeros(&mut self, count: usize) -> &mut [T] {
        let Some(few) = self.few.get_mut(..count) else {
            self.many = alloc::vec![self.zero; count];
            return &mut self.many;
        };
        few.fill(MaybeUninit::new(self.zero));
        // SAFETY: each element of `few` has just been written.
        unsafe { few.assume_init_mut() }
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
