//! Several directions at once: numbers with a lane for each direction. Only generated code uses this.

use crate::Real;
use crate::generated::Zero;
use crate::jacobian::Rows;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A tangent in several directions. A derivative is linear in its tangents, so that this is all it does to them.
pub trait Wide<T>:
    WideLeaf<T, Self, One = T>
    + Zeros<T, Self>
    + Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<T, Output = Self>
    + Div<T, Output = Self>
    + AddAssign
    + SubAssign
    + 'static
{
    /// How many directions there are.
    const LANES: usize;
    /// 0 in all directions.
    const ZERO: Self;

    /// The same in all directions.
    fn splat(value: T) -> Self;

    /// Keeps the iterations of a loop apart, if there are lanes to make vectors of.
    #[inline(always)]
    fn apart() {}

    // Sets in the place of numbers, as in `sparse.rs`, are what may be; numbers are what is.

    /// Whether these are sets, which have no lanes.
    const IS_SET: bool = false;

    /// `a` if `c` holds, else `b`.
    #[inline(always)]
    fn choose(c: bool, a: Self, b: Self) -> Self {
        if c { a } else { b }
    }

    /// A number that might have been computed of others.
    #[inline(always)]
    fn joined(self, _: &[Self]) -> Self {
        self
    }

    /// What stands for all numbers of a leaf, to be joined to others.
    #[inline(always)]
    fn reach(_: &(impl WideLeaf<T, Self> + ?Sized)) -> Self {
        Self::ZERO
    }

    /// The same for the numbers at an index, if there is one.
    #[inline(always)]
    fn reach_at<X: WideLeaf<T, Self>>(_: &[X], _: usize) -> Self {
        Self::ZERO
    }
}

/// `W` numbers, with which the same is done at once.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Lanes<T, const W: usize>(pub [T; W]);

impl<T: Real, const W: usize> Lanes<T, W> {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        Lanes(core::array::from_fn(|w| f(self.0[w], other.0[w])))
    }
}

impl<T: Real, const W: usize> Wide<T> for Lanes<T, W> {
    const LANES: usize = W;
    const ZERO: Self = Lanes([T::ZERO; W]);

    #[inline(always)]
    fn apart() {
        if W > 1 {
            crate::vectors::apart();
        }
    }

    #[inline(always)]
    fn splat(value: T) -> Self {
        Lanes([value; W])
    }
}

impl<T: Real, const W: usize> Add for Lanes<T, W> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl<T: Real, const W: usize> Sub for Lanes<T, W> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl<T: Real, const W: usize> Neg for Lanes<T, W> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Lanes(self.0.map(|a| -a))
    }
}

impl<T: Real, const W: usize> Mul<T> for Lanes<T, W> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: T) -> Self {
        Lanes(self.0.map(|a| a * factor))
    }
}

impl<T: Real, const W: usize> Div<T> for Lanes<T, W> {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: T) -> Self {
        Lanes(self.0.map(|a| a / divisor))
    }
}

impl<T: Real, const W: usize> AddAssign for Lanes<T, W> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T: Real, const W: usize> SubAssign for Lanes<T, W> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<T: Real, const W: usize> Zero for Lanes<T, W> {
    const ZERO: Self = <Self as Wide<T>>::ZERO;
    #[inline]
    fn set_zero(&mut self) {
        *self = <Self as Wide<T>>::ZERO;
    }
}

/// A leaf of tangents in several directions: a number `L`, or an array of such.
pub trait WideLeaf<T, L> {
    /// The same leaf of one tangent.
    type One: ?Sized;

    /// Calls `f` with every number, in row-major order.
    fn visit(&self, f: &mut impl FnMut(&L));

    /// The same, to write to them.
    fn visit_mut(&mut self, f: &mut impl FnMut(&mut L));

    /// Calls `f` with every number and that of a plain leaf.
    fn zip(&self, one: &Self::One, f: &mut impl FnMut(&L, T));

    /// The same, to write to them.
    fn zip_mut(&mut self, one: &Self::One, f: &mut impl FnMut(&mut L, T));

    /// Sets one lane.
    fn set_lane(&mut self, lane: usize, one: &Self::One);

    /// Writes one lane into a leaf of the same lengths.
    fn write_lane(&self, lane: usize, one: &mut Self::One);

    /// Writes lanes into columns. `number` is how many numbers of the leaf were written before. No closure is involved,
    /// so that all of it is inline, and nothing is left but the numbers where sizes are constants.
    fn write_rows(&self, columns: Columns, number: &mut usize, matrix: &mut (impl Rows<T> + ?Sized));
}

/// Which lanes go to which columns: those from `lane` on to those from `first` on, of so many.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    flat: Flat,
    lane: usize,
    first: usize,
    columns: usize,
}

/// The methods of a leaf that is one wide number, which go through all its numbers.
macro_rules! one_number {
    ($t:ident) => {
        type One = $t;

        #[inline(always)]
        fn visit(&self, f: &mut impl FnMut(&Self)) {
            f(self);
        }
        #[inline(always)]
        fn visit_mut(&mut self, f: &mut impl FnMut(&mut Self)) {
            f(self);
        }
        #[inline(always)]
        fn zip(&self, one: &$t, f: &mut impl FnMut(&Self, $t)) {
            f(self, *one);
        }
        #[inline(always)]
        fn zip_mut(&mut self, one: &$t, f: &mut impl FnMut(&mut Self, $t)) {
            f(self, *one);
        }
    };
}
pub(crate) use one_number;

impl<T: Real, const W: usize> WideLeaf<T, Self> for Lanes<T, W> {
    one_number!(T);

    #[inline]
    fn set_lane(&mut self, lane: usize, one: &T) {
        self.0[lane] = *one;
    }
    #[inline]
    fn write_lane(&self, lane: usize, one: &mut T) {
        *one = self.0[lane];
    }
    #[inline(always)]
    fn write_rows(&self, to: Columns, number: &mut usize, matrix: &mut (impl Rows<T> + ?Sized)) {
        let row = matrix.row(to.flat.place(*number), to.columns);
        *number += 1;
        // Most often all lanes are columns, and the copy is one of constant length.
        if to.lane == 0
            && let Some(all) = row[to.first..].first_chunk_mut()
        {
            *all = self.0;
            return;
        }
        for (to, from) in row[to.first..].iter_mut().zip(&self.0[to.lane..]) {
            *to = *from;
        }
    }
}

impl<T, L, X: WideLeaf<T, L, One: Sized>> WideLeaf<T, L> for [X] {
    type One = [X::One];

    #[inline(always)]
    fn visit(&self, f: &mut impl FnMut(&L)) {
        for item in self {
            item.visit(f);
        }
    }
    #[inline(always)]
    fn visit_mut(&mut self, f: &mut impl FnMut(&mut L)) {
        for item in self {
            item.visit_mut(f);
        }
    }
    #[inline]
    fn zip(&self, one: &[X::One], f: &mut impl FnMut(&L, T)) {
        self.iter().zip(one).for_each(|(item, one)| item.zip(one, f));
    }
    #[inline]
    fn zip_mut(&mut self, one: &[X::One], f: &mut impl FnMut(&mut L, T)) {
        self.iter_mut().zip(one).for_each(|(item, one)| item.zip_mut(one, f));
    }
    #[inline]
    fn set_lane(&mut self, lane: usize, one: &[X::One]) {
        self.iter_mut().zip(one).for_each(|(item, one)| item.set_lane(lane, one));
    }
    #[inline]
    fn write_lane(&self, lane: usize, one: &mut [X::One]) {
        self.iter().zip(one).for_each(|(item, one)| item.write_lane(lane, one));
    }
    #[inline(always)]
    fn write_rows(&self, columns: Columns, number: &mut usize, matrix: &mut (impl Rows<T> + ?Sized)) {
        for item in self {
            item.write_rows(columns, number, matrix);
        }
    }
}

impl<T, L, X: WideLeaf<T, L, One: Sized>, const N: usize> WideLeaf<T, L> for [X; N] {
    type One = [X::One; N];

    #[inline(always)]
    fn visit(&self, f: &mut impl FnMut(&L)) {
        self[..].visit(f);
    }
    #[inline(always)]
    fn visit_mut(&mut self, f: &mut impl FnMut(&mut L)) {
        self[..].visit_mut(f);
    }
    #[inline]
    fn zip(&self, one: &[X::One; N], f: &mut impl FnMut(&L, T)) {
        self[..].zip(&one[..], f);
    }
    #[inline]
    fn zip_mut(&mut self, one: &[X::One; N], f: &mut impl FnMut(&mut L, T)) {
        self[..].zip_mut(&one[..], f);
    }
    #[inline]
    fn set_lane(&mut self, lane: usize, one: &[X::One; N]) {
        self[..].set_lane(lane, &one[..]);
    }
    #[inline]
    fn write_lane(&self, lane: usize, one: &mut [X::One; N]) {
        self[..].write_lane(lane, &mut one[..]);
    }
    #[inline(always)]
    fn write_rows(&self, columns: Columns, number: &mut usize, matrix: &mut (impl Rows<T> + ?Sized)) {
        self[..].write_rows(columns, number, matrix);
    }
}

#[cfg(feature = "alloc")]
impl<T, L, X: WideLeaf<T, L, One: Sized>> WideLeaf<T, L> for Vec<X> {
    type One = Vec<X::One>;

    #[inline(always)]
    fn visit(&self, f: &mut impl FnMut(&L)) {
        self[..].visit(f);
    }
    #[inline(always)]
    fn visit_mut(&mut self, f: &mut impl FnMut(&mut L)) {
        self[..].visit_mut(f);
    }
    #[inline]
    fn zip(&self, one: &Vec<X::One>, f: &mut impl FnMut(&L, T)) {
        self[..].zip(&one[..], f);
    }
    #[inline]
    fn zip_mut(&mut self, one: &Vec<X::One>, f: &mut impl FnMut(&mut L, T)) {
        self[..].zip_mut(&one[..], f);
    }
    #[inline]
    fn set_lane(&mut self, lane: usize, one: &Vec<X::One>) {
        self[..].set_lane(lane, &one[..]);
    }
    #[inline]
    fn write_lane(&self, lane: usize, one: &mut Vec<X::One>) {
        self[..].write_lane(lane, &mut one[..]);
    }
    #[inline(always)]
    fn write_rows(&self, columns: Columns, number: &mut usize, matrix: &mut (impl Rows<T> + ?Sized)) {
        self[..].write_rows(columns, number, matrix);
    }
}

/// A leaf of wide numbers that is zero.
pub trait Zeros<T, L> {
    const ZEROS: Self;
}

impl<T: Real, const W: usize> Zeros<T, Self> for Lanes<T, W> {
    const ZEROS: Self = <Self as Wide<T>>::ZERO;
}

impl<T, L, X: Zeros<T, L>, const N: usize> Zeros<T, L> for [X; N] {
    const ZEROS: Self = [const { X::ZEROS }; N];
}

/// Where the numbers of a leaf are in the flat order of the whole: from `start` on, all together, or, of a leaf of the
/// elements of a slice, in groups of `group`, which begin `stride` apart.
#[derive(Clone, Copy, Debug)]
pub struct Flat {
    pub start: usize,
    pub group: usize,
    pub stride: usize,
}

impl Flat {
    /// The place of a number of the leaf in the whole.
    #[inline(always)]
    const fn place(self, number: usize) -> usize {
        match self.group {
            0 => self.start + number,
            group => self.start + number / group * self.stride + number % group,
        }
    }
}

/// Makes the tangents of a leaf unit vectors: in lane `w`, number `first + w` of the whole is 1, and the others are 0.
#[inline(always)]
pub fn set_units<T: Real, const W: usize>(
    leaf: &mut (impl WideLeaf<T, Lanes<T, W>> + ?Sized),
    flat: Flat,
    first: usize,
) {
    visit_places(leaf, flat, |place, lanes| {
        *lanes = <Lanes<T, W> as Wide<T>>::ZERO;
        if let Some(one) = lanes.0.get_mut(place.wrapping_sub(first)) {
            *one = T::ONE;
        }
    });
}

/// Calls `f` with every number of a leaf, and its place in the flat order of the whole.
#[inline(always)]
pub fn read_places<T, L>(leaf: &(impl WideLeaf<T, L> + ?Sized), flat: Flat, mut f: impl FnMut(usize, &L)) {
    let mut number = 0;
    leaf.visit(&mut |wide| {
        f(flat.place(number), wide);
        number += 1;
    });
}

/// The same, to write to the numbers.
#[inline(always)]
pub fn visit_places<T, L>(leaf: &mut (impl WideLeaf<T, L> + ?Sized), flat: Flat, mut f: impl FnMut(usize, &mut L)) {
    let mut number = 0;
    leaf.visit_mut(&mut |wide| {
        f(flat.place(number), wide);
        number += 1;
    });
}

/// The sums of the products of lanes with each other, and with one more number: `JᵀJ` and `Jᵀr`, if the lanes are rows of
/// `J`.
#[derive(Clone, Copy, Debug)]
pub struct Products<T, const W: usize> {
    squares: [Lanes<T, W>; W],
    sums: Lanes<T, W>,
}

impl<T: Real, const W: usize> Products<T, W> {
    pub const ZERO: Self =
        Products { squares: [<Lanes<T, W> as Wide<T>>::ZERO; W], sums: <Lanes<T, W> as Wide<T>>::ZERO };

    /// Adds a row.
    #[inline]
    pub fn add(&mut self, row: &Lanes<T, W>, residual: T) {
        self.sums += *row * residual;
        for (sum, factor) in self.squares.iter_mut().zip(row.0) {
            *sum += *row * factor;
        }
    }

    /// The sum of a lane with the other number.
    #[inline]
    pub fn sum(&self, lane: usize) -> T {
        self.sums.0[lane]
    }

    /// Writes a block of so many lanes by so many, each of them from one on.
    #[inline]
    pub fn write(
        &self,
        (row, rows): (usize, usize),
        (column, columns): (usize, usize),
        block: &mut (impl Rows<T> + ?Sized),
    ) {
        for k in 0..rows {
            block.row(k, columns).copy_from_slice(&self.squares[row + k].0[column..column + columns]);
        }
    }
}

/// As many rows of lanes, all alike. `vec!` copies them one by one, through memory; here zeros are written as such.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn filled<T: Copy>(row: T, count: usize) -> Vec<T> {
    (0..count).map(|_| row).collect()
}

/// Puts the tangents of a leaf of the result into the columns from `first` on.
#[inline(always)]
pub fn write_columns<T: Real, const W: usize>(
    leaf: &(impl WideLeaf<T, Lanes<T, W>> + ?Sized),
    flat: Flat,
    (first, columns): (usize, usize),
    matrix: &mut (impl Rows<T> + ?Sized),
) {
    leaf.write_rows(Columns { flat, lane: 0, first, columns }, &mut 0, matrix);
}

/// Puts the lanes of a leaf of the result from `lane` on into all columns.
#[inline(always)]
pub fn write_lanes<T: Real, const W: usize>(
    leaf: &(impl WideLeaf<T, Lanes<T, W>> + ?Sized),
    flat: Flat,
    (lane, columns): (usize, usize),
    matrix: &mut (impl Rows<T> + ?Sized),
) {
    leaf.write_rows(Columns { flat, lane, first: 0, columns }, &mut 0, matrix);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_independent() {
        let (a, b) = (Lanes([1.0, 2.0]), Lanes([3.0, 5.0]));
        assert_eq!((a + b) * 2.0 - -a / 4.0, Lanes([8.25, 14.5]));
        let mut c = a;
        c += b;
        c -= Wide::splat(1.0);
        assert_eq!(c, Lanes([3.0, 6.0]));
    }

    #[test]
    fn units_and_columns() {
        // The field `b` of `[(a, [b; 2]); 2]`: numbers 1, 2, 4 and 5 of 6.
        let flat = Flat { start: 1, group: 2, stride: 3 };
        let mut leaf = [[<Lanes<f64, 2> as Wide<f64>>::ZERO; 2]; 2];
        set_units(&mut leaf, flat, 4);
        assert_eq!(leaf[1], [Lanes([1.0, 0.0]), Lanes([0.0, 1.0])]);
        assert_eq!(leaf[0], [Lanes([0.0, 0.0]); 2]);
        let mut matrix = [0.0; 18];
        write_columns(&leaf, flat, (2, 3), &mut matrix[..]);
        assert_eq!(matrix.map(|x| x as u8), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        let mut last = [0.0; 6];
        write_lanes(&leaf, flat, (1, 1), &mut last[..]);
        assert_eq!(last.map(|x| x as u8), [0, 0, 0, 0, 0, 1]);
        let mut one = [[0.0; 2]; 2];
        leaf.write_lane(1, &mut one);
        assert_eq!(one, [[0.0, 0.0], [0.0, 1.0]]);
    }
}
