//! Swings a pendulum up with a motor that is too weak to lift it, by gradients through the simulation.
//!
//! ```text
//! cargo run --release --example pendulum
//! ```
//!
//! The plan is a torque for each tenth of a second. The cost is a function of a simulation, and its gradient is
//! one backward run of it, whatever the length of the plan.

#[path = "common/picture.rs"]
mod picture;

use autodiff::optim::Adam;
use autodiff::prelude::*;
use nalgebra::{SVector, Vector2};
use picture::Picture;
use plotters::style::{BLUE, GREEN, RED};
use std::error::Error;
use std::f64::consts::PI;

/// How many torques.
const PLAN: usize = 60;
/// Steps of the simulation in the time of one torque.
const STEPS: usize = 10;
const STEP: f64 = 0.01;
const GRAVITY: f64 = 9.81;
/// In units in which 9.81 holds the pendulum level.
const STRONGEST: f64 = 3.0;

/// The motor pushes as hard as it can where the plan asks for more.
#[differentiable]
fn torque(planned: f64) -> f64 {
    STRONGEST * planned.tanh()
}

/// Angle and angular velocity one step later. The angle is 0 where the pendulum hangs.
#[differentiable]
fn step(state: Vector2<f64>, torque: f64) -> Vector2<f64> {
    let velocity = state.y + (torque - GRAVITY * state.x.sin() - 0.1 * state.y) * STEP;
    Vector2::new(state.x + velocity * STEP, velocity)
}

/// How far from upright and at rest the pendulum ends, and how much work is put in.
#[differentiable]
fn cost(plan: &SVector<f64, PLAN>) -> f64 {
    let mut state = Vector2::zeros();
    let mut effort = 0.0;
    for planned in plan.iter() {
        let torque = torque(*planned);
        effort += torque * torque;
        for _ in 0..STEPS {
            state = step(state, torque);
        }
    }
    10.0 * (state.x - PI).powi(2) + state.y.powi(2) + 1e-4 * effort
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut plan = SVector::<f64, PLAN>::from_fn(|k, _| 0.5 * (0.3 * k as f64).sin());
    let mut adam = Adam::new(&plan, 0.05);
    let mut value = f64::INFINITY;
    for iteration in 0..1250 {
        let gradient;
        (value, gradient) = cost::value_and_grad(&plan);
        if iteration % 250 == 0 {
            println!("{iteration:4}   cost {value:9.4}");
        }
        adam.step(&mut plan, &gradient);
    }

    let (mut state, mut states) = (Vector2::zeros(), Vec::new());
    for k in 0..PLAN * STEPS {
        state = step(state, torque(plan[k / STEPS]));
        states.push(state);
    }
    println!("cost {value:.4}, at the end {:.4} rad from upright", (state.x - PI).abs());

    let mut picture = Picture::graph("A weak motor swings a pendulum up", ["time in s", "rad, rad/s, torque"]);
    let over_time = |values: Vec<f64>| values.into_iter().enumerate().map(|(k, y)| [k as f64 * STEP, y]);
    picture.line("angle", RED, over_time(states.iter().map(|state| state.x).collect()));
    picture.line("angular velocity", BLUE, over_time(states.iter().map(|state| state.y).collect()));
    picture.line("torque", GREEN, over_time((0..PLAN * STEPS).map(|k| torque(plan[k / STEPS])).collect()));
    picture.save("pendulum")?;

    assert!((state.x - PI).abs() < 0.05 && state.y.abs() < 0.1);
    Ok(())
}
