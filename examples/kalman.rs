//! Follows a vehicle by an extended Kalman filter, whose Jacobians are generated from the model.
//!
//! ```text
//! cargo run --release --example kalman
//! ```
//!
//! The vehicle drives in a circle and measures distance and bearing to landmarks. The filter linearises the model at its
//! estimate: `motion::jacobian` and `sight::jacobian` are all there is to that.

#[path = "common/picture.rs"]
mod picture;

use autodiff::prelude::*;
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};
use picture::Picture;
use plotters::style::{BLACK, BLUE, GREEN, RED};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::f64::consts::{PI, TAU};

const STEP: f64 = 0.1;
const LANDMARKS: [Vector2<f64>; 4] =
    [Vector2::new(8.0, 2.0), Vector2::new(-6.0, 4.0), Vector2::new(1.0, 13.0), Vector2::new(-2.0, -3.0)];

/// The next state, of place and heading; the control is a speed and a turn rate.
#[differentiable]
fn motion(x: &Vector3<f64>, u: &Vector2<f64>) -> Vector3<f64> {
    let heading = x.z + 0.5 * u.y * STEP;
    x + Vector3::new(u.x * heading.cos(), u.x * heading.sin(), u.y) * STEP
}

/// The distance and the bearing of a landmark.
#[differentiable]
fn sight(x: &Vector3<f64>, #[no_diff] landmark: &Vector2<f64>) -> Vector2<f64> {
    let d = landmark - x.xy();
    Vector2::new(d.norm(), d.y.atan2(d.x) - x.z)
}

/// A Gaussian distribution of the state.
#[derive(Clone)]
struct Belief {
    mean: Vector3<f64>,
    covariance: Matrix3<f64>,
}

impl Belief {
    /// After a motion, where the control has a covariance.
    fn predict(&self, u: &Vector2<f64>, control: &Matrix2<f64>) -> Belief {
        let (mean, (f, g)) = motion::value_and_jacobian(&self.mean, u);
        Belief { mean, covariance: f * self.covariance * f.transpose() + g * control * g.transpose() }
    }

    /// After a measurement.
    fn update(&self, seen: &Vector2<f64>, landmark: &Vector2<f64>, noise: &Matrix2<f64>) -> Option<Belief> {
        let (expected, h) = sight::value_and_jacobian(&self.mean, landmark);
        let innovation = seen - expected;
        let innovation = Vector2::new(innovation.x, (innovation.y + PI).rem_euclid(TAU) - PI);
        let spread = h * self.covariance * h.transpose() + noise;
        let gain = self.covariance * h.transpose() * spread.try_inverse()?;
        // Joseph's form stays symmetric and positive.
        let rest = Matrix3::identity() - gain * h;
        let covariance = rest * self.covariance * rest.transpose() + gain * noise * gain.transpose();
        Some(Belief { mean: self.mean + gain * innovation, covariance })
    }
}

/// A number of the standard normal distribution, after Box and Muller.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (a, b): (f64, f64) = (rng.random_range(1e-12..1.0), rng.random_range(0.0..TAU));
    (-2.0 * a.ln()).sqrt() * b.cos()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (speed, turn, distance, bearing) = (0.3, 0.15, 0.2, 0.03);
    let control = Matrix2::from_diagonal(&Vector2::new(speed * speed, turn * turn));
    let noise = Matrix2::from_diagonal(&Vector2::new(distance * distance, bearing * bearing));
    let u = Vector2::new(1.5, 0.3);

    let mut truth = Vector3::new(0.0, 0.0, 0.0);
    let start = Vector3::new(0.8, -0.8, 0.2);
    let mut belief = Belief { mean: start, covariance: Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 0.1)) };
    let (mut driven, mut believed, mut reckoned) = (vec![truth], vec![belief.clone()], vec![start]);
    let (mut squares, mut normalised) = ([0.0; 2], 0.0);
    let steps = 210;
    for k in 0..steps {
        // What the wheels do is not what they are told.
        let real = u + Vector2::new(speed * normal(&mut rng), turn * normal(&mut rng));
        truth = motion(&truth, &real);
        belief = belief.predict(&u, &control);
        if k % 5 == 0 {
            let landmark = &LANDMARKS[k / 5 % LANDMARKS.len()];
            let seen = sight(&truth, landmark) + Vector2::new(distance * normal(&mut rng), bearing * normal(&mut rng));
            belief = belief.update(&seen, landmark, &noise).ok_or("a singular covariance")?;
        }
        let error = truth - belief.mean;
        normalised += error.dot(&(belief.covariance.try_inverse().ok_or("a singular covariance")? * error));
        reckoned.push(motion(&reckoned[k], &u));
        squares[0] += error.xy().norm_squared();
        squares[1] += (truth - reckoned[k + 1]).xy().norm_squared();
        driven.push(truth);
        believed.push(belief.clone());
    }
    let [filtered, dead] = squares.map(|sum| (sum / steps as f64).sqrt());
    println!("error of the filter {filtered:.3} m, without measurements {dead:.3} m");
    println!("the squared error is {:.2} times the variance, and should be 3", normalised / steps as f64);

    let mut picture = Picture::map("A vehicle, and what the filter believes", ["x in m", "y in m"]);
    let place = |x: &Vector3<f64>| [x.x, x.y];
    picture.line("without measurements", BLACK, reckoned.iter().map(place));
    picture.line("truth", BLUE, driven.iter().map(place));
    picture.line("estimate", RED, believed.iter().map(|belief| place(&belief.mean)));
    for belief in believed.iter().step_by(14) {
        let shape = belief.covariance.fixed_view::<2, 2>(0, 0).into_owned().symmetric_eigen();
        // Two standard deviations.
        let axes = [0, 1].map(|k| shape.eigenvectors.column(k) * 2.0 * shape.eigenvalues[k].sqrt());
        picture.ellipse("", RED, place(&belief.mean), axes.map(|axis| [axis.x, axis.y]));
    }
    picture.dots("landmarks", GREEN, LANDMARKS.map(<[f64; 2]>::from));
    picture.save("kalman")?;

    assert!(filtered < 0.25 && dead > 2.0 * filtered);
    assert!((1.0..6.0).contains(&(normalised / steps as f64)));
    Ok(())
}
