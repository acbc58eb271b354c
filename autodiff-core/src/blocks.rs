//! Blocks of a slice in which nothing is as large as a number, or as small.

use crate::Real;

/// How many elements are compared at once.
const BLOCK: usize = 32;

/// In fewer, no block is skipped.
const SHORTEST: usize = 128;

/// Where the block ends that begins at `first`, and whether it is to be looked at in any case, of a loop from `lo` to `hi`.
#[inline]
#[must_use]
pub fn block(first: usize, lo: usize, hi: usize) -> (usize, bool) {
    if hi - lo < SHORTEST { (hi, true) } else { (hi.min(first + BLOCK), false) }
}

/// Whether all elements are less than a number. NaN is not.
#[inline]
#[must_use]
pub fn are_less<T: Real>(elements: &[T], number: T) -> bool {
    elements.iter().fold(true, |all, element| all & (*element < number))
}

/// Whether all elements are greater than a number. NaN is not.
#[inline]
#[must_use]
pub fn are_greater<T: Real>(elements: &[T], number: T) -> bool {
    elements.iter().fold(true, |all, element| all & (*element > number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_a_range() {
        for (lo, hi) in [(0, 0), (3, 5), (0, 127), (0, 128), (7, 300)] {
            let (mut first, mut seen) = (lo, 0);
            while first < hi {
                let (end, is_short) = block(first, lo, hi);
                assert!(first < end && end <= hi && is_short == (hi - lo < SHORTEST));
                seen += end - first;
                first = end;
            }
            assert_eq!(seen, hi - lo);
        }
    }

    #[test]
    fn elements_are_compared() {
        assert!(are_less(&[1.0, -2.0, 0.0], 1.5) && are_greater::<f32>(&[1.0, 2.0], 0.5));
        assert!(!are_less(&[1.0, 1.5], 1.5) && !are_greater(&[2.0, 1.5], 1.5));
        assert!(!are_less(&[1.0, f64::NAN], 1.5) && !are_less(&[1.0], f64::NAN));
        assert!(!are_greater(&[2.0, f64::NAN], 1.5) && !are_greater(&[1.0], f64::NAN));
        assert!(are_less::<f64>(&[], 0.0));
    }
}
