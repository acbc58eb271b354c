//! The largest of each 2 × 2 elements of an image, which pooling is made of, and its derivatives in both directions.
//!
//! ```text
//! y[c][i][j] = max(x[c][2i][2j], x[c][2i][2j + 1], x[c][2i + 1][2j], x[c][2i + 1][2j + 1])
//! ```
//!
//! An element takes the place of the largest so far if it is larger or NaN. So the first of equal elements counts, and the last
//! NaN. Nothing is computed but comparisons, so that the bits do not depend on the CPU.
//!
//! Neighbours in a row belong to different corners of their window. Vectors of AVX-512 are taken apart by `x86/pool.rs`. What is
//! written here is good for shorter ones, too, but for the longest the compiler reads and writes number by number.

#![expect(clippy::inline_always, reason = "sizes are constants of the caller, for whose CPU the loops are compiled")]

use crate::Real;

/// A number with kernels for pooling. Each says whether the CPU has the instructions, and so whether it did anything.
/// `x` has pairs of rows, each pair for a row of `y`, which is half as wide.
#[doc(hidden)]
pub trait Pooled: Sized {
    fn pool<const ADDS: bool, const W: usize, const V: usize>(_x: &[[Self; W]], _y: &mut [[Self; V]]) -> bool {
        false
    }
    fn along<const ADDS: bool, const W: usize, const V: usize>(
        _x: &[[Self; W]],
        _x_dot: &[[Self; W]],
        _y_dot: &mut [[Self; V]],
    ) -> bool {
        false
    }
    fn back<const ADDS: bool, const W: usize, const V: usize>(
        _x: &[[Self; W]],
        _y_bar: &[[Self; V]],
        _x_bar: &mut [[Self; W]],
    ) -> bool {
        false
    }
}

#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
mod portable {
    impl super::Pooled for f32 {}
    impl super::Pooled for f64 {}
}

/// The windows of two rows: each has two elements of either.
#[inline(always)]
fn windows<T: Real, const W: usize>([above, below]: &[[T; W]; 2]) -> impl Iterator<Item = [T; 4]> {
    let (above, below) = (above.as_chunks::<2>().0, below.as_chunks::<2>().0);
    above.iter().zip(below).map(|(above, below)| [above[0], above[1], below[0], below[1]])
}

/// The largest element, and whether each but the first took the place of the largest before it.
#[inline(always)]
fn largest<T: Real>(window: [T; 4]) -> (T, [bool; 3]) {
    let (mut best, mut replaced) = (window[0], [false; 3]);
    for (x, replaced) in window[1..].iter().zip(&mut replaced) {
        *replaced = x.is_nan() || *x > best;
        best = if *replaced { *x } else { best };
    }
    (best, replaced)
}

#[inline(always)]
fn write<const ADDS: bool, T: Real>(y: &mut T, x: T) {
    *y = if ADDS { *y + x } else { x };
}

/// `y` += the largest of each window of `x`, or `y` = these.
#[inline(always)]
pub(super) fn pool<
    const ADDS: bool,
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
    const { assert!(C == C2 && H == 2 * U && W == 2 * V, "max_pool: the result is not half of the image") };
    let (x, y) = (x.as_flattened(), y.as_flattened_mut());
    if !T::pool::<ADDS, W, V>(x, y) {
        pool_rows::<ADDS, _, _, _>(x, y);
    }
}

#[inline(always)]
fn pool_rows<const ADDS: bool, T: Real, const W: usize, const V: usize>(x: &[[T; W]], y: &mut [[T; V]]) {
    for (rows, y) in x.as_chunks().0.iter().zip(y) {
        for (window, y) in windows(rows).zip(y) {
            write::<ADDS, T>(y, largest(window).0);
        }
    }
}

/// `y_dot` += the tangents of the elements that are largest, or `y_dot` = these.
#[inline(always)]
pub(super) fn along<
    const ADDS: bool,
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
    const { assert!(C == C2 && H == 2 * U && W == 2 * V, "max_pool_along: the result is not half of the image") };
    let (x, x_dot, y_dot) = (x.as_flattened(), x_dot.as_flattened(), y_dot.as_flattened_mut());
    if !T::along::<ADDS, W, V>(x, x_dot, y_dot) {
        along_rows::<ADDS, _, _, _>(x, x_dot, y_dot);
    }
}

#[inline(always)]
fn along_rows<const ADDS: bool, T: Real, const W: usize, const V: usize>(
    x: &[[T; W]],
    x_dot: &[[T; W]],
    y_dot: &mut [[T; V]],
) {
    for ((rows, dots), y_dot) in x.as_chunks().0.iter().zip(x_dot.as_chunks().0).zip(y_dot) {
        for ((window, dots), y_dot) in windows(rows).zip(windows(dots)).zip(y_dot) {
            let (_, replaced) = largest(window);
            let dot = dots[1..].iter().zip(replaced).fold(dots[0], |best, (dot, yes)| if yes { *dot } else { best });
            write::<ADDS, T>(y_dot, dot);
        }
    }
}

/// `x_bar` += the cotangents `y_bar`, each where the largest element stands, or `x_bar` = these, and zeros elsewhere.
#[inline(always)]
pub(super) fn back<
    const ADDS: bool,
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
    const { assert!(C == C2 && H == 2 * U && W == 2 * V, "max_pool_t: the cotangent is not half of the image") };
    let (x, y_bar, x_bar) = (x.as_flattened(), y_bar.as_flattened(), x_bar.as_flattened_mut());
    if !T::back::<ADDS, W, V>(x, y_bar, x_bar) {
        back_rows::<ADDS, _, _, _>(x, y_bar, x_bar);
    }
}

#[inline(always)]
fn back_rows<const ADDS: bool, T: Real, const W: usize, const V: usize>(
    x: &[[T; W]],
    y_bar: &[[T; V]],
    x_bar: &mut [[T; W]],
) {
    for ((rows, y_bar), x_bar) in x.as_chunks().0.iter().zip(y_bar).zip(x_bar.as_chunks_mut().0) {
        let [above, below]: &mut [[T; W]; 2] = x_bar;
        let bars = above.as_chunks_mut::<2>().0.iter_mut().zip(below.as_chunks_mut::<2>().0);
        for ((window, y_bar), ([x0, x1], [x2, x3])) in windows(rows).zip(y_bar).zip(bars) {
            let (_, replaced) = largest(window);
            let mut rest = *y_bar;
            // What took the place last has the cotangent.
            for (x_bar, yes) in [x3, x2, x1].into_iter().zip(replaced.into_iter().rev()) {
                write::<ADDS, T>(x_bar, if yes { rest } else { T::ZERO });
                rest = if yes { T::ZERO } else { rest };
            }
            write::<ADDS, T>(x0, rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{along, along_rows, back, back_rows, pool, pool_rows};
    use crate::Real;

    /// An image with ties and NaN, and other numbers.
    fn image<T: Real, const H: usize, const W: usize>(seed: usize) -> [[[T; W]; H]; 3] {
        let mut state = seed;
        core::array::from_fn(|_| {
            core::array::from_fn(|_| {
                core::array::from_fn(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % (1 << 32);
                    let number = (state >> 16) % 7;
                    if number == 6 && seed == 1 { T::from_f64(f64::NAN) } else { T::from_f64(number as f64 - 2.0) }
                })
            })
        })
    }

    /// All three against the definition, and what adds against what sets.
    fn check<T: Real, const H: usize, const W: usize, const U: usize, const V: usize>() {
        let (x, x_dot): ([[[T; W]; H]; 3], [[[T; W]; H]; 3]) = (image(1), image(2));
        let y_bar: [[[T; V]; U]; 3] = image(3);
        let (mut y, mut y_dot, mut x_bar) = ([[[T::ONE; V]; U]; 3], [[[T::ONE; V]; U]; 3], [[[T::ONE; W]; H]; 3]);
        pool::<false, _, _, _, _, _, _, _>(&x, &mut y);
        along::<false, _, _, _, _, _, _, _>(&x, &x_dot, &mut y_dot);
        back::<false, _, _, _, _, _, _, _>(&x, &y_bar, &mut x_bar);
        for (c, i, j) in (0..3).flat_map(|c| (0..U).flat_map(move |i| (0..V).map(move |j| (c, i, j)))) {
            let places = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[u, v]| [2 * i + u, 2 * j + v]);
            let better =
                |a: [usize; 2], b: [usize; 2]| x[c][b[0]][b[1]].is_nan() || x[c][b[0]][b[1]] > x[c][a[0]][a[1]];
            let best = places[1..].iter().fold(places[0], |a, b| if better(a, *b) { *b } else { a });
            let expected = x[c][best[0]][best[1]];
            assert!(y[c][i][j] == expected || (y[c][i][j].is_nan() && expected.is_nan()));
            assert_eq!(y_dot[c][i][j], x_dot[c][best[0]][best[1]]);
            for at in places {
                assert_eq!(x_bar[c][at[0]][at[1]], if at == best { y_bar[c][i][j] } else { T::ZERO });
            }
        }
        // Loops give the same as what the CPU has.
        let (mut other_y, mut other_dot, mut other_bar) =
            ([[[T::ONE; V]; U]; 3], [[[T::ONE; V]; U]; 3], [[[T::ONE; W]; H]; 3]);
        let (rows, dots, bars) = (x.as_flattened(), x_dot.as_flattened(), y_bar.as_flattened());
        pool_rows::<false, _, _, _>(rows, other_y.as_flattened_mut());
        along_rows::<false, _, _, _>(rows, dots, other_dot.as_flattened_mut());
        back_rows::<false, _, _, _>(rows, bars, other_bar.as_flattened_mut());
        let pairs = other_y.as_flattened().as_flattened().iter().zip(y.as_flattened().as_flattened());
        assert!(pairs.into_iter().all(|(a, b)| a == b || a.is_nan() && b.is_nan()));
        assert_eq!((other_dot, other_bar), (y_dot, x_bar));

        let (dot, bar) = (y_dot, x_bar);
        along::<true, _, _, _, _, _, _, _>(&x, &x_dot, &mut y_dot);
        back::<true, _, _, _, _, _, _, _>(&x, &y_bar, &mut x_bar);
        assert_eq!(y_dot, dot.map(|plane| plane.map(|row| row.map(|x| x + x))));
        assert_eq!(x_bar, bar.map(|plane| plane.map(|row| row.map(|x| x + x))));
        let mut zeros = [[[T::ZERO; V]; U]; 3];
        pool::<true, _, _, _, _, _, _, _>(&x_dot, &mut y);
        pool::<true, _, _, _, _, _, _, _>(&x_dot, &mut zeros);
        pool::<false, _, _, _, _, _, _, _>(&x_dot, &mut y);
        assert_eq!(y, zeros);
    }

    fn check_sizes<T: Real>() {
        check::<T, 2, 2, 1, 1>();
        check::<T, 6, 4, 3, 2>();
        check::<T, 4, 8, 2, 4>();
        check::<T, 2, 16, 1, 8>();
        if !cfg!(miri) {
            check::<T, 10, 10, 5, 5>();
            check::<T, 4, 28, 2, 14>();
            check::<T, 2, 32, 1, 16>();
            check::<T, 6, 74, 3, 37>();
        }
    }

    #[test]
    fn the_largest_of_each_window() {
        check_sizes::<f32>();
        check_sizes::<f64>();
    }
}
