//! A step of an extended Kalman filter: the motion of a vehicle, and the sight of a landmark.

use crate::compare::{Suite, assert_close, way};
use crate::numbers::{Further, Model, Number, by_multicalc, by_num_dual};
use autodiff::prelude::*;
use nalgebra::{Matrix2, Matrix2x3, Matrix3, Matrix3x2, SMatrix, SVector, Vector2, Vector3};
use std::hint::black_box;

const STEP: f64 = 0.1;

#[differentiable]
fn motion(x: &Vector3<f64>, u: &Vector2<f64>) -> Vector3<f64> {
    let heading = x.z + 0.5 * u.y * STEP;
    x + Vector3::new(u.x * heading.cos(), u.x * heading.sin(), u.y) * STEP
}

#[differentiable]
fn sight(x: &Vector3<f64>, #[no_diff] landmark: &Vector2<f64>) -> Vector2<f64> {
    let d = landmark - x.xy();
    Vector2::new(d.norm(), d.y.atan2(d.x) - x.z)
}

/// The motion for other crates, with the control behind the state.
struct Motion;
impl Model<5, 3> for Motion {
    #[inline]
    fn eval<T: Number>(&self, &[x, y, z, speed, turn]: &[T; 5]) -> [T; 3] {
        let (sin, cos) = (z + turn.scaled(0.5 * STEP)).sin_cos();
        [x + (speed * cos).scaled(STEP), y + (speed * sin).scaled(STEP), z + turn.scaled(STEP)]
    }
}

struct Sight(Vector2<f64>);
impl Model<3, 2> for Sight {
    #[inline]
    fn eval<T: Number>(&self, &[x, y, z]: &[T; 3]) -> [T; 2] {
        let (dx, dy) = (T::constant(self.0.x) - x, T::constant(self.0.y) - y);
        [(dx * dx + dy * dy).sqrt(), T::angle(dy, dx) - z]
    }
}

#[derive(Clone, Copy)]
struct Filter {
    mean: Vector3<f64>,
    covariance: Matrix3<f64>,
    control: Matrix2<f64>,
    noise: Matrix2<f64>,
}

type Linear<const M: usize, const N: usize> = (SVector<f64, M>, SMatrix<f64, M, N>);

impl Filter {
    /// The step, given the models with their Jacobians.
    #[inline]
    fn step(
        &self,
        (u, landmark, seen): (&Vector2<f64>, &Vector2<f64>, &Vector2<f64>),
        motion: impl Fn(&Vector3<f64>, &Vector2<f64>) -> (Vector3<f64>, Matrix3<f64>, Matrix3x2<f64>),
        sight: impl Fn(&Vector3<f64>, &Vector2<f64>) -> Linear<2, 3>,
    ) -> (Vector3<f64>, Matrix3<f64>) {
        let (mean, f, g) = motion(&self.mean, u);
        let covariance = f * self.covariance * f.transpose() + g * self.control * g.transpose();
        let (expected, h) = sight(&mean, landmark);
        let spread = h * covariance * h.transpose() + self.noise;
        let gain = covariance * h.transpose() * spread.try_inverse().expect("a regular covariance");
        (mean + gain * (seen - expected), covariance - gain * h * covariance)
    }
}

#[inline]
fn motion_by_hand(x: &Vector3<f64>, u: &Vector2<f64>) -> (Vector3<f64>, Matrix3<f64>, Matrix3x2<f64>) {
    let (sin, cos) = (x.z + 0.5 * u.y * STEP).sin_cos();
    let (along, across) = (u.x * cos * STEP, u.x * sin * STEP);
    let f = Matrix3::new(1.0, 0.0, -across, 0.0, 1.0, along, 0.0, 0.0, 1.0);
    let half = 0.5 * STEP;
    let g = Matrix3x2::new(cos * STEP, -half * across, sin * STEP, half * along, 0.0, STEP);
    (Vector3::new(x.x + along, x.y + across, x.z + u.y * STEP), f, g)
}

#[inline]
fn sight_by_hand(x: &Vector3<f64>, landmark: &Vector2<f64>) -> Linear<2, 3> {
    let d = landmark - x.xy();
    let square = d.norm_squared();
    let distance = square.sqrt();
    let by_state = Matrix2x3::new(-d.x / distance, -d.y / distance, 0.0, d.y / square, -d.x / square, -1.0);
    (Vector2::new(distance, d.y.atan2(d.x) - x.z), by_state)
}

/// State and control in one vector.
fn joined(x: &Vector3<f64>, u: &Vector2<f64>) -> SVector<f64, 5> {
    SVector::from([x.x, x.y, x.z, u.x, u.y])
}

fn apart((y, jacobian): Linear<3, 5>) -> (Vector3<f64>, Matrix3<f64>, Matrix3x2<f64>) {
    (y, jacobian.fixed_columns::<3>(0).into_owned(), jacobian.fixed_columns::<2>(3).into_owned())
}

pub fn bench<P: Further>(suite: &mut Suite) {
    let filter = Filter {
        mean: Vector3::new(0.3, -0.4, 0.7),
        covariance: Matrix3::new(0.2, 0.01, 0.0, 0.01, 0.3, 0.02, 0.0, 0.02, 0.05),
        control: Matrix2::from_diagonal(&Vector2::new(0.04, 0.01)),
        noise: Matrix2::from_diagonal(&Vector2::new(0.04, 0.001)),
    };
    let (u, landmark, seen) = (Vector2::new(1.5, 0.3), Vector2::new(3.0, 2.0), Vector2::new(3.5, 0.05));
    let given = (&u, &landmark, &seen);
    let generated = |filter: &Filter| {
        let motion = |x: &Vector3<f64>, u: &Vector2<f64>| {
            let (y, (f, g)) = motion::value_and_jacobian(x, u);
            (y, f, g)
        };
        filter.step(given, motion, sight::value_and_jacobian)
    };
    let by_hand = |filter: &Filter| filter.step(given, motion_by_hand, sight_by_hand);
    let num_dual = |filter: &Filter| {
        let sight = |x: &Vector3<f64>, landmark: &Vector2<f64>| by_num_dual(&Sight(*landmark), x);
        filter.step(given, |x, u| apart(by_num_dual(&Motion, &joined(x, u))), sight)
    };
    let multicalc = |filter: &Filter| {
        let sight = |x: &Vector3<f64>, landmark: &Vector2<f64>| by_multicalc(&Sight(*landmark), x);
        filter.step(given, |x, u| apart(by_multicalc(&Motion, &joined(x, u))), sight)
    };
    let further = |filter: &Filter| {
        let sight = |x: &Vector3<f64>, landmark: &Vector2<f64>| P::jacobian(&Sight(*landmark), x);
        filter.step(given, |x, u| apart(P::jacobian(&Motion, &joined(x, u))), sight)
    };
    let expected = by_hand(&filter);
    for other in [generated(&filter), num_dual(&filter), multicalc(&filter), further(&filter)] {
        assert_close(other.0.as_slice(), expected.0.as_slice());
        assert_close(other.1.as_slice(), expected.1.as_slice());
    }
    let mut ways = vec![
        way("Jacobians", || generated(black_box(&filter))),
        way("by hand", || by_hand(black_box(&filter))),
        way("num-dual", || num_dual(black_box(&filter))),
        way("multicalc", || multicalc(black_box(&filter))),
    ];
    ways.extend(P::NAME.map(|name| way(name, || further(black_box(&filter)))));
    suite.compare("step of a Kalman filter", &mut ways);
}
