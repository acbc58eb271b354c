//! An extended Kalman filter that follows a vehicle by the distance and the bearing of two landmarks in turns. Once
//! with the Jacobians of the models written by hand, once with generated ones.

use crate::Model;
use autodiff::prelude::*;
use nalgebra::{Matrix2, Matrix2x3, Matrix3, Matrix3x2, Vector2, Vector3};

const STEP: f32 = 0.1;
const LANDMARKS: [Vector2<f32>; 2] = [Vector2::new(3.0, 2.0), Vector2::new(-2.0, 4.0)];
const CONTROL: Vector2<f32> = Vector2::new(0.5, 0.4);

/// The next place and heading; the control is a speed and a turn rate.
#[differentiable]
fn motion(x: &Vector3<f32>, u: &Vector2<f32>) -> Vector3<f32> {
    let heading = x.z + 0.5 * u.y * STEP;
    x + Vector3::new(u.x * heading.cos(), u.x * heading.sin(), u.y) * STEP
}

#[differentiable]
fn sight(x: &Vector3<f32>, #[no_diff] landmark: &Vector2<f32>) -> Vector2<f32> {
    let d = landmark - x.xy();
    Vector2::new(d.norm(), d.y.atan2(d.x) - x.z)
}

/// The filter, and the vehicle that it follows. `GENERATED` tells where the Jacobians are from.
pub struct Filter<const GENERATED: bool> {
    truth: Vector3<f32>,
    mean: Vector3<f32>,
    covariance: Matrix3<f32>,
    /// Which landmark is seen next.
    is_second: bool,
}

impl<const GENERATED: bool> Filter<GENERATED> {
    #[inline]
    fn motion(x: &Vector3<f32>) -> (Vector3<f32>, Matrix3<f32>, Matrix3x2<f32>) {
        if GENERATED {
            let (y, (f, g)) = motion::value_and_jacobian(x, &CONTROL);
            return (y, f, g);
        }
        let (sin, cos) = (x.z + 0.5 * CONTROL.y * STEP).sin_cos();
        let (along, across, half) = (CONTROL.x * cos * STEP, CONTROL.x * sin * STEP, 0.5 * STEP);
        let f = Matrix3::new(1.0, 0.0, -across, 0.0, 1.0, along, 0.0, 0.0, 1.0);
        let g = Matrix3x2::new(cos * STEP, -half * across, sin * STEP, half * along, 0.0, STEP);
        (Vector3::new(x.x + along, x.y + across, x.z + CONTROL.y * STEP), f, g)
    }

    #[inline]
    fn sight(x: &Vector3<f32>, landmark: &Vector2<f32>) -> (Vector2<f32>, Matrix2x3<f32>) {
        if GENERATED {
            return sight::value_and_jacobian(x, landmark);
        }
        let d = landmark - x.xy();
        let square = d.norm_squared();
        let distance = d.norm();
        let h = Matrix2x3::new(-d.x / distance, -d.y / distance, 0.0, d.y / square, -d.x / square, -1.0);
        (Vector2::new(distance, d.y.atan2(d.x) - x.z), h)
    }
}

impl<const GENERATED: bool> Model for Filter<GENERATED> {
    fn initial() -> Self {
        let covariance = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 0.1));
        Filter { truth: Vector3::zeros(), mean: Vector3::new(0.5, -0.5, 0.2), covariance, is_second: false }
    }

    /// A step of the vehicle and of the filter: the squared error of the place.
    #[inline(never)]
    fn epoch(&mut self) -> f32 {
        self.truth = motion(&self.truth, &CONTROL);
        let (mean, f, g) = Self::motion(&self.mean);
        let covariance = f * self.covariance * f.transpose() + g * g.transpose() * 1e-2;
        let landmark = &LANDMARKS[usize::from(self.is_second)];
        self.is_second = !self.is_second;
        let (expected, h) = Self::sight(&mean, landmark);
        let spread = h * covariance * h.transpose() + Matrix2::from_diagonal_element(1e-2);
        let determinant = spread.m11 * spread.m22 - spread.m12 * spread.m21;
        let inverse = Matrix2::new(spread.m22, -spread.m12, -spread.m21, spread.m11) / determinant;
        let gain = covariance * h.transpose() * inverse;
        self.mean = mean + gain * (sight(&self.truth, landmark) - expected);
        self.covariance = covariance - gain * h * covariance;
        (self.truth - self.mean).xy().norm_squared()
    }
}
