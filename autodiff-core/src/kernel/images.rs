//! Kernels for images: windows as columns of a matrix, and pooling. Each is there twice, adding to its result and setting it.

use super::pool;
use super::windows::{self as columns, Windows};
use crate::Real;

macro_rules! kernels {
    ($assigns:literal, $adds:literal) => {
        #[doc = concat!("`y ", $assigns, "` the windows of an image as columns: the sizes, strides and dilations of the windows come first.")]
        #[doc(hidden)]
        #[cfg_attr(feature = "std", inline(always))]
        #[cfg_attr(not(feature = "std"), inline)]
        pub fn windows<T: Real, const C: usize, const H: usize, const W: usize, const P: usize, const Q: usize>(
            windows: Windows,
            x: &[[[T; W]; H]; C],
            y: &mut [[T; Q]; P],
        ) {
            columns::gather::<$adds, T, C, H, W, P, Q>(windows, x, y);
        }

        #[doc = concat!("`x ", $assigns, "` windows, each element where [`windows`] takes it from, added up.")]
        #[doc(hidden)]
        #[cfg_attr(feature = "std", inline(always))]
        #[cfg_attr(not(feature = "std"), inline)]
        pub fn windows_t<T: Real, const C: usize, const H: usize, const W: usize, const P: usize, const Q: usize>(
            windows: Windows,
            y: &[[T; Q]; P],
            x: &mut [[[T; W]; H]; C],
        ) {
            if !$adds {
                x.as_flattened_mut().as_flattened_mut().fill(T::ZERO);
            }
            columns::scatter(windows, y, x);
        }

        #[doc = concat!("`y ", $assigns, "` the largest of each 2 × 2 elements of an image; see `pool.rs`.")]
        #[doc(hidden)]
        #[cfg_attr(feature = "std", inline(always))]
        #[cfg_attr(not(feature = "std"), inline)]
        pub fn max_pool<
            T: Real,
            const C: usize,
            const H: usize,
            const W: usize,
            const C2: usize,
            const U: usize,
            const V: usize,
        >(
            x: &[[[T; W]; H]; C],
            y: &mut [[[T; V]; U]; C2],
        ) {
            pool::pool::<$adds, T, C, H, W, C2, U, V>(x, y);
        }

        #[doc = concat!("`y_dot ", $assigns, "` the tangents of the elements that [`max_pool`] takes.")]
        #[doc(hidden)]
        #[cfg_attr(feature = "std", inline(always))]
        #[cfg_attr(not(feature = "std"), inline)]
        pub fn max_pool_along<
            T: Real,
            const C: usize,
            const H: usize,
            const W: usize,
            const C2: usize,
            const U: usize,
            const V: usize,
        >(
            x: &[[[T; W]; H]; C],
            x_dot: &[[[T; W]; H]; C],
            y_dot: &mut [[[T; V]; U]; C2],
        ) {
            pool::along::<$adds, T, C, H, W, C2, U, V>(x, x_dot, y_dot);
        }

        #[doc = concat!("`x_bar ", $assigns, "` the cotangents of a result of [`max_pool`], each where the largest element stands.")]
        #[doc(hidden)]
        #[cfg_attr(feature = "std", inline(always))]
        #[cfg_attr(not(feature = "std"), inline)]
        pub fn max_pool_t<
            T: Real,
            const C: usize,
            const H: usize,
            const W: usize,
            const C2: usize,
            const U: usize,
            const V: usize,
        >(
            x: &[[[T; W]; H]; C],
            y_bar: &[[[T; V]; U]; C2],
            x_bar: &mut [[[T; W]; H]; C],
        ) {
            pool::back::<$adds, T, C, H, W, C2, U, V>(x, y_bar, x_bar);
        }
    };
}

kernels!("+=", true);

/// Those that set.
pub mod set {
    use super::{Real, Windows, columns, pool};

    kernels!("=", false);
}

#[cfg(test)]
mod tests {
    use super::{max_pool, max_pool_along, max_pool_t, set, windows, windows_t};

    const IMAGE: [[[f64; 2]; 2]; 1] = [[[1.0, 2.0], [4.0, 3.0]]];

    #[test]
    fn added_and_set() {
        let columns = [[1, 2], [1, 1], [1, 1]];
        let (mut added, mut made) = ([[10.0; 2]; 2], [[10.0; 2]; 2]);
        windows(columns, &[[[1.0, 2.0, 3.0]]], &mut added);
        set::windows(columns, &[[[1.0, 2.0, 3.0]]], &mut made);
        assert_eq!((added, made), ([[11.0, 12.0], [12.0, 13.0]], [[1.0, 2.0], [2.0, 3.0]]));

        let (mut added, mut made) = ([[[10.0; 3]]], [[[10.0; 3]]]);
        windows_t(columns, &[[1.0, 2.0], [3.0, 4.0]], &mut added);
        set::windows_t(columns, &[[1.0, 2.0], [3.0, 4.0]], &mut made);
        assert_eq!((added, made), ([[[11.0, 15.0, 14.0]]], [[[1.0, 5.0, 4.0]]]));

        let (mut added, mut made) = ([[[10.0]]], [[[10.0]]]);
        max_pool(&IMAGE, &mut added);
        set::max_pool(&IMAGE, &mut made);
        assert_eq!((added, made), ([[[14.0]]], [[[4.0]]]));

        let dot = [[[5.0, 6.0], [7.0, 8.0]]];
        let (mut added, mut made) = ([[[10.0]]], [[[10.0]]]);
        max_pool_along(&IMAGE, &dot, &mut added);
        set::max_pool_along(&IMAGE, &dot, &mut made);
        assert_eq!((added, made), ([[[17.0]]], [[[7.0]]]));

        let (mut added, mut made) = ([[[1.0; 2]; 2]], [[[1.0; 2]; 2]]);
        max_pool_t(&IMAGE, &[[[5.0]]], &mut added);
        set::max_pool_t(&IMAGE, &[[[5.0]]], &mut made);
        assert_eq!((added, made), ([[[1.0, 1.0], [6.0, 1.0]]], [[[0.0, 0.0], [5.0, 0.0]]]));
    }
}
