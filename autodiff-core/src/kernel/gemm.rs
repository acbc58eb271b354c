//! The product of two large matrices, blocked for registers.
//!
//! ```text
//!            ┌── NR ──┐                       for k₀ in steps of KC:
//!            │ panel  │ KC rows of b,           for j₀ in steps of NR:
//!            │ (L1)   │ packed                    panel = b[k₀.., j₀..], transposed if need be
//! ┌── KC ──┐ └────────┘                           for i₀ in steps of MR:
//! │a        │ ┌────────┐                            tile = a[i₀.., k₀..]·panel   in registers
//! │   MR    │ │  tile  │ MR rows                    c[i₀.., j₀..] += tile
//! └─────────┘ └────────┘
//! ```
//!
//! The panel is the only copy: it puts the numbers that the inner loop reads as vectors next to each other,
//! and pads them with zeros to full vectors, so that one inner loop serves all widths. `a` is read in
//! place, a number at a time. Transposing an operand changes only how a column of `a` is read or how the
//! panel is packed, hence all four products share this file. It is compiled once for each type of number
//! and instruction set, not for each shape.

#![expect(
    clippy::inline_always,
    reason = "instructions beyond the baseline are used where the caller has them, and only after inlining"
)]

use crate::Real;
use core::borrow::Borrow;

/// A matrix in memory, and how to read it.
#[derive(Clone, Copy)]
pub struct Matrix<'a, T> {
    pub(super) data: &'a [T],
    /// From one row (or column) in memory to the next.
    stride: usize,
    /// Do columns lie one after the other, rather than rows?
    by_columns: bool,
}

impl<'a, T> Matrix<'a, T> {
    /// Rows of `stride` elements, one after the other.
    #[inline]
    pub(super) fn rows(data: &'a [T], stride: usize) -> Self {
        Matrix { data, stride, by_columns: false }
    }

    /// Columns of `stride` elements, one after the other: the transpose of an array.
    #[inline]
    pub(super) fn columns(data: &'a [T], stride: usize) -> Self {
        Matrix { data, stride, by_columns: true }
    }

    /// From one row to the next, and from one column to the next.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    #[inline(always)]
    pub(super) fn steps(&self) -> (usize, usize) {
        if self.by_columns { (1, self.stride) } else { (self.stride, 1) }
    }

    /// What lies in memory from row (or column) `i` on, without the first `j` elements of each.
    #[inline(always)]
    fn from(&self, i: usize, j: usize) -> impl Iterator<Item = &'a [T]> {
        self.data[i * self.stride..].chunks_exact(self.stride).map(move |line| &line[j..])
    }
}

/// `c += a·b` or `c = a·b`, where `a` is `[m, k]`, `b` is `[k, n]`, and `c` is `[m, n]` by rows. No length is 0.
pub struct Product<'a, T> {
    pub(super) m: usize,
    pub(super) k: usize,
    pub(super) n: usize,
    pub(super) a: Matrix<'a, T>,
    pub(super) b: Matrix<'a, T>,
    pub(super) c: &'a mut [T],
    /// Whether it is added to `c`, or set there.
    pub(super) adds: bool,
}

/// A number that large matrices of it can be multiplied.
#[doc(hidden)]
pub trait Gemm: Sized {
    fn gemm(product: Product<'_, Self>);
    #[cfg(test)]
    fn gemm_without_avx512(product: Product<'_, Self>);
}

macro_rules! gemm {
    ($t:ty, $nv:literal, $nr:literal) => {
        impl Gemm for $t {
            #[inline(never)]
            fn gemm(mut product: Product<'_, Self>) {
                #[cfg(all(feature = "std", target_arch = "x86_64"))]
                if super::x86::Vectors::avx512(&mut product) || super::x86::Vectors::avx2(&mut product) {
                    return;
                }
                multiply::<$t, _, 4, $nv, $nr>(Portable, &mut product, &mut [[0.0; $nr]; 128]);
            }
            #[cfg(test)]
            fn gemm_without_avx512(mut product: Product<'_, Self>) {
                #[cfg(all(feature = "std", target_arch = "x86_64"))]
                if super::x86::Vectors::avx2(&mut product) {
                    return;
                }
                multiply::<$t, _, 4, $nv, $nr>(Portable, &mut product, &mut [[0.0; $nr]; 128]);
            }
        }
    };
}
gemm!(f32, 2, 8);
gemm!(f64, 1, 4);

/// Vectors of numbers, as some instruction set has them. A value of the implementing type is the proof that
/// the CPU has the instructions.
pub(super) trait Simd<T>: Copy {
    type Vector: Copy;
    const LANES: usize;
    fn splat(self, x: T) -> Self::Vector;
    /// The first numbers of `from`; zeros where there are none.
    fn load(self, from: &[T]) -> Self::Vector;
    /// Writes as many numbers as there are places in `to`.
    fn store(self, x: Self::Vector, to: &mut [T]);
    /// `x·y + z`.
    fn mul_add(self, x: Self::Vector, y: Self::Vector, z: Self::Vector) -> Self::Vector;
    /// `x + y`.
    fn add(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;
}

/// What the compiler makes of arrays: SSE2, NEON.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl<T: Real> Simd<T> for Portable {
    type Vector = [T; 4];
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(self, x: T) -> [T; 4] {
        [x; 4]
    }
    #[inline(always)]
    fn load(self, from: &[T]) -> [T; 4] {
        let mut vector = [T::ZERO; 4];
        for (x, from) in vector.iter_mut().zip(from) {
            *x = *from;
        }
        vector
    }
    #[inline(always)]
    fn store(self, x: [T; 4], to: &mut [T]) {
        for (to, x) in to.iter_mut().zip(x) {
            *to = x;
        }
    }
    #[inline(always)]
    fn mul_add(self, x: [T; 4], y: [T; 4], mut z: [T; 4]) -> [T; 4] {
        for ((z, x), y) in z.iter_mut().zip(x).zip(y) {
            // Only where one instruction does it; elsewhere it is a call.
            *z = if cfg!(any(target_arch = "aarch64", target_feature = "fma")) { x.mul_add(y, *z) } else { *z + x * y };
        }
        z
    }
    #[inline(always)]
    fn add(self, x: [T; 4], mut y: [T; 4]) -> [T; 4] {
        for (y, x) in y.iter_mut().zip(x) {
            *y += x;
        }
        y
    }
}

/// See the module. `NR` is `NV` vectors; the panel's length is the block length `KC`.
#[inline(always)]
pub(super) fn multiply<T: Real, S: Simd<T>, const MR: usize, const NV: usize, const NR: usize>(
    simd: S,
    product: &mut Product<'_, T>,
    panel: &mut [[T; NR]],
) {
    const { assert!(NR == NV * S::LANES) }
    let Product { m, k, n, a, b, adds, .. } = *product;
    for k0 in (0..k).step_by(panel.len()) {
        let kc = panel.len().min(k - k0);
        let panel = &mut panel[..kc];
        for j0 in (0..n).step_by(NR) {
            pack(simd, b, k0, j0, NR.min(n - j0), panel);
            for i0 in (0..m).step_by(MR) {
                // The last tile is moved up to be whole, and its upper rows, known already, are dropped.
                let top = i0.min(m.saturating_sub(MR));
                let tile: [[S::Vector; NV]; MR] = if a.by_columns {
                    let columns = a.from(k0, top);
                    if m >= MR {
                        // Every line has `m - top >= MR` numbers left: the alternative is never taken.
                        let zeros = &[T::ZERO; MR];
                        let columns = columns.map(|line| line.first_chunk().unwrap_or(zeros));
                        tile(simd, columns, panel)
                    } else {
                        tile(simd, columns.map(padded), panel)
                    }
                } else {
                    let mut lines = [&a.data[..0]; MR];
                    for (r, line) in lines.iter_mut().enumerate() {
                        // Where there are fewer rows than in a tile, the last one is repeated.
                        *line = &a.data[(top + r).min(m - 1) * a.stride + k0..][..kc];
                    }
                    tile(simd, (0..kc).map(|k| lines.map(|line| line[k])), panel)
                };
                let c = product.c[i0 * n..].chunks_exact_mut(n);
                for (tile, c) in tile.into_iter().skip(i0 - top).zip(c) {
                    let mut c = c[j0..].chunks_mut(S::LANES);
                    for vector in tile {
                        if let Some(c) = c.next() {
                            let sum = if adds || k0 > 0 { simd.add(simd.load(c), vector) } else { vector };
                            simd.store(sum, c);
                        }
                    }
                }
            }
        }
    }
}

/// `MR` rows by `NR` columns of the product: `Σ columnₖ·rowₖᵀ`, in this order.
#[inline(always)]
fn tile<T: Real, S: Simd<T>, const MR: usize, const NV: usize, const NR: usize>(
    simd: S,
    columns: impl Iterator<Item: Borrow<[T; MR]>>,
    panel: &[[T; NR]],
) -> [[S::Vector; NV]; MR] {
    let mut tile = [[simd.splat(T::ZERO); NV]; MR];
    for (column, row) in columns.zip(panel) {
        let mut vectors = [simd.splat(T::ZERO); NV];
        for (vector, row) in vectors.iter_mut().zip(row.chunks_exact(S::LANES)) {
            *vector = simd.load(row);
        }
        for (tile, x) in tile.iter_mut().zip(column.borrow()) {
            let x = simd.splat(*x);
            for (sum, y) in tile.iter_mut().zip(vectors) {
                *sum = simd.mul_add(x, y, *sum);
            }
        }
    }
    tile
}

/// The side of the squares that are transposed as a whole.
const BLOCK: usize = 4;

/// Copies `b[k₀.., j₀..][.., ..width]` into the panel, row by row, padded with zeros.
#[inline(always)]
fn pack<T: Real, S: Simd<T>, const NR: usize>(
    simd: S,
    b: Matrix<'_, T>,
    k0: usize,
    j0: usize,
    width: usize,
    panel: &mut [[T; NR]],
) {
    if !b.by_columns {
        for (row, line) in panel.iter_mut().zip(b.from(k0, j0)) {
            if let Some(line) = line.first_chunk() {
                *row = *line;
            } else {
                let mut from = line.chunks(S::LANES);
                for to in row.chunks_exact_mut(S::LANES) {
                    simd.store(simd.load(from.next().unwrap_or(&[])), to);
                }
            }
        }
        return;
    }
    if width < NR {
        panel.fill([T::ZERO; NR]);
    }
    let kc = panel.len();
    let mut lines = b.from(j0, k0).take(width);
    let whole = width - width % BLOCK;
    for j in (0..whole).step_by(BLOCK) {
        // Squares of a few numbers, whose rows and columns the compiler exchanges in registers.
        let mut block = [&[][..]; BLOCK];
        for (line, from) in block.iter_mut().zip(&mut lines) {
            *line = &from[..kc];
        }
        let (squares, rest) = panel.as_chunks_mut::<BLOCK>();
        for (s, rows) in squares.iter_mut().enumerate() {
            let square = block.map(|line| line.as_chunks::<BLOCK>().0[s]);
            for (k, row) in rows.iter_mut().enumerate() {
                for (to, line) in row[j..j + BLOCK].iter_mut().zip(square) {
                    *to = line[k];
                }
            }
        }
        for (row, k) in rest.iter_mut().zip(kc - kc % BLOCK..) {
            for (to, line) in row[j..].iter_mut().zip(block) {
                *to = line[k];
            }
        }
    }
    for (line, j) in lines.zip(whole..) {
        for (row, x) in panel.iter_mut().zip(line) {
            row[j] = *x;
        }
    }
}

/// The numbers of a slice, and zeros.
#[inline(always)]
fn padded<T: Real, const N: usize>(from: &[T]) -> [T; N] {
    let mut array = [T::ZERO; N];
    for (x, from) in array.iter_mut().zip(from) {
        *x = *from;
    }
    array
}
