//! Numbers of other crates that differentiate what is computed with them, by one name: a model that is generic in its numbers
//! is written once for all of them.

use multicalc::scalar::VectorFn;
use multicalc::{Jacobian, Numeric};
use nalgebra::{Const, SMatrix, SVector};
use num_dual::{DualNum, DualSVec64};
use std::ops::{Add, Div, Mul, Neg, Sub};

pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    fn constant(value: f64) -> Self;
    fn scaled(self, by: f64) -> Self;
    fn sin_cos(self) -> (Self, Self);
    fn sqrt(self) -> Self;
    /// The angle of a point.
    fn angle(y: Self, x: Self) -> Self;
}

/// Of `multicalc`.
#[derive(Clone, Copy)]
pub struct Numerical<S>(pub S);

macro_rules! forwarded {
    ($($op:ident $call:ident),*) => {$(
        impl<S: Numeric> $op for Numerical<S> {
            type Output = Self;
            #[inline]
            fn $call(self, other: Self) -> Self {
                Numerical(self.0.$call(other.0))
            }
        }
    )*};
}
forwarded!(Add add, Sub sub, Mul mul, Div div);

impl<S: Numeric> Neg for Numerical<S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Numerical(-self.0)
    }
}
impl<S: Numeric> Number for Numerical<S> {
    #[inline]
    fn constant(value: f64) -> Self {
        Numerical(S::from_f64(value))
    }
    #[inline]
    fn scaled(self, by: f64) -> Self {
        Numerical(self.0 * S::from_f64(by))
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        (Numerical(self.0.sin()), Numerical(self.0.cos()))
    }
    #[inline]
    fn sqrt(self) -> Self {
        Numerical(self.0.sqrt())
    }
    #[inline]
    fn angle(y: Self, x: Self) -> Self {
        Numerical(y.0.atan2(x.0))
    }
}

impl<const N: usize> Number for DualSVec64<N> {
    #[inline]
    fn constant(value: f64) -> Self {
        DualSVec64::from_re(value)
    }
    #[inline]
    fn scaled(self, by: f64) -> Self {
        self * by
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        DualNum::sin_cos(&self)
    }
    #[inline]
    fn sqrt(self) -> Self {
        DualNum::sqrt(&self)
    }
    #[inline]
    fn angle(y: Self, x: Self) -> Self {
        DualNum::atan2(&y, x)
    }
}

/// A model of `N` numbers that gives `M`.
pub trait Model<const N: usize, const M: usize> {
    fn eval<T: Number>(&self, x: &[T; N]) -> [T; M];
}

/// A crate that is compared with the others in a package of its own, or none.
pub trait Further {
    const NAME: Option<&'static str>;

    /// The value and the Jacobian.
    fn jacobian<const N: usize, const M: usize>(
        model: &impl Model<N, M>,
        x: &SVector<f64, N>,
    ) -> (SVector<f64, M>, SMatrix<f64, M, N>);
}

/// No further crate: there are those that all benchmarks build with.
pub struct NoFurther;
impl Further for NoFurther {
    const NAME: Option<&'static str> = None;

    fn jacobian<const N: usize, const M: usize>(
        model: &impl Model<N, M>,
        x: &SVector<f64, N>,
    ) -> (SVector<f64, M>, SMatrix<f64, M, N>) {
        by_multicalc(model, x)
    }
}

struct OfMulticalc<'a, F>(&'a F);

impl<F: Model<N, M>, const N: usize, const M: usize> VectorFn<N, M> for OfMulticalc<'_, F> {
    #[inline]
    fn eval<S: Numeric>(&self, x: &[S; N]) -> [S; M] {
        self.0.eval(&x.map(Numerical)).map(|number| number.0)
    }
}

/// The value and the Jacobian by `num-dual`.
#[inline]
pub fn by_num_dual<const N: usize, const M: usize>(
    model: &impl Model<N, M>,
    x: &SVector<f64, N>,
) -> (SVector<f64, M>, SMatrix<f64, M, N>) {
    let f = |x: SVector<DualSVec64<N>, N>| SVector::from(model.eval(&x.data.0[0]));
    num_dual::jacobian::<_, _, Const<M>, Const<N>, _>(f, x)
}

/// The value and the Jacobian by `multicalc`.
#[inline]
pub fn by_multicalc<const N: usize, const M: usize>(
    model: &impl Model<N, M>,
    x: &SVector<f64, N>,
) -> (SVector<f64, M>, SMatrix<f64, M, N>) {
    let (f, x) = (OfMulticalc(model), &x.data.0[0]);
    let jacobian = Jacobian::new().evaluate(&f, x).expect("a function with results");
    (SVector::from(f.eval(x)), SMatrix::from_fn(|i, j| jacobian[(i, j)]))
}
