//! Every method of the compiler's tables, a line for each (`rows`): the value against nalgebra's own, and derivatives of first and
//! second order against num-dual's hyper-dual numbers, with which nalgebra's generic methods compute. Where they cannot, differences
//! are the oracle. Double precision takes its parameters by reference, single precision by value.
//!
//! A function is shared by the lines of a table. Each line has a weight, and is tried alone: its weight is one, the others are zero.
//! That every row of the compiler has a line, is seen to by `lower/rows_test.rs` of the macro.

use autodiff::Differentiable;
use nalgebra::{
    ArrayStorage, Const, DMatrix, DVector, Isometry2, Isometry3, Matrix, Matrix2, Point, Quaternion, Rotation2,
    Rotation3, SMatrix, Translation, Translation2, Translation3, UnitComplex, UnitQuaternion, Vector2, Vector3,
};
use num_dual::HyperDual64;

/// The numbers of the oracle.
pub(crate) type R = HyperDual64;

/// The functions of a table, over flat points, with the weights of its lines.
pub(crate) struct Table<'a> {
    pub(crate) name: &'a str,
    pub(crate) lines: &'a [&'a str],
    pub(crate) start: &'a [f64],
    pub(crate) value: &'a dyn Fn(&[f64], &[f64]) -> f64,
    pub(crate) grad: &'a dyn Fn(&[f64], &[f64]) -> (f64, Vec<f64>),
    pub(crate) jvp: &'a dyn Fn(&[f64], &[f64]) -> (f64, f64),
    pub(crate) hvp: &'a dyn Fn(&[f64], &[f64]) -> Vec<f64>,
    /// In single precision: the function itself, and the value and the gradient by `vjp`.
    pub(crate) single: &'a dyn Fn(&[f32]) -> (f32, f32, Vec<f32>),
    pub(crate) dual: Option<&'a dyn Fn(&mut Directions, &[R]) -> R>,
}

/// What each parameter changes along, in the order of the parameters: two directions, as a hyper-dual number has them.
pub(crate) struct Directions<'a> {
    first: std::slice::Iter<'a, f64>,
    second: std::slice::Iter<'a, f64>,
}

impl Directions<'_> {
    pub(crate) fn of(&mut self, number: f64) -> R {
        let mut next = [&mut self.first, &mut self.second].map(|direction| direction.next().copied().unwrap_or(0.0));
        R::new(number, std::mem::take(&mut next[0]), next[1], 0.0)
    }

    fn vector<const N: usize>(&mut self) -> SMatrix<R, N, 1> {
        SMatrix::from_fn(|_, _| self.of(0.0))
    }
}

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64, scale: f64, what: &str) {
    // NaN is close to nothing.
    assert!((a - b).abs() <= tolerance * (1.0 + scale), "{what}: {a} and {b}");
}

impl Table<'_> {
    #[track_caller]
    pub(crate) fn check(&self) {
        let n = self.start.len();
        let u: Vec<f64> = (0..n).map(|k| (1.3 * k as f64 + 0.7).sin()).collect();
        let v: Vec<f64> = (0..n).map(|k| (2.1 * k as f64 + 0.2).cos()).collect();
        let along = |direction: &[f64], by: f64| -> Vec<f64> {
            self.start.iter().zip(direction).map(|(x, d)| x + by * d).collect()
        };
        let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        for (k, line) in self.lines.iter().enumerate() {
            let line = format!("{}: {line}", self.name);
            let mut w = vec![0.0; self.lines.len()];
            w[k] = 1.0;
            let plain = (self.value)(self.start, &w);
            let (value, gradient) = (self.grad)(self.start, &w);
            assert!(gradient.iter().any(|g| *g != 0.0), "{line}: there is no derivative");
            let scale = gradient.iter().fold(value.abs(), |most, g| most.max(g.abs()));
            close(value, plain, 1e-13, scale, &format!("{line}, value and nalgebra's"));
            let (again, dot) = (self.jvp)(&u, &w);
            close(again, plain, 1e-13, scale, &format!("{line}, value by `jvp` and nalgebra's"));
            close(dot, product(&gradient, &u), 1e-12, scale, &format!("{line}, `jvp` and the gradient"));
            let second = product(&(self.hvp)(&v, &w), &u);
            let (first, by_first_and_second, tolerance) = match self.dual {
                Some(dual) => {
                    let w: Vec<R> = w.iter().map(|w| R::from(*w)).collect();
                    let found = dual(&mut Directions { first: u.iter(), second: v.iter() }, &w);
                    close(found.re, plain, 1e-13, scale, &format!("{line}, num-dual's value and nalgebra's"));
                    (found.eps1, found.eps1eps2, 1e-10)
                }
                None => {
                    let value = |by| (self.value)(&along(&u, by), &w);
                    let slope = |by| product(&(self.grad)(&along(&v, by), &w).1, &u);
                    ((value(1e-5) - value(-1e-5)) / 2e-5, (slope(1e-5) - slope(-1e-5)) / 2e-5, 1e-7)
                }
            };
            close(dot, first, tolerance, scale, &format!("{line}, `jvp` and the oracle"));
            let curved = scale.max(second.abs());
            close(second, by_first_and_second, 10.0 * tolerance, curved, &format!("{line}, `hvp` and the oracle"));

            let narrow: Vec<f32> = w.iter().map(|w| *w as f32).collect();
            let (own, by_vjp, single) = (self.single)(&narrow);
            close(own.into(), by_vjp.into(), 1e-5, scale, &format!("{line}, value by `vjp` in single precision"));
            close(by_vjp.into(), value, 2e-4, scale, &format!("{line}, value in single precision"));
            assert_eq!(single.len(), n, "{line}");
            for (wide, narrow) in gradient.iter().zip(single) {
                close(narrow.into(), *wide, 2e-4, scale, &format!("{line}, gradient in single precision"));
            }
            let bits = gradient.iter().chain([&value, &dot, &second]);
            let bits =
                bits.fold(0xcbf2_9ce4_8422_2325_u64, |hash, x| (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3));
            println!("\nbits {line} {bits:016x}");
        }
    }
}

/// A type of parameters in the numbers of the oracle, and in single precision.
pub(crate) trait Lift {
    type Dual;
    type Single;

    fn dual(&self, directions: &mut Directions) -> Self::Dual;
    fn single(&self) -> Self::Single;
}

impl<const N: usize, const M: usize> Lift for Matrix<f64, Const<N>, Const<M>, ArrayStorage<f64, N, M>> {
    type Dual = SMatrix<R, N, M>;
    type Single = SMatrix<f32, N, M>;

    fn dual(&self, directions: &mut Directions) -> Self::Dual {
        self.map(|number| directions.of(number))
    }
    fn single(&self) -> Self::Single {
        self.map(|number| number as f32)
    }
}

/// What has as many numbers as it changes by.
macro_rules! lift_by_map {
    ($($ty:ident [$($size:ident)?], $self:ident, $f:ident => $mapped:expr;)*) => {$(
        impl $(<const $size: usize>)? Lift for $ty<f64 $(, $size)?> {
            type Dual = $ty<R $(, $size)?>;
            type Single = $ty<f32 $(, $size)?>;

            fn dual(&$self, directions: &mut Directions) -> Self::Dual {
                let mut $f = |number: f64| directions.of(number);
                $mapped
            }
            fn single(&$self) -> Self::Single {
                #[allow(unused_mut)]
                let mut $f = |number: f64| number as f32;
                $mapped
            }
        }
    )*};
}
lift_by_map! {
    DVector [], self, f => self.map(&mut f);
    DMatrix [], self, f => self.map(&mut f);
    Point [N], self, f => Point::from(self.coords.map(&mut f));
    Translation [N], self, f => Translation::from(self.vector.map(&mut f));
    Quaternion [], self, f => Quaternion::from(self.coords.map(&mut f));
}

/// A rotation `r` becomes `r·exp(c)`, exact to the second order of `c`.
macro_rules! lift_by_change {
    ($($ty:ident($self:ident, $directions:ident) => $dual:expr;)*) => {$(
        impl Lift for $ty<f64> {
            type Dual = $ty<R>;
            type Single = $ty<f32>;

            fn dual(&$self, $directions: &mut Directions) -> Self::Dual {
                $dual
            }
            fn single(&self) -> Self::Single {
                self.cast()
            }
        }
    )*};
}
lift_by_change! {
    UnitQuaternion(self, directions) => turned(self, directions.vector());
    UnitComplex(self, directions) => turned_in_plane(self, directions.of(0.0));
    Rotation2(self, directions) => {
        let turn = turned_in_plane(&UnitComplex::identity(), directions.of(0.0));
        let (re, im) = (turn.re, turn.im);
        Rotation2::from_matrix_unchecked(self.matrix().map(R::from) * Matrix2::new(re, -im, im, re))
    };
    Rotation3(self, directions) => {
        let cross = directions.vector::<3>().cross_matrix();
        let exp = SMatrix::<R, 3, 3>::identity() + cross + cross * cross * R::from(0.5);
        Rotation3::from_matrix_unchecked(self.matrix().map(R::from) * exp)
    };
    Isometry3(self, directions) => {
        let (by, c): (Vector3<R>, Vector3<R>) = (directions.vector(), directions.vector());
        let by = self.rotation.to_rotation_matrix().matrix().map(R::from) * (by + c.cross(&by) * R::from(0.5));
        let to = Translation3::from(self.translation.vector.map(R::from) + by);
        Isometry3::from_parts(to, turned(&self.rotation, c))
    };
    Isometry2(self, directions) => {
        let by: Vector2<R> = directions.vector();
        let c = directions.of(0.0);
        let by = by + Vector2::new(-by.y, by.x) * (c * R::from(0.5));
        let by = self.rotation.to_rotation_matrix().matrix().map(R::from) * by;
        let to = Translation2::from(self.translation.vector.map(R::from) + by);
        Isometry2::from_parts(to, turned_in_plane(&self.rotation, c))
    };
}

fn turned(q: &UnitQuaternion<f64>, c: Vector3<R>) -> UnitQuaternion<R> {
    let held = Quaternion::from(q.coords.map(R::from));
    let exp = Quaternion::from_parts(R::from(1.0) - c.dot(&c) * R::from(0.125), c * R::from(0.5));
    UnitQuaternion::new_unchecked(held * exp)
}

fn turned_in_plane(q: &UnitComplex<f64>, c: R) -> UnitComplex<R> {
    let (re, im) = (R::from(1.0) - c * c * R::from(0.5), c);
    UnitComplex::from_cos_sin_unchecked(
        re * R::from(q.re) - im * R::from(q.im),
        re * R::from(q.im) + im * R::from(q.re),
    )
}

/// A matrix of numbers that follow no pattern.
pub(crate) fn m<const N: usize, const M: usize>(seed: f64) -> SMatrix<f64, N, M> {
    SMatrix::from_fn(|i, j| ((i as f64 + 1.7) * (j as f64 + 0.6) * seed + j as f64).sin() + f64::from(u8::from(i == j)))
}

/// `dual table(a: Matrix3 = m(0.3), …) { Matrix.add => (a + b).dot(a); … }`: lines of the methods of `Matrix`. In a table of
/// `differences` they are the oracle.
macro_rules! rows {
    ($($oracle:ident $table:ident($a:ident: $ty:ident = $at:expr $(, $p:ident: $tys:ident = $ats:expr)*) {
        $($of:ident.$name:ident => $body:expr;)+
    })+) => {$(
        crate::oracle::rows!(@numbered $oracle $table [$a: $ty = $at $(, $p: $tys = $ats)*] [$($of $name $body),+]);
    )+};
    (@numbered $o:ident $t:ident [$a:ident: $ta:ident = $xa:expr] $l:tt) => {
        crate::oracle::rows!(@table $o $t [$a 0 $ta $xa] $l);
    };
    (@numbered $o:ident $t:ident [$a:ident: $ta:ident = $xa:expr, $b:ident: $tb:ident = $xb:expr] $l:tt) => {
        crate::oracle::rows!(@table $o $t [$a 0 $ta $xa, $b 1 $tb $xb] $l);
    };
    (@numbered $o:ident $t:ident [$a:ident: $ta:ident = $xa:expr, $b:ident: $tb:ident = $xb:expr,
        $c:ident: $tc:ident = $xc:expr] $l:tt) => {
        crate::oracle::rows!(@table $o $t [$a 0 $ta $xa, $b 1 $tb $xb, $c 2 $tc $xc] $l);
    };
    (@numbered $o:ident $t:ident [$a:ident: $ta:ident = $xa:expr, $b:ident: $tb:ident = $xb:expr,
        $c:ident: $tc:ident = $xc:expr, $d:ident: $td:ident = $xd:expr] $l:tt) => {
        crate::oracle::rows!(@table $o $t [$a 0 $ta $xa, $b 1 $tb $xb, $c 2 $tc $xc, $d 3 $td $xd] $l);
    };
    (@table $oracle:ident $table:ident [$($p:ident $k:tt $ty:ident $at:expr),+] [$($of:ident $name:ident $body:expr),+]) => {
        mod $table {
            #[allow(unused_imports)]
            use super::*;

            #[differentiable(order = 2)]
            fn double($($p: &$ty<f64>,)+ #[no_diff] none: f64, $(#[no_diff] $name: f64),+) -> f64 {
                none $(+ $name * $body)+
            }

            #[differentiable]
            fn single($($p: $ty<f32>,)+ #[no_diff] none: f32, $(#[no_diff] $name: f32),+) -> f32 {
                $(let $p = &$p;)+
                none $(+ $name * $body)+
            }

            #[test]
            fn derivatives() {
                use crate::harness::{flat, tangent};
                use crate::oracle::{Lift, Table};
                let point: ($($ty<f64>,)+) = ($($at,)+);
                let start = flat(&point);
                let dots = |direction: &[f64]| tangent(&point, direction);
                let hidden = |at: &[f64]| crate::harness::hidden(crate::harness::at(&point, at));
                Table {
                    name: stringify!($table),
                    lines: &[$(concat!(stringify!($of), ".", stringify!($name))),+],
                    start: &start,
                    value: &|at, w| {
                        let ([$($name),+], ($($p,)+)) = (w.try_into().unwrap(), hidden(at));
                        double($(&$p,)+ 0.0, $($name),+)
                    },
                    grad: &|at, w| {
                        let ([$($name),+], ($($p,)+)) = (w.try_into().unwrap(), hidden(at));
                        let (value, gradient) = double::value_and_grad($(&$p,)+ 0.0, $($name),+);
                        (value, flat(&gradient))
                    },
                    jvp: &|u, w| {
                        let ([$($name),+], ($($p,)+)) = (w.try_into().unwrap(), hidden(&start));
                        let dots = dots(u);
                        double::jvp($(&$p,)+ 0.0, $($name,)+ $(&dots.$k),+)
                    },
                    hvp: &|v, w| {
                        let ([$($name),+], ($($p,)+)) = (w.try_into().unwrap(), hidden(&start));
                        let dots = dots(v);
                        flat(&double::hvp($(&$p,)+ 0.0, $($name,)+ $(&dots.$k),+))
                    },
                    single: &|w| {
                        let [$($name),+] = w.try_into().unwrap();
                        let own = single($(point.$k.single(),)+ 0.0, $($name),+);
                        let (value, pullback) = single::vjp($(point.$k.single(),)+ 0.0, $($name),+);
                        (own, value, crate::oracle::flat_single(&pullback(1.0)))
                    },
                    dual: crate::oracle::rows!(@$oracle point [$($p $k $ty),+] [$($name $body),+]),
                }
                .check();
            }
        }
    };
    (@differences $point:ident $params:tt $lines:tt) => { None };
    (@dual $point:ident [$($p:ident $k:tt $ty:ident),+] [$($name:ident $body:expr),+]) => {
        Some(&|directions, w| {
            fn dual($($p: &$ty<crate::oracle::R>,)+ none: crate::oracle::R, $($name: crate::oracle::R),+) -> crate::oracle::R {
                none $(+ $name * $body)+
            }
            let [$($name),+] = w.try_into().unwrap();
            dual($(&$point.$k.dual(directions),)+ crate::oracle::R::from(0.0), $($name),+)
        })
    };
}
pub(crate) use rows;

/// All numbers of a value or of a tangent.
pub(crate) fn flat_single(x: &impl Differentiable<Scalar = f32>) -> Vec<f32> {
    let mut all = Vec::new();
    x.visit_leaves(&autodiff::Path::ROOT, &mut |_, _, data| all.extend_from_slice(data));
    all
}
