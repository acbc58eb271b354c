//! Enums together with methods, traits, other crates, loops, jumps and closures.

use crate::common::{STEP, assert_gradient, inner};
use crate::enums::{Force, Shape, check, forces, shapes};
use autodiff::prelude::*;

// --- methods ------------------------------------------------------------------------------------------------

trait Energy {
    fn energy(&self, x: f64) -> f64;
}

#[differentiable(order = 2)]
impl Energy for Force {
    fn energy(&self, x: f64) -> f64 {
        match self {
            Self::Spring { k, rest } => 0.5 * k * (x - rest).powi(2),
            Force::Gravity(g) => g * x,
            Self::Drag(_) | Self::Off => 0.0,
        }
    }
}

#[differentiable(order = 2)]
impl Force {
    fn doubled(&self) -> Self {
        match self {
            Self::Spring { k, rest } => Self::Spring { k: 2.0 * k, rest: *rest },
            Self::Drag(c) => Self::Drag(2.0 * c),
            Self::Gravity(g) => Self::Gravity(2.0 * g),
            Self::Off => Self::Off,
        }
    }

    fn work(&self, from: f64, to: f64) -> f64 {
        self.doubled().energy(to) - self.energy(from)
    }
}

#[test]
fn methods() {
    for force in forces() {
        let (by_force, _, by_to) = force.work_grad(0.25, 0.75);
        assert_gradient(&force, &by_force, |force| force.work(0.25, 0.75));
        assert_gradient(&0.75, &by_to, |to| force.work(0.25, *to));
    }
}

// --- of another crate ---------------------------------------------------------------------------------------

mod foreign {
    use super::*;
    use model_crate::{Activation, Affine, activate};

    const IN: usize = 7;

    #[derive(Differentiable, Clone, Debug, PartialEq)]
    struct Unit {
        by: Activation,
        bias: f64,
    }

    #[differentiable(order = 2)]
    fn output(unit: &Unit) -> f64 {
        let x = Tensor1::<f64, 3>::from([0.5, -0.25, 1.0]);
        let y = activate(&unit.by, &x);
        let more = match &unit.by {
            Activation::Leaky { below, .. } => Activation::Leaky { below: 2.0 * below, scale: y },
            other => other.clone(),
        };
        activate(&more, &y).sum() + unit.bias
    }

    #[test]
    fn an_enum_of_another_crate() {
        let affine = Affine { w: Tensor2::from_fn(|[i, j]| 0.1 * (i + 2 * j) as f64), b: Tensor1::full(0.3) };
        for by in [
            Activation::Leaky { below: 0.1, scale: Tensor1::from([1.0, 2.0, 3.0]) },
            Activation::Affine(affine),
            Activation::Linear,
        ] {
            check!(output, Unit { by, bias: 0.5 });
        }
        assert_eq!(IN, 7);
    }
}

// --- together with loops, jumps and closures ----------------------------------------------------------------

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
enum State {
    Falling { height: f64, speed: f64 },
    Sliding(f64),
    Resting,
}

/// A state that a loop carries, changed in a branch, with a jump out of a `match`.
#[differentiable(order = 2)]
fn simulate(start: &State, step: f64) -> f64 {
    let mut state = *start;
    let mut way = 0.0;
    for i in 0..12 {
        state = match state {
            State::Falling { height, speed: mut v } => {
                v += 9.81 * step;
                if height < v * step {
                    State::Sliding(v)
                } else {
                    State::Falling { height: height - v * step, speed: v }
                }
            }
            State::Sliding(v) if v < 0.5 => State::Resting,
            State::Sliding(v) => {
                way += v * step;
                State::Sliding(v * (1.0 - step))
            }
            State::Resting => break,
        };
        if i == 10 && matches!(state, State::Sliding(v) if v > 100.0) {
            return way * 2.0;
        }
    }
    let left = |state: &State| match *state {
        State::Falling { height, .. } => height * height,
        State::Sliding(v) | State::Falling { speed: v, .. } => v.sqrt(),
        State::Resting => 0.0,
    };
    way + left(&state)
}

#[differentiable(order = 2)]
fn chosen(shapes: &[Shape], #[no_diff] force: Force, #[no_diff] which: &[usize]) -> f64 {
    let mut sum = 0.0;
    for i in which {
        let Shape::Circle { r } = &shapes[*i] else { continue };
        sum += r * r;
    }
    sum += shapes
        .iter()
        .filter(|shape| matches!(shape, Shape::Rectangle(..)))
        .map(|shape| if let Shape::Rectangle(a, b) = shape { a * b } else { 0.0 })
        .sum::<f64>();
    if let Force::Spring { k, .. } = force {
        sum *= k;
    }
    sum
}

#[test]
fn together() {
    for state in [State::Falling { height: 1.0, speed: 0.5 }, State::Sliding(3.0), State::Sliding(0.51), State::Resting]
    {
        for step in [0.01, 0.07, 0.2] {
            let (by_state, by_step) = simulate::grad(&state, step);
            assert_gradient(&state, &by_state, |state| simulate(state, step));
            assert_gradient(&step, &by_step, |step| simulate(&state, *step));
            assert_eq!(simulate::vjp(&state, step).1(1.0), (by_state.clone(), by_step));
        }
    }
    let (shapes, which) = (shapes().to_vec(), [0, 1, 0, 3]);
    let g = chosen::grad(&shapes, Force::Spring { k: 2.0, rest: 0.0 }, &which);
    assert_gradient(&shapes, &g, |shapes| chosen(shapes, Force::Spring { k: 2.0, rest: 0.0 }, &which));
    assert_eq!(g[0].circle.r, 12.0);
}
