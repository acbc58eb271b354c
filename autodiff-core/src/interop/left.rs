//! Steps of `nalgebra`'s rotations and isometries on the left.

use crate::{Differentiable, Real};
use nalgebra::{Isometry, RealField, Rotation, SVector, UnitComplex, UnitQuaternion};

/// What changes on the left, to `exp(c)·r`, in the derivatives of `#[differentiable(left)]`.
pub trait RetractLeft: Differentiable {
    /// `exp(change)·self`: a rotation in the frame that it leads to, not in its own.
    ///
    /// ```
    /// use autodiff_core::RetractLeft;
    /// use nalgebra::{UnitQuaternion, Vector3};
    ///
    /// let (r, c) = (UnitQuaternion::new(Vector3::new(0.3, -0.5, 0.4)), Vector3::new(0.1, 0.2, -0.3));
    /// assert!(r.retract_left(&c).angle_to(&(UnitQuaternion::new(c) * r)) < 1e-14);
    /// ```
    #[must_use]
    fn retract_left(&self, change: &Self::Tangent) -> Self;
}

/// `exp(c)·r` is `r·exp(Ad(r⁻¹)·c)`.
macro_rules! on_left {
    ($($ty:ty, $value:ident, $change:ident => $inward:expr;)*) => {$(
        impl<T: Real + RealField> RetractLeft for $ty {
            fn retract_left(&self, change: &Self::Tangent) -> Self {
                let ($value, $change) = (self, change);
                self.retract(&$inward)
            }
        }
    )*};
}
on_left! {
    UnitQuaternion<T>, r, c => r.inverse() * c;
    Rotation<T, 3>, r, c => r.inverse() * c;
    // In the plane all rotations commute.
    Rotation<T, 2>, _r, c => *c;
    UnitComplex<T>, _r, c => *c;
    Isometry<T, UnitQuaternion<T>, 3>, pose, c => {
        let (back, w) = (pose.rotation.inverse(), c.fixed_rows::<3>(3).into_owned());
        let v = back * (c.fixed_rows::<3>(0) - pose.translation.vector.cross(&w));
        let w = back * w;
        SVector::from([v.x, v.y, v.z, w.x, w.y, w.z])
    };
    Isometry<T, UnitComplex<T>, 2>, pose, c => {
        let t = pose.translation.vector;
        let v = pose.rotation.inverse() * SVector::from([c[0] - c[2] * t.y, c[1] + c[2] * t.x]);
        SVector::from([v.x, v.y, c[2]])
    };
}
