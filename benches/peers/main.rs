//! Jacobians of a filter, an arm and a rotation's logarithm beside those of `num-dual`, `multicalc` and `ad_trait`, and by hand.
#![allow(missing_docs)]

#[path = "../gradients/arm.rs"]
mod arm;
#[path = "../gradients/compare.rs"]
#[allow(dead_code)]
mod compare;
#[path = "../gradients/kalman.rs"]
mod kalman;
#[path = "../gradients/numbers.rs"]
#[allow(dead_code)]
mod numbers;

use ad_trait::forward_ad::adfn::adfn;
use nalgebra::{SMatrix, SVector};
use nalgebra_0_34::{ComplexField, RealField};
use numbers::{Further, Model, Number};

impl<const N: usize> Number for adfn<N> {
    #[inline]
    fn constant(value: f64) -> Self {
        adfn::new_constant(value)
    }
    #[inline]
    fn scaled(self, by: f64) -> Self {
        self * adfn::new_constant(by)
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        ComplexField::sin_cos(self)
    }
    #[inline]
    fn sqrt(self) -> Self {
        ComplexField::sqrt(self)
    }
    #[inline]
    fn angle(y: Self, x: Self) -> Self {
        RealField::atan2(y, x)
    }
}

/// Forward mode along all directions at once, its fastest for such models.
struct AdTrait;
impl Further for AdTrait {
    const NAME: Option<&'static str> = Some("ad_trait");

    #[inline]
    fn jacobian<const N: usize, const M: usize>(
        model: &impl Model<N, M>,
        x: &SVector<f64, N>,
    ) -> (SVector<f64, M>, SMatrix<f64, M, N>) {
        let unit = |k: usize| std::array::from_fn(|j| if j == k { 1.0 } else { 0.0 });
        let numbers: [adfn<N>; N] = std::array::from_fn(|k| adfn::new(x[k], unit(k)));
        let y = model.eval(&numbers);
        (SVector::from(y.map(|y| y.value())), SMatrix::from_fn(|i, j| y[i].tangent()[j]))
    }
}

fn main() {
    let mut suite = compare::Suite::new();
    kalman::bench::<AdTrait>(&mut suite);
    arm::bench::<AdTrait>(&mut suite);
    suite.finish();
}
