//! The windows of an image as columns of a matrix, and back: what convolutions are made of beside products.
//!
//! ```text
//! y[(c·U + u)·V + v][i·L + j] = x[c][i·stride + u·dilation][j·stride + v·dilation]
//! ```
//!
//! A row of the result is made of parts of rows of the image, which are copied, or added, as a whole where the stride is 1.

#![expect(clippy::inline_always, reason = "sizes are constants of the caller, for which the copies are written out")]

use crate::Real;

/// The sizes, strides and dilations of windows over two axes.
pub type Windows = [[usize; 2]; 3];

/// How many places windows have on axis `k`, which has `size` elements.
#[inline(always)]
fn places([sizes, strides, dilations]: Windows, k: usize, size: usize) -> usize {
    (size - dilations[k] * (sizes[k] - 1) - 1) / strides[k] + 1
}

/// `y` += the windows of `x`, or `y` = these.
#[inline(always)]
pub(super) fn gather<
    const ADDS: bool,
    T: Real,
    const C: usize,
    const H: usize,
    const W: usize,
    const P: usize,
    const Q: usize,
>(
    windows: Windows,
    x: &[[[T; W]; H]; C],
    y: &mut [[T; Q]; P],
) {
    let [[rows, columns], strides, dilations] = windows;
    let width = places(windows, 1, W);
    for (p, y) in y.iter_mut().enumerate() {
        let (c, u, v) = (p / (rows * columns), p / columns % rows, p % columns);
        let lines = x[c][u * dilations[0]..].iter().step_by(strides[0]);
        for (y, line) in y.chunks_exact_mut(width).zip(lines) {
            let from = &line[v * dilations[1]..];
            if ADDS || strides[1] > 1 {
                for (y, x) in y.iter_mut().zip(from.iter().step_by(strides[1])) {
                    *y = if ADDS { *y + *x } else { *x };
                }
            } else {
                y.copy_from_slice(&from[..width]);
            }
        }
    }
}

/// `x` += what is in the windows `y`, each element where it came from.
#[inline(always)]
pub(super) fn scatter<T: Real, const C: usize, const H: usize, const W: usize, const P: usize, const Q: usize>(
    windows: Windows,
    y: &[[T; Q]; P],
    x: &mut [[[T; W]; H]; C],
) {
    let [[rows, columns], strides, dilations] = windows;
    let width = places(windows, 1, W);
    // Windows next to each other overlap. All channels lie between them, so that no addition waits for the one before it.
    for place in 0..rows * columns {
        let (u, v) = (place / columns, place % columns);
        for (y, x) in y.iter().skip(place).step_by(rows * columns).zip(x.iter_mut()) {
            let lines = x[u * dilations[0]..].iter_mut().step_by(strides[0]);
            for (y, line) in y.chunks_exact(width).zip(lines) {
                let to = &mut line[v * dilations[1]..];
                if strides[1] == 1 {
                    to[..width].iter_mut().zip(y).for_each(|(x, y)| *x += *y);
                } else {
                    to.iter_mut().step_by(strides[1]).zip(y).for_each(|(x, y)| *x += *y);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Windows, gather, scatter};

    /// Both directions against the definition, on an image of 2 × 6 × 7.
    fn check<const P: usize, const Q: usize>(windows: Windows, [height, width]: [usize; 2]) {
        assert_eq!(height * width, Q);
        let image: [[[f64; 7]; 6]; 2] =
            core::array::from_fn(|c| core::array::from_fn(|i| core::array::from_fn(|j| (100 * c + 10 * i + j) as f64)));
        let [[rows, columns], strides, dilations] = windows;
        let (mut expected, mut back) = ([[0.0; Q]; P], [[[1.0; 7]; 6]; 2]);
        for c in 0..2 {
            for (u, v) in (0..rows).flat_map(|u| (0..columns).map(move |v| (u, v))) {
                for (i, j) in (0..height).flat_map(|i| (0..width).map(move |j| (i, j))) {
                    let place = [i * strides[0] + u * dilations[0], j * strides[1] + v * dilations[1]];
                    expected[(c * rows + u) * columns + v][i * width + j] = image[c][place[0]][place[1]];
                    back[c][place[0]][place[1]] += image[c][place[0]][place[1]];
                }
            }
        }
        let mut found = [[9.0; Q]; P];
        gather::<false, _, _, _, _, _, _>(windows, &image, &mut found);
        assert_eq!(found, expected);
        let mut x = [[[1.0; 7]; 6]; 2];
        scatter(windows, &found, &mut x);
        assert_eq!(x, back);
        gather::<true, _, _, _, _, _, _>(windows, &image, &mut found);
        assert_eq!(found, expected.map(|row| row.map(|x| 2.0 * x)));
    }

    #[test]
    fn windows_are_those_of_the_definition() {
        check::<12, 25>([[2, 3], [1, 1], [1, 1]], [5, 5]);
        check::<8, 9>([[2, 2], [2, 2], [1, 1]], [3, 3]);
        check::<12, 4>([[3, 2], [1, 2], [2, 3]], [2, 2]);
        check::<2, 42>([[1, 1], [1, 1], [1, 1]], [6, 7]);
    }
}
